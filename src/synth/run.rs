//! Runs of the tools of a synthesis, one after the other.

use super::flow::{self, Step, Synthesis};
use super::{Report, SynthError, netlist};
use crate::interrupt;
use crate::tool::{Progress, Tool, ToolError, ToolSet};
use camino::Utf8Path;
use std::collections::BTreeMap;

/// Result of a synthesis: the report, and files by their relative paths.
pub struct Outcome {
    /// Report of area, clock and traffic.
    pub report: Report,
    /// Sources, scripts, logs, the tools' reports and the bitstream.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Synthesis<'_> {
    /// Runs the flow in the folder `work`, which must be empty and stays as it is when a step fails.
    ///
    /// # Errors
    /// If a tool fails, or the network does not fit.
    pub fn run(&self, tools: &ToolSet, work: &Utf8Path, progress: Progress) -> Result<Outcome, SynthError> {
        let mut files: BTreeMap<String, Vec<u8>> =
            self.project.files().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect();
        let plan = flow::plan(self.project, self.board, &self.options);
        files.insert(flow::SCRIPT.into(), plan.script.clone().into_bytes());
        files.insert("commands.sh".into(), plan.shell().into_bytes());
        for (name, contents) in &files {
            write(&work.join(name), contents)?;
        }
        let mut modules = Vec::new();
        for (step, command) in &plan.steps {
            let log = step.log();
            let shown = progress.step(&format!("{} ({})", step.describe(), command.tool()));
            let ran = tools.run(command, work, &work.join(log));
            files.insert(log.into(), std::fs::read(work.join(log)).unwrap_or_default()); // the error tells more
            match ran {
                Err(ToolError::Failed { tail, log, .. }) if *step == Step::Place && no_room(&tail).is_some() => {
                    return Err(SynthError::NoRoom {
                        network: self.network(),
                        board: self.board.title.clone(),
                        device: self.device(),
                        reason: no_room(&tail).unwrap_or_default(), // checked above
                        log,
                    });
                }
                ran => ran?,
            };
            shown.done();
            if *step == Step::Synthesize {
                let netlist = read(&work.join(flow::NETLIST))?;
                modules = netlist::modules(&netlist).map_err(|reason| SynthError::Answer {
                    file: flow::NETLIST,
                    tool: Tool::Yosys,
                    reason,
                })?;
                self.fits(&modules)?;
            }
        }
        let placed = read(&work.join(flow::PLACED))?;
        let report = Report::new(self, modules, &placed, tools)?;
        files.insert(flow::PLACED.into(), placed);
        files.insert(self.project.bitstream(), read(&work.join(self.project.bitstream()))?);
        files.insert("report.json".into(), report.to_json().into_bytes());
        files.insert("report.txt".into(), report.to_string().into_bytes());
        Ok(Outcome { report, files })
    }

    fn network(&self) -> String {
        self.design.network.clone()
    }

    fn device(&self) -> String {
        format!("{}-{}", self.board.family, self.board.device)
    }

    /// Compares the needs of the network after synthesis with the device.
    fn fits(&self, modules: &[netlist::Module]) -> Result<(), SynthError> {
        let total = netlist::Area::sum(modules.iter().map(|module| module.area));
        let has = self.board.capacity;
        let rows = [
            ("look-up tables", total.luts_with_rams(), has.luts),
            ("registers", total.registers, has.registers),
            ("block RAMs", total.block_rams, has.block_rams),
        ];
        match rows.into_iter().find(|(_, needed, available)| needed > available) {
            Some((resource, needed, available)) => Err(SynthError::TooLarge {
                network: self.network(),
                board: self.board.title.clone(),
                device: self.device(),
                resource,
                needed,
                available,
            }),
            None => Ok(()),
        }
    }
}

/// Line in which place and route reports that a resource is used up.
fn no_room(tail: &str) -> Option<String> {
    let signs = ["Unable to place", "no BELs remaining", "Failed to place", "failed to place", "Unable to find legal"];
    let line = tail.lines().find(|line| line.contains("ERROR") && signs.iter().any(|sign| line.contains(sign)))?;
    line.split("ERROR: ").nth(1).map(str::to_owned)
}

fn read(path: &Utf8Path) -> Result<Vec<u8>, SynthError> {
    std::fs::read(path).map_err(|source| SynthError::Io { path: path.to_owned(), source })
}

fn write(path: &Utf8Path, contents: &[u8]) -> Result<(), SynthError> {
    // An interrupt removes the folder, and must not find it made again.
    let _whole = interrupt::postponed();
    let made = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(path, contents));
    made.map_err(|source| SynthError::Io { path: path.to_owned(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_and_route_says_what_it_ran_out_of() {
        let tail = "  | Info: Packing\n  | ERROR: Unable to place cell 'a', no BELs remaining to implement cell type 'ICESTORM_RAM'";
        assert!(no_room(tail).is_some_and(|reason| reason.ends_with("'ICESTORM_RAM'")));
        assert_eq!(no_room("  | ERROR: cannot open file"), None);
    }
}
