//! Section 4: the all-to-all of Johnsson and Ho on SBH(k,m), and the doubly-parallel one on D3(2^k,2^m).

use super::dimensions::{neighbour, net_dimensions};
use super::hypercube::of_sbh;
use super::rounds::windows;
use super::schedules::{schedule_1, schedule_2};
use super::sizes::{Cube, Parted, cubes, large_cubes};
use super::topology::expect;
use super::walk::{Port, Reservations};
use crate::claims::{Claim, Size, Table, Trial};
use crate::topology::swapped_dragonfly::RouterAddress;
use std::collections::{BTreeMap, VecDeque};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "johnsson-ho",
            "section 4, Johnsson and Ho's all-to-all",
            "Johnsson and Ho's all-to-all takes (2/3)(P/2) hops on SBH(k,m), P = 2^(k+2m).",
            Trial::over(cubes, |cube| {
                let (said, bound) = (f64::from(cube.routers()) / 3.0, cut_bound(*cube));
                expect(f64::from(bound) <= said, || {
                    let half = cube.routers() / 2;
                    format!("{half}² packets go over the {half} channels of a bit of c: at least {bound} cycles, not {said:.1}")
                })
            }),
        )
        .amended(
            "No all-to-all on SBH(k,m) takes less than P/2. Theirs sends P/2 packets over each link of the hypercube; \
             each Z is part of k+2m paths, so that its emulation takes (k+2m)P/2 or more, and by paths that begin with \
             different dimensions no more.",
            Trial::over(cubes, |cube| {
                let (bound, load) = (cut_bound(*cube), swap_load(*cube));
                expect(2 * bound == cube.routers() && load == cube.dimensions(), || {
                    format!("the cut gives {bound}, a Z is part of {load} paths")
                })?;
                let cycles = johnsson_ho(*cube)?;
                expect(cycles == load * cube.routers() / 2, || format!("theirs takes {cycles} cycles"))
            }),
        )
        .with_table(exchange_table),
        Claim::new(
            "doubly-parallel-rounds",
            "section 4, the last formula",
            "With s = min(2^k,2^(m-1)) there are max(2^m,2^(k+m+1)) rounds.",
            Trial::over(large_cubes, |cube| rounds_are(*cube, |k, m| (1 << m).max(1 << (k + m + 1)))),
        )
        .amended(
            "max(2^(2m),2^(k+m+1)).",
            Trial::over(large_cubes, |cube| rounds_are(*cube, |k, m| (1 << (2 * m)).max(1 << (k + m + 1)))),
        ),
        Claim::new(
            "doubly-parallel-third",
            "section 4, after the last formula",
            "They are fewer than 2^(k+2m)/3, since k and m are not zero.",
            Trial::over(large_cubes, |cube| {
                let rounds = fast(*cube).rounds();
                expect(3 * rounds < cube.routers(), || format!("{rounds} rounds; P/3 is {:.1}", f64::from(cube.routers()) / 3.0))
            }),
        )
        .amended(
            "If and only if k ≥ 2 and m ≥ 3.",
            Trial::over(large_cubes, |cube| {
                let fewer = 3 * fast(*cube).rounds() < cube.routers();
                expect(fewer == (cube.k >= 2 && cube.m >= 3), || format!("{} rounds", fast(*cube).rounds()))
            }),
        ),
        Claim::new(
            "doubly-parallel-superior",
            "section 4, after the last formula",
            "The doubly-parallel all-to-all on D3(2^k,2^m) is faster than Johnsson and Ho's on SBH(k,m).",
            Trial::over(cubes, |cube| {
                let net = cube.net();
                let cycles = schedule_1(&fast(*cube))?.min(schedule_2(&Parted { net, s: net.k.min(net.m) })?);
                let theirs = swap_load(*cube) * cube.routers() / 2;
                expect(cycles < theirs, || format!("it takes {cycles} cycles, and theirs at least {theirs}"))
            }),
        ),
    ]
}

/// The rounds of the doubly-parallel algorithm that can follow each other at once.
fn fast(cube: Cube) -> Parted {
    Parted { net: cube.net(), s: (1 << cube.k).min(1 << (cube.m - 1)) }
}

fn rounds_are(cube: Cube, said: fn(u32, u32) -> u32) -> Result<(), String> {
    let (rounds, said) = (fast(cube).rounds(), said(cube.k, cube.m));
    expect(rounds == said, || format!("2^(k+2m)/s = {}/{} = {rounds}, not {said}", cube.routers(), fast(cube).s))
}

