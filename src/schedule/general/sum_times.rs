//! Cycles of sums along trees that were searched for, and of the words that go out to several nodes, as a program.

use super::channels::Channels;
use super::local_sums::{Writer, first_operands};
use super::order::Sequence;
use super::plan::{Lists, Transfer};
use super::random::Random;
use super::spread::Word;
use super::sum_search::{Operators, Request, Requests, Sum, end};
use super::{Made, Problem, balanced, matching, reroute};
use crate::id::NodeId;
use crate::interrupt::search::part;
use crate::program::{Hop, Input, Operation, Origin, Train, Who};
use std::collections::BTreeMap;

/// Compactions by which sums and what goes out are pushed into each other.
const COMPACTIONS: usize = 30;

/// A sum on its way from a node.
#[derive(Debug, Clone)]
struct Sent {
    /// Node that combines it with others.
    to: u32,
    /// Channels and cycles of entry.
    way: Vec<(u32, u32)>,
}

/// Sums on their ways, and words that go out.
pub(super) struct Timed {
    /// By sum and node.
    sums: BTreeMap<(u32, u32), Sent>,
    /// Transfers of sums that go out, by chunk.
    out: Vec<Transfer>,
}

/// Sums that come to a node, by the cycle in which they do.
type Parts = Vec<(u32, Input)>;

impl Timed {
    /// Answers to requests.
    pub fn new(net: &Channels, requests: &Requests) -> Self {
        let end = end(requests);
        let enter = |&(channel, cycle): &(u32, u32)| (channel, end - cycle - net.latency[channel as usize]);
        let sent = |request: &Request| Sent { to: request.by, way: request.way.iter().rev().map(enter).collect() };
        Self { sums: requests.iter().map(|(&key, request)| (key, sent(request))).collect(), out: Vec::new() }
    }

    fn arrival(net: &Channels, sent: &Sent) -> u32 {
        sent.way.last().map_or(0, |&(channel, cycle)| cycle + net.latency[channel as usize])
    }

    /// Lets sums go out from their roots to all other nodes that want them, and pushes both halves into each other; none if a node is out
    /// of reach.
    pub fn go_out(
        &mut self,
        problem: &Problem,
        net: &Channels,
        sums: &[Sum],
        (operators, steps): (Operators, u64),
        random: &mut Random,
    ) -> Option<()> {
        let others =
            |sum: &Sum, to: &[NodeId]| to.iter().map(|node| node.get()).filter(|&node| node != sum.root).collect();
        let word = |(number, (sum, chunk)): (u32, (&Sum, &crate::collective::demand::Chunk))| Word {
            chunk: number,
            from: sum.root,
            to: others(sum, &chunk.to),
        };
        let words: Vec<Word> = (0..).zip(sums.iter().zip(&problem.demand.chunks)).map(word).collect();
        let plan = part(|| match steps {
            0 => matching::spread(net, &words, 0, random).or_else(|| balanced::spread(net, &words, 0, random)),
            _ => reroute::spread(net, &words, steps, random),
        })?;
        let together = self.sums.values().map(|sent| Self::arrival(net, sent)).max().unwrap_or(0);
        // a sum of several operations has been made by then, too
        let since = together + operators.cycles;
        self.out = plan.transfers.iter().map(|t| Transfer { cycle: t.cycle + since, ..*t }).collect();
        self.compact(net, sums, operators, random);
        Some(())
    }

    /// Lets all transfers follow one another as early as they can.
    fn compact(&mut self, net: &Channels, sums: &[Sum], operators: Operators, random: &mut Random) {
        let (mut channels, mut cycles, mut lag): (Vec<u32>, Vec<u32>, Vec<u32>) = (Vec::new(), Vec::new(), Vec::new());
        let mut before: Vec<Vec<u32>> = Vec::new();
        // by sum and node: the last transfers of what comes to it, with their cycles
        let mut came: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
        let mut first: Vec<((u32, u32), u32)> = Vec::new();
        for (&(sum, node), sent) in &self.sums {
            first.push(((sum, node), channels.len() as u32));
            for (place, &(channel, cycle)) in sent.way.iter().enumerate() {
                let last = channels.len() as u32;
                before.push(if place > 0 { vec![last - 1] } else { Vec::new() });
                channels.push(channel);
                cycles.push(cycle);
                lag.push(0);
            }
            let last = channels.len() as u32 - 1;
            came.entry((sum, sent.to)).or_default().push((Self::arrival(net, sent), last));
        }
        for (&(sum, node), parts) in &came {
            let root = &sums[sum as usize];
            let own = root.root != node || root.own;
            for (transfer, operations) in operations(parts, own, operators) {
                lag[transfer as usize] = operations * operators.cycles;
            }
        }
        let last = |key: &(u32, u32)| came.get(key).into_iter().flatten().map(|part| part.1).collect::<Vec<u32>>();
        for (key, transfer) in first {
            before[transfer as usize].extend(last(&key));
        }
        for transfers in self.out.chunk_by_mut(|a, b| a.chunk == b.chunk) {
            transfers.sort_by_key(|transfer| transfer.cycle);
            let (sum, mut at) = (transfers[0].chunk, BTreeMap::new());
            for transfer in transfers {
                let channel = transfer.channel as usize;
                let waits = at.get(&net.src[channel]).map_or_else(|| last(&(sum, net.src[channel])), |&by| vec![by]);
                at.insert(net.dst[channel], channels.len() as u32);
                before.push(waits);
                channels.push(transfer.channel);
                cycles.push(transfer.cycle);
                lag.push(0);
            }
        }
        let sequence = Sequence::of(net, channels, lag, Lists::new(&before));
        for _ in 0..COMPACTIONS {
            cycles = sequence.compact(&cycles, random);
        }
        let places = self.sums.values_mut().flat_map(|sent| sent.way.iter_mut().map(|hop| &mut hop.1));
        let places = places.chain(self.out.iter_mut().map(|transfer| &mut transfer.cycle));
        places.zip(cycles).for_each(|(place, cycle)| *place = cycle);
    }

