//! The test bench of networks whose tiles take and give words in an order of their own, and its data.

use crate::lower::bits::BitRow;
use crate::lower::{Ring, Trial};
use askama::Template;

/// Collectives of the test bench.
pub(super) const SETS: u32 = 2;

#[derive(Template)]
#[template(path = "gen/mn_trial_tb.v", escape = "none")]
pub(super) struct TrialBench<'a> {
    pub header: &'a str,
    pub what: &'a str,
    pub p: &'a Ring,
    /// Words that are loaded, of all tiles.
    pub loads: u32,
    /// Words that are read out of a tile.
    pub results: u32,
    pub sets: u32,
    pub timeout: u64,
}

/// Files that the test bench reads: words with their tiles in the upper bits, and the expected bits with a mask.
pub(super) fn files(data_bits: u32, trials: impl Iterator<Item = Trial>) -> [(String, String); 2] {
    let bits = data_bits as usize;
    let (mut loads, mut expects) = (String::new(), String::new());
    for trial in trials {
        for (tile, word) in trial.loads {
            let mut row = BitRow::zero(32 + bits);
            row.set(bits, 32, tile);
            row.set_word(0, bits, word);
            loads += &(row.to_hex() + "\n");
        }
        for want in trial.wants {
            let mut row = BitRow::zero(2 * bits);
            if let Some(word) = want {
                row.set_word(0, bits, word & trial.mask);
                row.set_word(bits, bits, trial.mask);
            }
            expects += &(row.to_hex() + "\n");
        }
    }
    [("tb/loads.hex".into(), loads), ("tb/expects.hex".into(), expects)]
}
