//! Decoder of images: the hops of processors that hold these words, to be compared with the schedule.

use super::places::packets;
use super::{HOP_CYCLES, PopsLowered, image};
use crate::collective::pops::Goal;
use crate::lower::bits::BitRow;
use crate::lower::bits::field;
use crate::lower::read_back::{Delays, Programmed, ReadBack, valid};
use crate::lower::{Fabric, Images, LowerError, images};
use crate::program::Switching;
use crate::program::form::pops::{Hop, PopsSchedule};
use crate::topology::Topology;
use std::collections::BTreeSet;

/// A row of an image. Places mean nothing in a row that does not send or receive, nor does anything but `from` in one of a result.
struct Row {
    mask: Vec<u32>,
    from: u32,
    receive: Option<(u32, u32)>,
}

impl Programmed for PopsLowered {
    fn fabric(&self) -> Fabric {
        self.frame.clone().into()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        (0..self.programs.len()).for_each(|i| images.insert(image(i), &self.bits(i)));
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        read_back(self, images)
    }

    fn spacing(&self) -> u32 {
        self.pass_cycles
    }

    fn places(&self) -> Option<Vec<usize>> {
        Some(self.result_places())
    }
}

/// The program of processors with these images, if it is the schedule's.
///
/// # Errors
/// [`LowerError::Image`] with the first difference.
fn read_back(lowered: &PopsLowered, images: &Images) -> Result<ReadBack, LowerError> {
    let net = lowered.frame.network;
    let (elements, packets) = packets(&lowered.schedule);
    let processors = 0..net.processors();
    let rows = processors.map(|i| read(lowered, i, images)).collect::<Result<Vec<_>, _>>()?;
    // what is in each place
    let mut memories = vec![vec![None; 1 << lowered.place_bits()]; rows.len()];
    let mut loaded = vec![0; rows.len()];
    for (element, &(src, _)) in (0_u32..).zip(&elements) {
        memories[src as usize][loaded[src as usize]] = Some(element);
        loaded[src as usize] += 1;
    }
    let (mut found, mut coming) = (BTreeSet::new(), Vec::<(u32, usize, u32, Option<u32>)>::new());
    let gap = lowered.frame.gap();
    for row in 0..lowered.rows {
        let arrived = coming.partition_point(|&(at, _, _, _)| at + gap <= row);
        for (_, to, place, element) in coming.drain(..arrived) {
            memories[to][place as usize] = element;
        }
        for (to, program) in (0..).zip(&rows) {
            let Some((a, place)) = program[row as usize].receive else { continue };
            let hears = |from: &u32| rows[*from as usize][row as usize].mask.contains(&net.group(to));
            let senders: Vec<u32> = (a * net.d()..(a + 1) * net.d()).filter(hears).collect();
            let [from] = senders[..] else {
                return Err(wrong(to, row, format!("{} processors send what it reads", senders.len())));
            };
            let element = memories[from as usize][rows[from as usize][row as usize].from as usize];
            coming.push((row, to as usize, place, element));
            found.insert((row, from, to, element));
        }
        let sends = |(from, program): (u32, &Vec<Row>)| {
            let mut read =
                found.range((row, from, 0, None)..(row, from + 1, 0, None)).map(|&(_, _, to, _)| net.group(to));
            let heard: BTreeSet<u32> = read.by_ref().collect();
            let b = *program[row as usize].mask.iter().find(|b| !heard.contains(b))?;
            Some((from, b))
        };
        if let Some((from, b)) = (0..).zip(&rows).find_map(sends) {
            return Err(wrong(from, row, format!("no processor reads the packet that it sends to group {b}")));
        }
    }
    for (_, to, place, element) in coming {
        memories[to][place as usize] = element;
    }
    let hops = lowered.schedule.schedule().hops.iter();
    let wanted: BTreeSet<_> = hops
        .map(|hop| (lowered.slot_rows[hop.slot as usize], hop.from, hop.to, Some(packets[hop.packet as usize])))
        .collect();
    if let Some(&(row, from, to, _)) = found.symmetric_difference(&wanted).next() {
        return Err(wrong(from, row, format!("it sends to processor {to} what the schedule does not say")));
    }
    for to in 0..net.processors() {
        let goals = |(_, element): &(u32, &(u32, Goal))| [Goal::One(to), Goal::All].contains(&element.1);
        let results: Vec<_> = (0..).zip(&elements).filter(goals).map(|(element, _)| Some(element)).collect();
        let read = &rows[to as usize][lowered.rows as usize..];
        let given = read.iter().map(|row| memories[to as usize][row.from as usize]);
        if let Some(at) = given.zip(results).position(|(given, due)| given != due) {
            return Err(wrong(to, lowered.rows + at as u32, format!("it does not give its result {at}")));
        }
    }
    Ok(program(lowered, &packets, &found))
}

