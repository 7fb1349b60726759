//! Beats in random order: loads, starts, drains, the status and clears, one behind the other as fast as the host takes them, in every
//! family; in lockstep with the model, in Icarus Verilog, and against what the definition says is read out.

use crate::common::{self, Emitted, parsed, write};
use metronoc::check::pops::check_pops;
use metronoc::check::swapped_dragonfly::{check_exchange, check_product, check_stream};
use metronoc::collective::pops::{Delivery, Relation};
use metronoc::collective::{
    AllToAll, Broadcast, Collective as _, Dtype, Exchange, ExchangeKind, Pattern, Product, ProductKind, Products, Words,
};
use metronoc::cosim::status::faults_of;
use metronoc::cosim::{Answer, Interface, Job, Lockstep, Parts, Start, Top, Verdict};
use metronoc::cosim::{exchange_parts, pops_parts, product_parts, source_vector_parts, stream_parts};

use metronoc::id::NodeId;
use metronoc::lower::lower_pops;
use metronoc::lower::swapped_dragonfly::product::PRODUCT_CYCLES;
use metronoc::lower::swapped_dragonfly::{lower_exchange, lower_product, lower_stream};
use metronoc::model::{Model, Payload, Sections};
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::pops;
use metronoc::schedule::swapped_dragonfly::{broadcast, exchange, product};
use metronoc::spec::CollectiveSpec;
use metronoc::spec::pops::PopsAlgorithm;
use metronoc::topology::Pops;
use std::process::Command;
use std::rc::Rc;

const HOP: HopLatency = HopLatency { local: 1, global: 1 };
const JOBS: usize = 300;

/// A word with X in it: a tile gives as many words as the one with the most results, and those above its own mean nothing.
const UNKNOWN: u64 = 0xbad0_bad0_bad0_bad0;

/// What a collective makes of the words in its buffer: what it shows, and the results.
type Collective = Box<dyn Fn(&[u64]) -> (Rc<Payload>, Vec<u64>)>;

/// Results in the order of the definition, from the words of a drain.
type Results = Box<dyn Fn(&[u64]) -> Vec<u64>>;

/// A network and its collective.
struct Bed {
    files: Vec<(String, String)>,
    top: Top,
    model: Rc<Model>,
    /// Tiles that are loaded, and their words.
    tiles: Vec<(u32, usize)>,
    /// Words that a tile gives in a drain.
    set: usize,
    /// Sets of words that may be loaded.
    loads: Vec<Vec<u64>>,
    collective: Collective,
    read: Results,
    /// Results take the place of what was loaded.
    in_place: bool,
    /// Every start needs a load.
    once: bool,
    /// Words at the front of a drain that are those which were loaded last: the source's own.
    own: usize,
}

impl Bed {
    fn new<L: metronoc::emit::Verilog>(
        emitted: &Emitted<L>,
        interface: impl Into<Interface>,
        parts: &Parts,
        model: Model,
        (loads, collective): (Vec<Vec<u64>>, Collective),
    ) -> Self {
        let words = loads[0].len();
        let model = Rc::new(model);
        let tiles = model.fabric().tiles;
        Self {
            files: emitted.files().map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
            top: Top::new(&emitted.built(parts), interface).expect("it loads"),
            tiles: (0..tiles).map(|tile| (tile, words / tiles as usize)).collect(),
            set: words / tiles as usize,
            model,
            loads,
            collective,
            read: Box::new(<[u64]>::to_vec),
            in_place: false,
            once: false,
            own: 0,
        }
    }
}

/// A collective that is known by what is loaded.
fn known(sets: Vec<(Vec<u64>, Payload, Vec<u64>)>) -> (Vec<Vec<u64>>, Collective) {
    let loads = sets.iter().map(|set| set.0.clone()).collect();
    let sets: Vec<_> = sets.into_iter().map(|(load, payload, results)| (load, Rc::new(payload), results)).collect();
    let find = move |words: &[u64]| {
        let (_, payload, results) = sets.iter().find(|set| set.0 == words).expect("it was loaded");
        (Rc::clone(payload), results.clone())
    };
    (loads, Box::new(find))
}

