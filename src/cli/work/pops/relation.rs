//! Relations on POPS from a specification, permutations by pattern, list or file, and lists of packets, with the request to schedule them.

use crate::cli::CliError;
use crate::collective::pops::Relation;
use crate::collective::specified;
use crate::schedule::pops::PopsRequest;
use crate::spec::{CollectiveSpec, Spec};
use std::path::Path;

/// Relation of a specification among `n` processors, whose files are in `folder`, and the request to schedule it.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a pattern, list or file that is no permutation of the processors.
pub(super) fn relation(spec: &Spec, n: u32, folder: &Path) -> Result<(Relation, PopsRequest), CliError> {
    let (time_limit_s, seed) = (spec.schedule.time_limit_s, spec.schedule.seed);
    let mut request = PopsRequest { time_limit_s, seed, ..PopsRequest::new(Default::default()) };
    let bad = |error| CliError::unfit(spec, error);
    let relation = match &spec.collective {
        CollectiveSpec::Permutation(collective) => {
            request.permutation = collective.algorithm;
            Relation::Permutation(specified::permutation(&collective.to, n, folder, seed).map_err(bad)?)
        }
        CollectiveSpec::HRelation(collective) => {
            request.relation = collective.algorithm;
            Relation::Demands(specified::demands(&collective.pairs, n, folder, seed).map_err(bad)?)
        }
        CollectiveSpec::OneToAll(rooted) => Relation::OneToAll(rooted.clone()),
        CollectiveSpec::Gather(rooted) => Relation::Gather(rooted.clone()),
        CollectiveSpec::Scatter(rooted) => Relation::Scatter(rooted.clone()),
        CollectiveSpec::AllToAll(_) => {
            let packets = u64::from(n) * u64::from(n - 1);
            specified::at_most("kind", packets, "take fewer processors").map_err(bad)?;
            Relation::AllToAll
        }
        other => return Err(CliError::Internal(format!("{} on POPS", other.kind()))), // the parser refuses it
    };
    Ok((relation, request))
}
