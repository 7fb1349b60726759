//! Slot tables: any program on any network, in the test bench of its own and read back from its images.

mod common;

use common::slots::{AllGather, Slots, Torus, listed, pairs, router};
use metronoc::collective::exchange::{Exchange, ExchangeKind};
use metronoc::collective::{AllToAll, Collective};
use metronoc::program::{Hop, Origin, Program, Switching, Train, Who};
use metronoc::schedule::exchange::{ExchangeRequest, schedule as exchange_schedule};
use metronoc::schedule::{AllToAllRequest, HopLatency, schedule};
use metronoc::spec::Operator;
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{SwappedDragonfly, Topology};

/// Results of the bench's two collectives.
fn results(slots: &Slots) -> u64 {
    2 * u64::from(slots.lowered.results) * slots.lowered.nodes.len() as u64
}

#[test]
fn an_all_to_all_of_a_torus() {
    for (dims, up) in [(&[4, 4][..], true), (&[3, 3], false), (&[2, 2, 2], false)] {
        let net = Torus::new(dims, up);
        let n = net.nodes() as u32;
        let program = listed(&net, &Switching::Hop(vec![1; net.ports()]), &pairs(n), false);
        let slots = Slots::new(&net, &program, &AllToAll::new(n, 1, 1), &router(32));
        assert_eq!(slots.lowered.results, n - 1);
        assert_eq!(slots.passes(), results(&slots), "{dims:?}");
        println!("{dims:?}: {:?}", slots.lowered.figures());
    }
}

#[test]
fn words_wait_and_go_past_memories() {
    let net = Torus::new(&[4, 3], false);
    let mut longest = 0;
    let latencies = (0..48).map(|channel| 1 + channel * 7 % 4).collect();
    for switching in [Switching::Hop(vec![1; 4]), Switching::HopByChannel(latencies)] {
        let program = listed(&net, &switching, &pairs(12), true);
        let waits: Vec<u32> = program.hops.iter().filter(|hop| hop.parent.is_some()).map(|hop| hop.wait).collect();
        assert!(waits.contains(&1), "{waits:?}");
        longest = longest.max(waits.into_iter().max().unwrap_or(0));
        let slots = Slots::new(&net, &program, &AllToAll::new(12, 1, 1), &router(16));
        assert!(slots.lowered.nodes.iter().flat_map(|node| &node.shape.banks).any(|bank| bank.forward));
        assert_eq!(slots.passes(), results(&slots));
    }
    assert!(longest > 1, "{longest}");
}

/// Every node's word goes round a ring both ways, and every node keeps it.
fn gathered(net: &Torus) -> Program {
    let mut program = Program::new(Switching::Hop(vec![1, 1]));
    let word = program.value(Who::Every, 1, Origin::Message);
    let n = net.dims[0];
    for (port, hops) in [(0, n / 2), (1, (n - 1) / 2)] {
        let hop = |i: u32| Hop { parent: i.checked_sub(1), port, wait: 0, keep: true };
        program.send(word, Who::Every, (0, Train::STEADY), (0..hops).map(hop));
    }
    program
}

#[test]
fn an_all_gather_of_a_ring_is_one_table() {
    let net = Torus::new(&[7], false);
    let slots = Slots::new(&net, &gathered(&net), &AllGather(7), &router(8));
    assert!(slots.lowered.is_shared());
    assert!(slots.files.contains_key("rom/table.hex"));
    assert_eq!(slots.passes(), results(&slots));
    let figures = slots.lowered.figures();
    assert_eq!((figures.crosspoints_used, figures.crosspoints_all), (7 * 4, 7 * 2 * 5));
    assert_eq!(7 * figures.table_bits, figures.table_bits_all);
}

#[test]
fn a_swapped_dragonfly_is_a_network_like_others() {
    let hop = HopLatency { local: 1, global: 2 };
    let net = SwappedDragonfly::new(2, 2, Group::Xor);
    let request = AllToAllRequest { passes: 2, ..AllToAllRequest::new("best", hop) };
    let made = schedule(&net, &request).expect("a schedule");
    let slots = Slots::new(&net, &made.to_program(&net), &AllToAll::new(8, 2, 1), &router(32));
    assert_eq!(slots.passes(), results(&slots));
}

#[test]
fn operators_combine_what_comes() {
    let (net, hop) = (SwappedDragonfly::new(2, 2, Group::Xor), HopLatency { local: 1, global: 1 });
    for kind in [
        ExchangeKind::AllReduce(Operator::Sum),
        ExchangeKind::AllReduce(Operator::Min),
        ExchangeKind::PrefixScan(Operator::Xor),
        ExchangeKind::Sort,
    ] {
        let request = ExchangeRequest { kind, algorithm: "best", words: 2, operator: 3, hop };
        let made = exchange_schedule(&net, &request).expect("a schedule");
        let collective = Exchange::new(kind, 8, 2);
        let slots = Slots::new(&net, &made.to_program(&net), &collective, &router(16));
        assert_eq!(slots.passes(), results(&slots), "{kind:?}");
        assert_eq!(collective.shape().0, [8, 2]);
    }
}
