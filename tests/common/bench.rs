//! An emitted test bench in Verilator as a simulator that has time.

use super::case::Case;
use camino::Utf8PathBuf;
use metronoc::tool::{self, Command as Run, Progress, Tool};
use std::process;

/// A generated network.
pub struct Bench {
    pub folder: Utf8PathBuf,
    _case: Case,
}

impl Bench {
    /// Generates the network of a specification.
    pub fn new(spec: &str) -> Self {
        let case = Case::new(spec);
        let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl"]);
        assert_eq!(code, Some(0), "{err}");
        let folder = Utf8PathBuf::from_path_buf(case.dir.path().join("rtl")).expect("UTF-8");
        Self { folder, _case: case }
    }

    /// Builds its bench; warnings that Verilator has on by default are errors.
    pub fn build(&self) {
        let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator can be made ready");
        let build = Run::new(Tool::Verilator)
            .args(["--binary", "--timing", "-j", "2", "--top-module", "mn_tb"])
            .args(["-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0 VM_PARALLEL_BUILDS=0"])
            .args(["-Mdir", "obj", "-f", "filelist.f", "tb/mn_tb.v"]);
        tools.run(&build, &self.folder, &self.folder.join("verilator.log")).expect("it builds without warnings");
    }

    /// What it prints.
    pub fn run(&self) -> String {
        let program = self.folder.join("obj/Vmn_tb");
        let said = process::Command::new(program).current_dir(&self.folder).output().expect("it runs");
        String::from_utf8(said.stdout).expect("UTF-8")
    }
}
