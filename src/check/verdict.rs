//! Verdicts on schedules, for programs.

use super::BoundList;
use super::bound_list::NamedBound;
use serde::Serialize;

/// Counts of a proof.
pub trait Proof: Serialize {
    /// Sentences of the proof, in order.
    fn lines(&self) -> Vec<String>;
}

/// Bounds, proof and argument of a verdict, as JSON.
#[derive(Debug, Serialize)]
pub struct Verdict<'a, P> {
    /// Cycles over the largest bound.
    pub ratio: f64,
    /// Cycles over the largest bound that holds for any schedule, where that is less.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio_to_any: Option<f64>,
    /// An object of name → cycles.
    pub bounds: &'a BoundList,
    /// Bounds with scope and reason.
    pub bound_reasons: &'a [NamedBound],
    /// Counts of the proof.
    pub proof: &'a P,
    /// Sentences of the proof, in order.
    pub argument: Vec<String>,
}

impl<'a, P> Verdict<'a, P> {
    /// The verdict on a schedule of `cycles` cycles; `argument` is the proof in sentences.
    pub fn new(cycles: u32, bounds: &'a BoundList, proof: &'a P, argument: Vec<String>) -> Self {
        let ratio_to_any = bounds.ratio_to_any(cycles);
        Self { ratio: bounds.ratio(cycles), ratio_to_any, bounds, bound_reasons: bounds.all(), proof, argument }
    }
}
