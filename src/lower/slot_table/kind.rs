//! Operators that are built.

use crate::program::Operation;
use crate::spec::Operator;

/// Operator of an endpoint, in the order of the bits of `mn_slot_operator`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Sum modulo 2^bits.
    Sum,
    /// Smallest.
    Min,
    /// Largest.
    Max,
    /// Bitwise exclusive or.
    Xor,
}

impl Kind {
    /// The operator of an operation; none of a copy.
    pub fn of(operation: Operation, operator: Option<Operator>) -> Option<Self> {
        match operation {
            Operation::Copy | Operation::MultiplyAdd => None,
            Operation::Min => Some(Kind::Min),
            Operation::Max => Some(Kind::Max),
            Operation::Xor => Some(Kind::Xor),
            Operation::Combine => operator.map(|operator| match operator {
                Operator::Sum => Kind::Sum,
                Operator::Min => Kind::Min,
                Operator::Max => Kind::Max,
                Operator::Xor => Kind::Xor,
            }),
        }
    }

    /// Bit of `mn_slot_operator`.
    pub fn bit(self) -> u32 {
        self as u32
    }
}
