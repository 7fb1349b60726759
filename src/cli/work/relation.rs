//! Relations on POPS from a specification: permutations by pattern, list or file, and lists of packets.

use crate::cli::{CliError, Exit};
use crate::collective::pattern::Unfit;
use crate::collective::{Relation, specified};
use crate::spec::{CollectiveSpec, Spec};
use std::path::Path;

/// Relation of a specification among `n` processors; its files are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a pattern, list or file that is no permutation of the processors.
pub(super) fn relation(spec: &Spec, n: u32, folder: &Path) -> Result<Relation, CliError> {
    let (seed, bad) = (spec.schedule.seed, |error| unfit(spec, error));
    Ok(match &spec.collective {
        CollectiveSpec::Permutation(collective) => {
            Relation::Permutation(specified::permutation(&collective.to, n, folder, seed).map_err(bad)?)
        }
        CollectiveSpec::HRelation(collective) => {
            Relation::Demands(specified::demands(&collective.pairs, n, folder, seed).map_err(bad)?)
        }
        CollectiveSpec::OneToAll(rooted) => Relation::OneToAll(rooted.clone()),
        CollectiveSpec::Gather(rooted) => Relation::Gather(rooted.clone()),
        CollectiveSpec::Scatter(rooted) => Relation::Scatter(rooted.clone()),
        _ => {
            let packets = u64::from(n) * u64::from(n - 1);
            specified::at_most("kind", packets, "take fewer processors").map_err(bad)?;
            Relation::AllToAll
        }
    })
}

/// Error of a collective that does not fit the network's endpoints, at its key: [`CliError::AtSpec`] with [`Exit::BadSpec`].
pub(super) fn unfit(spec: &Spec, Unfit { key, message, help }: Unfit) -> CliError {
    let diagnostic = Box::new(spec.diagnostic(&format!("collective.{key}"), message, help));
    CliError::AtSpec { exit: Exit::BadSpec, diagnostic }
}
