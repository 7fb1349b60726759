//! Section 3: costs, Tables 1 and 2.

use super::Net;
use super::formulas::{
    cheap_dimensions, costs_compared, hypercube_dimensions, hypercube_router_cost, links, router_cost,
};
use super::sizes::{both, one};
use crate::claims::{Claim, Size, Sizes, Table, Trial};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

pub(super) fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "fat-cube-ports",
            "Table 1",
            "a router costs (m + df)² with one port and d²(m + f)² with d ports: its inputs times its outputs",
            Trial::over(both, crosspoints),
        )
        .with_table(|_| router_costs()),
        Claim::new(
            "fat-cube-links",
            "Section 3, inequality (1)",
            "a fat cube has no more links than the hypercube with as many processors: fd ≤ md'",
            Trial::over(both, fewer_links),
        ),
        Claim::new(
            "fat-cube-figure-1",
            "Section 3, after Table 2",
            "both fat cubes of Figure 1 are cheaper with one port than hypercubes with one port",
            Trial::over(first_of_figure_1, figure_1),
        ),
        Claim::new(
            "fat-cube-table-2",
            "Table 2",
            "routers of fat cubes cost no more than those of the hypercube up to the d that Table 2 names, and more beyond",
            Trial::over(printed, table_2),
        )
        .amended(
            "the entry of f = 2, m = 4 with d ports is d ≤ 4; all others are right",
            Trial::over(corrected, table_2),
        )
        .with_table(|_| limits()),
    ]
}

fn crosspoints(net: &Net) -> Result<(), String> {
    let Net { m, f, d, k } = *net;
    let ports = m * k + d * f;
    match u64::from(ports * ports) << d == router_cost(*net) {
        true => Ok(()),
        false => Err(format!("2^{d} routers of {ports} inputs and outputs do not cost {}", router_cost(*net))),
    }
}

fn fewer_links(net: &Net) -> Result<(), String> {
    let dimensions = hypercube_dimensions(*net);
    let hypercube = links(Net::new(1, 1, dimensions, 1));
    match links(*net) <= hypercube {
        true => Ok(()),
        false => Err(format!("{} links, and the hypercube has {hypercube}", links(*net))),
    }
}

fn first_of_figure_1(limit: u32) -> Sizes<Net> {
    let [a, b] = [Net::new(4, 2, 2, 1), Net::new(2, 1, 3, 1)].map(|net| one(net, limit).all);
    Sizes { range: "(m, f, d) = (4,2,2) and (2,1,3), k = 1".into(), all: [a, b].concat() }
}

fn figure_1(net: &Net) -> Result<(), String> {
    let (own, other) = (router_cost(*net), hypercube_router_cost(hypercube_dimensions(*net), true));
    if own < other { Ok(()) } else { Err(format!("its routers cost {own}, those of the hypercube {other}")) }
}

/// Entry of Table 2.
#[derive(Debug, Clone, Copy, Serialize)]
struct Entry {
    f: u32,
    m: u32,
    /// One port, or d of them.
    one_port: bool,
    /// Largest d; 0 if any d is right.
    most: u32,
}

impl Display for Entry {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        let Self { f, m, one_port, most } = self;
        let ports = if *one_port { "1" } else { "d" };
        match most {
            0 => write!(out, "f = {f}, m = {m}, k = {ports}: any d"),
            _ => write!(out, "f = {f}, m = {m}, k = {ports}: d ≤ {most}"),
        }
    }
}

impl Size for Entry {
    fn routers(&self) -> u32 {
        self.m
    }
}

/// Entries as they are printed: f, m, largest d of one port and of d ports.
const PRINTED: [[u32; 4]; 6] = [[1, 2, 0, 16], [1, 4, 0, 8], [1, 8, 0, 5], [2, 2, 1, 2], [2, 4, 0, 6], [2, 8, 0, 3]];

fn entries(limit: u32, rows: [[u32; 4]; 6]) -> Sizes<Entry> {
    let of =
        |[f, m, one, d]: [u32; 4]| [(true, one), (false, d)].map(|(one_port, most)| Entry { f, m, one_port, most });
    let all = rows.into_iter().flat_map(of).filter(|entry| entry.m <= limit).collect();
    Sizes { range: "the twelve entries, d ≤ 24".into(), all }
}

fn printed(limit: u32) -> Sizes<Entry> {
    entries(limit, PRINTED)
}

fn corrected(limit: u32) -> Sizes<Entry> {
    entries(limit, PRINTED.map(|row| if row[..2] == [2, 4] { [2, 4, 0, 4] } else { row }))
}

fn table_2(entry: &Entry) -> Result<(), String> {
    let Entry { f, m, one_port, .. } = *entry;
    for d in 1..=24 {
        let [own, other] = costs_compared(Net::new(m, f, d, 1), one_port);
        if (own <= other) != (entry.most == 0 || d <= entry.most) {
            let than = if own <= other { "no more than" } else { "more than" };
            return Err(format!("at d = {d} a router costs {own}, {than} the {other} of the hypercube's"));
        }
    }
    Ok(())
}

/// Router costs of the fat cubes of Tables 6 and 7, and of the hypercubes with as many processors.
fn router_costs() -> Table {
    let row = |[m, f, d]: [u32; 3]| {
        let cost = |k: u32| router_cost(Net::new(m, f, d, k)).to_string();
        let dimensions = hypercube_dimensions(Net::new(m, f, d, 1));
        let other = |one_port: bool| hypercube_router_cost(dimensions, one_port).to_string();
        vec![format!("({m},{f},{d})"), cost(1), cost(d), format!("d' = {dimensions}"), other(true), other(false)]
    };
    Table {
        title: "Table 1, computed: crosspoints of all routers",
        head: vec!["(m,f,d)", "one port", "d ports", "hypercube", "one port", "d' ports"],
        rows: [[2, 1, 2], [2, 2, 2], [4, 1, 3], [4, 2, 3], [4, 4, 3]].map(row).into_iter().collect(),
    }
}

/// Largest d at which a fat cube's routers are no dearer.
fn limits() -> Table {
    let most = |f: u32, m: u32, one_port: bool| match cheap_dimensions(m, f, one_port, 24) {
        24 => "any d".to_owned(),
        0 => "no d".to_owned(),
        d => format!("d ≤ {d}"),
    };
    let row = |[f, m, ..]: [u32; 4]| vec![f.to_string(), m.to_string(), most(f, m, true), most(f, m, false)];
    Table {
        title: "Table 2, computed: dimensions up to which a fat cube's routers cost no more",
        head: vec!["f", "m", "one port", "d ports"],
        rows: PRINTED.into_iter().map(row).collect(),
    }
}
