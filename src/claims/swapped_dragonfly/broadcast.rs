//! Section 5: synchronizing headers, the broadcast of depth three, and the hypercube of uniform dilation.

use super::header::{AtDiagonal, Delivery, Header, send};
use super::sizes::{Cube, cubes, nets};
use super::topology::expect;
use super::walk::{Net, Reservations, show};
use crate::claims::{Claim, Trial};
use crate::topology::swapped_dragonfly::RouterAddress;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "header-3",
            "section 5, the evolution of [3;γ,π,δ]",
            "[3;γ,π,δ] becomes [2;γ,0,π], [1;0,0,π], [0;0,0,0] along the path of the vector (γ,π,δ).",
            Trial::over(nets, |net| {
                each_header(*net, 3, |from, [gamma, pi, delta], delivery| {
                    let local = RouterAddress { p: net.group.add(from.p, delta, net.m), ..from };
                    let global = RouterAddress { c: net.cabinets.add(from.c, gamma, net.k), d: local.p, p: from.d };
                    let end = RouterAddress { p: net.group.add(from.d, pi, net.m), ..global };
                    let at = [local, global, end];
                    let headers = [Header::to(2, gamma, 0, pi), Header::to(1, 0, 0, pi), Header::to(0, 0, 0, 0)];
                    compare(&at, &headers, delivery)
                })
            }),
        ),
        Claim::new(
            "header-4",
            "section 5, the evolution of [4;γ,π,δ]",
            "[4;γ,π,δ] is at (c+γ,p,d), (c+γ,p,d+δ), (c+γ,p+δ,d+π) and (c+γ,d+δ,p+π) after its hops.",
            Trial::over(nets, |net| header_4(*net, |sum, c, from, [_, pi, delta]| {
                RouterAddress { c, d: sum(from.p, delta), p: sum(from.d, pi) }
            })),
        )
        .amended(
            "After the third hop it is at (c+γ,d+δ,p); the rest, and the headers, are right.",
            Trial::over(nets, |net| header_4(*net, |sum, c, from, [_, _, delta]| {
                RouterAddress { c, d: sum(from.d, delta), p: from.p }
            })),
        ),
        Claim::new(
            "depth-3",
            "section 5, the spanning tree of depth three",
            "[3;*,*,*] takes a tree: it enters every router but the source once.",
            Trial::over(nets, |net| each_source(*net, |source| is_tree(*net, source, AtDiagonal::Stays))),
        )
        .amended(
            "It does if copies with b = 2 for global port 0 where d = p are dropped; otherwise the copy that stays at \
             (c,d,d) enters the source's drawer again.",
            Trial::over(nets, |net| each_source(*net, |source| is_tree(*net, source, AtDiagonal::Dropped))),
        ),
        Claim::new(
            "depth-3-pipeline",
            "section 5, the pipeline of the tree of depth three",
            "From a router with p ≠ d one broadcast a cycle is free of conflicts.",
            Trial::over(nets, |net| {
                each_source(*net, |source| match source.d == source.p {
                    true => Ok(()),
                    false => depth_3_pipeline(*net, source, AtDiagonal::Stays).map(|_| ()),
                })
            }),
        )
        .amended(
            "From every router, if copies with b = 2 for global port 0 where d = p are dropped; p = d conflicts without.",
            Trial::over(nets, |net| {
                each_source(*net, |source| {
                    depth_3_pipeline(*net, source, AtDiagonal::Dropped)?;
                    let stays = depth_3_pipeline(*net, source, AtDiagonal::Stays);
                    expect(source.d != source.p || stays.is_err(), || format!("{} needs no rule", show(source)))
                })
            }),
        ),
        Claim::new(
            "depth-3-cost",
            "section 5, the pipeline of the tree of depth three",
            "X broadcasts take X hops.",
            Trial::over(nets, |net| depth_3_cost(*net, 0)),
        )
        .amended("X + 2.", Trial::over(nets, |net| depth_3_cost(*net, 2))),
        Claim::new(
            "uniform-dilation",
            "section 5, the paths for c, d and p",
            "[4;γ,0,0], [4;0,0,δ] and [4;0,π,0] change one bit of c, d or p, in four hops.",
            Trial::over(cubes, |cube| {
                dimensions(*cube).try_for_each(|(field, header)| {
                    let net = cube.net();
                    let mut reservations = Reservations::new(net);
                    net.nodes().try_for_each(|from| {
                        let delivery = send(&mut reservations, net, (0, from), header, AtDiagonal::Stays, 0);
                        let end = delivery.map_err(|clash| clash.to_string())?.hops[3][0].0;
                        let bits = [(from.c ^ end.c), (from.d ^ end.d), (from.p ^ end.p)].map(u32::count_ones);
                        let right = (0..3).all(|i| bits[i] == u32::from(i == field));
                        expect(right, || format!("{header:?} leads from {} to {}", show(from), show(end)))
                    })
                })
            }),
        ),
        Claim::new(
            "uniform-concurrent",
            "section 5, after the paths for c, d and p",
            "All nodes can use paths of one type at once, and paths of different types, too.",
            Trial::over(cubes, |cube| {
                dimensions(*cube).try_for_each(|one| dimensions(*cube).try_for_each(|other| together(*cube, one, other)))
            }),
        )
        .amended(
            "All nodes can use one dimension at once; any two dimensions conflict, at global port 0.",
            Trial::over(cubes, |cube| {
                dimensions(*cube).try_for_each(|one| {
                    together(*cube, one, one)?;
                    let others = || dimensions(*cube).filter(|other| *other != one);
                    expect(others().all(|other| together(*cube, one, other).is_err()), || "two go together".into())
                })
            }),
        ),
    ]
}

