//! All tests in one program: it is built and linked once, and long tests of different files run beside each other.

mod any_collective;
mod area;
mod bad_input;
mod bench;
mod board_tops;
mod boards;
mod broadcast;
mod check;
mod claims;
mod cli;
mod collectives;
mod common;
mod compile;
mod cosim;
mod drawings;
mod embedding;
mod exchange;
mod exchange_hardware;
mod extending;
mod fat_cube;
mod fifo_async;
mod foreign;
mod four_state;
mod fuzz;
mod galaxyfly;
mod galaxyfly_paper;
mod general_bounds;
mod general_schedules;
mod hierarchical_dual_net;
mod host_order;
mod judge;
mod layering;
mod listed;
mod machine_faults;
mod matrix;
mod memory;
mod model;
mod mutation;
mod netlist;
mod networks;
mod npy;
mod output;
mod packages;
mod pages;
mod player;
mod pops;
mod pops_dynamic;
mod pops_hardware;
mod product_cosim;
mod programs;
mod prove;
mod read_back;
mod readme;
mod release;
mod reload;
mod report;
mod schedules;
mod second_source;
mod sequences;
mod simulate;
mod slot_counters;
mod slot_reload;
mod slot_table;
mod slot_tiles;
mod soak;
mod spec;
mod stress;
mod sweep;
mod synth;
mod tile_form;
mod tile_port_cosim;
mod tile_port_examples;
mod tile_ports;
mod tools;
mod transcripts;
mod two_families;
mod upsets;
mod wheel;
mod wiring;

#[test]
fn every_file_is_a_part() {
    let here = include_str!("main.rs");
    let parts: Vec<&str> = here.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).collect();
    let files = std::fs::read_dir("tests").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    for file in files.filter(|file| file != "main.rs") {
        if let Some(part) = file.strip_suffix(".rs") {
            assert!(parts.contains(&part), "tests/main.rs has no `mod {part};`");
        }
    }
}
