//! The way that all commands go: specification → network → schedule → check, each stage's errors on the line at fault.

use super::progress::Progress;
use super::{CliError, Context, Exit};
use crate::check::{
    CheckError, CheckedExchange, CheckedProduct, CheckedSchedule, CheckedStream, CheckedTrains, check, check_exchange,
    check_product, check_stream, check_trains,
};
use crate::collective::{AllToAll, ExchangeKind, Product, ProductKind};
use crate::emit::{Origin, RtlBundle};
use crate::id::NodeId;
use crate::lower::{ExchangeLowered, LowerError, Lowered, StreamLowered, lower, lower_exchange, lower_stream};
use crate::schedule::broadcast::{self, BroadcastRequest};
use crate::schedule::exchange::{self, ExchangeRequest};
use crate::schedule::product::{self, ProductRequest};
use crate::schedule::product_trains;
use crate::schedule::{self, AllToAllRequest, HopLatency, ScheduleError};
use crate::spec::{
    AllToAllSpec, BroadcastSpec, CollectiveSpec, NetworkSpec, Pipeline, ProductAlgorithm, Spec, Storage,
};
use crate::topology::{SwappedDragonfly, Topology};
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
        lower(&self.schedule, &self.spec).map_err(|error| not_lowered(&self.spec, &error))
    }

    /// What is sent, and where.
    pub fn traffic(&self) -> AllToAll {
        let nodes = u32::try_from(self.network.nodes()).expect("a specification has at most 2^20 routers"); // MAX_ROUTERS
        AllToAll::new(nodes, self.collective.words, self.collective.repeat)
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
pub fn work(path: &Path, context: &Context) -> Result<Work, CliError> {
    let spec = load(path, context)?;
    let NetworkSpec::SwappedDragonfly(sizes) = &spec.network;
    let network = SwappedDragonfly::new(sizes.k, sizes.m, sizes.group);
    let hop = HopLatency { local: spec.router.local_stages, global: spec.router.global_stages };
    let infeasible = |error: ScheduleError| CliError::AtSpec {
        exit: Exit::Infeasible,
        diagnostic: Box::new(spec.diagnostic(error.field(), error.to_string(), error.help())),
    };
    let progress = Progress::new(context, "scheduling");
    match spec.collective.clone() {
        CollectiveSpec::AllToAll(collective) => {
            let made = schedule::schedule(&network, &request(&spec, &collective, hop)).map_err(infeasible)?;
            progress.next("checking");
            let (launches, rows) = (made.program.launches().len(), made.program.rows());
            tracing::info!("`{}` made {launches} launches in {rows} rows", made.algorithm);
            let schedule = check(&network, made).map_err(|error| refused(&spec, &error))?;
            progress.done();
            Ok(Work::AllToAll(Checked { spec, collective, network, schedule }))
        }
        CollectiveSpec::Broadcast(collective) => {
            let (root, count) = (NodeId::new(collective.root), collective.count);
            let request = BroadcastRequest { algorithm: collective.algorithm.name(), root, count, hop };
            let made = broadcast::schedule(&network, &request).map_err(infeasible)?;
            progress.next("checking");
            tracing::info!("`{}` made {} lanes", made.algorithm, made.program.lanes);
            let schedule = check_stream(&network, made).map_err(|error| refused(&spec, &error))?;
            progress.done();
            Ok(Work::Stream(Stream { spec, collective, schedule }))
        }
        CollectiveSpec::AllReduce(_) | CollectiveSpec::PrefixScan(_) | CollectiveSpec::BitonicSort(_) => {
            let (kind, algorithm, words, operator) = match &spec.collective {
                CollectiveSpec::AllReduce(c) => {
                    (ExchangeKind::AllReduce(c.op), c.algorithm, c.words, c.operator_stages)
                }
                CollectiveSpec::PrefixScan(c) => {
                    (ExchangeKind::PrefixScan(c.op), c.algorithm, c.words, c.operator_stages)
                }
                CollectiveSpec::BitonicSort(c) => (ExchangeKind::Sort, c.algorithm, c.words, c.operator_stages),
                other => return Err(CliError::Internal(format!("{} is no exchange", other.kind()))),
            };
            let request = ExchangeRequest { kind, algorithm: algorithm.name(), words, operator, hop };
            let made = exchange::schedule(&network, &request).map_err(infeasible)?;
            progress.next("checking");
            tracing::info!("`{}` made {} steps", made.algorithm, made.program.steps.len());
            let schedule = check_exchange(&network, made).map_err(|error| refused(&spec, &error))?;
            progress.done();
            Ok(Work::Exchange(Exchange { spec, schedule }))
        }
        collective => {
            let (kind, request, product) = matrix(&spec, &collective, &network, hop);
            let made = product::schedule(&network, &request).map_err(infeasible)?;
            progress.next("checking");
            tracing::info!("`{}` made {} sends of {kind}", made.algorithm, made.sends.len());
            let schedule =
                check_product(&network, made, product, spec.schedule.seed).map_err(|error| refused(&spec, &error))?;
            progress.done();
            Ok(Work::Product(MatrixWork { spec, schedule }))
        }
    }
}

/// The commands that are there for a stream.
const FOR_STREAMS: &str = "`check`, `schedule`, `generate` and `cosim` do; for this one take `kind = \"all-to-all\"`";
/// The commands that are there for exchanges.
const FOR_EXCHANGES: &str = "`check`, `schedule` and `generate` do; for this one take `kind = \"all-to-all\"`";

/// The commands that are there for products.
const FOR_PRODUCTS: &str =
    "`check`, `schedule`, `multiply`, `generate` and `cosim` do; for this one take `kind = \"all-to-all\"`";

impl Exchange {
    /// Goes on to what hardware holds.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the program has no form of the kind that the specification asks for.
    pub fn lowered(&self) -> Result<ExchangeLowered, CliError> {
        lower_exchange(&self.schedule, &self.spec).map_err(|error| not_lowered(&self.spec, &error))
    }

    /// The files of the lowered exchanges.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn emitted(&self, lowered: &ExchangeLowered, path: &Path) -> Result<RtlBundle, CliError> {
        RtlBundle::exchange(lowered, &origin(&self.spec, path)).map_err(|error| CliError::Internal(error.to_string()))
    }

    /// The error of a command that is not there for exchanges.
    pub fn not_yet(&self) -> CliError {
        not_yet(&self.spec, FOR_EXCHANGES)
    }
}

