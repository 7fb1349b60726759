//! Broadcasts: schedules of every algorithm from every kind of source, the checker's refusals, and the hardware, right and
//! broken.

use crate::common::{self, Emitted, parsed};
use metronoc::check::swapped_dragonfly::CheckError;
use metronoc::check::swapped_dragonfly::{CheckedStream, check_stream};
use metronoc::collective::{Broadcast, Collective, Dtype};
use metronoc::cosim::{Job, Outcome, Session, Simulator, Stop, Top, Verdict, stream_parts};

use metronoc::id::NodeId;
use metronoc::lower::swapped_dragonfly::{StreamLowered, lower_stream};
use metronoc::lower::{Point, PointKind, Registers as _};
use metronoc::model::{Model, Sections};
use metronoc::program::Train;
use metronoc::program::form::swapped_dragonfly::stream::StreamSchedule;
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::swapped_dragonfly::broadcast::{ALGORITHMS, BroadcastRequest, schedule};
use metronoc::spec::{CollectiveSpec, Spec};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::swapped_dragonfly::headers::Ports;
use metronoc::topology::{SwappedDragonfly, Topology};
use std::rc::Rc;

const HOP: HopLatency = HopLatency { local: 1, global: 1 };

fn made(net: &SwappedDragonfly, algorithm: &str, root: u32, count: u32, hop: HopLatency) -> StreamSchedule {
    sent_on(net, algorithm, root, count, hop, 0)
}

/// With endpoints that copy in so many cycles; 0 if routers do.
fn sent_on(
    net: &SwappedDragonfly,
    algorithm: &str,
    root: u32,
    count: u32,
    hop: HopLatency,
    software: u32,
) -> StreamSchedule {
    let request = BroadcastRequest { algorithm, root: NodeId::new(root), count, hop, software };
    schedule(net, &request).expect("a known algorithm")
}

fn checked(net: &SwappedDragonfly, algorithm: &str, root: u32, count: u32, hop: HopLatency) -> CheckedStream {
    check_stream(net, made(net, algorithm, root, count, hop)).unwrap_or_else(|e| panic!("{net:?} {algorithm}: {e}"))
}

#[test]
fn every_algorithm_reaches_everybody_from_every_source() {
    let sizes = [(1, 2), (1, 3), (2, 2), (3, 2), (2, 3), (4, 3), (2, 4), (4, 4), (3, 5), (1, 6)];
    let nets = sizes.map(|(k, m)| SwappedDragonfly::new(k, m, Group::Cyclic)).into_iter();
    let nets = nets.chain([(2, 2), (1, 4), (4, 4)].map(|(k, m)| SwappedDragonfly::new(k, m, Group::Xor)));
    for net in nets {
        let latencies = [(1, 1), (2, 3), (3, 1)].map(|(local, global)| HopLatency { local, global });
        for (root, hop) in (0..net.nodes() as u32).flat_map(|root| latencies.map(|hop| (root, hop))) {
            for entry in ALGORITHMS {
                for count in [1, 2, net.m() * 3 + 1] {
                    let schedule = checked(&net, entry.name, root, count, hop);
                    assert!(schedule.ratio() >= 1.0, "{net:?} {} from {root}: below the bound", entry.name);
                }
            }
        }
    }
}

#[test]
fn cycles_are_those_that_are_known() {
    let net = SwappedDragonfly::new(4, 4, Group::Cyclic);
    for root in [0, 1, 5, 6, 63] {
        let cycles = |algorithm, count| checked(&net, algorithm, root, count, HOP).cycles();
        assert_eq!(cycles("depth-3", 960), 962);
        assert_eq!(cycles("trees", 960), 324);
        assert_eq!(cycles("best", 960), 324);
        assert_eq!(cycles("best", 1), 3);
        // two batches of four words in six cycles, the last without the pause behind it
        assert!((720 - 4..=720).contains(&cycles("tree-pairs", 960)), "{}", cycles("tree-pairs", 960));
    }
}

