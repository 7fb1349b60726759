//! All-to-all without waiting where every node does the same, after S4NOC (Schoeberl et al., NOCS 2012). Each element
//! of the group has a path of classes of channels and a start cycle. No class is claimed twice in a cycle.
//!
//! Words are laid one by one, those with the longest ways first, each along the shortest path and from the start that
//! meets the fewest claims. What is in the way is taken up and laid again elsewhere. A search succeeds when nothing is
//! left to lay; then it tries a cycle less.

use super::law::Law;
use super::random::Random;
use super::table::{FREE, Place, Table};
use crate::interrupt::search::is_over;

/// A word's way: start cycle, and classes of channels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Way {
    /// Cycle in which the first channel is entered.
    pub start: u32,
    /// Classes of channels, one after the other.
    pub classes: Vec<u32>,
}

/// Form of the schedule that is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// True if cycles count modulo the length, the period.
    pub periodic: bool,
    /// True if a node's terminal sends one word a cycle and takes one.
    pub terminal: bool,
}

/// Most starts of a word that are compared where none is free.
const STARTS: u32 = 200;

/// State of a search.
struct Search<'a> {
    law: &'a Law,
    table: Table,
    /// Cycles from each node to the node of an element, by element, then by node.
    distances: &'a [Vec<u32>],
    /// Nodes on shortest paths to the node of an element, the nearest first; by element.
    between: &'a [Vec<u32>],
    ways: Vec<Option<Way>>,
    /// Number of times that an element's path was removed, by element.
    moved: Vec<u32>,
    /// Cost, and class of the next hop, of the current path; by node.
    cost: Vec<(u32, u32)>,
    /// Bitmap of starts from which the rest of the current word's path is free, 64 in a word; by node.
    free: Vec<Vec<u64>>,
    steps: u64,
}

/// The shortest table that the effort finds: ways by element, without that of node 0, and cycles or period.
pub(super) fn search(law: &Law, form: Form, mut steps: u64, random: &mut Random) -> Option<(Vec<Way>, u32)> {
    let nodes = law.nodes();
    let distances: Vec<Vec<u32>> = (0..nodes as u32).map(|to| law.distances_to(to)).collect();
    let between: Vec<Vec<u32>> = (0..nodes).map(|to| between(law, &distances[to])).collect();
    let least = least(law, form, &distances);
    let farthest = distances.iter().map(|to| to[0]).max().unwrap_or(0);
    let mut attempt = |cycles: u32, share: u64, known: &[Way]| {
        let mut search = Search {
            law,
            table: Table::new(law, cycles, farthest, form.periodic, form.terminal),
            distances: &distances,
            between: &between,
            ways: vec![None; nodes],
            moved: vec![0; nodes],
            cost: vec![(u32::MAX, 0); nodes],
            free: vec![vec![0; (cycles as usize).div_ceil(64)]; nodes],
            steps: 0,
        };
        search.keep(known);
        let found = search.run(share, random);
        (found.map(|ways| (ways, cycles)), search.steps)
    };
    // a length that a short search reaches, then shorter ones by longer searches, from what there is and from nothing
    let mut cycles = least;
    let mut best = loop {
        // each word is laid once at least
        let once: u64 = between.iter().map(|between| look(between.len(), cycles)).sum();
        let share = (steps / 50 + 200 * nodes as u64).max(2 * once);
        let (found, used) = attempt(cycles, share, &[]);
        steps = steps.saturating_sub(used);
        match found {
            Some(found) => break found,
            None if cycles > 16 * least + 64 => return None,
            None => cycles += cycles.div_ceil(100),
        }
    };
    while best.1 > least && steps > 0 && !is_over() {
        for known in [best.0.clone(), Vec::new()] {
            let (found, used) = attempt(best.1 - 1, if known.is_empty() { steps } else { steps / 4 }, &known);
            steps = steps.saturating_sub(used);
            if let Some(found) = found {
                best = found;
                break;
            }
        }
    }
    Some(best)
}

/// Steps of a search for a free start among `starts` starts, over `between` nodes.
fn look(between: usize, starts: u32) -> u64 {
    (between * ((starts as usize).div_ceil(64) + 3) / 4) as u64
}

