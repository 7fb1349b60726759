//! The hardware of exchanges, right and broken: every channel and every received word against the model in every cycle, and the
//! results against the oracle.

use crate::common::{self, Emitted, parsed, verilator};
use assert_cmd::Command;
use camino::Utf8Path;
use metronoc::check::swapped_dragonfly::check_exchange;
use metronoc::collective::{Collective, Dtype, Exchange, ExchangeKind};
use metronoc::cosim::{Job, Outcome, Session, Simulator, Top, Verdict, exchange_parts};
use metronoc::emit::needed;
use metronoc::lower::Programmed as _;
use metronoc::lower::Registers as _;
use metronoc::lower::swapped_dragonfly::exchange::field;
use metronoc::lower::swapped_dragonfly::{ExchangeLowered, lower_exchange};
use metronoc::model::{Model, Sections};
use metronoc::program::form::swapped_dragonfly::exchange::{Port, Way};
use metronoc::schedule::swapped_dragonfly::exchange::{ExchangeRequest, schedule};
use metronoc::spec::CollectiveSpec;
use std::ops::Deref;
use std::rc::Rc;

fn text(k: u32, m: u32, router: &str, collective: &str, storage: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\ngroup = \"xor\"\n[router]\n{router}\n\
         [collective]\n{collective}\n[schedule]\nstorage = \"{storage}\"\n"
    )
}

/// Exchanges as they are emitted, and the cycles that they are to take.
struct Exchanged {
    emitted: Emitted<ExchangeLowered>,
    cycles: u32,
}

impl Deref for Exchanged {
    type Target = Emitted<ExchangeLowered>;

    fn deref(&self) -> &Self::Target {
        &self.emitted
    }
}

impl Exchanged {
    fn new(k: u32, m: u32, router: &str, collective: &str, storage: &str) -> Self {
        let text = text(k, m, router, collective, storage);
        let (spec, net, hop) = parsed(&text);
        let (kind, algorithm, words, operator) = match &spec.collective {
            CollectiveSpec::AllReduce(c) => (ExchangeKind::AllReduce(c.op), c.algorithm, c.words, c.operator_stages),
            CollectiveSpec::PrefixScan(c) => (ExchangeKind::PrefixScan(c.op), c.algorithm, c.words, c.operator_stages),
            CollectiveSpec::BitonicSort(c) => (ExchangeKind::Sort, c.algorithm, c.words, c.operator_stages),
            other => panic!("{} is no exchange", other.kind()),
        };
        let made =
            schedule(&net, &ExchangeRequest { kind, algorithm: algorithm.name(), words, operator, hop }).unwrap();
        let checked = check_exchange(&net, made).unwrap();
        let lowered = lower_exchange(&checked, &spec).expect("hardware");
        Self { emitted: Emitted::of(lowered, text), cycles: checked.cycles() }
    }

    fn edit(self, file: &str, old: &str, new: &str) -> Self {
        Self { emitted: self.emitted.edit(file, old, new), ..self }
    }

    fn top(&self) -> Top {
        let parts = exchange_parts(&self.lowered).expect("it has a shim");
        Top::new(&self.built(&parts), &self.lowered).expect("it loads")
    }

    /// Runs the collective on random words so many times, each with the results of the one before.
    fn run(&self, times: u64, sections: Sections) -> (Outcome, Vec<u64>) {
        let p = &self.lowered.frame;
        let traffic = Exchange::new(self.lowered.kind, p.tiles as usize, self.lowered.program.words as usize);
        let words = traffic.random(Dtype::filling(p.data_bits).expect("a width"), 11).unwrap();
        let model = Rc::new(Model::new(&self.lowered).expect("a model"));
        let session = Session::on_results(&model, &traffic, &words, Some(sections), times);
        let outcome = session.run(&mut self.top()).expect("it runs");
        (outcome, Collective::expected_after(&traffic, times, &words).to_vec())
    }

