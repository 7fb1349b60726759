//! All outcomes as one table in CSV: a line a point, in the order of the sweep.

use super::value::shown;
use super::{Outcome, Point};
use std::collections::BTreeMap;

/// Columns after those of the parameters.
const COLUMNS: [&str; 17] = [
    "board",
    "place_seed",
    "exit_code",
    "message",
    "algorithm",
    "nodes",
    "cycles",
    "period",
    "bound",
    "cosim",
    "luts",
    "registers",
    "lut_rams",
    "block_rams",
    "clock_mhz",
    "time_us",
    "metronoc",
];

/// The table as CSV (RFC 4180). Points without an outcome are left out.
///
/// # Errors
/// Only by a defect of metronoc: memory takes every write.
pub fn csv(points: &[Point], outcomes: &BTreeMap<String, Outcome>) -> Result<Vec<u8>, csv::Error> {
    let mut keys: Vec<&str> = Vec::new();
    for (key, _) in points.iter().flat_map(|point| &point.parameters) {
        if !keys.contains(&key.as_str()) {
            keys.push(key);
        }
    }
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["point", "spec"].into_iter().chain(keys.iter().copied()).chain(COLUMNS))?;
    for (point, outcome) in points.iter().filter_map(|point| Some((point, outcomes.get(&point.hash)?))) {
        let value = |key: &&str| {
            let found = point.parameters.iter().find(|(other, _)| other == key);
            found.map(|(_, value)| shown(value)).unwrap_or_default()
        };
        let head = [point.hash.clone(), point.spec.clone()];
        writer.write_record(head.into_iter().chain(keys.iter().map(value)).chain(cells(point, outcome)))?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

fn cells(point: &Point, outcome: &Outcome) -> [String; COLUMNS.len()] {
    let figures = outcome.figures();
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    let cosim = match (&outcome.cosim, outcome.passed()) {
        (Some(_), true) => "agrees".to_owned(),
        _ => String::new(),
    };
    [
        point.board_name().unwrap_or_default(),
        point.place_seed.map(|seed| seed.to_string()).unwrap_or_default(),
        outcome.exit_code.to_string(),
        outcome.message.clone(),
        figures.algorithm.unwrap_or_default(),
        number(figures.nodes),
        number(figures.cycles),
        number(figures.period),
        number(figures.bound),
        cosim,
        number(figures.luts),
        number(figures.registers),
        number(figures.lut_rams),
        number(figures.block_rams),
        number(figures.clock_mhz),
        number(figures.time_us),
        point.metronoc.clone(),
    ]
}
