//! Times and channels for the sends of another tool's schedule: its own times where the network has its links, else list scheduling.
//!
//! List scheduling keeps what needs what: a packet leaves a rank after it has come there, or after its sum is made. A send between ranks
//! that are no neighbours takes a shortest way, over channels that few others take. Of the transfers that could go, the one from which the
//! longest way leads to the end goes first.

use super::calendar::Calendar;
use super::channels::Channels;
use super::problem::Problem;
use crate::id::NodeId;
use crate::program::foreign::{Combine, Event, Flow, Send};
use crate::program::{Document, Node, Op};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Times of a flow on a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Times {
    /// Cycle, channel and packet of each transfer, sorted.
    transfers: Vec<(u32, u32, u64)>,
    /// Cycle of each sum, in the order of the flow.
    sums: Vec<u32>,
}

/// Flow on the network of a problem, with rank r at node `nodes[r]`.
pub struct Placing<'a> {
    flow: &'a Flow,
    problem: &'a Problem,
    nodes: &'a [NodeId],
    channels: Channels,
}

/// Step of a flow on a network.
struct Task {
    /// Channel that is crossed; none of a sum.
    channel: Option<u32>,
    packet: u32,
    /// Tasks that come before.
    before: Vec<u32>,
}

impl<'a> Placing<'a> {
    /// A flow on the network of a problem, which has a node for each rank.
    pub fn new(flow: &'a Flow, problem: &'a Problem, nodes: &'a [NodeId]) -> Self {
        Self { flow, problem, nodes, channels: Channels::of(problem) }
    }

