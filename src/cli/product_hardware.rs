//! Products of matrices in hardware: scheduled for its arithmetic, lowered and emitted; and their operands from files.

use super::pipeline::{self, MatrixWork};
use super::{CliError, Context, Exit};
use crate::check::{CheckedProduct, check_product};
use crate::collective::{Operands, Product, ProductKind};
use crate::emit::RtlBundle;
use crate::lower::product::PRODUCT_CYCLES;
use crate::lower::{ProductLowered, lower_product};
use crate::schedule::product::{self, ProductRequest};
use crate::spec::Spec;
use std::path::Path;

/// Largest order of matrices whose elements are held in memory: 512 MiB a matrix.
const MAX_ORDER: u32 = 8192;

/// A product as hardware computes it.
#[derive(Debug)]
pub struct Hardware {
    /// The schedule, in which arithmetic has the cycles that hardware takes.
    pub schedule: CheckedProduct,
    /// What hardware holds.
    pub lowered: ProductLowered,
    /// Cycles of the schedule without arithmetic.
    pub network_cycles: u32,
}

impl MatrixWork {
    /// The product with at least the cycles of arithmetic that hardware takes.
    fn scheduled(&self, mac_cycles: u32) -> Result<CheckedProduct, CliError> {
        let (checked, seed) = (&self.schedule, self.spec.schedule.seed);
        let made = checked.schedule();
        let (algorithm, kind, block, hop) = (made.algorithm, made.kind, made.block, made.hop);
        let request = ProductRequest { algorithm, kind, block, mac_cycles, hop };
        let internal = |error: String| CliError::Internal(error);
        let made = product::schedule(&checked.network(), &request).map_err(|error| internal(error.to_string()))?;
        check_product(&checked.network(), made, *checked.product(), seed).map_err(|error| internal(error.to_string()))
    }

    /// Goes on to what hardware holds.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the product has no form of the kind that the specification asks for.
    pub fn hardware(&self, context: &Context) -> Result<Hardware, CliError> {
        let mac_cycles = self.schedule.schedule().mac_cycles;
        let arithmetic = self.schedule.product().kind != ProductKind::Transpose;
        let network_cycles = match arithmetic && mac_cycles > 0 {
            true => self.scheduled(0)?.cycles(),
            false => self.schedule.cycles(),
        };
        let schedule = match arithmetic && mac_cycles < PRODUCT_CYCLES {
            true => {
                let least = format!("`mac_cycles = {mac_cycles}` is less than hardware takes");
                context.say(format!("{least}: scheduled with {PRODUCT_CYCLES}"));
                self.scheduled(PRODUCT_CYCLES)?
            }
            false => self.schedule.clone(),
        };
        let lowered = lower_product(&schedule, &self.spec).map_err(|e| pipeline::not_lowered(&self.spec, &e))?;
        let lowered = ProductLowered { frame: pipeline::placed(lowered.frame, &self.spec)?, ..lowered };
        Ok(Hardware { schedule, lowered, network_cycles })
    }

    /// The files of the lowered product.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn emitted(&self, lowered: &ProductLowered, path: &Path) -> Result<RtlBundle, CliError> {
        let origin = pipeline::origin(&self.spec, path);
        RtlBundle::product(lowered, &origin).map_err(|error| CliError::Internal(error.to_string()))
    }

    /// The left and the right operand of each of some networks, from files or, where there is none, random.
    ///
    /// # Errors
    /// If a file cannot be used, an element of a result needs more bits than there are, without `wrap`, or a transpose has a right operand.
    pub fn factors(
        &self,
        networks: usize,
        left: Option<&Path>,
        right: Option<&Path>,
    ) -> Result<Vec<Operands>, CliError> {
        let read = |files| operands(&self.spec, self.schedule.product(), networks, files);
        match (self.schedule.product().kind, right) {
            (ProductKind::MatrixVector, _) => read([right, left]),
            (ProductKind::Transpose, Some(_)) => {
                let diagnostic =
                    self.spec.diagnostic("collective.kind", "a transpose has one operand", "leave out `--b`");
                Err(CliError::AtSpec { exit: Exit::Usage, diagnostic: Box::new(diagnostic) })
            }
            _ => read([left, right]),
        }
    }
}

/// Refuses matrices that are too large to be held.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::Infeasible`], which says the limit.
pub fn held(spec: &Spec, product: &Product) -> Result<(), CliError> {
    if product.order <= MAX_ORDER {
        return Ok(());
    }
    let message = format!("the matrices are of order {}, and at most order {MAX_ORDER} is computed", product.order);
    let diagnostic = Box::new(spec.diagnostic("collective.block", message, "take a smaller `block` or network"));
    Err(CliError::AtSpec { exit: Exit::Infeasible, diagnostic })
}

/// The operand and the matrix that the routers of each of some networks have, from files or, where there is none, random ones.
///
/// # Errors
/// If a file cannot be used, or an element of a result needs more bits than there are, without `wrap`.
pub fn operands(
    spec: &Spec,
    product: &Product,
    networks: usize,
    [operand, matrix]: [Option<&Path>; 2],
) -> Result<Vec<Operands>, CliError> {
    held(spec, product)?;
    let operands = product.read_each(networks as u32, operand, matrix, spec.schedule.seed)?;
    let wrap = spec.collective.product().is_none_or(|product| product.wrap);
    // what nobody chose may be cut
    if wrap || (operand.is_none() && matrix.is_none()) {
        return Ok(operands);
    }
    let Some((at, value)) = operands.iter().find_map(|operands| product.overflow(operands)) else {
        return Ok(operands);
    };
    let (n, bits) = (product.order as usize, product.accumulator_bits);
    let sign = if product.signed { "signed" } else { "unsigned" };
    let place = if product.vectors() == 1 { format!("{at}") } else { format!("({},{})", at / n, at % n) };
    let message = format!("element {place} of the result is {value}, which is no {sign} integer of {bits} bits");
    let help = format!("write `wrap = true` to keep sums modulo 2^{bits}, or take smaller numbers");
    let diagnostic = Box::new(spec.diagnostic("collective.kind", message, help));
    Err(CliError::AtSpec { exit: Exit::BadSpec, diagnostic })
}

impl Hardware {
    /// The router that has an element of the result, and which element that is.
    pub fn element(&self, index: usize) -> (String, String) {
        let (n, vectors) = (self.lowered.product.order as usize, self.lowered.product.vectors() as usize);
        let (network, vector, element) = (index / n / vectors, index / n % vectors, index % n);
        let (tile, ..) = self.lowered.result_place(vector as u32, element as u32);
        let frame = &self.lowered.frame;
        let router = format!("router {}", frame.label(frame.tile(network, tile as usize)));
        (router, format!("element {element} of vector {vector} of the result"))
    }

    /// A sentence on how long it takes.
    pub fn cycles(&self) -> String {
        let (cycles, product) = (self.schedule.cycles(), &self.lowered.product);
        let arithmetic = cycles - self.network_cycles;
        format!(
            "product of order {}: {cycles} cycles from the first channel to the last, {} of the network and {arithmetic} of \
             arithmetic; words of {} bits",
            product.order, self.network_cycles, self.lowered.frame.data_bits
        )
    }
}
