//! Programs that must come with the machine: a C++ compiler, make and python3.

use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

use super::error::ToolError;
use super::settings::Settings;
use super::version::{Version, VersionQuery};

/// A program of the host.
#[derive(Debug, Clone, Copy)]
pub struct HostProgram {
    /// Name on PATH.
    pub name: &'static str,
    /// Query of its version.
    pub version: VersionQuery,
    /// Purpose.
    pub needed_for: &'static str,
    /// Command that installs it.
    pub hint: &'static str,
}

const COMPILER_HINT: &str = "  Debian, Ubuntu: sudo apt install g++ make\n  Fedora:         sudo dnf install gcc-c++ libatomic make\n  macOS:          xcode-select --install";
const PYTHON_HINT: &str = "  Debian, Ubuntu: sudo apt install python3\n  Fedora:         sudo dnf install python3\n  macOS:          brew install python3\nor set METRONOC_PYTHON to an interpreter, 3.10 or later";

/// Every program of the host.
pub const HOST_PROGRAMS: &[HostProgram] = &[
    HostProgram {
        name: "g++",
        version: VersionQuery { args: &["-dumpfullversion", "-dumpversion"], marker: "" },
        needed_for: "cosim",
        hint: COMPILER_HINT,
    },
    HostProgram {
        name: "make",
        version: VersionQuery { args: &["--version"], marker: "Make " },
        needed_for: "cosim",
        hint: COMPILER_HINT,
    },
    HostProgram {
        name: "python3",
        version: VersionQuery { args: &["--version"], marker: "Python " },
        needed_for: "tools install, synth, prove, sweep",
        hint: PYTHON_HINT,
    },
];

/// The oldest interpreter that the pinned packages run on.
const OLDEST_PYTHON: (u32, u32) = (3, 10);

/// Checks that an interpreter is of a version for which all wheels of a bundle are there.
///
/// # Errors
/// [`ToolError::HostMissing`] if it is older or newer.
pub fn check_python(python: &Utf8Path, [first, last]: [(u32, u32); 2], bundle: &str) -> Result<(), ToolError> {
    let command = || format!("{python} --version");
    let said = Command::new(python)
        .args(["-I", "-c", PROBE])
        .output()
        .map_err(|source| ToolError::Start { command: command(), source })?;
    let found = parse_probe(&String::from_utf8_lossy(&said.stdout)).map(|(version, _)| version);
    if found.is_some_and(|version| (first..=last).contains(&version)) {
        return Ok(());
    }
    let is = found.map_or("does not answer".to_owned(), |(major, minor)| format!("is {major}.{minor}"));
    Err(ToolError::HostMissing {
        programs: format!("CPython {}.{} to {}.{} (`{python}` {is})", first.0, first.1, last.0, last.1),
        purpose: format!("installing and running {bundle}"),
        hint: format!(
            "set METRONOC_PYTHON to such an interpreter, or METRONOC_{} to an installed {bundle}",
            bundle.to_uppercase()
        ),
    })
}

/// Prints version and executable of an interpreter.
const PROBE: &str = "import sys; print(*sys.version_info[:2], sys.executable)";

/// Finds `name` on PATH.
#[must_use]
pub fn find(name: &str) -> Option<Utf8PathBuf> {
    which::which(name).ok().and_then(|path| Utf8PathBuf::from_path_buf(path).ok())
}

/// Version of the host's `program` at `path`, if it prints one.
#[must_use]
pub fn version(program: &HostProgram, path: &Utf8Path) -> Option<Version> {
    let said = Command::new(path).args(program.version.args).output().ok()?;
    Version::after(program.version.marker, &String::from_utf8_lossy(&said.stdout))
}

/// Checks that C++ can be compiled, by the presence of the programs.
///
/// # Errors
/// [`ToolError::HostMissing`] with what to type.
pub fn check_compiler() -> Result<(), ToolError> {
    compiler_with(find)
}

fn compiler_with(find: impl Fn(&str) -> Option<Utf8PathBuf>) -> Result<(), ToolError> {
    let missing: Vec<&str> = ["g++", "make"].into_iter().filter(|name| find(name).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(ToolError::HostMissing {
        programs: missing.join(" and "),
        purpose: "compiling the simulation".into(),
        hint: COMPILER_HINT.into(),
    })
}

/// Programs of Project IceStorm that read a bitstream back. No wheel has the second one.
const ICESTORM: [&str; 2] = ["iceunpack", "icebox_vlog"];
const ICESTORM_HINT: &str = "  Debian, Ubuntu: sudo apt install fpga-icestorm\n  Fedora:         sudo dnf install icestorm\n  macOS:          brew install icestorm";

/// Programs on PATH that unpack a bitstream of an iCE40, and write it as Verilog.
///
/// # Errors
/// [`ToolError::HostMissing`] with what to type.
pub fn icestorm() -> Result<[Utf8PathBuf; 2], ToolError> {
    icestorm_with(find)
}

fn icestorm_with(find: impl Fn(&str) -> Option<Utf8PathBuf>) -> Result<[Utf8PathBuf; 2], ToolError> {
    match ICESTORM.map(&find) {
        [Some(unpack), Some(write)] => Ok([unpack, write]),
        found => {
            let missing = ICESTORM.iter().zip(&found).filter(|(_, path)| path.is_none()).map(|(name, _)| *name);
            Err(ToolError::HostMissing {
                programs: missing.collect::<Vec<_>>().join(" and "),
                purpose: "reading a bitstream back".into(),
                hint: ICESTORM_HINT.into(),
            })
        }
    }
}

/// The interpreter that was found, remembered so that later runs need not start one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct PythonRecord {
    asked: String,
    executable: String,
}

