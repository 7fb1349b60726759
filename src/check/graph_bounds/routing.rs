//! The bound over all routings: prices of resources that prove most, found by a search whose result needs no trust.
//!
//! By duality the best prices prove what the linear program of fractional routes says, the maximum concurrent flow. The search is a
//! game (Garg and Könemann 1998; Freund and Schapire 1999): words take the cheapest routes, equal ones in equal parts, and
//! resources that carry much become dearer. Prices on average are then rounded to small integers, whose bound is computed afresh
//! and exactly. The loads on average are the linear program from the other side: where the two meet, the search ends.

use super::resources::{Resources, paid};
use super::subject::{FAR, Listed};
use std::collections::BTreeMap;

/// Channels of shortest ways that the search may look at.
const EFFORT: usize = 30_000_000;

/// Most rounds of the game.
const ROUNDS: usize = 400;

/// Growth of the price of the busiest resource in a round.
const STEP: f64 = 0.3;

/// Largest price in the game.
const UNIT: f64 = (1_u64 << 30) as f64;

/// Largest prices of rounded ones.
const SCALES: [u64; 21] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 20, 24, 32, 48, 64];

/// Prices that prove a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Priced {
    /// Price of each resource, by resource.
    pub prices: Vec<u64>,
    /// Sum that all words pay at least.
    pub paid: u128,
    /// Cycles that it takes.
    pub cycles: u64,
}

impl Priced {
    /// The bound of prices.
    pub fn new(listed: &Listed<'_>, resources: &Resources, prices: Vec<u64>) -> Self {
        let paid = paid(listed, &resources.lengths(&prices));
        let cycles = resources.cycles(&prices, paid);
        Self { prices, paid, cycles }
    }
}

/// Words by source: ends, of which the farthest counts, and their number.
type Groups = BTreeMap<usize, BTreeMap<Vec<usize>, f64>>;

/// Prices that prove more than `known` cycles, if the search finds some. It is for words that are not combined.
pub(super) fn search(listed: &Listed<'_>, resources: &Resources, known: u64) -> Option<Priced> {
    let groups = groups(listed)?;
    let sweep = groups.values().map(|ends| listed.channels.len() + ends.len()).sum::<usize>();
    let mut left = EFFORT;
    let mut best: Option<Priced> = None;
    // shares of the cycles in which a resource is of use
    let cycles = known.max(1) as f64;
    let share: Vec<f64> = resources.delays.iter().map(|&delay| 1.0 - delay.min(known / 2) as f64 / cycles).collect();
    let even = vec![1.0; share.len()];
    let mut weights: Vec<f64> = resources.delays.iter().map(|&delay| if delay < FAR { 1.0 } else { 0.0 }).collect();
    let (mut loads, mut average) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
    let mut checkpoint = 10;
    for round in 0..ROUNDS {
        let Some(rest) = left.checked_sub(sweep) else { return best };
        left = rest;
        let prices = scaled(&weights, &share, UNIT, 1);
        let now = resources.loads(&route(listed, &groups, &resources.lengths(&prices)));
        let part = 2.0 / (round as f64 + 2.0);
        let paid: f64 = prices.iter().map(|&price| price as f64).sum();
        for resource in 0..weights.len() {
            loads[resource] += part * (now[resource] - loads[resource]);
            average[resource] += part * (prices[resource] as f64 / paid - average[resource]);
        }
        let loaded = || (0..loads.len()).filter(|&resource| loads[resource] > 0.0);
        let most = loaded().map(|resource| loads[resource] + resources.delays[resource] as f64).fold(0.0, f64::max);
        // no prices prove more than this
        let ceiling = (most - 1e-6).ceil().max(0.0) as u64;
        if ceiling <= known {
            return best;
        }
        if round == checkpoint || round + 1 == ROUNDS || left < sweep * (SCALES.len() + 1) {
            checkpoint *= 2;
            for scale in SCALES {
                left = left.saturating_sub(sweep);
                let priced = Priced::new(listed, resources, scaled(&average, &even, scale as f64, 0));
                let so_far = best.as_ref().map_or(known, |best| best.cycles);
                best = best.filter(|best| best.cycles >= priced.cycles).or((priced.cycles > so_far).then_some(priced));
            }
            if best.as_ref().is_some_and(|best| best.cycles >= ceiling) || left < 2 * sweep {
                return best;
            }
        }
        let busiest = loaded().map(|resource| now[resource] / share[resource]).fold(1.0, f64::max);
        for resource in loaded() {
            weights[resource] *= 1.0 + STEP * now[resource] / share[resource] / busiest;
        }
    }
    best
}

/// Words by source, none if some are combined or there are none.
fn groups(listed: &Listed<'_>) -> Option<Groups> {
    let mut groups = Groups::new();
    for chunk in &listed.subject.demand.chunks {
        let [from] = chunk.from[..] else { return None };
        let to: Vec<usize> = chunk.to.iter().filter(|&&to| to != from).map(|to| to.index()).collect();
        *groups.entry(from.index()).or_default().entry(to).or_default() += 1.0;
    }
    (!groups.is_empty()).then_some(groups)
}

/// Integers in proportion to weights over shares, the largest of which is `unit`, none below `least`.
fn scaled(weights: &[f64], share: &[f64], unit: f64, least: u64) -> Vec<u64> {
    let prices = || weights.iter().zip(share).map(|(weight, share)| weight / share);
    let most = prices().fold(f64::MIN_POSITIVE, f64::max);
    prices().map(|price| ((price / most * unit).round() as u64).max(least)).collect()
}

/// Words by channel, if all take shortest ways, those of one length in equal parts.
fn route(listed: &Listed<'_>, groups: &Groups, lengths: &[u64]) -> Vec<f64> {
    let mut loads = vec![0.0; listed.channels.len()];
    for (&from, ends) in groups {
        let far = listed.ways([from], true, |channel| lengths[channel.number]);
        let far = &far;
        let mut order: Vec<usize> = (0..far.len()).filter(|&node| far[node] < FAR).collect();
        order.sort_unstable_by_key(|&node| (far[node], node));
        let mut words = vec![0.0; far.len()];
        for (to, count) in ends {
            let reached = to.iter().copied().filter(|&to| far[to] < FAR);
            reached.max_by_key(|&to| far[to]).into_iter().for_each(|to| words[to] += count);
        }
        let mut ways = vec![0.0; far.len()];
        ways[from] = 1.0;
        let shortest = |node: usize| {
            let out = listed.out[node].iter().map(|&number| listed.channels[number as usize]);
            out.filter(move |channel| far[node] + lengths[channel.number] == far[channel.dst])
        };
        for &node in &order {
            shortest(node).for_each(|channel| ways[channel.dst] += ways[node]);
        }
        for &node in order.iter().rev() {
            for channel in shortest(node) {
                let part = words[channel.dst] * ways[node] / ways[channel.dst];
                loads[channel.number] += part;
                words[node] += part;
            }
        }
    }
    loads
}
