//! Detectors of POPS: a processor hears one coupler at a time.

use super::Detectors;
use crate::lower::PointKind;
use crate::model::Model;

impl Detectors {
    /// Detectors of processors that hear couplers.
    ///
    /// What comes to one unasked is for others of its group, so that no coupler is read but in the cycle of a word.
    pub fn of_couplers(model: &Model) -> Self {
        let net = model.fabric().network();
        let arrivals = (0..model.cycles()).flat_map(|cycle| model.arrivals(cycle).map(move |word| (cycle, word)));
        let group = |coupler| net.label(coupler).last().map_or(0, |&group| group as usize);
        let heard = arrivals.map(|(cycle, word)| ((cycle, word.tile.index()), group(word.from))).collect();
        let unread = model.layout().points().filter(|point| point.kind == PointKind::Channel).collect();
        Self { heard: Some(heard), unread, ..Self::new(model, Self::at_receivers(model, 0)) }
    }
}
