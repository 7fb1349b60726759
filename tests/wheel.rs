//! The Python package: built as a wheel, installed into an empty environment, put to work on data.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The maturin that builds the wheel.
const MATURIN: &str = "maturin==1.16.0";

/// Runs a command to its end; standard output and standard error.
fn output(command: &mut Command) -> String {
    let done = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
    assert!(done.status.success(), "{command:?}: {}\n{said}", done.status);
    said
}

/// An empty environment of python3; a bare Debian python3 needs python3-venv for it.
fn environment(folder: &Path) -> PathBuf {
    output(Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder));
    folder.join("bin")
}

/// Builds the wheel into a folder, with the packages that the tests were built with.
fn build(bin: &Path, wheels: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let metronoc = Path::new(env!("CARGO_BIN_EXE_metronoc"));
    let target = metronoc.parent().unwrap().parent().unwrap();
    let profile = if cfg!(debug_assertions) { "dev" } else { "release" };
    output(Command::new(bin.join("pip")).args(["install", "--quiet", "--only-binary", ":all:", MATURIN]));
    let mut maturin = Command::new(bin.join("maturin"));
    maturin.args(["build", "--profile", profile, "--target-dir"]).arg(target).arg("--out").arg(wheels);
    output(maturin.current_dir(root));
    let mut made = std::fs::read_dir(wheels).unwrap().map(|entry| entry.unwrap().path());
    let wheel = made.next().expect("there is a wheel");
    assert_eq!(made.next(), None);
    wheel
}

#[test]
#[ignore = "builds a wheel with maturin, which it takes from the package index, and co-simulates: minutes"]
fn the_wheel_works_in_an_empty_environment() {
    let folder = tempfile::tempdir().unwrap();
    let wheel = build(&environment(&folder.path().join("maturin")), &folder.path().join("wheels"));
    let name = wheel.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with(&format!("metronoc-{}-py3-none-", env!("CARGO_PKG_VERSION"))), "{name}");

    let bin = environment(&folder.path().join("empty"));
    output(Command::new(bin.join("pip")).args(["install", "--quiet"]).arg(wheel));
    let run = |args: &[&str]| {
        let mut python = Command::new(bin.join("python"));
        // neither the checkout nor a binary on PATH is in reach
        output(python.args(args).current_dir(folder.path()).env("PATH", "/usr/bin:/bin").env_remove("METRONOC"))
    };
    let program = run(&["-c", "import metronoc; print(metronoc.program())"]);
    assert_eq!(Path::new(program.trim()), bin.join("metronoc"));
    assert!(run(&["-m", "metronoc", "--version"]).contains(env!("CARGO_PKG_VERSION")));

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/python/compile.py");
    let said = run(&[script.to_str().unwrap()]);
    for line in ["702 transfers", "D3(2,6): ", "unknown key `q` in `[network]`", "help: keys of `[network]`"] {
        assert!(said.contains(line), "no `{line}` in\n{said}");
    }

    // wrong data are refused, and errors say where; a wrong example would fail
    let refused = "
import numpy as np, metronoc, pickle
ring = metronoc.compile('format = 1\\nnetwork = { topology = \"ring\", nodes = 4 }')
for array in (np.zeros((3, 4), np.uint32), np.zeros((4, 4), float)):
    try:
        ring.simulate(array)
    except metronoc.MetronocError as error:
        assert error.exit_code == 3 and 'help' in str(error), error
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    else:
        raise SystemExit('taken')
try:
    metronoc.compile('nowhere.toml')
except metronoc.MetronocError as error:
    assert error.exit_code == 8, error
else:
    raise SystemExit('read')
words = np.arange(16, dtype=np.uint32).reshape(4, 4)
np.testing.assert_array_equal(ring.simulate(words), words.T)
assert metronoc.compile('format = 1\\nnetwork = { topology = \"ring\", nodes = 4 }', seed=3).cycles == ring.cycles
try:
    np.testing.assert_array_equal(ring.simulate(words), words)
except AssertionError:
    print('differs')
";
    assert!(run(&["-c", refused]).contains("differs"));
}
