//! Every packet straight to its destination.

use crate::hash::split_mix_64;
use crate::program::form::pops::Hop;
use crate::topology::Pops;

/// A permutation in as many slots as the largest demand of a coupler, the packets of a coupler one after the other. Packets are
/// numbered by their sources.
pub(super) fn permutation(net: Pops, permutation: &[u32]) -> (Vec<Hop>, u32) {
    let g = net.g() as usize;
    let mut hops = Vec::with_capacity(permutation.len());
    let mut used = vec![0_u32; g];
    let mut touched = Vec::with_capacity(net.d() as usize);
    for (source, &to) in (0_u32..).zip(permutation) {
        if source % net.d() == 0 {
            // of the groups that the group before sent to
            touched.drain(..).for_each(|group: usize| used[group] = 0);
        }
        if source != to {
            touched.push(net.group(to) as usize);
            let slot = &mut used[net.group(to) as usize];
            hops.push(Hop { slot: *slot, packet: source, from: source, to });
            *slot += 1;
        }
    }
    hops.sort_by_key(|hop| hop.slot);
    let slots = hops.last().map_or(0, |hop| hop.slot + 1);
    (hops, slots)
}

/// The largest demand of a coupler.
pub(super) fn largest(net: Pops, permutation: &[u32]) -> u32 {
    let mut demand = vec![0_u32; net.g() as usize];
    let mut largest = 0;
    for (source, own) in permutation.chunks(net.d() as usize).enumerate() {
        let first = source as u32 * net.d();
        let away = || (first..).zip(own).filter(|(from, to)| from != *to).map(|(_, &to)| net.group(to) as usize);
        away().for_each(|group| demand[group] += 1);
        away().for_each(|group| largest = largest.max(std::mem::take(&mut demand[group])));
    }
    largest
}

/// Any packets, slot by slot: each takes those that fit, of processors with much left to do first.
pub(super) fn relation(net: Pops, packets: &[(u32, u32)], seed: u64) -> (Vec<Hop>, u32) {
    let n = net.processors() as usize;
    let groups = |&(from, to): &(u32, u32)| (net.group(to), net.group(from));
    // there may be more couplers than memory; those that packets want are numbered
    let mut wanted: Vec<(u32, u32)> = packets.iter().map(groups).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let number = |packet| wanted.partition_point(|coupler| *coupler < groups(packet));
    let couplers: Vec<usize> = packets.iter().map(number).collect();
    let mut left = [vec![0_u32; n], vec![0_u32; n]];
    let mut demand = vec![0_u32; wanted.len()];
    for (packet, &coupler) in packets.iter().zip(&couplers) {
        left[0][packet.0 as usize] += 1;
        left[1][packet.1 as usize] += 1;
        demand[coupler] += 1;
    }
    let mut open: Vec<u32> = (0..packets.len() as u32).collect();
    let mut hops = Vec::with_capacity(packets.len());
    let mut taken = [vec![u32::MAX; n], vec![u32::MAX; n]];
    let mut busy = vec![u32::MAX; wanted.len()];
    let mut slot = 0;
    while !open.is_empty() {
        let key = |&id: &u32| {
            let packet = packets[id as usize];
            let most = left[0][packet.0 as usize].max(left[1][packet.1 as usize]).max(demand[couplers[id as usize]]);
            (std::cmp::Reverse(most), split_mix_64(seed ^ u64::from(id) ^ u64::from(slot) << 32, 0))
        };
        open.sort_by_cached_key(key);
        let before = hops.len();
        open.retain(|&id| {
            let (from, to) = packets[id as usize];
            let [senders, readers] = &mut taken;
            let places = [&mut senders[from as usize], &mut readers[to as usize], &mut busy[couplers[id as usize]]];
            if places.iter().any(|place| **place == slot) {
                return true;
            }
            places.into_iter().for_each(|place| *place = slot);
            hops.push(Hop { slot, packet: id, from, to });
            false
        });
        for hop in &hops[before..] {
            left[0][hop.from as usize] -= 1;
            left[1][hop.to as usize] -= 1;
            demand[couplers[hop.packet as usize]] -= 1;
        }
        slot += 1;
    }
    (hops, slot)
}
