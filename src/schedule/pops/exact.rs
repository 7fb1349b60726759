//! The optimum of a permutation, by search. A SAT solver looks for a schedule of S slots, for S from a lower bound on,
//! until it finds one or S is the length of another algorithm's schedule.
//!
//! Every packet is at one processor between any two slots, and in each slot either stays or moves. In a slot at most
//! one packet leaves a processor, at most one comes to it, and at most one crosses a coupler. Copies would not help:
//! those that do not arrive can be left out. The result depends on the effort, counted in steps of the solver, and the
//! seed, never on the clock.

use super::found::Found;
use super::mixed;
use crate::program::form::pops::Hop;
use crate::schedule::ScheduleError;
use crate::schedule::search::{STEPS_PER_SECOND, at_most_one, conflict_steps, solver};
use crate::topology::Pops;
use batsat::{Lit, SolverInterface, lbool};

/// Places of packets in all slots beyond which the solver takes too much memory.
const PLACES: u64 = 40_000;

/// Places of the packets in all slots of a schedule of `slots` slots.
fn places(net: Pops, slots: u32) -> u64 {
    u64::from(net.processors()).pow(2) * u64::from(slots)
}

/// True if fewer slots than these can be searched for.
pub(super) fn fits(net: Pops, slots: u32) -> bool {
    places(net, slots) <= PLACES
}

/// The fewest slots, and whether fewer are excluded; `known` is a schedule from elsewhere, which is kept where nothing better is found.
pub(super) fn schedule(
    net: Pops,
    permutation: &[u32],
    known: Found,
    time_limit_s: u32,
    seed: u64,
) -> Result<(Found, bool), ScheduleError> {
    let least = mixed::least(net, permutation);
    if least < known.1 && !fits(net, known.1) {
        let (processors, places) = (net.processors(), places(net, known.1));
        let message =
            format!("`exact` would look at {places} places of packets on {processors} processors, above {PLACES}");
        return Err(ScheduleError::value("collective.algorithm", message, "use `best`, or a smaller network"));
    }
    let mut left = u64::from(time_limit_s) * STEPS_PER_SECOND;
    for slots in least..known.1 {
        let conflict = conflict_steps(places(net, slots));
        let conflicts = left / conflict;
        match search(net, permutation, slots, conflicts, seed) {
            (Some(hops), _) => return Ok(((hops, slots), true)),
            (None, used) if used >= conflicts => return Ok((known, false)),
            (None, used) => left -= used * conflict,
        }
    }
    Ok((known, true))
}

/// Searches for a schedule of `slots` slots. Also gives the number of conflicts, all of `conflicts` if the search was
/// stopped.
fn search(net: Pops, permutation: &[u32], slots: u32, conflicts: u64, seed: u64) -> (Option<Vec<Hop>>, u64) {
    let (n, g, slots) = (net.processors() as usize, net.g() as usize, slots as usize);
    let packets: Vec<usize> = (0..n).filter(|&i| permutation[i] as usize != i).collect();
    let mut solver = solver(conflicts, seed);
    let mut variables =
        |count: usize| -> Vec<Lit> { (0..count).map(|_| Lit::new(solver.new_var_default(), true)).collect() };
    // by packet and slot: where it is before the slot, in which group, and whether it moves in it
    let at: Vec<Vec<Vec<Lit>>> = packets.iter().map(|_| (0..=slots).map(|_| variables(n)).collect()).collect();
    let group: Vec<Vec<Vec<Lit>>> = packets.iter().map(|_| (0..=slots).map(|_| variables(g)).collect()).collect();
    let moves: Vec<Vec<Lit>> = packets.iter().map(|_| variables(slots)).collect();
    let sends: Vec<Vec<Vec<Lit>>> = packets.iter().map(|_| (0..slots).map(|_| variables(n)).collect()).collect();
    let reads: Vec<Vec<Vec<Lit>>> = packets.iter().map(|_| (0..slots).map(|_| variables(n)).collect()).collect();
    let crosses: Vec<Vec<Vec<Lit>>> = packets.iter().map(|_| (0..slots).map(|_| variables(g * g)).collect()).collect();
    for (p, &source) in packets.iter().enumerate() {
        solver.add_clause_reuse(&mut vec![at[p][0][source]]);
        solver.add_clause_reuse(&mut vec![at[p][slots][permutation[source] as usize]]);
        for t in 0..=slots {
            solver.add_clause_reuse(&mut at[p][t].clone());
            at_most_one(&mut solver, &at[p][t]);
            for v in 0..n {
                solver.add_clause_reuse(&mut vec![!at[p][t][v], group[p][t][net.group(v as u32) as usize]]);
            }
        }
        for t in 0..slots {
            for v in 0..n {
                solver.add_clause_reuse(&mut vec![!at[p][t][v], moves[p][t], at[p][t + 1][v]]);
                solver.add_clause_reuse(&mut vec![!at[p][t][v], !moves[p][t], sends[p][t][v]]);
                solver.add_clause_reuse(&mut vec![!at[p][t + 1][v], !moves[p][t], reads[p][t][v]]);
            }
            for (coupler, &crossed) in crosses[p][t].iter().enumerate() {
                let (a, b) = (coupler / g, coupler % g);
                solver.add_clause_reuse(&mut vec![!moves[p][t], !group[p][t][a], !group[p][t + 1][b], crossed]);
            }
        }
    }
    for t in 0..slots {
        for (of, count) in [(&sends, n), (&reads, n), (&crosses, g * g)] {
            for i in 0..count {
                let choices: Vec<Lit> = of.iter().map(|packet| packet[t][i]).collect();
                at_most_one(&mut solver, &choices);
            }
        }
    }
    let verdict = solver.solve_limited(&[]);
    if verdict != lbool::TRUE {
        let used = if verdict == lbool::FALSE {
            solver.num_conflicts().max(1).min(conflicts.saturating_sub(1))
        } else {
            conflicts
        };
        return (None, used);
    }
    let place = |p: usize, t: usize| (0..n).find(|&v| solver.value_lit(at[p][t][v]) == lbool::TRUE).unwrap_or_default();
    let mut hops = Vec::new();
    for t in 0..slots {
        for (p, &source) in packets.iter().enumerate() {
            let (from, to) = (place(p, t), place(p, t + 1));
            if from != to {
                hops.push(Hop { slot: t as u32, packet: source as u32, from: from as u32, to: to as u32 });
            }
        }
    }
    (Some(hops), 0)
}
