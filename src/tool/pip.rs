//! pip, as the installer of pinned wheels: the interpreter's own, or a pinned wheel of it where there is none.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use camino::{Utf8Path, Utf8PathBuf};

use super::journal::Journal;
use super::requirements::Requirement;
use super::version::Version;
use crate::hash::sha256;

/// The standard-library fetcher for a python3 without pip.
const FETCH_WHEEL: &str = include_str!("fetch_wheel.py");

/// The oldest pip that knows every option used here.
const OLDEST_PIP: &str = "21.0";

/// A way to run pip.
#[derive(Debug, Clone)]
pub struct Pip {
    python: Utf8PathBuf,
    /// The wheel to run it from; `None` for the interpreter's own.
    wheel: Option<Utf8PathBuf>,
    /// Working folder: neutral, since `-m pip` would import a `pip` of the current one.
    folder: Utf8PathBuf,
}

impl Pip {
    /// Finds pip for `python`, fetching `pinned` (pip itself) into `wheels` if there is none that serves;
    /// `scratch` takes the script that fetches it.
    ///
    /// # Errors
    /// The reason, if there is no pip and its wheel cannot be fetched.
    pub fn find(
        python: &Utf8Path,
        wheels: &Utf8Path,
        scratch: &Utf8Path,
        pinned: &Requirement,
        journal: &mut Journal,
    ) -> Result<Self, String> {
        let own = Self { python: python.to_path_buf(), wheel: None, folder: wheels.to_path_buf() };
        let said = journal.run(own.command().arg("--version")).unwrap_or_default();
        if Version::after("pip ", &said).is_some_and(|version| Some(version) >= Version::parse(OLDEST_PIP)) {
            return Ok(own);
        }
        let wheel = match wheel_of(pinned, wheels)? {
            Some((file, _)) => file,
            None => {
                let script = scratch.join("fetch_wheel.py");
                fs::write(&script, FETCH_WHEEL).map_err(|error| format!("{script}: {error}"))?;
                for hash in &pinned.hashes {
                    let mut fetch = Command::new(python);
                    fetch.args(["-I", script.as_str(), &pinned.name, &pinned.wheel_prefix(), hash, wheels.as_str()]);
                    journal
                        .run(&mut fetch)
                        .map_err(|reason| format!("python3 has no pip, and its wheel cannot be fetched: {reason}"))?;
                }
                wheel_of(pinned, wheels)?.ok_or("the fetched wheel of pip is not the pinned one")?.0
            }
        };
        Ok(Self { wheel: Some(wheel), ..own })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.python);
        match &self.wheel {
            Some(wheel) => command.arg(wheel.join("pip")),
            None => command.args(["-m", "pip"]),
        };
        command
            .current_dir(&self.folder)
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1")
            .env_remove("PIP_REQUIRE_VIRTUALENV");
        command
    }

    /// Downloads the wheel of `requirement` for this machine into `wheels`, by the user's own pip configuration.
    ///
    /// # Errors
    /// Output of pip.
    pub fn download(
        &self,
        requirement: &Requirement,
        list: &Utf8Path,
        wheels: &Utf8Path,
        journal: &mut Journal,
    ) -> Result<(), String> {
        fs::write(list, format!("{requirement}\n")).map_err(|error| format!("{list}: {error}"))?;
        let mut command = self.command();
        if std::env::var_os("PIP_RETRIES").is_none() {
            // pip's own five make a missing network look like a hang.
            command.env("PIP_RETRIES", "2");
        }
        command.args([
            "download",
            "--no-deps",
            "--require-hashes",
            "--only-binary",
            ":all:",
            "--no-input",
            "--progress-bar",
            "off",
        ]);
        command.args(["--dest", wheels.as_str(), "--requirement", list.as_str()]);
        journal.run(&mut command).map(drop)
    }

    /// Unpacks the downloaded wheels of `requirements` into the folder `site`, without any network.
    ///
    /// # Errors
    /// Output of pip.
    pub fn install(
        &self,
        requirements: &[Requirement],
        list: &Utf8Path,
        wheels: &Utf8Path,
        site: &Utf8Path,
        journal: &mut Journal,
    ) -> Result<(), String> {
        let text: String = requirements.iter().map(|requirement| format!("{requirement}\n")).collect();
        fs::write(list, text).map_err(|error| format!("{list}: {error}"))?;
        let mut command = self.command();
        for (name, _) in std::env::vars_os() {
            // The user's pip options are for finding packages; here they could only lead the files elsewhere.
            if name.to_string_lossy().starts_with("PIP_") {
                command.env_remove(name);
            }
        }
        command
            .env("PIP_CONFIG_FILE", if cfg!(windows) { "nul" } else { "/dev/null" })
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        command.args([
            "install",
            "--no-index",
            "--find-links",
            wheels.as_str(),
            "--no-deps",
            "--require-hashes",
            "--only-binary",
            ":all:",
        ]);
        command.args([
            "--no-input",
            "--no-warn-script-location",
            "--target",
            site.as_str(),
            "--requirement",
            list.as_str(),
        ]);
        journal.run(&mut command).map(drop)
    }
}

/// The downloaded wheel of `requirement` with its SHA-256, if it is there; a damaged one is removed.
///
/// # Errors
/// If the folder cannot be read.
pub fn wheel_of(requirement: &Requirement, wheels: &Utf8Path) -> Result<Option<(Utf8PathBuf, String)>, String> {
    let prefix = requirement.wheel_prefix();
    let entries = wheels.read_dir_utf8().map_err(|error| format!("{wheels}: {error}"))?;
    for entry in entries.flatten() {
        let name = entry.file_name().to_lowercase();
        if !(name.starts_with(&prefix) && name.ends_with(".whl")) {
            continue;
        }
        let content = fs::read(entry.path()).map_err(|error| format!("{}: {error}", entry.path()))?;
        let hash = sha256(&content);
        if requirement.hashes.contains(&hash) {
            return Ok(Some((entry.path().to_path_buf(), hash)));
        }
        fs::remove_file(entry.path()).map_err(|error| format!("{}: {error}", entry.path()))?;
    }
    Ok(None)
}

/// File name → SHA-256 of the downloaded wheels of `requirements`.
///
/// # Errors
/// If one of them is not there.
pub fn wheels_of(requirements: &[Requirement], wheels: &Utf8Path) -> Result<BTreeMap<String, String>, String> {
    requirements
        .iter()
        .map(|requirement| {
            let (file, hash) =
                wheel_of(requirement, wheels)?.ok_or_else(|| format!("the wheel of {} is gone", requirement.name))?;
            Ok((file.file_name().unwrap_or_default().to_owned(), hash))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_is_taken_by_its_hash_and_a_damaged_one_removed() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let wheels = Utf8Path::from_path(dir.path()).expect("UTF-8");
        let file = wheels.join("Some_Tool-1.0-py3-none-any.whl");
        fs::write(&file, "content").expect("write");
        let hash = sha256(b"content");
        let requirement = Requirement { name: "some-tool".into(), version: "1.0".into(), hashes: vec![hash.clone()] };
        assert_eq!(wheel_of(&requirement, wheels), Ok(Some((file.clone(), hash))));
        let other = Requirement { version: "1.0.1".into(), ..requirement.clone() };
        assert_eq!(wheel_of(&other, wheels), Ok(None));
        fs::write(&file, "conten").expect("write");
        assert_eq!(wheel_of(&requirement, wheels), Ok(None));
        assert!(!file.exists(), "a damaged download must not stand in the way of a new one");
    }
}
