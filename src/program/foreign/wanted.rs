//! The collective of which words are wanted, by the exchange form's names.

use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A word, or the sum of one word of each of several ranks, and the ranks that want it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// Ranks that have a word of it, ascending.
    pub from: Vec<u32>,
    /// Ranks that want it, ascending; of a word, without the one that has it.
    pub to: Vec<u32>,
}

/// Table of a collective of words.
pub(super) fn words(ranks: u32, wanted: &[Wanted]) -> Value {
    let sent: Vec<&Wanted> = wanted.iter().filter(|word| !word.to.is_empty()).collect();
    let mut by_source: BTreeMap<u32, u32> = BTreeMap::new();
    let mut by_pair: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for word in &sent {
        *by_source.entry(word.from[0]).or_default() += 1;
        for &to in &word.to {
            *by_pair.entry((word.from[0], to)).or_default() += 1;
        }
    }
    let to_all = sent.iter().all(|word| word.to.len() as u32 == ranks - 1);
    let to_one = sent.iter().all(|word| word.to.len() == 1);
    let once = by_pair.values().all(|&times| times == 1);
    let (others, sources) = (ranks.saturating_sub(1), by_source.len() as u32);
    let pairs = by_pair.len() as u32;
    let mut ends = by_pair.keys().map(|pair| pair.1);
    let same_end = ends.next().filter(|&first| ends.all(|end| end == first));
    match by_source.first_key_value() {
        Some((&root, &count)) if to_all && sources == 1 && ranks > 1 => {
            json!({ "kind": "broadcast", "root": root, "count": count })
        }
        Some(_) if to_all && once && sources == ranks => json!({ "kind": "all-gather" }),
        Some(_) if to_one && once && u64::from(pairs) == u64::from(ranks) * u64::from(others) => {
            json!({ "kind": "all-to-all" })
        }
        Some((&root, _)) if to_one && once && sources == 1 && pairs == others => {
            json!({ "kind": "scatter", "root": root })
        }
        Some(_) if to_one && once && sources == others && pairs == others && same_end.is_some() => {
            json!({ "kind": "gather", "root": same_end })
        }
        _ => {
            let pairs = by_pair.iter().flat_map(|(&pair, &times)| std::iter::repeat_n(pair, times as usize));
            json!({ "kind": "h-relation", "demands": pairs.collect::<Vec<_>>() })
        }
    }
}

/// Table of a collective of sums, and the part of each of them; none if it is no collective with a name.
pub(super) fn sums(ranks: u32, wanted: &[Wanted]) -> Option<(Value, Vec<u32>)> {
    let all = |list: &[u32]| list.len() as u32 == ranks;
    if !wanted.iter().all(|sum| all(&sum.from)) {
        return None;
    }
    let numbers = (0..wanted.len() as u32).collect();
    if wanted.iter().all(|sum| all(&sum.to)) {
        return Some((json!({ "kind": "all-reduce", "op": "sum" }), numbers));
    }
    let ends: Option<Vec<u32>> =
        wanted.iter().map(|sum| if let [end] = sum.to[..] { Some(end) } else { None }).collect();
    let ends = ends?;
    let mut times = vec![0_usize; ranks as usize];
    ends.iter().for_each(|&end| times[end as usize] += 1);
    if times.iter().all(|&count| count == times[0]) {
        return Some((json!({ "kind": "reduce-scatter", "op": "sum" }), ends));
    }
    let root = ends[0];
    (times[root as usize] == ends.len()).then(|| (json!({ "kind": "reduce", "op": "sum", "root": root }), numbers))
}
