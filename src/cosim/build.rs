//! Building a simulator: Verilog and shim, through Verilator, to a shared library that is kept.
//!
//! A build folder is named by the hash of all that goes into the library. Memory images do not: they are read when a
//! simulation begins, from the build folder, so that another program on the same hardware needs no new library.
//! Verilator's runtime and its header are compiled once for all simulators.

use super::Sources;
use super::cache::{self, Entry};
use super::error::{CosimError, file_error};
use crate::emit::{CHECK_LINE, ROM_DIR};
use crate::tool::{Command, Settings, Tool, ToolSet, hex};
use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use std::fs;

/// Name of the library in a build folder.
const LIBRARY: &str = "libmetronoc.so";
/// Verilator's runtime, compiled.
const RUNTIME: &str = "runtime.o";
/// Verilator's header, compiled in advance. The compiler reads it in place of the text where its own flags and macros are the same.
const HEADER: &str = "verilated.h.gch";
/// Variable of the makefile by which a model of one compilation reads it; Verilator has a header of its own for several.
const INCLUDED: &str = " 'USER_CPPFLAGS=$(if $(filter 1,$(VM_PARALLEL_BUILDS)),,-include ../verilated.h)'";
/// Macros with which Verilator's makefile compiles a model.
const MACROS: [&str; 8] = [
    "VERILATOR=1",
    "VM_COVERAGE=0",
    "VM_SC=0",
    "VM_TIMING=0",
    "VM_TRACE=0",
    "VM_TRACE_FST=0",
    "VM_TRACE_VCD=0",
    "VM_TRACE_SAIF=0",
];
/// Image of the check byte.
const CHECK_IMAGE: &str = "rom/check.hex";
/// Flags of every compilation.
const FLAGS: &str = "-fPIC -fvisibility=hidden -std=gnu++20";
/// Files beside every shim: Verilator's runtime, and the handler of its exceptions.
const RUNTIME_SOURCE: (&str, &str) = ("runtime.cpp", include_str!("../../sim/runtime.cpp"));
const GUARD: (&str, &str) = ("mn_guard.h", include_str!("../../sim/mn_guard.h"));

/// Effort of the C++ compiler for the speed of the simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimize {
    /// None: for runs of seconds.
    Least,
    /// Little: for runs that are shorter than a build.
    Quick,
    /// All it can.
    Full,
}

