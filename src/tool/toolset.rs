//! Tools that are ready, and how they are run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::accept::accept;
use super::command::Command;
use super::error::{ToolError, tail};
use super::host;
use super::install;
use super::progress::{LOGS, Progress};
use super::registry::{Bundle, Launch, Tool};
use super::settings::{Policy, Settings};
use super::verilator;
use crate::interrupt;

/// Lines of the log that an error repeats.
const TAIL_LINES: usize = 20;

/// Source of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// metronoc's own environment.
    Private,
    /// Tool on PATH, with `METRONOC_TOOLS=system`.
    Path,
    /// The tool's own variable.
    Variable,
}

impl Origin {
    /// Description of the source of `tool`, such as "PATH".
    #[must_use]
    pub fn describe(self, tool: Tool) -> String {
        match self {
            Self::Private => "private environment".into(),
            Self::Path => "PATH".into(),
            Self::Variable => tool.spec().variable.into(),
        }
    }
}

/// A tool that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The program.
    pub program: Utf8PathBuf,
    /// Source.
    pub origin: Origin,
    /// Version of the tool; empty if it prints none.
    pub version: String,
}

/// Output of a successful run.
#[derive(Debug, Clone)]
pub struct Output {
    /// Standard output and standard error, interleaved as they came.
    pub text: String,
    /// The log: the planned command line, then `text`.
    pub log: Utf8PathBuf,
    /// Wall-clock time of the run.
    pub elapsed: Duration,
}

/// Tools that are ready to run; made by [`super::ensure`].
#[derive(Debug, Clone)]
pub struct ToolSet {
    tools: BTreeMap<Tool, Ready>,
    python: Option<Utf8PathBuf>,
}

#[derive(Debug, Clone)]
struct Ready {
    found: Found,
    /// Folders that come first on PATH, for tools that start others.
    path: Vec<Utf8PathBuf>,
    verilator_root: Option<Utf8PathBuf>,
    /// Packages for interpreters that the tool itself starts.
    packages: Option<Utf8PathBuf>,
}

impl ToolSet {
    /// Makes `tools` ready under `settings`: finds or installs each.
    ///
    /// # Errors
    /// As [`super::ensure`].
    pub fn prepare(settings: &Settings, tools: &[Tool], progress: Progress) -> Result<Self, ToolError> {
        let mut set = Self { tools: BTreeMap::new(), python: None };
        for &tool in tools {
            if set.tools.contains_key(&tool) {
                continue;
            }
            if tool == Tool::Verilator {
                host::check_compiler()?;
            }
            let ready = match outside(settings, tool)? {
                Some(found) => Ready { found, path: Vec::new(), verilator_root: None, packages: None },
                None => private(settings, tool, progress)?,
            };
            if ready.found.origin == Origin::Private
                && set.python.is_none()
                && !matches!(tool.spec().launch, Launch::Program(_))
            {
                set.python = Some(host::python(settings)?);
            }
            set.tools.insert(tool, ready);
        }
        Ok(set)
    }

    /// Location of `tool`.
    ///
    /// # Errors
    /// [`ToolError::NotReady`] if the set was made without it.
    pub fn found(&self, tool: Tool) -> Result<&Found, ToolError> {
        self.ready(tool).map(|ready| &ready.found)
    }

    fn ready(&self, tool: Tool) -> Result<&Ready, ToolError> {
        self.tools.get(&tool).ok_or(ToolError::NotReady(tool))
    }

    /// A process that runs `tool` in `workdir`, without arguments yet; paths among them must be relative.
    ///
    /// # Errors
    /// [`ToolError::NotReady`] if the set was made without it.
    pub fn command(&self, tool: Tool, workdir: &Utf8Path) -> Result<process::Command, ToolError> {
        let ready = self.ready(tool)?;
        let mut command = process::Command::new(&ready.found.program);
        command.current_dir(workdir);
        if tool == Tool::Verilator {
            verilator::shield(&mut command, ready.verilator_root.as_deref());
        }
        if let Some(python) = &self.python {
            command.env("METRONOC_PYTHON", python);
        }
        if let Some(packages) = &ready.packages {
            command.env("PYTHONPATH", packages);
        }
        if !ready.path.is_empty() {
            command.env("PATH", prefixed_path(&ready.path));
        }
        Ok(command)
    }

