//! The emitted files of each kind of hardware, with their manifest.

use super::images::{images, mark_images};
use super::{EmitError, Origin, ROM_DIR, library, package, views};
use crate::collective::Collective;
use crate::hash::sha256;
use crate::lower::swapped_dragonfly::{AllToAllLowered, ExchangeLowered, ProductLowered, StreamLowered};
use crate::lower::{PopsDynamic, PopsLowered, SlotTableLowered};
use crate::spec::Storage;
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
    /// Emits all files.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn new(lowered: &AllToAllLowered, origin: &Origin) -> Result<Self, EmitError> {
        let mut files = views::all_to_all::render(lowered, origin)?;
        if lowered.storage != Storage::Counter {
            files.extend(images(lowered));
        }
        Self::complete(files, lowered.parameters.frame.parity, views::all_to_all::title(lowered), origin)
    }

    /// Emits all files of a stream.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn stream(lowered: &StreamLowered, origin: &Origin) -> Result<Self, EmitError> {
        let mut files = views::stream::render(lowered, origin)?;
        if lowered.storage != Storage::Counter {
            files.extend(images(lowered));
        }
        Self::complete(files, lowered.frame.parity, views::stream::title(lowered), origin)
    }

    /// Emits all files of exchanges.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn exchange(lowered: &ExchangeLowered, origin: &Origin) -> Result<Self, EmitError> {
        let mut files = views::exchange::render(lowered, origin)?;
        if lowered.counters.is_none() {
            files.extend(images(lowered));
        }
        Self::complete(files, lowered.frame.parity, views::exchange::title(lowered), origin)
    }

    /// Emits all files of a product.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn product(lowered: &ProductLowered, origin: &Origin) -> Result<Self, EmitError> {
        let files = views::product::render(lowered, origin)?;
        Self::complete(files, lowered.frame.parity, views::product::title(lowered), origin)
    }

    /// Emits all files of POPS without a schedule.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn pops_dynamic(network: &PopsDynamic, origin: &Origin) -> Result<Self, EmitError> {
        let files = views::pops_dynamic::render(network, origin)?;
        Self::complete(files, false, views::pops_dynamic::title(network), origin)
    }

    /// Emits all files of a POPS network.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn pops(lowered: &PopsLowered, origin: &Origin) -> Result<Self, EmitError> {
        let files = views::pops::render(lowered, origin)?;
        Self::complete(files, lowered.frame.parity, views::pops::title(lowered), origin)
    }

    /// Emits all files of a network of slot tables; the test bench tries it with random words of the collective.
    ///
    /// # Errors
    /// [`EmitError::Data`] if the collective moves too much data for a test bench, else only by a defect of metronoc.
    pub fn slot_table(
        lowered: &SlotTableLowered,
        collective: &dyn Collective,
        origin: &Origin,
    ) -> Result<Self, EmitError> {
        let files = views::slot_table::render(lowered, collective, origin)?;
        Self::complete(files, lowered.frame.parity, views::slot_table::title(lowered), origin)
    }

    /// Adds the static modules and the file lists for tools; `parity`: words have a parity bit.
    fn complete(files: Vec<(String, String)>, parity: bool, title: String, origin: &Origin) -> Result<Self, EmitError> {
        let mut files: BTreeMap<String, String> = files.into_iter().collect();
        let needed = library::needed(files.values().map(String::as_str));
        files.extend(needed.into_iter().map(|m| (format!("rtl/{}", m.file), m.text.to_owned())));
        mark_images(&mut files, parity);
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
