//! The plain judge: a schedule in full, followed transfer by transfer on the channels that it lists.
//!
//! It reads a [`Document`] alone: no program, no symmetry, no routing rule. What is judged:
//!
//! 1. *Network*: nodes and channels are those of the topology, where metronoc knows it by name.
//! 2. *Conflict*: a channel takes at most one packet a cycle; where ports are restricted, a node sends and receives at most one.
//!    With `repeat_every`, cycles count modulo the period.
//! 3. *Causality*: a packet is at the node from which it leaves, and so are those that it is to come `after`.
//! 4. *Waiting*: with `waiting: false` it leaves in the cycle in which it has come.
//! 5. *Delivery*: it comes to each of its destinations, and the packets are those of the collective.
//! 6. *Result*: operations have their inputs, and each node ends with the contributions that the collective names, each once.
//! 7. *Length*: `cycles` is the first cycle at whose start everything is in place.

mod bounds;
mod definitions;
mod fault;
mod places;
mod subject;
mod sums;
mod swapped_dragonfly;
mod traffic;

pub use fault::Fault;

use super::bound_list::BoundList;
use crate::count::counted;
use crate::program::Document;
use serde::Serialize;
use subject::Judge;

/// Numbers of a schedule that holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Account {
    /// Nodes.
    pub nodes: usize,
    /// Channels.
    pub channels: usize,
    /// Packets.
    pub packets: usize,
    /// Transfers, each looked at.
    pub transfers: usize,
    /// Operations.
    pub operations: usize,
    /// Arrivals of a packet at a node that it had reached before.
    pub repeated_arrivals: u64,
    /// Most packets that wait at a node between two cycles to go on; a node's own are left out, and those on a loopback.
    pub waiting: usize,
    /// First cycle at whose start everything is in place.
    pub cycles: u32,
    /// True if nodes and channels were compared with the topology's own; otherwise they are taken as listed.
    pub known_topology: bool,
}

impl Account {
    /// The verdict in a sentence.
    pub fn line(&self) -> String {
        let Self { packets, transfers, operations, .. } = self;
        let sums = if *operations > 0 { format!(", {}", counted(*operations, "operation")) } else { String::new() };
        let (packets, transfers) = (counted(*packets, "packet"), counted(*transfers, "transfer"));
        format!("followed one by one, too: {packets}, {transfers}{sums}; the same verdict")
    }
}

/// Judges a schedule.
///
/// # Errors
/// The first [`Fault`], in the order of the [module's](self) list.
pub fn judge(document: &Document) -> Result<Account, Fault> {
    let judge = Judge::new(document)?;
    let known_topology = judge.network()?;
    judge.conflicts()?;
    let places = judge.places()?;
    judge.delivered(&places)?;
    traffic::check(&judge)?;
    sums::check(&judge, &places)?;
    let cycles = judge.end();
    if document.cycles != cycles {
        return Err(Fault::Cycles { declared: document.cycles, found: cycles });
    }
    Ok(Account {
        nodes: document.nodes.len(),
        channels: document.channels.len(),
        packets: document.packets.len(),
        transfers: document.transfers.len(),
        operations: document.ops.as_ref().map_or(0, Vec::len),
        repeated_arrivals: places.repeated,
        waiting: judge.most_waiting(&places),
        cycles,
        known_topology,
    })
}

/// Lower bounds for the packets of a schedule that holds, whoever schedules them.
///
/// # Errors
/// [`Fault::Malformed`] for a document that names what is not there.
pub fn bounds(document: &Document) -> Result<BoundList, Fault> {
    Ok(bounds::of(&Judge::new(document)?))
}