/// Cycles, or period, below which nothing is found: by the classes together, and by the terminals.
fn least(law: &Law, form: Form, distances: &[Vec<u32>]) -> u32 {
    let hop = law.latency.iter().copied().min().unwrap_or(1).max(1);
    let hops: u64 =
        distances.iter().map(|to| u64::from(to[0].div_ceil(law.latency.iter().copied().max().unwrap_or(1)))).sum();
    let classes = if law.one { 1 } else { law.steps.len().max(1) as u64 };
    let capacity = hops.div_ceil(classes) as u32;
    let terminal = if form.terminal { law.nodes() as u32 - 1 } else { 0 };
    let farthest = distances.iter().map(|to| to[0]).max().unwrap_or(0);
    match form.periodic {
        true => capacity.max(terminal).max(farthest.min(law.nodes() as u32)),
        false => (capacity + hop - 1).max(terminal + hop - 1).max(farthest),
    }
}

/// The nodes on shortest paths from node 0, those nearest the end first.
fn between(law: &Law, distance: &[u32]) -> Vec<u32> {
    let mut found = vec![0];
    let mut seen = vec![false; distance.len()];
    let mut done = 0;
    while let Some(&node) = found.get(done) {
        done += 1;
        for class in 0..law.steps.len() {
            if let Some(to) = next(law, distance, node, class).filter(|&to| !seen[to]) {
                seen[to] = true;
                found.push(to as u32);
            }
        }
    }
    found.sort_by_key(|&node| distance[node as usize]);
    found
}

/// The node to which a class leads, if that is on a shortest path.
fn next(law: &Law, distance: &[u32], node: u32, class: usize) -> Option<usize> {
    let to = law.steps[class][node as usize] as usize;
    (distance[to].checked_add(law.latency[class]) == Some(distance[node as usize])).then_some(to)
}

