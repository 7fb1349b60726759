//! The sources of a bitstream: the network, a top that runs it on a board, and the board's pins.

use super::{Design, SelfTest};
use crate::board::{Board, Family, Lamp, Level};
use crate::emit::RtlBundle;
use crate::lower::Ring;
use crate::lower::bits::BitRow;
use askama::Template;
use std::collections::BTreeMap;

/// Function of a board's top.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardTop {
    /// Self-test of the network, which shows the result by LEDs and one line of text.
    SelfTest,
    /// Brings the network's streams to the serial line.
    Host,
}

impl BoardTop {
    /// Name of the top on the command line.
    pub fn name(self) -> &'static str {
        match self {
            BoardTop::SelfTest => "selftest",
            BoardTop::Host => "host",
        }
    }

    fn purpose(self) -> &'static str {
        match self {
            BoardTop::SelfTest => "Tests itself",
            BoardTop::Host => "Talks to a host over the serial line",
        }
    }
}

/// A static module of the board tops.
struct Module {
    file: &'static str,
    text: &'static str,
}

macro_rules! modules {
    ($($file:literal),* $(,)?) => {
        const MODULES: &[Module] = &[
            $(Module { file: $file, text: include_str!(concat!("../../rtl_templates/board/", $file)) }),*
        ];
    };
}

modules![
    "mn_bridge.v",
    "mn_pattern.v",
    "mn_pattern_table.v",
    "mn_power_on.v",
    "mn_report.v",
    "mn_selftest.v",
    "mn_uart_rx.v",
    "mn_uart_tx.v",
];

/// Modules that only one of the tops has.
fn is_part(file: &str, top: BoardTop) -> bool {
    match file {
        "mn_pattern.v" | "mn_pattern_table.v" | "mn_report.v" | "mn_selftest.v" => top == BoardTop::SelfTest,
        "mn_bridge.v" | "mn_uart_rx.v" => top == BoardTop::Host,
        _ => true,
    }
}

/// Template data of the board.
struct BoardView<'a> {
    title: &'a str,
    purpose: &'static str,
    is_selftest: bool,
    text: String,
    divide: u32,
    idle_bits: u32,
    button_low: bool,
    led_low: String,
}

#[derive(Template)]
#[template(path = "gen/mn_board.v", escape = "none")]
struct BoardFile<'a> {
    header: &'a str,
    title: String,
    p: &'a Ring,
    selftest: &'a SelfTest,
    set: u64,
    board: BoardView<'a>,
}

/// The sources: relative path → text.
#[derive(Debug, Clone)]
pub struct Project {
    files: BTreeMap<String, String>,
    top: BoardTop,
    family: Family,
    repeated: &'static str,
    pins: String,
}

/// Milliseconds of silence that end an unfinished frame of the host.
pub const SILENCE_MS: f64 = 20.0;

impl Project {
    /// The sources of `bundle` with a top for `board`.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn new(bundle: &RtlBundle, design: Design, board: &Board, top: BoardTop) -> Result<Self, askama::Error> {
        let mut files: BTreeMap<String, String> = bundle
            .files()
            .filter(|(name, _)| name.starts_with("rtl/") || name.starts_with("rom/"))
            .map(|(name, text)| (name.to_owned(), text.to_owned()))
            .collect();
        for module in MODULES.iter().filter(|module| is_part(module.file, top)) {
            files.insert(format!("rtl/{}", module.file), module.text.to_owned());
        }
        // the emitted top has the line that says what made it
        let header = files.get("rtl/mn_top.v").and_then(|text| text.lines().next()).unwrap_or_default().to_owned();
        let bit = |lamp| if board.is_active_low(lamp) { '1' } else { '0' };
        let view = BoardView {
            title: &board.title,
            purpose: top.purpose(),
            is_selftest: top == BoardTop::SelfTest,
            text: format!("metronoc {} $$$$ cycles=##### faults=%%", design.network),
            divide: board.uart_divide(),
            idle_bits: (board.clock.mhz * 1e3 * SILENCE_MS).log2().ceil() as u32,
            button_low: board.button.active == Level::Low,
            led_low: [Lamp::Run, Lamp::Fail, Lamp::Pass].map(bit).iter().collect(),
        };
        if let (SelfTest::Tables { loads, wants }, BoardTop::SelfTest) = (&design.selftest, top) {
            let image = |rows: &[BitRow]| rows.iter().map(|row| row.to_hex() + "\n").collect();
            files.insert("rom/selftest_loads.hex".into(), image(loads));
            files.insert("rom/selftest_wants.hex".into(), image(wants));
        }
        let (title, set, p, selftest) = (design.title(), design.set, &design.ring, &design.selftest);
        let text = BoardFile { header: &header, title, p, selftest, set, board: view }.render()?;
        files.insert("rtl/mn_board.v".into(), text + "\n");
        files.insert(board.pins.clone(), board.pin_text().to_owned());
        Ok(Self { files, top, family: board.family, repeated: design.repeated, pins: board.pins.clone() })
    }

    /// All files: relative path and text, in order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Paths of the Verilog sources.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str).filter(|name| name.starts_with("rtl/"))
    }

    /// Function of the top.
    pub fn top(&self) -> BoardTop {
        self.top
    }

    /// The module of which there is one a tile.
    pub fn repeated(&self) -> &'static str {
        self.repeated
    }

    /// The file of pins.
    pub fn pins(&self) -> &str {
        &self.pins
    }

    /// The file of the bitstream.
    pub fn bitstream(&self) -> String {
        match self.family {
            Family::Ice40 => "mn_board.bin".into(),
            Family::Ecp5 => "mn_board.bit".into(),
            Family::Gowin => "mn_board.fs".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modules_are_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rtl_templates/board");
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.retain(|name| name.ends_with(".v"));
        names.sort();
        assert_eq!(names, MODULES.iter().map(|m| m.file).collect::<Vec<_>>());
    }
}
