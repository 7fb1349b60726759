//! Routes that share the load, then cycles for their transfers by list scheduling and compaction, from several starts.

use super::channels::Channels;
use super::order::Sequence;
use super::plan::Plan;
use super::random::Random;
use super::routes;
use super::size::Size;
use super::spread::{Word, least};
use crate::interrupt::search::{found, is_over};

/// Compactions without a shorter schedule after which a start is given up.
const STALE: u32 = 30;

/// Steps that stand for the ways of a word, by crossing of a channel.
const STEPS_A_CROSSING: u64 = 300;

/// Steps of an attempt, about.
pub(super) fn work(size: Size) -> u64 {
    size.crossings * STEPS_A_CROSSING
}

/// The shortest of the schedules that fit the effort; none if a node is out of reach.
pub(super) fn spread(net: &Channels, words: &[Word], mut steps: u64, random: &mut Random) -> Option<Plan> {
    let least = least(net, words)?;
    let mut best: Option<(u32, Plan)> = None;
    for start in 0.. {
        let mut plan = routes::spread(net, words, 2 * (start % 2), random)?;
        let sequence = Sequence::new(net, &plan, 0);
        let mut cycles = sequence.list(&priority(net, &plan, &sequence, start, random));
        let (mut end, mut stale) = (sequence.end(&cycles), 0);
        steps = steps.saturating_sub(20 * sequence.len() as u64);
        while end > least && stale < STALE && !is_over() && (steps > 0 || start == 0 && stale < 1) {
            cycles = sequence.compact(&cycles, random);
            stale += 1;
            if sequence.end(&cycles) < end {
                (end, stale) = (sequence.end(&cycles), 0);
            }
            steps = steps.saturating_sub(2 * sequence.len() as u64);
        }
        if best.as_ref().is_none_or(|best| end < best.0) {
            plan.transfers.iter_mut().zip(cycles).for_each(|(transfer, cycle)| transfer.cycle = cycle);
            found(end);
            best = Some((end, plan));
        }
        if steps == 0 || is_over() || best.as_ref().is_some_and(|best| best.0 <= least) {
            break;
        }
    }
    best.map(|best| best.1)
}

/// Priorities of transfers: by the way that is still to go, or by the load of the channels on it.
fn priority(net: &Channels, plan: &Plan, sequence: &Sequence<'_>, start: u32, random: &mut Random) -> Vec<u64> {
    let mut load = vec![0_u64; net.count()];
    plan.transfers.iter().for_each(|transfer| load[transfer.channel as usize] += 1);
    let busiest = load.iter().copied().max().unwrap_or(1).max(1);
    let cost = |channel: usize| match start % 3 {
        0 => u64::from(net.latency[channel]) << 16,
        1 => (load[channel] << 16) / busiest,
        _ => (u64::from(net.latency[channel]) * (busiest + load[channel])) << 16,
    };
    let tails = sequence.tails(&(0..net.count()).map(cost).collect::<Vec<u64>>());
    tails.into_iter().map(|tail| (tail << 8) | (random.next() & 0xff)).collect()
}
