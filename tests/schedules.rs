//! All-to-all schedules: conflicts by a model of their own (every claim of a port in every cycle), totals by formula.

use metronoc::program::form::swapped_dragonfly::all_to_all::AllToAllSchedule;
use metronoc::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use metronoc::schedule::swapped_dragonfly::{
    AllToAllRequest, all_to_all_algorithms, schedule_all_to_all, uniform_cycles,
};
use metronoc::schedule::{Pipeline, ScheduleError};
use metronoc::topology::SwappedDragonfly;
use metronoc::topology::swapped_dragonfly::Group;
use std::collections::{BTreeSet, HashSet};

const UNIT: HopLatency = HopLatency { local: 1, global: 1 };

fn net(k: u32, m: u32) -> SwappedDragonfly {
    SwappedDragonfly::new(k, m, Group::Cyclic)
}

fn request(algorithm: &str) -> AllToAllRequest<'_> {
    AllToAllRequest::new(algorithm, UNIT)
}

fn hops() -> impl Iterator<Item = HopLatency> {
    (1..=3).flat_map(|local| (1..=3).map(move |global| HopLatency { local, global }))
}

fn sizes(k: u32, m: u32) -> impl Iterator<Item = (u32, u32)> {
    (1..=k).flat_map(move |k| (2..=m).map(move |m| (k, m)))
}

/// The first port that two packets of one router claim in one cycle, over all cycles modulo `period` if there is one.
fn clash(launches: &[Launch], hop: HopLatency, period: Option<u32>) -> Option<String> {
    let mut claims = HashSet::new();
    for launch in launches {
        let v = launch.vector;
        let global = launch.row + hop.local;
        let mut ports = vec![(v.gamma, true, global)];
        ports.extend((v.delta != 0).then_some((v.delta, false, launch.row)));
        ports.extend((v.pi != 0).then_some((v.pi, false, global + hop.global)));
        for (port, is_global, cycle) in ports {
            if !claims.insert((port, is_global, period.map_or(cycle, |p| cycle % p))) {
                return Some(format!("{v} in row {} claims port {port} (global: {is_global}) again", launch.row));
            }
        }
    }
    None
}

/// Asserts that a schedule is complete, free of conflicts (alone and repeated) and equal to its counters.
fn assert_sound(net: &SwappedDragonfly, schedule: &AllToAllSchedule) {
    let what = format!("{} on D3({},{}) {:?}", schedule.algorithm, net.k(), net.m(), schedule.hop);
    let program = &schedule.program;
    let vectors: BTreeSet<_> = program.launches().iter().map(|l| l.vector).collect();
    let all = (net.k() * net.m() * net.m()) as usize;
    assert_eq!((vectors.len(), program.launches().len()), (all, all), "{what}: vectors");
    assert!(vectors.iter().all(|v| v.gamma < net.k() && v.pi < net.m() && v.delta < net.m()), "{what}: range");
    assert_eq!(clash(program.launches(), schedule.hop, None), None, "{what}");
    let period = program.period(schedule.hop);
    assert!(period >= program.rows());
    assert_eq!(clash(program.launches(), schedule.hop, Some(period)), None, "{what}: period {period}");
    if let Some(counter) = &schedule.counter {
        assert_eq!(counter.program(), *program, "{what}: counters");
    }
}

fn made(k: u32, m: u32, request: &AllToAllRequest) -> AllToAllSchedule {
    let net = net(k, m);
    let schedule = schedule_all_to_all(&net, request).unwrap_or_else(|e| panic!("{request:?} on D3({k},{m}): {e}"));
    assert_sound(&net, &schedule);
    schedule
}

#[test]
fn the_model_sees_a_clash() {
    let good = made(2, 5, &request("window")).program;
    let mut rows = good.launches().to_vec();
    rows.iter_mut().for_each(|l| l.row /= 2);
    assert!(clash(&rows, UNIT, None).is_some());
    assert!(clash(good.launches(), UNIT, Some(good.rows() - 1)).is_some());
}

#[test]
fn every_algorithm_is_sound_at_every_hop_latency() {
    for (k, m) in sizes(8, 8) {
        for hop in hops() {
            for entry in all_to_all_algorithms().filter(|entry| !entry.tables_only) {
                match schedule_all_to_all(&net(k, m), &AllToAllRequest { hop, ..request(entry.name) }) {
                    Ok(schedule) => assert_sound(&net(k, m), &schedule),
                    Err(error) => assert!(matches!(error, ScheduleError::DoesNotApply { .. }), "{error}"),
                }
            }
        }
    }
}

