//! The judge of schedules on POPS(d,g): every hop is followed, and nothing is taken from a scheduler but the hops themselves.
//!
//! A hop (slot, packet, from, to) takes coupler c(group of `to`, group of `from`). A [`CheckedPops`] is a schedule for which all of
//! this holds:
//!
//! 1. *Couplers*: a coupler carries at most one packet a slot.
//! 2. *Processors*: a processor sends at most one packet a slot, to any of its couplers, and reads at most one coupler.
//! 3. *Causality*: a processor has what it sends since the slot before, at the latest. A packet for one processor moves, so that it is
//!    always in one place; a packet for all stays where it was, too.
//! 4. *Delivery*: every packet is where it is to go in the end, and the packets are those of the collective.
//! 5. *Buffers*: between two slots no processor holds more packets than the schedule declares.
//!
//! Up to [`AS_PROGRAM`] hops and 2³² channels, the same is proved of the schedule's [program](mod@crate::check::program), which all later stages read. It does not
//! show that a packet leaves a buffer, which 3 and 5 are about, and takes some 200 bytes a packet.

mod bounds;
mod fault;

use crate::check::checked::Checked;
use crate::check::program::{self, AS_PROGRAM, Rules, To};
use crate::check::verdict::Proof;
use crate::collective::pops::{Goal, Packet, Relation};
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::pops::{Hop, PopsSchedule};
use crate::topology::{Pops, Topology};
pub use fault::PopsFault;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Proved schedule; the [module](self) lists the proved properties. Only [`check_pops`] makes one.
pub type CheckedPops = Checked<Pops, PopsSchedule, PopsProof, Relation>;

/// Counts of the proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PopsProof {
    /// Processors.
    pub processors: u32,
    /// Packets.
    pub packets: usize,
    /// Hops, each read by a processor.
    pub hops: usize,
    /// Packets that went straight.
    pub straight: usize,
    /// Most packets that a processor holds between two slots.
    pub buffers: u32,
    /// Most packets that a processor holds between two slots which are neither of it nor for it.
    pub passing: u32,
}

impl Proof for PopsProof {
    fn lines(&self) -> Vec<String> {
        vec![
            format!("no coupler carries two packets in a slot: {} followed one by one", counted(self.hops, "hop")),
            "no processor sends two packets in a slot, or reads two couplers, or sends what it does not have".into(),
            format!("each of {} packets gets where it is to go, {} of them in one hop", self.packets, self.straight),
            format!(
                "no processor holds more than {} between two slots; at most {} of them on the way to another processor",
                counted(self.buffers, "packet"),
                self.passing
            ),
        ]
    }
}

impl CheckedPops {
    /// Packets of the collective: sources and destinations.
    pub fn relation(&self) -> &Relation {
        &self.found
    }
}

/// Checks a schedule.
///
/// # Errors
/// [`PopsFault`] with the first hop, processor or packet at fault.
pub fn check_pops(net: Pops, relation: &Relation, schedule: PopsSchedule) -> Result<CheckedPops, PopsFault> {
    let wanted = relation.packets(net.processors());
    same_packets(&schedule.packets, &wanted)?;
    let proof = Judge::new(net, relation, &schedule).judge()?;
    // programs count channels in 32 bits
    if schedule.hops.len() <= AS_PROGRAM && u32::try_from(net.channels()).is_ok() {
        check_program(net, &schedule)?;
    }
    let bounds = bounds::of(net, &wanted);
    let (cycles, found) = (schedule.slots, relation.clone());
    Ok(Checked { network: net, schedule, proof, found, cycles, bounds })
}

/// Checks the program of a schedule: couplers, processors and delivery.
fn check_program(net: Pops, schedule: &PopsSchedule) -> Result<(), PopsFault> {
    let program = schedule.to_program(net);
    let rules = Rules { one_port: true, shared_media: true, ..Rules::default() };
    // a value is a packet
    let to = |value: u32, _: NodeId| match schedule.packets[value as usize].goal {
        Goal::One(to) => To::One(NodeId::new(to)),
        Goal::All => To::All,
    };
    program::check(&net, &program, &rules, &program::Goal::Copies(&to))?;
    Ok(())
}

