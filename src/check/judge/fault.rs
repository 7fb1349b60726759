//! Faults of a schedule in full.

use crate::count::counted;
use serde_json::Value;

/// Fault of a schedule in full.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Name of an object that is not there, or is there twice.
    #[error("{what}")]
    Malformed {
        /// The first such thing.
        what: String,
    },
    /// Nodes or channels are not the topology's.
    #[error("the network is not the one that its table names: {what}")]
    Network {
        /// The first difference.
        what: String,
    },
    /// Two packets want a channel, or a restricted port, at once.
    #[error("packets {} and {} both want {place} in cycle {}{}", packets[0], packets[1], cycles[1], again(*cycles, *period))]
    Conflict {
        /// The channel or port.
        place: String,
        /// The cycles of the two transfers.
        cycles: [u32; 2],
        /// Ids of the two packets.
        packets: [u64; 2],
        /// The period, where the packets meet only when the schedule starts again.
        period: Option<u32>,
    },
    /// A packet leaves from where it is not.
    #[error("cycle {cycle}: packet {packet} leaves over channel {channel}, {}", there(*ready))]
    NotThere {
        /// Cycle of the fault.
        cycle: u32,
        /// Id of the packet.
        packet: u64,
        /// Channel of the fault.
        channel: String,
        /// The first cycle in which the packet is at the channel's start; none if it never is.
        ready: Option<u32>,
    },
    /// A packet leaves before another that it needs.
    #[error("cycle {cycle}: packet {packet} leaves {node} before packet {needs} has arrived there")]
    Early {
        /// Cycle of the fault.
        cycle: u32,
        /// Id of the packet.
        packet: u64,
        /// Node that the packet leaves.
        node: String,
        /// Id of the packet that is needed.
        needs: u64,
    },
    /// A packet pauses in a schedule that claims that none does.
    #[error("cycle {cycle}: packet {packet} has waited at {node} since cycle {since}, and `waiting` is false")]
    Waits {
        /// The cycle in which it leaves.
        cycle: u32,
        /// Id of the packet.
        packet: u64,
        /// Node of the fault.
        node: String,
        /// The cycle in which it came.
        since: u32,
    },
    /// A packet does not come to a destination.
    #[error("packet {packet} never arrives at {node}")]
    Undelivered {
        /// Id of the packet.
        packet: u64,
        /// The destination.
        node: String,
    },
    /// The packets are not the collective's.
    #[error("{found} packets lead from {src} to {dst}, and the collective has {wanted}")]
    Traffic {
        /// The source.
        src: String,
        /// The destination.
        dst: String,
        /// Packets that are listed.
        found: usize,
        /// Packets of the collective.
        wanted: usize,
    },
    /// A packet for several nodes where every node is owed another.
    #[error("packet {packet} has several destinations, and in this collective every node receives a different packet")]
    Shared {
        /// Id of the packet.
        packet: u64,
    },
    /// An operation lacks an input, or is malformed.
    #[error("cycle {cycle}: packet {packet} is made at {node}: {what}")]
    Operation {
        /// Cycle of the fault.
        cycle: u32,
        /// Id of the packet that is made.
        packet: u64,
        /// Node of the fault.
        node: String,
        /// Fault, in words.
        what: String,
    },
    /// A node does not end with the result.
    #[error("{node} never has the result of part {part}: {nearest}")]
    Result {
        /// Node of the fault.
        node: String,
        /// Number of the part.
        part: u32,
        /// Contributions that the nearest packet lacks, or has twice.
        nearest: String,
    },
    /// The number of cycles is not that of the transfers.
    #[error("the schedule declares {}, and all results are in place at the start of cycle {found}", counted(*declared, "cycle"))]
    Cycles {
        /// Cycles that are declared.
        declared: u32,
        /// Cycles of the transfers and operations.
        found: u32,
    },
}

fn there(ready: Option<u32>) -> String {
    ready.map_or("where it never is".into(), |cycle| format!("where it is from cycle {cycle} on"))
}

fn again([first, second]: [u32; 2], period: Option<u32>) -> String {
    period.map_or(String::new(), |period| {
        format!(
            ", one of them of cycle {first}, {} before it: the schedule starts again every {period} cycles",
            second - first
        )
    })
}

/// A label in words: `(0,1,2)`, or `c(1,0)` with a name before the coordinates.
pub(super) fn label(label: &Value) -> String {
    let parts: Vec<&Value> = label.as_array().map_or(vec![label], |parts| parts.iter().collect());
    let (name, rest) = match parts.split_first() {
        Some((Value::String(name), [])) => return name.clone(),
        Some((Value::String(name), rest)) => (name.as_str(), rest),
        _ => ("", &parts[..]),
    };
    let rest: Vec<String> = rest.iter().map(|part| part.to_string()).collect();
    format!("{name}({})", rest.join(","))
}