/// Johnsson and Ho's all-to-all by the paths of SBH(k,m): a packet crosses the dimensions in which its destination
/// differs, in cyclic order. The first dimension depends on the difference, so that all dimensions are in use at once.
/// All nodes send alike; where several packets want a port, that with most hops to go is first. The cycles.
///
/// # Errors
/// A clash, or a packet that ends elsewhere.
fn johnsson_ho(cube: Cube) -> Result<u32, String> {
    let (net, dimensions) = (cube.net(), net_dimensions(cube));
    let n = dimensions.len();
    let crossed = |x: usize| (0..n).map(move |i| (i + x) % n).filter(move |i| x >> i & 1 == 1);
    let mut reservations = Reservations::new(net);
    let mut packets: Vec<(VecDeque<Port>, Vec<RouterAddress>)> = (1..1 << n)
        .map(|x| (crossed(x).flat_map(|i| dimensions[i].2.iter().copied()).collect(), net.nodes().collect()))
        .collect();
    for cycle in 0.. {
        let mut moving = BTreeMap::new();
        for (who, (way, _)) in packets.iter().enumerate() {
            if let Some(port) = way.front() {
                let most = moving.entry(*port).or_insert(who);
                if packets[*most].0.len() < way.len() {
                    *most = who;
                }
            }
        }
        if moving.is_empty() {
            break;
        }
        for (port, who) in moving {
            let (way, places) = &mut packets[who];
            way.pop_front();
            for at in places {
                *at = reservations.send(cycle, *at, port, who as u32).map_err(|clash| clash.to_string())?;
            }
        }
    }
    for (x, (_, places)) in (1..).zip(&packets) {
        let to = |from| crossed(x).fold(from, |at, i| neighbour(at, &dimensions[i]));
        expect(places.iter().copied().eq(net.nodes().map(to)), || format!("packets of difference {x} end elsewhere"))?;
    }
    Ok(reservations.cycles())
}

/// Cycles that any all-to-all on SBH(k,m) takes: packets from nodes with the first bit of c clear to those with it set,
/// over the channels between them.
fn cut_bound(cube: Cube) -> u32 {
    let net = cube.net();
    let clear = net.nodes().filter(|at| at.c & 1 == 0);
    let channels = clear.clone().flat_map(|at| net.links(at)).filter(|(port, to)| of_sbh(*port) && to.c & 1 == 1);
    let nodes = clear.count() as u32;
    (nodes * nodes).div_ceil(channels.count() as u32)
}

/// The most paths that share a Z, every node having one in every dimension.
fn swap_load(cube: Cube) -> u32 {
    let net = cube.net();
    let mut load = vec![0; net.nodes().count()];
    for (_, _, path) in net_dimensions(cube) {
        for from in net.nodes() {
            path.iter().fold(from, |at, port| {
                load[net.index(at)] += u32::from(*port == Port::Global(0) && at.d != at.p);
                net.hop(at, *port)
            });
        }
    }
    load.into_iter().max().unwrap_or(0)
}

fn exchange_table(limit: u32) -> Table {
    let mut sizes = cubes(limit).all;
    sizes.sort_by_key(Size::routers);
    let cycles = |run: Result<u32, String>| run.map_or_else(|clash| clash, |cycles| cycles.to_string());
    let row = |cube: Cube| {
        let p = cube.routers();
        let fast = fast(cube);
        let windows = windows(fast.net.k, fast.net.m).len();
        vec![
            cube.to_string(),
            format!("{:.1}", f64::from(p) / 3.0),
            cut_bound(cube).to_string(),
            cycles(johnsson_ho(cube)),
            fast.s.to_string(),
            fast.rounds().to_string(),
            cycles(schedule_1(&fast)),
            windows.to_string(),
        ]
    };
    Table {
        title: "All-to-all on P = 2^(k+2m) nodes, in cycles",
        head: vec![
            "network",
            "P/3, the paper's",
            "least on SBH",
            "Johnsson-Ho on SBH",
            "s",
            "doubly-parallel rounds",
            "their cycles on D3(2^k,2^m)",
            "rounds of windows",
        ],
        rows: sizes.into_iter().map(row).collect(),
    }
}
