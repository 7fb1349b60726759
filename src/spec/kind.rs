//! Entry of a collective or a topology in the registries.

use super::table::{Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterKind, RouterSpec, ScheduleSpec};
use super::{general, parse_general, parse_general_collective};
use crate::collective::general as collective;
use crate::topology;

/// Check of a collective on a network of one topology: its keys against each other and the sizes.
pub(super) type Check = fn(&mut Findings, &NetworkSpec, &RouterSpec, &CollectiveSpec);

/// Check of the keys of `[router]` and `[schedule]` on networks of one topology.
pub(super) type TopologyCheck = fn(&mut Findings, &RouterSpec, &ScheduleSpec, &Kind);

/// Reader of `[collective]`.
pub(super) type Reader = fn(TableReader<'_, '_>) -> CollectiveSpec;

/// Kind of collective.
#[derive(Clone, Copy)]
pub(super) struct Kind {
    /// Name in a specification.
    pub name: &'static str,
    /// Reader of `[collective]` on networks with router families of their own; none if it does not run there.
    pub read: Option<Reader>,
    /// Topologies on which the collective runs, each with its check.
    pub runs_on: &'static [(&'static str, Check)],
    /// Kind on networks of any topology that runs in slot tables; none if it does not run there.
    pub general: Option<&'static collective::Kind>,
    /// Keys that are easily written into another table.
    pub keys: &'static [&'static str],
    /// Lines of `[collective]` below `kind` in the starters of networks with router families of their own. A line `table.key = …` is
    /// for another table, in place of the line of that key, and `- table.key` removes one.
    pub starter: &'static str,
    /// Router family that it needs where the topology does not say.
    pub router: RouterKind,
    /// Hardware has crossbars.
    pub crossbar: bool,
    /// Programs have rows.
    pub rows: bool,
    /// Support for routers that do not copy.
    pub uncopied: bool,
    /// Algorithms of its own run on the hypercube in a network of bitwise arithmetic alone.
    pub hypercube: bool,
    /// Traffic is scheduled.
    pub scheduled: bool,
}

impl Kind {
    /// A scheduled collective on routers that copy and have crossbars.
    pub const fn new(name: &'static str, read: Reader, runs_on: &'static [(&'static str, Check)]) -> Self {
        Self { read: Some(read), runs_on, ..Self::named(name) }
    }

    /// A collective that runs in slot tables alone.
    pub const fn general(kind: &'static collective::Kind) -> Self {
        Self { general: Some(kind), ..Self::named(kind.name) }
    }

    const fn named(name: &'static str) -> Self {
        Self {
            name,
            read: None,
            runs_on: &[],
            general: None,
            keys: &[],
            starter: "",
            router: RouterKind::SynchronizingHeader,
            crossbar: true,
            rows: false,
            uncopied: false,
            hypercube: false,
            scheduled: true,
        }
    }

    /// Reads `[collective]`; `general` is true on networks that run in slot tables.
    pub fn read(&self, table: TableReader<'_, '_>, general: bool) -> CollectiveSpec {
        match (self.read, self.general) {
            (None, Some(kind)) => parse_general_collective::read(kind, table),
            (_, Some(kind)) if general => parse_general_collective::read(kind, table),
            (Some(read), _) => read(table),
            (None, None) => CollectiveSpec::default(),
        }
    }
}

/// Topology of `[network]`.
#[derive(Clone, Copy)]
pub(super) struct TopologyKind {
    /// Name in a specification.
    pub name: &'static str,
    /// Name in a message, with its article.
    pub who: &'static str,
    /// Router family of all collectives; unset: that of the collective.
    pub router: Option<RouterKind>,
    /// Check of the keys of routers and schedules that belong to some networks alone.
    pub check: TopologyCheck,
    /// Keys of the sizes.
    pub sizes: SizeKeys,
}

/// Keys of `[network]` that are sizes of a topology.
#[derive(Clone, Copy)]
pub(super) enum SizeKeys {
    /// Keys of a topology with a router family of its own.
    Own {
        /// Reader of the sizes; None if they are bad and reported.
        read: fn(TableReader<'_, '_>) -> Option<NetworkSpec>,
        /// Keys that are easily written into another table.
        keys: &'static [&'static str],
        /// Commented specification to start from.
        starter: &'static str,
    },
    /// Keys of a topology that runs in slot tables.
    General(&'static topology::Kind),
}

impl TopologyKind {
    /// True if the topology runs in slot tables.
    pub fn is_general(&self) -> bool {
        matches!(self.sizes, SizeKeys::General(_))
    }

    /// Reader of the sizes; None if they are bad and reported.
    pub fn read(&self, table: TableReader<'_, '_>) -> Option<NetworkSpec> {
        match self.sizes {
            SizeKeys::Own { read, .. } => read(table),
            SizeKeys::General(kind) => parse_general::network(kind, table),
        }
    }

    /// Keys that are easily written into another table.
    pub fn keys(&self) -> Vec<&'static str> {
        match self.sizes {
            SizeKeys::Own { keys, .. } => keys.to_vec(),
            SizeKeys::General(kind) => general::keys(kind),
        }
    }
}
