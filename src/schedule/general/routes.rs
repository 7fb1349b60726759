//! Routes that share the load. Every word takes a short route over channels that few others take. Words on the busiest
//! channels are then removed and routed again, if necessary over longer routes.

use super::channels::{Channels, FAR};
use super::plan::{Plan, Transfer};
use super::random::Random;
use super::spread::Word;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Largest number of rounds in which words are laid again.
const ROUNDS: usize = 40;

/// Most crossings of channels that are laid, and laid again; a round that has begun goes on to its end.
const LAID: usize = 1 << 26;

/// Routes under construction.
struct Routes<'a> {
    net: &'a Channels,
    turned: Channels,
    /// Distances from all nodes to a node, by node; computed when first needed.
    distances: Vec<Option<Vec<u32>>>,
    /// Number of words that cross each channel, by channel. Where nodes send and receive one packet a cycle: words sent
    /// by each node, then words received by each node.
    load: Vec<u32>,
    /// Words a channel that are reached for.
    target: u32,
    /// Cost, and the channel by which a node is reached, of the current search; by node.
    found: Vec<(u64, u32)>,
    touched: Vec<u32>,
    /// Cycles at which the current word's tree reaches each node, by node.
    depth: Vec<u32>,
    /// Nodes that the current word's tree has still to reach, by node.
    wanted: Vec<bool>,
}

/// Node reached by a search: cost, node, and cycles so far.
type Open = (Reverse<u64>, u32, u32);

const NONE: u32 = u32::MAX;

/// The routes of all words, without cycles; ways may be `detour` cycles longer than the shortest. None if a node is out
/// of reach.
pub(super) fn spread(net: &Channels, words: &[Word], detour: u32, random: &mut Random) -> Option<Plan> {
    let mut routes = Routes {
        net,
        turned: net.reversed(),
        distances: vec![None; net.nodes()],
        load: vec![0; if net.one { 2 * net.nodes() } else { net.count() }],
        target: 1,
        found: vec![(u64::MAX, NONE); net.nodes()],
        touched: Vec::new(),
        depth: vec![FAR; net.nodes()],
        wanted: vec![false; net.nodes()],
    };
    routes.target = routes.least(words)?;
    let mut order: Vec<u32> = (0..words.len() as u32).collect();
    random.shuffle(&mut order);
    let mut trees: Vec<Vec<u32>> = vec![Vec::new(); words.len()];
    for &word in &order {
        trees[word as usize] = routes.lay(&words[word as usize], 0, random)?;
    }
    let (mut best, mut stale) = (routes.measure(), 0);
    let mut laid: usize = trees.iter().map(Vec::len).sum();
    for round in 0..ROUNDS {
        if best.0 <= routes.target || stale > 6 || laid > LAID {
            break;
        }
        random.shuffle(&mut order);
        let slack = if round < 4 { 0 } else { detour };
        let limit = routes.target.max(best.0.saturating_sub(1));
        for &word in &order {
            let word = word as usize;
            if trees[word].iter().any(|&channel| routes.of(channel) > limit) {
                trees[word].iter().for_each(|&channel| routes.change(channel, |load| load - 1));
                trees[word] = routes.lay(&words[word], slack, random)?;
                laid += trees[word].len();
            }
        }
        let now = routes.measure();
        stale = if now < best { 0 } else { stale + 1 };
        best = best.min(now);
    }
    let transfer =
        |(word, &channel): (usize, &u32)| Transfer { chunk: words[word].chunk, channel, sum: false, cycle: 0 };
    let all = trees.iter().enumerate().flat_map(|(word, tree)| tree.iter().map(move |channel| (word, channel)));
    Some(Plan::new(all.map(transfer).collect()))
}

