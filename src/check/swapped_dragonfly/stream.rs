//! Proof for streams: the [program](mod@crate::check::program) of one batch, whose words go to all other routers, with the
//! rules of headers.
//!
//! 1. *No conflict, causality, delivery*: those of the program, whatever the number of words.
//! 2. *Headers*: the program is what the headers say by the [checker's own rule](super::flood).
//! 3. *Registers*: no two packets of any batches stay in a router's register in one cycle.
//!
//! The distances at which claims meet also limit how dense a train can be. If batches must not start f, 2f, …, jf
//! cycles apart, at most one of j + 1 cycles that are f apart starts a batch.

use super::flood::{Crossing, flood};
use super::stream_bounds;
use crate::check::checked::Checked;
use crate::check::program::{Claim, Claims, Goal, Meeting, ProgramFault, Rules, Table, To, check_table, label};
use crate::check::swapped_dragonfly::error::{CheckError, StreamClash};
use crate::check::verdict::Proof;
use crate::count::counted;
use crate::id::NodeId;
use crate::program::Program;
use crate::program::form::swapped_dragonfly::stream::StreamProgram;
use crate::program::form::swapped_dragonfly::stream::StreamSchedule;
use crate::topology::{SwappedDragonfly, Topology};
use serde::Serialize;
use std::collections::BTreeSet;

/// A stream of which it is proved that it reaches everybody without a conflict. Made by [`check_stream`] alone.
pub type CheckedStream = Checked<SwappedDragonfly, StreamSchedule, StreamProof, Followed>;

/// Claims of a batch of a stream, and the copies of it that are kept.
#[derive(Debug, Clone)]
pub struct Followed {
    crossings: Vec<LaneCrossing>,
    arrivals: Vec<Arrival>,
}

/// A crossing of a batch, and whose word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneCrossing {
    /// Lane of the packet, from 0.
    pub lane: u32,
    /// Crossing.
    pub crossing: Crossing,
}

/// A router keeps the words of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    /// Router at which the word arrives.
    pub node: NodeId,
    /// Lane of the word, from 0.
    pub lane: u32,
    /// The port of the router before, by which the words come.
    pub port: u32,
    /// Cycles from the batch to the word at this router's crossbar.
    pub offset: u32,
}

/// Proof of a verdict on a stream: counts and cycles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StreamProof {
    /// Method of the proof.
    pub method: &'static str,
    /// Routers, the source included.
    pub routers: u64,
    /// Words.
    pub words: u64,
    /// Words of a batch.
    pub lanes: u32,
    /// Batches.
    pub batches: u32,
    /// Batches of a burst, and cycles from burst to burst.
    pub train: [u32; 2],
    /// Claims of one batch, no two of which meet, in this batch or with those of others.
    pub claims: u64,
    /// Copies of one batch that are kept by routers other than the source: one a router and lane.
    pub arrivals: u64,
    /// Copies of one batch that come back to the source.
    pub returns: u64,
    /// Claims of one batch in which a packet stays in a router for a hop.
    pub stays: u64,
    /// Clock cycles of a local and of a global hop.
    pub hop: [u32; 2],
    /// Clock cycles in the endpoint after each hop; 0 where routers copy.
    pub software: u32,
    /// Cycles that two batches must not start apart.
    pub apart: Vec<u32>,
    /// Least number of cycles a batch in the long run, for any train of this program.
    pub least_cycles_a_batch: u32,
    /// Cycles from the first claimed one to the last, both included.
    pub cycles: u32,
}

