//! The hardware of POPS, right and broken: every coupler and every receiver against the model in every cycle, the results against the
//! oracle, a program that is loaded while another runs, and board tops.

use crate::common::board::{Bench, line_of, simulator};
use crate::common::{Emitted, write};
use assert_cmd::Command;
use metronoc::board::Board;
use metronoc::check::pops::check_pops;
use metronoc::collective::pops::{Delivery, Relation};
use metronoc::collective::{Collective, Dtype, Pattern};
use metronoc::cosim::{Answer, Job, Lockstep, Outcome, Session, Simulator, Sources, Start, Stop, Top};
use metronoc::cosim::{Verdict, pops_parts, status::faults_of};
use metronoc::emit::RtlBundle;
use metronoc::lower::{PopsLowered, Programmed as _, lower_pops};
use metronoc::model::{Model, Sections};
use metronoc::schedule::pops::{PopsRequest, schedule};
use metronoc::spec::Spec;
use metronoc::spec::pops::{PopsAlgorithm, RootedSpec};
use metronoc::synth::{BoardTop, Design, Project};
use metronoc::tool::{self, Progress, Tool};
use metronoc::topology::Pops;
use predicates::prelude::*;
use predicates::str::contains;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// A network that is built once for several programs: comments, which name the schedule, are left out of its Verilog.
struct Hardware {
    emitted: Emitted<PopsLowered>,
}

fn lowered(
    (d, g): (u32, u32),
    keys: [&str; 2],
    relation: &Relation,
    algorithm: PopsAlgorithm,
) -> (PopsLowered, String) {
    let [router, schedule_keys] = keys;
    let text = format!(
        "format = 1\n[network]\ntopology = \"pops\"\nd = {d}\ng = {g}\n[router]\n{router}\n[collective]\n\
         kind = \"permutation\"\npattern = \"identity\"\n[schedule]\n{schedule_keys}\n"
    );
    let spec = Spec::parse("s.toml", &text).expect("a specification");
    let net = Pops::new(d, g);
    let made = schedule(net, relation, &PopsRequest::new(algorithm)).expect("a schedule");
    let checked = check_pops(net, relation, made).expect("it holds");
    (lower_pops(&checked, &spec).expect("hardware"), text)
}

impl Hardware {
    fn new(shape: (u32, u32), keys: [&str; 2], relation: &Relation, algorithm: PopsAlgorithm) -> Self {
        let (lowered, text) = lowered(shape, keys, relation, algorithm);
        let mut emitted = Emitted::of(lowered, text);
        for (_, text) in emitted.files.iter_mut().filter(|(name, _)| name.starts_with("rtl/")) {
            *text =
                text.lines().filter(|line| !line.trim_start().starts_with("//")).map(|l| l.to_owned() + "\n").collect();
        }
        Self { emitted }
    }

    fn top(&self) -> Top {
        let lowered = &self.emitted.lowered;
        let parts = pops_parts(lowered).expect("it has a shim");
        Top::new(&self.emitted.built(&parts), lowered).expect("it loads")
    }

    fn delivery(&self) -> Delivery {
        let lowered = &self.emitted.lowered;
        Delivery::new(lowered.schedule.relation(), lowered.frame.tiles, lowered.frame.slot_cycles)
    }

    /// Runs the collective twice on random words.
    fn run(&self) -> (Outcome, Vec<u64>) {
        let (lowered, delivery) = (&self.emitted.lowered, self.delivery());
        let data = delivery.random(Dtype::filling(lowered.frame.data_bits).expect("a width"), 7).unwrap();
        let (load, model) =
            (lowered.loads_of_each(&data.to_vec()).concat(), Rc::new(Model::new(lowered).expect("a model")));
        let payload = model.payload(&delivery, &data, 0);
        let session = Session::of_moved_words(&model, load, payload, Some(Sections::All), 2);
        (session.run(&mut self.top()).expect("it runs"), delivery.expected(&data).to_vec().repeat(2))
    }

