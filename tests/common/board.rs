//! Board tops in simulation.

use super::{verilator, write};
use camino::Utf8Path;
use metronoc::board::{Board, Level};
use metronoc::cli::Context;
use metronoc::cli::work;
use metronoc::synth::{BoardTop, Design, Project};
use serialport::{SerialPort, TTYPort};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::Duration;

/// Sources of a board's top for a specification, the design that it runs, and the board.
pub fn project(text: &str, top: BoardTop, board: &str) -> (Project, Design, Board) {
    let folder = tempfile::tempdir().unwrap();
    let spec = folder.path().join("s.toml");
    fs::write(&spec, text).unwrap();
    let context = Context::silent();
    let work = work::work(&work::SourceArgs { spec: spec.clone(), network: None }, &context).unwrap();
    let hardware = work.hardware(&context).unwrap();
    let networks = hardware.networks();
    let design = hardware.design(work.collective(networks).as_ref(), work.hops() * networks as u64);
    let bundle = work::emitted(hardware.as_ref(), work.spec(), &spec).unwrap();
    let board = Board::find(board).unwrap();
    let project = Project::new(&bundle, design.clone(), &board, top).unwrap();
    (project, design, board)
}

/// Writes `main.cpp` of a board's simulation, and what it includes, to a folder.
pub fn write_program(folder: &Path) {
    for file in ["main.cpp", "receiver.h"] {
        fs::copy(Path::new("tests/board").join(file), folder.join(file)).unwrap();
    }
}

/// Builds the top of a board in a folder as a program that has the serial line on its standard streams.
pub fn simulator(folder: &Path, project: &Project) -> PathBuf {
    write(folder, project.files());
    write_program(folder);
    let folder = Utf8Path::from_path(folder).unwrap();
    let options = ["--cc", "--exe", "--build", "-Wall", "--default-language", "1364-2005", "--top-module", "mn_board"];
    let arguments = options.into_iter().chain(project.sources()).chain(["main.cpp"]);
    verilator::build(folder, verilator::QUICK, arguments);
    folder.join("obj/Vmn_board").into()
}

/// The line that a self-test says.
pub fn line_of(folder: &Path, program: &Path, board: &Board) -> String {
    let button = if board.button.active == Level::Low { "low" } else { "high" };
    let arguments = [&board.uart_divide().to_string(), button];
    let output = std::process::Command::new(program).current_dir(folder).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

/// A simulated board behind a pseudo terminal.
pub struct Bench {
    child: Child,
    /// The name of its serial port.
    pub port: String,
    _slave: TTYPort,
}

impl Bench {
    /// Starts what [`simulator`] has built.
    pub fn new(folder: &Path, program: &Path, divide: u32) -> Self {
        let (mut master, slave) = TTYPort::pair().unwrap();
        let mut child = std::process::Command::new(program)
            .current_dir(folder)
            .args([&divide.to_string(), "host"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (mut to, mut from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let mut back = master.try_clone_native().unwrap();
        master.set_timeout(Duration::from_millis(100)).unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 256];
            loop {
                match master.read(&mut bytes) {
                    Ok(n) if to.write_all(&bytes[..n]).and_then(|()| to.flush()).is_err() => return,
                    // the other end has gone with the bench
                    Err(error) if error.kind() != io::ErrorKind::TimedOut => return,
                    _ => {}
                }
            }
        });
        std::thread::spawn(move || {
            let mut byte = [0];
            while from.read_exact(&mut byte).is_ok() && back.write_all(&byte).is_ok() {}
        });
        Self { child, port: slave.name().unwrap(), _slave: slave }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
