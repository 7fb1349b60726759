//! Counters that make the rows of all routers' slot tables, as `mn_product_train.v` and `mn_product_field.v` do.
//!
//! The value of a field of a row belongs to a *train* of consecutive cycles. Three nested counters count them, in the
//! order of vectors, blocks and elements of blocks in a schedule. A router's field is on where all three counters stand
//! at marked counts, and its value is a sum of three numbers, one for each count. Trains are the same in all routers;
//! marks and numbers are constants of a router.

use super::{Fields, Shape, TileProgram};
use crate::lower::bits::BitRow;
use crate::lower::swapped_dragonfly::Frame;

/// Cycles in which all routers count alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Train {
    /// Row in which the train starts.
    pub start: u32,
    /// Counts of the counters, that of every row first.
    pub counts: [u32; 3],
}

/// Bits of a row that counters make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Number of the lowest bit.
    pub at: usize,
    /// Bits, at most 32.
    pub width: usize,
    /// The train's position among all.
    pub train: usize,
}

/// Number that a router's field adds for one count of one counter; None if the field is off at this count.
type Step = Option<u32>;

/// The counters of a product.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductCounters {
    /// The trains, in order of their starts.
    pub trains: Vec<Train>,
    /// The fields, lowest first; several may be of the same bits, never in the same row.
    pub fields: Vec<Field>,
    /// Steps of each counter with their counts, by router, then by field.
    steps: Vec<Vec<[Vec<Step>; 3]>>,
}

/// Count that every counter may reach, whatever the sizes of the product. With no limit a counter could have a count for every row, and its
/// marks would be the slot table.
const SHORT: u32 = 4;

/// Values of a field in a router, by row: (row, value).
type Events = Vec<(u32, u32)>;

impl Train {
    /// The train's counters in a row.
    fn counters(&self, row: u32) -> Option<[u32; 3]> {
        let at = row.checked_sub(self.start)?;
        let [inner, middle, outer] = self.counts;
        (at < inner * middle * outer).then_some([at % inner, at / inner % middle, at / inner / middle])
    }

    /// A router's steps for these events; None if the counters cannot make them.
    fn steps(&self, width: usize, events: &Events) -> Option<[Vec<Step>; 3]> {
        let mut steps = self.counts.map(|count| vec![None; count as usize]);
        let Some(&(row, value)) = events.first() else { return Some(steps) };
        let origin = self.counters(row)?;
        for &(row, other) in events {
            let at = self.counters(row)?;
            // the numbers of events that differ from the first in one counter follow, the first's value goes with the outer one
            for level in 0..3 {
                steps[level][at[level] as usize].get_or_insert(0);
                if (0..3).all(|l| l == level || at[l] == origin[l]) {
                    let number = if level == 2 { other } else { other.wrapping_sub(value) & mask(width) };
                    steps[level][at[level] as usize] = Some(number);
                }
            }
        }
        let on = steps.iter().map(|level| level.iter().flatten().count()).product::<usize>();
        let made = |row| self.counters(row).and_then(|at| value_at(&steps, at, width));
        (on == events.len() && events.iter().all(|&(row, value)| made(row) == Some(value))).then_some(steps)
    }
}

fn mask(width: usize) -> u32 {
    u32::MAX >> (32 - width)
}

/// The value of a field by its counters, if it is on.
fn value_at(steps: &[Vec<Step>; 3], at: [u32; 3], width: usize) -> Option<u32> {
    let mut sum = 0_u32;
    for (level, count) in steps.iter().zip(at) {
        sum = sum.wrapping_add(level[count as usize]?);
    }
    Some(sum & mask(width))
}

