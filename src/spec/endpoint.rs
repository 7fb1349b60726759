//! `[endpoint]`: the way of words between the tiles of a network and what uses it.

use schemars::JsonSchema;
use serde::Serialize;

/// `[endpoint]`: streams over which words go into tiles and results come out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct EndpointSpec {
    /// Streams of the network's top.
    pub interface: Interface,
    /// Clock cycles from one start of a collective to the next, with `interface` = "axi-stream". Unset: a collective starts when all tiles are
    /// ready.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 16_777_216))]
    pub period: Option<u32>,
    /// Queues for a whole collective's words at every tile, with `interface` = "axi-stream": a core sends words of the next collective and takes
    /// results of the last one while one runs.
    pub double_buffer: bool,
    /// Clocks of the tiles' streams, with `interface` = "axi-stream".
    pub clocks: Clocks,
}

impl EndpointSpec {
    /// Serde: omit when everything is at its default.
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// True if every tile has streams of its own.
    pub fn has_tile_ports(&self) -> bool {
        self.interface == Interface::AxiStream
    }
}

/// Clocks of streams.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Clocks {
    /// Clock of the network.
    #[default]
    One,
    /// A clock for each tile's streams, with queues from it to the network's clock and back.
    Own,
}

/// Streams of a network's top.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Interface {
    /// One AXI4-Stream each way for the whole network, over which the host reaches every tile.
    #[default]
    HostStream,
    /// An AXI4-Stream each way at every tile, without a host.
    AxiStream,
}
