//! Facts and figures of all reports.

use crate::spec::Spec;
use serde::Serialize;
use std::path::Path;

/// Origin of a report, at the end of each page.
#[derive(Debug, Serialize)]
pub struct Provenance<'a> {
    /// File name of the specification.
    pub spec_name: String,
    /// SHA-256 of the specification's text; all JSON of commands has it.
    #[serde(skip)]
    pub spec_sha256: String,
    /// The specification's text.
    pub spec_text: &'a str,
    /// Name and version of the program that made the report.
    pub generator: &'static str,
}

impl<'a> Provenance<'a> {
    pub(super) fn new(spec: &'a Spec) -> Self {
        let file_name = Path::new(spec.name()).file_name().map(|name| name.to_string_lossy().into_owned());
        Self {
            spec_name: file_name.unwrap_or_else(|| spec.name().to_owned()),
            spec_sha256: spec.sha256(),
            spec_text: spec.text(),
            generator: concat!("metronoc ", env!("CARGO_PKG_VERSION")),
        }
    }
}

/// A name and a value, both for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// Name of the quantity.
    pub label: String,
    /// Value with its unit.
    pub value: String,
}

impl Fact {
    pub(super) fn new(label: impl Into<String>, value: impl Into<String>) -> Self {
        Self { label: label.into(), value: value.into() }
    }
}

/// A key figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Key of the fact in JSON.
    pub key: &'static str,
    /// Label of the fact on the page.
    pub label: &'static str,
    /// Value of the figure.
    pub value: f64,
    /// The number for people.
    pub text: String,
    /// Meaning of the figure, in words.
    pub note: String,
}

/// A whole number in groups of three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_come_in_groups_of_three() {
        let texts = [0, 999, 1000, 68_719_476_736].map(super::grouped);
        assert_eq!(texts, ["0", "999", "1\u{202f}000", "68\u{202f}719\u{202f}476\u{202f}736"]);
    }
}
