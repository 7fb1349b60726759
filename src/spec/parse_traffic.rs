//! The keys of traffic on couplers that arbitrate, and what they must agree on.

use super::diagnostic::Diagnostic;
use super::parse::{HOMES, MAX_ROUTERS};
use super::parse_pops::unneeded;
use super::pops::PopsSpec;
use super::table::{Choices, Findings, TableReader};
use super::traffic::{Arbitration, MAX_DYNAMIC_PROCESSORS, MAX_RECEIVE_QUEUES, Share, TrafficPattern, TrafficSpec};
use super::{CollectiveSpec, RouterSpec};
use toml::de::DeValue;

const PATTERNS: Choices<'static, TrafficPattern> = &[
    (TrafficPattern::Uniform.name(), TrafficPattern::Uniform),
    (TrafficPattern::Hotspot.name(), TrafficPattern::Hotspot),
    (TrafficPattern::Bursty.name(), TrafficPattern::Bursty),
    (TrafficPattern::Adversarial.name(), TrafficPattern::Adversarial),
];
pub(super) const ARBITRATIONS: Choices<'static, Arbitration> = &[
    (Arbitration::FixedPriority.name(), Arbitration::FixedPriority),
    (Arbitration::RoundRobin.name(), Arbitration::RoundRobin),
];
const SHARE: &str = "write a number above 0, up to 1, with at most six digits behind the point";

pub(super) fn traffic(mut table: TableReader<'_, '_>) -> TrafficSpec {
    let default = TrafficSpec::default();
    let spec = TrafficSpec {
        pattern: table.choice("pattern", PATTERNS, &[]).unwrap_or(default.pattern),
        load: shares(&mut table, "load").unwrap_or(default.load),
        cycles: table.u32("cycles", 100..=1_000_000_000).unwrap_or(default.cycles),
        seed: table.integer("seed", 0..=i64::MAX as u64),
        hotspot: table.u32("hotspot", 0..=MAX_DYNAMIC_PROCESSORS - 1).unwrap_or(default.hotspot),
        fraction: share(&mut table, "fraction").unwrap_or(default.fraction),
        burst: table.u32("burst", 1..=10_000).unwrap_or(default.burst),
        ready: share(&mut table, "ready").unwrap_or(default.ready),
    };
    let findings = table.finish(HOMES);
    if !findings.is_bad("collective.pattern") {
        for key in ["hotspot", "fraction"] {
            unneeded(findings, key, spec.pattern == TrafficPattern::Hotspot, "pattern", "\"hotspot\"");
        }
        unneeded(findings, "burst", spec.pattern == TrafficPattern::Bursty, "pattern", "\"bursty\"");
    }
    spec
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

/// Couplers arbitrate where there is traffic, and there alone; what is scheduled has no queues, and what is not has no schedule.
pub(super) fn check_router(findings: &mut Findings, router: &RouterSpec, collective: &CollectiveSpec, pops: bool) {
    if ["router.arbitration", "collective.kind"].iter().any(|field| findings.is_bad(field)) {
        return;
    }
    let traffic = matches!(collective, CollectiveSpec::Traffic(_));
    let kind = findings.place("collective.kind");
    match (findings.place("router.arbitration"), kind.clone()) {
        (None, Some(place)) if traffic && pops => {
            let help = "write `arbitration = \"round-robin\"` in `[router]`";
            findings.error(place, "", "traffic has no schedule, so couplers must arbitrate", help);
        }
        (Some(place), _) if !pops => {
            findings.error(place, "", "only the couplers of POPS arbitrate", "leave `arbitration` out");
        }
        (Some(place), _) if !traffic => {
            let message = format!("{} is scheduled, and couplers that arbitrate have no schedule", collective.kind());
            let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
            if let Some(kind) = kind {
                diagnostic = diagnostic.at(kind, "");
            }
            let help = "leave `arbitration` out, or write `kind = \"traffic\"` in `[collective]`";
            findings.errors.push(diagnostic.help(help));
        }
        _ => {}
    }
    if router.arbitration.is_none()
        && let Some(place) = findings.place("router.queue_depth")
    {
        let help = "leave `queue_depth` out, or write `arbitration = \"round-robin\"`";
        findings.error(place, "", "only processors of couplers that arbitrate have queues", help);
    }
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
pub(super) fn check_network(findings: &mut Findings, network: &PopsSpec, traffic: &TrafficSpec) {
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
