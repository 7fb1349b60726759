//! Page of couplers that arbitrate: figures of each load, with both arbiters side by side.

use crate::collective::pops::{Figures, Traffic};
use crate::lower::PopsDynamic;
use crate::model::pops_traffic::simulate;
use crate::report::ReportError;
use crate::report::curves::{Axis, Curve, curves_picture, pairs_picture};
use crate::report::facts::{Fact, Provenance, grouped};
use crate::spec::Spec;
use crate::spec::traffic::{Arbitration, TrafficSpec};
use askama::Template;
use rayon::prelude::*;
use serde::Serialize;

/// The most cycles that the model runs for a page.
const MOST_CYCLES: u64 = 100_000;

/// Contents of the page.
#[derive(Debug, Serialize)]
pub struct PopsTrafficReport<'a> {
    /// The network in the field's notation.
    pub network: String,
    /// Traffic pattern: destinations of the packets.
    pub pattern: &'static str,
    /// Facts of the simulation.
    pub facts: Vec<Fact>,
    /// Cycles of each run in which packets were made.
    pub cycles: u64,
    /// Arbitration of the specification's couplers.
    pub arbitration: &'static str,
    /// Figures with couplers of fixed priority, by load.
    pub fixed_priority: Vec<Figures>,
    /// Figures with round-robin couplers, by load.
    pub round_robin: Vec<Figures>,
    /// Origin of the report.
    #[serde(flatten)]
    pub provenance: Provenance<'a>,
}

#[derive(Template)]
#[template(path = "report/pops/traffic.html")]
struct Page<'a> {
    report: &'a PopsTrafficReport<'a>,
    title: String,
    pictures: Vec<(&'static str, String)>,
    tables: [(&'static str, &'static str, &'a [Figures]); 2],
    cycles: String,
}

impl<'a> PopsTrafficReport<'a> {
    /// Runs the model at every load, with both ways to arbitrate.
    ///
    /// # Errors
    /// [`ReportError::Figure`] if the model loses a packet: a defect of metronoc.
    pub fn new(
        spec: &'a Spec,
        of: &TrafficSpec,
        hardware: &PopsDynamic,
        traffics: Vec<Traffic>,
    ) -> Result<Self, ReportError> {
        let shorter = |traffic: Traffic| traffic.shortened(MOST_CYCLES);
        let mut traffics: Vec<Traffic> = traffics.into_iter().map(shorter).collect();
        traffics.sort_by_key(|traffic| traffic.load);
        let runs = |arbitration: Arbitration| {
            let hardware = PopsDynamic { arbitration, ..hardware.clone() };
            traffics.par_iter().map(|traffic| simulate(&hardware, traffic)).collect::<Result<Vec<_>, _>>()
        };
        let (net, words) = (hardware.network, hardware.words);
        let plural = |n: u64, what: &str| format!("{} {what}{}", grouped(n), if n == 1 { "" } else { "s" });
        let cycles = traffics.first().map_or(0, |traffic| traffic.cycles);
        let facts = [
            ("Network", format!("{net}: {}", plural(net.processors().into(), "processor"))),
            ("Couplers", plural(net.couplers(), "coupler")),
            ("Packets", format!("{} of {} bits", plural(words.into(), "word"), hardware.data_bits)),
            ("Queues", format!("{} each", plural(hardware.depth.into(), "packet"))),
            ("Traffic", format!("{}, seed {}", of.pattern.name(), traffics.first().map_or(0, |traffic| traffic.seed))),
            ("Receivers", format!("take a word in {} of the cycles", of.ready.value())),
            ("Runs", format!("the software model alone, {} each", plural(cycles, "cycle"))),
        ];
        Ok(Self {
            network: net.to_string(),
            pattern: of.pattern.name(),
            facts: facts.into_iter().map(|(label, value)| Fact::new(label, value)).collect(),
            cycles,
            arbitration: hardware.arbitration.name(),
            fixed_priority: runs(Arbitration::FixedPriority).map_err(ReportError::figure)?,
            round_robin: runs(Arbitration::RoundRobin).map_err(ReportError::figure)?,
            provenance: Provenance::new(spec),
        })
    }

    /// The report as a page.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn html(&self) -> Result<String, ReportError> {
        let both = [("first", "round-robin", &self.round_robin), ("last", "fixed priority", &self.fixed_priority)];
        let curves = |value: &dyn Fn(&Figures) -> f64| -> Vec<Curve<'static>> {
            both.map(|(class, name, runs)| Curve {
                class,
                name,
                points: runs.iter().map(|run| (run.load, value(run))).collect(),
            })
            .into()
        };
        let ideal = Curve { class: "ideal", name: "all that is offered", points: vec![(0.0, 0.0), (1.0, 1.0)] };
        let throughput = [curves(&|run| run.throughput), vec![ideal]].concat();
        let highest = |runs: &'_ [Figures]| runs.last().map_or(Vec::new(), |run| run.fairness.packets.clone());
        let packets = [highest(&self.round_robin), highest(&self.fixed_priority)];
        let pictures = vec![
            (
                "Packets that a processor gets through in a slot. Dashed: all that is offered.",
                curves_picture(
                    "throughput",
                    "Throughput by load",
                    "A curve for each way to arbitrate; it leaves the dashed line where the network is full.",
                    "packets a processor and slot",
                    Axis::Share,
                    &throughput,
                ),
            ),
            (
                "Mean of the cycles from the making of a packet to its coming out. Above saturation packets wait before they go in, the \
                 longer the longer the run is.",
                curves_picture(
                    "latency",
                    "Latency by load",
                    "A curve for each way to arbitrate, on a logarithmic axis.",
                    "cycles",
                    Axis::Logarithmic,
                    &curves(&|run| run.latency.mean),
                ),
            ),
            (
                "Jain's index of what the processors get through: 1 if all get the same, 1/n if one gets all.",
                curves_picture(
                    "fairness",
                    "Fairness by load",
                    "A curve for each way to arbitrate.",
                    "Jain's index",
                    Axis::Share,
                    &curves(&|run| run.fairness.jain),
                ),
            ),
            (
                "What each processor gets through at the highest load: where a bar is missing, a processor starves.",
                pairs_picture(
                    "processors",
                    "Packets of each processor at the highest load",
                    "Two bars a processor, one for each way to arbitrate.",
                    "processor; upwards: packets",
                    ["round-robin", "fixed priority"],
                    [&packets[0], &packets[1]],
                ),
            ),
        ];
        let tables = [
            ("Round-robin", "round-robin", self.round_robin.as_slice()),
            ("Fixed priority", "fixed-priority", self.fixed_priority.as_slice()),
        ];
        let title = format!("Traffic on {}", self.network);
        Ok(Page { report: self, title, pictures, tables, cycles: grouped(self.cycles) }.render()? + "\n")
    }
}