    /// Cycles from the first word on a channel to the last that enters one, seen at the registers of the hardware.
    fn measured(&self) -> u32 {
        let mut top = self.top();
        let layout = self.lowered.frame.layout();
        let words = layout.tiles() * self.lowered.program.words as usize;
        top.queue(Job::Load((0..words as u64).collect()));
        top.queue(Job::Start(1));
        let (mut first, mut last) = (None, 0);
        let mut block = vec![0; layout.words()];
        for _ in 0..4000 + 20 * words {
            let none: &[u64] = &[];
            top.run(&[none], None).expect("it runs");
            top.observe(&mut block);
            let (channels, receives) = block.split_at(layout.channel_words());
            if channels.iter().any(|&word| word != 0) {
                first.get_or_insert(top.cycle());
            }
            if receives.iter().any(|&word| word != 0) {
                last = top.cycle();
            }
        }
        // a word enters the last channel, or begins to stay, as many cycles before it is received as the hop takes, less one
        let (frame, last_step) = (&self.lowered.frame, self.lowered.program.steps.last().expect("steps"));
        let hop = match &last_step.sends[0].way {
            Way::Ports(ports) => match ports.last().expect("hops") {
                Port::Local(_) => frame.local_stages,
                Port::Global(_) => frame.global_stages,
            },
            Way::Header(_) => frame.local_stages,
        };
        (last - first.expect("words are sent")) as u32 + 2 - hop
    }

    fn agrees(&self, times: u64) {
        assert_eq!(self.measured(), self.cycles, "cycles that `schedule` prints");
        let (outcome, expected) = self.run(times, Sections::All);
        assert_eq!(outcome.verdict, Verdict::Agreed);
        assert!(outcome.received == expected, "the oracle says something else");
        assert_eq!(outcome.faults, Some(Vec::new()));
        assert_eq!(outcome.launched[0].count, times);
    }

    fn differs(&self) {
        let (outcome, _) = self.run(1, Sections::All);
        assert!(matches!(outcome.verdict, Verdict::Differed(_)), "{:?}", outcome.verdict);
    }
}

#[test]
fn models_leave_what_the_oracle_says() {
    for (kind, ops) in [("all-reduce", true), ("prefix-scan", true), ("bitonic-sort", false)] {
        for op in if ops { &["sum", "min", "max", "xor"][..] } else { &[""] } {
            let algorithms = ["short", "paper", "uniform"];
            for (k, m, algorithm) in
                [(1, 2), (2, 2), (4, 2), (2, 4)].iter().flat_map(|&(k, m)| algorithms.map(|a| (k, m, a)))
            {
                let op = if ops { format!("op = \"{op}\"") } else { String::new() };
                let collective = format!("kind = \"{kind}\"\nalgorithm = \"{algorithm}\"\nwords = 3\n{op}");
                let lowered = Exchanged::new(k, m, "payload_bits = 8", &collective, "rom").emitted.lowered;
                let traffic = Exchange::new(lowered.kind, lowered.frame.tiles as usize, 3);
                let words = traffic.random(Dtype::Uint8, 3).unwrap();
                let results = Model::new(&lowered).expect("a model").run(&traffic, &words).1;
                assert_eq!(results, traffic.expected(&words), "{collective} {k} {m}");
            }
        }
    }
}

fn agrees(k: u32, m: u32, router: &str, kind: &str, algorithm: &str, more: &str, times: u64) {
    let collective = format!("kind = \"{kind}\"\nalgorithm = \"{algorithm}\"\n{more}");
    Exchanged::new(k, m, router, &collective, "rom").agrees(times);
}

#[test]
#[ignore = "two networks in Verilator; .ci/run includes it"]
fn hardware_and_model_agree_on_single_hops() {
    agrees(2, 2, "payload_bits = 8\nparity = true", "all-reduce", "short", "words = 5", 3);
    agrees(1, 4, "", "all-reduce", "short", "op = \"max\"\noperator_stages = 5", 1);
}

#[test]
#[ignore = "larger networks in Verilator; .ci/run includes it"]
fn hardware_and_model_agree_on_long_hops_and_sorts() {
    let long = "payload_bits = 16\nlocal_stages = 2\nglobal_stages = 3";
    agrees(4, 2, long, "prefix-scan", "short", "op = \"min\"\nwords = 3", 2);
    agrees(4, 2, "payload_bits = 16", "bitonic-sort", "short", "words = 2", 2);
}

#[test]
#[ignore = "two networks in Verilator; .ci/run includes it"]
fn hardware_and_model_agree_on_the_papers_ways() {
    let parity = "payload_bits = 64\nparity = true\nlocal_stages = 2";
    agrees(2, 2, parity, "prefix-scan", "paper", "words = 5", 2);
    agrees(2, 2, "global_stages = 2", "bitonic-sort", "paper", "words = 2", 2);
}

