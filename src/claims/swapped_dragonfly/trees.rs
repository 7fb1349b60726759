//! Section 5: the trees of depth four of a drawer, and many broadcasts by them.

use super::batches::{Batches, a_batch_a_cycle, batches};
use super::broadcast::each_source;
use super::header::{AtDiagonal, Delivery, Header, send};
use super::sizes::nets;
use super::topology::expect;
use super::walk::{Net, Port, Reservations, show};
use crate::claims::{Claim, Table, Trial};
use crate::topology::swapped_dragonfly::{Group, RouterAddress};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "path-5.1",
            "section 5, (5.1)",
            "The first hop of the tree at (c,d,p) is to (*,d,p).",
            Trial::over(nets, |net| first_hop(*net, |at| (at.d, at.p))),
        )
        .amended("It is to (*,p,d).", Trial::over(nets, |net| first_hop(*net, |at| (at.p, at.d)))),
        Claim::new(
            "depth-4",
            "section 5, (5.1)",
            "[4;*,*,*] spans: one copy ends at every router.",
            Trial::over(nets, |net| {
                each_source(*net, |root| {
                    let delivery = tree(*net, root, AtDiagonal::Stays)?;
                    expect(delivery.ends.iter().all(|copies| *copies == 1), || format!("not from {}", show(root)))
                })
            }),
        ),
        Claim::new(
            "depth-4-tree",
            "section 5, (5.1)",
            "[4;*,*,*] takes a tree: it enters every router but the root at most once.",
            Trial::over(nets, |net| each_source(*net, |root| enters_once(*net, root, AtDiagonal::Stays))),
        )
        .amended(
            "It does for p ≠ d if copies with b = 2 for global port 0 where d = p are dropped; the root is entered once.",
            Trial::over(nets, |net| {
                each_source(*net, |root| match root.d == root.p {
                    true => Ok(()),
                    false => enters_once(*net, root, AtDiagonal::Dropped),
                })
            }),
        ),
        Claim::new(
            "trees-disjoint",
            "section 5, (5.1)",
            "The M trees of a drawer have no channel in common.",
            Trial::over(nets, |net| disjoint(*net, |_| true)),
        )
        .amended(
            "The M - 1 trees with p ≠ d have none; the tree p = d shares channels.",
            Trial::over(nets, |net| disjoint(*net, |root| root.d != root.p)),
        ),
        Claim::new(
            "port-0",
            "section 5, the evolution of [4;*,*,*]",
            "In the third hop of a tree KM routers use global port 0.",
            Trial::over(nets, |net| port_0(*net, |k, m| k * m)),
        )
        .amended("K(M-1) do: K of them have d = p.", Trial::over(nets, |net| port_0(*net, |k, m| k * (m - 1)))),
        Claim::new(
            "m-broadcasts",
            "section 5, after the evolutions of headers",
            "From any router M broadcasts take five hops: one to the roots of the trees, and the trees.",
            Trial::over(nets, |net| {
                each_source(*net, |source| {
                    let cycles = trees_of_all(*net, source, &[0])?;
                    expect(cycles == 5, || format!("it takes {cycles} cycles"))
                })
            }),
        ),
        Claim::new(
            "five-or-three",
            "section 5, after the evolutions of headers",
            "Unpipelined, X broadcasts take 5X/M hops by trees and 3X by depth three: the trees win.",
            Trial::over(nets, |net| {
                expect(5 < 3 * net.m, || format!("M broadcasts take 5 hops, or {}", 3 * net.m))
            }),
        ),
        Claim::new(
            "three-in-a-row",
            "section 5, the pipeline of the trees",
            "Batches of M broadcasts that start one a cycle conflict.",
            Trial::over(nets, |net| {
                each_source(*net, |source| {
                    let three = trees_of_all(*net, source, &[0, 1, 2]);
                    expect(three.is_err(), || format!("not from {}", show(source)))
                })
            }),
        ),
        Claim::new(
            "pairs",
            "section 5, the pipeline of the trees; abstract; section 6",
            "Two batches of M broadcasts every six hops do not conflict: 3X/M hops for X broadcasts (X = 2M, 4M, 6M).",
            Trial::over(nets, |net| {
                each_source(*net, |source| {
                    (1..=3).try_for_each(|pairs| {
                        let starts: Vec<u32> = (0..2 * pairs).map(|i| i / 2 * 6 + i % 2).collect();
                        let cycles = trees_of_all(*net, source, &starts)?;
                        expect(cycles == 6 * pairs, || format!("{pairs} pairs take {cycles} cycles"))
                    })
                })
            }),
        )
        .amended(
            "By the M - 1 trees with p ≠ d, copies being dropped as in depth-4-tree, any router sends a batch a cycle: at most \
             ⌈X/(M-1)⌉ + 4 hops. One with p ≠ d leaves its drawer out of its own tree, and the drawer's router with p = d serves it.",
            Trial::over(nets, |net| {
                each_source(*net, |source| {
                    let cycles = a_batch_a_cycle(*net, source, &STREAM)?;
                    expect(cycles <= STREAM.len() as u32 + 4, || format!("from {} it takes {cycles}", show(source)))
                })
            }),
        )
        .with_table(table),
    ]
}

