//! Streams from one router: synchronizing-header routers with lanes.

use super::{Hardware, NoTileForm, Runs, all_places, selftest};
use crate::collective::{Collective, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::{Form, Interface, Parts, Session, stream_parts};
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::Programmed as _;
use crate::lower::swapped_dragonfly::StreamLowered;
use crate::model::Model;
use crate::synth::Design;
use std::rc::Rc;

impl Hardware for StreamLowered {
    fn algorithm(&self) -> &str {
        &self.algorithm
    }

    fn period(&self) -> u32 {
        self.pass_cycles
    }

    fn bundle(&self, origin: &Origin) -> Result<RtlBundle, EmitError> {
        RtlBundle::new(self, origin)
    }

    fn interface(&self) -> Interface {
        self.into()
    }

    fn loads(&self, words: &Words) -> Vec<Vec<u64>> {
        vec![words.to_vec()]
    }

    fn result_places(&self) -> Vec<usize> {
        all_places(&self.fabric(), self.program.count as usize)
    }

    fn session(&self, model: &Rc<Model>, collective: &dyn Collective, words: &Words, runs: Runs) -> Session {
        Session::in_place(model, collective, words, runs.sections, runs.collectives)
    }

    fn detectors(&self, model: &Model) -> Detectors {
        Detectors::of_headers(model, &self.frame, 0)
    }

    fn tile_form(&self) -> Result<(), NoTileForm> {
        Err(NoTileForm { key: "collective.kind", reason: "a stream has no tile form: its tiles differ" })
    }

    fn parts(&self, _: Form) -> Result<Parts, askama::Error> {
        stream_parts(self)
    }

    fn design(&self, collective: &dyn Collective, hops: u64) -> Design {
        Design {
            network: self.frame.notation(),
            algorithm: self.algorithm.clone(),
            ring: self.frame.ring.clone(),
            repeated: "mn_stream_tile",
            set: self.program.count.into(),
            selftest: selftest(self, collective),
            packet_hops: hops,
            period: self.pass_cycles,
            // the trees, and the program up to the last word in its bank
            selftest_cycles: 2 * self.frame.tree_cycles() + self.pass_cycles - 1,
        }
    }
}

impl From<&StreamLowered> for Interface {
    fn from(lowered: &StreamLowered) -> Self {
        let program = &lowered.program;
        let count = program.count as usize;
        let roots = (0..lowered.frame.networks()).map(|network| lowered.root(network));
        let loads = roots.map(|root| (root as u32, count)).collect();
        Self::new(lowered.frame.clone(), loads, count)
    }
}
