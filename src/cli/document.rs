//! Schedules in full in place of a specification: files of the exchange format, metronoc's own or others'.

use super::work::verdict::{self, Verdict};
use super::{CliError, Context, Exit};
use crate::check::judge::{self, Account};
use crate::input;
use crate::program::Document;
use serde::Serialize;
use serde_json::Value;
use std::io;
use std::path::Path;

/// Most bytes of a file; in memory it takes a few times as much.
const MOST_BYTES: u64 = 1 << 30;

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a Value,
    collective: &'a Value,
    cycles: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<u32>,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, Account>,
}

/// Whether a file is a schedule in full and no specification: by its name.
pub fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

/// Reads a schedule in full.
///
/// # Errors
/// [`CliError`] with [`Exit::Io`] if the file cannot be read, with [`Exit::BadSpec`] if it is no such schedule.
pub fn read(path: &Path) -> Result<Document, CliError> {
    let name = path.display();
    let text = input::read(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let message = format!("`{name}` is longer than {} GiB", MOST_BYTES >> 30);
            CliError::failed(Exit::BadSpec, message, "take a smaller network")
        }
        _ => {
            let help = "check the file's name and that it may be read";
            CliError::failed(Exit::Io, format!("cannot read `{name}`: {error}"), help)
        }
    })?;
    Document::read(&text).map_err(|error| {
        let help = "`metronoc schedule SPEC --format json` writes such a file; a specification is a .toml file";
        CliError::failed(Exit::BadSpec, format!("`{name}`: {error}"), help)
    })
}

/// Judges a schedule in full and prints the verdict, for people or for programs.
///
/// # Errors
/// As [`read`], and [`CliError`] with [`Exit::Infeasible`] for a schedule that does not hold.
pub fn check(path: &Path, context: &Context) -> Result<(), CliError> {
    let document = read(path)?;
    let refused = |fault: judge::Fault| {
        let help =
            "the file's transfers, packets and tables have to agree; the manual's page of the exchange format says how";
        CliError::failed(Exit::Infeasible, format!("`{}` does not hold: {fault}", path.display()), help)
    };
    let account = judge::judge(&document).map_err(refused)?;
    let bounds = judge::bounds(&document).map_err(refused)?;
    let argument = argument(&account);
    let Document { network, collective, repeat_every: period, .. } = &document;
    if context.json {
        let verdict = Verdict::new(account.cycles, &bounds, &account, argument);
        let cycles = account.cycles;
        return context.print_json(&Output { network, collective, cycles, period: *period, verdict });
    }
    let text = |table: &Value, key: &str| table[key].as_str().unwrap_or("?").to_owned();
    let Account { nodes, channels, cycles, .. } = account;
    let known = if account.known_topology { "as the topology has them" } else { "as the file lists them" };
    let mut rows = vec![
        ("network", format!("{}: {nodes} nodes, {channels} channels, {known}", text(network, "topology"))),
        ("collective", text(collective, "kind")),
        ("cycles", format!("{cycles}, {:.3} times the largest bound", bounds.ratio(cycles))),
    ];
    if let Some(period) = period {
        rows.push(("period", format!("{period}: cycles from the start of one pass to the next's")));
    }
    context.print(verdict::table_of(&rows, "No schedule is faster than", &bounds, "The schedule holds:", &argument))
}

fn argument(account: &Account) -> Vec<String> {
    let Account { packets, transfers, operations, repeated_arrivals, waiting, .. } = account;
    let mut lines = vec![
        format!("no conflict: no channel carries two of {packets} packets in a cycle, in {transfers} transfers"),
        format!("causality: every packet is where it leaves from; at most {waiting} wait at a node to go on"),
        format!("delivery: every packet comes to each of its destinations; {repeated_arrivals} arrivals are repeated"),
    ];
    if *operations > 0 {
        lines.push(format!("result: {operations} operations have their inputs"));
    }
    lines
}
