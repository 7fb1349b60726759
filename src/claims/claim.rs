//! A claim, its trial over a range of sizes, and the finding.

use serde::Serialize;
use serde_json::Value;
use std::fmt::Display;

/// A paper and its claims.
#[derive(Debug, Clone, Copy)]
pub struct Paper {
    /// Name on the command line.
    pub name: &'static str,
    /// Author.
    pub author: &'static str,
    /// Title of the paper.
    pub title: &'static str,
    /// Claims of the paper, in the paper's order.
    pub claims: fn() -> Vec<Claim>,
}

/// A size at which a claim is tested.
pub trait Size: Display + Serialize {
    /// Routers of the network that is simulated, or that a formula speaks of: the order of sizes.
    fn routers(&self) -> u32;
}

/// The sizes of a trial.
#[derive(Debug)]
pub struct Sizes<S> {
    /// Common condition, in symbols: "K ≥ 1, M ≥ 2, KM² ≤ 128".
    pub range: String,
    /// All of them, in any order.
    pub all: Vec<S>,
}

/// A test at every size of a range, from the smallest upward.
pub struct Trial(Box<dyn Fn(u32) -> Run>);

impl Trial {
    /// Trial of a test over sizes of networks. The test's error is its witness: a sentence that states the
    /// contradiction.
    pub fn over<S: Size + 'static>(sizes: fn(u32) -> Sizes<S>, test: fn(&S) -> Result<(), String>) -> Self {
        Self(Box::new(move |limit| {
            let Sizes { range, mut all } = sizes(limit);
            all.sort_by_key(S::routers); // stable: sizes of as many routers stay in the order of the range
            let mut run = Run { range, tried: all.len(), failed: 0, counterexample: None };
            for size in &all {
                let Err(witness) = test(size) else { continue };
                run.failed += 1;
                run.counterexample.get_or_insert_with(|| Counterexample {
                    size: size.to_string(),
                    parameters: serde_json::to_value(size).unwrap_or_default(),
                    routers: size.routers(),
                    witness,
                });
            }
            run
        }))
    }

    /// Runs the trial on networks of at most `limit` routers.
    pub fn run(&self, limit: u32) -> Run {
        self.0(limit)
    }
}

/// Result of a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Run {
    /// The sizes, in symbols.
    pub range: String,
    /// Number of sizes.
    pub tried: usize,
    /// Number of sizes at which the test failed.
    pub failed: usize,
    /// The smallest at which it failed.
    pub counterexample: Option<Counterexample>,
}

impl Run {
    /// True if the test passed at every size.
    pub fn holds(&self) -> bool {
        self.failed == 0
    }
}

/// A size at which a claim fails, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Counterexample {
    /// The size as it is written.
    pub size: String,
    /// The size's parameters by name.
    pub parameters: Value,
    /// Routers of the witness; no size with fewer routers fails.
    pub routers: u32,
    /// Observation that contradicts the claim, as a sentence.
    pub witness: String,
}

/// Statement that holds instead of a claim, or beyond it.
struct Amendment {
    statement: &'static str,
    trial: Trial,
}

/// Numbers of a claim, as computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// Title of the table.
    pub title: &'static str,
    /// Names of the columns.
    pub head: Vec<&'static str>,
    /// Cells of the table, by row, then by column.
    pub rows: Vec<Vec<String>>,
}

/// A statement of a paper that a run can refute.
pub struct Claim {
    /// Name on the command line; unique within the paper.
    pub id: &'static str,
    /// Place in the paper.
    pub place: &'static str,
    /// Statement, in our words.
    pub statement: &'static str,
    trial: Trial,
    amendment: Option<Amendment>,
    table: Option<fn(u32) -> Table>,
}

impl Claim {
    /// A claim and how it is tried.
    pub fn new(id: &'static str, place: &'static str, statement: &'static str, trial: Trial) -> Self {
        Self { id, place, statement, trial, amendment: None, table: None }
    }