fn same_packets(found: &[Packet], wanted: &[Packet]) -> Result<(), PopsFault> {
    if found == wanted {
        return Ok(());
    }
    let sorted = |packets: &[Packet]| {
        let mut packets = packets.to_vec();
        packets.sort_unstable();
        packets
    };
    let (found, wanted) = (sorted(found), sorted(wanted));
    let differs = found.iter().zip(&wanted).position(|(a, b)| a != b).unwrap_or(found.len().min(wanted.len()));
    let Some(&packet) = [found.get(differs), wanted.get(differs)].into_iter().flatten().min() else { return Ok(()) };
    let times = |packets: &[Packet]| packets.iter().filter(|p| **p == packet).count();
    let to = match packet.goal {
        Goal::One(to) => to.to_string(),
        Goal::All => "all".into(),
    };
    Err(PopsFault::WrongPackets { src: packet.src, to, found: times(&found), wanted: times(&wanted) })
}

const NEVER: u32 = u32::MAX;

struct Judge<'a> {
    net: Pops,
    schedule: &'a PopsSchedule,
    /// Processor at which each packet for one processor is.
    at: Vec<u32>,
    /// Processors that have a packet for all.
    copies: BTreeMap<u32, BTreeSet<u32>>,
    /// Packets that each processor holds, and those of others among them.
    held: Vec<u32>,
    passing: Vec<u32>,
    hops_of: Vec<u32>,
}

impl<'a> Judge<'a> {
    fn new(net: Pops, relation: &Relation, schedule: &'a PopsSchedule) -> Self {
        let n = net.processors() as usize;
        let mut held = vec![0; n];
        schedule.packets.iter().for_each(|packet| held[packet.src as usize] += 1);
        if relation.holds_each_element() {
            // what is at home is held, too
            held.iter_mut().filter(|held| **held == 0).for_each(|held| *held = 1);
        }
        let all = (0..).zip(&schedule.packets).filter(|(_, packet)| packet.goal == Goal::All);
        Self {
            net,
            schedule,
            at: schedule.packets.iter().map(|packet| packet.src).collect(),
            copies: all.map(|(id, packet)| (id, BTreeSet::from([packet.src]))).collect(),
            held,
            passing: vec![0; n],
            hops_of: vec![0; schedule.packets.len()],
        }
    }

    fn judge(mut self) -> Result<PopsProof, PopsFault> {
        let (n, g) = (self.net.processors() as usize, self.net.g() as usize);
        // the slot of the last use, and the packet
        let mut couplers: BTreeMap<u64, (u32, u32)> = BTreeMap::new();
        let mut dense = vec![(NEVER, 0); if g <= 2048 { g * g } else { 0 }];
        let (mut sends, mut reads) = (vec![(NEVER, 0); n], vec![(NEVER, 0); n]);
        let mut moved = vec![(NEVER, 0); self.at.len()];
        let (mut buffers, mut passing) = (self.most_held(NEVER, 0..n as u32)?, 0);
        let mut end = 0;
        for same in self.schedule.hops.chunk_by(|a, b| a.slot == b.slot) {
            let slot = same[0].slot;
            if slot < end {
                return Err(PopsFault::OutOfOrder { before: end - 1, after: slot });
            }
            end = slot.checked_add(1).ok_or(PopsFault::Unknown { slot, what: "slot", number: slot })?;
            if g > 2048 {
                couplers.clear();
            }
            for &Hop { packet, from, to, .. } in same {
                self.known(slot, packet, from, to)?;
                let (a, b) = (self.net.group(from), self.net.group(to));
                let place = u64::from(b) * g as u64 + u64::from(a);
                let coupler = match dense.get_mut(place as usize) {
                    Some(coupler) => coupler,
                    None => couplers.entry(place).or_insert((NEVER, 0)),
                };
                if let Some(other) = used(coupler, slot, packet).filter(|&other| other != packet) {
                    return Err(PopsFault::Coupler { slot, b, a, packets: [other, packet] });
                }
                if let Some(other) = used(&mut sends[from as usize], slot, packet).filter(|&other| other != packet) {
                    return Err(PopsFault::SendsTwo { slot, processor: from, packets: [other, packet] });
                }
                if let Some(other) = used(&mut reads[to as usize], slot, packet) {
                    return Err(PopsFault::ReadsTwo { slot, processor: to, packets: [other, packet] });
                }
                if let Some(other) = used(&mut moved[packet as usize], slot, to)
                    && !self.copies.contains_key(&packet)
                {
                    return Err(PopsFault::Doubled { slot, packet, to: [other, to] });
                }
            }
            same.iter().for_each(|hop| self.leave(hop));
            same.iter().for_each(|hop| self.come(hop));
            buffers = buffers.max(self.most_held(slot, same.iter().map(|hop| hop.to))?);
            passing = same.iter().map(|hop| self.passing[hop.to as usize]).fold(passing, u32::max);
        }
        if end != self.schedule.slots {
            return Err(PopsFault::WrongSlots { declared: self.schedule.slots, found: end });
        }
        self.delivered()?;
        Ok(PopsProof {
            processors: n as u32,
            packets: self.at.len(),
            hops: self.schedule.hops.len(),
            straight: self.hops_of.iter().filter(|hops| **hops == 1).count(),
            buffers,
            passing,
        })
    }

