//! Schedules that other tools made: read, judged, compared and built; and refused at the place that is wrong.

use assert_cmd::Command;
use metronoc::program::foreign::{FORMS, FormError, Hint, form_of};
use predicates::prelude::*;
use predicates::str::contains;
use std::fs;
use std::path::Path;

const ALL_GATHER: &str = include_str!("foreign/all-gather.json");
const ALL_REDUCE: &str = include_str!("foreign/all-reduce.json");
const BROADCAST: &str = include_str!("foreign/broadcast.json");
const MSCCL_SUM: &str = include_str!("foreign/all-reduce.xml");
const MSCCL_GATHER: &str = include_str!("foreign/all-gather.xml");
const TORUS: &str = include_str!("foreign/torus-3x3.txt");

fn metronoc(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("metronoc").unwrap().current_dir(folder).args(args).assert()
}

fn example(name: &str) -> String {
    format!("{}/tests/foreign/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn refused(text: &str) -> FormError {
    let form = form_of(text).unwrap_or_else(|| panic!("no form: {text}"));
    form.read(text, Hint::default()).unwrap_err()
}

/// Checks that a text, of which `good` is replaced by `bad`, is refused at a place that begins so, with this message.
fn refuses(text: &str, good: &str, bad: &str, place: &str, message: &str) {
    assert!(text.contains(good), "`{good}`");
    let text = text.replacen(good, bad, 1);
    let error = refused(&text);
    assert!(error.message.contains(message), "{error:?}");
    assert!(text[error.place.start..].starts_with(place), "{error:?}: {}", &text[error.place.start..]);
    assert!(!error.help.is_empty());
}

#[test]
fn a_form_is_known_by_what_is_in_the_file() {
    let name = |text: &str| form_of(text).map(|form| form.name());
    assert_eq!((name(ALL_GATHER), name(TORUS), name("nel\n")), (Some("sccl"), Some("s4noc"), Some("s4noc")));
    assert_eq!((name(MSCCL_SUM), name("<graph/>")), (Some("msccl-xml"), Some("msccl-xml")));
    assert_eq!(name(include_str!("../examples/ring.json")), None);
    for text in ["", "   \n", "format = 1", "{", "[]", "|", "lll", "{\"a\": \"\\\"msccl_type\\\"\"}"] {
        assert_eq!(name(text), None, "{text}");
    }
}

#[test]
fn an_algorithm_of_sccl_with_a_fault_is_refused_where_it_is() {
    let refuses_one = |good, bad, place, message| refuses(ALL_GATHER, good, bad, place, message);
    refuses_one(",\n   [2, 2, 0]", "", "[2, 0, 1]", "step 1, send 2: chunk 2 is not at rank 0 when the step begins");
    refuses_one("   [1, 2, 0],\n", "", "{\"msccl_type\": \"chunk\", \"pre\": [1]", "chunk 1 never comes to rank 0");
    refuses_one("[1, 1, 2]", "[2, 1, 2]", "[2, 1, 2]", "step 0, send 1: chunk 2 is not at rank 1");
    refuses_one("[1, 1, 2]", "[0, 0, 1]", "[0, 0, 1],\n   [2", "2 sends from rank 0 to rank 1, and the link takes 1");
    refuses_one("[1, 1, 2]", "[1, 1, 0]", "[1, 1, 0]", "there is no link from rank 1 to rank 0");
    refuses_one("[1, 1, 2]", "[1, 1, 7]", "[1, 1, 7]", "of 3 chunks and 3 ranks");
    refuses_one("[1, 1, 2]", "[1, 1]", "]", "step 0, send 1");
    refuses_one("\"rounds\": 1", "\"rounds\": 0", "{\"msccl_type\": \"step\"", "step 0 has 0 rounds");
    refuses_one("\"steps\": [", "\"stages\": [", "", "missing field `steps`");
    refuses_one("[0, 1, 0]]}", "[0, 1]]}", "{\"msccl_type\": \"topology\"", "no table of 3 by 3 bandwidths");
    refuses_one("\"pre\": [1]", "\"pre\": [9]", "{\"msccl_type\": \"chunk\"", "chunk 1 names rank 9, of 3");
    // two ranks whose sums share a word
    let twice = "would have the word of rank 0 of chunk 0 twice";
    refuses(ALL_REDUCE, "[0, 3, 2]]}", "[0, 0, 2]]}", "[0, 0, 2],\n   [0, 1, 3]", twice);
    let lacks = "rank 3 never gets the word of rank 0 of chunk 0";
    refuses(ALL_REDUCE, "   [0, 1, 3],\n", "", "{\"msccl_type\": \"chunk\", \"pre\": [0]", lacks);
    let full = "2 sends from rank 0 to rank 1, and the link takes 1";
    refuses(BROADCAST, "\"rounds\": 2", "\"rounds\": 1", "[1, 0, 1]", full);
    refuses(BROADCAST, "\"switches\": []", "\"switches\": [[[0], [1], 0, \"hub\"]]", "[0, 0, 1]", "through `hub`");
}

#[test]
fn routes_of_an_s4noc_with_a_fault_are_refused_where_they_are() {
    let refuses_one = |good, bad, place, message| refuses(TORUS, good, bad, place, message);
    refuses_one(" wsl|", "wsl|", "w", "in cycle 0 routes 0 and 1 both begin");
    refuses_one(" wsl|", " swl|", "swl|", "in cycle 1 routes 0 and 1 both take the channel `s`");
    refuses_one(" wsl|", " esl|", "esl|", "both lead 1 rows south and 1 columns east");
    refuses_one("     el|", "    el|", "l|", "in cycle 5 routes 3 and 4 both end, and a node takes one word a cycle");
    refuses_one("     el|", "     sl|", "sl|\n        nl", "both lead 1 rows south and 0 columns east");
    refuses_one("     el|", "     eeel|", "l|\n        nl", "in cycle 8 routes 4 and 6 both end");
    refuses_one("     el|\n", "", "nl|", "7 routes: an n×n network has n² - 1 routes");
    refuses_one(" wsl|", " w sl|", " sl|", "a route pauses on its way");
    refuses_one(" wsl|", " wsln|", "n|", "a route goes on after `l`");
    refuses_one(" wsl|", "\twsl|", "\twsl|", "a tab is no column");
    refuses_one(" wsl|", " l|", "l|", "a route without a hop");
    let torus = serde_json::json!({ "topology": "torus", "dims": [4, 4] });
    let hint = Hint { network: Some(&torus), collective: None };
    let error = form_of(TORUS).unwrap().read(TORUS, hint).unwrap_err();
    assert!(error.message.contains("no route leads"), "{error:?}");
}

#[test]
fn a_program_of_msccl_with_a_fault_is_refused_where_it_is() {
    let sum = |good, bad, place, message| refuses(MSCCL_SUM, good, bad, place, message);
    let gather = |good, bad, place, message| refuses(MSCCL_GATHER, good, bad, place, message);
    // a send that is missing: its receiver waits
    let lacks = "step 2 of threadblock 0 of GPU 1 waits for a send of GPU 0, and there is none";
    gather("type=\"s\"", "type=\"nop\"", "<step s=\"2\"", lacks);
    // a chunk that is another, or none
    let source = "srcbuf=\"i\" srcoff=\"0\" dstbuf=\"o\" dstoff=\"1\" cnt=\"1\" depid=\"-1\"";
    let empty = source.replace("srcbuf=\"i\"", "srcbuf=\"s\"");
    let nothing = "there is nothing in chunk 0 of buffer `s` of GPU 1";
    refuses(
        &MSCCL_GATHER.replace("type=\"r\" ", "type=\"r\"  "),
        &format!("\"s\" {source}"),
        &format!("\"s\" {empty}"),
        "<step",
        nothing,
    );
    gather("dstoff=\"2\"", "dstoff=\"1\"", "<gpu id=\"0\"", "output 2 of GPU 0 is nothing");
    // the sum lacks a GPU, or has one twice
    sum("type=\"re\"", "type=\"cpy\"", "<gpu", "is to be 0.0 + 1.0");
    sum("type=\"re\"", "type=\"what\"", "<step", "there is no type `what`");
    // a circle, and no order
    let circle = MSCCL_SUM.replacen("depid=\"-1\" deps=\"-1\"", "depid=\"1\" deps=\"1\"", 1);
    let error = refused(&circle);
    assert!(
        error.message.contains("steps wait for each other in a circle: step 0 of threadblock 0 of GPU 0"),
        "{error:?}"
    );
    sum(
        "depid=\"0\" deps=\"1\"",
        "depid=\"-1\" deps=\"-1\"",
        "<step",
        "there is nothing in chunk 0 of buffer `s` of GPU 0",
    );
    let (before, after) = MSCCL_SUM.rsplit_once("depid=\"0\" deps=\"1\"").unwrap();
    let race = format!("{before}depid=\"-1\" deps=\"-1\"{after}");
    refuses(&race, "algo", "algo", "<step", "neither waits for the other");
    sum("depid=\"0\" deps=\"1\"", "depid=\"0\" deps=\"9\"", "<step", "there is no step 9 of threadblock");
    sum("ngpus=\"2\"", "ngpus=\"3\"", "<algo", "2 GPUs, and `ngpus` is another number");
    sum("coll=\"allreduce\"", "coll=\"custom\"", "<algo", "there is no collective `custom`");
    sum("coll=\"allreduce\"", "coll=\"broadcast\"", "<algo", "does not say the root");
    sum("</algo>", "", "", "this is no XML");
}

#[test]
fn no_text_makes_a_reader_panic() {
    for text in [ALL_GATHER, ALL_REDUCE, BROADCAST, MSCCL_SUM, MSCCL_GATHER, TORUS] {
        // cut off anywhere, and every number changed
        let cuts = (0..text.len()).filter(|&end| text.is_char_boundary(end)).map(|end| text[..end].to_owned());
        let digits = text.match_indices(|c: char| c.is_ascii_digit()).flat_map(|(at, _)| {
            ["", "-1", "99999999999", "4294967295", "5"].map(|new| format!("{}{new}{}", &text[..at], &text[at + 1..]))
        });
        for text in cuts.chain(digits) {
            for form in FORMS {
                if let Err(error) = form.read(&text, Hint::default()) {
                    assert!(text.get(error.place.clone()).is_some(), "{error:?}");
                }
            }
        }
    }
}

#[test]
fn a_schedule_is_judged_and_compared_with_our_own() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| metronoc(folder.path(), args);
    fs::write(folder.path().join("square.toml"), "format = 1\n[network]\ntopology = \"hypercube\"\nd = 2\n").unwrap();
    let check = |name: &str, network: &[&str]| run(&[&["check", &example(name)], network].concat()).success();
    let own = |text: &'static str| contains("times      of the file").and(contains("best ")).and(contains(text));
    check("all-gather.json", &[]).stdout(own("cycles     2, 1.000 times"));
    check("all-reduce.json", &[]).stdout(own("all-reduce").and(contains("cycles     2, 1.000 times")));
    check("torus-3x3.txt", &[]).stdout(own("same ports 9 cycles").and(contains("period     10")));
    // on another network times are made anew, with the cycles of the operator
    let anew = contains("times      made by list scheduling").and(contains("hypercube: 4 nodes"));
    check("all-reduce.json", &["--network", "square.toml"]).stdout(anew);
    // a link of one channel that is used in two rounds, where no node leads back to the first
    check("broadcast.json", &[]).stdout(contains("broadcast").and(contains("cycles     4")));
    let bad = ["check", &example("all-gather.json"), "--network", "square.toml"];
    run(&bad).code(3).stderr(contains("3 ranks on a network of 4 nodes"));
    let bad = ["check", &example("torus-3x3.txt"), "--network", "square.toml"];
    run(&bad).code(3).stderr(contains("the network is another"));
    run(&["check", "square.toml", "--network", "square.toml"]).code(2).stderr(contains("names its network itself"));
    fs::write(folder.path().join("bad.json"), ALL_GATHER.replacen("[1, 1, 2]", "[2, 1, 2]", 1)).unwrap();
    run(&["check", "bad.json"]).code(4).stderr(contains("bad.json:10:4").and(contains("help:")));
}

