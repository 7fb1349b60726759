//! Permutations and lists of packets of a specification: by pattern, by list or by file.

use super::demand::MAX_PACKETS;
use super::numbers::{self, NumbersError};
use super::pattern::{self, Pattern, Unfit};
use crate::collective::keys::{DemandKeys, Direction, PatternName, PermutationKeys};
use std::path::Path;

const EACH_ONCE: &str = "name each endpoint once, from 0 on: entry i is where endpoint i's packet goes";

/// Refuses more packets than a schedule lists.
///
/// # Errors
/// [`Unfit`] at a key, with a help.
pub fn at_most(key: &'static str, packets: u64, help: &str) -> Result<(), Unfit> {
    if packets <= MAX_PACKETS {
        return Ok(());
    }
    let message = format!("these are {packets} packets, and a schedule has at most {MAX_PACKETS}");
    Err(Unfit { key, message, help: help.to_owned() })
}

/// Permutation of `n` endpoints; its files are in `folder`, and `seed` is that of a random one without a seed of its own.
///
/// # Errors
/// [`Unfit`] for a pattern, list or file that is no permutation of the endpoints.
pub fn permutation(keys: &PermutationKeys, n: u32, folder: &Path, seed: u64) -> Result<Vec<u32>, Unfit> {
    if let Some(file) = &keys.file {
        return from_file("file", file, n, folder);
    }
    if !keys.permutation.is_empty() {
        let list: Vec<u64> = keys.permutation.iter().map(|&to| to.into()).collect();
        return numbers::permutation(&list, n).map_err(|error| {
            let message = format!("`permutation` is none of {n} endpoints: {error}");
            Unfit { key: "permutation", message, help: EACH_ONCE.to_owned() }
        });
    }
    let found = named(keys, seed).permutation(n)?;
    Ok(match (&keys.mapping_file, keys.mapping_seed) {
        (Some(file), _) => pattern::mapped(&found, &from_file("mapping_file", file, n, folder)?),
        (None, Some(seed)) => pattern::mapped(&found, &pattern::random(n, seed)),
        (None, None) => found,
    })
}

fn named(keys: &PermutationKeys, seed: u64) -> Pattern {
    let (rows, columns) = (keys.rows.unwrap_or(1), keys.columns.unwrap_or(1));
    match keys.pattern {
        None | Some(PatternName::Identity) => Pattern::Identity,
        Some(PatternName::Reversal) => Pattern::Reversal,
        Some(PatternName::Transpose) => Pattern::Transpose { rows, columns },
        Some(PatternName::Bpc) => Pattern::Bpc { bits: keys.bits.clone(), complement: keys.complement.unwrap_or(0) },
        Some(PatternName::Hypercube) => Pattern::Hypercube { dimension: keys.dimension.unwrap_or(0) },
        Some(PatternName::Mesh) => {
            Pattern::Mesh { rows, columns, direction: keys.direction.unwrap_or(Direction::Right) }
        }
        Some(PatternName::Random) => Pattern::Random { seed: keys.seed.unwrap_or(seed) },
    }
}

/// Packets between `n` endpoints as source and destination; files and seed as of [`permutation`].
///
/// # Errors
/// [`Unfit`] for a list or file that names something else than the endpoints, and for too many packets.
pub fn demands(keys: &DemandKeys, n: u32, folder: &Path, seed: u64) -> Result<Vec<(u32, u32)>, Unfit> {
    if let Some(h) = keys.h {
        at_most("h", u64::from(h) * u64::from(n), "take a smaller `h`, or fewer endpoints")?;
        let seed = keys.seed.unwrap_or(seed);
        let one = |i: u32| (0..n).zip(pattern::random(n, seed.wrapping_add(u64::from(i) << 32)));
        return Ok((0..h).flat_map(one).collect());
    }
    let (key, list): (&str, Vec<(u64, u64)>) = match &keys.file {
        Some(file) => ("file", numbers::read_pairs(&folder.join(file)).map_err(|error| unread("file", &error))?),
        None => ("demands", keys.demands.iter().map(|&[a, b]| (a.into(), b.into())).collect()),
    };
    let endpoint = |number: u64| u32::try_from(number).ok().filter(|&number| number < n);
    let pair = |(at, &(from, to)): (usize, &(u64, u64))| match (endpoint(from), endpoint(to)) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => {
            let message = format!("packet {at} goes from {from} to {to}, and the last endpoint is {}", n - 1);
            Err(Unfit { key, message, help: format!("take endpoints from 0 to {}", n - 1) })
        }
    };
    list.iter().enumerate().map(pair).collect()
}

fn from_file(key: &'static str, file: &str, n: u32, folder: &Path) -> Result<Vec<u32>, Unfit> {
    let list = numbers::read(&folder.join(file)).map_err(|error| unread(key, &error))?;
    numbers::permutation(&list, n).map_err(|error| {
        let message = format!("`{file}` is no permutation of {n} endpoints: {error}");
        Unfit { key, message, help: EACH_ONCE.to_owned() }
    })
}

fn unread(key: &'static str, error: &NumbersError) -> Unfit {
    let help = match error {
        NumbersError::Read { .. } => "a file's name is relative to the specification's folder",
        NumbersError::Kind { .. } => "write the numbers as .npy, .csv or .json",
        NumbersError::NoPairs { .. } => "write a source and a destination for each packet",
        _ => "write whole numbers from 0 on",
    };
    Unfit { key, message: error.to_string(), help: help.to_owned() }
}
