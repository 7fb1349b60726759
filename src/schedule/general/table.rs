//! Table of a uniform program: which word claims which class of channels in which cycle, at every node alike.

use super::law::Law;

/// Cell that no word claims.
pub(super) const FREE: u32 = u32::MAX;

/// Rows of the table: one for each class of channels, or one for the sends and one for the receives of a node; two rows
/// of the terminals follow.
#[derive(Debug, Clone)]
pub(super) struct Table {
    rows: usize,
    cycles: usize,
    cells: Vec<u32>,
    /// Bitmap of claimed cycles, a bit a cycle, by row: true where claimed or outside the table. A periodic table also
    /// has the cycles after the first period.
    taken: Vec<Vec<u64>>,
    /// True if cycles count modulo the length.
    pub periodic: bool,
    /// True if a node's terminal sends one word a cycle and takes one.
    pub terminal: bool,
}

/// Place in the table: row and cycle.
pub(super) type Place = (usize, u32);

impl Table {
    /// Empty table of `cycles` cycles, for words that travel for at most `far` cycles.
    pub fn new(law: &Law, cycles: u32, far: u32, periodic: bool, terminal: bool) -> Self {
        let rows = if law.one { 2 } else { law.steps.len() } + 2;
        let cycles = cycles as usize;
        let mut row = vec![0; (cycles + far as usize) / 64 + 2];
        if !periodic {
            (cycles..row.len() * 64).for_each(|cycle| row[cycle / 64] |= 1 << (cycle % 64));
        }
        Self { rows, cycles, cells: vec![FREE; rows * cycles], taken: vec![row; rows], periodic, terminal }
    }

    /// Number of cycles.
    pub fn cycles(&self) -> u32 {
        self.cycles as u32
    }

    /// Places of a hop.
    pub fn hop(&self, law: &Law, class: usize, cycle: u32) -> [Option<Place>; 2] {
        match law.one {
            false => [Some((class, cycle)), None],
            true => [Some((0, cycle)), Some((1, cycle + law.latency[class] - 1))],
        }
    }

    /// Places of the terminals for a word that leaves in cycle `start` and has come in cycle `end`, in which it is
    /// taken.
    pub fn ends(&self, start: u32, end: u32) -> [Option<Place>; 2] {
        let place = |row, cycle| self.terminal.then_some((row, cycle));
        [place(self.rows - 2, start), place(self.rows - 1, end - 1)]
    }

    fn cell(&self, (row, cycle): Place) -> usize {
        row * self.cycles + cycle as usize % self.cycles
    }

    /// The word that claims a place.
    pub fn owner(&self, place: Place) -> u32 {
        self.cells[self.cell(place)]
    }

    /// Gives a place to a word, or frees it.
    pub fn put(&mut self, place: Place, word: u32) {
        let cell = self.cell(place);
        self.cells[cell] = word;
        let row = &mut self.taken[place.0];
        let step = if self.periodic { self.cycles } else { row.len() * 64 };
        for cycle in (place.1 as usize % self.cycles..row.len() * 64).step_by(step) {
            row[cycle / 64] = row[cycle / 64] & !(1 << (cycle % 64)) | u64::from(word != FREE) << (cycle % 64);
        }
    }

    /// True bits for the starts `64 * block`, … at which all of these places, given for start 0, are free.
    pub fn free(&self, places: [Option<Place>; 2], block: usize) -> u64 {
        let taken = places.into_iter().flatten().map(|(row, cycle)| {
            let (word, bit) = (block + cycle as usize / 64, cycle % 64);
            let at = |word: usize| self.taken[row].get(word).copied().unwrap_or(u64::MAX);
            if bit == 0 { at(word) } else { at(word) >> bit | at(word + 1) << (64 - bit) }
        });
        !taken.fold(0, |all, bits| all | bits)
    }
}
