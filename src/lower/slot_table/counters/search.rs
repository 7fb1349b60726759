//! Loops over the rows of a table with the fewest bits, by dynamic programming from the last row to the first.

use super::address::Address;
use super::layout::{Layout, Loop, Way};
use crate::lower::bits::BitRow;
use std::collections::HashMap;

/// Pairs of a row and a length of a loop that are looked at.
const EFFORT: usize = 1 << 20;
/// Numbers of turns that are tried for a loop of some length: the most that there can be, and those below.
const TURNS: usize = 64;

/// Rows `start` to `start + length - 1`, so many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Segment {
    start: usize,
    length: usize,
    turns: usize,
}

/// Rows from a row on that are equal to those `length` rows later, but for addresses that advance by one stride each.
#[derive(Debug, Clone)]
struct Run {
    /// First row that is not equal to the one `length` rows later.
    end: usize,
    /// Next use of each strided address: row, stride, and first row with another stride.
    next: Vec<Option<(usize, u32, usize)>>,
}

/// Rows of a table as numbers.
struct Numbered<'a> {
    /// Rows without their strided addresses, equal ones with one number.
    rows: Vec<usize>,
    strided: Vec<&'a Address>,
    /// Strided addresses that are used, by row.
    values: Vec<Vec<Option<u32>>>,
}

impl<'a> Numbered<'a> {
    fn new(rows: &[BitRow], layout: &'a Layout) -> Self {
        let strided = layout.addresses.iter().filter(|(_, way)| *way == Way::Strided);
        let strided: Vec<&Address> = strided.map(|(address, _)| address).collect();
        let mut known: HashMap<BitRow, usize> = HashMap::new();
        let number = |row: &BitRow| {
            let mut row = row.clone();
            strided.iter().for_each(|address| row.set(address.field.at as usize, address.field.width as usize, 0));
            let next = known.len();
            *known.entry(layout.pack(&row)).or_insert(next)
        };
        let values = |row: &BitRow| strided.iter().map(|address| address.value(row)).collect();
        Self { values: rows.iter().map(values).collect(), rows: rows.iter().map(number).collect(), strided }
    }

    /// Takes row `row` before a run of rows that are `length` rows apart.
    fn extend(&self, run: &mut Run, row: usize, length: usize) {
        if self.rows[row] != self.rows[row + length] {
            *run = Run { end: row, next: vec![None; self.strided.len()] };
            return;
        }
        let pairs = self.values[row].iter().zip(&self.values[row + length]);
        for ((address, pair), next) in self.strided.iter().zip(pairs).zip(&mut run.next) {
            let (&Some(from), &Some(to)) = pair else { continue };
            let stride = address.stride(from, to);
            let until = match *next {
                Some((_, other, until)) if other == stride => until,
                Some((at, ..)) => at,
                None => usize::MAX,
            };
            *next = Some((row, stride, until));
            run.end = run.end.min(until);
        }
    }
}

/// Loops that make the rows, and the rows that they store.
pub(super) fn loops(rows: &[BitRow], layout: &Layout) -> (Vec<BitRow>, Vec<Loop>) {
    let (mut stored, mut loops) = (Vec::new(), Vec::new());
    for Segment { start, length, turns } in segments(rows, layout) {
        stored.extend(rows[start..start + length].iter().map(|row| layout.pack(row)));
        let stride = |(address, way): &(Address, Way)| {
            let first =
                |row: usize| Some(address.stride(address.value(&rows[row])?, address.value(&rows[row + length])?));
            let strides = *way == Way::Strided && turns > 1;
            (start..start + length).filter(|_| strides).find_map(first).unwrap_or(0)
        };
        let strides = layout.addresses.iter().map(stride).collect();
        loops.push(Loop { end: stored.len() as u32 - 1, turns: turns as u32, strides });
    }
    (stored, loops)
}

