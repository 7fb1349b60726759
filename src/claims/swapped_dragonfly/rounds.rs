//! Rounds of an all-to-all, the paper's and those of windows: their starts, and their conflicts.

use super::walk::{Net, Reservations};
use crate::topology::swapped_dragonfly::SourceVector;

/// Vectors that all routers send at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// Index of each π in its coset.
    pub a: u32,
    /// Index of each δ in its coset.
    pub b: u32,
    /// Source vectors of the round.
    pub vectors: Vec<SourceVector>,
}

/// Rounds of s vectors, from the paper's disagreeable arrays (section 3), in the paper's order: by φ = μ + νs, then by
/// a, b and c.
pub fn disagreeable(k: u32, m: u32, s: u32) -> Vec<Round> {
    let (cosets_k, cosets_m) = (k / s, m / s);
    let mut rounds = Vec::new();
    for (mu, nu) in (0..s * s).map(|phi| (phi % s, phi / s)) {
        for lambda in 0..cosets_k * cosets_m * cosets_m {
            let (a, b, c) = (lambda % cosets_m, lambda / cosets_m % cosets_m, lambda / cosets_m / cosets_m);
            let vector = |t| SourceVector { gamma: t + c * s, pi: (t + mu) % s + a * s, delta: (t + nu) % s + b * s };
            rounds.push(Round { a, b, vectors: (0..s).map(vector).collect() });
        }
    }
    rounds
}

/// Rounds of min(K,M) vectors, for any K and M: the fields of a round run through windows side by side.
pub fn windows(k: u32, m: u32) -> Vec<Vec<SourceVector>> {
    let vector = |x, y, t| match k <= m {
        true => SourceVector { gamma: t, pi: (x + t) % m, delta: (y + t) % m },
        false => SourceVector { gamma: (x + t) % k, pi: t, delta: (y + t) % m },
    };
    let starts = (0..k.max(m)).flat_map(|x| (0..m).map(move |y| (x, y)));
    starts.map(|(x, y)| (0..k.min(m)).map(|t| vector(x, y, t)).collect()).collect()
}

/// Sends rounds from all routers, each at its cycle, hop by hop, and gives the cycles that it takes.
///
/// # Errors
/// A clash, or a packet that two vectors or none deliver.
pub fn run<'a>(net: Net, rounds: impl Iterator<Item = (u32, &'a [SourceVector])>) -> Result<u32, String> {
    run_times(net, rounds, 1)
}

/// Number of cycles of [`run`] with `packets` packets from every router to every router.
///
/// # Errors
/// A clash, or packets that more vectors deliver than they are, or fewer.
pub fn run_times<'a>(
    net: Net,
    rounds: impl Iterator<Item = (u32, &'a [SourceVector])>,
    packets: u32,
) -> Result<u32, String> {
    let mut reservations = Reservations::new(net);
    let routers = net.nodes().count();
    let mut delivered = vec![0; routers * routers];
    for (number, (start, vectors)) in (0u32..).zip(rounds) {
        for v in vectors {
            let ends = reservations.launch(start, *v, number).map_err(|clash| {
                let [first, second] = clash.who;
                format!("{clash}, of rounds {first} and {second}, the second sending {v} in cycle {start}")
            })?;
            ends.into_iter().enumerate().for_each(|(from, to)| delivered[from * routers + net.index(to)] += 1);
        }
    }
    match delivered.iter().find(|times| **times != packets) {
        Some(times) => Err(format!("a packet is delivered {times} times")),
        None => Ok(reservations.cycles()),
    }
}

/// Number of cycles of [`run`] with the paper's rounds.
pub fn run_paper(net: Net, rounds: &[Round], starts: impl Iterator<Item = u32>) -> Result<u32, String> {
    run(net, starts.zip(rounds.iter().map(|round| round.vectors.as_slice())))
}

/// A round a cycle, but for those that a condition on (a,b) delays by one.
pub fn starts_delayed_if(rounds: &[Round], delayed: impl Fn(u32, u32) -> bool) -> impl Iterator<Item = u32> {
    rounds.iter().zip(0..).scan(0, move |delays, (round, i)| {
        *delays += u32::from(delayed(round.a, round.b));
        Some(i + *delays)
    })
}

/// A round a cycle, but for those that would clash, which start as soon as they do not.
pub fn starts_delayed_as_needed(rounds: &[Round]) -> Vec<u32> {
    let mut starts: Vec<u32> = Vec::new();
    for round in rounds {
        let clashes = |start: u32| {
            let before = starts.iter().rposition(|earlier| earlier + 2 == start).map(|i| &rounds[i]);
            before.is_some_and(|before| {
                let last_hops: Vec<u32> = before.vectors.iter().map(|v| v.pi).collect();
                round.vectors.iter().any(|v| v.delta != 0 && last_hops.contains(&v.delta))
            })
        };
        let first = starts.last().map_or(0, |last| last + 1);
        starts.push((first..).find(|start| !clashes(*start)).unwrap_or(first));
    }
    starts
}

/// The paper's rounds in an order in which none is delayed, m being M/s: two cycles after a round comes one whose b
/// follows its a. With a round for an arrow from b - 1 to a, that is a circuit along all arrows, cut in half and
/// interleaved.
pub fn without_delays(rounds: Vec<Round>, m: u32) -> Vec<Round> {
    let mut leaving = vec![Vec::new(); m as usize];
    rounds.into_iter().for_each(|round| leaving[((round.b + m - 1) % m) as usize].push(round));
    let (mut at, mut way, mut circuit) = (0, Vec::new(), Vec::new());
    loop {
        match leaving[at as usize].pop() {
            Some(round) => {
                at = round.a;
                way.push(round);
            }
            None => {
                let Some(round) = way.pop() else { break };
                at = (round.b + m - 1) % m;
                circuit.push(round);
            }
        }
    }
    circuit.reverse();
    let second = circuit.split_off(circuit.len().div_ceil(2));
    let mut second = second.into_iter();
    circuit.into_iter().flat_map(|round| std::iter::once(round).chain(second.next())).collect()
}

/// Two rounds every four cycles: 0, 1, 4, 5, 8, ….
pub fn starts_in_pairs() -> impl Iterator<Item = u32> {
    (0..).map(|i| i / 2 * 4 + i % 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::swapped_dragonfly::Group;

    const NET: Net = Net::new(4, 4, Group::Cyclic);

    #[test]
    fn a_round_twice_and_a_round_missing_are_noticed() {
        let rounds = disagreeable(4, 4, 2);
        let starts = || (0..).step_by(3);
        assert_eq!(run_paper(NET, &rounds, starts()), Ok(3 * 32));
        let missing = run_paper(NET, &rounds[1..], starts()).expect_err("incomplete");
        assert!(missing.contains("0 times"), "{missing}");
        let twice: Vec<_> = rounds.iter().chain(&rounds[..1]).cloned().collect();
        assert!(run_paper(NET, &twice, starts()).is_err());
    }

    #[test]
    fn rounds_too_close_are_noticed() {
        let clash = run_paper(NET, &disagreeable(4, 4, 2), 0..).expect_err("no delays");
        assert!(clash.contains("in cycle"), "{clash}");
    }
}
