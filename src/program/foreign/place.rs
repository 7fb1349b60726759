//! Places in a text, and errors at them.

use std::ops::Range;

/// Error of a text, and the bytes at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormError {
    /// Bytes of the text.
    pub place: Range<usize>,
    /// Message.
    pub message: String,
    /// The user's next step.
    pub help: String,
    /// True of a text that is of the form, and whose schedule does not hold.
    pub is_fault: bool,
}

impl FormError {
    /// A text that is not of the form.
    pub(super) fn new(place: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { place, message: message.into(), help: help.into(), is_fault: false }
    }

    /// A schedule that does not hold.
    pub(super) fn fault(place: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { is_fault: true, ..Self::new(place, message, help) }
    }
}

/// Place of a part of a text in it.
pub(super) fn place_of(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// Place of a column, in bytes, of a line; both count from 1.
pub(super) fn line_place(text: &str, line: usize, column: usize) -> Range<usize> {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum::<usize>();
    let mut start = (before + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    start..start
}
