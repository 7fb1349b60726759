//! Environment variables by which more or less is asked of a test.

use std::str::FromStr;

/// The number that a variable asks for, if it is set.
pub fn number<T: FromStr>(variable: &str) -> Option<T> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is a number, not `{text}`")))
}

/// True for the names, with commas between them, that a variable asks for; for all if it is not set.
pub fn names(variable: &str, name: &str) -> bool {
    std::env::var(variable).map_or(true, |names| names.split(',').any(|one| one == name))
}