impl Search<'_> {
    /// Lays words as in another table, where they still fit.
    fn keep(&mut self, known: &[Way]) {
        for (word, way) in (1..).zip(known) {
            let fits = way.start + self.distances[word][0] <= self.table.cycles();
            let places = self.cells(way);
            if fits && places.iter().all(|&place| self.table.owner(place) == FREE) {
                places.into_iter().for_each(|place| self.table.put(place, word as u32));
                self.ways[word] = Some(way.clone());
            }
        }
    }

    /// Lays all words within some steps.
    fn run(&mut self, steps: u64, random: &mut Random) -> Option<Vec<Way>> {
        let mut left: Vec<u32> =
            (1..self.law.nodes() as u32).filter(|&word| self.ways[word as usize].is_none()).collect();
        random.shuffle(&mut left);
        left.sort_by_key(|&word| self.distances[word as usize][0]);
        while let Some(word) = left.pop() {
            if self.steps >= steps || is_over() {
                return None;
            }
            let taken_up = self.lay(word, random)?;
            for other in taken_up {
                self.moved[other as usize] += 1;
                left.push(other);
            }
            if left.len() > 1 {
                // the longest way first; among alike, any
                let last = left.len() - 1;
                let longest = (0..left.len()).max_by_key(|&i| (self.distances[left[i] as usize][0], i))?;
                left.swap(longest, last);
            }
        }
        Some(self.ways.iter().skip(1).flatten().cloned().collect())
    }

    /// Routes a word where it meets the fewest others, and gives the words that are removed for it. None if the table
    /// is too short.
    fn lay(&mut self, word: u32, random: &mut Random) -> Option<Vec<u32>> {
        let far = self.distances[word as usize][0];
        let starts = match self.table.periodic {
            true => self.table.cycles(),
            false => (self.table.cycles() + 1).checked_sub(far)?,
        };
        let first = match self.moved[word as usize] {
            0 => 0,
            _ => random.below(starts as usize) as u32,
        };
        let way = match self.unmet(word, first, starts) {
            Some(start) => self.free_way(word, start, random),
            None => self.cheapest_way(word, first, starts, random),
        };
        let mut taken_up = Vec::new();
        for cell in self.cells(&way) {
            let other = self.table.owner(cell);
            if other != FREE && !taken_up.contains(&other) {
                taken_up.push(other);
            }
        }
        for &other in &taken_up {
            if let Some(way) = self.ways[other as usize].take() {
                self.cells(&way).into_iter().for_each(|cell| self.table.put(cell, FREE));
            }
        }
        self.cells(&way).into_iter().for_each(|cell| self.table.put(cell, word));
        self.ways[word as usize] = Some(way);
        Some(taken_up)
    }

    /// The first start from `first` on, and then from 0 on, from which some shortest path is free.
    fn unmet(&mut self, word: u32, first: u32, starts: u32) -> Option<u32> {
        let (law, distance) = (self.law, &self.distances[word as usize]);
        let blocks = (starts as usize).div_ceil(64);
        self.steps += look(self.between[word as usize].len(), starts);
        let far = distance[0];
        self.free[word as usize][..blocks].fill(u64::MAX);
        for &node in self.between[word as usize].iter().filter(|&&node| node != word) {
            let mut free = std::mem::take(&mut self.free[node as usize]);
            free[..blocks].fill(0);
            let at = far - distance[node as usize];
            for class in 0..law.steps.len() {
                let Some(to) = next(law, distance, node, class) else { continue };
                let places = self.table.hop(law, class, at);
                for (block, free) in free[..blocks].iter_mut().enumerate() {
                    *free |= self.free[to][block] & self.table.free(places, block);
                }
            }
            self.free[node as usize] = free;
        }
        let ends = self.table.ends(0, far);
        let block = |block: usize| {
            let inside =
                if block + 1 == blocks && !starts.is_multiple_of(64) { (1 << (starts % 64)) - 1 } else { u64::MAX };
            self.free[0][block] & self.table.free(ends, block) & inside
        };
        let start = |(block, bits): (usize, u64)| (bits != 0).then(|| block as u32 * 64 + bits.trailing_zeros());
        let (from, bit) = (first as usize / 64, first % 64);
        let after = block(from) & u64::MAX << bit;
        let later = (from + 1..blocks).map(|index| (index, block(index)));
        let earlier = (0..=from).map(|index| (index, block(index)));
        std::iter::once((from, after)).chain(later).chain(earlier).find_map(start)
    }

    /// Random free shortest path of `word` from a start that [`Self::unmet`] has found.
    fn free_way(&self, word: u32, start: u32, random: &mut Random) -> Way {
        let (law, distance) = (self.law, &self.distances[word as usize]);
        let mut way = Way { start, classes: Vec::new() };
        let mut node = 0;
        while node != word {
            let at = distance[0] - distance[node as usize];
            let free = |class: &usize| {
                let to = next(law, distance, node, *class)?;
                let bits = self.free[to][start as usize / 64]
                    & self.table.free(self.table.hop(law, *class, at), start as usize / 64);
                (bits >> (start % 64) & 1 == 1).then_some(to as u32)
            };
            let choices: Vec<usize> = (0..law.steps.len()).filter(|class| free(class).is_some()).collect();
            let class = choices[random.below(choices.len())];
            way.classes.push(class as u32);
            node = law.steps[class][node as usize];
        }
        way
    }

    /// The path that meets the fewest claims, from any of some starts.
    fn cheapest_way(&mut self, word: u32, first: u32, starts: u32, random: &mut Random) -> Way {
        let (mut best, mut found) = (u32::MAX, first);
        for start in (0..starts.min(STARTS)).map(|i| (first + i) % starts) {
            let cost = self.path(word, start, random);
            if cost < best {
                (best, found) = (cost, start);
            }
        }
        self.path(word, found, random);
        let mut way = Way { start: found, classes: Vec::new() };
        let mut node = 0;
        while node != word {
            let class = self.cost[node as usize].1;
            way.classes.push(class);
            node = self.law.steps[class as usize][node as usize];
        }
        way
    }

    /// Places that a way claims.
    fn cells(&self, way: &Way) -> Vec<Place> {
        let (mut cells, mut at) = (Vec::new(), way.start);
        for &class in &way.classes {
            cells.extend(self.table.hop(self.law, class as usize, at).into_iter().flatten());
            at += self.law.latency[class as usize];
        }
        cells.extend(self.table.ends(way.start, at).into_iter().flatten());
        cells
    }

    /// The cheapest shortest path of a word from a start: its cost; hops are left in `cost`.
    fn path(&mut self, word: u32, start: u32, random: &mut Random) -> u32 {
        let (law, distance) = (self.law, &self.distances[word as usize]);
        let far = distance[0];
        let price = |cell: &Place| match self.table.owner(*cell) {
            FREE => 0,
            other => 2 + self.moved[other as usize].min(1000),
        };
        let mut noise = random.next();
        self.cost[word as usize] = (0, 0);
        for &node in &self.between[word as usize] {
            if node == word {
                continue;
            }
            let at = start + far - distance[node as usize];
            let mut best = (u32::MAX, 0);
            for class in 0..law.steps.len() as u32 {
                let Some(to) = next(law, distance, node, class as usize) else { continue };
                let cost: u32 = self.table.hop(law, class as usize, at).iter().flatten().map(price).sum();
                let cost = cost + self.cost[to].0;
                noise = noise.rotate_left(1);
                if cost < best.0 || cost == best.0 && noise & 1 == 1 {
                    best = (cost, class);
                }
            }
            self.cost[node as usize] = best;
        }
        self.steps += self.between[word as usize].len() as u64;
        let ends: u32 = self.table.ends(start, start + far).iter().flatten().map(price).sum();
        self.cost[0].0 + ends
    }
}
