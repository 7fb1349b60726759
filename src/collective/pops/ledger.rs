//! Account of unscheduled packets. Each must leave the network exactly once, complete, at its destination, and in order
//! among the packets of its source and destination. It knows the traffic alone: no network, no queue, no coupler.

use super::traffic::{Generator, Traffic};
use serde::Serialize;
use std::collections::VecDeque;

/// Part of the cycles that are left out at the beginning, while queues fill.
const WARM_UP: u64 = 5;

/// Fault of a packet of traffic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Loss {
    /// Word that leaves the network and is of no packet under way.
    #[error(
        "processor {destination} received {found:#x} from processor {from} in cycle {cycle}, and no packet is under way between the two"
    )]
    Unsent {
        /// Cycle in which the word was received.
        cycle: u64,
        /// Processor that received it.
        destination: u32,
        /// Source that the packet names.
        from: u32,
        /// Word that was received.
        found: u64,
    },
    /// Word that leaves the network and is not the next of its source and destination.
    #[error(
        "processor {destination} received {found:#x} from processor {from} in cycle {cycle}; word {index} of packet \
         {number} is due, {expected:#x}"
    )]
    Wrong {
        /// Cycle in which the word was received.
        cycle: u64,
        /// Processor that received it.
        destination: u32,
        /// Source that the packet names.
        from: u32,
        /// Number of the packet that is due, among those of its source.
        number: u64,
        /// The word's number in it.
        index: u32,
        /// The word that is due.
        expected: u64,
        /// Word that was received.
        found: u64,
    },
    /// A packet's end is at the wrong word, or words of another packet are within.
    #[error("processor {destination} received a packet from processor {from} in cycle {cycle} that is incomplete")]
    Broken {
        /// Cycle of the fault.
        cycle: u64,
        /// Processor that received it.
        destination: u32,
        /// Source that the packet names.
        from: u32,
    },
    /// Packets that did not leave the network.
    #[error(
        "{packets} packets went in and did not come out; the oldest is number {number} of processor {from}, for \
         processor {destination}"
    )]
    Missing {
        /// Number of packets.
        packets: u64,
        /// The number of one of them among those of its source.
        number: u64,
        /// Source processor of the packet.
        from: u32,
        /// Destination of the packet.
        destination: u32,
    },
}

/// A packet under way.
#[derive(Debug, Clone, Copy)]
struct Sent {
    number: u64,
    arrived: u64,
    entered: u64,
}

/// Word that leaves the network at a processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heard {
    /// Cycle in which the word leaves the network.
    pub cycle: u64,
    /// Processor that receives the word.
    pub processor: u32,
    /// The source that it names.
    pub from: u32,
    /// Mark of the last word of a packet.
    pub last: bool,
    /// Payload of the word.
    pub word: u64,
}

/// Packets in the network, and figures of those that have left it.
#[derive(Debug)]
pub struct Ledger {
    traffic: Traffic,
    generators: Vec<Generator>,
    /// Packets under way: `[source * n + destination]`.
    under_way: Vec<VecDeque<Sent>>,
    /// Source of the packet that is coming out, and number of its next word; by processor.
    open: Vec<(u32, u32)>,
    in_flight: u64,
    /// Packets of each source that came out in the window.
    delivered: Vec<u64>,
    /// Number of packets of the window, by latency.
    latencies: Vec<u64>,
    waited: u64,
    entered: u64,
    left: u64,
}

/// Figures of a run at one load.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// Packets that a processor makes in a slot.
    pub load: f64,
    /// Packets that a processor receives in a slot, on average.
    pub throughput: f64,
    /// Cycles from the making of a packet to its last word's coming out, without those of the beginning.
    pub latency: Latency,
    /// Cycles from a packet's first word going in to its last one coming out, on average.
    pub network_latency: f64,
    /// Distribution of throughput over processors.
    pub fairness: Fairness,
    /// Packets that went in.
    pub packets: u64,
    /// Packets that were made and did not go in, as the port was busy to the end.
    pub waiting: u64,
}

/// Cycles, of all packets of a window.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Latency {
    /// Mean latency, cycles.
    pub mean: f64,
    /// Median.
    pub p50: u64,
    /// 95th percentile.
    pub p95: u64,
    /// 99th percentile.
    pub p99: u64,
    /// Largest latency, cycles.
    pub max: u64,
}

