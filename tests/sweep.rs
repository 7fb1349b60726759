//! Sweeps: what is wrong with a file is told with its line, and nothing that was done is lost or done twice, however often the
//! sweep is killed.

use metronoc::spec::SpecError;
use metronoc::sweep::{Sweep, points};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const NET: &str =
    "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 3\n[router]\npayload_bits = 16\n";

/// A folder with `net.toml` and a sweep of it.
fn folder(sweep: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("net.toml"), NET).unwrap();
    fs::write(folder.path().join("s.toml"), sweep).unwrap();
    folder
}

/// Diagnostics of a sweep that cannot be read, as shown.
fn refused(sweep: &str) -> String {
    let folder = folder(sweep);
    let error = Sweep::load(&folder.path().join("s.toml")).and_then(|sweep| points(&sweep)).expect_err(sweep);
    assert!(matches!(error, SpecError::Invalid { .. }), "{error}");
    error.diagnostics().iter().map(|diagnostic| diagnostic.render(false) + "\n").collect()
}

#[test]
fn a_sweep_that_is_not_there_is_no_specification() {
    let error = Sweep::load(Path::new("none.toml")).unwrap_err();
    assert!(matches!(error, SpecError::Missing { .. }), "{error}");
    let told = error.diagnostics()[0].render(false);
    assert!(told.contains("there is no file `none.toml`") && told.contains("`specs`"), "{told}");
}

#[test]
fn errors_have_their_line_and_help() {
    let head = "format = 1\nspecs = [\"net.toml\"]\n";
    let with = |more: &str| format!("{head}{more}");
    for (sweep, line, message, help) in [
        ("specs = [\"net.toml\"]".to_owned(), 1, "`format` is missing", "format = 1"),
        ("format = 2\nspecs = [\"net.toml\"]".to_owned(), 1, "`format` must be 1", "format = 1"),
        ("format = 1".to_owned(), 1, "`specs` is missing", "net.toml"),
        ("format = 1\nspecs = []".to_owned(), 2, "`specs` is empty", "write"),
        ("format = 1\nspecs = [\"no.toml\"]".to_owned(), 2, "cannot read `no.toml`", "sweep's folder"),
        ("format = 1\nspecs = [3]".to_owned(), 2, "named by a string", "specs = "),
        ("format = 1\nspecs = [\n".to_owned(), 2, "array", "TOML"),
        (with("colour = 3"), 3, "unknown key `colour`", "place_seeds"),
        (with("command = \"chek\""), 3, "`command`", "\"check\", \"cosim\", \"regress\", \"synth\""),
        (with("command = \"synth\""), 1, "`boards` is missing", "metronoc boards"),
        (with("command = \"synth\"\nboards = [\"ulx4s\"]"), 4, "there is no board `ulx4s`", "`ulx3s`"),
        (with("boards = [\"ulx3s\"]"), 3, "for syntheses", "command = \"synth\""),
        (with("place_seeds = [1]"), 3, "place and route", "schedule.seed"),
        (with("command = \"synth\"\nboards = [\"ulx3s\"]\nplace_seeds = [-1]"), 5, "32 bits", "place_seeds = [1, 2]"),
        (with("parameters = 3"), 3, "must be a table", "[parameters]"),
        (with("[parameters]\nnetwork.k = 3"), 4, "`network.k` must be an array", "`network.k = [3]`"),
        (with("[parameters]\nnetwork.k = []"), 4, "`network.k` is empty", "values"),
        (with("[parameters]\nnetwork.k = [2]\n\"network.k\" = [3]"), 5, "given twice", "one array"),
        (with("[parameters]\nnetwork.k.x = [2]"), 4, "`network.k` is no table in `net`", "name a key"),
        (with("[parameters]\nnetwork.q = [2, 3]"), 6, "unknown key `q`", "keys of `[network]`"),
        (
            with(&format!("[parameters]\nschedule.seed = {:?}", (0..10_001).collect::<Vec<_>>())),
            3,
            "10001 points",
            "several",
        ),
    ] {
        let said = refused(&sweep);
        assert!(said.contains(message) && said.contains(help), "{sweep:?}:\n{said}");
        assert!(said.contains(&format!(":{line}:")), "{sweep:?} is wrong in line {line}:\n{said}");
    }
}

