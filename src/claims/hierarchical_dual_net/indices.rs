//! Section 3: re-indexing from level to level, and Table 4.

use super::super::{Claim, Size, Sizes, Trial};
use super::nets::{Net, all, of};
use crate::topology::hierarchical_dual_net::{Factor, Index};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "re-indexing-range",
            "section 3",
            "There are 2·|U^(i-1)/(SN^i - SN^(i-1))|·|SN^(i-1) - SN^i| super-nodes of level i in a cluster.",
            Trial::over(two_levels, |net| range(net, 1)),
        )
        .amended(
            "There are as many times the super-nodes of level i-1 in a cluster, of which the formula says nothing.",
            Trial::over(two_levels, |net| range(net, net.net().clusters(net.k() - 1))),
        ),
        Claim::new(
            "re-indexing-equal",
            "section 3",
            "If s_(i-1) = s_i, N_id stays, and SN_id^i is (C, U_id, SN_id) of level i-1.",
            Trial::over(equal_sizes, stays),
        )
        .amended(
            "If SN^(i-1) = SN^i, which may differ although they are equal in size.",
            Trial::over(equal_super_nodes, stays),
        ),
        Claim::new("table-4", "Table 4", "The four examples of re-indexing.", Trial::over(rows, |row| row.is(&row.printed)))
            .amended(
                "Rows 2 and 3 divide the serial number by 15. With C2 and C5 swapped, as the text says, they are (19,2) and (0,12).",
                Trial::over(rows, |row| row.is(&row.swapped)),
            ),
    ]
}

/// Networks of two levels and more, by a condition on the last two.
fn with(limit: u32, condition: &str, holds: fn(&Net) -> bool) -> Sizes<Net> {
    let mut all = all(limit);
    all.retain(|net| net.k() > 1 && holds(net));
    of(all, condition, limit)
}

fn two_levels(limit: u32) -> Sizes<Net> {
    with(2 * limit, "k ≥ 2", |_| true)
}

fn equal_sizes(limit: u32) -> Sizes<Net> {
    with(2 * limit, "s_(k-1) = s_k", |net| net.net().super_node(net.k()) == net.net().super_node(net.k() - 1))
}

fn equal_super_nodes(limit: u32) -> Sizes<Net> {
    with(2 * limit, "SN^(k-1) = SN^k", |net| net.net().factors(net.k()) == net.net().factors(net.k() - 1))
}

/// Super-nodes of the last level by the formula, times a factor.
fn range(net: &Net, factor: u32) -> Result<(), String> {
    let (hdn, k) = (net.net(), net.k());
    let less = |a: &[usize], b: &[usize]| -> u32 {
        let only = a.iter().filter(|factor| !b.contains(factor));
        only.map(|&factor| hdn.base()[factor].nodes()).product()
    };
    let (above, below) = (hdn.factors(k), hdn.factors(k - 1));
    let formula = 2.0 * f64::from(factor * hdn.clusters(k - 1) * less(below, above)) / f64::from(less(above, below));
    let found = hdn.clusters(k);
    if formula == f64::from(found) { Ok(()) } else { Err(format!("{formula} by the formula, and there are {found}")) }
}

fn stays(net: &Net) -> Result<(), String> {
    let (hdn, k) = (net.net(), net.k());
    for node in 0..hdn.size(k - 1) {
        let below = hdn.index(k - 1, node);
        let (super_node, place) = hdn.reindexed(k, below);
        let Index { class, cluster, super_node: before, .. } = below;
        let wanted = (class * hdn.clusters(k - 1) + cluster) * hdn.clusters(k - 1) + before;
        if (super_node, place) != (wanted, below.place) {
            let before = format!("({class},{cluster},{before},{})", below.place);
            return Err(format!("{before} becomes ({super_node},{place}), not ({wanted},{})", below.place));
        }
    }
    Ok(())
}

/// Row of Table 4.
#[derive(Debug, Clone, Serialize)]
struct Row {
    /// Index (C,U,SN,N) of level 1.
    index: [u32; 4],
    /// Index (SN,N) of level 2 as printed.
    printed: (u32, u32),
    /// Index with the coordinates swapped.
    swapped: (u32, u32),
}

impl Row {
    fn is(&self, wanted: &(u32, u32)) -> Result<(), String> {
        let base = [Factor::Ring(2), Factor::Ring(3), Factor::Ring(5)];
        let net = Net::new(&base, vec![vec![0, 1]]).ok_or("no network")?;
        let [class, cluster, super_node, place] = self.index;
        let node = net.net().node(1, Index { class, cluster, super_node, place });
        // coordinates of the base, and the copy of the base before them: C3 and C5 are the super-node of level 2
        let (copy, x) = (node / 30, node % 30);
        let found = (copy * 2 + x / 15, x % 15);
        if found == *wanted {
            Ok(())
        } else {
            Err(format!("it is ({},{}), not ({},{})", found.0, found.1, wanted.0, wanted.1))
        }
    }
}

impl Display for Row {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [c, u, s, n] = self.index;
        write!(f, "({c},{u},{s},{n})")
    }
}

impl Size for Row {
    /// Nodes of the base.
    fn routers(&self) -> u32 {
        30
    }
}

fn rows(limit: u32) -> Sizes<Row> {
    let row = |index, printed, swapped| Row { index, printed, swapped };
    let all = [
        row([0, 0, 0, 0], (0, 0), (0, 0)),
        row([1, 4, 2, 3], (19, 0), (19, 2)),
        row([0, 0, 2, 2], (0, 14), (0, 12)),
        row([1, 4, 4, 5], (19, 14), (19, 14)),
    ];
    let all = all.into_iter().filter(|row| row.routers() <= limit).collect();
    Sizes { range: "B = C2×C3×C5, s₁ = 2·3, s₂ = 3·5, the rows of the table".into(), all }
}
