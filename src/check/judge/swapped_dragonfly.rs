//! Networks embedded in a Swapped Dragonfly, as the exchange form lists them.

use crate::program::Document;
use serde_json::Value;
use std::collections::HashMap;

/// Nodes of each embedded network, in the order of a collective; None if there is none, so that the collective is on all nodes.
pub(super) fn embedded(document: &Document) -> Option<Vec<Vec<u32>>> {
    let embedded = document.network["embed"].as_array().filter(|embedded| !embedded.is_empty())?;
    let labels: HashMap<[u64; 3], u32> = (0..)
        .zip(&document.nodes)
        .filter_map(|(node, label)| Some(([label.0[0].as_u64()?, label.0[1].as_u64()?, label.0[2].as_u64()?], node)))
        .collect();
    let list =
        |value: &Value| -> Vec<u64> { value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect() };
    let nodes = |network: &Value| {
        let (cabinets, places) = (list(&network["c"]), list(&network["dp"]));
        let all = cabinets.iter().flat_map(|&c| places.iter().map(move |&d| (c, d)));
        let all = all.flat_map(|(c, d)| places.iter().map(move |&p| [c, d, p]));
        all.filter_map(|label| labels.get(&label).copied()).collect()
    };
    Some(embedded.iter().map(nodes).collect())
}
