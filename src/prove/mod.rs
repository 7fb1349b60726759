//! Unbounded proofs of hardware: properties of a module in every cycle, for any traffic, at small sizes.
//!
//! A [`Proof`] is a Verilog wrapper of `rtl_templates/formal/` and the sizes at which it is proved. The wrapper has the
//! module under proof, a reference, assumptions and assertions. Each [`Case`] is proved by k-induction (Yosys,
//! yosys-smtbmc, z3):
//!
//! 1. base: no assertion fails in the first cycles after the start;
//! 2. step: from *any* state after which all assertions held for k cycles, reachable or not, they hold in the next one.
//!
//! Together: they hold for ever. A proof is worth as much as what it would not let pass, so each comes with
//! [`Mutant`]s, small defects of the hardware that it must reject.
//!
//! A new proof is a wrapper, a file here with its [`Proof`], and a line in [`PROOFS`].

mod arbiter;
mod counterexample;
mod fifo;
mod fifo_async;
mod host;
mod pops_coupler;
mod pops_queue_port;
mod pops_reader;
mod proof;
mod property;
mod run;
mod second_arbiter;
mod sh_router;
mod slot_bank;
mod slot_loader;
mod slot_router;
mod sv_router;

pub use counterexample::Counterexample;
pub use proof::{Case, Mutant, Proof};
pub use property::{Kind, Property, properties};
pub use run::{Hardware, modelling, modules, prove, reading, tools};

use crate::tool::ToolError;
use camino::Utf8PathBuf;
use std::fmt;
use std::io;
use thiserror::Error;

/// Every proof, in the order in which they are shown.
pub const PROOFS: &[Proof] = &[
    sv_router::PROOF,
    sh_router::PROOF,
    arbiter::PROOF,
    pops_coupler::PROOF,
    second_arbiter::PROOF,
    pops_queue_port::PROOF,
    pops_reader::PROOF,
    slot_router::PROOF,
    slot_bank::PROOF,
    slot_loader::PROOF,
    host::PROOF,
    fifo::PROOF,
    fifo_async::PROOF,
];

/// Verdict on a case.
#[derive(Debug)]
pub enum Verdict {
    /// The property holds in every cycle.
    Proved {
        /// Cycles that the step assumed.
        k: u32,
    },
    /// Refuted property, with a counterexample.
    Refuted(Counterexample),
    /// The step does not succeed, though the base does: from a state that may be unreachable. Either an assertion is
    /// missing that rules the state out, or the defect shows after more cycles than the base has.
    Unproved(Counterexample),
}

/// Error of a case without a verdict.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ProveError {
    /// A tool is missing, or did not do its work.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file of the run cannot be read or written.
    #[error("cannot use `{path}`: {source}")]
    File {
        /// Path of the file.
        path: Utf8PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// A module is missing.
    #[error("the hardware lacks `{0}`")]
    Source(String),
    /// A defect cannot be made, as the hardware's text is another one.
    #[error("the defect `{mutant}` does not fit: {file} has its text {times} times instead of once")]
    Stale {
        /// Name of the mutant.
        mutant: &'static str,
        /// The file.
        file: &'static str,
        /// Occurrences of the text.
        times: usize,
    },
    /// A defect breaks an assertion that there is not.
    #[error("the defect `{mutant}` breaks an assertion that the wrapper does not have")]
    Property {
        /// Name of the mutant.
        mutant: &'static str,
    },
    /// Log of the solver that cannot be interpreted.
    #[error("yosys-smtbmc says neither that the proof passed nor which assertion failed; see {log}")]
    Unclear {
        /// The log.
        log: Utf8PathBuf,
    },
}

impl Proof {
    /// The case of this name.
    pub fn case(&self, name: &str) -> Option<&'static Case> {
        self.cases.iter().find(|case| case.name == name)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&list.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_registry_is_consistent() {
        let names: BTreeSet<_> = PROOFS.iter().map(|proof| proof.name).collect();
        assert_eq!(names.len(), PROOFS.len());
        for proof in PROOFS {
            assert!(proof.wrapper.contains(&format!("\nmodule {} ", proof.top)), "{}", proof.name);
            assert!(!proof.mutants.is_empty(), "{} would let anything pass", proof.name);
            let cases: BTreeSet<_> = proof.cases.iter().map(|case| case.name).collect();
            assert_eq!(cases.len(), proof.cases.len(), "{}", proof.name);
            let mutants: BTreeSet<_> = proof.mutants.iter().map(|mutant| mutant.name).collect();
            assert_eq!(mutants.len(), proof.mutants.len(), "{}", proof.name);
            for mutant in proof.mutants {
                assert!(cases.contains(mutant.case), "{}/{}", proof.name, mutant.name);
            }
            for case in proof.cases {
                for (parameter, _) in case.parameters {
                    assert!(proof.wrapper.contains(&format!("parameter {parameter} =")), "{}: {parameter}", proof.name);
                }
            }
        }
    }

    #[test]
    fn every_assertion_rejects_something() {
        for proof in PROOFS {
            for property in properties(proof.wrapper).iter().filter(|p| p.kind == Kind::Assert) {
                let rejects = proof.mutants.iter().any(|mutant| property.text.starts_with(mutant.breaks));
                assert!(rejects, "{}: no mutant breaks `{}`", proof.name, property.text);
            }
        }
    }

    #[test]
    fn every_wrapper_is_proved() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rtl_templates/formal");
        let mut files: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        let mut tops: Vec<String> = PROOFS.iter().map(|proof| format!("{}.v", proof.top)).collect();
        tops.sort();
        assert_eq!(files, tops);
    }
}
