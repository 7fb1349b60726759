//! Tiles that are alike, for the tile form of the co-simulation and for programs that are not known yet. Every node has
//! the same banks, operators and places, and all crosspoints.
//!
//! Banks are counted in one order at all nodes: those of the host, then as many for each input, whether its words are kept or not.

use super::error::SlotTableError;
use super::kind::Kind;
use super::table::{Bank, Feeder, Load, NodeTable, Place, Row, Shape};
use crate::lower::LowerError;
use std::collections::{BTreeMap, BTreeSet};

/// Sizes that all nodes have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Common {
    /// Banks of the host's words, and words of each.
    pub hosts: u32,
    /// Words of a bank of the host.
    pub host_depth: u32,
    /// Banks of each input.
    pub kept: u32,
    /// Words of a bank of an input.
    pub kept_depth: u32,
    /// Operators, and operands of each.
    pub operators: (u32, u32),
    /// Kinds of operators.
    pub kinds: Vec<Kind>,
    /// Words that are loaded into a tile, and read out of it.
    pub loads: u32,
    /// Words that are read out of a tile.
    pub results: u32,
}

/// Banks of an input, in memory for programs that are not known yet: two words of an input can be read in a cycle.
pub(super) const KEPT: u32 = 2;

impl Common {
    /// The least sizes that are enough for these nodes.
    pub fn of(nodes: &[NodeTable]) -> Self {
        let most = |of: &dyn Fn(&Shape) -> u32| nodes.iter().map(|node| of(&node.shape)).max().unwrap_or(0);
        let depth = |host: bool| {
            let banks = nodes.iter().flat_map(|node| &node.shape.banks);
            banks.filter(|bank| (bank.feeder == Feeder::Host) == host).map(|bank| bank.depth).max().unwrap_or(1)
        };
        let kinds: BTreeSet<Kind> = nodes.iter().flat_map(|node| &node.shape.kinds).copied().collect();
        Self {
            hosts: most(&|shape| shape.hosts).max(1),
            host_depth: depth(true),
            kept: most(&|shape| (0..shape.inputs()).map(|input| fed(shape, input).count() as u32).max().unwrap_or(0)),
            kept_depth: depth(false),
            operators: (most(&|shape| shape.operators.0), most(&|shape| shape.operators.1)),
            kinds: kinds.into_iter().collect(),
            loads: nodes.iter().map(|node| node.loads.len() as u32).max().unwrap_or(0),
            results: nodes.iter().map(|node| node.results.len() as u32).max().unwrap_or(0).max(1),
        }
    }

    /// Sizes with room for other programs: one bank of the host for each output, and banks of `buffers` words, or of
    /// the next power of two.
    ///
    /// # Errors
    /// [`SlotTableError::Room`] if there are too few `buffers`.
    pub fn roomy(self, outputs: u32, buffers: Option<u32>) -> Result<Self, LowerError> {
        let hosts = self.hosts.max(outputs);
        let least = self.host_depth.max(self.kept_depth).max(self.loads.max(self.results).div_ceil(hosts));
        let depth = buffers.unwrap_or(least.next_power_of_two());
        if depth < least {
            return Err(SlotTableError::Room { what: "words of a bank", needed: least, room: depth }.into());
        }
        let (kept, words) = (self.kept.max(KEPT), hosts * depth);
        Ok(Self { hosts, kept, host_depth: depth, kept_depth: depth, loads: words, results: words, ..self })
    }

