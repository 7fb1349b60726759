//! Conversion of r perfect matchings of g edges into g matchings of r edges, r ≤ g.

/// The new colour, 0 to g-1, of each edge: `result[colour * g + left]` for the edges left → `matchings[colour * g + left]`.
/// New colours have r edges each, r being the number of matchings, and are matchings.
///
/// A remainder of fewer than r edges and the next matching make paths with one edge more of the matching than of the
/// remainder. Exchanging the two along as many paths as edges are missing gives a matching of r edges. The other edges
/// are a matching, too, and any r of them are one.
pub fn resplit(g: usize, matchings: &[u32]) -> Vec<u32> {
    let r = matchings.len() / g.max(1);
    let mut target = vec![0; matchings.len()];
    let mut next = 0;
    let mut rest: Vec<usize> = Vec::new(); // edges, as places in `matchings`
    let mut from_left = vec![usize::MAX; g]; // the remainder's edge of a left node
    let mut from_right = vec![usize::MAX; g]; // the remainder's edge of a right node
    for colour in 0..r {
        let own = colour * g..(colour + 1) * g;
        if rest.is_empty() {
            rest.extend(own);
        } else {
            for &edge in &rest {
                from_left[edge % g] = edge;
                from_right[matchings[edge] as usize] = edge;
            }
            let mut exchanged = vec![false; g]; // by left node
            let mut chosen = Vec::with_capacity(r);
            let missing = r - rest.len();
            for start in (0..g).filter(|&left| from_left[left] == usize::MAX).take(missing) {
                let mut left = start;
                loop {
                    exchanged[left] = true;
                    chosen.push(own.start + left);
                    let edge = from_right[matchings[own.start + left] as usize];
                    if edge == usize::MAX {
                        break;
                    }
                    left = edge % g;
                }
            }
            let kept = |&edge: &usize| !exchanged[edge % g];
            chosen.extend(rest.iter().copied().filter(kept));
            chosen.iter().for_each(|&edge| target[edge] = next);
            next += 1;
            let others: Vec<usize> = rest.iter().copied().filter(|&edge| exchanged[edge % g]).collect();
            for &edge in &rest {
                from_left[edge % g] = usize::MAX;
                from_right[matchings[edge] as usize] = usize::MAX;
            }
            rest = others;
            rest.extend(own.filter(|edge| !exchanged[edge % g]));
        }
        let whole = rest.len() / r * r;
        for chunk in rest[..whole].chunks(r) {
            chunk.iter().for_each(|&edge| target[edge] = next);
            next += 1;
        }
        rest.drain(..whole);
    }
    target
}