impl Proof for StreamProof {
    fn lines(&self) -> Vec<String> {
        let Self {
            routers,
            words,
            lanes,
            batches,
            train: [burst, period],
            claims,
            arrivals,
            returns,
            stays,
            software,
            apart,
            least_cycles_a_batch,
            cycles,
            ..
        } = self;
        let (burst, period) = (*burst, *period);
        let optimal = if period == burst * least_cycles_a_batch { ": no train is denser" } else { "" };
        let train = match &apart[..] {
            [] => format!("train: batches may start any number of cycles apart, one in every cycle at best{optimal}"),
            apart => {
                let list = apart.iter().map(u32::to_string).collect::<Vec<_>>().join(" or ");
                format!(
                    "train: batches must not start {list} {} apart, so at most one cycle in {least_cycles_a_batch} starts one in the \
                     long run{optimal}",
                    if apart == [1] { "cycle" } else { "cycles" }
                )
            }
        };
        let leaves = match software {
            0 => "in the cycle in which it is there".to_owned(),
            1 => "a cycle after it came, in which the endpoint reads it".to_owned(),
            t => format!("{t} cycles after it came, in which the endpoint reads it"),
        };
        vec![
            format!(
                "no conflict: one batch of {lanes} was followed through all {routers} routers, {claims} claims of channels \
                 ({stays} of them in which a packet stays in its router); no two meet in the batch, and none meets one of a later batch, \
                 with {burst} in every {period}",
                lanes = counted(*lanes, "word"),
                burst = counted(burst, "batch"),
                period = counted(period, "cycle")
            ),
            train,
            format!(
                "delivery: each of the {} other routers keeps exactly one copy of each lane ({arrivals} copies a batch, and {returns} \
                 that come back to the source), so all {words} in {batches} arrive once",
                routers - 1,
                words = counted(*words, "word"),
                batches = counted(*batches, "batch")
            ),
            format!(
                "causality: every copy leaves a router {leaves}, or a hop later where its header says so; the last claim is in cycle {}",
                cycles.saturating_sub(1)
            ),
        ]
    }
}

/// Checks a stream for every router of a network.
///
/// # Errors
/// [`CheckError`] of the first violation, with its place and the remedy.
pub fn check_stream(network: &SwappedDragonfly, schedule: StreamSchedule) -> Result<CheckedStream, CheckError> {
    let StreamProgram { root, count, lanes, train, ref injections } = schedule.program;
    let (hop, software) = (schedule.hop, schedule.software);
    if hop.local == 0 || hop.global == 0 {
        return Err(CheckError::HopLatency { local: hop.local, global: hop.global });
    }
    let sound = root.index() < network.nodes()
        && count > 0
        && lanes > 0
        && train.burst > 0
        && train.period >= train.burst
        && injections.iter().all(|i| i.lane < lanes);
    if !sound {
        return Err(CheckError::MalformedStream);
    }
    let mut crossings = Vec::new();
    for injection in injections {
        let lane = injection.lane;
        let all = flood(network, hop, software, root, injection)?;
        crossings.extend(all.into_iter().map(|crossing| LaneCrossing { lane, crossing }));
    }
    let program = schedule.program.to_program(network, hop, software);
    let apart = prove(network, &schedule.program, &program, &crossings)?;
    let kept = |c: &&LaneCrossing| c.crossing.kept && c.crossing.to != root;
    let arrival = |c: &LaneCrossing| {
        let Crossing { to: node, port, there: offset, .. } = c.crossing;
        Arrival { node, lane: c.lane, port, offset }
    };
    let mut arrivals: Vec<Arrival> = crossings.iter().filter(kept).map(arrival).collect();
    arrivals.sort();
    let returns = crossings.iter().filter(|c| c.crossing.kept).count() as u64 - arrivals.len() as u64;

    let program = &schedule.program;
    let first = crossings.iter().map(|c| c.crossing.cycle).min().unwrap_or(0);
    let end = |c: &LaneCrossing| match program.batches_of(c.lane) {
        0 => 0,
        batches => train.start(batches - 1) + c.crossing.cycle + 1,
    };
    let stays = |c: &&LaneCrossing| c.crossing.port as usize == network.ports();
    let proof = StreamProof {
        method: "one batch",
        routers: network.nodes() as u64,
        words: count.into(),
        lanes,
        batches: program.batches(),
        train: [train.burst, train.period],
        claims: crossings.len() as u64,
        arrivals: arrivals.len() as u64,
        returns,
        stays: crossings.iter().filter(stays).count() as u64,
        hop: [hop.local, hop.global],
        software,
        least_cycles_a_batch: 1 + apart
            .iter()
            .map(|&f| (1..).take_while(|j| apart.contains(&(f * j))).count())
            .max()
            .unwrap_or(0) as u32,
        apart: apart.into_iter().collect(),
        cycles: crossings.iter().map(end).max().unwrap_or(0) - first,
    };
    let bounds = stream_bounds::of(network, hop, software, root, count);
    let (cycles, found) = (proof.cycles, Followed { crossings, arrivals });
    Ok(Checked { network: *network, schedule, proof, found, cycles, bounds })
}

