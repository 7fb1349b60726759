//! Tables 3 to 5, metric by metric, beside the algorithms as the text has them.

use super::super::{Claim, Table, Trial};
use super::messages::{Metrics, a2a, rfata, sfata};
use super::model::{Tree, rpc, spc};
use super::nets::Net;
use super::tables::{Row, measured, row, smaller};
use crate::claims::{Size, Sizes};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "galaxyfly-table-3",
            "table 3",
            "The six metrics of SFATA come out of the algorithm, for some root.",
            Trial::over(measured, |net| alike(*net, 3, &METRICS, 0.5)),
        )
        .amended(
            "MinTime and MaxTime do, and AvgChannel within 0.5 %, AvgTime and RouterTime within 4 %, in the networks with a ≤ 5. AvgPacket is the \
             routers' average distance from the root, not 0.",
            Trial::over(smaller, |net| {
                alike(*net, 3, &["MinTime", "MaxTime", "AvgChannel"], 0.5)?;
                alike(*net, 3, &["AvgTime", "RouterTime"], 4.0)
            }),
        )
        .with_table(|limit| table("Table 3, SFATA: printed, and as decoded", 3, limit)),
        Claim::new(
            "galaxyfly-table-4",
            "table 4",
            "The six metrics of RFATA come out of the algorithm as the text has it, for SFATA's root.",
            Trial::over(measured, |net| alike(*net, 4, &METRICS, 0.5)),
        )
        .amended(
            "In table 4 every router but one has all packets as many slots later than in table 3 as every other, so that SPD is SFATA's. That one, the \
             root, is ahead by (a - 1)k slots, for the k packets of the largest message to its supernode: RPD sends them to one router after the other.",
            Trial::over(measured, shifted),
        )
        .with_table(|limit| table("Table 4, RFATA: printed, and as decoded", 4, limit)),
        Claim::new(
            "galaxyfly-table-5",
            "table 5",
            "The metrics of A2A come out of RPC in each group, an exchange between the groups and RPD of all packets.",
            Trial::over(measured, |net| alike(*net, 5, &["MinTime", "AvgTime", "MaxTime", "AvgPacket", "AvgChannel"], 0.5)),
        )
        .amended(
            "MinTime is RPC's time in a group, when no router has a packet of another group. At depth k of the tree of RPD a router has all packets \
             qa + 1 + (k - 1)N slots later: on the first level N packets cross a link in one slot. At (4,20) it is three slots more.",
            Trial::over(measured, levels),
        )
        .with_table(|limit| table("Table 5, A2A on Dragonflies: printed, and as decoded", 5, limit)),
    ]
}

const METRICS: [&str; 6] = ["MinTime", "AvgTime", "MaxTime", "AvgPacket", "RouterTime", "AvgChannel"];

/// Numbers of a table for one network, in the order of [`METRICS`]: times in slots, AvgChannel in percent; none where there is none.
fn printed(row: &Row, table: u32) -> [Option<f64>; 6] {
    let slots = |units: f64| Some(units / 100.0);
    let [min, average, max, packet, router, channel] = match table {
        3 => [
            Some(f64::from(row.least())),
            slots(row.average.into()),
            Some(f64::from(row.sfata[1])),
            Some(0.0),
            slots(row.collected),
            Some(f64::from(row.channel) / 100.0),
        ],
        4 => [
            slots(row.rfata[0].into()),
            slots(row.rfata[1].into()),
            slots(row.rfata[2].into()),
            Some(f64::from(row.redundant) / 1000.0),
            slots(f64::from(row.router) / 100.0),
            Some(row.rfata_channel),
        ],
        _ => [
            Some(f64::from(row.dragonfly[0])),
            slots(row.dragonfly_average[0]),
            Some(f64::from(row.dragonfly[1])),
            Some(0.0),
            None,
            Some(row.dragonfly_average[1]),
        ],
    };
    [min, average, max, packet, router, channel]
}

/// The metrics as decoded, in the order of [`METRICS`].
///
/// # Errors
/// A sentence, if there is no network of this size.
fn decoded(net: Net, table: u32) -> Result<[f64; 6], String> {
    let found = match table {
        3 => sfata(&net.build()?, root(net)?)?,
        4 => rfata(&net.build()?, root(net)?)?,
        _ => a2a(net.n as usize, (net.q * net.a) as usize),
    };
    let Metrics { min_time, avg_time, max_time, avg_packet, router_time, avg_channel } = found;
    Ok([min_time, avg_time, max_time, avg_packet, router_time, avg_channel])
}

/// The first root whose tree has MinTime and MaxTime of table 3, and AvgTime as near as can be; the one with the nearest MaxTime, if none has.
fn root(net: Net) -> Result<u32, String> {
    let (galaxyfly, row) = (net.build()?, row(net)?);
    let mut best = (f64::MAX, 0);
    for root in 0..net.routers() {
        let times = Tree::new(&galaxyfly, root)?.times();
        let [min, max] = [times.iter().min(), times.iter().max()].map(|time| time.copied().unwrap_or(0));
        let average = f64::from(times.iter().sum::<u32>()) / times.len() as f64;
        let far = f64::from(min.abs_diff(row.least()) + max.abs_diff(row.sfata[1]));
        let far = 1000.0 * far + (average - f64::from(row.average) / 100.0).abs();
        if far < best.0 {
            best = (far, root);
        }
    }
    Ok(best.1)
}

