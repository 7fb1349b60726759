//! Cycles for transfers whose channels are known: list scheduling, and compaction forwards and backwards in time.

use super::calendar::Calendar;
use super::channels::Channels;
use super::plan::{Lists, Plan};
use super::random::Random;
use std::collections::BinaryHeap;

/// Transfers that must follow one another, on their channels.
pub(super) struct Sequence<'a> {
    net: &'a Channels,
    turned: Channels,
    channels: Vec<u32>,
    /// Cycles of a combination after each transfer's end.
    lag: Vec<u32>,
    before: Lists,
    after: Lists,
}

impl<'a> Sequence<'a> {
    /// Transfers of a plan, in whose combinations an operator takes `operator` cycles.
    pub fn new(net: &'a Channels, plan: &Plan, operator: u32) -> Self {
        let channels = plan.transfers.iter().map(|transfer| transfer.channel).collect();
        let lag = plan.transfers.iter().map(|transfer| if transfer.sum { operator } else { 0 }).collect();
        Self::of(net, channels, lag, plan.before(net))
    }

    /// Transfers by channel, each with the cycles from its end until those after it can start, and those before it.
    pub fn of(net: &'a Channels, channels: Vec<u32>, lag: Vec<u32>, before: Lists) -> Self {
        let after = before.turned();
        Self { net, turned: net.reversed(), channels, lag, before, after }
    }

    /// Number of transfers.
    pub fn len(&self) -> usize {
        self.channels.len()
    }

    fn latency(&self, transfer: usize) -> u32 {
        self.net.latency[self.channels[transfer] as usize]
    }

    /// Largest sum of `cost` along a chain of dependent transfers, from each transfer to the last, both included; by
    /// transfer. `cost` is by channel.
    pub fn tails(&self, cost: &[u64]) -> Vec<u64> {
        let mut left: Vec<u32> = (0..self.len()).map(|i| self.after.of(i).len() as u32).collect();
        let mut open: Vec<usize> = (0..self.len()).filter(|&i| left[i] == 0).collect();
        let mut tails = vec![0; self.len()];
        while let Some(i) = open.pop() {
            tails[i] += cost[self.channels[i] as usize];
            for &before in self.before.of(i) {
                let before = before as usize;
                tails[before] = tails[before].max(tails[i]);
                left[before] -= 1;
                if left[before] == 0 {
                    open.push(before);
                }
            }
        }
        tails
    }

    /// Cycles by list scheduling: in every cycle each channel takes the transfer of the highest priority that is ready.
    pub fn list(&self, priority: &[u64]) -> Vec<u32> {
        let net = self.net;
        let mut left: Vec<u32> = (0..self.len()).map(|i| self.before.of(i).len() as u32).collect();
        // transfers that become ready, by cycle, and channels with ready transfers
        let mut coming: Vec<Vec<u32>> = vec![(0..self.len() as u32).filter(|&i| left[i as usize] == 0).collect()];
        let mut ready: Vec<BinaryHeap<(u64, u32)>> = vec![BinaryHeap::new(); net.count()];
        let (mut cycles, mut ends) = (vec![0; self.len()], vec![0_u32; self.len()]);
        let mut calendar = Calendar::new(net);
        let (mut waiting, mut active, mut now) = (0, Vec::<u32>::new(), 0);
        while now < coming.len() || waiting > 0 {
            for transfer in coming.get_mut(now).map(std::mem::take).unwrap_or_default() {
                let channel = self.channels[transfer as usize];
                if ready[channel as usize].is_empty() {
                    active.push(channel);
                }
                ready[channel as usize].push((priority[transfer as usize], transfer));
                waiting += 1;
            }
            if net.one {
                active.sort_by_key(|&channel| std::cmp::Reverse(ready[channel as usize].peek().copied()));
            }
            active.retain(|&channel| {
                if net.one && calendar.free(net, channel, now as u32) != now as u32 {
                    return true;
                }
                let Some((_, transfer)) = ready[channel as usize].pop() else { return false };
                let transfer = transfer as usize;
                if net.one {
                    calendar.take(net, channel, now as u32);
                }
                waiting -= 1;
                cycles[transfer] = now as u32;
                let end = now as u32 + self.latency(transfer) + self.lag[transfer];
                for &after in self.after.of(transfer) {
                    let after = after as usize;
                    ends[after] = ends[after].max(end);
                    left[after] -= 1;
                    if left[after] == 0 {
                        let end = ends[after] as usize;
                        if coming.len() <= end {
                            coming.resize(end + 1, Vec::new());
                        }
                        coming[end].push(after as u32);
                    }
                }
                !ready[channel as usize].is_empty()
            });
            now += 1;
        }
        cycles
    }

    /// The first cycle at whose start all is in place.
    pub fn end(&self, cycles: &[u32]) -> u32 {
        (0..self.len()).map(|i| cycles[i] + self.latency(i)).max().unwrap_or(0)
    }

    /// Puts each transfer, in this order, into the first cycle that is free, `lag` cycles after the end of each before it.
    fn place(&self, net: &Channels, before: &Lists, order: &[u32], lag: impl Fn(usize, usize) -> u32) -> Vec<u32> {
        let mut calendar = Calendar::new(net);
        let mut cycles = vec![0; self.len()];
        for &transfer in order {
            let transfer = transfer as usize;
            let end = |i: usize| cycles[i] + self.latency(i) + lag(i, transfer);
            let ends = before.of(transfer).iter().map(|&i| end(i as usize));
            let channel = self.channels[transfer];
            let cycle = calendar.free(net, channel, ends.max().unwrap_or(0));
            calendar.take(net, channel, cycle);
            cycles[transfer] = cycle;
        }
        cycles
    }

    /// Compacts: all transfers as late as possible before the end, from the last to the first, then as early as
    /// possible (justification, Valls, Ballestín and Quintanilla 2005). The schedule never becomes longer.
    pub fn compact(&self, cycles: &[u32], random: &mut Random) -> Vec<u32> {
        let backward = self.turn(cycles);
        let late = self.place(&self.turned, &self.after, &Self::order(&backward, random), |_, sum| self.lag[sum]);
        let forward = self.turn(&late);
        self.place(self.net, &self.before, &Self::order(&forward, random), |sum, _| self.lag[sum])
    }

    /// Cycles in reversed time.
    fn turn(&self, cycles: &[u32]) -> Vec<u32> {
        let end = self.end(cycles);
        (0..self.len()).map(|i| end - cycles[i] - self.latency(i)).collect()
    }

    /// Transfers by cycle, those of one cycle in random order.
    fn order(cycles: &[u32], random: &mut Random) -> Vec<u32> {
        let mut keyed: Vec<(u32, u32, u32)> =
            cycles.iter().enumerate().map(|(i, &cycle)| (cycle, random.next() as u32, i as u32)).collect();
        keyed.sort_unstable();
        keyed.into_iter().map(|key| key.2).collect()
    }
}
