//! Bounds as all pages show them, and the words above them.

use super::facts::{Figure, grouped};
use crate::check::BoundList;
use crate::check::bound_list::{NamedBound, Scope};

/// Row of the table of bounds.
pub(super) struct BoundRow {
    /// Name.
    pub name: &'static str,
    /// Cycles.
    pub cycles: String,
    /// Schedules for which it holds; empty where the reason says it.
    pub scope: &'static str,
    /// Reason in a sentence.
    pub reason: String,
    /// True for the largest of all.
    pub is_largest: bool,
}

/// Rows of the table.
pub(super) fn bound_rows(bounds: &[NamedBound]) -> Vec<BoundRow> {
    let largest = bounds.iter().map(|bound| bound.cycles).max();
    let row = |bound: &NamedBound| BoundRow {
        name: bound.name,
        cycles: grouped(bound.cycles),
        scope: bound.holds_for.map_or("", |scope| scope.meaning),
        reason: bound.reason.clone(),
        is_largest: Some(bound.cycles) == largest,
    };
    bounds.iter().map(row).collect()
}

/// Sentence above the bounds: the schedules that none of them lets be faster.
pub(super) fn bounds_note(bounds: &BoundList) -> &'static str {
    let holds_for = |scope: Scope| move |bound: &NamedBound| bound.holds_for == Some(scope);
    match bounds.all() {
        all if all.iter().all(holds_for(Scope::ANY_SCHEDULE)) => {
            "No schedule is faster than the largest of these bounds."
        }
        all if all.iter().any(|bound| bound.holds_for.is_none()) => {
            "No schedule of the kind that a line names, or that its reason implies, is faster than the bound of the line."
        }
        _ => {
            "No schedule of the kind that a line names is faster than the bound of the line; all of them hold for this one."
        }
    }
}

/// Figure of the ratio to the largest bound of any schedule, where the largest bound holds for some schedules alone.
pub(super) fn ratio_to_any(bounds: &BoundList, cycles: u32) -> Option<Figure> {
    let value = bounds.ratio_to_any(cycles)?;
    let note = "cycles over the largest bound of any schedule".to_owned();
    Some(Figure { key: "ratio_to_any", label: "ratio to any schedule", value, text: format!("{value:.3}"), note })
}

/// A text that begins with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + rest.as_str())
}

#[cfg(test)]
mod tests {
    #[test]
    fn titles_have_a_capital() {
        assert_eq!(["", "all-reduce", "élan"].map(super::capital), ["", "All-reduce", "Élan"]);
    }
}
