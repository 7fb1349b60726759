//! Collectives of specifications: the rule of each kind.

use super::{
    AllGather, AllReduce, AllToAll, Broadcast, Definition, DefinitionError, Gather, HRelation, Permutation, Reduce,
    ReduceScatter, Rule, Scatter,
};
use crate::collective::pattern::Unfit;
use crate::collective::specified;
use crate::id::NodeId;
use crate::spec::GeneralCollective;
use crate::spec::general_collective::BlockSpec;
use std::path::Path;
use std::rc::Rc;

/// Collective of a specification among `endpoints`. Its files are in `folder`, and `seed` is that of random choices without a seed of
/// their own.
///
/// # Errors
/// [`Unfit`] at a key of `[collective]` that does not fit the endpoints.
pub fn of(collective: &GeneralCollective, endpoints: &[NodeId], folder: &Path, seed: u64) -> Result<Definition, Unfit> {
    let n = endpoints.len() as u32;
    let rule: Rc<dyn Rule> = match collective {
        GeneralCollective::AllToAll(_) => Rc::new(AllToAll),
        GeneralCollective::AllGather(_) => Rc::new(AllGather),
        GeneralCollective::Broadcast(spec) => Rc::new(Broadcast { root: spec.root }),
        GeneralCollective::Gather(spec) => Rc::new(Gather { root: spec.root }),
        GeneralCollective::Scatter(spec) => Rc::new(Scatter { root: spec.root }),
        GeneralCollective::Reduce(spec) => Rc::new(Reduce { operator: spec.sums.op, root: spec.root }),
        GeneralCollective::ReduceScatter(spec) => Rc::new(ReduceScatter { operator: spec.op }),
        GeneralCollective::AllReduce(spec) => Rc::new(AllReduce { operator: spec.op }),
        GeneralCollective::Permutation(spec) => {
            Rc::new(Permutation { to: specified::permutation(&spec.to, n, folder, seed)? })
        }
        GeneralCollective::HRelation(spec) => {
            Rc::new(HRelation::new(specified::demands(&spec.pairs, n, folder, seed)?))
        }
    };
    let BlockSpec { words, repeat, .. } = collective.blocks();
    Definition::new(rule, endpoints, words, repeat).map_err(|error| unfit(&error))
}

fn unfit(error: &DefinitionError) -> Unfit {
    let (key, help) = match error {
        DefinitionError::Root { endpoints, .. } => ("root", format!("take `root` from 0 to {}", endpoints - 1)),
        DefinitionError::TooMany { .. } => ("kind", "take fewer words, or a smaller network".to_owned()),
        _ => ("kind", "take another collective, or another network".to_owned()),
    };
    Unfit { key, message: error.to_string(), help }
}