fn all_to_all(repeat: u32) -> Bed {
    let emitted = Emitted::new(2, 2, &format!("[collective]\nkind = \"all-to-all\"\nrepeat = {repeat}\n"));
    let model = Model::new(&emitted.lowered).expect("a model");
    let traffic = AllToAll::new(emitted.lowered.parameters.tiles, 1, 1);
    let set = |seed: u64| {
        let data = traffic.random(Dtype::Uint32, seed).expect("small");
        (data.to_vec(), model.payload(&traffic, &data, 0), traffic.expected(&data).to_vec())
    };
    let sets = known((0..3).map(set).collect());
    Bed::new(
        &emitted,
        &emitted.lowered.parameters,
        &source_vector_parts(&emitted.lowered).expect("a shim"),
        model,
        sets,
    )
}

fn stream() -> Bed {
    let (spec, net, _) = parsed(&swapped("kind = \"broadcast\"\ncount = 5"));
    let request =
        broadcast::BroadcastRequest { algorithm: "depth-3", root: NodeId::new(0), count: 5, hop: HOP, software: 0 };
    let checked = check_stream(&net, broadcast::schedule(&net, &request).expect("a schedule")).expect("it holds");
    let lowered = lower_stream(&checked, &spec).expect("hardware");
    let emitted = Emitted::of(lowered, String::new());
    let model = Model::new(&emitted.lowered).expect("a model");
    let traffic = Broadcast::new(8, 5);
    let set = |seed: u64| {
        let words = traffic.random(Dtype::Uint32, seed).unwrap();
        (words.to_vec(), model.payload(&traffic, &words, 0), traffic.expected(&words).to_vec())
    };
    let sets = known((0..3).map(set).collect());
    let bed = Bed::new(&emitted, &emitted.lowered, &stream_parts(&emitted.lowered).expect("a shim"), model, sets);
    Bed { tiles: vec![(0, 5)], set: 5, own: 5, ..bed }
}

fn exchanges(collective: &str) -> Bed {
    let text = swapped(&format!("{collective}\nwords = 3")).replace("m = 2", "m = 2\ngroup = \"xor\"");
    let (spec, net, hop) = parsed(&text);
    let (kind, operator) = match &spec.collective {
        CollectiveSpec::AllReduce(c) => (ExchangeKind::AllReduce(c.op), c.operator_stages),
        CollectiveSpec::PrefixScan(c) => (ExchangeKind::PrefixScan(c.op), c.operator_stages),
        CollectiveSpec::BitonicSort(c) => (ExchangeKind::Sort, c.operator_stages),
        other => panic!("{} is not for this", other.kind()),
    };
    let request = exchange::ExchangeRequest { kind, algorithm: "short", words: 3, operator, hop };
    let checked = check_exchange(&net, exchange::schedule(&net, &request).expect("a schedule")).expect("it holds");
    let emitted = Emitted::of(lower_exchange(&checked, &spec).expect("hardware"), String::new());
    let (model, traffic) = (Model::new(&emitted.lowered).expect("a model"), Exchange::new(kind, 8, 3));
    let loads = (0..3).map(|seed| traffic.random(Dtype::Uint32, seed).unwrap().to_vec()).collect();
    let again = Model::new(&emitted.lowered).expect("a model");
    let run = move |words: &[u64]| {
        let words = Words::from_fn(Dtype::Uint32, words.len(), |i| words[i]);
        let (payload, results) = again.run(&traffic, &words);
        (Rc::new(payload), results.to_vec())
    };
    let parts = exchange_parts(&emitted.lowered).expect("a shim");
    Bed { in_place: true, ..Bed::new(&emitted, &emitted.lowered, &parts, model, (loads, Box::new(run))) }
}

