//! Products of matrices that routers compute by a proved schedule.

use crate::cli::CliError;
use crate::collective::{Operands, Product};

/// Product of matrices, or a transpose, whose schedule is proved.
pub trait ProvedProduct {
    /// Sizes of the product.
    fn product(&self) -> &Product;

    /// Name of the schedule's algorithm.
    fn algorithm(&self) -> &'static str;

    /// Cycles from the first channel to the last.
    fn cycles(&self) -> u32;

    /// Sentence on the form of the schedule, if it is not the usual one.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Result of the routers for these operands, vector after vector, each element cut to the accumulator's width.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    fn compute(&self, operands: &Operands) -> Result<Vec<u64>, CliError>;
}
