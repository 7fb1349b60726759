//! Entry of a collective or a topology in the registries.

use super::table::{Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterKind, RouterSpec};

/// Check of a collective on a network of one topology: its keys against each other and the sizes.
pub(super) type Check = fn(&mut Findings, &NetworkSpec, &RouterSpec, &CollectiveSpec);

/// Reader of `[collective]`.
pub(super) type Reader = fn(TableReader<'_, '_>) -> CollectiveSpec;

/// Kind of collective.
pub(super) struct Kind {
    /// Name in a specification.
    pub name: &'static str,
    /// Reader of `[collective]`.
    pub read: Reader,
    /// Topologies on which the collective runs, each with its check.
    pub runs_on: &'static [(&'static str, Check)],
    /// Reader on networks of any topology that runs in slot tables; none if it does not run there.
    pub general: Option<Reader>,
    /// Keys that are easily written into another table.
    pub keys: &'static [&'static str],
    /// Router family that it needs where the topology does not say.
    pub router: RouterKind,
    /// Hardware has crossbars.
    pub crossbar: bool,
    /// Programs have rows.
    pub rows: bool,
    /// Support for routers that do not copy.
    pub uncopied: bool,
    /// Traffic is scheduled.
    pub scheduled: bool,
}

impl Kind {
    /// A scheduled collective on routers that copy and have crossbars.
    pub const fn new(name: &'static str, read: Reader, runs_on: &'static [(&'static str, Check)]) -> Self {
        let router = RouterKind::SynchronizingHeader;
        Self {
            name,
            read,
            runs_on,
            general: None,
            keys: &[],
            router,
            crossbar: true,
            rows: false,
            uncopied: false,
            scheduled: true,
        }
    }

    /// A collective that runs in slot tables alone.
    pub const fn general(name: &'static str, read: Reader) -> Self {
        Self { general: Some(read), ..Self::new(name, read, &[]) }
    }
}

/// Topology of `[network]`.
pub(super) struct TopologyKind {
    /// Name in a specification.
    pub name: &'static str,
    /// Name in a message, with its article.
    pub who: &'static str,
    /// Reader of the sizes; None if they are bad and reported.
    pub read: fn(TableReader<'_, '_>) -> Option<NetworkSpec>,
    /// Keys that are easily written into another table.
    pub keys: &'static [&'static str],
    /// Router family of all collectives; unset: that of the collective.
    pub router: Option<RouterKind>,
    /// Commented specification to start from.
    pub starter: &'static str,
}
