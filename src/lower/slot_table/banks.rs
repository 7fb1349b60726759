//! Banks: where a node keeps its words, so that no bank is read twice in a cycle, and where in them.
//!
//! Words of the host: a bank an output is enough, since an output sends one word a cycle. A word goes to the bank that
//! needs the fewest crosspoints more; one that several outputs send goes to several banks where that saves crosspoints.
//! Words that wait, are combined or are results stay in a bank of the input over which they come. An input has two
//! banks where two of its words are read in a cycle. Addresses are given in the order in which words come, and again
//! when their word was read for the last time.

use super::table::{Bank, Crosspoint, Feeder, Load, NodeTable, Place, Read, Row, Shape};
use super::traffic::{NodeTraffic, Word};
use std::collections::{BTreeMap, BTreeSet};

/// Costs in parts of a crosspoint: a crosspoint, and a place in a bank.
const CROSSPOINT: usize = 16;
const COPY: usize = 1;
/// Cost of a bank where crosspoints cost nothing: more than all places of a word's copies.
const BANK: usize = 1 << 20;

/// A word that is read: by cycle, the outputs that send it.
type Reads = BTreeMap<u32, BTreeSet<u32>>;

/// A bank while it is filled.
struct Open {
    feeder: Feeder,
    forward: bool,
    /// Cycles in which it is read.
    busy: BTreeSet<u32>,
    /// Outputs that it feeds.
    outputs: BTreeSet<u32>,
    /// First cycle in which another word can be written, by address.
    free: Vec<u32>,
}

impl Open {
    fn new(feeder: Feeder) -> Self {
        Self { feeder, forward: false, busy: BTreeSet::new(), outputs: BTreeSet::new(), free: Vec::new() }
    }

    /// Crosspoints that it would need for these reads; none if it is read already in one of the cycles.
    fn needs(&self, reads: &Reads) -> Option<usize> {
        let new =
            || reads.values().flatten().collect::<BTreeSet<_>>().iter().filter(|o| !self.outputs.contains(o)).count();
        reads.keys().all(|cycle| !self.busy.contains(cycle)).then(new)
    }

    fn take(&mut self, reads: &Reads) {
        self.busy.extend(reads.keys());
        self.outputs.extend(reads.values().flatten());
    }
}

/// Word that stays in a bank.
struct Stay {
    number: u32,
    cycle: u32,
    /// First cycle in which another word can be written in its place.
    until: u32,
    bank: usize,
    address: usize,
    reads: Reads,
}

/// The banks of one node.
struct Banks {
    /// Banks of the host and of an input that cost nothing, if all crosspoints are built.
    full: Option<[u32; 2]>,
    /// True if addresses at which words are kept are to advance with each word.
    counts: bool,
    open: Vec<Open>,
    rows: Vec<Row>,
}

/// The table of a node.
///
/// With `full` crossbars crosspoints cost nothing: words are spread over so many banks of the host and of each input, and over more only
/// where these are read. If a counter is to make the addresses at which words are kept, they are given in turn where that needs no more bits.
pub(super) fn table(traffic: &NodeTraffic, rows: u32, full: Option<[u32; 2]>, counts: bool) -> NodeTable {
    let mut banks = Banks { full, counts, open: Vec::new(), rows: vec![Row::default(); rows as usize] };
    let channels = traffic.channels.len() as u32;
    let inputs = channels + traffic.operators.0;
    let (mut own, mut kept): (BTreeMap<u32, Reads>, BTreeMap<u32, Reads>) = Default::default();
    let mut taken = BTreeSet::new();
    for send in &traffic.sends {
        let reads = match send.word {
            Word::Own(place) => own.entry(place).or_default(),
            Word::Arrived(arrival) if traffic.arrivals[arrival as usize].cycle == send.cycle => {
                let source = traffic.arrivals[arrival as usize].input;
                banks.rows[send.cycle as usize].selects.insert(send.output, source);
                taken.insert(arrival);
                continue;
            }
            Word::Arrived(arrival) => kept.entry(arrival).or_default(),
        };
        reads.entry(send.cycle).or_default().insert(send.output);
    }
    for (&(cycle, unit), &kind) in &traffic.kinds {
        banks.rows[cycle as usize].kinds.insert(unit, kind);
    }
    let copies = banks.own(&own, inputs);
    let hosts = banks.open.len() as u32;
    let places = banks.kept(traffic, kept, &taken, inputs);
    if banks.open.is_empty() {
        banks.open.push(Open::new(Feeder::Host)); // a crossbar has a bank
    }
    let of = |word: &Word| match *word {
        Word::Own(place) => copies[&place][0],
        Word::Arrived(arrival) => places[&arrival],
    };
    let results = traffic.results.iter().map(|(&index, word)| Load { index, places: vec![of(word)] }).collect();
    let loads = copies.iter().map(|(&index, places)| Load { index, places: places.clone() }).collect();
    let crosspoints: BTreeSet<Crosspoint> = banks
        .rows
        .iter()
        .flat_map(|row| row.selects.iter().map(|(&output, &source)| Crosspoint { output, source }))
        .collect();
    let kinds: BTreeSet<_> = traffic.kinds.values().copied().collect();
    let shape = Shape {
        channels,
        ports: traffic.ports,
        operators: traffic.operators,
        hosts: hosts.max(u32::from(banks.open[0].feeder == Feeder::Host)),
        banks: banks
            .open
            .iter()
            .map(|bank| Bank { feeder: bank.feeder, depth: bank.free.len().max(1) as u32, forward: bank.forward })
            .collect(),
        results: (0..).take(banks.open.len()).collect(),
        crosspoints: crosspoints.into_iter().collect(),
        kinds: kinds.into_iter().collect(),
    };
    let load_places = copies.len() as u32;
    NodeTable { shape, rows: banks.rows, loads, load_places, results }
}

