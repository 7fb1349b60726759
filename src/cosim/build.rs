//! Building a simulator: Verilog and shim, through Verilator, to a shared library that is kept.
//!
//! A build folder is named by the hash of all that goes into the library. Memory images do not: they are read when a
//! simulation begins, from the build folder, so that another program on the same hardware needs no new library.
//! Verilator's runtime and its header are compiled once for all simulators.

use super::Sources;
use super::cache::{self, Entry};
use super::compiler::{Compiler, FLAGS, Model, Optimize, RUNTIME_SOURCE};
use super::error::{CosimError, file_error};
use crate::emit::{CHECK_LINE, ROM_DIR};
use crate::tool::{Command, Settings, Tool, ToolError, ToolSet};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::HashSet;
use std::fs;

/// Name of the library in a build folder.
const LIBRARY: &str = "libmetronoc.so";
/// Image of the check byte.
const CHECK_IMAGE: &str = "rom/check.hex";
/// Source beside every shim: the handler of the runtime's exceptions.
const GUARD: (&str, &str) = ("mn_guard.h", include_str!("../../sim/mn_guard.h"));

/// Between the names of instances in a signal's name in C++.
const LEVEL: &str = "__DOT__";

/// A library that was built, and its entry of the cache, which keeps others from its images until a simulation has read them.
#[derive(Debug)]
pub struct Built {
    /// The library.
    pub library: Utf8PathBuf,
    /// True if the library was taken from the cache.
    pub reused: bool,
    _entry: Entry,
}

/// Files and parameters that a form of simulation adds to the Verilog.
#[derive(Debug, Clone)]
pub struct Parts {
    /// The module that is simulated.
    pub top: &'static str,
    /// Files beside the Verilog, with their names: shims and their sources.
    pub beside: Vec<(&'static str, String)>,
    /// Modules that the form does without, by their files.
    pub without: &'static [&'static str],
    /// Parameters of the module.
    pub parameters: Vec<(&'static str, u32)>,
    /// Numbers that the shim is compiled with.
    pub defines: Vec<(&'static str, usize)>,
}

/// Input of a build: a program, its arguments and its sources.
#[derive(Debug)]
pub struct Build<'a> {
    /// The Verilog and its images.
    pub sources: &'a Sources,
    /// Additions of the form of simulation.
    pub parts: &'a Parts,
    /// The compiler's effort.
    pub optimize: Optimize,
    /// The folder that build folders are in; None is the tools' cache.
    pub root: Option<&'a Utf8Path>,
}

impl Build<'_> {
    /// Files in the build folder beside the Verilog: name and text.
    pub fn beside(&self) -> impl Iterator<Item = (&str, &str)> {
        let parts = self.parts.beside.iter().map(|(name, text)| (*name, text.as_str()));
        parts.chain([RUNTIME_SOURCE, GUARD])
    }

    /// The run of Verilator, in the build folder, that makes C++ of the Verilog.
    pub fn command(&self) -> Command {
        let Parts { top, beside, without, parameters, .. } = self.parts;
        let rtl = self.sources.under("rtl/").map(|(name, _)| name).filter(|name| !without.contains(name));
        let beside = beside.iter().map(|(name, _)| *name).filter(|name| !is_cpp(name));
        Command::new(Tool::Verilator)
            .args(["--cc", "-O3", "--no-assert", "--x-assign", "fast"])
            // small functions: the compiler takes minutes for the large ones of a network
            .args(["--output-split-cfuncs", "500"])
            // zero, but where the shim asks for random bits
            .args(["--x-initial", "unique", "--top-module", top, "--prefix", &format!("V{top}"), "-Mdir", "obj"])
            .args(parameters.iter().map(|(name, value)| format!("-G{name}={value}")))
            .args(beside)
            .args(rtl)
    }

