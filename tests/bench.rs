//! The emitted test benches, run as a user would: with Verilator as a simulator that has time, without metronoc.

use crate::common::bench::Bench;
use std::fs;

/// The smallest network of each bench: its `[network]`, `[router]` and `[collective]`.
const BENCHES: &[(&str, &str)] = &[
    ("all-to-all", "topology = \"swapped-dragonfly\"\nk = 1\nm = 2\n[collective]\nkind = \"all-to-all\"\nwords = 2"),
    ("stream", "topology = \"swapped-dragonfly\"\nk = 1\nm = 2\n[collective]\nkind = \"broadcast\"\ncount = 3"),
    (
        "exchange",
        "topology = \"swapped-dragonfly\"\nk = 1\nm = 2\ngroup = \"xor\"\n[collective]\nkind = \"prefix-scan\"",
    ),
    (
        "product",
        "topology = \"swapped-dragonfly\"\nk = 1\nm = 2\n[router]\npayload_bits = 8\n[collective]\nkind = \"vector-matrix\"",
    ),
    (
        "two networks",
        "topology = \"swapped-dragonfly\"\nk = 2\nm = 3\nbuild = \"host\"\nembed = [{ c = [1], dp = [2, 0] }, { c = [0], dp = [2, 1] }]\n\
         [router]\npayload_bits = 8\n[collective]\nkind = \"broadcast\"\nroot = 1",
    ),
    (
        "tile ports",
        "topology = \"ring\"\nnodes = 3\n[router]\npayload_bits = 8\n[endpoint]\ninterface = \"axi-stream\"",
    ),
    ("pops", "topology = \"pops\"\nd = 2\ng = 1\n[collective]\nkind = \"all-to-all\""),
    (
        "pops-dynamic",
        "topology = \"pops\"\nd = 2\ng = 2\n[router]\narbitration = \"round-robin\"\n[collective]\nkind = \"traffic\"",
    ),
];

/// The bench of a network, built.
fn built(network: &str) -> Bench {
    let bench = Bench::new(&format!("format = 1\n[network]\n{network}\n"));
    bench.build();
    bench
}

#[test]
#[ignore = "a simulator with time for each family; .ci/run includes it"]
fn every_bench_passes_in_a_simulator_with_time() {
    for (name, network) in BENCHES {
        let bench = built(network);
        let said = bench.run();
        assert!(said.starts_with("PASS: "), "{name}: {said}");
        let images = bench.folder.join("rom");
        if !images.exists() {
            continue;
        }
        // rows of another network, which begin with another check byte, and then no image at all
        for image in images.read_dir_utf8().expect("a folder") {
            let path = image.expect("a file").into_path();
            let text = fs::read_to_string(&path).expect("an image");
            let check = u8::from_str_radix(&text[..2], 16).expect("a check byte");
            let other = text.lines().map(|row| format!("{:02x}{}\n", check ^ 2, &row[2..])).collect::<String>();
            fs::write(&path, other).expect("it is written");
        }
        let noticed = |said: &str| said.contains("FAIL: ") && said.contains("fault 1") && !said.contains("PASS");
        let said = bench.run();
        assert!(noticed(&said), "{name}, images of another network: {said}");
        fs::remove_dir_all(&images).expect("it is removed");
        let said = bench.run();
        assert!(noticed(&said), "{name}, no images: {said}");
    }
}

#[test]
fn a_bench_fails_on_a_broken_slot_table() {
    let bench = built(BENCHES[0].1);
    let table = bench.folder.join("rom/local_send.hex");
    let broken: String = fs::read_to_string(&table).expect("a table").lines().map(|_| "0\n").collect();
    fs::write(&table, broken).expect("it is written");
    let said = bench.run();
    assert!(said.contains("FAIL: ") && !said.contains("PASS"), "{said}");
}
