//! Section 3.2: any permutation in 1 or 2⌈d/g⌉ slots.

use super::super::{Claim, Trial};
use super::fair::distribution;
use super::nets::{Net, deep, nets};
use super::slots::{Hop, State};
use crate::count::counted;

/// Packets of a round of the case d > g.
#[derive(Clone, Copy)]
enum Round {
    /// Packets of processors kg to kg+g-1 of each group, by the coupler that f names, as printed.
    OfIndices,
    /// Packets for targets kg to kg+g-1, by the coupler of the target less kg.
    OfTargets,
}

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "theorem-3.4",
            "Theorem 3.4",
            "POPS(d,g) routes any permutation in one slot for d = 1 and in 2⌈d/g⌉ slots for d > 1.",
            Trial::over(nets, |net| each(*net, |permutation| slots(*net, permutation, Round::OfTargets, |_| Ok(())))),
        ),
        Claim::new(
            "theorem-3.4-rounds",
            "proof of Theorem 3.4, d > g",
            "In the first slot of round k the packet of processor i+kg+hd is sent through coupler c(f(h,i+kg),h), i < g.",
            Trial::over(deep, |net| each(*net, |permutation| slots(*net, permutation, Round::OfIndices, |_| Ok(())))),
        )
        .amended(
            "The packets of round k are those with kg ≤ f < kg+g, whatever their index, and one with f = kg+j goes through \
             c(j,h). In a round of r < g packets a group, f has to be found anew, with the groups as targets of r packets \
             each.",
            Trial::over(deep, |net| each(*net, |permutation| slots(*net, permutation, Round::OfTargets, |_| Ok(())))),
        ),
        Claim::new(
            "equation-7",
            "equation (7)",
            "For d > g, f maps d pairs (h,i) to each j below d.",
            Trial::over(deep, |net| each(*net, |permutation| share(*net, permutation, net.d))),
        )
        .amended(
            "It maps g pairs to each.",
            Trial::over(deep, |net| each(*net, |permutation| share(*net, permutation, net.g))),
        ),
        Claim::new(
            "one-packet",
            "section 3.2",
            "At each step of the computation each processor stores exactly one packet.",
            Trial::over(nets, |net| each(*net, |permutation| stored(*net, permutation, 1))),
        )
        .amended(
            "Each processor stores at most one packet for d ≤ g, and at most two for d > g: its own, or one that waits in its \
             place, and the one for itself.",
            Trial::over(nets, |net| {
                each(*net, |permutation| stored(*net, permutation, if net.d > net.g { 2 } else { 1 }))
            }),
        ),
    ]
}

fn each(net: Net, test: impl Fn(&[u32]) -> Result<(), String>) -> Result<(), String> {
    net.permutations().iter().try_for_each(|permutation| test(permutation))
}

fn share(net: Net, permutation: &[u32], share: u32) -> Result<(), String> {
    let f = distribution(net, permutation);
    let count = |target: usize| f.iter().filter(|&&t| t == target).count();
    match (0..net.d as usize).find(|&target| count(target) != share as usize) {
        Some(target) => Err(format!("target {target} has {}, not {share}", counted(count(target), "pair"))),
        None => Ok(()),
    }
}

fn stored(net: Net, permutation: &[u32], most: u32) -> Result<(), String> {
    let look = |state: &State| match (0..).zip(state.stored()).find(|(_, stored)| *stored > most) {
        Some((processor, stored)) => {
            Err(format!("after a slot processor {processor} stores {}", counted(stored, "packet")))
        }
        None => Ok(()),
    };
    slots(net, permutation, Round::OfTargets, look)
}

/// Routes a permutation as the amended proof does, in the slots of the theorem.
///
/// # Errors
/// A sentence on the first rule that is broken.
pub fn in_theorem_slots(net: Net, permutation: &[u32]) -> Result<(), String> {
    slots(net, permutation, Round::OfTargets, |_| Ok(()))
}

/// Routes a permutation as the proof does; `look` sees the state after every slot.
fn slots(
    net: Net,
    permutation: &[u32],
    round: Round,
    look: impl Fn(&State) -> Result<(), String>,
) -> Result<(), String> {
    let mut state = State::new(net);
    let n = net.processors();
    if net.d == 1 {
        let to = |packet: u32| permutation[packet as usize];
        let hop = |packet: u32| Hop { packet, from: packet, to: net.group(to(packet)), reader: to(packet) };
        state.slot(&(0..n).map(hop).collect::<Vec<_>>())?;
        look(&state)?;
        return state.arrived(permutation);
    }
    let f = distribution(net, permutation);
    let (d, g) = (net.d as usize, net.g as usize);
    for first in (0..d).step_by(g) {
        // packets of the round, with the group that they go by
        let chosen: Vec<(u32, usize)> = match round {
            _ if d <= g => (0..n).zip(f.iter().copied()).collect(),
            Round::OfIndices => {
                let own = |packet: &u32| (first..first + g).contains(&(*packet as usize % d));
                (0..n).filter(own).map(|packet| (packet, f[packet as usize])).collect()
            }
            Round::OfTargets => {
                let own = |packet: &u32| (first..first + g).contains(&f[*packet as usize]);
                let packets: Vec<u32> = (0..n).filter(own).collect();
                anew(net, permutation, &packets, |packet| f[packet as usize] - first)
            }
        };
        let hops = by_groups(net, &chosen);
        state.slot(&hops)?;
        look(&state)?;
        let home = |hop: &Hop| {
            let reader = permutation[hop.packet as usize];
            Hop { packet: hop.packet, from: hop.reader, to: net.group(reader), reader }
        };
        state.slot(&hops.iter().map(home).collect::<Vec<_>>())?;
        look(&state)?;
    }
    state.arrived(permutation)
}

/// The groups of a round's packets: `f`, or, where a group sends fewer than g, those of a fair distribution of these packets alone.
fn anew(net: Net, permutation: &[u32], packets: &[u32], f: impl Fn(u32) -> usize) -> Vec<(u32, usize)> {
    let each = packets.len() as u32 / net.g;
    if each == net.g {
        return packets.iter().map(|&packet| (packet, f(packet))).collect();
    }
    // the same packets on POPS(each,g): only their groups matter
    let small = Net { d: each, g: net.g };
    let to = packets.iter().map(|&packet| net.group(permutation[packet as usize]) as u32 * each);
    let distribution = distribution(small, &to.collect::<Vec<_>>());
    packets.iter().copied().zip(distribution).collect()
}

/// Hops to groups; who reads is one of those that have just sent.
fn by_groups(net: Net, chosen: &[(u32, usize)]) -> Vec<Hop> {
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); net.g as usize];
    chosen.iter().for_each(|&(packet, _)| readers[net.group(packet)].push(packet));
    let hop = |&(packet, to): &(u32, usize)| {
        let reader = readers.get_mut(to).and_then(Vec::pop).unwrap_or(0);
        Hop { packet, from: packet, to, reader }
    };
    chosen.iter().map(hop).collect()
}