impl Routes<'_> {
    /// Words that cross a channel on average, if each goes the shortest way, rounded up.
    fn least(&mut self, words: &[Word]) -> Option<u32> {
        let mut sum = 0_u64;
        for word in words {
            let far = |to: &u32| Some(self.distance(*to)[word.from as usize]).filter(|&far| far < FAR);
            let ways = word.to.iter().map(far).collect::<Option<Vec<u32>>>()?;
            sum += u64::from(ways.into_iter().max().unwrap_or(0).max(word.to.len() as u32));
        }
        Some(sum.div_ceil(if self.net.one { self.net.nodes() } else { self.net.count() }.max(1) as u64).max(1) as u32)
    }

    /// Places of a channel in `load`.
    fn places(&self, channel: u32) -> [usize; 2] {
        let channel = channel as usize;
        match self.net.one {
            true => [self.net.src[channel] as usize, self.net.nodes() + self.net.dst[channel] as usize],
            false => [channel, channel],
        }
    }

    /// Load of a channel, or of its ends.
    fn of(&self, channel: u32) -> u32 {
        self.places(channel).map(|place| self.load[place]).into_iter().max().unwrap_or(0)
    }

    fn change(&mut self, channel: u32, change: impl Fn(u32) -> u32) {
        let [first, second] = self.places(channel);
        self.load[first] = change(self.load[first]);
        if first != second {
            self.load[second] = change(self.load[second]);
        }
    }

    /// Largest load, and the channels that have it.
    fn measure(&self) -> (u32, usize) {
        let most = self.load.iter().copied().max().unwrap_or(0);
        (most, self.load.iter().filter(|&&load| load == most).count())
    }

    fn distance(&mut self, to: u32) -> &[u32] {
        let turned = &self.turned;
        self.distances[to as usize].get_or_insert_with(|| turned.distances(to))
    }

    /// Routes a word: the channels of its tree, from the source on. Repeatedly adds the cheapest path from the tree to
    /// any node that still wants the word.
    fn lay(&mut self, word: &Word, slack: u32, random: &mut Random) -> Option<Vec<u32>> {
        let limit = match word.to[..] {
            [to] => Some((to as usize, self.distance(to)[word.from as usize].checked_add(slack)?)),
            _ => None,
        };
        word.to.iter().for_each(|&to| self.wanted[to as usize] = true);
        let mut left = word.to.len();
        let mut tree = Vec::new();
        let mut open: BinaryHeap<Open> = BinaryHeap::from([(Reverse(0), word.from, 0)]);
        self.reach(word.from, (0, NONE));
        self.depth[word.from as usize] = 0;
        while left > 0 {
            let (Reverse(cost), node, at) = open.pop()?;
            if cost > self.found[node as usize].0 {
                continue;
            }
            if self.wanted[node as usize] {
                left -= self.join(node, &mut tree, &mut open);
                continue;
            }
            for &channel in &self.net.out[node as usize] {
                let to = self.net.dst[channel as usize];
                let there = at + self.net.latency[channel as usize];
                if let Some((end, most)) = limit
                    && self.distances[end].as_ref()?[to as usize].saturating_add(there) > most
                {
                    continue;
                }
                let cost = cost + self.cost(channel) + random.next() % 64;
                if cost < self.found[to as usize].0 {
                    self.reach(to, (cost, channel));
                    open.push((Reverse(cost), to, there));
                }
            }
        }
        for node in self.touched.drain(..) {
            self.found[node as usize] = (u64::MAX, NONE);
            self.depth[node as usize] = FAR;
        }
        Some(tree)
    }

    fn reach(&mut self, node: u32, by: (u64, u32)) {
        self.found[node as usize] = by;
        self.touched.push(node);
    }

    /// Adds the way to a node to the tree; the number of wanted nodes on it.
    fn join(&mut self, node: u32, tree: &mut Vec<u32>, open: &mut BinaryHeap<Open>) -> usize {
        let (first, mut at) = (tree.len(), node);
        while self.depth[at as usize] == FAR {
            let channel = self.found[at as usize].1;
            tree.push(channel);
            at = self.net.src[channel as usize];
        }
        tree[first..].reverse();
        let (mut depth, mut count) = (self.depth[at as usize], 0);
        for &channel in &tree[first..] {
            let to = self.net.dst[channel as usize];
            depth += self.net.latency[channel as usize];
            self.depth[to as usize] = depth;
            // among ways of one cost, those from near the source
            self.reach(to, (depth.into(), NONE));
            open.push((Reverse(depth.into()), to, depth));
            self.change(channel, |load| load + 1);
            count += usize::from(std::mem::take(&mut self.wanted[to as usize]));
        }
        count
    }

    /// Cost of one more word on a channel: the fourth power of its share of the target.
    fn cost(&self, channel: u32) -> u64 {
        let share = u64::from(self.of(channel) + 1) * 16 / u64::from(self.target);
        share.min(4000).pow(4) + 64 * u64::from(self.net.latency[channel as usize])
    }
}
