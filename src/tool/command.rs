//! Planned run of a tool, as data, so that flows can be tested without the tools.

use std::collections::BTreeMap;
use std::fmt;

use super::registry::Tool;

/// A command line for one tool; paths in it are relative to the working folder of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    tool: Tool,
    args: Vec<String>,
    env: BTreeMap<String, String>,
}

impl Command {
    /// A run of `tool` without arguments.
    #[must_use]
    pub fn new(tool: Tool) -> Self {
        Self { tool, args: Vec::new(), env: BTreeMap::new() }
    }

    /// Adds one argument.
    #[must_use]
    pub fn arg(mut self, arg: impl Into<String>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments.
    #[must_use]
    pub fn args<S: Into<String>>(mut self, args: impl IntoIterator<Item = S>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Sets a variable of the tool's environment.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.env.insert(name.into(), value.into());
        self
    }

    /// The tool.
    #[must_use]
    pub fn tool(&self) -> Tool {
        self.tool
    }

    /// The arguments.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.args
    }

    /// The variables that it sets.
    #[must_use]
    pub fn variables(&self) -> &BTreeMap<String, String> {
        &self.env
    }

    /// The first argument that holds an absolute path, if any: as a whole, after `=`, or as a word of a script.
    #[must_use]
    pub fn absolute_path(&self) -> Option<&str> {
        self.args
            .iter()
            .map(String::as_str)
            .find(|arg| arg.split(|c: char| c.is_whitespace() || "=;,\"'".contains(c)).any(is_absolute))
    }
}

/// `/x` is a path; a lone `/`, `//` comments and the `*/t:cell` patterns of Yosys are not.
fn is_absolute(word: &str) -> bool {
    word.strip_prefix('/').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphanumeric() || "._~".contains(c)))
}

impl fmt::Display for Command {
    /// Writes the plan: variables, the tool's plain name and its arguments, quoted for a shell.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.env {
            write!(f, "{name}={} ", quote(value))?;
        }
        f.write_str(self.tool.name())?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quote(arg)))
    }
}

/// `word`, in single quotes if a shell would read it as more than one plain word.
#[must_use]
pub fn quote(word: &str) -> String {
    let plain = !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,+@%".contains(c));
    if plain { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_read_as_shell_lines() {
        let synth = Command::new(Tool::Yosys).args([
            "-q",
            "-l",
            "yosys.log",
            "-p",
            "read_verilog rtl/mn_top.v; synth_ecp5 -json top.json",
        ]);
        assert_eq!(
            synth.to_string(),
            "yosys -q -l yosys.log -p 'read_verilog rtl/mn_top.v; synth_ecp5 -json top.json'"
        );
        let place = Command::new(Tool::NextpnrEcp5).args([
            "--85k",
            "--package",
            "CABGA381",
            "--json",
            "top.json",
            "--lpf",
            "top.lpf",
            "--textcfg",
            "top.config",
        ]);
        assert_eq!(
            place.to_string(),
            "nextpnr-ecp5 --85k --package CABGA381 --json top.json --lpf top.lpf --textcfg top.config"
        );
        let build = Command::new(Tool::Verilator).env("MAKEFLAGS", "-j 2").args([
            "--cc",
            "--build",
            "-MAKEFLAGS",
            "OPT_FAST=-O3",
            "it's.v",
        ]);
        assert_eq!(build.to_string(), r"MAKEFLAGS='-j 2' verilator --cc --build -MAKEFLAGS OPT_FAST=-O3 'it'\''s.v'");
    }

    #[test]
    fn absolute_paths_are_seen_wherever_they_hide() {
        for arg in [
            "/srv/top.v",
            "--json=/srv/top.json",
            "read_verilog /srv/top.v; hierarchy",
            "read_verilog \"/a b/top.v\"",
            "-I/etc=/x",
        ] {
            assert!(Command::new(Tool::Yosys).arg("-q").arg(arg).absolute_path().is_some(), "{arg}");
        }
        for arg in ["top.v", "../rtl/top.v", "select */t:$mux", "a/b", "-p", "// comment", "60 / 2", "./x=./y"] {
            assert_eq!(Command::new(Tool::Yosys).arg(arg).absolute_path(), None, "{arg}");
        }
    }
}
