//! One case through Yosys and the solver.

use super::counterexample::Counterexample;
use super::property::alone;
use super::{Case, Mutant, Proof, ProveError, Verdict};
use crate::emit;
use crate::tool::{Command, Tool, ToolError, ToolSet};
use camino::Utf8Path;
use std::collections::BTreeMap;
use std::fs;

const MODEL: &str = "model.smt2";
const TRACE: &str = "trace.vcd";

/// The tools of a proof.
pub fn tools() -> [Tool; 3] {
    [Tool::Yosys, Tool::YosysSmtbmc, Tool::Z3]
}

/// The text of the modules under proof.
#[derive(Debug, Clone, Copy)]
pub enum Hardware<'a> {
    /// Module as metronoc emits it.
    BuiltIn,
    /// Module with a defect, which one assertion alone must notice.
    Defect(&'static Mutant),
    /// Files, maybe edited: name → text.
    Files(&'a BTreeMap<String, String>),
}

/// The files that a proof takes from the hardware, in no particular order.
pub fn modules(proof: &Proof) -> impl Iterator<Item = &'static str> {
    emit::needed(std::iter::once(proof.wrapper)).into_iter().map(|module| module.file)
}

/// Proves a case of some hardware. Takes seconds.
///
/// `work` is an existing folder, where sources, logs and traces stand afterwards.
///
/// # Errors
/// [`ProveError`] of a run without a verdict.
pub fn prove(
    proof: &Proof,
    case: &Case,
    hardware: Hardware<'_>,
    tools: &ToolSet,
    work: &Utf8Path,
) -> Result<Verdict, ProveError> {
    let files = sources(proof, hardware)?;
    for (file, text) in &files {
        let path = work.join(file);
        fs::write(&path, text).map_err(|source| ProveError::File { path, source })?;
    }
    let names: Vec<&str> = files.iter().map(|(file, _)| file.as_str()).collect();
    tools.run(&model(proof, case, &names), work, &work.join("yosys.log"))?;
    if let Hardware::Defect(_) = hardware
        && let Err(found) = solve(proof, Part::Base, proof.depth, tools, work)?
    {
        return Ok(Verdict::Refuted(found));
    }
    // The step says how many cycles the base must have; if it fails, the base looks further for a run from the start.
    let (k, step) = match solve(proof, Part::Step, proof.depth, tools, work)? {
        Ok(k) => (k, None),
        Err(found) => (proof.depth, Some(found)),
    };
    Ok(match (solve(proof, Part::Base, k, tools, work)?, step) {
        (Err(found), _) => Verdict::Refuted(found),
        (Ok(_), Some(found)) => Verdict::Unproved(found),
        (Ok(_), None) => Verdict::Proved { k },
    })
}

/// The wrapper and all modules below it: file and text, in order of their names.
fn sources(proof: &Proof, hardware: Hardware<'_>) -> Result<Vec<(String, String)>, ProveError> {
    let mut files = Vec::new();
    for module in emit::needed(std::iter::once(proof.wrapper)) {
        let text = match hardware {
            Hardware::Files(edited) => {
                edited.get(module.file).ok_or_else(|| ProveError::Source(module.file.into()))?.clone()
            }
            Hardware::BuiltIn | Hardware::Defect(_) => module.text.to_owned(),
        };
        files.push((module.file.to_owned(), text));
    }
    let wrapper = match hardware {
        Hardware::Defect(mutant) => {
            alone(proof.wrapper, mutant.breaks).ok_or(ProveError::Property { mutant: mutant.name })?
        }
        Hardware::BuiltIn | Hardware::Files(_) => proof.wrapper.to_owned(),
    };
    files.push((format!("{}.v", proof.top), wrapper));
    files.extend(proof.beside.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())));
    files.sort();
    if let Hardware::Defect(mutant) = hardware {
        let text = files.iter_mut().find(|(file, _)| file == mutant.file).map(|(_, text)| text);
        let times = text.as_ref().map_or(0, |text| text.matches(mutant.old).count());
        match text {
            Some(text) if times == 1 => *text = text.replacen(mutant.old, mutant.new, 1),
            _ => return Err(ProveError::Stale { mutant: mutant.name, file: mutant.file, times }),
        }
    }
    Ok(files)
}

/// Passes of Yosys that read files as a case has them.
pub fn reading(proof: &Proof, case: &Case, files: &[&str]) -> String {
    let parameters: String = case.parameters.iter().map(|(name, value)| format!(" -chparam {name} {value}")).collect();
    format!("read_verilog -formal -mem2reg {}; hierarchy -check -top {}{parameters}", files.join(" "), proof.top)
}

/// Passes of Yosys that write the solver's model, with this name, of what was read.
pub fn modelling(proof: &Proof, model: &str) -> String {
    let clocks = if proof.several_clocks { "clk2fflogic" } else { "async2sync" };
    format!("prep -flatten -top {}; {clocks}; opt -full; dffunmap; write_smt2 -wires {model}", proof.top)
}

/// Makes the solver's model of a case.
fn model(proof: &Proof, case: &Case, files: &[&str]) -> Command {
    let script = format!("{}; {}", reading(proof, case, files), modelling(proof, MODEL));
    Command::new(Tool::Yosys).args(["-q", "-p", script.as_str()])
}

