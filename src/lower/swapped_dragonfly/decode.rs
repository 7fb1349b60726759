//! Decoder of images of source vectors: the program of routers that hold these words, in a form that can be checked.

use super::{Parameters, Table};
use crate::lower::LowerError;
use crate::lower::images::{Images, wrong};
use crate::program::form::swapped_dragonfly::uniform::{Launch, UniformProgram};
use std::collections::BTreeSet;

/// Program in the tables, which must send and expect the packets of `schedule`.
///
/// # Errors
/// [`LowerError::Image`] if an image is not one of this network's, or with the first difference.
pub fn program(p: &Parameters, images: &Images, schedule: &UniformProgram) -> Result<UniformProgram, LowerError> {
    let due: BTreeSet<Launch> = schedule.launches().iter().copied().collect();
    let sides = sides(p, images, "")?;
    same([&due, &due], &sides, "")?;
    Ok(UniformProgram::new(sides[0].iter().copied().collect()))
}

/// Compares the packets that `router` must send and expect with those in its tables.
///
/// # Errors
/// [`LowerError::Image`] with the first difference.
pub fn same(due: [&BTreeSet<Launch>; 2], sides: &[BTreeSet<Launch>; 2], router: &str) -> Result<(), LowerError> {
    for ((due, side), table) in due.into_iter().zip(sides).zip([Table::sending as fn(_) -> _, Table::receiving]) {
        if let Some(launch) = due.symmetric_difference(side).next() {
            let what = if due.contains(launch) { "is missing" } else { "should not be there" };
            let what = format!("{} {what}", launch.vector);
            return Err(wrong(&table(launch.vector).image(router), launch.row as usize, what));
        }
    }
    Ok(())
}

/// Launches that a router with these images sends, and launches that it expects.
///
/// # Errors
/// [`LowerError::Image`] if an image is not one of this network's.
pub fn sides(p: &Parameters, images: &Images, router: &str) -> Result<[BTreeSet<Launch>; 2], LowerError> {
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for table in Table::ALL {
        let receives = matches!(table, Table::GlobalReceive | Table::LocalReceive);
        found[usize::from(receives)].extend(launches(p, table, images, &table.image(router))?);
    }
    Ok(found)
}

fn launches(p: &Parameters, table: Table, images: &Images, name: &str) -> Result<BTreeSet<Launch>, LowerError> {
    let mut found = BTreeSet::new();
    for (row, bits) in images.rows(name, p.rows as usize, table.row_bits(p))?.into_iter().enumerate() {
        for entry in 0..table.entries(p) {
            let (at, width) = (entry as usize * table.entry_bits(p), p.pi_bits as usize);
            // the other bits of an entry that is not valid mean nothing
            if bits.get(at + table.entry_bits(p) - 1, 1) == 0 {
                continue;
            }
            let gamma = if table.is_local() { bits.get(at + width, p.gamma_bits as usize) } else { 0 };
            let vector = table.vector(entry, gamma, bits.get(at, width));
            if vector.gamma >= p.k || vector.pi >= p.m || vector.delta >= p.m {
                return Err(wrong(name, row, format!("{vector} is not a vector of this network")));
            }
            found.insert(Launch { row: row as u32, vector });
        }
    }
    Ok(found)
}
