//! The checker against itself: two judges that share only the time model, and broken inputs for every error.

use crate::common::rounds;
use metronoc::check::Proof as _;
use metronoc::check::judge::{Fault, judge};
use metronoc::check::swapped_dragonfly::CheckError;
use metronoc::check::swapped_dragonfly::error::Origin;
use metronoc::check::swapped_dragonfly::{CheckedAllToAll, Shape, symmetric};
use metronoc::id::NodeId;
use metronoc::program::form::swapped_dragonfly::all_to_all::AllToAllSchedule;
use metronoc::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use metronoc::program::{Document, Expansion};
use metronoc::topology::Topology;
use metronoc::topology::swapped_dragonfly::{Group, SourceVector, SwappedDragonfly};
use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};
use proptest::test_runner::Config;
use serde_json::json;
use std::collections::BTreeSet;

const ONE: HopLatency = HopLatency { local: 1, global: 1 };

fn check(net: &SwappedDragonfly, hop: HopLatency, program: UniformProgram) -> Result<CheckedAllToAll, CheckError> {
    metronoc::check::swapped_dragonfly::check_all_to_all(
        net,
        AllToAllSchedule { algorithm: "test", hop, program, counter: None },
    )
}

fn shape(net: &SwappedDragonfly) -> Shape {
    Shape { k: net.k(), m: net.m() }
}

/// All source vectors, by γ, then π, then δ.
fn vectors(net: &SwappedDragonfly) -> Vec<SourceVector> {
    let (k, m) = (net.k(), net.m());
    (0..k * m * m).map(|i| SourceVector { gamma: i / (m * m), pi: i / m % m, delta: i % m }).collect()
}

/// A vector a row, one row in `step`.
fn one_by_one(net: &SwappedDragonfly, step: u32) -> Vec<Launch> {
    (0..).zip(vectors(net)).map(|(i, vector)| Launch { row: i * step, vector }).collect()
}

/// The verdict of the judge that follows single transfers, with the cycles from the first claimed one to the last.
fn judged(net: &SwappedDragonfly, hop: HopLatency, program: &UniformProgram) -> Result<u32, Fault> {
    let schedule = AllToAllSchedule { algorithm: "test", hop, program: program.clone(), counter: None };
    let program = schedule.to_program(net);
    let network = json!({"topology": "swapped-dragonfly", "k": net.k(), "m": net.m(), "group": net.group()});
    let expansion = Expansion::new(net, &program).unwrap();
    let document = Document::new(&expansion, [&network, &json!({"kind": "all-to-all"})]);
    let account = judge(&document)?;
    assert!(account.known_topology);
    let last = document.transfers.last().map_or(0, |transfer| transfer.0 + 1);
    assert!(account.cycles >= last && (hop != ONE || account.cycles == last));
    Ok(last)
}

/// Every (port, cycle) that a router claims in some passes, from the definition in the checker's first section.
fn occupied(
    net: &SwappedDragonfly,
    hop: HopLatency,
    program: &UniformProgram,
    period: u32,
    passes: u32,
) -> Vec<(u32, i64)> {
    let (local, global) = (i64::from(hop.local), i64::from(hop.global));
    let mut all = Vec::new();
    for (pass, l) in (0..passes).flat_map(|pass| program.launches().iter().map(move |l| (pass, l))) {
        let s = i64::from(l.row) + i64::from(period) * i64::from(pass);
        all.push((net.m() + l.vector.gamma, s));
        all.extend((l.vector.delta > 0).then_some((l.vector.delta, s - local)));
        all.extend((l.vector.pi > 0).then_some((l.vector.pi, s + global)));
    }
    all
}

fn distinct(claims: &[(u32, i64)]) -> bool {
    claims.iter().collect::<BTreeSet<_>>().len() == claims.len()
}

fn network() -> impl Strategy<Value = SwappedDragonfly> {
    let cyclic = (1u32..4, 2u32..4).prop_map(|(k, m)| SwappedDragonfly::new(k, m, Group::Cyclic));
    let xor = (0u32..3, 1u32..3).prop_map(|(k, m)| SwappedDragonfly::new(1 << k, 1 << m, Group::Xor));
    prop_oneof![3 => cyclic, 1 => xor]
}