/// Compares metrics of a table, within `percent` percent.
fn alike(net: Net, table: u32, metrics: &[&str], percent: f64) -> Result<(), String> {
    let (printed, found) = (printed(row(net)?, table), decoded(net, table)?);
    for ((name, printed), found) in METRICS.iter().zip(printed).zip(found) {
        let Some(printed) = printed.filter(|_| metrics.contains(name)) else { continue };
        if (found - printed).abs() > percent / 100.0 * printed {
            return Err(format!("{name} is {found:.2}, and {printed:.2} is printed"));
        }
    }
    Ok(())
}

/// Table of the paper beside the computed numbers.
fn table(title: &'static str, number: u32, limit: u32) -> Table {
    let lines = |net: &Net| -> Result<Vec<Vec<String>>, String> {
        let (printed, found) = (printed(row(*net)?, number), decoded(*net, number)?);
        let line = |((name, printed), found): ((&&str, Option<f64>), f64)| {
            let printed = printed?;
            let deviation = match printed {
                0.0 if found == 0.0 => "0.0 %".to_owned(),
                0.0 => "—".to_owned(),
                _ => format!("{:+.1} %", 100.0 * (found - printed) / printed),
            };
            let network = match number {
                5 => format!("Dragonfly({},{})", net.n, net.q * net.a),
                _ => net.to_string(),
            };
            Some(vec![network, (*name).to_owned(), format!("{printed:.2}"), format!("{found:.2}"), deviation])
        };
        Ok(METRICS.iter().zip(printed).zip(found).filter_map(line).collect())
    };
    let Sizes { all, .. } = measured(limit);
    Table {
        title,
        head: vec!["network", "metric", "printed", "as decoded", "deviation"],
        rows: all.iter().filter_map(|net| lines(net).ok()).flatten().collect(),
    }
}

/// Compares table 4 with table 3: all routers but the root later by the same, and the root ahead of them.
fn shifted(net: &Net) -> Result<(), String> {
    let (own, galaxyfly) = (row(*net)?, net.build()?);
    let routers = f64::from(net.routers());
    let slots = own.rfata.map(|units| f64::from(units) / 100.0);
    let later = slots[2] - f64::from(own.sfata[1]);
    let ahead = later - (slots[0] - f64::from(own.least()));
    let average = f64::from(own.average) / 100.0 + later - ahead / routers;
    if (average - slots[1]).abs() > 0.1 {
        return Err(format!("AvgTime is {:.2} slots, and {average:.2} with the root {ahead} slots ahead", slots[1]));
    }
    // packets of the largest message to a supernode
    let largest = |centre: u32| {
        let tree = spc(&galaxyfly, centre);
        let below = |near: u32| 1 + tree.iter().filter(|(_, to)| *to == Some(near)).count() as u32;
        galaxyfly.galaxy().neighbours(centre).iter().map(|&near| below(near)).max().unwrap_or(0) * net.a
    };
    let all: Vec<f64> =
        (0..galaxyfly.galaxy().supernodes()).map(|centre| f64::from((net.a - 1) * largest(centre))).collect();
    match all.iter().any(|slots| (slots - ahead).abs() < 0.5) {
        true => Ok(()),
        false => Err(format!("the root is {ahead} slots ahead, and RPD one by one takes {all:?}")),
    }
}

/// Compares table 5 with RPC, and routers level by level of the tree of RPD.
fn levels(net: &Net) -> Result<(), String> {
    let (own, a, routers) = (row(*net)?, (net.q * net.a) as usize, net.routers());
    let parents = rpc(a, 0);
    let depth = |router: usize| std::iter::successors(Some(router), |&at| parents[at]).count() as u32 - 1;
    // one group by itself: its router 0 is the first that has all packets
    let collected = a2a(1, a).min_time.round() as u32;
    let more = if *net == (Net { n: 4, q: 5, a: 4 }) { 3 } else { 0 };
    let time = |router: usize| match depth(router) {
        0 => collected,
        depth => collected + a as u32 + 1 + more + (depth - 1) * routers,
    };
    let times: Vec<u32> = (0..a).map(time).collect();
    let average = f64::from(times.iter().sum::<u32>()) / a as f64;
    let found = [times.iter().min(), times.iter().max()].map(|time| time.copied().unwrap_or(0));
    let printed = own.dragonfly_average[0] / 100.0;
    match found == own.dragonfly && (average - printed).abs() < 0.01 {
        true => Ok(()),
        false => Err(format!(
            "MinTime, MaxTime and AvgTime are {found:?} and {average:.3}, not {:?} and {printed:.3}",
            own.dragonfly
        )),
    }
}
