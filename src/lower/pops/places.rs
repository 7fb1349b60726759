//! Memory of a processor: places of packets by lifetime, rows by arrival.

use crate::check::pops::CheckedPops;
use crate::collective::pops::Goal;
use crate::program::form::pops::Hop;
use std::collections::BTreeMap;

/// Row of a processor's program: its sends and its receive in one slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PopsRow {
    /// The groups to whose couplers it sends.
    pub mask: Vec<u32>,
    /// Place of the packet that is sent.
    pub from: u32,
    /// Group from whose coupler the processor reads, and the place for the packet.
    pub receive: Option<(u32, u32)>,
}

/// The program of a processor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PopsProgram {
    /// A row a slot, and rows in which nothing is sent.
    pub rows: Vec<PopsRow>,
    /// The places of its results, in their order.
    pub results: Vec<u32>,
}

/// Programs without their last idle rows.
pub(super) struct Places {
    pub programs: Vec<PopsProgram>,
    pub rows: u32,
    pub places: u32,
    pub slot_rows: Vec<u32>,
    pub loads: Vec<u32>,
}

/// An element at a processor.
#[derive(Debug, Clone, Copy)]
struct Held {
    place: u32,
    /// The first row that can send it.
    ready: u32,
}

/// The places of one processor.
#[derive(Debug, Default)]
struct Memory {
    /// Element in each place; None if the place is free.
    places: Vec<Option<u32>>,
    held: BTreeMap<u32, Held>,
}

impl Memory {
    /// Puts an element into the first free place.
    fn put(&mut self, element: u32, ready: u32) -> u32 {
        let free = self.places.iter().position(Option::is_none).unwrap_or(self.places.len());
        if free == self.places.len() {
            self.places.push(None);
        }
        self.places[free] = Some(element);
        let place = free as u32;
        self.held.insert(element, Held { place, ready });
        place
    }

    fn remove(&mut self, element: u32) {
        if let Some(held) = self.held.remove(&element) {
            self.places[held.place as usize] = None;
        }
    }
}

/// The elements of a collective, and which of them each packet is.
pub(super) fn packets(schedule: &CheckedPops) -> (Vec<(u32, Goal)>, Vec<u32>) {
    let elements = schedule.relation().elements(schedule.network().processors());
    let moves = |(_, element): &(u32, &(u32, Goal))| element.1 != Goal::One(element.0);
    let packets = (0..).zip(&elements).filter(moves).map(|(element, _)| element).collect();
    (elements, packets)
}

impl Places {
    /// Follows the packets of a schedule; a packet can be forwarded `gap` rows after it arrived.
    pub(super) fn new(schedule: &CheckedPops, gap: u32) -> Self {
        let (net, made) = (schedule.network(), schedule.schedule());
        let n = net.processors() as usize;
        let (elements, packets) = packets(schedule);
        let mut memories: Vec<Memory> = (0..n).map(|_| Memory::default()).collect();
        for (element, &(src, _)) in (0..).zip(&elements) {
            memories[src as usize].put(element, 0);
        }
        let loads = memories.iter().map(|memory| memory.places.len() as u32).collect();
        let mut programs = vec![PopsProgram::default(); n];
        let (mut slot_rows, mut next) = (vec![0; made.slots as usize], 0);
        for same in made.hops.chunk_by(|a, b| a.slot == b.slot) {
            let ready =
                |hop: &Hop| memories[hop.from as usize].held.get(&packets[hop.packet as usize]).map(|h| h.ready);
            let row = same.iter().filter_map(ready).fold(next, u32::max);
            next = row + 1;
            slot_rows[same[0].slot as usize] = row;
            programs.iter_mut().for_each(|program| program.rows.resize(row as usize + 1, PopsRow::default()));
            for hop in same {
                let element = packets[hop.packet as usize];
                let Some(held) = memories[hop.from as usize].held.get(&element) else { continue }; // the judge refuses it
                let sent = &mut programs[hop.from as usize].rows[row as usize];
                sent.from = held.place;
                if !sent.mask.contains(&net.group(hop.to)) {
                    sent.mask.push(net.group(hop.to));
                    sent.mask.sort_unstable();
                }
            }
            // what is sent leaves its place to what comes in the same slot; a packet for all stays
            for hop in same.iter().filter(|hop| made.packets[hop.packet as usize].goal != Goal::All) {
                memories[hop.from as usize].remove(packets[hop.packet as usize]);
            }
            for hop in same {
                let (element, memory) = (packets[hop.packet as usize], &mut memories[hop.to as usize]);
                let place = match memory.held.get(&element) {
                    Some(held) => held.place,
                    None => memory.put(element, row + gap),
                };
                programs[hop.to as usize].rows[row as usize].receive = Some((net.group(hop.from), place));
            }
        }
        for (element, &(_, goal)) in (0..).zip(&elements) {
            let ends = match goal {
                Goal::One(to) => to..to + 1,
                Goal::All => 0..net.processors(),
            };
            for to in ends {
                let place = memories[to as usize].held.get(&element).map(|held| held.place);
                programs[to as usize].results.extend(place);
            }
        }
        let places = memories.iter().map(|memory| memory.places.len() as u32).max().unwrap_or(0).max(1);
        // a collective of nothing but elements at home takes a row, too
        Self { programs, rows: next.max(1), places, slot_rows, loads }
    }
}
