//! Collectives on networks that are lists of channels, by the schedulers of any demand on any network.

use super::judged::Judged;
use super::network::{self, Network};
use super::{Work, tables};
use crate::check::judge::Account;
use crate::cli::exported::of_program;
use crate::cli::page::Request;
use crate::cli::progress::Progress;
use crate::cli::{CliError, Context, Exit};
use crate::collective::demand::{Chunk, Demand};
use crate::collective::relation::MAX_PACKETS;
use crate::collective::{Collective, Delivery, Item, Relation, Words};
use crate::family::Hardware;
use crate::id::NodeId;
use crate::program::{Document, Expansion, Program};
use crate::schedule::HopLatency;
use crate::schedule::general::{Effort, Made, Problem, schedule};
use crate::spec::Spec;
use crate::topology::{Graph, Topology};
use serde_json::Value;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

/// A collective on a network that is a list of channels.
#[derive(Debug)]
pub(super) struct GeneralWork {
    spec: Spec,
    network: Graph,
    made: Made,
    collective: ByChunk,
    judged: Judged,
}

/// A collective in terms of a program whose values stand for its chunks.
#[derive(Debug, Clone)]
struct ByChunk {
    collective: Rc<Delivery>,
    /// By value: the chunk.
    chunk: Rc<[Option<u32>]>,
}

impl ByChunk {
    fn item(&self, item: Item) -> Item {
        Item { value: self.chunk[item.value as usize].unwrap_or(item.value), ..item }
    }
}

impl Collective for ByChunk {
    fn shape(&self) -> (Vec<usize>, String) {
        Collective::shape(self.collective.as_ref())
    }

    fn expected(&self, words: &Words) -> Words {
        self.collective.expected(words)
    }

    fn to_npy(&self, results: &Words) -> Vec<u8> {
        Collective::to_npy(self.collective.as_ref(), results)
    }

    fn result_len(&self) -> usize {
        self.collective.result_len()
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        self.collective.describe(index, label)
    }

    fn passes(&self) -> u32 {
        self.collective.passes()
    }

    fn sent(&self, item: Item) -> usize {
        self.collective.sent(self.item(item))
    }

    fn received(&self, item: Item) -> usize {
        Collective::received(self.collective.as_ref(), self.item(item))
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        self.collective.at_home()
    }
}

impl GeneralWork {
    /// Schedules a specification and judges the schedule; the files that it names are in `folder`.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a network that cannot be used, with [`Exit::Infeasible`] if the algorithm does not
    /// apply or the check refuses the schedule.
    pub fn new(spec: Spec, folder: &Path, context: &Context) -> Result<Self, CliError> {
        let progress = Progress::new(context, "scheduling");
        let Network { net, latency, ports, nodes } = network::of(&spec, folder)?;
        let words = spec.collective.all_to_all().map_or(1, |collective| collective.words);
        let (demand, collective) = all_to_all(&spec, &nodes, words)?;
        let problem = Problem { net, latency, ports, demand };
        let effort = Effort { time_limit_s: spec.schedule.time_limit_s, seed: spec.schedule.seed };
        let at_spec = |field: &str, message: String, help: String| CliError::AtSpec {
            exit: Exit::Infeasible,
            diagnostic: Box::new(spec.diagnostic(field, message, help)),
        };
        let made = schedule(&problem, "best", &effort);
        let mut made = made.map_err(|error| at_spec("collective.algorithm", error.to_string(), error.help()))?;
        tracing::info!("`{}` made {} moves in {} cycles", made.algorithm, made.program.moves.len(), made.cycles);
        progress.next("checking");
        made.program.period = (words > 1).then_some(made.cycles.max(1));
        let Problem { net: network, .. } = problem;
        let judged = judged(&spec, &network, &made.program)?;
        progress.done();
        let collective = ByChunk { collective: Rc::new(collective), chunk: made.chunk.clone().into() };
        Ok(Self { spec, network, made, collective, judged })
    }
}

/// The schedule in full, judged.
fn judged(spec: &Spec, network: &Graph, program: &Program) -> Result<Judged, CliError> {
    let [table, collective] = tables(spec);
    let refused = |message: String, help: &str| CliError::AtSpec {
        exit: Exit::Infeasible,
        diagnostic: Box::new(spec.diagnostic("collective.algorithm", message, help)),
    };
    let expansion = Expansion::new(network, program);
    let expansion = expansion.map_err(|error| refused(error.to_string(), "take a smaller network"))?;
    Judged::new(Document::new(&expansion, [&table, &collective])).map_err(|fault| {
        let help = "no schedule that fails the check is used; choose another algorithm, and please report this one";
        refused(fault.to_string(), help)
    })
}

/// Demand and data of an all-to-all among nodes.
fn all_to_all(spec: &Spec, nodes: &[NodeId], words: u32) -> Result<(Demand, Delivery), CliError> {
    let n = nodes.len() as u32;
    let packets = u64::from(n) * u64::from(n - 1);
    if packets > MAX_PACKETS {
        let message = format!("these are {packets} packets, and a schedule has at most {MAX_PACKETS}");
        let diagnostic = Box::new(spec.diagnostic("network.topology", message, "take a smaller network"));
        return Err(CliError::AtSpec { exit: Exit::Infeasible, diagnostic });
    }
    let pairs = nodes.iter().flat_map(|&from| nodes.iter().map(move |&to| (from, to)));
    let chunks = pairs.filter(|(from, to)| from != to).map(|(from, to)| Chunk { from: vec![from], to: vec![to] });
    Ok((Demand { chunks: chunks.collect() }, Delivery::new(&Relation::AllToAll, n, words)))
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
        tables(&self.spec)
    }

    fn document(&self) -> Option<&Document> {
        Some(&self.judged.document)
    }

    fn collective(&self, _: usize) -> Box<dyn Collective> {
        Box::new(self.collective.clone())
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
