//! A perfect matching of a regular bipartite multigraph by random walks, in about n log n steps. Source: Goel, Kapralov
//! and Khanna 2010, "Perfect matchings in O(n log n) time in regular bipartite graphs".

use super::Cell;
use crate::hash::split_mix_64;

const NONE: u32 = u32::MAX;

/// Takes a perfect matching out of the cells and writes the right node of every left one.
pub(super) fn take(cells: &mut Vec<Cell>, rights: &mut [u32], seed: u64) {
    let nodes = rights.len();
    // edges before each cell, and the first cell of each left node
    let mut before: Vec<u64> = Vec::with_capacity(cells.len() + 1);
    let mut first = vec![0; nodes + 1];
    let mut sum = 0;
    for cell in cells.iter() {
        before.push(sum);
        sum += u64::from(cell.count);
        first[cell.left as usize + 1] += 1;
    }
    before.push(sum);
    for left in 0..nodes {
        first[left + 1] += first[left];
    }
    let mut random = seed;
    let mut matched: Vec<u32> = vec![NONE; nodes]; // cell of each left node
    let mut owner: Vec<u32> = vec![NONE; nodes]; // left node of each right node
    let mut place = vec![NONE; nodes]; // of each left node on the path
    let mut path: Vec<(u32, u32)> = Vec::new(); // left node, cell by which it is left
    for start in 0..nodes as u32 {
        let mut at = start;
        loop {
            if place[at as usize] != NONE {
                // a loop: forget it
                for (left, _) in path.drain(place[at as usize] as usize..) {
                    place[left as usize] = NONE;
                }
            }
            let (low, high) = (first[at as usize], first[at as usize + 1]);
            let (edges, own) = (before[high] - before[low], matched[at as usize]);
            let cell = loop {
                random = split_mix_64(random, 0);
                let edge = before[low] + ((u128::from(random) * u128::from(edges)) >> 64) as u64;
                let cell = low + before[low + 1..high].partition_point(|&b| b <= edge);
                if own == NONE || cells[cell].right != cells[own as usize].right {
                    break cell as u32;
                }
            };
            place[at as usize] = path.len() as u32;
            path.push((at, cell));
            let right = cells[cell as usize].right as usize;
            if owner[right] == NONE {
                break;
            }
            at = owner[right];
        }
        for (left, cell) in path.drain(..) {
            matched[left as usize] = cell;
            owner[cells[cell as usize].right as usize] = left;
            place[left as usize] = NONE;
        }
    }
    for (left, &cell) in matched.iter().enumerate() {
        rights[left] = cells[cell as usize].right;
        cells[cell as usize].count -= 1;
    }
    cells.retain(|cell| cell.count > 0);
}
