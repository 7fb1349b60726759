//! Origin of emitted files.

/// Origin of the emitted files, for their headers.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Name of the specification, without folder and ending.
    pub name: String,
    /// The specification's text, of which the headers carry a hash.
    pub spec_text: String,
    /// The command line that makes the files again, without paths.
    pub command: String,
}
