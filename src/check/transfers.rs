//! The general judge: a stream of single transfers on any network, followed packet by packet.
//!
//! It knows nothing of vectors, programs or symmetry, only which channels there are, how long a hop takes and what is to
//! be delivered. It holds one entry a channel and one a packet, so it is for small networks, beside the proof through
//! symmetry, and for schedules that are not uniform.

use super::error::{CheckError, Claimant, Conflict, Node, Origin, Path};
use crate::id::{ChannelId, Cycle, NodeId, PacketId};
use crate::topology::Topology;

/// A packet enters a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Transfer {
    /// The cycle in which it enters.
    pub cycle: Cycle,
    /// The channel, loopbacks included.
    pub channel: ChannelId,
    /// The packet, an index into the list of packets.
    pub packet: PacketId,
}

/// A packet's ends; equal for a packet that a router sends to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Packet {
    /// Where it starts.
    pub src: NodeId,
    /// Where it is to go.
    pub dst: NodeId,
}

/// Whether packets may pause on their way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waiting {
    /// Routers have buffers.
    Allowed,
    /// A packet leaves a router in the cycle in which it gets there; at its source it may start whenever it likes.
    Forbidden,
    /// The same, in a stream that leaves out crossings of loopbacks: at a router with loopbacks a packet may also leave
    /// exactly one crossing of one of them later.
    ForbiddenButLoopbacks,
}

/// What a stream has to keep to.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Cycles from entering a channel to being able to leave its far end, by port.
    pub latency: &'a [u32],
    /// Whether packets may pause.
    pub waiting: Waiting,
}

/// What a stream that holds amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// Number of transfers.
    pub transfers: u64,
    /// One more than the last cycle of a transfer; 0 without any.
    pub cycles: u32,
}

/// Every ordered pair of nodes once, each node with itself included: all-to-all as uniform programs do it.
pub fn all_pairs(nodes: usize) -> Vec<Packet> {
    let nodes = || (0..nodes).map(NodeId::from);
    nodes().flat_map(|src| nodes().map(move |dst| Packet { src, dst })).collect()
}

/// Where a packet is.
#[derive(Clone, Copy)]
struct Position {
    at: NodeId,
    /// The first cycle in which it may leave.
    since: u32,
    moved: bool,
    arrived: bool,
}

/// Judges a stream, in order of cycles, that is to bring every packet from its source to its destination.
///
/// It holds iff no channel carries two packets in a cycle, every packet is where it leaves from, no packet pauses where
/// that is forbidden, each comes to its destination exactly once and stays there (one from a node to itself may also not
/// move at all), and the packets' ends are the pairs of `demand` with their multiplicities.
///
/// # Errors
/// A [`CheckError`] for the first transfer that breaks a rule, then for the first packet that is not delivered, then for
/// the first pair that differs from the demand.
pub fn judge<T: Topology + ?Sized>(
    net: &T,
    rules: Rules<'_>,
    packets: &[Packet],
    demand: &[Packet],
    transfers: impl IntoIterator<Item = Transfer>,
) -> Result<Account, CheckError> {
    let path = |p: Packet| Path { src: Node(net.label(p.src)), dst: Node(net.label(p.dst)) };
    let mut positions: Vec<Position> =
        packets.iter().map(|p| Position { at: p.src, since: 0, moved: false, arrived: false }).collect();
    let mut last_use: Vec<Option<(u32, PacketId)>> = vec![None; net.channels()];
    let mut account = Account::default();
    for Transfer { cycle, channel, packet } in transfers {
        let cycle = cycle.get();
        if cycle < account.cycles.saturating_sub(1) {
            return Err(CheckError::OutOfOrder { before: account.cycles - 1, after: cycle });
        }
        account = Account { transfers: account.transfers + 1, cycles: cycle.saturating_add(1) };
        let Some(used) = last_use.get_mut(channel.index()) else {
            return Err(CheckError::UnknownChannel { cycle, channel: channel.get(), channels: net.channels() });
        };
        let (Some(position), Some(&ends)) = (positions.get_mut(packet.index()), packets.get(packet.index())) else {
            return Err(CheckError::UnknownPacket { cycle, packet: packet.get(), packets: packets.len() });
        };
        if let Some((_, other)) = used.filter(|(last, _)| *last == cycle) {
            let claimant =
                |id: PacketId| Claimant { path: path(packets[id.index()]), origin: Origin::Packet(id.get()) };
            let (first, second) = (claimant(other), claimant(packet));
            return Err(Conflict { channel: net.describe(channel), cycle, first, second, everywhere: false }.into());
        }
        *used = Some((cycle, packet));
        let Position { at, since, moved, arrived } = *position;
        let hop = net.channel(channel);
        let (packet, path, in_words) = (packet.get(), || path(ends), || net.describe(channel));
        if hop.src != at || cycle < since {
            let (path, channel, at) = (path(), in_words(), Node(net.label(at)));
            return Err(CheckError::NotThere { cycle, packet, path, channel, at, since });
        }
        let pause = cycle - since;
        let over_loopback = || {
            let loops = |port: usize| net.neighbour(at, port) == at && rules.latency[port] == pause;
            rules.waiting == Waiting::ForbiddenButLoopbacks && (0..net.ports()).any(loops)
        };
        if moved && pause > 0 && rules.waiting != Waiting::Allowed && !over_loopback() {
            let (path, channel, at) = (path(), in_words(), Node(net.label(at)));
            return Err(CheckError::Waited { cycle, packet, path, channel, at, since });
        }
        let arrives = hop.dst == ends.dst && !hop.is_loopback();
        if arrives && arrived {
            return Err(CheckError::ArrivesTwice { cycle, packet, path: path() });
        }
        let since = cycle.saturating_add(rules.latency[channel.index() % net.ports()]);
        *position = Position { at: hop.dst, since, moved: true, arrived: arrived || arrives };
    }
    let stray = (0u32..).zip(positions.iter().zip(packets)).find(|(_, (position, ends))| position.at != ends.dst);
    if let Some((packet, (position, &ends))) = stray {
        return Err(CheckError::NotDelivered { packet, path: path(ends), at: Node(net.label(position.at)) });
    }
    check_demand(packets, demand).map_err(|(pair, found, wanted)| CheckError::WrongDemand {
        path: path(pair),
        found,
        wanted,
    })?;
    Ok(account)
}

/// Compares two multisets of pairs; fails with the first pair that differs and how often each has it.
fn check_demand(packets: &[Packet], demand: &[Packet]) -> Result<(), (Packet, u64, u64)> {
    let sorted = |pairs: &[Packet]| {
        let mut pairs = pairs.to_vec();
        pairs.sort_unstable();
        pairs
    };
    let (have, want) = (sorted(packets), sorted(demand));
    let differs = have.iter().zip(&want).position(|(a, b)| a != b).unwrap_or(have.len().min(want.len()));
    match [have.get(differs), want.get(differs)].into_iter().flatten().min() {
        Some(&pair) => {
            let times = |pairs: &[Packet]| pairs.iter().filter(|p| **p == pair).count() as u64;
            Err((pair, times(&have), times(&want)))
        }
        None => Ok(()),
    }
}