#[test]
fn a_schedule_is_built_and_agrees_with_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| metronoc(folder.path(), args);
    run(&["simulate", &example("torus-2x2.txt")]).success().stdout(contains("as the collective is defined"));
    let agree = contains("hardware and model agree: 2 collectives of 4 nodes");
    run(&["cosim", &example("torus-2x2.txt"), "--random"]).success().stdout(agree.clone());
    run(&["generate", &example("all-reduce.json"), "-o", "rtl"]).code(4).stderr(contains("`--network`"));
    fs::write(folder.path().join("square.toml"), "format = 1\n[network]\ntopology = \"hypercube\"\nd = 2\n").unwrap();
    let sums = ["cosim", &example("all-reduce.json"), "--network", "square.toml", "--random"];
    run(&sums).success().stdout(agree);
}

#[test]
fn every_command_on_schedules_takes_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| metronoc(folder.path(), args);
    fs::write(folder.path().join("square.toml"), "format = 1\n[network]\ntopology = \"hypercube\"\nd = 2\n").unwrap();
    let sums = example("all-reduce.json");
    run(&["report", &sums, "--network", "square.toml", "-o", "page.html"]).success();
    assert!(fs::read_to_string(folder.path().join("page.html")).unwrap().contains("hypercube"));
    for network in ["square.toml", "none.toml"] {
        let wanted = if network == "none.toml" { network } else { "no-port" };
        run(&["run", &sums, "--network", network, "--port", "no-port"]).failure().stderr(contains(wanted));
    }
    run(&["synth", &sums, "--network", "none.toml", "--board", "ulx3s"]).failure().stderr(contains("none.toml"));
}

