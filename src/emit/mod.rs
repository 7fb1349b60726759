//! Emission: from the lowered schedule to a folder of Verilog, memory images and what tools need to use them.
//!
//! Parameterised modules are static files that lint as they stand (`rtl_templates/lib/`); only what depends on the
//! network's shape is made from a template. Same specification, same bytes: no dates, no paths.

mod library;
mod views;

pub use library::{LIBRARY, Module, needed};

use crate::collective::{Collective, DataError};
use crate::lower::{
    ExchangeLowered, Lowered, PopsDynamic, PopsLowered, ProductLowered, Programmed, SlotTableLowered, StreamLowered,
    Table,
};
use crate::spec::{Placement, Storage};
use askama::Template;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use thiserror::Error;

/// Error of emitting Verilog.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EmitError {
    /// A template could not be rendered; a defect of metronoc.
    #[error("a template could not be rendered")]
    Template(#[from] askama::Error),
    /// The test bench has no data.
    #[error("the test bench has no data: {0}")]
    Data(#[from] DataError),
    /// The manifest could not be written as JSON; a defect of metronoc.
    #[error("the manifest could not be written")]
    Manifest(#[from] serde_json::Error),
}

/// Origin of the emitted files, for their headers.
#[derive(Debug, Clone)]
pub struct Origin {
    /// Name of the specification, without folder and ending.
    pub name: String,
    /// The specification's text, of which the headers carry a hash.
    pub spec_text: String,
    /// The command line that makes the files again, without paths.
    pub command: String,
}

/// The emitted files: relative path → content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RtlBundle {
    files: BTreeMap<String, String>,
}

/// `manifest.json`: what was made, from what, and the hash of every file.
#[derive(Debug, Serialize)]
struct Manifest<'a> {
    format: &'static str,
    generator: String,
    spec: &'a str,
    spec_sha256: String,
    top: &'static str,
    files: BTreeMap<&'a str, String>,
}

/// `mn_node`, a program and a tile in one module, also for networks whose top has one program for all and so none of them.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn node(lowered: &Lowered) -> Result<String, askama::Error> {
    views::node(lowered)
}

/// `mn_node`, a program and a tile of a product in one module, whose constants are an input.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn product_node(lowered: &ProductLowered) -> Result<String, askama::Error> {
    views::product::node(lowered)
}

/// Path in the bundle of the image of a product router's slot table.
pub fn product_image_path(lowered: &ProductLowered, tile: usize) -> String {
    image_file(&lowered.image(tile))
}

/// Path in the bundle of the image `name`.
pub(crate) fn image_file(name: &str) -> String {
    format!("rom/{name}.hex")
}

/// The images of hardware with slot tables in memories.
fn images(lowered: &impl Programmed) -> Vec<(String, String)> {
    lowered.images().iter().map(|(name, text)| (image_file(name), text.to_owned())).collect()
}

/// Name of the file that marks a folder as one that metronoc made.
pub const MANIFEST: &str = "manifest.json";

fn sha256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

