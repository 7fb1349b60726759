//! Lower bounds on the slots of packets on POPS(d,g).
//!
//! With D(a,b) packets from group a to group b that are not at home, in S slots:
//!
//! | name | because |
//! |---|---|
//! | `processor` | a processor sends a packet a slot, and reads one |
//! | `injection` | the packets of a group leave it by g couplers, and come into it by g |
//! | `coupler-demand` | c(b,a) takes S packets, and every packet from a to b beyond them costs two couplers: ΣD + Σmax(0,D-S) ≤ g²S; a packet that takes two hops takes two slots |
//! | `group-cut` | such a packet passes a third group, on couplers from and to others alone: (g-1)·S less the packets of the group's own that need them |
//!
//! Where every group sends all its packets to one other, `group-cut` is ⌈2d/g⌉: g(d-S) packets pass g groups with room for (g-1)S - d each.

use crate::check::bound_list::{BoundList, NamedBound, Scope};
use crate::collective::pops::{Goal, Packet};
use crate::count::counted;
use crate::topology::Pops;
use std::collections::BTreeMap;

/// The bounds of some packets.
pub fn of(net: Pops, packets: &[Packet]) -> BoundList {
    if packets.iter().any(|packet| packet.goal == Goal::All) {
        let reason = "a packet that is not at its destination takes a slot".to_owned();
        return BoundList::new(vec![bound("injection", 1, reason)]);
    }
    let ends = || {
        packets.iter().filter_map(|packet| match packet.goal {
            Goal::One(to) => Some([packet.src, to]),
            Goal::All => None,
        })
    };
    let g = u64::from(net.g());
    let mut demand: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut of_processors = [vec![0_u64; net.processors() as usize], vec![0; net.processors() as usize]];
    let mut of_groups = [vec![0_u64; net.g() as usize], vec![0; net.g() as usize]];
    for ends in ends() {
        let groups = ends.map(|processor| net.group(processor));
        *demand.entry((groups[0], groups[1])).or_default() += 1;
        for side in 0..2 {
            of_processors[side][ends[side] as usize] += 1;
            of_groups[side][groups[side] as usize] += 1;
        }
    }
    let (side, processor, most) = busiest(&of_processors);
    let verb = ["sends", "receives"][side];
    let of_processor =
        bound("processor", most, format!("processor {processor} {verb} {}, one a slot", counted(most, "packet")));
    let (side, group, most) = busiest(&of_groups);
    let verb = match (side, most) {
        (0, 1) => "leaves",
        (0, _) => "leave",
        (_, 1) => "comes into",
        _ => "come into",
    };
    let injection = most.div_ceil(g);
    let of_injection = bound(
        "injection",
        injection,
        format!("{} {verb} group {group} by {}", counted(most, "packet"), counted(g, "coupler")),
    );
    let own = of_groups[0].iter().zip(&of_groups[1]).map(|(a, b)| *a.max(b));
    let inside = |group: u32| demand.get(&(group, group)).copied().unwrap_or(0);
    let groups = (0..net.g()).zip(own).map(|(group, own)| (own - inside(group), inside(group))).collect();
    let cut = Cut { g, demand, groups };
    BoundList::new(vec![of_processor, of_injection, cut.coupler_demand(injection), cut.group_cut(injection)])
}

fn bound(name: &'static str, slots: u64, reason: String) -> NamedBound {
    NamedBound { name, cycles: slots, holds_for: Some(Scope::ANY_SCHEDULE), reason }
}

/// Busiest group or processor: side, number, packets.
fn busiest(counts: &[Vec<u64>; 2]) -> (usize, usize, u64) {
    let all = (0..2).flat_map(|side| counts[side].iter().enumerate().map(move |(i, &count)| (side, i, count)));
    all.fold((0, 0, 0), |best, next| if next.2 > best.2 { next } else { best })
}

struct Cut {
    g: u64,
    demand: BTreeMap<(u32, u32), u64>,
    /// Counts of each group, by group: packets that its couplers from and to other groups carry in any case, the larger
    /// of those that leave it and those that come into it; then packets from the group to itself.
    groups: Vec<(u64, u64)>,
}