/// Packets that came out, by their sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fairness {
    /// Jain's fairness index: 1 if all processors receive equally many packets, 1/n if one receives all.
    pub jain: f64,
    /// The least over the most.
    pub min_over_max: f64,
    /// Packets of each source.
    pub packets: Vec<u64>,
}

impl Ledger {
    /// An account with nothing in it.
    pub fn new(traffic: &Traffic) -> Self {
        let n = traffic.processors() as usize;
        Self {
            generators: traffic.generators(),
            under_way: vec![VecDeque::new(); n * n],
            open: vec![(0, 0); n],
            in_flight: 0,
            delivered: vec![0; n],
            latencies: Vec::new(),
            waited: 0,
            entered: 0,
            left: 0,
            traffic: traffic.clone(),
        }
    }

    /// A processor's next packet begins to go in.
    pub fn enter(&mut self, processor: u32, cycle: u64) {
        let Some(packet) = self.generators[processor as usize].next() else { return };
        let way = processor * self.traffic.processors() + packet.destination;
        let sent = Sent { number: packet.number, arrived: packet.cycle, entered: cycle };
        self.under_way[way as usize].push_back(sent);
        self.in_flight += 1;
        self.entered += 1;
    }

    /// Records a word that leaves the network.
    ///
    /// # Errors
    /// If it is not one that is due.
    pub fn leave(&mut self, heard: &Heard) -> Result<(), Loss> {
        let Heard { cycle, processor: destination, from, last, word: found } = *heard;
        let n = self.traffic.processors();
        let (open, index) = self.open[destination as usize];
        if index > 0 && open != from {
            return Err(Loss::Broken { cycle, destination, from });
        }
        let way = (from < n).then(|| (from * n + destination) as usize);
        let Some((way, sent)) = way.and_then(|way| Some((way, *self.under_way[way].front()?))) else {
            return Err(Loss::Unsent { cycle, destination, from, found });
        };
        let expected = self.traffic.word(from, sent.number, index);
        if found != expected {
            return Err(Loss::Wrong { cycle, destination, from, number: sent.number, index, expected, found });
        }
        if last != (index + 1 == self.traffic.words) {
            return Err(Loss::Broken { cycle, destination, from });
        }
        self.open[destination as usize] = (from, if last { 0 } else { index + 1 });
        if !last {
            return Ok(());
        }
        self.under_way[way].pop_front();
        self.in_flight -= 1;
        self.left += 1;
        if (self.traffic.cycles / WARM_UP..self.traffic.cycles).contains(&cycle) {
            self.delivered[from as usize] += 1;
            let latency = (cycle - sent.arrived) as usize;
            if self.latencies.len() <= latency {
                self.latencies.resize(latency + 1, 0);
            }
            self.latencies[latency] += 1;
            self.waited += cycle - sent.entered;
        }
        Ok(())
    }

    /// Packets that are under way.
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Packets that went in.
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// Packets that came out.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// Closes the account.
    ///
    /// # Errors
    /// [`Loss::Missing`] if packets are under way.
    pub fn close(mut self) -> Result<Figures, Loss> {
        let n = self.traffic.processors();
        let oldest = self.under_way.iter().enumerate().filter_map(|(way, sent)| Some((sent.front()?.entered, way)));
        if let Some((_, way)) = oldest.min() {
            let (from, destination) = (way as u32 / n, way as u32 % n);
            let number = self.under_way[way].front().map_or(0, |sent| sent.number);
            return Err(Loss::Missing { packets: self.in_flight, number, from, destination });
        }
        let end = self.traffic.cycles;
        let made = self.generators.iter_mut().map(|rest| rest.take_while(|packet| packet.cycle < end).count() as u64);
        let waiting = made.sum();
        let window = (end - end / WARM_UP) as f64 / f64::from(self.traffic.words);
        let all: u64 = self.delivered.iter().sum();
        Ok(Figures {
            load: self.traffic.load.value(),
            throughput: all as f64 / window / f64::from(n),
            latency: Latency::new(&self.latencies),
            network_latency: self.waited as f64 / all.max(1) as f64,
            fairness: Fairness::new(self.delivered),
            packets: self.entered,
            waiting,
        })
    }
}