fn latency() -> impl Strategy<Value = HopLatency> {
    (1u32..4, 1u32..4).prop_map(|(local, global)| HopLatency { local, global })
}

/// A change to a program: what kind, and to which launches.
type Change = (usize, prop::sample::Index, prop::sample::Index);

/// Complete programs in some order and density, then broken by up to two faults; many have conflicts as they are.
fn case() -> impl Strategy<Value = (SwappedDragonfly, HopLatency, UniformProgram)> {
    let faults = prop::collection::vec((0usize..4, any::<prop::sample::Index>(), any::<prop::sample::Index>()), 0..3);
    let order = network().prop_flat_map(|net| {
        let order = Just(vectors(&net)).prop_shuffle();
        (Just(net), order)
    });
    let gaps = prop::collection::vec(0u32..3, 7);
    (order, latency(), 0u32..8, gaps, faults).prop_map(|((net, order), hop, spread, gaps, faults)| {
        let mut row = 0;
        let launch = |(&vector, gap): (&SourceVector, &u32)| {
            row += spread + gap;
            Launch { row, vector }
        };
        let mut launches: Vec<Launch> = order.iter().zip(gaps.iter().cycle()).map(launch).collect();
        faults.into_iter().for_each(|fault| apply(&mut launches, fault));
        (net, hop, UniformProgram::new(launches))
    })
}

fn apply(launches: &mut Vec<Launch>, (kind, a, b): Change) {
    let (i, j) = (a.index(launches.len()), b.index(launches.len()));
    match kind {
        0 => launches[i].row = launches[j].row,
        1 => launches[i].vector = launches[j].vector,
        2 => launches.truncate(launches.len() - 1),
        _ => launches.push(launches[i]),
    }
}

/// Whole programs on the smallest networks, so dense that both ends claim the same ports several times.
fn dense_case() -> impl Strategy<Value = (SwappedDragonfly, HopLatency, UniformProgram)> {
    let net = prop_oneof![Just((1, 2)), Just((2, 2)), Just((1, 3))];
    let order = net.prop_flat_map(|(k, m)| {
        let net = SwappedDragonfly::new(k, m, Group::Cyclic);
        (Just(net), Just(vectors(&net)).prop_shuffle())
    });
    let gaps = prop::collection::vec(0u32..3, 9);
    (order, 1u32..7, 1u32..7, gaps).prop_map(|((net, order), local, global, gaps)| {
        let mut row = 0;
        let launch = |(&vector, gap): (&SourceVector, &u32)| {
            row += gap;
            Launch { row, vector }
        };
        let launches = order.iter().zip(&gaps).map(launch).collect();
        (net, HopLatency { local, global }, UniformProgram::new(launches))
    })
}

proptest! {
    #![proptest_config(Config { cases: 400, failure_persistence: None, ..Config::default() })]

    #[test]
    fn both_judges_agree((net, hop, program) in case()) {
        let through_symmetry = check(&net, hop, program.clone());
        let transfer_by_transfer = judged(&net, hop, &program);
        let conflict_free = distinct(&occupied(&net, hop, &program, 0, 1));
        match (through_symmetry, transfer_by_transfer) {
            (Ok(checked), Ok(cycles)) => {
                prop_assert!(conflict_free);
                prop_assert_eq!(checked.cycles(), cycles);
                prop_assert!(u64::from(cycles) >= checked.bounds().largest());
            }
            (Err(CheckError::Conflict(a)), Err(Fault::Conflict { cycles: [_, b], .. })) => {
                prop_assert!(!conflict_free);
                prop_assert!(b <= a.cycle, "transfers are in order of cycles: {} {}", a, b);
            }
            // One judge looks at the vectors before their claims, the other at the packets after their transfers.
            (
                Err(CheckError::DuplicateVector { .. } | CheckError::MissingVector { .. }),
                Err(Fault::Conflict { .. } | Fault::Traffic { .. }),
            ) => {}
            (a, b) => prop_assert!(false, "{:?} against {:?}", a.map(|c| c.cycles()), b),
        }
    }

    #[test]
    fn the_period_is_the_smallest((net, hop, program) in prop_oneof![1 => case(), 9 => dense_case()]) {
        if let Ok(checked) = check(&net, hop, program.clone()) {
            let holds = |period| distinct(&occupied(&net, hop, &program, period, 2 + hop.clash_distance()));
            let smallest = (program.rows()..).find(|&p| holds(p)).unwrap();
            prop_assert_eq!(checked.period(), smallest);
            for period in program.rows()..smallest + 3 {
                prop_assert_eq!(checked.check_period(period).is_ok(), holds(period));
            }
        }
    }
}

