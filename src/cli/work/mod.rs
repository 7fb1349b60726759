//! One object for a piece of work: a specification with its schedule, proved, and all that commands ask of it.
//!
//! A family of collectives is one file here; commands know [`Work`] alone.

mod all_to_all;
mod document;
mod exchange;
mod general;
mod judged;
mod listed;
mod network;
pub mod operands;
mod plan;
mod pops;
mod product;
mod relation;
mod stream;
pub mod verdict;

use super::embedding;
use super::progress::Progress;
use super::report::Request;
use super::{CliError, Context, Exit};
use crate::check::judge::Account;
use crate::check::{CheckedProduct, CheckedTrains};
use crate::collective::{Collective, Dtype, Product, Words};
use crate::emit::{Origin, RtlBundle};
use crate::family::{Hardware, SlotHardware};
use crate::lower::{Frame, LowerError, lower_slot_table};
use crate::program::{Document, Program};
use crate::schedule::HopLatency;
use crate::spec::{NetworkSpec, RouterKind, Spec};
use crate::topology::{Pops, Topology};
use judged::Judged;
use plan::Plan;
use serde_json::Value;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A specification with its schedule, proved.
pub trait Work: std::fmt::Debug {
    /// The specification.
    fn spec(&self) -> &Spec;

    /// Name of the schedule's algorithm.
    fn algorithm(&self) -> &str;

    /// Cycles from the first channel to the last.
    fn cycles(&self) -> u32;

    /// Transfers over channels in one network, loopbacks included.
    fn transfers(&self) -> u64;

    /// Hops of packets over channels in one pass on one network, loopbacks included; those of a packet for several nodes once each.
    fn hops(&self) -> u64 {
        self.transfers()
    }

    /// Network of the schedule.
    fn topology(&self) -> Box<dyn Topology + Sync>;

    /// Latencies of hops, where networks can be embedded in a larger one.
    fn hop(&self) -> Option<HopLatency>;

    /// Program of all nodes.
    fn program(&self) -> Program;

    /// Tables of the network and the collective for an export: those of the specification.
    fn tables(&self) -> [Value; 2] {
        tables(self.spec())
    }

    /// The schedule in full, if that is what was read.
    fn document(&self) -> Option<&Document> {
        None
    }

    /// Data of the collective in so many networks.
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

    /// Words of the collective in so many networks: from the user's files, or random ones from the seed.
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
        let spec = self.spec();
        if spec.router.kind != RouterKind::SlotTable {
            return self.own_hardware(context);
        }
        self.slot_tables()
    }

    /// Hardware of slot tables.
    ///
    /// # Errors
    /// As [`Work::own_hardware`].
    fn slot_tables(&self) -> Result<Box<dyn Hardware>, CliError> {
        let spec = self.spec();
        let (net, program) = (self.topology(), self.program());
        let collective: Rc<dyn Collective> = self.collective(1).into();
        let lowered = lower_slot_table(net.as_ref(), &program, collective.as_ref(), &spec.router);
        let lowered = lowered.map_err(|error| not_lowered(spec, &error))?;
        Ok(Box::new(SlotHardware { lowered, collective, algorithm: self.algorithm().to_owned() }))
    }

    /// Makes the report that a command asks for.
    ///
    /// # Errors
    /// If a result of another command cannot be used, or the page cannot be written.
    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError>;

    /// Proved product of matrices or transpose, if it is one.
    fn product(&self) -> Option<&CheckedProduct> {
        None
    }
}

/// Arrays of the user's.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct DataArgs {
    /// The array to be sent, as .npy
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// The left operand of a product of matrices, or what is transposed, as .npy of integers; without it, random integers
    #[arg(long, value_name = "FILE", conflicts_with = "data")]
    pub a: Option<PathBuf>,
    /// The right operand of a product of matrices, as .npy of integers; without it, random integers
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
fn tables(spec: &Spec) -> [Value; 2] {
    [serde_json::to_value(&spec.network), serde_json::to_value(&spec.collective)]
        .map(|table| table.unwrap_or(Value::Null))
}

/// Files of lowered hardware, with headers that tell how to make them again.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn emitted(hardware: &dyn Hardware, spec: &Spec, path: &Path) -> Result<RtlBundle, CliError> {
    hardware.bundle(&origin(spec, path)).map_err(|error| CliError::Internal(error.to_string()))
}

