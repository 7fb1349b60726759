//! POPS without a schedule: couplers that arbitrate while packets come.

mod cosim;
mod work;

use work::DynamicWork;
pub use work::of;

use super::{Fields, UnscheduledTraffic};
use crate::cli::cosim::args::Args;
use crate::cli::page::{Request, finish, report_error};
use crate::cli::progress::Progress;
use crate::cli::work::origin;
use crate::cli::{CliError, Context, Exit};
use crate::collective::pops::Figures;
use crate::emit::RtlBundle;
use crate::model::pops_traffic;
use crate::report::PopsTrafficReport;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// The result of a simulation, for programs.
#[derive(Serialize)]
struct Output {
    runs: Vec<Figures>,
}

impl UnscheduledTraffic for DynamicWork {
    fn emitted(&self, path: &Path) -> Result<RtlBundle, CliError> {
        RtlBundle::new(&self.hardware, &origin(&self.spec, path)).map_err(|error| CliError::Internal(error.to_string()))
    }

    fn sizes(&self) -> Fields {
        let p = &self.hardware;
        let (processors, couplers) = (p.network.processors(), p.network.couplers());
        Fields(vec![
            ("processors", processors.into()),
            ("couplers", couplers.into()),
            ("arbitration", p.arbitration.name().into()),
        ])
    }

    fn simulate(&self, context: &Context) -> Result<(), CliError> {
        let loads = self.traffics();
        let runs = loads.iter().map(|traffic| pops_traffic::simulate(&self.hardware, traffic));
        let runs: Vec<Figures> = runs
            .collect::<Result<_, _>>()
            .map_err(|loss| CliError::failed(Exit::Mismatch, loss.to_string(), "report this"))?;
        if context.json {
            return context.print_json(&Output { runs });
        }
        let mut text =
            format!("{:>6} {:>10} {:>8} {:>6} {:>6} {:>8}\n", "load", "throughput", "latency", "p50", "p99", "packets");
        for run in &runs {
            let Figures { load, throughput, latency, packets, .. } = run;
            let (mean, p50, p99) = (latency.mean, latency.p50, latency.p99);
            let _ = writeln!(text, "{load:>6.3} {throughput:>10.3} {mean:>8.1} {p50:>6} {p99:>6} {packets:>8}");
        }
        context.print(text)
    }

    fn cosim(&self, args: &Args, context: &Context) -> Result<(), CliError> {
        cosim::run(args, self, context)
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        if request.cosim.is_some() || !request.synth.is_empty() {
            let message = "a report of traffic shows the model alone";
            return Err(CliError::failed(Exit::Usage, message, "leave `--cosim` and `--synth` out"));
        }
        let progress = Progress::new(context, "simulating");
        let report = PopsTrafficReport::new(&self.spec, &self.collective, &self.hardware, self.traffics());
        let report = report.map_err(report_error)?;
        progress.done();
        finish(&report, || report.html(), request, context)
    }
}
