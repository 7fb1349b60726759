//! Keys of POPS networks.

use super::diagnostic::Diagnostic;
use super::kind::{Kind, SizeKeys, TopologyKind};
use super::pops::PopsSpec;
use super::shared::MAX_ROUTERS;
use super::table::{Findings, TableReader};
use super::{NetworkSpec, RouterKind, RouterSpec, parse_crossbar};

/// Partitioned optical passive stars, POPS(d,g).
pub(super) const TOPOLOGY: TopologyKind = TopologyKind {
    name: "pops",
    who: "POPS",
    router: Some(RouterKind::PopsCoupler),
    check: |findings, router, _, kind| {
        parse_crossbar::refuse(findings, "POPS");
        check_arbitration(findings, router, kind);
        for key in ["local_stages", "global_stages"] {
            let place = findings.place(&format!("router.{key}")).filter(|_| kind.scheduled);
            if let Some(place) = place.filter(|_| !findings.is_bad(&format!("router.{key}"))) {
                findings.error(place, "", "a hop over a coupler has no stages to choose", format!("leave `{key}` out"));
            }
        }
    },
    sizes: SizeKeys::Own {
        read: |table| network(table).map(NetworkSpec::Pops),
        keys: &["d", "g"],
        starter: include_str!("starters/pops.toml"),
        in_slot_tables: None,
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

/// Checks arbitration and traffic: each needs the other. Traffic has no schedule.
fn check_arbitration(findings: &mut Findings, router: &RouterSpec, of: &Kind) {
    if !is_known(findings) {
        return;
    }
    let kind = findings.place("collective.kind");
    match (findings.place("router.arbitration"), of.scheduled) {
        (None, false) => {
            let help = "write `arbitration = \"round-robin\"` in `[router]`";
            // a sequence has no such key, and is refused for what is in it
            if let Some(place) = kind {
                findings.error(place, "", "traffic has no schedule, so couplers must arbitrate", help);
            }
        }
        (Some(place), true) => {
            let message = format!("{} is scheduled, and couplers that arbitrate have no schedule", of.name);
            let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
            if let Some(kind) = kind {
                diagnostic = diagnostic.at(kind, "");
            }
            let help = "leave `arbitration` out, or write `kind = \"traffic\"` in `[collective]`";
            findings.errors.push(diagnostic.help(help));
        }
        (None, true) | (Some(_), false) => {}
    }
    check_queues(findings, router);
}

/// True if it is known whether couplers arbitrate, and for what.
fn is_known(findings: &Findings) -> bool {
    ["router.arbitration", "collective.kind"].iter().all(|field| !findings.is_bad(field))
}

/// Refuses `queue_depth` where no couplers arbitrate.
fn check_queues(findings: &mut Findings, router: &RouterSpec) {
    if let Some(place) = findings.place("router.queue_depth").filter(|_| router.arbitration.is_none()) {
        let help = "leave `queue_depth` out, or write `arbitration = \"round-robin\"`";
        findings.error(place, "", "only processors of couplers that arbitrate have queues", help);
    }
}

/// Refuses keys of POPS in a specification of another network; slot tables have `buffers`, too.
pub(super) fn elsewhere(findings: &mut Findings, router: &RouterSpec) {
    if is_known(findings) {
        if let Some(place) = findings.place("router.arbitration") {
            findings.error(place, "", "only the couplers of POPS arbitrate", "leave `arbitration` out");
        }
        check_queues(findings, router);
    }
    let buffers = !router.kind.is_slot_table();
    for (key, what, bad) in
        [("router.slot_cycles", "slots are", true), ("schedule.buffers", "places for packets are", buffers)]
    {
        let Some(place) = findings.place(key).filter(|_| bad) else { continue };
        let name = key.rsplit('.').next().unwrap_or(key);
        findings.error(place, "", format!("{what} those of POPS alone"), format!("leave `{name}` out"));
    }
}
