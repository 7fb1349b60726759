//! Section 1: the network and its four properties.

use super::sizes::{nets, nets_for_sets};
use super::walk::{Net, Port, Reservations, show};
use crate::claims::{Claim, Trial};
use crate::count::counted;
use crate::topology::swapped_dragonfly::{Group, RouterAddress, SourceVector};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "routers",
            "section 1",
            "D3(K,M) has KM² routers, each with M - 1 local and K global ports, all of them connected to other routers.",
            Trial::over(nets, ports_all_connect),
        )
        .amended(
            "Port 0 of the KM routers with d = p leads back to its own router: these have K - 1 global connections.",
            Trial::over(nets, diagonal_ports_do_not),
        ),
        Claim::new(
            "bidirectional",
            "section 1",
            "Every connection goes both ways, and those within a drawer make it a complete graph.",
            Trial::over(nets, bidirectional),
        )
        .amended("Between any two drawers there is exactly one global connection.", Trial::over(nets, one_link_a_pair)),
        Claim::new(
            "source-vector",
            "section 1, the path of (γ,π,δ)",
            "(γ,π,δ) leads from (c,d,p) to (c+γ,p+δ,d+π).",
            Trial::over(nets, source_vector),
        )
        .amended(
            "From every router exactly one vector leads to each, and the diameter is 3.",
            Trial::over(nets, one_vector_each),
        ),
        Claim::new(
            "property-1",
            "section 1, property 1",
            "All routers can send a packet with the same vector at once: no conflict, and a permutation of the routers.",
            Trial::over(nets, property_1),
        ),
        Claim::new(
            "property-2",
            "section 1, property 2",
            "The routers with c in a set of J < K and p in a set of L < M values are a closed D3(J,L).",
            Trial::over(nets_for_sets, |net| each_subset(*net, |c, p| closed(*net, |at| c(at.c) && p(at.p)))),
        )
        .amended(
            "d has to be in the set of L values, too: then they are closed, and a D3(J,L) link for link.",
            Trial::over(nets_for_sets, property_2),
        ),
        Claim::new(
            "property-3",
            "section 1, property 3",
            "Two vectors that differ in γ, in π and in δ do not conflict, though all routers send both at once.",
            Trial::over(nets, |net| each_pair(*net, |apart, clash| apart && clash)),
        )
        .amended(
            "They conflict if and only if they share γ, a π other than 0 or a δ other than 0.",
            Trial::over(nets, property_3),
        ),
        Claim::new(
            "property-4",
            "section 1, property 4",
            "D3(K,M) grows linearly with K and quadratically with M.",
            Trial::over(nets, |net| {
                let routers = net.nodes().count() as u32;
                expect(routers == net.k * net.m.pow(2), || format!("{routers} routers"))
            }),
        )
        .amended(
            "So do the routers; there are KM(KM-1) global and KM²(M-1) local channels, quadratic in K and cubic in M.",
            Trial::over(nets, channel_counts),
        ),
    ]
}

/// Ok if `holds`, else the witness.
pub fn expect(holds: bool, witness: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(witness()) }
}

fn ports_all_connect(net: &Net) -> Result<(), String> {
    net.nodes().try_for_each(|at| {
        let links = net.links(at).count() as u32;
        expect(links == net.m - 1 + net.k, || {
            format!("router {} has {}, not {}", show(at), counted(links, "connection"), net.m - 1 + net.k)
        })
    })
}

fn diagonal_ports_do_not(net: &Net) -> Result<(), String> {
    net.nodes().try_for_each(|at| {
        let global = net.links(at).filter(|(port, _)| matches!(port, Port::Global(_))).count() as u32;
        let expected = net.k - u32::from(at.d == at.p);
        expect(global == expected, || format!("{} has {global} global connections", show(at)))
    })
}

fn bidirectional(net: &Net) -> Result<(), String> {
    for at in net.nodes() {
        for (_, to) in net.links(at) {
            expect(net.links(to).any(|(_, back)| back == at), || {
                format!("{} leads to {}, but not back", show(at), show(to))
            })?;
        }
        for p in (0..net.m).filter(|p| *p != at.p) {
            let there = RouterAddress { p, ..at };
            expect(net.links(at).any(|(_, to)| to == there), || {
                format!("{} and {} are not connected", show(at), show(there))
            })?;
        }
    }
    Ok(())
}

fn one_link_a_pair(net: &Net) -> Result<(), String> {
    let drawers = (net.k * net.m) as usize;
    let mut links = vec![0; drawers * drawers];
    let drawer = |at: RouterAddress| (at.c * net.m + at.d) as usize;
    for at in net.nodes() {
        for (_, to) in net.links(at) {
            links[drawer(at) * drawers + drawer(to)] += u32::from(drawer(at) != drawer(to));
        }
    }
    let wrong = (0..drawers * drawers).find(|i| links[*i] != u32::from(i / drawers != i % drawers));
    expect(wrong.is_none(), || format!("{wrong:?}"))
}

fn source_vector(net: &Net) -> Result<(), String> {
    let sum = |a, b, n| net.group.add(a, b, n);
    for v in net.vectors() {
        for from in net.nodes() {
            let end = net.path(v).into_iter().fold(from, |at, port| net.hop(at, port));
            let said = RouterAddress {
                c: net.cabinets.add(from.c, v.gamma, net.k),
                d: sum(from.p, v.delta, net.m),
                p: sum(from.d, v.pi, net.m),
            };
            expect(end == said, || format!("{v} leads from {} to {}", show(from), show(end)))?;
        }
    }
    Ok(())
}

