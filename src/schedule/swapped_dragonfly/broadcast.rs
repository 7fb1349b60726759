//! Broadcast: one router sends X words to all.
//!
//! On routers that do not copy, every hop ends in an endpoint, which sends the copies T cycles later. So all hops but
//! the last take T cycles more; the algorithms are the same.
//!
//! # Adding an algorithm
//! Write a function from network and [`BroadcastRequest`] to [`StreamProgram`] and list it in [`ALGORITHMS`].

use crate::id::NodeId;
use crate::program::Train;
use crate::program::form::swapped_dragonfly::stream::{Injection, StreamProgram, StreamSchedule};
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::swapped_dragonfly::headers::{Header, Ports};

/// Request of a broadcast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BroadcastRequest<'a> {
    /// `best` or the name of one of [`ALGORITHMS`].
    pub algorithm: &'a str,
    /// The router that has the words.
    pub root: NodeId,
    /// Number of words, at least 1.
    pub count: u32,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// Cycles that an endpoint takes over a packet after each hop; 0 where routers copy.
    pub software: u32,
}

impl BroadcastRequest<'_> {
    /// Cycles from one hop of a packet to its next, the endpoint's between them included.
    fn pace(&self) -> HopLatency {
        self.hop.with_software(self.software)
    }
}

/// An algorithm by name.
pub struct BroadcastEntry {
    /// The name in a specification.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// Makes a program.
    pub schedule: fn(&SwappedDragonfly, &BroadcastRequest) -> StreamProgram,
}

/// All algorithms; where cycles are equal, `best` takes the first.
pub const ALGORITHMS: &[BroadcastEntry] = &[
    BroadcastEntry { name: "depth-3", about: "the tree [3;*,*,*], pipelined: X + 2 cycles", schedule: depth_3 },
    BroadcastEntry {
        name: "trees",
        about: "M - 1 trees [4;*,*,*] that share no channel: ⌈X/(M-1)⌉ + 4 cycles",
        schedule: trees,
    },
    BroadcastEntry {
        name: "tree-pairs",
        about: "the paper's M trees [4;*,*,*], chained in pairs: about 3X/M cycles",
        schedule: tree_pairs,
    },
];

/// Schedules a broadcast.
///
/// # Errors
/// [`ScheduleError::UnknownAlgorithm`] if no algorithm has the name.
pub fn schedule(net: &SwappedDragonfly, request: &BroadcastRequest) -> Result<StreamSchedule, ScheduleError> {
    let made = |entry: &BroadcastEntry| StreamSchedule {
        algorithm: entry.name,
        hop: request.hop,
        software: request.software,
        program: (entry.schedule)(net, request),
    };
    let wanted = |entry: &&BroadcastEntry| request.algorithm == "best" || request.algorithm == entry.name;
    let last = |schedule: &StreamSchedule| length(&schedule.program, request.pace());
    ALGORITHMS.iter().filter(wanted).map(made).min_by_key(last).ok_or_else(|| {
        ScheduleError::unknown("broadcast", request.algorithm, ALGORITHMS.iter().map(|entry| entry.name))
    })
}

/// The depth-3 tree of the paper, one word a cycle. Every channel carries a word once.
fn depth_3(_: &SwappedDragonfly, request: &BroadcastRequest) -> StreamProgram {
    let injections = vec![Injection { lane: 0, offset: 0, via: None, header: star(3, Ports::All, Ports::All) }];
    StreamProgram { root: request.root, count: request.count, lanes: 1, train: Train::STEADY, injections }
}

/// The trees (c,d,q) → G → L → swap → L of the source's drawer without that of q = d. They share no channel, so a batch
/// of M - 1 words leaves every cycle. If the source itself is one of these q, the tree of q does not serve the drawer,
/// since the channels there deliver the words to the other q. Router (c,d,d) serves the drawer instead.
fn trees(net: &SwappedDragonfly, request: &BroadcastRequest) -> StreamProgram {
    let RouterAddress { d, p, .. } = net.address(request.root);
    let (m, group) = (net.m(), net.group());
    let mut injections = Vec::new();
    for (lane, q) in (0..).zip((0..m).filter(|&q| q != d)) {
        if q != p {
            let via = Some(group.sub(q, p, m));
            injections.push(Injection { lane, offset: 0, via, header: star(4, Ports::All, Ports::All) });
            continue;
        }
        let offset = request.pace().local;
        if net.k() > 1 {
            let header = star(4, Ports::AllBut(vec![0]), Ports::All);
            injections.push(Injection { lane, offset, via: None, header });
        }
        // over the swap to the source's own cabinet, but not back into its drawer
        let header = star(4, Ports::One(0), Ports::AllBut(vec![0]));
        injections.push(Injection { lane, offset, via: None, header });
        // to (c,d,d), whose swap leads to itself, and from there to the drawer
        let back = group.sub(p, d, m);
        let header = Header {
            b: 3,
            gamma: Ports::One(0),
            pi: Ports::AllBut(vec![back]),
            delta: Ports::One(group.sub(d, p, m)),
            broadcast: false,
        };
        injections.push(Injection { lane, offset: 0, via: None, header });
    }
    StreamProgram { root: request.root, count: request.count, lanes: m - 1, train: Train::STEADY, injections }
}

/// The paper's M trees. The tree of q = d is included; it shares channels with the others two and four hops later. With
/// D cycles from one local hop to the next, D batches leave in consecutive cycles, then 2D cycles pass without one.
fn tree_pairs(net: &SwappedDragonfly, request: &BroadcastRequest) -> StreamProgram {
    let p = net.address(request.root).p;
    let tree = |q: u32| {
        let via = (q != p).then(|| net.group().sub(q, p, net.m()));
        let offset = if via.is_some() { 0 } else { request.pace().local };
        Injection { lane: q, offset, via, header: star(4, Ports::All, Ports::All) }
    };
    let distance = request.pace().clash_distance();
    StreamProgram {
        root: request.root,
        count: request.count,
        lanes: net.m(),
        train: Train { burst: distance, period: 3 * distance },
        injections: (0..net.m()).map(tree).collect(),
    }
}

/// A broadcast's header with these global ports first and these local ports; the last local hop is to all.
fn star(b: u32, gamma: Ports, delta: Ports) -> Header {
    Header { b, gamma, pi: Ports::All, delta, broadcast: true }
}

/// Cycles of a program: the start of its last batch plus the longest route. The longest route has a local hop, then
/// `depth` times a global and a local hop; the endpoint's cycles after the last hop are included.
fn length(program: &StreamProgram, hop: HopLatency) -> u32 {
    let depth = program.injections.iter().map(|injection| injection.header.b / 2).max().unwrap_or(0);
    program.train.start(program.batches() - 1) + hop.local + depth * hop.clash_distance()
}
