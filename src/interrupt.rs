//! Child processes and temporary folders: both end with the command, for any reason of its end.
//!
//! An interrupt, a hangup or a request to terminate ends the children, each with all the processes that it started, and removes
//! the temporary folders. Where metronoc is killed, a shell that waits for its end kills the children, and a later command removes the
//! folders: nobody holds their lock any more.

pub mod search;

use rustix::process::{Pid, Signal, WaitOptions, kill_process_group, test_kill_process_group, waitpgid};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time that children have to end after a request to terminate, and then after a kill.
const PATIENCE: [(Signal, Duration); 2] =
    [(Signal::TERM, Duration::from_secs(2)), (Signal::KILL, Duration::from_millis(500))];
/// The file in a temporary folder that is locked as long as the folder is in use.
const LOCK: &str = ".lock";

/// Processes and files that an interrupt ends.
#[derive(Debug)]
pub struct Live {
    /// Process groups of the children.
    groups: Vec<Pid>,
    folders: Vec<PathBuf>,
}

static LIVE: Mutex<Live> = Mutex::new(Live { groups: Vec::new(), folders: Vec::new() });

/// Postpones an interrupt for as long as the guard lives: for steps that must be taken together. No child is started and no temporary
/// folder made or removed meanwhile.
pub fn postponed() -> MutexGuard<'static, Live> {
    // The lists are right after any panic.
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Lets an interrupt, a hangup or a request to terminate end children and remove temporary folders; the exit code is then 130.
///
/// A signal that the process was told to ignore (`nohup`, a script's background job) stays ignored.
pub fn clean_up_on_signals() {
    let ignored = ignored_signals();
    let wanted = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = match Signals::new(wanted) {
        Ok(signals) => signals,
        Err(error) => return tracing::debug!("an interrupt will not clean up: {error}"),
    };
    std::thread::spawn(move || {
        // the first interrupt of a search stops the search alone
        let mut ends = signals.forever().filter(|&signal| signal != SIGINT || !search::stop());
        if ends.next().is_some() {
            // Held to the end, so that nothing new comes to be after the cleaning.
            let live = postponed();
            end(&live.groups);
            live.folders.iter().for_each(|folder| remove(folder));
            std::process::exit(130);
        }
    });
}

