//! Permutations and pairs from files: .npy, .csv (numbers with any separators) or .json.

use super::demand::MAX_PACKETS;
use super::{DataError, npy};
use crate::input::{self, excerpt};
use crate::topology::MAX_ROUTERS;
use std::path::Path;

/// Errors of a list that is no permutation of 0 to n-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAPermutation {
    /// Wrong length of a list.
    #[error("it has {found} entries, and there are {n} endpoints")]
    Length {
        /// Entries that it has.
        found: usize,
        /// Number of endpoints.
        n: u32,
    },
    /// An entry is no endpoint.
    #[error("entry {index} is {value}, and the last endpoint is {}", n - 1)]
    TooLarge {
        /// The first such entry, from 0.
        index: usize,
        /// Value of the entry.
        value: u64,
        /// Number of endpoints.
        n: u32,
    },
    /// An endpoint is named twice.
    #[error("entry {index} is {value}, as entry {first} is")]
    Twice {
        /// The first entry that repeats another.
        index: usize,
        /// The entry that it repeats.
        first: usize,
        /// Value of both entries.
        value: u64,
    },
}

/// Takes a list as a permutation of 0 to n-1.
///
/// # Errors
/// [`NotAPermutation`] with the first entry at fault.
pub fn permutation(list: &[u64], n: u32) -> Result<Vec<u32>, NotAPermutation> {
    let mut first = vec![usize::MAX; n as usize];
    for (index, &value) in list.iter().enumerate() {
        match first.get_mut(usize::try_from(value).unwrap_or(usize::MAX)) {
            None => return Err(NotAPermutation::TooLarge { index, value, n }),
            Some(first) if *first != usize::MAX => return Err(NotAPermutation::Twice { index, first: *first, value }),
            Some(first) => *first = index,
        }
    }
    match list.len() == n as usize {
        true => Ok(list.iter().map(|&value| value as u32).collect()),
        false => Err(NotAPermutation::Length { found: list.len(), n }),
    }
}

/// Errors of a file of numbers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NumbersError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: String,
        /// Error of the system.
        source: std::io::Error,
    },
    /// The ending of its name is unknown.
    #[error("`{path}` is neither .npy nor .csv nor .json")]
    Kind {
        /// The file.
        path: String,
    },
    /// Element that is no whole number.
    #[error("`{path}` has {what}, which is no whole number from 0 on{place}")]
    NoNumber {
        /// The file.
        path: String,
        /// Text at fault.
        what: String,
        /// Place of the text, with its punctuation, or nothing.
        place: String,
    },
    /// Numbers do not come in pairs.
    #[error("`{path}` has {found} where pairs of numbers should be")]
    NoPairs {
        /// The file.
        path: String,
        /// Contents that are no pairs.
        found: String,
    },
    /// An .npy file that does not fit.
    #[error(transparent)]
    Npy(#[from] DataError),
}

/// Most bytes of a text: lists that are longer have their place in .npy files.
const MAX_TEXT: u64 = 32 << 20;

/// A file by its ending.
enum Numbers {
    Npy(Vec<usize>, Vec<u64>),
    Csv(String),
    Json(String),
}

impl Numbers {
    /// Reads a file, of an array at most `most` numbers.
    fn read(path: &Path, most: u64) -> Result<Self, NumbersError> {
        let name = || path.display().to_string();
        let text = || {
            let text = input::read(path, MAX_TEXT).map(input::text);
            match text.map_err(|source| NumbersError::Read { path: name(), source })? {
                Ok(text) => Ok(text),
                Err(line) => Err(no_number(path, "a byte that is not UTF-8".into(), format!(", in line {line}"))),
            }
        };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("npy") => npy::read_list(path, most).map(|(shape, list)| Self::Npy(shape, list)).map_err(Into::into),
            Some("csv" | "txt") => text().map(Self::Csv),
            Some("json") => text().map(Self::Json),
            _ => Err(NumbersError::Kind { path: name() }),
        }
    }
}

/// All numbers of a file, in their order.
///
/// # Errors
/// [`NumbersError`].
pub fn read(path: &Path) -> Result<Vec<u64>, NumbersError> {
    match Numbers::read(path, MAX_ROUTERS.into())? {
        Numbers::Npy(_, list) => Ok(list),
        Numbers::Csv(text) => csv(path, &text, |_, _| Ok(())),
        Numbers::Json(text) => json(path, &text),
    }
}

/// All pairs of numbers of a file: two a line, or lists of two, or an array of two columns.
///
/// # Errors
/// [`NumbersError`].
pub fn read_pairs(path: &Path) -> Result<Vec<(u64, u64)>, NumbersError> {
    let no_pairs = |found: String| NumbersError::NoPairs { path: path.display().to_string(), found };
    let numbers = match Numbers::read(path, 2 * MAX_PACKETS)? {
        Numbers::Npy(shape, list) => match shape.as_slice() {
            [_, 2] => list,
            _ => return Err(no_pairs(format!("an array of {} axes, or of other than 2 columns,", shape.len()))),
        },
        Numbers::Csv(text) => csv(path, &text, |line, count| match count {
            0 | 2 => Ok(()),
            count => Err(no_pairs(format!("{count} numbers in line {line}"))),
        })?,
        Numbers::Json(text) => return serde_json::from_str(&text).map_err(|error| no_pairs(error.to_string())),
    };
    Ok(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

fn no_number(path: &Path, what: String, place: String) -> NumbersError {
    NumbersError::NoNumber { path: path.display().to_string(), what, place }
}

/// Numbers separated by commas, semicolons or blanks; a comment begins with #. A line may end in a comma; other empty
/// fields are errors. `row` is called with the count of numbers of each line, from line 1.
fn csv(
    path: &Path,
    text: &str,
    mut row: impl FnMut(usize, usize) -> Result<(), NumbersError>,
) -> Result<Vec<u64>, NumbersError> {
    let mut numbers = Vec::new();
    for (line, fields) in (1..).zip(text.lines()) {
        let before = numbers.len();
        let fields = fields.split('#').next().unwrap_or_default().trim();
        for (at, field) in (1..).zip(fields.split_terminator([',', ';'])) {
            let bad = |what: String| no_number(path, what, format!(", in field {at} of line {line}"));
            if field.trim().is_empty() {
                return Err(bad("an empty field".into()));
            }
            for word in field.split_whitespace() {
                numbers.push(word.parse().map_err(|_| bad(format!("`{}`", excerpt(word))))?);
            }
        }
        row(line, numbers.len() - before)?;
    }
    Ok(numbers)
}

/// Numbers of a list, or of a list of lists.
fn json(path: &Path, text: &str) -> Result<Vec<u64>, NumbersError> {
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| no_number(path, error.to_string(), String::new()))?;
    let mut numbers = Vec::new();
    let mut open = vec![&value];
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::Array(list) => open.extend(list.iter().rev()),
            other => {
                let number = other.as_u64();
                let what = || format!("`{}`", excerpt(&other.to_string()));
                numbers.push(number.ok_or_else(|| no_number(path, what(), String::new()))?);
            }
        }
    }
    Ok(numbers)
}
