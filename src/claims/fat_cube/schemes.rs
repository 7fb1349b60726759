//! The paper's schemes, carried out: rings, direct exchange, and pairs of complementary displacements.

use super::Net;
use super::model::{Circuit, State};
use super::sizes::{hypercubes, one, one_port};
use crate::claims::{Claim, Sizes, Trial};

pub(super) fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "fat-cube-ring",
            "Theorem 2, 1)",
            "with one port an all-gather takes P - 1 steps: packets go round a Hamiltonian cycle with all processors of a router in a row",
            Trial::over(one_port, ring),
        ),
        Claim::new(
            "fat-cube-doubling",
            "Theorem 1, k = 1",
            "with one port a broadcast takes d + ⌈log m⌉ steps: recursive doubling along the dimensions, then within the routers",
            Trial::over(one_port, doubling),
        ),
        Claim::new(
            "fat-cube-direct-exchange",
            "Theorem 4, 1)",
            "with one port (2^d - 1)·⌈m²/f⌉ steps are enough for all packets between routers, f along each displacement a step",
            Trial::over(one_port, direct_exchange),
        ),
        Claim::new(
            "fat-cube-complements",
            "Section 4.4",
            "on a hypercube with all ports an all-to-all takes P/2 steps, in all of which every channel is used",
            Trial::over(hypercubes, complements),
        ),
        Claim::new(
            "fat-cube-double-links",
            "Section 5.4, last sentence",
            "on the fat cube (2,2,2) with d ports an all-to-all takes 4 steps",
            Trial::over(|limit| one(Net::new(2, 2, 2, 2), limit), double_links),
        ),
        Claim::new(
            "fat-cube-three-steps",
            "Section 5.1",
            "on the hypercube of 8 processors 3 steps of a broadcast are always needed",
            Trial::over(eight, three_steps),
        )
        .amended("with all ports 2 steps are enough, which is ⌈log_4 8⌉", Trial::over(eight, two_steps)),
    ]
}

fn eight(limit: u32) -> Sizes<Net> {
    one(Net::new(1, 1, 3, 3), limit)
}

/// Dimensions of a displacement, the lowest first.
fn dims(displacement: u32) -> Vec<u32> {
    (0..u32::BITS).filter(|x| displacement >> x & 1 == 1).collect()
}

/// Everybody has everything, or a sentence on who does not.
fn complete(state: &State) -> Result<(), String> {
    state.lacking().map_or(Ok(()), |(packet, at)| Err(format!("packet {packet} does not come to processor {at}")))
}

fn ring(net: &Net) -> Result<(), String> {
    let (m, p) = (net.m, net.processors());
    let cycle: Vec<u32> = (0..p).map(|place| ((place / m) ^ (place / m / 2)) * m + place % m).collect();
    let mut state = State::new(*net, cycle.iter().copied());
    for step in 0..p - 1 {
        let hand = |place: u32| {
            let (from, to) = (cycle[place as usize], cycle[((place + 1) % p) as usize]);
            Circuit { packet: (place + p - step) % p, from, dims: dims((from / m) ^ (to / m)), to }
        };
        state.step(&(0..p).map(hand).collect::<Vec<_>>())?;
    }
    complete(&state)
}

fn doubling(net: &Net) -> Result<(), String> {
    let (m, p) = (net.m, net.processors());
    let mut state = State::new(*net, [0]);
    for x in 0..net.d {
        let send = |router: u32| Circuit { packet: 0, from: router * m, dims: vec![x], to: (router ^ 1 << x) * m };
        state.step(&(0..1 << x).map(send).collect::<Vec<_>>())?;
    }
    let mut there = 1;
    while there < m {
        let sends = (0..1 << net.d).flat_map(|router| {
            let first = router * m;
            (0..there.min(m - there)).map(move |i| Circuit {
                packet: 0,
                from: first + i,
                dims: vec![],
                to: first + there + i,
            })
        });
        state.step(&sends.collect::<Vec<_>>())?;
        there = (2 * there).min(m);
    }
    match (0..p).find(|&processor| !state.has(0, processor)) {
        None => Ok(()),
        Some(processor) => Err(format!("processor {processor} has nothing")),
    }
}

