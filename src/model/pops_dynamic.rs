//! POPS without a schedule, cycle by cycle: queues, couplers that arbitrate, and room that is counted.
//!
//! The rules, as the manual has them (docs/src/pops.md, "Dynamic mode"):
//!
//! 1. A processor takes a word a cycle off its stream into an entry. From there it goes into the queue of its destination's group,
//!    unless that is full; then the stream waits.
//! 2. A processor sends one packet at a time. When its transmitter is free, it takes the next queue after its last one
//!    that has a complete packet. It requests at the coupler to that group until the packet's last word has gone.
//! 3. A coupler that is free grants one of those who request: the first of the group, or in round-robin. It keeps the grant until the
//!    packet's last word has gone. A packet begins only if there is room for a packet at its destination; until then
//!    the coupler waits. Each destination has room for `depth` packets from each coupler.
//! 4. A word that goes is in the coupler's register in the next cycle, and in the destination's queue in the one after.
//! 5. A processor reads its queues, one for each group that it hears, a packet at a time in turn, like 2. The room of a packet is given back
//!    when its last word leaves its queue.
//!
//! Round-robin: the turn goes round, one on with every choice. Who has more of the low bits of the one whose turn it is comes first. Above the
//! highest number there is nobody: an odd turn is taken for the one with the highest bit if that is nobody's.
//!
//! What is decided in a cycle is decided by what was there at its beginning.

use crate::lower::PopsDynamic;
use crate::spec::traffic::Arbitration;
use std::collections::VecDeque;

/// A word that a stream offers: its destination and whether it is the packet's last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Beat {
    /// Word of the stream.
    pub word: u64,
    /// The processor that it is for.
    pub destination: u32,
    /// True if the word is the last of its packet.
    pub last: bool,
}

/// A word on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Flit {
    word: u64,
    source: u32,
    destination: u32,
    first: bool,
    last: bool,
}

/// Round-robin among a number of requesters.
#[derive(Debug, Clone)]
struct Turns {
    count: u32,
    turn: u32,
}

impl Turns {
    fn new(count: u32) -> Self {
        Self { count, turn: 0 }
    }

    /// Chooses one of those who request; then it is the next one's turn.
    fn choose(&mut self, requests: impl Fn(u32) -> bool) -> Option<u32> {
        let high = self.count.next_power_of_two() / 2;
        let single = self.turn % 2 == 1 && self.turn + high >= self.count;
        let first = if single { self.turn | high } else { self.turn };
        let chosen = (0..self.count).filter(|&one| requests(one)).min_by_key(|one| (one ^ first).reverse_bits())?;
        self.turn = (self.turn + 1) % self.count;
        Some(chosen)
    }
}

/// Queues that are read in turn into one register.
#[derive(Debug, Clone)]
struct Reader {
    queues: Vec<VecDeque<Flit>>,
    /// Words of a complete packet, from which on a queue can be read.
    whole: usize,
    /// The queue that was read last.
    turn: usize,
    /// The register: the word and the queue that it comes from.
    register: Option<(Flit, usize)>,
    /// True if words of the register's packet are still to come.
    open: bool,
}

impl Reader {
    fn new(queues: usize, whole: u32) -> Self {
        let queues = vec![VecDeque::new(); queues];
        Self { turn: queues.len() - 1, queues, whole: whole as usize, register: None, open: false }
    }

    /// The queue that the register takes a word from, if it is free.
    fn choice(&self) -> Option<usize> {
        if self.open {
            return Some(self.turn).filter(|&queue| !self.queues[queue].is_empty());
        }
        let count = self.queues.len();
        (1..=count).map(|step| (self.turn + step) % count).find(|&queue| self.queues[queue].len() >= self.whole)
    }

    /// Fills the register, whose word is gone; the queue whose packet has left it.
    fn refill(&mut self) -> Option<usize> {
        self.register = None;
        let queue = self.choice()?;
        let flit = self.queues[queue].pop_front()?;
        self.register = Some((flit, queue));
        self.turn = queue;
        self.open = !flit.last;
        flit.last.then_some(queue)
    }
}

