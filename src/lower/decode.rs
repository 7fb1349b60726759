//! Reading images of source vectors back: what a router would do that held these words, told as a program that can be checked.

use super::images::{Images, wrong};
use super::{LowerError, Parameters, Table};
use crate::schedule::{Launch, UniformProgram};
use std::collections::BTreeSet;

/// The program that the tables of `router` hold: what it sends must be what it expects.
///
/// # Errors
/// [`LowerError::Image`] if an image is not one of this network's, or send and receive tables disagree.
pub fn program(p: &Parameters, images: &Images, router: &str) -> Result<UniformProgram, LowerError> {
    let [sent, expected] = sides(p, images, router)?;
    if let Some(first) = sent.first().filter(|first| first.row > 0) {
        return Err(wrong(&Table::sending(first.vector).image(router), 0, "nothing is sent"));
    }
    match difference(&sent, &expected) {
        None => Ok(UniformProgram::new(sent.into_iter().collect())),
        Some(launch) => {
            let what = if sent.contains(&launch) { "is sent and not expected" } else { "is expected and not sent" };
            let table = Table::receiving(launch.vector);
            Err(wrong(&table.image(router), launch.row as usize, format!("{} {what}", launch.vector)))
        }
    }
}

/// What a router with these images sends, and what it expects.
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

/// Compares a schedule with what was read back from the tables of `router`.
///
/// # Errors
/// If they differ; the first difference is named.
pub fn same(schedule: &UniformProgram, read: &UniformProgram, router: &str) -> Result<(), LowerError> {
    let [a, b] = [schedule, read].map(|program| program.launches().iter().copied().collect());
    match difference(&a, &b) {
        None => Ok(()),
        Some(launch) => {
            let what = if a.contains(&launch) { "is missing" } else { "should not be there" };
            let table = Table::sending(launch.vector);
            Err(wrong(&table.image(router), launch.row as usize, format!("{} {what}", launch.vector)))
        }
    }
}

fn difference(a: &BTreeSet<Launch>, b: &BTreeSet<Launch>) -> Option<Launch> {
    a.symmetric_difference(b).next().copied()
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