impl Optimize {
    /// Flag of the compiler.
    fn flag(self) -> &'static str {
        match self {
            Optimize::Least => "-O0",
            Optimize::Quick => "-O1",
            Optimize::Full => "-O3",
        }
    }

    /// Variables of the makefile. Up to 4 MB of C++ are one compilation, but for a long run.
    fn make_flags(self) -> String {
        let one = "'VM_PARALLEL_BUILDS=$(shell test $$(cat *.cpp | wc -c) -gt 4000000 && echo 1)'";
        let parts = if self == Optimize::Full { "" } else { one };
        format!("OPT_FAST={} OPT_SLOW=-O0 {parts}", self.flag())
    }
}

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
    /// The run of Verilator, in the build folder, that compiles Verilator's runtime as well.
    pub fn command(&self) -> Command {
        self.linked_with("-shared", "").arg(RUNTIME_SOURCE.0)
    }

    /// Files in the build folder beside the Verilog: name and text.
    pub fn beside(&self) -> impl Iterator<Item = (&str, &str)> {
        let parts = self.parts.beside.iter().map(|(name, text)| (*name, text.as_str()));
        parts.chain([RUNTIME_SOURCE, GUARD])
    }

    fn linked_with(&self, flags: &str, header: &str) -> Command {
        let Parts { top, beside, without, parameters, defines } = self.parts;
        let rtl = self.sources.under("rtl/").map(|(name, _)| name).filter(|name| !without.contains(name));
        let defines: String = defines.iter().map(|(name, value)| format!(" -D{name}={value}")).collect();
        let make = format!("{} VM_GLOBAL_FAST= VM_GLOBAL_SLOW={header}", self.optimize.make_flags());
        Command::new(Tool::Verilator)
            .args(["--cc", "--exe", "--build", "-j", "2", "-O3", "--no-assert", "--x-assign", "fast"])
            // small functions: the compiler takes minutes for the large ones of a network
            .args(["--output-split-cfuncs", "500"])
            // zero, but where the shim asks for random bits
            .args(["--x-initial", "unique", "--top-module", top, "--prefix", &format!("V{top}"), "-Mdir", "obj"])
            .args(parameters.iter().map(|(name, value)| format!("-G{name}={value}")))
            .args(["-CFLAGS", &format!("{FLAGS}{defines}"), "-LDFLAGS", flags])
            .args(["-MAKEFLAGS", &make, "-o", LIBRARY])
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
                fs::write(&path, check.trim_end_matches(';')).map_err(file_error(&path))?;
            }
        }
        Ok(Built { library: entry.product(), reused, _entry: entry })
    }

    /// Runs Verilator; Verilator's runtime is taken from the cache, or left there.
    fn compile(&self, tools: &ToolSet, root: &Utf8Path, folder: &Utf8Path) -> Result<(), CosimError> {
        let run = |command: Command| {
            let command = command.args(tools.build_arguments(folder)?);
            tools.run(&command, folder, &folder.join("verilator.log"))
        };
        let found = tools.found(Tool::Verilator)?;
        let flags = self.optimize.make_flags();
        let of = [found.program.as_str(), &found.version, RUNTIME_SOURCE.1, FLAGS, &flags];
        let runtime = Entry::enter(root, &format!("runtime-{}", key(of)), RUNTIME)?;
        if !runtime.is_whole() {
            run(self.command())?;
            return runtime.keep(&folder.join("obj").join(RUNTIME));
        }
        let copy = folder.join(RUNTIME);
        fs::copy(runtime.product(), &copy).map_err(file_error(&copy))?;
        drop(runtime);
        let header = match tools.verilator_include() {
            Some(include) => {
                self.compile_header(tools, root, &include, folder)?;
                INCLUDED
            }
            None => "",
        };
        run(self.linked_with(&format!("-shared ../{RUNTIME}"), header))?;
        Ok(())
    }

    /// Puts Verilator's header, compiled, into a build folder; it is taken from the cache, or left there.
    fn compile_header(
        &self,
        tools: &ToolSet,
        root: &Utf8Path,
        include: &Utf8Path,
        folder: &Utf8Path,
    ) -> Result<(), CosimError> {
        let found = tools.found(Tool::Verilator)?;
        let of = [found.program.as_str(), &found.version, FLAGS, self.optimize.flag(), &MACROS.join(" ")];
        let header = Entry::enter(root, &format!("header-{}", key(of)), HEADER)?;
        if !header.is_whole() {
            header.clear(None)?;
            let mut arguments = vec![self.optimize.flag().to_owned()];
            arguments.extend(FLAGS.split(' ').map(str::to_owned));
            arguments.extend([format!("-I{include}"), format!("-I{include}/vltstd")]);
            arguments.extend(MACROS.iter().map(|macro_| format!("-D{macro_}")));
            arguments
                .extend(["-x", "c++-header", &format!("{include}/verilated.h"), "-o", "new.gch"].map(str::to_owned));
            tools.compile(&arguments, header.folder(), &header.folder().join("g++.log"))?;
            header.keep(&header.folder().join("new.gch"))?;
        }
        // where the compiler cannot use what is compiled, it reads the text
        let text = folder.join("verilated.h");
        fs::write(&text, format!("#include \"{include}/verilated.h\"\n")).map_err(file_error(&text))?;
        let (product, beside) = (header.product(), folder.join(HEADER));
        fs::hard_link(&product, &beside).or_else(|_| fs::copy(&product, &beside).map(drop)).map_err(file_error(&beside))
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
        let first = [root.as_str(), found.program.as_str(), &found.version, &command];
        let rest: Vec<String> =
            self.beside().chain(self.sources.under("rtl/")).map(|(_, text)| told(text, "")).collect();
        Ok(key(first.into_iter().chain(rest.iter().map(String::as_str))))
    }
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

/// Name of an entry of the cache, from all that it is made of.
fn key<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for text in parts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hex(&hash.finalize()[..12])
}
