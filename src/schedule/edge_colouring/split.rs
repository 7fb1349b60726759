//! Euler split: every node's edges in two equal halves.

use super::Cell;

const NONE: u32 = u32::MAX;
/// Beside a partner's number. In a pair's first one: the pair has been walked; in its second one: the first cell's half.
const MARK: u32 = 1 << 31;

/// Splitter of multigraphs with a fixed number of nodes on either side; keeps its working memory.
pub(super) struct Splitter {
    /// The last odd cell of each right node that has no partner yet.
    open: Vec<u32>,
    /// Odd cells by the pairs of their left nodes; of each the number of the other one at its right node.
    pairs: Vec<[u32; 2]>,
    /// Lists that are used again.
    pool: Vec<Vec<Cell>>,
}

impl Splitter {
    pub(super) fn new(nodes: usize) -> Self {
        Self { open: vec![NONE; nodes], pairs: Vec::new(), pool: Vec::new() }
    }

    /// Two halves of `cells`, ordered by left nodes like `cells`. Every node must have an even number of edges.
    pub(super) fn split(&mut self, cells: &[Cell]) -> [Vec<Cell>; 2] {
        self.walk(cells);
        let none = Cell { left: 0, right: 0, count: 0 };
        // what lists held before is written over
        let mut halves = [(), ()].map(|()| {
            let mut half = self.pool.pop().unwrap_or_default();
            half.resize(cells.len(), none);
            half
        });
        let mut lengths = [0; 2];
        let mut odd = 0;
        for cell in cells {
            if cell.count > 1 {
                for (half, length) in halves.iter_mut().zip(&mut lengths) {
                    half[*length] = Cell { count: cell.count / 2, ..*cell };
                    *length += 1;
                }
            }
            if cell.count % 2 == 1 {
                let side = self.side(odd);
                odd += 1;
                if cell.count == 1 {
                    halves[side][lengths[side]] = *cell;
                    lengths[side] += 1;
                } else {
                    halves[side][lengths[side] - 1].count += 1;
                }
            }
        }
        for (half, length) in halves.iter_mut().zip(lengths) {
            half.truncate(length);
        }
        halves
    }

    /// Splits a multigraph of two edges a node into two matchings, which are written one after the other.
    pub(super) fn split_pair(&mut self, cells: &[Cell], out: &mut [u32]) {
        self.walk(cells);
        let nodes = out.len() / 2;
        let mut odd = 0;
        for cell in cells {
            let left = cell.left as usize;
            if cell.count == 1 {
                out[self.side(odd) * nodes + left] = cell.right;
                odd += 1;
            } else {
                (out[left], out[nodes + left]) = (cell.right, cell.right);
            }
        }
    }

    /// Takes a list back.
    pub(super) fn give(&mut self, cells: Vec<Cell>) {
        self.pool.push(cells);
    }

    /// The half that an odd cell went to.
    fn side(&self, odd: usize) -> usize {
        (self.pairs[odd / 2][1] >> 31) as usize ^ (odd & 1)
    }

    /// Pairs the odd cells at every node and walks along the pairs, taking halves in turn. At a left node they are paired
    /// as they follow each other, so that cell i's partner is i^1.
    fn walk(&mut self, cells: &[Cell]) {
        self.pairs.clear();
        self.pairs.resize(cells.len().div_ceil(2), [NONE; 2]);
        let partner = self.pairs.as_flattened_mut();
        let mut odd = 0;
        for cell in cells.iter().filter(|cell| cell.count % 2 == 1) {
            let open = &mut self.open[cell.right as usize];
            if *open == NONE {
                *open = odd;
            } else {
                partner[*open as usize] = odd;
                partner[odd as usize] = std::mem::replace(open, NONE);
            }
            odd += 1;
        }
        self.pairs.truncate(odd as usize / 2);
        // A closed walk is walked from both ends until they meet, so that two pairs are on their way from memory.
        for start in 0..self.pairs.len() {
            let first = self.pairs[start][0];
            let (mut ahead, mut back) = (Some(2 * start as u32), Some(first));
            if first & MARK == 0 {
                while let (Some(a), Some(b)) = (ahead, back) {
                    ahead = self.take(a, 0);
                    back = self.take(b, 1);
                }
            }
        }
    }

    /// Puts a cell into a half and the other one of its pair into the other; the next cell on the way, if it had not been taken.
    fn take(&mut self, cell: u32, side: u32) -> Option<u32> {
        let pair = &mut self.pairs[cell as usize / 2];
        if pair[0] & MARK != 0 {
            return None;
        }
        let next = pair[(cell & 1 ^ 1) as usize];
        pair[0] |= MARK;
        pair[1] |= (cell & 1 ^ side) << 31;
        Some(next)
    }
}