#[test]
fn windows_take_m_squared_plus_the_clash_distance() {
    for (k, m) in sizes(6, 14).filter(|(k, m)| 2 * k <= *m) {
        for hop in hops() {
            let program = made(k, m, &AllToAllRequest { hop, ..request("window") }).program;
            let distance = hop.clash_distance();
            assert_eq!(program.rows(), m * m);
            assert!(program.cycles(hop) <= m * m + distance);
            assert!(program.period(hop) <= m * m + 1 || distance > 2, "D3({k},{m}): {}", program.period(hop));
            if k > 1 {
                assert_eq!(program.cycles(hop), m * m + distance);
            }
            if hop == UNIT && m > 2 {
                assert_eq!(program.period(hop), m * m);
            }
        }
    }
}

#[test]
fn half_windows_take_2km_plus_the_clash_distance() {
    for (k, m) in sizes(9, 11).filter(|(k, m)| 2 * k >= *m) {
        for hop in hops() {
            let program = made(k, m, &AllToAllRequest { hop, ..request("half-window") }).program;
            let distance = hop.clash_distance();
            assert_eq!(program.rows(), 2 * k * m, "D3({k},{m})");
            assert!(program.cycles(hop) <= 2 * k * m + distance, "D3({k},{m})");
            if hop == UNIT {
                let exact = k * m % 2 == 0 && (k, m) != (1, 2);
                assert_eq!(program.period(hop), 2 * k * m + u32::from(!exact), "D3({k},{m})");
            }
        }
    }
    let error = schedule_all_to_all(&net(3, 7), &request("half-window")).unwrap_err();
    assert!(matches!(error, ScheduleError::DoesNotApply { .. }) && error.field() == "collective.algorithm");
}

#[test]
fn window_pairs_meet_the_bound() {
    for (k, m) in sizes(9, 9).filter(|(k, m)| k >= m) {
        let program = made(k, m, &request("window-pairs")).program;
        assert_eq!(program.cycles(UNIT), 2 * k * m + k * m % 2);
        assert_eq!(program.period(UNIT), 2 * k * m + k * m % 2);
    }
    assert!(schedule_all_to_all(&net(3, 4), &request("window-pairs")).is_err());
}

#[test]
fn the_papers_rounds_take_what_the_formulas_say() {
    for (k, m) in sizes(8, 8) {
        for s in (1..=k.min(m)).filter(|s| k % s == 0 && m % s == 0) {
            let cycles = |pipeline| {
                let request = AllToAllRequest { s: Some(s), pipeline: Some(pipeline), ..request("doubly-parallel") };
                made(k, m, &request).program.cycles(UNIT)
            };
            let rounds = k * m * m / s;
            let what = format!("D3({k},{m}) s = {s}");
            if s >= 2 {
                assert_eq!(cycles(Pipeline::Schedule3), 3 * rounds, "{what}");
                assert_eq!(cycles(Pipeline::Schedule2), 2 * rounds + rounds % 2, "{what}");
            }
            if s >= 2 && 2 * s <= m {
                assert_eq!(cycles(Pipeline::Schedule1), rounds + k * (m - s) + 2, "{what}");
                assert_eq!(cycles(Pipeline::Reordered), rounds + 2, "{what}");
            }
            if s == 1 {
                assert!(cycles(Pipeline::Reordered) <= rounds + 2, "{what}");
            }
        }
    }
}

#[test]
fn the_papers_rounds_are_sound_at_every_hop_latency() {
    for ((k, m), hop) in
        [(4, 4), (6, 6), (3, 6), (2, 8), (3, 3)].into_iter().flat_map(|at| hops().map(move |h| (at, h)))
    {
        for pipeline in [Pipeline::Schedule1, Pipeline::Schedule2, Pipeline::Schedule3, Pipeline::Reordered] {
            for s in (1..=k).filter(|s| k % s == 0 && m % s == 0) {
                if pipeline == Pipeline::Reordered && 2 * s > m {
                    continue;
                }
                made(
                    k,
                    m,
                    &AllToAllRequest { s: Some(s), pipeline: Some(pipeline), hop, ..request("doubly-parallel") },
                );
            }
        }
    }
}

