//! Output files and folders: written completely or not at all, and never over anything but metronoc's own unchanged
//! files.
//!
//! A command names its outputs before it does any work, as [`OutputFile`] or [`OutputFolder`], and writes them at the end; both
//! refuse a place that may not be written to. Everything is written to a temporary folder first and renamed into place, so neither a
//! failure nor an interrupt leaves anything half-written.
//!
//! A file that metronoc made, and nobody changed since, is known by its SHA-256. The sums of a folder are in its manifest, [`MANIFEST`],
//! which goes where the folder goes; those of single files are in metronoc's cache.

mod folder;
mod record;
pub mod waveform;

pub use folder::{MANIFEST, OutputFolder};

use crate::interrupt::{Temporary, postponed};
use rustix::fs::{Access, access};
use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The most links that are followed to a file.
const MOST_LINKS: usize = 40;

/// Error of a file or folder that was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file is in the way.
    #[error("`{0}` exists, and metronoc did not write it, or it was changed since")]
    Exists(PathBuf),
    /// A folder is in the way.
    #[error("the folder `{folder}` exists and {reason}")]
    Foreign {
        /// Path of the folder.
        folder: PathBuf,
        /// Part of it that is not metronoc's.
        reason: String,
    },
    /// A folder is where a file should go, or the other way round.
    #[error("`{path}` is {found}")]
    WrongKind {
        /// The path.
        path: PathBuf,
        /// "a folder" or "not a folder".
        found: &'static str,
    },
    /// Name of standard output where a file is written.
    #[error("`-` is no file, and this is not written to standard output")]
    StandardOutput,
    /// A file or folder that may not be written to is in the way.
    #[error("`{0}` is write-protected")]
    Protected(PathBuf),
    /// The system refused.
    #[error("cannot write `{path}`: {source}")]
    Io {
        /// The path.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
}

impl OutputError {
    /// Error of the system while `path` was written.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// True for a refusal that `--force` or another place avoids.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, OutputError::Io { .. } | OutputError::Protected(_))
    }

    /// Remedy, in a sentence.
    pub fn help(&self) -> &'static str {
        match self {
            OutputError::Exists(_) => "name another file, or overwrite it with --force",
            OutputError::Foreign { .. } => "name another folder, or write into it with --force",
            OutputError::WrongKind { .. } => "name another place",
            OutputError::StandardOutput => "name a file",
            OutputError::Protected(_) => "name another place, or allow writing to it with chmod u+w",
            OutputError::Io { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => "make the folder that it should go to first",
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space; nothing was written",
                _ => "choose a place that may be written to; nothing was written",
            },
        }
    }
}

/// A file that will be written, whole or not at all. A device or pipe is written to as it is.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    /// The end of the links that `path` stands for.
    target: PathBuf,
    force: bool,
}

impl OutputFile {
    /// A file that will be written to `path`; with `force`, over any other.
    ///
    /// # Errors
    /// As [`Self::write`], as far as it can be told beforehand.
    pub fn new(path: &Path, force: bool) -> Result<Self, OutputError> {
        if path == Path::new("-") {
            return Err(OutputError::StandardOutput);
        }
        let target = followed(path).map_err(|source| OutputError::io(path, source))?;
        let file = Self { path: path.to_owned(), target, force };
        file.checked()?;
        Ok(file)
    }

    /// The file as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If there is a file that metronoc did not make or that was changed since, unless forced; if there is a folder; or if the system
    /// refuses. The place is then as it was.
    pub fn write(&self, contents: &[u8]) -> Result<(), OutputError> {
        self.write_with(|writer| writer.write_all(contents).map_err(|source| OutputError::io(&self.path, source)))
    }

    /// Writes the data that `fill` gives, piece by piece, so that they need not be in memory at once.
    ///
    /// # Errors
    /// Errors of [`Self::write`], and of `fill`.
    pub fn write_with<E: From<OutputError>>(
        &self,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
    ) -> Result<(), E> {
        let failed = |source| OutputError::io(&self.path, source);
        let replaced = self.checked()?;
        if replaced.as_ref().is_some_and(|found| !found.is_file()) {
            return fill(&mut File::options().write(true).open(&self.target).map_err(failed)?);
        }
        let temporary = Temporary::new(parent(&self.target), &prefix(&self.target)).map_err(failed)?;
        let path = temporary.path().join("new");
        let mut file = File::create_new(&path).map_err(failed)?;
        fill(&mut file)?;
        // What is renamed into place must not turn out empty after a power failure.
        file.sync_all().map_err(failed)?;
        if let Some(replaced) = replaced {
            inherit(&replaced, &path).map_err(failed)?;
        }
        {
            let _whole = postponed();
            fs::rename(&path, &self.target).map_err(failed)?;
        }
        record::add(&self.target);
        Ok(())
    }

    /// Metadata of a file that is there and may be replaced.
    fn checked(&self) -> Result<Option<Metadata>, OutputError> {
        let Some(found) = found(&self.path, &self.target)? else { return Ok(None) };
        if found.is_dir() {
            return Err(OutputError::WrongKind { path: self.path.clone(), found: "a folder" });
        }
        if !found.is_file() {
            return Ok(Some(found));
        }
        refuse_protected(&self.target, &found)?;
        if !self.force && !record::has(&self.target) {
            return Err(OutputError::Exists(self.path.clone()));
        }
        Ok(Some(found))
    }
}

/// The place that a path stands for: the end of its links, which need not exist.
fn followed(path: &Path) -> io::Result<PathBuf> {
    if path.exists() {
        // A pipe, as `/dev/stdout` may stand for, has no path of its own.
        return Ok(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()));
    }
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&target) {
            Ok(link) => target = parent(&target).join(link),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

fn parent(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Beginning of the names of temporary folders beside a target.
fn prefix(target: &Path) -> String {
    format!(".{}.tmp-", target.file_name().unwrap_or_default().to_string_lossy())
}

/// The file or folder at the target of a path; None if there is none and it can be made.
fn found(path: &Path, target: &Path) -> Result<Option<Metadata>, OutputError> {
    let failed = |source| OutputError::io(path, source);
    match fs::metadata(target) {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            access(parent(target), Access::WRITE_OK | Access::EXEC_OK).map_err(|errno| failed(errno.into()))?;
            Ok(None)
        }
        Err(error) => Err(failed(error)),
    }
}

/// Error for a file that this user, or any user, may not write to: the system lets root write to everything, and
/// renames over anything.
fn refuse_protected(path: &Path, found: &Metadata) -> Result<(), OutputError> {
    let writable = !found.permissions().readonly() && access(path, Access::WRITE_OK).is_ok();
    if writable { Ok(()) } else { Err(OutputError::Protected(path.to_owned())) }
}

/// Gives a new file the permissions of the one that it replaces and, where the system lets it, the owner.
fn inherit(replaced: &Metadata, new: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, chown};
    let _ = chown(new, Some(replaced.uid()), Some(replaced.gid()));
    fs::set_permissions(new, replaced.permissions())
}
