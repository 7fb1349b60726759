//! Schedules on partitioned optical passive stars: slots as promised, the judge accepts them and refuses what is broken, files
//! that are no permutations are explained.

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::check::pops::{CheckedPops, PopsFault, check_pops};
use metronoc::collective::pops::{Goal, Relation};
use metronoc::collective::{Pattern, pattern};
use metronoc::program::form::pops::{Hop, PopsSchedule};
use metronoc::schedule::pops::{PopsRequest, schedule};
use metronoc::spec::pops::{PopsAlgorithm, RelationAlgorithm, RootedSpec};
use metronoc::spec::relation::Direction;
use metronoc::topology::Pops;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

/// Shapes with d below, at and above g, with and without remainders.
const SHAPES: &[(u32, u32)] =
    &[(1, 1), (1, 9), (9, 1), (2, 5), (3, 2), (4, 4), (7, 3), (5, 4), (4, 6), (13, 5), (8, 8), (64, 48)];
const ALL: [PopsAlgorithm; 4] =
    [PopsAlgorithm::Theorem, PopsAlgorithm::Direct, PopsAlgorithm::Mixed, PopsAlgorithm::Best];

fn made(net: Pops, relation: &Relation, request: &PopsRequest) -> CheckedPops {
    let made = schedule(net, relation, request).unwrap_or_else(|e| panic!("{net}: {e}"));
    check_pops(net, relation, made).unwrap_or_else(|e| panic!("{net}, {request:?}: {e}"))
}

fn slots(net: Pops, permutation: &[u32], algorithm: PopsAlgorithm) -> u32 {
    let relation = Relation::Permutation(permutation.to_vec());
    made(net, &relation, &PopsRequest::new(algorithm)).schedule().slots
}

fn promised(net: Pops) -> u32 {
    if net.d() == 1 { 1 } else { 2 * net.d().div_ceil(net.g()) }
}

/// Random and structured permutations of n processors.
fn permutations(n: u32) -> Vec<Vec<u32>> {
    let random = |seed| Pattern::Random { seed };
    let patterns = [Pattern::Identity, Pattern::Reversal, random(1), random(2), random(3)];
    let mut all: Vec<Vec<u32>> = patterns.iter().map(|p| p.permutation(n).unwrap()).collect();
    all.push((0..n).map(|i| (i + 1) % n).collect());
    all.push((0..n).map(|i| (i + n / 2) % n).collect());
    all
}

#[test]
fn no_schedule_is_above_the_theorem_or_below_a_bound() {
    for &(d, g) in SHAPES {
        let net = Pops::new(d, g);
        for permutation in permutations(d * g) {
            let relation = Relation::Permutation(permutation.clone());
            let of = ALL.map(|algorithm| made(net, &relation, &PopsRequest::new(algorithm)));
            let [theorem, direct, mixed, best] = of.each_ref().map(|checked| checked.schedule().slots);
            assert!(theorem <= promised(net), "{net}");
            assert!(mixed <= theorem.max(direct).min(promised(net)) && best <= mixed, "{net} {permutation:?}");
            let least = of[0].bounds().all().iter().map(|bound| bound.cycles).max().unwrap();
            assert!(u64::from(best) >= least, "{net}: {best} slots and a bound of {least}");
            assert_eq!(best == 0, permutation.iter().zip(0..).all(|(a, b)| *a == b));
        }
    }
}

/// Groups that change places: ⌈2d/g⌉ slots at least, and `best` finds as few wherever `exact` does.
#[test]
fn groups_that_go_elsewhere_as_a_whole_take_the_repaired_bound() {
    for (d, g) in [(1, 2), (3, 2), (4, 3), (5, 4), (6, 4)] {
        let (net, n) = (Pops::new(d, g), d * g);
        let mut permutations = vec![(0..n).map(|i| (i + d) % n).collect::<Vec<u32>>()];
        if g % 2 == 0 {
            permutations.push((0..n).rev().collect());
        }
        for permutation in permutations {
            let relation = Relation::Permutation(permutation);
            let best = made(net, &relation, &PopsRequest::new(PopsAlgorithm::Best));
            let bounds = best.bounds();
            assert_eq!(bounds.largest(), u64::from((2 * d).div_ceil(g)), "{net}: {bounds:?}");
            let exact = made(net, &relation, &PopsRequest::new(PopsAlgorithm::Exact));
            assert!(best.schedule().slots <= exact.schedule().slots, "{net}");
            if (d, g) == (6, 4) {
                assert_eq!(best.schedule().slots, 3);
            }
        }
    }
}