/// The Python interpreter for the private environment.
///
/// `METRONOC_PYTHON` is taken as it is; `python3` on PATH is asked for the real executable behind it, since version
/// managers put slow scripts there. The answer is remembered in the cache.
///
/// # Errors
/// [`ToolError::HostMissing`] if there is none or it is too old.
pub fn python(settings: &Settings) -> Result<Utf8PathBuf, ToolError> {
    let asked = match &settings.python {
        Some(path) => path.clone(),
        None => find("python3").ok_or_else(|| missing_python("python3".into()))?,
    };
    let record_path = settings.tools_dir().join("python.json");
    if let Some(record) = read_record(&record_path)
        && record.asked == asked
        && Utf8Path::new(&record.executable).exists()
    {
        return Ok(record.executable.into());
    }
    let probe = Command::new(&asked)
        .args(["-I", "-c", PROBE])
        .output()
        .map_err(|source| ToolError::Start { command: asked.to_string(), source })?;
    let answer = String::from_utf8_lossy(&probe.stdout);
    let (version, executable) =
        parse_probe(&answer).ok_or_else(|| missing_python(format!("a working python3 (`{asked}` does not answer)")))?;
    if version < OLDEST_PYTHON {
        let needed = format!(
            "python3 {}.{} or later (`{asked}` is {}.{})",
            OLDEST_PYTHON.0, OLDEST_PYTHON.1, version.0, version.1
        );
        return Err(missing_python(needed));
    }
    let executable = if settings.python.is_some() { asked.clone() } else { executable };
    let record = PythonRecord { asked: asked.into_string(), executable: executable.into_string() };
    if let Ok(text) = serde_json::to_string(&record) {
        // Only a saving of time: the next run asks again if it could not be written.
        let _ = fs::write(&record_path, text);
    }
    Ok(record.executable.into())
}

fn read_record(path: &Utf8Path) -> Option<PythonRecord> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}

fn missing_python(programs: String) -> ToolError {
    ToolError::HostMissing { programs, purpose: "installing and running the tools".into(), hint: PYTHON_HINT.into() }
}

fn parse_probe(answer: &str) -> Option<((u32, u32), Utf8PathBuf)> {
    let mut words = answer.trim().splitn(3, ' ');
    let version = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let executable = words.next().filter(|path| !path.is_empty())?;
    Some((version, executable.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_compiler_names_programs_and_commands() {
        let only_make = |name: &str| (name == "make").then(|| Utf8PathBuf::from("/bin/make"));
        let text = compiler_with(only_make).expect_err("no g++").to_string();
        assert!(text.starts_with("g++ not found"), "{text}");
        for command in ["apt install g++ make", "dnf install gcc-c++", "xcode-select --install"] {
            assert!(text.contains(command), "{text}");
        }
        assert!(compiler_with(|_| None).expect_err("nothing").to_string().starts_with("g++ and make not found"));
        assert!(compiler_with(|_| Some("/bin/x".into())).is_ok());
    }

    #[test]
    fn missing_readers_of_bitstreams_are_named() {
        let unpacks = |name: &str| (name == "iceunpack").then(|| Utf8PathBuf::from("/bin/iceunpack"));
        let text = icestorm_with(unpacks).expect_err("no icebox_vlog").to_string();
        assert!(text.starts_with("icebox_vlog not found") && text.contains("apt install fpga-icestorm"), "{text}");
        assert!(icestorm_with(|name| Some(name.into())).is_ok());
    }

    #[test]
    #[cfg(unix)]
    fn an_interpreter_without_wheels_is_refused() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let python = Utf8Path::from_path(dir.path()).expect("UTF-8").join("python3");
        crate::tool::write_script(python.as_std_path(), "#!/bin/sh\necho 3 14 /x/python3\n");
        let error = check_python(&python, [(3, 11), (3, 13)], "snakemake").expect_err("too new").to_string();
        assert!(error.contains("CPython 3.11 to 3.13") && error.contains("is 3.14"), "{error}");
        assert!(error.contains("METRONOC_SNAKEMAKE"), "{error}");
        assert!(check_python(&python, [(3, 11), (3, 14)], "snakemake").is_ok());
    }

    #[test]
    fn the_interpreter_probe_is_read() {
        assert_eq!(
            parse_probe("3 11 /opt/my python/bin/python3\n"),
            Some(((3, 11), "/opt/my python/bin/python3".into()))
        );
        assert_eq!(parse_probe("3 11 \n"), None);
        assert_eq!(parse_probe(""), None);
    }

    #[test]
    fn versions_of_the_host_are_read() {
        for (program, said, version) in HOST_PROGRAMS
            .iter()
            .zip(["12.2.0\n", "GNU Make 4.3\nBuilt", "Python 3.11.2\n"])
            .zip(["12.2.0", "4.3", "3.11.2"])
            .map(|((p, s), v)| (p, s, v))
        {
            assert_eq!(Version::after(program.version.marker, said).map(|v| v.to_string()).as_deref(), Some(version));
        }
    }
}
