//! Errors at places of a text.

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
