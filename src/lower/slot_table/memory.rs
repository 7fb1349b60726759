//! Program memory: which nodes have equal images, and how many bits all images have.
//!
//! Inputs and outputs of a node are in the order of ports, not of the numbers of its neighbours. So nodes that do the
//! same in terms of their ports have equal images, and one file in `rom/` serves all of them.

use super::counters::Counters;
use super::fields::Fields;
use super::table::{Bank, Feeder, NodeTable, Shape};
use crate::count::counted;
use crate::id::NodeId;
use crate::lower::bits::BitRow;
use crate::lower::bits::field;
use crate::topology::{Graph, Topology};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::{self, Display, Formatter};

/// Bits of a row, rows, and loops.
type Image = (u32, Vec<BitRow>, Vec<BitRow>);

/// First node with an equal image of rows, and first node with an equal image of places; by node.
///
/// Where counters make the rows, images of rows are equal if stored rows and loops are.
pub(super) fn sharing(nodes: &[NodeTable], results: u32, counters: Option<&Counters>) -> Vec<[usize; 2]> {
    let mut known: [HashMap<Image, usize>; 2] = Default::default();
    let of = |(number, node): (usize, &NodeTable)| {
        let fields = Fields::new(&node.shape);
        let rows = match counters.map(|counters| (counters.layout(number), &counters.nodes[number])) {
            None => (fields.row_bits, fields.rows(node), Vec::new()),
            Some((layout, table)) => (layout.stored_bits(), table.stored.clone(), table.loops.clone()),
        };
        let places = (fields.place_bits, fields.places(node, results), Vec::new());
        [*known[0].entry(rows).or_insert(number), *known[1].entry(places).or_insert(number)]
    };
    nodes.iter().enumerate().map(of).collect()
}

/// Bits of the tables of a network, without places and check bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProgramMemory {
    /// Tables: one a node.
    pub tables: usize,
    /// Bits of all tables.
    pub bits: u64,
    /// Tables that differ.
    pub different: usize,
    /// Bits of the tables that differ.
    pub different_bits: u64,
    /// Bits of the tables that differ if each stores a row once, and the number of the row for each cycle, where that is less.
    pub compressed_bits: u64,
    /// Node with the most bits, of each form.
    pub largest: NodeMemory,
    /// Counters in place of the tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<CounterMemory>,
    /// Settings of the routers' crossbars, in a program of circuits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settings: Option<Settings>,
}

/// Bits of the program of one node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NodeMemory {
    /// Bits of a table with all fields: every crosspoint of the full crossbar, and every address, also one that has one value.
    pub whole_bits: u64,
    /// Bits of the table that is built, without fields of one value.
    pub table_bits: u64,
    /// Bits of stored rows and loops, where counters make the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counter_bits: Option<u64>,
}

impl NodeMemory {
    /// Largest number of each among all nodes.
    fn largest(nodes: &[NodeTable], counters: Option<&Counters>) -> Self {
        let most = |of: &dyn Fn(usize, &NodeTable) -> u64| {
            nodes.iter().enumerate().map(|(number, node)| of(number, node)).max().unwrap_or(0)
        };
        Self {
            whole_bits: most(&|_, node| whole_bits(&node.shape) * node.rows.len() as u64),
            table_bits: most(&|_, node| u64::from(Fields::new(&node.shape).row_bits) * node.rows.len() as u64),
            counter_bits: counters.map(|counters| most(&|number, _| counters.bits(number))),
        }
    }
}

/// Bits of a row with all fields.
fn whole_bits(shape: &Shape) -> u64 {
    let address = |bank: &Bank| u64::from(field(bank.depth));
    let bank = |bank: &Bank| match bank.feeder {
        Feeder::Host => address(bank),
        // read address and forwarding, write enable and address
        Feeder::Input(_) => 2 * address(bank) + 2,
    };
    let kinds = shape.operators.0 as usize * shape.kinds.len();
    u64::from(shape.outputs()) * u64::from(shape.sources()) + shape.banks.iter().map(bank).sum::<u64>() + kinds as u64
}

/// Stored rows and loops of counters that make tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CounterMemory {
    /// Programs that differ.
    pub different: usize,
    /// Stored rows of these.
    pub rows: u64,
    /// Loops of these.
    pub loops: u64,
    /// Bits of these stored rows and loops.
    pub bits: u64,
}

/// Crossbar settings of routers that only pass words on: the source of each output, or none, for each step of circuits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Settings {
    /// Routers.
    pub routers: usize,
    /// Routers whose settings differ.
    pub different: usize,
    /// Steps.
    pub steps: u32,
    /// Bits of the largest router's setting: outputs · ⌈log₂(inputs + 1)⌉.
    pub step_bits: u32,
    /// Bits of all steps of the settings that differ.
    pub bits: u64,
}