#[test]
fn rounds_hold_on_all_kinds_of_networks() {
    let sizes = [(1, 2), (1, 5), (2, 2), (2, 3), (4, 3), (5, 2), (3, 4)];
    let cyclic = sizes.map(|(k, m)| SwappedDragonfly::new(k, m, Group::Cyclic));
    let xor = [(1, 2), (4, 2), (2, 4)].map(|(k, m)| SwappedDragonfly::new(k, m, Group::Xor));
    for net in cyclic.into_iter().chain(xor) {
        for hop in [ONE, HopLatency { local: 1, global: 3 }, HopLatency { local: 2, global: 1 }] {
            let program = rounds(&net, hop);
            let checked = check(&net, hop, program.clone()).unwrap_or_else(|e| panic!("{net:?}: {e}"));
            assert_eq!(judged(&net, hop, &program).unwrap(), checked.cycles(), "{net:?}");
            assert_eq!(checked.proof().packets, (net.nodes() * net.nodes()) as u64);
        }
    }
}

#[test]
fn mutants_are_rejected_by_both_judges() {
    let net = SwappedDragonfly::new(3, 3, Group::Cyclic);
    let good = rounds(&net, ONE).launches().to_vec();
    let rejected = |what: &str, launches: &[Launch]| {
        let program = UniformProgram::new(launches.to_vec());
        assert!(check(&net, ONE, program.clone()).is_err(), "{what}");
        assert!(judged(&net, ONE, &program).is_err(), "{what}");
    };
    for i in 0..good.len() {
        let mut moved = good.clone();
        // In the round before or after, which is Hl + Hg + 1 rows away, all three γ are taken.
        moved[i].row = if moved[i].row == 0 { 3 } else { moved[i].row - 3 };
        rejected("moved into another round", &moved);
        let mut swapped = good.clone();
        swapped[i].vector = good[(i + 1) % good.len()].vector;
        rejected("vector of a neighbour", &swapped);
        let mut dropped = good.clone();
        dropped.remove(i);
        rejected("dropped", &dropped);
        let mut twice = good.clone();
        twice.push(Launch { row: good[good.len() - 1].row + 9, ..good[i] });
        rejected("launched again after the end", &twice);
    }
    rejected("nothing", &[]);
}

#[test]
fn a_conflict_names_channel_cycle_and_both_packets() {
    let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
    let mut launches = one_by_one(&net, 3);
    // δ = 2 of row 6 leaves by local port 2 in row 5, and so does π = 2 of row 4.
    let moved = launches.iter_mut().find(|l| l.vector == SourceVector { gamma: 0, pi: 2, delta: 0 }).unwrap();
    moved.row = 4;
    let error = check(&net, ONE, UniformProgram::new(launches)).unwrap_err();
    let CheckError::Conflict(conflict) = &error else { panic!("{error}") };
    assert!(conflict.everywhere && matches!(conflict.first.origin, Origin::Launch { .. }));
    assert_eq!(
        error.to_string(),
        "channel (0,0,1) -local 2-> (0,0,0) is wanted twice in cycle 5: by (0,1,0) → (0,0,0) with (γ=0,π=2,δ=0) of row 4 \
         (last local hop) and by (0,0,1) → (0,0,0) with (γ=0,π=0,δ=2) of row 6 (first local hop); the same happens at every \
         router; move one of the two launches to another row"
    );
}

