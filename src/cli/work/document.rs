//! Schedules in full in place of a specification: files of the exchange format, metronoc's own or others'.

use super::judged::JudgedDocument;
use super::listed::ListedWork;
use crate::cli::{CliError, Exit};
use crate::input;
use crate::program::{Document, Imported, PacketArrays, import};
use crate::spec::Spec;
use sha2::{Digest, Sha256};
use std::io;
use std::path::Path;

/// Most bytes of a file; in memory it takes a few times as much.
const MOST_BYTES: u64 = 1 << 30;

/// True if a file is a schedule in full and no specification: its name ends in `.json`.
pub fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Reads a schedule in full, and the specification that stands for it.
///
/// # Errors
/// [`CliError`] with [`Exit::Io`] if the file cannot be read, with [`Exit::BadSpec`] if it is no such schedule.
pub(super) fn read(path: &Path) -> Result<(Spec, Document), CliError> {
    let name = path.display();
    let bytes = input::read(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let message = format!("`{name}` is longer than {} GiB", MOST_BYTES >> 30);
            CliError::failed(Exit::BadSpec, message, "take a smaller network")
        }
        _ => {
            let help = "check the file's name and that it may be read";
            CliError::failed(Exit::Io, format!("cannot read `{name}`: {error}"), help)
        }
    })?;
    let document = Document::read(&bytes).map_err(|error| {
        let help = "`metronoc schedule SPEC --format json` writes such a file; a specification is a .toml file";
        CliError::failed(Exit::BadSpec, format!("`{name}`: {error}"), help)
    })?;
    let hash: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok((Spec::listed(&name.to_string(), &format!("# schedule in full, SHA-256 {hash}\n")), document))
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

/// Judges a schedule in full, as its program on the network that it lists.
///
/// # Errors
/// As [`judged`], and [`CliError`] with [`Exit::Infeasible`] for a schedule that has no form as a program of hops.
pub(super) fn work(spec: Spec, document: Document) -> Result<ListedWork<PacketArrays>, CliError> {
    let judged = judged(&spec, document)?;
    let Imported { network, program, arrays } = import(&judged.document).map_err(|error| {
        let help = "`check` judges such a schedule; the other commands take schedules of hops, with sums in full";
        CliError::failed(Exit::Infeasible, format!("`{}` is no program: {error}", spec.name()), help)
    })?;
    Ok(ListedWork { spec, algorithm: None, network, program, collective: arrays, judged })
}
