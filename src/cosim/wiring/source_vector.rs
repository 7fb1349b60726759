//! Required connections of an all-to-all by source vectors, from the parameters and the topology alone.

use super::plan::{self, GO, Host, Instance, Origin, Plan, Run, Runs, constant, leaf, pin};
use super::{Planned, Sources};
use crate::id::{ChannelId, NodeId};
use crate::lower::Ring;
use crate::lower::swapped_dragonfly::Parameters;
use crate::spec::Placement;
use crate::topology::swapped_dragonfly::{Group, RouterAddress};
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeMap;

/// An all-to-all by source vectors, and the owner of its slot tables.
#[derive(Debug, Clone, Copy)]
pub struct SourceVector<'a> {
    /// Sizes.
    pub parameters: &'a Parameters,
    /// Owner of the slot tables.
    pub placement: Placement,
}

impl Planned for SourceVector<'_> {
    fn sources(&self) -> Sources {
        let modules: &[&str] = match self.placement {
            Placement::Router => &["mn_node", "mn_network", "mn_top"],
            Placement::Shared => &["mn_network", "mn_top"],
        };
        Sources::new(modules, ["mn_sv_tile", "mn_program", "mn_fanout", "mn_fanin", "mn_host"])
    }

    fn is_tile(&self, kind: &str) -> bool {
        kind == if self.placement == Placement::Shared { "mn_sv_tile" } else { "mn_node" }
    }

    fn ring(&self) -> &Ring {
        &self.parameters.ring
    }

    fn network(&self) -> &dyn Topology {
        &self.parameters.network
    }

    fn plans(&self, tiles: &[&str]) -> Vec<(&'static str, Plan)> {
        let p = self.parameters;
        let (words, tile_words) = (p.words_a_tile(), u64::from(p.tiles) * p.words_a_tile());
        let host = Host { pass: p.pass_cycles() as u32, loads: tile_words as u32, set: words as u32, double: p.double };
        let mut plans = vec![("mn_top", plan::top(p, host)), ("mn_network", network(p, self.placement, tiles))];
        if self.placement == Placement::Router {
            plans.push(("mn_node", node(p)));
        }
        plans
    }
}

/// Connections from a program to the tile that it drives: the program's port, the tile's port, and the width in bits.
fn program_ports(p: &Parameters) -> [(&'static str, &'static str, u32); 8] {
    [
        ("local_send_o", "local_send_i", p.local_row_bits),
        ("global_send_o", "global_send_i", p.global_row_bits),
        ("global_receive_o", "global_receive_i", p.global_row_bits),
        ("local_receive_o", "local_receive_i", p.local_row_bits),
        ("valid_o", "row_valid_i", 4),
        ("buffer_o", "row_buffer_i", 4),
        ("word_o", "row_word_i", 4 * p.word_bits),
        ("status_o", "program_status_i", 16),
    ]
}