    fn agrees(&self) {
        let (outcome, expected) = self.run();
        let made = &self.emitted.lowered.schedule;
        let what = format!("{}, {:?}, {}", made.network(), made.relation(), made.schedule().algorithm);
        assert_eq!(outcome.verdict, Verdict::Agreed, "{what}");
        assert_eq!(outcome.received, expected, "{what}");
        assert_eq!(outcome.faults, Some(vec![]), "{what}");
        assert!(outcome.compared > 0);
    }

    /// What is found of hardware that is wrong: where it first differs, and what it notices itself.
    fn differs(&self) -> (String, Vec<String>) {
        let (outcome, _) = self.run();
        let fabric = self.emitted.lowered.fabric();
        let mismatch = outcome.mismatch().unwrap_or_else(|| panic!("nothing differs: {outcome:?}"));
        let faults = outcome.faults.as_ref().expect("it still answers");
        let faults = faults.iter().map(|fault| format!("{} {}", fault.tile, fault.kind)).collect();
        (fabric.place(mismatch.point), faults)
    }
}

fn permutation(pattern: Pattern, n: u32) -> Relation {
    Relation::Permutation(pattern.permutation(n).expect("it fits"))
}

/// Odd shapes, widths and lengths of packets.
const SHAPES: [((u32, u32), &str); 4] = [
    ((7, 3), "payload_bits = 16\nparity = true"),
    ((5, 4), "payload_bits = 8\nslot_cycles = 4"),
    ((1, 9), "payload_bits = 32\nslot_cycles = 3\nparity = true"),
    ((9, 1), "payload_bits = 64\nerror_log = false"),
];

#[test]
#[ignore = "a simulator for each of 21 programs: minutes; .ci/run includes it"]
fn what_has_one_result_a_processor_agrees() {
    for ((d, g), router) in SHAPES {
        let n = d * g;
        let schedule = format!("rows = 40\nbuffers = {n}");
        let run = |relation: &Relation, algorithm| {
            Hardware::new((d, g), [router, &schedule], relation, algorithm).agrees();
        };
        for algorithm in [PopsAlgorithm::Theorem, PopsAlgorithm::Direct, PopsAlgorithm::Mixed] {
            run(&permutation(Pattern::Random { seed: 3 }, n), algorithm);
        }
        run(&permutation(Pattern::Identity, n), PopsAlgorithm::Best);
        run(&permutation(Pattern::Reversal, n), PopsAlgorithm::Best);
        run(&Relation::OneToAll(RootedSpec { root: n - 1 }), PopsAlgorithm::Best);
        run(&Relation::Scatter(RootedSpec { root: n / 2 }), PopsAlgorithm::Best);
    }
}

#[test]
#[ignore = "six simulators; .ci/run includes it"]
fn what_has_many_results_agrees() {
    for ((d, g), router) in [((2, 3), "payload_bits = 16"), ((3, 2), "payload_bits = 32\nslot_cycles = 4")] {
        let n = d * g;
        let schedule = format!("storage = \"ram\"\nrows = 60\nbuffers = {}", 2 * n);
        // some to one, some to themselves, one to another twice; as many results as the others
        let demands = (0..n).map(|from| (from, 1)).chain([(2, 2), (0, 3), (0, 3), (n - 1, 0)]).collect();
        for relation in [Relation::AllToAll, Relation::Gather(RootedSpec { root: 1 }), Relation::Demands(demands)] {
            Hardware::new((d, g), [router, &schedule], &relation, PopsAlgorithm::Best).agrees();
        }
    }
}

/// A permutation of which both packets of each group go to the other group, in two hops.
fn small() -> Hardware {
    let relation = permutation(Pattern::Random { seed: 1 }, 4);
    Hardware::new((2, 2), ["payload_bits = 16", "rows = 12\nbuffers = 4"], &relation, PopsAlgorithm::Theorem)
}

