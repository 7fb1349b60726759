//! The paper's rounds of s vectors, for s that divides K and M (Draper, section 3), in its three pipelines and a better one.
//!
//! With K = ks and M = ms, round (a,b,c,μ,ν) is γ = t+cs, π = ((t+μ) mod s)+as, δ = ((t+ν) mod s)+bs for t < s. All vectors
//! of a round differ in γ, π and δ, and there are R = KM²/s rounds. Rounds one clash distance apart meet where the second's
//! b is the first's a (but for s = 1 and a = b = 0, where neither hops).
//!
//! - Schedule 3: a round starts when the one before has ended: 3R hop-cycles.
//! - Schedule 2: rounds in pairs, starts 0, 1, 4, 5, …: 2R, +1 if R is odd.
//! - Schedule 1: every round as early as it can: KM²/s + K(M-s) + 2 for 2 ≤ s ≤ M/2.
//! - Reordered: rounds as edges b → a+1 of the complete digraph on Z_m along an Euler circuit: KM²/s + 2 for s ≤ M/2,
//!   without a delay. A round never starts with the class before its vertex.

use super::interleave::gcd;
use super::{AllToAllRequest, Plan, window};
use crate::program::form::swapped_dragonfly::counter::{Affine, Burst, CounterProgram, RowForm, Step};
use crate::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use crate::schedule::{Pipeline, ScheduleError, euler};
use crate::topology::SwappedDragonfly;

/// Schedules all-to-all by the paper's rounds; without `pipeline` and `s`, those with the fewest cycles.
///
/// # Errors
/// [`ScheduleError::Value`] if s does not divide both K and M, or if `reordered` is requested with s > M/2.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<Plan, ScheduleError> {
    let (k, m) = (net.k(), net.m());
    let valid: Vec<u32> = divisors(net);
    let list = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    if let Some(s) = request.s {
        if !valid.contains(&s) {
            let message = format!("s = {s} does not divide both K = {k} and M = {m}");
            let help = format!("use one of: {}, or leave s out for the best of them", list(&valid));
            return Err(ScheduleError::value("collective.s", message, help));
        }
        if request.pipeline == Some(Pipeline::Reordered) && 2 * s > m {
            let valid: Vec<u32> = valid.into_iter().filter(|s| 2 * s <= m).collect();
            let message = format!("rounds of s = {s} vectors need delays in every order, since s > M/2 = {m}/2");
            let help = format!("use one of: {}, or another pipeline", list(&valid));
            return Err(ScheduleError::value("collective.s", message, help));
        }
    }
    let pipelines = match request.pipeline {
        Some(one) => vec![one],
        None => vec![Pipeline::Reordered, Pipeline::Schedule2, Pipeline::Schedule1, Pipeline::Schedule3],
    };
    let sizes = match request.s {
        Some(s) => vec![s],
        None => valid.into_iter().rev().collect(),
    };
    let mut best: Option<(u64, Plan)> = None;
    for &pipeline in &pipelines {
        for &s in &sizes {
            // Rounds start in different rows, so fewer cycles than rounds are out of reach.
            let least = u64::from(request.passes) * u64::from(k * m / s * m);
            if best.as_ref().is_some_and(|(cost, _)| *cost <= least) {
                continue;
            }
            let Some(plan) = plan(net, s, pipeline, request.hop) else { continue };
            let cost = plan.program().cost(request.hop, request.passes);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, plan));
            }
        }
    }
    best.map(|(_, plan)| plan).ok_or_else(|| super::request::does_not_apply("doubly-parallel", net, "K ≥ 1, M ≥ 2"))
}

/// Rounds that the largest s takes, which fill a row each.
pub(super) fn least_rows(net: &SwappedDragonfly) -> u64 {
    let (k, m) = (u64::from(net.k()), u64::from(net.m()));
    super::uniform_bound(net).max(k * m * m / u64::from(gcd(net.k(), net.m())))
}

