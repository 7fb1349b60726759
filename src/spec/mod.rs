//! Specifications: the TOML text that defines the network, the collective and the schedule.
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
mod endpoint;
mod exchange;
pub mod general;
mod kind;
mod network;
mod network_schema;
mod parse;
mod parse_all_to_all;
mod parse_broadcast;
mod parse_crossbar;
mod parse_embed;
mod parse_endpoint;
mod parse_exchange;
mod parse_general;
mod parse_general_collective;
mod parse_pops;
mod parse_product;
mod parse_relation;
mod parse_slot_table;
mod parse_swapped_dragonfly;
mod parse_traffic;
pub mod pops;
pub mod product;
mod registry;
mod relation_keys;
mod router;
pub mod schema;
mod sequence;
mod shared;
pub mod starter;
mod storage;
mod table;
mod table_lists;

pub use crate::collective::general::{BlockSpec, GeneralCollective};
pub use crate::collective::pops::traffic_keys as traffic;
pub use crate::collective::{Operator, keys as relation};
pub use collective::{AllToAllAlgorithm, AllToAllSpec, BroadcastAlgorithm, BroadcastSpec, CollectiveSpec, Pipeline};
pub use diagnostic::{Diagnostic, DiagnosticJson};
pub use embed::{EmbedSpec, HostBuild};
pub use endpoint::{Clocks, EndpointSpec, Interface};
pub use exchange::{ExchangeAlgorithm, MAX_EXCHANGE_WORDS, ReduceSpec, SortSpec};
pub use general::{GeneralNetwork, NetworkOptions, Ports};
pub use network::{Listed, NetworkSpec, SwappedDragonflySpec};
pub use product::{AccumulatorBits, ProductAlgorithm, ProductSpec, TransposeSpec};
pub use router::{Crosspoints, RouterKind, RouterSpec};
pub use shared::MAX_ROUTERS;
pub use storage::{Placement, ScheduleSpec, Storage};

use crate::hash::sha256;
use crate::input;
use diagnostic::Source;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use table::Findings;

/// Most bytes of a specification: enough for a permutation of 2^20 processors as a list.
const MAX_BYTES: u64 = 12 << 20;

/// Specification of a network, its collective and its schedule, complete and in range.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields, title = "metronoc specification")]
pub struct Spec {
    /// Version of the specification's form; 1.
    #[schemars(extend("const" = 1))]
    pub format: u32,
    /// The network.
    #[schemars(schema_with = "network_schema::of_all_topologies")]
    pub network: NetworkSpec,
    /// The routers of the network.
    #[schemars(default)]
    pub router: RouterSpec,
    /// The traffic and the algorithm that schedules it.
    #[schemars(default, schema_with = "collective::on_any_network")]
    pub collective: CollectiveSpec,
    /// The search for the schedule, and its storage.
    #[schemars(default)]
    pub schedule: ScheduleSpec,
    /// The streams over which words go into tiles and results come out.
    #[serde(skip_serializing_if = "EndpointSpec::is_default")]
    #[schemars(default)]
    pub endpoint: EndpointSpec,
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

impl Spec {
    /// Reads a specification from a file.
    ///
    /// # Errors
    /// If the file cannot be read, is not UTF-8, or holds anything but a specification; see [`SpecError`].
    pub fn load(path: &Path) -> Result<Self, SpecError> {
        let name = match path == Path::new(input::STANDARD_INPUT) {
            true => "<standard input>".to_owned(),
            false => path.display().to_string(),
        };
        let text = text_of(path, &name, MAX_BYTES, "`metronoc new swapped-dragonfly -o FILE` writes a starter")?;
        Self::parse(&name, &text)
    }

    /// Reads a specification from text; `name` stands for the file in diagnostics.
    ///
    /// # Errors
    /// [`SpecError::Invalid`] with everything that is wrong with the text.
    pub fn parse(name: &str, text: &str) -> Result<Self, SpecError> {
        let source = Source { name: name.into(), text: text.into() };
        let parsed = parse::parse(source).map_err(|diagnostics| SpecError::Invalid { diagnostics })?;
        let ((network, router, collective, schedule, endpoint), Findings { source, places, .. }) = parsed;
        Ok(Self { format: 1, network, router, collective, schedule, endpoint, origin: Origin { source, places } })
    }

    /// Specification of a schedule in full, whose file has this name; `text` stands for its contents.
    pub fn listed(name: &str, text: &str) -> Self {
        let source = Source { name: name.into(), text: text.into() };
        Self {
            format: 1,
            network: NetworkSpec::Listed(Listed {}),
            router: RouterSpec { kind: RouterKind::SlotTable, ..RouterSpec::default() },
            collective: CollectiveSpec::Listed(Listed {}),
            schedule: ScheduleSpec::default(),
            endpoint: EndpointSpec::default(),
            origin: Origin { source, places: BTreeMap::new() },
        }
    }

    /// Specifications of the collectives of a sequence, each as if the others were not in the text; empty if there is one collective.
    pub fn parts(&self) -> Vec<Self> {
        let of = |(index, collective): (usize, &GeneralCollective)| {
            let mut part = Self { collective: CollectiveSpec::General(collective.clone()), ..self.clone() };
            sequence::take(&mut part.origin.places, index);
            part
        };
        self.collective.sequence().iter().enumerate().map(of).collect()
    }

    /// The specification's text as the user wrote it.
    pub fn text(&self) -> &str {
        &self.origin.source.text
    }

    /// SHA-256 of the specification's text, in hexadecimal.
    pub fn sha256(&self) -> String {
        sha256(self.text())
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
    /// There is no file of this name.
    #[error("there is no file `{name}`")]
    Missing {
        /// The file.
        name: String,
        /// What such a file holds, or how to get one.
        help: &'static str,
    },
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
    #[error("`{name}` is not UTF-8 text: line {line} has an invalid byte")]
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
            SpecError::Missing { help, .. } => vec![Diagnostic::bare(message).help(help)],
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

/// Text of a file that is called `name` in errors, of at most `most` bytes; `missing` helps whoever names a file that is not there.
pub(crate) fn text_of(path: &Path, name: &str, most: u64, missing: &'static str) -> Result<String, SpecError> {
    let name = || name.to_owned();
    match input::read(path, most).map(input::text) {
        Ok(Ok(text)) => Ok(text),
        Ok(Err(line)) => Err(SpecError::NotUtf8 { name: name(), line }),
        Err(_) if path.is_dir() => Err(SpecError::Directory { name: name() }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(SpecError::Missing { name: name(), help: missing })
        }
        Err(source) => Err(SpecError::Read { name: name(), source }),
    }
}
