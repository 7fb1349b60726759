//! Errors of scheduling, with the field of the specification at fault and the remedy.

use thiserror::Error;

/// Error of a scheduler.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// Unknown algorithm name for the collective.
    #[error("there is no {collective} algorithm `{name}`")]
    UnknownAlgorithm {
        /// Kind of collective, as the algorithms of one table are called.
        collective: &'static str,
        /// Requested name.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// An algorithm that would take too long, and too much memory.
    #[error("an attempt by `{algorithm}` would take about {seconds} s, above {limit}")]
    TooLong {
        /// Name of the algorithm.
        algorithm: &'static str,
        /// Seconds of a typical machine, about.
        seconds: u64,
        /// Largest number.
        limit: u64,
    },
    /// A network with more distances between nodes than memory is taken for.
    #[error("the ways of the words have {distances} distances between nodes, and at most {limit} are held")]
    TooManyDistances {
        /// Number of distances.
        distances: u64,
        /// Largest number.
        limit: u64,
    },
    /// Algorithm that needs other sizes.
    #[error("`{algorithm}` does not apply to {network}: it needs {needs}")]
    DoesNotApply {
        /// Requested algorithm.
        algorithm: &'static str,
        /// Network in the field's notation.
        network: String,
        /// The condition that fails.
        needs: &'static str,
    },
    /// General algorithms that were requested, none of which fits the problem.
    #[error("`{algorithm}` does not apply to this collective on this network{}", needed(*needs))]
    NoFit {
        /// Requested algorithm.
        algorithm: String,
        /// The condition that fails, if it is known.
        needs: Option<&'static str>,
    },
    /// Parts of blocks cannot be scheduled apart.
    #[error("words of a part cannot follow one another {at}")]
    Unchunked {
        /// Networks of which this one is, in words.
        at: &'static str,
    },
    /// Circuits carry words from processor to processor and combine none on the way.
    #[error("words cross this network along circuits, which carry them unchanged: no schedule combines words")]
    Uncombined,
    /// Value that the algorithm cannot take on this network.
    #[error("{message}")]
    Value {
        /// Sentence on the value.
        message: String,
        /// Key of the specification.
        field: &'static str,
        /// Remedy, in a sentence.
        help: String,
    },
}

impl ScheduleError {
    pub(super) fn unknown(collective: &'static str, name: &str, known: impl Iterator<Item = &'static str>) -> Self {
        Self::UnknownAlgorithm { collective, name: name.to_owned(), known: known.collect() }
    }

    pub(super) fn value(field: &'static str, message: String, help: impl Into<String>) -> Self {
        Self::Value { message, field, help: help.into() }
    }

    /// True for the name of an algorithm that there is not.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Self::UnknownAlgorithm { .. })
    }

    /// The field of the specification at fault.
    pub fn field(&self) -> &'static str {
        match self {
            Self::UnknownAlgorithm { .. } | Self::TooLong { .. } | Self::DoesNotApply { .. } | Self::NoFit { .. } => {
                "collective.algorithm"
            }
            Self::Unchunked { .. } => "collective.chunks",
            Self::Uncombined | Self::TooManyDistances { .. } => "collective.kind",
            Self::Value { field, .. } => field,
        }
    }

    /// Remedy, in a sentence.
    pub fn help(&self) -> String {
        match self {
            Self::UnknownAlgorithm { known, .. } => format!("use one of: best, {}", known.join(", ")),
            Self::TooManyDistances { .. } => "take a smaller network, or fewer words".to_owned(),
            Self::TooLong { .. } => "take fewer words, a smaller network, or `chunks` in `[collective]`".to_owned(),
            Self::DoesNotApply { .. } | Self::NoFit { .. } => {
                "use `best`, which takes the best algorithm that applies".to_owned()
            }
            Self::Unchunked { .. } => "leave `chunks` out of `[collective]`: each word is then scheduled apart".to_owned(),
            Self::Uncombined => "use `gather` or `all-gather` and combine the words that come, or a network without routers of their own, \
                                 such as `hypercube`"
                .to_owned(),
            Self::Value { help, .. } => help.clone(),
        }
    }
}

/// A condition as the end of a sentence.
fn needed(needs: Option<&str>) -> String {
    needs.map_or_else(String::new, |needs| format!(": it needs {needs}"))
}
