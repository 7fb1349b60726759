//! Decoder of a stream's slot table and of the ports' constants: the words that the source sends over each port, and
//! that every port receives.

use super::error::SwappedDragonflyError;
use super::flit;
use super::stream::{IMAGE, SEND_CYCLES, StreamLowered};
use crate::id::NodeId;
use crate::lower::bits::BitRow;
use crate::lower::read_back::{Delays, Programmed, ReadBack};
use crate::lower::{Fabric, Images, LowerError, images};
use crate::program::form::swapped_dragonfly::synchronizing_header::follow_from;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::program::timing::crossings;
use crate::program::{Hop, Origin, Program, Who};
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeSet;

/// A word of a lane in a channel: first word, entry, node, port and end.
type Sent = (u32, u32, NodeId, u32, u32);

impl Programmed for StreamLowered {
    fn fabric(&self) -> Fabric {
        self.frame.clone().into()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        images.insert(IMAGE, &self.table());
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        let bits = self.batch_bits() as usize;
        let rows = images.rows(IMAGE, self.rows as usize, 2 + bits)?;
        for (row, (read, due)) in rows.iter().zip(self.table()).enumerate() {
            // a row without a batch has no number, and is not the last one
            let said = |row: &BitRow| (row.get(bits + 1, 1) == 1).then(|| [row.get(0, bits), row.get(bits, 1)]);
            let what = match (said(read), said(&due)) {
                (a, b) if a == b => continue,
                (Some([batch, last]), Some([other, _])) => match batch == other {
                    true => format!("batch {batch} is {}the last one", if last == 1 { "" } else { "not " }),
                    false => format!("it has batch {batch}, not {other}"),
                },
                (Some([batch, _]), _) => format!("batch {batch} should not be there"),
                (None, due) => format!("batch {} is missing", due.map_or(0, |[batch, _]| batch)),
            };
            return Err(images::wrong(IMAGE, row, what));
        }
        read_back(self)
    }

    fn spacing(&self) -> u32 {
        self.pass_cycles
    }
}

fn wrong(what: String) -> LowerError {
    SwappedDragonflyError::Constants { what }.into()
}

/// The program that the constants of the ports make with the batches of the schedule, if it is the schedule's.
///
/// # Errors
/// [`SwappedDragonflyError::Constants`] with the first difference.
fn read_back(lowered: &StreamLowered) -> Result<ReadBack, LowerError> {
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
        for (bits, carried) in flit::header_bits(frame, root, &packet)?.into_iter().zip(&packet) {
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
