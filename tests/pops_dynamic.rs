//! Couplers that arbitrate: hardware and model agree under every traffic, every packet is accounted for, nobody starves under round-robin,
//! and defects are found.
//!
//! Simulators are kept in the cache, so that only the first run of these tests builds them.

use crate::common::case::Case;
use metronoc::collective::pops::{Figures, Traffic};
use metronoc::lower::PopsDynamic;
use metronoc::model::pops_traffic::simulate;
use metronoc::spec::Spec;
use serde_json::Value;
use std::fs;
use std::path::Path;

const PATTERNS: [&str; 4] = ["uniform", "hotspot", "bursty", "adversarial"];

fn spec(d: u32, g: u32, router: &str, collective: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"pops\"\nd = {d}\ng = {g}\n[router]\n{router}\n\
         [collective]\nkind = \"traffic\"\n{collective}\n"
    )
}

/// What the model says of a specification, at its only load.
fn modelled(text: &str) -> Figures {
    let spec = Spec::parse("s.toml", text).unwrap_or_else(|e| panic!("{e}"));
    let (hardware, of) = (PopsDynamic::new(&spec).expect("it arbitrates"), spec.collective.traffic().expect("traffic"));
    let (net, words) = (hardware.network, (hardware.data_bits, hardware.words));
    let traffic = Traffic::new(net.d(), net.g(), words, of, of.load[0], 3);
    simulate(&hardware, &traffic).unwrap_or_else(|loss| panic!("{loss}\n{text}"))
}

impl Case {
    fn traffic_agrees(&self) -> Value {
        let (code, out, err) = self.metronoc(&["cosim", "case.toml", "--json", "-q"]);
        assert_eq!(code, Some(0), "{err}");
        serde_json::from_str(&out).unwrap()
    }

    fn refused(&self, args: &[&str], exit: i32, says: &str) {
        let (code, _, err) = self.metronoc(args);
        assert_eq!(code, Some(exit), "{args:?}: {err}");
        assert!(err.contains(says), "{args:?}: {err}");
    }
}

#[test]
fn every_packet_of_the_model_comes_out_once_at_odd_shapes() {
    let shapes = [(1, 1), (1, 9), (9, 1), (2, 2), (7, 3), (5, 4), (3, 5)];
    for (i, (d, g)) in shapes.into_iter().enumerate() {
        for (j, pattern) in PATTERNS.into_iter().enumerate() {
            let arbitration = ["round-robin", "fixed-priority"][(i + j) % 2];
            let (words, depth) = ([1, 2, 5, 16][(i + j) % 4], [1, 2, 4, 7][(2 * i + j) % 4]);
            let router = format!(
                "arbitration = \"{arbitration}\"\nslot_cycles = {words}\nqueue_depth = {depth}\npayload_bits = 16"
            );
            for (load, ready) in [(1.0, 1.0), (0.4, 0.5)] {
                let more = format!("pattern = \"{pattern}\"\nload = {load}\nready = {ready}\ncycles = 3000");
                let figures = modelled(&spec(d, g, &router, &more));
                assert!(figures.packets > 0 && figures.throughput <= ready + 0.02, "POPS({d},{g}) {router} {more}");
            }
        }
    }
}

#[test]
fn a_lone_packet_takes_six_cycles_and_one_for_each_more_word() {
    for words in [1, 4, 16] {
        let router = format!("arbitration = \"round-robin\"\nslot_cycles = {words}");
        let figures = modelled(&spec(4, 4, &router, "load = 0.001\ncycles = 100000"));
        // its words are all in before it is sent
        assert_eq!(figures.latency.p50, 6 + 2 * (words - 1), "{words} words");
    }
}

#[test]
fn fixed_priority_starves_and_round_robin_does_not() {
    for (d, words) in [(2, 1), (4, 1), (7, 3)] {
        let run = |arbitration| {
            let router = format!("arbitration = \"{arbitration}\"\nslot_cycles = {words}");
            modelled(&spec(d, 3, &router, "pattern = \"adversarial\"\nload = 1.0\ncycles = 20000"))
        };
        let (fixed, fair) = (run("fixed-priority"), run("round-robin"));
        // with longer packets the first of a group has pauses, in which another gets through
        let last = fixed.fairness.packets[d as usize - 1];
        assert!(last == 0 && fixed.fairness.jain < 1.5 / f64::from(d), "{:?}", fixed.fairness);
        assert!(fair.fairness.min_over_max > 0.99 && fair.fairness.jain > 0.999, "{:?}", fair.fairness);
        // both keep the couplers busy in every cycle
        for figures in [&fixed, &fair] {
            let share = 1.0 / f64::from(d);
            assert!((figures.throughput / share - 1.0).abs() < 0.01, "{}", figures.throughput);
        }
    }
}