fn one_vector_each(net: &Net) -> Result<(), String> {
    let mut diameter = 0;
    for from in net.nodes() {
        let mut hit: Vec<_> = net
            .vectors()
            .map(|v| net.index(net.path(v).into_iter().fold(from, |at, port| net.hop(at, port))))
            .collect();
        hit.sort_unstable();
        expect(hit.iter().copied().eq(0..hit.len()), || format!("not every router is reached from {}", show(from)))?;
        diameter = net.distances(from, |_| true).into_iter().flatten().fold(diameter, u32::max);
    }
    expect(diameter == 3, || format!("the diameter is {diameter}"))
}

fn property_1(net: &Net) -> Result<(), String> {
    net.vectors().try_for_each(|v| {
        let ends = Reservations::new(*net).launch(0, v, 0).map_err(|clash| format!("{v}: {clash}"))?;
        let mut hit: Vec<_> = ends.into_iter().map(|at| net.index(at)).collect();
        hit.sort_unstable();
        expect(hit.iter().copied().eq(0..hit.len()), || format!("{v} is no permutation"))
    })
}

/// Calls a test with every proper subset of the cabinets and of the positions, as membership tests.
fn each_subset(
    net: Net,
    test: impl Fn(&dyn Fn(u32) -> bool, &dyn Fn(u32) -> bool) -> Result<(), String>,
) -> Result<(), String> {
    for cabinets in 1u64..(1 << net.k) - 1 {
        for positions in 1u64..(1 << net.m) - 1 {
            test(&|c| cabinets >> c & 1 == 1, &|p| positions >> p & 1 == 1).map_err(|witness| {
                let list = |set: u64, n: u32| {
                    let members: Vec<_> = (0..n).filter(|i| set >> i & 1 == 1).map(|i| i.to_string()).collect();
                    members.join(",")
                };
                format!(
                    "with cabinets {{{}}} and values {{{}}}, {witness}",
                    list(cabinets, net.k),
                    list(positions, net.m)
                )
            })?;
        }
    }
    Ok(())
}

/// Checks that ports to allowed cabinets and positions lead from members to members.
fn closed(net: Net, member: impl Fn(RouterAddress) -> bool) -> Result<(), String> {
    for at in net.nodes().filter(|at| member(*at)) {
        for (port, to) in net.links(at) {
            // A port is the sub-network's own if the coordinate that it chooses is a member's.
            let own = match port {
                Port::Local(_) => member(RouterAddress { p: to.p, ..at }),
                Port::Global(_) => member(RouterAddress { c: to.c, ..at }),
            };
            expect(!own || member(to), || format!("a hop leads from {} out of it, to {}", show(at), show(to)))?;
        }
    }
    Ok(())
}

fn property_2(net: &Net) -> Result<(), String> {
    each_subset(*net, |c, p| {
        let member = |at: RouterAddress| c(at.c) && p(at.d) && p(at.p);
        closed(*net, member)?;
        // The order of members numbers them; links must be those of D3(J,L).
        let rank = |set: &dyn Fn(u32) -> bool, x: u32| (0..x).filter(|y| set(*y)).count() as u32;
        let small = Net::new(rank(c, net.k), rank(p, net.m), Group::Cyclic);
        let to_small = |at: RouterAddress| RouterAddress { c: rank(c, at.c), d: rank(p, at.d), p: rank(p, at.p) };
        for at in net.nodes().filter(|at| member(*at)) {
            let mut links: Vec<_> =
                net.links(at).filter(|(_, to)| member(*to)).map(|(_, to)| small.index(to_small(to))).collect();
            let mut expected: Vec<_> = small.links(to_small(at)).map(|(_, to)| small.index(to)).collect();
            links.sort_unstable();
            expected.sort_unstable();
            expect(links == expected, || format!("the links of {} are not those of {small}", show(at)))?;
        }
        Ok(())
    })
}

/// Sends every pair of vectors from all routers at once; `wrong` gets two flags: they differ in all three fields; they
/// clash.
fn each_pair(net: Net, wrong: impl Fn(bool, bool) -> bool) -> Result<(), String> {
    pairs(net, |v, w, clash| {
        let apart = v.gamma != w.gamma && v.pi != w.pi && v.delta != w.delta;
        expect(!wrong(apart, clash), || format!("{v} and {w} conflict"))
    })
}

fn property_3(net: &Net) -> Result<(), String> {
    pairs(*net, |v, w, clash| {
        let shared = v.gamma == w.gamma || (v.pi == w.pi && v.pi != 0) || (v.delta == w.delta && v.delta != 0);
        expect(shared == clash, || format!("{v} and {w} {}", if clash { "conflict" } else { "do not conflict" }))
    })
}

fn pairs(net: Net, test: impl Fn(SourceVector, SourceVector, bool) -> Result<(), String>) -> Result<(), String> {
    for v in net.vectors() {
        let mut alone = Reservations::new(net);
        alone.launch(0, v, 0).map_err(|clash| clash.to_string())?;
        for w in net.vectors().filter(|w| *w > v) {
            let clash = alone.clone().launch(0, w, 1).is_err();
            test(v, w, clash)?;
        }
    }
    Ok(())
}

fn channel_counts(net: &Net) -> Result<(), String> {
    let count = |local: bool| {
        let links = net.nodes().flat_map(|at| net.links(at));
        links.filter(|(port, _)| matches!(port, Port::Local(_)) == local).count() as u32
    };
    let (k, m) = (net.k, net.m);
    let found = (count(false), count(true));
    expect(found == (k * m * (k * m - 1), k * m * m * (m - 1)), || format!("{found:?} channels"))
}
