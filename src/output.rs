//! Writing files and folders: whole or not at all, and never over what metronoc did not make.
//!
//! Everything is written to a temporary sibling first and renamed into place, so neither a failure nor an interrupt
//! leaves anything half-written. A folder gets a manifest, [`MANIFEST`], with the SHA-256 of every file: a folder whose
//! files are exactly those of its manifest is metronoc's own and may be replaced; any other is left alone unless forced.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The file that tells a folder of metronoc's from any other.
pub const MANIFEST: &str = ".metronoc-manifest.json";

/// What to do with a file that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing<'a> {
    /// Leave it alone and fail.
    Keep,
    /// Replace it if its first kilobyte has this mark, else fail.
    ReplaceMarked(&'a str),
    /// Replace it.
    Replace,
}

impl<'a> Existing<'a> {
    /// Keeps, or with `force` replaces.
    pub fn keep_unless(force: bool) -> Self {
        if force { Self::Replace } else { Self::Keep }
    }

    /// Replaces files with a mark, or with `force` any.
    pub fn marked_unless(force: bool, mark: &'a str) -> Self {
        if force { Self::Replace } else { Self::ReplaceMarked(mark) }
    }
}

/// Why something was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OutputError {
    /// A file is in the way.
    #[error("`{0}` exists and metronoc would overwrite it")]
    Exists(PathBuf),
    /// A folder is in the way.
    #[error("the folder `{folder}` exists and {reason}")]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What in it is not metronoc's.
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
    /// The system refused.
    #[error("cannot write `{path}`: {source}")]
    Io {
        /// The path.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl OutputError {
    /// What the system said while `path` was written.
    pub fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }

    /// Whether the command could be obeyed if it were forced, or named another place.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, OutputError::Io { .. })
    }

    /// What to do.
    pub fn help(&self) -> &'static str {
        match self {
            OutputError::Exists(_) => "name another file, or overwrite it with --force",
            OutputError::Foreign { .. } => "name another folder, or write into it with --force",
            OutputError::WrongKind { .. } => "name another place",
            OutputError::Io { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => "make the folder that it should go to first",
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space; nothing was written",
                _ => "choose a place that may be written to; nothing was written",
            },
        }
    }
}

/// Writes a file, whole or not at all. A device or pipe is written to as it is.
///
/// # Errors
/// If something is in the way that `existing` does not let go, or the system refuses; the place is then as it was.
pub fn write_file(path: &Path, contents: &[u8], existing: Existing<'_>) -> Result<(), OutputError> {
    write_file_with(path, existing, |writer| writer.write_all(contents).map_err(|e| OutputError::io(path, e)))
}

/// Writes a file as [`write_file`] does, from what `fill` writes, which need not be in memory at once.
///
/// # Errors
/// Those of [`write_file`], and those of `fill`.
pub fn write_file_with<E: From<OutputError>>(
    path: &Path,
    existing: Existing<'_>,
    fill: impl FnOnce(&mut dyn Write) -> Result<(), E>,
) -> Result<(), E> {
    let failed = |source| OutputError::io(path, source);
    // A link stands for what it leads to.
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    match std::fs::metadata(&target) {
        Ok(found) if found.is_dir() => {
            return Err(OutputError::WrongKind { path: path.to_owned(), found: "a folder" }.into());
        }
        Ok(found) if !found.is_file() => {
            return fill(&mut std::fs::OpenOptions::new().write(true).open(&target).map_err(failed)?);
        }
        Ok(_) => match existing {
            Existing::Replace => {}
            Existing::ReplaceMarked(mark) if has_mark(&target, mark) => {}
            _ => return Err(OutputError::Exists(path.to_owned()).into()),
        },
        Err(_) => {}
    }
    let temporary = Temporary::beside(&target).map_err(failed)?;
    let mut file = std::fs::File::create_new(&temporary.path).map_err(failed)?;
    fill(&mut file)?;
    // What is renamed into place must not turn out empty after a power failure.
    file.sync_all().map_err(failed)?;
    Ok(temporary.rename(&target).map_err(failed)?)
}

/// Writes a folder of files, whole or not at all: `files` maps relative paths with `/` between their parts to contents.
/// A folder that has only metronoc's own unchanged files is replaced; with `force`, files are replaced one by one in
/// any folder, and others in it are left alone.
///
/// # Errors
/// If something is in the way, or the system refuses; without `force` the place is then as it was.
pub fn write_folder(path: &Path, files: &BTreeMap<String, Vec<u8>>, force: bool) -> Result<(), OutputError> {
    let target = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let found = std::fs::metadata(&target).ok();
    if found.as_ref().is_some_and(|found| !found.is_dir()) {
        return Err(OutputError::WrongKind { path: path.to_owned(), found: "not a folder" });
    }
    let foreign = found.as_ref().and_then(|_| foreign_content(&target));
    if let (Some(reason), false) = (&foreign, force) {
        return Err(OutputError::Foreign { folder: path.to_owned(), reason: reason.clone() });
    }
    let failed = |source| OutputError::io(path, source);
    let temporary = Temporary::beside(&target).map_err(failed)?;
    fill(&temporary.path, files).map_err(failed)?;
    match (found, foreign) {
        (None, _) => temporary.rename(&target),
        (Some(_), None) => temporary.exchange(&target),
        (Some(_), Some(_)) => merge(&temporary.path, &target, files),
    }
    .map_err(failed)
}

