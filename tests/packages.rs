//! Generated folders as other tools see them: names, FuseSoC cores, the IP-XACT component.

use assert_cmd::Command;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn generated(spec: &str, folder: &Path, more: &[&str]) -> assert_cmd::assert::Assert {
    let spec = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(spec);
    let mut command = Command::cargo_bin("metronoc").unwrap();
    command.arg("generate").arg(spec).arg("-o").arg(folder).args(more).assert()
}

fn read(folder: &Path, file: &str) -> String {
    std::fs::read_to_string(folder.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Modules of the files of a list, with the text of each one's file.
fn modules(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for file in read(folder, "filelist.f").lines() {
        let text = read(folder, file);
        let declared = text.lines().filter_map(|line| line.strip_prefix("module ")?.split_whitespace().next());
        let names: Vec<String> = declared.map(|name| name.trim_end_matches(['(', ';']).to_owned()).collect();
        assert!(!names.is_empty(), "{file} has no module");
        found.extend(names.into_iter().map(|name| (name, text.clone())));
    }
    found
}

/// Two networks with tables in one folder: slot tables, and the tables of source-vector routers.
fn two() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (spec, name) in [("slot-tables.toml", "noc_a"), ("d3-2-3.toml", "noc_b")] {
        generated(spec, &folder.path().join(name), &["--name", name]).success();
    }
    folder
}

#[test]
fn named_networks_share_the_library_and_nothing_else() {
    let folder = two();
    let [a, b] = ["noc_a", "noc_b"].map(|name| modules(&folder.path().join(name)));
    let shared: Vec<&String> = a.keys().filter(|name| b.contains_key(*name)).collect();
    assert!(shared.len() > 5, "{shared:?}");
    for name in shared {
        assert!(name.starts_with("mn_"), "{name}");
        assert_eq!(a[name], b[name], "{name}");
        assert!(!a[name].contains("MN_ROM_DIR"), "{name} reads tables");
    }
    for (name, own) in [("noc_a", &a), ("noc_b", &b)] {
        assert!(own.contains_key(&format!("{name}_top")) && own.contains_key(&format!("{name}_table_check")));
        assert!(!own.contains_key("mn_top"));
        // all that is instantiated is in the list
        for (module, text) in own {
            for word in text.lines().filter_map(|line| line.split_whitespace().next()) {
                let is_module =
                    (word.starts_with("mn_") || word.starts_with("noc_")) && !word.contains(['=', '[', ';', '(']);
                assert!(!is_module || own.contains_key(word), "{module} instantiates {word}");
            }
        }
        let library = folder.path().join(name).join("library/metronoc_library.core");
        assert_eq!(
            std::fs::read(library).unwrap(),
            std::fs::read(folder.path().join("noc_a/library/metronoc_library.core")).unwrap()
        );
    }
}

#[test]
fn cores_and_components_name_files_that_are_there_and_the_ports_of_the_top() {
    let folder = two();
    generated("d3-2-3.toml", &folder.path().join("mn"), &[]).success();
    for (name, core, component) in [
        ("mn", "metronoc.core", "component.xml"),
        ("noc_a", "noc_a.core", "noc_a.xml"),
        ("noc_b", "noc_b.core", "noc_b.xml"),
    ] {
        let folder = folder.path().join(name);
        let core = read(&folder, core);
        let listed = |line: &str| Some(line.trim().strip_prefix("- ")?.split(':').next()?.to_owned());
        let files: BTreeSet<String> = core.lines().take_while(|line| *line != "targets:").filter_map(listed).collect();
        assert!(files.iter().any(|file| file.starts_with("rom/")) && files.len() > 5, "{files:?}");
        files.iter().for_each(|file| assert!(folder.join(file).is_file(), "{name}: {file}"));
        assert_eq!(core.contains("metronoc:library:modules"), name != "mn");

        let text = read(&folder, component);
        let component = roxmltree::Document::parse(&text).unwrap();
        let named = |tag: &str| {
            let all = component.descendants().filter(|node| node.tag_name().name() == tag);
            all.filter_map(|node| {
                Some(node.children().find(|child| child.tag_name().name() == "name")?.text()?.to_owned())
            })
            .collect::<BTreeSet<String>>()
        };
        let top = read(&folder, &format!("rtl/{name}_top.v"));
        let header = top.split(");").next().unwrap();
        let declared: BTreeSet<String> = header
            .lines()
            .map(|line| line.split("//").next().unwrap().trim().trim_end_matches(','))
            .filter(|line| line.starts_with("input") || line.starts_with("output"))
            .map(|line| line.rsplit(' ').next().unwrap().to_owned())
            .collect();
        assert_eq!(named("port"), declared);
        assert!(named("physicalPort").is_subset(&declared) && named("busInterface").len() == 4);
        assert!(named("physicalPort").contains("m_axis_tlast"));
        named("file").iter().for_each(|file| assert!(folder.join(file).is_file(), "{name}: {file}"));
        // the highest bits of vectors
        let vectors = component.descendants().filter(|node| node.tag_name().name() == "left");
        assert!(vectors.count() >= 4);
    }
}

#[test]
fn names_that_cannot_be_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["1a", "a-b", "mn_x", "mn"] {
        let refused = generated("d3-2-3.toml", &folder.path().join("out"), &["--name", name]).code(2);
        let said = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
        assert!(said.contains("name it `noc_a`") || said.contains("take another name"), "{said}");
        assert!(!folder.path().join("out").exists());
    }
}

/// Both benches of two networks, and both networks in one design, in Icarus Verilog; left out where it is missing.
#[test]
#[ignore = "two networks in Icarus Verilog; .ci/run includes it"]
fn two_networks_are_one_design_in_icarus() {
    let run = |folder: &Path, program: &str, args: &[String]| {
        let done = std::process::Command::new(program).args(args).current_dir(folder).output().ok()?;
        let text = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
        assert!(done.status.success(), "{text}");
        Some(text)
    };
    let folder = two();
    let mut sources = BTreeSet::new();
    let [mut tops, mut all] = [Vec::new(), Vec::new()];
    for name in ["noc_a", "noc_b"] {
        let own = folder.path().join(name);
        let listed: Vec<String> = read(&own, "filelist.f").lines().map(String::from).collect();
        let args = ["-g2005", "-o", "tb.vvp", "-s"].map(String::from).into_iter().chain([format!("{name}_tb")]);
        let args: Vec<String> = args.chain(listed.iter().cloned()).chain([format!("tb/{name}_tb.v")]).collect();
        if run(&own, "iverilog", &args).is_none() {
            eprintln!("iverilog is missing");
            return;
        }
        let text = run(&own, "vvp", &["tb.vvp".into()]).unwrap();
        assert!(text.contains("PASS"), "{text}");
        for file in listed.iter().filter(|file| sources.insert((*file).clone())) {
            all.push(format!("{name}/{file}"));
        }
        tops.extend(["-s".to_owned(), format!("{name}_top")]);
        let root = folder.path().join(name).display().to_string();
        tops.push(format!("-D{}_ROM_DIR=\"{root}/\"", name.to_ascii_uppercase()));
    }
    let args =
        ["-g2005", "-Wall", "-o", "both.vvp"].map(String::from).into_iter().chain(tops).chain(all).collect::<Vec<_>>();
    let text = run(folder.path(), "iverilog", &args).unwrap();
    assert!(!text.contains("warning"), "{text}");
}
