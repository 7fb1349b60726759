//! Points of a sweep: one specification each, with all that its result depends on.

use super::file::{Action, Base, Block, Sweep};
use super::value::{set, shown};
use crate::hash::hex;
use crate::spec::{Spec, SpecError};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Hexadecimal digits of a point's hash.
const DIGITS: usize = 20;

/// One run of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Hash of everything that the result depends on.
    pub hash: String,
    /// Version of metronoc that runs it.
    pub metronoc: String,
    /// Name of the base specification.
    pub spec: String,
    /// Dotted key and value of every parameter, in the order of the sweep.
    pub parameters: Vec<(String, toml::Value)>,
    /// Command.
    pub action: Action,
    /// Board of a synthesis.
    pub board: Option<String>,
    /// Seed of place and route.
    pub place_seed: Option<u32>,
    /// Text of the specification, parameters set.
    pub text: String,
    /// Folder from which files that it names are looked up.
    pub folder: PathBuf,
}

/// Points of a sweep in their order, each once.
///
/// # Errors
/// [`SpecError`] if a parameter cannot be set in a specification, or no point of a specification can be read.
pub fn points(sweep: &Sweep) -> Result<Vec<Point>, SpecError> {
    let (mut points, mut known) = (Vec::new(), BTreeSet::new());
    for base in &sweep.bases {
        let (mut first, mut readable) = (None, false);
        for values in sweep.blocks.iter().flat_map(combinations) {
            let mut table = base.table.clone();
            for (parameter, value) in &values {
                set(&mut table, &parameter.key, (*value).clone()).map_err(|in_the_way| {
                    let (key, name) = (&parameter.key, &base.name);
                    let message = format!("`{key}` cannot be set: `{in_the_way}` is no table in `{name}`");
                    sweep.error(parameter, message, "name a key of a table of the specification")
                })?;
            }
            let text = toml::to_string(&table).unwrap_or_default();
            match Spec::parse(&format!("{} with parameters", base.name), &text) {
                Ok(_) => readable = true,
                Err(error) => first = first.or(Some(error)),
            }
            let parameters =
                values.iter().map(|(parameter, value)| (parameter.key.clone(), (*value).clone())).collect();
            let point = Point {
                hash: String::new(),
                metronoc: env!("CARGO_PKG_VERSION").into(),
                spec: base.name.clone(),
                parameters,
                action: sweep.action,
                board: None,
                place_seed: None,
                text,
                folder: base.folder.clone(),
            };
            let new = on_boards(sweep, &point)
                .map(|point| hashed(point, base))
                .filter(|point| known.insert(point.hash.clone()));
            points.extend(new);
        }
        // of a regression, a specification that cannot be read is a result
        if let (false, Some(error), true) = (readable, first, sweep.action != Action::Regress) {
            return Err(error);
        }
    }
    Ok(points)
}

/// Combinations of the values of a block; the last parameter changes fastest.
fn combinations(block: &Block) -> Vec<Vec<(&super::Parameter, &toml::Value)>> {
    let mut all = vec![Vec::new()];
    for parameter in block {
        let with = |head: &Vec<_>| -> Vec<Vec<_>> {
            let one = |value| head.iter().copied().chain([(parameter, value)]).collect();
            parameter.values.iter().map(one).collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

/// A point on every board, with every seed.
fn on_boards<'a>(sweep: &'a Sweep, point: &'a Point) -> impl Iterator<Item = Point> + 'a {
    let or_none = |count: usize| (0..count.max(1)).map(move |i| (i < count).then_some(i));
    or_none(sweep.boards.len()).flat_map(move |board| {
        or_none(sweep.place_seeds.len()).map(move |seed| Point {
            board: board.map(|i| sweep.boards[i].clone()),
            place_seed: seed.map(|i| sweep.place_seeds[i]),
            ..point.clone()
        })
    })
}

/// The point with its hash.
fn hashed(mut point: Point, base: &Base) -> Point {
    let mut hasher = Sha256::new();
    let mut add = |part: &[u8]| {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    };
    add(point.metronoc.as_bytes());
    add(Into::<&str>::into(point.action).as_bytes());
    add(point.spec.as_bytes());
    add(format!("{:?} {:?}", point.board, point.place_seed).as_bytes());
    // the parameters are columns of the result, also where they leave the text as it was
    point.parameters.iter().for_each(|(key, value)| add(format!("{key} = {value}").as_bytes()));
    add(point.text.as_bytes());
    let table = point.text.parse::<toml::Table>().unwrap_or_default();
    for file in
        files(&toml::Value::Table(table), &base.folder).into_iter().chain(board_files(&point)).chain(point.data())
    {
        add(&std::fs::read(&file).unwrap_or_default());
    }
    point.hash = hex(&hasher.finalize());
    point.hash.truncate(DIGITS);
    point
}

/// Files that a specification names: every string that is the path of one.
fn files(value: &toml::Value, folder: &Path) -> BTreeSet<PathBuf> {
    match value {
        toml::Value::String(name) => Some(folder.join(name)).filter(|path| path.is_file()).into_iter().collect(),
        toml::Value::Array(values) => values.iter().flat_map(|value| files(value, folder)).collect(),
        toml::Value::Table(table) => table.values().flat_map(|value| files(value, folder)).collect(),
        _ => BTreeSet::new(),
    }
}

/// Files of a board of the user's own.
fn board_files(point: &Point) -> BTreeSet<PathBuf> {
    let folder = point.board.as_ref().map(Path::new).filter(|folder| folder.is_absolute());
    let entries = folder.and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect()
}

impl Point {
    /// File with the words of a regression, if there is one.
    pub fn data(&self) -> Option<PathBuf> {
        let file = self.folder.join(format!("{}.npy", self.spec));
        Some(file).filter(|file| self.action == Action::Regress && file.is_file())
    }

    /// Specification, parameters, board and seed, on a line.
    pub fn title(&self) -> String {
        let parameters = self.parameters.iter().map(|(key, value)| format!("{key}={}", shown(value)));
        let board = self.board_name().map(|board| format!("board={board}"));
        let seed = self.place_seed.map(|seed| format!("place_seed={seed}"));
        let parts: Vec<String> =
            std::iter::once(self.spec.clone()).chain(parameters).chain(board).chain(seed).collect();
        parts.join(" ")
    }

    /// Name of the board, without its folder.
    pub fn board_name(&self) -> Option<String> {
        let board = Path::new(self.board.as_ref()?);
        board.file_name().map(|name| name.to_string_lossy().into_owned())
    }
}