#[test]
fn a_hotspot_is_shared_evenly_by_round_robin() {
    let run = |arbitration| {
        let more = "pattern = \"hotspot\"\nload = 1.0\nfraction = 0.9\nhotspot = 5\ncycles = 60000";
        modelled(&spec(4, 4, &format!("arbitration = \"{arbitration}\""), more))
    };
    let (fixed, fair) = (run("fixed-priority"), run("round-robin"));
    assert!(fair.fairness.min_over_max > 0.9, "{:?}", fair.fairness);
    assert!(fixed.fairness.min_over_max < 0.2, "{:?}", fixed.fairness);
}

/// One simulator for all patterns: traffic is no part of the hardware.
#[test]
#[ignore = "long traffic in several simulators; .ci/run includes it"]
fn hardware_and_model_agree_under_overload_and_every_pattern() {
    for pattern in PATTERNS {
        let more = format!("pattern = \"{pattern}\"\nload = [0.3, 1.0]\ncycles = 20000");
        let text = spec(4, 4, "arbitration = \"round-robin\"", &more);
        let report = Case::new(&text).traffic_agrees();
        // 16 couplers and 16 streams out of two words each, and the streams in
        assert_eq!(report["compared_words"].as_u64(), report["cycles"].as_u64().map(|cycles| 65 * cycles), "{report}");
        let full = &report["runs"][1];
        assert!(full["packets"].as_u64().unwrap() > 30_000 && full["waiting"].as_u64().unwrap() > 30_000, "{full}");
        // in bursts few request at once, and three do not share evenly
        let least = if pattern == "bursty" { 0.85 } else { 0.9 };
        assert!(full["fairness"]["min_over_max"].as_f64().unwrap() > least, "{full}");
    }
}

#[test]
#[ignore = "long traffic of every pattern; .ci/run includes it"]
fn hardware_with_priorities_agrees_at_an_odd_shape_with_slow_receivers() {
    for pattern in PATTERNS {
        let router = "arbitration = \"fixed-priority\"\nslot_cycles = 3\nqueue_depth = 2\npayload_bits = 16";
        let more = format!("pattern = \"{pattern}\"\nload = [0.2, 1.0]\nready = 0.6\ncycles = 20000");
        let report = Case::new(&spec(3, 2, router, &more)).traffic_agrees();
        assert!(report["runs"][1]["packets"].as_u64().unwrap() > 5000, "{report}");
    }
}

/// Each defect is found by the comparison, and by the account of packets alone.
#[test]
#[ignore = "a simulator for each mutant; .ci/run includes it"]
fn defects_are_found() {
    let port = "rtl/mn_pops_queue_port.v";
    let mutants = [
        // room that is given back while all senders request is forgotten
        (
            "rtl/mn_pops_queue_coupler.v",
            "{{RB - 1{1'b0}}, free_i[n]}",
            "{{RB - 1{1'b0}}, free_i[n] && request_i != {D{1'b1}}}",
            "did not come out",
        ),
        // a word goes on whether its queue has room or not
        (port, "wire in_move = !in_valid_q || push != {G{1'b0}};", "wire in_move = 1'b1;", "is due"),
        // group and processor are exchanged
        (port, "{in_group_q, in_dest_q} <= s_axis_tdest;", "{in_dest_q, in_group_q} <= s_axis_tdest;", "received"),
    ];
    let router = "arbitration = \"round-robin\"\nqueue_depth = 2";
    let case = Case::new(&spec(2, 2, router, "load = [0.2, 1.0]\ncycles = 10000"));
    for (file, old, new, lost) in mutants {
        let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl", "-q", "--force"]);
        assert_eq!(code, Some(0), "{err}");
        let path = case.dir.path().join("rtl").join(file);
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "`{old}` in {file}");
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        let differs = ["cosim", "case.toml", "--rtl", "rtl", "-q"];
        case.refused(&differs, 5, "hardware and model differ at ");
        case.refused(&differs, 5, "`metronoc cosim case.toml --rtl rtl`");
        case.refused(&[&differs[..], &["--compare", "none"]].concat(), 5, lost);
    }
}

