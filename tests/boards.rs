//! Boards as data: those that are built in, a user's own, and what is wrong with one.

use assert_cmd::Command;
use metronoc::board::{Board, BoardError};
use predicates::str::contains;
use std::fs;
use std::path::Path;

fn metronoc() -> Command {
    Command::cargo_bin("metronoc").unwrap()
}

/// A copy of a built-in board in a folder of its own, with one piece of text replaced.
fn copy(from: &str, to: &Path, file: &str, old: &str, new: &str) {
    let source = Path::new("constraints").join(from);
    for entry in fs::read_dir(source).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap();
        let mut text = fs::read_to_string(&path).unwrap();
        if name == file {
            assert!(text.contains(old), "{file} has no `{old}`");
            text = text.replace(old, new);
        }
        fs::write(to.join(name), text).unwrap();
    }
}

#[test]
fn the_list_names_device_clock_and_sources() {
    let output = metronoc().args(["boards", "--json"]).assert().success().get_output().stdout.clone();
    let json: serde_json::Value = serde_json::from_slice(&output).unwrap();
    let names: Vec<&str> = json["boards"].as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["colorlight-i5", "icebreaker", "orangecrab", "tang-nano-9k", "ulx3s"]);
    assert_eq!(json["boards"][1]["clock"]["mhz"], 12.0);
    assert!(json["boards"][0]["source"].as_array().is_some_and(|sources| !sources.is_empty()));
    metronoc().arg("boards").assert().success().stdout(contains("ULX3S 85F"));
}

#[test]
fn a_board_of_the_users_own_needs_no_rust() {
    let folder = tempfile::tempdir().unwrap();
    copy("ulx3s", folder.path(), "board.toml", "title = \"ULX3S 85F\"", "title = \"Mine\"");
    let board = Board::find(folder.path().to_str().unwrap()).unwrap();
    assert_eq!((board.title.as_str(), board.uart_divide()), ("Mine", 217));
    metronoc().args(["boards", "--board"]).arg(folder.path()).assert().success().stdout(contains("Mine"));
}

#[test]
fn an_unknown_board_is_answered_with_a_near_one() {
    metronoc().args(["boards", "--board", "ulx3"]).assert().code(2).stderr(contains("did you mean `ulx3s`?"));
    metronoc().args(["boards", "--board", "vcu118"]).assert().code(2).stderr(contains("tang-nano-9k, ulx3s"));
}

#[test]
fn faults_of_a_board_file_are_shown_on_their_line() {
    let broken = |file: &str, old: &str, new: &str| {
        let folder = tempfile::tempdir().unwrap();
        copy("icebreaker", folder.path(), file, old, new);
        Board::load(folder.path()).unwrap_err()
    };
    let error = broken("board.toml", "baud = 115200", "bauds = 115200");
    let text = error.to_string();
    assert!(
        matches!(error, BoardError::Invalid { .. })
            && text.contains("bauds = 115200")
            && text.contains("unknown field"),
        "{text}"
    );
    assert!(broken("board.toml", "family = \"ice40\"", "family = \"ice41\"").to_string().contains("`ecp5`"));
    assert!(broken("board.toml", "mhz = 12.0", "mhz = 0.0").to_string().contains("clock.mhz"));
    assert!(broken("board.toml", "baud = 115200", "baud = 6000000").to_string().contains("uart.baud"));
    assert!(broken("board.toml", "format = 1", "format = 2").to_string().contains("format is 2"));
    assert!(broken("board.toml", "pins = \"pins.pcf\"", "pins = \"../pins.pcf\"").to_string().contains("same folder"));
    assert!(matches!(broken("board.toml", "pins = \"pins.pcf\"", "pins = \"no.pcf\""), BoardError::Read { .. }));
    // a pin that is only mentioned in a comment is none
    let error = broken("pins.pcf", "set_io uart_tx_o   9", "# uart_tx_o");
    assert!(matches!(error, BoardError::NoPin { port: "uart_tx_o", .. }), "{error}");
}
