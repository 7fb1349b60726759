//! Lowering to slot tables: any program on any network, as a table a node with a row a cycle.
//!
//! For every output of the node's crossbar a row has the source: the word that arrives over an input in this cycle, or
//! the word that a bank shows. For every bank a row has the read and the write address. Operators of the endpoint are
//! outputs (operands) and inputs (results) of the crossbar, like channels. Only the crosspoints that the program uses
//! are built, or all of them.
//!
//! Circuits are hops of a cycle each, and media nodes that pass words on.
//!
//! A hop of latency 1 is one register, that of the output; longer ones have further registers on the channel.

mod alike;
mod arrays;
mod banks;
mod compare;
mod decode;
mod fields;
mod frame;
mod kind;
mod memory;
mod ports;
mod read_back;
mod table;
mod traffic;

pub use alike::Common;
pub use arrays::IndexArrays;
pub use fields::{BankFields, Field, Fields};
pub use frame::SlotFrame;
pub use kind::Kind;
pub use memory::{ProgramMemory, Settings};
pub use ports::TilePorts;
pub use read_back::ReadTables;
pub use table::{Bank, Crosspoint, Feeder, Load, NodeTable, Place, Read, Row, Shape, Wire};
pub use traffic::{MAX_ROWS, MAX_TILES, operator_cycles};

use super::parameters::MAX_PORTS;
use super::read_back::{Delays, Programmed, ReadBack, valid};
use super::trial::Trial;
use super::{Fabric, Images, LowerError, Ring};
use crate::collective::{Collective, DataError, Dtype};
use crate::id::NodeId;
use crate::program::{Program, Switching, unrolled};
use crate::spec::{Crosspoints, EndpointSpec, RouterSpec, ScheduleSpec, Storage};
use crate::topology::{Graph, Topology};
use ports::Ends;

/// Registers from the row of a word to its channel: row, selects, selects of the crossbar, output.
const DELAYS: Delays = Delays { channel: 4, receive: 0 };
/// Rows that a table has at least: a collective takes four cycles or more.
const MIN_ROWS: u32 = 4;

/// A program in slot tables.
#[derive(Debug, Clone)]
pub struct SlotTableLowered {
    /// Sizes and widths.
    pub frame: SlotFrame,
    /// Name of the topology.
    pub topology: String,
    /// Tables of the nodes.
    pub nodes: Vec<NodeTable>,
    /// Channels that lead to each node, by node, then by input.
    pub channels: Vec<Vec<Wire>>,
    /// Rows of a table.
    pub rows: u32,
    /// Cycles of a slot of circuits; 1 for a program of hops.
    pub slot_cycles: u32,
    /// Words that are read out of each tile: as many as the one with the most has, or as there is room for.
    pub results: u32,
    /// Sizes that programs can have, if tables are in memory that the host can load.
    pub memory: Option<Common>,
    /// Streams of the tiles' own; none where the host loads and drains them.
    pub ports: Option<TilePorts>,
    ends: Ends,
    /// First nodes with equal images of rows and of places, by node.
    sharing: Vec<[usize; 2]>,
    /// Indices in the result of the words that the program read back gives.
    arrays: IndexArrays,
    read: ReadBack,
}

/// Memory of the tables, which sets their sizes.
#[derive(Debug, Clone, Copy)]
enum Room<'a> {
    /// Read-only, of the sizes that the program needs.
    Rom,
    /// Memory for programs that are not known yet, with the given numbers of rows and words of a bank.
    Ram { rows: Option<u32>, buffers: Option<u32> },
    /// Sizes of existing hardware.
    Of(&'a Common, u32),
}

impl Room<'_> {
    /// Number of rows of a table for a program that needs `needed` rows.
    fn rows(self, needed: u32) -> Result<u32, LowerError> {
        let rows = match self {
            Room::Rom => needed,
            Room::Ram { rows, .. } => rows.unwrap_or(needed.next_power_of_two()),
            Room::Of(_, rows) => rows,
        };
        match rows {
            _ if rows < needed => Err(LowerError::Rows { rows, reason: format!("the schedule takes {needed}") }),
            _ if rows > MAX_ROWS => {
                Err(LowerError::SlotTableForm { what: format!("{rows} rows, and {MAX_ROWS} are built") })
            }
            _ => Ok(rows),
        }
    }

    /// Tables of nodes in memory of these sizes, if their tiles are to be alike, and the sizes.
    fn fill(self, nodes: &mut [NodeTable], outputs: u32) -> Result<Common, LowerError> {
        let needed = Common::of(nodes);
        let common = match self {
            Room::Rom => needed,
            Room::Ram { buffers, .. } => needed.roomy(outputs, buffers)?,
            Room::Of(common, _) => common.holds(&needed).map(|()| common.clone())?,
        };
        nodes.iter_mut().for_each(|node| *node = common.table(node));
        Ok(common)
    }
}

