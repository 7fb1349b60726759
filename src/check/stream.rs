//! The proof for streams: one batch is followed hop by hop, and batches are held against each other by the distances of their starts.
//!
//! Properties that are proved of a [`StreamProgram`]:
//!
//! 1. *No conflict*: no channel, loopbacks and the register in which a packet stays included, is claimed by two packets in
//!    the same cycle. Two claims of one batch must differ in their cycle; claims of two batches whose cycles differ by n must
//!    not belong to batches that start n cycles apart. The train of batches says which distances there are, so the number of
//!    words does not matter.
//! 2. *Delivery*: of each lane, every router but the source keeps exactly one copy.
//! 3. *Causality* holds by construction: a copy takes its next hop in the cycle in which it is there, or, where routers do not copy, so
//!    many cycles later as the endpoint takes.
//!
//! The distances at which claims meet also say how dense a train can be at best: if batches must not start f, 2f, …, jf cycles apart, at
//! most one of j + 1 cycles that are f apart starts one.

use super::bound_list::BoundList;
use super::error::{CheckError, StreamClash};
use super::flood::{Crossing, flood};
use super::stream_bounds;
use crate::id::NodeId;
use crate::program::Train;
use crate::schedule::HopLatency;
use crate::schedule::broadcast::StreamSchedule;
use crate::schedule::stream::StreamProgram;
use crate::topology::{SwappedDragonfly, Topology};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A stream of which it is proved that it reaches everybody without a conflict. Made by [`check_stream`] alone.
#[derive(Debug, Clone)]
pub struct CheckedStream {
    network: SwappedDragonfly,
    schedule: StreamSchedule,
    crossings: Vec<LaneCrossing>,
    arrivals: Vec<Arrival>,
    proof: StreamProof,
    bounds: BoundList,
}

/// A crossing of a batch, and whose word it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneCrossing {
    /// The lane.
    pub lane: u32,
    /// Crossing.
    pub crossing: Crossing,
}

/// A router keeps the words of a lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrival {
    /// The router.
    pub node: NodeId,
    /// The lane.
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
    /// In the long run no train has more than one batch in so many cycles.
    pub least_cycles_a_batch: u32,
    /// Cycles from the first claimed one to the last, both included.
    pub cycles: u32,
}

impl StreamProof {
    /// The argument, a step a line.
    pub fn lines(&self) -> Vec<String> {
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
                    "train: batches must not start {list} cycles apart, so at most one cycle in {least_cycles_a_batch} starts one in the \
                     long run{optimal}"
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
                "no conflict: one batch of {lanes} words was followed through all {routers} routers, {claims} claims of channels \
                 ({stays} of them in which a packet stays in its router); no two meet in the batch, and none meets one of a later batch, \
                 with {burst} batches in every {period} cycles"
            ),
            train,
            format!(
                "delivery: each of the {} other routers keeps exactly one copy of each lane ({arrivals} copies a batch, and {returns} \
                 that come back to the source), so all {words} words in {batches} batches arrive once",
                routers - 1
            ),
            format!(
                "causality: every copy leaves a router {leaves}, or a hop later where its header says so; the last claim is in cycle {}",
                cycles.saturating_sub(1)
            ),
        ]
    }
}

/// True if two of the first batches, the earlier of the first `early` and the later of the first `late`, start `distance` > 0 cycles apart.
fn starts_apart(train: Train, early: u32, late: u32, distance: u32) -> bool {
    // a later batch is in the same burst, or in one that starts about `distance` later; the phase of the earlier decides
    (0..train.burst.min(early)).any(|phase| {
        let at = phase + distance;
        let (burst, rest) = (at / train.period, at % train.period);
        let batch = u64::from(burst) * u64::from(train.burst) + u64::from(rest);
        rest < train.burst && batch < u64::from(late)
    })
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
    let apart = conflicts(network, &schedule.program, &crossings)?;
    let (arrivals, returns) = deliveries(network, &schedule.program, &crossings)?;

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
    Ok(CheckedStream { network: *network, schedule, crossings, arrivals, proof, bounds })
}

