//! Router families: lowered hardware behind one trait, for generation, co-simulation, boards and reports.
//!
//! A family is one file here. Commands know hardware by [`Hardware`] alone, so that each of them works for every collective
//! and topology that some family builds.

mod exchange;
mod pops;
mod product;
mod slot_table;
mod source_vector;
mod stream;

pub use product::ProductHardware;
pub use slot_table::SlotHardware;
pub use source_vector::source_vector_selftest_cycles;

use crate::collective::{Collective, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::stress::Clash;
use crate::cosim::wiring::{WiringError, WiringProof};
use crate::cosim::{Built, CosimError, Form, Interface, Job, Parts, Session, Simulator, Sources, Top};
use crate::count::counted;
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::{self, Ring, Trial};
use crate::model::{Model, Sections};
use crate::synth::{Design, SelfTest};
use crate::tool::ToolSet;
use camino::Utf8Path;
use std::fmt;
use std::rc::Rc;

/// Reason for which hardware has no tile form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoTileForm {
    /// Key of the specification at fault.
    pub key: &'static str,
    /// Reason in words.
    pub reason: &'static str,
}

/// Kind and number of collectives that a co-simulation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Runs {
    /// Sections that are compared in every cycle; none compares results only.
    pub sections: Option<Sections>,
    /// Collectives on each set of data, at least 1.
    pub collectives: u64,
    /// True if the user gave the number: then only the last result is read, where a collective works on the results of
    /// the one before.
    pub asked: bool,
}

/// Another program on the same hardware, with words of its own.
pub struct OtherProgram {
    /// Load of the program and of its words, run, and drain.
    pub session: Session,
    /// Words that are read out.
    pub expected: Vec<u64>,
}

/// A collective as hardware of some router family.
pub trait Hardware: lower::Programmed + fmt::Debug {
    /// Name of the schedule's algorithm.
    fn algorithm(&self) -> &str;

    /// Cycles from the start of a pass to the earliest start of the next.
    fn period(&self) -> u32;

    /// Cycles of one collective from its first channel to its last, which the schedule has in `scheduled` cycles.
    fn cycles(&self, scheduled: u32) -> u32 {
        scheduled
    }

    /// Sentence on the duration of a collective, which the schedule has in `scheduled` cycles.
    fn remark(&self, scheduled: u32) -> String {
        format!("{}: {} from the first channel to the last", self.algorithm(), counted(scheduled, "cycle"))
    }

    /// Bits of the program in the memory of all nodes; none where the hardware has no slot tables.
    fn program_memory(&self) -> Option<lower::slot_table::ProgramMemory> {
        None
    }

    /// Networks side by side, each with data of its own.
    fn networks(&self) -> usize {
        self.fabric().networks()
    }

    /// Name of node `node` of network `network`: `router (0,1,2)`.
    fn label(&self, network: usize, node: usize) -> String {
        let fabric = self.fabric();
        fabric.tile_name(network * fabric.network().nodes() + node)
    }

    /// Verilog, images and file lists for tools.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    fn bundle(&self, origin: &Origin) -> Result<RtlBundle, EmitError>;

    /// Tiles that take words, and words that each takes and gives in one collective.
    fn interface(&self) -> Interface;

    /// Words in the order in which they are loaded, a list for each set of data, from the words of the collective.
    fn loads(&self, words: &Words) -> Vec<Vec<u64>>;

    /// Position of every word of a set's result among the words that are read out, in the order of the result.
    fn result_places(&self) -> Vec<usize>;

    /// Words of a set's result from all words that are read out of the tiles.
    fn read_out(&self, set: &[u64]) -> Vec<u64> {
        self.result_places().into_iter().filter_map(|place| set.get(place).copied()).collect()
    }

    /// Words of the result from those that were read out as results, in the order of the tiles.
    fn results(&self, _collective: &dyn Collective, _words: &Words, read: Vec<u64>) -> Vec<u64> {
        read
    }

