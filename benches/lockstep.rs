//! How much of Verilator's own speed is left when every cycle is compared: `cargo bench --bench lockstep [-- COLLECTIVES]`.
//!
//! The hardware is all-to-all on D3(4,4), and on a torus 4×4 in slot tables, collectives back to back. The yardstick is a program of its own, `sim/bare.cpp`: the same
//! Verilog through the same Verilator with the same options, nothing of it made visible, clocked by a loop that does
//! nothing else. As other work on the machine disturbs whoever runs just then, yardstick and lockstep take turns in short
//! slices; figures are medians. Fails if a slice's usual share of the yardstick's speed falls below what is demanded.

use metronoc::collective::Words;
use metronoc::cosim::{Build, Built, Form, Interface, Job, Lockstep, Optimize, Parts, Sources, Start, Top, Verdict};
use metronoc::family::Runs;
use metronoc::model::{Model, Sections};
use metronoc::tool::{Progress, Tool, ToolSet, ensure};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::rc::Rc;
use std::time::Instant;

/// Networks by name, with their lines of specification.
const NETWORKS: [(&str, &str); 2] = [
    ("D3(4,4)", "topology = \"swapped-dragonfly\"\nk = 4\nm = 4\n[router]\nkind = \"source-vector\""),
    ("torus 4×4", "topology = \"torus\"\ndims = [4, 4]\n[router]\nkind = \"slot-table\""),
];
/// Turns of each contestant.
const SLICES: u64 = 50;
/// What is compared, and the share of the yardstick's speed that must be left.
const CONTESTANTS: [(&str, Option<Sections>, f64); 3] = [
    ("nothing compared", None, 0.8),
    ("endpoints", Some(Sections::Receives), 0.8),
    ("channels", Some(Sections::All), 0.4),
];

