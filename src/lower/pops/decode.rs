//! Reading images back: what processors would do that held these words, as hops to be compared with the schedule.

use super::places::packets;
use super::{PopsLowered, gap};
use crate::collective::Goal;
use crate::lower::LowerError;
use crate::lower::bits::BitRow;
use crate::lower::parameters::field;
use std::collections::BTreeSet;

/// A row of an image.
struct Row {
    mask: Vec<u32>,
    from: u32,
    receive: Option<(u32, u32)>,
}

/// Compares what images do with the schedule.
///
/// # Errors
/// [`LowerError::PopsImage`] with the first difference.
pub(super) fn same(lowered: &PopsLowered, images: &[String]) -> Result<(), LowerError> {
    let net = lowered.frame.network;
    let (elements, packets) = packets(&lowered.schedule);
    let rows = images.iter().enumerate().map(|(i, image)| read(lowered, i, image)).collect::<Result<Vec<_>, _>>()?;
    // what is in each place
    let mut memories = vec![vec![None; 1 << lowered.place_bits()]; rows.len()];
    let mut loaded = vec![0; rows.len()];
    for (element, &(src, _)) in (0_u32..).zip(&elements) {
        memories[src as usize][loaded[src as usize]] = Some(element);
        loaded[src as usize] += 1;
    }
    let (mut found, mut coming) = (BTreeSet::new(), Vec::<(u32, usize, u32, Option<u32>)>::new());
    let gap = gap(lowered.frame.slot_cycles);
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
                let what = format!("{} processors send what it reads in row {row}", senders.len());
                return Err(wrong(to, what));
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
            return Err(wrong(from, format!("what it sends to group {b} in row {row} is read by nobody")));
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
        let what = format!("in row {row} it sends to processor {to} what the schedule does not say");
        return Err(wrong(from, what));
    }
    for to in 0..net.processors() {
        let goals = |(_, element): &(u32, &(u32, Goal))| [Goal::One(to), Goal::All].contains(&element.1);
        let results: Vec<_> = (0..).zip(&elements).filter(goals).map(|(element, _)| Some(element)).collect();
        let read = &rows[to as usize][lowered.rows as usize..];
        let given = read.iter().map(|row| memories[to as usize][row.from as usize]);
        if !given.take(results.len()).eq(results) {
            return Err(wrong(to, "it does not give its results in their order".into()));
        }
    }
    Ok(())
}

fn wrong(processor: u32, what: String) -> LowerError {
    LowerError::PopsImage { processor, what }
}

fn read(lowered: &PopsLowered, processor: usize, image: &str) -> Result<Vec<Row>, LowerError> {
    let wrong = |what: String| wrong(processor as u32, what);
    let lines: Vec<&str> = image.split_whitespace().collect();
    let (all, width) = ((lowered.rows + lowered.results) as usize, lowered.row_bits() as usize);
    if lines.len() != all {
        return Err(wrong(format!("it has {} rows instead of {all}", lines.len())));
    }
    let (places, couplers) = (lowered.place_bits() as usize, field(lowered.frame.network.g()) as usize);
    let row = |(number, line): (usize, &&str)| {
        let bits = BitRow::from_hex(line, width)
            .ok_or_else(|| wrong(format!("row {number}: `{line}` is not {width} bits in hexadecimal")))?;
        let mask = 2 * places + couplers + 1;
        let receive = (bits.get(places + couplers, 1) == 1).then(|| (bits.get(places, couplers), bits.get(0, places)));
        if receive.is_some_and(|(a, _)| a >= lowered.frame.network.g()) {
            return Err(wrong(format!("row {number} reads a coupler that is not there")));
        }
        Ok(Row {
            mask: (0..lowered.frame.network.g()).filter(|&b| bits.get(mask + b as usize, 1) == 1).collect(),
            from: bits.get(places + couplers + 1, places),
            receive,
        })
    };
    lines.iter().enumerate().map(row).collect()
}
