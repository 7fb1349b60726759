//! All-gather on the Galaxyfly: schedules at the lower bound, and the bounds themselves.

use crate::common::case::Case;
use crate::common::graphs::{self, document, lower_bounds, problem, verdict};
use metronoc::check::judge::judge;
use metronoc::check::program::{Goal, Rules, check};
use metronoc::schedule::general::{Effort, PortModel, Problem, schedule};
use metronoc::topology::{Field, Galaxy, Galaxyfly, Graph, Topology};

const SECOND: Effort = Effort { time_limit_s: 1, seed: 0 };

fn galaxyfly(n: u32, q: u32, a: u32) -> Galaxyfly {
    Galaxyfly::new(Galaxy::new(n, q).expect("a power of a prime"), a, true)
}

fn all_gather(n: u32, q: u32, a: u32) -> Problem {
    problem(Graph::of(&galaxyfly(n, q, a)), "all-gather", 1)
}

/// Cycles of the best schedule, and of the bounds `receive` and `cut`.
fn measured(n: u32, q: u32, a: u32) -> [u64; 3] {
    let problem = all_gather(n, q, a);
    let made = schedule(&problem, "matching", &SECOND).expect("an all-gather");
    let account = verdict(&problem, &made, "all-gather", 1).expect("a schedule that holds");
    let bounds = lower_bounds(&problem);
    let of = |name| bounds.all().iter().find(|bound| bound.name == name).map_or(0, |bound| bound.cycles);
    [u64::from(account.cycles), of("receive"), of("cut")]
}

/// The table of the manual's chapter.
#[test]
fn the_papers_five_networks_take_as_many_slots_as_the_bound() {
    let page = std::fs::read_to_string("docs/src/galaxyfly.md").expect("the chapter");
    for (n, q, a) in [(3, 5, 4), (4, 5, 4), (4, 5, 5), (4, 7, 4), (3, 5, 8)] {
        let [cycles, receive, cut] = measured(n, q, a);
        assert_eq!(cycles, receive.max(cut), "({n},{q},{a})");
        let line = format!("| ({n},{q},{a}) | {} | {receive} | {cut} | **{cycles}** |", n * q * a);
        assert!(page.contains(&line), "the chapter has no line {line}");
    }
}

#[test]
fn small_networks_meet_the_bound() {
    for q in [3, 4, 5, 7, 8, 9, 11, 13] {
        for (n, a) in (1..5).flat_map(|n| (1..7).map(move |a| (n, a))).filter(|(n, a)| n * q * a <= 32) {
            let problem = all_gather(n, q, a);
            let made = schedule(&problem, "matching", &SECOND).expect("an all-gather");
            let bound = lower_bounds(&problem).all().iter().map(|bound| bound.cycles).max();
            assert_eq!(Some(u64::from(made.cycles)), bound, "({n},{q},{a})");
        }
    }
}

/// A router without a global link gets what enters its supernode a cycle later than its gateways do: 112 packets over 4 links take 28 cycles,
/// and 29 until it has them.
#[test]
fn a_cut_counts_the_way_from_the_gateways() {
    let bounds = lower_bounds(&all_gather(3, 5, 8));
    let cut = bounds.all().iter().find(|bound| bound.name == "cut").expect("a cut");
    assert_eq!(cut.cycles, 29);
    assert!(
        cut.reason.contains("112 words enter the 8 nodes") && cut.reason.contains("over 4 channels"),
        "{}",
        cut.reason
    );
    assert!(cut.reason.contains("on the way to"), "{}", cut.reason);
}

#[test]
fn every_field_gives_a_network() {
    for q in (3..=32).filter(|&q| Field::new(q).is_some()) {
        let net = galaxyfly(2, q, 2);
        let distances = (0..net.nodes()).map(|node| farthest(&net, node)).max();
        assert!(distances.is_some_and(|hops| hops <= 5), "q = {q}: {distances:?}");
    }
}

