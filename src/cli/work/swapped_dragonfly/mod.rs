//! Work on a Swapped Dragonfly, a collective in each file, and what these have in common.

mod all_to_all;
mod embedding;
mod exchange;
mod plan;
mod product;
mod stream;

pub(super) use plan::{Plan, trains};

use embedding::Host;

use crate::check::swapped_dragonfly::CheckedEmbedding;
use crate::cli::work::Proved;
use crate::cli::work::verdict::{FOR_EVERY_ROUTER, heading, table};
use crate::count::counted;
use crate::lower::swapped_dragonfly::Frame;
use crate::topology::{SwappedDragonfly, Topology};
use std::io::{self, Write};

/// Row of a verdict on a network and its routers.
fn routers(net: &SwappedDragonfly) -> (&'static str, String) {
    let (nodes, ports) = (net.nodes(), counted(net.ports(), "port"));
    ("network", format!("{net}: {nodes} routers of {ports}"))
}

/// The verdict for people on a schedule that is proved for every router.
fn verdict(rows: &[(&str, String)], schedule: &dyn Proved) -> String {
    let bounds = schedule.bounds();
    table(rows, heading(bounds), bounds, FOR_EVERY_ROUTER, &schedule.argument())
}

/// Writes the first line of a schedule's table: network, algorithm and cycles.
fn write_title(writer: &mut dyn Write, net: &SwappedDragonfly, algorithm: &str, cycles: u32) -> io::Result<()> {
    writeln!(writer, "# {net}, {algorithm}: {}", counted(cycles, "cycle"))
}

/// Proved embedding whose networks are all built, as one piece of hardware.
fn built(host: Option<&Host>) -> Option<&CheckedEmbedding> {
    host.and_then(Host::built)
}

/// All networks of a specification side by side, if it has `build = "host"`.
fn placed(frame: Frame, host: Option<&Host>) -> Frame {
    match built(host) {
        None => frame,
        Some(embedding) => frame.in_host(embedding),
    }
}
