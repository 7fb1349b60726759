//! Slot tables: any program on any network.

use super::{Hardware, NoTileForm, Runs, selftest};
use crate::collective::{Collective, Words};
use crate::cosim::stress::SecondSource;
use crate::cosim::wiring::{self, WiringError, WiringProof};
use crate::cosim::{
    Built, CosimError, Form, Interface, Job, Parts, Session, Simulator, Sources, TileForm, TileInterface, Top,
    slot_table_parts, tile_form,
};
use crate::count::counted;
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::read_back::ReadBack;
use crate::lower::slot_table::{NodeTable, ProgramMemory};
use crate::lower::{Fabric, Images, LowerError, Programmed, SlotTableLowered};
use crate::model::Model;
use crate::synth::Design;
use crate::tool::ToolSet;
use crate::topology::Topology;
use camino::Utf8Path;
use std::rc::Rc;

/// A program in slot tables, with its collective.
pub struct SlotHardware {
    /// Tables and sizes.
    pub lowered: SlotTableLowered,
    /// Data of the program.
    pub collective: Rc<dyn Collective>,
    /// Name of the schedule's algorithm.
    pub algorithm: String,
}

impl std::fmt::Debug for SlotHardware {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SlotHardware").field("lowered", &self.lowered).finish_non_exhaustive()
    }
}

impl Programmed for SlotHardware {
    fn fabric(&self) -> Fabric {
        self.lowered.fabric()
    }

    fn read_back(&self) -> &ReadBack {
        self.lowered.read_back()
    }

    fn images(&self) -> Images {
        self.lowered.images()
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        self.lowered.read(images)
    }

    fn spacing(&self) -> u32 {
        self.lowered.spacing()
    }

    fn places(&self) -> Option<Vec<usize>> {
        self.lowered.places()
    }
}

impl SlotHardware {
    /// Words of the result that nodes have from the beginning, and those that were read, in the order of the result.
    fn result(&self, words: &Words, read: &[u64]) -> Vec<u64> {
        let mut result = vec![0; self.collective.result_len()];
        self.collective.at_home().into_iter().for_each(|(sent, received)| result[received] = words.get(sent));
        self.lowered.result_indices().into_iter().zip(read).for_each(|(index, &word)| result[index] = word);
        result
    }
}

impl Hardware for SlotHardware {
    fn algorithm(&self) -> &str {
        &self.algorithm
    }

    fn period(&self) -> u32 {
        self.lowered.rows
    }

    fn second_sources(&self) -> Vec<SecondSource> {
        // rows that counters make are not those of a memory
        let tables = self.lowered.nodes.iter().enumerate().filter(|_| self.lowered.counters.is_none());
        let of = |(node, table): (usize, &NodeTable)| {
            let second = table.second_sources().into_iter();
            second.map(move |(row, bit, output)| SecondSource {
                node: node.into(),
                row: row as u32,
                bit: bit as u32,
                output,
            })
        };
        tables.flat_map(of).collect()
    }

    fn reload(&self, version: u8) -> Vec<Job> {
        // words of a tile's own streams belong to the program that runs
        if self.lowered.memory.is_none() || self.lowered.ports.is_some() {
            return Vec::new();
        }
        let program = |tile: usize| Job::RouterProgram(tile as u32, self.lowered.pieces(tile, version));
        (0..self.lowered.nodes.len()).map(program).chain([Job::Swap(version)]).collect()
    }

    fn program_memory(&self) -> Option<ProgramMemory> {
        Some(self.lowered.program_memory())
    }

    fn cycles(&self, scheduled: u32) -> u32 {
        scheduled * self.lowered.slot_cycles
    }

    fn remark(&self, scheduled: u32) -> String {
        let cycles = format!(
            "{}: {} from the first channel to the last",
            self.algorithm,
            counted(self.cycles(scheduled), "cycle")
        );
        match self.lowered.slot_cycles {
            1 => cycles,
            each => format!("{cycles}, {each} a slot"),
        }
    }