fn products() -> Bed {
    let text = swapped("kind = \"vector-matrix\"\nblock = 2").replace("k = 2", "k = 1");
    let (spec, net, hop) = parsed(&text);
    let (algorithm, block) = spec.collective.matrix().expect("a product");
    let order = algorithm.blocks(net.k(), net.m()).expect("it fits") * block;
    let (kind, of) = (ProductKind::VectorMatrix, spec.collective.product().expect("a product"));
    let accumulator_bits = of.accumulator(order, spec.router.payload_bits);
    let element_bits = spec.router.payload_bits;
    let what = Product { kind, order, element_bits, signed: of.signed, accumulator_bits };
    let mac_cycles = of.mac_cycles.max(PRODUCT_CYCLES);
    let request = product::ProductRequest { algorithm: algorithm.name(), kind, block, mac_cycles, hop };
    let checked =
        check_product(&net, product::schedule(&net, &request).expect("a schedule"), what, 1).expect("it holds");
    let emitted = Emitted::of(lower_product(&checked, &spec).expect("hardware"), text);
    let (lowered, model) = (&emitted.lowered, Model::new(&emitted.lowered).expect("a model"));
    let set = |seed: u64| {
        let operands = lowered.product.random(seed);
        let data = Products::new(lowered.product, 1);
        let payload = model.payload(&data, &data.words(std::slice::from_ref(&operands)), 0);
        (lowered.loads(&operands), payload, lowered.product.expected(&operands))
    };
    let sets = known((0..3).map(set).collect());
    let (parts, set, again) = (product_parts(lowered).expect("a shim"), lowered.shape.results(), lowered.clone());
    let read = move |words: &[u64]| again.results(words).expect("a whole result");
    Bed { set: set as usize, read: Box::new(read), ..Bed::new(&emitted, lowered, &parts, model, sets) }
}

fn packets() -> Bed {
    let text = "format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[collective]\nkind = \"permutation\"\n\
                pattern = \"identity\"\n[schedule]\nstorage = \"ram\"\n";
    let spec = metronoc::spec::Spec::parse("s.toml", text).expect("a specification");
    let relation = Relation::Permutation(Pattern::Reversal.permutation(4).expect("it fits"));
    let net = Pops::new(2, 2);
    let made = pops::schedule(net, &relation, &pops::PopsRequest::new(PopsAlgorithm::Theorem)).expect("a schedule");
    let lowered = lower_pops(&check_pops(net, &relation, made).expect("it holds"), &spec).expect("hardware");
    let emitted = Emitted::of(lowered, String::new());
    let (lowered, delivery) = (&emitted.lowered, Delivery::new(&relation, 4, 1));
    let model = Model::new(lowered).expect("a model");
    let set = |seed: u64| {
        let data = delivery.random(Dtype::Uint32, seed).unwrap();
        let load = lowered.loads_of_each(&data.to_vec()).concat();
        (load, model.payload(&delivery, &data, 0), delivery.expected(&data).to_vec())
    };
    let sets = known((0..3).map(set).collect());
    let parts = pops_parts(lowered).expect("a shim");
    Bed { once: true, ..Bed::new(&emitted, lowered, &parts, model, sets) }
}

fn swapped(collective: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 2\n[router]\npayload_bits = 32\n\
         [collective]\n{collective}\n"
    )
}

/// Numbers that look random (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 31) % n
    }
}

/// Jobs for the host, and what must be read out.
#[derive(Default)]
struct Play {
    jobs: Vec<Job>,
    /// The starts among the jobs.
    starts: Vec<Start>,
    /// Of each drain; None for a status.
    answers: Vec<Option<Vec<u64>>>,
    sent: Vec<Vec<u64>>,
    results: Vec<Vec<u64>>,
    /// The buffers of the next load, launch and drain.
    turn: [usize; 3],
}

