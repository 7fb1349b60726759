//! Detectors of the Swapped Dragonfly, whose routers read headers.

mod crossbar;

pub(super) use crossbar::Crossbar;

use super::Detectors;
use crate::lower::swapped_dragonfly::{Frame, HeaderForm};
use crate::lower::{Point, PointKind};
use crate::model::Model;

impl Detectors {
    /// Detectors of routers with headers, whose receive ports report `late` cycles after their registers.
    pub fn of_headers(model: &Model, frame: &Frame, late: u64) -> Self {
        // who stays in a router asks for an output later, and relays of routers that do not copy have conflicts of their own
        let stays = model.program().hops.iter().any(|hop| hop.wait > 0);
        let crossbar = (!stays && frame.header != HeaderForm::Carried).then(|| Crossbar::new(frame, *model.layout()));
        // a router with synchronizing headers may hear what comes over a local channel
        let is_global = |point: &Point| point.kind == PointKind::Channel && point.port >= frame.network.local_ports();
        let unread = model.layout().points().filter(is_global).collect();
        let detectors = Self::at_receivers(model, late);
        Self { crossbar, never_conflict: false, has_headers: true, unread, ..Self::new(model, detectors) }
    }
}
