//! Collectives by their definition: the packets and sums that nodes are owed, a line each, in terms of the exchange form alone.

use super::fault::Fault;
use super::subject::Judge;
use serde_json::Value;

/// Packets that are owed, as sources and destinations.
pub(super) type Pairs = Result<Vec<(u32, u32)>, Fault>;

/// Sources and destinations that a table lists, by the order of terminals.
type List = fn(&Value) -> Option<Vec<(usize, usize)>>;

/// Collective of a schedule in full.
pub(super) struct Definition {
    /// Names in the table of a collective.
    names: &'static [&'static str],
    /// Packets that are owed, with those of a terminal to itself; none of a collective whose words are combined.
    pub packets: Option<fn(&Terms<'_>) -> Pairs>,
    /// True if each packet has words for one destination alone.
    pub personal: bool,
    /// Sums that are owed, of a collective whose words are combined.
    pub sums: Option<Sums>,
}

/// Sums of a collective.
#[derive(Clone, Copy)]
pub(super) struct Sums {
    /// True if a node is owed the words of nodes up to its own alone.
    pub prefix: bool,
    /// True if there is a part for each node.
    pub part_a_node: bool,
    /// True if the node of a rank is owed a part, with this root.
    pub owed: fn(Owed) -> bool,
}

/// Part of a sum at a node.
pub(super) struct Owed {
    pub rank: usize,
    pub part: usize,
    pub root: usize,
}

const MOVED: Definition = Definition { names: &[], packets: None, personal: false, sums: None };
const COMBINED: Sums = Sums { prefix: false, part_a_node: false, owed: |_| true };

/// All definitions.
const DEFINITIONS: &[Definition] = &[
    Definition {
        names: &["all-to-all", "total-exchange"],
        packets: Some(|terms| Ok(terms.all_to_all())),
        personal: true,
        ..MOVED
    },
    Definition {
        names: &["all-gather", "all-to-all-broadcast"],
        packets: Some(|terms| Ok(terms.all_to_all())),
        ..MOVED
    },
    Definition { names: &["broadcast"], packets: Some(|terms| terms.broadcast()), ..MOVED },
    Definition {
        names: &["scatter"],
        packets: Some(|terms| Ok(terms.to_all(terms.root()?).collect())),
        personal: true,
        ..MOVED
    },
    Definition {
        names: &["gather"],
        packets: Some(|terms| {
            let root = terms.root()?;
            Ok(terms.ends.iter().map(|&src| (src, root)).collect())
        }),
        ..MOVED
    },
    Definition { names: &["permutation"], packets: Some(|terms| terms.listed(permutation)), ..MOVED },
    Definition { names: &["h-relation"], packets: Some(|terms| terms.listed(demands)), ..MOVED },
    Definition { names: &["all-reduce"], sums: Some(COMBINED), ..MOVED },
    Definition {
        names: &["reduce"],
        sums: Some(Sums { owed: |Owed { rank, root, .. }| rank == root, ..COMBINED }),
        ..MOVED
    },
    Definition {
        names: &["reduce-scatter"],
        sums: Some(Sums { part_a_node: true, owed: |Owed { rank, part, .. }| rank == part, ..COMBINED }),
        ..MOVED
    },
    Definition { names: &["prefix-scan"], sums: Some(Sums { prefix: true, ..COMBINED }), ..MOVED },
];

impl Definition {
    /// Definition of the collective of a schedule; none of one that is not defined here, whose packets are taken as listed.
    pub(super) fn of(collective: &Value) -> Option<&'static Self> {
        let kind = collective["kind"].as_str()?;
        DEFINITIONS.iter().find(|definition| definition.names.contains(&kind))
    }
}

/// Terminals and values that a definition speaks of.
pub(super) struct Terms<'a> {
    judge: &'a Judge<'a>,
    /// Terminals, in order.
    ends: Vec<u32>,
}

impl<'a> Terms<'a> {
    pub(super) fn new(judge: &'a Judge<'a>) -> Self {
        Self { judge, ends: judge.terminals() }
    }

    fn number(&self, key: &str, default: u64) -> usize {
        self.judge.document.collective[key].as_u64().unwrap_or(default) as usize
    }

    fn end(&self, index: usize) -> Result<u32, Fault> {
        let none =
            || Fault::Malformed { what: format!("the collective names terminal {index}, of {}", self.ends.len()) };
        self.ends.get(index).copied().ok_or_else(none)
    }

    fn root(&self) -> Result<u32, Fault> {
        self.end(self.number("root", 0))
    }

    fn to_all(&self, src: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.ends.iter().map(move |&dst| (src, dst))
    }

    fn all_to_all(&self) -> Vec<(u32, u32)> {
        self.ends.iter().flat_map(|&src| self.to_all(src)).collect()
    }

    fn broadcast(&self) -> Pairs {
        // every word comes to every other terminal, so there are no more words than destinations of packets
        let packets = self.judge.document.packets.iter();
        let (words, destinations) = (self.number("count", 1), packets.map(|packet| packet.dsts.len()).sum());
        if words > destinations && self.ends.len() > 1 {
            let what = format!("the broadcast is of {words} words, and the packets have {destinations} destinations");
            return Err(Fault::Malformed { what });
        }
        let each = words.min(destinations);
        Ok(self.to_all(self.root()?).flat_map(|pair| std::iter::repeat_n(pair, each)).collect())
    }

    /// Packets that the table lists.
    fn listed(&self, list: List) -> Pairs {
        let table = &self.judge.document.collective;
        let kind = table["kind"].as_str().unwrap_or_default();
        let pairs = list(table)
            .ok_or_else(|| Fault::Malformed { what: format!("the {kind} lists no numbers of terminals") })?;
        pairs.into_iter().map(|(src, dst)| Ok((self.end(src)?, self.end(dst)?))).collect()
    }
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().map(|index| index as usize)
}

fn permutation(table: &Value) -> Option<Vec<(usize, usize)>> {
    let list = table["permutation"].as_array()?;
    list.iter().enumerate().map(|(src, dst)| Some((src, index(dst)?))).collect()
}

fn demands(table: &Value) -> Option<Vec<(usize, usize)>> {
    let pair = |pair: &Value| match pair.as_array().map(Vec::as_slice) {
        Some([src, dst]) => Some((index(src)?, index(dst)?)),
        _ => None,
    };
    table["demands"].as_array()?.iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::general::names::FURTHER_NAMES;
    use crate::collective::general::registry::KINDS;
    use serde_json::json;

    #[test]
    fn every_collective_of_any_network_is_defined() {
        let names = KINDS.iter().map(|kind| kind.name).chain(FURTHER_NAMES.iter().map(|(further, _)| *further));
        for name in names {
            let definition = Definition::of(&json!({ "kind": name })).unwrap_or_else(|| panic!("{name}"));
            assert_ne!(definition.packets.is_some(), definition.sums.is_some(), "{name}");
        }
        assert!(Definition::of(&json!({ "kind": "juggle" })).is_none());
    }
}
