//! Broadcasts on a Swapped Dragonfly, as streams from one router.

use super::Host;
use super::placed;
use super::{routers, write_title};
use crate::check::Verdict;
use crate::check::judge::Account;
use crate::check::swapped_dragonfly::CheckedStream;
use crate::check::swapped_dragonfly::stream::StreamProof;
use crate::cli::page::Request;
use crate::cli::work::Proved;
use crate::cli::work::enclosing::{EnclosingNetwork, Messages};
use crate::cli::work::pages::of_program;
use crate::cli::work::verdict::Judged;
use crate::cli::work::{Work, not_lowered};
use crate::cli::{CliError, Context};
use crate::collective::{Broadcast, Collective};
use crate::count::counted;
use crate::family::Hardware;
use crate::lower::swapped_dragonfly::{StreamLowered, lower_stream};
use crate::program::Program;
use crate::spec::{NetworkSpec, Spec};
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::io::{self, Write};

/// A stream of words.
#[derive(Debug)]
pub(super) struct StreamWork {
    pub spec: Spec,
    /// Host network, if the network is embedded in one.
    pub host: Option<Host>,
    pub schedule: CheckedStream,
}

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    cycles: u32,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, StreamProof>,
}

impl Work for StreamWork {
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
        self.schedule.proof().claims * u64::from(self.schedule.proof().batches)
    }

    fn program(&self) -> Program {
        let schedule = &self.schedule;
        schedule.schedule().program.to_program(
            &schedule.network(),
            schedule.schedule().hop,
            schedule.schedule().software,
        )
    }

    fn messages(&self) -> Option<Messages> {
        let (nodes, program) = (self.schedule.network().nodes() as u32, &self.schedule.schedule().program);
        let root = program.root.get();
        let others = (0..nodes).filter(|&dst| dst != root);
        Some(others.flat_map(|dst| std::iter::repeat_n((root, dst), program.count as usize)).collect())
    }

    fn collective(&self, networks: usize) -> Box<dyn Collective> {
        let (nodes, program) = (self.schedule.network().nodes() as u32, &self.schedule.schedule().program);
        let broadcast = Broadcast::new(nodes, program.count).from_root(program.root.get());
        Box::new(broadcast.in_networks(networks as u32))
    }

    fn enclosing(&self) -> Option<&dyn EnclosingNetwork> {
        self.host.as_ref().map(|host| host as &dyn EnclosingNetwork)
    }

    fn print_verdict(&self, one_by_one: Option<Account>, context: &Context) -> Result<(), CliError> {
        let schedule = &self.schedule;
        let verdict = Output {
            network: &self.spec.network,
            routers: schedule.network().nodes(),
            algorithm: schedule.schedule().algorithm,
            cycles: schedule.cycles(),
            verdict: schedule.verdict(),
        };
        context.print_json(&Judged { verdict, one_by_one })
    }

    fn verdict(&self) -> String {
        let schedule = &self.schedule;
        let (net, program) = (schedule.network(), &schedule.schedule().program);
        let train = match (program.train.burst, program.train.period) {
            (1, 1) => "one a cycle".to_owned(),
            (burst, period) => format!("{burst} in every {}", counted(period, "cycle")),
        };
        let mut rows = vec![
            routers(&net),
            ("source", Coordinates(&net.label(program.root)).to_string()),
            (
                "words",
                format!("{}, in {} of {}, {train}", program.count, counted(program.batches(), "batch"), program.lanes),
            ),
            ("algorithm", schedule.schedule().algorithm.to_owned()),
            ("cycles", schedule.bounds().ratios(schedule.cycles())),
        ];
        if schedule.schedule().software > 0 {
            let cycles = if schedule.schedule().software == 1 { "cycle" } else { "cycles" };
            let text = format!(
                "endpoints, {} {cycles} after a packet has come, over all its ports at once",
                schedule.schedule().software
            );
            rows.insert(3, ("copied by", text));
        }
        super::verdict(&rows, schedule)
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let schedule = &self.schedule;
        let (net, program) = (schedule.network(), &schedule.schedule().program);
        let mut writer = io::BufWriter::new(writer);
        let label = |node| Coordinates(&net.label(node)).to_string();
        write_title(&mut writer, &net, schedule.schedule().algorithm, self.cycles())?;
        writeln!(
            writer,
            "# {} sends {}, word n in batch n/{lanes} and lane n%{lanes}; batch b starts in cycle b/{burst}*{period} + b%{burst}.",
            label(program.root),
            counted(program.count, "word"),
            lanes = program.lanes,
            burst = program.train.burst,
            period = program.train.period,
        )?;
        if schedule.schedule().software > 0 {
            writeln!(
                writer,
                "# Routers do not copy: endpoints do, {} cycles after a packet has come.",
                schedule.schedule().software
            )?;
        }
        writeln!(writer, "# packets of a batch: lane, cycle, header (`!`: every router keeps a copy)")?;
        for injection in &program.injections {
            let via = injection.via.map_or(String::new(), |x| format!(" after local hop {x}"));
            writeln!(writer, "packet {} {} {}{via}", injection.lane, injection.offset, injection.header)?;
        }
        writeln!(writer, "# hops of a batch: lane, cycle, channel")?;
        let mut hops: Vec<_> = schedule.crossings().iter().collect();
        hops.sort_by_key(|c| (c.crossing.cycle, c.lane, c.crossing.node, c.crossing.port));
        for hop in hops {
            let (node, port) = (hop.crossing.node, hop.crossing.port as usize);
            let channel = match port < net.ports() {
                true => net.describe(net.channel_id(node, port)),
                false => format!("{} stays", label(node)),
            };
            writeln!(writer, "hop {} {} {channel}", hop.lane, hop.crossing.cycle)?;
        }
        writer.flush()
    }

    fn own_hardware(&self, _: &Context) -> Result<Box<dyn Hardware>, CliError> {
        let lowered = lower_stream(&self.schedule, &self.spec).map_err(|error| not_lowered(&self.spec, &error))?;
        Ok(Box::new(StreamLowered { frame: placed(lowered.frame, self.host.as_ref()), ..lowered }))
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        of_program(self, request, context)
    }
}
