//! Virtual environments of Python for tests, with packages from the index.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Python of an environment with these packages, which is made once.
///
/// # Errors
/// What `python3` or `pip` says if they cannot be had.
pub fn python(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let venv = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let python = venv.join("bin/python");
    if venv.join("ready").exists() {
        return Ok(python);
    }
    let run = |command: &mut Command| {
        let output = command.output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(said) }
    };
    run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&venv))?;
    run(Command::new(&python).args(["-m", "pip", "install", "--quiet"]).args(packages))?;
    fs::write(venv.join("ready"), "").map_err(|error| error.to_string())?;
    Ok(python)
}
