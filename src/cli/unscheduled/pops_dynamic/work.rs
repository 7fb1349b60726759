//! From a specification of couplers that arbitrate to hardware and to the traffic that it is offered.

use crate::cli::Context;
use crate::collective::pops::Traffic;
use crate::lower::PopsDynamic;
use crate::spec::Spec;
use crate::spec::traffic::TrafficSpec;

/// A specification of couplers that arbitrate.
#[derive(Debug)]
pub struct DynamicWork {
    /// The specification.
    pub(super) spec: Spec,
    /// Traffic of the run.
    pub(super) collective: TrafficSpec,
    /// Hardware of the network.
    pub(super) hardware: PopsDynamic,
    /// Seed of the traffic.
    seed: u64,
}

/// Work of a specification of couplers that arbitrate; None for any other specification.
pub fn of(spec: &Spec, context: &Context) -> Option<DynamicWork> {
    let collective = spec.collective.traffic()?.clone();
    let hardware = PopsDynamic::new(spec)?;
    let seed = context.seed.or(collective.seed).unwrap_or(spec.schedule.seed);
    Some(DynamicWork { spec: spec.clone(), collective, hardware, seed })
}

impl DynamicWork {
    /// The traffic at each load.
    pub(super) fn traffics(&self) -> Vec<Traffic> {
        let (net, of) = (self.hardware.network, &self.collective);
        let words = (self.hardware.data_bits, self.hardware.words);
        of.load.iter().map(|&load| Traffic::new(net.d(), net.g(), words, of, load, self.seed)).collect()
    }
}
