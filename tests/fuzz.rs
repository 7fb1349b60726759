//! Files that a user names stand any bytes: no panic, no more memory than a small machine has, no input that takes long.
//!
//! Each target of `fuzz/` runs on mutants of the files of its kind, in a process of its own whose memory and time are limited. The input
//! that ends it stays in `target/tmp/fuzz/TARGET`, the one that took longest in `TARGET.slowest`. `METRONOC_FUZZ_S` is the time in seconds of each target,
//! `METRONOC_FUZZ_SEED` the seed of the mutants.

#[path = "../fuzz/src/lib.rs"]
mod bodies;

use crate::common::asked;
use crate::common::mutate::{Numbers, mutant};
use rustix::process::{Resource, Rlimit, setrlimit};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Variable with the target, its seconds, its seed and the seconds of an input for the process that runs it.
const CHILD: &str = "METRONOC_FUZZ_TARGET";
/// Address space of a target in bytes.
const MEMORY: u64 = 2 << 30;
/// Most seconds of one input.
const INPUT_S: u64 = 20;

/// Files of a folder and those below with one of these endings, in the order of their names.
fn files(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension().and_then(|ending| ending.to_str()) {
                _ if path.is_dir() => open.push(path),
                Some(ending) if endings.contains(&ending) => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// Schedule in full of a specification.
fn exported(spec: &str) -> Vec<u8> {
    metronoc::compile(spec).unwrap().schedule().unwrap()
}

/// Whole files of the kind that a target reads.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let read = |paths: Vec<PathBuf>| paths.into_iter().map(|path| fs::read(path).unwrap()).collect::<Vec<_>>();
    match target {
        "specification" => {
            [read(files("tests/specs", &["toml"])), read(files("src/spec/starters", &["toml"]))].concat()
        }
        "array" => read(files("examples", &["npy"])).into_iter().filter(|file| file.len() < 10_000).collect(),
        "schedule" => {
            let network =
                |network: &str| exported(&format!("format = 1\n{network}\nschedule = {{ time_limit_s = 1 }}\n"));
            let mut all = read(files("tests/foreign", &["json"]));
            all.extend(read(files("examples", &["json"])));
            all.extend([
                network("network = { topology = \"swapped-dragonfly\", k = 1, m = 2 }"),
                network("network = { topology = \"pops\", d = 2, g = 2 }"),
                network("network = { topology = \"torus\", dims = [3, 2] }\ncollective = { kind = \"all-reduce\" }"),
                network("network = { topology = \"fat-cube\", d = 1, m = 2 }\ncollective = { kind = \"all-gather\" }"),
                network("network = { topology = \"kautz\", degree = 2, diameter = 2 }\ncollective = { kind = \"reduce-scatter\" }"),
                network("network = { topology = \"mesh\", dims = [2, 2], exclude_nodes = [3] }\ncollective = { kind = \"broadcast\" }"),
            ]);
            all
        }
        "foreign" => read(files("tests/foreign", &["xml", "txt"])),
        "graph" => {
            let mut all = read(files("tests/specs/ok", &["graphml", "csv"]));
            all.extend(read(files("examples", &["csv"])));
            let listed = [
                "{\"nodes\": [\"a\", \"b\", \"c\"], \"channels\": [[0, 1], [1, 2], [2, 0]], \"latency\": [1, 2, 255]}",
                "{\"nodes\": 4, \"channels\": [[0, 1], [1, 0]]}",
                "{\"nodes\": [[0, 0], [0, 1], 2], \"channels\": [[0, 1], [1, 2], [2, 0]]}",
                "router 0 node 0 router 1 15 router 2\nrouter 1 node 1 router 2 3\nrouter 2 node 2\n",
                "0,1\n1,2\n2,0\n",
                "source,destination\n0,4\n1,8\n",
            ];
            all.extend(listed.map(|text| text.as_bytes().to_vec()));
            all
        }
        "numbers" => {
            let mut all = read(files("examples", &["npy"]));
            all.retain(|file| file.len() < 10_000);
            let lists = ["1,0,3,2", "1 0 # two\n3; 2\n", "[1, 0, 3, 2]", "[[1, 0], [3, 2]]", "0,1\n1,2\n2,0\n"];
            all.extend(lists.map(|text| text.as_bytes().to_vec()));
            all
        }
        _ => vec![b"any".to_vec()],
    }
}

/// Folder for inputs.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs a target for some seconds in a process of its own, in which an input may take `input_s` seconds; its inputs and the time of the
/// slowest, as text.
fn run(target: &str, seconds: u64, seed: u64, input_s: u64) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["fuzz::child", "--exact", "--nocapture"]).env(CHILD, format!("{target} {seconds} {seed} {input_s}"));
    // the main thread of metronoc has 8 MiB
    child.env("RUST_MIN_STACK", (8 << 20).to_string()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = child.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let input = folder().join(target);
    assert!(
        output.status.success(),
        "{target}: {} on `{}`: {}\n{said}",
        output.status,
        input.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    said.lines().find(|line| line.contains(" inputs")).unwrap_or_else(|| panic!("{target}: {said}")).to_owned()
}

/// Does nothing by itself: [`run`] starts it with a target.
#[test]
fn child() {
    let Ok(job) = std::env::var(CHILD) else { return };
    let mut job = job.split(' ');
    let [target, seconds, seed, input_s] = [0; 4].map(|_| job.next().unwrap());
    let (_, body) = bodies::TARGETS.into_iter().chain(DEFECTS).find(|(name, _)| *name == target).unwrap();
    let corpus = corpus(target);
    let limit = |most| Rlimit { current: Some(most), maximum: Some(most) };
    setrlimit(Resource::As, limit(MEMORY)).unwrap();
    setrlimit(Resource::Core, limit(0)).unwrap();
    let [seconds, input_s] = [seconds, input_s].map(|text| text.parse::<u64>().unwrap());
    setrlimit(Resource::Cpu, limit(seconds + 2 * input_s)).unwrap();
    let mut numbers = Numbers(seed.parse().unwrap());
    let (begin, mut slowest, mut count) = (Instant::now(), Duration::ZERO, 0);
    let kept = folder().join(target);
    let mut whole = corpus.iter();
    while count < corpus.len() || begin.elapsed() < Duration::from_secs(seconds) {
        let input = whole.next().cloned().unwrap_or_else(|| mutant(&corpus, &mut numbers));
        fs::write(&kept, &input).unwrap();
        let before = Instant::now();
        body(&input);
        let takes = before.elapsed();
        assert!(takes.as_secs() < input_s, "an input of {} bytes takes {takes:?}", input.len());
        if takes > slowest {
            slowest = takes;
            fs::write(kept.with_extension("slowest"), &input).unwrap();
        }
        count += 1;
    }
    fs::remove_file(kept).unwrap();
    println!("\n{target}: {count} inputs, the slowest in {} ms", slowest.as_millis());
}

fn all(seconds: u64, seed: u64) {
    let seconds = asked::number("METRONOC_FUZZ_S").unwrap_or(seconds);
    let seed = asked::number("METRONOC_FUZZ_SEED").unwrap_or(seed);
    for (target, _) in bodies::TARGETS {
        println!("{}", run(target, seconds, seed, INPUT_S));
    }
}

#[test]
fn files_of_any_bytes_are_read_or_refused() {
    all(1, 1);
}

#[test]
#[ignore = "each target runs for a minute"]
fn many_files_of_any_bytes_are_read_or_refused() {
    all(60, 2);
}

/// Name of a defect, and a target that has it.
type Defect = (&'static str, fn(&[u8]));

/// Defects that the limits have to end.
const DEFECTS: [Defect; 4] = [
    ("panic", |data| assert!(data.len() > 1 << 20)),
    ("memory", |_| drop(std::hint::black_box(vec![1_u8; MEMORY as usize]))),
    ("stack", |data| assert_eq!(deep(data), 0)),
    ("time", |_| while std::hint::black_box(true) {}),
];

#[expect(unconditional_recursion, reason = "it is the defect")]
fn deep(data: &[u8]) -> u8 {
    std::hint::black_box(deep(std::hint::black_box(data))).wrapping_add(1)
}

#[test]
fn a_target_with_a_defect_fails() {
    for (defect, _) in DEFECTS {
        let failed = std::panic::catch_unwind(|| run(defect, 0, 1, 1)).expect_err(defect);
        let said = failed.downcast::<String>().unwrap();
        assert!(said.starts_with(&format!("{defect}: ")) && said.contains(" on `"), "{said}");
        fs::remove_file(folder().join(defect)).unwrap();
    }
}

#[test]
fn each_target_of_cargo_fuzz_is_run_here() {
    let manifest: toml::Table = fs::read_to_string("fuzz/Cargo.toml").unwrap().parse().unwrap();
    let bins = manifest["bin"].as_array().unwrap().iter().map(|bin| bin["name"].as_str().unwrap());
    assert!(bins.eq(bodies::TARGETS.iter().map(|(name, _)| *name)));
    for (name, _) in bodies::TARGETS {
        let text = fs::read_to_string(format!("fuzz/fuzz_targets/{name}.rs")).unwrap();
        assert!(text.contains(&format!("metronoc_fuzz::{name}(data)")), "{name}");
    }
}
