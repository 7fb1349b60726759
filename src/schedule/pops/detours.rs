//! Routes of a permutation's packets, straight or by another group, such that every coupler has at most S packets: the
//! counting half of `mixed`.
//!
//! A packet from group a to group b that goes by group r costs couplers (r,a) and (b,r) a packet each. First hops are in slots
//! below T, second hops in slots from T on, so a coupler has at most T of the former and S-T of the latter. What exceeds a limit is
//! moved to where it exceeds least, one packet after the other, without going back at once.

use crate::hash::split_mix_64;

/// A packet of the class (a,b) that goes by another group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Detour {
    pub(super) a: u32,
    pub(super) b: u32,
    pub(super) by: u32,
}

/// Packet on a coupler.
#[derive(Debug, Clone, Copy, Default)]
struct Load {
    all: i32,
    first: i32,
    second: i32,
}

/// A packet on a coupler, as a change of its load.
const STRAIGHT: Load = Load { all: 1, first: 0, second: 0 };
const FIRST: Load = Load { all: 1, first: 1, second: 0 };
const SECOND: Load = Load { all: 1, first: 0, second: 1 };

/// Detours that are looked at for each move.
const SAMPLE: usize = 12;

pub(super) struct Search {
    g: usize,
    slots: i32,
    turn: i32,
    loads: Vec<Load>,
    detours: Vec<Detour>,
    /// Detours by the coupler of their first and of their second hop.
    on: [Vec<Vec<u32>>; 2],
    /// Couplers over a limit, and the place of each in that list.
    bad: Vec<u32>,
    place: Vec<u32>,
    random: u64,
    /// Moves that may not be undone at once, newest last: class and path.
    tabu: std::collections::VecDeque<(u32, u32, Option<u32>)>,
}

/// A move: a detour or a straight packet of class (a,b) takes another way; None is straight.
#[derive(Clone, Copy)]
struct Move {
    a: u32,
    b: u32,
    detour: Option<u32>,
    to: Option<u32>,
}

impl Search {
    /// All packets straight. `slots` is S, `turn` is T.
    pub(super) fn new(g: usize, demand: &[u32], slots: u32, turn: u32, seed: u64) -> Self {
        let loads: Vec<Load> = demand.iter().map(|&all| Load { all: all as i32, ..Load::default() }).collect();
        let mut search = Self {
            g,
            slots: slots as i32,
            turn: turn as i32,
            loads,
            detours: Vec::new(),
            on: [vec![Vec::new(); g * g], vec![Vec::new(); g * g]],
            bad: Vec::new(),
            place: vec![u32::MAX; g * g],
            random: seed,
            tabu: std::collections::VecDeque::new(),
        };
        (0..g * g).for_each(|coupler| search.note(coupler));
        search
    }

    /// Detours with which no coupler exceeds a limit, if `moves` moves find them.
    pub(super) fn run(mut self, moves: usize) -> Option<Vec<Detour>> {
        for _ in 0..moves {
            if self.bad.is_empty() {
                self.detours.sort_unstable();
                return Some(self.detours);
            }
            let chosen = self.draw(self.bad.len());
            let coupler = self.bad[chosen] as usize;
            let best = self.best(coupler)?;
            self.make(best);
        }
        None
    }

    fn draw(&mut self, below: usize) -> usize {
        self.random = split_mix_64(self.random, 0);
        (((self.random >> 32) * below as u64) >> 32) as usize
    }

    fn excess(&self, load: Load) -> i32 {
        let over = |value: i32, limit: i32| (value - limit).max(0);
        over(load.all, self.slots) + over(load.first, self.turn) + over(load.second, self.slots - self.turn)
    }

    /// Change of the excess of a coupler with one packet more, or one less.
    fn change(&self, coupler: usize, packet: Load, sign: i32) -> i32 {
        let load = self.loads[coupler];
        self.excess(added(load, packet, sign)) - self.excess(load)
    }

    /// Change of the excess with a packet on a path.
    fn way(&self, a: usize, b: usize, by: Option<u32>, sign: i32) -> i32 {
        match by {
            None => self.change(a * self.g + b, STRAIGHT, sign),
            Some(r) => {
                let r = r as usize;
                self.change(a * self.g + r, FIRST, sign) + self.change(r * self.g + b, SECOND, sign)
            }
        }
    }

