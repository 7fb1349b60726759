//! What board tops, flow and report have to know of a network.

use crate::lower::bits::BitRow;
use crate::lower::{Lowered, Parameters, PopsLowered, Ring};
use crate::schedule::HopLatency;
use crate::spec::Placement;

/// A network with its program.
#[derive(Debug, Clone)]
pub struct Design {
    /// The network in the paper's words.
    pub network: String,
    /// The name of the schedule's algorithm.
    pub algorithm: String,
    /// Tiles and widths.
    pub ring: Ring,
    /// The module of which there is one a tile.
    pub repeated: &'static str,
    /// Words of a message of an all-to-all.
    pub words: u32,
    /// Words that each tile gives after a collective.
    pub set: u64,
    /// What the self-test sends and wants, where it is not the pattern of an all-to-all.
    pub selftest: Option<SelfTest>,
    /// Hops over channels, of all packets of a pass.
    pub packet_hops: u64,
    /// Cycles from a pass to the next.
    pub period: u32,
    /// Cycles that the self-test reports.
    pub selftest_cycles: u32,
}

/// Tables of a self-test.
#[derive(Debug, Clone)]
pub struct SelfTest {
    /// Words that are loaded: {tile, word}.
    pub loads: Vec<BitRow>,
    /// Words that are read out: {whether it is compared, tile, word}.
    pub wants: Vec<BitRow>,
}

impl From<&Lowered> for Design {
    fn from(lowered: &Lowered) -> Self {
        let p = &lowered.parameters;
        let hops = |pi, delta| 1 + u64::from(pi != 0) + u64::from(delta != 0);
        let a_router: u64 = lowered.program().launches().iter().map(|l| hops(l.vector.pi, l.vector.delta)).sum();
        Self {
            network: format!("D3({},{})", p.k, p.m),
            algorithm: lowered.algorithm.clone(),
            ring: p.ring.clone(),
            repeated: if lowered.placement == Placement::Shared { "mn_tile" } else { "mn_node" },
            words: p.words,
            set: p.words_a_tile(),
            selftest: None,
            packet_hops: a_router * u64::from(p.tiles),
            period: p.rows,
            selftest_cycles: selftest_cycles(p),
        }
    }
}

impl From<&PopsLowered> for Design {
    fn from(lowered: &PopsLowered) -> Self {
        let (frame, made) = (&lowered.frame, lowered.schedule.schedule());
        Self {
            network: frame.network.to_string(),
            algorithm: made.algorithm.to_owned(),
            ring: frame.ring.clone(),
            repeated: "mn_pops_processor",
            words: frame.slot_cycles,
            set: lowered.set().into(),
            selftest: Some(SelfTest::new(lowered)),
            packet_hops: made.hops.len() as u64,
            period: lowered.pass_cycles,
            // the trees, the program, and the way of its last word and of its end through the processor
            selftest_cycles: 2 * frame.tree_cycles() + lowered.cycles() + 2,
        }
    }
}

impl Design {
    /// The network, its words and its schedule.
    pub fn title(&self) -> String {
        format!("{}, {}-bit words, schedule {}", self.network, self.ring.data_bits, self.algorithm)
    }
}

impl SelfTest {
    /// Random words, and what the definition makes of them.
    fn new(lowered: &PopsLowered) -> Self {
        let (frame, set) = (&lowered.frame, lowered.set());
        let (bits, tile_bits) = (frame.data_bits as usize, frame.tile_bits as usize);
        let row = |head: usize, tile: u32, word: u64| {
            let mut row = BitRow::zero(bits + tile_bits + head);
            row.set_word(0, bits, word);
            row.set(bits, tile_bits, tile);
            row
        };
        let trial = lowered.trial(1);
        let loads = trial.loads.into_iter().map(|(tile, word)| row(0, tile, word)).collect();
        let want = |(i, want): (u32, Option<u64>)| {
            let mut row = row(1, i / set, want.unwrap_or(0));
            row.set(bits + tile_bits, 1, want.is_some().into());
            row
        };
        let wants = (0..).zip(trial.wants).map(want).collect();
        Self { loads, wants }
    }
}

/// Cycles from the launch of a collective until the host knows that it has ended in all tiles: the start and done
/// trees, the passes, and the way of the last packet through the tiles.
pub fn selftest_cycles(p: &Parameters) -> u32 {
    let hop = HopLatency { local: p.local_stages, global: p.global_stages };
    let taps = 2 * hop.local + hop.global + p.bank_stages;
    2 * p.tree_cycles() + p.pass_cycles() as u32 + taps + 2
}
