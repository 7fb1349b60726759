//! Section 6: the steps of Tables 6 and 7.

use super::Net;
use super::{bounds, formulas};
use crate::claims::{Claim, Size, Sizes, Table, Trial};
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Row of Table 6 or 7: sizes, and steps of broadcast, all-gather, scatter and all-to-all.
#[derive(Debug, Clone, Copy, Serialize)]
struct Row {
    net: Net,
    printed: [u32; 4],
}

const KINDS: [&str; 4] = ["broadcast", "all-gather", "scatter", "all-to-all"];

const fn row(net: Net, printed: [u32; 4]) -> Row {
    Row { net, printed }
}

const TABLE_6: [Row; 5] = [
    row(Net::new(1, 1, 3, 1), [3, 7, 7, 7]),
    row(Net::new(1, 1, 3, 3), [3, 3, 3, 4]),
    row(Net::new(2, 1, 2, 1), [3, 7, 7, 12]),
    row(Net::new(2, 1, 2, 2), [2, 4, 4, 8]),
    row(Net::new(2, 2, 2, 2), [2, 4, 3, 4]),
];

const TABLE_7: [Row; 7] = [
    row(Net::new(1, 1, 5, 1), [5, 31, 31, 31]),
    row(Net::new(1, 1, 5, 5), [5, 7, 7, 16]),
    row(Net::new(4, 1, 3, 1), [5, 31, 31, 112]),
    row(Net::new(4, 2, 3, 2), [4, 21, 7, 34]),
    row(Net::new(4, 1, 3, 3), [3, 18, 11, 65]),
    row(Net::new(4, 2, 3, 3), [3, 13, 6, 33]),
    row(Net::new(4, 4, 3, 3), [3, 11, 4, 17]),
];

impl Display for Row {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        self.net.fmt(out)
    }
}

impl Size for Row {
    fn routers(&self) -> u32 {
        self.net.processors()
    }
}

pub(super) fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "fat-cube-table-3",
            "Tables 3, 6 and 7",
            "the broadcasts on hypercubes with all ports that Tables 6 and 7 name take ⌈log_{d+1} P⌉ steps, as in Table 3",
            Trial::over(hypercubes, table_3),
        )
        .amended("they are given as d steps, those of a binomial tree", Trial::over(hypercubes, binomial))
        .with_table(|_| bounds_of_hypercubes()),
        Claim::new(
            "fat-cube-table-6",
            "Table 6",
            "no number of steps in Table 6 is below what processors and channels need",
            Trial::over(table_6, possible),
        )
        .amended("none but that of the scatter on (2,2,2), which needs 4", Trial::over(table_6, possible_but_scatter))
        .with_table(|_| table("Table 6: steps as printed / by the formulas / lower bound", &TABLE_6)),
        Claim::new(
            "fat-cube-table-7",
            "Table 7",
            "no number of steps in Table 7 is below what processors and channels need",
            Trial::over(table_7, possible),
        )
        .amended(
            "none but those of the scatters on (4,2,3) and (4,4,3), which need ⌈31/k⌉: 16 with two ports, 11 with three",
            Trial::over(table_7, possible_but_scatter),
        )
        .with_table(|_| table("Table 7: steps as printed / by the formulas / lower bound", &TABLE_7)),
        Claim::new(
            "fat-cube-table-7-formulas",
            "Table 7",
            "the steps of fat cubes in Table 7 are those of Theorems 1 to 4",
            Trial::over(fat, by_formulas),
        ),
        Claim::new(
            "fat-cube-section-5-formulas",
            "Sections 5.2 to 5.4",
            "on the fat cube (2,1,2) with two ports the theorems say 3 + 4 steps of an all-gather, 4 of a scatter and 9 of an all-to-all",
            Trial::over(example, section_5),
        ),
    ]
}

fn rows(limit: u32, rows: &[Row], taken: fn(Net) -> bool, range: &str) -> Sizes<Row> {
    let all = rows.iter().copied().filter(|row| row.net.processors() <= limit && taken(row.net)).collect();
    Sizes { range: range.to_owned(), all }
}

