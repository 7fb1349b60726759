//! Programs from plans.

use super::channels::Channels;
use super::plan::{Plan, Transfer};
use super::{Made, Problem};
use crate::id::NodeId;
use crate::program::{Hop, Input, Operation, Origin, Program, Switching, Train, Who};

/// A program under construction.
struct Writer<'a> {
    problem: &'a Problem,
    net: &'a Channels,
    program: Program,
    chunk: Vec<Option<u32>>,
}

/// A value at the root of a chunk's tree, and the cycle from which on it is there.
type Root = (u32, u32);

/// The program of a plan.
pub(super) fn made(problem: &Problem, net: &Channels, algorithm: &'static str, mut plan: Plan) -> Made {
    let first = plan.transfers.iter().map(|transfer| transfer.cycle).min().unwrap_or(0);
    plan.transfers.iter_mut().for_each(|transfer| transfer.cycle -= first);
    let cycles = plan.cycles(net);
    let program = Program::new(Switching::HopByChannel(problem.latency.clone()));
    let mut writer = Writer { problem, net, program, chunk: Vec::new() };
    let combines = problem.demand.combines();
    let mut rest = &plan.transfers[..];
    for (number, chunk) in (0..).zip(&problem.demand.chunks) {
        let count = rest.iter().take_while(|transfer| transfer.chunk == number).count();
        let (mut own, after) = (rest[..count].to_vec(), &rest[count..]);
        rest = after;
        own.sort_by_key(|transfer| transfer.cycle);
        let (sums, out): (Vec<Transfer>, Vec<Transfer>) = own.into_iter().partition(|transfer| transfer.sum);
        let from = chunk.from[0];
        let root = match chunk.from.len() {
            1 if !combines => (writer.value(number, from, Origin::Message), 0),
            1 => (writer.value(number, from, Origin::Word { first: number, stride: 0 }), 0),
            _ => writer.sums(number, &sums, &out),
        };
        writer.out(number, root, &out, combines);
    }
    Made { algorithm, program: writer.program, chunk: writer.chunk, cycles }
}

impl Writer<'_> {
    fn value(&mut self, chunk: u32, node: NodeId, origin: Origin) -> u32 {
        self.chunk.push(Some(chunk));
        self.program.value(Who::One(node), 1, origin)
    }

    fn ends(&self, transfer: &Transfer) -> (usize, usize) {
        let channel = transfer.channel as usize;
        (self.net.src[channel] as usize, self.net.dst[channel] as usize)
    }

    /// The hop of a transfer whose word is ready in a cycle.
    fn hop(&self, transfer: &Transfer, parent: Option<u32>, ready: u32, keep: bool) -> Hop {
        Hop { parent, port: self.net.port[transfer.channel as usize], wait: transfer.cycle - ready, keep }
    }

    fn arrival(&self, transfer: &Transfer) -> u32 {
        transfer.cycle + self.net.latency[transfer.channel as usize]
    }

    /// Sums of a chunk, by cycle. A node that has no word of its own and receives one sum passes it on.
    fn sums(&mut self, number: u32, sums: &[Transfer], out: &[Transfer]) -> Root {
        let chunk = &self.problem.demand.chunks[number as usize];
        let nodes = self.net.nodes();
        // by node: its own word, and what has arrived, with cycles
        let mut parts: Vec<Vec<(Input, u32)>> = vec![Vec::new(); nodes];
        for &node in &chunk.from {
            let value = self.value(number, node, Origin::Word { first: number, stride: 0 });
            parts[node.index()].push((Input::Own(value), 0));
        }
        let mut expected: Vec<usize> = parts.iter().map(Vec::len).collect();
        let mut leaves: Vec<Option<usize>> = vec![None; nodes];
        for (index, transfer) in sums.iter().enumerate() {
            let (from, to) = self.ends(transfer);
            leaves[from] = Some(index);
            expected[to] += 1;
        }
        let passes = |node: usize| expected[node] == 1 && parts[node].is_empty() && leaves[node].is_some();
        let passes: Vec<bool> = (0..nodes).map(passes).collect();
        let last = sums.last().map(|transfer| self.ends(transfer).1);
        for transfer in sums {
            let (from, _) = self.ends(transfer);
            if passes[from] {
                continue;
            }
            let (value, ready) = self.combine(number, from, &parts[from]);
            let (mut tree, mut next, mut since) = (Vec::new(), *transfer, ready);
            loop {
                tree.push(self.hop(&next, (tree.len() as u32).checked_sub(1), since, false));
                since = self.arrival(&next);
                let (_, to) = self.ends(&next);
                match leaves[to].filter(|_| passes[to]) {
                    Some(index) => next = sums[index],
                    None => break,
                }
            }
            let (_, to) = self.ends(&next);
            // whoever combines it keeps it
            tree.last_mut().into_iter().for_each(|hop| hop.keep = true);
            let length = tree.len() as u32;
            let first = self.program.send(value, Who::One(NodeId::from(from)), (ready, Train::STEADY), tree);
            parts[to].push((Input::Arrived(first + length - 1), since));
        }
        let root = out.first().map(|transfer| self.ends(transfer).0);
        let root = last.or(root).unwrap_or(chunk.from[0].index());
        let (value, ready) = self.combine(number, root, &parts[root]);
        if chunk.to.contains(&NodeId::from(root)) {
            self.program.results.push(value);
        }
        (value, ready)
    }

    /// The combination of parts at a node.
    fn combine(&mut self, number: u32, node: usize, parts: &[(Input, u32)]) -> Root {
        if let [(Input::Own(value), ready)] = *parts {
            return (value, ready);
        }
        let ready = parts.iter().map(|part| part.1).max().unwrap_or(0);
        let value = self.value(number, node.into(), Origin::Made);
        let out = (Who::One(node.into()), value);
        let operator = self.problem.operator;
        let when = (ready, Train::STEADY, operator);
        self.program.operate(out, when, Operation::Combine, parts.iter().map(|part| part.0));
        (value, ready + operator)
    }

    /// The tree by which a chunk goes out.
    fn out(&mut self, number: u32, (value, ready): Root, out: &[Transfer], combines: bool) {
        let Some(root) = out.first().map(|transfer| self.ends(transfer).0) else { return };
        let chunk = &self.problem.demand.chunks[number as usize];
        // by node: the hop by which it came, and since when it is there
        let mut at: Vec<Option<(Option<u32>, u32)>> = vec![None; self.net.nodes()];
        at[root] = Some((None, ready));
        // a result that is made at the root stays there; its copies are results of their own
        let at_root = combines && chunk.to.contains(&root.into());
        let mut tree = Vec::with_capacity(out.len());
        let mut copies = Vec::new();
        for (index, transfer) in (0..).zip(out) {
            let (from, to) = self.ends(transfer);
            let Some((parent, since)) = at[from] else { continue };
            let wanted = chunk.to.binary_search(&to.into()).is_ok();
            tree.push(self.hop(transfer, parent, since, wanted && !at_root));
            at[to] = Some((Some(index), self.arrival(transfer)));
            if wanted && combines {
                copies.push((index, to));
            }
        }
        let first = self.program.send(value, Who::One(root.into()), (ready, Train::STEADY), tree);
        for (index, node) in copies {
            let copy = self.value(number, node.into(), Origin::Made);
            let there = self.arrival(&out[index as usize]);
            let out = (Who::One(node.into()), copy);
            self.program.operate(out, (there, Train::STEADY, 0), Operation::Copy, [Input::Arrived(first + index)]);
            self.program.results.push(copy);
        }
    }
}