#[test]
fn mean_slots_of_random_permutations_are_near_the_bound() {
    // (d,g), what the mean has to be at most, permutations
    let aims = [
        (16, 4, 5.2, 100),
        (64, 4, 18.2, 30),
        (256, 4, 68.0, 20),
        (16, 8, 3.05, 40),
        (64, 8, 9.8, 20),
        (256, 16, 18.0, 4),
    ];
    for (d, g, aim, count) in aims {
        let net = Pops::new(d, g);
        let sum: u32 = (0..count).map(|seed| slots(net, &pattern::random(d * g, seed), PopsAlgorithm::Best)).sum();
        let mean = f64::from(sum) / count as f64;
        assert!(mean <= aim, "{net}: {mean} slots, more than {aim}");
    }
}

#[test]
#[ignore = "1,200 schedules; .ci/run includes it"]
fn mean_slots_and_bounds_are_those_of_the_manual() {
    let page = include_str!("../docs/src/pops.md");
    let request = PopsRequest::new(PopsAlgorithm::Best);
    for (d, g) in [(16, 4), (64, 4), (256, 4), (16, 8), (64, 8), (256, 16)] {
        let relation = |seed| Relation::Permutation(pattern::random(d * g, seed));
        let checked = (0..200).map(|seed| made(Pops::new(d, g), &relation(seed), &request));
        let [bound, slots] = checked.fold([0.0; 2], |[bound, slots], one| {
            [bound + one.bounds().largest() as f64, slots + f64::from(one.schedule().slots)]
        });
        let row = format!("| ({d},{g}) | {} | {:.2} | {:.2} |", 2 * d.div_ceil(g), bound / 200.0, slots / 200.0);
        assert!(page.contains(&row), "the manual has another row than {row}");
    }
}

/// Every permutation of six processors, and some of eight: as few slots as the bound, or as a search for fewer leaves.
#[test]
fn small_permutations_take_the_optimum() {
    let request = PopsRequest::new(PopsAlgorithm::Best);
    for (d, g, step) in [(3, 2, 1), (2, 3, 1), (4, 2, 131)] {
        let net = Pops::new(d, g);
        let mut worst = 0;
        for permutation in all_permutations(d * g).into_iter().step_by(step) {
            let relation = Relation::Permutation(permutation.clone());
            let checked = made(net, &relation, &request);
            let (slots, bound) = (checked.schedule().slots, checked.bounds().largest() as u32);
            assert!(slots <= bound || checked.schedule().searched, "{net} {permutation:?}");
            worst = worst.max(slots);
        }
        assert_eq!(worst, (2 * d).div_ceil(g), "{net}");
    }
}

fn all_permutations(n: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for next in 0..n {
        let insert = |p: &Vec<u32>| {
            let p = p.clone();
            (0..=p.len()).map(move |at| [&p[..at], &[next], &p[at..]].concat())
        };
        all = all.iter().flat_map(insert).collect();
    }
    all
}