    /// Checks that hardware with these sizes has room for `program`.
    ///
    /// # Errors
    /// [`SlotTableError::Room`] with the first size that is too small.
    pub fn holds(&self, program: &Self) -> Result<(), LowerError> {
        let kinds = |sizes: &Self| sizes.kinds.iter().fold(0, |all, kind| all | 1 << kind.bit());
        let sizes: [(&'static str, u32, u32); 8] = [
            ("words that a tile takes", program.loads, self.loads),
            ("words that a tile gives", program.results, self.results),
            ("banks of the host", program.hosts, self.hosts),
            ("words of a bank of the host", program.host_depth, self.host_depth),
            ("banks of an input", program.kept, self.kept),
            ("words of a bank of an input", program.kept_depth, self.kept_depth),
            ("operators", program.operators.0, self.operators.0),
            ("operands of an operator", program.operators.1, self.operators.1),
        ];
        if let Some(&(what, needed, room)) = sizes.iter().find(|(_, needed, room)| needed > room) {
            return Err(SlotTableError::Room { what, needed, room }.into());
        }
        match kinds(program) & !kinds(self) {
            0 => Ok(()),
            _ => {
                let (needed, room) = (program.kinds.len() as u32, self.kinds.len() as u32);
                Err(SlotTableError::Room { what: "kinds of operators that are built", needed, room }.into())
            }
        }
    }

    /// Hardware of a node with `channels` channels to it and `ports` from it.
    fn shape(&self, channels: u32, ports: u32) -> Shape {
        let inputs = channels + self.operators.0;
        let host = Bank { feeder: Feeder::Host, depth: self.host_depth, forward: false };
        let kept = |input| Bank { feeder: Feeder::Input(input), depth: self.kept_depth, forward: true };
        let each = |input| std::iter::repeat_n(kept(input), self.kept as usize);
        let hosts = std::iter::repeat_n(host, self.hosts as usize);
        let mut shape = Shape {
            channels,
            ports,
            operators: self.operators,
            hosts: self.hosts,
            banks: hosts.chain((0..inputs).flat_map(each)).collect(),
            results: Vec::new(),
            crosspoints: Vec::new(),
            kinds: self.kinds.clone(),
        };
        shape.crosspoints = shape.all_crosspoints();
        shape.results = (0..).take(shape.banks.len()).collect();
        shape
    }

    /// A node's table on hardware with these sizes, which are enough for it.
    pub fn table(&self, node: &NodeTable) -> NodeTable {
        let (from, to) = (&node.shape, self.shape(node.shape.channels, node.shape.ports));
        let bank = |number: u32| match from.banks[number as usize].feeder {
            Feeder::Host => number,
            Feeder::Input(input) => {
                let before = fed(from, input).take_while(|&other| other < number).count() as u32;
                self.hosts + input * self.kept + before
            }
        };
        let place = |place: &Place| Place { bank: bank(place.bank), ..*place };
        let source = |source: u32| match source.checked_sub(from.inputs()) {
            Some(number) => to.inputs() + bank(number),
            None => source,
        };
        let output = |output: u32| match output.checked_sub(from.ports) {
            Some(operand) => {
                let (unit, operand) = (operand / from.operators.1, operand % from.operators.1);
                from.ports + unit * to.operators.1 + operand
            }
            None => output,
        };
        let row = |row: &Row| Row {
            selects: row.selects.iter().map(|(&to, &from)| (output(to), source(from))).collect(),
            reads: row.reads.iter().map(|(&number, &read)| (bank(number), read)).collect(),
            writes: row.writes.iter().map(|(&number, &address)| (bank(number), address)).collect::<BTreeMap<_, _>>(),
            kinds: row.kinds.clone(),
        };
        let load = |load: &Load| Load { index: load.index, places: load.places.iter().map(place).collect() };
        NodeTable {
            rows: node.rows.iter().map(row).collect(),
            loads: node.loads.iter().map(load).collect(),
            load_places: self.loads,
            results: node.results.iter().map(load).collect(),
            shape: to,
        }
    }
}

/// Banks of an input.
fn fed(shape: &Shape, input: u32) -> impl Iterator<Item = u32> + '_ {
    let of = move |(_, bank): &(u32, &Bank)| bank.feeder == Feeder::Input(input);
    (0..).zip(&shape.banks).filter(of).map(|(number, _)| number)
}
