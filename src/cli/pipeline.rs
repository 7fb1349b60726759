//! The way that all commands go: specification → network → schedule → check, each stage's errors on the line at fault.

use super::progress::Progress;
use super::{CliError, Context, Exit};
use crate::check::{CheckError, CheckedSchedule, check};
use crate::collective::AllToAll;
use crate::emit::{Origin, RtlBundle};
use crate::lower::{Lowered, lower};
use crate::schedule::{self, AllToAllRequest, HopLatency};
use crate::spec::{NetworkSpec, Pipeline, Spec, Storage};
use crate::topology::{SwappedDragonfly, Topology};
use std::path::Path;

/// A specification with its schedule, proved.
#[derive(Debug)]
pub struct Checked {
    /// The specification, with the seed of the command line if there is one.
    pub spec: Spec,
    /// The network.
    pub network: SwappedDragonfly,
    /// The schedule.
    pub schedule: CheckedSchedule,
}

impl Checked {
    /// What is sent, and where.
    pub fn traffic(&self) -> AllToAll {
        let nodes = u32::try_from(self.network.nodes()).expect("a specification has at most 2^20 routers"); // MAX_ROUTERS
        AllToAll::new(nodes, self.spec.collective.words, self.spec.collective.repeat)
    }

    /// Times that the program runs: words of a message times repetitions.
    pub fn passes(&self) -> u64 {
        u64::from(self.spec.collective.words) * u64::from(self.spec.collective.repeat)
    }

    /// Clock cycles from the first claimed channel of the first pass to the last of the last.
    pub fn total_cycles(&self) -> u64 {
        (self.passes() - 1) * u64::from(self.schedule.period()) + u64::from(self.schedule.cycles())
    }
}

/// Reads a specification.
///
/// # Errors
/// [`CliError::Spec`] with all that is wrong with it.
pub fn load(path: &Path, context: &Context) -> Result<Spec, CliError> {
    let mut spec = Spec::load(path)?;
    if let Some(seed) = context.seed {
        spec.schedule.seed = seed;
    }
    Ok(spec)
}

/// Reads a specification, schedules it and checks the schedule.
///
/// # Errors
/// [`CliError::Spec`] for a bad specification; [`CliError::AtSpec`] with [`Exit::Infeasible`] if the algorithm does not apply
/// to the network, there is no schedule, or the check refuses it.
pub fn checked(path: &Path, context: &Context) -> Result<Checked, CliError> {
    let spec = load(path, context)?;
    let NetworkSpec::SwappedDragonfly(sizes) = &spec.network;
    let network = SwappedDragonfly::new(sizes.k, sizes.m, sizes.group);
    let hop = HopLatency { local: spec.router.local_stages, global: spec.router.global_stages };
    let progress = Progress::new(context, "scheduling");
    let made = schedule::schedule(&network, &request(&spec, hop)).map_err(|error| CliError::AtSpec {
        exit: Exit::Infeasible,
        diagnostic: Box::new(spec.diagnostic(error.field(), error.to_string(), error.help())),
    })?;
    progress.next("checking");
    let (launches, rows) = (made.program.launches().len(), made.program.rows());
    tracing::info!("`{}` made {launches} launches in {rows} rows", made.algorithm);
    let schedule = check(&network, made).map_err(|error| refused(&spec, &error))?;
    progress.done();
    Ok(Checked { spec, network, schedule })
}

/// Goes on to what hardware holds.
///
/// # Errors
/// As [`checked`], and [`CliError::AtSpec`] with [`Exit::Infeasible`] if the schedule has no form of the kind that the
/// specification asks for.
pub fn lowered(path: &Path, context: &Context) -> Result<(Checked, Lowered), CliError> {
    let checked = checked(path, context)?;
    let lowered = lower(&checked.schedule, &checked.spec).map_err(|error| match error.field() {
        Some(field) => CliError::AtSpec {
            exit: Exit::Infeasible,
            diagnostic: Box::new(checked.spec.diagnostic(field, error.to_string(), error.help())),
        },
        None => CliError::Internal(error.to_string()),
    })?;
    Ok((checked, lowered))
}

/// The files of a lowered schedule, with headers that tell how to make them again.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn emitted(checked: &Checked, lowered: &Lowered, path: &Path) -> Result<RtlBundle, CliError> {
    let file = path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy().into_owned());
    let name = path.file_stem().map_or_else(|| "spec".into(), |name| name.to_string_lossy().into_owned());
    let origin =
        Origin { name, spec_text: checked.spec.text().to_owned(), command: format!("metronoc generate {file}") };
    RtlBundle::new(lowered, &origin).map_err(|error| CliError::Internal(error.to_string()))
}

/// What the specification asks of the schedulers.
fn request(spec: &Spec, hop: HopLatency) -> AllToAllRequest<'static> {
    let collective = &spec.collective;
    AllToAllRequest {
        algorithm: collective.algorithm.name(),
        s: collective.s,
        pipeline: collective.pipeline.map(|pipeline| match pipeline {
            Pipeline::Schedule1 => schedule::Pipeline::Schedule1,
            Pipeline::Schedule2 => schedule::Pipeline::Schedule2,
            Pipeline::Schedule3 => schedule::Pipeline::Schedule3,
            Pipeline::Reordered => schedule::Pipeline::Reordered,
        }),
        hop,
        passes: collective.words.saturating_mul(collective.repeat),
        counters: spec.schedule.storage == Storage::Counter,
        time_limit_s: spec.schedule.time_limit_s,
        seed: spec.schedule.seed,
    }
}

fn refused(spec: &Spec, error: &CheckError) -> CliError {
    let help = "no schedule that fails the check is used; choose another algorithm, and please report this one";
    let diagnostic = spec.diagnostic("collective.algorithm", error.to_string(), help);
    CliError::AtSpec { exit: Exit::Infeasible, diagnostic: Box::new(diagnostic) }
}