/// The files of a manifest and their SHA-256.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    generator: String,
    files: BTreeMap<String, String>,
}

impl Manifest {
    fn of(files: &BTreeMap<String, Vec<u8>>) -> Self {
        let files = files.iter().map(|(name, contents)| (name.clone(), sha256(contents))).collect();
        Self { generator: concat!("metronoc ", env!("CARGO_PKG_VERSION")).into(), files }
    }
}

fn sha256(contents: &[u8]) -> String {
    Sha256::digest(contents).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

fn has_mark(path: &Path, mark: &str) -> bool {
    let mut start = Vec::new();
    let read =
        std::fs::File::open(path).and_then(|file| io::Read::read_to_end(&mut io::Read::take(file, 1024), &mut start));
    read.is_ok() && start.windows(mark.len()).any(|window| window == mark.as_bytes())
}

/// What keeps a folder from being replaced; None if it is empty or has metronoc's own unchanged files alone.
fn foreign_content(folder: &Path) -> Option<String> {
    let mut found = Vec::new();
    if let Err(error) = list(folder, "", &mut found) {
        return Some(format!("cannot be read: {error}"));
    }
    if found.is_empty() {
        return None;
    }
    let manifest = std::fs::read(folder.join(MANIFEST)).ok().and_then(|b| serde_json::from_slice::<Manifest>(&b).ok());
    let Some(manifest) = manifest else {
        return Some(format!("was not made by metronoc: it has `{}`", found[0]));
    };
    found.iter().filter(|name| *name != MANIFEST).find_map(|name| match manifest.files.get(name) {
        None => Some(format!("has a file that metronoc did not make: `{name}`")),
        Some(hash) => {
            let same = std::fs::read(folder.join(name)).is_ok_and(|contents| sha256(&contents) == *hash);
            (!same).then(|| format!("`{name}` in it was changed since metronoc made it"))
        }
    })
}

/// The files below a folder, as relative paths with `/`, in order; empty folders count as files.
fn list(folder: &Path, prefix: &str, into: &mut Vec<String>) -> io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<io::Result<_>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let before = into.len();
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), into)?;
        }
        if into.len() == before {
            into.push(name);
        }
    }
    Ok(())
}

/// Writes files and their manifest into a new folder.
fn fill(folder: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    std::fs::create_dir(folder)?;
    for (name, contents) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        write_new(&path, contents)?;
    }
    let mut manifest = serde_json::to_vec_pretty(&Manifest::of(files))?;
    manifest.push(b'\n');
    write_new(&folder.join(MANIFEST), &manifest)
}

/// Moves files from one folder into another, over what is there.
fn merge(from: &Path, to: &Path, files: &BTreeMap<String, Vec<u8>>) -> io::Result<()> {
    for name in files.keys().map(String::as_str).chain([MANIFEST]) {
        let target = to.join(name);
        if let Some(parent) = target.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::rename(from.join(name), target)?;
    }
    Ok(())
}

/// Writes a file that is not there yet, down to the disk.
fn write_new(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = std::fs::File::create_new(path)?;
    file.write_all(contents)?;
    file.sync_all()
}

/// Temporary files and folders that exist now, for the signal handler to remove.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    // A list of paths is right after any panic.
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove(path: &Path) {
    // Nothing is left to be done if it cannot be removed, and it may never have come to be.
    let _ = if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
}

/// Lets an interrupt, a hangup or a request to terminate remove what is half-written; the exit code is then 130.
///
/// A signal that the process was told to ignore (`nohup`, a script's background job) stays ignored.
pub fn clean_up_on_signals() {
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = match Signals::new(wanted) {
        Ok(signals) => signals,
        Err(error) => return tracing::debug!("an interrupt will not clean up: {error}"),
    };
    std::thread::spawn(move || {
        if signals.forever().next().is_some() {
            // Held to the end, so that nothing new comes to be after the cleaning.
            let list = temporaries();
            list.iter().for_each(|path| remove(path));
            std::process::exit(130);
        }
    });
}

/// The signals that this process was started to ignore, signal n as bit n-1; none where the system does not tell.
fn ignored_signals() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The path of a file or folder that is removed again unless it is renamed into place.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// A free name in the folder of `target`.
    fn beside(target: &Path) -> io::Result<Self> {
        let name = target.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
        let parent = target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let path = (0..).map(|i| parent.join(format!(".{name}.{}-{i}.tmp", std::process::id())));
        let mut list = temporaries();
        // Other threads of this process write beside the same target, too.
        let path = path.into_iter().find(|path| !list.contains(path) && !path.exists()).ok_or(io::ErrorKind::Other)?;
        list.push(path.clone());
        Ok(Self { path })
    }

    /// Renames to a place where there is a file, an empty folder or nothing.
    fn rename(self, target: &Path) -> io::Result<()> {
        let _no_clean_up_meanwhile = temporaries();
        std::fs::rename(&self.path, target)
    }

    /// Renames to a place where there is a folder, which goes.
    fn exchange(self, target: &Path) -> io::Result<()> {
        let old = Self::beside(target)?;
        let _no_clean_up_meanwhile = temporaries();
        std::fs::rename(target, &old.path)?;
        std::fs::rename(&self.path, target).inspect_err(|_| {
            // Put back what was there; if even that fails, the first error is the one to tell.
            let _ = std::fs::rename(&old.path, target);
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove(&self.path);
        temporaries().retain(|path| *path != self.path);
    }
}
