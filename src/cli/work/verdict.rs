//! Verdicts of `check` on any collective: the bounds and the proof, for people and for programs.

use crate::check::BoundList;
use crate::check::judge::Account;
use serde::Serialize;
use std::fmt::Write as _;

/// Line above the bounds.
pub fn heading(bounds: &BoundList) -> &'static str {
    match bounds.ratio_to_any(0) {
        None => "No schedule is faster than",
        Some(_) => "No schedule of the kind that a line names is faster than",
    }
}

/// A verdict for programs, with that of the judge that follows single transfers.
#[derive(Serialize)]
pub struct Judged<T: Serialize> {
    /// The verdict of the proof.
    #[serde(flatten)]
    pub verdict: T,
    /// The second verdict, of small schedules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_by_one: Option<Account>,
}

/// Heading of the proof of a program that stands for every router.
pub const FOR_EVERY_ROUTER: &str = "The schedule is proved for every router:";

/// The verdict for people: `rows` of names and values, the bounds under `heading`, the argument under `proved`.
pub fn table(rows: &[(&str, String)], heading: &str, bounds: &BoundList, proved: &str, argument: &[String]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    for (name, value) in rows {
        let _ = writeln!(text, "{name:<10} {value}");
    }
    if !bounds.all().is_empty() {
        let _ = writeln!(text, "\n{heading}");
    }
    for bound in bounds.all() {
        let scope = bound.holds_for.map_or(String::new(), |scope| format!("{}: ", scope.words));
        let _ = writeln!(text, "{:>8} {:<10} {scope}{}", bound.cycles, bound.name, bound.reason);
    }
    let _ = writeln!(text, "\n{proved}");
    for line in argument {
        let _ = writeln!(text, "- {line}");
    }
    text
}