#[test]
fn a_wrong_program_is_found() {
    // no build of its own: images are read when a simulation begins
    let good = small();
    good.agrees();
    let name = |i: u32| format!("rom/processor_{i}.hex");
    let lowered = &good.emitted.lowered;
    let read = |hardware: &Hardware| Sources::new(hardware.emitted.files()).read_back(lowered);
    assert_eq!(read(&good).expect("they are right").as_ref(), Some(lowered.read_back()));
    let hops = &lowered.schedule.schedule().hops;
    let first = hops[0];
    // a row of a processor's program with another in its place
    let changed = |processor: u32, row: usize, change: &dyn Fn(u64) -> u64| {
        let mut broken = small();
        let file = broken.emitted.files.get_mut(&name(processor)).expect("it has a program");
        let width = file.find('\n').expect("a row");
        let mut rows: Vec<u64> = file.lines().map(|line| u64::from_str_radix(line, 16).expect("a row")).collect();
        rows[row] = change(rows[row]);
        *file = rows.iter().map(|row| format!("{row:0width$x}\n")).collect();
        broken
    };
    let row = lowered.slot_rows[first.slot as usize] as usize;
    let (bits, places) = (lowered.row_bits(), lowered.place_bits());

    let silent = changed(first.from, row, &|word| word & !(0b11 << (bits - 2)));
    assert!(read(&silent).is_err());
    let (place, faults) = silent.differs();
    assert!(place.starts_with("coupler c("), "{place}");
    assert!(faults.contains(&format!("processor {} missing arrival", first.to)), "{faults:?}");

    // the other processor of the group sends, too
    let other = first.from ^ 1;
    let group = lowered.frame.network.group(first.to);
    let loud = changed(other, row, &|word| word | 1 << (bits - 2 + group));
    assert!(read(&loud).is_err());
    let (place, faults) = loud.differs();
    assert!(place.starts_with(&format!("coupler c({group},")), "{place}");
    assert!(faults.contains(&format!("processor {} conflict", first.to)), "{faults:?}");

    let deaf = changed(first.to, row, &|word| word & !(1 << (places + 1)));
    assert!(read(&deaf).is_err());
    assert_eq!(deaf.differs().0, format!("the receiver of processor {}", first.to));

    // a result from another place
    let swapped = changed(0, 12, &|word| word ^ 1 << (places + 2));
    let error = read(&swapped).unwrap_err().to_string();
    assert!(error.contains("row 12 of the image `processor_0`"), "{error}");
    assert!(error.contains("does not give its result"), "{error}");
    let (outcome, expected) = swapped.run();
    assert_eq!(outcome.verdict, Verdict::Agreed);
    assert_ne!(outcome.received, expected);
}

#[test]
fn broken_hardware_is_found() {
    for (file, old, new, at) in [
        // a bit of what the first sender of a group sends is stuck
        ("rtl/mn_network.v", "(data[a*D*W+:D*W])", "(data[a*D*W+:D*W] | {{D * W - 1{1'b0}}, 1'b1})", "coupler c("),
        ("rtl/mn_network.v", "request[(a*D+s)*G+b]", "request[(a*D+s)*G+(G-1-b)]", "coupler c("),
        ("rtl/mn_pops_processor.v", "to_4q      <= to_3q;", "to_4q      <= to_2q;", "coupler c("),
    ] {
        let mut broken = small();
        broken.emitted = broken.emitted.edit(file, old, new);
        let (place, _) = broken.differs();
        assert!(place.starts_with(at), "{file}: {place}");
    }
}