/// A coupler's state.
#[derive(Debug, Clone)]
struct Coupler {
    /// The sender that was granted last, by its number in the group.
    granted: u32,
    turns: Turns,
    /// True if the coupler keeps the grant.
    kept: bool,
    /// Packets that each destination has room for.
    room: Vec<u32>,
    register: Option<Flit>,
}

/// One processor.
#[derive(Debug, Clone)]
struct Processor {
    entry: Option<Flit>,
    /// True if words of the packet that is coming in are still to come.
    inside: bool,
    send: Reader,
    hear: Reader,
}

/// Inputs of all streams in a cycle.
#[derive(Debug, Clone, Default)]
pub struct Streams {
    /// Word that each stream in offers.
    pub offered: Vec<Option<Beat>>,
    /// True, by stream out, if its word is taken.
    pub ready: Vec<bool>,
}

/// The network in one cycle.
#[derive(Debug, Clone)]
pub struct DynamicModel {
    p: PopsDynamic,
    /// c(b,a) is `[b * g + a]`.
    couplers: Vec<Coupler>,
    processors: Vec<Processor>,
    /// Words that go in this cycle, by coupler; kept to save memory.
    going: Vec<Option<(u32, Flit)>>,
}

/// A place that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The register of the coupler to a group from a group.
    Coupler {
        /// Group that receives from the coupler.
        to: u32,
        /// Group that sends on the coupler.
        from: u32,
    },
    /// Stream out of a processor.
    Out(u32),
    /// Streams in that are taken: a bit a processor, from this one on.
    Ready(u32),
}

/// Layout of a cycle's block of 64-bit words. Two words for each coupler: the word, then valid, last and two numbers.
/// Then two for each processor's output stream, and one bit for each input stream that is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DynamicLayout {
    couplers: usize,
    groups: u32,
    processors: usize,
}

impl DynamicLayout {
    /// Layout of a network.
    pub fn new(p: &PopsDynamic) -> Self {
        let groups = p.network.g();
        Self { couplers: (groups * groups) as usize, groups, processors: p.network.processors() as usize }
    }

    /// Words a cycle.
    pub fn words(&self) -> usize {
        self.outputs() + 2 * self.processors + self.processors.div_ceil(64)
    }

    /// The first word that is not a coupler's.
    pub fn outputs(&self) -> usize {
        2 * self.couplers
    }

    /// Place that a word of the block describes, and the range of all words of this place.
    pub fn place(&self, word: usize) -> (Place, std::ops::Range<usize>) {
        let pair = word / 2 * 2;
        match (pair / 2).checked_sub(self.couplers) {
            None => {
                let coupler = (pair / 2) as u32;
                (Place::Coupler { to: coupler / self.groups, from: coupler % self.groups }, pair..pair + 2)
            }
            Some(processor) if processor < self.processors => (Place::Out(processor as u32), pair..pair + 2),
            Some(_) => {
                let first = word - self.outputs() - 2 * self.processors;
                (Place::Ready(64 * first as u32), word..word + 1)
            }
        }
    }
}

/// Attributes of a word as 64 bits: valid in bit 63, last in bit 62, `high` from bit 16 on, `low` from bit 0 on.
fn about(last: bool, high: u32, low: u32) -> u64 {
    1 << 63 | u64::from(last) << 62 | u64::from(high) << 16 | u64::from(low)
}

/// The words of a place, for people.
pub fn describe(place: Place, words: &[u64]) -> String {
    match (place, words) {
        (Place::Ready(first), [bits]) => format!("{bits:#x}, bit 0 for processor {first}"),
        (_, [word, about]) if about >> 63 == 1 => {
            let last = if about >> 62 & 1 == 1 { ", last" } else { "" };
            let (high, low) = (about >> 16 & 0xffff, about & 0xffff);
            match place {
                Place::Out(_) => format!("{word:#x} from processor {low} of group {high}{last}"),
                _ => format!("{word:#x} for processor {high}, from processor {low} of its group{last}"),
            }
        }
        _ => "nothing".into(),
    }
}

