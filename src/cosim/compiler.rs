//! The C++ compiler's part of a simulator: Verilator's runtime and its header, compiled once for all, and a model with its shim.

use super::cache::{Entry, key};
use super::error::{CosimError, file_error};
use crate::tool::{Tool, ToolSet};
use camino::{Utf8Path, Utf8PathBuf};
use std::fs;
use std::io;
use std::iter;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Verilator's runtime: name and text of the source, and name of the object.
pub const RUNTIME_SOURCE: (&str, &str) = ("runtime.cpp", include_str!("../../sim/runtime.cpp"));
const RUNTIME: &str = "runtime.o";
/// Flags of every compilation.
pub const FLAGS: &str = "-fPIC -fvisibility=hidden -std=gnu++20";
/// Verilator's header, compiled in advance, which the compiler reads in place of the text where its flags are the same.
const COMPILED_HEADER: &str = "verilated.h.gch";
/// Name of what is not yet kept in the cache.
const NEW: &str = "new";
/// End of the names of the files that Verilator made of what runs once.
const SLOW: &str = "__Slow.cpp";
/// Bytes of C++ up to which files are one compilation.
const UNIT_BYTES: u64 = 2_000_000;
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
    pub(super) fn flag(self) -> &'static str {
        match self {
            Optimize::Least => "-O0",
            Optimize::Quick => "-O1",
            Optimize::Full => "-O3",
        }
    }
}

/// Files that Verilator made of a network, in the folder `obj` of a build folder, and the shims beside it.
#[derive(Debug)]
pub struct Model<'a> {
    /// The build folder.
    pub folder: &'a Utf8Path,
    /// Sources of shims in the build folder.
    pub shims: Vec<&'a str>,
    /// Numbers that the shims are compiled with.
    pub defines: &'a [(&'static str, usize)],
    /// The library to make in `obj`.
    pub library: &'a str,
}

/// The machine's C++ compiler with the headers of one Verilator.
#[derive(Debug, Clone)]
pub struct Compiler<'a> {
    tools: &'a ToolSet,
    /// Cache of simulators.
    root: &'a Utf8Path,
    /// Verilator's C++ headers.
    include: Utf8PathBuf,
    optimize: Optimize,
}

/// Files that are compiled together.
struct Unit {
    /// Source and object are named by it.
    name: String,
    text: String,
    /// Of what Verilator made.
    bytes: u64,
    optimize: Optimize,
}

impl<'a> Compiler<'a> {
    /// The compiler for simulators of the cache `root`.
    ///
    /// # Errors
    /// [`CosimError::Tool`] if Verilator is not ready, or does not tell where its headers are.
    pub fn new(tools: &'a ToolSet, root: &'a Utf8Path, optimize: Optimize) -> Result<Self, CosimError> {
        Ok(Self { tools, root, include: tools.verilator_include()?, optimize })
    }

    /// Makes a library: what `verilate` leaves in the build folder, a [`Model`], is compiled with its shim, a large one in several
    /// compilations, as many at once as there are processors, and linked with Verilator's runtime.
    ///
    /// # Errors
    /// [`CosimError::Tool`] with the log if the compiler fails, [`CosimError::File`] if a folder cannot be used; what `verilate` fails with.
    pub fn library(&self, model: &Model, verilate: impl FnOnce() -> Result<(), CosimError>) -> Result<(), CosimError> {
        // the first simulator is there sooner if the runtime is compiled meanwhile, and Verilator's header is not compiled in advance
        let first = !self.runtime_entry()?.is_whole();
        let objects = thread::scope(|scope| {
            let runtime = scope.spawn(|| self.runtime(model.folder));
            let objects = verilate().and_then(|()| self.objects(model, !first));
            runtime.join().unwrap_or_else(|panic| resume_unwind(panic)).and(objects)
        })?;
        let library = format!("obj/{}", model.library);
        let mut arguments = vec!["-shared", "-o", &library];
        arguments.extend(objects.iter().map(String::as_str));
        arguments.extend([RUNTIME, "-pthread", "-latomic"]);
        self.compile(&arguments, model.folder, "link.log")
    }

