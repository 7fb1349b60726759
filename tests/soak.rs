//! Long runs: every channel of each family in every cycle of millions of collectives, and traffic above what the couplers take.
//!
//! `METRONOC_SOAK` is the number of packet-hops of each family, `METRONOC_SOAKED` the families by name (all without it), `METRONOC_SOAK_SEED` the
//! seed before the first, one for each million of collectives, and `METRONOC_SOAK_CYCLES` the number of cycles of traffic.

use crate::common::asked;
use crate::common::case::Case;
use crate::common::families::families;
use serde_json::Value;
use std::time::Instant;

/// Most collectives of a run.
const MOST: u64 = 1_000_000;

/// JSON of a co-simulation that agrees.
fn cosim(case: &Case, args: &[&str]) -> Value {
    let (code, out, err) = case.metronoc(&[&["cosim", "case.toml", "--json", "-q"], args].concat());
    assert_eq!(code, Some(0), "{err}");
    serde_json::from_str(&out).unwrap()
}

#[test]
#[ignore = "millions of packet-hops of each family; .ci/run includes it"]
fn every_channel_agrees_over_millions_of_hops() {
    let wanted = asked::number("METRONOC_SOAK").unwrap_or(1_000_000_u64);
    for (family, spec) in families().into_iter().filter(|(family, _)| asked::names("METRONOC_SOAKED", family)) {
        let hops = metronoc::compile(spec.as_str()).unwrap().work().hops();
        let (case, begin) = (Case::new(&spec), Instant::now());
        let (mut left, mut cycles, mut words) = (wanted.div_ceil(hops), 0, 0);
        let mut seed = asked::number("METRONOC_SOAK_SEED").unwrap_or(0_u64);
        let collectives = left;
        while left > 0 {
            let count = left.min(MOST);
            seed += 1;
            let (seed, count) = (seed.to_string(), count.to_string());
            let report = cosim(&case, &["--random", "--seed", &seed, "--collectives", &count]);
            let ran = report["collectives"].as_u64().unwrap();
            assert_eq!(ran.to_string(), count);
            cycles += report["cycles"].as_u64().unwrap();
            words += report["compared_words"].as_u64().unwrap();
            left -= ran;
        }
        println!(
            "{family}: {} packet-hops in {collectives} collectives and {cycles} cycles, {words} words compared, no mismatch, {} s",
            collectives * hops,
            begin.elapsed().as_secs()
        );
    }
}

#[test]
#[ignore = "a million cycles of traffic; .ci/run includes it"]
fn every_packet_of_an_overload_is_accounted_for() {
    let cycles = asked::number("METRONOC_SOAK_CYCLES").unwrap_or(1_000_000_u64);
    let case = Case::new(&format!(
        "format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[router]\npayload_bits = 8\narbitration = \"round-robin\"\n\
         [collective]\nkind = \"traffic\"\npattern = \"uniform\"\nload = 1\ncycles = {cycles}\n"
    ));
    let begin = Instant::now();
    let report = cosim(&case, &[]);
    let run = &report["runs"][0];
    let [arrived, waiting] = ["packets", "waiting"].map(|key| run[key].as_u64().unwrap());
    // each of the four processors makes a packet in every cycle
    assert_eq!(arrived + waiting, 4 * cycles, "{run}");
    assert!(waiting > 0, "it is no overload: {run}");
    println!("{cycles} cycles of traffic in {} s: {report}", begin.elapsed().as_secs());
}
