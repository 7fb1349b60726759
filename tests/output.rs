//! Files and folders are written whole or not at all, and never over anything but what metronoc made and nobody changed.

use metronoc::output::{MANIFEST, OutputError, OutputFile, OutputFolder};
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn write_file(path: &Path, contents: &[u8], force: bool) -> Result<(), OutputError> {
    OutputFile::new(path, force)?.write(contents)
}

fn write_folder(path: &Path, entries: &[(&str, &str)], force: bool) -> Result<(), OutputError> {
    OutputFolder::new(path, force)?.write(&files(entries))
}

fn files(entries: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    entries.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o777
}

#[test]
fn a_file_of_metronocs_is_replaced_until_it_is_changed() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.npy");
    write_file(&path, b"1", false).unwrap();
    set_mode(&path, 0o600);
    write_file(&path, b"2", false).unwrap();
    assert_eq!((fs::read(&path).unwrap(), mode(&path)), (b"2".to_vec(), 0o600));
    // an older one of metronoc's counts as well, and a copy elsewhere is the user's
    fs::write(&path, b"1").unwrap();
    write_file(&path, b"2", false).unwrap();
    let copy = folder.path().join("copy.npy");
    fs::copy(&path, &copy).unwrap();
    assert!(matches!(write_file(&copy, b"3", false), Err(OutputError::Exists(_))));

    fs::write(&path, b"mine").unwrap();
    let refusal = OutputFile::new(&path, false).unwrap_err();
    assert!(refusal.is_refusal() && refusal.help().contains("--force"), "{refusal}");
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    write_file(&path, b"3", true).unwrap();
    write_file(&path, b"4", false).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"4");
    assert_eq!(names(folder.path()), ["a.npy", "copy.npy"]);
}