    fn bundle(&self, origin: &Origin) -> Result<RtlBundle, EmitError> {
        RtlBundle::slot_table(&self.lowered, self.collective.as_ref(), origin)
    }

    fn interface(&self) -> Interface {
        (&self.lowered).into()
    }

    fn loads(&self, words: &Words) -> Vec<Vec<u64>> {
        vec![self.lowered.loads_of_each(&words.to_vec()).concat()]
    }

    fn result_places(&self) -> Vec<usize> {
        self.lowered.places().unwrap_or_default()
    }

    fn results(&self, _: &dyn Collective, words: &Words, read: Vec<u64>) -> Vec<u64> {
        let each = self.lowered.result_indices().len().max(1);
        read.chunks(each).flat_map(|read| self.result(words, read)).collect()
    }

    fn whole_results(&self, collective: &dyn Collective, words: &Words) -> Vec<u64> {
        let expected = collective.expected(words);
        self.lowered.result_indices().into_iter().map(|index| expected.get(index)).collect()
    }

    fn drains(&self, runs: Runs) -> u64 {
        runs.collectives
    }

    fn expected(&self, collective: &dyn Collective, words: &Words, runs: Runs) -> Vec<u64> {
        // every collective is loaded and read out
        collective.expected(words).to_vec().repeat(runs.collectives as usize)
    }

    fn session(&self, model: &Rc<Model>, collective: &dyn Collective, words: &Words, runs: Runs) -> Session {
        let load = self.loads(words).concat();
        let (payload, _) = model.run(&self.lowered.arrays(collective), words);
        Session::packets(model, load, payload, runs.sections, runs.collectives)
    }

    fn most_top_tiles(&self) -> u32 {
        16
    }

    fn tile_form(&self) -> Result<(), NoTileForm> {
        if self.lowered.ports.is_some() {
            let reason = "the tile form drives tiles over the host ring, and these tiles have streams of their own";
            return Err(NoTileForm { key: "endpoint.interface", reason });
        }
        let (channels, net) = (&self.lowered.channels, &self.lowered.frame.network);
        let same = |node: usize| (channels[node].len(), net.ports_of(node.into()));
        let regular = (1..net.nodes()).all(|node| same(node) == same(0)) && channels[0].len() == net.ports();
        let reason = match (self.lowered.is_alike(), regular) {
            (true, true) => return Ok(()),
            (_, false) => "nodes have different numbers of channels, so no one tile serves all",
            (false, true) => {
                "tiles differ, each with the crosspoints and banks that its table uses; `crosspoints = \"all\"` makes them alike"
            }
        };
        Err(NoTileForm { key: "router.kind", reason })
    }

    fn parts(&self, form: Form) -> Result<Parts, askama::Error> {
        match form {
            Form::Top => slot_table_parts(&self.lowered),
            Form::Tile => tile_form::slot_table_parts(&self.lowered),
        }
    }

    fn simulator(&self, built: &Built, form: Form, sources: &Sources) -> Result<Box<dyn Simulator>, CosimError> {
        Ok(match form {
            Form::Top => Box::new(Top::new(built, self.interface())?),
            Form::Tile => Box::new(TileForm::new(built, TileInterface::slot_table(&self.lowered, sources)?)?),
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
        wiring::prove(sources.files(), &self.lowered, tools, work).map(Some)
    }

    fn design(&self, collective: &dyn Collective, hops: u64) -> Design {
        let lowered = &self.lowered;
        Design {
            network: format!("{} of {} nodes", lowered.topology, lowered.frame.tiles),
            algorithm: self.algorithm.clone(),
            ring: lowered.frame.ring.clone(),
            repeated: "mn_slot_tile_0",
            words: 1,
            set: lowered.results.into(),
            selftest: Some(selftest(self, collective)),
            packet_hops: hops,
            period: lowered.rows,
            // the trees, the table, and the way of its last word into its bank
            selftest_cycles: 2 * lowered.frame.tree_cycles() + lowered.rows + 6,
        }
    }
}