impl Banks {
    /// The bank among `range` for these reads at the lowest cost, and the cost; none: a new one. `written`: the cycle in which the word comes,
    /// if it is none of the host's.
    fn cheapest(&self, range: std::ops::Range<usize>, reads: &Reads, written: Option<u32>) -> (Option<usize>, usize) {
        if let Some(free) = self.full {
            let more = range.len() < free[usize::from(written.is_some())] as usize;
            let fill = |bank: &usize| {
                let places = &self.open[*bank].free;
                places.len() + usize::from(written.is_none_or(|cycle| places.iter().all(|&from| from > cycle)))
            };
            let found = range.filter(|&bank| !more && self.open[bank].needs(reads).is_some()).min_by_key(fill);
            return (found, if found.is_some() { 0 } else { BANK });
        }
        let new = reads.values().flatten().collect::<BTreeSet<_>>().len() * CROSSPOINT;
        let costs = range.filter_map(|bank| Some((self.open[bank].needs(reads)? * CROSSPOINT, bank)));
        match costs.min() {
            Some((cost, bank)) if cost < new || (cost == new && written.is_some()) => (Some(bank), cost),
            _ => (None, new),
        }
    }

    fn place(&mut self, bank: Option<usize>, feeder: Feeder, reads: &Reads) -> usize {
        let bank = bank.unwrap_or(self.open.len());
        if bank == self.open.len() {
            self.open.push(Open::new(feeder));
        }
        self.open[bank].take(reads);
        bank
    }

    /// Enters the reads of a word into the rows.
    fn read(&mut self, place: Place, reads: &Reads, written: Option<u32>, inputs: u32) {
        for (&cycle, outputs) in reads {
            let forward = written.is_some_and(|written| written + 1 == cycle);
            self.open[place.bank as usize].forward |= forward;
            let row = &mut self.rows[cycle as usize];
            row.reads.insert(place.bank, Read { address: place.address, forward });
            row.selects.extend(outputs.iter().map(|&output| (output, inputs + place.bank)));
        }
    }

