//! Programs of source vectors, and the words in channel registers.
//!
//! A packet's header is its source vector; each hop consumes its part (Draper, section 2). First δ names a local port,
//! then γ a global one, then π a local one. A part δ or π that is zero takes no hop. A packet without a header has
//! arrived.

use super::Parameters;
use crate::lower::bits::BitRow;
use crate::lower::read_back::{Delays, ReadBack};
use crate::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use crate::program::{Hop, Origin, Program, Train, Who};
use crate::topology::swapped_dragonfly::SourceVector;

/// Cycles from a word at the last router's crossbar input to the register of its receive port.
const ARRIVAL_CYCLES: u32 = 1;

/// The program of routers that send these packets, each in terms of the sender's own ports.
pub(super) fn read_back(p: &Parameters, launches: impl IntoIterator<Item = (Who, Launch)>) -> ReadBack {
    let hop = HopLatency { local: p.local_stages, global: p.global_stages };
    let mut program = Program::new(hop.switching(&p.network));
    let mut shown = Vec::new();
    for (who, launch) in launches {
        let value = program.value(who, 1, Origin::Message);
        let hops: Vec<Hop> = launch.hops(&p.network).collect();
        shown.extend((0..hops.len()).map(|i| (head(p, launch.vector, i), 0)));
        program.send(value, who, (launch.at(hop), Train::STEADY), hops);
    }
    let delays = Delays { channel: p.send_cycles() + p.xbar_stages, receive: p.send_cycles() + ARRIVAL_CYCLES };
    ReadBack::new(program, delays, shown)
}

/// The program of routers that all send the same.
pub(super) fn uniform(p: &Parameters, program: &UniformProgram) -> ReadBack {
    read_back(p, program.launches().iter().map(|&launch| (Who::Every, launch)))
}

/// The header of a channel register on a hop of a packet: `{last, pi, gamma}` on local channels, `{pi}` on global ones.
fn head(p: &Parameters, vector: SourceVector, hop: usize) -> BitRow {
    let global = usize::from(vector.delta != 0);
    let mut bits = BitRow::zero(p.header.bits(p.k, p.m, hop != global) as usize);
    let mut set = |bit: u32| bits.set(bit as usize, 1, 1);
    match hop.cmp(&global) {
        std::cmp::Ordering::Less => {
            set(vector.gamma);
            set(p.k + vector.pi);
        }
        std::cmp::Ordering::Equal => set(vector.pi),
        std::cmp::Ordering::Greater => set(p.k + p.m),
    }
    bits
}
