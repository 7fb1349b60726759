//! Entry of a collective or a topology in the registries.

use super::table::{Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterKind, RouterSpec, ScheduleSpec};
use super::{general, parse_general, parse_general_collective};
use crate::collective::general as collective;
use crate::topology;
use toml::Spanned;
use toml::de::DeTable;

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
        /// The same topology in slot tables, if it runs there, too.
        in_slot_tables: Option<InSlotTables>,
    },
    /// Keys of a topology that runs in slot tables.
    General(&'static topology::Kind),
}

/// Topology with a router family of its own that runs in slot tables, too.
#[derive(Clone, Copy)]
pub(super) struct InSlotTables {
    /// Entry of the topology in slot tables.
    pub kind: &'static topology::Kind,
    /// Choice between the two for the tables of a specification; None for the topology's own family.
    pub chosen: Chosen,
}

/// Entry of a topology in slot tables, where a specification with this table `[network]` asks for them; by all names of collectives.
pub(super) type Chosen =
    fn(&TableReader<'_, '_>, Option<&Spanned<DeTable<'_>>>, &[(&'static str, Kind)]) -> Option<TopologyKind>;

impl TopologyKind {
    /// The topology as a specification means it: in slot tables, if it runs there and is asked for so.
    pub fn as_written(
        self,
        top: &TableReader<'_, '_>,
        network: Option<&Spanned<DeTable<'_>>>,
        kinds: &[(&'static str, Kind)],
    ) -> Self {
        let slots = self.in_slot_tables().and_then(|slots| (slots.chosen)(top, network, kinds));
        slots.unwrap_or(self)
    }

    /// The topology in slot tables beside a router family of its own, if there is one.
    pub fn in_slot_tables(&self) -> Option<InSlotTables> {
        match self.sizes {
            SizeKeys::Own { in_slot_tables, .. } => in_slot_tables,
            SizeKeys::General(_) => None,
        }
    }

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
