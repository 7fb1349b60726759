//! Section 5: the measured times, held against the algorithms, the network's limits and each other.

use super::super::{Claim, Table, Trial};
use super::model::Tree;
use super::nets::Net;
use super::tables::{ROWS, measured, row, smaller};
use crate::claims::Size;
use crate::topology::Topology;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "table-3-times",
            "table 3",
            "MinTime and MaxTime of SFATA are those of the tree to some router.",
            Trial::over(measured, of_tree),
        )
        .amended(
            "They are in four of the five networks, with one zero less at (4,7,4); at (3,5,8) no root gives them.",
            Trial::over(smaller, of_tree),
        )
        .with_table(times),
        Claim::new(
            "table-3-order",
            "table 3",
            "MinTime is less than AvgTime, and AvgTime less than MaxTime.",
            Trial::over(measured, |net| {
                let row = row(*net)?;
                ordered(row.sfata[0], row.average, row.sfata[1])
            }),
        )
        .amended(
            "MinTime 117,000 of (4,7,4) has a zero too many: with 11,700 the order is right, and MaxTime less MinTime is 8N slots as at (4,5,4).",
            Trial::over(measured, |net| {
                let row = row(*net)?;
                ordered(row.least(), row.average, row.sfata[1])?;
                let (steps, routers) = (row.sfata[1] - row.least(), net.routers());
                if steps.is_multiple_of(routers) { Ok(()) } else { Err(format!("{steps} slots are no multiple of {routers}")) }
            }),
        ),
        Claim::new(
            "time-unit",
            "section 5",
            "Packets of 160 bytes at 16 Gbit/s are sent, and times are in μs.",
            Trial::over(measured, |net| unit(net, 0.08)),
        )
        .amended(
            "A packet takes 0.08 μs, and MaxTime less MinTime is that of a whole number of messages of N packets, 9 at most: one packet takes 100 of the \
             units, which are 0.8 ns each.",
            Trial::over(measured, |net| unit(net, 100.0)),
        ),
        Claim::new(
            "avg-channel",
            "section 5.2, table 3",
            "AvgChannel is the average over all channels of the network of their time in use, as a share of MaxTime.",
            Trial::over(measured, |net| {
                let galaxyfly = net.build()?;
                channel(net, (0..galaxyfly.nodes()).map(|node| galaxyfly.ports_of(node.into()) as u32).sum())
            }),
        )
        .amended(
            "It is the average over the 2(N - 1) channels of the tree alone: (N(N - 1) + sum of depths) / (2(N - 1)·MaxTime).",
            Trial::over(measured, |net| channel(net, 2 * (net.routers() - 1))),
        ),
        Claim::new(
            "correlated",
            "section 5.2",
            "AvgChannel of SFATA grows with n, q and a.",
            Trial::over(measured, |net| grows(net, |row| row.channel)),
        )
        .amended(
            "It falls when a alone grows: from (4,5,4) to (4,5,5), and from (3,5,4) to (3,5,8).",
            Trial::over(measured, |net| {
                let own = row(*net)?;
                let less = |other: &&super::tables::Row| (other.net.n, other.net.q) == (net.n, net.q) && other.net.a < net.a;
                match ROWS.iter().filter(less).find(|other| other.channel <= own.channel) {
                    None => Ok(()),
                    Some(other) => Err(format!("{} has {} too", other.net, share(other.channel))),
                }
            }),
        ),
        Claim::new(
            "router-time",
            "section 5.2, table 4",
            "RouterTime of RFATA grows with n, q and a.",
            Trial::over(measured, |net| grows(net, |row| row.router)),
        )
        .amended(
            "It falls when n or q alone grows: from (3,5,4) to (4,5,4), and from (4,5,4) to (4,7,4).",
            Trial::over(measured, |net| {
                let own = row(*net)?;
                let less = |other: &&super::tables::Row| other.net.a == net.a && other.net.routers() < net.routers();
                match ROWS.iter().filter(less).find(|other| other.router <= own.router) {
                    None => Ok(()),
                    Some(other) => Err(format!("{} has less", other.net)),
                }
            }),
        ),
        Claim::new(
            "avg-packet",
            "table 4",
            "AvgPacket of RFATA is the number of redundant packets over the number of routers.",
            Trial::over(measured, whole_packets),
        )
        .amended(
            "It can be at the other four networks; at (4,5,4) no whole number of packets over 80 routers is 2.333.",
            Trial::over(
                |limit| {
                    let mut sizes = measured(limit);
                    sizes.all.retain(|net| *net != Net { n: 4, q: 5, a: 4 });
                    sizes.range = format!("{} but (4,5,4)", sizes.range);
                    sizes
                },
                whole_packets,
            ),
        ),
        Claim::new(
            "sfata-faster",
            "section 5.2",
            "MinTime, AvgTime and MaxTime of SFATA are less than those of RFATA.",
            Trial::over(measured, |net| {
                let row = row(*net)?;
                less([100 * row.sfata[0], row.average, 100 * row.sfata[1]], row.rfata)
            }),
        )
        .amended(
            "They are, if MinTime at (4,7,4) is 11,700.",
            Trial::over(measured, |net| {
                let row = row(*net)?;
                less([100 * row.least(), row.average, 100 * row.sfata[1]], row.rfata)
            }),
        ),
        Claim::new(
            "five-percent",
            "section 5.2",
            "MaxTime of RFATA is more than 1.05 times that of SFATA.",
            Trial::over(measured, |net| {
                let row = row(*net)?;
                let [sfata, rfata] = [100 * row.sfata[1], row.rfata[2]];
                if 100 * rfata > 105 * sfata { Ok(()) } else { Err(format!("{rfata} is not more than 1.05 times {sfata}")) }
            }),
        ),
        Claim::new(
            "dragonfly-time",
            "table 5",
            "MinTime of A2A is possible on a Dragonfly of n groups of qa routers, any two joined by a link.",
            Trial::over(measured, |net| on_dragonfly(net, 0)),
        )
        .amended(
            "MaxTime is: qa(n - 1) packets enter a group over n - 1 links, so that no router has all packets before slot qa.",
            Trial::over(measured, |net| on_dragonfly(net, 1)),
        ),
    ]
}

