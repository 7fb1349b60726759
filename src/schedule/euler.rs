//! Euler circuits of complete digraphs with loops, as nested counters.
//!
//! Let a round use ports of class b first and of class a last. Any round that does not start with class a may follow it
//! one clash distance later. Rounds as edges b → a+c of the digraph on all classes turn an order without delays into an
//! Euler circuit. Steps by a fixed difference give a circuit that counters can produce. On Z_n, the walk v → v-j → v+1
//! → v+1-j → … has n double steps. It uses every edge of difference -j and every edge of difference j+1, and returns to
//! its start. So the circuits for j = 0, 1, …, joined at vertex 0, are an Euler circuit.

use crate::program::form::swapped_dragonfly::counter::{Affine, Step};

/// An Euler circuit of the complete digraph with loops on Z_n, n ≥ 1, that starts and ends at vertex 0.
///
/// `edge(tail, head)` makes a row; vertices are affine in the counters and to be read modulo n. The circuit's loops are
/// nested in `depth` others. Where n is even (but for n = 2) the first half of the circuit is closed, too.
pub fn complete(n: u32, depth: usize, edge: impl Fn(Affine, Affine) -> Step) -> Vec<Step> {
    let pairs = |first: u32, count: u32| Step::Loop {
        count,
        body: vec![Step::Loop {
            count: n,
            body: {
                let j = Affine::counter(depth).offset(i64::from(first)).times(-1);
                let v = Affine::counter(depth + 1);
                let between = v.clone().plus(&j);
                vec![edge(v.clone(), between.clone()), edge(between, v.offset(1))]
            },
        }],
    };
    let steps = if n % 2 == 1 {
        // The difference (n+1)/2 is its own partner: n single steps of it.
        let half = i64::from(n.div_ceil(2));
        let v = Affine::counter(depth);
        let double = vec![edge(v.clone(), v.clone().offset(half)), edge(v.clone().offset(half), v.offset(1))];
        let last = edge(Affine::constant(i64::from(n / 2)), Affine::constant(0));
        vec![pairs(0, n / 2), Step::Loop { count: n / 2, body: double }, last]
    } else if n % 4 == 2 && n > 2 {
        // n/2 double circuits have no closed half: regroup the differences {0,1} and {-1,2} as {0,-1,2} and {1}.
        let v = || Affine::counter(depth);
        let triple = vec![edge(v(), v()), edge(v(), v().offset(-1)), edge(v().offset(-1), v().offset(1))];
        let single = vec![edge(v(), v().offset(1))];
        let (first, second) = ((n / 2 - 3) / 2, (n / 2 - 1) / 2);
        vec![
            Step::Loop { count: n, body: triple },
            pairs(2, first),
            Step::Loop { count: n, body: single },
            pairs(2 + first, second),
        ]
    } else {
        vec![pairs(0, n / 2)]
    };
    steps.into_iter().filter(|s| s.rows() > 0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::form::swapped_dragonfly::counter::{CounterProgram, RowForm};

    #[test]
    fn every_edge_once_and_closed() {
        for n in 1..40 {
            let edge = |tail, head| Step::Row(RowForm { gamma: Affine::constant(0), pi: head, delta: tail, length: 1 });
            let program = CounterProgram {
                k: 1,
                m: n,
                global_block: 1,
                local_block: n,
                chain: complete(n, 0, edge),
                starts: vec![0],
                burst: None,
            };
            let edges: Vec<(u32, u32)> = program.chain_order().iter().map(|r| (r.delta, r.pi)).collect();
            assert_eq!(edges.len() as u32, n * n);
            assert_eq!((edges[0].0, edges[edges.len() - 1].1), (0, 0));
            assert!(edges.windows(2).all(|w| w[0].1 == w[1].0), "{n}: {edges:?}");
            if n % 2 == 0 && n > 2 {
                assert_eq!(edges[edges.len() / 2].0, 0, "{n}");
            }
            let mut sorted = edges;
            sorted.sort();
            sorted.dedup();
            assert_eq!(sorted.len() as u32, n * n);
        }
    }
}
