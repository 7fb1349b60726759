//! Faults of the schedule of a product.

use crate::program::form::swapped_dragonfly::product::{Stage, Term};
use std::fmt;

/// Fault of a product: a conflict, a send too early, or a wrong result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProductFault {
    /// Sizes that do not fit each other, or a router that is not there.
    #[error("the schedule is for another network or order; the algorithm does not fit this network")]
    Malformed,
    /// Two packets want one channel in one cycle.
    #[error(
        "cycle {cycle}: {} and {} both want {port} of router {at}; start one of their rounds in another cycle",
        Value(terms[0]), Value(terms[1])
    )]
    Clash {
        /// Cycle of the fault.
        cycle: u32,
        /// Router of the fault.
        at: String,
        /// Name of the port.
        port: String,
        /// Terms of the two packets.
        terms: [Term; 2],
    },
    /// Packet that arrives at no router.
    #[error("cycle {cycle}: {} leaves router {at} and arrives nowhere; its header has no hop left", Value(*term))]
    Lost {
        /// Cycle of the fault.
        cycle: u32,
        /// The router that sends it.
        at: String,
        /// Term of the packet.
        term: Term,
    },
    /// Send of a value that the router does not have.
    #[error("cycle {cycle}: router {at} sends {}, which it never has", Value(*term))]
    NotThere {
        /// Cycle of the fault.
        cycle: u32,
        /// Router of the fault.
        at: String,
        /// Term that is sent.
        term: Term,
    },
    /// A router sends a sum before all terms are in.
    #[error("cycle {cycle}: router {at} sends {}, which is complete in cycle {ready}; start its round later", Value(*term))]
    NotReady {
        /// Cycle of the fault.
        cycle: u32,
        /// Router of the fault.
        at: String,
        /// Term that is sent.
        term: Term,
        /// The first cycle in which it may.
        ready: u32,
    },
    /// A value comes to a router that has no use for it.
    #[error("{} comes to router {at}, which has no part of the matrix for it", Value(*term))]
    Useless {
        /// Router of the fault.
        at: String,
        /// Term that arrives.
        term: Term,
    },
    /// An element of the result is not where it should be, or somewhere twice.
    #[error("{} is at {found} routers instead of at {at} alone", Value(*term))]
    Misplaced {
        /// Router that should have it.
        at: String,
        /// The element of the result.
        term: Term,
        /// Number of routers that have it.
        found: u32,
    },
    /// An element of the result has another number of terms, or another value, than it should.
    #[error("{} at router {at} is {value} of {terms} terms instead of {expected} of {wanted}", Value(*term))]
    Wrong {
        /// Router of the fault.
        at: String,
        /// The element of the result.
        term: Term,
        /// Value of the element for random operands.
        value: u64,
        /// Terms that it is the sum of.
        terms: u64,
        /// The value by the definition.
        expected: u64,
        /// Number of terms by the definition.
        wanted: u64,
    },
}

/// A value in words.
pub struct Value(pub Term);

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Term { stage, vector, element } = self.0;
        let what = match stage {
            Stage::Operand => "element",
            Stage::Product => "the product for element",
            Stage::Sum => "the partial sum for element",
            Stage::Result | Stage::Returned => "element of the result",
        };
        write!(f, "{what} {element} of vector {vector}")
    }
}
