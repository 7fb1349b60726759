//! Counter programs in the form of hardware: a state, and for each place in the chain where it goes next.
//!
//! A state is the current row form (a *leaf* of the tree of loops) and the counters of the loops around it. The numbers
//! (γ,π,δ) of a row are sums of multiples of counters. An *accumulator* keeps each multiple that a leaf needs: it adds
//! a constant when its counter steps and returns to 0 with it. So there is no multiplication.

use crate::program::form::swapped_dragonfly::counter::{Affine, CounterProgram, RowForm, Step};
use crate::program::form::swapped_dragonfly::uniform::{Launch, UniformProgram};
use crate::topology::swapped_dragonfly::SourceVector;

/// A state of the sequencer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Index of the row form, in tree order.
    pub leaf: usize,
    /// The counter at each depth; 0 where the leaf is not that deep.
    pub counters: Vec<u32>,
    /// The value of each accumulator.
    pub accumulators: Vec<u32>,
}

/// One way on from a leaf; the first whose loop is not yet over is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Depth and last value of the loop that must not be over, and steps by 1; `None`: the way is always open.
    pub again: Option<(usize, u32)>,
    /// Depths of the counters that return to 0.
    pub clear: Vec<usize>,
    /// Number of the next leaf.
    pub leaf: usize,
}

/// `factor` times the counter at `depth`, modulo `modulus`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accumulator {
    /// Depth of the counter.
    pub depth: usize,
    /// Number added when the counter steps; neither 0 nor as large as the modulus.
    pub factor: u32,
    /// K or M.
    pub modulus: u32,
    /// True if the counter itself has this value at all times, so that no other register is needed.
    pub is_counter: bool,
}

/// A number of a row: a constant and some accumulators, modulo K or M.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sum {
    /// The constant, below the modulus.
    pub base: u32,
    /// Indices of the accumulators.
    pub terms: Vec<usize>,
}

/// A leaf: its rows, and where they lead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leaf {
    /// (γ,π,δ) of the first vector.
    pub numbers: [Sum; 3],
    /// Number of vectors of a row.
    pub length: u32,
    /// The ways on, inner loops first; the last is always open.
    pub ways: Vec<Way>,
}

/// The hardware form of a counter program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequencer {
    /// K, M, M: the moduli of the numbers.
    pub moduli: [u32; 3],
    /// Size of the blocks in which γ wraps.
    pub global_block: u32,
    /// Size of the blocks in which π and δ wrap.
    pub local_block: u32,
    /// The leaves, in tree order.
    pub leaves: Vec<Leaf>,
    /// Largest count of a loop at each depth.
    pub counts: Vec<u32>,
    /// The multiples of counters that leaves need.
    pub accumulators: Vec<Accumulator>,
    /// The state with which each phase begins.
    pub starts: Vec<State>,
    /// Rows of a burst; without pauses one burst of all rows.
    pub active: u32,
    /// Idle cycles after a burst.
    pub pause: u32,
    /// Rows of a pass that are no pauses.
    pub chain_rows: u32,
}

/// A leaf with the loops around it: (index in its list of siblings, count of the loop) from the outside in.
struct Place<'a> {
    form: &'a RowForm,
    path: Vec<usize>,
    counts: Vec<u32>,
}

fn places<'a>(steps: &'a [Step], path: &mut Vec<usize>, counts: &mut Vec<u32>, found: &mut Vec<Place<'a>>) {
    for (index, step) in steps.iter().enumerate().filter(|(_, step)| step.rows() > 0) {
        path.push(index);
        match step {
            Step::Row(form) => found.push(Place { form, path: path.clone(), counts: counts.clone() }),
            Step::Loop { count, body } => {
                counts.push(*count);
                places(body, path, counts, found);
                counts.pop();
            }
        }
        path.pop();
    }
}

/// A number as a sum of accumulators, which are added to the list as needed.
fn sum(number: &Affine, modulus: u32, place: &Place, counts: &[u32], accumulators: &mut Vec<Accumulator>) -> Sum {
    let reduced = |value: i64| value.rem_euclid(i64::from(modulus)) as u32; // below the modulus
    let mut terms = Vec::new();
    for (depth, &factor) in number.factors.iter().enumerate() {
        let factor = reduced(factor);
        // a loop of one round adds nothing
        if factor == 0 || place.counts.get(depth).is_none_or(|&count| count == 1) {
            continue;
        }
        let is_counter = factor == 1 && counts[depth] <= modulus;
        let wanted = Accumulator { depth, factor, modulus, is_counter };
        let known = accumulators.iter().position(|a| *a == wanted);
        terms.push(known.unwrap_or_else(|| {
            accumulators.push(wanted);
            accumulators.len() - 1
        }));
    }
    Sum { base: reduced(number.base), terms }
}

