//! Slot tables: any program on any network.

use super::{Hardware, NoTileForm, OtherProgram, Runs, selftest};
use crate::collective::pops::{Delivery, Relation};
use crate::collective::{Collective, Dtype, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::stress::Clash;
use crate::cosim::wiring::{self, WiringError, WiringProof};
use crate::cosim::{
    Built, CosimError, Form, Interface, Job, Parts, Session, Simulator, Sources, TileForm, TileInterface, Top,
    slot_table_parts, tile_form,
};
use crate::count::counted;
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::read_back::ReadBack;
use crate::lower::slot_table::{NodeTable, ProgramMemory, Row};
use crate::lower::{Fabric, Images, LowerError, Programmed, SlotTableLowered};
use crate::model::{Model, Sections};
use crate::schedule::general::random_walks;
use crate::synth::Design;
use crate::tool::ToolSet;
use crate::topology::Topology;
use camino::Utf8Path;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Version of other programs with which hardware is tried.
const OTHER_VERSION: u8 = 92;
/// Programs of random walks, one after the other, that use nothing new when no more are tried.
const VAIN_PROGRAMS: u32 = 12;
/// Most nodes of a network with which other programs are tried: each walk of a program is lowered with those before.
const MOST_NODES: usize = 64;
/// Most other programs.
const MOST_PROGRAMS: usize = 32;

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

/// Crosspoints that a program uses, as node, output and source, and banks that it writes, as node, bank, and a number that is no source.
fn uses(lowered: &SlotTableLowered) -> BTreeSet<(usize, u32, u32)> {
    let of = |(node, table): (usize, &NodeTable)| {
        let row = move |row: &Row| {
            let selects = row.selects.iter().map(move |(&output, &source)| (node, output, source));
            selects.chain(row.writes.keys().map(move |&bank| (node, bank, u32::MAX))).collect::<Vec<_>>()
        };
        table.rows.iter().flat_map(row).collect::<Vec<_>>()
    };
    lowered.nodes.iter().enumerate().flat_map(of).collect()
}

impl SlotHardware {
    /// True if the host can load another program.
    fn is_loadable(&self) -> bool {
        // words of a tile's own streams belong to the program that runs
        self.lowered.memory.is_some() && self.lowered.ports.is_none()
    }

    /// Jobs that load a program, and let the next collective run it.
    fn load_of(lowered: &SlotTableLowered, version: u8) -> Vec<Job> {
        let program = |tile: usize| Job::RouterProgram(tile as u32, lowered.pieces(tile, version));
        (0..lowered.nodes.len()).map(program).chain([Job::Swap(version)]).collect()
    }

    /// A program of random walks on the hardware; none if no walk fits.
    fn walks(&self, seed: u64) -> Option<(SlotTableLowered, Delivery)> {
        let (net, nodes) = (&self.lowered.frame.network, self.lowered.nodes.len() as u32);
        let mut found = None;
        random_walks(net, &self.lowered.read_back().program.switching, (seed, self.lowered.rows), |program, ends| {
            let collective = Delivery::new(&Relation::Demands(ends.to_vec()), nodes, 1);
            let fitting = self.lowered.with(net, program, &collective);
            let fits = fitting.is_ok();
            found = fitting.ok().map(|lowered| (lowered, collective)).or(found.take());
            fits
        });
        // the lowering takes the first banks that are free
        found.map(|(mut lowered, collective)| {
            if seed % 2 == 1 {
                lowered.nodes = lowered.nodes.into_iter().map(NodeTable::with_banks_reversed).collect();
            }
            (lowered, collective)
        })
    }

    /// A program of random words.
    fn other(lowered: &SlotTableLowered, collective: &Delivery, seed: u64) -> Option<OtherProgram> {
        let words = collective.random(Dtype::filling(lowered.frame.data_bits)?, seed).ok()?;
        let model = Rc::new(Model::new(lowered).ok()?);
        let (payload, _) = model.run(&lowered.arrays(collective), &words);
        let loads = (0..).zip(lowered.loads_of_each(&words.to_vec())).filter(|(_, words)| !words.is_empty());
        let loads = loads.map(|(tile, words)| Job::TileLoad(tile, words));
        let before = Self::load_of(lowered, OTHER_VERSION).into_iter().chain(loads).collect();
        let expected = collective.expected(&words);
        Some(OtherProgram {
            session: Session::loaded(&model, before, payload, Some(Sections::All)),
            expected: lowered.result_indices().into_iter().map(|index| expected.get(index)).collect(),
        })
    }

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

    fn clashes(&self) -> Vec<Clash> {
        let of = |node: usize| {
            let clashes = self.lowered.clashes(node).into_iter();
            clashes.map(move |(row, bits, output)| Clash { node: node.into(), row, bits, output })
        };
        (0..self.lowered.nodes.len()).flat_map(of).collect()
    }

    fn has_places(&self) -> bool {
        self.is_loadable()
    }

    fn reload(&self, version: u8) -> Vec<Job> {
        if self.is_loadable() { Self::load_of(&self.lowered, version) } else { Vec::new() }
    }

    fn other_programs(&self, seed: u64) -> Vec<OtherProgram> {
        let net = &self.lowered.frame.network;
        // media hold no words
        if !self.is_loadable() || net.nodes() > MOST_NODES || (0..net.nodes()).any(|node| net.is_medium(node.into())) {
            return Vec::new();
        }
        let mut used = uses(&self.lowered);
        let (mut programs, mut vain) = (Vec::new(), 0);
        for seed in (0..).map(|number| seed.wrapping_add(number)) {
            let Some((lowered, collective)) = self.walks(seed) else { break };
            // a tile without words gives what its memories hold at power-on, whose parity may be broken
            let is_whole = lowered.nodes.iter().all(|node| !node.loads.is_empty() || !node.results.is_empty());
            let before = used.len();
            used.extend(if is_whole { uses(&lowered) } else { BTreeSet::new() });
            vain = if used.len() > before { 0 } else { vain + 1 };
            programs.extend(Self::other(&lowered, &collective, seed).filter(|_| vain == 0));
            if vain == VAIN_PROGRAMS || programs.len() == MOST_PROGRAMS {
                break;
            }
        }
        programs
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
        RtlBundle::new(&(&self.lowered, self.collective.as_ref()), origin)
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
        Session::of_moved_words(model, load, payload, runs.sections, runs.collectives)
    }

    fn most_top_tiles(&self) -> u32 {
        16
    }

    fn detectors(&self, model: &Model) -> Detectors {
        // as its channels are: by port, then by the node that sends
        let mut next = vec![0; model.fabric().tiles as usize];
        Detectors::at_inputs(model, |tile, _| {
            next[tile] += 1;
            next[tile] - 1
        })
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
            set: lowered.results.into(),
            selftest: selftest(self, collective),
            packet_hops: hops,
            period: lowered.rows,
            // the trees, the table, and the way of its last word into its bank
            selftest_cycles: 2 * lowered.frame.tree_cycles() + lowered.rows + 6,
        }
    }
}

impl From<&SlotTableLowered> for Interface {
    fn from(lowered: &SlotTableLowered) -> Self {
        let loads = (0..).zip(&lowered.nodes).map(|(tile, node)| (tile, node.loads.len())).collect();
        Self::new(lowered.frame.clone(), loads, lowered.results as usize).with_tile_streams(lowered.ports.is_some())
    }
}
