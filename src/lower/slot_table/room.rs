//! Memory of the tables, which sets their sizes.

use super::alike::Common;
use super::error::SlotTableError;
use super::table::NodeTable;
use super::traffic::MAX_ROWS;
use crate::lower::LowerError;

/// Memory of the tables, which sets their sizes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Room<'a> {
    /// Read-only, of the sizes that the program needs.
    Rom,
    /// None: counters make the tables, of the sizes that the program needs.
    Counter,
    /// Memory for programs that are not known yet, with the given numbers of rows and words of a bank.
    Ram { rows: Option<u32>, buffers: Option<u32> },
    /// Sizes of existing hardware.
    Of(&'a Common, u32),
}

impl Room<'_> {
    /// True if the host can load other programs.
    pub(super) fn is_loadable(self) -> bool {
        matches!(self, Room::Ram { .. } | Room::Of(..))
    }

    /// Number of rows of a table for a program that needs `needed` rows.
    pub(super) fn rows(self, needed: u32) -> Result<u32, LowerError> {
        let rows = match self {
            Room::Rom | Room::Counter => needed,
            Room::Ram { rows, .. } => rows.unwrap_or(needed.next_power_of_two()),
            Room::Of(_, rows) => rows,
        };
        match rows {
            _ if rows < needed => Err(LowerError::Rows { rows, reason: format!("the schedule takes {needed}") }),
            _ if rows > MAX_ROWS => {
                Err(SlotTableError::Form { what: format!("{rows} rows, and {MAX_ROWS} are built") }.into())
            }
            _ => Ok(rows),
        }
    }

    /// Tables of nodes in memory of these sizes, if their tiles are to be alike, and the sizes.
    pub(super) fn fill(self, nodes: &mut [NodeTable], outputs: u32) -> Result<Common, LowerError> {
        let needed = Common::of(nodes);
        let common = match self {
            Room::Rom | Room::Counter => needed,
            Room::Ram { buffers, .. } => needed.roomy(outputs, buffers)?,
            Room::Of(common, _) => common.holds(&needed).map(|()| common.clone())?,
        };
        nodes.iter_mut().for_each(|node| *node = common.table(node));
        Ok(common)
    }
}
