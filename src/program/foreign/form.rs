//! The trait of a form.

use super::flow::Flow;
use super::place::FormError;
use super::refusal::Refusal;
use crate::program::Document;
use serde_json::Value;

/// Facts beside the file, from the specification of a network.
#[derive(Debug, Clone, Copy, Default)]
pub struct Hint<'a> {
    /// Table of the network.
    pub network: Option<&'a Value>,
    /// Table of the collective, if the specification has one.
    pub collective: Option<&'a Value>,
}

/// A form of schedules.
pub trait Form: Sync {
    /// Name on the command line.
    fn name(&self) -> &'static str;

    /// The form in a sentence.
    fn about(&self) -> &'static str;

    /// True of a text that is of this form and no other, correct or not.
    fn recognises(&self, text: &str) -> bool;

    /// Name of the scheduler whose nodes have the form's rule of ports, if the form has a rule of its own.
    fn same_ports(&self) -> Option<&'static str> {
        None
    }

    /// Reads a text.
    ///
    /// # Errors
    /// [`FormError`] at the first place that is wrong: malformed, in conflict, or of a wrong result.
    fn read(&self, text: &str, hint: Hint<'_>) -> Result<Flow, FormError>;

    /// Writes a schedule that holds. The text is read back before it is given.
    ///
    /// # Errors
    /// [`Refusal`] if the form cannot say the schedule.
    fn write(&self, document: &Document) -> Result<String, Refusal>;
}
