//! Required connections of a network of slot tables, from its channels alone.

use super::plan::{self, Host, Instance, Origin, Plan, Run, Runs, constant, leaf, pin};
use super::{Planned, Sources};
use crate::emit::image_file;
use crate::lower::slot_table::Wire;
use crate::lower::{Ring, SlotTableLowered};
use crate::topology::Topology;

/// Name of the module of a tile, up to the number of its kind.
const TILE: &str = "mn_slot_tile_";

impl Planned for SlotTableLowered {
    fn sources(&self) -> Sources {
        let tiles = (0..self.classes().1.len()).map(|kind| format!("{TILE}{kind}"));
        let boxes = ["mn_stages", "mn_fanout", "mn_fanin", "mn_host"].map(str::to_owned);
        Sources::new(&["mn_network", "mn_top"], tiles.chain(boxes))
    }

    fn is_tile(&self, kind: &str) -> bool {
        kind.starts_with(TILE)
    }

    fn ring(&self) -> &Ring {
        &self.frame.ring
    }

    fn network(&self) -> &dyn Topology {
        &self.frame.network
    }

    fn plans(&self, tiles: &[&str]) -> Vec<(&'static str, Plan)> {
        // with one buffer the host has no use for the number of words
        let host = Host { pass: self.rows, loads: 1, set: self.results, double: false };
        vec![("mn_top", plan::top(&self.frame, host)), ("mn_network", network(self, tiles))]
    }
}

/// `mn_network`: the tiles, called `names` in the order of their nodes, registers of long channels, the ring and the trees.
fn network(lowered: &SlotTableLowered, names: &[&str]) -> Plan {
    let (p, net) = (&lowered.frame.ring, &lowered.frame.network);
    let mut plan = Plan::default();
    let version = lowered.memory.is_some().then_some(("go_version_i", 8));
    let starts: Vec<(&'static str, u32)> = [("go_i", 1), ("go_swap_i", 1)].into_iter().chain(version).collect();
    let start: Runs = starts.iter().map(|&(port, width)| pin("", port, width)).collect();
    let leaf_bits = start.iter().map(|run| run.width).sum();
    let fanout = Instance::new("mn_fanout").parameters(&[("N", p.tiles), ("W", leaf_bits)]).input_of("d_i", start);
    plan.instances.insert("u_go".into(), fanout);
    plan.tree = Some(("u_go", leaf_bits));

    let channel_bits = 1 + p.payload_bits();
    let channel = |wire: &Wire, instance: String, port: &'static str, first: u32| Run {
        width: channel_bits,
        origin: Origin::Pin { instance, port, first },
        channel: Some(net.channel_id(wire.src, wire.port as usize)),
    };
    let entered = |wire: &Wire| channel(wire, names[wire.src.index()].to_owned(), "out_o", wire.port * channel_bits);
    let stages = |wire: &Wire| format!("u_channel_{}", net.channel_id(wire.src, wire.port as usize).index());
    for wire in lowered.channels.iter().flatten().filter(|wire| wire.latency > 1) {
        let registers = Instance::new("mn_stages")
            .parameters(&[("W", channel_bits), ("N", wire.latency - 1), ("HEAD", 1)])
            .input_of("d_i", vec![entered(wire)]);
        plan.instances.insert(stages(wire), registers);
    }

    let (kinds, _) = lowered.classes();
    let (mut done, mut fault) = (Runs::new(), Runs::new());
    for (index, &name) in (0..p.tiles).zip(names) {
        let node = index as usize;
        let before = node.checked_sub(1).map_or("", |i| names[i]);
        let ending = |wire: &Wire| match wire.latency {
            1 => entered(wire),
            _ => channel(wire, stages(wire), "q_o", 0),
        };
        let mut arriving: Runs = lowered.channels[node].iter().map(ending).collect();
        if arriving.is_empty() {
            arriving.push(constant(0, channel_bits));
        }
        let [table, places] = lowered.image_names(node).map(|name| image_file(&name));
        let mut tile = Instance::new(format!("{TILE}{}", kinds[node]))
            .parameters(&[("LOADS", lowered.load_places(node))])
            .text("TABLE", table)
            .text("PLACES", places)
            .input("tile_i", constant(index, p.tile_bits))
            .input("ring_i", pin(before, if index == 0 { "ring_i" } else { "ring_o" }, p.flit_bits))
            .input_of("in_i", arriving);
        if let Some(counters) = &lowered.counters {
            let [rows, loops] = counters.sizes(node);
            tile = tile.parameters(&[("ROWS", rows), ("LOOPS", loops)]);
            tile = tile.text("LOOP", image_file(&lowered.loops_name(node)));
        }
        for &(port, width) in &starts {
            tile = tile.input(port, leaf(index, "", port, width));
        }
        done.push(pin(name, "done_o", 1));
        fault.push(pin(name, "fault_o", 1));
        plan.instances.insert(name.into(), tile);
    }
    plan::finish(&mut plan, p, names, [done, fault]);
    plan
}
