//! Half windows for 2K ≥ M: one row a cycle, 2KM + 2 hop-cycles (bound 2KM), no packet waits.
//!
//! # Rows
//! Fix f in Z_K and e in Z_M. The M vectors with δ = π+e form a circle in π. It falls into two arcs: B has the w =
//! ⌊M/2⌋ vectors from some π = a on, A has the others. γ counts f, f+1, … along each, so that over all f every (γ,π,δ)
//! occurs once, and no γ occurs twice in an arc, since ⌈M/2⌉ ≤ K. Each arc is a row.
//!
//! For **even** M the δ of a row are a half circle, and its π are one, too. The row one clash distance later must start
//! with the opposite half. So the row is an edge d-w → a of a digraph on Z_M, where d = a+e is its first δ.
//!
//! For **odd** M the arcs have w and w+1 elements, but δ = 0 and π = 0 are no hops. Choose a so that neither the π nor
//! the δ of B contain 0: a and d = a+e (mod M) lie in 1..=w+1, which is possible for every e. Then A contains both
//! zeros, and each of the two rows has w first and w last local hops: B's ports are d..d+w and a..a+w, A's all others.
//! So an A row with class d = a may follow a B row of class a, and vice versa. Rows are edges (d,B) → (a,A) and (d,A) →
//! (a,B) of a digraph on {1..=w+1} × {A,B}.
//!
//! # Circuits
//! Choosing edges e and -e as each other's reverse makes all degrees balance. With all of them at one vertex, the
//! digraph of each f is two stars, joined by the edges of e = 0 in both directions. For even M each hub also has a
//! loop, of e = w. An Euler circuit visits the leaves of the first star in turn, crosses to the second star, visits its
//! leaves, and returns.

use super::interleave::gcd;
use super::{AllToAllRequest, Plan, window};
use crate::program::form::swapped_dragonfly::counter::{Affine, CounterProgram, RowForm, Step};
use crate::schedule::ScheduleError;
use crate::topology::SwappedDragonfly;

/// Schedules all-to-all by half windows.
///
/// # Errors
/// [`ScheduleError::DoesNotApply`] for 2K < M.
pub fn schedule(net: &SwappedDragonfly, request: &AllToAllRequest) -> Result<Plan, ScheduleError> {
    let (k, m, distance) = (net.k(), net.m(), request.hop.clash_distance());
    if 2 * k < m {
        return Err(super::request::does_not_apply("half-window", net, "2K ≥ M"));
    }
    let graph = Graph { w: i64::from(m / 2), odd: m % 2 == 1 };
    let two_rings = gcd(2 * k * m, distance) == 2 && k % 2 == 1 && k > 1;
    let chain = if two_rings && !graph.odd { graph.hub_by_hub(k) } else { graph.copy_by_copy(k) };
    Ok(Plan::Counters(CounterProgram { chain, ..window::windows(net) }.interleaved(distance)))
}

/// The rows of one f: two stars whose hubs are vertices 0 and w (even M) or (1,A) and (1,B) (odd M).
struct Graph {
    w: i64,
    odd: bool,
}

impl Graph {
    /// Leaves of each star.
    fn leaves(&self) -> u32 {
        (if self.odd { self.w } else { self.w - 1 }) as u32 // w is M/2
    }

    /// Row t → x for even M.
    fn half(&self, f: Affine, t: Affine, x: Affine) -> Step {
        Step::Row(RowForm { gamma: f, pi: x, delta: t.offset(self.w), length: self.w as u32 })
    }

    /// Row A or B with classes d and a, for odd M.
    fn arc(&self, f: Affine, is_b: bool, d: Affine, a: Affine) -> Step {
        let (shift, length) = if is_b { (0, self.w) } else { (self.w, self.w + 1) };
        Step::Row(RowForm { gamma: f, pi: a.offset(shift), delta: d.offset(shift), length: length as u32 })
    }

    /// Hub to leaf i + 1 and back.
    fn spoke(&self, hub: i64, f: Affine, i: Affine) -> Vec<Step> {
        if self.odd {
            let (root, leaf) = (Affine::constant(1), i.offset(2));
            let out = self.arc(f.clone(), hub == 1, root.clone(), leaf.clone());
            vec![out, self.arc(f, hub == 0, leaf, root)]
        } else {
            let root = Affine::constant(hub * self.w);
            let leaf = i.offset(hub * self.w + self.w + 1);
            vec![self.half(f.clone(), root.clone(), leaf.clone()), self.half(f, leaf, root)]
        }
    }

    /// Hub to the other hub.
    fn link(&self, hub: i64, f: Affine) -> Step {
        if self.odd {
            self.arc(f, hub == 1, Affine::constant(1), Affine::constant(1))
        } else {
            self.half(f, Affine::constant(hub * self.w), Affine::constant((hub + 1) * self.w))
        }
    }

    /// Hub to itself, which only even M has.
    fn turn(&self, hub: i64, f: Affine) -> Option<Step> {
        let root = Affine::constant(hub * self.w);
        (!self.odd).then(|| self.half(f, root.clone(), root))
    }

    /// All spokes of a hub; the loop over them is nested in `depth` others.
    fn star(&self, hub: i64, f: Affine, depth: usize) -> Step {
        Step::Loop { count: self.leaves(), body: self.spoke(hub, f, Affine::counter(depth)) }
    }

    /// An Euler circuit for one f after the other, each closed at hub 0.
    fn copy_by_copy(&self, k: u32) -> Vec<Step> {
        let f = || Affine::counter(0);
        let mut body = Vec::new();
        for hub in 0..2 {
            body.push(self.star(hub, f(), 1));
            body.extend(self.turn(hub, f()));
            body.push(self.link(hub, f()));
        }
        vec![Step::Loop { count: k, body }]
    }

    /// Chain for odd K ≥ 3 and even M: two circuits of equal length, closed at hub 0 and at hub 1, for a period without
    /// pause.
    fn hub_by_hub(&self, k: u32) -> Vec<Step> {
        let first = || Affine::constant(0);
        let f = |from: u32| Affine::counter(0).offset(i64::from(from));
        let mut chain = Vec::new();
        // At hub 0: its star and turns, half of the links, and one turn at hub 1 to make up for the odd number of turns.
        chain.push(Step::Loop {
            count: k,
            body: [self.star(0, f(0), 1)].into_iter().chain(self.turn(0, f(0))).collect(),
        });
        chain.push(self.link(0, first()));
        chain.extend(self.turn(1, first()));
        chain.push(self.link(1, first()));
        chain.push(Step::Loop { count: (k - 3) / 2, body: vec![self.link(0, f(1)), self.link(1, f(1))] });
        // At hub 1: the rest.
        chain.push(self.star(1, first(), 0));
        chain.push(Step::Loop {
            count: k - 1,
            body: [self.star(1, f(1), 1)].into_iter().chain(self.turn(1, f(1))).collect(),
        });
        let rest = (k - 1) / 2;
        chain.push(Step::Loop { count: k - rest, body: vec![self.link(1, f(rest)), self.link(0, f(rest))] });
        chain
    }
}
