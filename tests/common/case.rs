//! A specification in a folder of its own, and metronoc run there.

use assert_cmd::Command;
use std::fs;
use tempfile::TempDir;

/// A folder with a specification, `case.toml`.
pub struct Case {
    pub dir: TempDir,
}

impl Case {
    /// Writes the specification.
    pub fn new(spec: &str) -> Self {
        let dir = TempDir::new().unwrap();
        fs::write(dir.path().join("case.toml"), spec).unwrap();
        Self { dir }
    }

    /// Runs metronoc in the folder: exit code, standard output and standard error.
    pub fn metronoc(&self, args: &[&str]) -> (Option<i32>, String, String) {
        self.metronoc_with(&[], args)
    }

    /// Like [`Self::metronoc`], with variables of the environment.
    pub fn metronoc_with(&self, variables: &[(&str, &str)], args: &[&str]) -> (Option<i32>, String, String) {
        let mut command = Command::cargo_bin("metronoc").unwrap();
        let output = command.current_dir(self.dir.path()).envs(variables.iter().copied()).args(args).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    /// Verilog and model agree on random data.
    pub fn is_in_lockstep(&self) {
        let (_, said, errors) = self.metronoc(&["cosim", "case.toml", "--random"]);
        assert!(said.contains("hardware and model agree"), "{said}{errors}");
    }
}

/// True if a message of `cosim --stress` is of the stress, and not of the plain run before it.
pub fn is_of_stress(said: &str) -> bool {
    ["under stress", "a provoked fault goes unnoticed", "is stressed"].iter().any(|mark| said.contains(mark))
}
