//! Building a simulator: Verilog and shim, through Verilator, to a shared library that is kept.
//!
//! A build folder is named by the hash of all that goes into the library. Memory images do not: they are read when a
//! simulation begins, from the build folder, so that another program on the same hardware needs no new library.

use super::{CosimError, cache};
use crate::emit::ROM_DIR;
use crate::tool::{Command, Settings, Tool, ToolSet};
use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};

/// Name of the library in a build folder.
const LIBRARY: &str = "libmetronoc.so";

/// How much the compiler shall do for the speed of the simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimize {
    /// Little: for runs that are shorter than a build.
    Quick,
    /// All it can.
    Full,
}

impl Optimize {
    fn make_flags(self) -> &'static str {
        match self {
            Optimize::Quick => "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1",
            Optimize::Full => "OPT_FAST=-O3 OPT_SLOW=-O0 OPT_GLOBAL=-O3",
        }
    }
}

/// What is simulated: files by their path, as [`crate::emit::RtlBundle`] has them.
#[derive(Debug, Clone)]
pub struct Sources {
    files: BTreeMap<String, String>,
}

impl Sources {
    /// Emitted files.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let wanted = |name: &str| name.starts_with("rtl/") || name.starts_with("rom/");
        let files = files.into_iter().filter(|(name, _)| wanted(name));
        Self { files: files.map(|(name, text)| (name.to_owned(), text.to_owned())).collect() }
    }

    /// The files of a generated folder, changed or not.
    ///
    /// # Errors
    /// If the folder cannot be read, or has no `rtl/mn_top.v`.
    pub fn read(folder: &Utf8Path) -> Result<Self, CosimError> {
        let mut files = BTreeMap::new();
        for part in ["rtl", "rom"] {
            let path = folder.join(part);
            if part == "rom" && !path.is_dir() {
                continue;
            }
            for entry in path.read_dir_utf8().map_err(file_error(&path))? {
                let entry = entry.map_err(file_error(&path))?;
                let text = fs::read_to_string(entry.path()).map_err(file_error(entry.path()))?;
                files.insert(format!("{part}/{}", entry.file_name()), text);
            }
        }
        if !files.contains_key("rtl/mn_top.v") {
            let (folder, reason) = (folder.to_path_buf(), "it has no rtl/mn_top.v".to_owned());
            return Err(CosimError::OtherNetwork { folder, reason });
        }
        Ok(Self { files })
    }

    /// All files: path and content.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.under("")
    }

    fn under<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files.iter().filter(move |(name, _)| name.starts_with(folder)).map(|(n, t)| (n.as_str(), t.as_str()))
    }
}

pub(super) fn file_error(path: &Utf8Path) -> impl FnOnce(std::io::Error) -> CosimError + use<> {
    let path = path.to_path_buf();
    |source| CosimError::File { path, source }
}

/// A library that was built, and the lock that keeps others from its images until a simulation has read them.
#[derive(Debug)]
pub struct Built {
    /// The library.
    pub library: Utf8PathBuf,
    /// Whether it was there already.
    pub reused: bool,
    _images: File,
}

/// What a form of simulation adds to the Verilog.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The module that is simulated.
    pub top: &'static str,
    /// Files that go beside it, with their names: shims and what they need.
    pub beside: Vec<(&'static str, String)>,
    /// Modules that the form does without, by their files.
    pub without: &'static [&'static str],
    /// Parameters of the module.
    pub parameters: Vec<(&'static str, u32)>,
    /// Numbers that the shim is compiled with.
    pub defines: Vec<(&'static str, usize)>,
}

/// A program, its arguments and its sources: what a build consists of.
#[derive(Debug)]
pub struct Build<'a> {
    /// The Verilog and its images.
    pub sources: &'a Sources,
    /// What the form of simulation adds.
    pub parts: &'a Parts,
    /// The compiler's effort.
    pub optimize: Optimize,
    /// The folder that build folders are in; None is the tools' cache.
    pub root: Option<&'a Utf8Path>,
}

