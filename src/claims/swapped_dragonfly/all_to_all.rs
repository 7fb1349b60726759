//! Section 3: the rounds of the all-to-all exchange.

use super::rounds::{disagreeable, run, run_paper, run_times, windows};
use super::sizes::{coprime_nets, mixed_nets, nets, parted, subgroups};
use super::topology::expect;
use super::walk::Net;
use crate::claims::{Claim, Size, Sizes, Trial};
use crate::topology::swapped_dragonfly::Group;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "theorem-3",
            "section 3, Theorem 3",
            "On D3(ks,ms) an all-to-all takes KM²/s rounds of s vectors, each free of conflicts.",
            Trial::over(parted, |size| {
                let rounds = disagreeable(size.net.k, size.net.m, size.s);
                expect(rounds.len() as u32 == size.rounds(), || format!("{} rounds", rounds.len()))?;
                run_paper(size.net, &rounds, (0..).step_by(3)).map(|_| ())
            }),
        ),
        Claim::new(
            "theorem-3-blocks",
            "abstract; section 3, Theorem 3; section 6, result 2",
            "An all-to-all among n = X·KM² nodes, X of them at a router, takes n²/(KM²s) rounds (X = 2).",
            Trial::over(parted, |size| {
                let (x, nodes) = (2, 2 * size.net.routers());
                let rounds = disagreeable(size.net.k, size.net.m, size.s);
                // a round is repeated for each pair of a node where it starts and one where it ends
                let repeated = || rounds.iter().flat_map(|round| (0..x * x).map(move |_| round.vectors.as_slice()));
                let (count, said) = (repeated().count() as u32, nodes * nodes / (size.net.routers() * size.s));
                expect(count == said, || format!("it takes {count} rounds, not {said}"))?;
                run_times(size.net, (0..).step_by(3).zip(repeated()), x * x).map(|_| ())
            }),
        ),
        Claim::new(
            "groups-of-two-kinds",
            "section 4, first paragraph",
            "If c and d, p belong to groups of different kinds, rounds of s vectors need subgroups of s elements in both.",
            Trial::over(mixed_nets, |net| match windows_deliver(net) {
                Ok(()) if subgroups(net).next().is_none() => Err(format!(
                    "without such subgroups there are rounds of {} vectors",
                    net.k.min(net.m)
                )),
                _ => Ok(()),
            }),
        )
        .amended(
            "With such subgroups the paper's rounds do, each free of conflicts. They are not needed: rounds of \
             min(K,M) vectors, as in common-factor, are free of conflicts in any groups.",
            Trial::over(mixed_nets, |net| {
                windows_deliver(net)?;
                subgroups(net).try_for_each(|s| {
                    let rounds = disagreeable(net.k, net.m, s);
                    run_paper(*net, &rounds, (0..).step_by(3)).map(|_| ())
                })
            }),
        ),
        Claim::new(
            "common-factor",
            "section 3, after Theorem 3; section 4",
            "Without a common factor of K and M, rounds have one vector: KM² rounds.",
            Trial::over(coprime_nets, |net| match windows_deliver(net) {
                Ok(()) => Err(format!("{} rounds of {} vectors do", net.k.max(net.m) * net.m, net.k.min(net.m))),
                Err(_) => Ok(()),
            }),
        )
        .amended(
            "No common factor is needed: rounds (γ,π,δ) = (t,x+t,y+t), t < K ≤ M, or (x+t,t,y+t), t < M < K, have \
             min(K,M) vectors, and there are max(K,M)·M of them.",
            Trial::over(nets, windows_deliver),
        ),
        Claim::new(
            "sub-network-rounds",
            "section 3, after Theorem 3",
            "A D3(J,L) within D3(K,M), K and M without a common factor, saves rounds if KM² < sJL².",
            Trial::over(said_to_save, |size| {
                let (rounds, before) = (size.least_rounds(), size.nodes());
                expect(rounds < before, || {
                    format!(
                        "some router has {} of the nodes, and so many have that every vector joins two of them: \
                         {rounds} rounds, not fewer than {before}",
                        size.nodes_a_router()
                    )
                })
            }),
        )
        .amended(
            "Nodes do not divide: a router has ⌈X⌉ of them, X = KM²/JL², so that ⌈X⌉² < sX is what suffices.",
            Trial::over(sure_to_save, |size| {
                let rounds = size.rounds();
                expect(rounds < size.nodes(), || format!("it takes {rounds} rounds"))
            }),
        ),
        Claim::new(
            "sub-network-example",
            "section 3, after Theorem 3",
            "The nodes of D3(7,16) exchange in 569 rounds on D3(5,15) with s = 5.",
            Trial::over(example, |size| {
                let rounds = size.rounds();
                let (share, bound) = (size.nodes_a_router(), size.least_rounds());
                expect(rounds == 569, || {
                    format!(
                        "X is no whole number: routers with {share} nodes each are so many that every vector joins \
                         two of them: {bound} rounds (225·1792²/1125² alone is 571)"
                    )
                })
            }),
        )
        .amended(
            "It takes 900 rounds on D3(5,15), nodes spread evenly, and 256 rounds of 7 vectors on D3(7,16) itself.",
            Trial::over(example, |size| {
                let (inside, least) = (size.rounds(), size.least_rounds());
                let own = windows(size.k, size.m).len();
                expect((inside, least, own) == (900, 900, 256), || format!("{inside} or {least}, and {own} rounds"))?;
                windows_deliver(&size.net())
            }),
        ),
    ]
}