#[test]
fn a_program_is_loaded_while_another_runs() {
    let (shape, keys) = ((2, 2), ["payload_bits = 16\nslot_cycles = 2", "storage = \"ram\"\nrows = 60\nbuffers = 3"]);
    let relations = [permutation(Pattern::Reversal, 4), permutation(Pattern::Random { seed: 5 }, 4)];
    assert_ne!(relations[0], relations[1]);
    let a = Hardware::new(shape, keys, &relations[0], PopsAlgorithm::Direct);
    let b = Hardware::new(shape, keys, &relations[1], PopsAlgorithm::Theorem);
    let sides = [&a, &b];
    let data = a.delivery().random(Dtype::Uint16, 9).unwrap();
    let models = sides.map(|side| Rc::new(Model::new(&side.emitted.lowered).unwrap()));
    let start = |i: usize| Start {
        model: Rc::clone(&models[i]),
        payloads: vec![Rc::new(models[i].payload(&sides[i].delivery(), &data, 0))],
        count: 1,
    };
    let load = || Job::Load(a.emitted.lowered.loads_of_each(&data.to_vec()).concat());
    let program = |tile: u32, version| Job::RouterProgram(tile, b.emitted.lowered.pieces(tile as usize, version));
    let mut top = a.top();
    let mut lockstep = Lockstep::new(&mut top, &models[0], Some(Sections::All));
    // the old program runs again and again, and the new one comes in between and meanwhile
    for tile in 0..4 {
        lockstep.queue(load());
        lockstep.start(start(0));
        lockstep.queue(program(tile, 3));
        lockstep.queue(Job::Drain);
    }
    lockstep.queue(Job::Swap(3));
    lockstep.queue(load());
    lockstep.start(start(1));
    lockstep.queue(Job::Drain);
    lockstep.queue(Job::Status);
    assert_eq!(lockstep.run().unwrap(), Verdict::Agreed);
    let answers = lockstep.answers();
    let drained = sides.map(|side| Answer::Drained(side.delivery().expected(&data).to_vec()));
    assert!(answers[..4].iter().all(|answer| *answer == drained[0]), "{answers:?}");
    assert_eq!(answers[4], drained[1]);
    let Answer::Status(status) = &answers[5] else { panic!("no status") };
    let p = &a.emitted.lowered.frame;
    assert_eq!(faults_of(p, status), []);
    assert!(status.iter().all(|word| word >> 48 & 0xff == 3), "the version in use: {status:x?}");

    // a version that is not there: the program goes on, and every processor says so
    lockstep.queue(Job::Swap(9));
    lockstep.queue(load());
    lockstep.start(start(1));
    lockstep.queue(Job::Drain);
    lockstep.queue(Job::Status);
    assert_eq!(lockstep.run().unwrap(), Verdict::Agreed);
    let answers = lockstep.answers();
    assert_eq!(answers[0], drained[1]);
    let Answer::Status(status) = &answers[1] else { panic!("no status") };
    assert_eq!(faults_of(p, status).len(), 4);

    // the host takes pieces of a program while the network is busy
    drop(lockstep);
    drop(top);
    let mut top = a.top();
    [load(), Job::Start(1), program(0, 1)].into_iter().for_each(|job| top.queue(job));
    let mut taken_in_flight = 0;
    let none: &[u64] = &[];
    loop {
        let [busy, _, valid, ready, dest] = top.top_signals()[..5] else { panic!("signals") };
        taken_in_flight += u32::from(busy & valid & ready == 1 && dest >> p.tile_bits == 1);
        if top.run(&[none], None).unwrap().stop == Stop::Done {
            break;
        }
    }
    assert!(taken_in_flight > 60, "{taken_in_flight} pieces");
}

fn metronoc(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("metronoc").unwrap().current_dir(folder).args(args).assert()
}

#[test]
fn what_is_not_built_is_refused_at_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let text = |d: u32, more: &str| {
        let head = "format = 1\n[network]\ntopology = \"pops\"\ng = 2\n";
        let collective = "[collective]\nkind = \"permutation\"\npattern = \"reversal\"\n";
        std::fs::write(folder.path().join("s.toml"), format!("{head}d = {d}\n{collective}{more}")).unwrap();
    };
    let generate = || metronoc(folder.path(), &["generate", "s.toml", "-o", "out"]);
    text(2, "[schedule]\nstorage = \"counter\"\n");
    generate()
        .code(4)
        .stderr(contains("the program of processors of POPS cannot be stored so"))
        .stderr(contains("s.toml:10"));
    text(129, "");
    generate().code(4).stderr(contains("258 processors are too many for hardware")).stderr(contains("s.toml:5"));
    text(2, "[schedule]\nrows = 1\n");
    generate().code(4).stderr(contains("the schedule takes 2")).stderr(contains("s.toml:10"));
    text(2, "[schedule]\nrows = 5000\n");
    generate().code(4).stderr(contains("5000 rows are too many for hardware")).stderr(contains("s.toml:10"));
    text(2, "[schedule]\nprogram = \"shared\"\n");
    generate().code(4).stderr(contains("the program of processors of POPS cannot be stored so"));
    text(2, "[schedule]\nbuffers = 1\n");
    metronoc(folder.path(), &["check", "s.toml"]).success();
    std::fs::write(
        folder.path().join("x.npy"),
        Delivery::new(&Relation::AllToAll, 2, 1)
            .to_npy(&Delivery::new(&Relation::AllToAll, 2, 1).random(Dtype::Uint8, 1).unwrap()),
    )
    .unwrap();
    text(2, "");
    metronoc(folder.path(), &["cosim", "s.toml", "--data", "x.npy"])
        .code(3)
        .stderr(contains("(4,)"))
        .stderr(contains("[sender]"));
    metronoc(folder.path(), &["run", "s.toml", "--data", "x.npy", "--port", "none"]).code(3).stderr(contains("(4,)"));
}

