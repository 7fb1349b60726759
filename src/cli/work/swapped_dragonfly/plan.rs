//! Planning: a specification becomes a proved schedule. One function for each family of collectives; errors of each
//! stage point to the line at fault.

use super::all_to_all::AllToAllWork;
use super::embedding::Host;
use super::exchange::ExchangeWork;
use super::product::ProductWork;
use super::stream::StreamWork;
use crate::check::swapped_dragonfly::{
    CheckedTrains, check_all_to_all, check_exchange, check_product, check_stream, check_trains,
};
use crate::cli::progress::Progress;
use crate::cli::work::Work;
use crate::cli::work::operands;
use crate::cli::{CliError, Context};
use crate::collective::{ExchangeKind, Product, ProductKind};
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::schedule::swapped_dragonfly::broadcast::{self, BroadcastRequest};
use crate::schedule::swapped_dragonfly::exchange::{self, ExchangeRequest};
use crate::schedule::swapped_dragonfly::product::{self, ProductRequest};
use crate::schedule::swapped_dragonfly::{AllToAllRequest, product_trains, schedule_all_to_all};
use crate::spec::{
    AllToAllSpec, BroadcastSpec, CollectiveSpec, ExchangeAlgorithm, ProductAlgorithm, ProductSpec, Spec, Storage,
    TransposeSpec,
};
use crate::topology::SwappedDragonfly;

/// A specification that is about to be scheduled.
pub struct Plan {
    spec: Spec,
    network: SwappedDragonfly,
    host: Option<Host>,
    hop: HopLatency,
    progress: Progress,
}

