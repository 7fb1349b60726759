//! `[collective]` of couplers that arbitrate: traffic without a schedule.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

/// The most processors of a network that arbitrates.
pub const MAX_DYNAMIC_PROCESSORS: u32 = 256;
/// The most receive queues in all of its processors, d·g².
pub const MAX_RECEIVE_QUEUES: u32 = 4096;

/// A number from 0 to 1, in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share(u32);

impl Share {
    /// The number 1.
    pub const ONE: Self = Self(1_000_000);

    /// A number of millionths, at most a million.
    pub const fn from_millionths(millionths: u32) -> Self {
        Self(if millionths < Self::ONE.0 { millionths } else { Self::ONE.0 })
    }

    /// The number in millionths.
    pub const fn millionths(self) -> u32 {
        self.0
    }

    /// The number.
    pub fn value(self) -> f64 {
        f64::from(self.0) / f64::from(Self::ONE.0)
    }
}

impl Serialize for Share {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}

impl JsonSchema for Share {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Share".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A number above 0, up to 1, with at most six digits behind the point.",
            "type": "number", "exclusiveMinimum": 0, "maximum": 1,
        })
    }
}

/// Packets that processors make by chance, for couplers that arbitrate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct TrafficSpec {
    /// Destinations and times of packets.
    pub pattern: TrafficPattern,
    /// Packets that a processor makes in a slot, of as many cycles as a packet has words: a number, or several for a curve.
    #[schemars(schema_with = "one_or_several")]
    pub load: Vec<Share>,
    /// Cycles in which packets are made; then the network is emptied.
    #[schemars(range(min = 100, max = 1_000_000_000))]
    pub cycles: u32,
    /// Seed of the traffic. Unset: that of `[schedule]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 0, max = 9_223_372_036_854_775_807_u64))]
    pub seed: Option<u64>,
    /// Destination processor of the hotspot, for "hotspot".
    #[schemars(range(min = 0, max = 255))]
    pub hotspot: u32,
    /// Share of the packets that go to the hotspot, for "hotspot".
    pub fraction: Share,
    /// Mean number of packets in a burst, for "bursty".
    #[schemars(range(min = 1, max = 10_000))]
    pub burst: u32,
    /// Share of the cycles in which a processor's environment takes an arriving word.
    pub ready: Share,
}

impl Default for TrafficSpec {
    fn default() -> Self {
        Self {
            pattern: TrafficPattern::Uniform,
            load: (1..=10).map(|tenths| Share::from_millionths(100_000 * tenths)).collect(),
            cycles: 20_000,
            seed: None,
            hotspot: 0,
            fraction: Share::from_millionths(500_000),
            burst: 16,
            ready: Share::ONE,
        }
    }
}

fn one_or_several(generator: &mut SchemaGenerator) -> Schema {
    let share = generator.subschema_for::<Share>();
    json_schema!({ "anyOf": [share, { "type": "array", "items": share, "minItems": 1 }] })
}

/// Destinations and times of packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case")]
pub enum TrafficPattern {
    /// Packets to any processor, each with the same probability, at any time.
    Uniform,
    /// A part of them to one processor, the others to any.
    Hotspot,
    /// Many packets on end to one processor, then none for a while.
    Bursty,
    /// Packets to the processor of the same number in the next group, so that all processors of a group want one
    /// coupler.
    Adversarial,
}

impl TrafficPattern {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Choice of a coupler among the senders that ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema, strum::IntoStaticStr, strum::VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Arbitration {
    /// The first processor of the group.
    FixedPriority,
    /// Grants in turn: a sender waits for at most as many packets as there are other senders.
    RoundRobin,
}

impl Arbitration {
    /// The name in a specification.
    pub fn name(self) -> &'static str {
        self.into()
    }
}