impl DynamicModel {
    /// A network that is empty.
    pub fn new(p: &PopsDynamic) -> Self {
        let (d, g) = (p.network.d(), p.network.g());
        let coupler =
            Coupler { granted: 0, turns: Turns::new(d), kept: false, room: vec![p.depth; d as usize], register: None };
        let processor = Processor {
            entry: None,
            inside: false,
            send: Reader::new(g as usize, p.words),
            hear: Reader::new(g as usize, 1),
        };
        Self {
            couplers: vec![coupler; (g * g) as usize],
            processors: vec![processor; p.network.processors() as usize],
            going: vec![None; (g * g) as usize],
            p: p.clone(),
        }
    }

    /// True if a processor's entry takes a word in this cycle.
    pub fn takes(&self, processor: u32) -> bool {
        let processor = &self.processors[processor as usize];
        processor.entry.is_none_or(|flit| self.has_room(processor, &flit))
    }

    fn has_room(&self, processor: &Processor, flit: &Flit) -> bool {
        let group = self.p.network.group(flit.destination);
        processor.send.queues[group as usize].len() < (self.p.depth * self.p.words) as usize
    }

    /// Word at a processor's stream out, with its source; true if it is its packet's last.
    pub fn out(&self, processor: u32) -> Option<(u64, u32, bool)> {
        let (flit, _) = self.processors[processor as usize].hear.register?;
        Some((flit.word, flit.source, flit.last))
    }

    /// Writes the state of the cycle into a block, in the form of [`DynamicLayout`].
    pub fn observe(&self, block: &mut [u64]) {
        let d = self.p.network.d();
        let (couplers, rest) = block.split_at_mut(2 * self.couplers.len());
        for (coupler, words) in self.couplers.iter().zip(couplers.chunks_exact_mut(2)) {
            let flit = coupler.register;
            words[0] = flit.map_or(0, |flit| flit.word);
            words[1] = flit.map_or(0, |flit| about(flit.last, flit.destination % d, flit.source % d));
        }
        let (outputs, ready) = rest.split_at_mut(2 * self.processors.len());
        ready.fill(0);
        for (i, words) in outputs.chunks_exact_mut(2).enumerate() {
            let flit = self.processors[i].hear.register.map(|(flit, _)| flit);
            words[0] = flit.map_or(0, |flit| flit.word);
            words[1] = flit.map_or(0, |flit| about(flit.last, flit.source / d, flit.source % d));
            ready[i / 64] |= u64::from(self.takes(i as u32)) << (i % 64);
        }
    }

    /// Goes on to the next cycle.
    pub fn step(&mut self, streams: &Streams) {
        for coupler in 0..self.couplers.len() {
            self.going[coupler] = self.grant(coupler);
        }
        self.hear(&streams.ready);
        for coupler in 0..self.couplers.len() {
            let gone = self.going[coupler];
            let coupler = &mut self.couplers[coupler];
            if let Some((_, flit)) = gone.filter(|(_, flit)| flit.first) {
                coupler.room[(flit.destination % self.p.network.d()) as usize] -= 1;
            }
            coupler.register = gone.map(|(_, flit)| flit);
        }
        self.send(&streams.offered);
    }

