//! A collective of one's own, outside metronoc: every node's word goes `shift` nodes on, on a Swapped Dragonfly.
//!
//! `cargo run --release --example own_collective`

use metronoc::check::judge::judge;
use metronoc::collective::{Collective, Dtype, Item, Words};
use metronoc::id::NodeId;
use metronoc::program::{Document, Expansion, Origin, Program, Switching, Train, Who};
use metronoc::simulate::{Arrays, Simulation};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{SwappedDragonfly, Topology};
use serde_json::json;
use std::collections::BTreeSet;

/// `y[(i + shift) % nodes] = x[i]`
struct Shift {
    nodes: usize,
    shift: usize,
}

impl Collective for Shift {
    fn shape(&self) -> (Vec<usize>, String) {
        (vec![self.nodes], "[node]".to_owned())
    }

    fn expected(&self, words: &Words) -> Words {
        Words::from_fn(words.dtype(), self.nodes, |i| words.get((i + self.nodes - self.shift) % self.nodes))
    }

    fn sent(&self, item: Item) -> usize {
        item.from.index()
    }

    fn received(&self, item: Item) -> Option<usize> {
        Some(item.to.index())
    }
}

/// Sends the packets one after the other, each in the first cycle in which its channels are free.
fn schedule(net: &SwappedDragonfly, to: &[usize]) -> Program {
    let mut program = Program::new(Switching::Hop(vec![1; net.ports()]));
    let mut taken = BTreeSet::new();
    for (from, &to) in to.iter().enumerate() {
        let (from, v) = (NodeId::from(from), net.vector(net.address(from.into()), net.address(to.into())));
        let local = |x: u32| (x > 0).then(|| net.local_port(x));
        let ports: Vec<usize> =
            [local(v.delta), Some(net.global_port(v.gamma)), local(v.pi)].into_iter().flatten().collect();
        let nodes = ports.iter().scan(from, |at, &port| Some(std::mem::replace(at, net.neighbour(*at, port))));
        let way: Vec<_> =
            (0_u32..).zip(nodes.zip(&ports)).map(|(i, (at, &port))| (i, net.channel_id(at, port))).collect();
        let free = |start: &u32| way.iter().all(|&(i, channel)| !taken.contains(&(start + i, channel)));
        let start = (0..).find(free).expect("later cycles are free");
        taken.extend(way.iter().map(|&(i, channel)| (start + i, channel)));
        let value = program.value(Who::One(from), 1, Origin::Message);
        program.send(
            value,
            Who::One(from),
            (start, Train::STEADY),
            Program::path(ports.iter().map(|&port| port as u32)),
        );
    }
    program
}

/// Schedules, checks and simulates.
pub fn main() {
    let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
    let shift = Shift { nodes: net.nodes(), shift: 7 };
    let to: Vec<usize> = (0..shift.nodes).map(|i| (i + shift.shift) % shift.nodes).collect();
    let program = schedule(&net, &to);
    let tables =
        [json!({"topology": "swapped-dragonfly", "k": 2, "m": 3}), json!({"kind": "permutation", "permutation": to})];
    let document = Document::new(&Expansion::new(&net, &program).expect("a small network"), [&tables[0], &tables[1]]);
    println!("{} cycles", judge(&document).expect("the schedule holds").cycles);
    let words = shift.random(Dtype::Uint16, 5).expect("few words");
    let mut data = Arrays::new(&program, &shift, &words, 16);
    Simulation::new(&net, &program).run(&mut data, &[]).expect("no conflict");
    assert_eq!((data.wrong(), data.results(words.len())), (0, shift.expected(&words)));
}
