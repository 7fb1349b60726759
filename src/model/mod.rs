//! The software reference: what is on every channel and in every receive port in every cycle.
//!
//! It follows the routing rule of the paper and the [timeline](Model) of the hardware, never the hardware's structure: no
//! crossbar, no slot table, no bank. What comes out is an observation block a cycle, see [`layout`], that can be compared
//! word by word with what a simulation of the emitted Verilog says.

pub mod decode;
mod exchange;
mod guests;
pub mod layout;
mod payload;
mod pops;
pub mod pops_dynamic;
pub mod pops_traffic;
mod product;
mod routes;
mod stream;
mod timeline;

pub use exchange::Exchanged;
pub use layout::{Layout, Point, PointKind};
pub use payload::Packets;
pub use timeline::{Share, Timeline};

use crate::collective::{Data, Operands, Words};
use crate::id::NodeId;
use crate::lower::{
    ExchangeLowered, Fabric, Frame, Guests, Lowered, Parameters, PopsLowered, ProductLowered, Ring, StreamLowered,
};
use crate::schedule::UniformProgram;
use exchange::Exchanges;
use guests::Paths;
use pops::Couplers;
use product::Works;
use routes::Routes;
use stream::Flow;

/// Cycles from a word at the last router's crossbar input to the register that shows what its receive port takes.
const ARRIVAL_CYCLES: u32 = 1;

/// Why a program cannot be modelled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Two packets want a channel in the same cycle of a period.
    #[error("two packets are on {place} in cycle {cycle}: those of launches {} and {}", launches[0], launches[1])]
    Conflict {
        /// The cycle in which the second is there, counted from the first row's.
        cycle: u32,
        /// The channel.
        place: String,
        /// The two launches, as the program lists them.
        launches: [u32; 2],
    },
    /// A channel has no bits for a header.
    #[error("no channel has bits for the header {header}")]
    Header {
        /// The header.
        header: String,
    },
}

/// The words of a collective, in the order in which its model wants them.
#[derive(Debug, Clone)]
pub enum Payload {
    /// Of an all-to-all.
    Uniform(Packets),
    /// Of a stream.
    Stream(Vec<u64>),
    /// Of exchanges.
    Exchange(Exchanged),
    /// Of all routers of a host: `[sender][receiver][word]`.
    Guests(Vec<u64>),
    /// Of a product: of everything that is sent.
    Product(Vec<u64>),
    /// Of packets on POPS, one after the other.
    Packets(Vec<u64>),
    /// Of each of several networks that run the same side by side.
    Each(Vec<Payload>),
}

/// Which sections of a block are filled or compared.
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
    /// Where.
    pub tile: NodeId,
    /// The port of its last hop, of which it fills the receive bank.
    pub port: usize,
    /// Who sent it.
    pub source: NodeId,
}

/// The model of a network that follows a program.
///
/// Cycles of a pass are counted from the one in which the program shows its first row. The word of row s that takes a
/// first local hop is at its router's crossbar in cycle s + 3, one without is there a local hop later; a hop takes the
/// word to the next crossbar in its latency, and its channel's register shows it after the crossbar's stages. One cycle
/// after the crossbar input of its last router, it is in the register that shows what the receive port takes.
#[derive(Debug)]
pub struct Model {
    fabric: Fabric,
    layout: Layout,
    kind: Kind,
}

/// What runs on the network.
#[derive(Debug)]
enum Kind {
    /// An all-to-all: every router follows the same program.
    Uniform(Parameters, Routes),
    /// A stream from one router.
    Stream(Flow),
    /// Exchanges along the dimensions of a hypercube.
    Exchange(Exchanges),
    /// An all-to-all in each of some networks inside this one.
    Guests(Parameters, Paths),
    /// A product of matrices.
    Product(Works),
    /// Packets on POPS, and where the words of the results are among all that are read out.
    Pops(Couplers, Vec<usize>),
}

impl Model {
    /// Moves the packets of one pass.
    ///
    /// # Errors
    /// [`ModelError::Conflict`] if two packets meet, in this pass or with those of passes before and after it.
    pub fn new(lowered: &Lowered) -> Result<Self, ModelError> {
        match &lowered.guests {
            None => Self::of(&lowered.parameters, lowered.program()),
            Some(guests) => Self::guests(&lowered.parameters, guests, lowered.program()),
        }
    }

