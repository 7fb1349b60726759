//! Boards: the data of each.
//!
//! A board is a folder with `board.toml` and a file of pins; those under `constraints/` are built in, and a user may
//! name a folder of their own. No board needs any Rust: [`Board`] is what the file says. Pin files name the ports of the
//! emitted top `mn_board`: `clk_i`, `button_i`, `uart_rx_i`, `uart_tx_o`, `led_pass_o`, `led_fail_o`, `led_run_o`.

pub mod frame;
pub mod serial;

use serde::{Deserialize, Serialize};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Name of the file that describes a board, in the board's folder.
pub const BOARD_FILE: &str = "board.toml";
/// The format of board files that this version reads.
const FORMAT: u32 = 1;
/// The ports of the emitted top; every one needs a pin.
pub const PORTS: [&str; 7] = ["clk_i", "button_i", "uart_rx_i", "uart_tx_o", "led_pass_o", "led_fail_o", "led_run_o"];

/// Error of a board description.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BoardError {
    /// Board name that is not built in and not a folder.
    #[error("there is no board `{name}`")]
    Unknown {
        /// Requested name.
        name: String,
        /// A known name that is nearly this one.
        nearest: Option<&'static str>,
    },
    /// A file of the folder cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The board file is not one; the reason shows the line.
    #[error("`{path}` is not a board file: {reason}")]
    Invalid {
        /// Path of the file.
        path: PathBuf,
        /// Fault, with its line if there is one.
        reason: String,
    },
    /// A port of the top has no pin.
    #[error("`{path}` gives no pin for the port `{port}`")]
    NoPin {
        /// The file of pins.
        path: PathBuf,
        /// Name of the port.
        port: &'static str,
    },
}

impl BoardError {
    /// Remedy, in a sentence.
    pub fn help(&self) -> String {
        let names: Vec<&str> = BUILT_IN.iter().map(|files| files.name).collect();
        match self {
            BoardError::Unknown { nearest: Some(nearest), .. } => format!("did you mean `{nearest}`?"),
            BoardError::Unknown { nearest: None, .. } => {
                format!("take one of {}, or name a folder with a `{BOARD_FILE}`", names.join(", "))
            }
            BoardError::Read { .. } => {
                format!("a board is a folder with a `{BOARD_FILE}` and the file of pins it names")
            }
            BoardError::Invalid { .. } => "compare it with a board that is built in: `metronoc boards --json`".into(),
            BoardError::NoPin { .. } => format!("the top has the ports {}", PORTS.join(", ")),
        }
    }
}

/// A family of devices: it decides which tools make the bitstream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Family {
    /// Lattice iCE40.
    Ice40,
    /// Lattice ECP5.
    Ecp5,
    /// Gowin LittleBee.
    Gowin,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Ice40 => "iCE40",
            Family::Ecp5 => "ECP5",
            Family::Gowin => "Gowin",
        })
    }
}

/// The level at which a signal means yes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    /// The supply.
    High,
    /// Ground.
    Low,
}

/// The lamps of the top.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lamp {
    /// The result is good.
    Pass,
    /// The result is bad, or a fault was seen.
    Fail,
    /// State of normal operation.
    Run,
}

/// A board, as its file describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// The name on the command line: that of the folder.
    #[serde(skip_deserializing)]
    pub name: String,
    #[serde(skip_serializing)]
    format: u32,
    /// The name for people.
    pub title: String,
    /// The family of its device.
    pub family: Family,
    /// The device, as place and route calls it.
    pub device: String,
    /// The device's package, as place and route calls it; of a Gowin device, its series.
    pub package: String,
    /// The file of pins, in the board's folder.
    pub pins: String,
    /// The clock at `clk_i`.
    pub clock: Clock,
    /// The serial line.
    pub uart: Uart,
    /// The button that resets.
    pub button: Button,
    /// The lamps.
    pub leds: Leds,
    /// Resources of the device.
    pub capacity: Capacity,
    /// Options for the tools.
    #[serde(default)]
    pub flow: Flow,
    /// Documents of the pins.
    #[serde(rename = "source")]
    pub sources: Vec<Source>,
    #[serde(skip)]
    pin_text: String,
}

/// The clock at `clk_i`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Frequency, MHz.
    pub mhz: f64,
}

/// The serial line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Uart {
    /// Bits a second.
    pub baud: u32,
}

/// The button that resets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Button {
    /// Level of the pin while the button is pressed.
    pub active: Level,
}

/// The lamps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Leds {
    /// Lamps that shine when their pin is low.
    pub active_low: Vec<Lamp>,
}

/// Resources of a device, as place and route counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    /// Look-up tables with four inputs.
    pub luts: u64,
    /// Flip-flops.
    pub registers: u64,
    /// Block memories.
    pub block_rams: u64,
}

/// Options for the tools, after those that metronoc gives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flow {
    /// Additional arguments of the synthesis command of the family.
    #[serde(default)]
    pub synthesis: Vec<String>,
    /// Additional arguments of place and route.
    #[serde(default)]
    pub place: Vec<String>,
}

/// A public document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Title of the document.
    pub title: String,
    /// Pins taken from the document.
    pub pins: String,
}

