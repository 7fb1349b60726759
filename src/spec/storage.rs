//! `[schedule]`: the search for the schedule, and its storage.

use schemars::JsonSchema;
use serde::Serialize;

/// `[schedule]`: the search for the schedule, and its storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct ScheduleSpec {
    /// Memory of the slot tables.
    pub storage: Storage,
    /// Owner of the slot tables.
    pub program: Placement,
    /// Rows of the slot tables of an all-to-all, at least the schedule's period: the cycles from one pass to the next.
    /// On POPS: rows of a processor's program. Set it for hardware into which longer programs will be loaded. Unset: as
    /// many as the schedule needs; for slot-table routers with `storage` = "ram", the next power of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1_048_576))]
    pub rows: Option<u32>,
    /// Packets that a processor of POPS can store; for slot-table routers with `storage` = "ram", words of a bank. Set
    /// it for hardware into which larger programs will be loaded. Unset: as many as the schedule needs, or the next
    /// power of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 4096))]
    pub buffers: Option<u32>,
    /// Effort of a search, in seconds of a typical machine: 10, and on topologies that run in slot tables 2, of each algorithm.
    #[schemars(range(min = 1, max = 86400))]
    pub time_limit_s: u32,
    /// Seed of every random choice.
    #[schemars(range(max = 9_223_372_036_854_775_807_u64))]
    pub seed: u64,
}

impl Default for ScheduleSpec {
    fn default() -> Self {
        Self { storage: Storage::Rom, program: Placement::Router, rows: None, buffers: None, time_limit_s: 10, seed: 0 }
    }
}

impl ScheduleSpec {
    /// The default on topologies that run in slot tables, where `best` gives the time limit to each of several searches.
    pub(super) fn of_slot_tables() -> Self {
        Self { time_limit_s: 2, ..Self::default() }
    }
}

/// Memory of the slot tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Storage {
    /// Read-only memory, part of the bitstream.
    Rom,
    /// Memory that the host can reload over the stream port.
    Ram,
    /// Counters that generate the table; not every algorithm has them.
    Counter,
}

/// Owner of the slot tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Placement {
    /// Every router its own copy.
    Router,
    /// One copy, broadcast to all routers over a registered tree.
    Shared,
}
