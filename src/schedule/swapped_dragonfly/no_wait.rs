//! Search for the one or two cycles at the ends of a program that the closed forms leave.
//!
//! In a program of T cycles, the rows at either end can only hold packets that skip a local hop. Closed forms start and
//! end with whole rows instead and pay one clash distance for it. The search takes the shortest closed form, drops its
//! last cycles, and frees the rows at both ends and some in the middle. A SAT solver then puts their vectors back. A
//! vector occupies one γ in its row, δ (if any) `local` cycles before and π (if any) `global` cycles after; no two may
//! meet. If that fails, more rows are freed, up to all of them. No packet ever waits.
//!
//! Measured for hops of one cycle and bounds up to 130 cycles: the bound below is met for all but a few sizes, mostly in
//! milliseconds. 2K = M is the hardest case.
//!
//! # Bound
//! In the first `global` cycles only first hops can use local ports, in the last `local` cycles only last hops. A cycle
//! has at most K of either. So if K < M-1, at least (M-1-K)·D of the (M-1)·T claims of local ports stay unused, and T ≥
//! 2KM + ⌈D(M-1-K)/(M-1)⌉. That, M² and 2KM are the lengths that are tried first.
//!
//! The result depends on network, hop latencies, effort and seed, never on the clock: effort is counted in steps of the
//! solver.

use super::closed_forms::{CLOSED_FORMS, best_of};
use super::uniform::uniform_cycles;
use super::{AlgorithmEntry, AllToAllRequest, Plan, uniform_bound};
use crate::hash::split_mix_64;
use crate::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use crate::schedule::ScheduleError;
use crate::schedule::search::{STEPS_PER_SECOND, at_most_one, conflict_steps, solver};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::SourceVector;
use batsat::{Lit, SolverInterface, lbool};

/// Possible places of vectors beyond which freeing more rows takes too much memory and time.
const PLACE_LIMIT: usize = 300_000;

/// Ports times cycles beyond which their claims take too much memory.
const CLAIM_LIMIT: u64 = 4_000_000;

/// Conflicts in whose stead a formula is written.
const WRITING: u64 = 10;

/// Divisor of the effort for a search that keeps some rows as they are.
const PART_SHARE: u64 = 10;

/// Entry of the algorithm `no-wait`.
pub(super) const ENTRY: AlgorithmEntry = AlgorithmEntry {
    name: "no-wait",
    about: "search for the one or two cycles at the ends that the others leave",
    schedule,
    least_rows: uniform_bound,
    tables_only: true,
};

/// Searches for the shortest program; where nothing shorter is found, it is the best closed form.
///
/// # Errors
/// None in practice: window rounds apply to every network.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<Plan, ScheduleError> {
    let one_pass = AllToAllRequest { passes: 1, s: None, pipeline: None, ..*request };
    let (_, closed) = best_of(CLOSED_FORMS.iter(), net, &one_pass)?;
    let program = closed.program();
    let effort = u64::from(request.time_limit_s) * STEPS_PER_SECOND;
    Ok(shorten(net, request.hop, &program, effort, request.seed).map_or(closed, Plan::Table))
}

/// A program of fewer cycles, if the search finds one in this many steps.
fn shorten(
    net: &SwappedDragonfly,
    hop: HopLatency,
    closed: &UniformProgram,
    effort: u64,
    seed: u64,
) -> Option<UniformProgram> {
    let cycles = closed.cycles(hop);
    if u64::from(cycles) * u64::from(net.k() + net.m()) > CLAIM_LIMIT {
        return None;
    }
    let mut left = effort;
    for target in uniform_cycles(net, hop) as u32..cycles {
        let front = hop.local.min(cycles - target);
        let search = Search { net, hop, target, shift: hop.local - front };
        let mut end = 4;
        for attempt in 0.. {
            let free = search.free_rows(closed, end, seed.wrapping_add(attempt));
            let all = free.iter().all(|&f| f);
            // Small searches give up early; the last may use all that is left.
            let steps = if all { left } else { left.min(effort / PART_SHARE) };
            match search.run(closed, &free, steps, seed) {
                Outcome::Found(launches) => return Some(UniformProgram::new(launches)),
                Outcome::TooLarge => break,
                Outcome::Failed { used } => left = left.saturating_sub(used),
            }
            if all || left == 0 {
                break;
            }
            end *= 2;
        }
    }
    None
}

/// A search for a program of `target` cycles.
struct Search<'a> {
    net: &'a SwappedDragonfly,
    hop: HopLatency,
    target: u32,
    /// Added to the rows of the closed form to get the cycle of their global hop.
    shift: u32,
}

enum Outcome {
    Found(Vec<Launch>),
    Failed { used: u64 },
    TooLarge,
}

