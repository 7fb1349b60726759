//! Phases of an exchange: recursive doubling, and its like with larger groups and on nodes that are no power of two.
//!
//! Nodes have digits: those of their coordinates if these make a whole grid, else of their numbers. In a phase, nodes
//! that differ only in one digit, or only in some neighbouring digits, send each other all their words. After a phase
//! for each digit every node has all words. On a hypercube with digits of 2 these are the pairs of each dimension; on a
//! torus with a digit an axis, its rings.

use super::Problem;
use super::local_sums::Phase;
use super::spread::Word;
use crate::topology::Topology;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Most words times destinations of all phases.
const MOST: usize = 1 << 19;

/// Digits of the nodes that take part.
struct Digits {
    nodes: Vec<u32>,
    /// Number of values of each digit, by digit.
    radix: Vec<u32>,
    /// Digits of each node that takes part, by node, then by digit.
    values: Vec<Vec<u32>>,
    /// Range of digits of each axis, by axis.
    axes: Vec<Range<usize>>,
}

/// Ways to exchange: by the phases of each.
pub(super) fn ways(problem: &Problem) -> Vec<Vec<Phase>> {
    let chunks = &problem.demand.chunks;
    let Some(first) = chunks.first() else { return Vec::new() };
    let alike = |chunk: &crate::collective::demand::Chunk| {
        let ends: BTreeSet<u32> = chunk.to.iter().map(|node| node.get()).collect();
        chunk.from == first.from && ends.len() == chunk.from.len() && ends.iter().eq(&sorted(&chunk.from))
    };
    if !chunks.iter().all(alike) {
        return Vec::new();
    }
    let digits = Digits::of(problem, sorted(&first.from));
    let count = digits.radix.len();
    let mut cuts: Vec<Vec<Range<usize>>> = Vec::new();
    let mut add = |cut: Vec<Range<usize>>| {
        if cut.len() > 1 && !cuts.contains(&cut) {
            cuts.push(cut);
        }
    };
    for size in 1..count {
        add((0..count).step_by(size).map(|digit| digit..count.min(digit + size)).collect());
    }
    add(digits.axes.iter().filter(|axis| !axis.is_empty()).cloned().collect());
    let work = |cut: &Vec<Range<usize>>| {
        let others = |run: &Range<usize>| digits.radix[run.clone()].iter().product::<u32>() as usize - 1;
        cut.iter().map(others).sum::<usize>().saturating_mul(chunks.len() * digits.nodes.len())
    };
    let phases = |cut: Vec<Range<usize>>| cut.iter().map(|run| digits.phase(run, chunks.len() as u32)).collect();
    cuts.into_iter().filter(|cut| work(cut) <= MOST).map(phases).collect()
}

fn sorted(nodes: &[crate::id::NodeId]) -> Vec<u32> {
    let mut all: Vec<u32> = nodes.iter().map(|node| node.get()).collect();
    all.sort_unstable();
    all
}

/// Prime factors of a number, ascending.
fn primes(mut number: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut prime = 2;
    while number > 1 {
        if prime * prime > number {
            prime = number;
        }
        while number.is_multiple_of(prime) {
            found.push(prime);
            number /= prime;
        }
        prime += 1;
    }
    found
}

impl Digits {
    fn of(problem: &Problem, nodes: Vec<u32>) -> Self {
        let labels: Vec<Vec<u32>> = nodes.iter().map(|&node| problem.net.label((node as usize).into())).collect();
        let size = |axis: usize| labels.iter().filter_map(|label| label.get(axis)).max().map_or(0, |&most| most + 1);
        let length = labels.first().map_or(0, Vec::len);
        let sizes: Vec<u32> = (0..length).map(size).collect();
        let whole = labels.iter().all(|label| label.len() == length)
            && sizes.iter().try_fold(1_u32, |all, &size| all.checked_mul(size)) == Some(nodes.len() as u32)
            && labels.iter().collect::<BTreeSet<_>>().len() == nodes.len();
        let (places, sizes) = match whole {
            true => (labels, sizes),
            false => ((0..nodes.len() as u32).map(|number| vec![number]).collect(), vec![nodes.len() as u32]),
        };
        let (mut radix, mut axes) = (Vec::new(), Vec::new());
        for &size in &sizes {
            let first = radix.len();
            radix.extend(primes(size));
            axes.push(first..radix.len());
        }
        let of = |place: &Vec<u32>| {
            let mut digits = Vec::with_capacity(radix.len());
            for (&coordinate, axis) in place.iter().zip(&axes) {
                let mut rest = coordinate;
                for &radix in &radix[axis.clone()] {
                    digits.push(rest % radix);
                    rest /= radix;
                }
            }
            digits
        };
        let values = places.iter().map(of).collect();
        Self { nodes, radix, values, axes }
    }

    /// The phase in which nodes that differ in some digits alone send each other the sums of all chunks.
    fn phase(&self, digits: &Range<usize>, chunks: u32) -> Phase {
        let mut groups: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        for (&node, values) in self.nodes.iter().zip(&self.values) {
            let others = [&values[..digits.start], &values[digits.end..]].concat();
            groups.entry(others).or_default().push(node);
        }
        let mut phase = Vec::new();
        for chunk in 0..chunks {
            for group in groups.values() {
                let to = |from: u32| group.iter().copied().filter(|&node| node != from).collect();
                phase.extend(group.iter().map(|&from| Word { chunk, from, to: to(from) }));
            }
        }
        phase
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_prime_factors() {
        assert_eq!([1, 2, 12, 49, 97].map(primes), [vec![], vec![2], vec![2, 2, 3], vec![7, 7], vec![97]]);
    }
}
