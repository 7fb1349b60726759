//! Products of matrices too large to be listed packet by packet: each send stands for a *train*, the packets of a whole block in
//! cycles that follow each other.
//!
//! The packets of a block of X × X elements, or of X elements of a vector, leave row by row, in a row column by column.
//! In a product all packets of a block take one route. So a schedule of the blocks, in which every channel is taken for
//! the length of a train, is one of the packets.

use super::product::{ProductRequest, chosen, follow};
use super::product_paths::{Unit, Units};
use crate::collective::ProductKind;
use crate::program::form::swapped_dragonfly::product::{ProductSchedule, Send, TrainSchedule};
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;
use std::collections::BTreeSet;

/// Schedules a product in trains.
///
/// # Errors
/// [`ScheduleError`] if no algorithm has the name, or it does not apply to the network.
pub fn schedule(net: &SwappedDragonfly, request: &ProductRequest) -> Result<TrainSchedule, ScheduleError> {
    let (entry, layout) = chosen(net, request)?;
    let of_blocks = ProductRequest { block: 1, ..*request };
    let units = Units::new(net, &of_blocks, layout, entry.returns);
    let train = match request.kind {
        ProductKind::MatrixMatrix | ProductKind::Transpose => request.block * request.block,
        ProductKind::VectorMatrix | ProductKind::MatrixVector => request.block,
    };
    let (hop, mac_cycles) = (request.hop, request.mac_cycles);
    let mut placed = Placed { train, taken: BTreeSet::new(), sends: Vec::new() };
    let mut place = |earliest: u32, unit: Unit| {
        let mut claims = Vec::new();
        unit.iter().for_each(|send| follow(net, hop, send, &mut claims));
        placed.place(earliest, unit, &claims)
    };
    let mut ready = vec![0; units.vectors() as usize];
    for (vector, unit) in units.spreads() {
        // a product needs the last of the block's elements in its row
        let at = place(0, unit) + hop.local + hop.global + request.block - 1 + mac_cycles;
        ready[vector as usize] = at.max(ready[vector as usize]);
    }
    let gathers: Vec<(u32, u32, u32)> =
        units.gathers().map(|(vector, index, unit)| (vector, index, place(ready[vector as usize], unit))).collect();
    for (vector, index, start) in gathers {
        if let Some(unit) = units.back(vector, index) {
            place(start + mac_cycles + units.gather_cycles(), unit);
        }
    }
    let mut sends = placed.sends;
    sends.sort_by_key(|send| (send.cycle, send.node, send.term));
    let (algorithm, kind, result) = (entry.name, request.kind, units.result());
    let blocks = ProductSchedule { algorithm, kind, layout, block: 1, mac_cycles, hop, result, sends };
    Ok(TrainSchedule { blocks, block: request.block, train })
}

/// Sends with their cycles, and the channels that they take.
struct Placed {
    train: u32,
    /// Channels with the first cycles of their trains.
    taken: BTreeSet<(usize, u32)>,
    sends: Vec<Send>,
}

impl Placed {
    /// Puts a unit into the first cycles from `earliest` on in which all its channels are free for a train, and gives
    /// its start.
    fn place(&mut self, earliest: u32, unit: Unit, claims: &[(usize, u32)]) -> u32 {
        let mut start = earliest;
        let train = self.train;
        let meets = |start: u32| {
            claims.iter().find_map(|&(channel, at)| {
                let first = (channel, (start + at).saturating_sub(train - 1));
                let other = self.taken.range(first..(channel, start + at + train)).next_back()?;
                Some(other.1 + train - at)
            })
        };
        while let Some(free) = meets(start) {
            start = free;
        }
        self.taken.extend(claims.iter().map(|&(channel, at)| (channel, start + at)));
        self.sends.extend(unit.into_iter().map(|send| Send { cycle: send.cycle + start, ..send }));
        start
    }
}
