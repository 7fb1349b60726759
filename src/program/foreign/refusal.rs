//! Reasons why a form cannot say a schedule, and questions that writers of all forms ask of one.

use crate::program::{Document, Op};
use std::collections::{BTreeSet, HashMap};

/// Reason why a form cannot say a schedule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// Message.
    pub message: String,
    /// The user's next step.
    pub help: String,
}

/// Help for a collective that has no schedule in the form.
pub(super) const ELSE: &str = "`--format json` says every schedule";

impl Refusal {
    pub(super) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: help.into() }
    }
}

/// Refuses circuits, and hops of more than a cycle where a form has times.
pub(super) fn plain_hops(document: &Document, timed: bool) -> Result<(), Refusal> {
    if document.switching != "hop" {
        return Err(Refusal::new("the form has no circuits", ELSE));
    }
    match document.latency.iter().flatten().find(|&&cycles| cycles != 1) {
        Some(cycles) if timed => {
            Err(Refusal::new(format!("a hop takes {cycles} cycles, and in the form each takes one"), ELSE))
        }
        _ => Ok(()),
    }
}

/// Kind of the collective.
pub(super) fn kind(document: &Document) -> &str {
    document.collective["kind"].as_str().unwrap_or_default()
}

/// Part of each packet, by its number: a sum is of the part of its operands, of which the schedule says that of words alone.
///
/// # Errors
/// [`Refusal`] if a node has two words of one part.
pub(super) fn parts(document: &Document) -> Result<HashMap<u64, u32>, Refusal> {
    let mut ops: Vec<&Op> = document.ops.iter().flatten().collect();
    ops.sort_by_key(|op| op.cycle); // stable: sums of one cycle as they are listed
    let made: BTreeSet<u64> = ops.iter().map(|op| op.packet).collect();
    let (mut parts, mut seen) = (HashMap::new(), BTreeSet::new());
    for packet in document.packets.iter().filter(|packet| !made.contains(&packet.id)) {
        if !made.is_empty() && !seen.insert((packet.src, packet.part)) {
            let message = format!("node {} has two words of part {} of the sum", packet.src, packet.part);
            return Err(Refusal::new(message, "write `words = 1` in `[collective]`, or take `--format json`"));
        }
        parts.insert(packet.id, packet.part);
    }
    for op in ops {
        let part = op.inputs.iter().find_map(|input| parts.get(input).copied());
        parts.insert(op.packet, part.unwrap_or_default());
    }
    Ok(parts)
}

/// Nodes that want part `part` of a sum; none if it is no sum.
pub(super) fn sum_ends(document: &Document, part: u32) -> Option<Vec<u32>> {
    let nodes = document.nodes.len() as u32;
    let root = document.collective["root"].as_u64().unwrap_or(0) as u32;
    match kind(document) {
        "all-reduce" => Some((0..nodes).collect()),
        "reduce" => Some(vec![root]),
        "reduce-scatter" => Some(vec![part]),
        _ => None,
    }
}