#[test]
fn an_array_goes_in_and_comes_out() {
    let folder = tempfile::tempdir().unwrap();
    let text = "format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[router]\nkind = \"pops-coupler\"\npayload_bits = 16\n\
        slot_cycles = 2\n[collective]\nkind = \"permutation\"\npermutation = [3, 0, 1, 2]\n";
    std::fs::write(folder.path().join("s.toml"), text).unwrap();
    let delivery = Delivery::new(&Relation::Permutation(vec![3, 0, 1, 2]), 4, 2);
    let data = delivery.random(Dtype::Uint8, 1).unwrap();
    std::fs::write(folder.path().join("x.npy"), delivery.to_npy(&data)).unwrap();
    let args = ["cosim", "s.toml", "--data", "x.npy", "--out", "y.npy", "--trace", "vcd", "-q"];
    metronoc(folder.path(), &args).success().stdout(contains("4 processors"));
    let y = std::fs::read(folder.path().join("y.npy")).unwrap();
    assert_eq!(y, delivery.to_npy(&delivery.expected(&data)));
    let waves = std::fs::read_to_string(folder.path().join("y.vcd")).unwrap();
    assert!(waves.contains("coupler_1_0") && waves.contains("processor_3"));
}

fn design(lowered: &PopsLowered) -> Design {
    let frame = &lowered.frame;
    let delivery = Delivery::new(lowered.schedule.relation(), frame.tiles, frame.slot_cycles);
    metronoc::family::Hardware::design(lowered, &delivery, 0)
}

/// A simulator of a network on a board.
fn on_board(folder: &Path, lowered: &PopsLowered, board: &Board, top: BoardTop) -> PathBuf {
    let design = design(lowered);
    let origin = metronoc::emit::Origin { name: "s".into(), spec_text: String::new(), command: String::new() };
    let bundle = RtlBundle::new(lowered, &origin).unwrap();
    simulator(folder, &Project::new(&bundle, design, board, top).unwrap())
}

#[test]
#[ignore = "simulators of whole boards; .ci/run includes it"]
fn board_tops_test_themselves() {
    for (board, shape) in [("icebreaker", (2, 2)), ("ulx3s", (4, 4))] {
        let n = shape.0 * shape.1;
        let relation = permutation(Pattern::Random { seed: 1 }, n);
        let hardware = Hardware::new(shape, ["payload_bits = 16", ""], &relation, PopsAlgorithm::Best);
        let lowered = &hardware.emitted.lowered;
        let board = Board::find(board).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let program = on_board(folder.path(), lowered, &board, BoardTop::SelfTest);
        let line = line_of(folder.path(), &program, &board);
        let (network, cycles) = (lowered.frame.network, design(lowered).selftest_cycles);
        assert_eq!(line, format!("metronoc {network} PASS cycles={cycles} faults=00\r\n"));
        // a processor that never sends: a word does not come
        let hop = lowered.schedule.schedule().hops[0];
        let image = folder.path().join(format!("rom/processor_{}.hex", hop.from));
        let rows = lowered.rows + lowered.results;
        std::fs::write(&image, "0\n".repeat(rows as usize)).unwrap();
        let line = line_of(folder.path(), &program, &board);
        let faults = line.trim_end().rsplit_once("faults=").map(|(_, digits)| u8::from_str_radix(digits, 16).unwrap());
        assert_eq!(
            faults.map(|faults| faults & 0b1001_0100),
            Some(0b1001_0100),
            "missing, fault signal, wrong word: {line}"
        );
    }
}

