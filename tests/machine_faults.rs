//! Commands that are killed at any time, and a full disk: the next command works, nothing half-written is taken for whole.

use assert_cmd::cargo::cargo_bin_cmd;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Kills of each command.
const KILLS: u32 = 200;

/// Files below a folder with their texts; `tmp` and `cache` are left out.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (name, path) = (entry.file_name().into_string().unwrap(), entry.path());
        match path.is_dir() {
            true if name == "tmp" || name == "cache" => {}
            true => found.extend(files(&path).into_iter().map(|(file, text)| (format!("{name}/{file}"), text))),
            false => drop(found.insert(name, fs::read(path).unwrap())),
        }
    }
    found
}

/// A command in a folder with a specification, whose temporary files and cache are there, too.
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_metronoc"));
    command.args(args).current_dir(folder).env("TMPDIR", folder.join("tmp"));
    command.env("METRONOC_CACHE", folder.join("cache")).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
#[ignore = "commands are killed hundreds of times; .ci/run includes it"]
fn a_killed_command_leaves_nothing_that_is_half_written() {
    let spec = "format = 1\nnetwork = { topology = \"swapped-dragonfly\", k = 4, m = 4 }\n";
    for args in [
        &["generate", "x.toml", "-o", "rtl"][..],
        &["schedule", "x.toml", "--format", "json", "-o", "x.json"],
        &["report", "x.toml", "-o", "x.html"],
        &["man", "pages"],
    ] {
        let folder = TempDir::new().unwrap();
        let path = folder.path();
        fs::write(path.join("x.toml"), spec).unwrap();
        fs::create_dir(path.join("tmp")).unwrap();
        let before = files(path);
        // the first run warms the machine up
        let timed = |_| {
            let begin = Instant::now();
            assert!(command(path, args).status().unwrap().success(), "{args:?}");
            begin.elapsed()
        };
        let takes = [0, 1].map(timed)[1];
        let whole = files(path);
        let (mut killed, mut unwritten) = (0, 0);
        for round in 0..KILLS {
            // every other time there is nothing yet, and the moment goes through the whole run
            if round % 2 == 0 {
                for name in ["rtl", "pages"] {
                    let _ = fs::remove_dir_all(path.join(name));
                }
                for name in ["x.json", "x.html"] {
                    let _ = fs::remove_file(path.join(name));
                }
            }
            let mut child = command(path, args).spawn().unwrap();
            std::thread::sleep(takes.mul_f64(f64::from(round) / f64::from(KILLS) * 1.2) + Duration::from_micros(500));
            child.kill().unwrap();
            killed += u32::from(!child.wait().unwrap().success());
            // a file that stands under its name is whole
            let left = files(path);
            let named = |file: &&String| !file.split('/').any(|part| part.starts_with('.'));
            for file in left.keys().filter(named) {
                assert!(left[file] == whole[file], "{args:?}, round {round}: `{file}` is half-written");
            }
            unwritten += u32::from(left.len() < whole.len());
            let next = command(path, args).output().unwrap();
            assert!(next.status.success(), "{args:?}, round {round}: the next run fails");
            assert!(files(path) == whole, "{args:?}, round {round}: {:?}", files(path).keys());
        }
        assert!(
            killed > KILLS / 20 && unwritten > 0,
            "{args:?}: {killed} runs were killed, {unwritten} before their end"
        );
        assert!(whole.len() > before.len());
    }
}

/// `/dev/full` takes nothing, as a disk without space.
#[test]
fn a_full_disk_is_told() {
    for args in [
        &["schedule", "examples/d3-2-3.toml", "--format", "json", "-o", "/dev/full"][..],
        &["simulate", "examples/d3-2-3.toml", "--out", "/dev/full"],
        &["report", "examples/d3-2-3.toml", "-o", "/dev/full"],
    ] {
        let output = cargo_bin_cmd!("metronoc").args(args).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(8), "{args:?}: {said}");
        assert!(said.contains("free some space"), "{args:?}: {said}");
    }
}