struct Files {
    name: &'static str,
    board: &'static str,
    pins: &'static str,
}

macro_rules! built_in {
    ($($name:literal, $pins:literal;)*) => {
        const BUILT_IN: &[Files] = &[
            $(Files {
                name: $name,
                board: include_str!(concat!("../../constraints/", $name, "/board.toml")),
                pins: include_str!(concat!("../../constraints/", $name, "/", $pins)),
            }),*
        ];
    };
}

built_in! {
    "colorlight-i5", "pins.lpf";
    "icebreaker", "pins.pcf";
    "orangecrab", "pins.lpf";
    "tang-nano-9k", "pins.cst";
    "ulx3s", "pins.lpf";
}

impl Board {
    /// The boards that are built in, by name.
    ///
    /// # Errors
    /// Only by a defect of a built-in board, which a test excludes.
    pub fn built_in() -> Result<Vec<Self>, BoardError> {
        BUILT_IN.iter().map(|files| Self::parse(files.name, Path::new(BOARD_FILE), files.board, files.pins)).collect()
    }

    /// A built-in board by its name, or the board in a folder.
    ///
    /// # Errors
    /// If there is neither, or the folder is not that of a board.
    pub fn find(name: &str) -> Result<Self, BoardError> {
        if let Some(files) = BUILT_IN.iter().find(|files| files.name == name) {
            return Self::parse(files.name, Path::new(BOARD_FILE), files.board, files.pins);
        }
        let folder = Path::new(name);
        if folder.is_dir() {
            return Self::load(folder);
        }
        let near = |files: &&Files| strsim::jaro_winkler(files.name, &name.to_lowercase()) > 0.8;
        Err(BoardError::Unknown { name: name.into(), nearest: BUILT_IN.iter().find(near).map(|files| files.name) })
    }

    /// The board in a folder.
    ///
    /// # Errors
    /// If a file of it cannot be read or is not what it should be.
    pub fn load(folder: &Path) -> Result<Self, BoardError> {
        let read = |path: PathBuf| match std::fs::read_to_string(&path) {
            Ok(text) => Ok((path, text)),
            Err(source) => Err(BoardError::Read { path, source }),
        };
        let (path, text) = read(folder.join(BOARD_FILE))?;
        let name = folder.file_name().map_or_else(|| "board".into(), |name| name.to_string_lossy().into_owned());
        let board = Self::describe(&name, &path, &text)?;
        let (_, pins) = read(folder.join(&board.pins))?;
        board.with_pins(&path, pins)
    }

    fn parse(name: &str, path: &Path, text: &str, pins: &str) -> Result<Self, BoardError> {
        Self::describe(name, path, text)?.with_pins(path, pins.to_owned())
    }

    fn describe(name: &str, path: &Path, text: &str) -> Result<Self, BoardError> {
        let invalid = |reason: String| BoardError::Invalid { path: path.to_owned(), reason };
        let board: Self = toml::from_str(text).map_err(|error| invalid(error.to_string().trim_end().to_owned()))?;
        if board.format != FORMAT {
            return Err(invalid(format!("its format is {}, and this version reads {FORMAT}", board.format)));
        }
        if !(board.clock.mhz >= 1.0 && board.clock.mhz <= 1000.0) {
            return Err(invalid(format!("clock.mhz is {}, and must be from 1 to 1000", board.clock.mhz)));
        }
        if board.uart.baud == 0 || board.uart_divide() < 8 {
            return Err(invalid("uart.baud must leave at least 8 clock cycles for a bit".into()));
        }
        if Path::new(&board.pins).components().count() != 1 {
            return Err(invalid("`pins` must be the name of a file in the same folder".into()));
        }
        Ok(Self { name: name.to_owned(), ..board })
    }

    fn with_pins(self, path: &Path, pin_text: String) -> Result<Self, BoardError> {
        let words: Vec<&str> = pin_text
            .lines()
            .filter_map(|line| line.split("//").next()?.split('#').next())
            .flat_map(|line| line.split(|c: char| c.is_whitespace() || "\";".contains(c)))
            .collect();
        match PORTS.into_iter().find(|port| !words.contains(port)) {
            Some(port) => Err(BoardError::NoPin { path: path.with_file_name(&self.pins), port }),
            None => Ok(Self { pin_text, ..self }),
        }
    }

    /// The text of the file of pins.
    pub fn pin_text(&self) -> &str {
        &self.pin_text
    }

    /// Clock cycles of a bit on the serial line.
    pub fn uart_divide(&self) -> u32 {
        (self.clock.mhz * 1e6 / f64::from(self.uart.baud)).round() as u32
    }

    /// True if a lamp shines when its pin is low.
    pub fn is_active_low(&self, lamp: Lamp) -> bool {
        self.leds.active_low.contains(&lamp)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_folder_of_constraints_is_built_in() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/constraints");
        let mut names: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let boards = Board::built_in().unwrap();
        assert_eq!(names, boards.iter().map(|b| b.name.as_str()).collect::<Vec<_>>());
        for board in boards {
            assert!(!board.sources.is_empty(), "{}", board.name);
            // What is built in is what a user would load.
            assert_eq!(Board::load(&Path::new(folder).join(&board.name)).unwrap(), board);
        }
    }
}
