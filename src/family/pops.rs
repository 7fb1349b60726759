//! Scheduled POPS: couplers, and processors with a program each.

use super::{Hardware, NoTileForm, Runs, selftest};
use crate::collective::{Collective, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::{Form, Interface, Job, Parts, Session, pops_parts};
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::PopsLowered;
use crate::model::Model;
use crate::spec::Storage;
use crate::synth::Design;
use std::rc::Rc;

impl Hardware for PopsLowered {
    fn algorithm(&self) -> &str {
        self.schedule.schedule().algorithm
    }

    fn period(&self) -> u32 {
        self.pass_cycles
    }

    fn cycles(&self, _: u32) -> u32 {
        PopsLowered::cycles(self)
    }

    fn remark(&self, _: u32) -> String {
        let (made, cycles) = (self.schedule.schedule(), self.frame.slot_cycles);
        let idle = match self.idle_rows() {
            0 => "none idle between them".to_owned(),
            idle => format!("{idle} idle between them while packets arrive"),
        };
        let plural = if cycles == 1 { "" } else { "s" };
        let (slots, rows, all) = (made.slots, self.rows, PopsLowered::cycles(self));
        format!("{slots} slots in {rows} rows of {cycles} cycle{plural}, {idle}; {all} cycles")
    }

    fn bundle(&self, origin: &Origin) -> Result<RtlBundle, EmitError> {
        RtlBundle::new(self, origin)
    }

    fn interface(&self) -> Interface {
        self.into()
    }

    fn loads(&self, words: &Words) -> Vec<Vec<u64>> {
        vec![self.loads_of_each(&words.to_vec()).concat()]
    }

    fn result_places(&self) -> Vec<usize> {
        PopsLowered::result_places(self)
    }

    fn drains(&self, runs: Runs) -> u64 {
        runs.collectives
    }

    fn expected(&self, collective: &dyn Collective, words: &Words, runs: Runs) -> Vec<u64> {
        // every collective is loaded and read out
        collective.expected(words).to_vec().repeat(runs.collectives as usize)
    }

    fn session(&self, model: &Rc<Model>, collective: &dyn Collective, words: &Words, runs: Runs) -> Session {
        let load = self.loads_of_each(&words.to_vec()).concat();
        Session::of_moved_words(model, load, model.payload(collective, words, 0), runs.sections, runs.collectives)
    }

    fn reload(&self, version: u8) -> Vec<Job> {
        if self.storage != Storage::Ram {
            return Vec::new();
        }
        let program = |tile: u32| Job::RouterProgram(tile, self.pieces(tile as usize, version));
        (0..self.frame.tiles).map(program).chain([Job::Swap(version)]).collect()
    }

    fn detectors(&self, model: &Model) -> Detectors {
        Detectors::of_couplers(model)
    }

    fn tile_form(&self) -> Result<(), NoTileForm> {
        Err(NoTileForm { key: "network.topology", reason: "POPS has no tile form: couplers are no tiles" })
    }

    fn parts(&self, _: Form) -> Result<Parts, askama::Error> {
        pops_parts(self)
    }

    fn design(&self, collective: &dyn Collective, hops: u64) -> Design {
        Design {
            network: self.frame.network.to_string(),
            algorithm: self.schedule.schedule().algorithm.to_owned(),
            ring: self.frame.ring.clone(),
            repeated: "mn_pops_processor",
            set: self.set().into(),
            selftest: selftest(self, collective),
            packet_hops: hops,
            period: self.pass_cycles,
            // the trees, the program, and the way of its last word and of its end through the processor
            selftest_cycles: 2 * self.frame.tree_cycles() + PopsLowered::cycles(self) + 2,
        }
    }
}

impl From<&PopsLowered> for Interface {
    fn from(lowered: &PopsLowered) -> Self {
        let words = |packets: u32| (packets * lowered.frame.slot_cycles) as usize;
        let loads = (0..).zip(&lowered.loads).map(|(tile, &packets)| (tile, words(packets))).collect();
        let words_a_tile = lowered.set() as usize;
        Self::new(lowered.frame.clone(), loads, words_a_tile)
    }
}