#[test]
fn hardware_and_model_agree_on_uniform_headers() {
    agrees(2, 2, "payload_bits = 16\nglobal_stages = 2", "all-reduce", "uniform", "op = \"xor\"\nwords = 7", 3);
    agrees(1, 4, "payload_bits = 8\nlocal_stages = 2", "prefix-scan", "uniform", "words = 2", 2);
}

#[test]
#[ignore = "two networks in Verilator; .ci/run includes it"]
fn networks_with_counters_agree_with_the_model() {
    let counted = |router, kind, algorithm, more| {
        let collective = format!("kind = \"{kind}\"\nalgorithm = \"{algorithm}\"\n{more}");
        let emitted = Exchanged::new(2, 2, router, &collective, "counter");
        assert!(emitted.lowered.counters.is_some() && !emitted.files.contains_key("rom/steps.hex"));
        emitted.agrees(2);
    };
    counted("payload_bits = 8\nlocal_stages = 2", "prefix-scan", "short", "words = 4");
    counted("payload_bits = 16", "bitonic-sort", "uniform", "words = 3");
}

/// A table and counters side by side, from one start: a program of every kind, and a module that holds them against each other.
fn side_by_side(folder: &Utf8Path) -> String {
    let mut text = "module mn_pairs;\n    reg clk = 1'b0, rst = 1'b1, go = 1'b0;\n    always #5 clk = !clk;\n    \
                    integer beats = 0, errors = 0, noticed = 0;\n"
        .to_owned();
    let mut number = 0;
    for kind in ["all-reduce", "prefix-scan", "bitonic-sort"] {
        for algorithm in ["short", "paper", "uniform"] {
            for (k, m, words) in [(1, 2, 1), (2, 2, 5), (4, 2, 2), (2, 4, 3)] {
                let router = ["", "local_stages = 2", "global_stages = 3"][number % 3];
                let collective = format!("kind = \"{kind}\"\nalgorithm = \"{algorithm}\"\nwords = {words}");
                let emitted = Exchanged::new(k, m, router, &collective, "counter");
                std::fs::write(
                    folder.join(format!("steps{number}.hex")),
                    emitted.lowered.images().iter().next().expect("an image").1,
                )
                .unwrap();
                // the parameters of the tiles, of which a program takes its part
                let network = &emitted.files["rtl/mn_network.v"];
                let value = |name: &str| {
                    let (_, rest) = network.split_once(&format!(".{name}(")).expect("the parameter is there");
                    rest.split_once(')').expect("it ends").0.to_owned()
                };
                let sizes = format!(
                    ".WORDS({words}), .STEPS({}), .RB({}), .LB({}), .K({k}), .M({m}), .LOCAL_STAGES({}), .GLOBAL_STAGES({})",
                    emitted.lowered.rows.len(),
                    emitted.lowered.rows[0].width(),
                    value("LB"),
                    value("LOCAL_STAGES"),
                    value("GLOBAL_STAGES")
                );
                let names = ["COUNTER", "FAMILY", "KIND", "LENGTHS"];
                let counters = names.map(|name| format!(".{name}({})", value(name))).join(", ");
                let bits = emitted.lowered.rows[0].width();
                let word_bits = u32::BITS - (words - 1_u32).max(1).leading_zeros();
                let sorts = kind == "bitonic-sort" && algorithm == "short" && k == 2;
                let programs = [
                    ("rom", "mn_exchange_program", format!(".FILE(\"steps{number}.hex\")")),
                    ("counter", "mn_exchange_program", counters.clone()),
                    ("bad", "mn_bad_program", counters),
                ];
                for (which, module, more) in programs.into_iter().take(if sorts { 3 } else { 2 }) {
                    text.push_str(&format!(
                        "    wire {which}{number}_valid;\n    wire [{bits}-1:0] {which}{number}_row;\n    \
                         wire [{word_bits}-1:0] {which}{number}_word;\n    {module} #({sizes}, {more}) \
                         u_{which}{number} (.clk_i(clk), .rst_i(rst), .go_i(go), .valid_o({which}{number}_valid), \
                         .word_o({which}{number}_word), .row_o({which}{number}_row));\n"
                    ));
                }
                text.push_str(&format!(
                    "    always @(posedge clk) if (!rst) begin\n        if (rom{number}_valid) beats = beats + 1;\n        \
                     if (rom{number}_valid !== counter{number}_valid || (rom{number}_valid && (rom{number}_word !== \
                     counter{number}_word || rom{number}_row !== counter{number}_row))) errors = errors + 1;\n    end\n"
                ));
                if sorts {
                    text.push_str(&format!(
                        "    always @(posedge clk) if (!rst && rom{number}_valid && bad{number}_row !== \
                         rom{number}_row) noticed = noticed + 1;\n"
                    ));
                }
                number += 1;
            }
        }
    }
    // the second start comes when the longest is over
    text + "    initial begin\n        repeat (4) @(posedge clk);\n        rst <= 1'b0;\n        repeat (2) begin\n            \
            @(posedge clk) go <= 1'b1;\n            @(posedge clk) go <= 1'b0;\n            repeat (4000) @(posedge clk);\n        \
            end\n        $display(\"%0d beats, %0d errors, %0d noticed\", beats, errors, noticed);\n        $finish;\n    end\nendmodule\n"
}

