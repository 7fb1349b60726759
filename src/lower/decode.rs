//! Reading images back: what a router would do that held these words, told as a program that can be checked.

use super::bits::BitRow;
use super::{LowerError, Parameters, Table};
use crate::schedule::{Launch, UniformProgram};
use std::collections::BTreeSet;

/// The program that four images (text for `$readmemh`, in the order of [`Table::ALL`]) hold.
///
/// What a router sends is decoded from the send tables and must be what the receive tables expect.
///
/// # Errors
/// If an image is not one of this network's, or send and receive tables disagree.
pub fn program(p: &Parameters, images: &[String; 4]) -> Result<UniformProgram, LowerError> {
    let [sent, expected] = sides(p, images)?;
    if let Some(launch) = sent.symmetric_difference(&expected).next() {
        let table = if launch.vector.pi == 0 { Table::GlobalReceive } else { Table::LocalReceive };
        let who = if sent.contains(launch) { "sent and not expected" } else { "expected and not sent" };
        return Err(LowerError::Image { table, what: format!("row {}: {} is {who}", launch.row, launch.vector) });
    }
    Ok(UniformProgram::new(sent.into_iter().collect()))
}

/// What a router with these images sends, and what it expects.
///
/// # Errors
/// If an image is not one of this network's.
pub fn sides(p: &Parameters, images: &[String; 4]) -> Result<[BTreeSet<Launch>; 2], LowerError> {
    let mut found = Vec::new();
    for (table, image) in Table::ALL.into_iter().zip(images) {
        found.push(launches(p, table, image)?);
    }
    let [local_send, global_send, global_receive, local_receive] = &found[..] else { unreachable!("four tables") };
    let both = |a: &BTreeSet<Launch>, b| a.union(b).copied().collect();
    Ok([both(local_send, global_send), both(local_receive, global_receive)])
}

/// Compares a schedule with what was read back.
///
/// # Errors
/// If they differ; the first difference is named.
pub fn same(schedule: &UniformProgram, read: &UniformProgram) -> Result<(), LowerError> {
    let (a, b): (BTreeSet<_>, BTreeSet<_>) =
        (schedule.launches().iter().copied().collect(), read.launches().iter().copied().collect());
    match a.symmetric_difference(&b).next() {
        None => Ok(()),
        Some(launch) => {
            let table = if launch.vector.delta == 0 { Table::GlobalSend } else { Table::LocalSend };
            let who = if a.contains(launch) { "is missing" } else { "should not be there" };
            Err(LowerError::Image { table, what: format!("row {}: {} {who}", launch.row, launch.vector) })
        }
    }
}

fn launches(p: &Parameters, table: Table, image: &str) -> Result<BTreeSet<Launch>, LowerError> {
    let wrong = |what: String| LowerError::Image { table, what };
    let lines: Vec<&str> = image.split_whitespace().collect();
    if lines.len() != p.rows as usize {
        return Err(wrong(format!("it has {} rows, and the period is {}", lines.len(), p.rows)));
    }
    let mut found = BTreeSet::new();
    for (row, line) in lines.iter().enumerate() {
        let bits = BitRow::from_hex(line, table.row_bits(p))
            .ok_or_else(|| wrong(format!("row {row}: `{line}` is not {} bits in hexadecimal", table.row_bits(p))))?;
        for entry in 0..table.entries(p) {
            let (at, width) = (entry as usize * table.entry_bits(p), p.pi_bits as usize);
            if bits.get(at + table.entry_bits(p) - 1, 1) == 0 {
                continue;
            }
            let gamma = if table.is_local() { bits.get(at + width, p.gamma_bits as usize) } else { 0 };
            let vector = table.vector(entry, gamma, bits.get(at, width));
            if vector.gamma >= p.k || vector.pi >= p.m || vector.delta >= p.m {
                return Err(wrong(format!("row {row}: {vector} is not a vector of this network")));
            }
            found.insert(Launch { row: row as u32, vector });
        }
    }
    Ok(found)
}
