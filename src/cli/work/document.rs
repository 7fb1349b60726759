//! Schedules in full in place of a specification: files of the exchange format, metronoc's own or others'.

use super::judged::JudgedDocument;
use super::listed::ListedWork;
use crate::cli::{CliError, Exit};
use crate::hash::sha256;
use crate::input;
use crate::program::{Document, Imported, PacketArrays, import};
use crate::spec::Spec;
use std::io;
use std::path::Path;

/// Most bytes of a file; in memory it takes a few times as much.
const MOST_BYTES: u64 = 1 << 30;

/// True if a file is a schedule in full and no specification: its name ends in `.json`.
pub fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Bytes of a file with a schedule.
///
/// # Errors
/// [`CliError`] with [`Exit::Io`] if the file cannot be read.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    let name = path.display();
    input::read(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let message = format!("`{name}` is longer than {} GiB", MOST_BYTES >> 30);
            CliError::failed(Exit::BadSpec, message, "take a smaller network")
        }
        _ => {
            let help = "check the file's name and that it may be read";
            CliError::failed(Exit::Io, format!("cannot read `{name}`: {error}"), help)
        }
    })
}

/// Reads a schedule in full from the bytes of a file, and the specification that stands for it.
///
/// # Errors
/// [`CliError`] with [`Exit::BadSpec`] if it is no such schedule.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<(Spec, Document), CliError> {
    let name = path.display();
    let document = Document::read(bytes).map_err(|error| {
        let help = "`metronoc schedule SPEC --format json` writes such a file; a specification is a .toml file";
        CliError::failed(Exit::BadSpec, format!("`{name}`: {error}"), help)
    })?;
    Ok((Spec::listed(&name.to_string(), &format!("# schedule in full, SHA-256 {}\n", sha256(bytes))), document))
}

/// Judges a schedule in full.
///
/// # Errors
/// [`CliError`] with [`Exit::Infeasible`] for a schedule that does not hold.
pub(super) fn judged(spec: &Spec, document: Document) -> Result<JudgedDocument, CliError> {
    JudgedDocument::new(document).map_err(|fault| {
        let help =
            "the file's transfers, packets and tables have to agree; the manual's page of the exchange format says how";
        CliError::failed(Exit::Infeasible, format!("`{}` does not hold: {fault}", spec.name()), help)
    })
}

/// The program of a schedule in full that holds, on the network that it lists.
///
/// # Errors
/// [`CliError`] with [`Exit::Infeasible`] for a schedule that has no form as a program of hops.
pub(super) fn work(spec: Spec, judged: JudgedDocument) -> Result<ListedWork<PacketArrays>, CliError> {
    let Imported { network, program, arrays } = import(&judged.document).map_err(|error| {
        let help = "`check` judges such a schedule; the other commands take schedules of hops, with sums in full";
        CliError::failed(Exit::Infeasible, format!("`{}` is no program: {error}", spec.name()), help)
    })?;
    Ok(ListedWork { spec, algorithm: None, network, program, collective: arrays, judged, parts: Vec::new() })
}
