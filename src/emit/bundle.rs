//! The emitted files of hardware, with their manifest.

use super::images::mark_images;
use super::verilog::Verilog;
use super::{EmitError, Origin, ROM_DIR, library, package};
use crate::hash::sha256;
use serde::Serialize;
use std::collections::BTreeMap;

/// The emitted files: relative path → content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RtlBundle {
    pub(super) files: BTreeMap<String, String>,
    /// The network in words.
    pub(super) title: String,
    pub(super) made: Made,
}

/// Origin of the files of a bundle, and its top.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Made {
    format: &'static str,
    generator: String,
    spec: String,
    spec_sha256: String,
    pub(super) top: String,
}

/// `manifest.json`: origin of the folder, and the hash of every file.
#[derive(Debug, Serialize)]
struct Manifest<'a> {
    #[serde(flatten)]
    made: &'a Made,
    files: BTreeMap<&'a str, String>,
}

/// Name of the file that marks a folder as one that metronoc made.
pub const MANIFEST: &str = "manifest.json";

impl RtlBundle {
    /// Emits all files: those of the hardware, the modules of the library that they need, and the file lists for tools.
    ///
    /// # Errors
    /// As [`Verilog::files`].
    pub fn new(hardware: &(impl Verilog + ?Sized), origin: &Origin) -> Result<Self, EmitError> {
        let title = hardware.title();
        let mut files: BTreeMap<String, String> = hardware.files(origin)?.into_iter().collect();
        let needed = library::needed(files.values().map(String::as_str));
        files.extend(needed.into_iter().map(|m| (format!("rtl/{}", m.file), m.text.to_owned())));
        mark_images(&mut files, hardware.parity());
        files.insert(
            "filelist.f".into(),
            files.keys().filter(|f| f.starts_with("rtl/")).map(|f| f.clone() + "\n").collect(),
        );
        let component = package::component("mn_top", &title, &files)?;
        files.insert("metronoc.core".into(), package::core(&origin.name, &title, "mn", &files, false)?);
        files.insert("component.xml".into(), component);
        let made = Made {
            format: "metronoc-rtl/1",
            generator: format!("metronoc {}", env!("CARGO_PKG_VERSION")),
            spec: origin.name.clone(),
            spec_sha256: sha256(&origin.spec_text),
            top: "mn_top".into(),
        };
        Self { files, title, made }.sealed()
    }

    /// The bundle with a manifest of its files.
    pub(super) fn sealed(mut self) -> Result<Self, EmitError> {
        self.files.remove(MANIFEST);
        let files = self.files.iter().map(|(name, text)| (name.as_str(), sha256(text))).collect();
        let manifest = serde_json::to_string_pretty(&Manifest { made: &self.made, files })? + "\n";
        self.files.insert(MANIFEST.into(), manifest);
        Ok(self)
    }

    /// All files: relative path and content, in order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// All files by relative path, which become bytes where they are.
    pub fn into_files(self) -> BTreeMap<String, Vec<u8>> {
        self.files.into_iter().map(|(name, text)| (name, text.into_bytes())).collect()
    }

    /// Lets tools find the images of slot tables in `DIR/rom`, wherever they run; the macro `MN_ROM_DIR` goes before that.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn with_rom_dir(mut self, dir: &str) -> Result<Self, EmitError> {
        for text in self.files.iter_mut().filter(|(name, _)| name.starts_with("rtl/")).map(|(_, text)| text) {
            *text = text.replace(&format!("{ROM_DIR}\"./\""), &format!("{ROM_DIR}\"{dir}/\""));
        }
        self.sealed()
    }

    /// Paths of the Verilog sources for synthesis.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str).filter(|f| f.starts_with("rtl/"))
    }
}
