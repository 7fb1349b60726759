//! The release: a tarball that holds what it should, twice the same, and whose binary runs where it is unpacked.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a command to its end and gives its standard output.
fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(done.status.success(), "{command:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// Makes a release in a folder.
fn release(folder: &Path) -> PathBuf {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/release");
    PathBuf::from(output(Command::new(script).arg(env!("CARGO_BIN_EXE_metronoc")).arg(folder)).trim())
}

fn check_sum(folder: &Path) -> bool {
    let sums = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sum = sums.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "sha256")).unwrap();
    Command::new("sha256sum").arg("--check").arg("--quiet").arg(sum).current_dir(folder).status().unwrap().success()
}

#[test]
fn a_release_is_reproducible_and_whole() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a", "b"].map(|name| release(&folder.path().join(name)));
    assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap(), "two releases of one binary differ");
    let parent = second.parent().unwrap();
    assert!(check_sum(parent));
    let mut bytes = fs::read(&second).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&second, bytes).unwrap();
    assert!(!check_sum(parent), "a changed tarball has the sum of the old one");

    output(Command::new("tar").arg("xzf").arg(&first).arg("-C").arg(folder.path()));
    let name = first.file_name().unwrap().to_str().unwrap().strip_suffix(".tar.gz").unwrap();
    let root = folder.path().join(name);
    let metronoc = root.join("bin/metronoc");
    assert_eq!(output(Command::new(&metronoc).arg("--version")), format!("metronoc {}\n", env!("CARGO_PKG_VERSION")));
    // a page of each command that the help names
    let help = output(Command::new(&metronoc).arg("help"));
    let commands = help.split("Commands:\n").nth(1).unwrap().lines().map_while(|line| line.strip_prefix("  "));
    let commands = commands.filter(|line| !line.starts_with(' ')).map(|line| line.split(' ').next().unwrap());
    let expected: BTreeSet<String> =
        commands.filter(|name| *name != "help").map(|name| format!("metronoc-{name}.1")).collect();
    let pages = fs::read_dir(root.join("share/man/man1")).unwrap();
    let pages: BTreeSet<String> = pages.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(expected.len() > 10 && expected.is_subset(&pages) && pages.contains("metronoc.1"), "{pages:?}");
    for (file, has) in [
        ("LICENSE-MIT", "MIT License"),
        ("LICENSE-APACHE", "Apache License"),
        ("README.md", "# metronoc"),
        ("CHANGELOG.md", "## Unreleased"),
        ("share/bash-completion/completions/metronoc", "regress"),
        ("share/zsh/site-functions/_metronoc", "#compdef metronoc"),
        ("share/fish/vendor_completions.d/metronoc.fish", "complete -c metronoc"),
    ] {
        let text = fs::read_to_string(root.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(has), "{file} has no `{has}`");
    }
    // all that the binary needs is in it
    let text = "format = 1\nnetwork = { topology = \"swapped-dragonfly\", k = 2, m = 3 }\n";
    fs::write(folder.path().join("net.toml"), text).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(&metronoc);
        command.args(args).current_dir(folder.path()).env("METRONOC_CACHE", folder.path().join("cache"));
        output(&mut command)
    };
    assert!(run(&["boards"]).contains("ulx3s"));
    run(&["generate", "net.toml", "-o", "rtl"]);
    assert!(fs::read_to_string(folder.path().join("rtl/rtl/mn_top.v")).unwrap().contains("module mn_top"));
}
