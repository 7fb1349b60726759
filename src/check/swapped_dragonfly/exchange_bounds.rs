//! Lower bounds on the cycles of an exchange.
//!
//! | name | holds for | because |
//! |---|---|---|
//! | `distance` | any schedule | every node's words matter to the last node, and those of the farthest have a way to go |
//! | `hypercube` | those on the links of the hypercube's emulation: local ports 2^i, global ports 0 and 2^i | likewise, over these links |
//! | `dimensions` | those that exchange along one dimension after the other, with one operator a router | an exchange takes at least a hop and the operator, and the next one needs its result; the operator takes one word a cycle |
//!
//! Cycles are clock cycles from the first claimed one to the last.

use super::distance::claimed_to;
use super::exchange_outcome::dimensions;
use crate::check::bound_list::{BoundList, NamedBound, Scope};
use crate::collective::ExchangeKind;
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::topology::{SwappedDragonfly, Topology};

/// Schedules on the links of the hypercube's emulation.
const LINKS_OF_THE_HYPERCUBE: Scope = Scope {
    name: "links-of-the-hypercube",
    words: "links of the hypercube",
    meaning: "on local ports 2^i and global ports 0 and 2^i",
};
/// Schedules that exchange along one dimension after the other, with one operator a router.
const EXCHANGES_ALONG_DIMENSIONS: Scope = Scope {
    name: "exchanges-along-dimensions",
    words: "exchanges along dimensions",
    meaning: "one dimension after the other, with one operator a router",
};

/// The bounds of an exchange of `words` words a node on a network of exclusive-or arithmetic.
pub fn of(net: &SwappedDragonfly, hop: HopLatency, kind: ExchangeKind, words: u32, operator: u32) -> BoundList {
    let words = u64::from(words);
    // Of a scan the last node alone needs the words of all.
    let last = NodeId::from(net.nodes() - 1);
    let of_sbh = |port: usize| match port.checked_sub(net.local_ports()) {
        None => (port + 1).is_power_of_two(),
        Some(gamma) => gamma == 0 || gamma.is_power_of_two(),
    };
    let farthest = |claimed: Vec<u64>| claimed.into_iter().max().unwrap_or(0);
    let any = farthest(claimed_to(net, hop, last, |_| true));
    let cube = farthest(claimed_to(net, hop, last, of_sbh));
    let n = u64::from(dimensions(net));
    let exchanges = if kind == ExchangeKind::Sort { n * (n + 1) / 2 } else { n };
    let least = u64::from(hop.local.min(hop.global));
    let longest = u64::from(hop.local.max(hop.global));
    let chained = (exchanges - 1) * (least + u64::from(operator)) + words;
    let operated = (exchanges * words + least).saturating_sub(longest);
    BoundList::new(vec![
        NamedBound {
            name: "distance",
            cycles: any,
            holds_for: Some(Scope::ANY_SCHEDULE),
            reason: format!("a word from the router farthest from the last one travels for {}", counted(any, "cycle")),
        },
        NamedBound {
            name: "hypercube",
            cycles: cube,
            holds_for: Some(LINKS_OF_THE_HYPERCUBE),
            reason: format!(
                "over local ports 2^i and global ports 0 and 2^i it travels for {}",
                counted(cube, "cycle")
            ),
        },
        NamedBound {
            name: "dimensions",
            cycles: chained.max(operated),
            holds_for: Some(EXCHANGES_ALONG_DIMENSIONS),
            reason: format!(
                "{} of {} each, one after the other, of at least {least} + {operator} cycles",
                counted(exchanges, "exchange"),
                counted(words, "word")
            ),
        },
    ])
}
