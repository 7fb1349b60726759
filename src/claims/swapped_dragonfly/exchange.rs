//! Ascend algorithms of the hypercube, run on D3(2^k,2^m): values are exchanged along every dimension in turn.

use super::dimensions::{Dimension, neighbour, net_dimensions};
use super::sizes::Cube;
use super::topology::expect;
use super::walk::{Port, Reservations};
use crate::topology::swapped_dragonfly::RouterAddress;

/// The dimensions from the lowest bit of the address up: p, d, c.
fn ascending(cube: Cube) -> Vec<Dimension> {
    let mut dimensions = net_dimensions(cube);
    dimensions.sort_by_key(|(field, bit, _)| (2 - field, *bit));
    dimensions
}

/// Value that a node makes of its own and its neighbour's in a step, of no algorithm in particular. Nothing cancels, so
/// a value from elsewhere, or a dimension out of order, changes the result.
fn combine(own: u64, other: u64, (field, bit, _): &Dimension) -> u64 {
    let dimension = *field as u64 * 64 + u64::from(*bit);
    (own.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other.rotate_left(17)).wrapping_add(dimension)
}

fn initial(cube: Cube) -> Vec<u64> {
    cube.net().nodes().map(|at| cube.net().index(at) as u64 + 1).collect()
}

/// The result on a hypercube.
fn on_hypercube(cube: Cube) -> Vec<u64> {
    let net = cube.net();
    let step = |values: Vec<u64>, dimension: &Dimension| -> Vec<u64> {
        let value = |at| combine(values[net.index(at)], values[net.index(neighbour(at, dimension))], dimension);
        net.nodes().map(value).collect()
    };
    ascending(cube).iter().fold(initial(cube), step)
}

/// Number of hops of an ascend exchange by the paths of the paper's table, one dimension after the other.
///
/// # Errors
/// A clash, or a wrong result.
pub fn ascend_as_written(cube: Cube) -> Result<u32, String> {
    let net = cube.net();
    let mut reservations = Reservations::new(net);
    let mut values = initial(cube);
    for dimension in ascending(cube) {
        let start = reservations.cycles();
        let mut next = values.clone();
        for from in net.nodes() {
            let mut path = (start..).zip(&dimension.2);
            let walk = path.try_fold(from, |at, (cycle, port)| reservations.send(cycle, at, *port, 0));
            let to = net.index(walk.map_err(|clash| clash.to_string())?);
            next[to] = combine(values[to], values[net.index(from)], &dimension);
        }
        values = next;
    }
    expect(values == on_hypercube(cube), || "the result is another than the hypercube's".into())?;
    Ok(reservations.cycles())
}

/// Number of hops of an ascend exchange with the bits of p by local hops, then Z, then the bits of d by local hops.
/// Each bit of c goes by γ_i and Z at once, which takes values from (c,d,p) to (c,p,d) or back.
///
/// # Errors
/// A clash, or a wrong result.
pub fn ascend_quickly(cube: Cube) -> Result<u32, String> {
    let net = cube.net();
    let mut reservations = Reservations::new(net);
    let mut values = initial(cube);
    // Where the value of node (c,d,p) is.
    let place = |at: RouterAddress, swapped: bool| if swapped { RouterAddress { d: at.p, p: at.d, ..at } } else { at };
    let mut swapped = false;
    for dimension in ascending(cube).into_iter().chain([(3, 0, vec![])]) {
        let field = dimension.0;
        // A bit of d needs Z, once; in the end all have to be at home.
        if (field == 1 && !swapped) || (field == 3 && swapped) {
            let start = reservations.cycles();
            for at in net.nodes() {
                reservations.send(start, at, Port::Global(0), 0).map_err(|clash| clash.to_string())?;
            }
            swapped = !swapped;
        }
        if field == 3 {
            break;
        }
        let start = reservations.cycles();
        let mut arrived = vec![Vec::new(); values.len()];
        for node in net.nodes() {
            let from = place(node, swapped);
            let ports = if field == 0 {
                vec![Port::Global(0), Port::Global(dimension.1)]
            } else {
                vec![Port::Local(dimension.1)]
            };
            for port in ports {
                let to = reservations.send(start, from, port, 0).map_err(|clash| clash.to_string())?;
                arrived[net.index(to)].push(node);
            }
        }
        swapped ^= field == 0;
        let own = values.clone();
        for node in net.nodes() {
            let there = &arrived[net.index(place(node, swapped))];
            let other = neighbour(node, &dimension);
            let present = there.contains(&other) && (field != 0 || there.contains(&node));
            expect(present, || "a value is not where it is wanted".into())?;
            values[net.index(node)] = combine(own[net.index(node)], own[net.index(other)], &dimension);
        }
    }
    expect(values == on_hypercube(cube), || "the result is another than the hypercube's".into())?;
    Ok(reservations.cycles())
}
