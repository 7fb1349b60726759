//! Mutants of modules that are proved, and the proofs that must reject them.

use super::mutants::{Design, Fate, Mutants, Tried};
use camino::Utf8Path;
use metronoc::emit::LIBRARY;
use metronoc::prove::{Case, PROOFS, Proof, modelling, modules, reading};
use metronoc::tool::{self, Command, Progress, Tool};
use std::fs;
use std::time::Duration;

/// Pass of Yosys after which a selection of one among several is gates, as in ABC: with a mutant several may be selected, of which the solver takes the
/// first.
const PARALLEL: &str = "techmap */t:$pmux";

/// A proof at one size, whose modules are mutated.
pub struct Proved {
    proof: &'static Proof,
    folder: tempfile::TempDir,
    mutants: Mutants,
}

/// Module that a proof is of, where its name says so.
fn subject(proof: &Proof) -> String {
    proof.top.replace("mn_prove_", "mn_")
}

impl Proved {
    /// Makes `count` mutants of the modules of a proof, but for its wrapper and those of other proofs; a proof that one changes nothing has `patience`.
    pub fn new(proof: &'static Proof, case: &Case, count: usize, patience: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let library = |file: &str| LIBRARY.iter().find(|module| module.file == file).unwrap().text;
        let mut files: Vec<(&str, &str)> = modules(proof).map(|file| (file, library(file))).collect();
        files.extend(proof.beside);
        let wrapper = format!("{}.v", proof.top);
        files.push((&wrapper, proof.wrapper));
        for (file, text) in &files {
            fs::write(folder.path().join(file), text).unwrap();
        }
        let names: Vec<&str> = files.iter().map(|(file, _)| *file).collect();
        // wrappers name registers of what they hold, so that nothing is optimised before it is flat
        let script = format!("{}\nproc\n", reading(proof, case, &names));
        let design = Design {
            folder: folder.path().to_owned(),
            top: proof.top,
            script: &script,
            start: None,
            several_clocks: proof.several_clocks,
            patience,
        };
        // what has a proof of its own is mutated there
        let is_other = |module: &str| PROOFS.iter().any(|other| other.top != proof.top && subject(other) == module);
        let takes = |module: &str| module != proof.top && !is_other(module);
        let mutants = Mutants::new(design, count, takes, |_| false);
        let this = Self { proof, folder, mutants };
        assert!(this.holds(0, 0), "{} is not proved without a mutant", proof.name);
        this
    }

    /// True if the properties are proved of the modules with a mutant.
    fn holds(&self, worker: usize, mutant: usize) -> bool {
        // the change itself, since the solver would choose the number that switches it on
        let change = if mutant == 0 { "" } else { self.mutants.lines[mutant - 1].as_str() };
        let name = format!("model_{worker}");
        self.mutants.yosys_of(
            &name,
            &format!("read_rtlil base.il\n{change}\n{PARALLEL}\n{}\n", modelling(self.proof, &format!("{name}.smt2"))),
        );
        let folder = Utf8Path::from_path(self.folder.path()).unwrap();
        let tools = tool::ensure(&metronoc::prove::tools(), Progress::Silent).unwrap();
        // deeper ones take minutes, and no proof needs them
        let steps = self.proof.depth.min(12).to_string();
        let solved = |part: &str| {
            let command =
                Command::new(Tool::YosysSmtbmc).args(["-s", "z3", "-t", &steps, part, &format!("{name}.smt2")]);
            let log = folder.join(format!("{name}.log"));
            let is_solved = tools.run(&command, folder, &log).is_ok();
            // a solver that gives no verdict refuses nothing
            let verdict = if is_solved { "Status: PASSED" } else { "Status: FAILED" };
            let said = fs::read_to_string(&log).unwrap();
            assert!(said.contains(verdict), "{}, mutant {mutant}: {said}", self.proof.name);
            is_solved
        };
        solved("--presat") && solved("-i")
    }
}

impl Tried for Proved {
    fn mutants(&self) -> &Mutants {
        &self.mutants
    }

    fn mutants_mut(&mut self) -> &mut Mutants {
        &mut self.mutants
    }

    fn fate(&self, worker: usize, mutant: usize) -> Fate {
        if !self.holds(worker, mutant) {
            Fate::Proof
        } else if self.mutants.equivalent(worker, mutant) {
            Fate::Equivalent
        } else {
            Fate::Survivor
        }
    }
}
