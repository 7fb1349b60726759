//! Template data: every number and name, computed; the templates hold loops and substitution only.

mod pops;
mod pops_dynamic;
mod slot_table;
pub(super) mod swapped_dragonfly;
mod trial;

use super::origin::Origin;
use crate::hash::sha256;
use crate::lower::Ring;
use crate::lower::bits::BitRow;
use askama::Template;

/// Parameters as they are passed to an instance.
fn passed(list: &[(&str, u32)]) -> String {
    list.iter().map(|(name, value)| format!(".{name}({value})")).collect::<Vec<_>>().join(", ")
}

/// Bits as a sized literal.
fn literal(row: &BitRow) -> String {
    format!("{}'h{}", row.width(), row.to_hex())
}

#[derive(Template)]
#[template(path = "gen/mn_top.v", escape = "none")]
struct TopFile<'a> {
    header: &'a str,
    title: &'a str,
    p: &'a Ring,
    host: HostView,
}

/// Parameters of a collective that the host needs, see mn_host.
struct HostView {
    pass: u64,
    loads: u64,
    set: u64,
    double: u8,
    /// True if tiles take pieces of programs.
    loadable: bool,
    /// True if programs are loaded while a collective runs.
    live: bool,
}

/// The first line of an emitted file.
fn header(origin: &Origin) -> String {
    format!(
        "// metronoc {} | spec {} {} | {}",
        env!("CARGO_PKG_VERSION"),
        origin.name,
        &sha256(&origin.spec_text)[..16],
        origin.command
    )
}

/// Timeout of a test bench, in cycles: the words in and out, passes and ways through the ring, `sets` times.
fn timeout(p: &Ring, sets: u32, words: u64, pass: u64) -> u64 {
    u64::from(sets) * (words + pass + 8 * u64::from(p.flush_cycles) + 1000)
}

/// The three files that every collective has.
fn rendered(
    network: &impl Template,
    top: &TopFile,
    bench: &impl Template,
) -> Result<Vec<(String, String)>, askama::Error> {
    // the template engine drops a file's last line end
    Ok(vec![
        ("rtl/mn_network.v".into(), network.render()? + "\n"),
        ("rtl/mn_top.v".into(), top.render()? + "\n"),
        ("tb/mn_tb.v".into(), bench.render()? + "\n"),
    ])
}
