//! Tables: flipped bits of their rows, and outputs that take two sources.

use super::trials::{New, Trials, flipped, most_bits};
use crate::cosim::CosimError;
use crate::cosim::detectors::NO_PORT;
use crate::cosim::session::Session;
use crate::cosim::simulator::Register;
use crate::cosim::status::{WRONG_ROW, faults_of};
use crate::id::NodeId;

/// Most tables of which bits are flipped.
const TABLES: usize = 16;
/// Bits of the check byte of a row.
const CHECK_BITS: u32 = 8;

/// Bits of a node's slot table that make an output take two sources where they are flipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// Node.
    pub node: NodeId,
    /// Row of the table.
    pub row: u32,
    /// Bits of the row: one if the output has the other source without them, else two.
    pub bits: Vec<u32>,
    /// Output.
    pub output: u32,
}

/// Flips bits of the first row of tables.
pub(super) fn rows(session: &Session, new: New<'_>) -> Result<Trials, CosimError> {
    // rows are whole digits behind the check byte; a memory of another width has lost bits to synthesis, and its byte is not where it was
    let is_table = |register: &Register| register.name.ends_with("mem") && register.bits.is_multiple_of(4);
    let tables: Vec<(usize, Register)> =
        new()?.registers().into_iter().enumerate().filter(|(_, register)| is_table(register)).collect();
    let step = tables.len().div_ceil(TABLES).max(1);
    let chosen: Vec<&(usize, Register)> = tables.iter().step_by(step).collect();
    let mut count = 0;
    for (number, (index, table)) in chosen.iter().enumerate() {
        let digits = table.bits.saturating_sub(CHECK_BITS);
        // bit 1 of the byte is the network's; with parity any other of the row's shows
        let mut bits = vec![digits + 1];
        if session.model().fabric().parity && digits > 0 {
            let more = (most_bits(session) / chosen.len()).saturating_sub(1) as u32;
            bits.extend(
                (0..more.min(digits)).map(|turn| (number as u32 + turn * digits.div_ceil(more.max(1)).max(1)) % digits),
            );
        }
        for bit in bits {
            count += 1;
            let (status, signal) = flipped(session, new, 0, &[(*index, 0, bit)])?;
            let faults = faults_of(session.model().fabric(), &status);
            // a program that does not end does not answer
            let told =
                faults.iter().any(|fault| fault.kind == WRONG_ROW) || (faults.is_empty() && bit < digits && signal);
            if !told {
                let provoked = format!("bit {bit} of the first row of {} was flipped", table.name);
                let missing = "no tile reports the row".to_owned();
                return Ok(Trials::failed(count, provoked, missing));
            }
        }
    }
    Ok(Trials::passed(count))
}

/// Lets outputs take two sources, where tables can say so. Where not all can be tried, they are of all pairs before they are of all nodes.
pub(super) fn clashes(session: &Session, clashes: &[Clash], new: New<'_>) -> Result<Trials, CosimError> {
    let fabric = session.model().fabric();
    let registers = new()?.registers();
    let of_nodes = clashes.chunk_by(|clash, next| clash.node == next.node);
    let mut by_pair: Vec<(usize, &Clash)> = of_nodes.flat_map(|of_node| of_node.iter().enumerate()).collect();
    by_pair.sort_by_key(|(pair, _)| *pair);
    let mut count = 0;
    for (_, clash) in by_pair.iter().step_by(by_pair.len().div_ceil(most_bits(session)).max(1)) {
        let tile = clash.node.index();
        let of = |name: &str| name.contains(&format!("u_tile_{tile}.")) && name.ends_with("u_table.mem");
        let Some(table) = registers.iter().position(|register| of(&register.name)) else { continue };
        count += 1;
        let bits: Vec<_> = clash.bits.iter().map(|&bit| (table, clash.row, bit)).collect();
        let (statuses, _) = flipped(session, new, 0, &bits)?;
        let status = statuses.get(tile).copied().unwrap_or(0);
        let port = if fabric.error_log { u64::from(clash.output) } else { NO_PORT };
        if status & 0xff != 0x80 | port {
            let name = fabric.tile_name(tile);
            let provoked = format!("row {} of {name} has two sources for output {}", clash.row, clash.output);
            let missing = "no conflict at this output is reported".to_owned();
            return Ok(Trials::failed(count, provoked, missing));
        }
    }
    Ok(Trials::passed(count))
}
