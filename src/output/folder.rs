//! Folders of files, with a manifest of them: a folder whose files are exactly those of its manifest is metronoc's own.
//!
//! A folder that is there keeps its place, mode and owner: its files are exchanged, under a lock of the folder, by renaming. The old
//! ones go to `old` in a temporary folder within it, the new ones come from `new`, the manifest last. A failure takes every step back,
//! and so does the next command if this one is killed.

use super::record::sha256;
use super::{OutputError, followed, found, inherit, parent, prefix, refuse_protected};
use crate::interrupt::{Temporary, postponed, remove_stale};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Name of the file that marks a folder as metronoc's.
pub const MANIFEST: &str = ".metronoc-manifest.json";
/// Beginning of the names of temporary folders within a folder.
const STAGING: &str = ".metronoc-tmp-";

/// The files of a manifest and their SHA-256.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    generator: String,
    files: BTreeMap<String, String>,
}

impl Manifest {
    /// The manifest of a folder, if it has one.
    fn read(folder: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(folder.join(MANIFEST)).ok()?).ok()
    }

    /// True if a file of the folder is as metronoc made it.
    fn has(&self, folder: &Path, name: &str) -> bool {
        self.files.get(name).is_some_and(|hash| sha256(&folder.join(name)).is_ok_and(|found| found == *hash))
    }
}

/// A folder of files that will be written, whole or not at all.
#[derive(Debug)]
pub struct OutputFolder {
    path: PathBuf,
    /// The end of the links that `path` stands for.
    target: PathBuf,
    force: bool,
}

impl OutputFolder {
    /// A folder that will be written to `path`; with `force`, into any other.
    ///
    /// # Errors
    /// As [`Self::write`], as far as it can be told beforehand.
    pub fn new(path: &Path, force: bool) -> Result<Self, OutputError> {
        let target = followed(path).map_err(|source| OutputError::io(path, source))?;
        let folder = Self { path: path.to_owned(), target, force };
        folder.locked()?;
        Ok(folder)
    }

    /// The folder as the user named it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the folder: `files` maps relative paths with `/` between their parts to contents. Files of metronoc's that are not among
    /// them go; others that are there, if forced, stay.
    ///
    /// # Errors
    /// If the folder has anything that metronoc did not make or that was changed since, unless forced; or if the system refuses. The place
    /// is then as it was.
    pub fn write(&self, files: &BTreeMap<String, Vec<u8>>) -> Result<(), OutputError> {
        let failed = |source| OutputError::io(&self.path, source);
        loop {
            let Some((_lock, own)) = self.locked()? else {
                let staging = stage(parent(&self.target), &prefix(&self.target), files).map_err(failed)?;
                let _whole = postponed();
                match fs::rename(staging.path().join("new"), &self.target) {
                    // Another command made it meanwhile.
                    Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => continue,
                    done => return done.map_err(failed),
                }
            };
            let in_the_way = |name: &&String| is_no_folder(&self.target.join(name));
            let leaving = own.into_iter().chain(files.keys().filter(in_the_way).cloned()).collect();
            self.refuse_protected(&leaving)?;
            // Of a command that was killed after it had made the folder.
            remove_stale(parent(&self.target), &prefix(&self.target));
            let staging = stage(&self.target, STAGING, files).map_err(failed)?;
            return exchange(&self.target, staging, &leaving, files).map_err(failed);
        }
    }