    /// Processor that a coupler grants, and the word that it sends.
    fn grant(&mut self, at: usize) -> Option<(u32, Flit)> {
        let (d, g) = (self.p.network.d(), self.p.network.g());
        let (to, from) = (at / g as usize, at as u32 % g);
        let request = |sender: u32| {
            let (flit, queue) = self.processors[(from * d + sender) as usize].send.register?;
            (queue == to).then_some(flit)
        };
        let coupler = &mut self.couplers[at];
        let requests = |sender: u32| request(sender).is_some();
        let sender = match self.p.arbitration {
            _ if coupler.kept => Some(coupler.granted),
            Arbitration::FixedPriority => (0..d).find(|&sender| requests(sender)),
            Arbitration::RoundRobin => coupler.turns.choose(requests),
        };
        let granted = sender.and_then(|sender| Some((sender, request(sender)?)));
        let goes = granted.filter(|(_, flit)| !flit.first || coupler.room[(flit.destination % d) as usize] > 0);
        coupler.kept = granted.is_some() && !goes.is_some_and(|(_, flit)| flit.last);
        if let Some((sender, _)) = granted {
            coupler.granted = sender;
        }
        goes
    }

    /// Advances the output streams and the readers, and puts the words of the couplers' registers into the queues.
    fn hear(&mut self, ready: &[bool]) {
        let (d, g) = (self.p.network.d() as usize, self.p.network.g() as usize);
        for (i, processor) in self.processors.iter_mut().enumerate() {
            let hear = &mut processor.hear;
            let free = hear.register.is_none() || ready[i];
            if let Some(from) = free.then(|| hear.refill()).flatten() {
                self.couplers[i / d * g + from].room[i % d] += 1;
            }
        }
        for (at, coupler) in self.couplers.iter().enumerate() {
            if let Some(flit) = coupler.register {
                self.processors[flit.destination as usize].hear.queues[at % g].push_back(flit);
            }
        }
    }

    /// Transmitters go on, and words come in.
    fn send(&mut self, offered: &[Option<Beat>]) {
        let (d, g) = (self.p.network.d(), self.p.network.g());
        for (i, beat) in offered.iter().enumerate() {
            let source = i as u32;
            let takes = self.takes(source);
            let group = self.p.network.group(source);
            let processor = &self.processors[i];
            let sent = processor.send.register.is_some_and(|(_, queue)| {
                let going = self.going[queue * g as usize + group as usize];
                going.is_some_and(|(sender, _)| sender == source % d)
            });
            let processor = &mut self.processors[i];
            if sent || processor.send.register.is_none() {
                processor.send.refill();
            }
            if !takes {
                continue;
            }
            if let Some(flit) = processor.entry {
                let group = self.p.network.group(flit.destination);
                processor.send.queues[group as usize].push_back(flit);
            }
            processor.entry = beat.map(|beat| {
                let first = !processor.inside;
                Flit { word: beat.word, source, destination: beat.destination, first, last: beat.last }
            });
            processor.inside = beat.map_or(processor.inside, |beat| !beat.last);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns of each of `requests`, in a round of `count` turns.
    fn shares(count: u32, requests: &[u32]) -> Vec<u32> {
        let mut turns = Turns::new(count);
        let mut got = vec![0; count as usize];
        for _ in 0..count {
            got[turns.choose(|one| requests.contains(&one)).expect("somebody requests") as usize] += 1;
        }
        requests.iter().map(|&one| got[one as usize]).collect()
    }

    #[test]
    fn two_that_always_request_share_evenly_or_a_third_at_least() {
        for count in 2..=64_u32 {
            for (a, b) in (1..count).flat_map(|b| (0..b).map(move |a| (a, b))) {
                let [least, most] =
                    [shares(count, &[a, b]).into_iter().min(), shares(count, &[a, b]).into_iter().max()];
                assert!(!count.is_power_of_two() || least == most, "{a} and {b} of {count}: {least:?}, {most:?}");
                assert!(least.is_some_and(|least| 3 * least >= count), "{a} and {b} of {count}: {least:?}");
            }
        }
        // two of three in one half of the tree
        assert_eq!(shares(8, &[0, 4, 1]), [2, 2, 4]);
        assert_eq!(shares(5, &[0, 1, 2, 3, 4]), [1; 5]);
    }
}
