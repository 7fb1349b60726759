//! The manual's index of keys has every key of the schema with its chapter.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Keys of a schema as paths, such as `network.embed.c`.
fn keys(schema: &Value) -> BTreeSet<String> {
    fn walk(schema: &Value, node: &Value, path: &str, keys: &mut BTreeSet<String>) {
        for name in ["oneOf", "anyOf", "allOf"] {
            node[name].as_array().into_iter().flatten().for_each(|part| walk(schema, part, path, keys));
        }
        if let Some(definition) = node["$ref"].as_str() {
            walk(schema, schema.pointer(&definition[1..]).unwrap(), path, keys);
        }
        if node["items"].is_object() {
            walk(schema, &node["items"], path, keys);
        }
        for (key, property) in node["properties"].as_object().into_iter().flatten() {
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            walk(schema, property, &path, keys);
            keys.insert(path);
        }
    }
    let mut all = BTreeSet::new();
    walk(schema, schema, "", &mut all);
    all
}

/// Anchor that mdBook gives to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || "_- ".contains(*c));
    kept.collect::<String>().trim().to_lowercase().replace(' ', "-")
}

/// Text of a section, without its subsections, given a chapter and an anchor.
fn section(chapter: &str, name: &str) -> Option<String> {
    let mut lines = chapter.lines().skip_while(|line| !line.starts_with('#') || anchor(line.trim_matches('#')) != name);
    lines.next()?;
    let mut is_code = false;
    let rest = lines.take_while(|line| {
        is_code ^= line.trim_start().starts_with("```");
        is_code || !line.starts_with('#')
    });
    Some(rest.collect::<Vec<_>>().join("\n"))
}

/// Faults of an index of keys: keys without a row, rows without a key, and chapters that do not name their key.
fn faults(schema: &BTreeSet<String>, index: &str) -> Vec<String> {
    let rows: Vec<(&str, &str)> =
        index.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |")).collect();
    let listed: BTreeSet<String> = rows.iter().map(|(key, _)| (*key).to_owned()).collect();
    let mut faults: Vec<String> = schema.difference(&listed).map(|key| format!("{key} has no row")).collect();
    faults.extend(listed.difference(schema).map(|key| format!("{key} is no key")));
    if rows.len() != listed.len() {
        faults.push("a key has two rows".into());
    }
    for (key, row) in rows {
        let links: Vec<&str> = row.split("](").skip(1).map(|link| link.split(')').next().unwrap()).collect();
        if links.is_empty() {
            faults.push(format!("{key} has no chapter"));
        }
        let name = key.rsplit('.').next().unwrap();
        for link in links {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let chapter = fs::read_to_string(Path::new("docs/src").join(file)).unwrap_or_default();
            match section(&chapter, heading) {
                None => faults.push(format!("{key}: there is no {link}")),
                Some(text) if key.contains('.') && !names(&text, name) => {
                    faults.push(format!("{link} does not name {key}"));
                }
                Some(_) => {}
            }
        }
    }
    faults
}

/// True if a text has a key in code: `key`, `key = …`, or a line `key = …`.
fn names(text: &str, key: &str) -> bool {
    let quoted = [format!("`{key}`"), format!("`{key} ="), format!(".{key}`")];
    quoted.iter().any(|quoted| text.contains(quoted))
        || text
            .lines()
            .any(|line| line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('=')))
}

#[test]
fn the_index_of_keys_is_that_of_the_schema() {
    let schema = keys(&serde_json::from_str(&metronoc::spec::schema::schema()).unwrap());
    assert!(schema.len() > 90 && schema.contains("network.embed.c"));
    let index = fs::read_to_string("docs/src/keys.md").unwrap();
    assert_eq!(faults(&schema, &index).join("; "), "");
    // an index with a defect is refused
    let broken = |from: &str, to: &str| {
        assert!(index.contains(from), "{from}");
        faults(&schema, &index.replace(from, to)).join("; ")
    };
    assert!(
        broken("| `router.parity`", "| `router.purity`").contains("router.parity has no row; router.purity is no key")
    );
    assert_eq!(broken("specification.md#schedule)", "specification.md#schedules)").matches("there is no").count(), 7);
    assert_eq!(broken("pops.md#dynamic-mode)", "pops.md#faults)").matches("does not name").count(), 10);
    assert!(
        broken("[`[router]`](specification.md#router) |\n| `router.payload", "|\n| `router.payload")
            .contains("has no chapter")
    );
}
