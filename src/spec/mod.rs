//! Specifications: the TOML text in which a user says what to build.
//!
//! [`Spec::load`] and [`Spec::parse`] give either a complete specification, every default filled in, or all that is
//! wrong with the text, each error on its line and column. Nothing is looked up later: a [`Spec`] holds values that are
//! in range and agree with each other. What only a later stage can refuse (an algorithm that does not apply to the
//! network, a part that is too small) that stage points at the line through [`Spec::diagnostic`].
//!
//! The documented types here are also the source of the JSON schema, see [`schema`].

mod collective;
mod diagnostic;
mod embed;
mod exchange;
mod parse;
mod parse_collective;
mod parse_embed;
mod parse_pops;
mod parse_product;
mod parse_traffic;
pub mod pops;
pub mod product;
pub mod schema;
pub mod starter;
mod table;
mod table_lists;
pub mod traffic;

pub use collective::{Algorithm, AllToAllSpec, BroadcastAlgorithm, BroadcastSpec, CollectiveSpec, MAX_COUNT, Pipeline};
pub use diagnostic::{Diagnostic, DiagnosticJson};
pub use embed::{Build, EmbedSpec};
pub use exchange::{ExchangeAlgorithm, MAX_EXCHANGE_WORDS, Operator, ReduceSpec, SortSpec};
pub use parse::MAX_ROUTERS;
pub use product::{AccumulatorBits, ProductAlgorithm, ProductSpec, TransposeSpec};

use crate::input;
use crate::topology::swapped_dragonfly::Group;
use diagnostic::Source;
use schemars::JsonSchema;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Most bytes of a specification: enough for a permutation of 2^20 processors as a list.
const MAX_BYTES: u64 = 12 << 20;

/// A specification: what to build, complete and in range.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, title = "metronoc specification")]
pub struct Spec {
    /// Version of the specification's form; 1.
    #[schemars(extend("const" = 1))]
    pub format: u32,
    /// The network.
    pub network: NetworkSpec,
    /// The routers of the network.
    #[schemars(default)]
    pub router: RouterSpec,
    /// The traffic and the algorithm that schedules it.
    #[schemars(default)]
    pub collective: CollectiveSpec,
    /// The search for the schedule, and its storage.
    #[schemars(default)]
    pub schedule: ScheduleSpec,
    #[serde(skip)]
    origin: Origin,
}

/// Text of a specification, and the place of each key in it.
#[derive(Debug, Clone)]
struct Origin {
    source: Source,
    /// Dotted name of a table or key → its place in the text.
    places: BTreeMap<String, Range<usize>>,
}

/// `[network]`: a topology and its sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "topology", rename_all = "kebab-case")]
pub enum NetworkSpec {
    /// The Swapped Dragonfly D3(K,M).
    SwappedDragonfly(SwappedDragonflySpec),
    /// Partitioned optical passive stars, POPS(d,g).
    Pops(pops::PopsSpec),
}

impl NetworkSpec {
    /// The Swapped Dragonfly, if it is one.
    pub const fn swapped_dragonfly(&self) -> Option<&SwappedDragonflySpec> {
        match self {
            NetworkSpec::SwappedDragonfly(network) => Some(network),
            NetworkSpec::Pops(_) => None,
        }
    }

    /// The partitioned optical passive stars, if it is one.
    pub const fn pops(&self) -> Option<&pops::PopsSpec> {
        match self {
            NetworkSpec::Pops(network) => Some(network),
            NetworkSpec::SwappedDragonfly(_) => None,
        }
    }
}

/// A Swapped Dragonfly of K cabinets of M drawers of M routers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SwappedDragonflySpec {
    /// Number of cabinets, K. K·M² is at most 2^20, and K·M²·(K + M - 1) less than 2^32.
    #[schemars(range(min = 1, max = 4096))]
    pub k: u32,
    /// Number of drawers a cabinet and of routers a drawer, M.
    #[schemars(range(min = 2, max = 1024))]
    pub m: u32,
    /// The arithmetic of coordinates; "xor" needs powers of two.
    #[schemars(default)]
    pub group: Group,
    /// Smaller networks inside this one; the collective runs in each of them at once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default, schema_with = "embed::one_or_more")]
    pub embed: Vec<EmbedSpec>,
    /// Routers (c,d,p) that are not used. Without `embed`, the largest network that lacks them is embedded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(default)]
    pub exclude: Vec<[u32; 3]>,
    /// Routers that hardware is built of where a network is embedded.
    #[serde(skip_serializing_if = "Build::is_default")]
    #[schemars(default)]
    pub build: Build,
}

/// `[router]`: the family of routers and what is built into them.
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
    #[schemars(with = "traffic::Arbitration")]
    pub arbitration: Option<traffic::Arbitration>,
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
            copies: true,
            software_cycles: None,
            slot_cycles: 1,
            arbitration: None,
            queue_depth: None,
        }
    }
}

/// A router family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum RouterKind {
    /// Bufferless, steered by a source vector that sheds what is no longer needed; for all-to-all.
    SourceVector,
    /// Bufferless, steered by a header that counts its hops, and able to copy; for all other collectives.
    SynchronizingHeader,
    /// Couplers of a POPS network, from every group of processors to every group.
    PopsCoupler,
}

impl RouterKind {
    /// The name in a specification.
    pub const fn name(self) -> &'static str {
        match self {
            RouterKind::SourceVector => "source-vector",
            RouterKind::SynchronizingHeader => "synchronizing-header",
            RouterKind::PopsCoupler => "pops-coupler",
        }
    }
}

