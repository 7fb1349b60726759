//! The slot tables of a router, one for each place that follows the beat.

use super::parameters::Parameters;
use crate::lower::bits::BitRow;
use crate::lower::images::Images;
use crate::program::form::swapped_dragonfly::uniform::{Launch, UniformProgram};
use crate::topology::swapped_dragonfly::SourceVector;
use std::fmt;

/// A slot table. Row s of all four speaks of the packets whose global hop belongs to row s of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Table {
    /// Send table of local ports, by δ: the word with header (γ,π) leaves its bank.
    LocalSend,
    /// Send table of global ports, by γ: the word with header π leaves its bank.
    GlobalSend,
    /// Receive table of global ports, by γ: a word with first hop δ arrives.
    GlobalReceive,
    /// Receive table of local ports, by π: a word with (γ,δ) arrives.
    LocalReceive,
}

impl Table {
    /// All tables, in the order in which a program is loaded.
    pub const ALL: [Table; 4] = [Table::LocalSend, Table::GlobalSend, Table::GlobalReceive, Table::LocalReceive];

    /// Tables of the words that are sent.
    const SENDS: [Table; 2] = [Table::LocalSend, Table::GlobalSend];
    /// Tables of the words that are received.
    const RECEIVES: [Table; 2] = [Table::GlobalReceive, Table::LocalReceive];

    /// The name of the table and of its image.
    pub fn name(self) -> &'static str {
        match self {
            Table::LocalSend => "local_send",
            Table::GlobalSend => "global_send",
            Table::GlobalReceive => "global_receive",
            Table::LocalReceive => "local_receive",
        }
    }

    /// The name of its image; `router` is empty for tables that all routers have, else the router's coordinates.
    pub fn image(self, router: &str) -> String {
        if router.is_empty() { self.name().to_owned() } else { format!("{router}_{}", self.name()) }
    }

    /// The table from which a vector is sent.
    pub fn sending(vector: SourceVector) -> Self {
        if vector.delta == 0 { Table::GlobalSend } else { Table::LocalSend }
    }

    /// The table in which a vector is expected.
    pub fn receiving(vector: SourceVector) -> Self {
        if vector.pi == 0 { Table::GlobalReceive } else { Table::LocalReceive }
    }

    /// True if the table has an entry for each local port; else it has one for each global port.
    pub fn is_local(self) -> bool {
        matches!(self, Table::LocalSend | Table::LocalReceive)
    }

    /// Bits of a row.
    pub fn row_bits(self, p: &Parameters) -> usize {
        (if self.is_local() { p.local_row_bits } else { p.global_row_bits }) as usize
    }

    /// Number of entries of a row.
    pub fn entries(self, p: &Parameters) -> u32 {
        if self.is_local() { p.local_ports() } else { p.k }
    }

    /// Bits of an entry: {valid, γ, other} or {valid, other}.
    pub fn entry_bits(self, p: &Parameters) -> usize {
        (1 + p.pi_bits + if self.is_local() { p.gamma_bits } else { 0 }) as usize
    }

    /// Position of a vector in a row of this table: entry, γ and the other half of its header; None if the table does not hold the vector.
    fn entry(self, v: SourceVector) -> Option<(u32, u32, u32)> {
        match self {
            Table::LocalSend => (v.delta != 0).then(|| (v.delta - 1, v.gamma, v.pi)),
            Table::GlobalSend => (v.delta == 0).then_some((v.gamma, v.gamma, v.pi)),
            Table::GlobalReceive => (v.pi == 0).then_some((v.gamma, v.gamma, v.delta)),
            Table::LocalReceive => (v.pi != 0).then(|| (v.pi - 1, v.gamma, v.delta)),
        }
    }

    /// The vector that an entry of this table speaks of; the inverse of [`Self::entry`].
    pub(super) fn vector(self, entry: u32, gamma: u32, other: u32) -> SourceVector {
        match self {
            Table::LocalSend => SourceVector { gamma, pi: other, delta: entry + 1 },
            Table::GlobalSend => SourceVector { gamma: entry, pi: other, delta: 0 },
            Table::GlobalReceive => SourceVector { gamma: entry, pi: 0, delta: other },
            Table::LocalReceive => SourceVector { gamma, pi: entry + 1, delta: other },
        }
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The four tables of a router; the same for all routers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotTables {
    rows: [Vec<BitRow>; 4],
}

impl SlotTables {
    /// The tables of a checked program, padded to the period with empty rows.
    pub fn new(p: &Parameters, program: &UniformProgram) -> Self {
        let all = || program.launches().iter().copied();
        Self::of(p, all(), all())
    }

    /// The tables of a router that sends and receives these packets, each with the source vector with which it leaves its
    /// source.
    pub fn of(
        p: &Parameters,
        sends: impl IntoIterator<Item = Launch>,
        receives: impl IntoIterator<Item = Launch>,
    ) -> Self {
        let mut rows = Table::ALL.map(|t| vec![BitRow::zero(t.row_bits(p)); p.rows as usize]);
        let mut enter = |table: Table, launch: Launch| {
            let Some((entry, gamma, other)) = table.entry(launch.vector) else { return };
            let row = &mut rows[table as usize][launch.row as usize];
            let at = entry as usize * table.entry_bits(p);
            row.set(at, p.pi_bits as usize, other);
            if table.is_local() {
                row.set(at + p.pi_bits as usize, p.gamma_bits as usize, gamma);
            }
            row.set(at + table.entry_bits(p) - 1, 1, 1);
        };
        for launch in sends {
            Table::SENDS.into_iter().for_each(|table| enter(table, launch));
        }
        for launch in receives {
            Table::RECEIVES.into_iter().for_each(|table| enter(table, launch));
        }
        Self { rows }
    }

    /// The rows of a table.
    pub fn rows(&self, table: Table) -> &[BitRow] {
        &self.rows[table as usize]
    }

    /// Bits of all four tables.
    pub fn bits(&self) -> usize {
        self.rows.iter().flatten().map(BitRow::width).sum()
    }

    /// Adds the images of the tables of `router`, empty for all routers.
    pub fn image(&self, router: &str, images: &mut Images) {
        Table::ALL.into_iter().for_each(|table| images.insert(table.image(router), self.rows(table)));
    }

    /// The program as the host stream carries it to a router: its version, then each row in pieces of a word.
    pub fn pieces(&self, p: &Parameters, version: u8) -> Vec<u64> {
        let rows = self.rows.iter().flatten().flat_map(|row| row.pieces(p.data_bits as usize));
        std::iter::once(u64::from(version)).chain(rows).collect()
    }
}
