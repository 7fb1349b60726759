//! Section 4: the Swapped Boolean Hypercube SBH(k,m) and the hypercube that it emulates.

use super::dimensions::{Dimension, neighbour, net_dimensions};
use super::exchange::{ascend_as_written, ascend_quickly};
use super::sizes::{Cube, cubes};
use super::topology::expect;
use super::walk::{Net, Port, Reservations, show};
use crate::claims::{Claim, Size, Trial};
use crate::topology::swapped_dragonfly::RouterAddress;

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
    ]
}

/// True for a port that is a link of SBH(k,m).
pub fn of_sbh(port: Port) -> bool {
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
    let mut reservations = Reservations::new(net);
    for (who, (_, _, path)) in (0..).zip(dimensions) {
        for from in net.nodes() {
            let walk = (0..).zip(path).try_fold(from, |at, (cycle, port)| reservations.send(cycle, at, *port, who));
            walk.map_err(|clash| clash.to_string())?;
        }
    }
    Ok(())
}