#[test]
fn commands_for_schedules_refuse_traffic() {
    let case = Case::new(&spec(2, 2, "arbitration = \"round-robin\"", "load = 0.5"));
    for command in ["check", "schedule"] {
        case.refused(&[command, "case.toml"], 4, "traffic has no schedule");
    }
    case.refused(&["synth", "case.toml", "--board", "ulx3s"], 4, "traffic has no schedule");
    case.refused(&["cosim", "case.toml", "--data", "x.npy"], 2, "traffic has no use for `--data`");
    case.refused(&["cosim", "case.toml", "--netlist", "ice40"], 2, "traffic has no use for `--netlist`");
    case.refused(&["report", "case.toml", "--cosim", "case.toml"], 2, "the model alone");
}

/// Right hardware, and what is broken in it.
fn streams_to_break() -> Case {
    let router = "arbitration = \"round-robin\"\nqueue_depth = 2\nslot_cycles = 2";
    Case::new(&spec(3, 3, router, "load = 0.5\ncycles = 1000"))
}

/// Streams that break their contract are reported at each processor, and lose no packet.
#[test]
#[ignore = "a simulator that is stressed; .ci/run includes it"]
fn broken_streams_are_reported_and_lose_no_packet() {
    let case = streams_to_break();
    let stressed = ["cosim", "case.toml", "--stress", "-q"];
    let (code, said, err) = case.metronoc(&stressed);
    // no last word, a last word too early, no such processor, no such group
    assert!(code == Some(0) && said.contains("stress: 36 broken streams, all reported"), "{said}{err}");
    let (code, said, _) = case.metronoc(&[&stressed[..], &["--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(code == Some(0) && report["broken_streams"] == 36, "{said}");
}

#[test]
#[ignore = "four mutants in Verilator; .ci/run includes it"]
fn hardware_that_does_not_report_a_broken_stream_is_found() {
    let case = streams_to_break();
    let mutants = [
        // a fault that is never reported, one that does not stay, packets for no processor that take the place of another's
        ("if (take && (drop || s_axis_tlast != in_last)) fault_q", "if (take && drop) fault_q", "TLAST is low"),
        (
            "if (take && (drop || s_axis_tlast != in_last)) fault_q <= 1'b1",
            "if (take) fault_q <= drop || s_axis_tlast != in_last",
            "TLAST is low",
        ),
        ("in_valid_q <= take && !drop;", "in_valid_q <= take && (!drop || !in_first);", "which no processor has"),
        ("group >= GROUPS[GB:0] || dest", "dest", "which no processor has"),
    ];
    for (old, new, said) in mutants {
        let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl", "-q", "--force"]);
        assert_eq!(code, Some(0), "{err}");
        let path = case.dir.path().join("rtl/rtl/mn_pops_queue_port.v");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.matches(old).count(), 1, "`{old}`");
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--rtl", "rtl", "-q"]);
        assert_eq!(code, Some(0), "{new}, plain: {err}");
        case.refused(&["cosim", "case.toml", "--rtl", "rtl", "-q", "--stress"], 5, said);
    }
}

#[test]
fn the_page_shows_both_ways_to_arbitrate() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/pops-dynamic.toml");
    let text = fs::read_to_string(example).unwrap().replace("\"uniform\"", "\"adversarial\"\ncycles = 2000");
    let case = Case::new(&text);
    let page = |name: &str| {
        let (code, out, err) = case.metronoc(&["report", "case.toml", "-o", name, "--json", "-q"]);
        assert_eq!(code, Some(0), "{err}");
        (fs::read_to_string(case.dir.path().join(name)).unwrap(), serde_json::from_str::<Value>(&out).unwrap())
    };
    let (first, json) = page("a.html");
    assert_eq!(first, page("b.html").0, "the same bytes");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&first, options).unwrap();
    let count = |name: &str| document.descendants().filter(|n| n.tag_name().name() == name).count();
    assert_eq!((count("svg"), count("table")), (4, 2));
    let ids: Vec<&str> = document.descendants().filter_map(|n| n.attribute("id")).collect();
    assert!(["throughput", "latency", "fairness", "processors"].iter().all(|id| ids.contains(id)), "{ids:?}");
    // two bars for each of 16 processors, ten dots on each of two curves in each of three pictures
    assert_eq!((count("rect"), count("circle")), (32, 60));
    for outside in ["src=", "href=", "url(", "@import"] {
        assert!(!first.contains(outside), "{outside}");
    }
    assert_eq!(json["round_robin"].as_array().map(Vec::len), Some(10));
    let last = |key: &str| json[key][9]["fairness"]["jain"].as_f64().unwrap();
    assert!(last("round_robin") > 0.99 && last("fixed_priority") < 0.3, "{json}");
}
