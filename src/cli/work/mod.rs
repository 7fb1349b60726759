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
use crate::program::Document;
use crate::spec::{NetworkSpec, Spec};
use crate::topology::Pops;
use judged::JudgedDocument;
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
    /// [`CliError`] with [`Exit::Infeasible`](crate::cli::Exit::Infeasible) for a schedule that does not hold.
    pub fn judged(&mut self) -> Result<Option<JudgedDocument>, CliError> {
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
/// [`CliError::AtSpec`] with [`Exit::Infeasible`](crate::cli::Exit::Infeasible) if the algorithm does not apply to the network,
/// there is no schedule, or the check refuses it; with [`Exit::BadSpec`](crate::cli::Exit::BadSpec) for a file or list beside the
/// specification that cannot be used.
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