    /// The folder as it is: its lock, and those of its files that are metronoc's own; None if there is none.
    fn locked(&self) -> Result<Option<(File, BTreeSet<String>)>, OutputError> {
        let failed = |source| OutputError::io(&self.path, source);
        let Some(found) = found(&self.path, &self.target)? else { return Ok(None) };
        if !found.is_dir() {
            return Err(OutputError::WrongKind { path: self.path.clone(), found: "not a folder" });
        }
        refuse_protected(&self.target, &found)?;
        let lock = File::open(&self.target).map_err(failed)?;
        // Some file systems cannot lock folders; one writer at a time is then left to the user.
        let _ = lock.lock();
        take_back_killed(&self.target).map_err(failed)?;
        let manifest = Manifest::read(&self.target);
        let is_own = |name: &String| manifest.as_ref().is_some_and(|manifest| manifest.has(&self.target, name));
        let (own, others): (BTreeSet<_>, BTreeSet<_>) =
            list(&self.target).map_err(failed)?.into_iter().partition(is_own);
        if let (false, Some(other)) = (self.force, others.first()) {
            let reason = match &manifest {
                None => format!("was not made by metronoc: it has `{other}`"),
                Some(manifest) if manifest.files.contains_key(other) => {
                    format!("`{other}` in it was changed since metronoc made it")
                }
                Some(_) => format!("has a file that metronoc did not make: `{other}`"),
            };
            return Err(OutputError::Foreign { folder: self.path.clone(), reason });
        }
        self.refuse_protected(&own)?;
        Ok(Some((lock, own)))
    }

    /// Refuses files of the folder that may not be written to.
    fn refuse_protected(&self, files: &BTreeSet<String>) -> Result<(), OutputError> {
        files.iter().map(|name| self.target.join(name)).try_for_each(|path| match fs::symlink_metadata(&path) {
            Ok(found) if found.is_file() => refuse_protected(&path, &found),
            _ => Ok(()),
        })
    }
}

/// Puts the staged files into a folder, and takes out the `leaving` ones.
fn exchange(
    folder: &Path,
    staging: Temporary,
    leaving: &BTreeSet<String>,
    files: &BTreeMap<String, Vec<u8>>,
) -> io::Result<()> {
    let (new, old) = (staging.path().join("new"), staging.path().join("old"));
    let exchanged = || -> io::Result<()> {
        for name in leaving {
            let path = folder.join(name);
            if let (true, Ok(replaced)) = (files.contains_key(name), fs::metadata(&path)) {
                inherit(&replaced, &new.join(name))?;
            }
            rename(&path, &old.join(name))?;
        }
        remove_empty(folder, leaving, files.keys());
        files.keys().try_for_each(|name| rename(&new.join(name), &folder.join(name)))?;
        fs::rename(new.join(MANIFEST), folder.join(MANIFEST))
    };
    let (done, taken_back) = {
        let _whole = postponed();
        let done = exchanged();
        let taken_back = if done.is_err() { take_back(folder, staging.path()) } else { Ok(()) };
        (done, taken_back)
    };
    if taken_back.is_err() {
        // It has files of the folder; the next command tries again.
        staging.keep();
    }
    done
}

fn is_no_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| !found.is_dir())
}

/// The files below a folder, as relative paths with `/`, without its manifest; empty folders count as files.
fn list(folder: &Path) -> io::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    list_below(folder, "", &mut files)?;
    files.retain(|name| name != MANIFEST && !name.starts_with(STAGING));
    Ok(files)
}

fn list_below(folder: &Path, prefix: &str, into: &mut BTreeSet<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        let before = into.len();
        if entry.file_type()?.is_dir() {
            list_below(&entry.path(), &format!("{name}/"), into)?;
        }
        if into.len() == before {
            into.insert(name);
        }
    }
    Ok(())
}

/// Writes files, and then their manifest, to `new` in a temporary folder.
fn stage(parent: &Path, prefix: &str, files: &BTreeMap<String, Vec<u8>>) -> io::Result<Temporary> {
    let staging = Temporary::new(parent, prefix)?;
    let new = staging.path().join("new");
    let write = |name: &str, contents: &[u8]| -> io::Result<()> {
        // An interrupt removes the folder, and must not find it made again.
        let _whole = postponed();
        let path = new.join(name);
        fs::create_dir_all(super::parent(&path))?;
        let mut file = File::create_new(&path)?;
        file.write_all(contents)?;
        file.sync_all()
    };
    for (name, contents) in files {
        write(name, contents)?;
    }
    let hash = |name: &String| sha256(&new.join(name)).map(|hash| (name.clone(), hash));
    let manifest = Manifest {
        generator: concat!("metronoc ", env!("CARGO_PKG_VERSION")).into(),
        files: files.keys().map(hash).collect::<io::Result<_>>()?,
    };
    let mut text = serde_json::to_vec_pretty(&manifest)?;
    text.push(b'\n');
    write(MANIFEST, &text)?;
    Ok(staging)
}