/// Lowers a program to slot tables in read-only memory, reads the images back, and compares.
///
/// # Errors
/// If the program has no form in slot tables, or is none that holds.
pub fn lower_slot_table(
    net: &dyn Topology,
    program: &Program,
    collective: &dyn Collective,
    router: &RouterSpec,
) -> Result<SlotTableLowered, LowerError> {
    lower_into(net, program, collective, router, Room::Rom)
}

/// Lowered network of [`lower_slot_table`], with the storage of `schedule`.
///
/// # Errors
/// As [`lower_slot_table`], and if there are fewer rows or words of a bank than the program needs.
pub fn lower_slot_table_in(
    net: &dyn Topology,
    program: &Program,
    collective: &dyn Collective,
    router: &RouterSpec,
    schedule: &ScheduleSpec,
) -> Result<SlotTableLowered, LowerError> {
    let room = match schedule.storage {
        Storage::Ram => Room::Ram { rows: schedule.rows, buffers: schedule.buffers },
        Storage::Rom | Storage::Counter => Room::Rom,
    };
    lower_into(net, program, collective, router, room)
}

fn lower_into(
    net: &dyn Topology,
    program: &Program,
    collective: &dyn Collective,
    router: &RouterSpec,
    room: Room<'_>,
) -> Result<SlotTableLowered, LowerError> {
    let unrolled = match program.switching {
        Switching::Circuit => unrolled(net, program),
        Switching::Hop(_) | Switching::HopByChannel(_) => None,
    };
    let (program, slot_cycles) = unrolled.as_ref().map_or((program, 1), |(hops, cycles)| (hops, *cycles));
    let operands = match room {
        Room::Rom => (router.crosspoints == Crosspoints::All).then_some(0),
        Room::Ram { .. } => Some(0),
        Room::Of(common, _) => Some(common.operators.1),
    };
    let (traffic, cycles) = traffic::of(net, program, collective, operands)?;
    let rows = room.rows(cycles.max(MIN_ROWS))?;
    let outputs = traffic.iter().map(|node| node.ports + node.operators.0 * node.operators.1).max().unwrap_or(0);
    let full = operands.map(|_| match room {
        Room::Rom => [0, 0],
        Room::Ram { .. } => [outputs, alike::KEPT],
        Room::Of(common, _) => [common.hosts, common.kept],
    });
    let mut nodes: Vec<NodeTable> = traffic.iter().map(|node| banks::table(node, rows, full)).collect();
    let common = full.map(|_| room.fill(&mut nodes, outputs)).transpose()?;
    let memory = common.filter(|_| !matches!(room, Room::Rom));
    let results = nodes.iter().map(|node| node.results.len() as u32).max().unwrap_or(0).max(1);
    let limit = MAX_PORTS as u32;
    if let Some(ports) = nodes.iter().map(|node| node.shape.inputs().max(node.shape.outputs())).find(|&p| p > limit) {
        return Err(LowerError::TooManyPorts { ports: ports as usize, limit: MAX_PORTS });
    }
    let wire = |&(src, port): &(NodeId, u32)| Wire { src, port, latency: program.switching.latency(net, src, port) };
    let frame = SlotFrame { ring: Ring::new(net.nodes() as u32, router), network: Graph::of(net) };
    let channels: Vec<Vec<Wire>> = traffic.iter().map(|node| node.channels.iter().map(wire).collect()).collect();
    let mut latencies = vec![1; frame.network.channels()];
    for wire in channels.iter().flatten() {
        if !(1..=255).contains(&wire.latency) {
            let what = format!("a hop of {} cycles, and 1 to 255 are built", wire.latency);
            return Err(LowerError::SlotTableForm { what });
        }
        latencies[frame.network.channel_id(wire.src, wire.port as usize).index()] = wire.latency;
    }
    let empty = Program::new(Switching::HopByChannel(latencies));
    let results = memory.as_ref().map_or(results, |memory| memory.results);
    let mut lowered = SlotTableLowered {
        frame,
        topology: net.name().to_owned(),
        results,
        sharing: memory::sharing(&nodes, results),
        memory,
        nodes,
        channels,
        rows,
        slot_cycles,
        ports: None,
        ends: Ends::default(),
        arrays: IndexArrays::default(),
        read: ReadBack::new(empty, DELAYS, []),
    };
    let read = read_back::walk(&lowered.hardware(), &lowered.images())?;
    compare::same(net, program, collective, &read, &lowered.frame)?;
    lowered.arrays = IndexArrays::new(&read);
    lowered.ends = Ends::of(&read, &lowered.nodes);
    lowered.read = read.into();
    Ok(lowered)
}