/// A specification, or a schedule in full in its place.
#[derive(Debug)]
pub struct Input {
    /// Specification, or one that stands for the schedule.
    pub spec: Spec,
    document: Option<Document>,
}

impl Input {
    /// Judges a schedule in full, whether it is a program of hops or not; none of a specification.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Infeasible`] for a schedule that does not hold.
    pub fn judged(&mut self) -> Result<Option<Judged>, CliError> {
        self.document.take().map(|document| document::judged(&self.spec, document)).transpose()
    }
}

/// Reads a specification, or a schedule in full in its place.
///
/// # Errors
/// [`CliError::Spec`] with all that is wrong with it.
pub fn load(path: &Path, context: &Context) -> Result<Input, CliError> {
    let mut input = match document::is_one(path) {
        true => document::read(path).map(|(spec, document)| Input { spec, document: Some(document) })?,
        false => Input { spec: Spec::load(path)?, document: None },
    };
    context.is_about(&input.spec);
    if let Some(seed) = context.seed {
        input.spec.schedule.seed = seed;
    }
    Ok(input)
}

/// Reads a specification, schedules it and checks the schedule.
///
/// # Errors
/// [`CliError::Spec`] for a bad specification, and as [`work_of`].
pub fn work(path: &Path, context: &Context) -> Result<Box<dyn Work>, CliError> {
    work_of(load(path, context)?, path, context)
}

/// Schedules a specification that was read from `path`, and checks the schedule.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the algorithm does not apply to the network, there is no schedule, or the
/// check refuses it; with [`Exit::BadSpec`] for a file or list beside the specification that cannot be used.
pub fn work_of(input: Input, path: &Path, context: &Context) -> Result<Box<dyn Work>, CliError> {
    let (spec, folder) = (input.spec, path.parent().unwrap_or(Path::new("")));
    if let Some(document) = input.document {
        return Ok(Box::new(document::work(spec, document)?));
    }
    if let Some(sizes) = spec.network.pops() {
        let net = Pops::new(sizes.d, sizes.g);
        return Ok(Box::new(pops::work(spec, net, folder, context)?));
    }
    if spec.network.options().is_some() {
        return Ok(Box::new(general::work(spec, folder, context)?));
    }
    embedding::checked(&spec)?;
    Plan::new(spec, Progress::new(context, "scheduling"))?.work()
}

/// A product too large to be listed packet by packet, scheduled in trains and proved; None for anything else.
///
/// # Errors
/// As [`work_of`].
pub fn trains(spec: &Spec, context: &Context) -> Result<Option<(Product, CheckedTrains)>, CliError> {
    if matches!(spec.network, NetworkSpec::Listed(_)) || spec.network.options().is_some() {
        return Ok(None);
    }
    Plan::new(spec.clone(), Progress::new(context, "scheduling"))?.trains()
}

/// Origin of the files of a specification that was read from `path`.
pub fn origin(spec: &Spec, path: &Path) -> Origin {
    let file = path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy().into_owned());
    let name = path.file_stem().map_or_else(|| "spec".into(), |name| name.to_string_lossy().into_owned());
    Origin { name, spec_text: spec.text().to_owned(), command: format!("metronoc generate {file}") }
}

/// The type of words that fill a packet.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn filling(bits: u32) -> Result<Dtype, CliError> {
    Dtype::filling(bits).ok_or_else(|| CliError::Internal(format!("no type has {bits} bits")))
}

/// All networks of a specification side by side, if it asks for them.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn placed(frame: Frame, spec: &Spec) -> Result<Frame, CliError> {
    Ok(match embedding::host(spec)? {
        None => frame,
        Some(embedding) => frame.in_host(&embedding),
    })
}

/// Error of a lowering, at the line of the specification that caused it.
pub fn not_lowered(spec: &Spec, error: &LowerError) -> CliError {
    match error.field() {
        Some(field) => CliError::AtSpec {
            exit: Exit::Infeasible,
            diagnostic: Box::new(spec.diagnostic(field, error.to_string(), error.help())),
        },
        None => CliError::Internal(error.to_string()),
    }
}