/// Undoes the changes of killed commands to a folder. The caller has the folder's lock, so no command is at work there.
fn take_back_killed(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(STAGING.as_bytes()) && entry.file_type()?.is_dir() {
            take_back(folder, &entry.path())?;
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Undoes an exchange that did not come to its last step, the renaming of the manifest.
fn take_back(folder: &Path, staging: &Path) -> io::Result<()> {
    let (new, old) = (staging.join("new"), staging.join("old"));
    // Without a manifest, nothing was renamed yet, or everything.
    let Some(manifest) = Manifest::read(&new) else { return Ok(()) };
    let came = |name: &&String| is_no_folder(&folder.join(name)) && !is_no_folder(&new.join(name));
    for name in manifest.files.keys().filter(came) {
        rename(&folder.join(name), &new.join(name))?;
    }
    let mut back = if old.is_dir() { list(&old)? } else { BTreeSet::new() };
    // A folder made for a file whose renaming did not come about.
    back.retain(|name| is_no_folder(&old.join(name)));
    remove_empty(folder, manifest.files.keys(), &back);
    back.iter().try_for_each(|name| rename(&old.join(name), &folder.join(name)))
}

/// Renames a file to a place whose folder may not be there yet.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(parent(to))?;
    fs::rename(from, to)
}

/// Removes the folders of files that are gone, as far as they are empty, except those of `staying` files.
fn remove_empty<'a, 'b>(
    folder: &Path,
    gone: impl IntoIterator<Item = &'a String>,
    staying: impl IntoIterator<Item = &'b String>,
) {
    let folders = |name: &'_ String| -> Vec<PathBuf> {
        let above = Path::new(name).ancestors().skip(1);
        above.filter(|path| !path.as_os_str().is_empty()).map(Path::to_owned).collect()
    };
    let staying: BTreeSet<PathBuf> = staying.into_iter().flat_map(folders).collect();
    let gone: BTreeSet<PathBuf> = gone.into_iter().flat_map(folders).collect();
    // The deepest first; what is not empty stays.
    for path in gone.difference(&staying).collect::<Vec<_>>().into_iter().rev() {
        let _ = fs::remove_dir(folder.join(path));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn write(folder: &Path, files: &[&str]) {
        let files = files.iter().map(|name| ((*name).to_owned(), name.as_bytes().to_vec())).collect();
        OutputFolder::new(folder, false).unwrap().write(&files).unwrap();
    }

    /// A command may be killed between any two steps of an exchange.
    #[test]
    fn what_a_killed_command_did_is_taken_back() {
        let files = ["a", "c/d"].map(|name| (name.to_owned(), b"new".to_vec())).into();
        for steps in 0..=4 {
            let parent = TempDir::new().unwrap();
            let folder = parent.path().join("out");
            write(&folder, &["a", "b/e"]);
            let before = fs::read(folder.join(MANIFEST)).unwrap();
            let staging = stage(&folder, STAGING, &files).unwrap();
            let (old, new) = (staging.path().join("old"), staging.path().join("new"));
            let taken = [
                (folder.join("a"), old.join("a")),
                (folder.join("b/e"), old.join("b/e")),
                (new.join("a"), folder.join("a")),
                (new.join("c/d"), folder.join("c/d")),
            ];
            taken.iter().take(steps).for_each(|(from, to)| rename(from, to).unwrap());
            // the folder of the next file is there already
            if let Some((_, to)) = taken.get(steps) {
                fs::create_dir_all(to.parent().unwrap()).unwrap();
            }
            // a killed command removes nothing
            std::mem::forget(staging);
            OutputFolder::new(&folder, false).unwrap();
            assert_eq!(list(&folder).unwrap(), ["a", "b/e"].map(String::from).into(), "{steps} steps");
            assert_eq!(fs::read(folder.join("a")).unwrap(), b"a");
            assert_eq!(fs::read(folder.join(MANIFEST)).unwrap(), before);
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "the temporary folder is gone");
            write(&folder, &["c/d"]);
            assert_eq!(list(&folder).unwrap(), ["c/d".to_owned()].into());
        }
    }
}
