//! Packets that processors make by chance, where nothing is scheduled: who sends when, to whom, and which words.

use crate::collective::pops::traffic_keys::{Share, TrafficPattern, TrafficSpec};
use crate::hash::split_mix_64;

/// A network of g groups of d processors and the traffic that it is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Traffic {
    /// Processors a group.
    pub d: u32,
    /// Groups.
    pub g: u32,
    /// Bits of a word.
    pub bits: u32,
    /// Words a packet.
    pub words: u32,
    /// Packets that a processor makes in a slot of `words` cycles.
    pub load: Share,
    /// Cycles in which packets are made.
    pub cycles: u64,
    /// Seed of all that is random.
    pub seed: u64,
    pattern: TrafficPattern,
    hotspot: u32,
    fraction: Share,
    burst: u32,
    ready: Share,
}

/// A packet that a processor wants to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arrival {
    /// The cycle in which it is there to be sent.
    pub cycle: u64,
    /// The processor that it is for.
    pub destination: u32,
    /// Number of the packet among its processor's packets, from 0.
    pub number: u64,
}

impl Traffic {
    /// Traffic on POPS(d,g), at one of the specification's loads.
    pub fn new(d: u32, g: u32, (bits, words): (u32, u32), spec: &TrafficSpec, load: Share, seed: u64) -> Self {
        Self {
            d,
            g,
            bits,
            words,
            load,
            cycles: spec.cycles.into(),
            seed,
            pattern: spec.pattern,
            hotspot: spec.hotspot,
            fraction: spec.fraction,
            burst: spec.burst,
            ready: spec.ready,
        }
    }

    /// Traffic of this form for at most `cycles` cycles.
    pub fn shortened(self, cycles: u64) -> Self {
        Self { cycles: self.cycles.min(cycles), ..self }
    }

    /// Number of processors.
    pub fn processors(&self) -> u32 {
        self.d * self.g
    }

    /// The packets of every processor.
    pub fn generators(&self) -> Vec<Generator> {
        (0..self.processors()).map(|processor| Generator::new(self, processor)).collect()
    }

    /// Like this traffic, at the highest load and for a number of slots: every processor has packets.
    pub fn at_full_load(self, slots: u32) -> Self {
        Self { load: Share::ONE, cycles: u64::from(slots) * u64::from(self.words), ..self }
    }

    /// Word `index` of a packet: the number of the word among all of its processor, and the processor's number above it.
    pub fn word(&self, source: u32, number: u64, index: u32) -> u64 {
        let words = number.wrapping_mul(self.words.into()).wrapping_add(index.into());
        let word = words.wrapping_add(u64::from(source) << (self.bits * 3 / 4));
        word & (u64::MAX >> (64 - self.bits))
    }

    /// Mean number of cycles until a processor's environment takes an arriving word, rounded up.
    pub fn mean_wait(&self) -> u64 {
        u64::from(Share::ONE.millionths().div_ceil(self.ready.millionths().max(1)))
    }

    /// True in the cycles in which a processor's environment takes an arriving word.
    pub fn is_ready(&self, processor: u32, cycle: u64) -> bool {
        self.ready == Share::ONE || {
            let index = cycle.wrapping_mul(self.processors().into()).wrapping_add(processor.into());
            below(split_mix_64(!self.seed, index), 1_000_000) < u64::from(self.ready.millionths())
        }
    }
}

/// A number below `end`, each as likely, from 64 random bits.
fn below(random: u64, end: u64) -> u64 {
    ((u128::from(random) * u128::from(end)) >> 64) as u64
}

/// Packets of one processor, one after the other, computed on demand.
#[derive(Debug, Clone)]
pub struct Generator {
    traffic: Traffic,
    source: u32,
    seed: u64,
    drawn: u64,
    cycle: u64,
    number: u64,
    /// Packets of the burst that are still to come, and where they go.
    burst: (u64, u32),
}

impl Generator {
    fn new(traffic: &Traffic, source: u32) -> Self {
        let seed = split_mix_64(traffic.seed, u64::from(traffic.load.millionths()) << 32 | u64::from(source));
        Self { traffic: traffic.clone(), source, seed, drawn: 0, cycle: 0, number: 0, burst: (0, 0) }
    }

    fn draw(&mut self, end: u64) -> u64 {
        self.drawn += 1;
        below(split_mix_64(self.seed, self.drawn), end)
    }

    /// The number of failures before the first success.
    fn failures(&mut self, success: u64, of: u64) -> u64 {
        let mut count = 0;
        while self.draw(of) >= success {
            count += 1;
        }
        count
    }

