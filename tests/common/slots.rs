//! Networks, schedules and test benches of slot tables.

use super::verilator;
use camino::Utf8Path;
use metronoc::collective::{Collective, Item, Words};
use metronoc::emit::{Origin as Source, RtlBundle};
use metronoc::id::NodeId;
use metronoc::lower::{LowerError, SlotTableLowered, lower_slot_table};
use metronoc::program::{Hop, Origin, Program, Switching, Train, Who};
use metronoc::simulate::{Arrays, Simulation};
use metronoc::spec::RouterSpec;
use metronoc::topology::Topology;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// A torus; port 2x leads one step up in dimension x, port 2x + 1 one down. With `up` alone there are ports up only.
#[derive(Clone)]
pub struct Torus {
    pub dims: Vec<u32>,
    pub up: bool,
}

impl Torus {
    pub fn new(dims: &[u32], up: bool) -> Self {
        Self { dims: dims.to_vec(), up }
    }

    fn step(&self, port: usize) -> (usize, bool) {
        if self.up { (port, true) } else { (port / 2, port.is_multiple_of(2)) }
    }

    /// Ports of the shortest ways, one for each order of the dimensions and each direction that is as short.
    pub fn ways(&self, from: NodeId, to: NodeId) -> Vec<Vec<u32>> {
        let (a, b) = (self.label(from), self.label(to));
        let mut ways: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
        for (x, &n) in self.dims.iter().enumerate() {
            let up = (b[x] + n - a[x]) % n;
            let port = |down: usize| if self.up { x as u32 } else { (2 * x + down) as u32 };
            let mut runs = Vec::new();
            if self.up || 2 * up <= n {
                runs.push(vec![port(0); up as usize]);
            }
            if !self.up && 2 * up >= n && up > 0 {
                runs.push(vec![port(1); (n - up) as usize]);
            }
            ways = ways
                .into_iter()
                .flat_map(|way| {
                    runs.iter().map(move |run| [way.clone(), vec![run.clone()]].concat()).collect::<Vec<_>>()
                })
                .collect();
        }
        let mut all = BTreeSet::new();
        for way in ways {
            for first in 0..way.len() {
                all.insert((0..way.len()).flat_map(|i| way[(first + i) % way.len()].clone()).collect::<Vec<u32>>());
            }
        }
        all.into_iter().collect()
    }
}

impl Topology for Torus {
    fn name(&self) -> &'static str {
        "torus"
    }

    fn nodes(&self) -> usize {
        self.dims.iter().product::<u32>() as usize
    }

    fn ports(&self) -> usize {
        self.dims.len() * if self.up { 1 } else { 2 }
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        let mut rest = node.get();
        let mut label: Vec<u32> = self.dims.iter().rev().map(|&n| (rest % n, rest /= n).0).collect();
        label.reverse();
        label
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let (x, up) = self.step(port);
        let mut label = self.label(node);
        label[x] = (label[x] + if up { 1 } else { self.dims[x] - 1 }) % self.dims[x];
        NodeId::new(label.iter().zip(&self.dims).fold(0, |all, (&at, &n)| all * n + at))
    }

    fn port_name(&self, port: usize) -> String {
        let (x, up) = self.step(port);
        format!("{}{x}", if up { '+' } else { '-' })
    }
}

/// Every packet on the way and in the cycle in which it arrives first, farthest first; with `waits` on one way, with pauses, nearest first.
pub fn listed(net: &Torus, switching: &Switching, packets: &[(u32, u32)], waits: bool) -> Program {
    let mut program = Program::new(switching.clone());
    let mut taken: BTreeSet<(u32, NodeId, u32)> = BTreeSet::new();
    let mut order: Vec<_> = packets.iter().map(|&(from, to)| (NodeId::new(from), NodeId::new(to))).collect();
    order.sort_by_key(|&(from, to)| net.ways(from, to).first().map_or(0, Vec::len));
    if !waits {
        order.reverse();
    }
    for (from, to) in order {
        let cross = |way: &[u32], start: u32| -> Option<Vec<(u32, NodeId, u32)>> {
            let (mut at, mut ready) = (from, start);
            let mut hops = Vec::new();
            for &port in way {
                let enter = match waits {
                    // packets of odd nodes rest for two cycles after their first hop
                    true => (ready + 2 * (from.get() % 2) * u32::from(hops.len() == 1)..)
                        .find(|&cycle| !taken.contains(&(cycle, at, port)))?,
                    false => Some(ready).filter(|&cycle| !taken.contains(&(cycle, at, port)))?,
                };
                hops.push((enter, at, port));
                ready = enter + switching.latency(net, at, port);
                at = net.neighbour(at, port as usize);
            }
            Some(hops)
        };
        let end = |hops: &Vec<(u32, NodeId, u32)>| {
            hops.last().map(|&(cycle, at, port)| cycle + switching.latency(net, at, port))
        };
        let mut ways = net.ways(from, to);
        ways.truncate(if waits { 1 } else { ways.len() });
        let best = (0..).find_map(|start| ways.iter().filter_map(|way| cross(way, start)).min_by_key(end));
        let hops = best.expect("later cycles are free");
        let start = hops[0].0;
        let mut ready = start;
        let mut tree = Vec::new();
        for (i, &(enter, at, port)) in hops.iter().enumerate() {
            let parent = (i as u32).checked_sub(1);
            tree.push(Hop { parent, port, wait: enter - ready, keep: i + 1 == hops.len() });
            ready = enter + switching.latency(net, at, port);
        }
        taken.extend(hops);
        let value = program.value(Who::One(from), 1, Origin::Message);
        program.send(value, Who::One(from), (start, Train::STEADY), tree);
    }
    program
}