#[test]
fn table_and_counters_are_the_same_cycle_by_cycle() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(dir.path()).unwrap();
    std::fs::write(folder.join("mn_pairs.v"), side_by_side(folder)).unwrap();
    let files = needed(["mn_exchange_program #("].into_iter());
    files.iter().for_each(|module| std::fs::write(folder.join(module.file), module.text).unwrap());
    // a copy with a defect stands beside sorts, and must differ from them
    let text = |file: &str| files.iter().find(|module| module.file == file).expect("it is needed").text;
    let [good, bad] = ["stage_q + 5'd1", "stage_q + 5'd2"];
    assert!(text("mn_exchange_counter.v").contains(good));
    let broken = text("mn_exchange_counter.v").replace(good, bad) + text("mn_exchange_program.v");
    std::fs::write(folder.join("mn_bad.v"), broken.replace("mn_exchange_", "mn_bad_")).unwrap();
    let options = ["--binary", "-Wno-fatal", "--top-module", "mn_pairs", "mn_pairs.v", "mn_bad.v"];
    let arguments = options.into_iter().chain(files.iter().map(|module| module.file));
    verilator::build(folder, verilator::LEAST, arguments);
    let output = std::process::Command::new(folder.join("obj/Vmn_pairs")).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().find(|line| line.contains(" beats, ")).expect("the verdict");
    let numbers: Vec<u32> = line.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect();
    assert!(numbers[0] > 1000 && numbers[1] == 0 && numbers[2] > 0, "{line}");
}

/// An all-reduce on eight routers, for mutants.
fn small() -> Exchanged {
    Exchanged::new(2, 2, "payload_bits = 16", "kind = \"all-reduce\"\nalgorithm = \"short\"\nwords = 2", "rom")
}

#[test]
#[ignore = "a simulator for each mutant; .ci/run includes it"]
fn defects_are_caught() {
    let (endpoint, ports) = ("rtl/mn_exchange_endpoint.v", "rtl/mn_exchange_ports.v");
    // an operator, a bit of a channel that stays, and a word that is not kept
    small().edit(endpoint, "0: combined = a + b;", "0: combined = a | b;").differs();
    let stuck = small().edit(ports, "{on_q, payload_q};", "{on_q, payload_q | {{W - 1{1'b0}}, 1'b1}};");
    stuck.differs();
    // words that arrive are compared by themselves, too
    let (outcome, _) = stuck.run(1, Sections::Receives);
    assert!(matches!(outcome.verdict, Verdict::Differed(_)), "{:?}", outcome.verdict);
    let deaf = small().edit(
        endpoint,
        "value_we_q  <= !rst_i && now_valid;",
        "value_we_q  <= !rst_i && now_valid && !now[LAST];",
    );
    let (outcome, expected) = deaf.run(1, Sections::All);
    assert_eq!(outcome.verdict, Verdict::Agreed);
    assert!(outcome.received != expected, "the last results are not kept");
}