impl ProductCounters {
    /// The counters of programs; None if some field would need one that counts further than there are blocks in a row, or elements
    /// in a block's, or [`SHORT`].
    pub(super) fn new(frame: &Frame, fields: &Fields, shape: &Shape, tiles: &[TileProgram]) -> Option<Self> {
        let most = shape.block.max(shape.side * frame.m).max(SHORT);
        let spans = fields.spans();
        let said: Vec<Vec<Events>> = tiles.iter().map(|tile| events(fields, shape, &tile.rows)).collect();
        // fields with the same first and last row in the network have one train
        let reach = |field: usize| {
            let rows = || said.iter().flat_map(move |tile| tile[field].iter().map(|event| event.0));
            Some((rows().min()?, rows().max()?))
        };
        let reaches: Vec<Option<(u32, u32)>> = (0..spans.len()).map(reach).collect();
        let mut open: Vec<(u32, u32)> = reaches.iter().flatten().copied().collect();
        open.sort_unstable();
        open.dedup();
        let mut trains = Vec::new();
        for reach in &open {
            let mine: Vec<usize> = (0..spans.len()).filter(|&field| reaches[field] == Some(*reach)).collect();
            let fits = |train: &Train| {
                said.iter().all(|tile| mine.iter().all(|&field| train.steps(spans[field].1, &tile[field]).is_some()))
            };
            trains.push(candidates(*reach, most).into_iter().find(fits)?);
        }
        let of = |field: usize| {
            let train = open.iter().position(|reach| reaches[field] == Some(*reach))?;
            Some((field, Field { at: spans[field].0, width: spans[field].1, train }))
        };
        let used: Vec<(usize, Field)> = (0..spans.len()).filter_map(of).collect();
        let steps = |tile: &Vec<Events>| -> Option<Vec<_>> {
            used.iter().map(|(field, of)| trains[of.train].steps(of.width, &tile[*field])).collect()
        };
        let steps = said.iter().map(steps).collect::<Option<_>>()?;
        Some(Self { trains, fields: used.into_iter().map(|(_, field)| field).collect(), steps })
    }

    /// Bits of a router's constants.
    pub fn constant_bits(&self) -> usize {
        self.fields.iter().map(|field| self.field_bits(field)).sum()
    }

    /// Bits of the constants of a field: its width and one for each count of each counter.
    pub fn field_bits(&self, field: &Field) -> usize {
        self.trains[field.train].counts.iter().sum::<u32>() as usize * (field.width + 1)
    }

    /// A router's constants: by field, counter and count, the lowest first, the number and above it whether the field is on.
    pub fn constants(&self, tile: usize) -> BitRow {
        let mut row = BitRow::zero(self.constant_bits());
        let mut at = 0;
        for (field, steps) in self.fields.iter().zip(&self.steps[tile]) {
            for step in steps.iter().flatten() {
                row.set(at, field.width, step.unwrap_or(0));
                row.set(at + field.width, 1, step.is_some().into());
                at += field.width + 1;
            }
        }
        row
    }

    /// The rows that the counters make of a router's constants, as bits.
    pub fn rows(&self, constants: &BitRow, rows: u32, width: usize) -> Vec<BitRow> {
        let mut made = vec![BitRow::zero(width); rows as usize];
        let mut from = 0;
        for field in &self.fields {
            let train = &self.trains[field.train];
            let steps = train.counts.map(|count| {
                (0..count)
                    .map(|_| {
                        from += field.width + 1;
                        (constants.get(from - 1, 1) == 1).then(|| constants.get(from - field.width - 1, field.width))
                    })
                    .collect::<Vec<Step>>()
            });
            for (number, row) in (0..).zip(&mut made) {
                let value = train.counters(number).and_then(|at| value_at(&steps, at, field.width));
                row.set(field.at, field.width, row.get(field.at, field.width) | value.unwrap_or(0));
            }
        }
        made
    }
}

/// Forms of a train from one row to another whose counters have at most `most` counts, those with the fewest first.
fn candidates((first, last): (u32, u32), most: u32) -> Vec<Train> {
    let rows = last + 1 - first;
    let mut all: Vec<[u32; 3]> = (1..=rows)
        .flat_map(|inner| (1..=rows.div_ceil(inner)).map(move |middle| [inner, middle, rows.div_ceil(inner * middle)]))
        .collect();
    all.retain(|counts| counts.iter().all(|&count| count <= most));
    all.sort_by_key(|counts| (counts.iter().sum::<u32>(), *counts));
    all.into_iter().map(|counts| Train { start: first, counts }).collect()
}

/// Values of each field in a router's rows, as (row, value), by field.
fn events(fields: &Fields, shape: &Shape, rows: &[BitRow]) -> Vec<Events> {
    let mut all = vec![Vec::new(); fields.spans().len()];
    for (number, row) in (0..).zip(rows) {
        for (events, value) in all.iter_mut().zip(fields.values(shape, row)) {
            events.extend(value.map(|value| (number, value)));
        }
    }
    all
}
