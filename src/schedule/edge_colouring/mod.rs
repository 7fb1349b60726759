//! Edge colouring of bipartite multigraphs: Δ colours for maximum degree Δ (König 1916), deterministic for a seed.
//!
//! A multigraph is a list of [`Cell`]s: a left node, a right node and how many edges join them. Even degrees are halved
//! by an Euler split (`split.rs`). A cell of c edges gives ⌊c/2⌋ to either half and only odd cells are walked. So many
//! parallel edges cost no more than one. Of an odd degree a perfect matching is taken out first (`matching.rs`). The
//! first of two halves is coloured. It gives the second so many of its colours that the second's degree becomes a power
//! of two (Gabow and Kariv 1982). So there are at most log Δ perfect matchings.
//!
//! [`resplit()`] turns r colours of g edges each into g colours of r edges each, in time linear in the edges.

mod cell;
mod matching;
mod resplit;
mod split;

pub use cell::Cell;
pub use resplit::resplit;

/// A colouring of a regular multigraph of `degree` colours, each of them a perfect matching.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Colouring {
    nodes: usize,
    rights: Vec<u32>,
}

impl Colouring {
    /// Number of colours.
    pub fn colours(&self) -> usize {
        self.rights.len() / self.nodes.max(1)
    }

    /// The right node of each left node in one colour.
    pub fn matching(&self, colour: usize) -> &[u32] {
        &self.rights[colour * self.nodes..(colour + 1) * self.nodes]
    }

    /// All right nodes, by colour, then by left node.
    pub fn into_rights(self) -> Vec<u32> {
        self.rights
    }
}

/// Colours a regular multigraph: `nodes` nodes on either side, each of `degree` edges. Cells are ordered by their left
/// nodes; several of the same two nodes are allowed.
pub fn colour(nodes: usize, degree: u32, cells: Vec<Cell>, seed: u64) -> Colouring {
    debug_assert!(cells.is_sorted_by_key(|cell| cell.left));
    let mut rights = vec![0; nodes * degree as usize];
    if nodes > 0 && degree > 0 {
        let mut work = Work { nodes, seed, split: split::Splitter::new(nodes) };
        work.colour(cells, degree, &mut rights);
    }
    Colouring { nodes, rights }
}

struct Work {
    nodes: usize,
    seed: u64,
    split: split::Splitter,
}

impl Work {
    /// Colours `degree` edges a node into as many matchings.
    fn colour(&mut self, mut cells: Vec<Cell>, degree: u32, out: &mut [u32]) {
        if degree.is_power_of_two() {
            return self.halve(&cells, degree, out);
        }
        let (mut degree, mut out) = (degree, out);
        if degree % 2 == 1 {
            let (first, rest) = out.split_at_mut(self.nodes);
            self.seed = self.seed.wrapping_add(1);
            matching::take(&mut cells, first, self.seed);
            (degree, out) = (degree - 1, rest);
        }
        let half = degree / 2;
        let [first, mut second] = self.split.split(&cells);
        drop(cells);
        self.colour(first, half, &mut out[..half as usize * self.nodes]);
        // colours that go back, so that the rest is a power of two
        let whole = half.next_power_of_two();
        let start = (degree - whole) as usize * self.nodes;
        for matching in out[start..half as usize * self.nodes].chunks(self.nodes) {
            second.extend((0..).zip(matching).map(|(left, &right)| Cell { left, right, count: 1 }));
        }
        if whole > half {
            second.sort_by_key(|cell| cell.left); // merges two sorted runs or a few
        }
        self.halve(&second, whole, &mut out[start..]);
    }

    /// Colours edges whose degree is a power of two.
    fn halve(&mut self, cells: &[Cell], degree: u32, out: &mut [u32]) {
        if degree == 1 {
            cells.iter().for_each(|cell| out[cell.left as usize] = cell.right);
            return;
        }
        if degree == 2 {
            return self.split.split_pair(cells, out);
        }
        let halves = self.split.split(cells);
        for (half, out) in halves.into_iter().zip(out.chunks_mut(degree as usize / 2 * self.nodes)) {
            self.halve(&half, degree / 2, out);
            self.split.give(half);
        }
    }
}

/// Colours any multigraph with as many colours as its largest degree: the colour of each edge, in the order of the list.
pub fn colour_edges(lefts: usize, rights: usize, edges: &[(u32, u32)], seed: u64) -> Vec<u32> {
    let nodes = lefts.max(rights);
    let mut degrees = [vec![0_u32; nodes], vec![0_u32; nodes]];
    for &(left, right) in edges {
        degrees[0][left as usize] += 1;
        degrees[1][right as usize] += 1;
    }
    let degree = degrees.iter().flatten().copied().max().unwrap_or(0);
    // real edges first, then those that fill every node up to the degree
    let mut order: Vec<u32> = (0..edges.len() as u32).collect();
    order.sort_unstable_by_key(|&edge| (edges[edge as usize], edge));
    let mut cells: Vec<Cell> = Vec::new();
    for &edge in &order {
        let (left, right) = edges[edge as usize];
        match cells.last_mut() {
            Some(cell) if (cell.left, cell.right) == (left, right) => cell.count += 1,
            _ => cells.push(Cell { left, right, count: 1 }),
        }
    }
    let mut right = 0;
    for left in 0..nodes {
        let mut open = degree - degrees[0][left];
        while open > 0 {
            let free = degree - degrees[1][right];
            let count = open.min(free);
            if count > 0 {
                cells.push(Cell { left: left as u32, right: right as u32, count });
            }
            degrees[1][right] += count;
            open -= count;
            right += usize::from(degrees[1][right] == degree && right + 1 < nodes);
        }
    }
    cells.sort_by_key(|cell| cell.left);
    let colouring = colour(nodes, degree, cells, seed);
    // where the edges of each pair of nodes begin, by left node
    let mut firsts = vec![order.len(); lefts + 1];
    for (place, &edge) in order.iter().enumerate().rev() {
        firsts[edges[edge as usize].0 as usize] = place;
    }
    for left in (0..lefts).rev() {
        firsts[left] = firsts[left].min(firsts[left + 1]);
    }
    let mut colours = vec![u32::MAX; edges.len()];
    let mut next: Vec<u32> = Vec::new();
    for left in 0..lefts {
        let own = &order[firsts[left]..firsts[left + 1]];
        // the next edge to each right node, as a place in `own`
        next.clear();
        next.resize(rights, u32::MAX);
        for (place, &edge) in own.iter().enumerate().rev() {
            next[edges[edge as usize].1 as usize] = place as u32;
        }
        for colour in 0..colouring.colours() {
            let right = colouring.matching(colour)[left] as usize;
            let Some(&edge) = next.get(right).and_then(|&place| own.get(place as usize)) else { continue };
            if edges[edge as usize].1 as usize == right {
                colours[edge as usize] = colour as u32;
                next[right] += 1;
            }
        }
    }
    colours
}

#[cfg(test)]
mod tests;