    /// The move of a packet on a coupler that leaves the least excess; one of them, where there are several.
    fn best(&mut self, coupler: usize) -> Option<Move> {
        let mut best: Option<(i32, Move)> = None;
        let mut ties = 0;
        let (a, b) = (coupler / self.g, coupler % self.g);
        let detours = self.on[0][coupler].len() + self.on[1][coupler].len();
        let load = self.loads[coupler];
        let straight = load.all - load.first - load.second;
        let mut consider = |search: &mut Self, detour: Option<u32>, a: usize, b: usize| {
            let from = detour.map(|id| search.detours[id as usize].by);
            let gain = search.way(a, b, from, -1);
            let ways = (0..search.g as u32).filter(|&r| r as usize != a && r as usize != b).map(Some);
            for to in ways.chain([None]).filter(|&to| to != from) {
                let total = gain + search.way(a, b, to, 1);
                if best.is_some_and(|(least, _)| total > least)
                    || (total >= 0 && search.tabu.contains(&(a as u32, b as u32, to)))
                {
                    continue;
                }
                let equal = best.is_some_and(|(least, _)| total == least);
                ties = if equal { ties + 1 } else { 1 };
                if !equal || search.draw(ties) == 0 {
                    best = Some((total, Move { a: a as u32, b: b as u32, detour, to }));
                }
            }
        };
        if straight > 0 {
            consider(self, None, a, b);
        }
        for i in 0..detours.min(SAMPLE) {
            let at = if detours <= SAMPLE { i } else { self.draw(detours) };
            let firsts = self.on[0][coupler].len();
            let id = if at < firsts { self.on[0][coupler][at] } else { self.on[1][coupler][at - firsts] };
            let Detour { a, b, .. } = self.detours[id as usize];
            consider(self, Some(id), a as usize, b as usize);
        }
        best.map(|(_, best)| best).or_else(|| {
            self.tabu.clear();
            None
        })
    }

    fn make(&mut self, Move { a, b, detour, to }: Move) {
        let from = detour.map(|id| self.detours[id as usize].by);
        self.tabu.push_back((a, b, from));
        if self.tabu.len() > 6 {
            self.tabu.pop_front();
        }
        let g = self.g;
        let coupler = |a: u32, b: u32| a as usize * g + b as usize;
        match from {
            None => self.add(coupler(a, b), STRAIGHT, -1),
            Some(r) => {
                self.add(coupler(a, r), FIRST, -1);
                self.add(coupler(r, b), SECOND, -1);
            }
        }
        if let (Some(id), Some(r)) = (detour, from) {
            for (hop, at) in [coupler(a, r), coupler(r, b)].into_iter().enumerate() {
                self.on[hop][at].retain(|&other| other != id);
            }
        }
        let Some(r) = to else {
            self.add(coupler(a, b), STRAIGHT, 1);
            if let Some(id) = detour {
                self.forget(id);
            }
            return;
        };
        let id = detour.unwrap_or(self.detours.len() as u32);
        match self.detours.get_mut(id as usize) {
            Some(old) => old.by = r,
            None => self.detours.push(Detour { a, b, by: r }),
        }
        self.on[0][coupler(a, r)].push(id);
        self.on[1][coupler(r, b)].push(id);
        self.add(coupler(a, r), FIRST, 1);
        self.add(coupler(r, b), SECOND, 1);
    }

    /// Removes a detour that is on no coupler any more from the list; the last one gets its number.
    fn forget(&mut self, id: u32) {
        let last = self.detours.len() as u32 - 1;
        self.detours.swap_remove(id as usize);
        if id != last {
            let Detour { a, b, by } = self.detours[id as usize];
            for (hop, at) in [(0, a as usize * self.g + by as usize), (1, by as usize * self.g + b as usize)] {
                self.on[hop][at].iter_mut().filter(|other| **other == last).for_each(|other| *other = id);
            }
        }
    }

    fn add(&mut self, coupler: usize, packet: Load, sign: i32) {
        self.loads[coupler] = added(self.loads[coupler], packet, sign);
        self.note(coupler);
    }

    /// Keeps the list of couplers over a limit.
    fn note(&mut self, coupler: usize) {
        let (over, place) = (self.excess(self.loads[coupler]) > 0, self.place[coupler]);
        if over && place == u32::MAX {
            self.place[coupler] = self.bad.len() as u32;
            self.bad.push(coupler as u32);
        } else if !over && place != u32::MAX {
            self.bad.swap_remove(place as usize);
            self.place[coupler] = u32::MAX;
            if let Some(&moved) = self.bad.get(place as usize) {
                self.place[moved as usize] = place;
            }
        }
    }
}

fn added(load: Load, packet: Load, sign: i32) -> Load {
    Load {
        all: load.all + sign * packet.all,
        first: load.first + sign * packet.first,
        second: load.second + sign * packet.second,
    }
}
