//! Lower bounds on the cycles of an all-to-all on D3(K,M), for any scheduler.
//!
//! All bounds count clock cycles from the first claimed one to the last. A channel takes one packet a cycle, whatever
//! its latency. So a bound is the number of packets that some channel must carry; pipelined hops do not change it.
//! Packets from a router to itself need no channel; bounds on *any* schedule leave them out.
//!
//! | name | cycles | holds for | because |
//! |---|---|---|---|
//! | `global` | M² | any schedule | KM-1 channels leave a drawer, for M·(KM²-M) packets |
//! | `local` | 2KM-1 | at most one global hop a packet | first and last hops of a drawer's packets, on M(M-1) channels |
//! | `uniform` | max(M², 2KM) | uniform programs | KM vectors have δ = x, KM have π = x, and M² have a given γ |
//! | `lp` | see `routing_bound.rs` | any schedule | the best prices on channels: the linear program over all routings |
//!
//! In detail. `global`: between every two of the KM drawers there is exactly one global channel each way. Each of the M
//! routers of a drawer has KM² - M packets for other drawers. That is M²(KM-1) packets over KM-1 channels. `local`: a
//! packet to another drawer with one global hop must start it at the router that has the channel to that drawer. It
//! ends it at the router where that channel ends. Summed over the channels of a drawer, that is 2KM·M(M-1) - 2M(M-1)
//! local hops. Each of the M(M-1) packets within the drawer makes at least one more. Over M(M-1) channels this is 2KM -
//! 1 on average. `uniform`: every router launches all KM² vectors, self packets included, and local port x is claimed
//! by those with δ = x and with π = x.
//!
//! None of the bounds has a term for start or end. Packets with δ = 0 can cross global channels in the first cycle,
//! packets with π = 0 in the last. Local channels carry first hops at the start and last hops at the end. So no class
//! has to idle at either end.

use super::routing_bound::routing_bound;
use super::symmetry::Shape;
use crate::check::bound_list::{BoundList, NamedBound, Scope};
use crate::count::counted;

/// Schedules in which a packet makes at most one global hop, as source vectors do.
const ONE_GLOBAL_HOP: Scope =
    Scope { name: "one-global-hop", words: "one global hop", meaning: "at most one global hop a packet" };
/// Schedules in which all routers launch the same source vectors in the same cycles, self packets included.
const UNIFORM_PROGRAMS: Scope =
    Scope { name: "uniform-programs", words: "uniform programs", meaning: "all routers launch alike" };

/// The bounds of D3(K,M). All of them hold for uniform programs.
pub fn of(shape: Shape) -> BoundList {
    let (k, m) = (u64::from(shape.k), u64::from(shape.m));
    let routing = routing_bound(shape);
    let global = NamedBound {
        name: "global",
        cycles: m * m,
        holds_for: Some(Scope::ANY_SCHEDULE),
        reason: format!(
            "a drawer has {} to other drawers, for {} packets",
            counted(k * m - 1, "channel"),
            m * m * (k * m - 1)
        ),
    };
    let local = NamedBound {
        name: "local",
        cycles: 2 * k * m - 1,
        holds_for: Some(ONE_GLOBAL_HOP),
        reason: format!(
            "with one global hop a packet, the {} local channels of a drawer carry {} packets",
            m * (m - 1),
            (2 * k * m - 1) * m * (m - 1)
        ),
    };
    let uniform = NamedBound {
        name: "uniform",
        cycles: (m * m).max(2 * k * m),
        holds_for: Some(UNIFORM_PROGRAMS),
        reason: format!("{} vectors claim each local port and {} each global port", 2 * k * m, m * m),
    };
    let lp = NamedBound {
        name: "lp",
        cycles: routing.ceil(),
        holds_for: Some(Scope::ANY_SCHEDULE),
        reason: format!(
            "at the best channel prices all packets' cheapest routes cost {:.4} times what all channels cost",
            routing.to_f64()
        ),
    };
    BoundList::new(vec![global, local, uniform, lp])
}
