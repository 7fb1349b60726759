//! Dimensions of the hypercube on D3(2^k,2^m), with the paper's paths.

use super::sizes::Cube;
use super::walk::Port;
use crate::topology::swapped_dragonfly::RouterAddress;

/// A dimension of the hypercube: the field (0, 1, 2 for c, d, p), its bit, and the paper's path.
pub type Dimension = (usize, u32, Vec<Port>);

/// Every dimension, c first.
pub fn net_dimensions(cube: Cube) -> Vec<Dimension> {
    let z = Port::Global(0);
    let c = (0..cube.k).map(|i| (0, 1 << i, vec![Port::Global(1 << i), z]));
    let d = (0..cube.m).map(|i| (1, 1 << i, vec![z, Port::Local(1 << i), z]));
    let p = (0..cube.m).map(|i| (2, 1 << i, vec![Port::Local(1 << i)]));
    c.chain(d).chain(p).collect()
}

/// The neighbour of a node in a dimension.
pub fn neighbour(at: RouterAddress, (field, bit, _): &Dimension) -> RouterAddress {
    match field {
        0 => RouterAddress { c: at.c ^ bit, ..at },
        1 => RouterAddress { d: at.d ^ bit, ..at },
        _ => RouterAddress { p: at.p ^ bit, ..at },
    }
}