    /// Adds the statement that holds instead, if the claim fails, or beyond it, if it holds.
    pub fn amended(mut self, statement: &'static str, trial: Trial) -> Self {
        self.amendment = Some(Amendment { statement, trial });
        self
    }

    /// Adds a table of numbers, for networks of at most a number of routers.
    pub fn with_table(mut self, table: fn(u32) -> Table) -> Self {
        self.table = Some(table);
        self
    }

    /// Runs the statement alone, on networks of at most `limit` routers.
    pub fn judge_statement(&self, limit: u32) -> Run {
        self.trial.run(limit)
    }

    /// Runs the statement and its amendment, on networks of at most `limit` routers.
    pub fn judge(&self, limit: u32) -> Finding {
        Finding {
            id: self.id,
            place: self.place,
            statement: self.statement,
            trial: self.judge_statement(limit),
            amendment: self
                .amendment
                .as_ref()
                .map(|a| AmendmentFinding { statement: a.statement, trial: a.trial.run(limit) }),
            table: self.table.map(|table| table(limit)),
        }
    }
}

/// A claim that has been run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The claim's name.
    pub id: &'static str,
    /// Place in the paper.
    pub place: &'static str,
    /// Statement.
    pub statement: &'static str,
    /// Result of its trial.
    pub trial: Run,
    /// Statement that holds instead, or beyond it.
    pub amendment: Option<AmendmentFinding>,
    /// Numbers to it.
    pub table: Option<Table>,
}

/// An amendment that has been run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AmendmentFinding {
    /// Statement.
    pub statement: &'static str,
    /// Result of its trial.
    pub trial: Run,
}

/// Verdict on a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// True at every size of the range.
    Holds,
    /// False at some size.
    Fails,
    /// The range has no size for it.
    Untried,
}

impl Finding {
    /// Verdict on the claim.
    pub fn verdict(&self) -> Verdict {
        match self.trial {
            Run { tried: 0, .. } => Verdict::Untried,
            Run { failed: 0, .. } => Verdict::Holds,
            _ => Verdict::Fails,
        }
    }

    /// Counterexample of the amendment, if it has one.
    pub fn broken_amendment(&self) -> Option<&Counterexample> {
        self.amendment.as_ref().and_then(|a| a.trial.counterexample.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Number(u32);

    impl Display for Number {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "n = {}", self.0)
        }
    }

    impl Size for Number {
        fn routers(&self) -> u32 {
            self.0
        }
    }

    fn downward(limit: u32) -> Sizes<Number> {
        Sizes { range: format!("n ≤ {limit}"), all: (1..=limit).rev().map(Number).collect() }
    }

    fn below_five(n: &Number) -> Result<(), String> {
        if n.0 < 5 { Ok(()) } else { Err(format!("{} is not below five", n.0)) }
    }

    fn claim() -> Claim {
        Claim::new("five", "nowhere", "every number is below five", Trial::over(downward, below_five))
    }

    #[test]
    fn the_smallest_counterexample_is_found_whatever_the_order() {
        let finding = claim().judge(9);
        assert_eq!(finding.verdict(), Verdict::Fails);
        assert_eq!((finding.trial.tried, finding.trial.failed), (9, 5));
        let smallest = finding.trial.counterexample.expect("five is none");
        assert_eq!((smallest.size.as_str(), smallest.witness.as_str()), ("n = 5", "5 is not below five"));
    }

    #[test]
    fn a_claim_holds_on_the_range_that_was_run() {
        assert_eq!(claim().judge(4).verdict(), Verdict::Holds);
        assert_eq!(claim().judge(0).verdict(), Verdict::Untried);
    }

    #[test]
    fn a_wrong_amendment_is_noticed() {
        let amended = claim().amended("every number is below five", Trial::over(downward, below_five));
        assert_eq!(amended.judge(9).broken_amendment().map(|c| c.routers), Some(5));
        assert_eq!(amended.judge(4).broken_amendment(), None);
    }
}
