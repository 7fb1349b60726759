//! How long a whole all-to-all takes in the tile form, every channel compared in every cycle:
//! `cargo bench --bench tile_form -- K M`.

#[path = "../tests/common/mod.rs"]
#[allow(dead_code)] // tests use the rest
mod common;

use common::Emitted;
use common::simulate::{data, simulator};
use metronoc::collective::Collective as _;
use metronoc::cosim::{Optimize, Verdict};
use metronoc::family::{Hardware as _, Runs};
use metronoc::model::{Model, Sections};
use std::rc::Rc;
use std::time::Instant;

/// The most memory that the process had, in MiB, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib / 1024)
}

fn main() {
    // cargo adds an argument of its own
    let sizes: Vec<u32> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let (k, m) = if let [k, m] = sizes[..] { (k, m) } else { (8, 8) };
    let start = Instant::now();
    let said = |what: &str| println!("D3({k},{m}) {what} after {:.1} s", start.elapsed().as_secs_f64());
    let emitted = Emitted::new(k, m, "");
    said("emitted");
    let mut tiles = simulator(&emitted, Optimize::Full);
    said("built and out of reset");
    let model = Rc::new(Model::new(&emitted.lowered).expect("no conflict"));
    let (traffic, sent) = data(&emitted, 1);
    said("modelled");
    let runs = Runs { sections: Some(Sections::All), collectives: 1, asked: true };
    let session = emitted.lowered.session(&model, &traffic, &sent, runs);
    let outcome = session.run(&mut tiles).expect("it runs");
    said("loaded, run and drained");
    assert_eq!(outcome.verdict, Verdict::Agreed);
    assert!(outcome.received == traffic.expected(&sent).to_vec(), "the oracle says something else");
    let launched: u64 = outcome.launched.iter().map(|launched| launched.count).sum();
    assert_eq!((launched, outcome.received.len()), (1, sent.len()), "it is one collective of all words");
    assert_eq!(outcome.compared, outcome.cycles * model.layout().words() as u64, "not all cycles were compared");
    said("compared with the oracle");
    println!("{} cycles, {} MiB at most", outcome.cycles, peak_memory().unwrap_or(0));
}
