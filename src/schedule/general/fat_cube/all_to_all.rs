//! All-to-all: displacements of routers and pairs of processors, packed into steps.
//!
//! A displacement δ and its complement together cross every dimension once. So with f such pairs a step all channels
//! between routers are always in use, which takes ⌈m²·2^{d-1}/f⌉ steps. For the t-th use of a displacement, the
//! processors of the two routers remain to be chosen. They go through the diagonals j = i + c of all pairs (i,j), so
//! that the processors of a step differ. [`repair`](super::repair) exchanges some where they do not.
//!
//! With one link a processor and f ≥ m/2 processors are busy in all steps instead: in a step each of them sends one
//! packet and receives one. The first half of the processors of a router sends along δ, the others along its
//! complement.

use super::matchings::matchings;
use super::paths::{Path, dims};
use super::repair::{Item, Packing};
use super::search::Search;
use super::shape::Shape;
use crate::topology::FatCube;

/// Steps beyond the bound that are tried.
const FURTHER: u32 = 8;

/// Paths of all chunks.
pub(super) fn paths(shape: &Shape, search: &mut Search) -> Option<Vec<Path>> {
    let net = shape.net;
    let items = match net.k() == 1 && 2 * net.f() >= net.m() {
        true => ports_busy(shape, search)?,
        false => links_busy(shape, search)?,
    };
    // by source and destination: chunks that are laid
    let mut laid = vec![0_usize; (net.processors() * net.processors()) as usize];
    let mut paths = Vec::with_capacity(items.len() * net.routers() as usize);
    for Item { step, displacement, i, j } in items {
        for router in 0..net.routers() {
            let (from, to) = (router * net.m() + i, (router ^ displacement) * net.m() + j);
            let next = &mut laid[(from * net.processors() + to) as usize];
            let chunk = *shape.chunks(from, Some(to)).get(*next)?;
            *next += 1;
            paths.push(Path { step, chunk, from, dims: dims(displacement), to });
        }
    }
    Some(paths)
}

/// Pairs of complementary displacements: the lower of each; that of no dimension first.
fn lower(net: FatCube) -> std::ops::Range<u32> {
    0..net.routers() / 2
}

/// Steps in which all channels between routers are in use.
fn links_busy(shape: &Shape, search: &mut Search) -> Option<Vec<Item>> {
    let (net, words) = (shape.net, shape.words);
    let (m, f) = (net.m(), net.f());
    let all = net.routers() - 1;
    let uses = m * m * words;
    let count = uses * lower(net).end;
    let receive = (words * (net.processors() - 1)).div_ceil(net.k());
    let least = count.div_ceil(f).max(receive);
    for steps in least..=least + FURTHER {
        let mut packing = Packing::new(net, steps);
        let mut number = 0;
        let mut next = || {
            number += 1;
            ((number - 1) * u64::from(steps) / u64::from(count)) as u32
        };
        for displacement in lower(net).rev() {
            for t in 0..uses {
                let (step, c) = (next(), t / m);
                let shifted = if 2 * f <= m { t + f } else { t };
                for (displacement, t) in [(displacement, t), (displacement ^ all, shifted)] {
                    if displacement != 0 {
                        packing.put(Item { step, displacement, i: t % m, j: (t + c) % m });
                    }
                }
            }
        }
        for (c, i) in (0..words).flat_map(|_| (1..m).flat_map(|c| (0..m).map(move |i| (c, i)))) {
            packing.put_anywhere(i, (i + c) % m);
        }
        if packing.repair(&mut search.random, u64::from(search.attempts) * 20_000) {
            return Some(packing.into_items());
        }
    }
    None
}

/// Steps in which all processors send and get a packet.
fn ports_busy(shape: &Shape, search: &mut Search) -> Option<Vec<Item>> {
    let net = shape.net;
    let (m, all) = (net.m(), net.routers() - 1);
    let half = |displacement: u32, c: u32, turned: bool| {
        let lower = move |i: u32| (i < m.div_ceil(2)) != turned;
        (0..m).map(move |i| (if lower(i) { displacement } else { displacement ^ all }, i, (i + c) % m))
    };
    let pairs = |displacement: u32| {
        (0..m).flat_map(move |c| [false, true].map(|turned| half(displacement, c, turned).collect::<Vec<_>>()))
    };
    let mut steps: Vec<Vec<(u32, u32, u32)>> = lower(net).skip(1).flat_map(pairs).collect();
    if 2 * net.f() == m {
        steps.extend(pairs(0));
        steps.iter_mut().for_each(|step| step.retain(|&(displacement, i, j)| displacement != 0 || i != j));
    } else {
        let far = matchings(m as usize, net.f() as usize, &mut search.random)?;
        let item = |(i, (j, far)): (usize, (usize, bool))| (if far { all } else { 0 }, i as u32, j as u32);
        steps.extend(far.into_iter().map(|matching| matching.into_iter().enumerate().map(item).collect()));
    }
    let words = (0..shape.words).flat_map(|_| &steps);
    let items = (0..)
        .zip(words)
        .flat_map(|(step, items)| items.iter().map(move |&(displacement, i, j)| Item { step, displacement, i, j }));
    Some(items.collect())
}