    fn any(&mut self) -> u32 {
        let n = self.traffic.processors();
        self.draw(n.into()) as u32
    }

    fn next_packet(&mut self) -> Arrival {
        let (load, words) = (u64::from(self.traffic.load.millionths()), u64::from(self.traffic.words));
        if self.traffic.pattern == TrafficPattern::Bursty {
            if self.burst.0 == 0 {
                // the mean pause makes up for the mean burst
                let pause = u64::from(self.traffic.burst) * (1_000_000 - load);
                self.cycle += words * self.failures(load, load + pause);
                self.burst = (1 + self.failures(1, self.traffic.burst.into()), self.any());
            }
            self.burst.0 -= 1;
            let arrival = Arrival { cycle: self.cycle, destination: self.burst.1, number: self.number };
            self.cycle += words;
            return arrival;
        }
        self.cycle += self.failures(load, 1_000_000 * words);
        let destination = match self.traffic.pattern {
            TrafficPattern::Adversarial => (self.source + self.traffic.d) % self.traffic.processors(),
            TrafficPattern::Hotspot => {
                let hot = self.draw(1_000_000) < u64::from(self.traffic.fraction.millionths());
                if hot { self.traffic.hotspot } else { self.any() }
            }
            TrafficPattern::Uniform | TrafficPattern::Bursty => self.any(),
        };
        let arrival = Arrival { cycle: self.cycle, destination, number: self.number };
        self.cycle += 1;
        arrival
    }
}

impl Iterator for Generator {
    type Item = Arrival;

    /// The next packet; there is always one, maybe after the cycles in which packets are made.
    fn next(&mut self) -> Option<Arrival> {
        let arrival = self.next_packet();
        self.number += 1;
        Some(arrival)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traffic(pattern: TrafficPattern, millionths: u32, words: u32) -> Traffic {
        let spec = TrafficSpec { pattern, ..TrafficSpec::default() };
        Traffic::new(3, 2, (16, words), &spec, Share::from_millionths(millionths), 5)
    }

    #[test]
    fn as_many_packets_come_as_the_load_says() {
        for pattern in [TrafficPattern::Uniform, TrafficPattern::Hotspot, TrafficPattern::Bursty] {
            for (load, words) in [(50_000, 1), (300_000, 1), (900_000, 4), (1_000_000, 1)] {
                let traffic = traffic(pattern, load, words);
                let slots = 200_000;
                let end = slots * u64::from(words);
                let count = traffic.generators()[1].clone().take_while(|packet| packet.cycle < end).count();
                let expected = slots as f64 * traffic.load.value();
                // bursts are few, and of any length
                let within = if pattern == TrafficPattern::Bursty { 0.2 } else { 0.05 };
                assert!((count as f64 / expected - 1.0).abs() < within, "{pattern:?} {load} {words}: {count}");
            }
        }
    }

    #[test]
    fn packets_go_where_the_pattern_says() {
        let to = |pattern, source: usize| {
            let generator = traffic(pattern, 400_000, 1).generators()[source].clone();
            let mut counts = [0; 6];
            generator.take(12_000).for_each(|packet| counts[packet.destination as usize] += 1);
            counts
        };
        assert!(to(TrafficPattern::Uniform, 2).iter().all(|&count| (1800..2200).contains(&count)));
        let hotspot = to(TrafficPattern::Hotspot, 2);
        assert!((6700..7300).contains(&hotspot[0]) && (900..1100).contains(&hotspot[5]), "{hotspot:?}");
        assert_eq!(to(TrafficPattern::Adversarial, 1), [0, 0, 0, 0, 12_000, 0]);
        assert_eq!(to(TrafficPattern::Adversarial, 5), [0, 0, 12_000, 0, 0, 0]);
        let bursty: Vec<Arrival> =
            traffic(TrafficPattern::Bursty, 400_000, 1).generators()[0].clone().take(9000).collect();
        let same = bursty.windows(2).filter(|pair| pair[1].cycle == pair[0].cycle + 1).count();
        assert!(same > 8000, "{same}");
        assert!(bursty.windows(2).all(|pair| pair[0].cycle < pair[1].cycle));
    }

    #[test]
    fn words_tell_packets_and_sources_apart() {
        let traffic = traffic(TrafficPattern::Uniform, 400_000, 2);
        assert_eq!(traffic.word(5, 3, 1), 5 << 12 | 7);
        assert_eq!(traffic.word(15, 2048, 0), 0, "beyond 16 bits it begins anew");
    }
}
