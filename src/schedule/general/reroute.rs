//! Local search on any schedule. The words that arrive last, and some that block them, are removed and routed again,
//! each to arrive as early as it can over free channels and cycles. A change that does not help is undone.

use super::calendar::Calendar;
use super::channels::{Channels, FAR};
use super::plan::{Plan, Transfer};
use super::random::Random;
use super::size::Size;
use super::spread::{Word, least};
use super::{balanced, matching};
use crate::interrupt::search::{found, is_over};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Largest number of words that are removed at once.
const AT_ONCE: usize = 12;

/// Steps that a node of a search counts.
const STEPS_A_NODE: u64 = 6;

/// Part of the effort that makes the schedule to begin with.
const START_SHARE: u64 = 4;

/// Way of a word: channels and cycles, parents before children.
type Way = Vec<(u32, u32)>;

/// Schedule under improvement.
struct State<'a> {
    net: &'a Channels,
    words: &'a [Word],
    /// Distances from all nodes to a node, by node; only for the one destination of a word.
    distances: Vec<Option<Vec<u32>>>,
    calendar: Calendar,
    /// Word that has a channel in a cycle, by (channel, cycle).
    owner: HashMap<(u32, u32), u32>,
    ways: Vec<Way>,
    ends: Vec<u32>,
    steps: u64,
}

/// Steps of an attempt, about: those of the algorithms that it begins with, and of the words that are laid.
pub(super) fn work(size: Size) -> u64 {
    2 * balanced::work(size)
}

/// The best of the other algorithms, improved within the effort.
pub(super) fn spread(net: &Channels, words: &[Word], steps: u64, random: &mut Random) -> Option<Plan> {
    let share = steps / START_SHARE / 2;
    let plans = [matching::spread(net, words, share, random), balanced::spread(net, words, share, random)];
    let plan = plans.into_iter().flatten().min_by_key(|plan| plan.cycles(net))?;
    let least = least(net, words)?;
    let mut state = State::new(net, words, &plan);
    state.improve(least, steps - steps / START_SHARE, random);
    Some(state.plan())
}

impl<'a> State<'a> {
    fn new(net: &'a Channels, words: &'a [Word], plan: &Plan) -> Self {
        let mut state = Self {
            net,
            words,
            distances: vec![None; net.nodes()],
            calendar: Calendar::new(net),
            owner: HashMap::new(),
            ways: vec![Vec::new(); words.len()],
            ends: vec![0; words.len()],
            steps: 0,
        };
        let turned = net.reversed();
        for word in words {
            if let [to] = word.to[..] {
                state.distances[to as usize].get_or_insert_with(|| turned.distances(to));
            }
        }
        let index: HashMap<u32, usize> = words.iter().enumerate().map(|(index, word)| (word.chunk, index)).collect();
        let mut ways: Vec<Way> = vec![Vec::new(); words.len()];
        plan.transfers.iter().for_each(|t| ways[index[&t.chunk]].push((t.channel, t.cycle)));
        for (word, mut way) in ways.into_iter().enumerate() {
            way.sort_by_key(|hop| hop.1);
            state.put(word, way);
        }
        state
    }

    fn plan(&self) -> Plan {
        let of = |(word, way): (&Word, &Way)| {
            let chunk = word.chunk;
            let transfer = move |&(channel, cycle): &(u32, u32)| Transfer { chunk, channel, sum: false, cycle };
            way.iter().map(transfer).collect::<Vec<Transfer>>()
        };
        Plan::new(self.words.iter().zip(&self.ways).flat_map(of).collect())
    }

    fn put(&mut self, word: usize, way: Way) {
        let mut end = 0;
        for &(channel, cycle) in &way {
            self.calendar.take(self.net, channel, cycle);
            self.owner.insert((channel, cycle), word as u32);
            end = end.max(cycle + self.net.latency[channel as usize]);
        }
        self.ends[word] = end;
        self.ways[word] = way;
    }

    fn take_up(&mut self, word: usize) -> Way {
        let way = std::mem::take(&mut self.ways[word]);
        for &(channel, cycle) in &way {
            self.calendar.release(self.net, channel, cycle);
            self.owner.remove(&(channel, cycle));
        }
        way
    }

    /// Shortens the schedule until it has `least` cycles or the steps are used up.
    fn improve(&mut self, least: u32, steps: u64, random: &mut Random) {
        let mut end = self.ends.iter().copied().max().unwrap_or(0);
        let mut late = self.late(end);
        while end > least && self.steps < steps && !is_over() {
            late.retain(|&word| self.ends[word] >= end);
            if late.is_empty() {
                end -= 1;
                found(end);
                late = self.late(end);
                continue;
            }
            let word = late[random.below(late.len())];
            let chosen = self.choose(word, end, random);
            let before: Vec<(usize, Way, u32)> =
                chosen.iter().map(|&word| (word, self.take_up(word), self.ends[word])).collect();
            let was = before.iter().filter(|(_, _, ends)| *ends >= end).count();
            let mut now = 0;
            for (place, &word) in chosen.iter().enumerate() {
                // the first must become earlier; others may come last in its stead
                let limit = if place > 0 && now < was { end } else { end - 1 };
                let found = self.lay(word, limit, random);
                let Some(way) = found else {
                    now = usize::MAX;
                    break;
                };
                self.put(word, way);
                now += usize::from(self.ends[word] >= end);
            }
            if now == usize::MAX {
                chosen.iter().for_each(|&word| drop(self.take_up(word)));
                for (word, way, _) in before {
                    self.put(word, way);
                }
            } else {
                late.extend(chosen.into_iter().filter(|&word| self.ends[word] >= end));
                late.sort_unstable();
                late.dedup();
            }
        }
    }