    /// The flow's own times; the first send for which no channel is free, if there is one.
    ///
    /// # Errors
    /// The send that finds no channel free in its cycles, or that has no times.
    pub fn kept(&self) -> Result<Times, &'a Send> {
        let net = &self.channels;
        let mut calendar = Calendar::new(net);
        let mut there: HashMap<(u32, u32), u32> = HashMap::new();
        let mut times = Times { transfers: Vec::new(), sums: Vec::new() };
        for event in &self.flow.events {
            match event {
                Event::Send(send) => {
                    let [from, to] = [send.from, send.to].map(|rank| self.nodes[rank as usize].index());
                    let parallel = || net.out[from].iter().filter(|&&channel| net.dst[channel as usize] as usize == to);
                    let free = |cycle: u32| parallel().find(|&&channel| calendar.free(net, channel, cycle) == cycle);
                    let cycles = send.cycles.clone().unwrap_or(0..0);
                    let taken = cycles.into_iter().find_map(|cycle| Some((cycle, *free(cycle)?)));
                    let (cycle, channel) = taken.ok_or(send)?;
                    calendar.take(net, channel, cycle);
                    times.transfers.push((cycle, channel, send.packet.into()));
                    let end = cycle + net.latency[channel as usize];
                    let since = there.entry((send.packet, send.to)).or_insert(end);
                    *since = end.min(*since);
                }
                Event::Combine(Combine { packet, rank, inputs }) => {
                    let since = |input: &u32| there.get(&(*input, *rank)).copied().unwrap_or(0);
                    let cycle = inputs.iter().map(since).max().unwrap_or(0);
                    there.insert((*packet, *rank), cycle);
                    times.sums.push(cycle);
                }
            }
        }
        times.transfers.sort_unstable();
        Ok(times)
    }

    /// Times by list scheduling; the first send between nodes without a way, if there is one.
    ///
    /// # Errors
    /// The send that has no way.
    pub fn listed(&self) -> Result<Times, &'a Send> {
        let tasks = self.tasks()?;
        let length = |task: &Task| match task.channel {
            Some(channel) => self.channels.latency[channel as usize],
            None => self.problem.operator,
        };
        let mut after: Vec<Vec<u32>> = vec![Vec::new(); tasks.len()];
        let mut left: Vec<usize> = tasks.iter().map(|task| task.before.len()).collect();
        // tasks stand behind those before them
        let mut tails: Vec<u32> = tasks.iter().map(length).collect();
        for (index, task) in tasks.iter().enumerate().rev() {
            for &before in &task.before {
                after[before as usize].push(index as u32);
                tails[before as usize] = tails[before as usize].max(length(&tasks[before as usize]) + tails[index]);
            }
        }
        let mut open: BinaryHeap<(u32, Reverse<usize>)> =
            (0..tasks.len()).filter(|&i| left[i] == 0).map(|i| (tails[i], Reverse(i))).collect();
        let mut calendar = Calendar::new(&self.channels);
        let (mut ready, mut cycles) = (vec![0_u32; tasks.len()], vec![0_u32; tasks.len()]);
        while let Some((_, Reverse(index))) = open.pop() {
            let task = &tasks[index];
            cycles[index] = match task.channel {
                None => ready[index],
                Some(channel) => {
                    let cycle = calendar.free(&self.channels, channel, ready[index]);
                    calendar.take(&self.channels, channel, cycle);
                    cycle
                }
            };
            for &next in &after[index] {
                let next = next as usize;
                ready[next] = ready[next].max(cycles[index] + length(task));
                left[next] -= 1;
                if left[next] == 0 {
                    open.push((tails[next], Reverse(next)));
                }
            }
        }
        let mut times = Times { transfers: Vec::new(), sums: Vec::new() };
        for (task, &cycle) in tasks.iter().zip(&cycles) {
            match task.channel {
                Some(channel) => times.transfers.push((cycle, channel, task.packet.into())),
                None => times.sums.push(cycle),
            }
        }
        times.transfers.sort_unstable();
        Ok(times)
    }

    /// Crossings and sums. A packet is not sent where it has come before.
    fn tasks(&self) -> Result<Vec<Task>, &'a Send> {
        let mut tasks: Vec<Task> = Vec::new();
        // by packet and node: the task that brings it, if it is not there from the beginning
        let mut brings: HashMap<(u32, u32), u32> = HashMap::new();
        let mut load = vec![0_u32; self.channels.count()];
        for event in &self.flow.events {
            match event {
                Event::Send(send) => {
                    let [from, to] = [send.from, send.to].map(|rank| self.nodes[rank as usize].get());
                    let source = self.flow.packets[send.packet as usize].src;
                    if brings.contains_key(&(send.packet, to)) || send.to == source {
                        continue;
                    }
                    for channel in self.way(from, to, &load).ok_or(send)? {
                        let [at, next] = [&self.channels.src, &self.channels.dst].map(|ends| ends[channel as usize]);
                        let before = brings.get(&(send.packet, at)).copied().into_iter().collect();
                        if brings.contains_key(&(send.packet, next)) || next == self.nodes[source as usize].get() {
                            continue;
                        }
                        load[channel as usize] += 1;
                        brings.insert((send.packet, next), tasks.len() as u32);
                        tasks.push(Task { channel: Some(channel), packet: send.packet, before });
                    }
                }
                Event::Combine(Combine { packet, rank, inputs }) => {
                    let node = self.nodes[*rank as usize].get();
                    let before = inputs.iter().filter_map(|&input| brings.get(&(input, node)).copied()).collect();
                    brings.insert((*packet, node), tasks.len() as u32);
                    tasks.push(Task { channel: None, packet: *packet, before });
                }
            }
        }
        Ok(tasks)
    }

    /// Channels of a shortest way; of several, over channels that few packets take.
    fn way(&self, from: u32, to: u32, load: &[u32]) -> Option<Vec<u32>> {
        let net = &self.channels;
        let mut best: Vec<(u64, u32)> = vec![(u64::MAX, u32::MAX); net.nodes()];
        let mut open = BinaryHeap::from([Reverse((0_u64, from))]);
        best[from as usize].0 = 0;
        while let Some(Reverse((cost, node))) = open.pop() {
            if node == to {
                break;
            }
            if cost > best[node as usize].0 {
                continue;
            }
            for &channel in &net.out[node as usize] {
                let channel_at = channel as usize;
                let cost = cost + (u64::from(net.latency[channel_at]) << 32) + u64::from(load[channel_at]);
                let next = net.dst[channel_at];
                if cost < best[next as usize].0 {
                    best[next as usize] = (cost, channel);
                    open.push(Reverse((cost, next)));
                }
            }
        }
        let (mut way, mut at) = (Vec::new(), to);
        while at != from {
            let channel = best[at as usize].1;
            if channel == u32::MAX {
                return None;
            }
            way.push(channel);
            at = net.src[channel as usize];
        }
        way.reverse();
        Some(way)
    }

    /// The schedule in full; `tables` are those of the network and the collective, and `period` is in cycles.
    pub fn document(&self, times: &Times, tables: [Value; 2], period: Option<u32>) -> Document {
        let (net, [network, collective]) = (&self.channels, tables);
        let node = |rank: u32| self.nodes[rank as usize].get();
        let mut packets = self.flow.packets.clone();
        for packet in &mut packets {
            packet.src = node(packet.src);
            packet.dsts.iter_mut().for_each(|dst| *dst = node(*dst));
        }
        let sums = self.flow.events.iter().filter_map(|event| match event {
            Event::Combine(combine) => Some(combine),
            Event::Send(_) => None,
        });
        let op = |(combine, &cycle): (&Combine, &u32)| Op {
            packet: combine.packet.into(),
            node: node(combine.rank),
            cycle,
            inputs: combine.inputs.iter().map(|&input| input.into()).collect(),
        };
        let ops: Vec<Op> = sums.zip(&times.sums).map(op).collect();
        let end = |&(cycle, channel, _): &(u32, u32, u64)| cycle + net.latency[channel as usize];
        let ends = times.transfers.iter().map(end);
        Document {
            format: Document::FORMAT.into(),
            network,
            collective,
            switching: "hop".into(),
            nodes: (0..net.nodes()).map(|node| Node::new(&self.problem.net, node.into())).collect(),
            channels: net.src.iter().copied().zip(net.dst.iter().copied()).collect(),
            latency: net.latency.iter().any(|&cycles| cycles != 1).then(|| net.latency.clone()),
            packets,
            cycles: ends.chain(times.sums.iter().copied()).max().unwrap_or(0),
            transfers: times.transfers.clone(),
            ops: (!ops.is_empty()).then_some(ops),
            waiting: true,
            repeat_every: period,
        }
    }
}
