//! Files and folders are written whole or not at all, and never over what metronoc did not make.

use metronoc::output::{Existing, MANIFEST, OutputError, write_file, write_folder};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn files(entries: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
    entries.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn files_are_kept_marked_or_replaced() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a.json");
    write_file(&path, b"my-mark 1", Existing::Keep).unwrap();
    assert!(matches!(write_file(&path, b"2", Existing::Keep), Err(OutputError::Exists(_))));
    assert_eq!(fs::read(&path).unwrap(), b"my-mark 1");
    write_file(&path, b"foreign", Existing::ReplaceMarked("my-mark")).unwrap();
    assert!(matches!(write_file(&path, b"3", Existing::ReplaceMarked("my-mark")), Err(OutputError::Exists(_))));
    write_file(&path, b"4", Existing::Replace).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"4");
    assert_eq!(names(folder.path()), ["a.json"]);
}

#[test]
fn impossible_places_are_refused_and_nothing_is_left() {
    let folder = TempDir::new().unwrap();
    let below_nothing = folder.path().join("no/such/a.json");
    let error = write_file(&below_nothing, b"1", Existing::Keep).unwrap_err();
    assert!(!error.is_refusal() && error.help().contains("make the folder"), "{error}");
    let error = write_file(folder.path(), b"1", Existing::Replace).unwrap_err();
    assert!(matches!(error, OutputError::WrongKind { .. }), "{error}");
    // One name is a file and a folder, so the second of the two cannot be written.
    let broken = files(&[("a", "1"), ("a/b", "2")]);
    assert!(write_folder(&folder.path().join("out"), &broken, true).is_err());
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn a_link_stays_and_a_device_is_written_to() {
    let folder = TempDir::new().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    write_file(&real, b"1", Existing::Keep).unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    write_file(&link, b"2", Existing::Replace).unwrap();
    assert_eq!(fs::read(&real).unwrap(), b"2");
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    write_file(Path::new("/dev/null"), b"3", Existing::Keep).unwrap();
}

#[test]
fn an_own_folder_is_replaced_whole() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    write_folder(&out, &files(&[("rtl/a.v", "module"), ("b", "1")]), false).unwrap();
    write_folder(&out, &files(&[("rtl/c.v", "module")]), false).unwrap();
    assert_eq!(names(&out), [MANIFEST, "rtl"]);
    assert_eq!(names(&out.join("rtl")), ["c.v"]);
    assert_eq!(names(folder.path()), ["out"]);
}

#[test]
fn the_same_files_give_the_same_folder() {
    let folder = TempDir::new().unwrap();
    let [a, b] = ["a", "b"].map(|name| folder.path().join(name));
    for path in [&a, &b] {
        write_folder(path, &files(&[("x", "1"), ("y", "2")]), false).unwrap();
    }
    assert_eq!(fs::read(a.join(MANIFEST)).unwrap(), fs::read(b.join(MANIFEST)).unwrap());
}

#[test]
fn a_foreign_folder_is_left_alone_unless_forced() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let reason = || write_folder(&out, &files(&[("a", "1")]), false).unwrap_err().to_string();

    fs::create_dir(&out).unwrap();
    write_folder(&out, &files(&[("a", "1")]), false).unwrap();
    fs::write(out.join("thesis.tex"), "years of work").unwrap();
    assert!(reason().contains("did not make: `thesis.tex`"), "{}", reason());
    fs::remove_file(out.join("thesis.tex")).unwrap();
    fs::write(out.join("a"), "edited").unwrap();
    assert!(reason().contains("`a` in it was changed"), "{}", reason());
    fs::remove_file(out.join(MANIFEST)).unwrap();
    assert!(reason().contains("was not made by metronoc"), "{}", reason());

    fs::write(out.join("thesis.tex"), "years of work").unwrap();
    write_folder(&out, &files(&[("a", "2"), ("sub/b", "3")]), true).unwrap();
    assert_eq!(fs::read(out.join("thesis.tex")).unwrap(), b"years of work");
    assert_eq!(fs::read(out.join("a")).unwrap(), b"2");
    assert_eq!(names(folder.path()), ["out"]);

    let file = folder.path().join("file");
    fs::write(&file, "1").unwrap();
    assert!(matches!(write_folder(&file, &files(&[]), true), Err(OutputError::WrongKind { .. })));
}
