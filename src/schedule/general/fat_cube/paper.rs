//! The paper's schedules. With one link a processor they are those of the proofs of its theorems. On the fat cube of 8
//! processors with two links they are those of Tables 4 and 5, with the digits that the tables lack. For other sizes
//! the paper counts steps and gives no schedule.

use super::paths::{Path, dims, laid};
use super::scatter;
use super::shape::{Kind, Shape};
use crate::claims::fat_cube::model::Circuit;
use crate::claims::fat_cube::{all_gather_table, all_to_all_table};
use crate::schedule::general::circuits::made;
use crate::schedule::general::{Effort, Made, Problem, Scheduler};
use crate::topology::FatCube;

/// The algorithm.
pub(in crate::schedule::general) struct Paper;

impl Scheduler for Paper {
    fn name(&self) -> &'static str {
        "paper"
    }

    fn about(&self) -> &'static str {
        "fat cubes: Dvorak's schedules, with one link a processor or on 8 processors"
    }

    fn needs(&self) -> Option<&'static str> {
        Some(
            "a broadcast, all-gather, scatter or all-to-all with `ports = 1`, or an all-gather or all-to-all with d = m = 2, f = 1 and \
             `ports = 2`; of all others the paper has formulas alone",
        )
    }

    fn is_short(&self) -> bool {
        false
    }

    fn is_circuit(&self) -> bool {
        true
    }

    fn schedule(&self, problem: &Problem, _: &Effort) -> Option<Made> {
        let shape = Shape::of(problem)?;
        let net = shape.net;
        let one = net.k() == 1;
        let eight = net == FatCube::new(2, 2, 1, 2);
        let sends = match shape.kind {
            Kind::Broadcast(root) if one => doubling(net, root),
            Kind::AllGather if one => ring(net),
            Kind::AllToAll if one => direct_exchange(net),
            Kind::Scatter(root) if one => {
                let paths = scatter::paths(&shape, root, false)?;
                return Some(made(&problem.net, &problem.demand, self.name(), laid(net, paths)?));
            }
            Kind::AllGather if eight => printed(all_gather_table()?, |packet| (packet, None)),
            Kind::AllToAll if eight => printed(all_to_all_table()?, |packet| (packet / 8, Some(packet % 8))),
            _ => return None,
        };
        let path = |Send { step, of, from, dims, to }: &Send| {
            let words = (0..).zip(shape.chunks(of.0, of.1));
            let path = |(word, &chunk): (u32, &u32)| Path {
                step: step * shape.words + word,
                chunk,
                from: *from,
                dims: dims.clone(),
                to: *to,
            };
            words.map(path).collect::<Vec<_>>()
        };
        let paths = sends.iter().flat_map(path).collect();
        Some(made(&problem.net, &problem.demand, self.name(), laid(net, paths)?))
    }
}

/// Send of a packet, that of a source for a destination or for all.
struct Send {
    step: u32,
    of: (u32, Option<u32>),
    from: u32,
    dims: Vec<u32>,
    to: u32,
}

/// Steps of circuits as sends; `of` gives the packet of a number in the paper's tables.
fn printed(steps: Vec<Vec<Circuit>>, of: fn(u32) -> (u32, Option<u32>)) -> Vec<Send> {
    let send = |(step, Circuit { packet, from, dims, to })| Send { step, of: of(packet), from, dims, to };
    (0..).zip(steps).flat_map(|(step, circuits)| circuits.into_iter().map(move |c| (step, c))).map(send).collect()
}

/// Theorem 1: recursive doubling along the dimensions, then within the routers.
fn doubling(net: FatCube, root: u32) -> Vec<Send> {
    let (m, home, own) = (net.m(), root / net.m(), root % net.m());
    let mut sends = Vec::new();
    let mut send = |step, from, dims, to| sends.push(Send { step, of: (root, None), from, dims, to });
    for x in 0..net.d() {
        for router in (0..1 << x).map(|router: u32| router ^ home) {
            send(x, router * m + own, vec![x], (router ^ 1 << x) * m + own);
        }
    }
    let (mut there, mut step) = (1, net.d());
    while there < m {
        for (router, i) in (0..net.routers()).flat_map(|router| (0..there.min(m - there)).map(move |i| (router, i))) {
            let at = |i: u32| router * m + (own + i) % m;
            send(step, at(i), Vec::new(), at(there + i));
        }
        (there, step) = (2 * there, step + 1);
    }
    sends
}

/// Theorem 2: packets go round a Hamiltonian cycle that has all processors of a router in a row.
fn ring(net: FatCube) -> Vec<Send> {
    let (m, p) = (net.m(), net.processors());
    let at = |place: u32| {
        let router = place % p / m;
        (router ^ (router / 2)) * m + place % m
    };
    let hand = |step: u32, place: u32| {
        let (from, to) = (at(place), at(place + 1));
        Send { step, of: (at(place + p - step), None), from, dims: dims((from / m) ^ (to / m)), to }
    };
    (0..p - 1).flat_map(|step| (0..p).map(move |place| hand(step, place))).collect()
}

/// Theorem 4: displacement by displacement, f pairs of processors a step. The proof does not place packets within
/// routers; they go where processors are free.
fn direct_exchange(net: FatCube) -> Vec<Send> {
    let (m, count) = (net.m(), net.routers());
    let mut steps: Vec<Vec<(u32, u32, u32)>> = Vec::new();
    for displacement in 1..count {
        let pairs: Vec<_> = (0..m * m).map(|t| (displacement, t % m, (t + t / m) % m)).collect();
        steps.extend(pairs.chunks(net.f() as usize).map(<[_]>::to_vec));
    }
    for (i, j) in (1..m).flat_map(|c| (0..m).map(move |i| (i, (i + c) % m))) {
        let free = |step: &Vec<(u32, u32, u32)>| step.iter().all(|&(_, a, b)| a != i && b != j);
        match steps.iter_mut().find(|step| free(step)) {
            Some(step) => step.push((0, i, j)),
            None => steps.push(vec![(0, i, j)]),
        }
    }
    let send = |step: u32, (displacement, i, j): (u32, u32, u32), router: u32| {
        let (from, to) = (router * m + i, (router ^ displacement) * m + j);
        Send { step, of: (from, Some(to)), from, dims: dims(displacement), to }
    };
    let items = (0..).zip(steps).flat_map(|(step, items)| items.into_iter().map(move |item| (step, item)));
    items.flat_map(|(step, item)| (0..count).map(move |router| send(step, item, router))).collect()
}