#[test]
fn impossible_places_are_refused_and_nothing_is_left() {
    let folder = TempDir::new().unwrap();
    let below_nothing = folder.path().join("no/such/a.json");
    let error = OutputFile::new(&below_nothing, false).unwrap_err();
    assert!(!error.is_refusal() && error.help().contains("make the folder"), "{error}");
    let error = OutputFile::new(folder.path(), true).unwrap_err();
    assert!(matches!(error, OutputError::WrongKind { .. }), "{error}");
    // One name is a file and a folder, so the second of the two cannot be written.
    assert!(write_folder(&folder.path().join("out"), &[("a", "1"), ("a/b", "2")], true).is_err());
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_link_stays_and_a_device_is_written_to() {
    let folder = TempDir::new().unwrap();
    let [real, link, dangling] = ["real", "link", "dangling"].map(|name| folder.path().join(name));
    write_file(&real, b"1", false).unwrap();
    symlink("real", &link).unwrap();
    write_file(&link, b"2", false).unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"2");
    symlink("later", &dangling).unwrap();
    write_file(&dangling, b"3", false).unwrap();
    assert_eq!(fs::read(folder.path().join("later")).unwrap(), b"3");
    for link in [link, dangling] {
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
    write_file(Path::new("/dev/null"), b"3", false).unwrap();
}

#[test]
fn what_is_write_protected_stays_for_root_too() {
    let folder = TempDir::new().unwrap();
    let [file, out] = ["file", "out"].map(|name| folder.path().join(name));
    write_file(&file, b"1", false).unwrap();
    write_folder(&out, &[("a", "1"), ("b", "1")], false).unwrap();
    set_mode(&file, 0o444);
    set_mode(&out.join("b"), 0o444);
    for error in [write_file(&file, b"2", true), write_folder(&out, &[("a", "2")], true)] {
        assert!(matches!(&error, Err(OutputError::Protected(_))), "{error:?}");
    }
    set_mode(&out.join("b"), 0o644);
    set_mode(&out, 0o555);
    let error = OutputFolder::new(&out, true).unwrap_err();
    assert!(!error.is_refusal() && error.help().contains("chmod"), "{error}");
    assert_eq!((fs::read(file).unwrap(), fs::read(out.join("a")).unwrap()), (b"1".to_vec(), b"1".to_vec()));
}

#[test]
fn an_own_folder_gets_other_files_and_stays_the_same_folder() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    write_folder(&out, &[("rtl/a.v", "module"), ("rtl/old/x", "1"), ("b", "1")], false).unwrap();
    set_mode(&out, 0o700);
    set_mode(&out.join("rtl/a.v"), 0o600);
    let places = || [&out, &out.join("rtl")].map(|path| fs::metadata(path).unwrap().ino());
    let before = places();
    write_folder(&out, &[("rtl/a.v", "other"), ("rtl/c.v", "module"), ("b/d", "2")], false).unwrap();
    assert_eq!((places(), mode(&out), mode(&out.join("rtl/a.v"))), (before, 0o700, 0o600));
    assert_eq!(names(&out), [MANIFEST, "b", "rtl"]);
    assert_eq!((names(&out.join("rtl")), names(&out.join("b"))), (vec!["a.v".into(), "c.v".into()], vec!["d".into()]));
    assert_eq!(fs::read(out.join("rtl/a.v")).unwrap(), b"other");
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn the_same_files_give_the_same_folder() {
    let folder = TempDir::new().unwrap();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    for path in [&a, &b] {
        write_folder(path, &[("x", "1"), ("y", "2")], false).unwrap();
    }
    assert_eq!(fs::read(a.join(MANIFEST)).unwrap(), fs::read(b.join(MANIFEST)).unwrap());
}

#[test]
fn a_foreign_folder_is_left_alone_unless_forced() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let reason = || OutputFolder::new(&out, false).unwrap_err().to_string();

    fs::create_dir(&out).unwrap();
    write_folder(&out, &[("a", "1"), ("stale", "1")], false).unwrap();
    fs::write(out.join("thesis.tex"), "years of work").unwrap();
    assert!(reason().contains("did not make: `thesis.tex`"), "{}", reason());
    fs::remove_file(out.join("thesis.tex")).unwrap();
    fs::write(out.join("a"), "edited").unwrap();
    assert!(reason().contains("`a` in it was changed"), "{}", reason());

    fs::write(out.join("thesis.tex"), "years of work").unwrap();
    write_folder(&out, &[("a", "2"), ("sub/b", "3")], true).unwrap();
    assert_eq!(fs::read(out.join("thesis.tex")).unwrap(), b"years of work");
    assert_eq!(fs::read(out.join("a")).unwrap(), b"2");
    assert_eq!(names(&out), [MANIFEST, "a", "sub", "thesis.tex"]);
    fs::remove_file(out.join(MANIFEST)).unwrap();
    assert!(reason().contains("was not made by metronoc"), "{}", reason());

    let file = folder.path().join("file");
    fs::write(&file, "1").unwrap();
    assert!(matches!(OutputFolder::new(&file, true), Err(OutputError::WrongKind { .. })));
}

#[test]
fn a_forced_folder_that_fails_is_as_it_was() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    write_folder(&out, &[("a", "1"), ("b/c", "1")], false).unwrap();
    fs::create_dir_all(out.join("last/mine")).unwrap();
    fs::write(out.join("b/mine"), "1").unwrap();
    let manifest = fs::read(out.join(MANIFEST)).unwrap();
    // `last` is to be a file, and is a folder of the user's
    let error = write_folder(&out, &[("a", "2"), ("b/c", "2"), ("d/e", "2"), ("last", "2")], true).unwrap_err();
    assert!(error.help().contains("nothing was written"), "{error}");
    assert_eq!(names(&out), [MANIFEST, "a", "b", "last"]);
    assert_eq!(
        (names(&out.join("b")), names(&out.join("last"))),
        (vec!["c".into(), "mine".into()], vec!["mine".into()])
    );
    let [a, c] = ["a", "b/c"].map(|name| fs::read(out.join(name)).unwrap());
    assert_eq!((a, c, fs::read(out.join(MANIFEST)).unwrap()), (b"1".to_vec(), b"1".to_vec(), manifest));
}

