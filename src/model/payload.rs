//! The words of a collective in the order in which packets leave, so that filling a block reads memory in order.

use super::layout::PointKind;
use super::routes::Routes;
use crate::collective::Data;
use crate::lower::Parameters;

/// The payloads of one repetition, parity included: pass after pass, vector after vector, source after source.
#[derive(Debug, Clone)]
pub struct Packets {
    packets: Widths,
    tiles: usize,
    /// Packets of a pass.
    pass: usize,
    /// Whether a parity bit stands above 64 bits of data.
    parity_above: bool,
}

#[derive(Debug, Clone)]
enum Widths {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

impl Packets {
    pub(super) fn gather(p: &Parameters, routes: &Routes, data: &Data, repetition: u32) -> Self {
        let (traffic, words) = (data.traffic(), data.words());
        let (tiles, pass) = (p.tiles as usize, routes.launches() * p.tiles as usize);
        let packet = |pass: u32, launch: usize, source: usize| {
            let destination = routes.destinations(launch)[source];
            words.get(traffic.index(repetition, source as u32, destination, pass))
        };
        let order = (0..p.words).flat_map(|w| (0..routes.launches()).map(move |launch| (w, launch)));
        let order = order.flat_map(|(w, launch)| (0..tiles).map(move |source| (w, launch, source)));
        let with_parity = |word: u64| match p.parity && p.data_bits < 64 {
            true => word | u64::from(word.count_ones() & 1) << p.data_bits,
            false => word,
        };
        let packets = order.map(|(w, launch, source)| with_parity(packet(w, launch, source)));
        let packets = match p.payload_bits() <= 32 {
            true => Widths::Narrow(packets.map(|packet| packet as u32).collect()),
            false => Widths::Wide(packets.collect()),
        };
        Self { packets, tiles, pass, parity_above: p.parity && p.data_bits == 64 }
    }

    pub(super) fn add(&self, routes: &Routes, kind: PointKind, cycle: u64, word: u32, block: &mut [u64]) {
        let start = word as usize * self.pass;
        match &self.packets {
            Widths::Narrow(packets) => fill(routes, kind, cycle, &packets[start..][..self.pass], false, block),
            Widths::Wide(packets) => {
                fill(routes, kind, cycle, &packets[start..][..self.pass], self.parity_above, block);
            }
        }
        debug_assert_eq!(self.pass, routes.launches() * self.tiles);
    }
}

fn fill<T: Into<u64> + Copy>(
    routes: &Routes,
    kind: PointKind,
    cycle: u64,
    pass: &[T],
    parity_above: bool,
    block: &mut [u64],
) {
    for group in routes.groups(kind, cycle) {
        let (places, head) = (routes.places(group), routes.head(group));
        let packets = &pass[group.launch as usize * places.len()..][..places.len()];
        for (&place, &packet) in places.iter().zip(packets) {
            block[place as usize] = head[0] | packet.into();
        }
        for i in 1..group.words as usize {
            for (&place, &packet) in places.iter().zip(packets) {
                let parity = if parity_above && i == 1 { u64::from(packet.into().count_ones() & 1) } else { 0 };
                block[place as usize + i] = head[i] | parity;
            }
        }
    }
}
