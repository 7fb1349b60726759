//! Collectives on whole fat cubes, in as few steps as the bounds allow wherever that is known how.
//!
//! All-to-all and all-gather are *symmetric*: if a processor sends along displacement δ of its router in a step, the
//! processors of its number at all other routers do, too. So all channels of a dimension are used equally often. A step
//! is then a choice of displacements. No dimension is used more than f times, and no processor of a router sends or
//! receives more than k packets. Broadcast, scatter and gather choose link-disjoint paths by maximum flow, step by
//! step.

mod all_gather;
mod all_to_all;
mod broadcast;
mod disjoint;
mod local;
mod matchings;
mod paper;
mod paths;
mod repair;
mod scatter;
mod search;
mod several;
mod shape;

pub(super) use paper::Paper;

use super::circuits::made;
use super::{Effort, Made, Problem, Scheduler};
use paths::laid;
use search::Search;
use shape::{Kind, Shape};

/// The algorithm: constructions, and small searches.
pub(super) struct FatCubeScheduler;

impl Scheduler for FatCubeScheduler {
    fn name(&self) -> &'static str {
        "fat-cube"
    }

    fn about(&self) -> &'static str {
        "fat cubes: the same displacements at every router, or disjoint paths by flow, in as few steps as the search finds"
    }

    fn is_circuit(&self) -> bool {
        true
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        let shape = Shape::of(problem)?;
        let mut search = Search::new(effort);
        let paths = match shape.kind {
            Kind::AllToAll => all_to_all::paths(&shape, &mut search),
            Kind::AllGather => all_gather::paths(&shape, &mut search),
            Kind::Broadcast(root) => broadcast::paths(&shape, root, &mut search),
            Kind::Scatter(root) => scatter::paths(&shape, root, false),
            Kind::Gather(root) => scatter::paths(&shape, root, true),
        };
        Some(made(&problem.net, &problem.demand, self.name(), laid(shape.net, paths?)?))
    }
}