#[test]
fn a_program_of_msccl_is_scheduled_and_built() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| metronoc(folder.path(), args);
    let made = contains("times      made by list scheduling");
    run(&["check", &example("all-reduce.xml")])
        .success()
        .stdout(made.clone().and(contains("cycles     1, 1.000 times")));
    // on a line the words of the ring take ways over a third node
    fs::write(folder.path().join("line.toml"), "format = 1\n[network]\ntopology = \"mesh\"\ndims = [3]\n").unwrap();
    let on_line = ["check", &example("all-gather.xml"), "--network", "line.toml"];
    run(&on_line).success().stdout(made.and(contains("mesh: 3 nodes")));
    let built = ["cosim", &example("all-reduce.xml"), "--random"];
    run(&built).success().stdout(contains("hardware and model agree"));
    // a collective that the file does not name is that of the network's specification, and no other
    let custom = include_str!("foreign/all-gather.xml").replace("allgather", "custom");
    fs::write(folder.path().join("custom.xml"), custom).unwrap();
    run(&["check", "custom.xml"]).code(3).stderr(contains("there is no collective `custom`"));
    let spec = "format = 1\n[network]\ntopology = \"ring\"\nnodes = 3\n[collective]\nkind = \"all-gather\"\n";
    fs::write(folder.path().join("ring.toml"), spec).unwrap();
    run(&["check", "custom.xml", "--network", "ring.toml"]).success().stdout(contains("collective all-gather"));
    fs::write(folder.path().join("ring.toml"), spec.replace("all-gather", "all-to-all")).unwrap();
    run(&["check", "custom.xml", "--network", "ring.toml"]).code(4).stderr(contains("output 0 of GPU 1 is 0.0"));
}

