//! A piece of work as commands see it, and parts that all kinds of work share.

use super::enclosing::{EnclosingNetwork, Messages};
use super::exported::Exported;
use super::judged::JudgedDocument;
use super::proved::Proved;
use super::proved_product::ProvedProduct;
use crate::check::BoundList;
use crate::check::judge::Account;
use crate::cli::page::Request;
use crate::cli::{CliError, Context, Exit};
use crate::collective::{Collective, Dtype, Words};
use crate::emit::Origin;
use crate::family::{Hardware, SlotHardware};
use crate::lower::{LowerError, lower_slot_table_in};
use crate::program::{Document, Program};
use crate::spec::Spec;
use crate::topology::Topology;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A specification with its schedule, proved.
pub trait Work: std::fmt::Debug {
    /// The specification.
    fn spec(&self) -> &Spec;

    /// Name of the schedule's algorithm.
    fn algorithm(&self) -> &str;

    /// The schedule.
    fn proved(&self) -> &dyn Proved;

    /// Cycles from the first channel to the last.
    fn cycles(&self) -> u32 {
        self.proved().cycles()
    }

    /// Transfers over channels in one network, loopbacks included.
    fn transfers(&self) -> u64;

    /// Hops of packets over channels in one pass on one network, loopbacks included; those of a packet for several nodes once each.
    fn hops(&self) -> u64 {
        self.transfers()
    }

    /// Network of the schedule.
    fn topology(&self) -> Box<dyn Topology + Sync> {
        self.proved().topology()
    }

    /// Program of all nodes.
    fn program(&self) -> Program;

    /// Program of all nodes, and the data whose words it moves.
    fn simulated(&self) -> (Program, Box<dyn Collective>) {
        (self.program(), self.collective(1))
    }

    /// Messages of one pass on one network, from node to node, where that is all: no word is combined.
    fn messages(&self) -> Option<Messages> {
        None
    }

    /// Tables of the network and the collective for an export: those of the specification.
    fn tables(&self) -> [Value; 2] {
        tables(self.spec())
    }

    /// The program on its own network, with the tables for an export.
    fn exported(&self) -> Exported {
        let [network, collective] = self.tables();
        Exported { net: self.topology(), program: self.program(), network, collective }
    }

    /// Larger network that the schedule's is a part of; none for most.
    fn enclosing(&self) -> Option<&dyn EnclosingNetwork> {
        None
    }

    /// The program on the whole network, with the tables for an export.
    fn whole(&self) -> Exported {
        let exported = self.exported();
        match self.enclosing() {
            None => exported,
            Some(whole) => whole.placed(exported, self.messages()),
        }
    }

    /// Schedule in full, if the input was one.
    fn document(&self) -> Option<&Document> {
        None
    }

    /// Schedules of the collectives of a sequence, each as if the others were not there; empty if there is one collective.
    fn parts(&self) -> &[JudgedDocument] {
        &[]
    }

    /// Data of the collective in `networks` networks.
    fn collective(&self, networks: usize) -> Box<dyn Collective>;

    /// Checks that the user's arrays are those of the collective.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Usage`] if they are not.
    fn fits(&self, files: &DataArgs) -> Result<(), CliError> {
        match files.has_operands() {
            false => Ok(()),
            true => {
                let (message, help) = ("`--a` and `--b` are for products of matrices", "name the array with `--data`");
                Err(CliError::failed(Exit::Usage, message, help))
            }
        }
    }

    /// Words of the collective in `networks` networks: from the user's files, or random words from the seed.
    ///
    /// # Errors
    /// As [`Work::fits`], and if a file cannot be used.
    fn words(&self, networks: usize, files: &DataArgs) -> Result<Words, CliError> {
        self.fits(files)?;
        let (collective, spec) = (self.collective(networks), self.spec());
        match &files.data {
            Some(path) => Ok(collective.read(path, spec.router.payload_bits)?),
            None => Ok(collective.random(filling(spec.router.payload_bits)?, spec.schedule.seed)?),
        }
    }

    /// Bits of a word on its way.
    fn word_bits(&self) -> u32 {
        self.spec().router.payload_bits
    }

    /// Lower bounds on the cycles, by name.
    fn bounds(&self) -> &BoundList {
        self.proved().bounds()
    }

    /// Prints the verdict for programs, with that of the judge that follows single transfers.
    ///
    /// # Errors
    /// If it cannot be written.
    fn print_verdict(&self, one_by_one: Option<Account>, context: &Context) -> Result<(), CliError>;