impl ProgramMemory {
    /// Memory of tables, with images shared according to [`sharing`]; a step of circuits takes `slot_cycles` cycles.
    pub(super) fn of(
        nodes: &[NodeTable],
        sharing: &[[usize; 2]],
        all: Option<&Counters>,
        (net, slot_cycles): (&Graph, u32),
    ) -> Self {
        let (mut bits, mut different, mut different_bits, mut compressed_bits) = (0, 0, 0, 0);
        for (number, node) in nodes.iter().enumerate() {
            let fields = Fields::new(&node.shape);
            let (width, rows) = (u64::from(fields.row_bits), node.rows.len() as u64);
            bits += width * rows;
            if sharing[number][0] == number {
                let rows_once = fields.rows(node).into_iter().collect::<HashSet<BitRow>>().len() as u64;
                let index = u64::from(u64::BITS - rows_once.saturating_sub(1).leading_zeros());
                different += 1;
                different_bits += width * rows;
                compressed_bits += (width * rows).min(width * rows_once + index * rows);
            }
        }
        let settings = (slot_cycles > 1).then(|| Settings::of(nodes, net, slot_cycles)).flatten();
        let counters = all.map(|counters| CounterMemory::of(counters, sharing));
        let largest = NodeMemory::largest(nodes, all);
        Self { tables: nodes.len(), bits, different, different_bits, compressed_bits, largest, counters, settings }
    }
}

impl CounterMemory {
    fn of(counters: &Counters, sharing: &[[usize; 2]]) -> Self {
        let first: Vec<usize> = (0..sharing.len()).filter(|&node| sharing[node][0] == node).collect();
        let sum = |of: &dyn Fn(usize) -> u64| first.iter().map(|&node| of(node)).sum();
        Self {
            different: first.len(),
            rows: sum(&|node| counters.sizes(node)[0].into()),
            loops: sum(&|node| counters.sizes(node)[1].into()),
            bits: sum(&|node| counters.bits(node)),
        }
    }
}

impl Settings {
    /// The settings of routers; none if there is no router, or one has banks that are read.
    fn of(nodes: &[NodeTable], net: &Graph, slot_cycles: u32) -> Option<Self> {
        let routers: Vec<&NodeTable> =
            (0..).zip(nodes).filter(|(node, _)| net.is_medium(NodeId::new(*node))).map(|(_, table)| table).collect();
        // by router: source by step and output
        let of = |table: &&NodeTable| {
            let mut settings: BTreeMap<(u32, u32), u32> = BTreeMap::new();
            for (cycle, row) in (0..).zip(&table.rows) {
                for (&output, &source) in &row.selects {
                    let known = settings.insert((cycle / slot_cycles, output), source);
                    if source >= table.shape.channels || known.is_some() {
                        return None;
                    }
                }
            }
            Some(((table.shape.channels, table.shape.ports), settings))
        };
        let all: Vec<_> = routers.iter().map(of).collect::<Option<_>>()?;
        let steps = all.iter().filter_map(|(_, settings)| Some(settings.last_key_value()?.0.0 + 1)).max()?;
        let step_bits = |&(channels, ports): &(u32, u32)| ports * (u32::BITS - channels.leading_zeros());
        let different: HashSet<_> = all.iter().collect();
        Some(Self {
            routers: all.len(),
            different: different.len(),
            steps,
            step_bits: all.iter().map(|(sizes, _)| step_bits(sizes)).max()?,
            bits: different.iter().map(|(sizes, _)| u64::from(steps) * u64::from(step_bits(sizes))).sum(),
        })
    }
}

impl Display for ProgramMemory {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self { tables, bits, different, different_bits, compressed_bits, counters, settings, .. } = self;
        let differ = if *different == 1 { "is different" } else { "are different" };
        write!(
            out,
            "program memory: {tables} tables, {bits} bits; {different} {differ}, {different_bits} bits, or {compressed_bits} with equal rows \
             stored once"
        )?;
        if let Some(CounterMemory { different, rows, loops, bits }) = counters {
            let (programs, rows, loops) =
                (counted(*different as u64, "program"), counted(*rows, "stored row"), counted(*loops, "loop"));
            write!(out, "\ncounters: {programs} of {rows} and {loops}, {bits} bits in place of {different_bits}")?;
        }
        let Some(Settings { routers, different, steps, step_bits, bits }) = settings else { return Ok(()) };
        let differ = if *different == 1 { "all do the same" } else { "not all do the same" };
        write!(
            out,
            "\nrouters: {routers}, {different} different ({differ}): {steps} steps of {step_bits} bits as crossbar settings, {bits} bits"
        )
    }
}