    /// The program.
    pub fn made(&self, problem: &Problem, net: &Channels, algorithm: &'static str, sums: &[Sum]) -> Option<Made> {
        let mut writer = Writer::new(problem, net);
        let mut rest = &self.out[..];
        for (number, sum) in (0..).zip(sums) {
            let (value, ready) = self.together(&mut writer, net, number, sum)?;
            let chunk = &problem.demand.chunks[number as usize];
            writer.program.results.push(value);
            let (out, after) = rest.split_at(rest.iter().take_while(|transfer| transfer.chunk == number).count());
            rest = after;
            if out.is_empty() {
                continue;
            }
            let to = chunk.to.iter().map(|node| node.get()).filter(|&node| node != sum.root).collect();
            let word = Word { chunk: number, from: sum.root, to };
            let (mut tree, arrivals) = writer.tree(&word, out, (0, ready));
            // the result stays at the root, and its copies are results of their own
            tree.iter_mut().for_each(|hop| hop.keep = false);
            let from = Who::One(NodeId::new(sum.root));
            let first = writer.program.send(value, from, (ready, Train::STEADY), tree);
            for (hop, node, there) in arrivals {
                let copy = writer.value(number, node, Origin::Made);
                let when = (there, Train::STEADY, 0);
                let input = [Input::Arrived(first + hop)];
                writer.program.operate((Who::One(NodeId::new(node)), copy), when, Operation::Copy, input);
                writer.program.results.push(copy);
            }
        }
        let Writer { program, chunk, cycles, .. } = writer;
        Some(Made { algorithm, program, chunk, cycles })
    }

    /// Writes how a sum comes together: its value at the root, and the cycle from which on it can leave.
    fn together(&self, writer: &mut Writer<'_>, net: &Channels, number: u32, sum: &Sum) -> Option<(u32, u32)> {
        let mut came: BTreeMap<u32, Parts> = BTreeMap::new();
        let value = |writer: &mut Writer<'_>, came: &mut BTreeMap<u32, Parts>, node: u32| {
            let own = writer.sums.get(&(number, node)).copied();
            match came.remove(&node) {
                None => own,
                Some(mut parts) => {
                    parts.extend(own.map(|(value, ready)| (ready, Input::Own(value))));
                    Some(writer.sum(number, node, parts))
                }
            }
        };
        let sent = |&node: &u32| Some((node, self.sums.get(&(number, node))?));
        let mut order: Vec<(u32, &Sent)> = sum.from.iter().filter_map(sent).collect();
        order.sort_by_key(|(_, sent)| Self::arrival(net, sent));
        for (node, sent) in order {
            let (value, ready) = value(writer, &mut came, node)?;
            let (mut tree, mut since) = (Vec::with_capacity(sent.way.len()), ready);
            for (place, &(channel, cycle)) in sent.way.iter().enumerate() {
                let parent = (place as u32).checked_sub(1);
                let keep = place + 1 == sent.way.len();
                let wait = cycle.checked_sub(since)?;
                tree.push(Hop { parent, port: net.port[channel as usize], wait, keep });
                since = cycle + net.latency[channel as usize];
            }
            let last = tree.len() as u32 - 1;
            let first = writer.program.send(value, Who::One(NodeId::new(node)), (ready, Train::STEADY), tree);
            came.entry(sent.to).or_default().push((since, Input::Arrived(first + last)));
        }
        value(writer, &mut came, sum.root)
    }
}

/// Operations that each of the parts of a sum goes through, of so many operands each, those that come first first.
fn operations(parts: &[(u32, u32)], own: bool, operators: Operators) -> Vec<(u32, u32)> {
    let mut open: Vec<(u32, Vec<u32>)> = parts.iter().map(|&(cycle, part)| (cycle, vec![part])).collect();
    open.extend(own.then(|| (0, Vec::new())));
    let mut count: BTreeMap<u32, u32> = parts.iter().map(|&(_, part)| (part, 0)).collect();
    while let Some(first) = Some(first_operands(open.len(), operators.most)).filter(|&first| first > 0) {
        open.sort_by_key(|part| part.0);
        let taken: Vec<(u32, Vec<u32>)> = open.drain(..first).collect();
        let made: Vec<u32> = taken.iter().flat_map(|part| part.1.iter().copied()).collect();
        made.iter().for_each(|part| *count.entry(*part).or_default() += 1);
        if open.is_empty() {
            break;
        }
        let last = taken.iter().map(|part| part.0).max().unwrap_or(0);
        open.push((last + operators.cycles, made));
    }
    count.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_first_goes_through_more_operations() {
        let [pairs, fours] = [(2, 2), (3, 4)].map(|(cycles, most)| Operators { cycles, most });
        assert_eq!(operations(&[(4, 7), (5, 8)], true, fours), [(7, 1), (8, 1)]);
        assert_eq!(operations(&[(4, 7), (6, 8)], true, pairs), [(7, 2), (8, 1)]);
        assert_eq!(operations(&[(1, 7)], false, pairs), [(7, 1)]);
    }
}
