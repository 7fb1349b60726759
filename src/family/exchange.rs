//! Exchanges along the dimensions of a hypercube: endpoints with an operator, and relays.

use super::{Hardware, NoTileForm, Runs, all_places, selftest};
use crate::collective::{Collective, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::{Form, Interface, Parts, Session, exchange_parts};
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::Programmed as _;
use crate::lower::swapped_dragonfly::ExchangeLowered;
use crate::model::Model;
use crate::synth::Design;
use std::rc::Rc;

impl Hardware for ExchangeLowered {
    fn algorithm(&self) -> &str {
        self.algorithm
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
        all_places(&self.fabric(), self.program.words as usize)
    }

    fn drains(&self, runs: Runs) -> u64 {
        if runs.asked { 1 } else { runs.collectives }
    }

    fn expected(&self, collective: &dyn Collective, words: &Words, runs: Runs) -> Vec<u64> {
        // results stay where words were, and the next collective works on them
        let after = |collectives| collective.expected_after(collectives, words).to_vec();
        match runs.asked {
            true => after(runs.collectives),
            false => (1..=runs.collectives).flat_map(after).collect(),
        }
    }

    fn session(&self, model: &Rc<Model>, collective: &dyn Collective, words: &Words, runs: Runs) -> Session {
        let session = Session::on_results(model, collective, words, runs.sections, runs.collectives);
        if runs.asked { session } else { session.read_each() }
    }

    fn detectors(&self, model: &Model) -> Detectors {
        Detectors::at_inputs(model, |_, port| port)
    }

    fn tile_form(&self) -> Result<(), NoTileForm> {
        let reason = "exchanges have no tile form: each tile knows its own node";
        Err(NoTileForm { key: "collective.kind", reason })
    }

    fn parts(&self, _: Form) -> Result<Parts, askama::Error> {
        exchange_parts(self)
    }

    fn design(&self, collective: &dyn Collective, hops: u64) -> Design {
        Design {
            network: self.frame.notation(),
            algorithm: self.algorithm.to_owned(),
            ring: self.frame.ring.clone(),
            repeated: "mn_exchange_tile",
            set: self.program.words.into(),
            selftest: selftest(self, collective),
            packet_hops: hops,
            period: self.pass_cycles,
            // the trees, and the program up to the last operator's result
            selftest_cycles: 2 * self.frame.tree_cycles() + self.pass_cycles - 7,
        }
    }
}

impl From<&ExchangeLowered> for Interface {
    fn from(lowered: &ExchangeLowered) -> Self {
        let words = lowered.program.words as usize;
        Self::equal(lowered.frame.clone(), words, words)
    }
}
