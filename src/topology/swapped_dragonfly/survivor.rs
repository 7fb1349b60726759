//! A largest part of a Swapped Dragonfly without given routers. It has cabinets J and places L such that no excluded
//! (c,d,p) has c ∈ J and d, p ∈ L; |J|·|L|² is as large as possible.
//!
//! Cabinets and places that no excluded router has are always taken. The rest is a search over the other places, each
//! in or out. A cabinet is lost with the first of its excluded routers of which both places are in. A branch is left
//! when its cabinets and the places that it may still take cannot beat the best found. The search starts with a greedy
//! choice and ends after [`MAX_STEPS`]; what it then has not looked at is told as a bound. Nothing depends on time or
//! chance.

use super::SwappedDragonfly;
use super::{Group, RouterAddress};

/// Branches of the search that are looked at.
pub const MAX_STEPS: u64 = 1 << 20;

/// Largest network without the excluded routers: cabinets and places.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survivor {
    /// Cabinets of the part, ascending.
    pub cabinets: Vec<u32>,
    /// Drawers of the part, and positions in drawers, ascending.
    pub places: Vec<u32>,
    /// Upper bound on the routers of any choice; equal to this choice's number of routers if it is known to be a
    /// largest.
    pub bound: u64,
}

impl Survivor {
    /// Number of routers.
    pub fn routers(&self) -> u64 {
        self.cabinets.len() as u64 * (self.places.len() as u64).pow(2)
    }
}

/// Finds a largest part of `host` without the routers of `excluded`; for exclusive or, one whose sizes are powers of
/// two. None if no part has two places.
pub fn survivor(host: &SwappedDragonfly, excluded: &[RouterAddress]) -> Option<Survivor> {
    survivor_within(host, excluded, MAX_STEPS)
}

/// Largest part within another limit of `steps`.
pub fn survivor_within(host: &SwappedDragonfly, excluded: &[RouterAddress], steps: u64) -> Option<Survivor> {
    let mut open: Vec<u32> = excluded.iter().flat_map(|r| [r.d, r.p]).collect();
    open.sort_unstable();
    open.dedup();
    let mut search = Search { host, excluded, open, steps, best: None, best_size: 0, missed: 0 };
    search.greedy();
    let mut places: Vec<Option<bool>> = vec![Some(true); host.m() as usize];
    search.open.iter().for_each(|&place| places[place as usize] = None);
    search.branch(0, &mut places);
    let (cabinets, places) = search.best?;
    Some(Survivor { cabinets, places, bound: search.best_size.max(search.missed) })
}

struct Search<'a> {
    host: &'a SwappedDragonfly,
    excluded: &'a [RouterAddress],
    /// Places that some excluded router has.
    open: Vec<u32>,
    steps: u64,
    best: Option<(Vec<u32>, Vec<u32>)>,
    best_size: u64,
    /// The largest bound of a branch that was not looked at.
    missed: u64,
}