impl Play {
    /// A random order: every buffer is loaded and run once, then any job may follow any.
    fn random(bed: &Bed, seed: u64) -> Self {
        let (mut dice, buffers) = (Dice(seed), bed.model.buffers() as usize);
        let mut play = Self { sent: vec![vec![]; buffers], results: vec![vec![]; buffers], ..Self::default() };
        (0..buffers).for_each(|_| play.load(bed, 0));
        play.start(bed, buffers as u64);
        while play.jobs.len() < JOBS {
            match dice.below(11) {
                0..3 => {
                    play.load(bed, dice.below(3) as usize);
                    if bed.once {
                        play.start(bed, 1);
                    }
                }
                3..6 if !bed.once => play.start(bed, 1 + dice.below(3)),
                3..9 => play.drain(bed),
                9 => play.jobs.push(Job::Clear),
                _ => {
                    play.jobs.push(Job::Status);
                    play.answers.push(None);
                }
            }
        }
        play.drain(bed);
        play.jobs.push(Job::Status);
        play.answers.push(None);
        play
    }

    /// The buffer of a job, of which the next is for the other one.
    fn buffer(&mut self, what: usize) -> usize {
        let next = (self.turn[what] + 1) % self.sent.len();
        std::mem::replace(&mut self.turn[what], next)
    }

    fn load(&mut self, bed: &Bed, which: usize) {
        let buffer = self.buffer(0);
        self.sent[buffer] = bed.loads[which].clone();
        self.jobs.push(Job::Load(bed.loads[which].clone()));
    }

    fn start(&mut self, bed: &Bed, count: u64) {
        let mut payloads = Vec::new();
        for _ in 0..count {
            let buffer = self.buffer(1);
            let (payload, results) = (bed.collective)(&self.sent[buffer]);
            payloads.push(payload);
            if bed.in_place {
                self.sent[buffer] = results.clone();
            }
            self.results[buffer] = results;
        }
        self.jobs.push(Job::Start(count));
        self.starts.push(Start { model: Rc::clone(&bed.model), payloads, count });
    }

    fn drain(&mut self, bed: &Bed) {
        let buffer = self.buffer(2);
        self.jobs.push(Job::Drain);
        let from = if bed.in_place { &self.sent } else { &self.results };
        let mut words = from[buffer].clone();
        words[..bed.own].copy_from_slice(&self.sent[buffer][..bed.own]);
        self.answers.push(Some(words));
    }

    fn in_lockstep(&self, bed: &mut Bed) {
        let mut lockstep = Lockstep::new(&mut bed.top, &bed.model, Some(Sections::All));
        let mut starts = self.starts.iter();
        for job in &self.jobs {
            match job {
                Job::Start(_) => lockstep.start(starts.next().expect("a start").clone()),
                job => lockstep.queue(job.clone()),
            }
        }
        assert_eq!(lockstep.run().expect("it runs"), Verdict::Agreed);
        let answers = lockstep.answers();
        assert_eq!(answers.len(), self.answers.len());
        for (at, (found, wanted)) in answers.iter().zip(&self.answers).enumerate() {
            match (found, wanted) {
                (Answer::Drained(words), Some(wanted)) => assert_eq!(&(bed.read)(words), wanted, "answer {at}"),
                (Answer::Status(status), None) => assert_eq!(faults_of(bed.model.fabric(), status), []),
                _ => panic!("answer {at} is of another kind"),
            }
        }
    }

    /// A line a beat: kind, tile, data.
    fn beats(&self, bed: &Bed) -> String {
        let beat = |kind: u32, tile: u32, data: u64| format!("{kind} {tile} {data:x}\n");
        let each = self.jobs.iter().map(|job| match job {
            Job::Load(words) => {
                let mut words = words.iter();
                let tiles = bed.tiles.iter().flat_map(|&(tile, count)| std::iter::repeat_n(tile, count));
                tiles.map(|tile| beat(0, tile, *words.next().expect("a word"))).collect()
            }
            Job::Start(count) => beat(2, 0, *count),
            Job::Drain => beat(3, 0, 0),
            Job::Status => beat(4, 0, 0),
            _ => beat(6, 0, 0),
        });
        each.collect()
    }

