//! Limits and checks that several kinds share.

use super::diagnostic::Diagnostic;
use super::table::Findings;
pub use crate::topology::MAX_ROUTERS;

/// Reports a root that is no node of a network of `nodes`.
pub(super) fn check_root(findings: &mut Findings, nodes: u32, root: u32) {
    let Some(place) = findings.place("collective.root").filter(|_| root >= nodes) else { return };
    let message = format!("there is no node {root}");
    let help = format!("the network has {nodes} nodes: take `root` from 0 to {}", nodes - 1);
    findings.error(place, "", message, help);
}

/// Reports a key that does not apply: a parameter `of` other values of the key `beside`.
pub(super) fn unneeded(findings: &mut Findings, key: &str, applies: bool, beside: &str, of: &str) {
    let Some(place) = findings.place(&format!("collective.{key}")).filter(|_| !applies) else { return };
    let mut diagnostic =
        Diagnostic::new(&findings.source, format!("`{key}` is a parameter of {of} alone")).at(place, "");
    if let Some(place) = findings.place(&format!("collective.{beside}")) {
        diagnostic = diagnostic.at(place, "");
    }
    findings.errors.push(diagnostic.help(format!("leave `{key}` out")));
}
