//! Parser of traffic on couplers that arbitrate: its keys, and the rules between them.

use super::diagnostic::Diagnostic;
use super::kind::Kind;
use super::shared::{MAX_ROUTERS, unneeded};
use super::table::{Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterSpec};
use crate::collective::pops::traffic_keys::{
    MAX_DYNAMIC_PROCESSORS, MAX_RECEIVE_QUEUES, Share, TrafficPattern, TrafficSpec,
};
use toml::de::DeValue;

/// Packets that processors make by chance.
pub(super) const TRAFFIC: Kind =
    Kind { scheduled: false, starter: TRAFFIC_KEYS, ..Kind::new("traffic", traffic, &[("pops", check_network)]) };

/// Lines of a starter.
const TRAFFIC_KEYS: &str = r#"network.d = 4                       # processors a group; d·g is at most 1024
router.arbitration = "round-robin" # choice among senders of a group that want a coupler: or "fixed-priority"
router.queue_depth = 4             # packets of a queue
- schedule.storage
- schedule.time_limit_s
pattern = "uniform"         # or "hotspot" with `hotspot` and `fraction`, "bursty" with `burst`, "adversarial"
load = [0.1, 0.5, 1.0]      # packets a processor and slot
cycles = 10000              # of each load: 100 to 10^9
#: seed = 1                 # of the packets, in place of that of [schedule]
"#;

const SHARE: &str = "write a number above 0, up to 1, with at most six digits behind the point";

fn traffic(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let default = TrafficSpec::default();
    let spec = TrafficSpec {
        pattern: table.named("pattern").unwrap_or(default.pattern),
        load: shares(&mut table, "load").unwrap_or(default.load),
        cycles: table.u32("cycles", 100..=1_000_000_000).unwrap_or(default.cycles),
        seed: table.integer("seed", 0..=i64::MAX as u64),
        hotspot: table.u32("hotspot", 0..=MAX_DYNAMIC_PROCESSORS - 1).unwrap_or(default.hotspot),
        fraction: share(&mut table, "fraction").unwrap_or(default.fraction),
        burst: table.u32("burst", 1..=10_000).unwrap_or(default.burst),
        ready: share(&mut table, "ready").unwrap_or(default.ready),
    };
    let findings = table.finish();
    if !findings.is_bad("collective.pattern") {
        for key in ["hotspot", "fraction"] {
            unneeded(findings, key, spec.pattern == TrafficPattern::Hotspot, "pattern", "\"hotspot\"");
        }
        unneeded(findings, "burst", spec.pattern == TrafficPattern::Bursty, "pattern", "\"bursty\"");
    }
    CollectiveSpec::Traffic(spec)
}

/// The number of a value, if it is above 0, up to 1, and no finer than a millionth.
fn parse_share(value: &DeValue<'_>) -> Option<Share> {
    let number: f64 = match value {
        DeValue::Float(text) => text.as_str().replace('_', "").parse().ok()?,
        DeValue::Integer(n) if n.as_str() == "1" => 1.0,
        _ => return None,
    };
    let millionths = (number * 1e6).round();
    let fits = (1.0..=1e6).contains(&millionths) && (number * 1e6 - millionths).abs() < 1e-3;
    fits.then(|| Share::from_millionths(millionths as u32))
}

fn share(table: &mut TableReader<'_, '_>, key: &'static str) -> Option<Share> {
    let value = table.take(key)?;
    let found = parse_share(value.get_ref());
    if found.is_none() {
        table.wrong_type(key, &value, "a number above 0, up to 1", SHARE.to_owned());
    }
    found
}

/// One such number, or several.
fn shares(table: &mut TableReader<'_, '_>, key: &'static str) -> Option<Vec<Share>> {
    let value = table.take(key)?;
    let found = match value.get_ref() {
        DeValue::Array(list) if !list.is_empty() => list.iter().map(|value| parse_share(value.get_ref())).collect(),
        DeValue::Array(_) => None,
        single => parse_share(single).map(|share| vec![share]),
    };
    if found.is_none() {
        let help = format!("{SHARE}, or several of them: `{key} = [0.1, 0.5, 1.0]`");
        table.wrong_type(key, &value, "a number above 0, up to 1, or a list of them", help);
    }
    found
}

/// Keys that couplers which arbitrate have no use for.
const UNUSED: &[&str] = &[
    "router.parity",
    "router.error_log",
    "router.local_stages",
    "router.global_stages",
    "schedule.storage",
    "schedule.program",
    "schedule.rows",
    "schedule.buffers",
    "schedule.time_limit_s",
];

/// The network has hardware of this kind, the hotspot is in it, and no key is there in vain.
fn check_network(findings: &mut Findings, network: &NetworkSpec, _: &RouterSpec, collective: &CollectiveSpec) {
    let (Some(network), Some(traffic)) = (network.pops(), collective.traffic()) else { return };
    let n = network.d * network.g;
    let queues = u64::from(n) * u64::from(network.g);
    if n > MAX_DYNAMIC_PROCESSORS || queues > u64::from(MAX_RECEIVE_QUEUES) {
        let message =
            format!("POPS({},{}) would have {n} processors and {queues} receive queues", network.d, network.g);
        let mut diagnostic = Diagnostic::new(&findings.source, message);
        for field in ["network.g", "network.d"] {
            diagnostic = diagnostic.at(findings.place(field).unwrap_or(0..0), "");
        }
        let help = format!(
            "couplers that arbitrate take d·g of at most {MAX_DYNAMIC_PROCESSORS} and d·g² of at most {MAX_RECEIVE_QUEUES}"
        );
        findings.errors.push(diagnostic.help(help));
    }
    if let Some(place) = findings.place("collective.hotspot").filter(|_| traffic.hotspot >= n) {
        let help = format!("take `hotspot` from 0 to {}", n.min(MAX_ROUTERS) - 1);
        findings.error(place, "", format!("there is no processor {}", traffic.hotspot), help);
    }
    for field in UNUSED {
        let Some(place) = findings.place(field) else { continue };
        let key = field.split('.').next_back().unwrap_or(field);
        findings.error(place, "", format!("couplers that arbitrate have no `{key}`"), format!("leave `{key}` out"));
    }
}