impl Search<'_> {
    /// Free rows: `end` rows at both ends, and about as many in short runs in between. The runs are around
    /// rows with a vector that skips a hop, for each γ in turn, since such vectors are what the ends are short of.
    fn free_rows(&self, closed: &UniformProgram, end: u32, seed: u64) -> Vec<bool> {
        let (rows, distance) = (self.target as usize, self.hop.clash_distance() as usize);
        let end = (end as usize).max(distance);
        let mut free: Vec<bool> = (0..rows).map(|row| row < end || row + end >= rows).collect();
        let mut random = seed;
        let skips = |gamma: u32, first: bool| {
            closed
                .launches()
                .iter()
                .filter(move |l| l.vector.gamma == gamma && (if first { l.vector.delta } else { l.vector.pi }) == 0)
        };
        let runs = (2 * end).div_ceil(2 * distance + 1);
        let wanted = (0..self.net.k()).cycle().flat_map(|gamma| [(gamma, true), (gamma, false)]);
        for (gamma, first) in wanted.take(runs) {
            random = split_mix_64(random, 0);
            let choice = random % u64::from(self.net.m());
            let Some(launch) = skips(gamma, first).nth(choice as usize) else { continue };
            let row = (launch.row + self.shift) as usize;
            free.iter_mut().take(row + distance + 1).skip(row.saturating_sub(distance)).for_each(|f| *f = true);
        }
        free
    }

    /// True if a vector may make its global hop in a cycle.
    fn fits(&self, vector: SourceVector, cycle: u32) -> bool {
        (vector.delta == 0 || cycle >= self.hop.local)
            && cycle + (if vector.pi == 0 { 0 } else { self.hop.global }) < self.target
    }

    /// The ports that a vector claims if it makes its global hop in a cycle.
    fn claims(&self, vector: SourceVector, cycle: u32) -> impl Iterator<Item = usize> {
        let (k, target) = (self.net.k(), self.target);
        let claim = move |port: u32, cycle: u32| (port * target + cycle) as usize;
        let delta = (vector.delta != 0).then(|| claim(k + vector.delta, cycle - self.hop.local));
        let pi = (vector.pi != 0).then(|| claim(k + vector.pi, cycle + self.hop.global));
        [Some(claim(vector.gamma, cycle)), delta, pi].into_iter().flatten()
    }

    /// Keeps the vectors of rows that are not free and lets the solver place the others in free rows.
    fn run(&self, closed: &UniformProgram, free: &[bool], steps: u64, seed: u64) -> Outcome {
        let ports = self.net.k() + self.net.m();
        let mut taken = vec![false; (ports * self.target) as usize];
        let (mut launches, mut open) = (Vec::new(), Vec::new());
        for launch in closed.launches() {
            let (vector, cycle) = (launch.vector, launch.row + self.shift);
            if cycle < self.target && !free[cycle as usize] && self.fits(vector, cycle) {
                self.claims(vector, cycle).for_each(|claim| taken[claim] = true);
                launches.push(Launch { row: cycle, vector });
            } else {
                open.push(vector);
            }
        }
        let rows: Vec<u32> = (0..self.target).filter(|&row| free[row as usize]).collect();
        let mut places = Vec::new();
        for (index, &vector) in open.iter().enumerate() {
            let fits = rows.iter().filter(|&&row| self.fits(vector, row));
            places.extend(fits.filter(|&&row| self.claims(vector, row).all(|c| !taken[c])).map(|&row| (index, row)));
        }
        if places.len() > PLACE_LIMIT {
            return Outcome::TooLarge;
        }
        let conflict = conflict_steps(places.len() as u64);
        let conflicts = (steps / conflict).saturating_sub(WRITING);
        let mut solver = solver(conflicts, seed);
        let mut of_vector: Vec<Vec<Lit>> = vec![Vec::new(); open.len()];
        let mut of_claim: Vec<Vec<Lit>> = vec![Vec::new(); taken.len()];
        for &(index, row) in &places {
            let here = Lit::new(solver.new_var_default(), true);
            of_vector[index].push(here);
            self.claims(open[index], row).for_each(|claim| of_claim[claim].push(here));
        }
        of_vector.iter().chain(&of_claim).for_each(|choices| at_most_one(&mut solver, choices));
        for choices in &of_vector {
            solver.add_clause_reuse(&mut choices.clone());
        }
        if solver.solve_limited(&[]) != lbool::TRUE {
            return Outcome::Failed { used: (solver.num_conflicts() + WRITING) * conflict };
        }
        let literals = of_vector.iter().flatten();
        for (&(index, row), &here) in places.iter().zip(literals) {
            if solver.value_lit(here) == lbool::TRUE {
                launches.push(Launch { row, vector: open[index] });
            }
        }
        Outcome::Found(launches)
    }
}
