//! Section 5: batches of broadcasts by the trees of depth four of a drawer.

use super::header::{AtDiagonal, Field, Header, send, send_every};
use super::topology::expect;
use super::walk::{Clash, Net, Port, Reservations, show};
use crate::topology::swapped_dragonfly::RouterAddress;

/// Batches of broadcasts: sources, headers and start cycles.
pub struct Batches<'a> {
    /// The cycles in which they start.
    pub starts: &'a [u32],
    /// Cycles from a hop to the next.
    pub time: u32,
    /// Rule for copies at routers with d = p.
    pub rule: AtDiagonal,
}

/// Result of a run of broadcasts.
pub struct Run {
    /// Cycles to the last in which a packet moved.
    pub cycles: u32,
    /// Packets sent by the busiest router.
    pub busiest: u32,
}

impl Run {
    /// Summary of the packets that moved over each channel.
    pub fn new(
        reservations: &Reservations,
        net: Net,
        channels: impl IntoIterator<Item = (RouterAddress, Port)>,
    ) -> Self {
        let mut sends = vec![0; net.nodes().count()];
        channels.into_iter().for_each(|(at, _)| sends[net.index(at)] += 1);
        Self { cycles: reservations.cycles(), busiest: sends.into_iter().max().unwrap_or(0) }
    }
}

/// Sends batches of broadcasts from one router: a hop to the root of each selected tree, by its p, and the trees.
pub fn batches(net: Net, source: RouterAddress, taken: impl Fn(u32) -> bool, of: &Batches<'_>) -> Result<Run, String> {
    let (mut reservations, mut channels) = (Reservations::new(net), Vec::new());
    for (who, start) in (0..).zip(of.starts) {
        for p in (0..net.m).filter(|p| taken(*p)) {
            let mut go = || {
                let port = net.to_position(source, p);
                let root = reservations.send(*start, source, port, who)?;
                channels.extend((root != source).then_some((source, port)));
                let at = (start + of.time, root);
                let delivery = send_every(of.time, &mut reservations, net, at, Header::broadcast(4), of.rule, who)?;
                Ok::<_, Clash>((root, delivery))
            };
            let (root, delivery) = go().map_err(|clash| {
                format!("from {}, batches starting in {:?}, a hop every {}: {clash}", show(source), of.starts, of.time)
            })?;
            expect(delivery.reaches_all(net, root), || format!("the tree at {} misses a router", show(root)))?;
            channels.extend(delivery.channels);
        }
    }
    Ok(Run::new(&reservations, net, channels))
}

/// Sends M - 1 broadcasts a cycle from one router, by the trees of its drawer with p ≠ d. If the router is the root of
/// one of them, it does not send it to its own drawer. The router with p = d of that drawer sends this broadcast to the
/// others.
pub fn a_batch_a_cycle(net: Net, source: RouterAddress, starts: &[u32]) -> Result<u32, String> {
    let mut reservations = Reservations::new(net);
    for (who, &start) in (0..).zip(starts) {
        for p in (0..net.m).filter(|p| *p != source.d) {
            let reached = match p == source.p {
                true => tree_without_drawer(&mut reservations, net, source, start, who),
                false => (|| {
                    let root = reservations.send(start, source, net.to_position(source, p), who)?;
                    let (at, header) = ((start + 1, root), Header::broadcast(4));
                    let mut entries = send(&mut reservations, net, at, header, AtDiagonal::Dropped, who)?.entries;
                    entries[net.index(root)] = 1;
                    Ok(entries)
                })(),
            };
            let entries = reached.map_err(|clash: Clash| format!("from {}: {clash}", show(source)))?;
            let missed = net.nodes().find(|at| *at != source && entries[net.index(*at)] == 0);
            expect(missed.is_none(), || format!("the broadcast by p = {p} from {} misses a router", show(source)))?;
        }
    }
    Ok(reservations.cycles())
}

/// Sends a broadcast by the tree of its source but for the source's drawer, and to the drawer by its router with p = d. How often it
/// enters each router.
fn tree_without_drawer(
    reservations: &mut Reservations,
    net: Net,
    source: RouterAddress,
    start: u32,
    who: u32,
) -> Result<Vec<u32>, Clash> {
    let mut entries = vec![0; net.nodes().count()];
    let star = |b, delta| Header { b, gamma: Field::To(0), pi: Field::Star, delta };
    let mut go = |reservations: &mut Reservations, cycle, at, port, header: Option<Header>| {
        let to = reservations.send(cycle, at, port, who)?;
        entries[net.index(to)] += 1;
        if let Some(header) = header {
            let delivery = send(reservations, net, (cycle + 1, to), header, AtDiagonal::Dropped, who)?;
            entries.iter_mut().zip(&delivery.entries).for_each(|(sum, n)| *sum += n);
        }
        Ok(to)
    };
    for gamma in 1..net.k {
        go(reservations, start + 1, source, Port::Global(gamma), Some(star(3, Field::Star)))?;
    }
    let home = go(reservations, start + 1, source, Port::Global(0), None)?;
    for delta in 1..net.m {
        go(
            reservations,
            start + 2,
            home,
            Port::Local(delta),
            Some(Header { pi: Field::To(0), ..star(2, Field::Star) }),
        )?;
    }
    let corner = go(reservations, start, source, net.to_position(source, source.d), None)?;
    for p in (0..net.m).filter(|p| ![source.p, source.d].contains(p)) {
        go(reservations, start + 2, corner, net.to_position(corner, p), None)?;
    }
    Ok(entries)
}
