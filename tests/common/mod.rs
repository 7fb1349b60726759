//! Emitted networks and schedules for tests.

pub mod asked;
pub mod bench;
pub mod board;
pub mod case;
pub mod families;
pub mod graphs;
pub mod imports;
pub mod kinds;
pub mod mutate;
pub mod refused;
pub mod simulate;
pub mod slots;
pub mod venv;
pub mod verilator;

use metronoc::check::swapped_dragonfly::check_all_to_all;
use metronoc::cosim::{Build, Built, Optimize, Parts, Sources};
use metronoc::emit::{CHECK_DIGITS, Origin, RtlBundle, Verilog};
use metronoc::lower::swapped_dragonfly::{AllToAllLowered, lower_all_to_all};
use metronoc::lower::{LowerError, Programmed, ReadBack};
use metronoc::program::form::swapped_dragonfly::uniform::{HopLatency, Launch, UniformProgram};
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::spec::{NetworkSpec, Spec, Storage};
use metronoc::tool::{self, Progress, Tool};
use metronoc::topology::SwappedDragonfly;
use metronoc::topology::swapped_dragonfly::SourceVector;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Writes files into a folder: relative path and content.
pub fn write(folder: &Path, files: impl Iterator<Item = (impl AsRef<str>, impl AsRef<str>)>) {
    for (name, text) in files {
        let path = folder.join(name.as_ref());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text.as_ref()).unwrap();
    }
}

/// True if Icarus Verilog is on PATH.
pub fn has_icarus() -> bool {
    std::process::Command::new("iverilog").arg("-V").output().is_ok()
}

/// True if Project IceStorm is installed, which reads bitstreams back.
pub fn has_icestorm() -> bool {
    let is_there = std::process::Command::new("icebox_vlog").arg("-h").output().is_ok();
    if !is_there {
        eprintln!("icebox_vlog is not there: no bitstream is read back");
    }
    is_there
}

/// A row of an image that says nothing, with the check byte of this one.
pub fn empty(row: &str) -> String {
    let (check, digits) = row.split_at(CHECK_DIGITS);
    check.to_owned() + &"0".repeat(digits.len())
}

/// A network as it is emitted, to be edited.
pub struct Emitted<L = AllToAllLowered> {
    pub lowered: L,
    pub files: BTreeMap<String, String>,
}

/// A specification, its network and the cycles of its hops.
pub fn parsed(text: &str) -> (Spec, SwappedDragonfly, HopLatency) {
    let spec = Spec::parse("s.toml", text).expect("the specification is right");
    let (net, hop) = network(&spec);
    (spec, net, hop)
}

/// The network of a specification, and the cycles of its hops.
pub fn network(spec: &Spec) -> (SwappedDragonfly, HopLatency) {
    let NetworkSpec::SwappedDragonfly(n) = &spec.network else { panic!("no Swapped Dragonfly") };
    let net = SwappedDragonfly::new(n.k, n.m, n.group);
    (net, HopLatency { local: spec.router.local_stages, global: spec.router.global_stages })
}

impl Emitted {
    /// The files of D3(k,m), with `more` lines of specification.
    pub fn new(k: u32, m: u32, more: &str) -> Self {
        let text = format!("format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n{more}");
        let (spec, net, hop) = parsed(&text);
        let collective = spec.collective.all_to_all().expect("an all-to-all");
        let request = AllToAllRequest {
            passes: collective.words * collective.repeat,
            counters: spec.schedule.storage == Storage::Counter,
            ..AllToAllRequest::new("best", hop)
        };
        let checked =
            check_all_to_all(&net, schedule_all_to_all(&net, &request).expect("there is one")).expect("it holds");
        let lowered = lower_all_to_all(&checked, &spec).expect("it has a hardware form");
        Self::of(lowered, text)
    }
}

impl<L: Verilog> Emitted<L> {
    /// What is emitted for a specification's text.
    pub fn of(lowered: L, text: String) -> Self {
        let origin = Origin { name: "s".into(), spec_text: text, command: "metronoc generate s.toml".into() };
        let bundle = RtlBundle::new(&lowered, &origin).expect("the templates render");
        let files = bundle.files().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        Self { lowered, files }
    }

    /// Replaces the one place that reads `old`.
    pub fn edit(mut self, file: &str, old: &str, new: &str) -> Self {
        let text = self.files.get_mut(file).expect("the file is there");
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {file}");
        *text = text.replacen(old, new, 1);
        self
    }

    /// The files: relative path and content.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// Reads the images among the files back.
    pub fn read_back(&self) -> Result<Option<ReadBack>, LowerError>
    where
        L: Programmed,
    {
        Sources::new(self.files()).read_back(&self.lowered)
    }

    /// A simulator of the files, kept in the cache.
    pub fn built(&self, parts: &Parts) -> Built {
        built(self.files(), parts)
    }
}

/// A simulator of files, kept in the cache.
pub fn built<'a>(files: impl Iterator<Item = (&'a str, &'a str)>, parts: &Parts) -> Built {
    let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator can be made ready");
    let sources = Sources::new(files);
    Build { sources: &sources, parts, optimize: Optimize::Least, root: None }.run(&tools).expect("it builds")
}

/// Rounds of min(K,M) vectors that share nothing, one in every Hl + Hg + 1 rows.
pub fn rounds(net: &SwappedDragonfly, hop: HopLatency) -> UniformProgram {
    let (k, m) = (net.k(), net.m());
    let vector = |x: u32, y: u32, t: u32| match k <= m {
        true => SourceVector { gamma: t, pi: (x + t) % m, delta: (y + t) % m },
        false => SourceVector { gamma: (x + t) % k, pi: t, delta: (y + t) % m },
    };
    let starts = (0..k.max(m)).flat_map(|x| (0..m).map(move |y| (x, y)));
    let step = hop.clash_distance() + 1;
    let round = |(i, (x, y))| (0..k.min(m)).map(move |t| Launch { row: i * step, vector: vector(x, y, t) });
    UniformProgram::new((0..).zip(starts).flat_map(round).collect())
}