    /// The same beats in another simulator, with a reader that is slow at times.
    fn in_icarus(&self, bed: &Bed) {
        let p = bed.model.fabric();
        let pieces = 64_usize.div_ceil(p.data_bits as usize);
        let size = |wanted: &Option<Vec<u64>>| p.tiles as usize * if wanted.is_some() { bed.set } else { pieces };
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), bed.files.iter().map(|(name, text)| (name, text)));
        let total: usize = self.answers.iter().map(size).sum();
        let bench = include_str!("common/host_order_tb.v");
        let bench = [("DW", p.data_bits as usize), ("TB", p.tile_bits as usize), ("TOTAL", total)]
            .iter()
            .fold(bench.to_owned(), |text, (name, value)| text.replace(&format!("${name}"), &value.to_string()));
        write(folder.path(), [("order_tb.v", bench), ("beats.txt", self.beats(bed))].into_iter());
        let run = |program: &str, args: &[&str]| {
            let output = Command::new(program).current_dir(&folder).args(args).output().expect(program);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).expect("text")
        };
        run("iverilog", &["-g2005", "-s", "order_tb", "-o", "order.vvp", "-f", "filelist.f", "order_tb.v"]);
        let text = run("vvp", &["-n", "order.vvp"]);
        // tile, status, last, data
        let mut lines = text.lines();
        for (at, wanted) in self.answers.iter().enumerate() {
            let found: Vec<Vec<u64>> = lines
                .by_ref()
                .take(size(wanted))
                .map(|line| line.split(' ').map(|n| u64::from_str_radix(n, 16).unwrap_or(UNKNOWN)).collect())
                .collect();
            assert_eq!(found.len(), size(wanted), "answer {at}: {text}");
            let each = size(wanted) / p.tiles as usize;
            for (i, line) in found.iter().enumerate() {
                let head = [(i / each) as u64, u64::from(wanted.is_none()), u64::from(i + 1 == found.len())];
                assert_eq!(line[..3], head, "answer {at}");
            }
            let words: Vec<u64> = found.iter().map(|line| line[3]).collect();
            match wanted {
                Some(wanted) => assert_eq!(&(bed.read)(&words), wanted, "answer {at}"),
                None => assert!(words.iter().all(|&word| word == 0), "answer {at}: {words:x?}"),
            }
        }
        assert_eq!(lines.next(), None);
    }
}

fn plays(mut bed: Bed) {
    Play::random(&bed, 0).in_lockstep(&mut bed);
    if common::has_icarus() {
        Play::random(&bed, 1).in_icarus(&bed);
    } else {
        eprintln!("iverilog is not there: Icarus Verilog is left out");
    }
}

#[test]
#[ignore = "a network in Verilator and in Icarus Verilog, as with two buffers; .ci/run includes it"]
fn all_to_alls_with_one_buffer() {
    plays(all_to_all(1));
}

#[test]
#[ignore = "a simulator for each order; .ci/run includes it"]
fn all_to_alls_with_two_buffers() {
    plays(all_to_all(2));
}

#[test]
#[ignore = "a simulator for each order; .ci/run includes it"]
fn broadcasts() {
    plays(stream());
}

#[test]
#[ignore = "a network in Verilator and in Icarus Verilog; .ci/run includes it"]
fn all_reduces() {
    plays(exchanges("kind = \"all-reduce\""));
}

#[test]
#[ignore = "two networks in Verilator; .ci/run includes it"]
fn scans() {
    plays(exchanges("kind = \"prefix-scan\""));
}

#[test]
#[ignore = "two networks in Verilator; .ci/run includes it"]
fn sorts() {
    plays(exchanges("kind = \"bitonic-sort\""));
}

#[test]
#[ignore = "a simulator for each order; .ci/run includes it"]
fn products_of_matrices() {
    plays(products());
}

#[test]
fn packets_on_pops() {
    plays(packets());
}
