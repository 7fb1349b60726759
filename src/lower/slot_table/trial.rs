//! Random data with which a network is tried: what goes in, and what the definition makes of it.

use super::SlotTableLowered;
use crate::collective::{Collective, DataError, Dtype};

/// Data of a collective, where hardware has them.
#[derive(Debug, Clone)]
pub struct SlotTrial {
    /// Words that are loaded, in order: tile and word.
    pub loads: Vec<(u32, u64)>,
    /// Words that are read out, `results` of each tile; none where nothing is a result.
    pub wants: Vec<Option<u64>>,
}

impl SlotTableLowered {
    /// Random data of a seed.
    ///
    /// # Errors
    /// If the collective moves more data than can be held.
    pub fn trial(&self, collective: &dyn Collective, seed: u64) -> Result<SlotTrial, DataError> {
        let data = collective.random(Dtype::filling(self.frame.data_bits).unwrap_or(Dtype::Uint8), seed)?;
        let of = |(tile, words): (u32, Vec<u64>)| words.into_iter().map(move |word| (tile, word));
        let loads = (0..).zip(self.loads_of_each(&data.to_vec())).flat_map(of).collect();
        let expected = collective.expected(&data);
        let wants = self.result_places().into_iter().map(|place| Some(expected.get(place?))).collect();
        Ok(SlotTrial { loads, wants })
    }
}
