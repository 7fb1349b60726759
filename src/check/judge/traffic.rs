//! The packets of a collective, from its definition.

use super::definitions::{Definition, Terms};
use super::fault::Fault;
use super::subject::Judge;

/// Compares the packets with those of the collective, sources and destinations alike left out; passes collectives whose traffic
/// is not defined.
pub(super) fn check(judge: &Judge<'_>) -> Result<(), Fault> {
    let document = judge.document;
    let Some(definition) = Definition::of(&document.collective) else { return Ok(()) };
    let Some(packets) = definition.packets else { return Ok(()) };
    let (mut wanted, personal) = (packets(&Terms::new(judge))?, definition.personal);
    let mut found = Vec::with_capacity(wanted.len());
    for packet in &document.packets {
        let before = found.len();
        found.extend(packet.dsts.iter().filter(|&&dst| dst != packet.src).map(|&dst| (packet.src, dst)));
        if personal && found.len() > before + 1 {
            return Err(Fault::Shared { packet: packet.id });
        }
    }
    wanted.retain(|(src, dst)| src != dst);
    wanted.sort_unstable();
    found.sort_unstable();
    if wanted == found {
        return Ok(());
    }
    let differs = wanted.iter().zip(&found).position(|(a, b)| a != b).unwrap_or(wanted.len().min(found.len()));
    let first = [wanted.get(differs), found.get(differs)].into_iter().flatten().min();
    let Some(&pair) = first else { return Ok(()) };
    let times = |pairs: &[(u32, u32)]| pairs.iter().filter(|&&other| other == pair).count();
    let [src, dst] = [pair.0, pair.1].map(|node| judge.name(node));
    Err(Fault::Traffic { src, dst, found: times(&found), wanted: times(&wanted) })
}