/// Proves that the program equals the headers' routes, and that no two packets are in a register at once. Gives the
/// numbers of cycles that two batches must not start apart.
fn prove(
    net: &SwappedDragonfly,
    stream: &StreamProgram,
    program: &Program,
    crossings: &[LaneCrossing],
) -> Result<BTreeSet<u32>, CheckError> {
    let places = net.ports() as u32 + 1;
    let clash = |node: NodeId, port: u32, lanes: [u32; 2], distance: u32| {
        let port = match port as usize {
            port if port == net.ports() => "the register in which packets stay".to_owned(),
            port => net.port_name(port),
        };
        CheckError::StreamConflict(Box::new(StreamClash { at: label(net, node), port, lanes, distance }))
    };
    // the lane of a word is its value
    let fault = |fault: ProgramFault| match fault {
        ProgramFault::Copies { at, value: lane, copies, .. } => CheckError::StreamDelivery { at, lane, copies },
        ProgramFault::Clash(of) => clash(of.node, of.port, of.words.map(|word| word.0), of.distance),
        other => CheckError::Program(other),
    };
    let table = Table::new(net, program).map_err(fault)?;
    let to = |lane: u32, _: NodeId| if stream.batches_of(lane) > 0 { To::All } else { To::Nobody };
    check_table(&table, &Rules::default(), &Goal::Copies(&to)).map_err(fault)?;

    let place = |node: NodeId, port: u32| node.get() * places + port;
    let claim = |c: &LaneCrossing| {
        let Crossing { node, port, cycle, .. } = c.crossing;
        Claim { place: place(node, port), cycle, owner: c.lane, origin: stream.root }
    };
    let claims = Claims::new(crossings.iter().filter(|c| stream.batches_of(c.lane) > 0).map(claim).collect(), |lane| {
        (stream.train, stream.batches_of(lane))
    });
    if let Some(Meeting { claims: [a, b], .. }) = claims.meeting(|_, _| false) {
        let (node, port) = (NodeId::new(a.place / places), a.place % places);
        return Err(clash(node, port, [a.owner, b.owner], b.cycle - a.cycle));
    }
    let mut moved: Vec<(u32, u32, u32)> = (0..program.hops.len() as u32)
        .map(|hop| {
            let port = program.hops[hop as usize].port;
            (place(table.from(hop), port), table.entry[hop as usize], table.of(hop).value)
        })
        .collect();
    moved.sort_unstable();
    let channels = claims.list().iter().filter(|claim| claim.place % places + 1 < places);
    match channels.map(|claim| (claim.place, claim.cycle, claim.owner)).eq(moved) {
        true => Ok(claims.distances()),
        false => Err(CheckError::MalformedStream),
    }
}

impl CheckedStream {
    /// Every claim of a batch.
    pub fn crossings(&self) -> &[LaneCrossing] {
        &self.found.crossings
    }

    /// The copies of a batch that are kept, by router and lane.
    pub fn arrivals(&self) -> &[Arrival] {
        &self.found.arrivals
    }
}
