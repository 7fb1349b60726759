//! A search for what the closed forms leave: fewer cycles by letting short packets fill the gaps.
//!
//! A packet with δ = 0 claims no local port before its global hop, and one with π = 0 none after it, so the first and
//! last cycles of a schedule can be used although no full packet fits there. The closed forms leave these cycles empty;
//! the search does not, and reaches max(M²,2KM) or one cycle more on small networks, where they take D more.
//!
//! Every vector gets a cycle for its global hop. Claims of one port in one cycle beyond the first are the cost; a step
//! moves a vector that takes part in one to its best cycle that it did not leave recently (tabu search, seeded). The
//! effort is counted in steps, never in time, so a specification and a seed always give the same schedule.

use super::{AllToAllRequest, HopLatency, Launch, Plan, ScheduleError, UniformProgram, best, uniform_bound};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::SourceVector;

/// Steps of the search that a second of `time_limit_s` stands for, times the number of candidate cycles a step looks at.
const EFFORT_A_SECOND: u64 = 20_000_000;

/// Searches for a schedule with fewer cycles than the closed forms; if the effort does not suffice, theirs is the result.
///
/// # Errors
/// None in practice: some closed form applies to every network.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<Plan, ScheduleError> {
    let (_, closed) = best::closed_form(net, request)?;
    let closed = closed.program();
    let bound = u32::try_from(uniform_bound(net)).unwrap_or(u32::MAX); // sizes are far below
    let targets: Vec<u32> = (bound..closed.cycles(request.hop)).collect();
    let mut effort = u64::from(request.time_limit_s).saturating_mul(EFFORT_A_SECOND);
    for (index, &cycles) in targets.iter().enumerate() {
        // what is left is shared among the targets that are left; an early end leaves more for the next
        let share = effort / (targets.len() - index) as u64;
        let mut search = Search::new(net, request.hop, cycles, request.seed);
        if let Some(program) = search.run(share) {
            return Ok(Plan::Table(program));
        }
        effort -= share;
    }
    Ok(Plan::Table(closed))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize // below n
    }
}

struct Search {
    vectors: Vec<SourceVector>,
    hop: HopLatency,
    /// Cycles that the schedule may take.
    cycles: usize,
    ports: usize,
    /// The cycle of each vector's global hop.
    at: Vec<usize>,
    /// Vectors that claim a port in a cycle, at `cycle * ports + port`.
    claims: Vec<u16>,
    /// The step until which a vector may not come back to a cycle, at `vector * cycles + cycle`.
    tabu: Vec<u64>,
    /// Claims beyond the first of each port and cycle.
    cost: i64,
    random: Random,
}

impl Search {
    fn new(net: &SwappedDragonfly, hop: HopLatency, cycles: u32, seed: u64) -> Self {
        let (k, m) = (net.k(), net.m());
        let vector = |i: u32| SourceVector { gamma: i / (m * m), pi: i / m % m, delta: i % m };
        let vectors: Vec<SourceVector> = (0..k * m * m).map(vector).collect();
        let (cycles, ports) = (cycles as usize, (m + k) as usize);
        let mut search = Self {
            hop,
            cycles,
            ports,
            at: vec![0; vectors.len()],
            claims: vec![0; cycles * ports],
            tabu: vec![0; vectors.len() * cycles],
            cost: 0,
            random: Random(seed),
            vectors,
        };
        for v in 0..search.vectors.len() {
            let (from, to) = search.window(v);
            let start = from + search.random.below((to - from).max(1));
            search.at[v] = (from..to).min_by_key(|&t| (search.added(v, t), t.abs_diff(start))).unwrap_or(from);
            search.claim(v);
        }
        search
    }

    /// The cycles in which a vector's global hop may be.
    fn window(&self, v: usize) -> (usize, usize) {
        let SourceVector { pi, delta, .. } = self.vectors[v];
        let from = if delta == 0 { 0 } else { self.hop.local as usize };
        let after = if pi == 0 { 0 } else { self.hop.global as usize };
        (from, self.cycles.saturating_sub(after).max(from + 1))
    }

    /// The places in `claims` of a vector whose global hop is in cycle t; the same place three times where it has none.
    fn places(&self, v: usize, t: usize) -> [Option<usize>; 3] {
        let SourceVector { gamma, pi, delta } = self.vectors[v];
        let m = self.ports - self.vectors.last().map_or(0, |v| v.gamma as usize + 1);
        let local = |x: u32, cycle: usize| (x != 0).then(|| cycle * self.ports + x as usize);
        [
            local(delta, t.wrapping_sub(if delta == 0 { 0 } else { self.hop.local as usize })),
            Some(t * self.ports + m + gamma as usize),
            local(pi, t + self.hop.global as usize),
        ]
    }

    /// Cost that a vector adds if it comes to a cycle; its own claims are not counted.
    fn added(&self, v: usize, t: usize) -> i64 {
        self.places(v, t).into_iter().flatten().filter(|&place| self.claims[place] > 0).count() as i64
    }

    fn claim(&mut self, v: usize) {
        self.cost += self.added(v, self.at[v]);
        for place in self.places(v, self.at[v]).into_iter().flatten() {
            self.claims[place] += 1;
        }
    }

    fn release(&mut self, v: usize) {
        for place in self.places(v, self.at[v]).into_iter().flatten() {
            self.claims[place] -= 1;
        }
        self.cost -= self.added(v, self.at[v]);
    }

    fn is_in_conflict(&self, v: usize) -> bool {
        self.places(v, self.at[v]).into_iter().flatten().any(|place| self.claims[place] > 1)
    }

    fn run(&mut self, effort: u64) -> Option<UniformProgram> {
        let steps = effort / self.cycles as u64;
        let mut least = self.cost;
        for step in 1..=steps {
            if self.cost == 0 {
                return Some(self.program());
            }
            let start = self.random.below(self.vectors.len());
            let count = self.vectors.len();
            // some vector is in conflict, since the cost is not 0
            let v = (start..start + count).map(|i| i % count).find(|&v| self.is_in_conflict(v))?;
            self.release(v);
            let (from, to) = self.window(v);
            let mut choice = (i64::MAX, 0, self.at[v]);
            for t in from..to {
                let added = self.added(v, t);
                let allowed = self.tabu[v * self.cycles + t] < step && t != self.at[v];
                if (allowed || self.cost + added < least) && added <= choice.0 {
                    choice = choice.min((added, self.random.below(1 << 20), t));
                }
            }
            let left = self.at[v];
            self.tabu[v * self.cycles + left] = step + 5 + self.random.below(10) as u64 + self.cost as u64 / 2;
            self.at[v] = choice.2;
            self.claim(v);
            least = least.min(self.cost);
        }
        (self.cost == 0).then(|| self.program())
    }

    fn program(&self) -> UniformProgram {
        let launch = |(&vector, &t): (&SourceVector, &usize)| Launch { row: t as u32, vector };
        UniformProgram::new(self.vectors.iter().zip(&self.at).map(launch).collect())
    }
}
