//! An emitted test bench in Verilator as a simulator that has time.

use super::case::Case;
use super::verilator;
use camino::Utf8PathBuf;
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
        let bench = ["--binary", "--timing", "-j", "2", "--top-module", "mn_tb", "-f", "filelist.f", "tb/mn_tb.v"];
        verilator::build(&self.folder, verilator::LEAST, bench);
    }

    /// What it prints.
    pub fn run(&self) -> String {
        let program = self.folder.join("obj/Vmn_tb");
        let said = process::Command::new(program).current_dir(&self.folder).output().expect("it runs");
        String::from_utf8(said.stdout).expect("UTF-8")
    }
}
