//! Permutations by name, from papers on POPS. Some are steps of a hypercube or of a mesh, under any mapping of their
//! nodes to endpoints (Mei and Rizzi, section 2).

use crate::collective::keys::Direction;
use crate::hash::split_mix_64;

/// A permutation of n nodes by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// π(i) = i.
    Identity,
    /// π(i) = n-1-i.
    Reversal,
    /// Element (r,c) of a matrix of `rows` × `columns`, at r·columns + c, goes to c·rows + r.
    Transpose {
        /// Rows of the matrix.
        rows: u32,
        /// Columns of the matrix.
        columns: u32,
    },
    /// Bit j of π(i) is bit `bits[j]` of i, inverted if bit j of `complement` is set.
    Bpc {
        /// Bit of i that each bit of π(i) is.
        bits: Vec<u32>,
        /// Bits that are inverted, as a number.
        complement: u32,
    },
    /// π(i) = i with one bit inverted.
    Hypercube {
        /// Number of the bit that is inverted.
        dimension: u32,
    },
    /// Node (r,c) at r·columns + c goes one step, with wraparound.
    Mesh {
        /// Rows of the mesh.
        rows: u32,
        /// Columns of the mesh.
        columns: u32,
        /// Direction of the step.
        direction: Direction,
    },
    /// Any permutation, each as likely as the others.
    Random {
        /// Seed of the random numbers.
        seed: u64,
    },
}

/// Error of a pattern that is no permutation of n nodes: the key at fault, a message and a help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// Name of the key.
    pub key: &'static str,
    /// Description of the error.
    pub message: String,
    /// Correction that the user can make.
    pub help: String,
}

impl Pattern {
    /// π(0), …, π(n-1).
    ///
    /// # Errors
    /// [`Unfit`] if the pattern is of another size than n.
    pub fn permutation(&self, n: u32) -> Result<Vec<u32>, Unfit> {
        self.fits(n)?;
        Ok(match self {
            Pattern::Identity => (0..n).collect(),
            Pattern::Reversal => (0..n).rev().collect(),
            Pattern::Transpose { rows, columns } => (0..n).map(|i| i % columns * rows + i / columns).collect(),
            Pattern::Bpc { bits, complement } => {
                let of = |i: u32| (0..).zip(bits).map(|(j, &from)| (i >> from & 1) << j).sum::<u32>() ^ complement;
                (0..n).map(of).collect()
            }
            Pattern::Hypercube { dimension } => (0..n).map(|i| i ^ 1 << dimension).collect(),
            Pattern::Mesh { rows, columns, direction } => {
                let of = |i: u32| {
                    let (r, c) = (i / columns, i % columns);
                    let (r, c) = match direction {
                        Direction::Up => ((r + rows - 1) % rows, c),
                        Direction::Down => ((r + 1) % rows, c),
                        Direction::Left => (r, (c + columns - 1) % columns),
                        Direction::Right => (r, (c + 1) % columns),
                    };
                    r * columns + c
                };
                (0..n).map(of).collect()
            }
            Pattern::Random { seed } => random(n, *seed),
        })
    }

    fn fits(&self, n: u32) -> Result<(), Unfit> {
        let unfit = |key, message: String, help: String| Err(Unfit { key, message, help });
        let power = |key: &'static str| match n.is_power_of_two() {
            true => Ok(n.trailing_zeros()),
            false => Err(Unfit {
                key,
                message: format!("this pattern needs a power of two of endpoints, and there are {n}"),
                help: "take a network with a power of two of endpoints, or another pattern".into(),
            }),
        };
        match self {
            Pattern::Transpose { rows, columns } | Pattern::Mesh { rows, columns, .. }
                if u64::from(*rows) * u64::from(*columns) != u64::from(n) =>
            {
                let message = format!("{rows} × {columns} is not the number of endpoints, {n}");
                unfit("rows", message, format!("take `rows` and `columns` whose product is {n}"))
            }
            Pattern::Hypercube { dimension } => match power("pattern")? {
                0 => unfit("dimension", "one endpoint has no bits".into(), "take more endpoints".into()),
                k if *dimension >= k => {
                    let help = format!("take `dimension` from 0 to {}", k - 1);
                    unfit("dimension", format!("{n} endpoints are numbered in {k} bits"), help)
                }
                _ => Ok(()),
            },
            Pattern::Bpc { bits, complement } => {
                let k = power("pattern")?;
                let mut sorted = bits.clone();
                sorted.sort_unstable();
                if !sorted.iter().copied().eq(0..k) {
                    let message = format!("{n} endpoints are numbered in {k} bits, and `bits` does not name each once");
                    return unfit("bits", message, format!("write each of the numbers below {k} once"));
                }
                match *complement < n {
                    true => Ok(()),
                    false => unfit(
                        "complement",
                        format!("{complement} has more than {k} bits"),
                        format!("take less than {n}"),
                    ),
                }
            }
            _ => Ok(()),
        }
    }
}

/// A random permutation (Fisher and Yates's shuffle).
pub fn random(n: u32, seed: u64) -> Vec<u32> {
    let mut all: Vec<u32> = (0..n).collect();
    for i in (1..all.len()).rev() {
        let draw = (u128::from(split_mix_64(seed, i as u64)) * (i as u128 + 1)) >> 64;
        all.swap(i, draw as usize);
    }
    all
}

/// The step of a pattern among endpoints: node i of the pattern is endpoint `mapping[i]`.
pub fn mapped(permutation: &[u32], mapping: &[u32]) -> Vec<u32> {
    let mut result = vec![0; permutation.len()];
    for (node, &to) in permutation.iter().enumerate() {
        result[mapping[node] as usize] = mapping[to as usize];
    }
    result
}
