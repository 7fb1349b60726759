//! Key of a router's crossbar.

use super::RouterSpec;
use super::diagnostic::Diagnostic;
use super::kind::Kind;
use super::table::Findings;

/// Refuses the key where `who` has no crossbar.
pub(super) fn refuse(findings: &mut Findings, who: &str) {
    if let Some(place) = findings.place("router.crossbar_stages").filter(|_| !findings.is_bad("router.crossbar_stages"))
    {
        findings.error(place, "", format!("{who} has no crossbar"), "leave `crossbar_stages` out");
    }
}

/// Checks that a crossbar is there, and that its registers have room in a hop.
pub(super) fn check(findings: &mut Findings, router: &RouterSpec, kind: &Kind) {
    let (Some(place), Some(stages)) = (findings.place("router.crossbar_stages"), router.crossbar_stages) else {
        return;
    };
    if !kind.crossbar {
        return refuse(findings, kind.name);
    }
    let hops = [("local_stages", router.local_stages), ("global_stages", router.global_stages)];
    let shortest = router.local_stages.min(router.global_stages);
    if stages <= shortest {
        return;
    }
    let message = format!("a hop of {shortest} cycles has no room for {stages} registers in the crossbar");
    let mut diagnostic = Diagnostic::new(&findings.source, message).at(place, "");
    for (key, _) in hops.iter().filter(|(_, cycles)| *cycles < stages) {
        if let Some(place) = findings.place(&format!("router.{key}")) {
            diagnostic = diagnostic.at(place, "");
        }
    }
    let help = format!(
        "raise `local_stages` and `global_stages` to {stages} or more, or take `crossbar_stages` of at most {shortest}"
    );
    findings.errors.push(diagnostic.help(help));
}