#[test]
fn points_are_all_combinations_and_their_hashes_follow_what_they_depend_on() {
    let text = "format = 1\nspecs = [\"net.toml\"]\ncommand = \"synth\"\nboards = [\"ulx3s\", \"icebreaker\"]\nplace_seeds = [1, 2, 3]\n\
                [[parameters]]\nnetwork = { k = [2, 3], m = [2, 4] }\n[[parameters]]\n\"router.payload_bits\" = [8]\n";
    let folder = folder(text);
    let read = || points(&Sweep::load(&folder.path().join("s.toml")).unwrap()).unwrap();
    let all = read();
    assert_eq!(all.len(), (4 + 1) * 2 * 3);
    assert_eq!(all[0].title(), "net network.k=2 network.m=2 board=ulx3s place_seed=1");
    assert_eq!(all[29].title(), "net router.payload_bits=8 board=icebreaker place_seed=3");
    assert!(all[29].text.contains("payload_bits = 8") && all[0].text.contains("payload_bits = 16"));
    assert_eq!(all, read());
    // a value that is there twice is one point
    fs::write(folder.path().join("s.toml"), text.replace("k = [2, 3]", "k = [2, 3, 2]")).unwrap();
    assert_eq!(all, read());
    fs::write(folder.path().join("net.toml"), NET.replace("16", "32")).unwrap();
    let changed = read();
    assert!(all.iter().zip(&changed).take(24).all(|(a, b)| a.hash != b.hash));
    // the content of a file that a specification names counts, too
    fs::write(folder.path().join("net.toml"), "format = 1\n[network]\ntopology = \"graph\"\nfile = \"g.csv\"\n")
        .unwrap();
    fs::write(folder.path().join("s.toml"), "format = 1\nspecs = [\"net.toml\"]\n").unwrap();
    let hash_with = |graph: &str| {
        fs::write(folder.path().join("g.csv"), graph).unwrap();
        read()[0].hash.clone()
    };
    assert_ne!(hash_with("a,b\nb,a\n"), hash_with("a,b\nb,a\na,c\nc,a\n"));
}

/// A sweep of so many points, one in five of which fails.
fn sweep_of(points: usize) -> String {
    let seeds: Vec<usize> = (0..points / 5).collect();
    format!(
        "format = 1\nspecs = [\"net.toml\"]\n[parameters]\nnetwork.m = [2, 3, 4, 1, 5]\nschedule.seed = {seeds:?}\n"
    )
}

/// The command that runs a sweep into a folder.
fn sweep(folder: &Path, output: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_metronoc"));
    command.args(["sweep", "s.toml", "--output", output]).args(more).current_dir(folder);
    command
}

fn finish(command: &mut Command) -> String {
    let done = command.output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{command:?}: {}\n{said}", done.status);
    String::from_utf8(done.stdout).unwrap()
}

/// Results of a sweep's folder: name, and the file's inode and time of its last change in nanoseconds.
fn results(folder: &Path) -> BTreeMap<String, (u64, i64, i64)> {
    let Ok(entries) = fs::read_dir(folder.join("results")) else { return BTreeMap::new() };
    let entries =
        entries.map(|entry| entry.unwrap()).filter(|entry| entry.path().extension().is_some_and(|e| e == "json"));
    let state = |entry: fs::DirEntry| {
        let meta = entry.metadata().ok()?;
        Some((entry.file_name().into_string().unwrap(), (meta.ino(), meta.mtime(), meta.mtime_nsec())))
    };
    entries.filter_map(state).collect()
}