    /// Folder of Verilator's C++ headers.
    ///
    /// # Errors
    /// [`ToolError::NotReady`] if the set was made without it, [`ToolError::Start`] if it does not tell where it was installed.
    pub fn verilator_include(&self) -> Result<Utf8PathBuf, ToolError> {
        let ready = self.ready(Tool::Verilator)?;
        if let Some(root) = &ready.verilator_root {
            return Ok(root.join("include"));
        }
        let mut process = self.command(Tool::Verilator, Utf8Path::new("."))?;
        let said = interrupt::output(process.args(["--getenv", "VERILATOR_ROOT"]));
        let command = format!("{} --getenv VERILATOR_ROOT", ready.found.program);
        let said = said.map_err(|source| ToolError::Start { command, source })?;
        Ok(Utf8Path::new(String::from_utf8_lossy(&said.stdout).trim()).join("include"))
    }

    /// Runs the C++ compiler of the machine in `workdir`, with everything it prints in `log_file` (created, or replaced).
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn compile(&self, arguments: &[String], workdir: &Utf8Path, log_file: &Utf8Path) -> Result<(), ToolError> {
        let mut process = process::Command::new("g++");
        process.current_dir(workdir).args(arguments);
        logged(Tool::Verilator, &format!("g++ {}", arguments.join(" ")), process, log_file).map(drop)
    }

    /// Runs `command` in `workdir` with everything it prints in `log_file` (created, or replaced).
    ///
    /// # Errors
    /// [`ToolError::AbsolutePath`] for an argument that a sandboxed tool could not read. [`ToolError::Log`] if the
    /// folder or the log cannot be used. [`ToolError::Start`] if the program does not start. [`ToolError::Failed`] with
    /// the end of the log if it ends with a failure.
    pub fn run(&self, command: &Command, workdir: &Utf8Path, log_file: &Utf8Path) -> Result<Output, ToolError> {
        let tool = command.tool();
        if tool.spec().sandboxed
            && let Some(argument) = command.absolute_path()
        {
            return Err(ToolError::AbsolutePath { tool, argument: argument.to_owned() });
        }
        if !workdir.is_dir() {
            let (path, source) = (workdir.to_path_buf(), std::io::ErrorKind::NotFound.into());
            return Err(ToolError::Log { tool, path, source });
        }
        let mut process = self.command(tool, workdir)?;
        process.args(command.arguments()).envs(command.variables());
        logged(tool, &command.to_string(), process, log_file)
    }
}

/// Runs a process with everything it prints in a log, below its command line.
fn logged(tool: Tool, command: &str, mut process: process::Command, log_file: &Utf8Path) -> Result<Output, ToolError> {
    let log_error = |source| ToolError::Log { tool, path: log_file.to_path_buf(), source };
    let mut log = File::create(log_file).map_err(log_error)?;
    let head = format!("$ {command}\n");
    log.write_all(head.as_bytes()).map_err(log_error)?;
    let both = log.try_clone().map_err(log_error)?;
    process.stdout(log).stderr(both);
    let begin = Instant::now();
    let ended = AtomicBool::new(false);
    let status = std::thread::scope(|scope| {
        if tracing::enabled!(LOGS) {
            scope.spawn(|| follow(log_file, &ended));
        }
        let status = interrupt::status(&mut process);
        ended.store(true, Ordering::Release);
        status
    });
    let status = status.map_err(|source| ToolError::Start { command: command.to_owned(), source })?;
    let elapsed = begin.elapsed();
    let written = std::fs::read(log_file).map_err(log_error)?;
    let text = String::from_utf8_lossy(written.get(head.len()..).unwrap_or_default()).into_owned();
    if status.success() {
        return Ok(Output { text, log: log_file.to_path_buf(), elapsed });
    }
    let (status, tail) = (status.to_string(), tail(&text, TAIL_LINES));
    Err(ToolError::Failed { tool, command: command.to_owned(), status, tail, log: log_file.to_path_buf() })
}