#[test]
#[ignore = "three mutants in Verilator; .ci/run includes it"]
fn defects_of_relays_are_caught() {
    let ports = "rtl/mn_exchange_ports.v";
    let collective = "kind = \"all-reduce\"\nalgorithm = \"paper\"\nwords = 3";
    let relayed = || Exchanged::new(2, 2, "payload_bits = 16", collective, "rom");
    // a relay that loses the lowest bit; one that has stopped is noticed by the hardware itself, too
    relayed()
        .edit(ports, "assign bus[h*CW+:CW] = word;", "assign bus[h*CW+:CW] = word & ~{{CW - 1{1'b0}}, 1'b1};")
        .differs();
    let stopped = relayed().edit(ports, "assign bus[h*CW+:CW] = word;", "assign bus[h*CW+:CW] = word & {CW{h != 2}};");
    let (outcome, _) = stopped.run(1, Sections::All);
    assert!(matches!(outcome.verdict, Verdict::Differed(_)), "{:?}", outcome.verdict);
    let faults = outcome.faults.expect("a status");
    assert!(faults.iter().any(|fault| fault.kind == "missing arrival"), "{faults:?}");
    // bursts that are too long meet at global port 0
    let mut long = relayed();
    let image = long.emitted.files.get_mut("rom/steps.hex").expect("the table");
    let rows = image.lines().map(|line| u64::from_str_radix(line, 16).unwrap() & !(1 << field::BURST));
    *image = rows.map(|row| format!("{row:x}\n")).collect();
    let (outcome, _) = long.run(1, Sections::All);
    assert!(matches!(outcome.verdict, Verdict::Differed(_)), "{:?}", outcome.verdict);
    let faults = outcome.faults.expect("a status");
    assert!(faults.iter().any(|fault| fault.kind == "conflict"), "{faults:?}");
}

#[test]
fn a_swap_is_refused_until_the_faults_are_cleared() {
    let emitted = small();
    common::refused::a_swap(&mut emitted.top(), &emitted.lowered.frame, vec![1; 16]);
}

#[test]
fn a_wrong_row_is_caught() {
    // a row with another port, another dimension, or a word missing
    for change in
        [|row: u64| row ^ 3 << field::MASK, |row: u64| row ^ 1 << field::COMBINE, |row: u64| row & !(7 << field::MASK)]
    {
        let mut wrong = small();
        let image = wrong.emitted.files.get_mut("rom/steps.hex").expect("the table");
        let mut rows: Vec<u64> = image.lines().map(|line| u64::from_str_radix(line, 16).unwrap()).collect();
        rows[1] = change(rows[1]);
        *image = rows.iter().map(|row| format!("{row:x}\n")).collect();
        let told = wrong.emitted.read_back().unwrap_err().to_string();
        assert!(told.contains("row 1 of the image `steps`"), "{told}");
        wrong.differs();
    }
}

#[test]
fn a_broken_exchange_is_told_and_data_come_from_files() {
    let dir = tempfile::tempdir().unwrap();
    let metronoc = |args: &[&str]| {
        let output = Command::cargo_bin("metronoc").unwrap().current_dir(dir.path()).args(args).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let spec = text(2, 2, "payload_bits = 16", "kind = \"all-reduce\"\nalgorithm = \"short\"", "rom");
    std::fs::write(dir.path().join("case.toml"), spec).unwrap();
    // eight bytes, which are widened to the words of packets
    let mut npy = b"\x93NUMPY\x01\x00".to_vec();
    let header = format!("{:<117}\n", "{'descr': '|u1', 'fortran_order': False, 'shape': (8,), }");
    npy.extend((header.len() as u16).to_le_bytes());
    npy.extend(header.bytes());
    npy.extend([250, 251, 252, 253, 254, 255, 1, 2]);
    std::fs::write(dir.path().join("x.npy"), npy).unwrap();
    let run = ["cosim", "case.toml", "--data", "x.npy", "--out", "y.npy", "-q", "--force"];
    let (code, err) = metronoc(&run);
    assert_eq!(code, Some(0), "{err}");
    let received = std::fs::read(dir.path().join("y.npy")).unwrap();
    let sum = (250 + 251 + 252 + 253 + 254 + 255 + 1 + 2_u16).to_le_bytes();
    assert_eq!(received[received.len() - 16..], [sum; 8].concat());

    metronoc(&["generate", "case.toml", "-o", "rtl", "-q"]);
    let file = dir.path().join("rtl/rtl/mn_exchange_endpoint.v");
    let broken = std::fs::read_to_string(&file).unwrap().replace("0: combined = a + b;", "0: combined = a | b;");
    std::fs::write(&file, broken).unwrap();
    let (code, err) = metronoc(&[&run[..], &["--rtl", "rtl", "--compare", "endpoints"]].concat());
    assert_eq!(code, Some(5), "{err}");
    assert!(err.contains("hardware and model differ at receive port "), "{err}");
    assert!(err.contains(" of router (") && err.contains(" of collective 0 (cycle "), "{err}");
    assert!(err.contains("note: expected 0x") && err.contains("(valid, payload 0x"), "{err}");
    assert!(err.contains("note: found 0x"), "{err}");
}