/// A command that is not there for a collective; `help` says which are.
fn not_yet(spec: &Spec, help: &str) -> CliError {
    let message = format!("this command does not know {} yet", spec.collective.kind());
    let diagnostic = Box::new(spec.diagnostic("collective.kind", message, help));
    CliError::AtSpec { exit: Exit::Infeasible, diagnostic }
}

/// Does the same for a command that is there for all-to-all only.
///
/// # Errors
/// As [`work`], and for another collective.
pub fn checked(path: &Path, context: &Context) -> Result<Checked, CliError> {
    match work(path, context)? {
        Work::AllToAll(checked) => Ok(checked),
        Work::Stream(Stream { spec, .. }) => Err(not_yet(&spec, FOR_STREAMS)),
        Work::Exchange(exchange) => Err(exchange.not_yet()),
        Work::Product(MatrixWork { spec, .. }) => Err(not_yet(&spec, FOR_PRODUCTS)),
    }
}

/// What the specification asks of the scheduler of products, and the product itself.
fn matrix(
    spec: &Spec,
    collective: &CollectiveSpec,
    network: &SwappedDragonfly,
    hop: HopLatency,
) -> (&'static str, ProductRequest<'static>, Product) {
    let kind = match collective {
        CollectiveSpec::MatrixVector(_) => ProductKind::MatrixVector,
        CollectiveSpec::MatrixMatrix(_) => ProductKind::MatrixMatrix,
        CollectiveSpec::Transpose(_) => ProductKind::Transpose,
        _ => ProductKind::VectorMatrix,
    };
    let (algorithm, block) = collective.matrix().unwrap_or((ProductAlgorithm::Best, 1));
    // the parser has refused an algorithm that does not fit the network
    let order = algorithm.blocks(network.k(), network.m()).unwrap_or(0) * block;
    let bits = spec.router.payload_bits;
    let (signed, accumulator_bits, mac_cycles) = match collective.product() {
        Some(product) => (product.signed, product.accumulator(order, bits), product.mac_cycles),
        None => (false, bits, 0),
    };
    let product = Product { kind, order, element_bits: bits, signed, accumulator_bits };
    (collective.kind(), ProductRequest { algorithm: algorithm.name(), kind, block, mac_cycles, hop }, product)
}

/// A product too large to be listed packet by packet, scheduled in trains and proved; None for anything else.
///
/// # Errors
/// As [`work`].
pub fn trains(path: &Path, context: &Context) -> Result<Option<(Spec, Product, CheckedTrains)>, CliError> {
    let spec = load(path, context)?;
    let NetworkSpec::SwappedDragonfly(sizes) = &spec.network;
    let network = SwappedDragonfly::new(sizes.k, sizes.m, sizes.group);
    let hop = HopLatency { local: spec.router.local_stages, global: spec.router.global_stages };
    if spec.collective.product().is_none() {
        return Ok(None);
    }
    let (_, request, product) = matrix(&spec, &spec.collective, &network, hop);
    if !product::is_too_long(&network, &request) {
        return Ok(None);
    }
    let made = product_trains::schedule(&network, &request).map_err(|error| CliError::Internal(error.to_string()))?;
    let checked = check_trains(&network, made, product).map_err(|error| refused(&spec, &error))?;
    Ok(Some((spec, product, checked)))
}

/// Goes on to what hardware holds.
///
/// # Errors
/// As [`checked`], and [`CliError::AtSpec`] with [`Exit::Infeasible`] if the schedule has no form of the kind that the
/// specification asks for.
pub fn lowered(path: &Path, context: &Context) -> Result<(Checked, Lowered), CliError> {
    let checked = checked(path, context)?;
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
        lower_stream(&self.schedule, &self.spec).map_err(|error| not_lowered(&self.spec, &error))
    }

    /// The files of the lowered stream.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn emitted(&self, lowered: &StreamLowered, path: &Path) -> Result<RtlBundle, CliError> {
        RtlBundle::stream(lowered, &origin(&self.spec, path)).map_err(|error| CliError::Internal(error.to_string()))
    }
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

/// What the specification asks of the schedulers.
fn request(spec: &Spec, collective: &AllToAllSpec, hop: HopLatency) -> AllToAllRequest<'static> {
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
