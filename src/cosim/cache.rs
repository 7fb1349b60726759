//! Cache folder of simulators: an entry for each build, used by one process at a time. The least recently used entries
//! are removed first.

use super::error::{CosimError, file_error};
use crate::hash::{hex, sha256};
use crate::tool::lock;
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io;
use std::time::{Duration, SystemTime};

/// Bytes up to which all entries are kept.
pub(super) const LIMIT: u64 = 1 << 30;
/// Time for which an entry is kept after its last use, for any size of the folder.
const RECENT: Duration = Duration::from_secs(3600);
/// The file of an entry that is locked by its user, and was modified when it was last used. That of the folder itself is shared by those
/// that are about to lock an entry, and whoever removes entries has it alone.
const LOCK: &str = "lock";
/// The file of an entry that is whole: a [`Done`].
const DONE: &str = "done";

/// Size and hash of an entry's product.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Done {
    bytes: u64,
    sha256: String,
}

impl Done {
    fn of(product: &Utf8Path) -> io::Result<Self> {
        let content = fs::read(product)?;
        Ok(Self { bytes: content.len() as u64, sha256: sha256(&content) })
    }
}

/// An entry of the folder, which this process has for itself until it is dropped.
#[derive(Debug)]
pub(super) struct Entry {
    folder: Utf8PathBuf,
    /// Name of the file that is kept.
    product: &'static str,
    _lock: File,
}

impl Entry {
    /// Locks an entry of the folder, waiting for others, and marks it as used.
    ///
    /// # Errors
    /// [`CosimError::File`] if the folder cannot be used.
    pub fn enter(root: &Utf8Path, name: &str, product: &'static str) -> Result<Self, CosimError> {
        let folder = root.join(name);
        fs::create_dir_all(root).map_err(file_error(root))?;
        let locked = || {
            let gate = open(root)?;
            gate.lock_shared()?;
            fs::create_dir_all(&folder)?;
            let lock = open(&folder)?;
            lock.lock()?;
            lock.set_modified(SystemTime::now())?;
            Ok(lock)
        };
        let lock = locked().map_err(file_error(&folder.join(LOCK)))?;
        Ok(Self { folder, product, _lock: lock })
    }

    /// The entry's folder.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// The file that is kept.
    pub fn product(&self) -> Utf8PathBuf {
        self.folder.join(self.product)
    }

    /// True if the product is there, as it was built.
    pub fn is_whole(&self) -> bool {
        let recorded =
            fs::read(self.folder.join(DONE)).ok().and_then(|text| serde_json::from_slice::<Done>(&text).ok());
        recorded.is_some_and(|done| Done::of(&self.product()).is_ok_and(|found| found == done))
    }

    /// Removes everything from the entry but the file `kept`, if there is one.
    ///
    /// # Errors
    /// [`CosimError::File`] if something cannot be removed.
    pub fn clear(&self, kept: Option<&str>) -> Result<(), CosimError> {
        let cleared = || -> io::Result<()> {
            // first, so that half an entry is none
            remove_if_there(&self.folder.join(DONE))?;
            for entry in self.folder.read_dir_utf8()? {
                let entry = entry?;
                match entry.file_name() {
                    LOCK => {}
                    name if Some(name) == kept => {}
                    _ if entry.file_type()?.is_dir() => fs::remove_dir_all(entry.path())?,
                    _ => fs::remove_file(entry.path())?,
                }
            }
            Ok(())
        };
        cleared().map_err(file_error(&self.folder))
    }

    /// Makes a folder of the entry, or empties it.
    ///
    /// # Errors
    /// [`CosimError::File`] if that cannot be done.
    pub fn clear_folder(&self, name: &str) -> Result<(), CosimError> {
        let folder = self.folder.join(name);
        let cleared = if folder.exists() { fs::remove_dir_all(&folder) } else { Ok(()) };
        cleared.and_then(|()| fs::create_dir(&folder)).map_err(file_error(&folder))
    }

    /// Keeps the built file as the entry's product, and removes everything else from the entry.
    ///
    /// # Errors
    /// [`CosimError::File`] if nothing was built, or it cannot be kept.
    pub fn keep(&self, built: &Utf8Path) -> Result<(), CosimError> {
        let product = self.product();
        fs::rename(built, &product).map_err(file_error(built))?;
        self.clear(Some(self.product))?;
        let done = self.folder.join(DONE);
        let record = Done::of(&product).map_err(file_error(&product))?;
        serde_json::to_vec(&record)
            .map_err(io::Error::from)
            .and_then(|text| fs::write(&done, text))
            .map_err(file_error(&done))
    }
}

/// Name of an entry of the cache, from all that it is made of.
pub(super) fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for text in parts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hex(&hash.finalize()[..12])
}

