//! Random data with which a network is tried: what goes in, and what the definition makes of it.

use super::PopsLowered;
use crate::collective::{Delivery, Dtype};

/// The data of a collective, where hardware has them.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Words that are loaded, in order: processor and word.
    pub loads: Vec<(u32, u64)>,
    /// Words that are read out, [`PopsLowered::set`] of each processor; None where nothing is a result.
    pub wants: Vec<Option<u64>>,
}

impl PopsLowered {
    /// Random data of a seed.
    pub fn trial(&self, seed: u64) -> Trial {
        let frame = &self.frame;
        let delivery = Delivery::new(self.schedule.relation(), frame.tiles, frame.slot_cycles);
        let data = delivery.random(Dtype::filling(frame.data_bits).unwrap_or(Dtype::Uint8), seed);
        let of = |(tile, words): (u32, Vec<u64>)| words.into_iter().map(move |word| (tile, word));
        let loads = (0..).zip(self.loads_of_each(&data.to_vec())).flat_map(of).collect();
        let mut wants = vec![None; (frame.tiles * self.set()) as usize];
        for (place, word) in self.result_places().into_iter().zip(delivery.expected(&data).to_vec()) {
            wants[place] = Some(word);
        }
        Trial { loads, wants }
    }
}