impl Build<'_> {
    /// The run of Verilator, in the build folder.
    pub fn command(&self) -> Command {
        let Parts { top, beside, without, parameters, defines } = self.parts;
        let rtl = self.sources.under("rtl/").map(|(name, _)| name).filter(|name| !without.contains(name));
        let defines: String = defines.iter().map(|(name, value)| format!(" -D{name}={value}")).collect();
        Command::new(Tool::Verilator)
            .args(["--cc", "--exe", "--build", "-j", "2", "-O3", "--no-assert", "--x-assign", "fast"])
            // small functions: the compiler takes minutes for the large ones of a network
            .args(["--output-split-cfuncs", "500"])
            .args(["--x-initial", "fast", "--top-module", top, "--prefix", &format!("V{top}"), "-Mdir", "obj"])
            .args(parameters.iter().map(|(name, value)| format!("-G{name}={value}")))
            .args(["-CFLAGS", &format!("-fPIC -fvisibility=hidden -std=gnu++20{defines}"), "-LDFLAGS", "-shared"])
            .args(["-MAKEFLAGS", self.optimize.make_flags(), "-o", LIBRARY])
            .args(beside.iter().map(|(name, _)| *name))
            .args(rtl)
    }

    /// Builds the library, or finds the one that was built from the same. A build makes room in the cache.
    ///
    /// # Errors
    /// [`CosimError::Tool`] with the log if Verilator or the compiler fails, [`CosimError::File`] if the build folder
    /// cannot be used.
    pub fn run(&self, tools: &ToolSet) -> Result<Built, CosimError> {
        let root = match self.root {
            Some(root) => camino::absolute_utf8(root).map_err(file_error(root))?,
            None => Settings::from_env()?.cache.join("cosim"),
        };
        let folder = root.join(self.key(tools)?);
        let lock = cache::enter(&root, &folder)?;
        let library = folder.join("obj").join(LIBRARY);
        let done = folder.join(cache::DONE);
        let reused = done.exists();
        if !reused {
            self.write_sources(&folder)?;
            tools.run(&self.command(), &folder, &folder.join("verilator.log"))?;
            fs::write(&done, "").map_err(file_error(&done))?;
            // a folder of the user's is left alone
            if self.root.is_none() {
                cache::prune(&root, cache::LIMIT)
                    .unwrap_or_else(|error| tracing::warn!("cannot clear `{root}`: {error}"));
            }
        }
        // an image that these sources lack is not one of an earlier simulation's
        if folder.join("rom").is_dir() {
            fs::remove_dir_all(folder.join("rom")).map_err(file_error(&folder))?;
        }
        fs::create_dir_all(folder.join("rom")).map_err(file_error(&folder))?;
        for (name, text) in self.sources.under("rom/") {
            let path = folder.join(name);
            fs::write(&path, text).map_err(file_error(&path))?;
        }
        Ok(Built { library, reused, _images: lock })
    }

    fn write_sources(&self, folder: &Utf8Path) -> Result<(), CosimError> {
        fs::create_dir_all(folder.join("rtl")).map_err(file_error(folder))?;
        // images are found wherever the process that simulates was started, and wherever the network was told to look for them
        let line = |line: &str| match line.starts_with(ROM_DIR) {
            true => format!("{ROM_DIR}\"{folder}/\"\n"),
            false => format!("{line}\n"),
        };
        let told = |text: &str| text.lines().map(line).collect::<String>();
        let rtl = self.sources.under("rtl/").map(|(name, text)| (name, told(text)));
        let beside = self.parts.beside.iter().cloned();
        for (name, text) in rtl.chain(beside) {
            let path = folder.join(name);
            fs::write(&path, text).map_err(file_error(&path))?;
        }
        Ok(())
    }

    fn key(&self, tools: &ToolSet) -> Result<String, CosimError> {
        let mut hash = Sha256::new();
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        let found = tools.found(Tool::Verilator)?;
        [found.program.as_str(), &found.version, &self.command().to_string()].into_iter().for_each(&mut add);
        self.parts.beside.iter().for_each(|(_, text)| add(text));
        self.sources.under("rtl/").for_each(|(_, text)| add(text));
        Ok(hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect())
    }
}