    /// Verdict for people.
    fn verdict(&self) -> String;

    /// Writes the schedule for people.
    ///
    /// # Errors
    /// If the writer fails.
    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()>;

    /// Hardware of the router family that the collective has by default.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the schedule has no form of the kind that the specification asks for.
    fn own_hardware(&self, context: &Context) -> Result<Box<dyn Hardware>, CliError>;

    /// Hardware of the router family that the specification names.
    ///
    /// # Errors
    /// As [`Work::own_hardware`].
    fn hardware(&self, context: &Context) -> Result<Box<dyn Hardware>, CliError> {
        match self.spec().router.kind.is_slot_table() {
            true => self.slot_tables(),
            false => self.own_hardware(context),
        }
    }

    /// Hardware of slot tables.
    ///
    /// # Errors
    /// As [`Work::own_hardware`].
    fn slot_tables(&self) -> Result<Box<dyn Hardware>, CliError> {
        let spec = self.spec();
        let (net, program) = (self.topology(), self.program());
        let collective: Rc<dyn Collective> = self.collective(1).into();
        let (router, schedule) = (&spec.router, &spec.schedule);
        let lowered = lower_slot_table_in(net.as_ref(), &program, collective.as_ref(), router, schedule);
        let lowered = lowered.and_then(|lowered| lowered.with_endpoint(&spec.endpoint));
        let lowered = lowered.map_err(|error| not_lowered(spec, &error))?;
        Ok(Box::new(SlotHardware { lowered, collective, algorithm: self.algorithm().to_owned() }))
    }

    /// Makes the requested report.
    ///
    /// # Errors
    /// If a result of another command cannot be used, or the page cannot be written.
    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError>;

    /// Product of matrices or transpose, if it is one.
    fn into_product(self: Box<Self>) -> Option<Box<dyn ProvedProduct>> {
        None
    }
}

/// Arrays of the user's.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct DataArgs {
    /// Input array, .npy
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// Left operand of a product of matrices, or the matrix to be transposed, .npy of integers; random if left out
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    pub a: Option<PathBuf>,
    /// Right operand of a product of matrices, .npy of integers; random if left out
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    pub b: Option<PathBuf>,
}

impl DataArgs {
    fn has_operands(&self) -> bool {
        self.a.is_some() || self.b.is_some()
    }

    /// True if no array is named.
    pub fn is_empty(&self) -> bool {
        self.data.is_none() && !self.has_operands()
    }
}

/// Tables of a specification, defaults filled in.
pub(super) fn tables(spec: &Spec) -> [Value; 2] {
    [serde_json::to_value(spec.network.exported()), serde_json::to_value(&spec.collective)]
        .map(|table| table.unwrap_or(Value::Null))
}

/// Origin of the files of a specification that was read from `path`.
pub fn origin(spec: &Spec, path: &Path) -> Origin {
    // they are in comments of Verilog, on one line
    let line = |name: &OsStr| name.to_string_lossy().replace(char::is_control, "?");
    let file = path.file_name().map_or_else(|| "-".into(), line);
    let name = path.file_stem().map_or_else(|| "spec".into(), line);
    Origin { name, spec_text: spec.text().to_owned(), command: format!("metronoc generate {file}") }
}

/// The type of words that fill a packet.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn filling(bits: u32) -> Result<Dtype, CliError> {
    Dtype::filling(bits).ok_or_else(|| CliError::Internal(format!("no type has {bits} bits")))
}

/// Error of a lowering, at the line of the specification that caused it.
pub fn not_lowered(spec: &Spec, error: &LowerError) -> CliError {
    match error.field() {
        Some(field) => CliError::at(Exit::Infeasible, spec, field, error.to_string(), error.help()),
        None => CliError::Internal(error.to_string()),
    }
}

/// Checks that words reach the tiles over the host stream, which `user` needs.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::Infeasible`] if tiles have streams of their own.
pub fn over_host_stream(spec: &Spec, user: &str) -> Result<(), CliError> {
    if !spec.endpoint.has_tile_ports() {
        return Ok(());
    }
    let message = format!("{user} moves words over the host stream, and these tiles have streams of their own");
    let help = "leave `interface` out for it; `metronoc generate` writes a test bench of these streams, tb/mn_tb.v";
    Err(CliError::at(Exit::Infeasible, spec, "endpoint.interface", message, help))
}