#[test]
fn a_wrong_s_is_an_error_that_lists_the_right_ones() {
    let wrong = AllToAllRequest { s: Some(4), ..request("doubly-parallel") };
    let error = schedule_all_to_all(&net(6, 12), &wrong).unwrap_err();
    assert_eq!(error.field(), "collective.s");
    assert_eq!(error.help(), "use one of: 1, 2, 3, 6, or leave s out for the best of them");
    let wrong = AllToAllRequest { s: Some(4), pipeline: Some(Pipeline::Reordered), ..request("doubly-parallel") };
    let error = schedule_all_to_all(&net(4, 4), &wrong).unwrap_err();
    assert_eq!((error.field(), error.help().as_str()), ("collective.s", "use one of: 1, 2, or another pipeline"));
    assert_eq!(schedule_all_to_all(&net(4, 4), &request("bset")).unwrap_err().field(), "collective.algorithm");
}

/// The rounds and starts of a golden file, by pipeline.
fn golden_matches(text: &str) {
    let golden: serde_json::Value = serde_json::from_str(text).unwrap();
    let number = |v: &serde_json::Value| v.as_u64().unwrap() as u32;
    let (k, m, s) = (number(&golden["k"]), number(&golden["m"]), number(&golden["s"]));
    let vector = |v: &serde_json::Value| [number(&v[0]), number(&v[1]), number(&v[2])];
    let rounds: Vec<BTreeSet<[u32; 3]>> = golden["rounds"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["headers"].as_array().unwrap().iter().map(vector).collect())
        .collect();
    let row = |program: &UniformProgram, row: u32| -> BTreeSet<[u32; 3]> {
        program.row(row).iter().map(|l| [l.vector.gamma, l.vector.pi, l.vector.delta]).collect()
    };
    let check = |pipeline, total: &serde_json::Value, starts: Vec<u32>, order: Vec<usize>| {
        let request = AllToAllRequest { s: Some(s), pipeline: Some(pipeline), ..request("doubly-parallel") };
        let program = made(k, m, &request).program;
        assert_eq!(program.cycles(UNIT), number(total), "{pipeline:?}");
        for (round, start) in order.into_iter().zip(starts) {
            assert_eq!(row(&program, start), rounds[round], "{pipeline:?}: round {round} in row {start}");
        }
    };
    let (count, schedules) = (rounds.len() as u32, &golden["schedules"]);
    let in_order = || (0..count as usize).collect::<Vec<usize>>();
    let numbers = |v: &serde_json::Value| -> Vec<u32> { v.as_array().unwrap().iter().map(number).collect() };
    let pairs = (0..count).map(|i| 2 * i - i % 2).collect();
    check(
        Pipeline::Schedule3,
        &schedules["schedule3"]["total_cycles"],
        (0..count).map(|i| 3 * i).collect(),
        in_order(),
    );
    check(Pipeline::Schedule2, &schedules["schedule2_pairs"]["total_cycles"], pairs, in_order());
    let greedy = &schedules["schedule1_greedy"];
    check(Pipeline::Schedule1, &greedy["total_cycles"], numbers(&greedy["starts"]), in_order());
    if let Some(reordered) = schedules.get("schedule1_reordered_no_delay") {
        let order = numbers(&reordered["order"]).into_iter().map(|i| i as usize).collect();
        check(Pipeline::Reordered, &reordered["total_cycles"], (0..count).collect(), order);
    }
}

#[test]
fn round_order_and_starts_are_the_golden_ones() {
    golden_matches(include_str!("golden/rounds_3_3_s3.json"));
    golden_matches(include_str!("golden/rounds_4_4_s2.json"));
}

#[test]
fn best_is_within_the_clash_distance_of_the_bound() {
    for (k, m) in sizes(16, 16) {
        for passes in [1, 3] {
            let schedule = made(k, m, &AllToAllRequest { passes, counters: true, ..request("best") });
            let bound = (m * m).max(2 * k * m);
            let cycles = schedule.program.cycles(UNIT);
            assert!(
                (bound..=bound + 2).contains(&cycles),
                "D3({k},{m}) {}: {cycles}, bound {bound}",
                schedule.algorithm
            );
            assert!(schedule.program.period(UNIT) <= bound + 1, "D3({k},{m})");
        }
    }
}