/// Table 3 of the paper, with the root that the manual's table names; at (3,5,8) no root gives the paper's 1329.
#[test]
fn sfata_takes_as_many_slots_as_published() {
    let page = std::fs::read_to_string("docs/src/galaxyfly.md").expect("the chapter");
    let published = [(3, 5, 4, 2, 565), (4, 5, 4, 2, 737), (4, 5, 5, 2, 929), (4, 7, 4, 6, 1013), (3, 5, 8, 0, 1279)];
    for (n, q, a, seed, slots) in published {
        let problem = all_gather(n, q, a);
        let made = schedule(&problem, "sfata", &Effort { time_limit_s: 1, seed }).expect("supernodes");
        assert_eq!(made.cycles, slots, "({n},{q},{a})");
        assert!(
            page.contains(&format!("| ({n},{q},{a}) | {seed} | {slots} |")),
            "the chapter has another number of slots"
        );
    }
}

#[test]
fn sfata_holds_and_goes_where_there_are_supernodes() {
    for (n, q, a) in [(1, 3, 1), (2, 3, 2), (2, 4, 1), (1, 5, 3)] {
        for seed in 0..4 {
            let problem = all_gather(n, q, a);
            let made = schedule(&problem, "sfata", &Effort { time_limit_s: 1, seed }).expect("supernodes");
            let account = judge(&document(&problem, &made, "all-gather", 1)).expect("a schedule that holds");
            let goal = Goal::Demand(&problem.demand, &made.chunk);
            check(&problem.net, &made.program, &Rules::default(), &goal).unwrap_or_else(|fault| panic!("{fault}"));
            assert_eq!(account.cycles, made.cycles);
            assert!(
                account.transfers > problem.net.nodes() * (problem.net.nodes() - 1),
                "packets come down that came up"
            );
            let mut early = made.program.clone();
            early.hops.iter_mut().for_each(|hop| hop.wait = 0);
            assert!(check(&problem.net, &early, &Rules::default(), &goal).is_err(), "two packets meet");
        }
    }
    let mesh = problem(graphs::grid(&[5, 5], false), "all-gather", 1);
    assert!(schedule(&mesh, "sfata", &SECOND).is_err(), "its rows are not completely joined");
    let one = Problem { ports: PortModel::One, ..all_gather(2, 3, 2) };
    assert!(schedule(&one, "sfata", &SECOND).is_err());
}

/// Verilog in lockstep with the model, on random data.
fn in_lockstep(sizes: &str, collective: &str) {
    let text = format!(
        "format = 1\n[network]\ntopology = \"galaxyfly\"\n{sizes}\n[collective]\n{collective}\n[schedule]\ntime_limit_s = 1\n"
    );
    Case::new(&text).is_in_lockstep();
}

#[test]
fn hardware_in_lockstep() {
    in_lockstep("n = 1\nq = 4\na = 2\nlatency = { local = 1, global = 3 }", "kind = \"all-gather\"\nwords = 3");
}

#[test]
#[ignore = "two networks in Verilator; .ci/run includes it"]
fn hardware_in_lockstep_on_other_sizes_and_as_the_paper_says() {
    in_lockstep("n = 2\nq = 3\na = 2", "kind = \"all-gather\"");
    in_lockstep("n = 1\nq = 3\na = 2", "kind = \"all-gather\"\nalgorithm = \"sfata\"");
}

/// Hops to the node that is farthest from another.
fn farthest(net: &Galaxyfly, from: usize) -> usize {
    let mut hops = vec![usize::MAX; net.nodes()];
    hops[from] = 0;
    let mut open = std::collections::VecDeque::from([from]);
    while let Some(node) = open.pop_front() {
        for port in 0..net.ports_of(node.into()) {
            let to = net.neighbour(node.into(), port).index();
            if hops[to] == usize::MAX {
                hops[to] = hops[node] + 1;
                open.push_back(to);
            }
        }
    }
    hops.into_iter().max().unwrap_or(0)
}
