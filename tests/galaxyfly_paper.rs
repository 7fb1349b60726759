//! Algorithms of the Galaxyfly paper: RPC, RPD, SPC, SPD, RFATA and the Dragonfly baseline A2A.

use crate::common::case::Case;
use crate::common::graphs::{self, document, grid, problem};
use metronoc::check::judge::judge;
use metronoc::check::program::{Goal, Rules, check};
use metronoc::schedule::general::{Effort, Made, PortModel, Problem, schedule};
use metronoc::topology::{Complete, Dragonfly, Galaxy, Galaxyfly, Graph, Topology};

fn galaxyfly(n: u32, q: u32, a: u32) -> Graph {
    Graph::of(&Galaxyfly::new(Galaxy::new(n, q).expect("a power of a prime"), a, true))
}

fn made(problem: &Problem, algorithm: &str, seed: u64) -> Made {
    schedule(problem, algorithm, &Effort { time_limit_s: 0, seed })
        .unwrap_or_else(|fault| panic!("{algorithm}: {fault}"))
}

/// Proves a schedule twice, and that it does not hold when no packet waits for its message.
fn holds(problem: &Problem, algorithm: &str, kind: &str, count: usize, seed: u64) -> u32 {
    let made = made(problem, algorithm, seed);
    let goal = Goal::Demand(&problem.demand, &made.chunk);
    check(&problem.net, &made.program, &Rules::default(), &goal).unwrap_or_else(|fault| panic!("{algorithm}: {fault}"));
    let account = judge(&document(problem, &made, kind, count)).expect("a schedule that holds");
    assert_eq!((made.algorithm, account.cycles), (algorithm, made.cycles));
    let mut early = made.program.clone();
    early.hops.iter_mut().for_each(|hop| hop.wait = 0);
    assert!(check(&problem.net, &early, &Rules::default(), &goal).is_err(), "{algorithm}: two packets meet");
    made.cycles
}

#[test]
fn all_gathers_hold_at_every_root() {
    for (net, count) in [(galaxyfly(2, 3, 2), 1), (galaxyfly(1, 5, 3), 2), (Graph::of(&Dragonfly::new(3, 1, 4)), 2)] {
        let problem = problem(net, "all-gather", count);
        for seed in 0..problem.net.nodes() as u64 {
            holds(&problem, "rfata", "all-gather", count, seed);
        }
    }
    for (net, count) in [(galaxyfly(1, 3, 4), 1), (Graph::of(&Dragonfly::new(3, 1, 4)), 2), (galaxyfly(1, 3, 2), 3)] {
        let problem = problem(net, "all-gather", count);
        for seed in 0..4 {
            holds(&problem, "a2a", "all-gather", count, seed);
        }
    }
}

/// MinTime of table 5 is RPC in a group; on the way down each level of the tree takes a message of all packets.
#[test]
fn a2a_takes_rpc_an_exchange_and_rpd() {
    for (groups, a, rpc, depth) in [(3, 20, 18, 4), (4, 20, 18, 4), (4, 25, 22, 4), (4, 28, 25, 4), (3, 40, 38, 5)] {
        // router 0 has the links to all other groups
        let problem = problem(Graph::of(&Dragonfly::new(a, groups - 1, groups)), "all-gather", 1);
        assert_eq!(made(&problem, "a2a", 0).cycles, rpc + a + depth * groups * a, "({groups},{a})");
        let gather = graphs::problem(Graph::of(&Complete::new(a)), "gather", 1);
        assert_eq!(made(&gather, "rpc", 0).cycles, rpc, "RPC of {a} routers");
    }
}