#[test]
fn the_host_top_moves_the_users_packets() {
    let (d, g, words) = (3, 2, 2);
    let text = format!(
        "format = 1\n[network]\ntopology = \"pops\"\nd = {d}\ng = {g}\n[router]\npayload_bits = 16\nslot_cycles = {words}\n\
         [collective]\nkind = \"h-relation\"\ndemands = [[0, 5], [5, 0], [0, 3], [2, 2], [4, 5], [1, 0]]\n"
    );
    let relation = Relation::Demands(vec![(0, 5), (5, 0), (0, 3), (2, 2), (4, 5), (1, 0)]);
    let net = Pops::new(d, g);
    let request = PopsRequest::new(Default::default());
    let checked = check_pops(net, &relation, schedule(net, &relation, &request).unwrap()).unwrap();
    let lowered = lower_pops(&checked, &Spec::parse("s.toml", &text).unwrap()).unwrap();
    let board = Board::find("icebreaker").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let program = on_board(folder.path(), &lowered, &board, BoardTop::Host);
    let delivery = Delivery::new(&relation, d * g, words);
    let data = delivery.random(Dtype::Uint16, 7).unwrap();
    std::fs::write(folder.path().join("s.toml"), &text).unwrap();
    // x has the packets as they are listed, y those of each destination: of the same shape
    std::fs::write(folder.path().join("x.npy"), delivery.to_npy(&data)).unwrap();
    let run = |folder: &Path| {
        let bench = Bench::new(folder, &program, board.uart_divide());
        // its clock is slower than a board's, and it is in reset first
        std::thread::sleep(std::time::Duration::from_secs(3));
        let args = ["run", "s.toml", "--data", "x.npy", "--out", "y.npy", "--timeout", "20", "--force", "--port"];
        metronoc(folder, &[&args[..], &[&bench.port]].concat())
    };
    run(folder.path()).success().stderr(contains("12 words"));
    let y = std::fs::read(folder.path().join("y.npy")).unwrap();
    assert_eq!(y, delivery.to_npy(&delivery.expected(&data)));
    // processor 0 sends nothing
    let rows = lowered.rows + lowered.results;
    std::fs::write(folder.path().join("rom/processor_0.hex"), "0\n".repeat(rows as usize)).unwrap();
    run(folder.path()).failure().stderr(contains("reports a fault").and(contains("came out wrong")));
}

/// A build without comments is the one that `generate` writes.
#[test]
fn emitted_verilog_has_no_warnings() {
    let folder = tempfile::tempdir().unwrap();
    let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator");
    for (shape, router) in [((2, 3), "slot_cycles = 5\nparity = true"), ((1, 3), "payload_bits = 8"), ((3, 1), "")] {
        for storage in ["rom", "ram"] {
            let relation = permutation(Pattern::Reversal, shape.0 * shape.1);
            let keys = [router, &format!("storage = \"{storage}\"")];
            let (lowered, text) = lowered(shape, keys, &relation, PopsAlgorithm::Best);
            let emitted = Emitted::of(lowered, text);
            let files = Sources::new(emitted.files());
            write(folder.path(), files.files());
            let sources = files.files().map(|(name, _)| name).filter(|name| name.starts_with("rtl/"));
            let lint = tool::Command::new(Tool::Verilator)
                .args(["--lint-only", "-Wall", "--default-language", "1364-2005", "--top-module", "mn_top"])
                .args(sources);
            let path = camino::Utf8Path::from_path(folder.path()).unwrap();
            tools.run(&lint, path, &path.join("lint.log")).expect("without a warning");
        }
    }
}
