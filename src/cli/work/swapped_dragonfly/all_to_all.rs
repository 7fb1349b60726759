//! All-to-all on a Swapped Dragonfly.

use super::{Host, built};
use super::{routers, write_title};
use crate::check::judge::Account;
use crate::check::swapped_dragonfly::{AllToAllSummary, CheckedAllToAll};
use crate::cli::page::{Request, finish, report_error};
use crate::cli::work::Proved;
use crate::cli::work::enclosing::{EnclosingNetwork, Messages};
use crate::cli::work::verdict::Judged;
use crate::cli::work::{Work, not_lowered};
use crate::cli::{CliError, Context};
use crate::collective::{AllToAll, Collective};
use crate::count::counted;
use crate::family::Hardware;
use crate::lower::swapped_dragonfly::{lower_all_to_all, lower_hosted};
use crate::program::Program;
use crate::report::{AllToAllInputs, AllToAllReport};
use crate::spec::{AllToAllSpec, NetworkSpec, Spec};
use crate::topology::Topology;
use serde::Serialize;
use std::io::{self, Write};

/// An all-to-all.
#[derive(Debug)]
pub(super) struct AllToAllWork {
    pub spec: Spec,
    /// Host network, if the network is embedded in one.
    pub host: Option<Host>,
    pub collective: AllToAllSpec,
    pub schedule: CheckedAllToAll,
}

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    /// The verdict: `cycles`, `period`, `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    summary: AllToAllSummary<'a>,
    passes: u64,
    /// Clock cycles of all passes.
    total_cycles: u64,
}

impl AllToAllWork {
    /// Passes of the program: words of a message times repetitions.
    fn passes(&self) -> u64 {
        u64::from(self.collective.words) * u64::from(self.collective.repeat)
    }

    /// Clock cycles from the first claimed channel of the first pass to the last of the last.
    fn total_cycles(&self) -> u64 {
        (self.passes() - 1) * u64::from(self.schedule.period()) + u64::from(self.schedule.cycles())
    }
}

impl Work for AllToAllWork {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn algorithm(&self) -> &str {
        self.schedule.schedule().algorithm
    }

    fn proved(&self) -> &dyn Proved {
        &self.schedule
    }

    fn transfers(&self) -> u64 {
        self.schedule.proof().transfers
    }

    fn hops(&self) -> u64 {
        let of = |launch: &crate::program::form::swapped_dragonfly::uniform::Launch| {
            1 + u64::from(launch.vector.pi != 0) + u64::from(launch.vector.delta != 0)
        };
        self.schedule.schedule().program.launches().iter().map(of).sum::<u64>() * self.schedule.network().nodes() as u64
    }

    fn program(&self) -> Program {
        let program = self.schedule.schedule().to_program(&self.schedule.network());
        Program { period: Some(self.schedule.period()), ..program }
    }

    fn messages(&self) -> Option<Messages> {
        let nodes = self.schedule.network().nodes() as u32;
        Some((0..nodes).flat_map(|src| (0..nodes).map(move |dst| (src, dst))).collect())
    }

    fn collective(&self, networks: usize) -> Box<dyn Collective> {
        let AllToAllSpec { words, repeat, .. } = self.collective;
        let all = AllToAll::new(self.schedule.network().nodes() as u32, words, repeat);
        Box::new(all.in_networks(networks as u32))
    }

    fn enclosing(&self) -> Option<&dyn EnclosingNetwork> {
        self.host.as_ref().map(|host| host as &dyn EnclosingNetwork)
    }

    fn print_verdict(&self, one_by_one: Option<Account>, context: &Context) -> Result<(), CliError> {
        let verdict = Output {
            network: &self.spec.network,
            routers: self.schedule.network().nodes(),
            algorithm: self.schedule.schedule().algorithm,
            summary: self.schedule.summary(),
            passes: self.passes(),
            total_cycles: self.total_cycles(),
        };
        context.print_json(&Judged { verdict, one_by_one })
    }

    fn verdict(&self) -> String {
        let (net, schedule) = (self.schedule.network(), &self.schedule);
        let mut rows = vec![
            routers(&net),
            ("algorithm", self.schedule.schedule().algorithm.to_owned()),
            ("cycles", schedule.bounds().ratios(schedule.cycles())),
            ("period", format!("{}: cycles from the start of one pass to the next's", schedule.period())),
        ];
        if self.passes() > 1 {
            rows.push((
                "in all",
                format!("{} for {}", counted(self.total_cycles(), "cycle"), counted(self.passes(), "pass")),
            ));
        }
        super::verdict(&rows, schedule)
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let (net, program) = (self.schedule.network(), &self.schedule.schedule().program);
        let mut writer = io::BufWriter::new(writer);
        write_title(&mut writer, &net, self.schedule.schedule().algorithm, self.cycles())?;
        writeln!(writer, "# Row s: every router sends packets (γ,π,δ) whose global hop is in cycle s of the table.")?;
        let width = program.rows().saturating_sub(1).to_string().len();
        for row in 0..program.rows() {
            write!(writer, "{row:>width$}")?;
            for launch in program.row(row) {
                let v = launch.vector;
                write!(writer, "  ({},{},{})", v.gamma, v.pi, v.delta)?;
            }
            writeln!(writer)?;
        }
        writer.flush()
    }

    fn own_hardware(&self, _: &Context) -> Result<Box<dyn Hardware>, CliError> {
        let lowered = match built(self.host.as_ref()) {
            None => lower_all_to_all(&self.schedule, &self.spec),
            Some(embedding) => lower_hosted(&self.schedule, embedding, &self.spec),
        };
        Ok(Box::new(lowered.map_err(|error| not_lowered(&self.spec, &error))?))
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        let Request { cosim, synth, .. } = *request;
        let (spec, collective, schedule) = (&self.spec, &self.collective, &self.schedule);
        let report =
            AllToAllReport::new(&AllToAllInputs { spec, collective, schedule, cosim, synth }).map_err(report_error)?;
        finish(&report, || report.html(), request, context)
    }
}
