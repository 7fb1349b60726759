//! The way that all commands go: specification → network → schedule → check, each stage's errors on the line at fault.

use super::embedding::{self, builds_host};
use super::plan::Plan;
use super::pops::{self, PopsWork};
use super::progress::Progress;
use super::{CliError, Context, Exit};
use crate::check::{CheckedExchange, CheckedProduct, CheckedSchedule, CheckedStream, CheckedTrains};
use crate::collective::{AllToAll, Broadcast, Collective, Data, Delivery, Dtype, Exchange as ExchangeData, Product};
use crate::emit::{Origin, RtlBundle};
use crate::lower::{
    ExchangeLowered, Frame, LowerError, Lowered, StreamLowered, lower, lower_exchange, lower_host, lower_stream,
};
use crate::spec::{AllToAllSpec, BroadcastSpec, Spec};
use crate::topology::{Pops, SwappedDragonfly, Topology};
use std::path::Path;

/// A specification with its schedule, proved.
#[derive(Debug)]
pub enum Work {
    /// Of an all-to-all.
    AllToAll(Checked),
    /// Of a stream from one router to all.
    Stream(Stream),
    /// Of exchanges along the dimensions of a hypercube.
    Exchange(Exchange),
    /// Of a product of matrices.
    Product(MatrixWork),
    /// On POPS.
    Pops(PopsWork),
}

impl Work {
    /// The specification.
    pub fn spec(&self) -> &Spec {
        match self {
            Work::AllToAll(work) => &work.spec,
            Work::Stream(work) => &work.spec,
            Work::Exchange(work) => &work.spec,
            Work::Product(work) => &work.spec,
            Work::Pops(work) => &work.spec,
        }
    }
}

impl Work {
    /// Transfers over channels in one network, loopbacks included.
    pub fn transfers(&self) -> u64 {
        match self {
            Work::AllToAll(work) => work.schedule.proof().transfers,
            Work::Stream(work) => work.schedule.proof().claims * u64::from(work.schedule.proof().batches),
            Work::Exchange(work) => work.schedule.proof().claims * work.schedule.network().nodes() as u64,
            Work::Product(work) => work.schedule.proof().claims.max(work.schedule.proof().sends),
            Work::Pops(work) => 2 * work.schedule.proof().hops as u64 + work.schedule.network().couplers(),
        }
    }

    /// Data of the collective in one network; none of a product, which has two operands.
    pub fn collective(&self) -> Option<Box<dyn Collective>> {
        Some(match self {
            Work::AllToAll(work) => {
                let AllToAllSpec { words, repeat, .. } = work.collective;
                Box::new(AllToAll::new(work.network.nodes() as u32, words, repeat))
            }
            Work::Stream(work) => {
                let (nodes, program) = (work.schedule.network().nodes() as u32, work.schedule.program());
                Box::new(Broadcast::new(nodes, program.count).from_root(program.root.get()))
            }
            Work::Exchange(work) => {
                let (schedule, words) = (&work.schedule, work.schedule.program().words);
                Box::new(ExchangeData::new(schedule.kind(), schedule.network().nodes(), words as usize))
            }
            Work::Product(_) => return None,
            Work::Pops(work) => {
                let net = work.schedule.network();
                Box::new(Delivery::new(work.schedule.relation(), net.processors(), work.spec.router.slot_cycles))
            }
        })
    }
}

/// A specification of exchanges with its schedule, proved.
#[derive(Debug)]
pub struct Exchange {
    /// The specification.
    pub spec: Spec,
    /// The schedule.
    pub schedule: CheckedExchange,
}

/// A specification of a product of matrices, or of a transpose, with its schedule, proved.
#[derive(Debug)]
pub struct MatrixWork {
    /// The specification.
    pub spec: Spec,
    /// The schedule.
    pub schedule: CheckedProduct,
}

/// A specification of a stream with its schedule, proved.
#[derive(Debug)]
pub struct Stream {
    /// The specification.
    pub spec: Spec,
    /// Its collective.
    pub collective: BroadcastSpec,
    /// The schedule.
    pub schedule: CheckedStream,
}

/// A specification of an all-to-all with its schedule, proved.
#[derive(Debug)]
pub struct Checked {
    /// The specification, with the seed of the command line if there is one.
    pub spec: Spec,
    /// Its collective.
    pub collective: AllToAllSpec,
    /// The network.
    pub network: SwappedDragonfly,
    /// The schedule.
    pub schedule: CheckedSchedule,
}

impl Checked {
    /// Goes on to what hardware holds.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the schedule has no form of the kind that the specification asks for.
    pub fn lowered(&self) -> Result<Lowered, CliError> {
        let lowered = match embedding::host(&self.spec)? {
            None => lower(&self.schedule, &self.spec),
            Some(embedding) => lower_host(&self.schedule, &embedding, &self.spec),
        };
        lowered.map_err(|error| not_lowered(&self.spec, &error))
    }

    /// What is sent, and where.
    pub fn traffic(&self) -> AllToAll {
        let nodes = u32::try_from(self.network.nodes()).expect("a specification has at most 2^20 routers"); // MAX_ROUTERS
        // networks in a host run at once, each with data of its own
        let host = self.spec.network.swapped_dragonfly().filter(|_| builds_host(&self.spec));
        let networks = host.map_or(1, |sizes| sizes.embed.len() as u32);
        AllToAll::new(nodes, self.collective.words, self.collective.repeat * networks)
    }