/// Shows what is written to a log, on standard error, until it has ended.
fn follow(log: &Utf8Path, ended: &AtomicBool) {
    let Ok(mut log) = File::open(log) else { return };
    loop {
        let last = ended.load(Ordering::Acquire);
        // a closed standard error is no reason to stop the tool
        let copied = std::io::copy(&mut log, &mut std::io::stderr());
        if last || copied.is_err() {
            return;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn prefixed_path(folders: &[Utf8PathBuf]) -> OsString {
    let rest = std::env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().map(|folder| folder.clone().into_std_path_buf()).chain(std::env::split_paths(&rest));
    // A folder with the separator in its name cannot be on PATH at all: then the old one is the best there is.
    std::env::join_paths(all).unwrap_or(rest)
}

/// Tool outside of the private environment, if a variable or the policy selects it.
///
/// # Errors
/// [`ToolError::Refused`] if it is missing there or does not serve.
pub(super) fn outside(settings: &Settings, tool: Tool) -> Result<Option<Found>, ToolError> {
    let (origin, program) = match (settings.overrides.get(&tool), settings.policy) {
        (Some(path), _) => (Origin::Variable, path.clone()),
        (None, Policy::Private) => return Ok(None),
        (None, Policy::System) => match host::find(tool.name()) {
            Some(path) => (Origin::Path, path),
            None => return Err(refused(tool, Origin::Path, "it is not there".into())),
        },
    };
    let printed = match tool.spec().version {
        None => String::new(),
        Some(query) => {
            let said = interrupt::output(process::Command::new(&program).args(query.args));
            let said = said.map_err(|source| ToolError::Start { command: program.to_string(), source })?;
            format!("{}{}", String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr))
        }
    };
    let version = accept(tool, &printed).map_err(|reason| refused(tool, origin, reason))?;
    Ok(Some(Found { program, origin, version: version.map(|v| v.to_string()).unwrap_or_default() }))
}

fn refused(tool: Tool, origin: Origin, reason: String) -> ToolError {
    let variable = tool.spec().variable;
    let hint = match origin {
        Origin::Variable => format!("unset {variable} to use metronoc's own: metronoc tools install {tool}"),
        _ => format!(
            "set {variable} to one that serves, or use metronoc's own (METRONOC_TOOLS=private): metronoc tools install {tool}"
        ),
    };
    ToolError::Refused { tool, origin: origin.describe(tool), reason, hint }
}

fn private(settings: &Settings, tool: Tool, progress: Progress) -> Result<Ready, ToolError> {
    for bundle in tool.bundles() {
        install::install(settings, bundle, progress)?;
    }
    let spec = tool.spec();
    let folder = install::folder(settings, spec.bundle)?;
    let mut path = Vec::new();
    if spec.starts_others {
        path.push(install::folder(settings, Bundle::Yosys)?.join("bin"));
        path.push(install::folder(settings, Bundle::Z3)?.join("site/bin"));
    }
    let found = Found {
        program: install::program(&folder, spec),
        origin: Origin::Private,
        version: install::pinned_version(spec.bundle)?,
    };
    let verilator_root = (tool == Tool::Verilator).then(|| folder.join(verilator::ROOT));
    // its jobs on other machines run `python -m snakemake`
    let packages = (tool == Tool::Snakemake).then(|| folder.join("site"));
    Ok(Ready { found, path, verilator_root, packages })
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    struct Fixture {
        _dir: tempfile::TempDir,
        root: Utf8PathBuf,
    }

    impl Fixture {
        fn new() -> Self {
            let dir = tempfile::tempdir().expect("temporary folder");
            let root = Utf8PathBuf::from_path_buf(dir.path().to_path_buf()).expect("UTF-8");
            Self { _dir: dir, root }
        }

        fn script(&self, text: &str) -> Utf8PathBuf {
            let path = self.root.join("tool.sh");
            crate::tool::write_script(path.as_std_path(), &format!("#!/bin/sh\n{text}\n"));
            path
        }

        fn settings(&self, tool: Tool, script: &str) -> Settings {
            let overrides = BTreeMap::from([(tool, self.script(script))]);
            Settings { cache: self.root.join("cache"), policy: Policy::Private, overrides, python: None }
        }

        fn set(&self, tool: Tool, script: &str) -> Result<ToolSet, ToolError> {
            ToolSet::prepare(&self.settings(tool, script), &[tool], Progress::Silent)
        }
    }

    #[test]
    fn a_variable_is_followed_without_installing_anything() {
        let fixture = Fixture::new();
        let set = fixture.set(Tool::Yosys, "echo 'Yosys 0.44 (git sha1 x)'").expect("serves");
        let found = set.found(Tool::Yosys).expect("ready");
        assert_eq!((found.origin, found.version.as_str()), (Origin::Variable, "0.44"));
        assert!(!fixture.root.join("cache").exists());
        assert!(matches!(set.found(Tool::Z3), Err(ToolError::NotReady(Tool::Z3))));
    }

    #[test]
    fn an_old_tool_is_refused_with_what_to_do() {
        let fixture = Fixture::new();
        let error = fixture.set(Tool::Yosys, "echo 'Yosys 0.23 (git sha1 7ce5011c24b)'").expect_err("too old");
        let text = error.to_string();
        assert!(matches!(error, ToolError::Refused { .. }) && error.is_missing_tool());
        assert!(
            text.contains("METRONOC_YOSYS") && text.contains("0.23") && text.contains("metronoc tools install yosys"),
            "{text}"
        );
    }

    #[test]
    fn output_goes_to_the_log_and_comes_back() {
        let fixture = Fixture::new();
        let set = fixture.set(Tool::Icepack, "echo \"in $(pwd -P) got $*\"; echo oops >&2").expect("serves");
        let work = fixture.root.canonicalize_utf8().expect("folder");
        let log = work.join("run.log");
        let output = set.run(&Command::new(Tool::Icepack).args(["a.asc", "b.bin"]), &work, &log).expect("runs");
        assert_eq!(output.text, format!("in {work} got a.asc b.bin\noops\n"));
        assert_eq!(std::fs::read_to_string(&log).expect("log"), format!("$ icepack a.asc b.bin\n{}", output.text));
    }

    #[test]
    fn a_failure_tells_command_status_log_and_its_last_lines() {
        let fixture = Fixture::new();
        let set = fixture
            .set(
                Tool::Icepack,
                "for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23; do echo line $n; done; exit 3",
            )
            .expect("serves");
        let log = fixture.root.join("run.log");
        match set.run(&Command::new(Tool::Icepack).arg("a.asc"), &fixture.root, &log) {
            Err(ToolError::Failed { tool, command, status, tail, log: told }) => {
                assert_eq!((tool, command.as_str(), told), (Tool::Icepack, "icepack a.asc", log));
                assert!(status.contains('3'), "{status}");
                assert_eq!(tail.lines().count(), 20);
                assert!(tail.contains("line 4\n") && tail.ends_with("line 23") && !tail.contains("line 3\n"), "{tail}");
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn sandboxed_tools_are_kept_from_absolute_paths() {
        let fixture = Fixture::new();
        let set = fixture.set(Tool::Yosys, "echo 'Yosys 0.44'").expect("serves");
        let run = |script: &str| {
            set.run(&Command::new(Tool::Yosys).args(["-p", script]), &fixture.root, &fixture.root.join("log"))
        };
        assert!(matches!(run("read_verilog /etc/top.v"), Err(ToolError::AbsolutePath { tool: Tool::Yosys, .. })));
        assert!(run("read_verilog top.v").is_ok());
    }

    #[test]
    fn a_missing_working_folder_is_not_taken_for_a_missing_program() {
        let fixture = Fixture::new();
        let set = fixture.set(Tool::Icepack, "true").expect("serves");
        let run = set.run(&Command::new(Tool::Icepack), &fixture.root.join("absent"), &fixture.root.join("log"));
        assert!(matches!(run, Err(ToolError::Log { path, .. }) if path.ends_with("absent")));
    }

    #[test]
    fn a_tool_that_path_lacks_is_refused_under_the_system_policy() {
        let fixture = Fixture::new();
        let mut settings = fixture.settings(Tool::Icepack, "true").with_policy(Policy::System);
        settings.overrides.clear();
        // Whether PATH has an icepack depends on the machine; a refusal must say what was looked for and where.
        match outside(&settings, Tool::Icepack) {
            Ok(found) => assert_eq!(found.map(|f| f.origin), Some(Origin::Path)),
            Err(error) => {
                assert!(error.to_string().starts_with("icepack from PATH is refused: it is not there"), "{error}")
            }
        }
    }
}
