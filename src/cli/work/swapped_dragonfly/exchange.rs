//! All-reduce, prefix scan and sort on a Swapped Dragonfly, as exchanges along the dimensions of a hypercube.

use super::Host;
use super::placed;
use super::{routers, write_title};
use crate::check::Verdict;
use crate::check::judge::Account;
use crate::check::swapped_dragonfly::CheckedExchange;
use crate::check::swapped_dragonfly::exchange::ExchangeProof;
use crate::cli::page::Request;
use crate::cli::work::Proved;
use crate::cli::work::enclosing::EnclosingNetwork;
use crate::cli::work::pages::of_program;
use crate::cli::work::verdict::Judged;
use crate::cli::work::{Work, not_lowered};
use crate::cli::{CliError, Context};
use crate::collective::{Collective, Exchange};
use crate::count::counted;
use crate::family::Hardware;
use crate::lower::swapped_dragonfly::{ExchangeLowered, lower_exchange};
use crate::program::Program;
use crate::program::form::swapped_dragonfly::exchange::{Action, Operand, Port, Register, Way};
use crate::spec::{NetworkSpec, Spec};
use crate::topology::Topology;
use serde::Serialize;
use std::io::{self, Write};

/// Exchanges of words.
#[derive(Debug)]
pub(super) struct ExchangeWork {
    pub spec: Spec,
    /// Host network, if the network is embedded in one.
    pub host: Option<Host>,
    pub schedule: CheckedExchange,
}

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    cycles: u32,
    /// Hops that a word takes one after the other.
    hops: u32,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, ExchangeProof>,
}

impl Work for ExchangeWork {
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
        self.schedule.proof().claims * self.schedule.network().nodes() as u64
    }

    fn program(&self) -> Program {
        self.schedule.schedule().to_program(&self.schedule.network())
    }

    fn collective(&self, networks: usize) -> Box<dyn Collective> {
        let (nodes, words) = (self.schedule.network().nodes(), self.schedule.schedule().program.words as usize);
        Box::new(Exchange::new(self.schedule.schedule().kind, nodes, words).in_networks(networks))
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
            hops: schedule.proof().hops,
            verdict: schedule.verdict(),
        };
        context.print_json(&Judged { verdict, one_by_one })
    }

    fn verdict(&self) -> String {
        let schedule = &self.schedule;
        let (net, proof) = (schedule.network(), schedule.proof());
        let rows = [
            routers(&net),
            (
                "hypercube",
                format!("{}, {}", counted(proof.dimensions, "dimension"), counted(proof.exchanges, "exchange")),
            ),
            ("words", format!("{} a node", proof.words)),
            ("algorithm", schedule.schedule().algorithm.to_owned()),
            ("hops", format!("{} in {}", proof.hops, counted(proof.steps, "step"))),
            ("cycles", schedule.bounds().ratios(schedule.cycles())),
        ];
        super::verdict(&rows, schedule)
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let schedule = &self.schedule;
        let (net, program) = (schedule.network(), &schedule.schedule().program);
        let mut writer = io::BufWriter::new(writer);
        write_title(&mut writer, &net, schedule.schedule().algorithm, self.cycles())?;
        writeln!(
            writer,
            "# Every router, of {}, step by step: the cycle of word 0, the action, and the words that are sent.",
            counted(program.words, "word")
        )?;
        for step in &program.steps {
            let action = match step.action {
                Action::Move => "move".to_owned(),
                Action::Combine { dimension } => format!("combine {dimension}"),
                Action::Compare { dimension, stage } => format!("compare {dimension} stage {stage}"),
            };
            write!(writer, "{:>6}  {action}", step.start)?;
            for send in &step.sends {
                let register = match send.register {
                    Register::Value => "value",
                    Register::Carry => "carry",
                };
                let operand = match send.operand {
                    Operand::Own => "own",
                    Operand::Other => "other",
                    Operand::Carry => "carry",
                };
                let way = match &send.way {
                    Way::Header(header) => header.to_string(),
                    Way::Ports(ports) => {
                        let port = |port: &Port| match port {
                            Port::Local(x) => format!("local {x}"),
                            Port::Global(x) => format!("global {x}"),
                        };
                        ports.iter().map(port).collect::<Vec<_>>().join(", ")
                    }
                };
                write!(writer, "; {register} by {way} as {operand}")?;
            }
            match (step.train.burst, step.train.period) {
                (1, 1) => {}
                (burst, period) => write!(writer, "; {burst} words in {period} cycles")?,
            }
            writeln!(writer, "{}", if step.swapped { "; swapped" } else { "" })?;
        }
        writer.flush()
    }

    fn own_hardware(&self, _: &Context) -> Result<Box<dyn Hardware>, CliError> {
        let lowered = lower_exchange(&self.schedule, &self.spec).map_err(|error| not_lowered(&self.spec, &error))?;
        Ok(Box::new(ExchangeLowered { frame: placed(lowered.frame, self.host.as_ref()), ..lowered }))
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        of_program(self, request, context)
    }
}