#[test]
fn a_schedule_that_was_written_in_a_form_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| metronoc(folder.path(), args);
    let spec = |name: &str, network: &str, collective: &str| {
        let text =
            format!("format = 1\n[network]\n{network}\n[collective]\n{collective}\n[schedule]\ntime_limit_s = 1\n");
        fs::write(folder.path().join(name), text).unwrap();
    };
    let cycles = |file: &str| {
        let out = run(&["check", file, "--json"]).success().get_output().stdout.clone();
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        (value["cycles"].as_u64().unwrap(), value["collective"]["kind"].as_str().unwrap().to_owned())
    };
    let ring = "topology = \"ring\"\nnodes = 4";
    for kind in ["all-to-all", "all-gather", "broadcast", "gather", "scatter", "reduce", "reduce-scatter", "all-reduce"]
    {
        // a rank of SCCL adds up what meets, and passes nothing on apart from that
        let trees = if kind.contains("reduce") { "\nalgorithm = \"matching\"" } else { "" };
        spec("spec.toml", ring, &format!("kind = \"{kind}\"{trees}"));
        let to_sccl = ["schedule", "spec.toml", "--format", "sccl", "-o", "algo.json", "--force"];
        run(&to_sccl).success();
        assert_eq!(cycles("algo.json"), cycles("spec.toml"), "{kind}");
        run(&["schedule", "spec.toml", "--format", "msccl-xml", "-o", "algo.xml", "--force"]).success();
        let (slots, of) = match kind {
            // MSCCL does not name the root
            "broadcast" | "gather" | "scatter" | "reduce" => {
                run(&["check", "algo.xml"]).code(3).stderr(contains("does not say the root"));
                let on = ["check", "algo.xml", "--network", "spec.toml"];
                run(&on).success().stdout(contains(format!("collective {kind}")));
                continue;
            }
            _ => cycles("algo.xml"),
        };
        assert_eq!(of, kind);
        assert!(slots <= 2 * cycles("spec.toml").0, "{kind}: {slots}");
    }
    // sums of several parts, on the network of a specification
    let mesh = "topology = \"mesh\"\ndims = [2, 3]";
    for collective in ["kind = \"reduce-scatter\"", "kind = \"all-reduce\"\nwords = 3", "kind = \"reduce\"\nwords = 2"]
    {
        for (form, file, by) in [("sccl", "algo.json", "matching"), ("msccl-xml", "algo.xml", "gather-and-sum")] {
            spec("spec.toml", mesh, &format!("{collective}\nalgorithm = \"{by}\""));
            run(&["schedule", "spec.toml", "--format", form, "-o", file, "--force"]).success();
            let kind = collective.split('"').nth(1).unwrap();
            let on = ["check", file, "--network", "spec.toml"];
            run(&on).success().stdout(contains(format!("collective {kind}")).and(contains("mesh: 6 nodes")));
        }
    }
    spec("spec.toml", mesh, "kind = \"all-reduce\"\nalgorithm = \"gather-and-sum\"");
    let to_sccl = ["schedule", "spec.toml", "--format", "sccl"];
    run(&to_sccl)
        .code(4)
        .stderr(contains("the form `sccl` cannot say this schedule").and(contains("sums along trees")));
    // two words of a node in one part
    spec("spec.toml", mesh, "kind = \"reduce-scatter\"\nwords = 2");
    for form in ["sccl", "msccl-xml"] {
        let two = contains("node 0 has two words of part 0 of the sum").and(contains("words = 1"));
        run(&["schedule", "spec.toml", "--format", form]).code(4).stderr(two);
    }
    // a schedule of the file's own form comes back as it is
    let again = |file: &str, format: &str, to: &str| {
        run(&["schedule", &example(file), "--format", format, "-o", to, "--force"]).success();
        run(&["schedule", to, "--format", "json", "-o", "b.json", "--force"]).success();
        run(&["schedule", &example(file), "--format", "json", "-o", "a.json", "--force"]).success();
        let read =
            |name: &str| serde_json::from_slice::<serde_json::Value>(&fs::read(folder.path().join(name)).unwrap());
        let (a, b) = (read("a.json").unwrap(), read("b.json").unwrap());
        assert_eq!((&a["cycles"], &a["repeat_every"]), (&b["cycles"], &b["repeat_every"]), "{file}");
        let transfers = |value: &serde_json::Value| value["transfers"].as_array().unwrap().len();
        assert_eq!(transfers(&a), transfers(&b), "{file}");
    };
    again("all-gather.json", "sccl", "c.json");
    again("all-reduce.json", "sccl", "c.json");
    again("torus-3x3.txt", "sccl", "c.json");
    again("torus-3x3.txt", "s4noc", "c.txt");
    assert_eq!(fs::read_to_string(folder.path().join("c.txt")).unwrap(), TORUS);
    // forms that cannot say a schedule
    let refused = |spec: &str, format: &str, text: &str| {
        run(&["schedule", spec, "--format", format]).code(4).stderr(contains(text).and(contains("help:")));
    };
    spec("ring.toml", ring, "kind = \"all-to-all\"");
    refused("ring.toml", "s4noc", "an S4NOC is a torus");
    spec("slow.toml", &format!("{ring}\n[network.latency]\nall = 2"), "kind = \"all-to-all\"");
    refused("slow.toml", "sccl", "a hop takes 2 cycles");
    spec("torus.toml", "topology = \"torus\"\ndims = [3, 3]", "kind = \"all-to-all\"");
    refused("torus.toml", "s4noc", "the schedule is none of an S4NOC");
    spec("pairs.toml", ring, "kind = \"permutation\"\npermutation = [1, 0, 3, 2]");
    refused("pairs.toml", "msccl-xml", "MSCCL has no name for `permutation`");
    let pops = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pops.toml");
    refused(pops, "sccl", "the form has no circuits");
}
