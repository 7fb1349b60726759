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
mod counters;
mod decode;
mod error;
mod fields;
mod figures;
mod frame;
mod kind;
mod lowered;
mod memory;
mod ports;
mod read_back;
mod registers;
mod room;
mod table;
mod traffic;

pub use alike::Common;
pub use arrays::IndexArrays;
pub use counters::{Address, Counters, Layout, LoopTable, Way};
pub use error::SlotTableError;
pub use fields::{BankFields, Field, Fields};
pub use figures::SlotTableFigures;
pub use frame::SlotFrame;
pub use kind::Kind;
pub use lowered::SlotTableLowered;
pub use memory::{CounterMemory, NodeMemory, ProgramMemory, Settings};
pub use ports::TilePorts;
pub use read_back::ReadTables;
pub use table::{Bank, Crosspoint, Feeder, Load, NodeTable, Place, Read, Row, Shape, Wire};
pub use traffic::{MAX_ROWS, MAX_TILES, operator_cycles};

use super::read_back::{Programmed, ReadBack};
use super::ring::MAX_PORTS;
use super::{LowerError, Ring};
use crate::collective::Collective;
use crate::id::NodeId;
use crate::program::{Program, Switching, unrolled};
use crate::spec::{Crosspoints, RouterSpec, ScheduleSpec, Storage};
use crate::topology::{Graph, Topology};
use lowered::DELAYS;
use ports::Ends;
use room::Room;

/// Rows that a table has at least: a collective takes four cycles or more.
const MIN_ROWS: u32 = 4;

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
/// As [`lower_slot_table`]; if there are fewer rows or words of a bank than the program needs; [`SlotTableError::NoCounters`] if counters
/// would have as many bits as the tables.
pub fn lower_slot_table_in(
    net: &dyn Topology,
    program: &Program,
    collective: &dyn Collective,
    router: &RouterSpec,
    schedule: &ScheduleSpec,
) -> Result<SlotTableLowered, LowerError> {
    let room = match schedule.storage {
        Storage::Ram => Room::Ram { rows: schedule.rows, buffers: schedule.buffers },
        Storage::Rom => Room::Rom,
        Storage::Counter => Room::Counter,
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
        Room::Rom | Room::Counter => (router.crosspoints == Crosspoints::All).then_some(0),
        Room::Ram { .. } => Some(0),
        Room::Of(common, _) => Some(common.operators.1),
    };
    let (traffic, cycles) = traffic::of(net, program, collective, operands)?;
    let rows = room.rows(cycles.max(MIN_ROWS))?;
    let outputs = traffic.iter().map(|node| node.ports + node.operators.0 * node.operators.1).max().unwrap_or(0);
    let full = operands.map(|_| match room {
        Room::Rom | Room::Counter => [0, 0],
        Room::Ram { .. } => [outputs, alike::KEPT],
        Room::Of(common, _) => [common.hosts, common.kept],
    });
    let counts = matches!(room, Room::Counter);
    let mut nodes: Vec<NodeTable> = traffic.iter().map(|node| banks::table(node, rows, full, counts)).collect();
    let common = full.map(|_| room.fill(&mut nodes, outputs)).transpose()?;
    if !room.is_loadable() {
        table::show_results_alone(&mut nodes);
    }
    let memory = common.filter(|_| room.is_loadable());
    let results = nodes.iter().map(|node| node.results.len() as u32).max().unwrap_or(0).max(1);
    let limit = MAX_PORTS as u32;
    if let Some(ports) = nodes.iter().map(|node| node.shape.inputs().max(node.shape.outputs())).find(|&p| p > limit) {
        return Err(LowerError::TooManyPorts { ports: ports as usize, limit: MAX_PORTS, field: "network.topology" });
    }
    let wire = |&(src, port): &(NodeId, u32)| Wire { src, port, latency: program.switching.latency(net, src, port) };
    let frame = SlotFrame { ring: Ring::new(net.nodes() as u32, router), network: Graph::of(net) };
    let channels: Vec<Vec<Wire>> = traffic.iter().map(|node| node.channels.iter().map(wire).collect()).collect();
    let mut latencies = vec![1; frame.network.channels()];
    for wire in channels.iter().flatten() {
        if !(1..=255).contains(&wire.latency) {
            let what = format!("a hop of {} cycles, and 1 to 255 are built", wire.latency);
            return Err(SlotTableError::Form { what }.into());
        }
        latencies[frame.network.channel_id(wire.src, wire.port as usize).index()] = wire.latency;
    }
    let empty = Program::new(Switching::HopByChannel(latencies));
    let results = memory.as_ref().map_or(results, |memory| memory.results);
    let counters = counts.then(|| Counters::of(&nodes, full.is_some()));
    let mut lowered = SlotTableLowered {
        frame,
        topology: net.name().to_owned(),
        results,
        sharing: memory::sharing(&nodes, results, counters.as_ref()),
        memory,
        nodes,
        channels,
        rows,
        slot_cycles,
        counters,
        ports: None,
        ends: Ends::default(),
        arrays: IndexArrays::default(),
        read: ReadBack::new(empty, DELAYS, []),
    };
    if let Some(CounterMemory { bits, .. }) = lowered.program_memory().counters
        && bits >= lowered.figures().table_bits
    {
        return Err(SlotTableError::NoCounters { bits, table: lowered.figures().table_bits }.into());
    }
    let read = read_back::walk(&lowered.hardware(), &lowered.images())?;
    compare::same(net, program, collective, &read, &lowered.frame)?;
    lowered.arrays = IndexArrays::new(&read);
    lowered.ends = Ends::of(&read, &lowered.nodes);
    lowered.read = read.into();
    Ok(lowered)
}

impl SlotTableLowered {
    /// Lowering of another program for this hardware, whose tables are in memory that the host can load.
    ///
    /// # Errors
    /// As [`lower_slot_table_in`]; [`SlotTableError::Room`] with the number that is missing if the program does not fit.
    pub fn with(&self, net: &dyn Topology, program: &Program, collective: &dyn Collective) -> Result<Self, LowerError> {
        let no_form = |what: &str| LowerError::from(SlotTableError::Form { what: what.to_owned() });
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
}