/// Variables of Verilator's makefile: the effort for a long run, and Verilator's runtime as one source.
const MAKE: &str = "OPT_FAST=-O3 OPT_SLOW=-O0 VM_GLOBAL_FAST= VM_GLOBAL_SLOW=";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The program that only clocks.
struct Bare {
    child: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Bare {
    /// Builds it with Verilator's makefile from the Verilog of the lockstep's simulator, and lets it load `words` and start more
    /// collectives than will be run.
    fn new(
        folder: &str,
        sources: &Sources,
        (interface, tile_bits): (&Interface, u32),
        words: &[u64],
        tools: &ToolSet,
    ) -> Result<Self> {
        let folder = camino::Utf8Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
        ["rtl", "rom"].into_iter().try_for_each(|part| fs::create_dir_all(folder.join(part)))?;
        let beside = vec![("bare.cpp", include_str!("../sim/bare.cpp").to_owned())];
        let (parameters, defines) = (Vec::new(), Vec::new());
        let parts = Parts { top: "mn_top", beside, without: &[], parameters, defines };
        let library = Build { sources, parts: &parts, optimize: Optimize::Full, root: None };
        for (name, text) in library.beside().chain(sources.files()) {
            // Verilator builds nothing again if no file is newer
            if fs::read_to_string(folder.join(name)).ok().as_deref() != Some(text) {
                fs::write(folder.join(name), text)?;
            }
        }
        let program =
            ["--exe", "--build", "-j", "2", "-CFLAGS", "-std=gnu++20", "-MAKEFLAGS", MAKE, "-o", "bare", "bare.cpp"];
        let command = library.command().args(program).arg("runtime.cpp");
        tools.run(&command, &folder, &folder.join("verilator.log"))?;

        let mut beats = String::new();
        let mut words = words.iter();
        for &(tile, count) in interface.loads() {
            words.by_ref().take(count).try_for_each(|word| writeln!(beats, "{tile} {word}"))?;
        }
        writeln!(beats, "{} {}", 2 << tile_bits, u32::MAX)?;
        fs::write(folder.join("beats"), beats)?;
        let mut program = std::process::Command::new(folder.join("obj/bare"));
        program.current_dir(&folder).arg("beats").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = program.spawn()?;
        let (ask, answer) = (child.stdin.take().ok_or("no input")?, child.stdout.take().ok_or("no output")?);
        Ok(Self { child, ask, answer: BufReader::new(answer) })
    }

    /// Cycles a second over so many.
    fn rate(&mut self, cycles: u64) -> Result<f64> {
        writeln!(self.ask, "{cycles}")?;
        let mut line = String::new();
        self.answer.read_line(&mut line)?;
        Ok(cycles as f64 * 1e9 / line.trim().parse::<f64>()?)
    }

    fn end(mut self) -> Result<()> {
        drop(self.ask);
        if self.child.wait()?.success() { Ok(()) } else { Err("the yardstick failed".into()) }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> Result<()> {
    // cargo hands `--bench` over
    let number = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let collectives: u64 = number.unwrap_or(100_000);
    if collectives == 0 {
        return Err("no collectives, no speed".into());
    }
    let tools = ensure(&[Tool::Verilator], Progress::auto(false))?;
    let mut missed = Vec::new();
    for (number, network) in NETWORKS.into_iter().enumerate() {
        let slow = measured(network, &format!("bare-{number}"), collectives, &tools)?;
        missed.extend(slow.into_iter().map(|contestant| format!("{} with {contestant}", network.0)));
    }
    if missed.is_empty() { Ok(()) } else { Err(format!("too slow: {}", missed.join(", ")).into()) }
}

/// Measures a network, and prints what is left of the yardstick's speed; the contestants with less than is demanded.
fn measured(
    (network, lines): (&str, &str),
    folder: &str,
    collectives: u64,
    tools: &ToolSet,
) -> Result<Vec<&'static str>> {
    let text = format!("format = 1\n[network]\n{lines}\npayload_bits = 32\n[collective]\nkind = \"all-to-all\"\n");
    let compiled = metronoc::compile(text.as_str())?;
    let (hardware, collective) = (compiled.hardware()?, compiled.collective());
    // words that are alike: some hardware puts results where words were, and the next collective takes these
    let words = compiled.random_words(1);
    let words = Words::from_fn(words.dtype(), words.len(), |_| 0x9e37_79b9);
    let sources = Sources::new(compiled.verilog()?.files());
    let model = Rc::new(Model::new(hardware.as_ref())?);
    let runs = Runs { sections: None, collectives: 1, asked: false };
    let session = hardware.session(&model, collective.as_ref(), &words, runs);
    let (words, payload) = session.first().ok_or("no collective")?;

    let begin = Instant::now();
    let mut bare = Bare::new(folder, &sources, (&hardware.interface(), hardware.fabric().tile_bits), words, tools)?;
    let parts = hardware.parts(Form::Top)?;
    let built: Built = Build { sources: &sources, parts: &parts, optimize: Optimize::Full, root: None }.run(tools)?;
    println!("{network}: both built after {:.1} s", begin.elapsed().as_secs_f64());
    // hardware of slot tables is compared at its channels alone
    let layout = model.layout();
    let is_there = |section: Sections| section != Sections::Receives || layout.words() > layout.channel_words();
    let contestants: Vec<_> =
        CONTESTANTS.into_iter().filter(|(_, sections, _)| sections.is_none_or(is_there)).collect();
    let top = |_| Top::new(&built, hardware.interface());
    let mut tops = (0..contestants.len()).map(top).collect::<std::result::Result<Vec<_>, _>>()?;
    let mut lanes: Vec<Lockstep> = Vec::new();
    for (top, (_, sections, _)) in tops.iter_mut().zip(&contestants) {
        let mut lane = Lockstep::new(top, &model, *sections);
        lane.queue(Job::Load(words.to_vec()));
        assert_eq!(lane.run()?, Verdict::Agreed);
        lanes.push(lane);
    }

    let cycles = collectives.div_ceil(SLICES) * model.interval();
    for lane in &mut lanes {
        let (model, payloads) = (Rc::clone(&model), vec![Rc::clone(payload)]);
        lane.start(Start { model, payloads, count: collectives + 1 });
    }
    let (mut yardstick, mut rates) = (Vec::new(), vec![Vec::new(); lanes.len()]);
    for _ in 0..SLICES {
        yardstick.push(bare.rate(cycles)?);
        for (lane, rates) in lanes.iter_mut().zip(&mut rates) {
            let (begin, end) = (Instant::now(), lane.cycle() + cycles);
            assert_eq!(lane.run_to(end)?, Verdict::Agreed);
            rates.push(cycles as f64 / begin.elapsed().as_secs_f64());
            assert_eq!(lane.cycle(), end, "the hardware had nothing to do before the end of a slice");
        }
    }
    bare.end()?;
    for (lane, (name, sections, _)) in lanes.iter().zip(&contestants) {
        let launched: u64 = lane.launched().iter().map(|launched| launched.count).sum();
        assert_eq!(launched, collectives + 1, "{name}: not all collectives were launched");
        let words = match sections {
            None => 0,
            Some(Sections::Receives) => layout.words() - layout.channel_words(),
            Some(Sections::All) => layout.words(),
        };
        assert!(sections.is_none() || words > 0, "{name}: nothing is compared");
        assert_eq!(lane.compared(), lane.cycle() * words as u64, "{name}: not all cycles were compared");
    }
    println!("{collectives} collectives in one start, {} cycles each, in {SLICES} slices", SLICES * cycles);
    println!("{:20} {:9.0} cycles/s", "bare C++ program", median(yardstick.clone()));
    let mut missed = Vec::new();
    for (((name, _, demanded), lane), rates) in contestants.into_iter().zip(&lanes).zip(rates) {
        let share = median(rates.iter().zip(&yardstick).map(|(rate, bare)| rate / bare).collect());
        let compared = lane.compared();
        println!(
            "{name:20} {:9.0} cycles/s {share:5.2} (at least {demanded}) {compared} words compared",
            median(rates)
        );
        missed.extend((share < demanded).then_some(name));
    }
    Ok(missed)
}
