//! Version numbers as the tools print them.

use std::cmp::Ordering;
use std::fmt;

/// Query of a tool's version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VersionQuery {
    /// Arguments that make it print its version.
    pub args: &'static [&'static str],
    /// Text before the number in the tool's output.
    pub marker: &'static str,
}

/// A version number, compared component by component (missing ones count as 0) and shown as it was written.
#[derive(Debug, Clone, Eq)]
pub struct Version {
    components: Vec<u32>,
    text: String,
}

impl Version {
    /// Reads numbers with dots between them; `None` for anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let components: Option<Vec<u32>> = text.split('.').map(|part| part.parse().ok()).collect();
        components.map(|components| Self { components, text: text.to_owned() })
    }

    /// Number that follows `marker` in a tool's output.
    ///
    /// Letters between the two (`v0.36`, `nextpnr-0.11`) are skipped up to the end of the word; `None` if there is no
    /// number in that word.
    #[must_use]
    pub fn after(marker: &str, printed: &str) -> Option<Self> {
        let (_, rest) = printed.split_once(marker)?;
        let word = rest.split_whitespace().next()?;
        let number = &word[word.find(|c: char| c.is_ascii_digit())?..];
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        Self::parse(number[..end].trim_end_matches('.'))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let component = |version: &Self, index: usize| version.components.get(index).copied().unwrap_or(0);
        (0..self.components.len().max(other.components.len()))
            .map(|i| component(self, i).cmp(&component(other, i)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number_and_not_by_text() {
        let version = |text: &str| Version::after("v", text).expect("a number");
        assert!(version("v0.9") < version("v0.40"));
        assert!(version("v5.006") < version("v5.48"));
        assert_eq!(version("v5.6"), version("v5.6.0"));
        assert!(version("v1.2.3") > version("v1.2"));
        assert!(Version::after("v", "vnext").is_none() && Version::parse("1.x").is_none());
    }
}
