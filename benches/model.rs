//! Packet-hops a second of the software model on one core, D3(16,8): 1024 routers.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use metronoc::check::swapped_dragonfly::check_all_to_all;
use metronoc::collective::{AllToAll, Collective, Dtype};
use metronoc::lower::swapped_dragonfly::lower_all_to_all;
use metronoc::model::{Model, Sections, Timeline};
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::spec::Spec;
use metronoc::topology::SwappedDragonfly;
use metronoc::topology::swapped_dragonfly::Group;
use std::hint::black_box;
use std::rc::Rc;

const SPEC: &str = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 16\nm = 8\n\
    [router]\nkind = \"source-vector\"\npayload_bits = 32\n[collective]\nkind = \"all-to-all\"\n";

fn model() -> Rc<Model> {
    let spec = Spec::parse("model.toml", SPEC).expect("a specification");
    let (network, hop) = (SwappedDragonfly::new(16, 8, Group::Cyclic), HopLatency { local: 1, global: 1 });
    let request = AllToAllRequest::new("best", hop);
    let made = schedule_all_to_all(&network, &request).expect("a schedule");
    let lowered =
        lower_all_to_all(&check_all_to_all(&network, made).expect("it holds"), &spec).expect("it has a hardware form");
    Rc::new(Model::new(&lowered).expect("no conflict"))
}

/// Channels and receive ports of a block that show a packet: each has one word of it.
fn shown(block: &[u64]) -> usize {
    block.iter().filter(|&&word| word != 0).count()
}

/// Blocks of one collective after another: every cycle is filled anew.
fn collectives(c: &mut Criterion) {
    let model = model();
    let (p, layout) = (model.fabric(), model.layout());
    let traffic = AllToAll::new(p.tiles, 1, 1);
    let data = traffic.random(Dtype::Uint32, 1).expect("data");
    let payload = Rc::new(model.payload(&traffic, &data, 0));
    let mut group = c.benchmark_group("model");
    group.sample_size(10).throughput(Throughput::Elements(model.hops() as u64));
    let mut block = vec![0; layout.words()];
    let mut timeline = Timeline::new();
    let mut cycle = 0;
    let mut carry = |timeline: &mut Timeline, block: &mut Vec<u64>| {
        timeline.start(cycle, &model, &payload);
        let mut hops = 0;
        for _ in 0..model.interval() {
            block.fill(0);
            timeline.fill(cycle, Sections::All, block);
            hops += shown(block);
            cycle += 1;
        }
        timeline.retire(cycle);
        hops
    };
    // the first leaves room for the end of a collective before it; from the second on every hop is there
    carry(&mut timeline, &mut block);
    assert_eq!(carry(&mut timeline, &mut block), model.hops(), "the model leaves packets out");
    group.bench_function("one collective of 1024 routers", |b| {
        b.iter(|| {
            timeline.start(cycle, &model, &payload);
            for _ in 0..model.interval() {
                block.fill(0);
                timeline.fill(cycle, Sections::All, &mut block);
                cycle += 1;
            }
            timeline.retire(cycle);
            black_box(&block);
        });
    });
    group.finish();
}

criterion_group!(benches, collectives);
criterion_main!(benches);
