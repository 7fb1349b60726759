//! Model of a network: the words at all points in a cycle.

use super::walk::Walk;
use super::{ModelError, Payload};
use crate::collective::{Collective, Words};
use crate::id::NodeId;
use crate::lower::{Fabric, Layout, Point, PointKind, Programmed, Registers};
use crate::program::Program;
use crate::program::timing::crossings;
use crate::simulate::{Arrays, Data, Given, sent};

/// Sections of a block that are filled or compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sections {
    /// Channel registers and receive ports.
    All,
    /// Receive ports.
    Receives,
}

/// A word that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// Tile at which the word arrives.
    pub tile: NodeId,
    /// The port of its last hop, of which it fills the receive bank.
    pub port: usize,
    /// Node that sent it.
    pub source: NodeId,
    /// Node at the near end of its last hop.
    pub from: NodeId,
}

/// The model of a network that follows a program.
///
/// Cycles of a pass are counted from the one in which the images' first row is shown. A word is in the register of a
/// channel a fixed number of cycles after it enters the channel in the program. It is in the register of a receive port
/// a fixed number of cycles after its hop ends. See [`Delays`](crate::lower::read_back::Delays).
#[derive(Debug)]
pub struct Model {
    fabric: Fabric,
    layout: Layout,
    program: Program,
    walk: Walk,
    passes: u32,
    spacing: u32,
    buffers: u32,
    places: Option<Vec<usize>>,
}

impl Model {
    /// Follows the words of one pass.
    ///
    /// # Errors
    /// [`ModelError::Conflict`] if two words meet, in this pass or with those of passes before and after it.
    pub fn new(hardware: &(impl Programmed + ?Sized)) -> Result<Self, ModelError> {
        let fabric = hardware.fabric();
        Ok(Self {
            layout: fabric.layout(),
            walk: Walk::new(hardware, &fabric.layout_of_one())?,
            program: hardware.read_back().program.clone(),
            passes: hardware.passes(),
            spacing: hardware.spacing(),
            buffers: hardware.buffers(),
            places: hardware.places(),
            fabric,
        })
    }

    /// The sizes of the hardware.
    pub fn fabric(&self) -> &dyn Registers {
        &*self.fabric
    }

    /// The program that the hardware follows.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Passes of a collective: words of a message.
    pub fn passes(&self) -> u32 {
        self.passes
    }

    /// Cycles from one pass to the next.
    pub fn spacing(&self) -> u64 {
        self.spacing.into()
    }

    /// Cycles from one collective to the earliest next.
    pub fn interval(&self) -> u64 {
        u64::from(self.passes()) * self.spacing()
    }

    /// Buffers for the words of collectives.
    pub fn buffers(&self) -> u32 {
        self.buffers
    }

    /// Layout of an observation block.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Cycles of a pass, from the first row to the last arrival.
    pub fn cycles(&self) -> u64 {
        self.walk.cycles()
    }

    /// Words at points in one pass: hops over channels, and arrivals.
    pub fn hops(&self) -> usize {
        self.walk.len() * self.fabric.networks()
    }

    /// Positions of the words of the data among the words that all tiles give, in order; None if all words are data.
    pub fn places(&self) -> Option<&[usize]> {
        self.places.as_deref()
    }

    /// The words of moves, from data for each pass of each network: those of network 0 first.
    pub fn carried<D: Data>(&self, data: impl IntoIterator<Item = D>) -> Payload {
        let mut payload = Payload::new(&*self.fabric, &self.walk, self.passes as usize);
        for mut data in data {
            sent(self.fabric.network(), &self.program, &mut data, |word| payload.push(word));
        }
        payload
    }

    /// The words of moves in a repetition of a collective, of which each network has a part of `words`.
    pub fn payload(&self, collective: &dyn Collective, words: &Words, repetition: u32) -> Payload {
        let networks = words.parts(self.fabric.networks());
        let passes = repetition * self.passes..(repetition + 1) * self.passes;
        let of = |words| {
            let given = Given::new(&self.program, collective, words, self.fabric.data_bits);
            passes.clone().map(move |pass| given.clone().in_pass(pass))
        };
        self.carried(networks.iter().flat_map(of))
    }

    /// Payload of a collective whose operators make its results, and these results.
    pub fn run(&self, collective: &dyn Collective, words: &Words) -> (Payload, Words) {
        let networks = words.parts(self.fabric.networks());
        let arrays = |words| Arrays::new(&self.program, collective, words, self.fabric.data_bits);
        let mut each: Vec<Arrays<'_>> = networks.iter().map(arrays).collect();
        let payload = self.carried(&mut each);
        let count = words.len() / networks.len().max(1);
        let results: Vec<u64> = each.iter().flat_map(|arrays| arrays.results(count).to_vec()).collect();
        (payload, Words::from_fn(words.dtype(), results.len(), |i| results[i]))
    }

    /// The words that arrive in a cycle of a pass, if every node sends them.
    pub fn arrivals(&self, cycle: u64) -> impl Iterator<Item = Arrival> + '_ {
        let net = self.fabric.network();
        self.walk.arrivals(cycle).filter_map(move |(place, at, index)| {
            let Point { tile, port, .. } = self.layout.point(place as usize);
            let m = &self.program.moves[index as usize];
            let source = m.who.nodes(net.nodes()).nth(at)?;
            let kept = |hop: u32| self.program.hops[hop as usize].keep;
            let mut all = crossings(net, &self.program, m, source)?.into_iter();
            let last = all.find(|crossing| crossing.to == tile && kept(crossing.hop))?;
            Some(Arrival { tile, port, source, from: last.from })
        })
    }

    /// Adds to a block the words that pass `word` of a collective shows in `cycle` of the pass.
    pub fn add(&self, cycle: u64, payload: &Payload, word: u32, sections: Sections, block: &mut [u64]) {
        let kinds: &[PointKind] = match sections {
            Sections::All => &[PointKind::Channel, PointKind::Receive],
            Sections::Receives => &[PointKind::Receive],
        };
        let networks = self.fabric.networks();
        for network in 0..networks {
            for &kind in kinds {
                let shift = self.layout.shift(kind, network, networks);
                payload.fill(&self.walk, kind, [network, word as usize], cycle, &mut block[shift..]);
            }
        }
    }
}
