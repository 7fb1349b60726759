//! One object for a piece of work: a specification with its schedule, proved, and all that commands ask of it.
//!
//! A family of collectives is one file here; commands know [`Work`] alone.

mod all_to_all;
mod document;
mod exchange;
mod general;
mod judged;
mod network;
pub mod operands;
mod piece;
mod plan;
mod pops;
mod product;
mod relation;
mod stream;
pub mod verdict;

pub use piece::{DataArgs, Work, filling, not_lowered, origin, placed};

use super::progress::Progress;
use super::{CliError, Context, embedding};
use crate::check::CheckedTrains;
use crate::collective::Product;
use crate::emit::RtlBundle;
use crate::family::Hardware;
use crate::spec::{NetworkSpec, Spec};
use crate::topology::Pops;
use document::DocumentWork;
use general::GeneralWork;
use piece::tables;
use plan::Plan;
use std::path::Path;

/// Files of lowered hardware, with headers that tell how to make them again.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn emitted(hardware: &dyn Hardware, spec: &Spec, path: &Path) -> Result<RtlBundle, CliError> {
    hardware.bundle(&origin(spec, path)).map_err(|error| CliError::Internal(error.to_string()))
}

/// Reads a specification, or the name of a schedule in full in its place.
///
/// # Errors
/// [`CliError::Spec`] with all that is wrong with it.
pub fn load(path: &Path, context: &Context) -> Result<Spec, CliError> {
    let mut spec = if document::is_one(path) { document::spec(path)? } else { Spec::load(path)? };
    context.is_about(&spec);
    if let Some(seed) = context.seed {
        spec.schedule.seed = seed;
    }
    Ok(spec)
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
pub fn work_of(spec: Spec, path: &Path, context: &Context) -> Result<Box<dyn Work>, CliError> {
    if let Some(sizes) = spec.network.pops() {
        let net = Pops::new(sizes.d, sizes.g);
        let work = pops::work(spec, net, path.parent().unwrap_or(Path::new("")), context)?;
        return Ok(Box::new(work));
    }
    if let NetworkSpec::Listed(_) = spec.network {
        return Ok(Box::new(DocumentWork::new(spec, path)?));
    }
    if spec.network.options().is_some() {
        return Ok(Box::new(GeneralWork::new(spec, path.parent().unwrap_or(Path::new("")), context)?));
    }
    embedding::checked(&spec)?;
    Plan::new(spec, Progress::new(context, "scheduling"))?.work()
}

/// A product too large to be listed packet by packet, scheduled in trains and proved; None for anything else.
///
/// # Errors
/// As [`work_of`].
pub fn trains(spec: &Spec, context: &Context) -> Result<Option<(Product, CheckedTrains)>, CliError> {
    if let NetworkSpec::Listed(_) = spec.network {
        return Ok(None);
    }
    Plan::new(spec.clone(), Progress::new(context, "scheduling"))?.trains()
}
