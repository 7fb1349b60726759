//! Euler split: every node's edges in two equal halves.

use super::Cell;

const NONE: u32 = u32::MAX;

/// Splits multigraphs with so many nodes on either side; keeps its working space.
pub(super) struct Splitter {
    /// The last odd cell of each right node that has no partner yet.
    open: Vec<u32>,
    /// The other odd cell of the pair at the right node.
    partner: Vec<u32>,
    /// Which odd cells have been walked, and to which half they went.
    side: Vec<u8>,
    /// Lists that are used again.
    pool: Vec<Vec<Cell>>,
}

impl Splitter {
    pub(super) fn new(nodes: usize) -> Self {
        Self { open: vec![NONE; nodes], partner: Vec::new(), side: Vec::new(), pool: Vec::new() }
    }

    /// Both halves, ordered by left nodes as the cells are. Every node must have an even number of edges.
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
                let side = usize::from(self.side[odd] & 1);
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
                out[usize::from(self.side[odd] & 1) * nodes + left] = cell.right;
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

    /// Pairs the odd cells at every node and walks along the pairs, taking halves in turn. At a left node they are paired
    /// as they follow each other, so that cell i's partner is i^1.
    fn walk(&mut self, cells: &[Cell]) {
        self.partner.clear();
        for cell in cells.iter().filter(|cell| cell.count % 2 == 1) {
            let (own, right) = (self.partner.len() as u32, cell.right as usize);
            let other = std::mem::replace(&mut self.open[right], NONE);
            if other == NONE {
                self.open[right] = own;
            } else {
                self.partner[other as usize] = own;
            }
            self.partner.push(other);
        }
        self.side.clear();
        self.side.resize(self.partner.len(), 2);
        for start in 0..self.partner.len() {
            let mut at = start;
            while self.side[at] == 2 {
                self.side[at] = 0;
                self.side[at ^ 1] = 1;
                at = self.partner[at ^ 1] as usize;
            }
        }
    }
}
