//! Any demand by an algorithm that spreads words. A combination goes along a tree of the algorithm, in reversed time on
//! the reversed channels.

use super::channels::Channels;
use super::order::Sequence;
use super::plan::{Plan, Transfer};
use super::random::Random;
use super::spread::{self, Word};
use super::{Effort, Made, Problem, write};
use crate::collective::demand::Chunk;
use crate::id::NodeId;
use crate::interrupt::search::part;

/// Steps of a search that a second of the time limit buys: transfers put into a cycle, or as much work.
pub(super) const STEPS_PER_SECOND: u64 = 4_000_000;

/// Compactions by which the two halves of a combination are pushed into each other.
const COMPACTIONS: usize = 30;

/// An algorithm that spreads words within some steps; none if it does not apply.
pub(super) type Spread<'a> = dyn FnMut(&Channels, &[Word], u64, &mut Random) -> Option<Plan> + 'a;

/// Roots of the combinations that several nodes are to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Roots {
    /// Separate root for each chunk.
    Shared,
    /// The node in the middle for all.
    Middle,
}

/// The schedule of a problem.
pub(super) fn schedule(
    problem: &Problem,
    effort: &Effort,
    algorithm: &'static str,
    spread: &mut Spread<'_>,
) -> Option<Made> {
    let net = Channels::of(problem);
    let chunks = &problem.demand.chunks;
    let steps = u64::from(effort.time_limit_s) * STEPS_PER_SECOND;
    let mut random = Random::new(effort.seed);
    let combined = |chunk: &Chunk| chunk.from.len() > 1;
    let plan = if !problem.demand.combines() {
        spread(&net, &words(chunks, |chunk| chunk.from[0]), steps, &mut random)
    } else if chunks.iter().any(|chunk| combined(chunk) && chunk.to.len() > 1) {
        let mut attempt = |roots| {
            let roots = self::roots(&net, chunks, roots);
            combine((&net, problem.operator), chunks, &roots, steps / 2, &mut random, spread)
        };
        let plans = [Roots::Shared, Roots::Middle].map(&mut attempt).into_iter().flatten();
        plans.min_by_key(|plan| (plan.cycles(&net), plan.transfers.len()))
    } else {
        let roots = roots(&net, chunks, Roots::Shared);
        combine((&net, problem.operator), chunks, &roots, steps, &mut random, spread)
    };
    Some(write::made(problem, &net, algorithm, plan?))
}

/// Lower bound on the cycles of the problem, of the bounds that are cheap to compute; 0 if there is none.
pub(super) fn least(problem: &Problem) -> u32 {
    let (net, chunks) = (Channels::of(problem), &problem.demand.chunks);
    let alone: Vec<Word> =
        (0..).zip(chunks).filter(|(_, c)| c.from.len() == 1).map(|(i, c)| word(i, c.from[0].get(), &c.to)).collect();
    let summed = (0..).zip(chunks).filter(|(_, c)| c.from.len() > 1 && c.to.len() == 1);
    let summed: Vec<Word> = summed.map(|(i, c)| word(i, c.to[0].get(), &c.from)).collect();
    let least = |net: &Channels, words: &[Word]| spread::least(net, words).unwrap_or(0);
    // a word may pass nodes that combine nothing
    least(&net, &alone).max(least(&net.reversed(), &summed))
}

/// The words of chunks that go out from their roots.
fn words(chunks: &[Chunk], root: impl Fn(&Chunk) -> NodeId) -> Vec<Word> {
    let word = |(number, chunk): (u32, &Chunk)| word(number, root(chunk).get(), &chunk.to);
    (0..).zip(chunks).map(word).collect()
}

fn word(chunk: u32, from: u32, ends: &[NodeId]) -> Word {
    Word { chunk, from, to: ends.iter().map(|node| node.get()).filter(|&node| node != from).collect() }
}

/// Root node from which the result of each chunk goes out, by chunk.
fn roots(net: &Channels, chunks: &[Chunk], roots: Roots) -> Vec<u32> {
    let farthest = |node: u32| net.distances(node).into_iter().max();
    let middle = (roots == Roots::Middle).then(|| (0..net.nodes() as u32).min_by_key(|&node| farthest(node))).flatten();
    let mut next = 0;
    let root = |chunk: &Chunk| match (&chunk.from[..], &chunk.to[..]) {
        ([one], _) | (_, [one]) => one.get(),
        (from, []) => from[0].get(),
        (_, to) => middle.unwrap_or_else(|| {
            next += 1;
            to[(next - 1) % to.len()].get()
        }),
    };
    chunks.iter().map(root).collect()
}

/// Plan in which chunks are combined at their roots, with combinations of `operator` cycles, and go out from there.
fn combine(
    (net, operator): (&Channels, u32),
    chunks: &[Chunk],
    roots: &[u32],
    steps: u64,
    random: &mut Random,
    spread: &mut Spread<'_>,
) -> Option<Plan> {
    let numbered = || (0..).zip(chunks.iter().zip(roots));
    let together = numbered().filter(|(_, (chunk, _))| chunk.from.len() > 1);
    let sums: Vec<Word> = together.map(|(number, (chunk, &root))| word(number, root, &chunk.from)).collect();
    let out: Vec<Word> = numbered().map(|(number, (chunk, &root))| word(number, root, &chunk.to)).collect();
    // what comes in is combined before it goes on
    let turned = net.reversed().longer(operator);
    let first = part(|| spread(&turned, &sums, steps / 2, random))?.reversed(&turned);
    let then = match out.iter().any(|word| !word.to.is_empty()) {
        true => part(|| spread(net, &out, steps / 2, random))?,
        false => Plan::default(),
    };
    let since = first.cycles(net) + operator;
    let later = |&transfer: &Transfer| Transfer { cycle: transfer.cycle + since, ..transfer };
    let mut plan = Plan::new(first.transfers.iter().copied().chain(then.transfers.iter().map(later)).collect());
    let sequence = Sequence::new(net, &plan, operator);
    let mut cycles: Vec<u32> = plan.transfers.iter().map(|transfer| transfer.cycle).collect();
    for _ in 0..COMPACTIONS {
        cycles = sequence.compact(&cycles, random);
    }
    plan.transfers.iter_mut().zip(cycles).for_each(|(transfer, cycle)| transfer.cycle = cycle);
    Some(plan)
}
