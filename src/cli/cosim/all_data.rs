//! A bitstream for all data: each data bit stands for both of its values, and so does what comes out.
//!
//! The device and its serial line are simulated once, with sums of data bits in the place of bits. Then the exchange is repeated from
//! what came out, with the bits of a few arrays that tell every data bit from every other.

use super::failure::{judged, mismatch};
use crate::board::Board;
use crate::cli::run::Transfer;
use crate::cli::work::Work;
use crate::cli::{CliError, Exit};
use crate::collective::{Dtype, Words};
use crate::cosim::CosimError;
use crate::cosim::bitstream::ice40::Netlist;
use crate::cosim::bitstream::line::{Difference, Replay, SymbolicBoard};
use crate::cosim::bitstream::symbolic::RamBit;
use crate::count::counted;
use crate::id::NodeId;
use crate::lower::Ring;
use crate::program::{Operation, Program};
use crate::simulate::{Data, Given, Simulation};
use crate::synth::link::{Passes, exchange};
use crate::topology::Topology;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Result of a proof for all data.
#[derive(Debug, Serialize)]
pub(super) struct Proof {
    /// Data bits, each of which stands for both values.
    data_bits: usize,
    /// Words that crossed channels, and came to their places in the cycles of the schedule, counted from the first.
    words: usize,
    /// Bits of block RAMs that the device is configured with and that are read while the collective runs, flipped one by one.
    flips: Flips,
}

/// Numbers of flips by their effects.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize)]
struct Flips {
    /// The hardware reports a fault.
    reported: usize,
    /// The words that come out are others, before any report.
    wrong_words: usize,
    /// The board does not answer as it must.
    no_answer: usize,
    /// Nothing changes.
    without_effect: usize,
}

impl Flips {
    fn count(&self) -> usize {
        self.wrong_words + self.reported + self.no_answer + self.without_effect
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bits = counted(self.data_bits, "data bit");
        writeln!(f, "proved for all data: each of {bits} comes out where it belongs, and nothing else does")?;
        let words = counted(self.words, "word");
        writeln!(f, "cycles: {words} came to their places as scheduled, counted from the first")?;
        let Flips { reported, wrong_words, no_answer, without_effect } = self.flips;
        match self.flips.count() {
            0 => writeln!(f, "program: not in block RAMs, no bit of it was flipped"),
            all => writeln!(
                f,
                "program: {} flipped one by one: {reported} reported by the hardware, {wrong_words} with wrong words, \
                 {no_answer} without an answer, {without_effect} without effect",
                counted(all, "bit")
            ),
        }
    }
}

/// Proves a netlist that moves the words of a collective.
///
/// # Errors
/// [`CliError`] with [`Exit::Mismatch`] if the proof fails.
pub(super) fn prove(
    tags: &Tags,
    netlist: &str,
    board: &Board,
    patience: u64,
    work: &dyn Work,
    transfer: &Transfer,
) -> Result<Proof, CliError> {
    let netlist =
        Netlist::parse(netlist).map_err(|reason| CosimError::Bitstream { program: "metronoc".to_owned(), reason })?;
    let failed = |message: String| mismatch(message, Vec::new());
    let mut line = SymbolicBoard::new(netlist, board, patience);
    judged(transfer, &transfer.exchange(&mut line).map_err(|error| failed(error.to_string()))?)?;
    let sums = &line.simulation.sums;
    for (at, byte) in line.received.iter().enumerate() {
        if let Some(bit) = byte.iter().position(|&bit| bit.constant().is_none() && sums.single(bit).is_none()) {
            return Err(failed(format!("bit {bit} of byte {at} that the board sends is no single data bit")));
        }
    }
    let words = tags.words_of_bits(&line)?;
    let arrived = arrivals(&line, transfer, &words)?;
    let scheduled = scheduled(work, transfer)?;
    let mut origin = None;
    for (&word, &cycle) in &arrived {
        let Some(due) = scheduled[word] else { continue };
        let first = i128::from(cycle) - i128::from(due);
        if *origin.get_or_insert(first) != first {
            let late = first - origin.unwrap_or(first);
            return Err(failed(format!("word {word} of the data is {late} cycles late in its place")));
        }
    }
    let crossing = scheduled.iter().enumerate().filter(|(_, due)| due.is_some());
    if let Some((word, _)) = crossing.clone().find(|(word, _)| !arrived.contains_key(word)) {
        return Err(failed(format!("word {word} of the data comes to no place")));
    }
    let bits: Vec<RamBit> = line.simulation.configured_bits().collect();
    let (ring, passes) = (&*transfer.hardware.fabric(), &transfer.passes);
    let effects: Vec<Effect> = bits.par_iter().map(|&bit| effect(&line, bit, ring, passes)).collect();
    let count = |effect| effects.iter().filter(|&&other| other == effect).count();
    let flips = Flips {
        reported: count(Effect::Reported),
        wrong_words: count(Effect::WrongWords),
        no_answer: count(Effect::NoAnswer),
        without_effect: count(Effect::None),
    };
    Ok(Proof { data_bits: line.data.len(), words: crossing.count(), flips })
}

/// Numbers of data bits, as arrays of words: bit k of every number in array k.
pub(super) struct Tags {
    /// Exchanges of the arrays.
    planes: Vec<Transfer>,
    bits: usize,
}

