//! The software reference: what is on every channel and in every receive port in every cycle.
//!
//! It follows the routing rule of the paper and the [timeline](Model) of the hardware, never the hardware's structure: no
//! crossbar, no slot table, no bank. What comes out is an observation block a cycle, see [`layout`], that can be compared
//! word by word with what a simulation of the emitted Verilog says.

pub mod decode;
pub mod layout;
mod payload;
mod routes;
mod timeline;

pub use layout::{Layout, Point, PointKind};
pub use payload::Payload;
pub use timeline::{Share, Timeline};

use crate::collective::Data;
use crate::id::NodeId;
use crate::lower::{Lowered, Parameters};
use crate::schedule::UniformProgram;
use routes::Routes;

/// Cycles from a word at the last router's crossbar input to the register of its receive port.
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
/// after the crossbar input of its last router, it is in the receive port's register.
#[derive(Debug)]
pub struct Model {
    parameters: Parameters,
    layout: Layout,
    routes: Routes,
}

impl Model {
    /// Moves the packets of one pass.
    ///
    /// # Errors
    /// [`ModelError::Conflict`] if two packets meet, in this pass or with those of passes before and after it.
    pub fn new(lowered: &Lowered) -> Result<Self, ModelError> {
        Self::of(&lowered.parameters, lowered.program())
    }

    /// The model of another program on the same hardware, as one that was loaded.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of(parameters: &Parameters, program: &UniformProgram) -> Result<Self, ModelError> {
        let layout = Layout::new(parameters);
        let routes = Routes::new(parameters, &layout, program)?;
        Ok(Self { parameters: parameters.clone(), layout, routes })
    }

    /// The sizes of the hardware.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Where everything stands in a block.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Cycles of a pass, from the first row to the last arrival.
    pub fn cycles(&self) -> u64 {
        self.routes.cycles()
    }

    /// Packets at points in one pass: hops over channels, and arrivals.
    pub fn hops(&self) -> usize {
        self.routes.len()
    }

    /// The words of one repetition of the data, in the order in which the model wants them.
    pub fn payload(&self, data: &Data, repetition: u32) -> Payload {
        Payload::gather(&self.parameters, &self.routes, data, repetition)
    }

    /// The words that arrive in a cycle of a pass.
    pub fn arrivals(&self, cycle: u64) -> impl Iterator<Item = Arrival> + '_ {
        self.routes.groups(PointKind::Receive, cycle).iter().flat_map(move |group| {
            self.routes.places(group).iter().enumerate().map(move |(source, &place)| {
                let Point { tile, port, .. } = self.layout.point(place as usize);
                Arrival { tile, port, source: source.into() }
            })
        })
    }

    /// Adds to a block what pass `word` of a collective with these data shows in a cycle of the pass.
    pub fn add(&self, cycle: u64, payload: &Payload, word: u32, sections: Sections, block: &mut [u64]) {
        if sections == Sections::All {
            payload.add(&self.routes, PointKind::Channel, cycle, word, block);
        }
        payload.add(&self.routes, PointKind::Receive, cycle, word, block);
    }
}
