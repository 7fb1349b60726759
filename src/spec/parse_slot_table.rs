//! Keys of slot-table routers, and topologies that run in these alone.

use super::diagnostic::Diagnostic;
use super::kind::{SizeKeys, TopologyKind};
use super::table::Findings;
use super::{HostBuild, NetworkSpec, Placement, RouterKind, RouterSpec, ScheduleSpec, Storage};
use super::{parse_crossbar, parse_general, parse_pops};
use crate::topology::Kind;

/// Topology that runs in slot tables.
pub(super) const fn topology(kind: &'static Kind) -> TopologyKind {
    TopologyKind {
        name: kind.name,
        who: kind.who,
        router: Some(RouterKind::SlotTable),
        check: |findings, router, _, collective| {
            parse_crossbar::check(findings, router, collective);
            parse_general::elsewhere(findings);
            parse_pops::elsewhere(findings, router);
        },
        sizes: SizeKeys::General(kind),
    }
}

/// Slot tables are one at each node; in read-only memory they have as many rows and words of a bank as the schedule needs.
pub(super) fn check_routers(
    findings: &mut Findings,
    network: &NetworkSpec,
    router: &RouterSpec,
    schedule: &ScheduleSpec,
) {
    if !router.kind.is_slot_table() {
        if let Some(place) = findings.place("router.crosspoints") {
            let help = "leave `crosspoints` out, or write `kind = \"slot-table\"` in `[router]`";
            findings.error(place, "", "the crosspoints of slot-table routers alone can be chosen", help);
        }
        return;
    }
    let fixed = schedule.storage != Storage::Ram;
    let in_host = network.swapped_dragonfly().is_some_and(|sizes| sizes.build == HostBuild::Host);
    for (key, bad, built) in [
        ("schedule.program", schedule.program != Placement::Router, "a table at every node"),
        ("schedule.rows", fixed, "as many rows as the schedule has cycles, unless `storage` is \"ram\""),
        ("schedule.buffers", fixed, "banks of as many words as the schedule needs, unless `storage` is \"ram\""),
        ("router.slot_cycles", router.slot_cycles != 1, "one word in a packet"),
        ("router.crossbar_stages", true, "crossbars of two registers"),
        ("network.build", in_host, "the nodes of embedded networks alone"),
    ] {
        let Some(place) = findings.place(key).filter(|_| bad && !findings.is_bad(key)) else { continue };
        let name = key.rsplit('.').next().unwrap_or(key);
        let mut diagnostic =
            Diagnostic::new(&findings.source, format!("slot-table routers have {built}")).at(place, "");
        if let Some(place) = findings.place("router.kind") {
            diagnostic = diagnostic.at(place, "");
        }
        findings.errors.push(diagnostic.help(format!("leave `{name}` out, or take another `kind` in `[router]`")));
    }
}