    /// Whole words that are read out in the end, in the order of the result.
    fn whole_results(&self, collective: &dyn Collective, words: &Words) -> Vec<u64> {
        collective.expected(words).to_vec()
    }

    /// Results that are read out of all runs.
    fn drains(&self, _runs: Runs) -> u64 {
        1
    }

    /// Words that are read out of all runs, one result after the other.
    fn expected(&self, collective: &dyn Collective, words: &Words, _runs: Runs) -> Vec<u64> {
        collective.expected(words).to_vec()
    }

    /// Node that has word `index` of a result and a description of the word.
    fn place(&self, collective: &dyn Collective, index: usize) -> (String, String) {
        collective.describe(index, &|network, node| self.label(network, node))
    }

    /// Load, run and drain of a co-simulation.
    fn session(&self, model: &Rc<Model>, collective: &dyn Collective, words: &Words, runs: Runs) -> Session;

    /// Detectors of what is wrong on channels and behind receive ports.
    fn detectors(&self, model: &Model) -> Detectors;

    /// Other programs that the host can load, made from a seed.
    fn other_programs(&self, _seed: u64) -> Vec<OtherProgram> {
        Vec::new()
    }

    /// Bits of tables that make an output take two sources where they are flipped.
    fn clashes(&self) -> Vec<Clash> {
        Vec::new()
    }

    /// True if words are loaded to places that the program says, and the program can be loaded.
    fn has_places(&self) -> bool {
        false
    }

    /// Jobs that load the program again, as this version, and let the next collective run it; none where nothing can be loaded.
    fn reload(&self, _version: u8) -> Vec<Job> {
        Vec::new()
    }

    /// Number of tiles up to which the full top is simulated by default: the C++ of more takes minutes to compile.
    fn most_top_tiles(&self) -> u32 {
        64
    }

    /// Existence of a tile form.
    ///
    /// # Errors
    /// The reason for which there is none.
    fn tile_form(&self) -> Result<(), NoTileForm>;

    /// Files and settings that a form of simulation adds to the Verilog.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    fn parts(&self, form: Form) -> Result<Parts, askama::Error>;

    /// A running simulator.
    ///
    /// # Errors
    /// If the library does not load or is of another network.
    fn simulator(&self, built: &Built, form: Form, sources: &Sources) -> Result<Box<dyn Simulator>, CosimError> {
        let _ = (form, sources);
        Ok(Box::new(Top::new(built, self.interface())?))
    }

    /// True if the tile form rests on a proof of the top's wiring.
    fn proves_wiring(&self) -> bool {
        false
    }

    /// Proof that the top connects its tiles as the network does, where the tile form rests on one.
    ///
    /// # Errors
    /// The first connection that is another one.
    fn prove_wiring(
        &self,
        sources: &Sources,
        tools: &ToolSet,
        work: &Utf8Path,
    ) -> Result<Option<WiringProof>, WiringError> {
        let _ = (sources, tools, work);
        Ok(None)
    }

    /// Sizes that board tops, flow and report need, with a self-test of the collective.
    fn design(&self, collective: &dyn Collective, hops: u64) -> Design;
}

/// Self-test of one collective on random words.
fn selftest(hardware: &impl Hardware, collective: &dyn Collective) -> SelfTest {
    let (interface, fabric) = (hardware.interface(), hardware.fabric());
    let words = collective.filling(fabric.data_bits, 1);
    let mut load = hardware.loads(&words).into_iter().next().unwrap_or_default().into_iter();
    let loads = interface.loads().iter().map(|&(tile, count)| (tile, load.by_ref().take(count).collect()));
    let results = hardware.result_places().into_iter().zip(hardware.whole_results(collective, &words));
    let trial = Trial::new(loads, fabric.tiles as usize * interface.words_a_tile(), results);
    SelfTest::tables(&fabric, &trial)
}

/// Positions of the words of results of equal size `each`, tile after tile: all words that are read out.
fn all_places(ring: &Ring, each: usize) -> Vec<usize> {
    (0..ring.tiles as usize * each).collect()
}