#[test]
fn named_patterns_are_what_they_say() {
    let of = |pattern: Pattern, n| pattern.permutation(n).unwrap();
    assert_eq!(of(Pattern::Transpose { rows: 2, columns: 3 }, 6), [0, 2, 4, 1, 3, 5]);
    assert_eq!(of(Pattern::Bpc { bits: vec![2, 0, 1], complement: 1 }, 8), [1, 3, 5, 7, 0, 2, 4, 6]);
    assert_eq!(of(Pattern::Hypercube { dimension: 1 }, 8), [2, 3, 0, 1, 6, 7, 4, 5]);
    let step = |direction| Pattern::Mesh { rows: 2, columns: 3, direction };
    assert_eq!(of(step(Direction::Right), 6), [1, 2, 0, 4, 5, 3]);
    assert_eq!(of(step(Direction::Left), 6), [2, 0, 1, 5, 3, 4]);
    assert_eq!(of(step(Direction::Up), 6), of(step(Direction::Down), 6));
    // the steps that the paper names, under any mapping, take no more than the theorem says
    let net = Pops::new(8, 4);
    for dimension in 0..5 {
        let mapping = pattern::random(32, u64::from(dimension));
        let mapped = pattern::mapped(&of(Pattern::Hypercube { dimension }, 32), &mapping);
        assert!((0..32).all(|i| mapped[mapping[i] as usize] == mapping[i ^ 1 << dimension]));
        assert!(slots(net, &mapped, PopsAlgorithm::Theorem) <= 4);
    }
    for unfit in [
        Pattern::Transpose { rows: 2, columns: 2 },
        Pattern::Hypercube { dimension: 0 },
        Pattern::Bpc { bits: vec![0, 1], complement: 0 },
    ] {
        assert!(unfit.permutation(6).is_err(), "{unfit:?}");
    }
    assert!(Pattern::Bpc { bits: vec![0, 0, 1], complement: 0 }.permutation(8).is_err());
}

#[test]
fn h_relations_take_what_is_promised() {
    for &(d, g) in &[(1, 6), (2, 5), (3, 2), (4, 4), (7, 3), (5, 4), (9, 1), (12, 5), (16, 8)] {
        let net = Pops::new(d, g);
        let n = d * g;
        for h in 1..=5 {
            let one = |i: u32| (0..n).zip(pattern::random(n, u64::from(i)));
            let all: Vec<(u32, u32)> = (0..h).flat_map(one).collect();
            let few: Vec<(u32, u32)> = all.iter().copied().step_by(3).collect();
            for packets in [all, few] {
                let relation = Relation::Demands(packets);
                for algorithm in [RelationAlgorithm::Theorem, RelationAlgorithm::Direct, RelationAlgorithm::Best] {
                    let request = PopsRequest { relation: algorithm, ..PopsRequest::new(PopsAlgorithm::Best) };
                    let slots = made(net, &relation, &request).schedule().slots;
                    let most = if d == 1 { h } else { 2 * h.max((h * d).div_ceil(g)) };
                    assert!(
                        algorithm == RelationAlgorithm::Direct || slots <= most,
                        "{net}, h = {h}: {slots} > {most}"
                    );
                }
            }
        }
    }
}

#[test]
fn other_collectives_take_what_is_promised() {
    for &(d, g) in SHAPES.iter().filter(|(d, g)| d * g < 100) {
        let (net, n) = (Pops::new(d, g), d * g);
        let root = RootedSpec { root: n / 2 };
        let of = |relation: Relation| made(net, &relation, &PopsRequest::new(PopsAlgorithm::Best));
        let to_all = of(Relation::AllToAll).schedule().slots;
        assert!(to_all <= if d >= g { d * d } else { n } && to_all >= n - 1, "{net}: {to_all}");
        assert_eq!(of(Relation::OneToAll(root.clone())).schedule().slots, u32::from(n > 1));
        assert_eq!(of(Relation::Gather(root.clone())).schedule().slots, n - 1);
        assert_eq!(of(Relation::Scatter(root)).schedule().slots, n - 1);
    }
}

#[test]
fn everything_comes_out_the_same_twice() {
    let net = Pops::new(16, 4);
    let relation = Relation::Permutation(pattern::random(64, 9));
    for algorithm in ALL {
        let make = || schedule(net, &relation, &PopsRequest::new(algorithm)).unwrap();
        assert_eq!(make(), make());
    }
}

/// A schedule of POPS(4,2) with packets of two hops, and one of one to all.
fn samples() -> [(Pops, Relation, PopsSchedule); 2] {
    let net = Pops::new(4, 2);
    [Relation::Permutation(vec![4, 5, 6, 7, 0, 1, 2, 3]), Relation::OneToAll(RootedSpec { root: 1 })].map(|relation| {
        let made = schedule(net, &relation, &PopsRequest::new(PopsAlgorithm::Theorem)).unwrap();
        (net, relation, made)
    })
}

fn fault(net: Pops, relation: &Relation, schedule: PopsSchedule) -> PopsFault {
    check_pops(net, relation, schedule).expect_err("a fault")
}

