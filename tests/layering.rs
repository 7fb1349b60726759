//! A stage imports earlier stages only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The stages of the pipeline, in order, each on a line with those beside it. Modules of one line are independent of
/// each other. Topologies know their own arithmetic, which a specification names, so they come first; what a
/// specification chooses among must exist.
const ORDER: &[&[&str]] = &[
    &["id", "input", "interrupt"],
    &["topology", "tool", "board"],
    &["output", "spec", "claims"],
    &["collective"],
    &["program"],
    &["schedule", "simulate"],
    &["check"],
    &["lower"],
    &["emit", "model"],
    &["cosim", "synth", "prove"],
    &["report"],
    &["cli"],
];

fn rank(module: &str) -> Option<usize> {
    ORDER.iter().position(|line| line.contains(&module))
}

fn rust_files(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            into.push(path);
        }
    }
}

/// The modules that a text names after `crate::`, with the line; comments and the tests of a module do not count.
fn imports(text: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("#[cfg(test)]") {
            break;
        }
        let code = line.split("//").next().unwrap_or_default();
        for (at, _) in code.match_indices("crate::") {
            let rest = &code[at + "crate::".len()..];
            // `use crate::{a::B, c}` names several.
            let inner = rest.strip_prefix('{').map_or(rest, |list| list.split('}').next().unwrap_or(list));
            let names = if inner.len() < rest.len() { inner.split(',').collect() } else { vec![inner] };
            for name in names {
                let module: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                found.entry(module).or_insert(number + 1);
            }
        }
    }
    found
}

fn violations(module: &str, text: &str) -> Vec<String> {
    let own = rank(module).unwrap_or_else(|| panic!("`{module}` has no place in the order of stages"));
    let bad = imports(text).into_iter().filter(|(import, _)| {
        // Names that are no modules are macros.
        import != module && rank(import).is_some_and(|rank| rank >= own)
    });
    bad.map(|(import, line)| format!("line {line}: `{module}` imports `{import}`")).collect()
}

#[test]
fn stages_import_earlier_stages_only() {
    let mut files = Vec::new();
    rust_files(Path::new("src"), &mut files);
    let mut all = Vec::new();
    for file in files {
        let relative = file.strip_prefix("src").unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        if ["lib", "main"].contains(&module) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        all.extend(violations(module, &text).into_iter().map(|v| format!("{}: {v}", file.display())));
    }
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn a_later_stage_is_noticed() {
    assert_eq!(
        violations("schedule", "use crate::topology::X;\nuse crate::check::Y;"),
        ["line 2: `schedule` imports `check`"]
    );
    assert_eq!(violations("check", "use crate::{id::NodeId, emit};").len(), 1);
    assert_eq!(violations("model", "fn f() { crate::emit::text() }").len(), 1);
    assert_eq!(violations("emit", "// crate::cosim\nuse crate::lower::Z;"), [""; 0]);
}
