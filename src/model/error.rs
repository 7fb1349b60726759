//! Errors of the software reference.

/// Error of a program that cannot be modelled.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// Two words want a register in the same cycle of a period.
    #[error("two words are on {place} in cycle {cycle}: those that leave in cycles {} and {}", moves[0], moves[1])]
    Conflict {
        /// The cycle in which the second is there, counted from the first row's.
        cycle: u32,
        /// The channel or receive port.
        place: String,
        /// The cycles in which the two words leave, as the program lists them.
        moves: [u32; 2],
    },
    /// A word is on its way in a cycle that needs more than 32 bits.
    #[error("the program has more cycles than 32 bits can number")]
    TooLong,
}