impl RtlBundle {
    /// Emits all files.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn new(lowered: &Lowered, origin: &Origin) -> Result<Self, EmitError> {
        let mut files = views::render(lowered, origin)?;
        if lowered.storage != Storage::Counter {
            files.extend(images(lowered));
        }
        Self::complete(files, views::title(lowered), origin)
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
        Self::complete(files, views::stream::title(lowered), origin)
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
        Self::complete(files, views::exchange::title(lowered), origin)
    }

    /// Emits all files of a product.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn product(lowered: &ProductLowered, origin: &Origin) -> Result<Self, EmitError> {
        Self::complete(views::product::render(lowered, origin)?, views::product::title(lowered), origin)
    }

    /// Emits all files of POPS without a schedule.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn pops_dynamic(network: &PopsDynamic, origin: &Origin) -> Result<Self, EmitError> {
        let files = views::pops_dynamic::render(network, origin)?;
        Self::complete(files, views::pops_dynamic::title(network), origin)
    }

    /// Emits all files of a POPS network.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn pops(lowered: &PopsLowered, origin: &Origin) -> Result<Self, EmitError> {
        Self::complete(views::pops::render(lowered, origin)?, views::pops::title(lowered), origin)
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
        Self::complete(files, views::slot_table::title(lowered), origin)
    }

    /// Adds the static modules and what tells tools of the files.
    fn complete(files: Vec<(String, String)>, title: String, origin: &Origin) -> Result<Self, EmitError> {
        let mut files: BTreeMap<String, String> = files.into_iter().collect();
        let needed = library::needed(files.values().map(String::as_str));
        files.extend(needed.into_iter().map(|m| (format!("rtl/{}", m.file), m.text.to_owned())));
        mark_images(&mut files);
        files.insert(
            "filelist.f".into(),
            files.keys().filter(|f| f.starts_with("rtl/")).map(|f| f.clone() + "\n").collect(),
        );
        let core = views::Core::new(title, origin, &files);
        files.insert("metronoc.core".into(), core.render()? + "\n");
        let manifest = Manifest {
            format: "metronoc-rtl/1",
            generator: format!("metronoc {}", env!("CARGO_PKG_VERSION")),
            spec: &origin.name,
            spec_sha256: sha256(&origin.spec_text),
            top: "mn_top",
            files: files.iter().map(|(name, text)| (name.as_str(), sha256(text))).collect(),
        };
        let manifest = serde_json::to_string_pretty(&manifest)? + "\n";
        files.insert(MANIFEST.into(), manifest);
        Ok(Self { files })
    }

    /// All files: relative path and content, in order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Lets tools find the images of slot tables in `DIR/rom`, wherever they run; the macro `MN_ROM_DIR` goes before that.
    #[must_use]
    pub fn with_rom_dir(mut self, dir: &str) -> Self {
        let mut hashes = Vec::new();
        for text in self.files.iter_mut().filter(|(name, _)| name.starts_with("rtl/")).map(|(_, text)| text) {
            let told = text.replace(&format!("{ROM_DIR}\"./\""), &format!("{ROM_DIR}\"{dir}/\""));
            if told != *text {
                hashes.push((sha256(text), sha256(&told)));
                *text = told;
            }
        }
        if let Some(manifest) = self.files.get_mut(MANIFEST) {
            hashes.iter().for_each(|(old, new)| *manifest = manifest.replace(old, new));
        }
        self
    }

    /// Paths of the Verilog sources for synthesis.
    pub fn sources(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str).filter(|f| f.starts_with("rtl/"))
    }
}

/// The place of the check byte among the modules, see `mn_table_check.v`.
const CHECK_FILE: &str = "rtl/mn_table_check.v";
/// Its value there.
const CHECK_VALUE: &str = "8'h00";

/// Puts the check byte of all images before each of their rows, and into the module that looks for it. It is never zero, as a memory
/// without an image is.
fn mark_images(files: &mut BTreeMap<String, String>) {
    let images = || files.iter().filter(|(name, _)| name.starts_with("rom/"));
    let mut hash = Sha256::new();
    images().for_each(|(name, text)| hash.update(format!("{name}\n{text}")));
    let check = hash.finalize()[0] | 1;
    let rows = |text: &str| text.lines().map(|row| format!("{check:02x}{row}\n")).collect::<String>();
    let marked: Vec<_> = images().map(|(name, text)| (name.clone(), rows(text))).collect();
    files.extend(marked);
    if let Some(module) = files.get_mut(CHECK_FILE) {
        *module = module.replace(CHECK_VALUE, &format!("8'h{check:02x}"));
    }
}

/// The line of a module that names the folder in which `rom/` is, up to that name.
pub const ROM_DIR: &str = "`define MN_ROM_DIR ";

/// The line of a module that has the check byte of all images, up to its digits.
pub const CHECK_LINE: &str = "    localparam [7:0] CHECK = 8'h";

/// Hexadecimal digits of the check byte before a row of an image.
pub const CHECK_DIGITS: usize = 2;

/// Path in the bundle of the image of a table.
pub fn image_path(table: Table) -> String {
    image_file(table.name())
}

/// True if one program serves all tiles.
fn is_shared(lowered: &Lowered) -> bool {
    lowered.placement == Placement::Shared
}
