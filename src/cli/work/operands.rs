//! Operands of products of matrices: their limits, and their files.

use crate::cli::{CliError, Exit};
use crate::collective::{Operands, Product};
use crate::spec::Spec;
use std::path::Path;

/// Largest order of matrices whose elements are held in memory: 512 MiB a matrix.
const MAX_ORDER: u32 = 8192;

/// Refuses matrices that are too large to be held.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::Infeasible`], which says the limit.
pub fn held(spec: &Spec, product: &Product) -> Result<(), CliError> {
    if product.order <= MAX_ORDER {
        return Ok(());
    }
    let message = format!("the matrices are of order {}, and at most order {MAX_ORDER} is computed", product.order);
    Err(CliError::at(Exit::Infeasible, spec, "collective.block", message, "take a smaller `block` or network"))
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
    // values that the user did not choose may be cut
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
    Err(CliError::at(Exit::BadSpec, spec, "collective.kind", message, help))
}
