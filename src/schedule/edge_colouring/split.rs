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
}

impl Splitter {
    pub(super) fn new(nodes: usize) -> Self {
        Self { open: vec![NONE; nodes], partner: Vec::new(), side: Vec::new() }
    }

    /// Both halves, ordered by left nodes as the cells are. Every node must have an even number of edges.
    pub(super) fn split(&mut self, cells: &[Cell]) -> [Vec<Cell>; 2] {
        self.walk(cells);
        let mut halves = [Vec::with_capacity(cells.len() / 2 + 8), Vec::with_capacity(cells.len() / 2 + 8)];
        let mut odd = 0;
        for cell in cells {
            let mut counts = [cell.count / 2; 2];
            if cell.count % 2 == 1 {
                counts[usize::from(self.side[odd] & 1)] += 1;
                odd += 1;
            }
            for (half, count) in halves.iter_mut().zip(counts) {
                if count > 0 {
                    half.push(Cell { count, ..*cell });
                }
            }
        }
        halves
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
