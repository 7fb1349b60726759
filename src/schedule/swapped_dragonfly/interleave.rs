//! Cutting a chain into D interleaved pieces.
//!
//! Two rows can only clash when they are D = Hl + Hg rows apart. So a chain whose consecutive rows agree runs at one
//! row a cycle if D parts of it take turns. A program that repeats every P cycles asks more: the row after the last of
//! a piece is the first of some piece again, so the pieces form gcd(P,D) rings.

use crate::program::form::swapped_dragonfly::counter::CounterProgram;

impl CounterProgram {
    /// Program with its chain cut into parts that take turns, so that neighbouring rows of the chain are `distance`
    /// rows apart. The chain must be a ring of rows that agree with their neighbours, or fall into equal rings.
    pub fn interleaved(mut self, distance: u32) -> Self {
        let rows = self.chain_order();
        self.starts = starts(rows.len() as u32, distance, |from, to| {
            let (last, first) = (rows[to as usize - 1], rows[from as usize]);
            self.vectors(last).all(|a| a.pi == 0 || self.vectors(first).all(|b| a.pi != b.delta))
        });
        self
    }
}

/// Start of each of the `distance` interleaved pieces of a chain of `length` rows. Row r of the program is row
/// `starts[r mod distance] + r / distance` of the chain.
///
/// `closed(a, b)` tells whether row a of the chain may follow the chain's row b - 1, that is whether rows a..b of it
/// form a ring. Starts are chosen for the smallest period P ≥ `length`. P = `length` if the chain falls into gcd(P,D)
/// equal rings, else P is the next number that is coprime to D. In that case the entire chain is taken to be one ring.
pub fn starts(length: u32, distance: u32, closed: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    let rings = gcd(length, distance);
    let part = length / rings;
    if rings > 1 && (0..rings).all(|i| closed(i * part, (i + 1) * part)) {
        return place(length, distance, length);
    }
    let period = (length..).find(|&p| gcd(p, distance) == 1).unwrap_or(length);
    place(length, distance, period)
}

/// Lays the chain along the rings that the pieces form at this period, ring after ring.
fn place(length: u32, distance: u32, period: u32) -> Vec<u32> {
    let mut starts = vec![None; distance as usize];
    let mut next = 0;
    for ring in 0..distance {
        let mut piece = ring;
        while starts[piece as usize].is_none() {
            starts[piece as usize] = Some(next);
            next += (length + distance - 1 - piece) / distance;
            piece = (piece + distance - period % distance) % distance;
        }
    }
    starts.into_iter().map(|s| s.unwrap_or(0)).collect()
}

/// Greatest common divisor.
pub fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every row of the chain is used once, and rows that follow one another at the distance are neighbours in the chain.
    #[test]
    fn pieces_cover_the_chain_and_keep_its_order() {
        for (length, distance, rings) in
            (1..30).flat_map(|l| (1..7).flat_map(move |d| [false, true].map(|r| (l, d, r))))
        {
            let starts = starts(length, distance, |_, _| rings);
            let row = |r: u32| starts[(r % distance) as usize] + r / distance;
            let mut used: Vec<u32> = (0..length).map(row).collect();
            let period = if rings { length } else { (length..).find(|&p| gcd(p, distance) == 1).unwrap() };
            let part = length / gcd(length, distance);
            for r in 0..period {
                let (from, to) = (r, (r + distance) % period);
                if from < length && to < length && period >= distance {
                    let next = if rings && gcd(length, distance) > 1 {
                        row(from) / part * part + (row(from) + 1) % part
                    } else {
                        (row(from) + 1) % length
                    };
                    assert_eq!(row(to), next, "length {length} distance {distance} rings {rings} row {r}");
                }
            }
            used.sort();
            assert!(used.iter().enumerate().all(|(i, &r)| r == i as u32), "length {length} distance {distance}");
        }
    }
}