impl Sequencer {
    /// The hardware form of a program; `None` if its chain is empty.
    pub fn new(program: &CounterProgram) -> Option<Self> {
        let moduli = [program.k, program.m, program.m];
        let mut found = Vec::new();
        places(&program.chain, &mut Vec::new(), &mut Vec::new(), &mut found);
        let depth = found.iter().map(|p| p.counts.len()).max()?;
        let count_at = |d| found.iter().filter_map(|p| p.counts.get(d)).copied().max().unwrap_or(1);
        let counts: Vec<u32> = (0..depth).map(count_at).collect();
        let mut accumulators = Vec::new();
        let leaves = found.iter().enumerate().map(|(index, place)| {
            let form = place.form;
            let mut number = |n, modulus| sum(n, modulus, place, &counts, &mut accumulators);
            let numbers = [number(&form.gamma, moduli[0]), number(&form.pi, moduli[1]), number(&form.delta, moduli[2])];
            Leaf { numbers, length: form.length, ways: ways(&found, index) }
        });
        let leaves = leaves.collect();
        let chain_rows = program.chain_rows();
        let starts = program.starts.iter().map(|&row| {
            let position = program.position(row);
            let mut counters = position.counters;
            counters.resize(depth, 0);
            let at_start =
                |a: &Accumulator| (u64::from(a.factor) * u64::from(counters[a.depth])) % u64::from(a.modulus);
            Some(State {
                leaf: found.iter().position(|p| p.path == position.path)?,
                accumulators: accumulators.iter().map(|a| at_start(a) as u32).collect(), // below the modulus
                counters,
            })
        });
        Some(Self {
            moduli,
            global_block: program.global_block,
            local_block: program.local_block,
            leaves,
            counts,
            starts: starts.collect::<Option<_>>()?,
            accumulators,
            active: program.burst.map_or(chain_rows, |b| b.active),
            pause: program.burst.map_or(0, |b| b.pause),
            chain_rows,
        })
    }

    /// The state after a row.
    pub fn next(&self, state: &State) -> State {
        let open = |way: &&Way| way.again.is_none_or(|(depth, last)| state.counters[depth] != last);
        let ways = &self.leaves[state.leaf].ways;
        let way = ways.iter().find(open).unwrap_or(&ways[ways.len() - 1]); // the last is always open
        let mut next = State { leaf: way.leaf, ..state.clone() };
        way.clear.iter().for_each(|&depth| next.counters[depth] = 0);
        if let Some((depth, _)) = way.again {
            next.counters[depth] += 1;
        }
        for (value, a) in next.accumulators.iter_mut().zip(&self.accumulators) {
            if way.clear.contains(&a.depth) {
                *value = 0;
            } else if way.again.is_some_and(|(depth, _)| depth == a.depth) {
                *value = (*value + a.factor) % a.modulus;
            }
        }
        next
    }

    /// (γ,π,δ) of the first vector of a state's row.
    pub fn numbers(&self, state: &State) -> [u32; 3] {
        let mut numbers = [0; 3];
        for ((number, sum), modulus) in numbers.iter_mut().zip(&self.leaves[state.leaf].numbers).zip(self.moduli) {
            *number = sum.terms.iter().fold(sum.base, |n, &term| (n + state.accumulators[term]) % modulus);
        }
        numbers
    }

    /// Program of a router that runs this sequencer for one pass, in a form that can be checked.
    pub fn decode(&self) -> UniformProgram {
        let wrap = |start: u32, i: u32, block: u32| start / block * block + (start % block + i) % block;
        let mut phases = self.starts.clone();
        let mut launches = Vec::new();
        for row in 0..self.chain_rows {
            let phase = row as usize % phases.len();
            let state = &phases[phase];
            let slot = row + row / self.active * self.pause;
            let [gamma, pi, delta] = self.numbers(state);
            launches.extend((0..self.leaves[state.leaf].length).map(|i| {
                let vector = SourceVector {
                    gamma: wrap(gamma, i, self.global_block),
                    pi: wrap(pi, i, self.local_block),
                    delta: wrap(delta, i, self.local_block),
                };
                Launch { row: slot, vector }
            }));
            phases[phase] = self.next(state);
        }
        UniformProgram::new(launches)
    }
}

/// The ways on from a leaf, inside out: the next leaf in the same list, or the loop once more, or out of the loop.
fn ways(found: &[Place], index: usize) -> Vec<Way> {
    let place = &found[index];
    let clear = |shared: usize| (shared..place.counts.len()).collect();
    let mut ways = Vec::new();
    for shared in (0..=place.counts.len()).rev() {
        let prefix = &place.path[..shared];
        let within = |p: &Place| p.path.starts_with(prefix);
        let later = |p: &Place| within(p) && p.path[shared] > place.path[shared];
        if let Some(leaf) = (index..found.len()).find(|&leaf| later(&found[leaf])) {
            ways.push(Way { again: None, clear: clear(shared), leaf });
            return ways;
        }
        // leaves of a loop stand together; its first is where the loop goes on, and the chain's first is leaf 0
        let first = found.iter().position(within).unwrap_or(0);
        match shared.checked_sub(1) {
            None => ways.push(Way { again: None, clear: clear(0), leaf: 0 }),
            Some(depth) if place.counts[depth] > 1 => {
                ways.push(Way { again: Some((depth, place.counts[depth] - 1)), clear: clear(shared), leaf: first });
            }
            Some(_) => {}
        }
    }
    ways
}