fn remove_if_there(file: &Utf8Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The lock of an entry, or of the folder itself.
fn open(folder: &Utf8Path) -> io::Result<File> {
    lock::open(&folder.join(LOCK))
}

/// Removes the least recently used entries until the folder has at most `limit` bytes. Entries in use or used recently
/// stay; so do all while another process is about to use an entry.
///
/// # Errors
/// If an entry cannot be removed.
pub(super) fn prune(root: &Utf8Path, limit: u64) -> io::Result<()> {
    let gate = open(root)?;
    if !lock::has_locked(&gate)? {
        return Ok(());
    }
    let mut entries = Vec::new();
    for entry in root.read_dir_utf8()? {
        let folder = entry?.into_path();
        // what has no lock is no entry
        let Ok(used) = folder.join(LOCK).metadata().and_then(|lock| lock.modified()) else { continue };
        entries.push((used, bytes(&folder), folder));
    }
    entries.sort();
    let mut total: u64 = entries.iter().map(|(_, bytes, _)| bytes).sum();
    for (used, bytes, folder) in entries {
        if total <= limit || !used.elapsed().is_ok_and(|age| age > RECENT) {
            break;
        }
        let file = open(&folder)?;
        if lock::has_locked(&file)? {
            // first, so that half an entry is none
            remove_if_there(&folder.join(DONE))?;
            fs::remove_dir_all(folder)?;
            total -= bytes;
        }
    }
    Ok(())
}

/// Bytes of the files in a folder; files that another process removes meanwhile count 0.
fn bytes(folder: &Utf8Path) -> u64 {
    let Ok(entries) = folder.read_dir_utf8() else { return 0 };
    let size = |entry: camino::Utf8DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes(entry.path()),
        found => found.map_or(0, |found| found.len()),
    };
    entries.flatten().map(size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const HOUR: u64 = 3600;

    /// A folder with entries of 1000 bytes: name, and seconds since the last use.
    fn cache(entries: &[(&str, u64)]) -> (TempDir, Utf8PathBuf) {
        let dir = TempDir::new().unwrap();
        let root = Utf8PathBuf::from_path_buf(dir.path().to_owned()).unwrap();
        for &(name, age) in entries {
            let entry = root.join(name);
            fs::create_dir_all(entry.join("obj")).unwrap();
            fs::write(entry.join("obj/library"), [0; 1000]).unwrap();
            fs::write(entry.join(DONE), "").unwrap();
            open(&entry).unwrap().set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        (dir, root)
    }

    fn left(root: &Utf8Path) -> Vec<String> {
        let names = root.read_dir_utf8().unwrap().map(|entry| entry.unwrap().file_name().to_owned());
        let mut names: Vec<String> = names.filter(|name| name != LOCK).collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let ages = [("d", 2 * HOUR), ("a", 5 * HOUR), ("c", 3 * HOUR), ("b", 4 * HOUR), ("lately", HOUR / 2)];
        let (_dir, root) = cache(&ages);
        fs::create_dir(root.join("other")).unwrap();
        prune(&root, 5000).unwrap();
        assert_eq!(left(&root), ["a", "b", "c", "d", "lately", "other"]);
        let used = open(&root.join("b")).unwrap();
        used.lock().unwrap();
        prune(&root, 3500).unwrap();
        assert_eq!(left(&root), ["b", "d", "lately", "other"]);
        prune(&root, 0).unwrap();
        assert_eq!(left(&root), ["b", "lately", "other"]);
        drop(used);
        prune(&root, 0).unwrap();
        assert_eq!(left(&root), ["lately", "other"]);
    }

    #[test]
    fn nothing_goes_while_another_waits_for_an_entry() {
        let (_dir, root) = cache(&[("a", 2 * HOUR), ("b", 2 * HOUR)]);
        let used = open(&root.join("a")).unwrap();
        used.lock().unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| Entry::enter(&root, "a", "library").unwrap());
            let gate = open(&root).unwrap();
            for _ in 0..1000 {
                if !lock::has_locked(&gate).unwrap() {
                    break;
                }
                gate.unlock().unwrap();
                std::thread::sleep(Duration::from_millis(5));
            }
            prune(&root, 0).unwrap();
            assert_eq!(left(&root), ["a", "b"]);
            drop(used);
            drop(waiting.join().unwrap());
        });
        // it has been used now
        prune(&root, 0).unwrap();
        assert_eq!(left(&root), ["a"]);
        assert!(root.join("a").join(DONE).exists());
    }

    #[test]
    fn an_entry_is_whole_as_long_as_its_product_is_as_it_was_built() {
        let (_dir, root) = cache(&[]);
        let entry = Entry::enter(&root, "a", "library").unwrap();
        let build = |content: &str| {
            fs::create_dir_all(entry.folder().join("obj")).unwrap();
            fs::write(entry.folder().join("obj/built"), content).unwrap();
            fs::write(entry.folder().join("verilator.log"), "").unwrap();
            entry.keep(&entry.folder().join("obj/built")).unwrap();
        };
        assert!(!entry.is_whole());
        build("content");
        assert!(entry.is_whole());
        assert_eq!(left(entry.folder()), [DONE, "library"]);
        for damage in ["conten", "contemt", ""] {
            fs::write(entry.product(), damage).unwrap();
            assert!(!entry.is_whole(), "`{damage}`");
        }
        build("content");
        fs::write(entry.folder().join(DONE), "").unwrap();
        assert!(!entry.is_whole(), "an empty record");
        entry.clear(None).unwrap();
        assert!(left(entry.folder()).is_empty());
        // a build that makes nothing, as under `make -n`
        assert!(matches!(entry.keep(&entry.folder().join("obj/built")), Err(CosimError::File { .. })));
        assert!(!entry.is_whole());
    }
}
