//! Calendar: the cycles in which channels and restricted ports are taken.

use super::channels::Channels;

/// Cycles in which things are taken, a bit each.
#[derive(Debug, Clone, Default)]
struct Row(Vec<u64>);

impl Row {
    /// 64 cycles from `cycle` on.
    fn bits(&self, cycle: u32) -> u64 {
        let (word, bit) = (cycle as usize / 64, cycle % 64);
        let at = |word: usize| self.0.get(word).copied().unwrap_or(0);
        let low = at(word) >> bit;
        if bit == 0 { low } else { low | at(word + 1) << (64 - bit) }
    }

    fn set(&mut self, cycle: u32, taken: bool) {
        let (word, bit) = (cycle as usize / 64, cycle % 64);
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] = self.0[word] & !(1 << bit) | u64::from(taken) << bit;
    }
}

/// Cycles in which channels, and the ports of nodes that send and receive one packet a cycle, are taken.
#[derive(Debug, Clone)]
pub(super) struct Calendar {
    channels: Vec<Row>,
    sends: Vec<Row>,
    receives: Vec<Row>,
}

impl Calendar {
    /// An empty calendar.
    pub fn new(net: &Channels) -> Self {
        let ports = if net.one { net.nodes() } else { 0 };
        let rows = |count| vec![Row::default(); count];
        Self { channels: rows(net.count()), sends: rows(ports), receives: rows(ports) }
    }

    /// First cycle from `ready` on in which a channel can be entered.
    pub fn free(&self, net: &Channels, channel: u32, ready: u32) -> u32 {
        let channel = channel as usize;
        let mut cycle = ready;
        loop {
            let mut taken = self.channels[channel].bits(cycle);
            if net.one {
                taken |= self.sends[net.src[channel] as usize].bits(cycle);
                taken |= self.receives[net.dst[channel] as usize].bits(cycle + net.latency[channel] - 1);
            }
            if taken != u64::MAX {
                return cycle + taken.trailing_ones();
            }
            cycle += 64;
        }
    }

    /// Takes a channel in a cycle.
    pub fn take(&mut self, net: &Channels, channel: u32, cycle: u32) {
        self.set(net, channel, cycle, true);
    }

    /// Gives a channel back.
    pub fn release(&mut self, net: &Channels, channel: u32, cycle: u32) {
        self.set(net, channel, cycle, false);
    }

    fn set(&mut self, net: &Channels, channel: u32, cycle: u32, taken: bool) {
        let channel = channel as usize;
        self.channels[channel].set(cycle, taken);
        if net.one {
            self.sends[net.src[channel] as usize].set(cycle, taken);
            self.receives[net.dst[channel] as usize].set(cycle + net.latency[channel] - 1, taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of three nodes, 0 → 1 → 2, whose second channel takes two cycles.
    fn line(one: bool) -> Channels {
        let ends = |ends: [&[u32]; 3]| ends.map(<[u32]>::to_vec).to_vec();
        Channels {
            src: vec![0, 1, 0],
            dst: vec![1, 2, 2],
            latency: vec![1, 2, 1],
            port: vec![0, 0, 1],
            out: ends([&[0, 2], &[1], &[]]),
            into: ends([&[], &[0], &[1, 2]]),
            one,
        }
    }

    #[test]
    fn a_channel_is_taken_once_a_cycle() {
        let net = line(false);
        let mut calendar = Calendar::new(&net);
        for cycle in 0..130 {
            assert_eq!(calendar.free(&net, 0, 0), cycle);
            calendar.take(&net, 0, cycle);
        }
        calendar.release(&net, 0, 70);
        assert_eq!((calendar.free(&net, 0, 3), calendar.free(&net, 0, 71), calendar.free(&net, 2, 0)), (70, 130, 0));
    }

    #[test]
    fn a_node_of_one_port_receives_at_the_end_of_the_crossing() {
        let net = line(true);
        let mut calendar = Calendar::new(&net);
        calendar.take(&net, 1, 3);
        // the word from node 1 comes in during cycle 4
        assert_eq!((calendar.free(&net, 2, 3), calendar.free(&net, 2, 4)), (3, 5));
        calendar.take(&net, 0, 0);
        assert_eq!(calendar.free(&net, 2, 0), 1);
    }
}