/// Holds all claims of each channel against each other, and tells the distances at which two batches would meet.
fn conflicts(
    net: &SwappedDragonfly,
    program: &StreamProgram,
    crossings: &[LaneCrossing],
) -> Result<BTreeSet<u32>, CheckError> {
    let mut apart = BTreeSet::new();
    let mut by_channel: BTreeMap<(NodeId, u32), Vec<&LaneCrossing>> = BTreeMap::new();
    for c in crossings {
        by_channel.entry((c.crossing.node, c.crossing.port)).or_default().push(c);
    }
    for ((node, port), mut claims) in by_channel {
        claims.sort_by_key(|c| c.crossing.cycle);
        for (i, &a) in claims.iter().enumerate() {
            for &b in &claims[i + 1..] {
                // b of an earlier batch meets a of a later one
                let distance = b.crossing.cycle - a.crossing.cycle;
                let [of_a, of_b] = [a, b].map(|c| program.batches_of(c.lane));
                apart.insert(distance);
                let meet = match distance {
                    0 => of_a.min(of_b) > 0,
                    n => starts_apart(program.train, of_b, of_a, n),
                };
                if meet {
                    let at = crate::topology::Coordinates(&net.label(node)).to_string();
                    let port = match port as usize {
                        port if port == net.ports() => "the register in which packets stay".to_owned(),
                        port => net.port_name(port),
                    };
                    let lanes = [a.lane, b.lane];
                    return Err(CheckError::StreamConflict(Box::new(StreamClash { at, port, lanes, distance })));
                }
            }
        }
    }
    apart.remove(&0);
    Ok(apart)
}

/// The copies that are kept, and the number of those that the source gets back.
fn deliveries(
    net: &SwappedDragonfly,
    program: &StreamProgram,
    crossings: &[LaneCrossing],
) -> Result<(Vec<Arrival>, u64), CheckError> {
    let mut copies = vec![0_u32; net.nodes() * program.lanes as usize];
    let mut arrivals = Vec::new();
    let mut returns = 0;
    for LaneCrossing { lane, crossing } in crossings.iter().filter(|c| c.crossing.kept) {
        if crossing.to == program.root {
            returns += 1;
            continue;
        }
        copies[crossing.to.index() * program.lanes as usize + *lane as usize] += 1;
        arrivals.push(Arrival { node: crossing.to, lane: *lane, port: crossing.port, offset: crossing.there });
    }
    for (i, &copies) in copies.iter().enumerate() {
        let (node, lane) = (NodeId::from(i / program.lanes as usize), (i % program.lanes as usize) as u32);
        if node != program.root && copies != 1 && program.batches_of(lane) > 0 {
            let at = crate::topology::Coordinates(&net.label(node)).to_string();
            return Err(CheckError::StreamDelivery { at, lane, copies });
        }
    }
    arrivals.sort();
    Ok((arrivals, returns))
}

impl CheckedStream {
    /// The network.
    pub fn network(&self) -> SwappedDragonfly {
        self.network
    }

    /// Clock cycles of the hops.
    pub fn hop(&self) -> HopLatency {
        self.schedule.hop
    }

    /// Cycles that an endpoint takes over a packet after each hop; 0 where routers copy.
    pub fn software(&self) -> u32 {
        self.schedule.software
    }

    /// The name of the algorithm that made the schedule.
    pub fn algorithm(&self) -> &'static str {
        self.schedule.algorithm
    }

    /// Program of the source.
    pub fn program(&self) -> &StreamProgram {
        &self.schedule.program
    }

    /// Every claim of a batch.
    pub fn crossings(&self) -> &[LaneCrossing] {
        &self.crossings
    }

    /// The copies of a batch that are kept, by router and lane.
    pub fn arrivals(&self) -> &[Arrival] {
        &self.arrivals
    }

    /// Clock cycles from the first claimed one to the last, both included.
    pub fn cycles(&self) -> u32 {
        self.proof.cycles
    }

    /// Proof of the verdict.
    pub fn proof(&self) -> &StreamProof {
        &self.proof
    }

    /// Lower bounds on the cycles of any schedule.
    pub fn bounds(&self) -> &BoundList {
        &self.bounds
    }

    /// Cycles over the largest bound.
    pub fn ratio(&self) -> f64 {
        self.bounds.ratio(self.cycles())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_starts_are_those_of_all_pairs() {
        for (burst, period) in [(1, 1), (2, 6), (3, 9), (2, 3), (1, 4)] {
            let train = Train { burst, period };
            for (early, late, distance) in (0..7 * 7 * 40).map(|i| (i % 7, i / 7 % 7, 1 + i / 49)) {
                let pairs = (0..early).flat_map(|a| (0..late).map(move |b| (a, b)));
                let apart = pairs.into_iter().any(|(a, b)| train.start(b) == train.start(a) + distance);
                assert_eq!(starts_apart(train, early, late, distance), apart, "{train:?} {early} {late} {distance}");
            }
        }
    }
}