impl From<ReadTables> for ReadBack {
    fn from(read: ReadTables) -> Self {
        let shown: Vec<_> = read.program.hops.iter().map(|_| (valid(), 0)).collect();
        ReadBack::new(read.program, DELAYS, shown)
    }
}

impl Programmed for SlotTableLowered {
    fn fabric(&self) -> Fabric {
        self.frame.clone().into()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        for (node, table) in self.nodes.iter().enumerate() {
            let (fields, [rows, places]) = (Fields::new(&table.shape), self.image_names(node));
            let [first_rows, first_places] = self.sharing[node].map(|first| first == node);
            if first_rows {
                images.insert(rows, &fields.rows(table));
            }
            if first_places {
                images.insert(places, &fields.places(table, self.results));
            }
        }
        if let Some(ports) = &self.ports {
            ports.insert(&mut images, self.frame.tile_bits);
        }
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        let read = read_back::walk(&self.hardware(), images)?;
        compare::same(&self.frame.network, &self.read.program, &self.arrays, &read, &self.frame)?;
        self.ports.as_ref().map_or(Ok(()), |ports| ports.check(images, self.frame.tile_bits))?;
        Ok(read.into())
    }

    fn spacing(&self) -> u32 {
        self.rows
    }

    fn places(&self) -> Option<Vec<usize>> {
        let of = |(node, table): (usize, &NodeTable)| {
            let first = node * self.results as usize;
            first..first + table.results.len()
        };
        Some(self.nodes.iter().enumerate().flat_map(of).collect())
    }
}

/// Numbers of a network of slot tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct SlotTableFigures {
    /// Crosspoints that are built, of all nodes.
    pub crosspoints_used: u32,
    /// Crosspoints of full crossbars.
    pub crosspoints_all: u32,
    /// Bits of the tables that differ, without places and check bytes.
    pub table_bits: u64,
    /// Bits of the tables of all nodes.
    pub table_bits_all: u64,
    /// Bits of all places.
    pub place_bits: u64,
    /// Words of all banks.
    pub bank_words: u32,
}

