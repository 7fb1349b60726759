//! Section 5: the schedules of Tables 4 and 5 on the fat cube of 8 processors, m = d = 2, f = 1, with two ports.
//!
//! Table 4 numbers processors from 1, router by router; here they are numbered from 0. Table 5 numbers routers round the square, so that its
//! processors 4 and 5 are those of router 3, and 6 and 7 those of router 2.

use super::Net;
use super::model::{Circuit, Delivery, State};
use super::sizes::one;
use crate::claims::{Claim, Sizes, Table, Trial};

const NET: Net = Net::new(2, 1, 2, 2);

/// Table 4 as it is printed: by message and step, the processors that get it; 0 where a digit is missing.
const PRINTED_ALL_GATHER: [[&[u32]; 4]; 8] = [
    [&[2, 5], &[6, 8], &[7, 4], &[3]],
    [&[1, 3], &[4, 7], &[8, 6], &[5]],
    [&[2], &[6], &[5, 7], &[8]],
    [&[3, 8], &[7, 5], &[6, 1], &[2]],
    [&[6, 1], &[2, 4], &[3, 8], &[7]],
    [&[5, 7], &[8, 3], &[2], &[1]],
    [&[8, 6], &[5, 2], &[1, 3], &[4]],
    [&[7, 4], &[3, 1], &[2, 5], &[6]],
];

/// Table 4 with the digits that it lacks.
pub const ALL_GATHER: [[&[u32]; 4]; 8] = {
    let mut table = PRINTED_ALL_GATHER;
    table[2] = [&[4, 2], &[1, 6], &[5, 7], &[8]];
    table[5] = [&[5, 7], &[8, 3], &[4, 2], &[1]];
    table
};

/// Table 5 as it is printed: by step, pairs of processors that exchange packets.
const PRINTED_ALL_TO_ALL: [&[(u32, u32)]; 8] = [
    &[(0, 3), (1, 6), (2, 5), (4, 7)],
    &[(0, 2), (1, 7), (2, 4), (4, 6)],
    &[(0, 6), (1, 2), (2, 0), (4, 2)],
    &[(0, 7), (1, 3), (2, 1), (4, 3)],
    &[(0, 4), (1, 5)],
    &[(6, 2), (7, 3)],
    &[(0, 5), (1, 4)],
    &[(6, 3), (7, 2), (0, 1), (2, 3), (4, 5), (6, 7)],
];

/// Table 5 with the pairs 35, 57 and 56 in place of 20, 42 and 21.
pub const ALL_TO_ALL: [&[(u32, u32)]; 8] = {
    let mut table = PRINTED_ALL_TO_ALL;
    table[2] = &[(0, 6), (1, 2), (3, 5), (5, 7)];
    table[3] = &[(0, 7), (1, 3), (5, 6), (4, 3)];
    table
};

pub(super) fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "fat-cube-table-4",
            "Table 4",
            "the schedule of Table 4 is an all-gather in 4 steps",
            Trial::over(here, |_| gathered(&PRINTED_ALL_GATHER)),
        )
        .amended(
            "it is with the digits that are missing: message 3 goes to 4 in step 1 and to 1 in step 2, message 6 to 4 in step 3",
            Trial::over(here, |_| gathered(&ALL_GATHER)),
        )
        .with_table(|_| table_4()),
        Claim::new(
            "fat-cube-table-5",
            "Table 5",
            "the schedule of Table 5 is an all-to-all in 8 steps",
            Trial::over(here, |_| exchanged(&PRINTED_ALL_TO_ALL)),
        )
        .amended("it is with the pairs 35, 57 and 56 in place of 20, 42 and 21", Trial::over(here, |_| exchanged(&ALL_TO_ALL)))
        .with_table(|_| table_5()),
    ]
}

fn here(limit: u32) -> Sizes<Net> {
    one(NET, limit)
}

/// Circuits of the steps of Table 4, repaired; None if there are none.
pub fn all_gather_table() -> Option<Vec<Vec<Circuit>>> {
    steps_of(&mut State::new(NET, 0..8), gather_steps(&ALL_GATHER)).ok()
}

