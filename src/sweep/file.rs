//! The file of a sweep, read with the line of everything that is wrong with it.

use super::value::{arrays, plain};
use crate::board::Board;
use crate::input;
use crate::spec::{Diagnostic, Spec, SpecError, text_of};
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Most bytes of a sweep's file, and of a base specification.
const MOST_BYTES: u64 = 16 << 20;

/// Most points of a sweep.
pub const MOST_POINTS: usize = 10_000;

const KEYS: [&str; 6] = ["format", "specs", "command", "boards", "place_seeds", "parameters"];

/// Command that is run at every point.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, strum::VariantArray, strum::IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Action {
    /// Schedule, proof and bounds.
    Check,
    /// `Check`, then the Verilog in lockstep with the model, on random words.
    Cosim,
    /// `Cosim` with pauses, faults and a reload in flight; the words are those of the .npy file of the specification's name, if there is one.
    Regress,
    /// `Check`, then a bitstream.
    Synth,
}

/// Base specification, before parameters are set.
#[derive(Debug, Clone)]
pub struct Base {
    /// Name of its file without the ending.
    pub name: String,
    /// Folder from which files that it names are looked up; absolute.
    pub folder: PathBuf,
    /// Keys and values.
    pub table: toml::Table,
}

/// Key of a specification and the values that it takes.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Dotted key.
    pub key: String,
    /// Values, in order.
    pub values: Vec<toml::Value>,
    /// Place of the key in the sweep's file.
    place: Range<usize>,
}

/// Parameters whose values are combined; the first one changes slowest.
pub type Block = Vec<Parameter>;

/// Specifications, parameters, boards and seeds, and the command for each combination.
#[derive(Debug, Clone)]
pub struct Sweep {
    name: String,
    text: String,
    /// Command.
    pub action: Action,
    /// Base specifications.
    pub bases: Vec<Base>,
    /// Blocks of parameters, whose points follow each other; at least one, which may be empty.
    pub blocks: Vec<Block>,
    /// Boards of syntheses, by name or absolute folder.
    pub boards: Vec<String>,
    /// Seeds of place and route; none for the command's own.
    pub place_seeds: Vec<u32>,
}

/// A value with its place.
type Value<'i> = Spanned<DeValue<'i>>;

impl Sweep {
    /// Reads a sweep and its base specifications.
    ///
    /// # Errors
    /// [`SpecError`] with all that is wrong with it.
    pub fn load(path: &Path) -> Result<Self, SpecError> {
        let name = path.display().to_string();
        let help = "a sweep has `format = 1`, `specs` with a list of files, and `[parameters]` with lists of values";
        let text = text_of(path, &name, MOST_BYTES, help)?;
        Self::parse(&name, &text, path.parent().unwrap_or(Path::new("")))
    }

    /// Reads a sweep from text; files that it names are looked up from `folder`.
    ///
    /// # Errors
    /// [`SpecError::Invalid`] with all that is wrong with it.
    pub fn parse(name: &str, text: &str, folder: &Path) -> Result<Self, SpecError> {
        let mut reader = Reader { name, text, folder, errors: Vec::new() };
        let sweep = reader.read();
        match (sweep, reader.errors) {
            (Some(sweep), errors) if errors.is_empty() => Ok(sweep),
            (_, diagnostics) => Err(SpecError::Invalid { diagnostics }),
        }
    }

    /// Number of combinations.
    fn combinations(&self) -> Option<usize> {
        let product = |block: &Block| block.iter().try_fold(1_usize, |n, p| n.checked_mul(p.values.len()));
        let blocks = self.blocks.iter().try_fold(0_usize, |n, block| n.checked_add(product(block)?))?;
        let others = [self.bases.len(), self.boards.len().max(1), self.place_seeds.len().max(1)];
        others.into_iter().try_fold(blocks, usize::checked_mul)
    }

    /// An error about a parameter, at its key.
    pub(super) fn error(&self, parameter: &Parameter, message: String, help: &str) -> SpecError {
        let diagnostic = Diagnostic::in_file(&self.name, &self.text, parameter.place.clone(), message).help(help);
        SpecError::Invalid { diagnostics: vec![diagnostic] }
    }
}

