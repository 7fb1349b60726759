//! The second source of the arbiters: the Verilog in `rtl_templates/second/` is what rust-hdl makes of `arbiters.rs`.
//!
//! `metronoc prove second-arbiter` shows it equal to the arbiters of the library. To renew it after a change here:
//! `METRONOC_WRITE=1 cargo test second_source::`.

mod arbiters;

use arbiters::{Fixed, RoundRobin};
use metronoc::prove::PROOFS;
use rust_hdl::prelude::{Block, generate_verilog};
use std::collections::BTreeMap;
use std::fs;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/rtl_templates/second");

/// A module of this name; rust-hdl calls every one `top`.
fn verilog(mut block: impl Block, name: &str) -> String {
    block.connect_all();
    let text = generate_verilog(&block).replace("top$", &format!("{name}_")).replace("top", name);
    let lines: Vec<&str> = text.trim().lines().map(str::trim_end).collect();
    let head = "// Made by rust-hdl from tests/second_source/arbiters.rs; do not edit.\n";
    format!("{head}`default_nettype none\n{}\n`default_nettype wire\n", lines.join("\n"))
}

fn all() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut add = |name: &str, width: usize, make: &dyn Fn(&str) -> String| {
        let name = format!("mn_second_{name}_{width}");
        files.insert(format!("{name}.v"), make(&name));
    };
    add("fixed", 2, &|name| verilog(Fixed::<2>::default(), name));
    add("fixed", 3, &|name| verilog(Fixed::<3>::default(), name));
    add("fixed", 4, &|name| verilog(Fixed::<4>::default(), name));
    add("fixed", 8, &|name| verilog(Fixed::<8>::default(), name));
    add("round_robin", 2, &|name| verilog(RoundRobin::<2>::default(), name));
    add("round_robin", 3, &|name| verilog(RoundRobin::<3>::default(), name));
    add("round_robin", 4, &|name| verilog(RoundRobin::<4>::default(), name));
    add("round_robin", 8, &|name| verilog(RoundRobin::<8>::default(), name));
    files
}

#[test]
fn the_committed_verilog_is_what_rust_hdl_makes() {
    let made = all();
    if std::env::var_os("METRONOC_WRITE").is_some() {
        for (file, text) in &made {
            fs::write(format!("{FOLDER}/{file}"), text).expect("it can be written");
        }
    }
    let names: Vec<String> = fs::read_dir(FOLDER)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.len(), made.len(), "{names:?}");
    for (file, text) in &made {
        let committed = fs::read_to_string(format!("{FOLDER}/{file}")).expect("it is there");
        assert!(committed == *text, "{file}: run `METRONOC_WRITE=1 cargo test second_source::`");
    }
}

#[test]
fn the_proof_uses_all_of_it() {
    let proof = PROOFS.iter().find(|proof| proof.name == "second-arbiter").expect("the proof");
    let made = all();
    let proved: BTreeMap<String, String> =
        proof.beside.iter().map(|(file, text)| ((*file).to_owned(), (*text).to_owned())).collect();
    assert!(proved == made, "{:?}", proved.keys());
    // another circuit has another text
    assert_ne!(verilog(Fixed::<4>::default(), "same"), verilog(RoundRobin::<4>::default(), "same"));
}
