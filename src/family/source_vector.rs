//! All-to-all by source vectors, and by all routers of a host in which networks are embedded.

use super::{Hardware, NoTileForm, Runs, all_places, selftest};
use crate::collective::{AllToAll, Collective, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::wiring::{self, SourceVector, WiringError, WiringProof};
use crate::cosim::{
    Built, CosimError, Form, Interface, Job, Parts, Session, Simulator, Sources, TileForm, Top, source_vector_parts,
    tile_form,
};
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::Programmed as _;
use crate::lower::swapped_dragonfly::{AllToAllLowered, Parameters, SlotTables};
use crate::model::Model;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::spec::{Placement, Storage};
use crate::synth::{Design, SelfTest};
use crate::tool::ToolSet;
use camino::Utf8Path;
use std::rc::Rc;

impl AllToAllLowered {
    /// Routers of one network.
    fn nodes(&self) -> usize {
        self.guests.as_ref().map_or(self.parameters.tiles as usize, |guests| guests.members(0).len())
    }
}

impl Hardware for AllToAllLowered {
    fn algorithm(&self) -> &str {
        &self.algorithm
    }

    fn period(&self) -> u32 {
        self.parameters.rows
    }

    fn networks(&self) -> usize {
        self.guests.as_ref().map_or(1, |guests| guests.embeddings().len())
    }

    fn label(&self, network: usize, node: usize) -> String {
        let tile = self.guests.as_ref().map_or(node, |guests| guests.members(network)[node].index());
        format!("router {}", self.parameters.label(tile))
    }

    fn bundle(&self, origin: &Origin) -> Result<RtlBundle, EmitError> {
        RtlBundle::new(self, origin)
    }

    fn interface(&self) -> Interface {
        (&self.parameters).into()
    }

    fn loads(&self, words: &Words) -> Vec<Vec<u64>> {
        let all = words.to_vec();
        let p = &self.parameters;
        match self.places() {
            None => all.chunks((p.words_a_tile() * u64::from(p.tiles)) as usize).map(<[u64]>::to_vec).collect(),
            Some(places) => {
                let set = |given: &[u64]| {
                    // routers outside of all networks send nothing
                    let mut set = vec![0; (p.words_a_tile() * u64::from(p.tiles)) as usize];
                    places.iter().zip(given).for_each(|(&place, &word)| set[place] = word);
                    set
                };
                all.chunks(places.len()).map(set).collect()
            }
        }
    }

    fn result_places(&self) -> Vec<usize> {
        self.places().unwrap_or_else(|| all_places(&self.fabric(), self.parameters.words_a_tile() as usize))
    }

    fn session(&self, model: &Rc<Model>, _: &dyn Collective, words: &Words, runs: Runs) -> Session {
        let (nodes, p) = (self.nodes(), &self.parameters);
        let a_set = nodes * nodes * p.words as usize;
        let traffic = AllToAll::new(nodes as u32, p.words, (words.len() / a_set) as u32);
        let part = |start: usize, len: usize| (start..start + len).map(|i| words.get(i)).collect::<Vec<u64>>();
        match model.places() {
            None => {
                let size = traffic.index(1, 0, 0, 0);
                let set = |i: u32| (part(i as usize * size, size), model.payload(&traffic, words, i));
                Session::of_sets(model, (0..traffic.repeat()).map(set), runs.sections, runs.collectives)
            }
            Some(places) => {
                // to the host it is an all-to-all of all its routers, with words that none of them sends
                let host = AllToAll::new(model.fabric().tiles, traffic.words(), 1);
                let set = |i: usize| {
                    let mut load = vec![0; host.index(1, 0, 0, 0)];
                    let given = part(i * places.len(), places.len());
                    places.iter().zip(given).for_each(|(&place, word)| load[place] = word);
                    let payload = model.payload(&host, &Words::U64(load.clone()), 0);
                    (load, payload)
                };
                Session::of_sets(model, (0..words.len() / places.len()).map(set), runs.sections, runs.collectives)
            }
        }
    }

    fn reload(&self, version: u8) -> Vec<Job> {
        // several networks have programs of their own
        if self.storage != Storage::Ram || self.guests.is_some() {
            return Vec::new();
        }
        let pieces = SlotTables::new(&self.parameters, self.program()).pieces(&self.parameters, version);
        vec![Job::Program(pieces), Job::Swap(version)]
    }

    fn detectors(&self, model: &Model) -> Detectors {
        Detectors::of_headers(model, &self.parameters.frame, 0)
    }

    fn tile_form(&self) -> Result<(), NoTileForm> {
        let reason = "networks inside a host have no tile form: programs differ from tile to tile";
        if self.guests.is_some() { Err(NoTileForm { key: "network.build", reason }) } else { Ok(()) }
    }

    fn parts(&self, form: Form) -> Result<Parts, askama::Error> {
        match form {
            Form::Top => source_vector_parts(self),
            Form::Tile => tile_form::source_vector_parts(self),
        }
    }

    fn simulator(&self, built: &Built, form: Form, _: &Sources) -> Result<Box<dyn Simulator>, CosimError> {
        Ok(match form {
            Form::Top => Box::new(Top::new(built, &self.parameters)?),
            Form::Tile => Box::new(TileForm::new(built, &self.parameters)?),
        })
    }

    fn proves_wiring(&self) -> bool {
        true
    }

    fn prove_wiring(
        &self,
        sources: &Sources,
        tools: &ToolSet,
        work: &Utf8Path,
    ) -> Result<Option<WiringProof>, WiringError> {
        let planned = SourceVector { parameters: &self.parameters, placement: self.placement };
        wiring::prove(sources.files(), &planned, tools, work).map(Some)
    }

    fn design(&self, collective: &dyn Collective, hops: u64) -> Design {
        let p = &self.parameters;
        Design {
            network: p.frame.notation(),
            algorithm: self.algorithm.clone(),
            ring: p.ring.clone(),
            repeated: if self.placement == Placement::Shared { "mn_sv_tile" } else { "mn_node" },
            set: p.words_a_tile(),
            selftest: match self.guests {
                None => SelfTest::AllToAll { words: p.words },
                Some(_) => selftest(self, collective),
            },
            packet_hops: hops,
            period: p.rows,
            selftest_cycles: source_vector_selftest_cycles(p),
        }
    }
}

impl From<&Parameters> for Interface {
    fn from(p: &Parameters) -> Self {
        let words = p.words_a_tile() as usize;
        Self::equal(p.frame.clone(), words, words)
    }
}

/// Cycles from the launch of a collective until the host knows that it has ended in all tiles. They are those of the
/// start and done trees, of the passes, and of the last packet's route through the tiles.
pub fn source_vector_selftest_cycles(p: &Parameters) -> u32 {
    let hop = HopLatency { local: p.local_stages, global: p.global_stages };
    let taps = 2 * hop.local + hop.global + p.bank_stages;
    2 * p.tree_cycles() + p.pass_cycles() as u32 + taps + 2
}
