//! Scatter: in a step the root sends k packets along disjoint paths; gather is the same in reverse.
//!
//! At least d channels lead into any set of routers, and k ≤ d, so that any k processors are reached at once (Menger). Those are taken
//! first whose shortest paths are free.

use super::disjoint::Disjoint;
use super::paths::Path;
use super::shape::Shape;

/// Paths of all chunks, from the root or to it.
pub(super) fn paths(shape: &Shape, root: u32, gather: bool) -> Option<Vec<Path>> {
    let net = shape.net;
    let (m, home) = (net.m(), root / net.m());
    let mut left: Vec<u32> = (0..net.processors()).map(|other| if other == root { 0 } else { shape.words }).collect();
    let far = |processor: u32| ((processor / m) ^ home).count_ones();
    let mut paths = Vec::new();
    let mut step = 0;
    while left.iter().any(|&left| left > 0) {
        let mut spare = vec![0; net.routers() as usize];
        spare[home as usize] = net.k();
        let mut disjoint = Disjoint::new(net, spare);
        let mut order: Vec<u32> = (0..net.processors()).filter(|&other| left[other as usize] > 0).collect();
        order.sort_by_key(|&other| std::cmp::Reverse((left[other as usize], far(other))));
        let mut chosen: Vec<u32> = Vec::new();
        for shortest in [true, false] {
            for &other in &order {
                let most = if shortest { far(other) as usize } else { usize::MAX };
                if chosen.len() < net.k() as usize && !chosen.contains(&other) && disjoint.add(other / m, most) {
                    chosen.push(other);
                }
            }
        }
        for (_, mut dims, end) in disjoint.paths() {
            let at = chosen.iter().position(|&other| other / m == end)?;
            let other = chosen.swap_remove(at);
            let key = if gather { (other, Some(root)) } else { (root, Some(other)) };
            left[other as usize] -= 1;
            let chunk = *shape.chunks(key.0, key.1).get(left[other as usize] as usize)?;
            if gather {
                dims.reverse();
            }
            let (from, to) = if gather { (other, root) } else { (root, other) };
            paths.push(Path { step, chunk, from, dims, to });
        }
        step += 1;
    }
    Some(paths)
}