#[test]
fn of_two_writers_at_once_one_is_the_last() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let text = |writer: &str| (0..10).map(|i| (format!("{writer}{i}"), writer.as_bytes().to_vec())).collect();
    let writers: [BTreeMap<String, Vec<u8>>; 2] = ["a", "b"].map(text);
    for force in [false, true] {
        std::thread::scope(|scope| {
            for files in &writers {
                let out = &out;
                scope.spawn(move || {
                    for _ in 0..4 {
                        OutputFolder::new(out, force).unwrap().write(files).unwrap();
                    }
                });
            }
        });
        let left: Vec<String> = names(&out).into_iter().filter(|name| name != MANIFEST).collect();
        assert!(writers.iter().any(|files| left.len() == 10 && left.iter().all(|n| files.contains_key(n))), "{left:?}");
        assert!(OutputFolder::new(&out, false).is_ok());
    }
}

const SPEC: &str = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 2\n";

fn metronoc(folder: &Path, args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_metronoc"));
    command.current_dir(folder).args(args.split(' ')).arg("-q").output().unwrap()
}

/// Every command that writes a file: twice in a row, then over what was edited, which is refused at once, then forced.
#[test]
fn every_command_keeps_what_was_edited() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::write(file("s.toml"), SPEC).unwrap();
    fs::write(file("product.toml"), include_str!("specs/ok/matrix-vector.toml")).unwrap();
    for (args, name) in [
        ("new pops -o made.toml", "made.toml"),
        ("schedule s.toml --format json -o s.json", "s.json"),
        ("schedule s.toml -o s.txt", "s.txt"),
        ("report s.toml", "report.html"),
        ("claims --only property-2 --sizes 8 -o claims.md", "claims.md"),
        ("multiply product.toml -o product.npy", "product.npy"),
    ] {
        let code = |args: &str| metronoc(folder.path(), args).status.code();
        assert_eq!((code(args), code(args)), (Some(0), Some(0)), "{args}: {:?}", metronoc(folder.path(), args));
        let made = fs::read(file(name)).unwrap();
        let edited = [&made[..], b"\n"].concat();
        fs::write(file(name), &edited).unwrap();
        assert_eq!(code(args), Some(2), "{args}");
        assert!(fs::read(file(name)).unwrap() == edited, "{name}");
        assert_eq!((code(&format!("{args} --force")), code(args)), (Some(0), Some(0)), "{args}");
        assert!(fs::read(file(name)).unwrap() == made, "{name}");
    }
    let piped = metronoc(folder.path(), "schedule s.toml -o /dev/stdout");
    assert!(piped.status.success() && piped.stdout == fs::read(file("s.txt")).unwrap(), "{piped:?}");
    // a schedule that another tool wrote
    fs::write(file("other.json"), "{\"format\":\"metronoc-schedule/1\"}").unwrap();
    assert_eq!(metronoc(folder.path(), "schedule s.toml --format json -o other.json").status.code(), Some(2));
}

/// Outputs are looked at before there is work: no tool is started.
#[test]
fn outputs_are_refused_before_the_work() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    fs::create_dir(file("specs")).unwrap();
    fs::write(file("specs/s.toml"), SPEC).unwrap();
    fs::write(file("tool"), format!("#!/bin/sh\ntouch {}\nexit 1\n", file("started").display())).unwrap();
    set_mode(&file("tool"), 0o755);
    for name in ["mine", "mine.npy", "mine.fst", "cosim.vcd"] {
        fs::write(file(name), "mine").unwrap();
    }
    for args in [
        "regress specs --junit mine",
        "synth specs/s.toml --board ulx3s -o mine",
        "cosim specs/s.toml --random --out mine.npy",
        "cosim specs/s.toml --random --trace vcd",
        "cosim specs/s.toml --random --trace fst --out mine.y",
        "cosim specs/s.toml --random --out y.fst",
        "run specs/s.toml --port none --out mine.npy",
        "generate specs/s.toml -o mine",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_metronoc"));
        for tool in ["VERILATOR", "YOSYS", "NEXTPNR_ECP5", "ECPPACK"] {
            command.env(format!("METRONOC_{tool}"), file("tool"));
        }
        let output = command.current_dir(folder.path()).args(args.split(' ')).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(!file("started").exists(), "{args}");
    }
    assert!(["mine", "mine.npy", "mine.fst", "cosim.vcd"].iter().all(|name| fs::read(file(name)).unwrap() == b"mine"));
}
