//! Section 3: when the rounds of the all-to-all start: Schedules 1, 2 and 3.

use super::rounds::{
    Round, disagreeable, run_paper, starts_delayed_as_needed, starts_delayed_if, starts_in_pairs, without_delays,
};
use super::sizes::{Parted, half_parted, parted, whole_parted};
use super::topology::expect;
use super::walk::{Clash, Reservations};
use crate::claims::{Claim, Size, Table, Trial};
use crate::topology::swapped_dragonfly::Group;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "schedule-3",
            "section 3, Schedule 3",
            "A round every three cycles takes 3KM²/s cycles, without a conflict.",
            Trial::over(parted, |size| {
                let cycles = run_paper(size.net, &rounds(size), (0..).step_by(3))?;
                expect(cycles == 3 * size.rounds(), || format!("it takes {cycles} cycles"))
            }),
        ),
        Claim::new(
            "schedule-2",
            "section 3, Schedule 2",
            "Pairs of rounds every four cycles (0, 1, 4, 5, …) take 2KM²/s cycles, without a conflict.",
            Trial::over(parted, |size| {
                let cycles = schedule_2(size)?;
                expect(cycles == 2 * size.rounds(), || {
                    format!("{} rounds take {cycles} cycles, not {}", size.rounds(), 2 * size.rounds())
                })
            }),
        )
        .amended(
            "They take one cycle more if KM²/s is odd. The pairs matter: a round every second cycle conflicts.",
            Trial::over(parted, |size| {
                let cycles = schedule_2(size)?;
                expect(cycles == 2 * size.rounds() + size.rounds() % 2, || format!("it takes {cycles} cycles"))?;
                let evenly = run_paper(size.net, &rounds(size), (0..).step_by(2));
                expect(evenly.is_err(), || "a round every second cycle does not conflict".into())
            }),
        ),
        Claim::new(
            "schedule-1-limit",
            "section 3, before Schedule 1's time",
            "A round a cycle is possible only if s ≤ M/2.",
            Trial::over(whole_parted, |size| {
                let apart = rounds(size).windows(2).any(|two| two_cycles_apart(size, two).is_ok());
                expect(!apart, || "two rounds that are two cycles apart do not conflict".into())
            }),
        ),
        Claim::new(
            "schedule-1-condition",
            "section 3, the table of (a,b)",
            "With a round a cycle, those with b ≡ a+2 mod m are delayed by one cycle, and then none conflicts.",
            Trial::over(half_parted, |size| {
                let (rounds, m) = (rounds(size), size.net.m / size.s);
                run_paper(size.net, &rounds, starts_delayed_if(&rounds, |a, b| b == (a + 2) % m)).map(|_| ())
            }),
        )
        .amended(
            "Those with a ≡ b+2 mod m have to be delayed, except (0,m-2), which comes after a delay; no others.",
            Trial::over(half_parted, |size| {
                let rounds = rounds(size);
                run_paper(size.net, &rounds, starts_delayed_if(&rounds, delayed(size)))?;
                let needed = starts_delayed_as_needed(&rounds);
                let same = starts_delayed_if(&rounds, delayed(size)).eq(needed.iter().copied());
                expect(same, || "other rounds are delayed if none is without need".into())
            }),
        ),
        Claim::new(
            "schedule-1-delays",
            "section 3, after the table of (a,b)",
            "A whole exchange has KM delays.",
            Trial::over(half_parted, |size| {
                let delays = delays(size);
                expect(delays == size.net.k * size.net.m, || {
                    format!("it has {delays} delays, not {}", size.net.k * size.net.m)
                })
            }),
        )
        .amended(
            "It has K(M-s).",
            Trial::over(half_parted, |size| {
                let delays = delays(size);
                expect(delays == size.net.k * (size.net.m - size.s), || format!("it has {delays} delays"))
            }),
        ),
        Claim::new(
            "schedule-1-cost",
            "section 3, after the three schedules",
            "Schedule 1 costs a cycle a round.",
            Trial::over(half_parted, |size| {
                let delays = delays(size);
                expect(delays == 0, || format!("{} rounds have {delays} delays", size.rounds()))
            }),
        )
        .amended(
            "In another order of the same rounds none is delayed: KM²/s + 2 cycles.",
            Trial::over(half_parted, |size| {
                let cycles = run_paper(size.net, &without_delays(rounds(size), size.net.m / size.s), 0..)?;
                expect(cycles == size.rounds() + 2, || format!("it takes {cycles} cycles"))
            }),
        ),
        Claim::new(
            "schedule-1-time",
            "section 3, the time of Schedule 1",
            "A round a cycle, with its delays, takes (KM²/s + KM)/s cycles.",
            Trial::over(half_parted, |size| {
                let cycles = schedule_1(size)?;
                let said = f64::from(size.rounds() + size.net.k * size.net.m) / f64::from(size.s);
                expect(f64::from(cycles) == said, || {
                    format!("{} rounds, at most one a cycle, take {cycles} cycles, not {said}", size.rounds())
                })
            }),
        )
        .amended(
            "It takes KM²/s + K(M-s) + 2.",
            Trial::over(half_parted, |size| {
                let cycles = schedule_1(size)?;
                let said = size.rounds() + size.net.k * (size.net.m - size.s) + 2;
                expect(cycles == said, || format!("it takes {cycles} cycles"))
            }),
        )
        .with_table(table),
    ]
}

