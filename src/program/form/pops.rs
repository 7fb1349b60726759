//! Schedules on POPS: hops of packets over couplers, and the program that they stand for.

use crate::collective::pops::{Goal, Packet};
use crate::id::NodeId;
use crate::program::{self, Origin, Program, Switching, Train, Who};
use crate::topology::Pops;

/// A packet goes over the coupler between two groups. Hops of one packet from one processor in one slot are one sending, which several
/// processors read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hop {
    /// The slot, from 0.
    pub slot: u32,
    /// The packet, by its number.
    pub packet: u32,
    /// Processor that sends, 0 to d·g - 1.
    pub from: u32,
    /// Processor that reads, 0 to d·g - 1.
    pub to: u32,
}

/// A schedule, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PopsSchedule {
    /// Name of the algorithm that made the schedule, never `best`.
    pub algorithm: &'static str,
    /// Packets of the schedule, by number.
    pub packets: Vec<Packet>,
    /// Hops of all packets, in the order of slots.
    pub hops: Vec<Hop>,
    /// Number of slots.
    pub slots: u32,
    /// Most packets that a processor holds between two slots: own ones that wait, others' that pass, and those for itself.
    pub buffers: u32,
    /// A search has found that no schedule has fewer slots.
    pub searched: bool,
}

impl PopsSchedule {
    /// The program of all processors: a move for each packet, through couplers slot by slot.
    pub fn to_program(&self, net: Pops) -> Program {
        let mut program = Program::new(Switching::Circuit);
        let mut hops_of: Vec<Vec<&Hop>> = vec![Vec::new(); self.packets.len()];
        self.hops.iter().for_each(|hop| hops_of[hop.packet as usize].push(hop));
        for (packet, mut hops) in self.packets.iter().zip(hops_of) {
            hops.sort_by_key(|hop| (hop.slot, hop.from, net.group(hop.to)));
            let who = Who::One(NodeId::new(packet.src));
            let value = program.value(who, 1, Origin::Message);
            // where the packet has come: processor, slot from which on it can leave, hop by which it came
            let mut there = vec![(packet.src, hops.first().map_or(0, |hop| hop.slot), None)];
            let mut tree: Vec<program::Hop> = Vec::with_capacity(2 * hops.len());
            // the last hop into a coupler: its slot, sender and group of readers
            let mut up = None;
            for hop in &hops {
                let sending = (hop.slot, hop.from, net.group(hop.to));
                if up.is_none_or(|(_, last)| last != sending) {
                    let Some(&(_, ready, parent)) = there.iter().find(|at| at.0 == hop.from) else { continue };
                    up = Some((tree.len() as u32, sending));
                    let wait = hop.slot.saturating_sub(ready);
                    tree.push(program::Hop { parent, port: sending.2, wait, keep: false });
                }
                let parent = up.map(|(index, _)| index);
                let keep = match packet.goal {
                    Goal::One(to) => to == hop.to,
                    Goal::All => true,
                };
                there.push((hop.to, hop.slot + 1, Some(tree.len() as u32)));
                tree.push(program::Hop { parent, port: hop.to % net.d(), wait: 0, keep });
            }
            let at = there[0].1;
            program.send(value, who, (at, Train::STEADY), tree);
        }
        program
    }
}