    fn late(&self, end: u32) -> Vec<usize> {
        (0..self.words.len()).filter(|&word| self.ends[word] >= end).collect()
    }

    /// A word and some others on the channels around its way, in random order but for the first.
    fn choose(&self, word: usize, end: u32, random: &mut Random) -> Vec<usize> {
        let mut chosen = vec![word];
        let count = 1 + random.below(AT_ONCE);
        for _ in 0..8 * AT_ONCE {
            if chosen.len() > count {
                break;
            }
            let seed = chosen[random.below(chosen.len())];
            let way = &self.ways[seed];
            if way.is_empty() {
                continue;
            }
            // a channel of its way, or another that leads to the same node
            let (channel, cycle) = way[random.below(way.len())];
            let beside = &self.net.into[self.net.dst[channel as usize] as usize];
            let channel = if random.below(2) == 0 { channel } else { beside[random.below(beside.len())] };
            let cycle = match random.below(3) {
                0 => cycle,
                _ => random.below(end as usize) as u32,
            };
            if let Some(&other) = self.owner.get(&(channel, cycle))
                && !chosen.contains(&(other as usize))
            {
                chosen.push(other as usize);
            }
        }
        random.shuffle(&mut chosen[1..]);
        chosen
    }

    /// Earliest route of a word over free channels and cycles, if it reaches all its destinations by `limit`.
    fn lay(&mut self, word: usize, limit: u32, random: &mut Random) -> Option<Way> {
        let Word { from, ref to, .. } = self.words[word];
        let mut reached = HashMap::from([(from, 0)]);
        let (mut left, mut way) = (to.clone(), Way::new());
        while !left.is_empty() {
            // a node that sends one packet a cycle must know of those to other destinations
            let count = if self.net.one { 1 } else { left.len() };
            let Some(found) = self.search(&reached, &left, count, limit, random) else { break };
            for &end in left.iter().filter(|end| found.contains_key(end)) {
                let mut node = end;
                while !reached.contains_key(&node) {
                    let (channel, cycle) = found[&node];
                    reached.insert(node, cycle + self.net.latency[channel as usize]);
                    way.push((channel, cycle));
                    if self.net.one {
                        self.calendar.take(self.net, channel, cycle);
                    }
                    node = self.net.src[channel as usize];
                }
            }
            left.retain(|end| !reached.contains_key(end));
        }
        if self.net.one {
            way.iter().for_each(|&(channel, cycle)| self.calendar.release(self.net, channel, cycle));
        }
        way.sort_by_key(|hop| hop.1);
        left.is_empty().then_some(way)
    }

    /// Searches from nodes with given cycles until it has reached `count` of the wanted nodes. Gives, by node, the
    /// channel and the cycle by which the node is reached.
    fn search(
        &mut self,
        reached: &HashMap<u32, u32>,
        wanted: &[u32],
        count: usize,
        limit: u32,
        random: &mut Random,
    ) -> Option<HashMap<u32, (u32, u32)>> {
        let net = self.net;
        let mut found: HashMap<u32, (u32, u32)> = HashMap::new();
        let mut starts: Vec<(u32, u32)> = reached.iter().map(|(&node, &at)| (node, at)).collect();
        starts.sort_unstable();
        let starts = starts.into_iter().map(|(node, at)| (Reverse(at), 0, node, (u32::MAX, 0)));
        let (mut open, mut left): (BinaryHeap<_>, usize) = (starts.collect(), count);
        let goal = if let [end] = wanted { self.distances[*end as usize].as_deref() } else { None };
        while let Some((Reverse(at), _, node, by)) = open.pop() {
            if found.contains_key(&node) {
                continue;
            }
            found.insert(node, by);
            self.steps += STEPS_A_NODE;
            left -= usize::from(wanted.contains(&node));
            if left == 0 {
                return Some(found);
            }
            for &channel in &net.out[node as usize] {
                let end = net.dst[channel as usize];
                let cycle = self.calendar.free(net, channel, at);
                let there = cycle + net.latency[channel as usize];
                let far = goal.map_or(0, |goal| goal[end as usize]);
                if far < FAR && there + far <= limit && !found.contains_key(&end) && !reached.contains_key(&end) {
                    open.push((Reverse(there), random.next() as u32, end, (channel, cycle)));
                }
            }
        }
        None
    }
}
