//! One to all in one slot, all to all straight, to one and from one a packet a slot.

use crate::collective::pops::{Goal, Packet};
use crate::program::form::pops::Hop;
use crate::topology::Pops;

/// The root sends its packet to all its couplers at once, and everybody reads (Mei and Rizzi, section 1).
pub(super) fn one_to_all(net: Pops, packets: &[Packet]) -> (Vec<Hop>, u32) {
    let Some(packet) = packets.first() else { return (Vec::new(), 0) };
    let from = packet.src;
    let hops = (0..net.processors()).filter(|&to| to != from).map(|to| Hop { slot: 0, packet: 0, from, to });
    (hops.collect(), 1)
}

/// Every packet straight: d² slots for d ≥ g, n for d < g, and none where nothing is left to send. Packets are numbered by source, then
/// by destination.
///
/// For d ≥ g, in slot (u,v) group a sends to group b the packet of its processor u+b to processor v+a of b. Over all a
/// and b, the senders in a group differ, and so do the readers. For d < g, in slot (s,v) processor i of group a sends
/// to group a+i+s, to processor i+v of it.
pub(super) fn all_to_all(net: Pops) -> (Vec<Hop>, u32) {
    let (d, g, n) = (net.d(), net.g(), net.processors());
    let hop = |slot: u32, from: u32, to: u32| {
        (from != to).then(|| Hop { slot, packet: from * (n - 1) + to - u32::from(to > from), from, to })
    };
    let mut hops = Vec::with_capacity((n as usize) * (n as usize - 1));
    let (outer, inner) = if d >= g { (d, d) } else { (g, d) };
    for (slot, (u, v)) in (0..).zip((0..outer).flat_map(|u| (0..inner).map(move |v| (u, v)))) {
        if d >= g {
            let pairs = (0..g).flat_map(|a| (0..g).map(move |b| (a, b)));
            hops.extend(pairs.filter_map(|(a, b)| hop(slot, a * d + (u + b) % d, b * d + (v + a) % d)));
        } else {
            let senders = (0..g).flat_map(|a| (0..d).map(move |i| (a, i)));
            hops.extend(senders.filter_map(|(a, i)| hop(slot, a * d + i, (a + i + u) % g * d + (i + v) % d)));
        }
    }
    // a slot in which everybody would send to itself
    let mut next = 0;
    let mut last = u32::MAX;
    for hop in &mut hops {
        if hop.slot != last {
            last = hop.slot;
            next += 1;
        }
        hop.slot = next - 1;
    }
    (hops, next)
}

/// One packet a slot.
pub(super) fn one_by_one(packets: &[Packet]) -> (Vec<Hop>, u32) {
    let hop = |(packet, &Packet { src, goal }): (u32, &Packet)| match goal {
        Goal::One(to) => Some(Hop { slot: packet, packet, from: src, to }),
        Goal::All => None,
    };
    let hops: Vec<Hop> = (0..).zip(packets).filter_map(hop).collect();
    let slots = hops.len() as u32;
    (hops, slots)
}
