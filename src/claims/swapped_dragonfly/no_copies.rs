//! Section 5: broadcasts where routers cannot copy. A node at each router reads the header after every hop and sends
//! the copies. It sends them t_s cycles after the packet's last hop began: one cycle for the hop, the others for the
//! node.

use super::batches::{Batches, Run, batches};
use super::broadcast::each_source;
use super::header::{AtDiagonal, Header, send_every};
use super::sizes::nets;
use super::topology::expect;
use super::walk::{Net, Reservations, show};
use crate::claims::{Claim, Table, Trial};
use crate::topology::swapped_dragonfly::{Group, RouterAddress};

/// Cycles from hop to hop that are tried.
const TIMES: [u32; 3] = [1, 2, 5];

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "no-copies",
            "section 5, after the evolutions of headers",
            "If routers cannot copy, M broadcasts from any router take 5·t_s (t_s = 1, 2, 5).",
            Trial::over(nets, |net| {
                each_source(*net, |source| {
                    TIMES.into_iter().try_for_each(|time| {
                        let cycles = read(&trees(*net, source, |_| true, AtDiagonal::Stays, (1, time))?, time);
                        expect(cycles == 5 * time, || format!("with t_s = {time} from {} {cycles}", show(source)))
                    })
                })
            }),
        )
        .amended(
            "If nodes can take a packet from each port in every cycle, a router with p = d sends M - 1 broadcasts a cycle, \
             whatever t_s is. It takes the trees with p ≠ d, and copies are dropped as in depth-4-tree: ⌈X/(M-1)⌉ - 1 + 5·t_s.",
            Trial::over(nets, |net| {
                each_source(*net, |source| match source.d == source.p {
                    true => TIMES.into_iter().try_for_each(|time| {
                        let count = 4 * time + 2; // more than are on their way at once, so that what follows repeats
                        let taken = |p| p != source.d;
                        let cycles = read(&trees(*net, source, taken, AtDiagonal::Dropped, (count, time))?, time);
                        expect(cycles == count - 1 + 5 * time, || format!("with t_s = {time} it takes {cycles}"))
                    }),
                    false => Ok(()),
                })
            }),
        )
        .with_table(cycles_table),
        Claim::new(
            "no-copies-depth-3",
            "section 5, after the evolutions of headers",
            "By the tree of depth three M broadcasts take a time proportional to M: M·3·t_s without copies, one after the other.",
            Trial::over(nets, |net| depth_3_takes(*net, |time| 3 * time, |m, time| 3 * m * time)),
        )
        .amended(
            "If nodes can take a packet from each port in every cycle, they follow each other: M - 1 + 3·t_s, fewer than by trees if \
             M - 1 < 2·t_s.",
            Trial::over(nets, |net| depth_3_takes(*net, |_| 1, |m, time| m - 1 + 3 * time)),
        )
        .with_table(sends_table),
    ]
}

/// Sends batches, one a cycle, by the selected trees.
fn trees(
    net: Net,
    source: RouterAddress,
    taken: impl Fn(u32) -> bool,
    rule: AtDiagonal,
    (number, time): (u32, u32),
) -> Result<Run, String> {
    let starts: Vec<u32> = (0..number).collect();
    batches(net, source, taken, &Batches { starts: &starts, time, rule })
}

/// Cycles until the last copy is read: it has moved for one of its t_s.
fn read(run: &Run, time: u32) -> u32 {
    run.cycles + time - 1
}

/// Sends broadcasts of depth three, one every `interval` cycles.
fn depth_3(net: Net, source: RouterAddress, (number, interval): (u32, u32), time: u32) -> Result<Run, String> {
    let (mut reservations, mut channels) = (Reservations::new(net), Vec::new());
    for who in 0..number {
        let (start, header) = ((who * interval, source), Header::broadcast(3));
        let delivery = send_every(time, &mut reservations, net, start, header, AtDiagonal::Dropped, who);
        let delivery = delivery.map_err(|clash| format!("t_s = {time}, from {}: {clash}", show(source)))?;
        expect(delivery.reaches_all(net, source), || format!("from {} a router is missed", show(source)))?;
        channels.extend(delivery.channels);
    }
    Ok(Run::new(&reservations, net, channels))
}

/// Checks the cycles of M broadcasts of depth three at an interval, from every router.
fn depth_3_takes(net: Net, interval: fn(u32) -> u32, said: fn(u32, u32) -> u32) -> Result<(), String> {
    each_source(net, |source| {
        TIMES.into_iter().try_for_each(|time| {
            let cycles = read(&depth_3(net, source, (net.m, interval(time)), time)?, time);
            expect(cycles == said(net.m, time), || format!("with t_s = {time} from {} {cycles}", show(source)))
        })
    })
}

/// D3(2,M), and its router (0,0,0).
fn example(m: u32) -> (Net, RouterAddress) {
    (Net::new(2, m, Group::Cyclic), RouterAddress { c: 0, d: 0, p: 0 })
}

fn text(run: Result<Run, String>, value: impl Fn(&Run) -> u32) -> String {
    run.map_or_else(|clash| clash, |run| value(&run).to_string())
}

fn cycles_table(_: u32) -> Table {
    let row = |(m, time): (u32, u32)| {
        let (net, source) = example(m);
        let cycles = |run: &Run| read(run, time);
        let all = |rule, batches| trees(net, source, |p| rule == AtDiagonal::Stays || p != 0, rule, (batches, time));
        vec![
            net.to_string(),
            time.to_string(),
            text(all(AtDiagonal::Stays, 1), cycles),
            text(depth_3(net, source, (m, 3 * time), time), cycles),
            text(depth_3(net, source, (m, 1), time), cycles),
            text(all(AtDiagonal::Dropped, 60_u32.div_ceil(m - 1)), cycles),
            text(depth_3(net, source, (60, 1), time), cycles),
        ]
    };
    Table {
        title: "Cycles until all copies of broadcasts from (0,0,0) are read, where routers cannot copy",
        head: vec![
            "network",
            "t_s",
            "M by M trees",
            "M of depth three, one by one",
            "M of depth three, one a cycle",
            "60 by M - 1 trees, a batch a cycle",
            "60 of depth three, one a cycle",
        ],
        rows: [2, 4, 6].into_iter().flat_map(|m| [1, 4, 16].map(|time| (m, time))).map(row).collect(),
    }
}

fn sends_table(_: u32) -> Table {
    let row = |m| {
        let (net, source) = example(m);
        vec![
            net.to_string(),
            (m - 1).to_string(),
            text(trees(net, source, |p| p != 0, AtDiagonal::Dropped, (1, 1)), |run| run.busiest),
            text(depth_3(net, source, (1, 1), 1), |run| run.busiest),
        ]
    };
    Table {
        title: "Packets that the busiest node sends for a batch: at least so many cycles a batch if nodes send over one port at a time",
        head: vec!["network", "broadcasts a batch by M - 1 trees", "sends a batch", "sends a broadcast of depth three"],
        rows: [2, 4, 6, 8].into_iter().map(row).collect(),
    }
}
