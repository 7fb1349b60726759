//! Permutations and pairs from files: .npy, .csv (numbers, whatever is between them) or .json.

use super::{DataError, npy};
use std::fmt;
use std::path::Path;

/// Why a list is no permutation of 0 to n-1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotAPermutation {
    /// It has another length.
    #[error("it has {found} entries, and there are {n} processors")]
    Length {
        /// Entries that it has.
        found: usize,
        /// Processors.
        n: u32,
    },
    /// An entry is no processor.
    #[error("entry {index} is {value}, and the last processor is {}", n - 1)]
    TooLarge {
        /// The first such entry, from 0.
        index: usize,
        /// What it is.
        value: u64,
        /// Processors.
        n: u32,
    },
    /// A processor is named twice.
    #[error("entry {index} is {value}, as entry {first} is already")]
    Twice {
        /// The first entry that repeats another.
        index: usize,
        /// The entry that it repeats.
        first: usize,
        /// What both are.
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

/// Why a file holds no numbers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NumbersError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// Its ending is none of those that are known.
    #[error("`{path}` is neither .npy nor .csv nor .json")]
    Kind {
        /// The file.
        path: String,
    },
    /// Something in it is no whole number.
    #[error("`{path}` has {what}, which is no whole number from 0 on{}", Line(*line))]
    NoNumber {
        /// The file.
        path: String,
        /// What it has.
        what: String,
        /// The line from 1; 0 where there is none to name.
        line: usize,
    },
    /// Numbers do not come in pairs.
    #[error("`{path}` has {found} where pairs of numbers should be")]
    NoPairs {
        /// The file.
        path: String,
        /// What there is instead.
        found: String,
    },
    /// An .npy file that does not fit.
    #[error(transparent)]
    Npy(#[from] DataError),
}

struct Line(usize);

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 > 0 { write!(f, ", in line {}", self.0) } else { Ok(()) }
    }
}

/// All numbers of a file, in their order.
///
/// # Errors
/// [`NumbersError`].
pub fn read(path: &Path) -> Result<Vec<u64>, NumbersError> {
    let name = path.display().to_string();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("npy") => Ok(npy::read_list(path)?.1),
        Some("csv" | "txt") => csv(&name, &text(path)?),
        Some("json") => json(&name, &text(path)?),
        _ => Err(NumbersError::Kind { path: name }),
    }
}

/// All pairs of numbers of a file: two a line, or lists of two, or an array of two columns.
///
/// # Errors
/// [`NumbersError`].
pub fn read_pairs(path: &Path) -> Result<Vec<(u64, u64)>, NumbersError> {
    let name = path.display().to_string();
    let found = |found: String| NumbersError::NoPairs { path: name.clone(), found };
    let numbers = match path.extension().and_then(|ending| ending.to_str()) {
        Some("npy") => {
            let (shape, numbers) = npy::read_list(path)?;
            match shape.as_slice() {
                [_, 2] => numbers,
                _ => return Err(found(format!("an array of {} axes, or of other than 2 columns,", shape.len()))),
            }
        }
        Some("json") => {
            let text = text(path)?;
            let value: serde_json::Value = serde_json::from_str(&text).map_err(|error| NumbersError::NoNumber {
                path: name.clone(),
                what: error.to_string(),
                line: error.line(),
            })?;
            let rows = value.as_array().ok_or_else(|| found("no list".into()))?;
            if let Some(at) = rows.iter().position(|row| row.as_array().is_none_or(|row| row.len() != 2)) {
                return Err(found(format!("at place {at} something else")));
            }
            json(&name, &text)?
        }
        _ => {
            let text = text(path)?;
            for (line, row) in (1..).zip(text.lines()) {
                let numbers = csv(&name, row)?.len();
                if numbers != 0 && numbers != 2 {
                    return Err(found(format!("{numbers} numbers in line {line}")));
                }
            }
            read(path)?
        }
    };
    Ok(numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

fn text(path: &Path) -> Result<String, NumbersError> {
    std::fs::read_to_string(path).map_err(|source| NumbersError::Read { path: path.display().to_string(), source })
}

/// Numbers with commas, semicolons or blanks between them; what follows a # is left out.
fn csv(path: &str, text: &str) -> Result<Vec<u64>, NumbersError> {
    let mut numbers = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        let row = row.split('#').next().unwrap_or_default();
        let words = row.split(|c: char| c == ',' || c == ';' || c.is_whitespace()).filter(|word| !word.is_empty());
        for word in words {
            let what = format!("`{word}`");
            numbers.push(word.parse().map_err(|_| NumbersError::NoNumber { path: path.into(), what, line })?);
        }
    }
    Ok(numbers)
}

/// Numbers of a list, or of a list of lists.
fn json(path: &str, text: &str) -> Result<Vec<u64>, NumbersError> {
    let no_number = |what: String, line: usize| NumbersError::NoNumber { path: path.into(), what, line };
    let value: serde_json::Value =
        serde_json::from_str(text).map_err(|error| no_number(error.to_string(), error.line()))?;
    let mut numbers = Vec::new();
    let mut open = vec![&value];
    while let Some(value) = open.pop() {
        match value {
            serde_json::Value::Array(list) => open.extend(list.iter().rev()),
            other => numbers.push(other.as_u64().ok_or_else(|| no_number(format!("`{other}`"), 0))?),
        }
    }
    Ok(numbers)
}
