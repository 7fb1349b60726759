//! Programs of networks that are embedded in a larger one, in terms of its nodes and ports.

use super::{Hop, Input, NodeOp, Program, Switching, Who};
use crate::id::NodeId;
use crate::topology::{Placement, Topology};

/// Places of a network in itself.
struct Itself;

impl Placement for Itself {
    fn node(&self, guest: NodeId) -> NodeId {
        guest
    }

    fn port(&self, _: NodeId, port: usize) -> usize {
        port
    }
}

/// The program with moves, values and operations listed node by node, and by value of it the value of the program that it was.
pub fn listed<T: Topology + ?Sized>(net: &T, program: &Program) -> (Program, Vec<u32>) {
    let value: Vec<u32> = (0..)
        .zip(&program.values)
        .flat_map(|(index, value)| value.who.nodes(net.nodes()).map(move |_| index))
        .collect();
    let mut all = placed(program, net, &[Itself], program.switching.clone());
    all.results = (0..).zip(&value).filter(|(_, index)| program.results.contains(index)).map(|(i, _)| i).collect();
    (all, value)
}

/// The program that runs `program` of network `guest` at each of some places of a larger network, all at once; `switching` is that
/// of the larger network.
///
/// As a port of the guest is another one of the host at each node, every move, value and operation is listed node by node.
pub fn placed<G: Topology + ?Sized, P: Placement>(
    program: &Program,
    guest: &G,
    places: &[P],
    switching: Switching,
) -> Program {
    let nodes = guest.nodes();
    let mut all = Program { period: program.period, ..Program::new(switching) };
    for place in places {
        // by value: index of the value of its first node; those of the other nodes follow
        let mut values = Vec::with_capacity(program.values.len());
        for value in &program.values {
            values.push(all.values.len() as u32);
            for node in value.who.nodes(nodes) {
                all.value(Who::One(place.node(node)), value.batches, value.origin);
            }
        }
        let value_at = |value: u32, node: NodeId| {
            let every = !matches!(program.values[value as usize].who, Who::One(_));
            values[value as usize] + if every { node.get() } else { 0 }
        };
        // by hop and node at which it ends: index of the hop there
        let mut ends: Vec<Vec<(NodeId, u32)>> = vec![Vec::new(); program.hops.len()];
        for m in &program.moves {
            let hops = &program.hops[m.hops.start as usize..m.hops.end as usize];
            for origin in m.who.nodes(nodes) {
                let mut at = Vec::with_capacity(hops.len());
                let mut tree = Vec::with_capacity(hops.len());
                for hop in hops {
                    let parent = hop.parent.map(|parent| parent - m.hops.start);
                    let from = parent.map_or(origin, |parent| at[parent as usize]);
                    at.push(guest.neighbour(from, hop.port as usize));
                    tree.push(Hop { parent, port: place.port(from, hop.port as usize) as u32, ..*hop });
                }
                let first = all.send(value_at(m.value, origin), Who::One(place.node(origin)), (m.at, m.train), tree);
                for (i, end) in (0..).zip(at) {
                    ends[(m.hops.start + i) as usize].push((end, first + i));
                }
            }
        }
        ends.iter_mut().for_each(|ends| ends.sort_unstable());
        for op in &program.ops {
            let NodeOp { who, at, train, operation, latency, out, ref inputs } = *op;
            let inputs = &program.inputs[inputs.start as usize..inputs.end as usize];
            for node in who.nodes(nodes) {
                let input = |input: &Input| match *input {
                    Input::Own(value) => Some(Input::Own(value_at(value, node))),
                    Input::Factor(_) => Some(*input),
                    Input::Arrived(hop) => {
                        let ends = &ends[hop as usize];
                        let found = ends.binary_search_by_key(&node, |end| end.0).ok()?;
                        Some(Input::Arrived(ends[found].1))
                    }
                };
                let out = (Who::One(place.node(node)), value_at(out, node));
                all.operate(out, (at, train, latency), operation, inputs.iter().filter_map(input));
            }
        }
    }
    all
}