/// The signals that this process was started to ignore, signal n as bit n-1; none where the system does not tell.
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// Requests process groups to terminate, and kills those that do not.
fn end(groups: &[Pid]) {
    // What children started is then waited for here, also where the first process of the system waits for nothing, as in containers.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    for (signal, patience) in PATIENCE {
        for group in groups {
            let _ = kill_process_group(*group, signal); // it may have ended by itself
        }
        let begin = Instant::now();
        while begin.elapsed() < patience && groups.iter().any(|group| is_alive(*group)) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// True if a process group has a process that has not ended.
fn is_alive(group: Pid) -> bool {
    while let Ok(Some(_)) = waitpgid(group, WaitOptions::NOHANG) {}
    test_kill_process_group(group).is_ok()
}

/// Runs a command to its end, as [`Command::status`] does; its standard input is empty.
///
/// # Errors
/// If it cannot be started.
pub fn status(command: &mut Command) -> io::Result<ExitStatus> {
    run(command, Stdio::null(), |mut child| child.wait())
}

/// Runs a command to its end, as [`Command::output`] does.
///
/// # Errors
/// If it cannot be started, or what it prints cannot be read.
pub fn output(command: &mut Command) -> io::Result<Output> {
    output_of(command, Stdio::null())
}

/// Runs a command to its end as [`output`] does, with a standard input of its own.
///
/// # Errors
/// As [`output`].
pub fn output_of(command: &mut Command, input: Stdio) -> io::Result<Output> {
    run(command.stdout(Stdio::piped()).stderr(Stdio::piped()), input, Child::wait_with_output)
}

fn run<T>(command: &mut Command, input: Stdio, wait: impl FnOnce(Child) -> io::Result<T>) -> io::Result<T> {
    let (watcher, child, group) = {
        let mut live = postponed();
        let watcher = Watcher::new();
        let child = command.stdin(input).process_group(watcher.group()).spawn()?;
        let group = watcher.0.as_ref().map_or_else(|| Pid::from_child(&child), Pid::from_child);
        live.groups.push(group);
        (watcher, child, group)
    };
    let done = wait(child);
    postponed().groups.retain(|other| *other != group);
    drop(watcher);
    done
}

/// A shell that leads a process group and kills it when this process has ended, which closes the shell's standard input.
///
/// It is there before the child that it watches over, so that no end of this process comes between the two.
struct Watcher(Option<Child>);

impl Watcher {
    fn new() -> Self {
        let mut shell = Command::new("sh");
        shell.args(["-c", "read -r _; kill -s KILL 0"]).process_group(0);
        let shell = shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        Self(shell.inspect_err(|error| tracing::debug!("nothing watches over the next child: {error}")).ok())
    }

    /// The group that the child joins, as [`CommandExt::process_group`] takes it: a new one if there is no shell.
    fn group(&self) -> i32 {
        self.0.as_ref().map_or(0, |shell| Pid::from_child(shell).as_raw_pid())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if let Some(shell) = &mut self.0 {
            // It can only have ended already.
            let _ = shell.kill();
            let _ = shell.wait();
        }
    }
}

/// A folder that is removed when it is dropped, or when the command is interrupted.
#[derive(Debug)]
pub struct Temporary {
    path: PathBuf,
    _lock: File,
}

impl Temporary {
    /// Makes an empty folder in `parent`, its name `prefix` and some letters, and removes those of the same prefix whose
    /// command was killed.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn new(parent: &Path, prefix: &str) -> io::Result<Self> {
        remove_stale(parent, prefix);
        loop {
            let path = {
                let mut live = postponed();
                let path = tempfile::Builder::new().prefix(prefix).tempdir_in(parent)?.keep();
                live.folders.push(path.clone());
                path
            };
            let lock = match File::create_new(path.join(LOCK)) {
                // Another process may have found it empty.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    postponed().folders.retain(|folder| *folder != path);
                    continue;
                }
                made => made?,
            };
            // Without locks nothing is stale.
            let _ = lock.lock();
            let temporary = Self { path, _lock: lock };
            // Another process may have found it unlocked.
            if temporary.path.join(LOCK).exists() {
                return Ok(temporary);
            }
        }
    }

    /// Makes an empty folder for the work of a command, where the system has its temporary files.
    ///
    /// # Errors
    /// If the folder cannot be made.
    pub fn for_work(command: &str) -> io::Result<Self> {
        Self::new(&std::env::temp_dir(), &format!("metronoc-{command}-"))
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Leaves the folder to the user.
    pub fn keep(self) {
        let mut live = postponed();
        live.folders.retain(|folder| *folder != self.path);
        // It is stale otherwise; if this fails, it is removed by a later command.
        let _ = fs::remove_file(self.path.join(LOCK));
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut live = postponed();
        let before = live.folders.len();
        live.folders.retain(|folder| *folder != self.path);
        if live.folders.len() < before {
            remove(&self.path);
        }
    }
}

/// Removes the temporary folders of commands that were killed: those in `parent` whose names begin with `prefix`.
pub fn remove_stale(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes());
        if !is_ours || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            continue;
        }
        match File::options().write(true).open(entry.path().join(LOCK)) {
            Ok(lock) if lock.try_lock().is_ok() => remove(&entry.path()),
            Ok(_) => {}
            // A command was killed before it made the lock; a folder that was left to the user has files, and stays.
            Err(_) => drop(fs::remove_dir(entry.path())),
        }
    }
}

/// Removes a folder in which threads and children may still have been writing a moment ago.
fn remove(folder: &Path) {
    for _ in 0..50 {
        match clear(folder).and_then(|()| fs::remove_dir_all(folder)) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                std::thread::sleep(Duration::from_millis(10));
            }
            // Nothing is left to be done if it cannot be removed.
            _ => return,
        }
    }
}

/// Removes all that is in a folder but its lock: the folder of a command that is killed meanwhile is still known to be stale.
fn clear(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != LOCK {
            let path = entry.path();
            if entry.file_type()?.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
    }
    Ok(())
}
