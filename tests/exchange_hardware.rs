//! The hardware of exchanges, right and broken: every channel and every received word against the model in every cycle, and the
//! results against the oracle.

use assert_cmd::Command;
use metronoc::check::check_exchange;
use metronoc::collective::{Dtype, Exchange, ExchangeKind};
use metronoc::cosim::{Build, Optimize, Outcome, Session, Sources, Top, Verdict, exchange_parts};
use metronoc::emit::{Origin, RtlBundle};
use metronoc::lower::{ExchangeLowered, lower_exchange};
use metronoc::model::{Model, Sections};
use metronoc::schedule::HopLatency;
use metronoc::schedule::exchange::{ExchangeRequest, schedule};
use metronoc::spec::{CollectiveSpec, NetworkSpec, Spec};
use metronoc::tool::{self, Progress, Tool};
use metronoc::topology::SwappedDragonfly;
use std::collections::BTreeMap;
use std::rc::Rc;

fn text(k: u32, m: u32, router: &str, collective: &str, storage: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\ngroup = \"xor\"\n[router]\n{router}\n\
         [collective]\n{collective}\n[schedule]\nstorage = \"{storage}\"\n"
    )
}

/// Exchanges as they are emitted.
struct Emitted {
    lowered: ExchangeLowered,
    cycles: u32,
    files: BTreeMap<String, String>,
}

impl Emitted {
    fn new(k: u32, m: u32, router: &str, collective: &str, storage: &str) -> Self {
        let text = text(k, m, router, collective, storage);
        let spec = Spec::parse("s.toml", &text).expect("the specification is right");
        let NetworkSpec::SwappedDragonfly(n) = &spec.network;
        let net = SwappedDragonfly::new(n.k, n.m, n.group);
        let hop = HopLatency { local: spec.router.local_stages, global: spec.router.global_stages };
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
        let origin = Origin { name: "s".into(), spec_text: text, command: "metronoc generate s.toml".into() };
        let bundle = RtlBundle::exchange(&lowered, &origin).expect("the templates render");
        let files = bundle.files().map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
        Self { lowered, cycles: checked.cycles(), files }
    }

    /// Replaces the one place that reads `old`.
    fn edit(mut self, file: &str, old: &str, new: &str) -> Self {
        let text = self.files.get_mut(file).expect("the file is there");
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {file}");
        *text = text.replacen(old, new, 1);
        self
    }

    /// Runs the collective on random words so many times, each with the results of the one before.
    fn run(&self, times: u64, sections: Sections) -> (Outcome, Vec<u64>) {
        let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator can be made ready");
        let parts = exchange_parts(&self.lowered).expect("it has a shim");
        let sources = Sources::new(self.files.iter().map(|(name, text)| (name.as_str(), text.as_str())));
        let build = Build { sources: &sources, parts: &parts, optimize: Optimize::Quick, root: None };
        let built = build.run(&tools).expect("it builds");
        let p = &self.lowered.frame;
        let traffic = Exchange::new(self.lowered.kind, p.tiles as usize, self.lowered.program.words as usize);
        let words = traffic.random(Dtype::filling(p.data_bits).expect("a width"), 11);
        let model = Rc::new(Model::exchange(&self.lowered));
        let session = Session::exchange(&model, &words, Some(sections), times);
        let outcome = session.run(&mut Top::new(&built, &self.lowered).expect("it loads")).expect("it runs");
        (outcome, traffic.expected_after(times, &words).to_vec())
    }

    fn agrees(&self, times: u64) {
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
            for (k, m) in [(1, 2), (2, 2), (4, 2), (2, 4)] {
                let op = if ops { format!("op = \"{op}\"") } else { String::new() };
                let collective = format!("kind = \"{kind}\"\nalgorithm = \"short\"\nwords = 3\n{op}");
                let lowered = Emitted::new(k, m, "payload_bits = 8", &collective, "rom").lowered;
                let traffic = Exchange::new(lowered.kind, lowered.frame.tiles as usize, 3);
                let words = traffic.random(Dtype::Uint8, 3);
                let results = Model::exchange(&lowered).exchanged(&words.to_vec()).results;
                assert_eq!(results, traffic.expected(&words).to_vec(), "{collective} {k} {m}");
            }
        }
    }
}

#[test]
fn hardware_and_model_agree_on_single_hops() {
    let of = |kind: &str, more: &str| format!("kind = \"{kind}\"\nalgorithm = \"short\"\n{more}");
    let agrees = |k, m, router: &str, collective: String, times| {
        Emitted::new(k, m, router, &collective, "rom").agrees(times);
    };
    agrees(2, 2, "payload_bits = 8\nparity = true", of("all-reduce", "words = 5"), 3);
    agrees(2, 2, "payload_bits = 64\nparity = true", of("prefix-scan", "op = \"xor\""), 2);
    agrees(
        4,
        2,
        "payload_bits = 16\nlocal_stages = 2\nglobal_stages = 3",
        of("prefix-scan", "op = \"min\"\nwords = 3"),
        2,
    );
    agrees(1, 4, "", of("all-reduce", "op = \"max\"\noperator_stages = 5"), 1);
    agrees(2, 4, "payload_bits = 16", of("bitonic-sort", "words = 2"), 2);
}

/// An all-reduce on eight routers, for mutants.
fn small() -> Emitted {
    Emitted::new(2, 2, "payload_bits = 16", "kind = \"all-reduce\"\nalgorithm = \"short\"\nwords = 2", "rom")
}

#[test]
fn defects_are_caught() {
    let endpoint = "rtl/mn_exchange_endpoint.v";
    // an operator, a bit of a channel that stays, and a word that is not kept
    small().edit(endpoint, "0: combined = a + b;", "0: combined = a | b;").differs();
    let stuck = small().edit(endpoint, "on_q, payload_q};", "on_q, payload_q | {{W - 1{1'b0}}, 1'b1}};");
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
fn a_wrong_row_is_caught() {
    // a row with another port, another dimension, or a word missing
    for change in [|row: u64| row ^ 1 << 17 ^ 1 << 18, |row: u64| row ^ 1 << 10, |row: u64| row & !(0xff << 17)] {
        let mut wrong = small();
        let image = wrong.files.get_mut("rom/steps.hex").expect("the table");
        let mut rows: Vec<u64> = image.lines().map(|line| u64::from_str_radix(line, 16).unwrap()).collect();
        rows[1] = change(rows[1]);
        *image = rows.iter().map(|row| format!("{row:x}\n")).collect();
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