fn rounds(size: &Parted) -> Vec<Round> {
    disagreeable(size.net.k, size.net.m, size.s)
}

fn two_cycles_apart(size: &Parted, two: &[Round]) -> Result<(), Clash> {
    let mut reservations = Reservations::new(size.net);
    let launches = two.iter().zip([0, 2]).flat_map(|(round, start)| round.vectors.iter().map(move |v| (start, *v)));
    launches.zip(0..).try_for_each(|((start, v), who)| reservations.launch(start, v, who).map(|_| ()))
}

/// Delayed rounds (a,b) of Schedule 1.
fn delayed(size: &Parted) -> impl Fn(u32, u32) -> bool + use<> {
    let m = size.net.m / size.s;
    move |a, b| a == (b + 2) % m && (a, b) != (0, m - 2)
}

fn delays(size: &Parted) -> u32 {
    let starts = starts_delayed_as_needed(&rounds(size));
    starts.last().map_or(0, |last| last + 1) - starts.len() as u32
}

/// The cycles of a round a cycle, those being delayed that have to be.
pub fn schedule_1(size: &Parted) -> Result<u32, String> {
    let rounds = rounds(size);
    run_paper(size.net, &rounds, starts_delayed_as_needed(&rounds).into_iter())
}

/// The cycles of pairs of rounds every four cycles.
pub fn schedule_2(size: &Parted) -> Result<u32, String> {
    run_paper(size.net, &rounds(size), starts_in_pairs())
}

fn table(limit: u32) -> Table {
    let mut sizes = half_parted(limit).all;
    sizes.retain(|size| size.net.group == Group::Cyclic);
    sizes.sort_by_key(Size::routers);
    let cycles = |result: Result<u32, String>| result.map_or_else(|clash| clash, |cycles| cycles.to_string());
    let row = |size: Parted| {
        let rounds = rounds(&size);
        vec![
            size.to_string(),
            size.rounds().to_string(),
            cycles(schedule_1(&size)),
            cycles(schedule_2(&size)),
            cycles(run_paper(size.net, &rounds, (0..).step_by(3))),
            (size.routers() / 2).to_string(),
        ]
    };
    Table {
        title: "Cycles of the all-to-all by schedule, and half the routers (the time on a hypercube)",
        head: vec!["network", "rounds", "Schedule 1", "Schedule 2", "Schedule 3", "P/2"],
        rows: sizes.into_iter().map(row).collect(),
    }
}
