//! `[endpoint]`: its keys, and what they must agree on with routers and schedule.

use super::diagnostic::Diagnostic;
use super::endpoint::{EndpointSpec, Interface};
use super::table::{Findings, TableReader};
use super::{RouterSpec, ScheduleSpec, Storage};
use toml::Spanned;
use toml::de::DeTable;

/// Most cycles from one start to the next.
const MAX_PERIOD: u32 = 1 << 24;

/// Keys of the table.
pub(super) const KEYS: &[&str] = &["interface", "period", "double_buffer", "clocks"];

pub(super) fn read(findings: &mut Findings, table: Spanned<DeTable<'_>>) -> EndpointSpec {
    let mut table = TableReader::new(findings, "endpoint", table);
    let default = EndpointSpec::default();
    let endpoint = EndpointSpec {
        interface: table.named("interface").unwrap_or(default.interface),
        period: table.u32("period", 1..=MAX_PERIOD),
        double_buffer: table.boolean("double_buffer").unwrap_or(default.double_buffer),
        clocks: table.named("clocks").unwrap_or(default.clocks),
    };
    table.finish();
    endpoint
}

/// Tile ports are there for slot tables in read-only memory, and period and queues for tile ports.
pub(super) fn check(findings: &mut Findings, endpoint: &EndpointSpec, router: &RouterSpec, schedule: &ScheduleSpec) {
    if findings.is_bad("endpoint.interface") {
        return;
    }
    if endpoint.interface == Interface::HostStream {
        for (key, what) in [
            ("endpoint.period", "the host starts collectives"),
            ("endpoint.double_buffer", "the host loads tiles"),
            ("endpoint.clocks", "there is one clock"),
        ] {
            if let Some(place) = findings.place(key).filter(|_| !findings.is_bad(key)) {
                let name = key.rsplit('.').next().unwrap_or(key);
                let help = format!("leave `{name}` out, or write `interface = \"axi-stream\"` in `[endpoint]`");
                findings.error(place, "", format!("{what} where the interface is its stream"), help);
            }
        }
        return;
    }
    let Some(place) = findings.place("endpoint.interface") else { return };
    let bad = |key: &str| findings.is_bad(key);
    if !router.kind.is_slot_table() {
        if bad("router.kind") || bad("collective.kind") || bad("network.topology") {
            return;
        }
        let message = format!("tiles of {} routers have no streams of their own", router.kind.name());
        let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
        if let Some(kind) = findings.place("router.kind") {
            diagnostic = diagnostic.at(kind, "");
        }
        let help = "write `kind = \"slot-table\"` in `[router]`, which runs any collective but products, or leave `interface` out";
        findings.errors.push(diagnostic.help(help));
    } else if schedule.storage == Storage::Ram && !bad("schedule.storage") {
        let message = "a program is loaded over the host stream, and tiles with streams of their own have none";
        let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
        if let Some(storage) = findings.place("schedule.storage") {
            diagnostic = diagnostic.at(storage, "");
        }
        findings.errors.push(diagnostic.help("leave `storage` out, or `interface`"));
    }
}