fn table_6(limit: u32) -> Sizes<Row> {
    rows(limit, &TABLE_6, |_| true, "the 5 rows of Table 6")
}

fn table_7(limit: u32) -> Sizes<Row> {
    rows(limit, &TABLE_7, |_| true, "the 7 rows of Table 7")
}

fn fat(limit: u32) -> Sizes<Row> {
    rows(limit, &TABLE_7, |net| net.m > 1, "the 5 fat cubes of Table 7")
}

fn example(limit: u32) -> Sizes<Row> {
    rows(limit, &TABLE_6[3..4], |_| true, "(m, f, d) = (2,1,2), k = 2")
}

fn hypercubes(limit: u32) -> Sizes<Row> {
    let all = [TABLE_6[1], TABLE_7[1]];
    rows(limit, &all, |_| true, "the hypercubes with all ports of Tables 6 and 7")
}

/// Steps of broadcast, all-gather, scatter and all-to-all as Tables 6 and 7 print them, by fat cube.
pub fn printed_steps() -> impl Iterator<Item = (Net, [u32; 4])> {
    TABLE_6.iter().chain(&TABLE_7).map(|row| (row.net, row.printed))
}

fn below(row: &Row, but: Option<usize>) -> Result<(), String> {
    let least = bounds::steps(row.net);
    match (0..4).find(|&kind| row.printed[kind] < least[kind] && but != Some(kind)) {
        None => Ok(()),
        Some(kind) => Err(format!("{}: {} is printed, and {} are needed", KINDS[kind], row.printed[kind], least[kind])),
    }
}

fn possible(row: &Row) -> Result<(), String> {
    below(row, None)
}

fn possible_but_scatter(row: &Row) -> Result<(), String> {
    below(row, (row.net.f > 1).then_some(2))
}

fn table_3(row: &Row) -> Result<(), String> {
    let (printed, formula) = (row.printed[0], formulas::steps(row.net)[0]);
    match printed == formula {
        true => Ok(()),
        false => Err(format!("{printed} steps are printed, and Table 3 says {formula}")),
    }
}

fn binomial(row: &Row) -> Result<(), String> {
    if row.printed[0] == row.net.d { Ok(()) } else { Err(format!("{} steps", row.printed[0])) }
}

fn by_formulas(row: &Row) -> Result<(), String> {
    let steps = formulas::steps(row.net);
    if steps == row.printed {
        Ok(())
    } else {
        Err(format!("{:?} are printed, and the formulas say {steps:?}", row.printed))
    }
}

fn section_5(row: &Row) -> Result<(), String> {
    let [_, all_gather, scatter, all_to_all] = formulas::steps(row.net);
    match [all_gather, scatter, all_to_all] {
        [7, 4, 9] => Ok(()),
        steps => Err(format!("they say {steps:?}")),
    }
}

/// Table 3 for all dimensions.
fn bounds_of_hypercubes() -> Table {
    let row = |d: u32| {
        let [one, all] = [true, false].map(|one_port| formulas::hypercube_steps(d, one_port));
        std::iter::once(d.to_string()).chain((0..4).map(|kind| format!("{} / {}", one[kind], all[kind]))).collect()
    };
    Table {
        title: "Table 3, computed: lower bounds of steps on a hypercube, one port / d ports",
        head: std::iter::once("d").chain(KINDS).collect(),
        rows: (1..=6).map(row).collect(),
    }
}

fn table(title: &'static str, rows: &[Row]) -> Table {
    let cells = |row: &Row| {
        let (formula, least) = (formulas::steps(row.net), bounds::steps(row.net));
        let cell = |kind: usize| format!("{} / {} / {}", row.printed[kind], formula[kind], least[kind]);
        std::iter::once(row.net.to_string()).chain((0..4).map(cell)).collect()
    };
    let head = std::iter::once("fat cube").chain(KINDS).collect();
    Table { title, head, rows: rows.iter().map(cells).collect() }
}