/// Circuits of the steps of Table 5, repaired; packet 8·source + destination. None if there are none.
pub fn all_to_all_table() -> Option<Vec<Vec<Circuit>>> {
    steps_of(&mut State::new(NET, (0..64).map(|packet| packet / 8)), exchange_steps(&ALL_TO_ALL)).ok()
}

/// Carries steps of deliveries out along circuits that are searched for.
fn steps_of(state: &mut State, steps: Vec<Vec<Delivery>>) -> Result<Vec<Vec<Circuit>>, String> {
    let step = |(number, deliveries): (usize, Vec<Delivery>)| {
        let circuits =
            state.routed(&deliveries).ok_or_else(|| format!("step {} has no disjoint circuits", number + 1))?;
        state.step(&circuits).map(|()| circuits)
    };
    steps.into_iter().enumerate().map(step).collect()
}

fn gather_steps(table: &[[&[u32]; 4]; 8]) -> Vec<Vec<Delivery>> {
    let of = |step: usize| {
        (0..).zip(table).flat_map(move |(message, row)| row[step].iter().map(move |to| (message, to - 1)))
    };
    (0..4).map(|step| of(step).collect()).collect()
}

fn exchange_steps(table: &[&[(u32, u32)]; 8]) -> Vec<Vec<Delivery>> {
    let place = |at: u32| if at < 4 { at } else { at ^ 2 };
    let both = move |&(a, b): &(u32, u32)| {
        let (a, b) = (place(a), place(b));
        [(8 * a + b, b), (8 * b + a, a)]
    };
    table.iter().map(|pairs| pairs.iter().flat_map(both).collect()).collect()
}

fn gathered(table: &[[&[u32]; 4]; 8]) -> Result<(), String> {
    let mut state = State::new(NET, 0..8);
    steps_of(&mut state, gather_steps(table))?;
    match state.lacking() {
        None => Ok(()),
        Some((packet, at)) => Err(format!("message {} never comes to processor {}", packet + 1, at + 1)),
    }
}

fn exchanged(table: &[&[(u32, u32)]; 8]) -> Result<(), String> {
    let mut times = [[0; 8]; 8];
    table.iter().flat_map(|step| step.iter()).for_each(|&(a, b)| times[a.min(b) as usize][a.max(b) as usize] += 1);
    let pairs = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b)));
    let all: Vec<(usize, usize)> = pairs.filter(|&(a, b)| times[a][b] != 1).collect();
    let named = |wrong: fn(u32) -> bool| {
        let of = all.iter().filter(|&&(a, b)| wrong(times[a][b])).map(|(a, b)| format!("{a}{b}"));
        of.collect::<Vec<_>>().join(", ")
    };
    if !all.is_empty() {
        return Err(format!(
            "{} are there twice, and {} not at all",
            named(|times| times > 1),
            named(|times| times == 0)
        ));
    }
    steps_of(&mut State::new(NET, (0..64).map(|packet| packet / 8)), exchange_steps(table)).map(|_| ())
}

fn table_4() -> Table {
    let cell = |step: &&[u32]| format!("→ {}", step.iter().map(u32::to_string).collect::<Vec<_>>().join(", "));
    let row = |(message, steps): (usize, &[&[u32]; 4])| {
        std::iter::once((message + 1).to_string()).chain(steps.iter().map(cell)).collect()
    };
    Table {
        title: "Table 4, repaired: by message and step, the processors that get it",
        head: vec!["message", "step 1", "step 2", "step 3", "step 4"],
        rows: ALL_GATHER.iter().enumerate().map(row).collect(),
    }
}

fn table_5() -> Table {
    let pairs = |step: &&[(u32, u32)]| step.iter().map(|(a, b)| format!("{a}{b}")).collect::<Vec<_>>().join(", ");
    let row = |(step, own): (usize, &&[(u32, u32)])| vec![(step + 1).to_string(), pairs(own)];
    Table {
        title: "Table 5, repaired: by step, pairs of processors that exchange packets",
        head: vec!["step", "pairs"],
        rows: ALL_TO_ALL.iter().enumerate().map(row).collect(),
    }
}
