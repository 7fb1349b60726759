//! Paths from processor to processor by dimensions, and the links that they take.

use crate::id::NodeId;
use crate::schedule::general::circuits::Circuit;
use crate::topology::FatCube;

/// Path of a chunk in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Path {
    /// Step.
    pub step: u32,
    /// Chunk.
    pub chunk: u32,
    /// Processor that has the chunk.
    pub from: u32,
    /// Dimensions that are crossed, one after the other.
    pub dims: Vec<u32>,
    /// Processor that receives the packet.
    pub to: u32,
}

/// Dimensions of a displacement, the lowest first.
pub(super) fn dims(displacement: u32) -> Vec<u32> {
    (0..u32::BITS).filter(|x| displacement >> x & 1 == 1).collect()
}

/// Circuits of paths, each on links of its own; none if a step has more paths than links somewhere.
pub(super) fn laid(net: FatCube, mut paths: Vec<Path>) -> Option<Vec<Circuit>> {
    paths.sort_by_key(|path| path.step);
    let (processors, routers, d) = (net.processors() as usize, net.routers() as usize, net.d() as usize);
    let mut circuits = Vec::with_capacity(paths.len());
    for step in paths.chunk_by(|a, b| a.step == b.step) {
        let (mut up, mut down, mut along) = (vec![0; processors], vec![0; processors], vec![0; routers * d]);
        let take = |used: &mut Vec<u32>, place: usize, links: u32| {
            used[place] += 1;
            (used[place] <= links).then(|| used[place] - 1)
        };
        for &Path { step, chunk, from, ref dims, to } in step {
            let mut router = from / net.m();
            let mut ports = Vec::with_capacity(dims.len() + 2);
            ports.push(take(&mut up, from as usize, net.k())?);
            for &x in dims {
                ports.push(net.port_along(x) + take(&mut along, router as usize * d + x as usize, net.f())?);
                router ^= 1 << x;
            }
            ports.push(net.port_to(to % net.m()) + take(&mut down, to as usize, net.k())?);
            (router == to / net.m()).then_some(())?;
            circuits.push(Circuit { chunk, step, from: NodeId::new(from), ports });
        }
    }
    Some(circuits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_run_out() {
        let net = FatCube::new(2, 2, 1, 1);
        let path = |from, dims: &[u32], to| Path { step: 0, chunk: 0, from, dims: dims.to_vec(), to };
        assert_eq!(laid(net, vec![path(0, &[0, 1], 7), path(1, &[1, 0], 6), path(7, &[], 6)]), None);
        let circuits = laid(net, vec![path(0, &[0, 1], 7), path(1, &[1], 5), path(7, &[0], 4)]).unwrap();
        assert_eq!(circuits[0].ports, [0, 2, 3, 1]);
        // a dimension that is taken, a processor that sends twice, and a path that ends elsewhere
        assert_eq!(laid(net, vec![path(0, &[0], 2), path(1, &[0], 3)]), None);
        assert_eq!(laid(net, vec![path(0, &[0], 2), path(0, &[1], 4)]), None);
        assert_eq!(laid(net, vec![path(0, &[0], 4)]), None);
    }
}
