//! Commands that are killed at any time, and a full disk: the next command works, nothing half-written is taken for whole.

use crate::common::asked;
use assert_cmd::cargo::cargo_bin_cmd;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Kills of each command.
const KILLS: u32 = 200;

/// Files below a folder with their texts; `tmp` and `cache` are left out.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let (name, path) = (entry.file_name().into_string().unwrap(), entry.path());
        match path.is_dir() {
            true if name == "tmp" || name == "cache" => {}
            true => found.extend(files(&path).into_iter().map(|(file, text)| (format!("{name}/{file}"), text))),
            false => drop(found.insert(name, fs::read(path).unwrap())),
        }
    }
    found
}

/// A command in a folder with a specification, whose temporary files and cache are there, too.
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_metronoc"));
    command.args(args).current_dir(folder).env("TMPDIR", folder.join("tmp"));
    command.env("METRONOC_CACHE", folder.join("cache")).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[test]
#[ignore = "commands are killed hundreds of times; .ci/run includes it"]
fn a_killed_command_leaves_nothing_that_is_half_written() {
    let spec = "format = 1\nnetwork = { topology = \"swapped-dragonfly\", k = 4, m = 4 }\n";
    for args in [
        &["generate", "x.toml", "-o", "rtl"][..],
        &["schedule", "x.toml", "--format", "json", "-o", "x.json"],
        &["report", "x.toml", "-o", "x.html"],
        &["man", "pages"],
    ] {
        let folder = TempDir::new().unwrap();
        let path = folder.path();
        fs::write(path.join("x.toml"), spec).unwrap();
        fs::create_dir(path.join("tmp")).unwrap();
        let before = files(path);
        // the first run warms the machine up
        let timed = |_| {
            let begin = Instant::now();
            assert!(command(path, args).status().unwrap().success(), "{args:?}");
            begin.elapsed()
        };
        let takes = [0, 1].map(timed)[1];
        let whole = files(path);
        let (kills, mut killed, mut unwritten) = (kills(KILLS), 0, 0);
        for round in 0..kills {
            // every other time there is nothing yet, and the moment goes through the whole run
            if round % 2 == 0 {
                for name in ["rtl", "pages"] {
                    let _ = fs::remove_dir_all(path.join(name));
                }
                for name in ["x.json", "x.html"] {
                    let _ = fs::remove_file(path.join(name));
                }
            }
            let mut child = command(path, args).spawn().unwrap();
            std::thread::sleep(takes.mul_f64(f64::from(round) / f64::from(kills) * 1.2) + Duration::from_micros(500));
            child.kill().unwrap();
            killed += u32::from(!child.wait().unwrap().success());
            // a file that stands under its name is whole
            let left = files(path);
            let named = |file: &&String| !file.split('/').any(|part| part.starts_with('.'));
            for file in left.keys().filter(named) {
                assert!(left[file] == whole[file], "{args:?}, round {round}: `{file}` is half-written");
            }
            unwritten += u32::from(left.len() < whole.len());
            let next = command(path, args).stderr(Stdio::piped()).output().unwrap();
            let message = String::from_utf8_lossy(&next.stderr);
            assert!(next.status.success(), "{args:?}, round {round}: the next run fails: {message}");
            assert!(files(path) == whole, "{args:?}, round {round}: {:?}", files(path).keys());
        }
        assert!(
            killed > kills / 20 && unwritten > 0,
            "{args:?}: {killed} runs were killed, {unwritten} before their end"
        );
        assert!(whole.len() > before.len());
    }
}

/// Command lines of processes that work in a folder, or name it.
fn processes(folder: &Path) -> Vec<String> {
    let name = folder.to_str().unwrap();
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let here = fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(folder));
        if !line.is_empty() && (here || line.contains(name)) {
            found.push(line);
        }
    }
    found
}

/// A folder whose commands start tools.
struct Worked<'a> {
    folder: &'a Path,
    args: &'a [&'a str],
    /// True if tools are the machine's, and not the folder's own.
    shared: bool,
    /// Files and folders that are taken away before each run.
    fresh: &'a [&'a str],
}

impl Worked<'_> {
    fn command(&self) -> Command {
        let mut command = command(self.folder, self.args);
        if self.shared {
            command.env_remove("METRONOC_CACHE");
        }
        command
    }

    fn clear(&self) {
        for name in self.fresh {
            let path = self.folder.join(name);
            let _ = if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) };
        }
    }

    /// Kills the command so many times, at moments that go through its whole run; the next one does what it does without a kill. `result`
    /// is what a run leaves, none if it has not come so far. Returns the runs that were killed.
    fn killed(&self, kills: u32, result: impl Fn() -> Option<Vec<u8>>) -> u32 {
        let run = || {
            self.clear();
            let begin = Instant::now();
            let output = self.command().output().unwrap();
            assert!(output.status.success(), "{:?}", self.args);
            begin.elapsed()
        };
        run();
        // the shortest of some, as other work of the machine makes one longer
        let mut takes = (0..3).map(|_| run()).min().unwrap();
        let whole = result();
        assert!(whole.is_some());
        let mut killed = 0;
        for round in 0..kills {
            self.clear();
            let mut child = self.command().spawn().unwrap();
            let moment = takes.mul_f64((f64::from(round) + 0.5) / f64::from(kills));
            std::thread::sleep(moment);
            child.kill().unwrap();
            match child.wait().unwrap().success() {
                // it took no longer than this: the machine had other work before
                true => takes = moment,
                false => killed += 1,
            }
            // what watches over the tools ends them when the command is gone
            let begin = Instant::now();
            while !processes(self.folder).is_empty() {
                let left = processes(self.folder);
                assert!(begin.elapsed() < Duration::from_secs(20), "{:?}, round {round}: {left:?}", self.args);
                std::thread::sleep(Duration::from_millis(5));
            }
            let left = result();
            assert!(left.is_none() || left == whole, "{:?}, round {round}: the result is half-written", self.args);
            assert!(self.command().status().unwrap().success(), "{:?}, round {round}: the next run fails", self.args);
            assert!(result() == whole, "{:?}, round {round}: the next run leaves something else", self.args);
        }
        killed
    }
}