impl Tags {
    /// Numbers from 1 on, so that there is one more above the last: no number has only zeros or only ones.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Usage`] for collectives that compute.
    pub(super) fn new(transfer: &Transfer) -> Result<Self, CliError> {
        let (dtype, len) = (transfer.data().dtype(), transfer.data().len());
        let bits = dtype.bits() as usize;
        let count = len * bits;
        let planes = usize::BITS - (count + 1).leading_zeros();
        let word =
            |plane: u32, i: usize| (0..bits).map(|bit| (((i * bits + bit + 1) >> plane & 1) as u64) << bit).sum();
        let data = (0..planes).map(|plane| Words::from_fn(dtype, len, |i| word(plane, i)));
        let planes: Vec<Transfer> = data.map(|data| transfer.of(data)).collect();
        // what the collective defines are data bits, and no function of them
        let number = |i: usize, bit: usize| {
            let planes = planes.iter().enumerate();
            planes.map(|(plane, of)| (of.expected.get(i) >> bit & 1) << plane).sum::<u64>() as usize
        };
        let moved = (0..transfer.expected.len()).all(|i| (0..bits).all(|bit| (1..=count).contains(&number(i, bit))));
        if !moved || transfer.collective.operator().is_some() {
            let message = "`--all-data` is for collectives that move words, and this one computes";
            return Err(CliError::failed(Exit::Usage, message, "leave out `--all-data`"));
        }
        Ok(Self { planes, bits })
    }

    /// Repeats the exchange for every array; the word of each data bit of the line.
    fn words_of_bits(&self, line: &SymbolicBoard) -> Result<Vec<Option<usize>>, CliError> {
        let mut numbers = vec![0; line.data.len()];
        for (plane, transfer) in self.planes.iter().enumerate() {
            let mut replay = Replay::new(line);
            let answer = transfer.exchange(&mut replay).map_err(|error| mismatch(error.to_string(), Vec::new()))?;
            judged(transfer, &answer)?;
            numbers.iter_mut().zip(&replay.data).for_each(|(number, &bit)| *number |= usize::from(bit) << plane);
        }
        // a bit that is only sent to fill a payload has none
        Ok(numbers.into_iter().map(|number| number.checked_sub(1).map(|number| number / self.bits)).collect())
    }
}

/// Cycle in which each word came to the place from which it is read at the end, by its index among the data.
fn arrivals(
    line: &SymbolicBoard,
    transfer: &Transfer,
    words: &[Option<usize>],
) -> Result<BTreeMap<usize, u64>, CliError> {
    let mut resumed = line.with_places().ok_or_else(|| CliError::Internal("a line without a collective".into()))?;
    transfer.exchange(&mut resumed).map_err(|error| mismatch(error.to_string(), Vec::new()))?;
    let failed = |message: &str| mismatch(message.to_owned(), Vec::new());
    let mut arrived = BTreeMap::new();
    for (&value, &placed) in line.received.iter().flatten().zip(resumed.board.received.iter().flatten()) {
        let Some(bit) = line.simulation.sums.single(value) else { continue };
        let place = resumed.board.place(placed).filter(|place| place.value == value);
        let Some(place) = place else {
            return Err(failed("a word is not in its place when the collective should have ended"));
        };
        let Some(word) = words[bit as usize] else { continue };
        if *arrived.entry(word).or_insert(place.since) != place.since {
            return Err(failed("the bits of a word come to their places in several cycles"));
        }
    }
    Ok(arrived)
}

/// First effect of a flipped bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Reported,
    WrongWords,
    NoAnswer,
    None,
}

fn effect(line: &SymbolicBoard, bit: RamBit, ring: &Ring, passes: &Passes) -> Effect {
    let Some(mut flipped) = line.with_flipped(bit) else { return Effect::NoAnswer };
    let ran = exchange(&mut flipped, ring, passes);
    match (flipped.difference, ran) {
        (Some(Difference::Report), _) => Effect::Reported,
        (Some(Difference::Data), _) => Effect::WrongWords,
        (None, Err(_)) => Effect::NoAnswer,
        (None, Ok(_)) => Effect::None,
    }
}

/// Cycle in which each word is at the end of its last channel; None for one that crosses none.
fn scheduled(work: &dyn Work, transfer: &Transfer) -> Result<Vec<Option<u64>>, CliError> {
    let (net, program, collective) = (work.topology(), work.program(), &transfer.collective);
    let indices = Words::from_fn(Dtype::Uint64, transfer.data().len(), |i| i as u64);
    let mut ends = vec![None; indices.len()];
    for pass in 0..collective.passes() {
        let given = Given::new(&program, collective.as_ref(), &indices, u64::BITS).in_pass(pass);
        let mut log = Log { given, program: &program, net: net.as_ref(), ends: &mut ends };
        let run = Simulation::new(net.as_ref(), &program).run(&mut log, &[]);
        run.map_err(|error| CliError::Internal(error.to_string()))?;
    }
    Ok(ends)
}

/// Log of the cycles in which words, each with its own index for a value, are at the ends of their channels.
struct Log<'a> {
    given: Given<'a>,
    program: &'a Program,
    net: &'a (dyn Topology + Sync),
    ends: &'a mut Vec<Option<u64>>,
}

impl Data for Log<'_> {
    fn word(&self, value: u32, from: NodeId, to: NodeId, batch: u32) -> u64 {
        self.given.word(value, from, to, batch)
    }

    fn identity(&self) -> u64 {
        self.given.identity()
    }

    fn combine(&self, operation: Operation, inputs: &[u64]) -> u64 {
        self.given.combine(operation, inputs)
    }

    fn cross(&mut self, cycle: u32, port: u32, words: &mut dyn Iterator<Item = (NodeId, NodeId, u64)>) {
        for (node, _, word) in words {
            let end = u64::from(cycle) + u64::from(self.program.switching.latency(self.net, node, port));
            let known = &mut self.ends[word as usize];
            *known = Some(known.map_or(end, |other| other.max(end)));
        }
    }
}
