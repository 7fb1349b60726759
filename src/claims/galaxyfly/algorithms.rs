//! Sections 3 and 4: the deliveries of the algorithms, their routes, and their numbers.

use super::super::{Claim, Trial};
use super::model::{Tree, distances, rpc, spc};
use super::nets::{Net, nets, supernodes};
use crate::topology::Topology;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "rpc",
            "Theorem 3",
            "RPC sends the packets of all routers of a supernode to the target router.",
            Trial::over(supernodes, |net| each_target(net, |parents, target| {
                match (0..parents.len()).find(|&router| steps(parents, router).is_none_or(|(_, end)| end != target)) {
                    None => Ok(()),
                    Some(router) => Err(format!("the packet of R{router} does not come to R{target}")),
                }
            })),
        ),
        Claim::new(
            "rpc-time",
            "Theorem 3",
            "RPC takes O(log a) time.",
            Trial::over(supernodes, |net| each_target(net, |parents, _| {
                let rounds = (0..parents.len()).filter_map(|router| steps(parents, router)).map(|way| way.0).max();
                match rounds {
                    Some(rounds) if rounds > net.a.ilog2() => Err(format!("a packet is sent {rounds} times")),
                    _ => Ok(()),
                }
            })),
        )
        .amended(
            "A packet is sent ⌊log2 a⌋ times at most, but messages grow: RPC takes at least (a - 1)/2 slots of a packet each, which is not O(log a).",
            Trial::over(supernodes, |net| each_target(net, |parents, target| {
                let slots = slots(parents, target);
                if 2 * slots >= net.a - 1 { Ok(()) } else { Err(format!("RPC to R{target} takes {slots} slots")) }
            })),
        ),
        Claim::new(
            "theorem-4",
            "Theorem 4",
            "SPC sends the packets of all supernodes to the target supernode.",
            Trial::over(nets, |net| {
                let galaxyfly = net.build()?;
                for centre in 0..galaxyfly.galaxy().supernodes() {
                    let found = spc(&galaxyfly, centre).len() as u32;
                    if found != galaxyfly.galaxy().supernodes() {
                        return Err(format!("{found} supernodes send to supernode {centre}"));
                    }
                }
                Ok(())
            }),
        ),
        Claim::new(
            "theorem-5",
            "Theorem 5",
            "With SFATA every router gets the packets of all routers.",
            Trial::over(nets, |net| Tree::new(&net.build()?, 0).map(|_| ())),
        ),
        Claim::new(
            "shortest",
            "section 4.1",
            "With SFATA routers send packets over the shortest ways.",
            Trial::over(nets, shortest),
        )
        .amended(
            "Up to the root's supernode a packet crosses as few global links as there are between the two supernodes; to all others it goes by the root.",
            Trial::over(nets, fewest_links),
        ),
        Claim::new(
            "redundant",
            "section 4.1, table 3",
            "With SFATA no router receives a packet twice.",
            Trial::over(nets, |net| {
                let galaxyfly = net.build()?;
                let tree = Tree::new(&galaxyfly, 0)?;
                let sizes = tree.sizes();
                match (0..sizes.len()).find(|&router| tree.parents[router].is_some()) {
                    Some(router) => Err(format!(
                        "{} packets come down to router {router}, and {} of them are its own or came up through it",
                        sizes.len(),
                        sizes[router]
                    )),
                    None => Ok(()),
                }
            }),
        )
        .amended(
            "A message that comes down has the packets of all N routers, as MaxTime less MinTime says: a multiple of N. Redundant packets are as many as \
             the routers' distances from the root, added up.",
            Trial::over(nets, |net| {
                let tree = Tree::new(&net.build()?, 0)?;
                let below: u32 = (0..tree.parents.len()).filter(|&r| tree.parents[r].is_some()).map(|r| tree.sizes()[r]).sum();
                let depths: usize = (0..tree.parents.len()).filter_map(|router| tree.depth(router)).sum();
                let times = tree.times();
                let [least, most] = [times.iter().min(), times.iter().max()].map(|time| time.copied().unwrap_or(0));
                match below as usize == depths && (most - least).is_multiple_of(times.len() as u32) {
                    true => Ok(()),
                    false => Err(format!("{below} packets come up, distances are {depths}, times {least} to {most}")),
                }
            }),
        ),
    ]
}

/// Tries every target of RPC in a supernode.
fn each_target(net: &Net, test: impl Fn(&[Option<usize>], usize) -> Result<(), String>) -> Result<(), String> {
    (0..net.a as usize).try_for_each(|target| test(&rpc(net.a as usize, target), target))
}

/// Hops from a router, and the last one; none if they go round.
fn steps(parents: &[Option<usize>], router: usize) -> Option<(u32, usize)> {
    let (mut at, mut count) = (router, 0);
    while let Some(next) = parents[at] {
        (at, count) = (next, count + 1);
        if count as usize > parents.len() {
            return None;
        }
    }
    Some((count, at))
}

/// Slots of RPC.
fn slots(parents: &[Option<usize>], target: usize) -> u32 {
    let children = (0..parents.len()).filter(|&router| parents[router] == Some(target));
    children.map(|child| slots(parents, child) + size(parents, child)).max().unwrap_or(0)
}

/// Packets that a router sends in RPC.
fn size(parents: &[Option<usize>], router: usize) -> u32 {
    1 + (0..parents.len())
        .filter(|&other| parents[other] == Some(router))
        .map(|child| size(parents, child))
        .sum::<u32>()
}

fn shortest(net: &Net) -> Result<(), String> {
    let galaxyfly = net.build()?;
    let tree = Tree::new(&galaxyfly, 0)?;
    let depths: Vec<usize> = (0..galaxyfly.nodes()).map(|router| tree.depth(router).unwrap_or(0)).collect();
    for from in 0..galaxyfly.nodes() {
        let hops = distances(&galaxyfly, from);
        // all packets go by the root, router 0
        if let Some(to) = (0..galaxyfly.nodes()).find(|&to| to != from && depths[from] + depths[to] > hops[to]) {
            let label = |router: usize| galaxyfly.title(router.into());
            let (ours, least) = (depths[from] + depths[to], hops[to]);
            return Err(format!("from {} to {} it is {ours} hops, and {least} are possible", label(from), label(to)));
        }
    }
    Ok(())
}

fn fewest_links(net: &Net) -> Result<(), String> {
    let galaxyfly = net.build()?;
    let joined = galaxyfly.galaxy().neighbours(0);
    for (supernode, to) in spc(&galaxyfly, 0) {
        let links = [to.is_some(), to.is_some_and(|to| to != 0)].iter().filter(|link| **link).count();
        let least =
            [supernode != 0, supernode != 0 && !joined.contains(&supernode)].iter().filter(|link| **link).count();
        if links != least {
            return Err(format!("from supernode {supernode} it is {links} links, and {least} are possible"));
        }
    }
    Ok(())
}