/// A share in hundredths of a percent.
fn share(hundredths: u32) -> String {
    format!("{}.{:02} %", hundredths / 100, hundredths % 100)
}

/// Least and largest times of the trees to all routers.
fn times_of(net: Net) -> Result<Vec<[u32; 2]>, String> {
    let galaxyfly = net.build()?;
    let of = |root: u32| {
        let times = Tree::new(&galaxyfly, root)?.times();
        Ok([times.iter().min(), times.iter().max()].map(|time| time.copied().unwrap_or(0)))
    };
    (0..net.routers()).map(of).collect()
}

fn of_tree(net: &Net) -> Result<(), String> {
    let row = row(*net)?;
    let printed = [row.least(), row.sfata[1]];
    let found = times_of(*net)?;
    if found.contains(&printed) {
        return Ok(());
    }
    let most = |index: usize| found.iter().map(|times| times[index]).max().unwrap_or(0);
    Err(format!("MinTime is {} slots at most and MaxTime {}, not {} and {}", most(0), most(1), printed[0], printed[1]))
}

/// The times of table 3 beside those of all roots, and the bound of any schedule.
fn times(limit: u32) -> Table {
    let line = |net: &Net| -> Result<Vec<String>, String> {
        let row = row(*net)?;
        let all = times_of(*net)?;
        let printed = [row.least(), row.sfata[1]];
        let root = all.iter().position(|times| *times == printed).map_or("none".to_owned(), |root| root.to_string());
        let range = |index: usize| {
            let one = || all.iter().map(|times| times[index]);
            format!("{} to {}", one().min().unwrap_or(0), one().max().unwrap_or(0))
        };
        let degree = net.build()?.galaxy().degree();
        // a router with few global links gets what comes over the others a slot later
        let gates = degree / net.a;
        let links = (net.routers() - net.a + degree - gates).div_ceil(degree.max(1));
        let inputs = (net.routers() - 1).div_ceil((net.a - 1 + gates).max(1));
        let cells = [net.to_string(), printed[0].to_string(), range(0), printed[1].to_string(), range(1), root];
        Ok(cells.into_iter().chain([links.max(inputs).to_string()]).collect())
    };
    Table {
        title: "SFATA in slots of a packet: table 3, and the trees to all roots",
        head: vec![
            "network",
            "MinTime",
            "all roots",
            "MaxTime",
            "all roots",
            "first root with both",
            "bound of any schedule",
        ],
        rows: measured(limit).all.iter().filter_map(|net| line(net).ok()).collect(),
    }
}

