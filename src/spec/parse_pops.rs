//! Keys of POPS networks.

use super::diagnostic::Diagnostic;
use super::kind::{SizeKeys, TopologyKind};
use super::pops::PopsSpec;
use super::shared::MAX_ROUTERS;
use super::table::{Findings, TableReader};
use super::{NetworkSpec, RouterKind};

/// Partitioned optical passive stars, POPS(d,g).
pub(super) const TOPOLOGY: TopologyKind = TopologyKind {
    name: "pops",
    who: "POPS",
    router: Some(RouterKind::PopsCoupler),
    sizes: SizeKeys::Own {
        read: |table| network(table).map(NetworkSpec::Pops),
        keys: &["d", "g"],
        starter: include_str!("starters/pops.toml"),
    },
};

fn network(mut table: TableReader<'_, '_>) -> Option<PopsSpec> {
    let d = table.required_u32("d", 1..=MAX_ROUTERS, "say how many processors a group: `d = 16`");
    let g = table.required_u32("g", 1..=MAX_ROUTERS, "say how many groups: `g = 4`");
    let findings = table.finish();
    let (d, g) = (d?, g?);
    if u64::from(d) * u64::from(g) > u64::from(MAX_ROUTERS) {
        let message = format!("POPS({d},{g}) would have {} processors", u64::from(d) * u64::from(g));
        let mut diagnostic = Diagnostic::new(&findings.source, message);
        for field in ["network.g", "network.d"] {
            diagnostic = diagnostic.at(findings.place(field).unwrap_or(0..0), "");
        }
        findings.errors.push(diagnostic.help(format!("take sizes with d·g of at most {MAX_ROUTERS}")));
        return None;
    }
    Some(PopsSpec { d, g })
}

/// Keys of POPS in a specification of another network; slot tables have `buffers`, too.
pub(super) fn elsewhere(findings: &mut Findings, router: RouterKind) {
    let buffers = router != RouterKind::SlotTable;
    for (key, what, bad) in
        [("router.slot_cycles", "slots are", true), ("schedule.buffers", "places for packets are", buffers)]
    {
        let Some(place) = findings.place(key).filter(|_| bad) else { continue };
        let name = key.rsplit('.').next().unwrap_or(key);
        findings.error(place, "", format!("{what} those of POPS alone"), format!("leave `{name}` out"));
    }
}
