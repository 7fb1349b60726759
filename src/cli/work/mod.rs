//! One object for a piece of work: a specification with its schedule, proved, and all that commands ask of it.
//!
//! A family of collectives is a file here, or a folder for a network with router families of its own. Commands know the traits [`Work`],
//! [`EnclosingNetwork`] and [`ProvedProduct`] alone.

mod document;
mod enclosing;
pub(in crate::cli) mod exported;
mod foreign;
mod general;
mod judged;
mod listed;
mod network;
pub mod operands;
pub(in crate::cli) mod pages;
mod piece;
mod pops;
mod proved;
mod proved_product;
mod sequence;
mod swapped_dragonfly;
pub mod verdict;

pub use enclosing::{EnclosingNetwork, Messages};
pub use exported::Exported;
pub use piece::{DataArgs, Work, filling, not_lowered, origin, over_host_stream};
pub use proved::Proved;
pub use proved_product::ProvedProduct;

use super::progress::Progress;
use super::{CliError, Context, Exit};
use crate::emit::RtlBundle;
use crate::family::Hardware;
use crate::program::Document;
use crate::program::foreign::form_of;
use crate::spec::{NetworkSpec, Spec};
use crate::topology::Pops;
use foreign::Foreign;
pub use judged::JudgedDocument;
use piece::tables;
use std::path::{Path, PathBuf};
use swapped_dragonfly::Plan;

/// Says of which part of a network hardware is, if it is not of the whole.
pub fn tell_of_part(work: &dyn Work, context: &Context) {
    if let Some(remark) = work.enclosing().and_then(|whole| whole.remark()) {
        context.say(remark);
    }
}

/// Files of lowered hardware, with headers that tell how to make them again.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn emitted(hardware: &dyn Hardware, spec: &Spec, path: &Path) -> Result<RtlBundle, CliError> {
    hardware.bundle(&origin(spec, path)).map_err(|error| CliError::Internal(error.to_string()))
}

/// The file that a command is about, and the network of a schedule that another tool made.
#[derive(Debug, Clone, clap::Args)]
pub struct SourceArgs {
    /// Specification, a TOML file; or a schedule: metronoc-schedule/1, SCCL, MSCCL or S4NOC; `-` is a specification on standard input
    pub spec: PathBuf,
    /// Specification whose network a schedule of another tool runs on; if left out, the links that the file names
    #[arg(long, value_name = "SPEC")]
    pub network: Option<PathBuf>,
}

/// A specification, or a schedule in full in its place.
#[derive(Debug)]
pub struct Input {
    /// Specification, or one that stands for the schedule.
    pub spec: Spec,
    document: Option<Document>,
    foreign: Option<Foreign>,
}

impl Input {
    /// A specification by itself.
    pub fn of(spec: Spec) -> Self {
        Self { spec, document: None, foreign: None }
    }

    /// Judges a schedule in full, whether it is a program of hops or not; none of a specification.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Infeasible`] for a schedule that does not hold.
    pub fn judged(&mut self) -> Result<Option<JudgedDocument>, CliError> {
        let judged = self.document.take().map(|document| document::judged(&self.spec, document)).transpose()?;
        Ok(judged.map(|judged| match &self.foreign {
            Some(foreign) => foreign.judged(judged),
            None => judged,
        }))
    }

    /// Adds metronoc's own schedule to the verdict on one that another tool made.
    pub fn compare(&self, judged: &mut JudgedDocument) {
        if let (Some(origin), Some(foreign)) = (&mut judged.origin, &self.foreign) {
            foreign.compare(origin);
        }
    }
}

/// Reads a specification, or a schedule in full in its place.
///
/// # Errors
/// [`CliError::Spec`] with all that is wrong with it.
pub fn load(path: &Path, context: &Context) -> Result<Input, CliError> {
    load_on(path, None, context)
}

/// Input of [`load`], with the network of a schedule that another tool made.
///
/// # Errors
/// As [`load`], and with [`Exit::Usage`] if a network is named and the file has one itself.
pub fn load_from(source: &SourceArgs, context: &Context) -> Result<Input, CliError> {
    load_on(&source.spec, source.network.as_deref(), context)
}

fn load_on(path: &Path, network: Option<&Path>, context: &Context) -> Result<Input, CliError> {
    let mut input = read(path, network)?;
    context.is_about(&input.spec);
    if let Some(seed) = context.seed {
        input.spec.schedule.seed = seed;
    }
    Ok(input)
}

fn read(path: &Path, network: Option<&Path>) -> Result<Input, CliError> {
    let listed = document::is_one(path);
    let bytes = match listed || foreign::is_possible(path) {
        true => Some(document::bytes(path)?),
        false => None,
    };
    if let Some(text) = bytes.as_ref().and_then(|bytes| std::str::from_utf8(bytes).ok())
        && let Some(form) = form_of(text)
    {
        let (spec, document, foreign) = foreign::read(path, form, text, network)?;
        return Ok(Input { spec, document: Some(document), foreign: Some(foreign) });
    }
    if network.is_some() {
        let message = format!("`{}` names its network itself", path.display());
        return Err(CliError::failed(
            Exit::Usage,
            message,
            "leave `--network` out: it is for schedules of other tools",
        ));
    }
    if let Some(bytes) = bytes.filter(|_| listed) {
        let (spec, document) = document::read(path, &bytes)?;
        return Ok(Input { spec, document: Some(document), foreign: None });
    }
    Ok(Input::of(Spec::load(path)?))
}

/// Reads a specification, schedules it and checks the schedule.
///
/// # Errors
/// [`CliError::Spec`] for a bad specification, and as [`work_of`].
pub fn work(source: &SourceArgs, context: &Context) -> Result<Box<dyn Work>, CliError> {
    work_of(load_from(source, context)?, &source.spec, context)
}

/// Schedules a specification that was read from `path`, and checks the schedule.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the algorithm does not apply to the network, there is no schedule,
/// or the check refuses it. The same with [`Exit::BadSpec`] for a file or list beside the specification that cannot be
/// used.
pub fn work_of(mut input: Input, path: &Path, context: &Context) -> Result<Box<dyn Work>, CliError> {
    if let Some(judged) = input.judged()? {
        return Ok(Box::new(document::work(input.spec, judged)?));
    }
    let (spec, folder) = (input.spec, path.parent().unwrap_or(Path::new("")));
    Ok(match spec.network {
        NetworkSpec::SwappedDragonfly(_) => Plan::new(spec, Progress::new(context, "scheduling"))?.work()?,
        NetworkSpec::Pops(ref sizes) => {
            let net = Pops::new(sizes.d, sizes.g);
            Box::new(pops::work(spec, net, folder, context)?)
        }
        NetworkSpec::General(_) if spec.collective.sequence().is_empty() => {
            Box::new(general::work(spec, folder, context)?)
        }
        NetworkSpec::General(_) => Box::new(sequence::work(spec, folder, context)?),
        // read with its schedule, which was judged
        NetworkSpec::Listed(_) => return Err(CliError::Internal("a listed network without its schedule".to_owned())),
    })
}

/// The product of a specification that was read from `path`, scheduled and proved; None for any other collective.
///
/// # Errors
/// As [`work_of`].
pub fn product_of(input: Input, path: &Path, context: &Context) -> Result<Option<Box<dyn ProvedProduct>>, CliError> {
    match swapped_dragonfly::trains(&input.spec, context)? {
        Some(trains) => Ok(Some(Box::new(trains))),
        None => Ok(work_of(input, path, context)?.into_product()),
    }
}