    /// Compiles a model with its shim to objects in its folder.
    fn objects(&self, model: &Model, compiled_header: bool) -> Result<Vec<String>, CosimError> {
        let units = self.units(model)?;
        if compiled_header {
            let mut efforts: Vec<Optimize> = units.iter().map(|unit| unit.optimize).collect();
            efforts.dedup();
            efforts.into_iter().try_for_each(|effort| self.with(effort).header(model.folder))?;
        }
        let workers = thread::available_parallelism().map_or(1, NonZero::get).min(units.len());
        let units = Mutex::new(units.into_iter());
        let next = || units.lock().unwrap_or_else(PoisonError::into_inner).next();
        let work = || iter::from_fn(next).map(|unit| self.object(&unit, model.folder, compiled_header)).collect();
        thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            let made = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
            made.collect::<Result<Vec<Vec<String>>, CosimError>>().map(|objects| objects.concat())
        })
    }

    /// Compiles one unit, to the object whose name is given.
    fn object(&self, unit: &Unit, folder: &Utf8Path, compiled_header: bool) -> Result<String, CosimError> {
        let compiler = self.with(unit.optimize);
        let [source, object, log] = ["cpp", "o", "log"].map(|end| format!("{}.{end}", unit.name));
        let path = folder.join(&source);
        fs::write(&path, &unit.text).map_err(file_error(&path))?;
        let header = compiler.header_text();
        let mut arguments = vec!["-Iobj", "-c", &source, "-o", &object];
        if compiled_header {
            arguments.extend(["-include", &header]);
        }
        compiler.compile(&arguments, folder, &log)?;
        Ok(object)
    }

    fn with(&self, optimize: Optimize) -> Self {
        Self { optimize, ..self.clone() }
    }

    /// Compilations of a model and its shim.
    fn units(&self, model: &Model) -> Result<Vec<Unit>, CosimError> {
        let mut units: Vec<Unit> = Vec::new();
        let generated = generated(&model.folder.join("obj")).map_err(file_error(model.folder))?;
        let slow = |name: &str| self.optimize == Optimize::Full && name.ends_with(SLOW);
        let (slow, fast): (Vec<_>, Vec<_>) = generated.into_iter().partition(|(name, _)| slow(name));
        for (optimize, files) in [(Optimize::Least, slow), (self.optimize, fast)] {
            for (name, bytes) in files {
                let fits = |unit: &mut Unit| unit.optimize == optimize && unit.bytes + bytes <= UNIT_BYTES;
                let mut unit = units.pop_if(fits).unwrap_or_else(|| Unit {
                    name: format!("unit_{}", units.len()),
                    text: String::new(),
                    bytes: 0,
                    optimize,
                });
                unit.text.push_str(&format!("#include \"obj/{name}\"\n"));
                unit.bytes += bytes;
                units.push(unit);
            }
        }
        // what runs often is last
        if let Some(Unit { text, .. }) = units.last_mut() {
            text.extend(model.defines.iter().map(|(name, value)| format!("#define {name} {value}\n")));
            text.extend(model.shims.iter().map(|name| format!("#include \"{name}\"\n")));
        }
        Ok(units)
    }

    /// Puts Verilator's runtime, compiled, into a build folder.
    fn runtime(&self, folder: &Utf8Path) -> Result<(), CosimError> {
        let source = folder.join(RUNTIME_SOURCE.0);
        self.once(&self.runtime_entry()?, RUNTIME, &["-c", source.as_str(), "-o", NEW], folder)
    }

    fn runtime_entry(&self) -> Result<Entry, CosimError> {
        self.entry("runtime", RUNTIME, RUNTIME_SOURCE.1)
    }

    /// Puts Verilator's header, compiled, into a build folder, beside a text for a compiler that cannot use what is compiled.
    fn header(&self, folder: &Utf8Path) -> Result<(), CosimError> {
        let source = format!("{}/verilated.h", self.include);
        let name = self.header_text();
        let text = folder.join(&name);
        fs::write(&text, format!("#include \"{source}\"\n")).map_err(file_error(&text))?;
        let entry = self.entry("header", COMPILED_HEADER, "")?;
        self.once(&entry, &format!("{name}.gch"), &["-x", "c++-header", &source, "-o", NEW], folder)
    }

    /// Name of the header's text in a build folder.
    fn header_text(&self) -> String {
        format!("verilated{}.h", self.optimize.flag())
    }

    /// The entry of the cache for what the compiler makes of a source.
    fn entry(&self, kind: &str, product: &'static str, text: &str) -> Result<Entry, CosimError> {
        let found = self.tools.found(Tool::Verilator)?;
        let of = [found.program.as_str(), &found.version, text, &self.flags().join(" ")];
        Entry::enter(self.root, &format!("{kind}-{}", key(of)), product)
    }

    /// Puts what the compiler makes with these arguments into a build folder, by this name: it is taken from the cache, or left there.
    fn once(&self, entry: &Entry, name: &str, arguments: &[&str], folder: &Utf8Path) -> Result<(), CosimError> {
        if !entry.is_whole() {
            entry.clear(None)?;
            self.compile(arguments, entry.folder(), "g++.log")?;
            entry.keep(&entry.folder().join(NEW))?;
        }
        let (product, beside) = (entry.product(), folder.join(name));
        fs::hard_link(&product, &beside).or_else(|_| fs::copy(&product, &beside).map(drop)).map_err(file_error(&beside))
    }

    fn compile(&self, arguments: &[&str], folder: &Utf8Path, log: &str) -> Result<(), CosimError> {
        let mut all = self.flags();
        all.extend(arguments.iter().map(|&argument| argument.to_owned()));
        Ok(self.tools.compile(&all, folder, &folder.join(log))?)
    }

    /// Flags by which a compiled header fits a compilation.
    fn flags(&self) -> Vec<String> {
        let include = &self.include;
        let mut flags = vec![self.optimize.flag().to_owned(), format!("-I{include}"), format!("-I{include}/vltstd")];
        flags.extend(FLAGS.split(' ').map(str::to_owned));
        flags.extend(MACROS.iter().map(|name| format!("-D{name}")));
        flags
    }
}

/// C++ files that Verilator made: name and bytes, by name.
fn generated(folder: &Utf8Path) -> io::Result<Vec<(String, u64)>> {
    let mut files = Vec::new();
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        if entry.path().extension() == Some("cpp") {
            files.push((entry.file_name().to_owned(), entry.metadata()?.len()));
        }
    }
    files.sort_unstable();
    Ok(files)
}
