//! Faults of a program of exchanges, with step, hop and router.

/// Fault of a program of exchanges.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExchangeError {
    /// Malformed program: no hypercube, no words, or a dimension or way that does not exist.
    #[error(
        "the program has no words or steps, or a dimension, port or way that D3({k},{m}) of this arithmetic does not have"
    )]
    Malformed {
        /// K of the network.
        k: u32,
        /// M of the network.
        m: u32,
    },
    /// Two words want one way out.
    #[error("words of step {} and of step {} both want {port} in cycle {cycle}, at every router; start the steps at other distances", steps[0], steps[1])]
    Conflict {
        /// The way out.
        port: String,
        /// Cycle of the fault.
        cycle: u32,
        /// Numbers of the two steps, from 0.
        steps: [usize; 2],
    },
    /// A word leaves too early.
    #[error(
        "step {step} sends word {word} in cycle {cycle}, but it is there from cycle {ready} on; start the step later"
    )]
    Early {
        /// Step of the fault.
        step: usize,
        /// Number of the word in a node's words, from 0.
        word: u32,
        /// The cycle in which it leaves.
        cycle: u32,
        /// The first cycle in which it can.
        ready: u32,
    },
    /// Operands do not arrive together.
    #[error("the operands of step {step} arrive in different cycles, and no register holds the first of them")]
    Apart {
        /// Step of the fault.
        step: usize,
    },
    /// An operand twice, or one that the step cannot use.
    #[error("step {step} gets an operand twice, or lacks one")]
    Operands {
        /// Step of the fault.
        step: usize,
    },
    /// Two words for one operator.
    #[error(
        "a router gets operands of two words in cycle {cycle}, in step {step} and the one before, and has one operator"
    )]
    Operator {
        /// Number of the later step, from 0.
        step: usize,
        /// Cycle of the fault.
        cycle: u32,
    },
    /// A node is not where the program takes it to be.
    #[error("step {step}: router {at} gets the value of another node than its action expects")]
    Misplaced {
        /// Step of the fault.
        step: usize,
        /// Router of the fault.
        at: String,
    },
    /// The compare-exchanges are no sorting network.
    #[error(
        "step {step} compares along another dimension, or in another direction, than the bitonic sort, or the sort ends short"
    )]
    NotBitonic {
        /// Step of the fault.
        step: usize,
    },
    /// A wrong result.
    #[error("router {at} ends without the result of the collective: {what}")]
    Result {
        /// Router of the fault.
        at: String,
        /// Name of the way.
        what: &'static str,
    },
}