    /// The model of guests that run a program in terms of their own ports on the hardware of their host.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn guests(parameters: &Parameters, guests: &Guests, program: &UniformProgram) -> Result<Self, ModelError> {
        let layout = Layout::new(parameters);
        let paths = Paths::new(parameters, &layout, guests, program)?;
        Ok(Self { fabric: parameters.frame.clone().into(), layout, kind: Kind::Guests(parameters.clone(), paths) })
    }

    /// The model of another program on the same hardware, as one that was loaded.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of(parameters: &Parameters, program: &UniformProgram) -> Result<Self, ModelError> {
        let layout = Layout::new(parameters);
        let routes = Routes::new(parameters, &layout, program)?;
        Ok(Self { fabric: parameters.frame.clone().into(), layout, kind: Kind::Uniform(parameters.clone(), routes) })
    }

    /// The model of a stream.
    ///
    /// # Errors
    /// [`ModelError::Header`] for a packet that no channel has bits for.
    pub fn stream(lowered: &StreamLowered) -> Result<Self, ModelError> {
        let flow = Flow::new(lowered, &Layout::alone(&lowered.frame))?;
        Ok(Self::side_by_side(&lowered.frame, Kind::Stream(flow)))
    }

    /// The model of exchanges.
    pub fn exchange(lowered: &ExchangeLowered) -> Self {
        let exchanges = Exchanges::new(lowered, &Layout::alone(&lowered.frame));
        Self::side_by_side(&lowered.frame, Kind::Exchange(exchanges))
    }

    /// The model of a product.
    ///
    /// # Errors
    /// [`ModelError::Header`] for a packet that no channel has bits for.
    pub fn product(lowered: &ProductLowered) -> Result<Self, ModelError> {
        let works = Works::new(lowered, &Layout::alone(&lowered.frame))?;
        Ok(Self::side_by_side(&lowered.frame, Kind::Product(works)))
    }

    /// The model of all networks of a frame, each of which does the same.
    fn side_by_side(frame: &Frame, kind: Kind) -> Self {
        Self { fabric: frame.clone().into(), layout: Layout::new(frame), kind }
    }

    /// Number of networks that do the same, each with data of its own, if that is what is modelled.
    fn networks(&self) -> usize {
        match &self.fabric {
            Fabric::SwappedDragonfly(frame) => frame.networks(),
            Fabric::Pops(_) => 1,
        }
    }

    /// The payload of all networks, from those of each.
    fn each(mut payloads: Vec<Payload>) -> Payload {
        if payloads.len() == 1 { payloads.swap_remove(0) } else { Payload::Each(payloads) }
    }

    /// The model of packets on POPS.
    pub fn pops(lowered: &PopsLowered) -> Self {
        let layout = Layout::pops(&lowered.frame);
        let couplers = Couplers::new(lowered, &layout);
        Self { fabric: lowered.fabric(), layout, kind: Kind::Pops(couplers, lowered.result_places()) }
    }

    /// The sizes of the hardware.
    pub fn fabric(&self) -> &Fabric {
        &self.fabric
    }

    /// Passes of a collective: words of a message.
    pub fn passes(&self) -> u32 {
        match &self.kind {
            Kind::Uniform(p, _) | Kind::Guests(p, _) => p.words,
            _ => 1,
        }
    }

    /// Cycles from one pass to the next.
    pub fn spacing(&self) -> u64 {
        match &self.kind {
            Kind::Uniform(p, _) | Kind::Guests(p, _) => p.rows.into(),
            Kind::Stream(flow) => flow.pass_cycles(),
            Kind::Exchange(exchanges) => exchanges.pass_cycles(),
            Kind::Product(works) => works.pass_cycles(),
            Kind::Pops(couplers, _) => couplers.pass_cycles(),
        }
    }

    /// Cycles from one collective to the earliest next.
    pub fn interval(&self) -> u64 {
        u64::from(self.passes()) * self.spacing()
    }

    /// Buffers for the words of collectives.
    pub fn buffers(&self) -> u32 {
        match &self.kind {
            Kind::Uniform(p, _) | Kind::Guests(p, _) if p.double => 2,
            _ => 1,
        }
    }

    /// Where everything stands in a block.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Cycles of a pass, from the first row to the last arrival.
    pub fn cycles(&self) -> u64 {
        match &self.kind {
            Kind::Uniform(_, routes) => routes.cycles(),
            Kind::Stream(flow) => flow.cycles(),
            Kind::Exchange(exchanges) => exchanges.cycles(),
            Kind::Guests(_, paths) => paths.cycles(),
            Kind::Product(works) => works.cycles(),
            Kind::Pops(couplers, _) => couplers.cycles(),
        }
    }

    /// Packets at points in one pass: hops over channels, and arrivals.
    pub fn hops(&self) -> usize {
        let hops = match &self.kind {
            Kind::Uniform(_, routes) => routes.len(),
            Kind::Stream(flow) => flow.len(),
            Kind::Exchange(exchanges) => exchanges.len(),
            Kind::Guests(_, paths) => paths.len(),
            Kind::Product(works) => works.len(),
            Kind::Pops(couplers, _) => couplers.len(),
        };
        hops * self.networks()
    }

    /// The words of one repetition of an all-to-all's data, in the order in which the model wants them.
    ///
    /// # Panics
    /// If this is not the model of an all-to-all.
    pub fn payload(&self, data: &Data, repetition: u32) -> Payload {
        match &self.kind {
            Kind::Uniform(p, routes) => Payload::Uniform(Packets::gather(p, routes, data, repetition)),
            Kind::Guests(p, paths) => Payload::Guests(paths.gather(p, data, repetition)),
            _ => panic!("the data of an all-to-all for another model"), // a mistake of the caller
        }
    }

    /// Where the words of the data are among those that all routers give, in order; None if all words are theirs.
    pub fn places(&self) -> Option<Vec<usize>> {
        match &self.kind {
            Kind::Guests(p, paths) => Some(paths.places(p)),
            Kind::Pops(_, places) => Some(places.clone()),
            _ => None,
        }
    }

    /// The words of a stream, network after network, as the model wants them.
    pub fn stream_payload(&self, words: &Words) -> Payload {
        let words = words.to_vec();
        let each = words.chunks((words.len() / self.networks()).max(1));
        Self::each(each.map(|words| Payload::Stream(words.to_vec())).collect())
    }

    /// What a collective of exchanges makes of these words, by network, node and then word: what it shows, and the results.
    ///
    /// # Panics
    /// If this is not the model of exchanges.
    pub fn exchanged(&self, words: &[u64]) -> (Payload, Vec<u64>) {
        let Kind::Exchange(exchanges) = &self.kind else {
            panic!("the words of exchanges for another model"); // a mistake of the caller
        };
        let each: Vec<Exchanged> =
            words.chunks(words.len() / self.networks()).map(|words| exchanges.run(words)).collect();
        let results = each.iter().flat_map(|exchanged| exchanged.results.iter().copied()).collect();
        (Self::each(each.into_iter().map(Payload::Exchange).collect()), results)
    }

    /// The words of a product's packets, computed as the routers do from the operands of each network.
    ///
    /// # Panics
    /// If this is not the model of a product.
    pub fn product_payload(&self, operands: &[Operands]) -> Payload {
        let Kind::Product(works) = &self.kind else {
            panic!("the operands of a product for another model"); // a mistake of the caller
        };
        Self::each(operands.iter().map(|operands| Payload::Product(works.values(operands))).collect())
    }

    /// The words that arrive in a cycle of a pass of an all-to-all on the whole network.
    pub fn arrivals(&self, cycle: u64) -> impl Iterator<Item = Arrival> + '_ {
        let routes = match &self.kind {
            Kind::Uniform(_, routes) => Some(routes),
            _ => None,
        };
        routes.into_iter().flat_map(move |routes| {
            routes.groups(PointKind::Receive, cycle).iter().flat_map(move |group| {
                routes.places(group).iter().enumerate().map(move |(source, &place)| {
                    let Point { tile, port, .. } = self.layout.point(place as usize);
                    Arrival { tile, port, source: source.into() }
                })
            })
        })
    }

    /// Adds to a block what pass `word` of a collective with these data shows in a cycle of the pass.
    pub fn add(&self, cycle: u64, payload: &Payload, word: u32, sections: Sections, block: &mut [u64]) {
        let kinds: &[PointKind] = match sections {
            Sections::All => &[PointKind::Channel, PointKind::Receive],
            Sections::Receives => &[PointKind::Receive],
        };
        let each = match payload {
            Payload::Each(each) => each,
            alone => std::slice::from_ref(alone),
        };
        for (network, payload) in each.iter().enumerate() {
            for &kind in kinds {
                let shift = self.layout.shift(kind, network, each.len());
                self.add_alone(kind, cycle, payload, word, &mut block[shift..]);
            }
        }
    }

    /// The same for points of one kind, of one network.
    fn add_alone(&self, kind: PointKind, cycle: u64, payload: &Payload, word: u32, block: &mut [u64]) {
        match (&self.kind, payload) {
            (Kind::Uniform(_, routes), Payload::Uniform(packets)) => packets.add(routes, kind, cycle, word, block),
            (Kind::Stream(flow), Payload::Stream(words)) => flow.add(kind, cycle, words, block),
            (Kind::Exchange(exchanges), Payload::Exchange(exchanged)) => exchanges.add(kind, cycle, exchanged, block),
            (Kind::Guests(p, paths), Payload::Guests(words)) => paths.add(p, kind, cycle, word, words, block),
            (Kind::Product(works), Payload::Product(values)) => works.add(kind, cycle, values, block),
            (Kind::Pops(couplers, _), Payload::Packets(words)) => couplers.add(kind, cycle, words, block),
            // a model has no words of another one's
            _ => {}
        }
    }
}

/// Adds a word, and its parity if packets have one, to a point of a block.
fn put_word(ring: &Ring, shown: &mut [u64], word: u64) {
    shown[0] |= word;
    if ring.parity {
        let parity = u64::from(word.count_ones() & 1);
        shown[ring.data_bits as usize / 64] |= parity << (ring.data_bits % 64);
    }
}