/// Where endpoints copy, a hop and the endpoint's time after it are what a longer hop is where routers do, but for the last.
#[test]
fn endpoints_copy_at_any_pace() {
    let nets = [(1, 2), (2, 2), (3, 2), (2, 3), (3, 4)].map(|(k, m)| SwappedDragonfly::new(k, m, Group::Cyclic));
    for net in nets.into_iter().chain([SwappedDragonfly::new(2, 4, Group::Xor)]) {
        for (root, software) in (0..net.nodes() as u32).flat_map(|root| [1, 2, 9].map(|software| (root, software))) {
            let hop = HopLatency { local: 1 + root % 2, global: 2 - root % 2 };
            for (entry, count) in ALGORITHMS.iter().flat_map(|entry| [1, 40].map(|count| (entry, count))) {
                let name = entry.name;
                let schedule = check_stream(&net, sent_on(&net, name, root, count, hop, software));
                let schedule = schedule.unwrap_or_else(|e| panic!("{net:?} {name} {software}: {e}"));
                let long = HopLatency { local: hop.local + software, global: hop.global + software };
                assert_eq!(schedule.cycles(), checked(&net, name, root, count, long).cycles());
                assert!(schedule.ratio() >= 1.0, "{net:?} {name} from {root}: below the bound");
                let proof = schedule.proof();
                let [burst, period] = proof.train;
                let least = burst * proof.least_cycles_a_batch;
                assert!(period == least || name == "tree-pairs" && period > least, "{net:?} {name}: {proof:?}");
            }
        }
    }
}

#[test]
fn cycles_of_endpoints_that_copy_are_those_that_are_known() {
    let net = SwappedDragonfly::new(4, 4, Group::Cyclic);
    for (root, t) in [0, 1, 5, 6, 63].into_iter().flat_map(|root| [1, 7, 100].map(|t| (root, t))) {
        let schedule =
            |algorithm, count| check_stream(&net, sent_on(&net, algorithm, root, count, HOP, t)).expect("ok");
        assert_eq!(schedule("depth-3", 960).cycles(), 960 + 2 + 2 * t);
        assert_eq!(schedule("trees", 960).cycles(), 320 + 4 + 4 * t);
        assert_eq!(schedule("trees", 3).cycles(), 5 + 4 * t);
        assert_eq!(schedule("best", 1).cycles(), 3 + 2 * t);
        let pairs = schedule("tree-pairs", 960);
        let distance = 2 + 2 * t;
        assert_eq!(pairs.proof().train, [distance, 3 * distance]);
        // routers with p = d send the tree of p = d without a hop to its root, and meet themselves once only
        match [0, 5, 63].contains(&root) {
            true => assert_eq!(pairs.proof().apart, [distance]),
            false => assert_eq!(pairs.proof().apart, [distance, 2 * distance]),
        }
    }
}

#[test]
fn broken_streams_are_refused() {
    let net = SwappedDragonfly::new(2, 4, Group::Cyclic);
    let refused = |change: &dyn Fn(&mut StreamSchedule), algorithm| {
        let mut schedule = made(&net, algorithm, 1, 40, HOP);
        change(&mut schedule);
        check_stream(&net, schedule).expect_err("it is broken")
    };
    let steady = refused(&|s| s.program.train = Train::STEADY, "tree-pairs");
    assert!(matches!(steady, CheckError::StreamConflict(_)), "{steady}");
    let early = refused(&|s| s.program.train.period -= 1, "tree-pairs");
    assert!(matches!(early, CheckError::StreamConflict(_)), "{early}");
    let slow = refused(&|s| s.software = 1, "tree-pairs");
    assert!(matches!(slow, CheckError::StreamConflict(_)), "{slow}");
    let lost = refused(&|s| drop(s.program.injections.pop()), "trees");
    assert!(matches!(lost, CheckError::StreamDelivery { copies: 0, .. }), "{lost}");
    let short = refused(&|s| s.program.injections[0].header.pi = Ports::One(0), "depth-3");
    assert!(matches!(short, CheckError::StreamDelivery { copies: 0, .. }), "{short}");
    let outside = refused(&|s| s.program.injections[0].header.gamma = Ports::One(2), "depth-3");
    assert!(matches!(outside, CheckError::HeaderOutOfRange { .. }), "{outside}");
    let nowhere = refused(&|s| s.program.root = NodeId::new(32), "depth-3");
    assert!(matches!(nowhere, CheckError::MalformedStream), "{nowhere}");
}

/// A broadcast as it is emitted.
type Streamed = Emitted<StreamLowered>;

impl Streamed {
    fn new(k: u32, m: u32, router: &str, collective: &str, storage: &str) -> Self {
        let text = format!(
            "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n[router]\n{router}\n[collective]\n\
             kind = \"broadcast\"\n{collective}\n[schedule]\nstorage = \"{storage}\"\n"
        );
        let (spec, net, hop) = parsed(&text);
        let CollectiveSpec::Broadcast(b) = &spec.collective else { panic!("a broadcast") };
        let made = sent_on(&net, b.algorithm.name(), b.root, b.count, hop, spec.router.software());
        let checked = check_stream(&net, made).unwrap_or_else(|e| panic!("{text}: {e}"));
        let lowered = lower_stream(&checked, &spec).expect("hardware");
        Self::of(lowered, text)
    }

    fn top(&self) -> Top {
        let parts = stream_parts(&self.lowered).expect("it has a shim");
        Top::new(&self.built(&parts), &self.lowered).expect("it loads")
    }