/// Start cycles of a stream: a batch a cycle, for more cycles than a batch takes, so that the rest repeats.
const STREAM: [u32; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

fn tree(net: Net, root: RouterAddress, rule: AtDiagonal) -> Result<Delivery, String> {
    let delivery = send(&mut Reservations::new(net), net, (0, root), Header::broadcast(4), rule, 0);
    let delivery = delivery.map_err(|clash| format!("from {}: {clash}", show(root)))?;
    expect(delivery.reaches_all(net, root), || format!("from {} not every router is reached", show(root)))?;
    Ok(delivery)
}

fn first_hop(net: Net, said: impl Fn(RouterAddress) -> (u32, u32)) -> Result<(), String> {
    each_source(net, |root| {
        let delivery = tree(net, root, AtDiagonal::Stays)?;
        delivery.hops[0].iter().try_for_each(|(at, _)| {
            expect((at.d, at.p) == said(root), || format!("a hop from {} is to {}", show(root), show(*at)))
        })
    })
}

fn enters_once(net: Net, root: RouterAddress, rule: AtDiagonal) -> Result<(), String> {
    let delivery = tree(net, root, rule)?;
    net.nodes().try_for_each(|at| {
        let times = delivery.entries[net.index(at)];
        expect(times <= 1, || format!("from {} router {} is entered {times} times", show(root), show(at)))
    })
}

/// Checks that the trees of a drawer have no channel in common; `taken` selects them by root.
fn disjoint(net: Net, taken: impl Fn(RouterAddress) -> bool) -> Result<(), String> {
    let mut owners: Vec<((RouterAddress, Port), RouterAddress)> = Vec::new();
    for d in 0..net.m {
        owners.clear();
        for root in (0..net.m).map(|p| RouterAddress { c: 0, d, p }).filter(|root| taken(*root)) {
            owners.extend(tree(net, root, AtDiagonal::Stays)?.channels.into_iter().map(|channel| (channel, root)));
        }
        owners.sort_unstable();
        owners.dedup();
        if let Some(two) = owners.windows(2).find(|two| two[0].0 == two[1].0) {
            let (at, port) = two[0].0;
            let roots = format!("{} and {}", show(two[0].1), show(two[1].1));
            return Err(format!(
                "the trees at {roots} both have the channel {} → {}",
                show(at),
                show(net.hop(at, port))
            ));
        }
    }
    Ok(())
}

fn port_0(net: Net, said: fn(u32, u32) -> u32) -> Result<(), String> {
    each_source(net, |root| {
        let delivery = tree(net, root, AtDiagonal::Stays)?;
        let users = delivery.hops[1].iter().filter(|(at, _)| net.hop(*at, Port::Global(0)) != *at).count() as u32;
        expect(users == said(net.k, net.m), || {
            format!(
                "{} in the tree at {}",
                match users {
                    1 => "1 router does".into(),
                    _ => format!("{users} routers do"),
                },
                show(root)
            )
        })
    })
}

/// The cycles of batches by all M trees, as the paper has them.
fn trees_of_all(net: Net, source: RouterAddress, starts: &[u32]) -> Result<u32, String> {
    batches(net, source, |_| true, &Batches { starts, time: 1, rule: AtDiagonal::Stays }).map(|run| run.cycles)
}

fn table(_: u32) -> Table {
    let row = |(k, m, count): (u32, u32, u32)| {
        let net = Net::new(k, m, Group::Cyclic);
        let source = RouterAddress { c: 0, d: 0, p: 0 };
        let run = |each: u32, taken: &dyn Fn(u32) -> bool, rule, start: fn(u32) -> u32| {
            let starts: Vec<u32> = (0..count.div_ceil(each)).map(start).collect();
            let run = batches(net, source, taken, &Batches { starts: &starts, time: 1, rule });
            run.map_or_else(|clash| clash, |run| run.cycles.to_string())
        };
        vec![
            net.to_string(),
            count.to_string(),
            (count + 2).to_string(),
            run(m, &|_| true, AtDiagonal::Stays, |i| i / 2 * 6 + i % 2),
            run(m - 1, &|p| p != 0, AtDiagonal::Dropped, |i| i),
        ]
    };
    Table {
        title: "Cycles of X broadcasts from (0,0,0)",
        head: vec!["network", "X", "depth three", "M trees in pairs", "M - 1 trees, a batch a cycle"],
        rows: [(2, 2, 24), (2, 3, 24), (2, 4, 24), (2, 4, 240), (4, 4, 240)].into_iter().map(row).collect(),
    }
}