impl SlotTableLowered {
    /// Tables of the hardware, as input of the read-back.
    fn hardware(&self) -> read_back::Tables<'_> {
        read_back::Tables {
            frame: &self.frame,
            nodes: &self.nodes,
            channels: &self.channels,
            rows: self.rows,
            results: self.results,
            switching: &self.read.program.switching,
            images: (0..self.nodes.len()).map(|node| self.image_names(node)).collect(),
        }
    }

    /// Names of the images of a node, its rows and its places; nodes whose images are equal share one.
    pub fn image_names(&self, node: usize) -> [String; 2] {
        let [rows, places] = self.sharing[node];
        let table = if self.is_shared() { "table".to_owned() } else { format!("table_{rows}") };
        [table, format!("places_{places}")]
    }

    /// Bits of all tables, and of those that differ.
    pub fn program_memory(&self) -> ProgramMemory {
        ProgramMemory::of(&self.nodes, &self.sharing, (&self.frame.network, self.slot_cycles))
    }

    /// Lowering of another program for this hardware, whose tables are in memory that the host can load.
    ///
    /// # Errors
    /// As [`lower_slot_table_in`]; [`LowerError::SlotTableRoom`] with the number that is missing if the program does not fit.
    pub fn with(&self, net: &dyn Topology, program: &Program, collective: &dyn Collective) -> Result<Self, LowerError> {
        let no_form = |what: &str| LowerError::SlotTableForm { what: what.to_owned() };
        let memory = self.memory.as_ref().ok_or_else(|| no_form("another program: tables are in read-only memory"))?;
        let ring = &self.frame.ring;
        let router = RouterSpec {
            payload_bits: ring.data_bits,
            parity: ring.parity,
            error_log: ring.error_log,
            ..RouterSpec::default()
        };
        let other = lower_into(net, program, collective, &router, Room::Of(memory, self.rows))?;
        match (&other.frame, &other.channels) == (&self.frame, &self.channels) {
            true => Ok(other),
            false => Err(no_form("a program of another network on this hardware")),
        }
    }

    /// The network with the interface that `endpoint` asks for.
    ///
    /// # Errors
    /// [`LowerError::Period`] if a collective takes longer than the period, [`LowerError::NoWords`] if nothing is sent.
    pub fn with_endpoint(mut self, endpoint: &EndpointSpec) -> Result<Self, LowerError> {
        if endpoint.has_tile_ports() {
            let times = (self.rows, self.frame.tree_cycles());
            self.ports = Some(TilePorts::new(endpoint, &self.nodes, times, self.ends.clone())?);
        }
        Ok(self)
    }

    /// Program of a node as the host sends it: a version, then the rows of the table and the places in pieces of the host stream's width.
    pub fn pieces(&self, node: usize, version: u8) -> Vec<u64> {
        let (table, bits) = (&self.nodes[node], self.frame.data_bits as usize);
        let fields = Fields::new(&table.shape);
        let rows = fields.rows(table).into_iter().chain(fields.places(table, self.results));
        std::iter::once(u64::from(version)).chain(rows.flat_map(|row| row.pieces(bits))).collect()
    }

    /// A collective in terms of the program that was read back.
    pub fn arrays<'a>(&'a self, collective: &'a dyn Collective) -> impl Collective + 'a {
        self.arrays.of(collective)
    }

    /// Indices of the results, in the order in which tiles give them.
    pub fn result_indices(&self) -> Vec<usize> {
        self.nodes.iter().flat_map(|node| node.results.iter().map(|result| result.index as usize)).collect()
    }

    /// Words of the user's array that each tile takes, by index, in the order in which they are loaded.
    pub fn loads(&self) -> Vec<Vec<usize>> {
        let of = |node: &NodeTable| node.loads.iter().map(|load| load.index as usize).collect();
        self.nodes.iter().map(of).collect()
    }

    /// The words of the user's array that each tile takes.
    pub fn loads_of_each(&self, data: &[u64]) -> Vec<Vec<u64>> {
        self.loads().into_iter().map(|tile| tile.into_iter().map(|index| data[index]).collect()).collect()
    }

    /// Index of the result of each word that all tiles give; none where nothing is a result.
    pub fn result_places(&self) -> Vec<Option<usize>> {
        let of = |node: &NodeTable| {
            let results = node.results.iter().map(|result| Some(result.index as usize));
            results.chain(std::iter::repeat(None)).take(self.results as usize).collect::<Vec<_>>()
        };
        self.nodes.iter().flat_map(of).collect()
    }

    /// True if one image of rows serves all nodes.
    pub fn is_shared(&self) -> bool {
        self.sharing.iter().all(|first| first[0] == 0)
    }

    /// Words for which a node has places when its host loads them, at least 1.
    pub fn load_places(&self, node: usize) -> u32 {
        self.nodes[node].load_places
    }

    /// True if the tiles of all nodes are one module with one set of parameters.
    pub fn is_alike(&self) -> bool {
        let same = |pair: &[NodeTable]| (&pair[0].shape, pair[0].load_places) == (&pair[1].shape, pair[1].load_places);
        self.nodes.windows(2).all(same)
    }

    /// Index, by node, of the node's hardware among the different ones; and the different ones, by index.
    pub fn classes(&self) -> (Vec<usize>, Vec<&Shape>) {
        let mut shapes: Vec<&Shape> = Vec::new();
        let mut class = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let known = shapes.iter().position(|&shape| *shape == node.shape);
            class.push(known.unwrap_or(shapes.len()));
            if known.is_none() {
                shapes.push(&node.shape);
            }
        }
        (class, shapes)
    }

    /// Nodes that are the first with their images of rows.
    fn first_tables(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.sharing[node][0] == node)
    }

    /// Numbers of the hardware.
    pub fn figures(&self) -> SlotTableFigures {
        let fields: Vec<Fields> = self.nodes.iter().map(|node| Fields::new(&node.shape)).collect();
        let sum = |of: &dyn Fn(&NodeTable) -> u32| self.nodes.iter().map(of).sum();
        let banks = if self.memory.is_some() { 2 } else { 1 };
        let bits = |f: &Fields| banks * u64::from(f.row_bits) * u64::from(self.rows);
        let table_bits_all = fields.iter().map(bits).sum();
        let places = |(f, node): (&Fields, &NodeTable)| {
            banks * u64::from(f.place_bits) * (u64::from(node.load_places) + u64::from(self.results))
        };
        SlotTableFigures {
            crosspoints_used: sum(&|node| node.shape.crosspoints.len() as u32),
            crosspoints_all: sum(&|node| node.shape.outputs() * node.shape.sources()),
            table_bits: self.first_tables().map(|node| bits(&fields[node])).sum(),
            table_bits_all,
            place_bits: fields.iter().zip(&self.nodes).map(places).sum(),
            bank_words: sum(&|node| node.shape.banks.iter().map(|bank| bank.depth).sum()),
        }
    }

    /// Random data of a seed.
    ///
    /// # Errors
    /// If the collective moves more data than can be held.
    pub fn trial(&self, collective: &dyn Collective, seed: u64) -> Result<Trial, DataError> {
        let data = collective.random(Dtype::filling(self.frame.data_bits).unwrap_or(Dtype::Uint8), seed)?;
        let expected = collective.expected(&data);
        let places = self.result_places();
        let results = places.iter().enumerate().filter_map(|(at, index)| Some((at, expected.get((*index)?))));
        Ok(Trial::new((0..).zip(self.loads_of_each(&data.to_vec())), places.len(), results))
    }
}
