//! Parts of all searches: a SAT solver whose effort is counted in steps, and pseudo-random numbers, so that a result depends on
//! nothing but the specification.
//!
//! A step is about a place that the solver looks at. A conflict costs as many steps as the formula has places, and some
//! more. So a second of the time limit takes about equally long in a small and in a large search, and is the same work
//! on every machine.

use crate::hash::split_mix_64;
use crate::interrupt::search::is_over;
use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, clause, lbool};

/// Steps that a second of the time limit buys.
pub(super) const STEPS_PER_SECOND: u64 = 64_000_000;

/// Steps of a conflict beside those for the places of the formula.
const CONFLICT_STEPS: u64 = 1000;

/// Steps of a conflict in a formula of `places` places.
pub(super) fn conflict_steps(places: u64) -> u64 {
    CONFLICT_STEPS + places
}

/// Choices up to which excluding each pair is the smallest encoding.
const PAIRWISE_LIMIT: usize = 100;

/// Stops the solver after a number of conflicts, or when its result is not needed any more.
pub(super) struct Effort {
    learnt: u64,
    limit: u64,
}

impl Callbacks for Effort {
    fn on_new_clause(&mut self, _: &[Lit], _: clause::Kind) {
        self.learnt += 1;
    }

    fn stop(&self) -> bool {
        self.learnt >= self.limit || is_over()
    }
}

/// Solver that stops after `conflicts` conflicts.
pub(super) fn solver(conflicts: u64, seed: u64) -> Solver<Effort> {
    // The solver's generator takes seeds between 0 and 2^31.
    let random_seed = 1.0 + (split_mix_64(seed, 0) % 0x7fff_fff0) as f64;
    Solver::new(SolverOpts { random_seed, ..SolverOpts::default() }, Effort { learnt: 0, limit: conflicts })
}

/// Adds clauses for at most one true literal of `choices`: pair by pair if they are few, else at most one row and one
/// column of a square of them.
pub(super) fn at_most_one(solver: &mut Solver<Effort>, choices: &[Lit]) {
    if choices.len() <= PAIRWISE_LIMIT {
        for (i, &a) in choices.iter().enumerate() {
            for &b in &choices[..i] {
                solver.add_clause_reuse(&mut vec![!a, !b]);
            }
        }
        return;
    }
    let side = choices.len().isqrt() + 1;
    let mut lines = |count: usize| -> Vec<Lit> {
        (0..count).map(|_| Lit::new(solver.new_var(lbool::UNDEF, false), true)).collect()
    };
    let (rows, columns) = (lines(choices.len().div_ceil(side)), lines(side));
    for (i, &choice) in choices.iter().enumerate() {
        solver.add_clause_reuse(&mut vec![!choice, rows[i / side]]);
        solver.add_clause_reuse(&mut vec![!choice, columns[i % side]]);
    }
    at_most_one(solver, &rows);
    at_most_one(solver, &columns);
}