/// Packets of an all-to-all: number P·source + destination.
fn all_to_all(net: Net) -> State {
    let p = net.processors();
    State::new(net, (0..p * p).map(|packet| packet / p))
}

/// Circuits of all packets from processor i of every router to processor j of the one at a displacement.
fn displaced(net: Net, displacement: u32, (i, j): (u32, u32)) -> impl Iterator<Item = Circuit> {
    (0..1 << net.d).map(move |router: u32| {
        let (from, to) = (router * net.m + i, (router ^ displacement) * net.m + j);
        Circuit { packet: from * net.processors() + to, from, dims: dims(displacement), to }
    })
}

/// Every packet of an all-to-all has come, those within routers too if they are wanted.
fn exchanged(net: Net, state: &State, within: bool) -> Result<(), String> {
    let p = net.processors();
    let mut pairs = (0..p * p).map(|packet| (packet / p, packet % p));
    match pairs.find(|&(from, to)| (within || from / net.m != to / net.m) && !state.has(from * p + to, to)) {
        None => Ok(()),
        Some((from, to)) => Err(format!("the packet from processor {from} to processor {to} does not come")),
    }
}

fn direct_exchange(net: &Net) -> Result<(), String> {
    let (m, mut state) = (net.m, all_to_all(*net));
    for displacement in 1..1 << net.d {
        let pairs: Vec<(u32, u32)> = (0..m * m).map(|t| (t % m, (t + t / m) % m)).collect();
        for pairs in pairs.chunks(net.f as usize) {
            state.step(&pairs.iter().flat_map(|&pair| displaced(*net, displacement, pair)).collect::<Vec<_>>())?;
        }
    }
    exchanged(*net, &state, false)
}

fn complements(net: &Net) -> Result<(), String> {
    let (mut state, all) = (all_to_all(*net), (1 << net.d) - 1);
    for displacement in 0..1 << (net.d - 1) {
        let both = [displacement, all ^ displacement].into_iter().filter(|&displacement| displacement > 0);
        let circuits: Vec<Circuit> = both.flat_map(|displacement| displaced(*net, displacement, (0, 0))).collect();
        let used: usize = circuits.iter().map(|circuit| circuit.dims.len()).sum();
        if used != (net.d << net.d) as usize {
            return Err(format!("{used} channels are used"));
        }
        state.step(&circuits)?;
    }
    exchanged(*net, &state, true)
}

fn double_links(net: &Net) -> Result<(), String> {
    let mut state = all_to_all(*net);
    for (both, c) in [([1, 2], 0), ([1, 2], 1), ([3, 0], 0), ([3, 0], 1)] {
        let of = |displacement| (0..2).flat_map(move |i| displaced(*net, displacement, (i, (i + c) % 2)));
        let circuits = both.into_iter().filter(|&displacement| displacement + c > 0).flat_map(of);
        state.step(&circuits.collect::<Vec<_>>())?;
    }
    exchanged(*net, &state, true)
}

/// Broadcast in two steps: to three processors, and from these four to the others.
fn two_steps(net: &Net) -> Result<(), String> {
    let others: Vec<u32> = (1..net.processors()).collect();
    for (a, b, c) in others.iter().flat_map(|a| others.iter().flat_map(move |b| (b + 1..8).map(move |c| (*a, *b, c)))) {
        let mut state = State::new(*net, [0]);
        for _ in 0..2 {
            let first = (0..4).filter(|&at| state.has(0, [0, a, b, c][at as usize])).count() == 1;
            let to = others.iter().filter(|&&to| !state.has(0, to) && (!first || [a, b, c].contains(&to)));
            let deliveries: Vec<(u32, u32)> = to.map(|&to| (0, to)).collect();
            let Some(circuits) = (a < b).then(|| state.routed(&deliveries)).flatten() else { break };
            state.step(&circuits)?;
        }
        if state.lacking().is_none() {
            return Ok(());
        }
    }
    Err("no two steps are enough".into())
}

fn three_steps(net: &Net) -> Result<(), String> {
    match two_steps(net) {
        Ok(()) => {
            Err("with all ports 2 steps are enough: to three processors, and from these four to the others".into())
        }
        Err(_) => Ok(()),
    }
}
