//! The stamp of an installed bundle: written last, so that a folder with a valid stamp is whole.

use std::collections::BTreeMap;
use std::fs;
use std::io;

use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use crate::hash::sha256;

/// Name of the stamp in a bundle's folder.
pub const STAMP_FILE: &str = "stamp.json";

/// Name of the file of a bundle with the hash of each key file, see [`Checked`].
const CHECKED_FILE: &str = "checked.json";

/// Form of the stamp file.
const FORMAT: u32 = 1;

/// Record of an installed bundle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stamp {
    /// Form of this file.
    format: u32,
    /// Fingerprint of the pins that the bundle was made from.
    fingerprint: String,
    /// Package → version.
    versions: BTreeMap<String, String>,
    /// Wheel file → its SHA-256.
    wheels: BTreeMap<String, String>,
    /// Key file, relative to the bundle's folder → size in bytes.
    files: BTreeMap<String, u64>,
}

impl Stamp {
    /// A stamp for `root`, which must contain every one of `files`.
    ///
    /// # Errors
    /// [`ToolError::Cache`] if one of the files is not there.
    pub fn take(
        root: &Utf8Path,
        fingerprint: &str,
        versions: BTreeMap<String, String>,
        wheels: BTreeMap<String, String>,
        files: &[String],
    ) -> Result<Self, ToolError> {
        let mut sizes = BTreeMap::new();
        for file in files {
            let path = root.join(file);
            let meta = fs::metadata(&path).map_err(|source| ToolError::Cache { path, source })?;
            sizes.insert(file.clone(), meta.len());
        }
        Ok(Self { format: FORMAT, fingerprint: fingerprint.to_owned(), versions, wheels, files: sizes })
    }

    /// Writes the stamp into `root`.
    ///
    /// # Errors
    /// [`ToolError::Cache`] if it cannot be written.
    pub fn write(&self, root: &Utf8Path) -> Result<(), ToolError> {
        let path = root.join(STAMP_FILE);
        let text = serde_json::to_string_pretty(self)
            .map_err(|error| ToolError::Cache { path: path.clone(), source: error.into() })?;
        fs::write(&path, text + "\n").map_err(|source| ToolError::Cache { path, source })
    }

    /// True if the bundle in `root` is whole and made from the pins of `fingerprint`.
    ///
    /// The environment is installed again if the stamp is missing, unreadable, of another form or of other pins. The
    /// same holds for a key file that is missing or changed. A file's hash is computed when the bundle is first asked
    /// for, and again only if the file has changed since.
    #[must_use]
    pub fn is_whole(root: &Utf8Path, fingerprint: &str) -> bool {
        let Ok(text) = fs::read_to_string(root.join(STAMP_FILE)) else { return false };
        let Ok(stamp) = serde_json::from_str::<Self>(&text) else { return false };
        stamp.format == FORMAT && stamp.fingerprint == fingerprint && stamp.are_files_as_they_were(root)
    }

    fn are_files_as_they_were(&self, root: &Utf8Path) -> bool {
        let path = root.join(CHECKED_FILE);
        let known: BTreeMap<String, Checked> =
            fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
        let mut found = BTreeMap::new();
        for (file, size) in &self.files {
            match Checked::again(&root.join(file), *size, known.get(file)) {
                Ok(Some(checked)) => found.insert(file.clone(), checked),
                _ => return false,
            };
        }
        if found != known
            && let Ok(text) = serde_json::to_string_pretty(&found)
        {
            let fresh = root.join(format!("{CHECKED_FILE}.{}", std::process::id()));
            // Only a saving of time: the next run computes the hashes again if they could not be written.
            let _ = fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &path));
        }
        true
    }
}

/// The hash of a file, and when the file was changed last before it was computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Checked {
    /// Time of the last change of content or attributes, in nanoseconds.
    changed: i128,
    sha256: String,
}