impl Cut {
    fn excess(&self, slots: u64) -> impl Iterator<Item = ((u32, u32), u64)> {
        self.demand.iter().map(move |(&pair, &packets)| (pair, packets.saturating_sub(slots))).filter(|e| e.1 > 0)
    }

    fn largest(&self) -> ((u32, u32), u64) {
        let pairs = self.demand.iter().map(|(&pair, &packets)| (pair, packets));
        pairs.fold(((0, 0), 0), |best, next| if next.1 > best.1 { next } else { best })
    }

    /// The least slots from `least` on for which `fits` holds; with the largest demand it does.
    fn first(&self, least: u64, fits: impl Fn(u64) -> bool) -> u64 {
        let largest = self.largest().1;
        // more slots never fit worse
        let (mut low, mut high) = (least.min(largest), largest);
        while low < high {
            let middle = low.midpoint(high);
            if fits(middle) { high = middle } else { low = middle + 1 }
        }
        low
    }

    fn coupler_demand(&self, least: u64) -> NamedBound {
        let all: u64 = self.demand.values().sum();
        let fits = |slots: u64| {
            let excess: u64 = self.excess(slots).map(|(_, packets)| packets).sum();
            all + excess <= self.g * self.g * slots && (excess == 0 || slots >= 2)
        };
        let slots = self.first(least, fits);
        let ((a, b), most) = self.largest();
        let reason = match slots {
            0 => "nothing is to be sent".to_owned(),
            1 => "a packet that is not at its destination takes a slot".to_owned(),
            _ if slots == most => {
                format!("{most} packets go from group {a} to group {b}, and fewer slots have no room for detours")
            }
            _ => {
                let fewer = slots - 1;
                let excess: u64 = self.excess(fewer).map(|(_, packets)| packets).sum();
                format!(
                    "in {fewer} slots {excess} of {all} packets would exceed their coupler and take two others, of {} places",
                    self.g * self.g * fewer
                )
            }
        };
        bound("coupler-demand", slots, reason)
    }

    /// The set of excess packets that has too little room in the groups that it may pass.
    fn narrow(&self, slots: u64) -> Option<String> {
        let room = self.groups.iter().map(|&(others, inside)| {
            // what its coupler to itself cannot take leaves it and comes back
            ((self.g - 1) * slots).saturating_sub(others + inside.saturating_sub(slots))
        });
        let room: Vec<u64> = room.collect();
        let all: u64 = room.iter().sum();
        let mut total = 0;
        let mut of = [BTreeMap::<u32, u64>::new(), BTreeMap::new()];
        for ((a, b), packets) in self.excess(slots) {
            total += packets;
            *of[0].entry(a).or_default() += packets;
            *of[1].entry(b).or_default() += packets;
            let others = all - room[a as usize] - if a == b { 0 } else { room[b as usize] };
            if packets > others {
                return Some(format!(
                    "{} from group {a} to group {b} would pass others, which have room for {others}",
                    counted(packets, "packet")
                ));
            }
        }
        for (side, word) in [(0, "of"), (1, "for")] {
            for (&group, &packets) in &of[side] {
                let others = all - room[group as usize];
                if packets > others {
                    return Some(format!(
                        "{} {word} group {group} would pass others, which have room for {others}",
                        counted(packets, "packet")
                    ));
                }
            }
        }
        (total > all).then(|| format!("{total} packets would pass a third group, and all have room for {all}"))
    }

    fn group_cut(&self, least: u64) -> NamedBound {
        let slots = self.first(least, |slots| self.narrow(slots).is_none());
        let fewer = slots.saturating_sub(1);
        let reason = match self.narrow(fewer).filter(|_| slots > 0) {
            Some(reason) => format!("in {} {reason}", counted(fewer, "slot")),
            None => "there is room for all packets that exceed their couplers".to_owned(),
        };
        bound("group-cut", slots, reason)
    }
}