#[test]
fn broken_programs_are_named() {
    let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
    let with = |change: &dyn Fn(&mut Vec<Launch>)| {
        let mut launches = one_by_one(&net, 3);
        change(&mut launches);
        check(&net, ONE, UniformProgram::new(launches)).unwrap_err()
    };
    for vector in [(2, 0, 0), (0, 3, 0), (0, 0, 3)].map(|(gamma, pi, delta)| SourceVector { gamma, pi, delta }) {
        let error = with(&|l| l[4].vector = vector);
        let named = matches!(error, CheckError::VectorOutOfRange { vector: v, row: 12, k: 2, m: 3 } if v == vector);
        assert!(named, "{error}");
    }
    let error = with(&|l| l[1].vector = l[0].vector);
    assert!(matches!(error, CheckError::DuplicateVector { first: 0, second: 3, .. }), "{error}");
    let error = with(&|l| l.truncate(16));
    assert_eq!(
        error.to_string(),
        "2 of the 18 source vectors are never launched, for example (γ=1,π=2,δ=1), so router (0,0,0) never reaches (1,1,2); \
         add a launch for each"
    );
    for hop in [HopLatency { local: 0, global: 1 }, HopLatency { local: 1, global: 0 }] {
        let error = check(&net, hop, UniformProgram::new(one_by_one(&net, 3))).unwrap_err();
        assert!(matches!(error, CheckError::HopLatency { .. }), "{error}");
    }
    let late = HopLatency { local: u32::MAX - 8, global: 1 };
    let error = check(&net, late, UniformProgram::new(one_by_one(&net, 3))).unwrap_err();
    assert!(matches!(error, CheckError::TooLarge { what: "the last cycle", .. }), "{error}");
}

#[test]
fn a_period_that_is_too_short_names_both_launches() {
    let net = SwappedDragonfly::new(1, 2, Group::Cyclic);
    // Row 4 ends in local port 1 in row 5; the next pass starts with it a row before its first global hop.
    let order = [(0, 1), (0, 0), (1, 1), (1, 0)].map(|(pi, delta)| SourceVector { gamma: 0, pi, delta });
    let launches = [0, 1, 3, 4].into_iter().zip(order).map(|(row, vector)| Launch { row, vector }).collect();
    let checked = check(&net, ONE, UniformProgram::new(launches)).unwrap();
    assert_eq!((checked.schedule().program.rows(), checked.period()), (5, 7));
    for period in [0, 1, 3, 5, 6] {
        let error = checked.check_period(period).unwrap_err();
        assert!(matches!(error, CheckError::PeriodConflict { possible: 7, .. }), "{error}");
    }
    assert_eq!(
        checked.check_period(6).unwrap_err().to_string(),
        "repeated every 6 cycles, the program sends (γ=0,π=0,δ=1) (row 0) and (γ=0,π=1,δ=0) (row 4) of a neighbouring pass \
         over local port 1 in the same cycle; add pause rows: a period of 7 cycles works"
    );
    checked.check_period(7).unwrap();
}

/// A Swapped Dragonfly with a fault.
struct Broken {
    net: SwappedDragonfly,
    fault: fn(&SwappedDragonfly, NodeId, usize) -> Option<NodeId>,
    ports: usize,
    relabel: bool,
}

impl Topology for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn nodes(&self) -> usize {
        self.net.nodes()
    }

    fn ports(&self) -> usize {
        self.ports
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        let label = self.net.label(node);
        if self.relabel { vec![label[0], label[2], label[1]] } else { label }
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        (self.fault)(&self.net, node, port).unwrap_or_else(|| self.net.neighbour(node, port))
    }

    fn port_name(&self, port: usize) -> String {
        self.net.port_name(port)
    }
}