fn ordered(least: u32, average: u32, most: u32) -> Result<(), String> {
    let [least, most] = [100 * least, 100 * most];
    match least < average && average < most {
        true => Ok(()),
        false => Err(format!("MinTime is {least}, AvgTime {average}, MaxTime {most}")),
    }
}

/// Compares MaxTime less MinTime with that of whole messages of N packets, nine at most, with `packet` units of time a
/// packet.
fn unit(net: &Net, packet: f64) -> Result<(), String> {
    let row = row(*net)?;
    let found = f64::from(100 * (row.sfata[1] - row.least()));
    let message = packet * f64::from(net.routers());
    if (1..=9).any(|count| (f64::from(count) * message - found).abs() < 0.5) {
        return Ok(());
    }
    let most = 9.0 * message;
    Err(format!("MaxTime less MinTime is {found}, and nine messages of {} packets take {most:.1}", net.routers()))
}

fn channel(net: &Net, channels: u32) -> Result<(), String> {
    let (row, routers) = (row(*net)?, net.routers());
    let crossings = routers * (routers - 1) + row.depths();
    let found = 1e4 * f64::from(crossings) / f64::from(channels) / f64::from(row.sfata[1]);
    match (found - f64::from(row.channel)).abs() < 1.0 {
        true => Ok(()),
        false => {
            let found = share(found.round() as u32);
            Err(format!(
                "{crossings} crossings of {channels} channels in {} slots are {found}, not {}",
                row.sfata[1],
                share(row.channel)
            ))
        }
    }
}

/// Compares a number with those of networks that are smaller in n, q or a and larger in none.
fn grows(net: &Net, number: fn(&super::tables::Row) -> u32) -> Result<(), String> {
    let own = row(*net)?;
    let smaller = |other: &&super::tables::Row| {
        let Net { n, q, a } = other.net;
        other.net != *net && n <= net.n && q <= net.q && a <= net.a
    };
    match ROWS.iter().filter(smaller).find(|other| number(other) >= number(own)) {
        None => Ok(()),
        Some(other) => {
            let [here, there] = [number(own), number(other)].map(|hundredths| f64::from(hundredths) / 100.0);
            Err(format!("it is {here:.2}, and {there:.2} at {}", other.net))
        }
    }
}

fn whole_packets(net: &Net) -> Result<(), String> {
    let (row, routers) = (row(*net)?, f64::from(net.routers()));
    let printed = f64::from(row.redundant) / 1000.0;
    let nearest = (printed * routers).round() / routers;
    match (nearest - printed).abs() <= 0.0005 {
        true => Ok(()),
        false => Err(format!("{printed} times {routers} routers is {:.2} packets", printed * routers)),
    }
}

fn less(first: [u32; 3], second: [u32; 3]) -> Result<(), String> {
    let names = ["MinTime", "AvgTime", "MaxTime"];
    match (0..3).find(|&index| first[index] >= second[index]) {
        None => Ok(()),
        Some(index) => Err(format!("{} is {} with SFATA and {} with RFATA", names[index], first[index], second[index])),
    }
}

fn on_dragonfly(net: &Net, index: usize) -> Result<(), String> {
    let (slots, routers) = (row(*net)?.dragonfly[index], net.q * net.a);
    match slots >= routers {
        true => Ok(()),
        false => Err(format!(
            "{} packets enter a group over {} links, which takes {routers} slots, and {slots} are said",
            routers * (net.n - 1),
            net.n - 1
        )),
    }
}
