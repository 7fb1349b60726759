//! Schedules in full that hold: the verdict of the judge that follows single transfers, with bounds.

use super::verdict;
use crate::check::BoundList;
use crate::check::Verdict;
use crate::check::judge::{self, Account, Fault};
use crate::cli::{CliError, Context};
use crate::count::counted;
use crate::program::Document;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

/// A schedule in full that holds.
#[derive(Debug)]
pub struct JudgedDocument {
    /// Schedule.
    pub document: Document,
    /// Verdict.
    pub account: Account,
    /// Lower bounds.
    pub bounds: BoundList,
    /// Origin of a schedule that another tool made.
    pub origin: Option<Origin>,
    /// Collectives that run one after the other; empty if there is one.
    pub sequence: Vec<Turn>,
}

/// A collective of a sequence.
#[derive(Debug, Clone, Serialize)]
pub struct Turn {
    /// Kind of the collective.
    pub kind: &'static str,
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// First cycle.
    pub start: u32,
    /// Cycles.
    pub cycles: u32,
    /// Largest lower bound of this collective alone, in cycles.
    pub bound: u64,
}

/// Origin of a schedule that another tool made, and metronoc's own schedule of the same collective.
#[derive(Debug, Clone, Serialize)]
pub struct Origin {
    /// Name of the file's form.
    pub form: &'static str,
    /// Times of the schedule.
    pub times: TimesOf,
    /// Shortest schedule of metronoc, once it has been computed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<Best>,
    /// The shortest schedule of metronoc under the form's rule of ports, if the form has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_ports: Option<Best>,
}

/// Maker of the times of a schedule that another tool made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimesOf {
    /// The file.
    File,
    /// List scheduling.
    ListScheduling,
}

/// A schedule of metronoc's own.
#[derive(Debug, Clone, Serialize)]
pub struct Best {
    /// Name of the algorithm.
    pub algorithm: &'static str,
    /// Cycles.
    pub cycles: u32,
}

impl Origin {
    /// Rows of the verdict for people.
    fn rows(&self, cycles: u32) -> Vec<(&'static str, String)> {
        let times = match self.times {
            TimesOf::File => "of the file",
            TimesOf::ListScheduling => "made by list scheduling, in the order that the file's sends need",
        };
        let mut rows = vec![("form", self.form.to_owned()), ("times", times.to_owned())];
        for (name, best) in [("best", &self.best), ("same ports", &self.same_ports)] {
            let Some(Best { algorithm, cycles: own }) = *best else { continue };
            let ratio = f64::from(cycles) / f64::from(own.max(1));
            rows.push((
                name,
                format!("{} by `{algorithm}`: the file takes {ratio:.3} times as many", counted(own, "cycle")),
            ));
        }
        rows
    }
}

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a Value,
    collective: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithm: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    origin: Option<&'a Origin>,
    #[serde(skip_serializing_if = "<[Turn]>::is_empty")]
    sequence: &'a [Turn],
    /// Sum of the bounds of a sequence's collectives, in cycles: no schedule that ends each before it begins the next is shorter.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound_one_by_one: Option<u64>,
    cycles: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<u32>,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, Account>,
}

impl JudgedDocument {
    /// Judges a schedule in full.
    ///
    /// # Errors
    /// The first [`Fault`] of a schedule that does not hold.
    pub fn new(document: Document) -> Result<Self, Fault> {
        let account = judge::judge(&document)?;
        let bounds = judge::bounds(&document)?;
        Ok(Self { document, account, bounds, origin: None, sequence: Vec::new() })
    }

    /// The proof in sentences.
    pub fn argument(&self) -> Vec<String> {
        let Account { packets, transfers, operations, repeated_arrivals, waiting, .. } = self.account;
        let mut lines = vec![
            format!(
                "no conflict: no channel carries two of {} in a cycle, in {}",
                counted(packets, "packet"),
                counted(transfers, "transfer")
            ),
            format!("causality: every packet is where it leaves from; at most {waiting} wait at a node to go on"),
            format!(
                "delivery: every packet comes to each of its destinations; {repeated_arrivals} arrivals are repeated"
            ),
        ];
        if operations > 0 {
            lines.push(format!("result: the inputs of {} are there", counted(operations, "operation")));
        }
        if !self.sequence.is_empty() {
            lines.push(
                "sequence: each collective holds on its own, too, with the packets and sums of its kind".to_owned(),
            );
        }
        lines
    }

    /// Sum of the bounds of a sequence's collectives, in cycles.
    fn bound_one_by_one(&self) -> Option<u64> {
        (!self.sequence.is_empty()).then(|| self.sequence.iter().map(|turn| turn.bound).sum())
    }

    /// Prints the verdict for programs.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn print(&self, algorithm: Option<&str>, context: &Context) -> Result<(), CliError> {
        let Self { account, bounds, document, origin, sequence } = self;
        let verdict = Verdict::new(account.cycles, bounds, account, self.argument());
        let (network, collective) = (&document.network, &document.collective);
        let (cycles, period) = (account.cycles, document.repeat_every);
        context.print_json(&Output {
            network,
            collective,
            algorithm,
            origin: origin.as_ref(),
            sequence,
            bound_one_by_one: self.bound_one_by_one(),
            cycles,
            period,
            verdict,
        })
    }

    /// Verdict for people.
    pub fn verdict(&self, algorithm: Option<&str>) -> String {
        let Self { account, bounds, document, origin, sequence } = self;
        let text = |table: &Value, key: &str| table[key].as_str().unwrap_or("?").to_owned();
        let Account { nodes, channels, cycles, .. } = *account;
        let known = if account.known_topology { "as the topology has them" } else { "as the file lists them" };
        let network = format!(
            "{}: {}, {}, {known}",
            text(&document.network, "topology"),
            counted(nodes, "node"),
            counted(channels, "channel")
        );
        // packets of a kind that has no form for several words
        let kind = document.collective["of"].as_str().map_or_else(|| text(&document.collective, "kind"), str::to_owned);
        let mut rows = vec![("network", network), ("collective", kind)];
        rows.extend(algorithm.filter(|_| sequence.is_empty()).map(|algorithm| ("algorithm", algorithm.to_owned())));
        rows.extend(sequence.iter().map(|Turn { kind, algorithm, start, cycles, bound }| {
            (
                "",
                format!(
                    "{kind} by `{algorithm}`: {}, from cycle {start} on; at least {bound}",
                    counted(*cycles, "cycle")
                ),
            )
        }));
        rows.extend(origin.iter().flat_map(|origin| origin.rows(cycles)));
        rows.push(("cycles", bounds.ratios(cycles)));
        rows.extend(self.bound_one_by_one().map(|sum| {
            (
                "one by one",
                format!(
                    "at least {sum} where each collective ends before the next begins: {:.3} times",
                    f64::from(cycles) / sum.max(1) as f64
                ),
            )
        }));
        if let Some(period) = document.repeat_every {
            rows.push(("period", format!("{period}: cycles from the start of one pass to the next's")));
        }
        verdict::table(&rows, verdict::heading(bounds), bounds, "The schedule holds:", &self.argument())
    }

    /// Writes the schedule for people.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let Document { nodes, channels, transfers, .. } = &self.document;
        let mut writer = io::BufWriter::new(writer);
        writeln!(writer, "# cycle, channel, packet")?;
        for &(cycle, channel, packet) in transfers {
            let (from, to) = channels[channel as usize];
            writeln!(writer, "{cycle} {} {} {packet}", nodes[from as usize].0, nodes[to as usize].0)?;
        }
        writer.flush()
    }
}