fn tile_parameters(p: &Parameters) -> [(&'static str, u32); 13] {
    [
        ("K", p.k),
        ("M", p.m),
        ("XOR", u32::from(p.network.group() == Group::Xor)),
        ("DW", p.data_bits),
        ("PARITY", p.parity.into()),
        ("WORDS", p.words),
        ("DOUBLE", p.double.into()),
        ("LOG", p.error_log.into()),
        ("TB", p.tile_bits),
        ("LOCAL_STAGES", p.local_stages),
        ("GLOBAL_STAGES", p.global_stages),
        ("XBAR_STAGES", p.xbar_stages),
        ("BANK_STAGES", p.bank_stages),
    ]
}

/// `mn_node`: a program and a tile, everything else passed straight through.
fn node(p: &Parameters) -> Plan {
    let program = Instance::new("mn_program")
        .inherit(&GO)
        .input("piece_i", pin("u_tile", "program_o", 1))
        .input("piece_data_i", pin("u_tile", "program_data_o", p.data_bits));
    let mut tile = Instance::new("mn_sv_tile").parameters(&tile_parameters(p)).inherit(&[
        ("tile_i", p.tile_bits),
        ("c_i", p.gamma_bits),
        ("d_i", p.pi_bits),
        ("p_i", p.pi_bits),
        ("ring_i", p.flit_bits),
        ("go_i", 1),
        ("local_i", p.local_bits()),
        ("global_i", p.global_bits()),
    ]);
    for (from, to, width) in program_ports(p) {
        tile = tile.input(to, pin("u_program", from, width));
    }
    let mut outputs: BTreeMap<&'static str, Runs> =
        [("ring_o", p.flit_bits), ("local_o", p.local_bits()), ("global_o", p.global_bits()), ("fault_o", 1)]
            .map(|(port, width)| (port, vec![pin("u_tile", port, width)]))
            .into();
    outputs.insert("done_o", vec![pin("u_program", "done_o", 1)]);
    Plan { instances: [("u_program".into(), program), ("u_tile".into(), tile)].into(), outputs, tree: None }
}

/// `mn_network`: the tiles, called `names` in the order of their nodes, the ring, the trees, and the program if it is
/// shared.
fn network(p: &Parameters, placement: Placement, names: &[&str]) -> Plan {
    let shared = placement == Placement::Shared;
    let mut plan = Plan::default();
    // the fields of a leaf, lowest first
    let (tree, fields): (_, Vec<Run>) = if shared {
        let order = ["local_send_o", "global_send_o", "global_receive_o", "local_receive_o", "valid_o", "buffer_o"];
        let order = order.into_iter().chain(["word_o", "done_o", "status_o"]);
        let width = |port| program_ports(p).into_iter().find(|(from, ..)| *from == port).map_or(1, |(.., width)| width);
        let program = order.map(|port| pin("u_program", port, width(port)));
        ("u_rows", program.chain([pin("", "go_i", 1)]).collect())
    } else {
        ("u_go", GO.map(|(port, width)| pin("", port, width)).into())
    };
    let leaf_bits = fields.iter().map(|run| run.width).sum();
    let fanout = Instance::new("mn_fanout").parameters(&[("N", p.tiles), ("W", leaf_bits)]).input_of("d_i", fields);
    plan.instances.insert(tree.into(), fanout);
    plan.tree = Some((tree, leaf_bits));
    if shared {
        let program = Instance::new("mn_program")
            .inherit(&GO)
            .input("piece_i", pin(names[0], "program_o", 1))
            .input("piece_data_i", pin(names[0], "program_data_o", p.data_bits));
        plan.instances.insert("u_program".into(), program);
    }

    let net = &p.network;
    let feeders = feeders(net);
    let (mut done, mut fault) = (Vec::new(), Vec::new());
    for (index, &name) in (0..p.tiles).zip(names) {
        let node = NodeId::new(index);
        let RouterAddress { c, d, p: position } = net.address(node);
        let before = index.checked_sub(1).map_or("", |i| names[i as usize]);
        let (local, global) = inputs(p, &feeders[node.index() * net.ports()..], names);
        let mut tile = Instance::new(if shared { "mn_sv_tile" } else { "mn_node" })
            .input("tile_i", constant(index, p.tile_bits))
            .input("c_i", constant(c, p.gamma_bits))
            .input("d_i", constant(d, p.pi_bits))
            .input("p_i", constant(position, p.pi_bits))
            .input("ring_i", pin(before, if index == 0 { "ring_i" } else { "ring_o" }, p.flit_bits))
            .input_of("local_i", local)
            .input_of("global_i", global);
        if shared {
            tile = tile.parameters(&tile_parameters(p)).input("go_i", leaf(index, "", "go_i", 1));
            for (from, to, width) in program_ports(p) {
                tile = tile.input(to, leaf(index, "u_program", from, width));
            }
            done.push(leaf(index, "u_program", "done_o", 1));
        } else {
            for (port, width) in GO {
                tile = tile.input(port, leaf(index, "", port, width));
            }
            done.push(pin(name, "done_o", 1));
        }
        fault.push(pin(name, "fault_o", 1));
        plan.instances.insert(name.into(), tile);
    }
    plan::finish(&mut plan, p, names, [done, fault]);
    plan
}

/// The channels that enter a tile by its local and its global inputs.
fn inputs(p: &Parameters, feeders: &[NodeId], names: &[&str]) -> (Runs, Runs) {
    let net = &p.network;
    let run = |port: usize| {
        let (name, width, slot) = match port.checked_sub(net.local_ports()) {
            None => ("local_o", p.local_channel_bits, port),
            Some(gamma) => ("global_o", p.global_channel_bits, gamma),
        };
        let instance = names[feeders[port].index()].to_owned();
        Run {
            width,
            origin: Origin::Pin { instance, port: name, first: slot as u32 * width },
            channel: Some(net.channel_id(feeders[port], port)),
        }
    };
    ((0..net.local_ports()).map(run).collect(), (net.local_ports()..net.ports()).map(run).collect())
}

/// Neighbour whose output port q leads to input port q of node n, at index `n * ports + q`.
///
/// The port maps of a Swapped Dragonfly are permutations of its nodes, so there is exactly one.
pub(in crate::cosim) fn feeders(net: &SwappedDragonfly) -> Vec<NodeId> {
    let mut from = vec![NodeId::default(); net.channels()];
    for channel in (0..net.channels()).map(ChannelId::from) {
        let (port, ends) = (channel.index() % net.ports(), net.channel(channel));
        from[net.channel_id(ends.dst, port).index()] = ends.src;
    }
    from
}