#[test]
fn networks_whose_routers_differ_have_no_proof() {
    let net = SwappedDragonfly::new(3, 4, Group::Cyclic);
    let program = rounds(&net, ONE);
    let whole = || Broken { net, fault: |_, _, _| None, ports: net.ports(), relabel: false };
    symmetric::prove(&whole(), shape(&net), ONE, &program).unwrap();
    type Fault = fn(&SwappedDragonfly, NodeId, usize) -> Option<NodeId>;
    let faults: [(&str, Fault); 8] = [
        ("a port that is a permutation, but another one", |net, n, port| {
            let exchanged = NodeId::new(n.get() ^ 1);
            (n.get() / 2 == 8 && port == net.global_port(1)).then(|| net.neighbour(exchanged, port))
        }),
        ("global ports numbered from 1, so that the loopback is not at 0", |net, n, port| {
            let gamma = port.checked_sub(net.local_ports())?;
            Some(net.neighbour(n, net.global_port((gamma as u32 + 1) % net.k())))
        }),
        ("two ports of one router exchanged", |net, n, port| {
            (n.get() == 17 && port < 2).then(|| net.neighbour(n, 1 - port))
        }),
        ("one swap that does not swap", |net, n, port| (n.get() == 30 && port == net.global_port(0)).then_some(n)),
        ("one loopback less", |net, n, port| (n.get() == 5 && port == net.global_port(0)).then(|| net.neighbour(n, 0))),
        ("two local ports alike everywhere", |net, n, port| (port == 1).then(|| net.neighbour(n, 0))),
        ("a local port that leads nowhere", |_, n, port| (port == 2).then_some(n)),
        ("two global ports alike everywhere", |net, n, port| {
            (port == net.global_port(2)).then(|| net.neighbour(n, net.global_port(1)))
        }),
    ];
    for (what, fault) in faults {
        let error = symmetric::prove(&Broken { fault, ..whole() }, shape(&net), ONE, &program).unwrap_err();
        assert!(matches!(error, CheckError::SymmetryBroken { .. }), "{what}: {error}");
    }
    for broken in [Broken { ports: 5, ..whole() }, Broken { relabel: true, ..whole() }] {
        let error = symmetric::prove(&broken, shape(&net), ONE, &program).unwrap_err();
        assert!(matches!(error, CheckError::SymmetryBroken { .. }), "{error}");
    }
    let error = symmetric::prove(&net, Shape { k: 4, m: 3 }, ONE, &program).unwrap_err();
    assert!(error.to_string().contains("not to D3(4,3)"), "{error}");
    let error = symmetric::prove(&net, Shape { k: 2000, m: 2000 }, ONE, &program).unwrap_err();
    assert!(matches!(error, CheckError::TooLarge { what: "the number of channels", .. }), "{error}");
}

#[test]
fn a_quarter_of_a_million_routers_are_proved_at_once() {
    let net = SwappedDragonfly::new(64, 64, Group::Cyclic);
    let checked = check(&net, ONE, rounds(&net, ONE)).unwrap();
    assert_eq!(checked.proof().packets, 68_719_476_736);
    assert_eq!(checked.bounds().get("lp"), Some(8128));
    assert_eq!(checked.proof().lines().len(), 4);
}

#[test]
fn bounds_serialize_as_an_object_of_cycles() {
    let net = SwappedDragonfly::new(4, 4, Group::Xor);
    let program = UniformProgram::new(one_by_one(&net, 3));
    let checked = check(&net, ONE, program).unwrap();
    let bounds = serde_json::to_value(checked.bounds()).unwrap();
    assert_eq!(bounds, json!({"global": 16, "local": 31, "uniform": 32, "lp": 28}));
    assert_eq!(checked.ratio(), f64::from(checked.cycles()) / 32.0);
    let summary = serde_json::to_value(checked.summary()).unwrap();
    assert_eq!((&summary["bounds"], &summary["cycles"]), (&bounds, &json!(checked.cycles())));
    let scopes = [0, 1, 2, 3].map(|i| &summary["bound_reasons"][i]["holds_for"]);
    assert_eq!(scopes, ["any-schedule", "one-global-hop", "uniform-programs", "any-schedule"]);
    assert_eq!(summary["proof"]["packets"], 4096);
}