    /// Runs the broadcast of random words so many times, with every channel compared.
    fn run(&self, times: u64) -> (Outcome, Vec<u64>) {
        let p = &self.lowered.frame;
        let traffic = Broadcast::new(p.tiles, self.lowered.program.count);
        let words = traffic.random(Dtype::filling(p.data_bits).expect("a width"), 11).unwrap();
        let model = Rc::new(Model::new(&self.lowered).expect("a model"));
        let session = Session::in_place(&model, &traffic, &words, Some(Sections::All), times);
        let outcome = session.run(&mut self.top()).expect("it runs");
        (outcome, traffic.expected(&words).to_vec())
    }

    fn agrees(&self, times: u64) {
        let (outcome, expected) = self.run(times);
        assert_eq!(outcome.verdict, Verdict::Agreed);
        assert!(outcome.received == expected, "the oracle says something else");
        assert_eq!(outcome.faults, Some(Vec::new()));
        assert_eq!(outcome.launched[0].count, times);
    }
}

#[test]
fn hardware_and_model_agree() {
    Streamed::new(1, 4, "payload_bits = 16\nlocal_stages = 3", "algorithm = \"trees\"\nroot = 2\ncount = 1", "counter")
        .agrees(2);
}

#[test]
#[ignore = "larger networks in Verilator; .ci/run includes it"]
fn hardware_and_model_agree_whatever_the_algorithm() {
    Streamed::new(2, 3, "", "algorithm = \"depth-3\"\nroot = 4\ncount = 7", "rom").agrees(3);
    Streamed::new(2, 3, "payload_bits = 64\nparity = true", "algorithm = \"trees\"\nroot = 4\ncount = 9", "rom")
        .agrees(1);
    Streamed::new(
        3,
        2,
        "payload_bits = 8\nlocal_stages = 2\nglobal_stages = 3",
        "algorithm = \"tree-pairs\"\nroot = 1\ncount = 11",
        "rom",
    )
    .agrees(2);
}

#[test]
#[ignore = "two networks in Verilator; .ci/run includes it"]
fn table_and_counters_are_the_same_cycle_by_cycle() {
    // both are held against the same model, so they are equal
    for storage in ["rom", "counter"] {
        Streamed::new(2, 2, "", "algorithm = \"tree-pairs\"\nroot = 5\ncount = 23", storage).agrees(2);
    }
}

/// A router whose endpoints copy, and take so many cycles for it.
fn relays(software: u32, more: &str) -> String {
    format!("copies = false\nsoftware_cycles = {software}\n{more}")
}

#[test]
#[ignore = "larger networks in Verilator; .ci/run includes it"]
fn hardware_and_model_agree_where_endpoints_copy_over_long_hops() {
    let trees = "algorithm = \"trees\"\nroot = 4\ncount = 9";
    Streamed::new(2, 3, &relays(5, "payload_bits = 8\nparity = true\nlocal_stages = 2"), trees, "counter").agrees(2);
    Streamed::new(3, 2, &relays(3, ""), "algorithm = \"depth-3\"\nroot = 5\ncount = 4", "rom").agrees(1);
}

#[test]
fn hardware_and_model_agree_where_endpoints_copy() {
    let pairs = "algorithm = \"tree-pairs\"\nroot = 1\ncount = 31";
    Streamed::new(2, 2, &relays(1, "global_stages = 3"), pairs, "rom").agrees(2);
}

#[test]
fn hardware_takes_the_cycles_of_the_schedule_where_endpoints_copy() {
    // from the first word on a channel to the last, as the channels show it
    let router = "payload_bits = 16\ncopies = false\nsoftware_cycles = 6";
    let emitted = Streamed::new(2, 2, router, "algorithm = \"trees\"\nroot = 1\ncount = 30", "counter");
    let p = &emitted.lowered.frame;
    let (layout, cycles) = (p.layout(), 30 + 4 + 4 * 6);
    let mut top = emitted.top();
    top.queue(Job::Load((1..=30).collect()));
    top.queue(Job::Start(1));
    top.queue(Job::Drain);
    let mut block = vec![0; layout.words()];
    let mut busy = Vec::new();
    while top.run(&[&[]], None).expect("it runs").stop != Stop::Done {
        top.observe(&mut block);
        let shows = |point: Point| block[layout.range(point)].iter().any(|word| *word != 0);
        if layout.points().any(|point| point.kind == PointKind::Channel && shows(point)) {
            busy.push(top.cycle());
        }
    }
    assert_eq!(busy.last().expect("words") - busy[0] + 1, cycles);
}

