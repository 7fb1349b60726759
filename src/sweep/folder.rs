//! Folder of a sweep: the workflow, what is to be run, and a result for each point that was.
//!
//! ```text
//! sweep.json         says that the folder is a sweep's
//! Snakefile          the workflow
//! points/HASH.json   a point: its specification and command
//! todo.txt           a job a line: hashes of the points that it is to run
//! results/HASH.json  a result; whole, since it is renamed into place
//! done/HASH          empty; tells Snakemake that the job with this first point has ended
//! ```

use super::{Outcome, Point};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The workflow.
pub const SNAKEFILE: &str = include_str!("Snakefile");

/// File that says that a folder is a sweep's, and is locked while the sweep runs.
const MARK: &str = "sweep.json";

/// Error of a sweep's folder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The folder has other things in it.
    #[error("the folder `{0}` exists and is no sweep's")]
    Foreign(PathBuf),
    /// Another process runs the sweep.
    #[error("the sweep in `{0}` is being run by another process")]
    Locked(PathBuf),
    /// The system refused.
    #[error("cannot use `{path}`: {source}")]
    Io {
        /// File or folder.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
}

impl FolderError {
    /// Remedy, in a sentence.
    pub fn help(&self) -> &'static str {
        match self {
            FolderError::Foreign(_) => "name another one with `--output`, or use it all the same with --force",
            FolderError::Locked(_) => "wait for its end, or name another folder with `--output`",
            FolderError::Io { .. } => "name another folder with `--output`, or free some space",
        }
    }

    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| FolderError::Io { path, source }
    }
}

/// Folder of a sweep that this process runs.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    /// Opens the folder of a sweep, or makes it; no other process can meanwhile.
    ///
    /// # Errors
    /// [`FolderError::Foreign`] for a folder with other things in it unless forced, [`FolderError::Locked`] if another process has it.
    pub fn open(path: &Path, force: bool) -> Result<Self, FolderError> {
        let path = std::path::absolute(path).map_err(FolderError::io(path))?;
        let mark = path.join(MARK);
        let is_empty = fs::read_dir(&path).map_or(true, |mut entries| entries.next().is_none());
        if !is_empty && !mark.is_file() && !force {
            return Err(FolderError::Foreign(path));
        }
        for folder in [path.join("points"), path.join("results")] {
            fs::create_dir_all(&folder).map_err(FolderError::io(&folder))?;
        }
        let file = File::options().create(true).append(true).open(&mark).map_err(FolderError::io(&mark))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(FolderError::Locked(path)),
            Err(TryLockError::Error(error)) => return Err(FolderError::io(&mark)(error)),
        }
        if file.metadata().map_err(FolderError::io(&mark))?.len() == 0 {
            (&file).write_all(b"{ \"format\": \"metronoc-sweep/1\" }\n").map_err(FolderError::io(&mark))?;
        }
        Ok(Self { path, _lock: file })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// File of a point in a sweep's folder.
    pub fn point(folder: &Path, hash: &str) -> PathBuf {
        folder.join("points").join(format!("{hash}.json"))
    }

    /// File of a point's result in a sweep's folder.
    pub fn result(folder: &Path, hash: &str) -> PathBuf {
        folder.join("results").join(format!("{hash}.json"))
    }

    /// The outcome of a point in a sweep's folder, if there is one.
    pub fn outcome(folder: &Path, hash: &str) -> Option<Outcome> {
        Outcome::read(&fs::read(Self::result(folder, hash)).ok()?, hash)
    }

    /// Writes the workflow for these points, `batch` to a job. What stands in the place of their results, and says that they are done, is removed.
    ///
    /// # Errors
    /// [`FolderError::Io`] if something cannot be written.
    pub fn prepare(&self, todo: &[&Point], batch: usize) -> Result<(), FolderError> {
        for point in todo {
            for stale in [Self::result(&self.path, &point.hash), self.path.join("done").join(&point.hash)] {
                if stale.exists() {
                    fs::remove_file(&stale).map_err(FolderError::io(&stale))?;
                }
            }
            let path = Self::point(&self.path, &point.hash);
            let text = serde_json::to_vec_pretty(point).map_err(|error| FolderError::io(&path)(error.into()))?;
            if fs::read(&path).ok().as_ref() != Some(&text) {
                replace(&path, &text).map_err(FolderError::io(&path))?;
            }
        }
        let job =
            |points: &[&Point]| points.iter().map(|point| point.hash.as_str()).collect::<Vec<_>>().join(" ") + "\n";
        let list: String = todo.chunks(batch.max(1)).map(job).collect();
        self.write("Snakefile", SNAKEFILE.as_bytes())?;
        self.write("todo.txt", list.as_bytes())
    }

    /// Writes a file of the folder, whole or not at all.
    ///
    /// # Errors
    /// [`FolderError::Io`] if it cannot be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), FolderError> {
        let path = self.path.join(name);
        replace(&path, contents).map_err(FolderError::io(&path))
    }
}

/// Writes a file beside its place and renames it into it.
pub(super) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(".new-").tempfile_in(folder)?;
    file.write_all(contents)?;
    file.as_file().sync_all()?;
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(fs::Permissions::from_mode(0o644))?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

impl Outcome {
    /// Writes the outcome into a file, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        replace(path, &serde_json::to_vec_pretty(self)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_for_one_sweep_and_one_process() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let folder = Folder::open(&path, false).unwrap();
        assert!(matches!(Folder::open(&path, false), Err(FolderError::Locked(_))));
        drop(folder);
        assert!(Folder::open(&path, false).is_ok(), "the lock ends with the process that has it");
        let other = dir.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(other.join("mine"), "").unwrap();
        assert!(matches!(Folder::open(&other, false), Err(FolderError::Foreign(_))));
        assert!(Folder::open(&other, true).is_ok());
    }
}
