//! Section 4: the Swapped Boolean Hypercube SBH(k,m) and the hypercube that it emulates.

use super::exchange::{ascend_as_written, ascend_quickly};
use super::schedules::schedule_1;
use super::sizes::{Cube, Parted, cubes};
use super::topology::expect;
use super::walk::{Beats, Net, Port, show};
use crate::claims::{Claim, Size, Table, Trial};
use crate::topology::swapped_dragonfly::{Group, RouterAddress};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "sbh-degree",
            "section 4, where SBH(k,m) is defined",
            "The nodes of SBH(k,m) have degree k+m.",
            Trial::over(cubes, |cube| degree(*cube, |_| cube.k + cube.m)),
        )
        .amended(
            "k+m+1, and k+m where d = p.",
            Trial::over(cubes, |cube| degree(*cube, |at| cube.k + cube.m + u32::from(at.d != at.p))),
        ),
        Claim::new(
            "sbh-degree-again",
            "section 4, after the table of bit exchanges",
            "The nodes of SBH(k,m) have degree k+2m.",
            Trial::over(cubes, |cube| degree(*cube, |_| cube.dimensions())),
        )
        .amended(
            "k+m+1, and k+m where d = p: fewer links than a hypercube's if m > 1.",
            Trial::over(cubes, |cube| degree(*cube, |at| cube.k + cube.m + u32::from(at.d != at.p))),
        ),
        Claim::new(
            "sbh-dimension",
            "section 4, after the table of bit exchanges",
            "SBH(k,m) emulates the hypercube of dimension k+m.",
            Trial::over(cubes, |cube| {
                expect(cube.routers() == 1 << (cube.k + cube.m), || {
                    format!("it has {} nodes, and the hypercube {}", cube.routers(), 1 << (cube.k + cube.m))
                })
            }),
        )
        .amended(
            "Of dimension k+2m.",
            Trial::over(cubes, |cube| {
                let neighbours = net_dimensions(*cube).len() as u32;
                expect(neighbours == cube.dimensions() && cube.net().nodes().count() == 1 << neighbours, || {
                    format!("{neighbours} dimensions")
                })
            }),
        ),
        Claim::new(
            "dilation-3",
            "section 4, the table of bit exchanges",
            "The paths exchange the bits that they say, by links of SBH(k,m), in at most three hops.",
            Trial::over(cubes, dilation),
        )
        .amended(
            "At most two if m = 1, and three are needed if m > 1.",
            Trial::over(cubes, |cube| {
                let longest = lengths(*cube).max().unwrap_or(0);
                expect(longest == if cube.m == 1 { 2 } else { 3 }, || format!("the longest path has {longest} hops"))
            }),
        ),
        Claim::new(
            "dilation-below-two",
            "section 4, after the table of bit exchanges",
            "The average dilation is less than two.",
            Trial::over(cubes, |cube| {
                let average = average(*cube);
                expect(average < 2.0, || format!("it is {average}"))
            }),
        ),
        Claim::new(
            "dilation-two",
            "sections 1, 4 and 6",
            "The average dilation is two.",
            Trial::over(cubes, |cube| {
                let average = average(*cube);
                expect(average == 2.0, || format!("it is {average}"))
            }),
        )
        .amended(
            "It is 2 - 2^-m.",
            Trial::over(cubes, |cube| {
                let average = average(*cube);
                expect(average == 2.0 - 0.5f64.powi(cube.m as i32), || format!("it is {average}"))
            }),
        ),
        Claim::new(
            "sbh-diameter",
            "section 4, after the table of bit exchanges",
            "SBH(k,m) has diameter 2k+4m.",
            Trial::over(cubes, |cube| diameter(*cube, 2 * cube.k + 4 * cube.m)),
        )
        .amended("k+2m.", Trial::over(cubes, |cube| diameter(*cube, cube.dimensions()))),
        Claim::new(
            "exchanges-concurrent",
            "section 4, after the table of bit exchanges",
            "All nodes can exchange a bit of c, one of d and one of p at once, in both directions.",
            Trial::over(cubes, |cube| {
                let of = |field| net_dimensions(*cube).into_iter().filter(move |dimension| dimension.0 == field);
                of(0).try_for_each(|c| {
                    of(1).try_for_each(|d| of(2).try_for_each(|p| at_once(*cube, &[c.clone(), d.clone(), p])))
                })
            }),
        )
        .amended(
            "But two bits of c, or of d, conflict, at Z.",
            Trial::over(cubes, |cube| {
                let dimensions = net_dimensions(*cube);
                dimensions.iter().enumerate().try_for_each(|(i, one)| {
                    dimensions[..i].iter().filter(|other| other.0 == one.0 && one.0 < 2).try_for_each(|other| {
                        let both = at_once(*cube, &[one.clone(), other.clone()]);
                        expect(both.is_err(), || format!("{one:?} and {other:?} do not"))
                    })
                })
            }),
        ),
        Claim::new(
            "ascend-descend",
            "sections 4 and 6",
            "An ascend-descend algorithm takes twice the hypercube's steps: 2(k+2m) hops for all dimensions.",
            Trial::over(cubes, |cube| {
                let hops = ascend_as_written(*cube)?;
                expect(hops == 2 * cube.dimensions(), || format!("it takes {hops} hops"))
            }),
        )
        .amended(
            "k+2m+1 hops are enough, or k+2m+2 if k is even: the bits of p by local hops, Z, those of d by local hops, \
             and each bit of c by γ_i and Z at once.",
            Trial::over(cubes, |cube| {
                let hops = ascend_quickly(*cube)?;
                expect(hops == cube.dimensions() + 1 + u32::from(cube.k % 2 == 0), || format!("it takes {hops} hops"))
            }),
        ),
        Claim::new(
            "half-the-cabinets",
            "section 4, after the ascend-descend algorithm",
            "D3(2^(k-1),2^m) is in D3(2^k,2^m).",
            Trial::over(cubes, |cube| {
                let (net, half) = (cube.net(), Net { k: cube.net().k / 2, ..cube.net() });
                half.nodes().try_for_each(|at| {
                    let within = net.links(at).filter(|(_, to)| to.c < half.k);
                    expect(within.eq(half.links(at)), || format!("the links of {} differ", show(at)))
                })
            }),
        ),
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
             each Z is part of k+2m paths, so that its emulation takes (k+2m)P/2 or more.",
            Trial::over(cubes, |cube| {
                let (bound, load) = (cut_bound(*cube), swap_load(*cube));
                expect(2 * bound == cube.routers() && load == cube.dimensions(), || {
                    format!("the cut gives {bound}, a Z is part of {load} paths")
                })
            }),
        )
        .with_table(exchange_table),
        Claim::new(
            "doubly-parallel-rounds",
            "section 4, the last formula",
            "With s = min(2^k,2^(m-1)) there are max(2^m,2^(k+m+1)) rounds.",
            Trial::over(cubes, |cube| rounds_are(*cube, |k, m| (1 << m).max(1 << (k + m + 1)))),
        )
        .amended(
            "max(2^(2m),2^(k+m+1)).",
            Trial::over(cubes, |cube| rounds_are(*cube, |k, m| (1 << (2 * m)).max(1 << (k + m + 1)))),
        ),
        Claim::new(
            "doubly-parallel-third",
            "section 4, after the last formula",
            "They are fewer than 2^(k+2m)/3, since k and m are not zero.",
            Trial::over(cubes, |cube| {
                let rounds = fast(*cube).rounds();
                expect(3 * rounds < cube.routers(), || format!("{rounds} rounds; P/3 is {:.1}", f64::from(cube.routers()) / 3.0))
            }),
        )
        .amended(
            "If and only if k ≥ 2 and m ≥ 3.",
            Trial::over(cubes, |cube| {
                let fewer = 3 * fast(*cube).rounds() < cube.routers();
                expect(fewer == (cube.k >= 2 && cube.m >= 3), || format!("{} rounds", fast(*cube).rounds()))
            }),
        ),
        Claim::new(
            "doubly-parallel-superior",
            "section 4, after the last formula",
            "The doubly-parallel all-to-all on D3(2^k,2^m) is faster than Johnsson and Ho's on SBH(k,m).",
            Trial::over(cubes, |cube| {
                let (cycles, theirs) = (schedule_1(&fast(*cube))?, swap_load(*cube) * cube.routers() / 2);
                expect(cycles < theirs, || format!("it takes {cycles} cycles, theirs may take {theirs}"))
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

/// Whether a port is a link of SBH(k,m).
fn of_sbh(port: Port) -> bool {
    match port {
        Port::Local(x) => x.is_power_of_two(),
        Port::Global(x) => x == 0 || x.is_power_of_two(),
    }
}

fn degree(cube: Cube, said: impl Fn(RouterAddress) -> u32) -> Result<(), String> {
    let net = cube.net();
    net.nodes().try_for_each(|at| {
        let links = net.links(at).filter(|(port, _)| of_sbh(*port)).count() as u32;
        expect(links == said(at), || format!("{} has {links} links, not {}", show(at), said(at)))
    })
}

fn diameter(cube: Cube, said: u32) -> Result<(), String> {
    let net = cube.net();
    let far = net.nodes().flat_map(|from| net.distances(from, of_sbh)).max().flatten().unwrap_or(0);
    expect(far == said, || format!("no two nodes are more than {far} apart, not {said}"))
}

/// A dimension of the hypercube: the field (0, 1, 2 for c, d, p), its bit, and the paper's path.
pub type Dimension = (usize, u32, Vec<Port>);

/// Every dimension, c first.
pub fn net_dimensions(cube: Cube) -> Vec<Dimension> {
    let z = Port::Global(0);
    let c = (0..cube.k).map(|i| (0, 1 << i, vec![Port::Global(1 << i), z]));
    let d = (0..cube.m).map(|i| (1, 1 << i, vec![z, Port::Local(1 << i), z]));
    let p = (0..cube.m).map(|i| (2, 1 << i, vec![Port::Local(1 << i)]));
    c.chain(d).chain(p).collect()
}

/// The neighbour of a node in a dimension.
pub fn neighbour(at: RouterAddress, (field, bit, _): &Dimension) -> RouterAddress {
    match field {
        0 => RouterAddress { c: at.c ^ bit, ..at },
        1 => RouterAddress { d: at.d ^ bit, ..at },
        _ => RouterAddress { p: at.p ^ bit, ..at },
    }
}

fn dilation(cube: &Cube) -> Result<(), String> {
    let net = cube.net();
    for dimension in net_dimensions(*cube) {
        for from in net.nodes() {
            let end = dimension.2.iter().fold(from, |at, port| net.hop(at, *port));
            expect(end == neighbour(from, &dimension) && dimension.2.len() <= 3, || {
                format!("{dimension:?} leads from {} to {}", show(from), show(end))
            })?;
            expect(dimension.2.iter().all(|port| of_sbh(*port)), || format!("{dimension:?} is no path of SBH"))?;
        }
    }
    Ok(())
}

/// Hops over links that every path takes, from every node in every dimension.
fn lengths(cube: Cube) -> impl Iterator<Item = u32> {
    let net = cube.net();
    net_dimensions(cube).into_iter().flat_map(move |(_, _, path)| {
        net.nodes().map(move |from| {
            let step = |(at, hops): (RouterAddress, u32), port: &Port| {
                let to = net.hop(at, *port);
                (to, hops + u32::from(to != at))
            };
            path.iter().fold((from, 0), step).1
        })
    })
}

fn average(cube: Cube) -> f64 {
    f64::from(lengths(cube).sum::<u32>()) / f64::from(cube.dimensions() * cube.routers())
}

/// Sends along several dimensions from all nodes, hop by hop.
fn at_once(cube: Cube, dimensions: &[Dimension]) -> Result<(), String> {
    let net = cube.net();
    let mut beats = Beats::new(net);
    for (who, (_, _, path)) in (0..).zip(dimensions) {
        for from in net.nodes() {
            let walk = (0..).zip(path).try_fold(from, |at, (cycle, port)| beats.send(cycle, at, *port, who));
            walk.map_err(|clash| clash.to_string())?;
        }
    }
    Ok(())
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
    let row = |cube: Cube| {
        let p = cube.routers();
        let fast = fast(cube);
        let windows = super::rounds::windows(fast.net.k, fast.net.m).len();
        vec![
            cube.to_string(),
            format!("{:.1}", f64::from(p) / 3.0),
            cut_bound(cube).to_string(),
            (swap_load(cube) * p / 2).to_string(),
            fast.s.to_string(),
            fast.rounds().to_string(),
            schedule_1(&fast).map_or_else(|clash| clash, |cycles| cycles.to_string()),
            windows.to_string(),
        ]
    };
    debug_assert!(sizes.iter().all(|cube| cube.net().group == Group::Xor));
    Table {
        title: "All-to-all on P = 2^(k+2m) nodes, in cycles",
        head: vec![
            "network",
            "P/3, the paper's",
            "least on SBH",
            "least, Johnsson-Ho on SBH",
            "s",
            "doubly-parallel rounds",
            "their cycles on D3(2^k,2^m)",
            "rounds of windows",
        ],
        rows: sizes.into_iter().map(row).collect(),
    }
}