#[test]
fn hardware_refuses_what_it_cannot_delay() {
    let spec = |cycles: u32| {
        let text = format!(
            "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 3\n[router]\ncopies = false\n\
             software_cycles = {cycles}\n[collective]\nkind = \"broadcast\"\n"
        );
        Spec::parse("s.toml", &text).expect("the specification is right")
    };
    let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
    let lowered = |cycles| {
        let checked = check_stream(&net, sent_on(&net, "trees", 0, 9, HOP, cycles)).expect("a schedule");
        lower_stream(&checked, &spec(cycles)).map_err(|error| error.field())
    };
    assert!(lowered(48).is_ok());
    assert_eq!(lowered(100).expect_err("too long a way"), Some("router.software_cycles"));
}

#[test]
#[ignore = "a simulator for each mutant; .ci/run includes it"]
fn defects_are_caught() {
    let new = || Streamed::new(2, 2, "", "algorithm = \"trees\"\nroot = 0\ncount = 4", "rom");
    let differs = |emitted: Streamed| assert!(matches!(emitted.run(1).0.verdict, Verdict::Differed(_)));
    let router = "rtl/mn_sh_router.v";
    differs(new().edit(router, "global_sel[g*LW+x] = gamma[g];", "global_sel[g*LW+x] = gamma[g] & ~copy;"));
    differs(new().edit(router, "assign rx_local_valid_o[x] = keep;", "assign rx_local_valid_o[x] = keep | copy;"));
    differs(new().edit(router, "assign stays[g] = pi[0] &", "assign stays[g] = 1'b0 &"));
    differs(new().edit("rtl/mn_stream_program.v", "on_q && row_valid;", "on_q && row_valid && batch_o != 2;"));
    // a wrong word of the slot table: batch 1 is sent twice
    let mut wrong = new();
    let image = wrong.files.get_mut("rom/batches.hex").expect("the table");
    let rows: Vec<&str> = image.lines().collect();
    *image = [rows[0], rows[1], rows[1], rows[3]].map(|row| row.to_owned() + "\n").concat();
    assert!(new().read_back().is_ok());
    let told = wrong.read_back().unwrap_err().to_string();
    assert!(told.contains("row 2 of the image `batches` differs from the schedule: it has batch 1"), "{told}");
    differs(wrong);
}

#[test]
#[ignore = "five mutants in Verilator; .ci/run includes it"]
fn defects_of_endpoints_that_copy_are_caught() {
    let router = "payload_bits = 8\ncopies = false\nsoftware_cycles = 2";
    let new = || Streamed::new(2, 2, router, "algorithm = \"trees\"\nroot = 0\ncount = 4", "rom");
    let differs = |emitted: Streamed| assert!(matches!(emitted.run(1).0.verdict, Verdict::Differed(_)));
    let relay = "rtl/mn_stream_relay.v";
    // a packet is read for a cycle too long; a copy is not sent; the header goes on as it came; what stays is lost
    differs(new().edit(relay, ".N(SOFTWARE - 1), .HEAD(LHW)", ".N(SOFTWARE), .HEAD(LHW)"));
    differs(new().edit(relay, "assign valid_o[LW+i] = ", "assign valid_o[LW+i] = i == 0 && "));
    differs(new().edit(relay, "LHW - GHW{1'b0}}, global_out[", "LHW - GHW{1'b0}}, global_in["));
    differs(new().edit(relay, ".stay_i(stay_in)", ".stay_i({SCW{1'b0}})"));
    // a router that copies after all: the flag of a broadcast leaves the packet
    differs(new().edit(
        "rtl/mn_stream_tile.v",
        "{goes[i], 1'b0, goes[i], 1'b0, {1",
        "{goes[i], goes[i], goes[i], 1'b0, {1",
    ));
}

#[test]
fn the_hardware_notices_what_does_not_come() {
    let emitted = Streamed::new(2, 2, "", "algorithm = \"depth-3\"\ncount = 4", "rom");
    let broken = emitted.edit("rtl/mn_sh_router.v", "global_sel[g*LW+x] = gamma[g];", "global_sel[g*LW+x] = 1'b0;");
    let (outcome, _) = broken.run(1);
    let faults = outcome.faults.expect("a status");
    assert!(faults.iter().any(|fault| fault.kind == "missing arrival"), "{faults:?}");
    assert!(faults.iter().all(|fault| fault.kind == "missing arrival"), "{faults:?}");
}

#[test]
fn a_swap_is_refused_until_the_faults_are_cleared() {
    let emitted = Streamed::new(2, 2, "", "algorithm = \"trees\"\nroot = 0\ncount = 4", "rom");
    common::refused::a_swap(&mut emitted.top(), &emitted.lowered.frame, vec![1; 4]);
}
