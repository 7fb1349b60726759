//! Relations on POPS from a specification: permutations by pattern, list or file, and lists of packets.

use crate::cli::{CliError, Exit};
use crate::collective::numbers::{self, NumbersError};
use crate::collective::relation::MAX_PACKETS;
use crate::collective::{Pattern, Relation, pattern};
use crate::spec::pops::{PatternName, PermutationSpec, RelationSpec};
use crate::spec::{CollectiveSpec, Diagnostic, Spec};
use std::path::Path;

/// Relation of a specification among `n` processors; its files are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a pattern, list or file that is no permutation of the processors.
pub(super) fn relation(spec: &Spec, n: u32, folder: &Path) -> Result<Relation, CliError> {
    Ok(match &spec.collective {
        CollectiveSpec::Permutation(collective) => Relation::Permutation(permutation(spec, collective, n, folder)?),
        CollectiveSpec::HRelation(collective) => Relation::Demands(demands(spec, collective, n, folder)?),
        CollectiveSpec::OneToAll(rooted) => Relation::OneToAll(rooted.clone()),
        CollectiveSpec::Gather(rooted) => Relation::Gather(rooted.clone()),
        CollectiveSpec::Scatter(rooted) => Relation::Scatter(rooted.clone()),
        _ => {
            at_most(spec, "network.g", u64::from(n) * u64::from(n - 1), "take fewer processors")?;
            Relation::AllToAll
        }
    })
}

/// Packets are listed one by one, so there is a limit.
fn at_most(spec: &Spec, field: &str, packets: u64, help: &str) -> Result<(), CliError> {
    if packets <= MAX_PACKETS {
        return Ok(());
    }
    let message = format!("these are {packets} packets, and a schedule has at most {MAX_PACKETS}");
    Err(bad(spec.diagnostic(field, message, help)))
}

fn bad(diagnostic: Diagnostic) -> CliError {
    CliError::AtSpec { exit: Exit::BadSpec, diagnostic: Box::new(diagnostic) }
}

fn permutation(spec: &Spec, collective: &PermutationSpec, n: u32, folder: &Path) -> Result<Vec<u32>, CliError> {
    if let Some(file) = &collective.file {
        return from_file(spec, "file", file, n, folder);
    }
    if !collective.permutation.is_empty() {
        let list: Vec<u64> = collective.permutation.iter().map(|&to| to.into()).collect();
        return numbers::permutation(&list, n).map_err(|error| {
            let message = format!("`permutation` is none of {n} processors: {error}");
            bad(spec.diagnostic("collective.permutation", message, EACH_ONCE))
        });
    }
    let random = |seed: Option<u64>| seed.unwrap_or(spec.schedule.seed);
    let (rows, columns) = (collective.rows.unwrap_or(1), collective.columns.unwrap_or(1));
    let named = match collective.pattern {
        None | Some(PatternName::Identity) => Pattern::Identity,
        Some(PatternName::Reversal) => Pattern::Reversal,
        Some(PatternName::Transpose) => Pattern::Transpose { rows, columns },
        Some(PatternName::Bpc) => {
            Pattern::Bpc { bits: collective.bits.clone(), complement: collective.complement.unwrap_or(0) }
        }
        Some(PatternName::Hypercube) => Pattern::Hypercube { dimension: collective.dimension.unwrap_or(0) },
        Some(PatternName::Mesh) => {
            let direction = collective.direction.unwrap_or(crate::spec::pops::Direction::Right);
            Pattern::Mesh { rows, columns, direction }
        }
        Some(PatternName::Random) => Pattern::Random { seed: random(collective.seed) },
    };
    let found = named
        .permutation(n)
        .map_err(|unfit| bad(spec.diagnostic(&format!("collective.{}", unfit.key), unfit.message, unfit.help)))?;
    Ok(match (&collective.mapping_file, collective.mapping_seed) {
        (Some(file), _) => pattern::mapped(&found, &from_file(spec, "mapping_file", file, n, folder)?),
        (None, Some(seed)) => pattern::mapped(&found, &pattern::random(n, seed)),
        (None, None) => found,
    })
}

const EACH_ONCE: &str = "name each processor once, from 0 on: entry i is where processor i's packet goes";

fn from_file(spec: &Spec, key: &str, file: &str, n: u32, folder: &Path) -> Result<Vec<u32>, CliError> {
    let field = format!("collective.{key}");
    let list = numbers::read(&folder.join(file)).map_err(|error| unread(spec, &field, &error))?;
    numbers::permutation(&list, n).map_err(|error| {
        let message = format!("`{file}` is no permutation of {n} processors: {error}");
        bad(spec.diagnostic(&field, message, EACH_ONCE))
    })
}

fn unread(spec: &Spec, field: &str, error: &NumbersError) -> CliError {
    let help = match error {
        NumbersError::Read { .. } => "a file's name is relative to the specification's folder",
        NumbersError::Kind { .. } => "write the numbers as .npy, .csv or .json",
        NumbersError::NoPairs { .. } => "write a source and a destination for each packet",
        _ => "write whole numbers from 0 on",
    };
    bad(spec.diagnostic(field, error.to_string(), help))
}

fn demands(spec: &Spec, collective: &RelationSpec, n: u32, folder: &Path) -> Result<Vec<(u32, u32)>, CliError> {
    if let Some(h) = collective.h {
        at_most(spec, "collective.h", u64::from(h) * u64::from(n), "take a smaller `h`, or fewer processors")?;
        let seed = collective.seed.unwrap_or(spec.schedule.seed);
        let one = |i: u32| (0..n).zip(pattern::random(n, seed.wrapping_add(u64::from(i) << 32)));
        return Ok((0..h).flat_map(one).collect());
    }
    let (field, list): (&str, Vec<(u64, u64)>) = match &collective.file {
        Some(file) => {
            let pairs = numbers::read_pairs(&folder.join(file));
            ("collective.file", pairs.map_err(|error| unread(spec, "collective.file", &error))?)
        }
        None => ("collective.demands", collective.demands.iter().map(|&[a, b]| (a.into(), b.into())).collect()),
    };
    let processor = |number: u64| u32::try_from(number).ok().filter(|&number| number < n);
    let pair = |(at, &(from, to)): (usize, &(u64, u64))| match (processor(from), processor(to)) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => {
            let message = format!("packet {at} goes from {from} to {to}, and the last processor is {}", n - 1);
            Err(bad(spec.diagnostic(field, message, format!("take processors from 0 to {}", n - 1))))
        }
    };
    list.iter().enumerate().map(pair).collect()
}