impl Checked {
    /// Checks a file that has had a size and, if it was checked before, a hash; None if it has another one now.
    fn again(path: &Utf8Path, size: u64, known: Option<&Self>) -> io::Result<Option<Self>> {
        let meta = fs::metadata(path)?;
        if meta.len() != size {
            return Ok(None);
        }
        let changed = changed(&meta)?;
        if let Some(known) = known.filter(|known| known.changed == changed) {
            return Ok(Some(known.clone()));
        }
        let sha256 = sha256(fs::read(path)?);
        Ok(known.is_none_or(|known| known.sha256 == sha256).then_some(Self { changed, sha256 }))
    }
}

#[cfg(unix)]
fn changed(meta: &fs::Metadata) -> io::Result<i128> {
    use std::os::unix::fs::MetadataExt;
    Ok(i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec()))
}

#[cfg(not(unix))]
fn changed(meta: &fs::Metadata) -> io::Result<i128> {
    let since = meta.modified()?.duration_since(std::time::UNIX_EPOCH).map_err(io::Error::other)?;
    Ok(since.as_nanos() as i128)
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8PathBuf;

    fn bundle() -> (tempfile::TempDir, Utf8PathBuf) {
        let dir = tempfile::tempdir().expect("temporary folder");
        let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("UTF-8");
        fs::write(root.join("program"), "12345").expect("write");
        let versions = BTreeMap::from([("tool".to_owned(), "1".to_owned())]);
        Stamp::take(&root, "pins", versions, BTreeMap::new(), &["program".into()])
            .and_then(|s| s.write(&root))
            .expect("stamp");
        (dir, root)
    }

    #[test]
    fn a_fresh_stamp_holds() {
        let (_dir, root) = bundle();
        assert!(Stamp::is_whole(&root, "pins"));
    }

    #[test]
    fn every_kind_of_damage_is_seen() {
        type Damage = fn(&Utf8Path);
        let damages: [(&str, Damage); 6] = [
            ("no stamp", |root| fs::remove_file(root.join(STAMP_FILE)).expect("remove")),
            ("cut short", |root| {
                let text = fs::read_to_string(root.join(STAMP_FILE)).expect("read");
                fs::write(root.join(STAMP_FILE), &text[..text.len() / 2]).expect("write");
            }),
            ("not text", |root| fs::write(root.join(STAMP_FILE), [0xff, 0]).expect("write")),
            ("other form", |root| {
                let text = fs::read_to_string(root.join(STAMP_FILE)).expect("read");
                fs::write(root.join(STAMP_FILE), text.replace("\"format\": 1", "\"format\": 9")).expect("write");
            }),
            ("file gone", |root| fs::remove_file(root.join("program")).expect("remove")),
            ("file cut", |root| fs::write(root.join("program"), "1").expect("write")),
        ];
        for (name, damage) in damages {
            let (_dir, root) = bundle();
            damage(&root);
            assert!(!Stamp::is_whole(&root, "pins"), "{name}");
        }
    }

    #[test]
    fn a_file_that_changes_and_keeps_its_size_is_seen_once_it_was_checked() {
        let (_dir, root) = bundle();
        assert!(Stamp::is_whole(&root, "pins"));
        // the content as it was, at another time
        fs::write(root.join("program"), "12345").expect("write");
        assert!(Stamp::is_whole(&root, "pins"));
        fs::write(root.join("program"), "12x45").expect("write");
        assert!(!Stamp::is_whole(&root, "pins"));
        assert!(!Stamp::is_whole(&root, "pins"), "it stays so");
    }

    #[test]
    fn other_pins_do_not_match() {
        let (_dir, root) = bundle();
        assert!(!Stamp::is_whole(&root, "moved pins"));
    }

    #[test]
    fn a_stamp_is_not_taken_of_what_is_missing() {
        let (_dir, root) = bundle();
        let taken = Stamp::take(&root, "pins", BTreeMap::new(), BTreeMap::new(), &["absent".into()]);
        assert!(matches!(taken, Err(ToolError::Cache { path, .. }) if path.ends_with("absent")));
    }
}