/// Calls a test with every router as the source of a broadcast; cabinets are alike, so cabinet 0 stands for all.
pub fn each_source(net: Net, test: impl Fn(RouterAddress) -> Result<(), String>) -> Result<(), String> {
    net.nodes().filter(|at| at.c == 0).try_for_each(test)
}

/// Sends every header from every router, alone.
fn each_header(
    net: Net,
    b: u32,
    test: impl Fn(RouterAddress, [u32; 3], &Delivery) -> Result<(), String>,
) -> Result<(), String> {
    for v in net.vectors() {
        let mut reservations = Reservations::new(net);
        for from in net.nodes() {
            let header = Header::to(b, v.gamma, v.pi, v.delta);
            let delivery = send(&mut reservations, net, (0, from), header, AtDiagonal::Stays, 0);
            let delivery = delivery.map_err(|clash| format!("[{b};{v}]: {clash}"))?;
            test(from, [v.gamma, v.pi, v.delta], &delivery)
                .map_err(|witness| format!("[{b};{},{},{}] from {}: {witness}", v.gamma, v.pi, v.delta, show(from)))?;
        }
    }
    Ok(())
}

fn compare(at: &[RouterAddress], headers: &[Header], delivery: &Delivery) -> Result<(), String> {
    for (hop, copies) in delivery.hops.iter().enumerate() {
        let (found, header) = copies[0];
        expect(found == at[hop], || format!("after hop {} it is at {}, not {}", hop + 1, show(found), show(at[hop])))?;
        expect(header == headers[hop], || format!("after hop {} its header is {header:?}", hop + 1))?;
    }
    Ok(())
}

/// Compares [4;γ,π,δ] with the paper except for the third router, which `third` computes from a sum, the cabinet, the
/// source and the header's fields.
fn header_4(
    net: Net,
    third: impl Fn(&dyn Fn(u32, u32) -> u32, u32, RouterAddress, [u32; 3]) -> RouterAddress,
) -> Result<(), String> {
    let sum = |a, b| net.group.add(a, b, net.m);
    each_header(net, 4, |from, [gamma, pi, delta], delivery| {
        let c = net.cabinets.add(from.c, gamma, net.k);
        let at = [
            RouterAddress { c, d: from.p, p: from.d },
            RouterAddress { c, d: from.p, p: sum(from.d, delta) },
            third(&sum, c, from, [gamma, pi, delta]),
            RouterAddress { c, d: sum(from.d, delta), p: sum(from.p, pi) },
        ];
        let headers =
            [Header::to(3, 0, pi, delta), Header::to(2, 0, 0, pi), Header::to(1, 0, 0, pi), Header::to(0, 0, 0, 0)];
        compare(&at, &headers, delivery)
    })
}

fn is_tree(net: Net, source: RouterAddress, rule: AtDiagonal) -> Result<(), String> {
    let delivery = send(&mut Reservations::new(net), net, (0, source), Header::broadcast(3), rule, 0);
    let delivery = delivery.map_err(|clash| format!("from {}: {clash}", show(source)))?;
    net.nodes().try_for_each(|at| {
        let (times, expected) = (delivery.entries[net.index(at)], u32::from(at != source));
        expect(times == expected, || {
            format!("from {} router {} is entered {times} times, not {expected}", show(source), show(at))
        })
    })
}

/// Number of cycles of one broadcast a cycle, for eight broadcasts: more than there are hops, so that the rest repeats.
fn depth_3_pipeline(net: Net, source: RouterAddress, rule: AtDiagonal) -> Result<u32, String> {
    let mut reservations = Reservations::new(net);
    for start in 0..8 {
        let delivery = send(&mut reservations, net, (start, source), Header::broadcast(3), rule, start);
        let delivery = delivery.map_err(|clash| format!("from {}: {clash}", show(source)))?;
        expect(delivery.reaches_all(net, source), || format!("from {} not every router is reached", show(source)))?;
    }
    Ok(reservations.cycles())
}

fn depth_3_cost(net: Net, more: u32) -> Result<(), String> {
    let source = RouterAddress { c: 0, d: 0, p: 1 };
    let cycles = depth_3_pipeline(net, source, AtDiagonal::Stays)?;
    expect(cycles == 8 + more, || format!("8 broadcasts from {} take {cycles} cycles", show(source)))
}

/// Every dimension of the hypercube: which field, and the header of its path.
fn dimensions(cube: Cube) -> impl Iterator<Item = (usize, Header)> {
    let c = (0..cube.k).map(|i| (0, Header::to(4, 1 << i, 0, 0)));
    let d = (0..cube.m).map(|i| (1, Header::to(4, 0, 0, 1 << i)));
    let p = (0..cube.m).map(|i| (2, Header::to(4, 0, 1 << i, 0)));
    c.chain(d).chain(p)
}

/// Sends along one or two dimensions from all nodes at once.
fn together(cube: Cube, one: (usize, Header), other: (usize, Header)) -> Result<(), String> {
    let net = cube.net();
    let mut reservations = Reservations::new(net);
    for (who, (_, header)) in (0..).zip([one, other]).take(if one == other { 1 } else { 2 }) {
        for from in net.nodes() {
            send(&mut reservations, net, (0, from), header, AtDiagonal::Stays, who).map_err(|clash| {
                let name = |(field, _): (usize, Header)| ["c", "d", "p"][field];
                format!("a dimension of {} and one of {}: {clash}", name(one), name(other))
            })?;
        }
    }
    Ok(())
}