struct Reader<'a> {
    name: &'a str,
    text: &'a str,
    folder: &'a Path,
    errors: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn error(&mut self, place: Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(Diagnostic::in_file(self.name, self.text, place, message).help(help));
    }

    fn read(&mut self) -> Option<Sweep> {
        let document = match DeTable::parse(self.text) {
            Ok(document) => document.into_inner(),
            Err(error) => {
                let place = error.span().unwrap_or(0..0);
                self.error(place, error.message().to_owned(), "correct the TOML, as at <https://toml.io>");
                return None;
            }
        };
        for key in document.keys().filter(|key| !KEYS.contains(&key.get_ref().as_ref())) {
            let name = input::excerpt(key.get_ref());
            self.error(key.span(), format!("unknown key `{name}`"), format!("keys of a sweep: {}", KEYS.join(", ")));
        }
        match document.get("format") {
            Some(value) if plain(value.get_ref()) == toml::Value::Integer(1) => {}
            Some(value) => self.error(value.span(), "`format` must be 1", "write `format = 1`"),
            None => self.error(0..0, "`format` is missing", "begin with `format = 1`"),
        }
        let action = self.action(document.get("command"));
        let bases = self.bases(document.get("specs"));
        let boards = self.boards(document.get("boards"), action);
        let place_seeds = self.place_seeds(document.get("place_seeds"), action);
        let blocks = self.blocks(document.get("parameters"));
        let (name, text) = (self.name.to_owned(), self.text.to_owned());
        let sweep = Sweep { name, text, action: action?, bases, blocks, boards, place_seeds };
        if sweep.combinations().is_none_or(|points| points > MOST_POINTS) {
            let points = sweep.combinations().map_or("over 10^19".to_owned(), |points| points.to_string());
            let place = document.get("parameters").map_or(0..0, Spanned::span);
            let message = format!("the sweep has {points} points, and at most {MOST_POINTS} are run");
            self.error(place, message, "take values out, or make several sweeps of it");
        }
        Some(sweep)
    }

    fn action(&mut self, value: Option<&Value<'_>>) -> Option<Action> {
        use strum::VariantArray;
        let Some(value) = value else { return Some(Action::Check) };
        let named =
            |action: &&Action| matches!(value.get_ref(), DeValue::String(text) if text == Into::<&str>::into(**action));
        let found = Action::VARIANTS.iter().find(named).copied();
        if found.is_none() {
            let names: Vec<&str> = Action::VARIANTS.iter().map(Into::into).collect();
            let help = format!("write one of \"{}\"", names.join("\", \""));
            self.error(value.span(), "`command` is none that a sweep runs", help);
        }
        found
    }

    /// Entries of an array that must not be empty.
    fn entries<'v, 'i>(&mut self, key: &str, value: &'v Value<'i>) -> Vec<&'v Value<'i>> {
        match value.get_ref() {
            DeValue::Array(values) if !values.is_empty() => values.iter().collect(),
            DeValue::Array(_) => {
                self.error(value.span(), format!("`{key}` is empty"), "write the values that it takes");
                Vec::new()
            }
            _ => {
                let help = format!("write `{key} = [{}]`", self.text.get(value.span()).unwrap_or_default());
                self.error(value.span(), format!("`{key}` must be an array of values"), help);
                Vec::new()
            }
        }
    }

    fn bases(&mut self, value: Option<&Value<'_>>) -> Vec<Base> {
        let help = "write `specs = [\"net.toml\"]`, the specifications whose keys are swept";
        let Some(value) = value else {
            self.error(0..0, "`specs` is missing", help);
            return Vec::new();
        };
        let mut bases = Vec::new();
        for value in self.entries("specs", value) {
            match value.get_ref() {
                DeValue::String(file) => bases.extend(self.base(value, file)),
                _ => self.error(value.span(), "a specification is named by a string", help),
            }
        }
        bases
    }

    fn base(&mut self, value: &Value<'_>, file: &str) -> Option<Base> {
        let path = self.folder.join(file);
        let read = input::read(&path, MOST_BYTES).map(input::text);
        let text = match read {
            Ok(Ok(text)) => text,
            Ok(Err(line)) => {
                let message = format!("`{file}` is not UTF-8 text: line {line} has a byte that is none");
                self.error(value.span(), message, "name a specification");
                return None;
            }
            Err(error) => {
                let help = "name a specification; paths start from the sweep's folder";
                self.error(value.span(), format!("cannot read `{file}`: {error}"), help);
                return None;
            }
        };
        let Ok(table) = text.parse::<toml::Table>() else {
            // the specification's own reader says it with the line
            match Spec::parse(&path.display().to_string(), &text) {
                Err(error) => self.errors.extend(error.diagnostics()),
                Ok(_) => self.error(value.span(), format!("`{file}` is no TOML"), "name a specification"),
            }
            return None;
        };
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = match std::path::absolute(folder) {
            Ok(folder) => folder,
            Err(error) => {
                self.error(value.span(), format!("the folder of `{file}` is not there: {error}"), "name a file");
                return None;
            }
        };
        let name = path.file_stem().map_or_else(|| "spec".into(), |name| name.to_string_lossy().into_owned());
        Some(Base { name, folder, table })
    }

    fn boards(&mut self, value: Option<&Value<'_>>, action: Option<Action>) -> Vec<String> {
        let is_synth = action.is_none_or(|action| action == Action::Synth);
        let Some(value) = value else {
            if action == Some(Action::Synth) {
                let help = "write `boards = [\"ulx3s\"]`; `metronoc boards` lists them";
                self.error(0..0, "`boards` is missing, for `command = \"synth\"`", help);
            }
            return Vec::new();
        };
        if !is_synth {
            self.error(value.span(), "`boards` are for syntheses", "leave it out, or write `command = \"synth\"`");
        }
        let mut boards = Vec::new();
        for value in self.entries("boards", value) {
            let DeValue::String(name) = value.get_ref() else {
                self.error(value.span(), "a board is named by a string", "`metronoc boards` lists them");
                continue;
            };
            let folder = self.folder.join(name.as_ref());
            let name = match folder.join(crate::board::BOARD_FILE).is_file() {
                true => std::path::absolute(&folder).unwrap_or(folder).display().to_string(),
                false => name.to_string(),
            };
            match Board::find(&name) {
                Ok(_) => boards.push(name),
                Err(error) => self.error(value.span(), error.to_string(), error.help()),
            }
        }
        boards
    }

    fn place_seeds(&mut self, value: Option<&Value<'_>>, action: Option<Action>) -> Vec<u32> {
        let Some(value) = value else { return Vec::new() };
        if action.is_some_and(|action| action != Action::Synth) {
            let help =
                "leave it out, or write `command = \"synth\"`; the schedule's seed is the parameter `schedule.seed`";
            self.error(value.span(), "`place_seeds` are for place and route", help);
        }
        let mut seeds = Vec::new();
        for value in self.entries("place_seeds", value) {
            match plain(value.get_ref()).as_integer().and_then(|seed| u32::try_from(seed).ok()) {
                Some(seed) => seeds.push(seed),
                None => self.error(value.span(), "a seed is a whole number of 32 bits", "write `place_seeds = [1, 2]`"),
            }
        }
        seeds
    }

    fn blocks(&mut self, value: Option<&Value<'_>>) -> Vec<Block> {
        let Some(value) = value else { return vec![Vec::new()] };
        let tables: Vec<&Value<'_>> = match value.get_ref() {
            DeValue::Table(_) => vec![value],
            DeValue::Array(tables) if !tables.is_empty() => tables.iter().collect(),
            _ => Vec::new(),
        };
        let mut blocks = Vec::new();
        for table in &tables {
            if let DeValue::Table(table) = table.get_ref() {
                blocks.push(self.block(table));
            }
        }
        if blocks.len() != tables.len() || blocks.is_empty() {
            let help = "write `[parameters]`, or `[[parameters]]` several times, and keys such as `network.k = [2, 3]` below it";
            self.error(value.span(), "`parameters` must be a table", help);
        }
        blocks
    }

    fn block(&mut self, table: &DeTable<'_>) -> Block {
        let mut found = Vec::new();
        arrays("", table, &mut found);
        found.sort_by_key(|(_, place, _)| place.start);
        let mut block: Block = Vec::new();
        for (key, place, value) in found {
            let values = self.entries(&key, value).into_iter().map(|value| plain(value.get_ref())).collect();
            if block.iter().any(|other| other.key == key) {
                self.error(place.clone(), format!("`{key}` is given twice"), "write all its values in one array");
            }
            block.push(Parameter { key, values, place });
        }
        block
    }
}
