//! A stage imports earlier stages only, files of a stage import each other without a circle, and the checker has nothing of the
//! schedulers.

use crate::common::imports::Crate;
use std::path::Path;

/// The stages of the pipeline, in order, each on a line with those beside it. Modules of one line are independent of
/// each other. Topologies and collectives know the keys that a specification names, so they come first; what a
/// specification chooses among must exist.
const ORDER: &[&[&str]] = &[
    &["count", "hash", "id", "input", "interrupt"],
    &["topology", "tool", "board"],
    &["collective"],
    &["output", "spec", "claims"],
    &["sweep"],
    &["program"],
    &["schedule", "simulate", "check"],
    &["lower"],
    &["emit", "model"],
    &["cosim", "synth", "prove"],
    &["family"],
    &["report"],
    &["cli"],
    &["compile"],
];

/// Modules of which the checker reads data only: it follows headers, and derives times of forms, by rules of its own.
const DATA: &[&str] = &["topology::swapped_dragonfly::headers::", "program::form::"];

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|line| line.contains(&module))
}

/// Imports of later stages, a line each.
fn violations(all: &Crate) -> Vec<String> {
    let mut found = Vec::new();
    for module in all.modules().filter(|module| !module.is_empty()) {
        let own = rank(&module[0]).unwrap_or_else(|| panic!("`{}` has no place in the order of stages", module[0]));
        let later = |stage: &str| stage != module[0] && rank(stage).is_some_and(|rank| rank >= own);
        let bad = all.named(module).filter(|(path, _)| path.first().is_some_and(|stage| later(stage)));
        found.extend(
            bad.map(|(path, line)| format!("{}, line {line}: imports `{}`", module.join("/"), path.join("::"))),
        );
    }
    found
}

/// Paths of the checker to functions of the modules whose data it reads, methods of known types included.
fn calls(all: &Crate) -> Vec<String> {
    let mut found = Vec::new();
    for module in all.modules().filter(|module| module.first().is_some_and(|stage| stage == "check")) {
        for (path, line) in all.named(module) {
            let name = path.join("::");
            // modules, then a type, then perhaps a variant or a constant
            let mut parts = path.iter().skip_while(|part| part.starts_with(char::is_lowercase)).peekable();
            let data = parts.peek().is_some() && parts.all(|part| part.starts_with(char::is_uppercase));
            if DATA.iter().any(|foreign| name.starts_with(foreign)) && !data {
                found.push(format!("{}, line {line}: `{name}`", module.join("/")));
            }
        }
    }
    found
}

/// Circles of imports, a line each.
fn circles(all: &Crate) -> Vec<String> {
    all.circles().iter().map(|circle| format!("a circle: {}", circle.join(", "))).collect()
}

fn source() -> Crate {
    Crate::read(Path::new("src"))
}

fn small(texts: &[(&str, &str)]) -> Crate {
    Crate::of(texts.iter().map(|(path, text)| (path.split('/').map(String::from).collect(), (*text).to_owned())))
}

fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn stages_import_earlier_stages_only() {
    assert_none(&violations(&source()));
}

#[test]
fn files_import_each_other_in_no_circle() {
    assert_none(&circles(&source()));
}

#[test]
fn the_checker_takes_only_data_from_headers_and_forms() {
    assert_none(&calls(&source()));
}

#[test]
fn a_later_stage_is_noticed() {
    let later = small(&[
        ("schedule", "use crate::topology::X;\nuse crate::check::Y;"),
        ("check", "use crate::{id::NodeId, emit};"),
        ("model", "fn f() { println!(\"{}\", crate::emit::text()) }"),
        ("emit", "// crate::cosim\nuse crate::lower::Z;\n#[cfg(test)]\nmod tests { use crate::cli::W; }"),
    ]);
    assert_eq!(
        violations(&later),
        [
            "check, line 1: imports `emit`",
            "model, line 1: imports `emit::text`",
            "schedule, line 2: imports `check::Y`"
        ]
    );
}

#[test]
fn a_circle_is_noticed() {
    let shared = ("check/a", "use super::b::f;\nuse super::Shared;\npub struct A;");
    let folder = ("check", "mod a;\nmod b;\npub use b::Shared;\nfn g() { a::A; }");
    let circle = small(&[folder, shared, ("check/b", "pub struct Shared;\npub fn f() { super::a::A; }")]);
    assert_eq!(circles(&circle), ["a circle: check/a, check/b"]);
    let line = small(&[folder, shared, ("check/b", "pub struct Shared;\npub fn f() {}")]);
    assert_eq!(circles(&line), [""; 0]);
    // what a folder's face defines ties its files to it
    let face = small(&[("check", "mod a;\npub struct Shared;\nfn g() { a::A; }"), shared]);
    assert_eq!(circles(&face), ["a circle: check, check/a"]);
}

#[test]
fn a_call_of_the_checker_is_noticed() {
    let data = "use crate::program::form::swapped_dragonfly::uniform::HopLatency;\nuse crate::topology::swapped_dragonfly::headers::{self, Header};";
    let check = |code: &str| {
        let headers = ("topology/swapped_dragonfly/headers", "pub struct Header;\npub fn steps() {}");
        calls(&small(&[
            ("check", &format!("{data}\nfn f() {{ {code} }}")),
            ("program/form/swapped_dragonfly/uniform", ""),
            headers,
        ]))
    };
    assert_eq!(check("HopLatency { local: 1 }; Header::B;"), [""; 0]);
    assert_eq!(
        check("HopLatency::made();"),
        ["check, line 3: `program::form::swapped_dragonfly::uniform::HopLatency::made`"]
    );
    assert_eq!(check("headers::steps();"), ["check, line 3: `topology::swapped_dragonfly::headers::steps`"]);
}