#[derive(Debug, Clone, Copy)]
enum Part {
    Base,
    Step,
}

impl Part {
    /// Command for `cycles` cycles.
    fn command(self, cycles: u32) -> Command {
        let steps = cycles.to_string();
        let command = Command::new(Tool::YosysSmtbmc).args(["-s", "z3", "-t", &steps, "--dump-vcd", TRACE]);
        match self {
            // Assumptions that exclude each other would prove anything.
            Part::Base => command.arg("--presat"),
            Part::Step => command.arg("-i"),
        }
        .arg(MODEL)
    }

    fn log(self) -> &'static str {
        match self {
            Part::Base => "base.log",
            Part::Step => "step.log",
        }
    }
}

/// Solves one part: gives the cycles that the step assumed (meaningless for the base), or the counterexample.
fn solve(
    proof: &Proof,
    part: Part,
    cycles: u32,
    tools: &ToolSet,
    work: &Utf8Path,
) -> Result<Result<u32, Counterexample>, ProveError> {
    let log = work.join(part.log());
    let failure = match tools.run(&part.command(cycles), work, &log) {
        Ok(output) => return Ok(Ok(assumed(&output.text, cycles))),
        Err(ToolError::Failed { log, .. }) => log,
        Err(error) => return Err(error.into()),
    };
    let read =
        |path: &Utf8Path| fs::read_to_string(path).map_err(|source| ProveError::File { path: path.to_owned(), source });
    let lines = failed_lines(&read(&failure)?, proof.top);
    if lines.is_empty() {
        return Err(ProveError::Unclear { log: failure });
    }
    let trace = read(&work.join(TRACE))?;
    Ok(Err(Counterexample::new(proof, &lines, trace)))
}

/// The k of a step that succeeded: it tries to fail in cycle `cycles`, beginning in earlier and earlier cycles.
fn assumed(log: &str, cycles: u32) -> u32 {
    let last = log.lines().rev().find_map(|line| line.split("induction in step ").nth(1));
    let begin = last.and_then(|rest| rest.trim_end_matches('.').parse().ok()).unwrap_or(0);
    cycles - u32::min(begin, cycles)
}

/// The wrapper's lines of the assertions that failed.
fn failed_lines(log: &str, top: &str) -> Vec<usize> {
    let mark = format!("Assert failed in {top}: {top}.v:");
    let number = |line: &str| -> Option<usize> { line.split(&mark).nth(1)?.split('.').next()?.parse().ok() };
    let mut lines: Vec<usize> = log.lines().filter_map(number).collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::PROOFS;

    #[test]
    fn plans_are_what_a_user_could_type() {
        let proof = &PROOFS[0];
        let command = model(proof, proof.case("d3-2-3-x2").unwrap(), &["mn_a.v", "mn_b.v"]);
        assert_eq!(
            command.to_string(),
            "yosys -q -p 'read_verilog -formal -mem2reg mn_a.v mn_b.v; hierarchy -check -top mn_prove_sv_router -chparam K 2 -chparam M 3 -chparam XBAR_STAGES 2 -chparam STICKY 1; prep -flatten -top mn_prove_sv_router; async2sync; opt -full; dffunmap; write_smt2 -wires model.smt2'"
        );
        assert_eq!(
            Part::Base.command(4).to_string(),
            "yosys-smtbmc -s z3 -t 4 --dump-vcd trace.vcd --presat model.smt2"
        );
        assert_eq!(Part::Step.command(4).to_string(), "yosys-smtbmc -s z3 -t 4 --dump-vcd trace.vcd -i model.smt2");
    }

    #[test]
    fn logs_are_understood() {
        let step = "##   0:00:00  Trying induction in step 3..\n##   0:00:00  Trying induction in step 1..\n\
                    ##   0:00:01  Temporal induction successful.\n";
        assert_eq!(assumed(step, 3), 2);
        let base = "##   0:00:00  BMC failed!\n##   0:00:00  Assert failed in mn_p: mn_p.v:245.43-245.70 ($a)\n\
                    ##   0:00:00  Assert failed in mn_p: mn_p.v:243.43-243.69 ($b)\n\
                    ##   0:00:00  Assert failed in mn_p: mn_p.v:243.43-243.69 ($c)\n";
        assert_eq!(failed_lines(base, "mn_p"), [243, 245]);
        assert!(failed_lines("##   0:00:00  Status: PREUNSAT\n", "mn_p").is_empty());
    }

    #[test]
    fn a_folder_must_have_all_modules() {
        let proof = &PROOFS[0];
        let mut files: BTreeMap<String, String> = modules(proof).map(|m| (m.to_owned(), String::new())).collect();
        assert!(sources(proof, Hardware::Files(&files)).is_ok());
        files.remove("mn_conflict.v");
        let refusal = sources(proof, Hardware::Files(&files)).unwrap_err();
        assert_eq!(refusal.to_string(), "the hardware lacks `mn_conflict.v`");
    }

    #[test]
    fn every_defect_fits() {
        for proof in PROOFS {
            for mutant in proof.mutants {
                sources(proof, Hardware::Defect(mutant)).unwrap_or_else(|error| panic!("{}: {error}", proof.name));
            }
        }
    }
}
