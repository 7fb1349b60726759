//! Reading the constants of a stream's ports back: what the source sends over each port, and what every port receives.

use super::LowerError;
use super::flit;
use super::read_back::{Delays, ReadBack, header_bits};
use super::stream::{SEND_CYCLES, StreamLowered};
use crate::id::NodeId;
use crate::program::header::follow_from;
use crate::program::timing::crossings;
use crate::program::{Hop, Origin, Program, Who};
use crate::schedule::HopLatency;
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeSet;

/// Delays where routers copy and crossbars have no register.
pub(super) const DELAYS: Delays = Delays { channel: 1 + SEND_CYCLES, receive: 2 + SEND_CYCLES };

/// A word of a lane in a channel: first word, entry, node, port and end.
type Sent = (u32, u32, NodeId, u32, u32);

fn wrong(what: String) -> LowerError {
    LowerError::Constants { what }
}

/// The program that the constants of the ports make with the batches of the schedule, if it is the schedule's.
///
/// # Errors
/// [`LowerError::Constants`] with the first difference.
pub(super) fn read_back(lowered: &StreamLowered) -> Result<ReadBack, LowerError> {
    let (frame, software) = (&lowered.frame, lowered.software);
    let (net, root) = (&frame.network, lowered.program.root);
    let hop = HopLatency { local: frame.local_stages, global: frame.global_stages };
    let (lanes, batches) = (lowered.program.lanes, lowered.program.batches());
    let sends =
        || (0..).zip(&lowered.tiles[root.index()].sends).filter_map(|(port, send)| Some((port, send.as_ref()?)));
    let mut program = Program::new(hop.switching(net));
    let who = Who::One(root);
    for lane in 0..lanes {
        let short = sends().any(|(_, send)| send.lane == lane && send.short);
        program.value(who, batches - u32::from(short), Origin::Word { first: lane, stride: lanes });
    }
    let mut shown = Vec::new();
    for (port, send) in sends().filter(|(_, send)| lowered.program.batches_of(send.lane) > 0) {
        let local = (port as usize) < net.local_ports();
        let (header, keep) = match local {
            true => flit::read_local(frame, &send.header),
            false => {
                let header = flit::read_global(frame, &send.header);
                let loops = net.neighbour(root, port as usize) == root;
                let keep = header.broadcast && !loops;
                (header, keep)
            }
        };
        let first = Hop { parent: None, port, wait: 0, keep };
        let packet = follow_from(net, root, Some(first), &header, lowered.program.holds(hop, software));
        for (bits, carried) in header_bits(frame, root, &packet)?.into_iter().zip(&packet) {
            if carried.hop.parent.is_none() && bits != send.header {
                return Err(wrong(format!(
                    "port {port} of router {root} has a header of which only {header} can be read"
                )));
            }
            let local = (carried.hop.port as usize) < net.local_ports();
            // where endpoints copy, a packet of one hop carries the header
            shown.push((if software > 0 { flit::carried(frame, local, &bits) } else { bits }, 0));
        }
        let tree = packet.into_iter().map(|carried| carried.hop);
        program.send(send.lane, who, (send.tap, lowered.program.train), tree);
    }
    let [read, due] = [&program, &lowered.program.to_program(net, hop, software)].map(|program| sent(net, program));
    if let Some((lane, cycle, node, port, _)) = read[0].symmetric_difference(&due[0]).next() {
        return Err(wrong(format!("a word of lane {lane} over port {port} of router {node} in cycle {cycle}")));
    }
    let received: BTreeSet<(NodeId, u32, u32, u32)> = (0_usize..)
        .zip(&lowered.tiles)
        .flat_map(|(node, tile)| (0..).zip(&tile.receives).map(move |(port, slots)| (NodeId::from(node), port, slots)))
        .flat_map(|(node, port, slots)| slots.iter().map(move |slot| (node, port, slot.lane, slot.tap)))
        .filter(|&(_, _, lane, _)| lowered.program.batches_of(lane) > 0)
        .collect();
    let kept = |&(lane, _, node, port, end): &Sent| {
        (net.neighbour(node, port as usize), port, lane, end + software + SEND_CYCLES)
    };
    if let Some((node, port, lane, tap)) =
        read[1].iter().map(kept).collect::<BTreeSet<_>>().symmetric_difference(&received).next()
    {
        return Err(wrong(format!("port {port} of router {node} expects lane {lane} {tap} cycles after its batch")));
    }
    let crossbar = 1 + SEND_CYCLES;
    // between the copies of an endpoint and the router there is a register
    let delays =
        Delays { channel: crossbar + u32::from(software > 0) + frame.xbar_stages, receive: crossbar + software + 1 };
    Ok(ReadBack::new(program, delays, shown))
}

/// Channels that the words of lanes cross, and of these those at whose end it is kept.
fn sent(net: &SwappedDragonfly, program: &Program) -> [BTreeSet<Sent>; 2] {
    let mut all = [BTreeSet::new(), BTreeSet::new()];
    for m in &program.moves {
        let (Who::One(root), Origin::Word { first, .. }) = (m.who, program.values[m.value as usize].origin) else {
            continue;
        };
        for crossing in crossings(net, program, m, root).unwrap_or_default() {
            let hop = &program.hops[crossing.hop as usize];
            let word = (first, crossing.entry, crossing.from, hop.port, crossing.end);
            all[0].insert(word);
            if hop.keep {
                all[1].insert(word);
            }
        }
    }
    all
}
