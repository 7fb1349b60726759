//! Simulators that Verilator builds as programs.

use camino::Utf8Path;
use metronoc::tool::{self, Command, Progress, Tool};
use std::fs;
use std::process;

/// Flags of Verilator's makefile for the shortest build.
pub const LEAST: &str = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0";

/// Flags of Verilator's makefile for a little speed.
pub const QUICK: &str = "OPT_FAST=-O1 VM_PARALLEL_BUILDS=0";

/// Value of `OBJCACHE` by which Verilator's makefile takes objects of its runtime from earlier builds with the same flags.
pub fn kept_objects() -> String {
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/runtime");
    fs::create_dir_all(folder).unwrap();
    format!(r#"sh "{}" "{folder}""#, concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/kept_object.sh"))
}

/// Builds a program in `obj` below a folder, with these flags of Verilator's makefile. A warning is an error unless the arguments say otherwise.
pub fn build<'a>(folder: &Utf8Path, flags: &str, arguments: impl IntoIterator<Item = &'a str>) {
    let flags = format!("{flags} 'OBJCACHE={}'", kept_objects());
    let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator can be made ready");
    let command = Command::new(Tool::Verilator).args(["-MAKEFLAGS", &flags, "-Mdir", "obj"]).args(arguments);
    tools.run(&command, folder, &folder.join("verilator.log")).expect("it builds without warnings");
}

/// Builds the emitted test bench of a network in this folder, in a simulator that has time.
pub fn build_bench(folder: &Utf8Path) {
    build(
        folder,
        LEAST,
        ["--binary", "--timing", "-j", "2", "--top-module", "mn_tb", "-f", "filelist.f", "tb/mn_tb.v"],
    );
}

/// What the built test bench prints, without Verilator's report of the run: lines that begin with `- `.
pub fn run_bench(folder: &Utf8Path) -> String {
    let said = process::Command::new(folder.join("obj/Vmn_tb")).current_dir(folder).output().expect("it runs");
    let said = String::from_utf8(said.stdout).expect("UTF-8");
    said.split_inclusive('\n').filter(|line| !line.starts_with("- ")).collect()
}
