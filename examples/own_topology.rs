//! A topology of one's own, outside metronoc: a ring with channels both ways, and an all-gather on it, as fast as its bound, in slot tables.
//!
//! `cargo run --release --example own_topology`

use metronoc::check::judge::{bounds, judge};
use metronoc::collective::Collective;
use metronoc::emit::{Origin as Source, RtlBundle};
use metronoc::id::NodeId;
use metronoc::lower::lower_slot_table;
use metronoc::program::{Document, Expansion, Hop, Origin, Program, Switching, Train, Who, import};
use metronoc::simulate::{ByRule, Simulation};
use metronoc::spec::RouterSpec;
use metronoc::topology::Topology;
use serde_json::json;

/// Nodes in a circle; port 0 leads to the next one, port 1 to the one before.
struct Ring(u32);

impl Topology for Ring {
    fn name(&self) -> &'static str {
        "two-way ring"
    }

    fn nodes(&self) -> usize {
        self.0 as usize
    }

    fn ports(&self) -> usize {
        2
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        vec![node.get()]
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let step = if port == 0 { 1 } else { self.0 - 1 };
        NodeId::new((node.get() + step) % self.0)
    }

    fn port_name(&self, port: usize) -> String {
        ["next", "before"][port].to_owned()
    }
}

/// Every node sends its word half way round in both directions, and every node on the way keeps it.
fn all_gather(ring: &Ring) -> Program {
    let mut program = Program::new(Switching::Hop(vec![1, 1]));
    let word = program.value(Who::Every, 1, Origin::Message);
    for (port, hops) in [(0, ring.0 / 2), (1, (ring.0 - 1) / 2)] {
        let hop = |i: u32| Hop { parent: i.checked_sub(1), port, wait: 0, keep: true };
        program.send(word, Who::Every, (0, Train::STEADY), (0..hops).map(hop));
    }
    program
}

/// Schedules, checks and simulates.
pub fn main() {
    let ring = Ring(9);
    let program = all_gather(&ring);
    // every packet and transfer, as `metronoc check FILE.json` reads them
    let expansion = Expansion::new(&ring, &program).expect("nine nodes are few");
    let tables = [json!({"topology": "two-way ring", "nodes": ring.0}), json!({"kind": "all-gather"})];
    let document = Document::new(&expansion, [&tables[0], &tables[1]]);
    let account = judge(&document).expect("no channel is wanted twice, and every word comes everywhere");
    let bounds = bounds(&document).expect("the document is well formed");
    println!("{} cycles, and no schedule is faster than {}", account.cycles, bounds.largest());
    assert_eq!(u64::from(account.cycles), bounds.largest());
    // the same program, cycle by cycle
    let run = Simulation::new(&ring, &program).run(&mut ByRule::new(1), &[]).expect("it has no conflict");
    println!("{} crossings, {} arrivals", run.statistics.crossings, run.statistics.arrivals);
    assert_eq!(run.statistics.arrivals, 9 * 8);
    // and in hardware: what is exported can be imported, from whomever it comes
    let own = import(&document).expect("it is a program");
    let hardware = lower_slot_table(&own.network, &own.program, &own.arrays, &RouterSpec::default()).expect("it fits");
    let source = Source { name: "ring".into(), spec_text: String::new(), command: "own_topology".into() };
    let bundle = RtlBundle::new(&(&hardware, &own.arrays as &dyn Collective), &source).expect("it is emitted");
    println!("{} Verilog files, {:?}", bundle.sources().count(), hardware.figures());
}
