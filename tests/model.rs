//! The software model on its own: its arrivals are the collective, and what must not meet does not.

use metronoc::check::swapped_dragonfly::check_all_to_all;
use metronoc::collective::{AllToAll, Collective, Dtype, Words};
use metronoc::lower::swapped_dragonfly::{AllToAllLoaded, AllToAllLowered, lower_all_to_all};
use metronoc::lower::{Point, PointKind, Registers as _};
use metronoc::model::{Model, ModelError, Sections, Timeline};
use metronoc::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::spec::Spec;
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{SwappedDragonfly, Topology};
use std::rc::Rc;

fn lowered(k: u32, m: u32, group: Group, router: &str, words: u32) -> AllToAllLowered {
    let name = if group == Group::Xor { "xor" } else { "cyclic" };
    let text = format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\ngroup = \"{name}\"\n[router]\n\
         kind = \"source-vector\"\n{router}\n[collective]\nkind = \"all-to-all\"\nwords = {words}\n"
    );
    let spec = Spec::parse("model.toml", &text).unwrap();
    let hop = HopLatency { local: spec.router.local_stages, global: spec.router.global_stages };
    let request = AllToAllRequest { passes: words, ..AllToAllRequest::new("best", hop) };
    let network = SwappedDragonfly::new(k, m, group);
    lower_all_to_all(&check_all_to_all(&network, schedule_all_to_all(&network, &request).unwrap()).unwrap(), &spec)
        .unwrap()
}

fn networks() -> Vec<(AllToAllLowered, u32)> {
    vec![
        (lowered(2, 3, Group::Cyclic, "", 1), 1),
        (lowered(1, 2, Group::Cyclic, "payload_bits = 64\nparity = true", 2), 2),
        (lowered(4, 2, Group::Xor, "payload_bits = 8\nlocal_stages = 2\nglobal_stages = 3", 3), 3),
        (lowered(3, 4, Group::Cyclic, "payload_bits = 64\nglobal_stages = 2", 1), 1),
    ]
}

/// Payload of a receive port's words, parity left out; None if nothing is valid.
fn received(lowered: &AllToAllLowered, value: &[u64]) -> Option<u64> {
    let p = &lowered.parameters;
    let bit = p.payload_bits() as usize;
    (value[bit / 64] >> (bit % 64) & 1 == 1).then(|| value[0] & (u64::MAX >> (64 - p.data_bits)))
}

#[test]
fn what_arrives_in_the_blocks_is_the_collective() {
    for (lowered, words) in networks() {
        let p = &lowered.parameters;
        let model = Rc::new(Model::new(&lowered).unwrap());
        let traffic = AllToAll::new(p.tiles, words, 1);
        let data = traffic.random(Dtype::filling(p.data_bits).unwrap(), 5).unwrap();
        let payload = Rc::new(model.payload(&traffic, &data, 0));
        let mut timeline = Timeline::new();
        let begin = 100;
        timeline.start(begin, &model, &payload);
        let mut found = vec![None; data.len()];
        for cycle in 0..timeline.end() {
            let mut block = vec![0; model.layout().words()];
            timeline.fill(cycle, Sections::All, &mut block);
            // who sent a word is told by the pass that it belongs to
            for word in 0..words {
                let at = begin + u64::from(word) * u64::from(p.rows);
                for arrival in cycle.checked_sub(at).into_iter().flat_map(|cycle| model.arrivals(cycle)) {
                    let point = Point { tile: arrival.tile, port: arrival.port, kind: PointKind::Receive };
                    let value = received(&lowered, &block[model.layout().range(point)]);
                    let index = traffic.index(0, arrival.tile.get(), arrival.source.get(), word);
                    assert!(value.is_some() && found[index].is_none());
                    found[index] = value;
                }
            }
        }
        let found: Vec<u64> = found.into_iter().map(|word| word.expect("every word arrives")).collect();
        let found = Words::from_fn(data.dtype(), found.len(), |i| found[i]);
        assert_eq!(found, traffic.expected(&data));
    }
}

#[test]
fn as_many_hops_are_shown_as_the_vectors_have() {
    for (lowered, _) in networks() {
        let model = Model::new(&lowered).unwrap();
        let hops = |v: &Launch| 2 + usize::from(v.vector.delta != 0) + usize::from(v.vector.pi != 0);
        let expected: usize = lowered.program().launches().iter().map(hops).sum();
        assert_eq!(model.hops(), expected * lowered.parameters.tiles as usize);
    }
}

#[test]
fn packets_that_meet_are_an_error() {
    let lowered = lowered(2, 3, Group::Cyclic, "", 1);
    // all in two rows: global ports are wanted many times in a cycle
    let launches = lowered.program().launches().iter().map(|l| Launch { row: l.row % 2, ..*l }).collect();
    let error = Model::new(&AllToAllLoaded::new(&lowered, &UniformProgram::new(launches))).unwrap_err();
    assert!(matches!(error, ModelError::Conflict { .. }), "{error}");
}

#[test]
fn every_word_of_a_block_belongs_to_one_point() {
    for (lowered, _) in networks() {
        let layout = lowered.parameters.layout();
        let mut next = 0;
        for point in layout.points() {
            let range = layout.range(point);
            assert_eq!(range.start, next);
            assert!(range.clone().all(|word| layout.point(word) == point));
            assert!(layout.bits(point) <= 64 * range.len() && layout.bits(point) > 64 * (range.len() - 1));
            next = range.end;
        }
        assert_eq!(next, layout.words());
        assert_eq!(layout.tiles(), lowered.parameters.network.nodes());
    }
}