impl Search<'_> {
    /// Number of cabinets or places, of `n`, that can be used.
    fn usable(&self, n: usize) -> usize {
        match self.host.group() {
            Group::Cyclic => n,
            Group::Xor => n.checked_ilog2().map_or(0, |log| 1 << log),
        }
    }

    fn size(&self, cabinets: usize, places: usize) -> u64 {
        let (cabinets, places) = (self.usable(cabinets) as u64, self.usable(places) as u64);
        if places < 2 { 0 } else { cabinets * places * places }
    }

    /// The cabinets without an excluded router among places that are in.
    fn cabinets(&self, places: &[Option<bool>]) -> Vec<u32> {
        let is_in = |place: u32| places[place as usize] == Some(true);
        let mut alive = vec![true; self.host.k() as usize];
        for router in self.excluded.iter().filter(|r| is_in(r.d) && is_in(r.p)) {
            alive[router.c as usize] = false;
        }
        (0..self.host.k()).filter(|&c| alive[c as usize]).collect()
    }

    fn take(&mut self, mut cabinets: Vec<u32>, mut places: Vec<u32>) {
        let size = self.size(cabinets.len(), places.len());
        if size > self.best_size {
            cabinets.truncate(self.usable(cabinets.len()));
            places.truncate(self.usable(places.len()));
            (self.best, self.best_size) = (Some((cabinets, places)), size);
        }
    }

    /// Gives up cabinets and places one after the other, each time the one that frees most excluded routers for its
    /// share of the network.
    fn greedy(&mut self) {
        let mut left = self.excluded.to_vec();
        let mut cabinets: Vec<u32> = (0..self.host.k()).collect();
        let mut places: Vec<u32> = (0..self.host.m()).collect();
        while let Some(first) = left.first().copied() {
            // gains for a part of 1/|J| and of about 2/|L|, compared without fractions
            let (mut frees, mut frees_place) = (vec![0; self.host.k() as usize], vec![0; self.host.m() as usize]);
            for router in &left {
                frees[router.c as usize] += 1;
                frees_place[router.d as usize] += 1;
                frees_place[router.p as usize] += usize::from(router.p != router.d);
            }
            let most = |of: &[usize]| (0..).zip(of).max_by_key(|&(i, frees)| (frees, u32::MAX - i)).map(|(i, _)| i);
            let (cabinet, place) = (most(&frees).unwrap_or(first.c), most(&frees_place).unwrap_or(first.d));
            let (frees, frees_place) = (frees[cabinet as usize], frees_place[place as usize]);
            if frees * cabinets.len() * 2 >= frees_place * places.len() {
                cabinets.retain(|&c| c != cabinet);
                left.retain(|r| r.c != cabinet);
            } else {
                places.retain(|&x| x != place);
                left.retain(|r| r.d != place && r.p != place);
            }
        }
        self.take(cabinets, places);
    }

    fn branch(&mut self, next: usize, places: &mut Vec<Option<bool>>) {
        let cabinets = self.cabinets(places);
        let bound = self.size(cabinets.len(), places.iter().filter(|p| **p != Some(false)).count());
        if bound <= self.best_size {
            return;
        }
        if self.steps == 0 {
            self.missed = self.missed.max(bound);
            return;
        }
        self.steps -= 1;
        let Some(&place) = self.open.get(next) else {
            let taken = (0..).zip(&*places).filter(|(_, p)| **p == Some(true)).map(|(place, _)| place).collect();
            return self.take(cabinets, taken);
        };
        for choice in [true, false] {
            places[place as usize] = Some(choice);
            self.branch(next + 1, places);
        }
        places[place as usize] = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest size, by looking at every choice of places.
    fn by_hand(host: &SwappedDragonfly, excluded: &[RouterAddress]) -> u64 {
        let usable = |n: u32| if host.group() == Group::Xor && n > 0 { 1 << n.ilog2() } else { n };
        let sizes = (0..1u32 << host.m()).filter(|set| set.count_ones() >= 2).map(|set| {
            let has = |x: u32| set >> x & 1 == 1;
            let lost = |c: u32| excluded.iter().any(|r| r.c == c && has(r.d) && has(r.p));
            let cabinets = (0..host.k()).filter(|&c| !lost(c)).count() as u32;
            u64::from(usable(cabinets)) * u64::from(usable(set.count_ones())).pow(2)
        });
        sizes.max().unwrap_or(0)
    }

    fn random(host: &SwappedDragonfly, count: u32, seed: &mut u64) -> Vec<RouterAddress> {
        let mut next = |n: u32| {
            *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*seed >> 33) as u32 % n
        };
        (0..count).map(|_| RouterAddress { c: next(host.k()), d: next(host.m()), p: next(host.m()) }).collect()
    }

    #[test]
    fn the_part_is_a_largest_one_and_has_no_excluded_router() {
        let mut seed = 1;
        for (k, m, group) in [(1, 2, Group::Cyclic), (3, 5, Group::Cyclic), (2, 7, Group::Cyclic), (4, 4, Group::Xor)] {
            let host = SwappedDragonfly::new(k, m, group);
            for count in 0..12 {
                let excluded = random(&host, count, &mut seed);
                let best = by_hand(&host, &excluded);
                let Some(found) = survivor(&host, &excluded) else {
                    assert_eq!(best, 0, "{host:?} without {excluded:?}");
                    continue;
                };
                assert_eq!((found.routers(), found.bound), (best, best), "{host:?} without {excluded:?}");
                let hit = |r: &&RouterAddress| {
                    found.cabinets.contains(&r.c) && found.places.contains(&r.d) && found.places.contains(&r.p)
                };
                assert_eq!(excluded.iter().find(hit), None);
            }
        }
    }

    #[test]
    fn a_search_that_is_cut_short_says_how_far_it_may_be_off() {
        let host = SwappedDragonfly::new(4, 12, Group::Cyclic);
        let excluded = random(&host, 30, &mut 7);
        let (best, cut) = (by_hand(&host, &excluded), survivor_within(&host, &excluded, 3).unwrap());
        assert!(cut.routers() <= best && best <= cut.bound, "{} <= {best} <= {}", cut.routers(), cut.bound);
        assert!(cut.routers() < cut.bound);
        assert_eq!(survivor(&host, &excluded).unwrap().bound, best);
    }
}
