//! Packing of an all-to-all: displacements in steps, whose processors are exchanged until no processor has too many packets.

use crate::schedule::general::random::Random;
use crate::topology::FatCube;

/// Packets from processor i of every router to processor j of the router at a displacement, in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Item {
    /// Step.
    pub step: u32,
    /// Displacement of routers.
    pub displacement: u32,
    /// Number of the processor that sends, at its router.
    pub i: u32,
    /// Number of the receiving processor at its router.
    pub j: u32,
}

/// Items in steps. Displacements keep their steps, except for that of no dimension.
pub(super) struct Packing {
    m: usize,
    k: u32,
    items: Vec<Item>,
    /// Items of each displacement, by displacement.
    like: Vec<Vec<u32>>,
    /// Items of each step, by step.
    steps: Vec<Vec<u32>>,
    /// Packets that the processors of a number send and receive, as `[sent, received]`; by step, then by processor.
    load: Vec<[u32; 2]>,
    /// First step that may have room for items within routers.
    room: usize,
}

impl Packing {
    /// A packing without items.
    pub fn new(net: FatCube, steps: u32) -> Self {
        let (m, steps) = (net.m() as usize, steps as usize);
        Self {
            m,
            k: net.k(),
            items: Vec::new(),
            like: vec![Vec::new(); net.routers() as usize],
            steps: vec![Vec::new(); steps],
            load: vec![[0; 2]; steps * m],
            room: 0,
        }
    }

    /// Adds an item.
    pub fn put(&mut self, item: Item) {
        let index = self.items.len() as u32;
        self.items.push(item);
        self.like[item.displacement as usize].push(index);
        self.steps[item.step as usize].push(index);
        self.count(item, 1);
    }

    /// Adds an item within routers, in the first step with room for it.
    pub fn put_anywhere(&mut self, i: u32, j: u32) {
        let count = self.steps.len();
        let full = |step: usize| (0..self.m).all(|i| self.load[step * self.m + i][0] >= self.k);
        while self.room < count && full(self.room) {
            self.room += 1;
        }
        let free = |&step: &usize| self.over(step, i, 0) + self.over(step, j, 1) == 0;
        let step = (self.room..count).find(free).unwrap_or(self.items.len() % count);
        self.put(Item { step: step as u32, displacement: 0, i, j });
    }

    /// True if one more packet were too many.
    fn over(&self, step: usize, processor: u32, way: usize) -> u32 {
        u32::from(self.load[step * self.m + processor as usize][way] >= self.k)
    }

    fn count(&mut self, item: Item, by: i32) {
        let first = item.step as usize * self.m;
        for (processor, way) in [(item.i, 0), (item.j, 1)] {
            let load = &mut self.load[first + processor as usize][way];
            *load = load.saturating_add_signed(by);
        }
    }

    /// Packets above k, at the processors of a step.
    fn excess(&self, step: usize) -> u32 {
        let load = &self.load[step * self.m..(step + 1) * self.m];
        load.iter().flatten().map(|&load| load.saturating_sub(self.k)).sum()
    }

    /// Exchanges processors until no processor has more than k packets in a step; false if `exchanges` exchanges do not
    /// suffice.
    pub fn repair(&mut self, random: &mut Random, exchanges: u64) -> bool {
        let mut bad: Vec<usize> = (0..self.steps.len()).filter(|&step| self.excess(step) > 0).collect();
        for _ in 0..exchanges {
            let Some(&step) = (!bad.is_empty()).then(|| random.below(bad.len())).map(|at| &bad[at]) else {
                return true;
            };
            if self.excess(step) == 0 {
                bad.retain(|&other| other != step);
                continue;
            }
            let own = &self.steps[step];
            let first = own[random.below(own.len())] as usize;
            let item = self.items[first];
            let [i, j] = [(item.i, 0), (item.j, 1)].map(|(at, way)| self.load[step * self.m + at as usize][way]);
            if i.max(j) <= self.k {
                continue;
            }
            let like = &self.like[item.displacement as usize];
            let other = like[random.below(like.len())] as usize;
            let to = match item.displacement {
                0 if random.below(2) == 0 => random.below(self.steps.len()),
                _ => self.items[other].step as usize,
            };
            if to == step {
                continue;
            }
            let before = self.excess(step) + self.excess(to);
            let moved = item.displacement == 0 && self.items[other].step as usize != to;
            self.exchange(first, if moved { None } else { Some(other) }, to as u32);
            let after = self.excess(step) + self.excess(to);
            if after > before && random.below(200) != 0 {
                self.exchange(first, if moved { None } else { Some(other) }, step as u32);
                continue;
            }
            for step in [step, to] {
                if self.excess(step) > 0 && !bad.contains(&step) {
                    bad.push(step);
                }
            }
        }
        bad.iter().all(|&step| self.excess(step) == 0)
    }

    /// Moves an item to a step, and another one from there to the item's.
    fn exchange(&mut self, first: usize, other: Option<usize>, to: u32) {
        let from = self.items[first].step;
        let moves = [Some((first, to)), other.map(|other| (other, from))];
        for (index, step) in moves.into_iter().flatten() {
            self.count(self.items[index], -1);
            let old = self.items[index].step as usize;
            self.steps[old].retain(|&item| item as usize != index);
            self.items[index].step = step;
            self.steps[step as usize].push(index as u32);
            self.count(self.items[index], 1);
        }
    }

    /// All items.
    pub fn into_items(self) -> Vec<Item> {
        self.items
    }
}
