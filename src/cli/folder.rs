//! Temporary folders of commands.

use super::{CliError, Exit};
use crate::interrupt::Temporary;
use camino::Utf8PathBuf;

/// A temporary folder for the work of a command, and its path.
///
/// # Errors
/// [`CliError`] with [`Exit::Io`] if it cannot be made, or its path is no UTF-8.
pub fn temporary(command: &str) -> Result<(Temporary, Utf8PathBuf), CliError> {
    let failed = |error: std::io::Error| CliError::failed(Exit::Io, error.to_string(), "set TMPDIR to another folder");
    let folder = Temporary::for_work(command).map_err(failed)?;
    let path = Utf8PathBuf::try_from(folder.path().to_owned()).map_err(|error| failed(error.into_io_error()))?;
    Ok((folder, path))
}
