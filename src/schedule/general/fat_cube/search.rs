//! Effort of the searches on fat cubes.

use crate::schedule::general::Effort;
use crate::schedule::general::random::Random;

/// Attempts of a search that a second of the time limit buys.
const ATTEMPTS_PER_SECOND: u32 = 40;

/// Attempts of a search, and its random choices.
pub(super) struct Search {
    /// Attempts, at least 1.
    pub attempts: u32,
    /// Random choices.
    pub random: Random,
}

impl Search {
    /// A search with an effort.
    pub fn new(effort: &Effort) -> Self {
        let attempts = 1 + effort.time_limit_s.saturating_mul(ATTEMPTS_PER_SECOND);
        Self { attempts, random: Random::new(effort.seed) }
    }
}
