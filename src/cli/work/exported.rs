//! A checked piece of work as a program on its network, with the tables that an export repeats.

use crate::cli::{CliError, Exit};
use crate::program::{Document, Expansion, Program};
use crate::topology::Topology;
use serde_json::Value;
use std::io::{self, Write};

/// Most transfers that are written unless it is forced: about 5 GB.
const TRANSFER_LIMIT: u64 = 200_000_000;
/// Most transfers of a program that is held in full.
pub const MOST_TRANSFERS: u64 = 1_000_000;

/// A program on its network, with the specification's tables, defaults filled in.
pub struct Exported {
    /// Network.
    pub net: Box<dyn Topology + Sync>,
    /// Program of all nodes.
    pub program: Program,
    /// Table of the network.
    pub network: Value,
    /// Table of the collective, with its packets where the form has no name for it.
    pub collective: Value,
}

impl Exported {
    /// Every packet and transfer of the program.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Infeasible`] if they cannot be numbered.
    pub fn expansion(&self) -> Result<Expansion<'_, dyn Topology + Sync>, CliError> {
        Expansion::new(self.net.as_ref(), &self.program).map_err(|error| refused(error.to_string()))
    }

    /// The schedule in full, in memory.
    ///
    /// # Errors
    /// As [`Self::expansion`], and above a million transfers.
    pub fn document(&self) -> Result<Document, CliError> {
        let expansion = self.expansion()?;
        let transfers = expansion.transfer_count();
        if transfers > MOST_TRANSFERS {
            return Err(refused(format!("the schedule in full is {transfers} transfers: take a smaller network")));
        }
        Ok(Document::new(&expansion, [&self.network, &self.collective]))
    }

    /// Writes the schedule in full.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Infeasible`] above 200 million transfers unless `force`.
    pub fn write(
        &self,
        force: bool,
        writer: &mut dyn Write,
        failed: impl Fn(io::Error) -> CliError,
    ) -> Result<(), CliError> {
        let expansion = self.expansion()?;
        let (transfers, packets) = (expansion.transfer_count(), expansion.packet_count());
        if transfers > TRANSFER_LIMIT && !force {
            return Err(refused(format!(
                "the schedule in full is {transfers} transfers ({packets} packets), above the limit of {TRANSFER_LIMIT}; \
                 export a smaller network, read the compact program instead, or pass --force"
            )));
        }
        expansion.write([&self.network, &self.collective], writer).map_err(failed)
    }
}

fn refused(message: String) -> CliError {
    CliError::failed(Exit::Infeasible, message, "`--format table` prints less: one program, if all nodes have the same")
}
