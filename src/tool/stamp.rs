//! The stamp of an installed bundle: written last, so that a folder with a valid stamp is whole.

use std::collections::BTreeMap;
use std::fs;

use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use super::error::ToolError;

/// Name of the stamp in a bundle's folder.
pub const STAMP_FILE: &str = "stamp.json";

/// Form of the stamp file.
const FORMAT: u32 = 1;

/// What was installed.
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

    /// Whether the bundle in `root` is whole and made from the pins of `fingerprint`.
    ///
    /// A stamp that is missing, unreadable, of another form or of other pins, or a key file that is missing or of another
    /// size, all mean the same: install again.
    #[must_use]
    pub fn is_whole(root: &Utf8Path, fingerprint: &str) -> bool {
        let Ok(text) = fs::read_to_string(root.join(STAMP_FILE)) else { return false };
        let Ok(stamp) = serde_json::from_str::<Self>(&text) else { return false };
        stamp.format == FORMAT
            && stamp.fingerprint == fingerprint
            && stamp
                .files
                .iter()
                .all(|(file, size)| fs::metadata(root.join(file)).is_ok_and(|meta| meta.len() == *size))
    }
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