/// The numbers of vectors a round may have.
fn divisors(net: &SwappedDragonfly) -> Vec<u32> {
    (1..=net.k().min(net.m())).filter(|s| net.k().is_multiple_of(*s) && net.m().is_multiple_of(*s)).collect()
}

/// The rounds for one s in one pipeline; `None` if there is no such order.
fn plan(net: &SwappedDragonfly, s: u32, pipeline: Pipeline, hop: HopLatency) -> Option<Plan> {
    let burst =
        |active, pause| Plan::Counters(CounterProgram { burst: Some(Burst { active, pause }), ..in_order(net, s) });
    match pipeline {
        Pipeline::Schedule1 => Some(Plan::Table(as_early_as_possible(net, s, hop))),
        Pipeline::Schedule2 => Some(burst(hop.clash_distance(), hop.clash_distance())),
        Pipeline::Schedule3 => Some(burst(1, hop.clash_distance() + hop.local - 1)),
        Pipeline::Reordered => (2 * s <= net.m()).then(|| Plan::Counters(reordered(net, s, hop))),
    }
}

/// Rounds whose vectors rotate inside classes of s ports.
fn rounds(net: &SwappedDragonfly, s: u32, chain: Vec<Step>) -> CounterProgram {
    CounterProgram { global_block: s, local_block: s, chain, ..window::windows(net) }
}

/// Nests loops around a body, outermost first.
fn nest(counts: &[u32], body: Vec<Step>) -> Vec<Step> {
    counts.iter().rev().fold(body, |body, &count| vec![Step::Loop { count, body }])
}

/// All rounds in the paper's order: a runs fastest, then b, c, μ and ν.
fn in_order(net: &SwappedDragonfly, s: u32) -> CounterProgram {
    let class = i64::from(s);
    let [nu, mu, c, b, a] = [0, 1, 2, 3, 4].map(Affine::counter);
    let row =
        RowForm { gamma: c.times(class), pi: a.times(class).plus(&mu), delta: b.times(class).plus(&nu), length: s };
    let m = net.m() / s;
    rounds(net, s, nest(&[s, s, net.k() / s, m, m], vec![Step::Row(row)]))
}

/// All rounds along Euler circuits, one for each (ν,μ,c).
fn reordered(net: &SwappedDragonfly, s: u32, hop: HopLatency) -> CounterProgram {
    let class = i64::from(s);
    let [nu, mu, c] = [0, 1, 2].map(Affine::counter);
    let edge = |tail: Affine, head: Affine| {
        Step::Row(RowForm {
            gamma: c.clone().times(class),
            pi: head.offset(-1).times(class).plus(&mu),
            delta: tail.times(class).plus(&nu),
            length: s,
        })
    };
    let circuit = euler::complete(net.m() / s, 3, edge);
    rounds(net, s, nest(&[s, s, net.k() / s], circuit)).interleaved(hop.clash_distance())
}

/// The paper's order, each round in the first row after the last in which it meets no earlier one.
fn as_early_as_possible(net: &SwappedDragonfly, s: u32, hop: HopLatency) -> UniformProgram {
    let (program, distance) = (in_order(net, s), hop.clash_distance());
    let (mut launches, mut started) = (Vec::new(), Vec::new());
    let mut next = 0;
    for round in program.chain_order() {
        let meets = |earlier: u32| {
            let found = started.iter().rev().take_while(|(row, _)| *row >= earlier).find(|(row, _)| *row == earlier);
            found.is_some_and(|&(_, before)| {
                program.vectors(before).any(|a| a.pi != 0 && program.vectors(round).any(|b| a.pi == b.delta))
            })
        };
        while next >= distance && meets(next - distance) {
            next += 1;
        }
        launches.extend(program.vectors(round).map(|vector| Launch { row: next, vector }));
        started.push((next, round));
        next += 1;
    }
    UniformProgram::new(launches)
}