#[test]
fn broken_schedules_are_refused() {
    let [(net, relation, good), (_, to_all, broadcast)] = samples();
    assert!(check_pops(net, &relation, good.clone()).is_ok() && check_pops(net, &to_all, broadcast.clone()).is_ok());
    let broken = |change: &dyn Fn(&mut PopsSchedule)| {
        let mut schedule = good.clone();
        change(&mut schedule);
        schedule.hops.sort_by_key(|hop| hop.slot);
        fault(net, &relation, schedule)
    };
    let two_hops = good.hops.iter().find(|hop| hop.slot == 1).unwrap().packet;
    let early = broken(&|s| s.hops.iter_mut().for_each(|hop| hop.slot = 0));
    assert!(matches!(early, PopsFault::NotThere { .. } | PopsFault::SendsTwo { .. } | PopsFault::Coupler { .. }));
    let lost = broken(&|s| {
        s.hops.retain(|hop| hop.packet != two_hops);
        s.buffers = 8;
    });
    assert!(matches!(lost, PopsFault::NotDelivered { .. }), "{lost:?}");
    assert!(matches!(broken(&|s| s.hops[0].from = (s.hops[0].from + 1) % 8), PopsFault::NotThere { .. }));
    assert!(matches!(broken(&|s| s.hops[0].to = 8), PopsFault::Unknown { what: "processor", number: 8, .. }));
    assert!(matches!(broken(&|s| s.hops[0].packet = 99), PopsFault::Unknown { what: "packet", .. }));
    assert!(matches!(broken(&|s| s.hops[0].to = s.hops[0].from), PopsFault::ToItself { .. }));
    assert!(matches!(broken(&|s| s.slots += 1), PopsFault::WrongSlots { .. }));
    assert!(matches!(broken(&|s| s.buffers -= 1), PopsFault::Buffers { .. }));
    assert!(matches!(broken(&|s| s.packets[0].goal = Goal::One(5)), PopsFault::WrongPackets { .. }));
    assert!(matches!(broken(&|s| _ = s.packets.pop()), PopsFault::WrongPackets { .. }));
    let mut backwards = good.clone();
    let second_round = backwards.hops.partition_point(|hop| hop.slot < 2);
    backwards.hops.rotate_left(second_round);
    assert!(matches!(fault(net, &relation, backwards), PopsFault::OutOfOrder { .. }));
    let mut deaf = broadcast.clone();
    deaf.hops.pop();
    assert!(matches!(fault(net, &to_all, deaf), PopsFault::NotDelivered { .. }));
    let mut twice = broadcast;
    twice.hops.push(twice.hops[0]);
    assert!(matches!(fault(net, &to_all, twice), PopsFault::ReadsTwo { .. }));
}

#[test]
fn every_rule_of_a_slot_is_enforced() {
    let net = Pops::new(3, 2);
    let hop = |slot, packet, from, to| Hop { slot, packet, from, to };
    let judged = |pairs: &[(u32, u32)], hops: Vec<Hop>| {
        let relation = Relation::Demands(pairs.to_vec());
        let packets = relation.packets(6);
        let slots = hops.last().map_or(0, |hop| hop.slot + 1);
        let schedule = PopsSchedule { algorithm: "direct", packets, hops, slots, buffers: 4, searched: false };
        check_pops(net, &relation, schedule)
    };
    let fault_of = |pairs: &[(u32, u32)], hops: Vec<Hop>| judged(pairs, hops).expect_err("a fault");
    assert_eq!(
        fault_of(&[(0, 3), (1, 4)], vec![hop(0, 0, 0, 3), hop(0, 1, 1, 4)]),
        PopsFault::Coupler { slot: 0, b: 1, a: 0, packets: [0, 1] }
    );
    assert_eq!(
        fault_of(&[(0, 3), (0, 1)], vec![hop(0, 0, 0, 3), hop(0, 1, 0, 1)]),
        PopsFault::SendsTwo { slot: 0, processor: 0, packets: [0, 1] }
    );
    assert_eq!(
        fault_of(&[(0, 3), (4, 3)], vec![hop(0, 0, 0, 3), hop(0, 1, 4, 3)]),
        PopsFault::ReadsTwo { slot: 0, processor: 3, packets: [0, 1] }
    );
    assert_eq!(
        fault_of(&[(0, 3)], vec![hop(0, 0, 0, 3), hop(0, 0, 0, 4)]),
        PopsFault::Doubled { slot: 0, packet: 0, to: [3, 4] }
    );
    assert!(judged(&[(0, 3), (1, 4)], vec![hop(0, 0, 0, 3), hop(1, 1, 1, 4)]).is_ok());
}