/// Checks that the windows are conflict-free one by one, and together complete.
fn windows_deliver(net: &Net) -> Result<(), String> {
    let rounds = windows(net.k, net.m);
    expect(rounds.len() as u32 == net.k.max(net.m) * net.m, || format!("{} rounds", rounds.len()))?;
    run(*net, (0..).step_by(3).zip(rounds.iter().map(Vec::as_slice))).map(|_| ())
}

/// D3(J,L) within D3(K,M), with rounds of s vectors.
#[derive(Debug, Clone, Copy, Serialize)]
struct Inner {
    k: u32,
    m: u32,
    j: u32,
    l: u32,
    s: u32,
}

impl Display for Inner {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "D3({},{}) in D3({},{}), s = {}", self.j, self.l, self.k, self.m, self.s)
    }
}

impl Size for Inner {
    fn routers(&self) -> u32 {
        self.nodes()
    }
}

/// Every D3(J,L) with J < K, L < M and every s ≥ 2, up to four times the requested number of routers. Only the exchange
/// on D3(J,L) is simulated, and only where it is faster.
fn inner(limit: u32) -> Sizes<Inner> {
    let limit = 4 * limit;
    let inside = |net: Net| {
        let sizes = (2..net.k).flat_map(move |j| (2..net.m).map(move |l| (j, l)));
        sizes.flat_map(move |(j, l)| {
            let common = (2..=j.min(l)).filter(move |s| j.is_multiple_of(*s) && l.is_multiple_of(*s));
            common.map(move |s| Inner { k: net.k, m: net.m, j, l, s })
        })
    };
    Sizes {
        range: format!("K, M without a common factor, J < K, L < M, s ≥ 2 divides J and L, KM² ≤ {limit}"),
        all: coprime_nets(limit).all.into_iter().flat_map(inside).collect(),
    }
}

/// Sizes with KM² < sJL².
fn said_to_save(limit: u32) -> Sizes<Inner> {
    let mut sizes = inner(limit);
    sizes.all.retain(|size| size.nodes() < size.s * size.inner_routers());
    sizes.range.push_str(", KM² < sJL²");
    sizes
}

/// Sizes with ⌈X⌉² < sX.
fn sure_to_save(limit: u32) -> Sizes<Inner> {
    let mut sizes = inner(limit);
    sizes.all.retain(|size| size.nodes_a_router().pow(2) * size.inner_routers() < size.s * size.nodes());
    sizes.range.push_str(", ⌈X⌉² < sX");
    sizes
}

fn example(_: u32) -> Sizes<Inner> {
    Sizes { range: "the paper's example".into(), all: vec![Inner { k: 7, m: 16, j: 5, l: 15, s: 5 }] }
}

impl Inner {
    fn net(self) -> Net {
        Net::new(self.k, self.m, Group::Cyclic)
    }

    fn inner(self) -> Net {
        Net::new(self.j, self.l, Group::Cyclic)
    }

    /// Nodes that exchange: one for each router of the outer network.
    fn nodes(self) -> u32 {
        self.k * self.m * self.m
    }

    /// Routers that they are spread over.
    fn inner_routers(self) -> u32 {
        self.j * self.l * self.l
    }

    /// ⌈X⌉: the most nodes that a router has if they are spread evenly.
    fn nodes_a_router(self) -> u32 {
        self.nodes().div_ceil(self.inner_routers())
    }

    /// Rounds, whichever routers have more nodes than others. A vector is a permutation. So if more than half of the
    /// routers have ⌈X⌉ nodes, it joins two of them and takes ⌈X⌉² passes. Otherwise one pass for each is assumed.
    fn least_rounds(self) -> u32 {
        let (nodes, routers) = (self.nodes(), self.inner_routers());
        let full = nodes - (self.nodes_a_router() - 1) * routers;
        let passes = if 2 * full > routers { self.nodes_a_router().pow(2) } else { 1 };
        passes * routers / self.s
    }

    /// Rounds if the first routers have the additional nodes: a round is repeated until its busiest pair is done.
    fn rounds(self) -> u32 {
        let inner = self.inner();
        let (nodes, routers) = (self.nodes(), self.inner_routers());
        let share = |index: usize| nodes / routers + u32::from((index as u32) < nodes % routers);
        let busiest = |v| {
            let ends = inner.nodes().map(|from| inner.path(v).into_iter().fold(from, |at, port| inner.hop(at, port)));
            ends.enumerate().map(|(from, to)| share(from) * share(inner.index(to))).max().unwrap_or(0)
        };
        let rounds = disagreeable(self.j, self.l, self.s);
        rounds.iter().map(|round| round.vectors.iter().map(|v| busiest(*v)).max().unwrap_or(0)).sum()
    }
}
