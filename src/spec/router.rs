//! `[router]`: the family of routers, and options of its hardware.

use crate::collective::pops::traffic_keys::Arbitration;
use schemars::JsonSchema;
use serde::Serialize;

/// `[router]`: the family of routers and its options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct RouterSpec {
    /// The router family. Unset: the one that the collective needs.
    pub kind: RouterKind,
    /// Width of the data in a packet, in bits.
    #[schemars(extend("enum" = [8, 16, 32, 64]))]
    pub payload_bits: u32,
    /// Parity bit in every packet, checked on arrival.
    pub parity: bool,
    /// Record in each router of the port that saw a fault, beside the sticky error bit.
    pub error_log: bool,
    /// Clock cycles of a local hop.
    #[schemars(range(min = 1, max = 16))]
    pub local_stages: u32,
    /// Clock cycles of a global hop.
    #[schemars(range(min = 1, max = 16))]
    pub global_stages: u32,
    /// Clock cycles of a hop that a packet spends in the crossbar; the other cycles are registers on the way. Unset: all, up to two, or three
    /// where a router has eight ports of a kind or more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 3))]
    pub crossbar_stages: Option<u32>,
    /// Crosspoints of slot-table routers.
    #[serde(skip_serializing_if = "Crosspoints::is_default")]
    pub crosspoints: Crosspoints,
    /// Copying of packets by routers. Without it, every hop of a broadcast ends in the endpoint, which sends the copies.
    #[serde(skip_serializing_if = "is_true")]
    #[schemars(extend("default" = true))]
    pub copies: bool,
    /// Clock cycles from a packet's arrival at an endpoint that copies to its copies at the router, one over each port that needs one.
    /// Unset: 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1024))]
    pub software_cycles: Option<u32>,
    /// Clock cycles of a slot of POPS: words of a packet.
    #[serde(skip_serializing_if = "is_one")]
    #[schemars(extend("default" = 1), range(min = 1, max = 16))]
    pub slot_cycles: u32,
    /// Arbitration of the couplers of POPS where nothing is scheduled. Unset: they follow a schedule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Arbitration")]
    pub arbitration: Option<Arbitration>,
    /// Packets that each queue of a processor has room for, where couplers arbitrate. Unset: 4.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 64))]
    pub queue_depth: Option<u32>,
}

/// Serde: omit when true (the default).
fn is_true(value: &bool) -> bool {
    *value
}

/// Serde: omit when 1 (the default).
fn is_one(value: &u32) -> bool {
    *value == 1
}

impl RouterSpec {
    /// Clock cycles that a packet of a broadcast spends in the endpoint of each router that it comes to; 0 where routers copy.
    pub fn software(&self) -> u32 {
        if self.copies { 0 } else { self.software_cycles.unwrap_or(1) }
    }
}

impl Default for RouterSpec {
    fn default() -> Self {
        Self {
            kind: RouterKind::SourceVector,
            payload_bits: 32,
            parity: false,
            error_log: true,
            local_stages: 1,
            global_stages: 1,
            crossbar_stages: None,
            crosspoints: Crosspoints::Used,
            copies: true,
            software_cycles: None,
            slot_cycles: 1,
            arbitration: None,
            queue_depth: None,
        }
    }
}

/// Crosspoints that are built.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Crosspoints {
    /// Crosspoints that the program uses.
    #[default]
    Used,
    /// All of them, for programs that are not known yet.
    All,
}

impl Crosspoints {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A router family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum RouterKind {
    /// Router without buffers, steered by a source vector of which each hop removes its part; for all-to-all.
    SourceVector,
    /// Bufferless, steered by a header that counts its hops, and able to copy; for all other collectives of the Swapped Dragonfly.
    SynchronizingHeader,
    /// Couplers of a POPS network, from every group of processors to every group.
    PopsCoupler,
    /// A table a node with a row a cycle, for any program on any network.
    SlotTable,
}

impl RouterKind {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// True if routers are slot tables, which run any scheduled program on any network.
    pub fn is_slot_table(self) -> bool {
        self == RouterKind::SlotTable
    }
}