    /// The data from a file, or random words.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn data(&self, file: Option<&Path>) -> Result<Data, CliError> {
        let (traffic, bits) = (self.traffic(), self.spec.router.payload_bits);
        match file {
            Some(file) => Ok(traffic.read(file, bits)?),
            None => Ok(traffic.random(filling(bits)?, self.spec.schedule.seed)?),
        }
    }

    /// Times that the program runs: words of a message times repetitions.
    pub fn passes(&self) -> u64 {
        u64::from(self.collective.words) * u64::from(self.collective.repeat)
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
pub fn work(path: &Path, context: &Context) -> Result<Work, CliError> {
    work_of(load(path, context)?, path, context)
}

/// Schedules a specification that was read from `path`, and checks the schedule.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the algorithm does not apply to the network, there is no schedule, or the
/// check refuses it; with [`Exit::BadSpec`] for a file or list beside the specification that cannot be used.
pub fn work_of(spec: Spec, path: &Path, context: &Context) -> Result<Work, CliError> {
    if let Some(sizes) = spec.network.pops() {
        let net = Pops::new(sizes.d, sizes.g);
        return pops::work(spec, net, path.parent().unwrap_or(Path::new("")), context).map(Work::Pops);
    }
    embedding::checked(&spec)?;
    Plan::new(spec, Progress::new(context, "scheduling"))?.work()
}

/// The commands that are there for streams and exchanges.
const SOME_COMMANDS: &str = "`check`, `schedule`, `generate` and `cosim` do; for this one take `kind = \"all-to-all\"`";

/// The commands that are there for products.
const FOR_PRODUCTS: &str =
    "`check`, `schedule`, `multiply`, `generate` and `cosim` do; for this one take `kind = \"all-to-all\"`";

impl Exchange {
    /// Goes on to what hardware holds.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the program has no form of the kind that the specification asks for.
    pub fn lowered(&self) -> Result<ExchangeLowered, CliError> {
        let lowered = lower_exchange(&self.schedule, &self.spec).map_err(|error| not_lowered(&self.spec, &error))?;
        Ok(ExchangeLowered { frame: placed(lowered.frame, &self.spec)?, ..lowered })
    }

    /// The files of the lowered exchanges.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn emitted(&self, lowered: &ExchangeLowered, path: &Path) -> Result<RtlBundle, CliError> {
        RtlBundle::exchange(lowered, &origin(&self.spec, path)).map_err(|error| CliError::Internal(error.to_string()))
    }
}

/// A command that is not there for a collective; `help` says which are.
fn not_yet(spec: &Spec, help: &str) -> CliError {
    let message = format!("this command does not know {} yet", spec.collective.kind());
    let diagnostic = Box::new(spec.diagnostic("collective.kind", message, help));
    CliError::AtSpec { exit: Exit::Infeasible, diagnostic }
}

/// The work of a command that is there for all-to-all only.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::Infeasible`] for another collective.
pub fn checked(work: Work) -> Result<Checked, CliError> {
    match work {
        Work::AllToAll(checked) => Ok(checked),
        Work::Stream(Stream { spec, .. }) => Err(not_yet(&spec, SOME_COMMANDS)),
        Work::Exchange(Exchange { spec, .. }) => Err(not_yet(&spec, SOME_COMMANDS)),
        Work::Product(MatrixWork { spec, .. }) => Err(not_yet(&spec, FOR_PRODUCTS)),
        Work::Pops(PopsWork { spec, .. }) => Err(pops::refused(&spec)),
    }
}

/// A product too large to be listed packet by packet, scheduled in trains and proved; None for anything else.
///
/// # Errors
/// As [`work_of`].
pub fn trains(spec: &Spec, context: &Context) -> Result<Option<(Product, CheckedTrains)>, CliError> {
    Plan::new(spec.clone(), Progress::new(context, "scheduling"))?.trains()
}

/// Goes on to what hardware holds.
///
/// # Errors
/// As [`checked`], and [`CliError::AtSpec`] with [`Exit::Infeasible`] if the schedule has no form of the kind that the
/// specification asks for.
pub fn lowered(work: Work) -> Result<(Checked, Lowered), CliError> {
    let checked = checked(work)?;
    embedding::no_host(&checked.spec)?;
    let lowered = checked.lowered()?;
    Ok((checked, lowered))
}

/// The files of a lowered schedule, with headers that tell how to make them again.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn emitted(checked: &Checked, lowered: &Lowered, path: &Path) -> Result<RtlBundle, CliError> {
    RtlBundle::new(lowered, &origin(&checked.spec, path)).map_err(|error| CliError::Internal(error.to_string()))
}

pub(super) fn origin(spec: &Spec, path: &Path) -> Origin {
    let file = path.file_name().map_or_else(|| "-".into(), |name| name.to_string_lossy().into_owned());
    let name = path.file_stem().map_or_else(|| "spec".into(), |name| name.to_string_lossy().into_owned());
    Origin { name, spec_text: spec.text().to_owned(), command: format!("metronoc generate {file}") }
}

impl Stream {
    /// Goes on to what hardware holds.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the stream has no form of the kind that the specification asks for.
    pub fn lowered(&self) -> Result<StreamLowered, CliError> {
        let lowered = lower_stream(&self.schedule, &self.spec).map_err(|error| not_lowered(&self.spec, &error))?;
        Ok(StreamLowered { frame: placed(lowered.frame, &self.spec)?, ..lowered })
    }

    /// The files of the lowered stream.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn emitted(&self, lowered: &StreamLowered, path: &Path) -> Result<RtlBundle, CliError> {
        RtlBundle::stream(lowered, &origin(&self.spec, path)).map_err(|error| CliError::Internal(error.to_string()))
    }
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

pub(super) fn not_lowered(spec: &Spec, error: &LowerError) -> CliError {
    match error.field() {
        Some(field) => CliError::AtSpec {
            exit: Exit::Infeasible,
            diagnostic: Box::new(spec.diagnostic(field, error.to_string(), error.help())),
        },
        None => CliError::Internal(error.to_string()),
    }
}
