//! Hardware that is emitted as Verilog.

use super::{EmitError, Origin};

/// Files of hardware besides the modules of the library.
pub trait Verilog {
    /// Network and collective, in words.
    fn title(&self) -> String;

    /// True if words have a parity bit.
    fn parity(&self) -> bool;

    /// Files: relative path and text.
    ///
    /// # Errors
    /// [`EmitError::Data`] if the collective moves too much data for a test bench, else only by a defect of metronoc.
    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError>;
}