fn wait_for(what: &str, seconds: u64, condition: impl Fn() -> bool) {
    let begin = Instant::now();
    while !condition() {
        assert!(begin.elapsed() < Duration::from_secs(seconds), "no {what} within {seconds} s");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Kills a sweep, and waits until its processes have ended, too.
fn kill(mut child: Child, folder: &Path) {
    child.kill().unwrap();
    child.wait().unwrap();
    let folder = fs::canonicalize(folder).unwrap();
    let works_there = |process: fs::DirEntry| {
        let of = |name: &str| fs::read_link(process.path().join(name)).is_ok_and(|path| path.starts_with(&folder));
        of("cwd")
    };
    wait_for("end of the processes", 20, || !fs::read_dir("/proc").unwrap().flatten().any(works_there));
}

/// Kills a sweep of so many points twice and lets it end at the third time; all is there once, as if it had not been disturbed.
fn survives(points: usize) -> TempDir {
    let folder = folder(&sweep_of(points));
    let (root, out) = (folder.path(), folder.path().join("killed"));
    let said = finish(&mut sweep(root, "whole", &[]));
    assert!(said.contains(&format!("points     {points}: 0 had a result, {points} have one now")), "{said}");
    assert!(said.contains(&format!("failed     {}", points / 5)), "{said}");
    let mut before = BTreeMap::new();
    for part in 1..=2 {
        let child = sweep(root, "killed", &["-j", "1", "--batch", "3", "-q"]).stderr(Stdio::null()).spawn().unwrap();
        wait_for("results", 120, || results(&out).len() >= points * part / 4);
        kill(child, &out);
        let now = results(&out);
        assert!(now.len() < points, "it was too fast to be killed");
        assert!(before.iter().all(|(name, state)| now.get(name) == Some(state)), "done twice");
        for name in now.keys() {
            serde_json::from_slice::<serde_json::Value>(&fs::read(out.join("results").join(name)).unwrap()).unwrap();
        }
        before = now;
    }
    let said = finish(&mut sweep(root, "killed", &[]));
    assert!(said.contains(&format!("{} had a result, {points} have one now", before.len())), "{said}");
    let after = results(&out);
    assert_eq!(after.len(), points);
    assert!(before.iter().all(|(name, state)| after.get(name) == Some(state)), "done twice");
    let csv = |name: &str| fs::read_to_string(root.join(name).join("results.csv")).unwrap();
    assert_eq!(csv("killed"), csv("whole"));
    assert_eq!(csv("whole").lines().count(), points + 1);

    // nothing is left to do, and a result that is damaged is made again
    let said = finish(&mut sweep(root, "killed", &["--json"]));
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!([&said["before"], &said["done"]], [points, points]);
    assert_eq!(results(&out), after);
    let name = after.keys().next().unwrap();
    let damaged = out.join("results").join(name);
    fs::write(&damaged, &fs::read(&damaged).unwrap()[..40]).unwrap();
    let said = finish(&mut sweep(root, "killed", &[]));
    assert!(said.contains(&format!("{} had a result", points - 1)), "{said}");
    assert_eq!(csv("killed"), csv("whole"));
    folder
}

#[test]
#[ignore = "a sweep that is killed several times; .ci/run includes it"]
fn a_sweep_that_is_killed_goes_on() {
    let folder = survives(20);
    // a failing point is recorded with its message
    let csv = fs::read_to_string(folder.path().join("whole/results.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cell = |row: &csv::StringRecord, name: &str| {
        row[heads.iter().position(|head| head == name).unwrap_or_else(|| panic!("no column {name}"))].to_owned()
    };
    let of = |m: &str| rows.iter().find(|row| cell(row, "network.m") == m).unwrap();
    assert_eq!([cell(of("1"), "exit_code"), cell(of("1"), "message")], ["3", "`network.m` is out of range"]);
    assert_eq!([cell(of("3"), "exit_code"), cell(of("3"), "cycles"), cell(of("3"), "bound")], ["0", "12", "12"]);
    let page = fs::read_to_string(folder.path().join("whole/report.html")).unwrap();
    let parsed = roxmltree::Document::parse_with_options(
        &page,
        roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() },
    );
    let parsed = parsed.unwrap();
    let dots =
        parsed.descendants().filter(|node| node.attribute("class").is_some_and(|class| class.starts_with("dot ")));
    assert_eq!(dots.count(), 16, "nodes and cycles of the points that hold");
    assert!(page.contains("`network.m` is out of range"));
    // another sweep's results are not in the way, and other files are
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/file"), "").unwrap();
    assert_eq!(sweep(folder.path(), "mine", &["-q"]).stderr(Stdio::null()).status().unwrap().code(), Some(2));
    let listed = finish(&mut sweep(folder.path(), "killed", &["--dry-run"]));
    assert_eq!(listed.lines().filter(|line| line.contains("  done  net ")).count(), 20, "{listed}");
}

#[test]
fn points_of_any_network_have_their_nodes_and_cycles() {
    let folder = folder("format = 1\nspecs = [\"ring.toml\"]\n[parameters]\nnetwork.nodes = [3, 5]\n");
    let ring = "format = 1\nnetwork = { topology = \"ring\", nodes = 4 }\ncollective = { kind = \"all-gather\" }\n";
    fs::write(folder.path().join("ring.toml"), ring).unwrap();
    finish(&mut sweep(folder.path(), "out", &["-q"]));
    let csv = fs::read_to_string(folder.path().join("out/results.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let cells: Vec<[&str; 2]> = rows.iter().map(|row| ["nodes", "cycles"].map(|name| row[name].as_str())).collect();
    assert_eq!(cells, [["3", "1"], ["5", "2"]]);
}

#[test]
#[ignore = "200 points, 400 runs of metronoc: minutes"]
fn a_large_sweep_that_is_killed_goes_on() {
    drop(survives(200));
}

/// A Slurm of one node: authentication, controller and daemon in the foreground.
struct Slurm {
    folder: TempDir,
    processes: Vec<(&'static str, Child)>,
}

impl Slurm {
    /// Starts the one of Debian's packages, or says what is missing.
    fn start() -> Result<Self, String> {
        for program in ["munged", "mungekey", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo"] {
            if which::which_in(program, Some("/usr/sbin:/usr/bin:/sbin:/bin"), "/").is_err() {
                return Err(format!("{program} is missing (Debian: apt-get install slurm-wlm munge)"));
            }
        }
        if !rustix::process::geteuid().is_root() {
            return Err("Slurm's daemons are started by root".into());
        }
        let folder = tempfile::tempdir().unwrap();
        let script = Self::script();
        let made = Command::new(&script).arg("configure").arg(folder.path()).status().unwrap();
        assert!(made.success());
        let mut slurm = Self { folder, processes: Vec::new() };
        for daemon in ["munged", "slurmctld", "slurmd"] {
            slurm.run(daemon);
        }
        wait_for("node", 60, || {
            let said = slurm.command("sinfo").args(["--noheader", "--format", "%T"]).output().unwrap();
            String::from_utf8_lossy(&said.stdout).contains("idle")
        });
        Ok(slurm)
    }

    fn script() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/daemon")
    }

    fn run(&mut self, daemon: &'static str) {
        let log = fs::File::options().create(true).append(true).open(self.folder.path().join(format!("{daemon}.out")));
        let mut command = Command::new(Self::script());
        command.arg(daemon).arg(self.folder.path()).stdout(log.unwrap()).stderr(Stdio::null());
        self.processes.push((daemon, command.spawn().unwrap()));
        if daemon == "munged" {
            wait_for("munge", 20, || self.folder.path().join("munge/socket").exists());
        }
    }

    fn kill(&mut self, daemon: &str) {
        let at = self.processes.iter().position(|(name, _)| *name == daemon).unwrap();
        let (_, mut child) = self.processes.remove(at);
        child.kill().unwrap();
        child.wait().unwrap();
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("SLURM_CONF", self.folder.path().join("slurm.conf"));
        command
    }
}

impl Drop for Slurm {
    fn drop(&mut self) {
        for (_, child) in self.processes.iter_mut().rev() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[test]
#[ignore = "starts a Slurm of one node, as root: minutes"]
fn a_sweep_runs_on_slurm_and_survives_the_end_of_a_node() {
    let mut slurm = match Slurm::start() {
        Ok(slurm) => slurm,
        Err(missing) => return eprintln!("not run: {missing}"),
    };
    let folder = folder(&sweep_of(20));
    let (root, out) = (folder.path(), folder.path().join("slurm"));
    finish(&mut sweep(root, "whole", &[]));
    let profile = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slurm/profile");
    let start = |slurm: &Slurm| {
        let mut command = sweep(root, "slurm", &["--profile", profile.to_str().unwrap(), "-q"]);
        let conf = slurm.folder.path().join("slurm.conf");
        command.env("SLURM_CONF", conf).env("PATH", with_path(&profile)).stderr(Stdio::piped()).spawn().unwrap()
    };
    let child = start(&slurm);
    wait_for("results", 180, || results(&out).len() >= 4);
    slurm.kill("slurmd");
    let before = results(&out);
    std::thread::sleep(Duration::from_secs(2));
    slurm.run("slurmd");
    let done = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    // jobs of the node that ended are requeued by Slurm; where they are not, the next run does them
    if !done.status.success() {
        eprintln!("{said}");
        assert_eq!(done.status.code(), Some(6), "{said}");
        let again = start(&slurm).wait_with_output().unwrap();
        assert!(again.status.success(), "{}", String::from_utf8_lossy(&again.stderr));
    }
    let after = results(&out);
    assert!(before.iter().all(|(name, state)| after.get(name) == Some(state)), "done twice");
    let csv = |name: &str| fs::read_to_string(root.join(name).join("results.csv")).unwrap();
    assert_eq!(csv("slurm"), csv("whole"));
    let log = fs::read_to_string(out.join("snakemake.log")).unwrap();
    assert!(log.contains("external jobid") || log.contains("Submitted"), "no job went to Slurm:\n{log}");
}

/// PATH with a folder first.
fn with_path(folder: &Path) -> std::ffi::OsString {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(folder.to_owned()).chain(std::env::split_paths(&rest))).unwrap()
}

#[test]
#[ignore = "installs Snakemake and builds simulators; .ci/run includes it"]
fn a_regression_runs_by_a_profile() {
    let folder = TempDir::new().unwrap();
    let root = folder.path();
    fs::create_dir_all(root.join("nets")).unwrap();
    let spec = |m: u32| format!("format = 1\nnetwork = {{ topology = \"swapped-dragonfly\", k = 1, m = {m} }}\n");
    fs::write(root.join("nets/good.toml"), spec(2)).unwrap();
    fs::write(root.join("nets/bad.toml"), spec(1)).unwrap();
    fs::create_dir(root.join("here")).unwrap();
    fs::write(root.join("here/config.yaml"), "cores: 2\n").unwrap();
    let regress = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_metronoc"));
        command.args(["regress", "nets", "--profile", "here", "--junit", "results.xml", "--seed", "3"]);
        let done = command.current_dir(root).output().unwrap();
        assert_eq!(done.status.code(), Some(3), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let said = regress();
    let verdicts: Vec<[&str; 2]> =
        said.lines().map(|line| [line.split(' ').next().unwrap(), line.rsplit(' ').next().unwrap()]).collect();
    assert_eq!(verdicts, [["FAILED", "bad"], ["passed", "good"]], "{said}");
    let junit = fs::read_to_string(root.join("results.xml")).unwrap();
    assert!(junit.contains("`network.m` is out of range"), "{junit}");
    // what has a result is not run again
    let (before, again) = (results(&root.join("nets-regress")), regress());
    assert_eq!((before.len(), again), (2, said));
    assert_eq!(results(&root.join("nets-regress")), before);
}