/// The claims' tables 3 to 5 print the model's slots, and the schedules take as many.
#[test]
fn schedules_take_as_many_slots_as_the_claims_print() {
    let claims = (metronoc::claims::galaxyfly::PAPER.claims)();
    let printed = |id: &str, network: &str| {
        let claim = claims.iter().find(|claim| claim.id == id).expect("a claim");
        let table = claim.judge(128).table.expect("a table");
        let row = table.rows.iter().find(|row| row[0] == network && row[1] == "MaxTime").expect("a row").clone();
        row[3].parse::<f64>().expect("a number").round() as u32
    };
    for (n, q, a) in [(3, 5, 4), (4, 5, 5)] {
        let problem = problem(galaxyfly(n, q, a), "all-gather", 1);
        let name = format!("Galaxyfly({n},{q},{a})");
        let seeds = 0..problem.net.nodes() as u64;
        for (id, algorithm) in [("galaxyfly-table-3", "sfata"), ("galaxyfly-table-4", "rfata")] {
            let most = printed(id, &name);
            let found = seeds.clone().any(|seed| made(&problem, algorithm, seed).cycles == most);
            assert!(found, "{algorithm} at {name} never takes {most} slots");
        }
    }
    let problem = problem(Graph::of(&Dragonfly::new(20, 2, 3)), "all-gather", 1);
    assert_eq!(made(&problem, "a2a", 0).cycles, printed("galaxyfly-table-5", "Dragonfly(3,20)"));
}

#[test]
fn the_basic_algorithms_hold_by_themselves() {
    for net in [galaxyfly(2, 3, 2), galaxyfly(1, 4, 3), Graph::of(&Dragonfly::new(3, 1, 4))] {
        let nodes = net.nodes();
        let up = holds(&problem(net.clone(), "gather", 1), "spc", "gather", 1, 0);
        let down = holds(&problem(net.clone(), "broadcast", nodes), "spd", "broadcast", nodes, 0);
        // the two halves of SFATA
        assert_eq!(up + down, made(&problem(net, "all-gather", 1), "sfata", 0).cycles);
    }
    for routers in [2, 5, 8] {
        let net = Graph::of(&Complete::new(routers));
        let up = made(&problem(net.clone(), "gather", 1), "rpc", 0).cycles;
        assert_eq!(up, [0, 0, 1, 0, 0, 3, 0, 0, 7][routers as usize]);
        holds(&problem(net, "broadcast", 3), "rpd", "broadcast", 3, 0);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let refused = |problem: &Problem, algorithm: &str| {
        let fault = schedule(problem, algorithm, &Effort { time_limit_s: 0, seed: 0 }).expect_err("no fit");
        assert!(fault.to_string().contains(algorithm), "{fault}");
    };
    let mesh = grid(&[5, 5], false);
    for algorithm in ["sfata", "rfata", "a2a"] {
        refused(&problem(mesh.clone(), "all-gather", 1), algorithm);
        refused(&problem(galaxyfly(1, 3, 2), "all-to-all", 1), algorithm);
        refused(&Problem { ports: PortModel::One, ..problem(galaxyfly(1, 3, 2), "all-gather", 1) }, algorithm);
    }
    // supernodes that are not joined
    refused(&problem(galaxyfly(2, 3, 2), "all-gather", 1), "a2a");
    for (kind, algorithm) in [("gather", "rpc"), ("gather", "spc"), ("broadcast", "rpd"), ("broadcast", "spd")] {
        refused(&problem(mesh.clone(), kind, 1), algorithm);
        refused(&problem(galaxyfly(1, 3, 2), "all-gather", 1), algorithm);
        refused(&problem(galaxyfly(1, 3, 2), "reduce", 1), algorithm);
    }
}

/// Verilog in lockstep with the model, on random data.
#[test]
#[ignore = "four networks in Verilator; .ci/run includes it"]
fn hardware_in_lockstep() {
    for (sizes, collective) in [
        ("n = 2\nq = 3\na = 2", "kind = \"all-gather\"\nalgorithm = \"rfata\""),
        ("n = 1\nq = 3\na = 2", "kind = \"all-gather\"\nalgorithm = \"a2a\"\nwords = 2"),
        ("n = 1\nq = 4\na = 2", "kind = \"gather\"\nroot = 3\nalgorithm = \"spc\""),
        ("n = 1\nq = 4\na = 2", "kind = \"broadcast\"\nroot = 3\ncount = 8\nalgorithm = \"spd\""),
    ] {
        let text = format!("format = 1\n[network]\ntopology = \"galaxyfly\"\n{sizes}\n[collective]\n{collective}\n");
        Case::new(&text).is_in_lockstep();
    }
}
