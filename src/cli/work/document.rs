//! Schedules in full in place of a specification: files of the exchange format, metronoc's own or others'.

use super::Work;
use super::verdict::{self, Verdict};
use crate::check::BoundList;
use crate::check::judge::{self, Account};
use crate::cli::exported::of_program;
use crate::cli::page::Request;
use crate::cli::{CliError, Context, Exit};
use crate::collective::{AllToAll, Collective};
use crate::family::Hardware;
use crate::input;
use crate::program::{Document, ImportError, Imported, Program, Switching, import};
use crate::schedule::HopLatency;
use crate::spec::Spec;
use crate::topology::{Graph, Topology};
use serde::Serialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::io::{self, Write};
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

/// True if a file is a schedule in full and no specification: its name ends in `.json`.
pub fn is_one(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"))
}

fn bytes(path: &Path) -> Result<Vec<u8>, CliError> {
    let name = path.display();
    input::read(path, MOST_BYTES).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            let message = format!("`{name}` is longer than {} GiB", MOST_BYTES >> 30);
            CliError::failed(Exit::BadSpec, message, "take a smaller network")
        }
        _ => {
            let help = "check the file's name and that it may be read";
            CliError::failed(Exit::Io, format!("cannot read `{name}`: {error}"), help)
        }
    })
}

/// Reads a schedule in full.
///
/// # Errors
/// [`CliError`] with [`Exit::Io`] if the file cannot be read, with [`Exit::BadSpec`] if it is no such schedule.
fn read(path: &Path) -> Result<Document, CliError> {
    Document::read(&bytes(path)?).map_err(|error| {
        let help = "`metronoc schedule SPEC --format json` writes such a file; a specification is a .toml file";
        CliError::failed(Exit::BadSpec, format!("`{}`: {error}", path.display()), help)
    })
}

/// Specification that stands for a schedule in full.
///
/// # Errors
/// [`CliError`] with [`Exit::Io`] if the file cannot be read.
pub fn spec(path: &Path) -> Result<Spec, CliError> {
    let hash: String = Sha256::digest(bytes(path)?).iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(Spec::listed(&path.display().to_string(), &format!("# schedule in full, SHA-256 {hash}\n")))
}

/// A schedule in full that holds, as its program on the network that it lists.
#[derive(Debug)]
pub(super) struct DocumentWork {
    spec: Spec,
    document: Document,
    account: Account,
    bounds: BoundList,
    /// Program, or the reason for which there is none.
    imported: Result<Imported, ImportError>,
}

impl DocumentWork {
    /// Reads a schedule in full and judges it.
    ///
    /// # Errors
    /// As [`read`], and [`CliError`] with [`Exit::Infeasible`] for a schedule that does not hold.
    pub fn new(spec: Spec, path: &Path) -> Result<Self, CliError> {
        let document = read(path)?;
        let refused = |fault: judge::Fault| {
            let help = "the file's transfers, packets and tables have to agree; the manual's page of the exchange format says how";
            CliError::failed(Exit::Infeasible, format!("`{}` does not hold: {fault}", path.display()), help)
        };
        let account = judge::judge(&document).map_err(refused)?;
        let bounds = judge::bounds(&document).map_err(refused)?;
        let imported = import(&document);
        Ok(Self { spec, document, account, bounds, imported })
    }

    /// # Errors
    /// [`CliError`] with [`Exit::Infeasible`] for a schedule that has no form as a program of hops.
    fn imported(&self) -> Result<&Imported, CliError> {
        self.imported.as_ref().map_err(|error| {
            let help = "`check` judges such a schedule; the other commands take schedules of hops, with sums in full";
            CliError::failed(Exit::Infeasible, format!("`{}` is no program: {error}", self.spec.name()), help)
        })
    }
}

impl Work for DocumentWork {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn algorithm(&self) -> &str {
        "listed"
    }

    fn cycles(&self) -> u32 {
        self.account.cycles
    }

    fn transfers(&self) -> u64 {
        self.document.transfers.len() as u64
    }

    fn topology(&self) -> Box<dyn Topology + Sync> {
        match &self.imported {
            Ok(imported) => Box::new(imported.network.clone()),
            Err(_) => Box::new(Graph::empty()),
        }
    }

    fn hop(&self) -> Option<HopLatency> {
        None
    }

    fn program(&self) -> Program {
        match &self.imported {
            Ok(imported) => imported.program.clone(),
            Err(_) => Program::new(Switching::Hop(Vec::new())),
        }
    }

    fn tables(&self) -> [Value; 2] {
        [self.document.network.clone(), self.document.collective.clone()]
    }

    fn document(&self) -> Option<&Document> {
        Some(&self.document)
    }

    fn collective(&self, _: usize) -> Box<dyn Collective> {
        match &self.imported {
            Ok(imported) => Box::new(imported.arrays.clone()),
            Err(_) => Box::new(AllToAll::new(1, 1, 1)),
        }
    }

    fn simulated(&self) -> Result<(), CliError> {
        self.imported().map(|_| ())
    }

    fn print_verdict(&self, _: Option<Account>, context: &Context) -> Result<(), CliError> {
        let Self { account, bounds, document, .. } = self;
        let verdict = Verdict::new(account.cycles, bounds, account, argument(account));
        let (network, collective) = (&document.network, &document.collective);
        let (cycles, period) = (account.cycles, document.repeat_every);
        context.print_json(&Output { network, collective, cycles, period, verdict })
    }

    fn verdict(&self) -> String {
        let Self { account, bounds, document, .. } = self;
        let text = |table: &Value, key: &str| table[key].as_str().unwrap_or("?").to_owned();
        let Account { nodes, channels, cycles, .. } = *account;
        let known = if account.known_topology { "as the topology has them" } else { "as the file lists them" };
        let mut rows = vec![
            (
                "network",
                format!("{}: {nodes} nodes, {channels} channels, {known}", text(&document.network, "topology")),
            ),
            ("collective", text(&document.collective, "kind")),
            ("cycles", format!("{cycles}, {:.3} times the largest bound", bounds.ratio(cycles))),
        ];
        if let Some(period) = document.repeat_every {
            rows.push(("period", format!("{period}: cycles from the start of one pass to the next's")));
        }
        verdict::table_of(&rows, "No schedule is faster than", bounds, "The schedule holds:", &argument(account))
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let Document { nodes, channels, transfers, .. } = &self.document;
        let mut writer = io::BufWriter::new(writer);
        writeln!(writer, "# cycle, channel, packet")?;
        for &(cycle, channel, packet) in transfers {
            let (from, to) = channels[channel as usize];
            writeln!(writer, "{cycle} {} {} {packet}", nodes[from as usize].0, nodes[to as usize].0)?;
        }
        writer.flush()
    }

    fn hardware(&self, context: &Context) -> Result<Box<dyn Hardware>, CliError> {
        self.own_hardware(context)
    }

    fn own_hardware(&self, _: &Context) -> Result<Box<dyn Hardware>, CliError> {
        self.imported()?;
        self.slot_tables()
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        self.imported()?;
        of_program(self, &self.bounds, argument(&self.account), request, context)
    }
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
