//! Traffic on the model of POPS without a schedule: processors that offer packets, and an environment that takes
//! arriving words.

use super::pops_dynamic::{Beat, DynamicModel, Streams};
use crate::collective::pops::{Arrival, Figures, Generator, Heard, Ledger, Loss, Traffic};
use crate::lower::PopsDynamic;

/// Cycles without any packet under way after which a run is over.
pub const QUIET: u64 = 64;

/// Event at a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// A processor's next packet begins to go in.
    Enter {
        /// Processor of the event.
        processor: u32,
        /// Cycle of the event.
        cycle: u64,
    },
    /// Word that leaves the network.
    Leave(Heard),
}

/// A processor's environment: it offers one packet after the other, none before its time, and begins with none after the end.
#[derive(Debug, Clone)]
struct Source {
    generator: Generator,
    next: Option<Arrival>,
    /// The word that is being offered.
    word: Option<u32>,
}

impl Source {
    fn offered(&mut self, source: u32, traffic: &Traffic, cycle: u64) -> Option<Beat> {
        let packet = self.next?;
        if self.word.is_none() && packet.cycle <= cycle && cycle < traffic.cycles {
            self.word = Some(0);
        }
        let index = self.word?;
        let word = traffic.word(source, packet.number, index);
        Some(Beat { word, destination: packet.destination, last: index + 1 == traffic.words })
    }

    /// The word is taken; whether it is a packet's first.
    fn taken(&mut self, traffic: &Traffic) -> bool {
        let index = self.word.unwrap_or(0);
        self.word = Some(index + 1);
        if index + 1 == traffic.words {
            self.word = None;
            self.next = self.generator.next();
        }
        index == 0
    }
}

/// The model with its traffic.
#[derive(Debug, Clone)]
pub struct Driven {
    traffic: Traffic,
    model: DynamicModel,
    sources: Vec<Source>,
    streams: Streams,
    cycle: u64,
}

impl Driven {
    /// Model in cycle 0, with empty queues.
    pub fn new(p: &PopsDynamic, traffic: &Traffic) -> Self {
        let source = |mut generator: Generator| Source { next: generator.next(), generator, word: None };
        let mut driven = Self {
            model: DynamicModel::new(p),
            sources: traffic.generators().into_iter().map(source).collect(),
            streams: Streams::default(),
            cycle: 0,
            traffic: traffic.clone(),
        };
        driven.offer();
        driven
    }

    /// The current cycle.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Writes the state of the cycle into a block, see [`DynamicModel::observe`].
    pub fn observe(&self, block: &mut [u64]) {
        self.model.observe(block);
    }

    fn offer(&mut self) {
        let (traffic, cycle) = (&self.traffic, self.cycle);
        self.streams.offered.clear();
        self.streams.ready.clear();
        for (source, processor) in self.sources.iter_mut().zip(0..) {
            self.streams.offered.push(source.offered(processor, traffic, cycle));
            self.streams.ready.push(traffic.is_ready(processor, cycle));
        }
    }

    /// Simulates one cycle and reports its events to `tell`.
    pub fn step(&mut self, mut tell: impl FnMut(Event)) {
        let cycle = self.cycle;
        for processor in 0..self.traffic.processors() {
            let (i, at) = (processor as usize, processor);
            if self.streams.offered[i].is_some() && self.model.takes(at) && self.sources[i].taken(&self.traffic) {
                tell(Event::Enter { processor, cycle });
            }
            if let Some((word, from, last)) = self.model.out(at).filter(|_| self.streams.ready[i]) {
                tell(Event::Leave(Heard { cycle, processor, from, last, word }));
            }
        }
        self.model.step(&self.streams);
        self.cycle += 1;
        self.offer();
    }
}

/// The account of a run, and when it is over.
#[derive(Debug)]
pub struct Account {
    ledger: Ledger,
    end: u64,
    patience: u64,
    /// The last cycle in which a word came out, or nothing was under way.
    moved: u64,
    quiet: u64,
}

impl Account {
    /// Account at the begin of a run.
    pub fn new(traffic: &Traffic) -> Self {
        // an environment takes nothing for more than 64 times the mean only once in 10^27 times
        let patience = 20_000 + 1000 * u64::from(traffic.words) + 64 * traffic.mean_wait();
        Self { ledger: Ledger::new(traffic), end: traffic.cycles, patience, moved: 0, quiet: 0 }
    }

    /// Records an event.
    ///
    /// # Errors
    /// If a word comes out that is not due.
    pub fn note(&mut self, event: Event) -> Result<(), Loss> {
        match event {
            Event::Enter { processor, cycle } => self.ledger.enter(processor, cycle),
            Event::Leave(heard) => {
                self.moved = heard.cycle;
                self.ledger.leave(&heard)?;
            }
        }
        Ok(())
    }

    /// True if the run ends, once all events before `cycle` are noted: no packet is under way any more, or no packet moves.
    pub fn is_over(&mut self, cycle: u64) -> bool {
        if cycle < self.end || self.ledger.in_flight() > 0 {
            self.quiet = cycle;
            return cycle > self.end.max(self.moved) + self.patience;
        }
        cycle >= self.quiet + QUIET
    }

    /// Packets that went in, and that came out.
    pub fn packets(&self) -> [u64; 2] {
        [self.ledger.entered(), self.ledger.left()]
    }

    /// Closes the account.
    ///
    /// # Errors
    /// [`Loss::Missing`] if packets are under way.
    pub fn close(self) -> Result<Figures, Loss> {
        self.ledger.close()
    }
}

/// Runs traffic through the model alone.
///
/// # Errors
/// If a packet is lost, doubled or changed: a defect of the model.
pub fn simulate(p: &PopsDynamic, traffic: &Traffic) -> Result<Figures, Loss> {
    let (mut driven, mut account) = (Driven::new(p, traffic), Account::new(traffic));
    let mut loss = Ok(());
    while !account.is_over(driven.cycle()) && loss.is_ok() {
        driven.step(|event| {
            if loss.is_ok() {
                loss = account.note(event);
            }
        });
    }
    loss?;
    account.close()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Spec;

    fn network(ready: &str) -> (PopsDynamic, Traffic) {
        let text = format!(
            "format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[collective]\nkind = \"traffic\"\nload = 0.1\n\
             cycles = 100\nready = {ready}\n[router]\narbitration = \"round-robin\"\n"
        );
        let spec = Spec::parse("spec.toml", &text).expect("a specification");
        let of = spec.collective.traffic().expect("traffic");
        let p = PopsDynamic::new(&spec).expect("hardware");
        let words = (p.data_bits, p.words);
        let traffic = Traffic::new(p.network.d(), p.network.g(), words, of, of.load[0], 1);
        (p, traffic)
    }

    #[test]
    fn a_network_is_emptied_however_seldom_its_receivers_are_ready() {
        let (p, traffic) = network("0.00005");
        let figures = simulate(&p, &traffic).expect("no packet is lost");
        assert!(figures.packets > 10, "{figures:?}");
    }

    #[test]
    fn a_network_in_which_nothing_moves_is_given_up() {
        let (_, traffic) = network("0.5");
        let mut account = Account::new(&traffic);
        account.note(Event::Enter { processor: 0, cycle: 0 }).expect("a packet");
        assert!(!account.is_over(20_000));
        assert!(account.is_over(100_000));
        assert!(matches!(account.close(), Err(Loss::Missing { packets: 1, .. })));
    }
}