    /// Checks that the processors and the packet of a hop exist, and that the sender has the packet.
    fn known(&self, slot: u32, packet: u32, from: u32, to: u32) -> Result<(), PopsFault> {
        for processor in [from, to] {
            if processor >= self.net.processors() {
                return Err(PopsFault::Unknown { slot, what: "processor", number: processor });
            }
        }
        let Some(&at) = self.at.get(packet as usize) else {
            return Err(PopsFault::Unknown { slot, what: "packet", number: packet });
        };
        let has = self.copies.get(&packet).map_or(at == from, |copies| copies.contains(&from));
        match has {
            false => Err(PopsFault::NotThere { slot, packet, from }),
            true if from == to => Err(PopsFault::ToItself { slot, packet, processor: to }),
            true => Ok(()),
        }
    }

    fn is_end(&self, packet: u32, processor: u32) -> bool {
        let Packet { src, goal } = self.schedule.packets[packet as usize];
        src == processor || goal == Goal::One(processor) || goal == Goal::All
    }

    fn leave(&mut self, hop: &Hop) {
        if self.copies.contains_key(&hop.packet) {
            return;
        }
        self.held[hop.from as usize] -= 1;
        if !self.is_end(hop.packet, hop.from) {
            self.passing[hop.from as usize] -= 1;
        }
    }

    fn come(&mut self, hop: &Hop) {
        self.hops_of[hop.packet as usize] += 1;
        self.at[hop.packet as usize] = hop.to;
        let new = self.copies.get_mut(&hop.packet).is_none_or(|copies| copies.insert(hop.to));
        self.held[hop.to as usize] += u32::from(new);
        if !self.is_end(hop.packet, hop.to) {
            self.passing[hop.to as usize] += 1;
        }
    }

    fn most_held(&self, slot: u32, processors: impl Iterator<Item = u32>) -> Result<u32, PopsFault> {
        let declared = self.schedule.buffers;
        let mut most = 0;
        for processor in processors {
            let held = self.held[processor as usize];
            if held > declared {
                return Err(PopsFault::Buffers {
                    slot: slot.wrapping_add(1).saturating_sub(1),
                    processor,
                    held,
                    declared,
                });
            }
            most = most.max(held);
        }
        Ok(most)
    }

    fn delivered(&self) -> Result<(), PopsFault> {
        for ((packet, ends), &at) in (0..).zip(&self.schedule.packets).zip(&self.at) {
            let missed = match ends.goal {
                Goal::One(to) => (at != to).then_some(to),
                Goal::All => {
                    let copies = self.copies.get(&packet);
                    (0..self.net.processors()).find(|to| copies.is_none_or(|copies| !copies.contains(to)))
                }
            };
            if let Some(to) = missed {
                return Err(PopsFault::NotDelivered { packet, src: ends.src, to });
            }
        }
        Ok(())
    }
}

/// Records a use in a slot. Gives the earlier use if there was one in this slot.
fn used(last: &mut (u32, u32), slot: u32, what: u32) -> Option<u32> {
    let before = std::mem::replace(last, (slot, what));
    (before.0 == slot).then_some(before.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(hops: &[[u32; 4]]) -> PopsSchedule {
        let packets = vec![Packet { src: 0, goal: Goal::One(3) }, Packet { src: 1, goal: Goal::One(2) }];
        let hops = hops.iter().map(|&[slot, packet, from, to]| Hop { slot, packet, from, to }).collect();
        PopsSchedule { algorithm: "listed", packets, hops, slots: 2, buffers: 2, searched: false }
    }

    #[test]
    fn programs_of_broken_schedules_are_refused() {
        let check =
            |hops: &[[u32; 4]]| check_program(Pops::new(2, 2), &schedule(hops)).map_err(|error| error.to_string());
        assert!(check(&[[0, 0, 0, 3], [1, 1, 1, 2]]).is_ok());
        let found = check(&[[0, 0, 0, 3], [0, 1, 1, 2]]).unwrap_err();
        assert!(found.contains("wanted twice in cycle 0"), "one coupler twice: {found}");
        let found = check(&[[0, 0, 0, 2], [1, 1, 1, 2]]).unwrap_err();
        assert!(found.contains("0 copies"), "the wrong processor: {found}");
    }
}