    /// Builds the library, or finds the one that was built from the same. A build makes room in the cache.
    ///
    /// # Errors
    /// [`CosimError::Unobserved`] for a signal that the Verilog lacks, [`CosimError::Tool`] with the log if Verilator or the compiler fails
    /// otherwise, [`CosimError::File`] if the build folder cannot be used.
    pub fn run(&self, tools: &ToolSet) -> Result<Built, CosimError> {
        let root = match self.root {
            Some(root) => camino::absolute_utf8(root).map_err(file_error(root))?,
            None => Settings::from_env()?.cache.join("cosim"),
        };
        let entry = Entry::enter(&root, &self.key(tools, &root)?, LIBRARY)?;
        let reused = entry.is_whole();
        if !reused {
            entry.clear(None)?;
            self.write_sources(entry.folder())?;
            self.compile(tools, &root, entry.folder())?;
            entry.keep(&entry.folder().join("obj").join(LIBRARY))?;
            // a folder of the user's is left alone
            if self.root.is_none() {
                cache::prune(&root, cache::LIMIT)
                    .unwrap_or_else(|error| tracing::warn!("cannot clear `{root}`: {error}"));
            }
        }
        entry.clear_folder("rom")?;
        for (name, text) in self.sources.under("rom/") {
            let path = entry.folder().join(name);
            fs::write(&path, text).map_err(file_error(&path))?;
        }
        for (_, text) in self.sources.under("rtl/") {
            if let Some(check) = text.lines().find_map(|line| line.strip_prefix(CHECK_LINE)) {
                let path = entry.folder().join(CHECK_IMAGE);
                // Verilator 5.006 does not read a row without a line end
                fs::write(&path, check.trim_end_matches(';').to_owned() + "\n").map_err(file_error(&path))?;
            }
        }
        Ok(Built { library: entry.product(), reused, _entry: entry })
    }

    /// Runs Verilator and the compiler in the build folder.
    fn compile(&self, tools: &ToolSet, root: &Utf8Path, folder: &Utf8Path) -> Result<(), CosimError> {
        let shims = self.parts.beside.iter().map(|(name, _)| *name).filter(|name| is_cpp(name)).collect();
        let model = Model { folder, shims, defines: &self.parts.defines, library: LIBRARY };
        let made = Compiler::new(tools, root, self.optimize)?.library(&model, || {
            tools.run(&self.command(), folder, &folder.join("verilator.log"))?;
            Ok(())
        });
        made.map_err(|error| match self.unobserved(folder, &error) {
            Some(signal) => CosimError::Unobserved { signal },
            None => error,
        })
    }

    /// The first signal of which the compiler complains and which the Verilog does not have, as Verilator has made C++ of it.
    fn unobserved(&self, folder: &Utf8Path, error: &CosimError) -> Option<String> {
        let CosimError::Tool(ToolError::Failed { log, .. }) = error else { return None };
        let header = folder.join(format!("obj/V{}___024root.h", self.parts.top));
        let [log, header] =
            [log, &header].map(|path| fs::read(path).map(|text| String::from_utf8_lossy(&text).into_owned()));
        let (log, header) = (log.ok()?, header.ok()?);
        let known: HashSet<&str> = identifiers(&header).collect();
        let missing = identifiers(&log).find(|name| name.contains(LEVEL) && !known.contains(name))?;
        Some(missing.replace(LEVEL, "."))
    }

    fn write_sources(&self, folder: &Utf8Path) -> Result<(), CosimError> {
        fs::create_dir_all(folder.join("rtl")).map_err(file_error(folder))?;
        let images = folder.as_str().replace('\\', "\\\\").replace('"', "\\\"");
        for (name, text) in self.sources.under("rtl/") {
            let path = folder.join(name);
            fs::write(&path, told(text, &images)).map_err(file_error(&path))?;
        }
        for (name, text) in self.beside() {
            let path = folder.join(name);
            fs::write(&path, told(text, &images)).map_err(file_error(&path))?;
        }
        Ok(())
    }

    fn key(&self, tools: &ToolSet, root: &Utf8Path) -> Result<String, CosimError> {
        let found = tools.found(Tool::Verilator)?;
        let command = self.command().to_string();
        // the library has the path of its images
        let defines = format!("{:?}", self.parts.defines);
        let first =
            [root.as_str(), found.program.as_str(), &found.version, &command, &defines, FLAGS, self.optimize.flag()];
        let rest: Vec<String> =
            self.beside().chain(self.sources.under("rtl/")).map(|(_, text)| told(text, "")).collect();
        Ok(cache::key(first.into_iter().chain(rest.iter().map(String::as_str))))
    }
}

/// Names in C++.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

/// True for the sources of shims.
fn is_cpp(name: &str) -> bool {
    name.ends_with(".cpp")
}

/// Text of a source whose images are in the folder `images`, wherever the process that simulates was started and wherever the network was
/// told to look for them. The check byte of all images is an image, too, so that another program needs no new library.
fn told(text: &str, images: &str) -> String {
    let line = |line: &str| {
        if line.starts_with(ROM_DIR) {
            format!("{ROM_DIR}\"{images}/\"\n")
        } else if line.starts_with(CHECK_LINE) {
            format!(
                "    reg [7:0] check_image [0:0];\n    initial $readmemh(\"{images}/{CHECK_IMAGE}\", check_image);\n    \
                 wire [7:0] CHECK = check_image[0];\n"
            )
        } else {
            format!("{line}\n")
        }
    };
    text.lines().map(line).collect()
}