/// All pairs of different nodes.
pub fn pairs(nodes: u32) -> Vec<(u32, u32)> {
    (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j))).filter(|(i, j)| i != j).collect()
}

/// Every node's word at every node.
pub struct AllGather(pub usize);

impl Collective for AllGather {
    fn shape(&self) -> (Vec<usize>, String) {
        (vec![self.0], "[node]".to_owned())
    }

    fn expected(&self, words: &Words) -> Words {
        Words::from_fn(words.dtype(), self.0 * self.0, |i| words.get(i % self.0))
    }

    fn sent(&self, item: Item) -> usize {
        item.from.index()
    }

    fn received(&self, item: Item) -> Option<usize> {
        Some(item.to.index() * self.0 + item.from.index())
    }
}

/// Routers with words of so many bits.
pub fn router(payload_bits: u32) -> RouterSpec {
    RouterSpec { payload_bits, ..RouterSpec::default() }
}

/// A network of slot tables, and its files.
pub struct Slots {
    pub lowered: SlotTableLowered,
    pub files: BTreeMap<String, String>,
}

impl Slots {
    pub fn try_new(
        net: &dyn Topology,
        program: &Program,
        collective: &dyn Collective,
        router: &RouterSpec,
    ) -> Result<Self, LowerError> {
        Ok(Self::of(lower_slot_table(net, program, collective, router)?, collective))
    }

    /// Hardware with its files.
    pub fn of(lowered: SlotTableLowered, collective: &dyn Collective) -> Self {
        let source = Source { name: "s".into(), spec_text: String::new(), command: "metronoc generate s.toml".into() };
        let bundle = RtlBundle::new(&(&lowered, collective), &source).expect("the templates render");
        let files = bundle.files().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        Self { lowered, files }
    }

    pub fn new(net: &dyn Topology, program: &Program, collective: &dyn Collective, router: &RouterSpec) -> Self {
        let found = Self::try_new(net, program, collective, router);
        found.unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Turns a bit of a row of an image round.
    pub fn flip(&mut self, file: &str, row: usize, bit: usize) {
        let text = self.files.get_mut(file).expect("an image");
        let mut rows: Vec<String> = text.lines().map(str::to_owned).collect();
        let at = rows[row].len() - 1 - bit / 4;
        let digit = u32::from_str_radix(&rows[row][at..=at], 16).expect("a digit") ^ 1 << (bit % 4);
        rows[row].replace_range(at..=at, &format!("{digit:x}"));
        *text = rows.join("\n") + "\n";
    }

    /// The last line of the test bench: in Icarus Verilog where it is, else in Verilator.
    pub fn bench(&self) -> String {
        self.bench_in(if super::has_icarus() { icarus } else { verilator })
    }

    /// The last line of the test bench in Verilator.
    pub fn bench_in_verilator(&self) -> String {
        self.bench_in(verilator)
    }

    fn bench_in(&self, simulator: impl Fn(&Path) -> String) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        super::write(folder.path(), self.files());
        simulator(folder.path()).lines().last().unwrap_or_default().to_owned()
    }

    /// The bench passes, with a word for each that comes to a node.
    pub fn passes(&self) -> u64 {
        let said = self.bench();
        let words = said.strip_prefix("PASS: ").and_then(|rest| rest.strip_suffix(" words"));
        words.unwrap_or_else(|| panic!("{said}")).parse().expect("a number")
    }
}

fn icarus(folder: &Path) -> String {
    let run = |program: &str, args: &[&str]| {
        let done = Command::new(program).args(args).current_dir(folder).output().expect("it runs");
        let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{program}: {said}");
        said
    };
    let told = run("iverilog", &["-g2005", "-Wall", "-s", "mn_tb", "-o", "tb.vvp", "-f", "filelist.f", "tb/mn_tb.v"]);
    assert_eq!(told, "", "warnings of Icarus Verilog");
    run("vvp", &["-n", "tb.vvp"])
}

fn verilator(folder: &Path) -> String {
    let folder = Utf8Path::from_path(folder).expect("UTF-8");
    verilator::build_bench(folder);
    verilator::run_bench(folder)
}

/// Number of words that a plain simulation of a program on random ones gets wrong.
pub fn simulated(net: &dyn Topology, program: &Program, collective: &dyn Collective) -> u64 {
    let words = collective.random(metronoc::collective::Dtype::Uint32, 3).expect("few words");
    let mut data = Arrays::new(program, collective, &words, 32);
    Simulation::new(net, program).run(&mut data, &[]).expect("no conflict");
    data.wrong()
}
