//! Keys of fat cubes.

use super::NetworkSpec;
use super::diagnostic::Diagnostic;
use super::general::{FatCubeSpec, MAX_NODES, NetworkOptions};
use super::kind::TopologyKind;
use super::parse_general::{fits, kind};
use super::table::{Findings, TableReader};
use crate::topology::FatCube;

/// A fat cube.
pub(super) const TOPOLOGY: TopologyKind = kind(
    ["fat-cube", "a fat cube"],
    &["d", "m", "f", "ports", "exclude_nodes", "exclude_channels"],
    network,
    include_str!("starters/fat-cube.toml"),
);

fn network(mut table: TableReader<'_, '_>) -> Option<NetworkSpec> {
    let d = table.required_u32("d", 1..=FatCube::MAX_D, "say how many dimensions: `d = 3` for 8 routers");
    let m = table.required_u32("m", 1..=FatCube::MAX_M, "say how many processors a router: `m = 4`");
    let f = table.u32("f", 1..=FatCube::MAX_M);
    let k = table.u32("ports", 1..=FatCube::MAX_D);
    let nodes = table.numbers("exclude_nodes", 0..=MAX_NODES - 1, 0, "nodes").unwrap_or_default();
    let exclude_nodes = nodes.into_iter().map(|(node, _)| node).collect();
    let exclude_channels = table.pairs("exclude_channels", MAX_NODES - 1);
    let findings = table.finish();
    let (d, m) = (d?, m?);
    let (f, k) = (f.unwrap_or(1), k.unwrap_or(d));
    let links = at_most(findings, ("f", f), ("m", m), "links a dimension", "processors a router");
    let ports = at_most(findings, ("ports", k), ("d", d), "links a processor", "dimensions");
    if !links || !ports {
        return None;
    }
    let options = NetworkOptions { exclude_nodes, exclude_channels, ..NetworkOptions::default() };
    fits(findings, NetworkSpec::FatCube(FatCubeSpec { d, m, f, k, options }), "d")
}

/// Checks that a size is at most another; reports an error where it is not.
fn at_most(findings: &mut Findings, size: (&str, u32), most: (&str, u32), counted: &str, of: &str) -> bool {
    if size.1 <= most.1 {
        return true;
    }
    let message = format!("{} {counted}, but {} {of}", size.1, most.1);
    let mut diagnostic = Diagnostic::new(&findings.source, message);
    for key in [size.0, most.0] {
        diagnostic = diagnostic.at(findings.place(&format!("network.{key}")).unwrap_or(0..0), "");
    }
    findings.errors.push(diagnostic.help(format!("take {} of at most {} = {}", size.0, most.0, most.1)));
    false
}
