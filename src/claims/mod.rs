//! Claims of papers, run: each numbered claim over a range of sizes, with the smallest counterexample where it fails.
//!
//! A [`Claim`] is a statement and a [`Trial`]: a test that is run at every size of a range, smallest first. Nothing is
//! known beforehand: verdict, size and witness come out of the run. Where a claim fails, or more than it says is true,
//! it has an amendment, which is run in the same way and has to hold at every size.
//!
//! A paper is a file or folder here and a line in [`PAPERS`]. Papers are tested by their own rules, packet by packet;
//! no scheduler is used.

mod claim;
pub mod fat_cube;
pub mod galaxyfly;
pub mod hierarchical_dual_net;
pub mod pops;
mod render;
pub mod swapped_dragonfly;

pub use claim::{AmendmentFinding, Claim, Counterexample, Finding, Paper, Run, Size, Sizes, Table, Trial, Verdict};
pub use render::{markdown, text};

/// Every paper, in the order in which they are listed.
pub const PAPERS: &[Paper] =
    &[swapped_dragonfly::PAPER, pops::PAPER, fat_cube::PAPER, galaxyfly::PAPER, hierarchical_dual_net::PAPER];

/// Largest network, in routers, that is tried by default.
pub const DEFAULT_ROUTERS: u32 = 128;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut ids: Vec<_> = PAPERS.iter().flat_map(|paper| (paper.claims)()).map(|claim| claim.id).collect();
        ids.sort_unstable();
        let twice: Vec<_> = ids.windows(2).filter(|two| two[0] == two[1]).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
