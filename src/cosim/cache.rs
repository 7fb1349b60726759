//! The folder of built simulators: an entry each, used by one process at a time. Those used longest ago make room for others.

use super::CosimError;
use super::build::file_error;
use crate::tool::lock;
use camino::Utf8Path;
use std::fs::{self, File};
use std::io;
use std::time::{Duration, SystemTime};

/// Bytes up to which all entries are kept.
pub(super) const LIMIT: u64 = 4 << 30;
/// How long an entry is kept after its last use, however large the folder is.
const RECENT: Duration = Duration::from_secs(3600);
/// The file of an entry that is locked by its user, and was modified when it was last used. That of the folder itself is shared by those
/// that are about to lock an entry, and whoever removes entries has it alone.
const LOCK: &str = "lock";
/// The file of an entry that is whole.
pub(super) const DONE: &str = "done";

/// Locks an entry of the folder for this process alone, waiting for others, and marks it as used.
///
/// # Errors
/// [`CosimError::File`] if the folder cannot be used.
pub(super) fn enter(root: &Utf8Path, entry: &Utf8Path) -> Result<File, CosimError> {
    fs::create_dir_all(root).map_err(file_error(root))?;
    let locked = || {
        let gate = open(root)?;
        gate.lock_shared()?;
        fs::create_dir_all(entry)?;
        let lock = open(entry)?;
        lock.lock()?;
        lock.set_modified(SystemTime::now())?;
        Ok(lock)
    };
    locked().map_err(file_error(&entry.join(LOCK)))
}

/// The lock of an entry, or of the folder itself.
fn open(folder: &Utf8Path) -> io::Result<File> {
    lock::open(&folder.join(LOCK))
}

/// Removes entries, those used longest ago first, until the folder has at most `limit` bytes. What is in use or was used lately stays, and
/// so does everything while another process is about to use an entry.
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
            let done = folder.join(DONE);
            if done.exists() {
                fs::remove_file(done)?;
            }
            fs::remove_dir_all(folder)?;
            total -= bytes;
        }
    }
    Ok(())
}

/// Bytes of the files in a folder; what its user removes meanwhile counts for nothing.
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
    use camino::Utf8PathBuf;
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
            let waiting = scope.spawn(|| enter(&root, &root.join("a")).unwrap());
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
}
