//! The packets of a collective, from its definition.

use super::fault::Fault;
use super::subject::Judge;
use serde_json::Value;

/// Compares the packets with those of the collective, sources and destinations alike left out; passes collectives whose traffic
/// is not defined.
pub(super) fn check(judge: &Judge<'_>) -> Result<(), Fault> {
    let (document, ends) = (judge.document, judge.terminals());
    let table = &document.collective;
    let kind = table["kind"].as_str().unwrap_or_default();
    let number = |key: &str, default: u64| table[key].as_u64().unwrap_or(default) as usize;
    let end = |index: usize| {
        let none = || Fault::Malformed { what: format!("the collective names terminal {index}, of {}", ends.len()) };
        ends.get(index).copied().ok_or_else(none)
    };
    let root = || end(number("root", 0));
    let to_all = |src: u32| ends.iter().map(move |&dst| (src, dst));
    let mut wanted: Vec<(u32, u32)> = match kind {
        "all-to-all" | "total-exchange" | "all-gather" | "all-to-all-broadcast" => {
            ends.iter().flat_map(|&src| to_all(src)).collect()
        }
        "broadcast" => {
            // every word comes to every other terminal, so there are no more words than destinations of packets
            let (words, destinations) =
                (number("count", 1), document.packets.iter().map(|packet| packet.dsts.len()).sum());
            if words > destinations && ends.len() > 1 {
                let what =
                    format!("the broadcast is of {words} words, and the packets have {destinations} destinations");
                return Err(Fault::Malformed { what });
            }
            to_all(root()?).flat_map(|pair| std::iter::repeat_n(pair, words.min(destinations))).collect()
        }
        "scatter" => to_all(root()?).collect(),
        "gather" => {
            let root = root()?;
            ends.iter().map(|&src| (src, root)).collect()
        }
        "permutation" | "h-relation" => {
            let pairs = demands(table, kind == "permutation")
                .ok_or_else(|| Fault::Malformed { what: format!("the {kind} lists no numbers of terminals") })?;
            pairs.into_iter().map(|(src, dst)| Ok((end(src)?, end(dst)?))).collect::<Result<_, Fault>>()?
        }
        _ => return Ok(()),
    };
    let personal = matches!(kind, "all-to-all" | "total-exchange" | "scatter");
    let mut found = Vec::with_capacity(wanted.len());
    for packet in &document.packets {
        let before = found.len();
        found.extend(packet.dsts.iter().filter(|&&dst| dst != packet.src).map(|&dst| (packet.src, dst)));
        if personal && found.len() > before + 1 {
            return Err(Fault::Shared { packet: packet.id });
        }
    }
    wanted.retain(|(src, dst)| src != dst);
    wanted.sort_unstable();
    found.sort_unstable();
    if wanted == found {
        return Ok(());
    }
    let differs = wanted.iter().zip(&found).position(|(a, b)| a != b).unwrap_or(wanted.len().min(found.len()));
    let first = [wanted.get(differs), found.get(differs)].into_iter().flatten().min();
    let Some(&pair) = first else { return Ok(()) };
    let times = |pairs: &[(u32, u32)]| pairs.iter().filter(|&&other| other == pair).count();
    let [src, dst] = [pair.0, pair.1].map(|node| judge.name(node));
    Err(Fault::Traffic { src, dst, found: times(&found), wanted: times(&wanted) })
}

/// Sources and destinations that a table lists.
fn demands(table: &Value, permutation: bool) -> Option<Vec<(usize, usize)>> {
    let index = |value: &Value| value.as_u64().map(|index| index as usize);
    if permutation {
        let list = table["permutation"].as_array()?;
        return list.iter().enumerate().map(|(src, dst)| Some((src, index(dst)?))).collect();
    }
    let pair = |pair: &Value| match pair.as_array().map(Vec::as_slice) {
        Some([src, dst]) => Some((index(src)?, index(dst)?)),
        _ => None,
    };
    table["demands"].as_array()?.iter().map(pair).collect()
}
