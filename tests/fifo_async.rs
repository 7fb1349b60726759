//! The queue between two clocks, alone in Verilator: no word is lost or doubled, whatever the clocks and pauses; and the bench notices mutants.

use crate::common::verilator;
use camino::Utf8PathBuf;
use metronoc::emit::LIBRARY;
use std::fs;
use std::process::Command;

/// Folder with the queue and its bench, built; `change` is a text of the queue and what stands in its place.
struct Queue {
    _folder: tempfile::TempDir,
    program: Utf8PathBuf,
}

impl Queue {
    fn new(change: [&str; 2]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8PathBuf::from_path_buf(folder.path().to_owned()).expect("UTF-8");
        for name in ["mn_fifo_async.v", "mn_sync.v"] {
            let text = LIBRARY.iter().find(|module| module.file == name).expect("a module").text;
            assert!(name == "mn_sync.v" || text.contains(change[0]), "{}", change[0]);
            fs::write(path.join(name), text.replace(change[0], change[1])).unwrap();
        }
        fs::write(path.join("bench.cpp"), include_str!("fifo_async/bench.cpp")).unwrap();
        let warnings = if change[0].is_empty() { "-Wall" } else { "-Wno-fatal" };
        let options = [warnings, "--cc", "--exe", "--build", "-j", "2", "-O3", "-GW=32", "-GAB=4"];
        let sources = ["--top-module", "mn_fifo_async", "mn_fifo_async.v", "mn_sync.v", "bench.cpp"];
        verilator::build(&path, "OPT_FAST=-O2 OPT_SLOW=-O0 OPT_GLOBAL=-O1", options.into_iter().chain(sources));
        Self { program: path.join("obj/Vmn_fifo_async"), _folder: folder }
    }

    /// What the bench prints of so many words.
    fn run(&self, words: u64, seed: u32) -> String {
        let said = Command::new(&self.program).args([words.to_string(), seed.to_string()]).output().expect("it runs");
        String::from_utf8(said.stdout).expect("UTF-8")
    }
}

#[test]
#[ignore = "a simulator with time; .ci/run includes it"]
fn words_pass_between_two_clocks() {
    let said = Queue::new(["", ""]).run(500_000, 1);
    assert!(said.starts_with("PASS: 5000"), "{said}");
}

#[test]
#[ignore = "a simulator for each mutant; .ci/run includes it"]
fn the_bench_notices_mutants_of_the_queue() {
    // the writer believes that there is more room, and the reader takes a word that is not there yet
    for change in [
        ["{2'b11, {AB - 1{1'b0}}}", "{2'b10, {AB - 1{1'b0}}}"],
        ["read_gray_q != written_seen && (", "("],
        ["in_rst_i) begin\n            written_q      <= {AB + 1{1'b0}};", "in_rst_i) begin"],
    ] {
        let said = Queue::new(change).run(500_000, 1);
        assert!(said.starts_with("FAIL: "), "{change:?}: {said}");
    }
}

#[test]
#[ignore = "100000000 words: minutes; .ci/run includes it"]
fn a_hundred_million_words_pass_between_two_clocks() {
    let said = Queue::new(["", ""]).run(100_000_000, 2);
    assert!(said.starts_with("PASS: 100000000"), "{said}");
}
