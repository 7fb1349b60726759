//! A program in slot tables, and the images of its tables.

use super::alike::Common;
use super::arrays::IndexArrays;
use super::compare;
use super::counters::Counters;
use super::fields::Fields;
use super::frame::SlotFrame;
use super::memory::ProgramMemory;
use super::ports::{Ends, TilePorts};
use super::read_back::{self, ReadTables};
use super::table::{NodeTable, Shape, Wire};
use crate::collective::{Collective, DataError, Dtype};
use crate::lower::bits::BitRow;
use crate::lower::read_back::{Delays, Programmed, ReadBack, valid};
use crate::lower::trial::Trial;
use crate::lower::{Fabric, Images, LowerError};
use crate::spec::EndpointSpec;

/// Registers from the row of a word to its channel: row, selects, selects of the crossbar, output.
pub(super) const DELAYS: Delays = Delays { channel: 4, receive: 0 };

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
    /// Counters that make the tables; none where tables are in memory.
    pub counters: Option<Counters>,
    /// Streams of the tiles' own; none where the host loads and drains them.
    pub ports: Option<TilePorts>,
    pub(super) ends: Ends,
    /// First nodes with equal images of rows and of places, by node.
    pub(super) sharing: Vec<[usize; 2]>,
    /// Indices in the result of the words that the program read back gives.
    pub(super) arrays: IndexArrays,
    pub(super) read: ReadBack,
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
                match &self.counters {
                    Some(counters) => {
                        images.insert(rows, &counters.nodes[node].stored);
                        images.insert(self.loops_name(node), &counters.nodes[node].loops);
                    }
                    None => images.insert(rows, &fields.rows(table)),
                }
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

impl SlotTableLowered {
    /// Tables of the hardware, as input of the read-back.
    pub(super) fn hardware(&self) -> read_back::Tables<'_> {
        read_back::Tables {
            frame: &self.frame,
            nodes: &self.nodes,
            channels: &self.channels,
            rows: self.rows,
            results: self.results,
            switching: &self.read.program.switching,
            images: (0..self.nodes.len()).map(|node| self.image_names(node)).collect(),
            loops: self
                .counters
                .as_ref()
                .map(|counters| (counters, (0..self.nodes.len()).map(|node| self.loops_name(node)).collect())),
        }
    }

    /// Names of the images of a node, its rows and its places; nodes whose images are equal share one.
    pub fn image_names(&self, node: usize) -> [String; 2] {
        let [rows, places] = self.sharing[node];
        let table = if self.is_shared() { "table".to_owned() } else { format!("table_{rows}") };
        [table, format!("places_{places}")]
    }

    /// Name of the image of a node's loops, where counters make the tables.
    pub fn loops_name(&self, node: usize) -> String {
        if self.is_shared() { "loops".to_owned() } else { format!("loops_{}", self.sharing[node][0]) }
    }

    /// Bits of all tables, and of those that differ.
    pub fn program_memory(&self) -> ProgramMemory {
        ProgramMemory::of(&self.nodes, &self.sharing, self.counters.as_ref(), (&self.frame.network, self.slot_cycles))
    }

    /// The network with the interface that `endpoint` asks for.
    ///
    /// # Errors
    /// [`SlotTableError::Period`](super::SlotTableError::Period) if a collective takes longer than the period, [`SlotTableError::NoWords`](super::SlotTableError::NoWords) if nothing is sent.
    pub fn with_endpoint(mut self, endpoint: &EndpointSpec) -> Result<Self, LowerError> {
        if endpoint.has_tile_ports() {
            let times = (self.rows, self.frame.tree_cycles());
            self.ports = Some(TilePorts::new(endpoint, &self.nodes, times, self.ends.clone())?);
        }
        Ok(self)
    }

    /// For each pair of crosspoints of an output of a node: a row of the node's memory, the bits of that row by which the output takes both sources
    /// where they are flipped, and the output. The row is the first in which it takes one of the two, else the first in which it takes neither.
    pub fn clashes(&self, node: usize) -> Vec<(u32, Vec<u32>, u32)> {
        let table = &self.nodes[node];
        let (rows, stored) = match &self.counters {
            None => (Fields::new(&table.shape).rows(table), None),
            Some(counters) => (counters.nodes[node].stored.clone(), Some(&counters.layout(node).stored)),
        };
        // bits of crosspoints are the lowest of a row, of which counters store those that are used
        let bit_of = |number: usize| match stored {
            None => Some(number),
            Some(stored) => stored.iter().position(|&bit| bit as usize == number),
        };
        let crosspoints = table.shape.crosspoints.iter().enumerate();
        let bits: Vec<(u32, usize)> =
            crosspoints.filter_map(|(number, crosspoint)| Some((crosspoint.output, bit_of(number)?))).collect();
        let clash = |output: u32, pair: [usize; 2]| {
            let taken = |row: &BitRow| pair.map(|bit| row.get(bit, 1)).iter().sum::<u32>();
            let row = [1, 0].into_iter().find_map(|count| rows.iter().position(|row| taken(row) == count))?;
            let flipped = pair.into_iter().filter(|&bit| rows[row].get(bit, 1) == 0);
            Some((row as u32, flipped.map(|bit| bit as u32).collect(), output))
        };
        let of = |(number, &(output, first)): (usize, &(u32, usize))| {
            let others = bits[number + 1..].iter().filter(move |(other, _)| *other == output);
            others.filter_map(|&(_, second)| clash(output, [first, second])).collect::<Vec<_>>()
        };
        bits.iter().enumerate().flat_map(of).collect()
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
        let sizes = |node: usize| {
            let loops = self.counters.as_ref().map(|counters| counters.sizes(node));
            (&self.nodes[node].shape, self.nodes[node].load_places, loops)
        };
        (1..self.nodes.len()).all(|node| sizes(node) == sizes(0))
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
    pub(super) fn first_tables(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.nodes.len()).filter(|&node| self.sharing[node][0] == node)
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