    /// Places of the host's words; several of one word have one address.
    fn own(&mut self, own: &BTreeMap<u32, Reads>, inputs: u32) -> BTreeMap<u32, Vec<Place>> {
        let first = |reads: &Reads| reads.first_key_value().map(|(&cycle, outputs)| (cycle, outputs.first().copied()));
        let mut order: Vec<(&u32, &Reads)> = own.iter().collect();
        order.sort_by_key(|&(&place, reads)| (first(reads), place));
        let mut copies = BTreeMap::new();
        for (&index, reads) in order {
            let all = 0..self.open.len();
            let (bank, cost) = self.cheapest(all.clone(), reads, None);
            // the same, with the reads of each output on their own
            let mut parts: BTreeMap<u32, Reads> = BTreeMap::new();
            for (&cycle, outputs) in reads {
                outputs.iter().for_each(|&output| {
                    parts.entry(output).or_default().entry(cycle).or_default().insert(output);
                });
            }
            let apart: usize = parts.values().map(|part| self.cheapest(all.clone(), part, None).1 + COPY).sum();
            let mut homes: BTreeMap<usize, Reads> = BTreeMap::new();
            if parts.len() > 1 && apart < cost + COPY {
                for part in parts.values() {
                    let bank = self.cheapest(0..self.open.len(), part, None).0;
                    let bank = self.place(bank, Feeder::Host, part);
                    let home = homes.entry(bank).or_default();
                    part.iter().for_each(|(&cycle, outputs)| home.entry(cycle).or_default().extend(outputs));
                }
            } else {
                homes.insert(self.place(bank, Feeder::Host, reads), reads.clone());
            }
            let address = homes.keys().map(|&home| self.open[home].free.len()).max().unwrap_or(0);
            for (&home, reads) in &homes {
                self.open[home].free.resize(address + 1, u32::MAX);
                let place = Place { bank: home as u32, address: address as u32 };
                self.read(place, reads, None, inputs);
                copies.entry(index).or_insert_with(Vec::new).push(place);
            }
        }
        copies
    }

    /// Places of the words that come and stay, or are taken by nothing.
    fn kept(
        &mut self,
        traffic: &NodeTraffic,
        mut kept: BTreeMap<u32, Reads>,
        taken: &BTreeSet<u32>,
        inputs: u32,
    ) -> BTreeMap<u32, Place> {
        let results: BTreeSet<u32> = traffic
            .results
            .values()
            .filter_map(|word| if let Word::Arrived(a) = *word { Some(a) } else { None })
            .collect();
        let mut places = BTreeMap::new();
        for input in 0..inputs {
            let from = self.open.len();
            let mut words: Vec<(u32, u32)> = (0..)
                .zip(&traffic.arrivals)
                .filter(|(number, arrival)| {
                    arrival.input == input
                        && (kept.contains_key(number) || results.contains(number) || !taken.contains(number))
                })
                .map(|(number, arrival)| (arrival.cycle, number))
                .collect();
            words.sort_unstable();
            let mut stays: Vec<Stay> = Vec::with_capacity(words.len());
            for (cycle, number) in words {
                let reads = kept.remove(&number).unwrap_or_default();
                let bank = match reads.is_empty() && self.open.len() > from && self.full.is_none() {
                    true => Some(from),
                    false => self.cheapest(from..self.open.len(), &reads, Some(cycle)).0,
                };
                let bank = self.place(bank, Feeder::Input(input), &reads);
                let free = &mut self.open[bank].free;
                let address = free.iter().position(|&from| from <= cycle).unwrap_or(free.len());
                free.resize(free.len().max(address + 1), 0);
                // a row reads a cycle before the word leaves
                free[address] = match results.contains(&number) {
                    true => u32::MAX,
                    false => reads.last_key_value().map_or(cycle + 1, |(&last, _)| last),
                };
                stays.push(Stay { number, cycle, until: free[address], bank, address, reads });
            }
            if self.counts {
                (from..self.open.len()).for_each(|bank| self.in_turn(bank, &mut stays));
            }
            for Stay { number, cycle, bank, address, reads, .. } in stays {
                let place = Place { bank: bank as u32, address: address as u32 };
                self.rows[cycle as usize].writes.insert(place.bank, place.address);
                self.read(place, &reads, Some(cycle), inputs);
                places.insert(number, place);
            }
        }
        places
    }

    /// Gives the addresses of a bank in turn to the words that come, if that takes no more bits of an address.
    fn in_turn(&mut self, bank: usize, stays: &mut [Stay]) {
        let own: Vec<usize> = (0..stays.len()).filter(|&stay| stays[stay].bank == bank).collect();
        let free = &mut self.open[bank].free;
        let fits =
            |depth: usize| own.iter().zip(own.iter().skip(depth)).all(|(&a, &b)| stays[a].until <= stays[b].cycle);
        let most = free.len().next_power_of_two();
        let Some(depth) = (free.len()..=most).find(|&depth| fits(depth)) else { return };
        free.resize(depth, 0);
        own.iter().enumerate().for_each(|(number, &stay)| stays[stay].address = number % depth);
    }
}
