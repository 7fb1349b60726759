//! Collectives on networks that are lists of channels, by the schedulers of any demand on any network.

use super::judged::JudgedDocument;
use super::listed::ListedWork;
use super::network::{self, Network};
use super::tables;
use crate::cli::progress::Progress;
use crate::cli::{CliError, Context, Exit};
use crate::collective::demand::{Chunk, Demand};
use crate::collective::relation::MAX_PACKETS;
use crate::collective::{Collective, Delivery, Item, Relation, Words};
use crate::id::NodeId;
use crate::program::{Document, Expansion, Program};
use crate::schedule::general::{Effort, Made, Problem, schedule};
use crate::spec::Spec;
use crate::topology::Graph;
use std::path::Path;
use std::rc::Rc;

/// A collective in terms of a program whose values stand for its chunks.
#[derive(Debug, Clone)]
pub(super) struct ByChunk {
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

/// Schedules a specification and judges the schedule; the files that it names are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a network that cannot be used, with [`Exit::Infeasible`] if the algorithm does not
/// apply or the check refuses the schedule.
pub(super) fn work(spec: Spec, folder: &Path, context: &Context) -> Result<ListedWork<ByChunk>, CliError> {
    let progress = Progress::new(context, "scheduling");
    let Network { net, latency, ports, nodes } = network::of(&spec, folder)?;
    let words = spec.collective.all_to_all().map_or(1, |collective| collective.words);
    let (demand, collective) = all_to_all(&spec, &nodes, words)?;
    let problem = Problem { net, latency, ports, demand };
    let effort = Effort { time_limit_s: spec.schedule.time_limit_s, seed: spec.schedule.seed };
    let made = schedule(&problem, "best", &effort).map_err(|error| CliError::AtSpec {
        exit: Exit::Infeasible,
        diagnostic: Box::new(spec.diagnostic("collective.algorithm", error.to_string(), error.help())),
    })?;
    let Made { algorithm, mut program, chunk, cycles } = made;
    tracing::info!("`{algorithm}` made {} moves in {cycles} cycles", program.moves.len());
    progress.next("checking");
    program.period = (words > 1).then_some(cycles.max(1));
    let judged = judged(&spec, &problem.net, &program)?;
    progress.done();
    let collective = ByChunk { collective: Rc::new(collective), chunk: chunk.into() };
    Ok(ListedWork { spec, algorithm: Some(algorithm), network: problem.net, program, collective, judged })
}

/// The schedule in full, judged.
fn judged(spec: &Spec, network: &Graph, program: &Program) -> Result<JudgedDocument, CliError> {
    let [table, collective] = tables(spec);
    let refused = |message: String, help: &str| CliError::AtSpec {
        exit: Exit::Infeasible,
        diagnostic: Box::new(spec.diagnostic("collective.algorithm", message, help)),
    };
    let expansion = Expansion::new(network, program);
    let expansion = expansion.map_err(|error| refused(error.to_string(), "take a smaller network"))?;
    JudgedDocument::new(Document::new(&expansion, [&table, &collective])).map_err(|fault| {
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