impl Latency {
    fn new(counts: &[u64]) -> Self {
        let all: u64 = counts.iter().sum();
        let sum: u128 = counts.iter().enumerate().map(|(cycles, &count)| cycles as u128 * u128::from(count)).sum();
        let percentile = |percent: u64| {
            let mut seen = 0;
            let reached = |&count: &u64| {
                seen += count;
                seen * 100 >= all * percent
            };
            counts.iter().position(reached).unwrap_or(0) as u64
        };
        Self {
            mean: sum as f64 / all.max(1) as f64,
            p50: percentile(50),
            p95: percentile(95),
            p99: percentile(99),
            max: counts.len().saturating_sub(1) as u64,
        }
    }
}

impl Fairness {
    fn new(packets: Vec<u64>) -> Self {
        let values = || packets.iter().map(|&count| count as f64);
        let (sum, squares) = (values().sum::<f64>(), values().map(|x| x * x).sum::<f64>());
        let jain = if squares == 0.0 { 1.0 } else { sum * sum / (packets.len() as f64 * squares) };
        let (min, max) = (packets.iter().min().copied().unwrap_or(0), packets.iter().max().copied().unwrap_or(0));
        Self { jain, min_over_max: if max == 0 { 1.0 } else { min as f64 / max as f64 }, packets }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::pops::traffic_keys::{Share, TrafficPattern, TrafficSpec};

    /// Processor 1 of two sends to processor 0.
    fn ledger() -> (Ledger, Traffic) {
        let spec = TrafficSpec { pattern: TrafficPattern::Adversarial, cycles: 100, ..TrafficSpec::default() };
        let traffic = Traffic::new(1, 2, (16, 2), &spec, Share::ONE, 1);
        let mut ledger = Ledger::new(&traffic);
        ledger.enter(1, 20);
        ledger.enter(1, 22);
        (ledger, traffic)
    }

    fn heard(cycle: u64, last: bool, word: u64) -> Heard {
        Heard { cycle, processor: 0, from: 1, last, word }
    }

    #[test]
    fn what_is_due_is_taken_and_counted() {
        let (mut ledger, traffic) = ledger();
        for (cycle, number, index) in [(30, 0, 0), (31, 0, 1), (32, 1, 0), (40, 1, 1)] {
            ledger.leave(&heard(cycle, index == 1, traffic.word(1, number, index))).unwrap();
        }
        let figures = ledger.close().unwrap();
        assert_eq!((figures.packets, figures.fairness.packets.clone()), (2, vec![0, 2]));
        assert_eq!((figures.fairness.jain, figures.fairness.min_over_max), (0.5, 0.0));
        assert_eq!(figures.network_latency, (11.0 + 18.0) / 2.0);
        assert_eq!(figures.throughput, 2.0 / 40.0 / 2.0);
    }

    #[test]
    fn everything_else_is_a_loss() {
        let word = |number, index| ledger().1.word(1, number, index);
        let after = |first: &[Heard], then: Heard| {
            let mut ledger = ledger().0;
            first.iter().for_each(|heard| ledger.leave(heard).unwrap());
            ledger.leave(&then).unwrap_err()
        };
        let packet = [heard(30, false, word(0, 0)), heard(31, true, word(0, 1))];
        let both = [packet[0], packet[1], heard(32, false, word(1, 0)), heard(33, true, word(1, 1))];
        let wrong = |loss| matches!(loss, Loss::Wrong { .. });
        assert!(wrong(after(&[], heard(30, false, word(1, 0)))), "out of order");
        assert!(wrong(after(&packet, packet[0])), "doubled");
        assert!(wrong(after(&packet[..1], heard(31, true, word(0, 1) ^ 4))), "changed");
        assert!(matches!(after(&[], heard(30, true, word(0, 0))), Loss::Broken { .. }), "cut off");
        assert!(matches!(after(&both, packet[0]), Loss::Unsent { .. }), "more than was sent");
        assert!(matches!(after(&[], Heard { processor: 1, ..packet[0] }), Loss::Unsent { .. }), "elsewhere");
        assert!(matches!(after(&packet[..1], Heard { from: 0, ..packet[1] }), Loss::Broken { .. }), "mixed");
        let mut ledger = ledger().0;
        packet.iter().for_each(|heard| ledger.leave(heard).unwrap());
        assert_eq!(ledger.close(), Err(Loss::Missing { packets: 1, number: 1, from: 1, destination: 0 }));
    }
}
