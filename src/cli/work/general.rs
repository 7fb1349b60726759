//! Collectives on networks that are lists of channels, by the schedulers of any demand on any network.

use super::judged::Judged;
use super::network::{self, Network};
use super::relation::unfit;
use super::{Work, tables};
use crate::check::judge::Account;
use crate::cli::exported::of_program;
use crate::cli::page::Request;
use crate::cli::progress::Progress;
use crate::cli::{CliError, Context, Exit};
use crate::collective::Collective;
use crate::collective::general::{self, ChunkArrays, Definition};
use crate::family::Hardware;
use crate::program::{Document, Expansion, Program};
use crate::schedule::general::{Effort, Made, Problem, schedule};
use crate::schedule::{HopLatency, ScheduleError};
use crate::spec::Spec;
use crate::topology::{Graph, Topology};
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;

/// A collective on a network that is a list of channels.
#[derive(Debug)]
pub(super) struct GeneralWork {
    spec: Spec,
    network: Graph,
    made: Made,
    arrays: ChunkArrays,
    /// Tables of the network and the collective for an export.
    tables: [Value; 2],
    judged: Judged,
}

impl GeneralWork {
    /// Schedules a specification and judges the schedule; the files that it names are in `folder`.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a network that cannot be used or a collective that does not fit it, with
    /// [`Exit::Infeasible`] if the algorithm does not apply or the check refuses the schedule.
    pub fn new(spec: Spec, folder: &Path, context: &Context) -> Result<Self, CliError> {
        let progress = Progress::new(context, "scheduling");
        let Network { net, latency, ports, nodes } = network::of(&spec, folder)?;
        let refused = || CliError::Internal(format!("{} on a list of channels", spec.collective.kind())); // the parser refuses it
        let collective = spec.collective.general().ok_or_else(refused)?;
        let definition = general::of(collective, &nodes, folder, spec.schedule.seed);
        let definition = definition.map_err(|error| unfit(&spec, error))?;
        let problem = Problem { net, latency, ports, demand: definition.demand() };
        let blocks = collective.blocks();
        let mut made = made(&spec, &problem, &blocks.algorithm)?;
        tracing::info!("`{}` made {} moves in {} cycles", made.algorithm, made.program.moves.len(), made.cycles);
        progress.next("checking");
        let chunk = std::mem::take(&mut made.chunk);
        made.program.number_parts(|value| definition.part(chunk[value]?));
        if blocks.repeat > 1 {
            made.program.period.get_or_insert(made.cycles.max(1));
        }
        let Problem { net: network, .. } = problem;
        let [table, _] = tables(&spec);
        let tables = [table, table_of(&definition, &spec)];
        let judged = judged(&spec, &network, &made.program, &tables)?;
        progress.done();
        Ok(Self { spec, network, made, arrays: ChunkArrays::new(definition, chunk), tables, judged })
    }
}

/// Schedule of a problem.
fn made(spec: &Spec, problem: &Problem, algorithm: &str) -> Result<Made, CliError> {
    let effort = Effort { time_limit_s: spec.schedule.time_limit_s, seed: spec.schedule.seed };
    let error = match schedule(problem, algorithm, &effort) {
        Ok(made) => return Ok(made),
        Err(error) => error,
    };
    let combines = algorithm == "best" && problem.demand.combines();
    let (field, message, help) = match error {
        ScheduleError::NoFit { .. } if combines => {
            let message = format!("no algorithm of this version schedules {} on this network", spec.collective.kind());
            ("collective.kind", message, "take a collective that combines nothing, such as \"all-gather\"".to_owned())
        }
        error => (error.field(), error.to_string(), error.help()),
    };
    let diagnostic = Box::new(spec.diagnostic(field, message, help));
    Err(CliError::AtSpec { exit: Exit::Infeasible, diagnostic })
}

/// The exchange form's table of a collective, with the keys of the specification that the form does not have.
fn table_of(definition: &Definition, spec: &Spec) -> Value {
    let [_, mut table] = tables(spec);
    if let (Some(table), Value::Object(form)) = (table.as_object_mut(), definition.table()) {
        table.extend(form);
    }
    table
}

/// The schedule in full, judged.
fn judged(spec: &Spec, network: &Graph, program: &Program, tables: &[Value; 2]) -> Result<Judged, CliError> {
    let refused = |message: String, help: &str| CliError::AtSpec {
        exit: Exit::Infeasible,
        diagnostic: Box::new(spec.diagnostic("collective.algorithm", message, help)),
    };
    let expansion = Expansion::new(network, program);
    let expansion = expansion.map_err(|error| refused(error.to_string(), "take a smaller network"))?;
    Judged::new(Document::new(&expansion, [&tables[0], &tables[1]])).map_err(|fault| {
        let help = "no schedule that fails the check is used; choose another algorithm, and please report this one";
        refused(fault.to_string(), help)
    })
}

impl Work for GeneralWork {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn algorithm(&self) -> &str {
        self.made.algorithm
    }

    fn cycles(&self) -> u32 {
        self.judged.account.cycles
    }

    fn transfers(&self) -> u64 {
        self.judged.account.transfers as u64
    }

    fn topology(&self) -> Box<dyn Topology + Sync> {
        Box::new(self.network.clone())
    }

    fn hop(&self) -> Option<HopLatency> {
        None
    }

    fn program(&self) -> Program {
        self.made.program.clone()
    }

    fn tables(&self) -> [Value; 2] {
        self.tables.clone()
    }

    fn document(&self) -> Option<&Document> {
        Some(&self.judged.document)
    }

    fn collective(&self, _: usize) -> Box<dyn Collective> {
        Box::new(self.arrays.clone())
    }

    fn print_verdict(&self, _: Option<Account>, context: &Context) -> Result<(), CliError> {
        self.judged.print(Some(self.made.algorithm), context)
    }

    fn verdict(&self) -> String {
        self.judged.verdict(Some(self.made.algorithm))
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        self.judged.write_table(writer)
    }

    fn own_hardware(&self, _: &Context) -> Result<Box<dyn Hardware>, CliError> {
        self.slot_tables()
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        of_program(self, &self.judged.bounds, self.judged.argument(), request, context)
    }
}
