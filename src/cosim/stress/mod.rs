//! Faults that are provoked: bits of channels are flipped in flight, and the detectors of the tiles must say so.
//!
//! A simulation of the same session is run once for each trial, on a library that was built with [`disturbed`]. Each channel that
//! carries something loses a packet, has one again in an idle cycle, and with parity has a bit of a payload flipped. Where conflicts are
//! predicted it also has one again, or one with one more request, that meets another one at an output. What the tiles log of that is
//! held against a prediction: kinds, ports and cycles. A packet comes to an idle network, too, and noise over idle channels, where no
//! router looks at words or no header asks for them. Then a bit of a table is flipped in each tile, or several where rows have parity,
//! what a guard has kept of its registers is flipped, and an output takes two sources where tables can say so. A tile ends alone, or
//! not at all, and no tile ends. Versions of programs are asked for that are loaded, and that are not, and programs run on words that
//! were loaded to the places of another one. Words follow a start, of any tile first. Where tiles have streams of their own, each of
//! their faults is set.

mod channels;
mod ends;
mod guards;
mod host;
mod ports;
mod tables;
mod trials;
mod versions;

use super::CosimError;
use super::build::Parts;
use super::detectors::Detectors;
use super::session::Session;
use super::simulator::Job;
use super::upset;
use channels::Channels;
pub use tables::Clash;
use trials::New;
pub use trials::{Trials, Unnoticed};

/// Tables, guards, faults of tiles with streams of their own, and the tree of ends, visible as they are to upsets.
const FLIPPED: &str = "
public_flat_rw -module \"mn_fanin\" -var \"a*_q\"
public_flat_rw -module \"mn_guard\" -var \"given_q\"
public_flat_rw -module \"mn_tile_port\" -var \"fault_q\"
public_flat_rw -module \"mn_table_rom\" -var \"mem\"
public_flat_rw -module \"mn_table_ram\" -var \"mem\"
";

/// Parts of a form of simulation whose channels can be disturbed.
pub fn disturbed(mut parts: Parts) -> Parts {
    for (name, text) in &mut parts.beside {
        if name.ends_with(".vlt") {
            *text = text.replace("public_flat_rd", "public_flat_rw");
        }
    }
    parts.defines.push(("MN_DISTURBED", 1));
    upset::flippable(parts, FLIPPED)
}

/// Properties of a network under stress.
#[derive(Debug, Clone, Copy)]
pub struct Known<'a> {
    /// Tiles that a set of words is for, in the order in which they are loaded, and words of each.
    pub loads: &'a [(u32, usize)],
    /// Jobs that load its program, of one version and another.
    pub reload: &'a [Vec<Job>],
    /// Pairs of sources that tables can give an output.
    pub clashes: &'a [Clash],
    /// True if words are loaded to places that the program says, and the program can be loaded.
    pub places: bool,
    /// Detectors of its tiles.
    pub detectors: &'a Detectors,
    /// True if results are sums of words and their multiples: no word is compared with another.
    pub linear: bool,
}

/// Provokes faults of all kinds that a network detects, up to the first that is not reported. `single` is the session with one collective, whose
/// results show what a disturbance has changed.
///
/// # Errors
/// If the simulation itself fails.
pub fn provoke(session: &Session, single: &Session, known: Known<'_>, new: New<'_>) -> Result<Trials, CosimError> {
    let channels = Channels::of(session, known.detectors, new)?;
    let alone = Channels::of(single, known.detectors, new)?;
    let groups: [&dyn Fn() -> Result<Trials, CosimError>; 16] = [
        &|| host::starts(session, new),
        &|| host::answers(session, new),
        &|| host::words_behind(session, new),
        &|| host::words_wait(session, new),
        &|| host::words_of_a_tile_first(session, known.loads, new),
        &|| alone.flip(known.linear),
        &|| channels.disturb(),
        &|| alone.noise(),
        &|| tables::rows(session, new),
        &|| tables::clashes(session, known.clashes, new),
        &|| guards::flipped(session, channels.first(), new),
        &|| ends::of_single_tiles(session, channels.first(), new),
        &|| ends::of_no_tile(session, new),
        &|| versions::in_use(session, known.reload, new),
        &|| versions::refused(session, known.reload, new),
        &|| versions::places(session, known.loads, if known.places { known.reload } else { &[] }, new),
    ];
    first_unnoticed(&groups)
}

/// Provokes faults at tiles that have streams of their own, likewise.
///
/// # Errors
/// If the simulation itself fails.
pub fn provoke_at_ports(session: &Session, new: New<'_>) -> Result<Trials, CosimError> {
    let first = ports::first_row(session, new)?;
    first_unnoticed(&[&|| ports::told(session, first, new), &|| ends::of_single_tiles(session, first, new)])
}

/// Runs groups of trials up to the first that goes unnoticed.
fn first_unnoticed(groups: &[&dyn Fn() -> Result<Trials, CosimError>]) -> Result<Trials, CosimError> {
    let mut count = 0;
    for group in groups {
        let trials = group()?;
        count += trials.count;
        if trials.unnoticed.is_some() {
            return Ok(Trials { count, ..trials });
        }
    }
    Ok(Trials::passed(count))
}
