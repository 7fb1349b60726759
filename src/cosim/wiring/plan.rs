//! Required connections of a top: those of every network, and the form of a plan.

use crate::id::ChannelId;
use crate::lower::Ring;
use std::collections::BTreeMap;

/// Required driver of a run of bits of an input.
#[derive(Debug, Clone)]
pub enum Origin {
    /// Bits of a port of an instance, from bit `first` on. The instance is empty for an input of the module.
    Pin { instance: String, port: &'static str, first: u32 },
    /// Leaf `leaf` of the module's fan-out tree, which carries bits of a port.
    Leaf { leaf: u32, instance: String, port: &'static str },
    /// A constant.
    Constant(u64),
}

/// A run of bits of an input.
#[derive(Debug, Clone)]
pub struct Run {
    pub width: u32,
    pub origin: Origin,
    /// The channel that the bits are of, if they are of one.
    pub channel: Option<ChannelId>,
}

/// Runs from the lowest bit to the highest.
pub type Runs = Vec<Run>;

/// Required value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    Number(u32),
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => write!(f, "\"{text}\""),
        }
    }
}

/// An instance that must be there.
#[derive(Debug, Default)]
pub struct Instance {
    pub kind: String,
    pub parameters: Vec<(&'static str, Value)>,
    pub inputs: BTreeMap<&'static str, Runs>,
}

/// Required content of a module: instances, and drivers of its outputs.
#[derive(Debug, Default)]
pub struct Plan {
    pub instances: BTreeMap<String, Instance>,
    pub outputs: BTreeMap<&'static str, Runs>,
    /// The instance of `mn_fanout`, if there is one, and the bits of one of its leaves.
    pub tree: Option<(&'static str, u32)>,
}

pub(super) fn pin(instance: impl Into<String>, port: &'static str, width: u32) -> Run {
    Run { width, origin: Origin::Pin { instance: instance.into(), port, first: 0 }, channel: None }
}

pub(super) fn constant(value: u32, width: u32) -> Run {
    Run { width, origin: Origin::Constant(value.into()), channel: None }
}

/// Run of bits from leaf `leaf` of the module's fan-out tree.
pub(super) fn leaf(leaf: u32, instance: &str, port: &'static str, width: u32) -> Run {
    Run { width, origin: Origin::Leaf { leaf, instance: instance.into(), port }, channel: None }
}

impl Instance {
    pub fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), ..Self::default() }
            .input("clk_i", pin("", "clk_i", 1))
            .input("rst_i", pin("", "rst_i", 1))
    }

    pub fn input(self, port: &'static str, run: Run) -> Self {
        self.input_of(port, vec![run])
    }

    pub fn input_of(mut self, port: &'static str, runs: Runs) -> Self {
        self.inputs.insert(port, runs);
        self
    }

    /// Inputs that are driven by the module's inputs of the same names.
    pub fn inherit(self, ports: &[(&'static str, u32)]) -> Self {
        ports.iter().fold(self, |instance, &(port, width)| instance.input(port, pin("", port, width)))
    }

    pub fn parameters(mut self, list: &[(&'static str, u32)]) -> Self {
        self.parameters.extend(list.iter().map(|&(name, value)| (name, Value::Number(value))));
        self
    }

    pub fn text(mut self, name: &'static str, value: String) -> Self {
        self.parameters.push((name, Value::Text(value)));
        self
    }
}

/// The start of a collective: ports and widths, as they lie in a leaf of the start tree.
pub(super) const GO: [(&str, u32); 4] = [("go_i", 1), ("go_buffer_i", 1), ("go_swap_i", 1), ("go_version_i", 8)];

/// Numbers of the host of a network.
#[derive(Debug, Clone, Copy)]
pub(super) struct Host {
    /// Cycles of a pass.
    pub pass: u32,
    /// Words that are loaded in all.
    pub loads: u32,
    /// Words that are read out of each tile.
    pub set: u32,
    pub double: bool,
}

/// `mn_top`: the host and the network.
pub(super) fn top(p: &Ring, numbers: Host) -> Plan {
    let host = Instance::new("mn_host")
        .parameters(&[
            ("TILES", p.tiles),
            ("TB", p.tile_bits),
            ("DW", p.data_bits),
            ("PASS", numbers.pass),
            ("LOADS", numbers.loads),
            ("SET", numbers.set),
            ("DOUBLE", numbers.double.into()),
            ("FB", p.queue_bits),
            ("FLUSH", p.flush_cycles),
        ])
        .inherit(&[
            ("s_axis_tvalid", 1),
            ("s_axis_tdata", p.data_bits),
            ("s_axis_tdest", p.tile_bits + 3),
            ("m_axis_tready", 1),
        ])
        .input("ring_i", pin("u_network", "ring_o", p.flit_bits))
        .input("done_all_i", pin("u_network", "done_all_o", 1))
        .input("done_any_i", pin("u_network", "done_any_o", 1))
        .input("fault_i", pin("u_network", "fault_o", 1))
        .input("upset_i", pin("u_network", "upset_o", 1));
    let network = Instance::new("mn_network")
        .input("ring_i", pin("u_host", "ring_o", p.flit_bits))
        .input("go_i", pin("u_host", "go_o", 1))
        .input("go_buffer_i", pin("u_host", "go_buffer_o", 1))
        .input("go_swap_i", pin("u_host", "go_swap_o", 1))
        .input("go_version_i", pin("u_host", "go_version_o", 8));
    let outputs = [
        ("s_axis_tready", 1),
        ("m_axis_tvalid", 1),
        ("m_axis_tdata", p.data_bits),
        ("m_axis_tid", p.tile_bits),
        ("m_axis_tuser", 1),
        ("m_axis_tlast", 1),
        ("busy_o", 1),
        ("fault_o", 1),
    ];
    Plan {
        instances: [("u_host".into(), host), ("u_network".into(), network)].into(),
        outputs: outputs.map(|(port, width)| (port, vec![pin("u_host", port, width)])).into(),
        tree: None,
    }
}

/// Adds to a plan of `mn_network` the done and fault trees and its outputs, behind the last tile of `names`.
pub(super) fn finish(plan: &mut Plan, p: &Ring, names: &[&str], [done, fault]: [Runs; 2]) {
    for (name, inputs) in [("u_done", done), ("u_fault", fault)] {
        let fanin = Instance::new("mn_fanin").parameters(&[("N", p.tiles)]).input_of("d_i", inputs);
        plan.instances.insert(name.into(), fanin);
    }
    let last = names.last().copied().unwrap_or_default();
    let start = plan.tree.map_or("", |(tree, _)| tree);
    plan.outputs = [
        ("ring_o", vec![pin(last, "ring_o", p.flit_bits)]),
        ("done_all_o", vec![pin("u_done", "all_o", 1)]),
        ("done_any_o", vec![pin("u_done", "any_o", 1)]),
        ("fault_o", vec![pin("u_fault", "any_o", 1)]),
        ("upset_o", vec![pin(start, "wrong_o", 1)]),
    ]
    .into();
}