#[test]
fn files_are_read_and_what_is_no_permutation_is_explained() {
    let folder = tempfile::TempDir::new().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    let spec = folder.path().join("x.toml");
    let check = |collective: &str| {
        let text = format!("format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[collective]\n{collective}\n");
        std::fs::write(&spec, text).unwrap();
        let mut command = cargo_bin_cmd!("metronoc");
        command.arg("check").arg(&spec).assert()
    };
    let of_file = |name: &str| check(&format!("kind = \"permutation\"\nfile = \"{name}\""));
    write("good.csv", b"# to\n3, 2\n1;0\n");
    write("good.json", b"[3, 2, 1, 0]");
    let array = |shape: &str, data: &[u8]| {
        let header = format!("{{'descr': '<i2', 'fortran_order': False, 'shape': {shape}}}");
        [b"\x93NUMPY\x01\x00\x76\x00".as_slice(), format!("{header:117}\n").as_bytes(), data].concat()
    };
    write("good.npy", &array("(4,)", &[3, 0, 2, 0, 1, 0, 0, 0]));
    write("mark.csv", b"\xef\xbb\xbf3,2,1,0,\r\n");
    for name in ["good.csv", "good.json", "good.npy", "mark.csv"] {
        of_file(name).success().stdout(contains("slots      2, 1.000"));
    }
    write("twice.csv", b"3 2 1 2");
    write("large.json", b"[3, 2, 4, 0]");
    write("short.csv", b"1\n0\n2\n");
    write("words.csv", b"3,2\n1,zero\n");
    write("minus.json", b"[3, 2, -1, 0]");
    write("empty.csv", b"3,,2,1,0\n");
    write("first.csv", b"3\n,2,1,0\n");
    write("long.csv", "x".repeat(1000).as_bytes());
    write("latin.csv", b"3,2,\xe4,0\n");
    write("escape.csv", b"3,\x1b[2J,1,0\n");
    write("huge.npy", &array("(1099511627776, 1099511627776)", &[]));
    write("huge-line.npy", &array("(1048577,)", &[]));
    write("empty.npy", &array("(1048576,)", &[]));
    let cases = [
        ("twice.csv", "entry 3 is 2, as entry 1 is"),
        ("large.json", "entry 2 is 4, and the last endpoint is 3"),
        ("short.csv", "it has 3 entries, and there are 4 endpoints"),
        ("words.csv", "has `zero`, which is no whole number from 0 on, in field 2 of line 2"),
        ("empty.csv", "has an empty field, which is no whole number from 0 on, in field 2 of line 1"),
        ("first.csv", "in field 1 of line 2"),
        ("long.csv", "has `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…`"),
        ("latin.csv", "a byte that is not UTF-8"),
        ("escape.csv", "has `\\u{1b}[2J`"),
        ("huge.npy", "has shape (1099511627776, 1099511627776), and at most 1048576 integers are read"),
        ("huge-line.npy", "has shape (1048577,), and at most 1048576 integers are read"),
        ("empty.npy", "ends before its 1048576 integers do"),
        ("minus.json", "has `-1`, which is no whole number"),
        ("none.csv", "cannot read"),
        ("good.txt.gz", "is neither .npy nor .csv nor .json"),
    ];
    for (name, said) in cases {
        of_file(name).code(3).stderr(contains(said).and(contains("x.toml:8")).and(contains("help: ")));
    }
    check("kind = \"permutation\"\npermutation = [0, 1, 2, 2]").code(3).stderr(contains("entry 3 is 2, as entry 2"));
    write("pairs.csv", b"0,3\n1,3\n2,0\n");
    check("kind = \"h-relation\"\nfile = \"pairs.csv\"").success();
    write("odd.csv", b"0,3\n1,3,2\n");
    check("kind = \"h-relation\"\nfile = \"odd.csv\"").code(3).stderr(contains("3 numbers in line 2"));
    write("odd.json", b"[[0, 3], [1]]");
    check("kind = \"h-relation\"\nfile = \"odd.json\"").code(3).stderr(contains("at line 1"));
    check("kind = \"h-relation\"\ndemands = [[0, 4]]").code(3).stderr(contains("packet 0 goes from 0 to 4"));
}