/// `[schedule]`: the search for the schedule, and its storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, default)]
pub struct ScheduleSpec {
    /// Memory of the slot tables.
    pub storage: Storage,
    /// Owner of the slot tables.
    pub program: Placement,
    /// Rows of the slot tables of an all-to-all, at least the schedule's period: the cycles from one pass to the next. On POPS, rows of
    /// a processor's program. For programs that are loaded into hardware with so many. Unset: as few as the schedule takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 1_048_576))]
    pub rows: Option<u32>,
    /// Packets that a processor of POPS has places for. For programs that are loaded into hardware with so many. Unset: as few as the
    /// schedule needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1, max = 4096))]
    pub buffers: Option<u32>,
    /// Seconds that a search may take.
    #[schemars(range(min = 1, max = 86400))]
    pub time_limit_s: u32,
    /// Seed of every random choice.
    #[schemars(range(max = 9_223_372_036_854_775_807_u64))]
    pub seed: u64,
}

impl Default for ScheduleSpec {
    fn default() -> Self {
        Self { storage: Storage::Rom, program: Placement::Router, rows: None, buffers: None, time_limit_s: 60, seed: 0 }
    }
}

/// Memory of the slot tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Storage {
    /// Read-only memory, part of the bitstream.
    Rom,
    /// Memory that the host can reload over the stream port.
    Ram,
    /// Counters that generate the table; not every algorithm has them.
    Counter,
}

/// Owner of the slot tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Every router its own copy.
    Router,
    /// One copy, broadcast to all routers over a registered tree.
    Shared,
}

impl Spec {
    /// Reads a specification from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or holds anything but a specification; see [`SpecError`].
    pub fn load(path: &Path) -> Result<Self, SpecError> {
        let name = path.display().to_string();
        match input::read(path, MAX_BYTES).map(input::text) {
            Ok(Ok(text)) => Self::parse(&name, &text),
            Ok(Err(line)) => Err(SpecError::NotUtf8 { name, line }),
            Err(_) if path.is_dir() => Err(SpecError::Directory { name }),
            Err(source) => Err(SpecError::Read { name, source }),
        }
    }

    /// Reads a specification from text; `name` stands for the file in diagnostics.
    ///
    /// # Errors
    /// [`SpecError::Invalid`] with everything that is wrong with the text.
    pub fn parse(name: &str, text: &str) -> Result<Self, SpecError> {
        let source = Source { name: name.into(), text: text.into() };
        parse::parse(source).map_err(|diagnostics| SpecError::Invalid { diagnostics })
    }

    /// The specification's text as the user wrote it.
    pub fn text(&self) -> &str {
        &self.origin.source.text
    }

    /// SHA-256 of the specification's text, in hexadecimal.
    pub fn sha256(&self) -> String {
        Sha256::digest(self.text()).iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// The name under which the specification was read.
    pub fn name(&self) -> &str {
        &self.origin.source.name
    }

    /// An error of a later stage, on the line at fault: `field` is a dotted name such as `collective.s`. Where the text
    /// does not have the key, the diagnostic points at its table, and where it lacks the table too, at the whole file.
    pub fn diagnostic(&self, field: &str, message: impl Into<String>, help: impl Into<String>) -> Diagnostic {
        let places = &self.origin.places;
        let table = field.split_once('.').map(|(table, _)| table);
        let diagnostic = Diagnostic::new(&self.origin.source, message).help(help);
        match (places.get(field), table.and_then(|t| places.get(t))) {
            (Some(place), _) => diagnostic.at(place.clone(), ""),
            (None, Some(place)) => diagnostic.at(place.clone(), format!("`{field}` is at its default here")),
            (None, None) => diagnostic.note(format!("`{field}` is at its default")),
        }
    }
}

/// Errors of reading a specification.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// The file cannot be read.
    #[error("cannot read `{name}`: {source}")]
    Read {
        /// The file.
        name: String,
        /// Error of the system.
        source: io::Error,
    },
    /// A folder was named.
    #[error("`{name}` is a folder, not a specification")]
    Directory {
        /// The folder.
        name: String,
    },
    /// The file is not text.
    #[error("`{name}` is not UTF-8 text: line {line} has a byte that is none")]
    NotUtf8 {
        /// The file.
        name: String,
        /// The first bad line, from 1.
        line: usize,
    },
    /// The text is not a specification.
    #[error("{}", diagnostics.iter().map(|d| d.render(false)).collect::<Vec<_>>().join("\n\n"))]
    Invalid {
        /// All errors, in the order of the text.
        diagnostics: Vec<Diagnostic>,
    },
}

impl SpecError {
    /// The error as diagnostics, each ready to be shown.
    pub fn diagnostics(self) -> Vec<Diagnostic> {
        let message = match self {
            SpecError::Invalid { diagnostics } => return diagnostics,
            _ => self.to_string(),
        };
        match self {
            SpecError::Invalid { diagnostics } => diagnostics,
            SpecError::Read { name, source } if source.kind() == io::ErrorKind::NotFound => {
                let help = "`metronoc new swapped-dragonfly -o FILE` writes a starter";
                vec![Diagnostic::bare(format!("there is no file `{name}`")).help(help)]
            }
            SpecError::Read { source, .. } => {
                let help = match source.kind() {
                    io::ErrorKind::FileTooLarge => "name a specification; long lists go into files that `file` names",
                    io::ErrorKind::TimedOut => "start what writes to the pipe first, or name a file",
                    _ => "check that the file may be read",
                };
                vec![Diagnostic::bare(message).help(help)]
            }
            SpecError::Directory { .. } => vec![Diagnostic::bare(message).help("name a .toml file in it")],
            SpecError::NotUtf8 { .. } => vec![Diagnostic::bare(message).help("save the file as UTF-8")],
        }
    }
}