/// Kills that a test was asked for by `METRONOC_KILLS`, at most so many.
fn kills(most: u32) -> u32 {
    asked::number("METRONOC_KILLS").map_or(most, |kills| most.min(kills))
}

/// Kills of commands that build something, each of which takes seconds: so many, or as `METRONOC_BUILD_KILLS` asks for.
fn kills_of_builds(few: u32) -> u32 {
    asked::number("METRONOC_BUILD_KILLS").unwrap_or(few)
}

const RING: &str = "format = 1\n[network]\ntopology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 8\n[collective]\nkind = \"all-to-all\"\n";

/// A new folder with a specification, and its path without links.
fn folder(spec: &str) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().canonicalize().unwrap();
    fs::write(path.join("x.toml"), spec).unwrap();
    fs::create_dir(path.join("tmp")).unwrap();
    (folder, path)
}

/// Runs a test on co-simulations whose simulator is there, or is built anew.
fn with_co_simulation(fresh: &[&str], test: impl Fn(&Worked<'_>, &dyn Fn() -> Option<Vec<u8>>)) {
    let (_folder, path) = folder(RING);
    let args = ["cosim", "x.toml", "--random", "--out", "x.npy", "--build-dir", "build"];
    test(&Worked { folder: &path, args: &args, shared: true, fresh }, &|| fs::read(path.join("x.npy")).ok());
}

#[test]
#[ignore = "co-simulations are killed two hundred times; .ci/run includes it"]
fn a_killed_co_simulation_leaves_nothing_that_is_half_written() {
    with_co_simulation(&["x.npy"], |warm, out| {
        let count = kills(200);
        let killed = warm.killed(count, out);
        println!("cosim: {killed} of {count} runs were killed");
        assert!(killed * 2 > count);
    });
}

/// Without a simulator, tools are killed while they build one.
#[test]
#[ignore = "simulators are built several times; .ci/run includes it"]
fn a_killed_co_simulation_that_builds_leaves_nothing_that_is_half_written() {
    with_co_simulation(&["x.npy", "build"], |cold, out| {
        let count = kills_of_builds(6);
        println!("cosim that builds: {} of {count} runs were killed", cold.killed(count, out));
    });
}

#[test]
#[ignore = "syntheses are killed several times: minutes"]
fn a_killed_synthesis_leaves_nothing_that_is_half_written() {
    let (_folder, path) = folder(include_str!("../examples/icebreaker.toml"));
    let args = ["synth", "x.toml", "--board", "icebreaker", "-o", "bits"];
    let synth = Worked { folder: &path, args: &args, shared: true, fresh: &["bits"] };
    let count = kills_of_builds(6);
    let killed = synth.killed(count, || fs::read(path.join("bits/mn_board.bin")).ok());
    println!("synth: {killed} of {count} runs were killed");
    assert!(killed > 0);
}

#[test]
#[ignore = "a tool is installed several times: minutes; .ci/run includes it"]
fn a_killed_installation_leaves_nothing_that_is_half_written() {
    let (_folder, path) = folder(RING);
    let install =
        Worked { folder: &path, args: &["tools", "install", "verilator"], shared: false, fresh: &["cache/tools"] };
    // a tool is there as a whole, or not at all: its files with their lengths
    let installed = || {
        let shown = command(&path, &["tools", "--json"]).stdout(Stdio::piped()).output().unwrap().stdout;
        let shown: serde_json::Value = serde_json::from_slice(&shown).unwrap();
        let verilator = shown["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "verilator").unwrap();
        let program = verilator["path"].as_str().filter(|_| verilator["found"] == true)?;
        let root = Path::new(program).ancestors().find(|folder| folder.ends_with("site")).unwrap();
        let files = files(root).into_iter().map(|(name, text)| format!("{name} {}\n", text.len()));
        Some(files.collect::<String>().into_bytes())
    };
    let count = kills_of_builds(4);
    let killed = install.killed(count, installed);
    println!("tools install: {killed} of {count} runs were killed");
    assert!(killed > 0);
}

/// `/dev/full` takes nothing, as a disk without space.
#[test]
fn a_full_disk_is_told() {
    for args in [
        &["schedule", "examples/d3-2-3.toml", "--format", "json", "-o", "/dev/full"][..],
        &["simulate", "examples/d3-2-3.toml", "--out", "/dev/full"],
        &["report", "examples/d3-2-3.toml", "-o", "/dev/full"],
    ] {
        let output = cargo_bin_cmd!("metronoc").args(args).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(8), "{args:?}: {said}");
        assert!(said.contains("free some space"), "{args:?}: {said}");
    }
}
