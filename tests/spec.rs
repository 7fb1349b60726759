//! Specifications: those in `specs/ok` parse to the JSON beside them, those in `specs/err` give the diagnostics beside
//! them, and the committed schema is that of the types. `UPDATE=1 cargo test` writes what is expected anew.

use metronoc::spec::{RouterSpec, Spec, schema};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// The specifications of a folder, in order.
fn specs(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut specs: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
    specs.sort();
    specs
}

/// Compares with a committed file, or writes it.
fn expect(path: &Path, actual: &str) -> Result<(), String> {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path, actual).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    if expected == actual { Ok(()) } else { Err(format!("{}:\n{expected}--- but is\n{actual}", path.display())) }
}

fn all(results: impl Iterator<Item = Result<(), String>>) {
    let failures: Vec<String> = results.filter_map(Result::err).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn good_specifications_parse_with_their_defaults() {
    let files = specs("tests/specs/ok");
    assert!(files.len() >= 8);
    all(files.iter().map(|file| {
        let spec = Spec::load(file).map_err(|error| error.to_string())?;
        expect(&file.with_extension("json"), &format!("{}\n", serde_json::to_string_pretty(&spec).unwrap()))
    }));
}

#[test]
fn bad_specifications_are_explained() {
    let files = specs("tests/specs/err");
    assert!(files.len() >= 50);
    all(files.iter().map(|file| {
        let Err(error) = Spec::load(file) else { return Err(format!("{} was taken", file.display())) };
        let shown: Vec<String> = error.diagnostics().iter().map(|d| d.render(false)).collect();
        assert!(shown.iter().all(|d| d.contains("help: ")), "no help:\n{}", shown.join("\n"));
        expect(&file.with_extension("expect"), &format!("{}\n", shown.join("\n\n")))
    }));
}

#[test]
fn lines_and_columns_are_exact() {
    let text = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 3\nm = \u{df}\u{df}\u{df}\n";
    let place = |text: &str| Spec::parse("x", text).unwrap_err().diagnostics()[0].line_column();
    assert_eq!(place(text), Some((5, 5)));
    assert_eq!(place(&text.replace("\u{df}\u{df}\u{df}", "2\n\"\u{df}\" = 1")), Some((6, 1)));
    assert_eq!(place(&text.replace("\u{df}\u{df}\u{df}", "2\nx = { \u{22}\u{df}\u{22} = 1 }")), Some((6, 1)));
}

#[test]
fn later_stages_point_at_the_line() {
    let text = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 3\nm = 5\n[collective]\nwords = 2\n";
    let spec = Spec::parse("x.toml", text).unwrap();
    let at = |field| spec.diagnostic(field, "no", "do").line_column();
    assert_eq!(at("collective.words"), Some((7, 9)));
    assert_eq!(at("collective.algorithm"), Some((6, 1)));
    assert_eq!(at("router.parity"), None);
    let shown = spec.diagnostic("collective.algorithm", "no such order", "choose another").render(false);
    assert!(shown.contains("x.toml:6:1") && shown.contains("at its default"), "{shown}");
    assert!(shown.ends_with("= help: choose another"), "{shown}");
}

#[test]
fn what_is_no_text_file_is_told_apart() {
    let message = |path: &str| Spec::load(Path::new(path)).unwrap_err().diagnostics()[0].render(false);
    assert!(message("tests").contains("`tests` is a folder"));
    assert!(message("tests/none.toml").contains("there is no file"));
    assert!(message("tests/specs/err/not-utf-8.toml").contains("line 2"));
}

#[test]
fn a_hundred_errors_are_shown_and_the_others_counted() {
    let start = std::time::Instant::now();
    // errors of TOML, and errors of keys
    for line in ["k = = 1\n", "k = tall\n", "[[[\n", "\"\n"] {
        let diagnostics = Spec::parse("x", &line.repeat(100_000)).unwrap_err().diagnostics();
        assert_eq!(diagnostics.len(), 101, "{line}");
        assert_eq!(diagnostics[99].line_column().unwrap().0, 100);
        assert!(diagnostics[100].render(false).starts_with("error: 99900 more errors"), "{line}");
    }
    let keys: String = (0..1000).map(|i| format!("key{i} = 1\n")).collect();
    assert_eq!(Spec::parse("x", &keys).unwrap_err().diagnostics().len(), 101);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn texts_are_quoted_in_part() {
    let long = "x".repeat(1000);
    let message = |text: String| Spec::parse("x", &text).unwrap_err().diagnostics()[0].message().to_owned();
    let network = |k: &str| format!("format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nm = 2\n{k}");
    for text in [
        network(&format!("k = 1\ngroup = \"{long}\"")),
        network(&format!("k = 1\n{long} = 2")),
        network(&format!("k = 1\n[router]\npayload_bits = {}", "1".repeat(1000))),
    ] {
        let message = message(text);
        assert!(message.contains('…') && message.len() < 120, "{message}");
    }
    assert!(message(network("k = 1\ngroup = \"\\u001b[2J\"")).contains("\\u{1b}[2J"));
}

#[test]
fn a_specification_is_a_file_of_a_limited_size() {
    let message = |path: &Path| Spec::load(path).unwrap_err().diagnostics()[0].render(false);
    let endless = message(Path::new("/dev/zero"));
    assert!(endless.contains("longer than 12 MiB") && endless.contains("help: "), "{endless}");
    let folder = tempfile::TempDir::new().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let unwritten = message(&pipe);
    assert!(unwritten.contains("no process wrote to it") && unwritten.contains("help: "), "{unwritten}");
    // a writer that is there gets its time, and its byte order mark is no text
    let text = "\u{feff}format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 2\n";
    let to = folder.path().join("other");
    assert!(std::process::Command::new("mkfifo").arg(&to).status().unwrap().success());
    let writer = std::thread::spawn({
        let to = to.clone();
        move || std::fs::write(to, text)
    });
    assert!(Spec::load(&to).is_ok());
    writer.join().unwrap().unwrap();
}

#[test]
fn the_committed_schema_is_that_of_the_types() {
    expect(Path::new("docs/metronoc-spec.schema.json"), &schema::schema()).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn schema_and_parser_agree_on_networks_in_slot_tables() {
    let schema: Value = serde_json::from_str(&schema::schema()).unwrap();
    let sizes = |topology: &str| match topology {
        "torus" | "mesh" => &[("dims", "[2, 2]")][..],
        "ring" | "complete" => &[("nodes", "4")],
        "hypercube" => &[("d", "2")],
        "kautz" | "de-bruijn" => &[("degree", "2"), ("diameter", "1")],
        "dragonfly" => &[("a", "1"), ("h", "0"), ("g", "1")],
        "galaxyfly" => &[("n", "1"), ("q", "3"), ("a", "1")],
        "hierarchical-dual-net" => &[("base", "[\"ring:2\"]"), ("levels", "[[]]")],
        "fat-cube" => &[("d", "6"), ("m", "8")],
        "swapped-dragonfly" => &[("k", "1"), ("m", "2"), ("ports", "\"all\"")],
        _ => &[("file", "\"x.csv\"")],
    };
    let takes = |topology: &str, table: &str, key: &str, value: i128| {
        let others: String = sizes(topology)
            .iter()
            .filter(|(name, _)| table.contains('.') || *name != key)
            .map(|(name, value)| format!("{name} = {value}\n"))
            .collect();
        let text = match table {
            "network" => format!("{key} = {value}\n{others}"),
            _ => format!("{others}[{table}]\n{key} = {value}\n"),
        };
        let router = "[router]\nkind = \"slot-table\"\n";
        let errors = Spec::parse("x", &format!("format = 1\n[network]\ntopology = \"{topology}\"\n{text}{router}"));
        !errors.err().map(|e| e.to_string()).unwrap_or_default().contains("out of range")
    };
    let mut ranges = 0;
    let mut agree = |topology: &str, table: &str, key: &str, property: &Value| {
        let (Some(low), Some(high)) = (property["minimum"].as_u64(), property["maximum"].as_u64()) else { return };
        let (low, high) = (i128::from(low), i128::from(high));
        let found = [low - 1, low, high, high + 1].map(|value| takes(topology, table, key, value));
        assert_eq!(found, [false, true, true, false], "{topology} {table}.{key}");
        ranges += 1;
    };
    let known = schema["$defs"]["NetworkSpec"]["oneOf"].as_array().unwrap();
    let in_tables = known.iter().filter(|network| network["properties"]["exclude_nodes"].is_object());
    for properties in in_tables.map(|network| network["properties"].as_object().unwrap()) {
        let topology = properties["topology"]["const"].as_str().unwrap();
        properties.iter().for_each(|(key, property)| agree(topology, "network", key, property));
        let latency = properties.get("latency").map_or(&Value::Null, |latency| &latency["anyOf"][0]);
        agree(topology, "network", "latency", latency);
    }
    for (key, property) in schema["$defs"]["LatencySpec"]["properties"].as_object().unwrap() {
        agree("dragonfly", "network.latency", key, property);
    }
    assert_eq!(ranges, 34);
}

/// The parser is written by hand: whatever the schema lists it must take, and at the limits of the schema alone.
#[test]
fn schema_and_parser_agree() {
    let schema: Value = serde_json::from_str(&schema::schema()).unwrap();
    let tables = [
        ("network", &schema["$defs"]["NetworkSpec"]["oneOf"][0]),
        ("router", &schema["$defs"]["RouterSpec"]),
        ("collective", &schema["$defs"]["CollectiveSpec"]["oneOf"][0]),
        ("broadcast", &schema["$defs"]["CollectiveSpec"]["oneOf"][1]),
        ("all-reduce", &schema["$defs"]["CollectiveSpec"]["oneOf"][2]),
        ("prefix-scan", &schema["$defs"]["CollectiveSpec"]["oneOf"][3]),
        ("bitonic-sort", &schema["$defs"]["CollectiveSpec"]["oneOf"][4]),
        ("matrix-matrix", &schema["$defs"]["CollectiveSpec"]["oneOf"][7]),
        ("transpose", &schema["$defs"]["CollectiveSpec"]["oneOf"][8]),
        ("schedule", &schema["$defs"]["ScheduleSpec"]),
    ];
    let full = [
        "everything",
        "embed",
        "broadcast",
        "broadcast-copies",
        "all-reduce",
        "matrix-matrix",
        "pops-hardware",
        "pops-loaded",
        "slot-table",
        "traffic",
        "dragonfly",
        "swapped-dragonfly-in-slot-tables",
    ];
    let full = full.map(|name| std::fs::read_to_string(format!("tests/specs/ok/{name}.toml")).unwrap());
    let full = full.concat();
    let mut ranges = 0;
    for (table, definition) in tables {
        for (key, property) in definition["properties"].as_object().unwrap() {
            let line = full.lines().find(|line| line.starts_with(&format!("{key} = "))).expect(key);
            let (Some(low), Some(high)) = (property["minimum"].as_u64(), property["maximum"].as_u64()) else {
                continue;
            };
            let parses = |value: i128| {
                // Alone with a network that allows every value of the key.
                let rest = match (table, key.as_str()) {
                    ("network", "k") => "m = 2\n".to_owned(),
                    ("network", _) => "k = 1\n".to_owned(),
                    ("collective", "s") => "k = 1\nm = 2\n[collective]\nalgorithm = \"doubly-parallel\"\n".to_owned(),
                    ("broadcast" | "all-reduce" | "prefix-scan" | "bitonic-sort", _) => {
                        format!("k = 1\nm = 2\n[collective]\nkind = \"{table}\"\n")
                    }
                    ("matrix-matrix" | "transpose", _) => {
                        format!("k = 1\nm = 2\n[collective]\nkind = \"{table}\"\n")
                    }
                    _ => format!("k = 1\nm = 2\n[{table}]\n"),
                };
                // The sizes of the network above stand for other keys than the one that is tried.
                let text = format!("format = 1\n[network]\ntopology = \"swapped-dragonfly\"\n{rest}{key} = {value}\n");
                let errors = Spec::parse("x", &text).err().map(|e| e.to_string()).unwrap_or_default();
                !errors.contains("out of range")
            };
            let (low, high) = (i128::from(low), i128::from(high));
            let found = [low - 1, low, high, high + 1].map(parses);
            assert_eq!(found, [false, true, true, false], "{table}.{key} in {line}");
            ranges += 1;
        }
    }
    assert_eq!(ranges, 26);
    assert_eq!(
        schema["$defs"]["RouterSpec"]["properties"]["payload_bits"]["default"],
        RouterSpec::default().payload_bits
    );
}

/// Keys of collectives on networks that run in slot tables, at the limits of the schema alone.
#[test]
fn schema_and_parser_agree_on_any_network() {
    let schema: Value = serde_json::from_str(&schema::schema()).unwrap();
    let (mut names, mut ranges) = (0, 0);
    for kind in schema["$defs"]["GeneralCollective"]["oneOf"].as_array().unwrap() {
        let properties = kind["properties"].as_object().unwrap();
        let parse = |name: &str, key: &str, value: i128| {
            let network = "[network]\ntopology = \"ring\"\nnodes = 2\n";
            let text = format!("format = 1\n{network}[collective]\nkind = \"{name}\"\n{key} = {value}\n");
            Spec::parse("x", &text).err().map(|error| error.to_string()).unwrap_or_default()
        };
        let own = &properties["kind"];
        let all = own["enum"].as_array().cloned().unwrap_or_else(|| vec![own["const"].clone()]);
        for name in all.iter().map(|name| name.as_str().unwrap()) {
            names += 1;
            assert!(parse(name, "none", 1).contains("unknown key `none`"), "{name}");
            for (key, property) in properties {
                assert!(!parse(name, key, 1).contains("unknown key"), "{name}.{key}");
                let (Some(low), Some(high)) = (property["minimum"].as_u64(), property["maximum"].as_u64()) else {
                    continue;
                };
                let (low, high) = (i128::from(low), i128::from(high));
                let found =
                    [low - 1, low, high, high + 1].map(|value| !parse(name, key, value).contains("out of range"));
                assert_eq!(found, [false, true, true, false], "{name}.{key}");
                ranges += 1;
            }
        }
    }
    assert_eq!((names, ranges), (12, 48));
}