#[test]
fn best_is_never_longer_than_another() {
    for ((k, m), hop) in sizes(6, 7).flat_map(|at| hops().map(move |h| (at, h))) {
        for passes in [1, 2, 5] {
            let cost = |algorithm| {
                let counters = algorithm == "best"; // without the search, which is slow and only ever shortens
                let made =
                    schedule_all_to_all(&net(k, m), &AllToAllRequest { hop, passes, counters, ..request(algorithm) });
                made.ok().map(|s| s.program.cost(hop, passes))
            };
            let best = cost("best").unwrap();
            for entry in all_to_all_algorithms().filter(|entry| !entry.tables_only) {
                assert!(cost(entry.name).is_none_or(|other| best <= other), "D3({k},{m}) {hop:?} {}", entry.name);
            }
        }
    }
}

/// Networks where the search saves cycles, large ones among them.
#[test]
fn best_is_never_longer_than_the_search() {
    for (k, m) in [(3, 6), (4, 10), (2, 14), (1, 18)] {
        let [best, search] = ["best", "no-wait"].map(|name| made(k, m, &request(name)).program.cycles(UNIT));
        assert!(best <= search, "D3({k},{m}): {best} cycles, and {search} by no-wait");
    }
}

#[test]
fn the_search_saves_the_ends() {
    let known = [((1, 2), 5), ((2, 3), 12), ((2, 4), 17), ((3, 3), 18), ((3, 4), 24), ((3, 5), 31), ((4, 5), 40)];
    let larger = [((4, 6), 49), ((4, 7), 57), ((5, 7), 71), ((2, 8), 64), ((3, 9), 81), ((4, 4), 32)];
    for ((k, m), cycles) in known.into_iter().chain(larger) {
        let patient = AllToAllRequest { time_limit_s: 10, ..request("no-wait") };
        assert_eq!(made(k, m, &patient).program.cycles(UNIT), cycles, "D3({k},{m})");
        assert!(u64::from(cycles) - uniform_cycles(&net(k, m), UNIT) <= u64::from((k, m) == (1, 2)));
    }
    for hop in hops() {
        let searched = made(2, 5, &AllToAllRequest { hop, ..request("no-wait") });
        assert!(
            searched.program.cycles(hop)
                < made(2, 5, &AllToAllRequest { hop, ..request("window") }).program.cycles(hop)
        );
    }
}

#[test]
fn counters_are_had_where_they_are_asked_for() {
    for (k, m) in sizes(8, 8) {
        let counted = made(k, m, &AllToAllRequest { counters: true, ..request("best") });
        assert!(counted.counter.is_some(), "D3({k},{m}) {}", counted.algorithm);
        assert!(u64::from(counted.program.cycles(UNIT)) <= uniform_cycles(&net(k, m), UNIT) + 2);
    }
}

#[test]
fn groups_share_their_schedules() {
    for (k, m) in [(1, 2), (2, 4), (4, 4), (4, 8)] {
        let xor = SwappedDragonfly::new(k, m, Group::Xor);
        assert_eq!(schedule_all_to_all(&xor, &request("best")), schedule_all_to_all(&net(k, m), &request("best")));
    }
}

#[test]
fn a_program_is_made_twice_the_same() {
    for (k, m) in sizes(5, 6) {
        assert_eq!(
            schedule_all_to_all(&net(k, m), &request("best")),
            schedule_all_to_all(&net(k, m), &request("best"))
        );
    }
}

#[test]
fn positions_of_a_chain_count_its_rows() {
    for (k, m) in [(2, 6), (2, 5), (3, 4), (4, 5), (4, 4)] {
        let counter = schedule_all_to_all(&net(k, m), &AllToAllRequest { counters: true, ..request("best") })
            .unwrap()
            .counter
            .unwrap();
        let positions: Vec<_> = (0..counter.chain_rows()).map(|r| counter.position(r)).collect();
        assert!(positions.iter().all(|p| p.counters.len() + 1 == p.path.len()));
        let distinct: HashSet<String> = positions.iter().map(|p| format!("{p:?}")).collect();
        assert_eq!(distinct.len(), positions.len());
    }
}

#[test]
fn the_largest_network_is_scheduled() {
    let schedule = made(64, 64, &request("best"));
    assert_eq!((schedule.algorithm, schedule.program.cycles(UNIT)), ("window-pairs", 8192));
}
