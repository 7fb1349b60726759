//! Embedded networks of a specification: their checked place in the host, and messages about them.

use super::{CliError, Context};
use crate::check::swapped_dragonfly::CheckedEmbedding;
use crate::count::counted;
use crate::spec::{HostBuild, Spec};
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::swapped_dragonfly::survivor::survivor;
use crate::topology::{Embedding, Topology};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Embeddings of the specification's networks in their host network, proved; None if there is no host network.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn checked(spec: &Spec) -> Result<Option<CheckedEmbedding>, CliError> {
    let Some(sizes) = spec.network.swapped_dragonfly() else { return Ok(None) };
    CheckedEmbedding::new(sizes.embeddings()).map_err(|error| CliError::Internal(error.to_string()))
}

/// Embeddings of the specification's networks, proved, if hardware of the whole host network is built.
///
/// # Errors
/// As [`checked`].
pub fn host(spec: &Spec) -> Result<Option<CheckedEmbedding>, CliError> {
    if builds_host(spec) { checked(spec) } else { Ok(None) }
}

/// True if hardware of all networks that are embedded in a host network is built.
pub fn builds_host(spec: &Spec) -> bool {
    spec.network.swapped_dragonfly().is_some_and(|sizes| sizes.build == HostBuild::Host && !sizes.embed.is_empty())
}

/// Prints a note if hardware of one network is built where the specification has several.
pub fn tell_of_others(spec: &Spec, context: &Context) {
    let networks = spec.network.swapped_dragonfly().map_or(0, |sizes| sizes.embed.len());
    if networks > 1 && !builds_host(spec) {
        context
            .say(format!("hardware of one of {networks} networks; `build = \"host\"` in [network] builds all of them"));
    }
}

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn place(embedding: &Embedding) -> String {
    format!("cabinets {}; drawers and positions {}", list(embedding.cabinets()), list(embedding.places()))
}

/// Text above the verdict on one network: the host network, and the place of each network in it.
pub fn heading(embedding: &CheckedEmbedding, spec: &Spec) -> String {
    let host = embedding.host();
    let mut text = String::new();
    let mut row = |name: &str, value: String| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{name:<10} {value}");
    };
    row("host", format!("{host}: {} routers of {}", host.nodes(), counted(host.ports(), "port")));
    for network in embedding.embeddings() {
        row("embedded", place(network));
    }
    let excluded = spec.network.swapped_dragonfly().map_or(&[][..], |sizes| &sizes.exclude);
    let excluded: Vec<_> = excluded.iter().map(|&[c, d, p]| RouterAddress { c, d, p }).collect();
    if let (Some(found), [network]) = (survivor(&host, &excluded), embedding.embeddings()) {
        let routers = found.routers();
        if !excluded.is_empty() && (network.cabinets(), network.places()) == (&found.cabinets, &found.places) {
            let rank = match found.bound {
                bound if bound == routers => "none without the excluded has more".to_owned(),
                bound => format!("the search was cut short: none without the excluded has more than {bound}"),
            };
            row("chosen", format!("{}; {rank}", counted(routers, "router")));
        }
    }
    text
}

/// Writes the host's port for each port of the networks, as comments above a schedule's table.
///
/// # Errors
/// If the writer fails.
pub fn write_map(embedding: &CheckedEmbedding, writer: &mut dyn Write) -> io::Result<()> {
    let (host, guest) = (embedding.host(), embedding.guest());
    let mut writer = io::BufWriter::new(writer);
    for network in embedding.embeddings() {
        writeln!(writer, "# Embedded in {host}: {}.", place(network))?;
        for (c, outer) in (0..).zip(network.cabinets()) {
            let ports: Vec<u32> = (0..guest.k()).map(|gamma| network.global_port(c, gamma)).collect();
            writeln!(writer, "# cabinet {c} is {outer}: global ports 0.. are {}", list(&ports))?;
        }
        for (p, outer) in (0..).zip(network.places()) {
            let ports: Vec<u32> = (1..guest.m()).map(|delta| network.local_port(p, delta)).collect();
            writeln!(writer, "# drawer and position {p} is {outer}: local ports 1.. are {}", list(&ports))?;
        }
    }
    writer.flush()
}
