//! An emitted test bench in Verilator as a simulator that has time.

use super::case::Case;
use super::verilator;
use camino::Utf8PathBuf;

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
        verilator::build_bench(&self.folder);
    }

    /// What it prints.
    pub fn run(&self) -> String {
        verilator::run_bench(&self.folder)
    }
}