/// Cycles from the beat of a word to the coupler's register; a receiver has it when it can send it on.
const DELAYS: Delays = Delays { channel: 3, receive: 0 };

/// Hop of an element: row, sender, receiver, element.
type Found = (u32, u32, u32, Option<u32>);

/// The program that was found, in clock cycles: a packet is as many batches as its slot has cycles.
fn program(lowered: &PopsLowered, packets: &[u32], found: &BTreeSet<Found>) -> ReadBack {
    let (net, slot) = (lowered.frame.network, lowered.frame.slot_cycles);
    let schedule = lowered.schedule.schedule();
    // packets are elements in order
    let packet = |element: u32| packets.binary_search(&element).ok();
    let hop = |&(row, from, to, element): &Found| Some(Hop { packet: packet(element?)? as u32, slot: row, from, to });
    let hops = found.iter().filter_map(hop).collect();
    let mut program = PopsSchedule { hops, ..schedule.clone() }.to_program(net);
    let latency = |channel: usize| if net.is_medium((channel / net.ports()).into()) { HOP_CYCLES } else { 0 };
    program.switching = Switching::HopByChannel((0..net.nodes() * net.ports()).map(latency).collect());
    program.values.iter_mut().for_each(|value| value.batches = slot);
    for m in &mut program.moves {
        m.at *= slot;
        let mut into_coupler: Vec<bool> = Vec::with_capacity(m.hops.len());
        for hop in &mut program.hops[m.hops.start as usize..m.hops.end as usize] {
            let before = hop.parent.map(|parent| into_coupler[(parent - m.hops.start) as usize]);
            hop.wait = match before {
                None => hop.wait * slot,
                Some(true) => 0,
                // the slots from the one in which the packet came
                Some(false) => ((hop.wait + 1) * slot).saturating_sub(HOP_CYCLES),
            };
            into_coupler.push(before != Some(true));
            // whoever reads a packet has a place for it, be it on its way or not
            hop.keep = before == Some(true);
        }
    }
    let shown: Vec<_> = program.hops.iter().map(|_| (valid(), 0)).collect();
    ReadBack::new(program, DELAYS, shown)
}

fn wrong(processor: u32, row: u32, what: impl Into<String>) -> LowerError {
    images::wrong(&image(processor as usize), row as usize, what)
}

fn read(lowered: &PopsLowered, processor: u32, images: &Images) -> Result<Vec<Row>, LowerError> {
    let (all, width) = ((lowered.rows + lowered.results) as usize, lowered.row_bits() as usize);
    let g = lowered.frame.network.g();
    let (places, couplers) = (lowered.place_bits() as usize, field(g) as usize);
    let row = |(number, bits): (u32, BitRow)| {
        let mask = 2 * places + couplers + 1;
        let receive = (bits.get(places + couplers, 1) == 1).then(|| (bits.get(places, couplers), bits.get(0, places)));
        if receive.is_some_and(|(a, _)| a >= g) {
            return Err(wrong(processor, number, "it reads a coupler that does not exist"));
        }
        Ok(Row {
            mask: (0..g).filter(|&b| bits.get(mask + b as usize, 1) == 1).collect(),
            from: bits.get(places + couplers + 1, places),
            receive,
        })
    };
    (0..).zip(images.rows(&image(processor as usize), all, width)?).map(row).collect()
}