/// Segments with the fewest bits of stored rows and loops.
fn segments(rows: &[BitRow], layout: &Layout) -> Vec<Segment> {
    let count = rows.len();
    let numbered = Numbered::new(rows, layout);
    let (row_bits, loop_bits) = (u64::from(layout.stored_bits()), u64::from(layout.loop_bits));
    let longest = (count / 2).min(EFFORT / count.max(1)).max(1);
    let idle = Run { end: count, next: vec![None; numbered.strided.len()] };
    let mut runs = vec![idle; longest + 1];
    // by row: fewest bits from there on, and the first segment; the same if it is one turn of a segment that began before
    let mut best: Vec<(u64, Segment)> = vec![(0, Segment { start: count, length: 0, turns: 1 }); count + 1];
    let mut inside = best.clone();
    inside[count].0 = u64::MAX - loop_bits - row_bits;
    for start in (0..count).rev() {
        let (after, more) = (best[start + 1].0, inside[start + 1]);
        let length = if after <= more.0 { 1 } else { more.1.length + 1 };
        inside[start] = (row_bits + after.min(more.0), Segment { start, length, turns: 1 });
        best[start] = (inside[start].0 + loop_bits, inside[start].1);
        for (length, run) in runs.iter_mut().enumerate().skip(1) {
            if start + length >= count {
                run.end = start;
                continue;
            }
            numbered.extend(run, start, length);
            let most = (run.end - start) / length + 1;
            for turns in (2..=most).rev().take(TURNS) {
                let bits = loop_bits + length as u64 * row_bits + best[start + length * turns].0;
                if bits < best[start].0 {
                    best[start] = (bits, Segment { start, length, turns });
                }
            }
        }
    }
    let mut found = Vec::new();
    let mut at = 0;
    while at < count {
        let segment = best[at].1;
        at += segment.length * segment.turns;
        found.push(segment);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::slot_table::fields::Field;

    /// Rows of a mask of two bits and an address of four that is used where bit 0 is set.
    fn rows(all: &[(u32, u32)]) -> Vec<BitRow> {
        let row = |&(mask, address): &(u32, u32)| {
            let mut row = BitRow::zero(6);
            row.set(0, 2, mask);
            row.set(2, 4, address);
            row
        };
        all.iter().map(row).collect()
    }

    fn layout(way: Way) -> Layout {
        let address = Address { field: Field { at: 2, width: 4 }, depth: 16, uses: vec![0] };
        let mut used = BitRow::zero(6);
        used.set(0, 6, 63);
        Layout::new(vec![(address, way)], &used, [16, 16])
    }

    /// Loops that make the rows, after they were unrolled.
    fn found(way: Way, all: &[(u32, u32)]) -> Vec<(u32, u32, u32)> {
        let (layout, rows) = (layout(way), rows(all));
        let (stored, loops) = loops(&rows, &layout);
        let last = loops.len() - 1;
        let coded: Vec<BitRow> =
            loops.iter().enumerate().map(|(number, each)| layout.encode(each, number == last)).collect();
        let made = layout.unroll(&stored, &coded, rows.len() as u32).expect("loops of all rows");
        let (address, _) = &layout.addresses[0];
        for (row, made) in rows.iter().zip(&made) {
            assert_eq!((row.get(0, 2), address.value(row)), (made.get(0, 2), address.value(made)));
        }
        loops.iter().map(|each| (each.end, each.turns, each.strides[0])).collect()
    }

    #[test]
    fn rows_that_repeat_are_a_loop_with_a_stride() {
        // two rows, of which the second uses no address, eight times
        let steps: Vec<(u32, u32)> = (0..8).flat_map(|turn| [(1, (5 + 3 * turn) % 16), (2, 0)]).collect();
        assert_eq!(found(Way::Strided, &steps), [(1, 8, 3)]);
        // without strides every row is stored
        assert_eq!(found(Way::Stored, &steps), [(15, 1, 0)]);
        // a stride that changes begins another loop
        let both: Vec<(u32, u32)> = (0..8).map(|i| (1, i)).chain((0..8).map(|i| (1, 15 - 2 * i % 16))).collect();
        assert_eq!(found(Way::Strided, &both), [(0, 8, 1), (1, 8, 14)]);
    }

    #[test]
    fn rows_without_regularity_are_one_loop() {
        let all: Vec<(u32, u32)> = (0..10).map(|i| (i * i % 3 + 1, i * i * 7 % 16)).collect();
        let loops = found(Way::Stored, &all);
        assert_eq!(loops, [(9, 1, 0)]);
    }

    #[test]
    fn loops_of_another_number_of_rows_are_refused() {
        let layout = layout(Way::Strided);
        let rows = rows(&[(1, 0), (1, 1), (1, 2), (1, 3)]);
        let (stored, loops) = loops(&rows, &layout);
        let coded = |is_last: bool| vec![layout.encode(&loops[0], is_last)];
        assert!(layout.unroll(&stored, &coded(true), 4).is_ok());
        for (is_last, rows, what) in [
            (true, 5, "loop 0 is the last, after 4 rows of 5"),
            (false, 4, "loop 0 is not the last, after all 4 rows"),
            (false, 5, "there is no last loop after 4 rows of 5"),
            (true, 3, "loop 0 goes beyond the 3 rows of the program"),
        ] {
            assert_eq!(layout.unroll(&stored, &coded(is_last), rows), Err(what.to_owned()));
        }
        assert_eq!(layout.unroll(&[], &coded(true), 4), Err(format!("loop 0 has no rows from 0 to {}", loops[0].end)));
    }
}