impl Plan {
    /// Planner of a specification on a Swapped Dragonfly; proves the places of embedded networks.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn new(spec: Spec, progress: Progress) -> Result<Self, CliError> {
        let Some(sizes) = spec.network.swapped_dragonfly() else {
            return Err(CliError::Internal(format!("{} is no Swapped Dragonfly", spec.network.topology())));
        };
        let (network, host, hop) = (sizes.guest(), Host::of(&spec)?, HopLatency::from(&spec.router));
        Ok(Self { spec, network, host, hop, progress })
    }

    /// Schedules the collective of the specification, and checks the schedule.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the algorithm does not apply to the network, there is no schedule, or the
    /// check refuses it.
    pub fn work(self) -> Result<Box<dyn Work>, CliError> {
        match self.spec.collective.clone() {
            CollectiveSpec::AllToAll(c) => self.all_to_all(c),
            CollectiveSpec::Broadcast(c) => self.stream(c),
            CollectiveSpec::AllReduce(c) => {
                self.exchange(ExchangeKind::AllReduce(c.op), c.algorithm, c.words, c.operator_stages)
            }
            CollectiveSpec::PrefixScan(c) => {
                self.exchange(ExchangeKind::PrefixScan(c.op), c.algorithm, c.words, c.operator_stages)
            }
            CollectiveSpec::BitonicSort(c) => {
                self.exchange(ExchangeKind::Sort, c.algorithm, c.words, c.operator_stages)
            }
            CollectiveSpec::VectorMatrix(c) => self.product(ProductKind::VectorMatrix, &c),
            CollectiveSpec::MatrixVector(c) => self.product(ProductKind::MatrixVector, &c),
            CollectiveSpec::MatrixMatrix(c) => self.product(ProductKind::MatrixMatrix, &c),
            CollectiveSpec::Transpose(c) => self.transpose(&c),
            other => Err(CliError::Internal(format!("{} on a Swapped Dragonfly", other.kind()))), // the parser refuses it
        }
    }

    fn all_to_all(self, collective: AllToAllSpec) -> Result<Box<dyn Work>, CliError> {
        let request = self.all_to_all_request(&collective);
        let made =
            schedule_all_to_all(&self.network, &request).map_err(|error| CliError::infeasible(&self.spec, &error))?;
        self.progress.next("checking");
        let (launches, rows) = (made.program.launches().len(), made.program.rows());
        tracing::info!("`{}` made {launches} launches in {rows} rows", made.algorithm);
        let schedule = check_all_to_all(&self.network, made).map_err(|error| CliError::refused(&self.spec, &error))?;
        self.progress.done();
        Ok(Box::new(AllToAllWork { spec: self.spec, host: self.host, collective, schedule }))
    }

    fn all_to_all_request(&self, collective: &AllToAllSpec) -> AllToAllRequest<'static> {
        AllToAllRequest {
            algorithm: collective.algorithm.name(),
            s: collective.s,
            pipeline: collective.pipeline,
            hop: self.hop,
            passes: collective.words.saturating_mul(collective.repeat),
            counters: self.spec.schedule.storage == Storage::Counter,
            time_limit_s: self.spec.schedule.time_limit_s,
            seed: self.spec.schedule.seed,
        }
    }

    fn stream(self, collective: BroadcastSpec) -> Result<Box<dyn Work>, CliError> {
        let (root, count) = (NodeId::new(collective.root), collective.count);
        let (algorithm, software) = (collective.algorithm.name(), self.spec.router.software());
        let request = BroadcastRequest { algorithm, root, count, hop: self.hop, software };
        let made =
            broadcast::schedule(&self.network, &request).map_err(|error| CliError::infeasible(&self.spec, &error))?;
        self.progress.next("checking");
        tracing::info!("`{}` made {} lanes", made.algorithm, made.program.lanes);
        let schedule = check_stream(&self.network, made).map_err(|error| CliError::refused(&self.spec, &error))?;
        self.progress.done();
        Ok(Box::new(StreamWork { spec: self.spec, host: self.host, schedule }))
    }

    fn exchange(
        self,
        kind: ExchangeKind,
        algorithm: ExchangeAlgorithm,
        words: u32,
        operator: u32,
    ) -> Result<Box<dyn Work>, CliError> {
        let request = ExchangeRequest { kind, algorithm: algorithm.name(), words, operator, hop: self.hop };
        let made =
            exchange::schedule(&self.network, &request).map_err(|error| CliError::infeasible(&self.spec, &error))?;
        self.progress.next("checking");
        tracing::info!("`{}` made {} steps", made.algorithm, made.program.steps.len());
        let schedule = check_exchange(&self.network, made).map_err(|error| CliError::refused(&self.spec, &error))?;
        self.progress.done();
        Ok(Box::new(ExchangeWork { spec: self.spec, host: self.host, schedule }))
    }

    /// Schedules in trains a product that is too large to be listed packet by packet, and checks the schedule; None for
    /// anything else.
    ///
    /// # Errors
    /// As [`Plan::work`].
    pub fn trains(self) -> Result<Option<CheckedTrains>, CliError> {
        let (kind, collective) = match &self.spec.collective {
            CollectiveSpec::VectorMatrix(c) => (ProductKind::VectorMatrix, c),
            CollectiveSpec::MatrixVector(c) => (ProductKind::MatrixVector, c),
            CollectiveSpec::MatrixMatrix(c) => (ProductKind::MatrixMatrix, c),
            _ => return Ok(None),
        };
        let product = self.definition(kind, collective)?;
        let request = self.product_request(kind, collective);
        if !product::is_too_long(&self.network, &request) {
            return Ok(None);
        }
        operands::held(&self.spec, &product)?;
        let made = product_trains::schedule(&self.network, &request)
            .map_err(|error| CliError::infeasible(&self.spec, &error))?;
        self.progress.next("checking");
        let checked =
            check_trains(&self.network, made, product).map_err(|error| CliError::refused(&self.spec, &error))?;
        self.progress.done();
        Ok(Some(checked))
    }

    fn definition(&self, kind: ProductKind, collective: &ProductSpec) -> Result<Product, CliError> {
        let ProductSpec { algorithm, block, signed, .. } = *collective;
        let (order, element_bits) = (self.order(algorithm, block)?, self.spec.router.payload_bits);
        let accumulator_bits = collective.accumulator(order, element_bits);
        Ok(Product { kind, order, element_bits, signed, accumulator_bits })
    }

    fn product_request(&self, kind: ProductKind, collective: &ProductSpec) -> ProductRequest<'static> {
        let ProductSpec { algorithm, block, mac_cycles, .. } = *collective;
        ProductRequest { algorithm: algorithm.name(), kind, block, mac_cycles, hop: self.hop }
    }

    fn product(self, kind: ProductKind, collective: &ProductSpec) -> Result<Box<dyn Work>, CliError> {
        let product = self.definition(kind, collective)?;
        let request = self.product_request(kind, collective);
        self.matrix(product, &request)
    }

    fn transpose(self, collective: &TransposeSpec) -> Result<Box<dyn Work>, CliError> {
        let TransposeSpec { algorithm, block } = *collective;
        let (order, bits) = (self.order(algorithm, block)?, self.spec.router.payload_bits);
        let kind = ProductKind::Transpose;
        let product = Product { kind, order, element_bits: bits, signed: false, accumulator_bits: bits };
        let request = ProductRequest { algorithm: algorithm.name(), kind, block, mac_cycles: 0, hop: self.hop };
        self.matrix(product, &request)
    }

    /// Rows of the matrix. The parser has refused an algorithm that does not fit the network.
    fn order(&self, algorithm: ProductAlgorithm, block: u32) -> Result<u32, CliError> {
        let blocks = algorithm.blocks(self.network.k(), self.network.m());
        let unfit = || CliError::Internal(format!("`{}` does not fit the network", algorithm.name()));
        Ok(blocks.ok_or_else(unfit)? * block)
    }

    fn matrix(self, product: Product, request: &ProductRequest<'_>) -> Result<Box<dyn Work>, CliError> {
        let made =
            product::schedule(&self.network, request).map_err(|error| CliError::infeasible(&self.spec, &error))?;
        self.progress.next("checking");
        tracing::info!("`{}` made {} sends of {}", made.algorithm, made.sends.len(), self.spec.collective.kind());
        let schedule = check_product(&self.network, made, product, self.spec.schedule.seed);
        let schedule = schedule.map_err(|error| CliError::refused(&self.spec, &error))?;
        self.progress.done();
        Ok(Box::new(ProductWork { spec: self.spec, host: self.host, schedule }))
    }
}

/// Proved product that is too large to be listed packet by packet, scheduled in trains; none for anything else.
///
/// # Errors
/// As [`Plan::work`].
pub fn trains(spec: &Spec, context: &Context) -> Result<Option<CheckedTrains>, CliError> {
    match spec.network.swapped_dragonfly() {
        None => Ok(None),
        Some(_) => Plan::new(spec.clone(), Progress::new(context, "scheduling"))?.trains(),
    }
}