#[test]
fn sizes_beyond_memory_are_refused_with_their_limit() {
    let folder = tempfile::TempDir::new().unwrap();
    let spec = folder.path().join("x.toml");
    let run = |command: &str, network: &str, collective: &str| {
        std::fs::write(&spec, format!("format = 1\n[network]\n{network}\n[collective]\n{collective}\n")).unwrap();
        cargo_bin_cmd!("metronoc").arg(command).arg(&spec).assert()
    };
    let pops = "topology = \"pops\"\nd = 1024\ng = 1024";
    let relation = run("check", pops, "kind = \"h-relation\"\nh = 4096").code(3);
    relation.stderr(contains("4294967296 packets, and a schedule has at most 16777216").and(contains("x.toml:8")));
    // 2^40 couplers, of which two are wanted
    let wide = "topology = \"pops\"\nd = 1\ng = 1048576";
    run("check", wide, "kind = \"h-relation\"\ndemands = [[0, 1], [1, 2]]").success();
    let dragonfly = "topology = \"swapped-dragonfly\"\nk = 1\nm = 1024";
    let product = run("multiply", dragonfly, "kind = \"matrix-matrix\"\nblock = 64").code(4);
    product.stderr(contains("of order 65536, and at most order 8192 is computed"));
}

#[test]
fn packets_are_no_product() {
    let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pops.toml");
    let mut run = cargo_bin_cmd!("metronoc");
    run.arg("multiply").arg(spec);
    run.assert().code(4).stderr(contains("permutation is no product of matrices").and(contains("help: take `kind")));
}

#[test]
fn the_page_shows_every_coupler_in_every_slot() {
    let spec = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/ulx3s-pops.toml");
    let run = |more: &[&str]| {
        let assert = cargo_bin_cmd!("metronoc").args(["report", spec]).args(more).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).unwrap()
    };
    let page = run(&["-o", "-"]);
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).unwrap();
    assert_eq!(json["network"], "POPS(4,4)");
    let slots = json["figures"][0]["value"].as_f64().unwrap();
    assert_eq!(json["figures"][0]["key"], "slots");
    assert!(
        page.contains("Permutation on POPS(4,4)")
            && page.contains("c(3,3)")
            && page.contains(&format!("value=\"{slots}\""))
    );
    // a cell for every packet on a coupler
    let listed = cargo_bin_cmd!("metronoc").args(["schedule", spec]).assert().success();
    let hops =
        String::from_utf8_lossy(&listed.get_output().stdout).lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(page.matches("<path data-p=").count(), hops);
}

#[test]
fn examples_can_be_scheduled() {
    for (name, said) in [
        ("pops", "slots      5, 1.000 times the largest bound"),
        ("ulx3s-pops", "POPS(4,4): 16 processors"),
        ("icebreaker-pops", "POPS(2,2): 4 processors"),
    ] {
        let spec = format!("{}/examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        cargo_bin_cmd!("metronoc").arg("check").arg(spec).assert().success().stdout(contains(said));
    }
}

#[test]
fn the_search_is_for_few_processors() {
    let request = PopsRequest::new(PopsAlgorithm::Exact);
    let small = Relation::Permutation(vec![5, 4, 3, 2, 1, 0]);
    let found = made(Pops::new(3, 2), &small, &request);
    assert_eq!((found.schedule().slots, found.schedule().searched), (3, true));
    let net = Pops::new(64, 4);
    let large = |seed| Relation::Permutation(pattern::random(256, seed));
    // where the bound is met there is nothing to be searched for
    let error = (1..20).find_map(|seed| schedule(net, &large(seed), &request).err()).expect("not all meet the bound");
    assert!(error.to_string().contains("256 processors") && !error.help().is_empty(), "{error}");
}
