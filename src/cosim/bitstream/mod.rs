//! Packed bitstreams of an iCE40 in place of the Verilog: a board that is loaded with the very bits, and its serial line.
//!
//! Project IceStorm unpacks the bits and writes their look-up tables, registers, block RAMs and wires as Verilog. The simulation has the
//! pins of the board's top alone.

pub mod ice40;
pub mod line;
pub mod symbolic;

use super::build::{Built, Parts};
use super::error::{CosimError, file_error};
use super::loaded::Loaded;
use super::netlist::share;
use super::sources::Sources;
use crate::board::serial::{Serial, SerialError};
use crate::board::{Board, Level};
use crate::interrupt;
use crate::tool::{self, ToolError, ToolSet};
use camino::Utf8Path;
use std::ffi::c_void;
use std::io;
use std::process::Command;
use std::time::Duration;

/// Name of the module, the board's top.
const TOP: &str = "mn_board";
/// Files of a recovery, in its folder: bitstream, configuration and pins.
const PACKED: &str = "board.bin";
const UNPACKED: &str = "board.asc";
const PINS: &str = "pins.pcf";
/// Line before the models: all inputs of cells are connected.
const HEAD: &str = "`define NO_ICE40_DEFAULT_ASSIGNMENTS\n";
/// Lines for Verilator: the style of IceStorm and Yosys is theirs.
const WAIVED: &str = "`verilator_config\nlint_off -file \"rtl/cells_sim.v\"\nlint_off -file \"rtl/mn_board.v\"\nlint_off -rule SPECIFYIGN\n\
    lint_off -rule INITIALDLY\nlint_off -rule UNOPTFLAT\n";
const SHIM: &str = include_str!("../../../sim/shim_board.cpp");
/// Name of the line in messages.
const LINE: &str = "the simulated board";

/// Netlist that was recovered from a bitstream.
#[derive(Debug)]
pub struct Recovered {
    /// The netlist as IceStorm writes it, with its ports declared once.
    pub netlist: String,
    /// The netlist and the models of its cells.
    pub sources: Sources,
    /// The shim, for a build.
    pub parts: Parts,
    /// Bits of the packed bitstream.
    pub bits: u64,
    /// Look-up tables, carries, registers and block RAMs.
    pub cells: Cells,
}

/// Numbers of recovered cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Cells {
    /// Look-up tables and carries.
    pub luts: usize,
    /// Flip-flops.
    pub registers: usize,
    /// Block RAMs.
    pub block_rams: usize,
}

/// Recovers the netlist of a packed bitstream, in the folder `work`.
///
/// # Errors
/// [`CosimError::Tool`] if Project IceStorm is missing, [`CosimError::Bitstream`] if it cannot read the bits, and [`CosimError::File`] if
/// a file cannot be written or read.
pub fn recover(bits: &[u8], board: &Board, tools: &ToolSet, work: &Utf8Path) -> Result<Recovered, CosimError> {
    let write = |name: &str, content: &[u8]| {
        let path = work.join(name);
        std::fs::write(&path, content).map_err(file_error(&path))
    };
    let [unpack, recover] = tool::icestorm()?;
    write(PACKED, bits)?;
    write(PINS, board.pin_text().as_bytes())?;
    run(&unpack, &[PACKED, UNPACKED], work)?;
    let netlist = plain(&run(&recover, &["-p", PINS, "-n", TOP, UNPACKED], work)?);
    let path = share(tools)?.join("ice40/cells_sim.v");
    let models = HEAD.to_owned() + &std::fs::read_to_string(&path).map_err(file_error(&path))?;
    let sources = Sources::new([("rtl/mn_board.v", netlist.as_str()), ("rtl/cells_sim.v", models.as_str())]);
    let beside = vec![("shim_board.cpp", SHIM.to_owned()), ("board.vlt", WAIVED.to_owned())];
    let parts = Parts { top: TOP, beside, without: &[], parameters: Vec::new(), defines: Vec::new() };
    Ok(Recovered { sources, parts, bits: 8 * bits.len() as u64, cells: Cells::of(&netlist), netlist })
}

impl Cells {
    fn of(netlist: &str) -> Self {
        let count = |is: &dyn Fn(&str) -> bool| netlist.lines().filter(|line| is(line)).count();
        let constant = |line: &str| line.ends_with("*/ 1'b0;") || line.ends_with("*/ 1'b1;");
        Self {
            luts: count(&|line| line.contains("/* LUT ") && !constant(line) || line.contains("/* CARRY ")),
            registers: count(&|line| line.contains("always @(")),
            block_rams: count(&|line| line.trim_start().starts_with("SB_RAM40_4K")),
        }
    }
}

impl std::fmt::Display for Cells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} look-up tables, {} registers, {} block RAMs", self.luts, self.registers, self.block_rams)
    }
}

/// Standard output of a program in a folder.
fn run(program: &Utf8Path, arguments: &[&str], work: &Utf8Path) -> Result<String, CosimError> {
    let start = |source: io::Error| ToolError::Start { command: program.to_string(), source };
    let output = interrupt::output(Command::new(program).args(arguments).current_dir(work)).map_err(start)?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let errors = String::from_utf8_lossy(&output.stderr);
    let last = errors.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it ended with a failure");
    Err(CosimError::Bitstream { program: program.file_name().unwrap_or_default().to_owned(), reason: last.to_owned() })
}

/// Netlist that declares its ports once: IceStorm does so in the head of the module, and then again as wires.
fn plain(netlist: &str) -> String {
    let mut verilog = String::with_capacity(netlist.len());
    for line in netlist.lines() {
        match line.strip_prefix("module mn_board (").and_then(|rest| rest.strip_suffix(");")) {
            Some(ports) => {
                let names = ports.replace("input ", "").replace("output ", "");
                verilog += &format!("module mn_board ({names});\n{};\n", ports.replace(", ", "; "));
            }
            None => verilog += &format!("{line}\n"),
        }
    }
    verilog
}

type Handle = *mut c_void;

/// Simulated board that was loaded with a bitstream, as the host sees it over the serial line.
pub struct SimulatedBoard {
    handle: Handle,
    delete: unsafe extern "C" fn(Handle),
    cycle: unsafe extern "C" fn(Handle) -> u64,
    wait: unsafe extern "C" fn(Handle, u64) -> u8,
    send: unsafe extern "C" fn(Handle, *const u8, u64) -> u8,
    receive: unsafe extern "C" fn(Handle, u64) -> u32,
    forget: unsafe extern "C" fn(Handle),
    /// Cycles of silence after which no answer is expected.
    patience: u64,
    mhz: f64,
    library: Loaded,
}

impl SimulatedBoard {
    /// Board that has just been configured; an answer must follow within `patience` cycles of the byte before it.
    ///
    /// # Errors
    /// [`CosimError::Library`] if the library does not load.
    pub fn new(built: &Built, board: &Board, patience: u64) -> Result<Self, CosimError> {
        let library = Loaded::new(&built.library)?;
        let bit = board.clock.mhz * 1e6 / f64::from(board.uart.baud);
        let released = u8::from(board.button.active == Level::Low);
        // SAFETY: the shim declares the functions with these types, and the board drops them with the library.
        unsafe {
            let new = library.function::<unsafe extern "C" fn(f64, u8) -> Handle>("mn_board_new")?;
            Ok(Self {
                delete: library.function("mn_board_delete")?,
                cycle: library.function("mn_board_cycle")?,
                wait: library.function("mn_board_wait")?,
                send: library.function("mn_board_send")?,
                receive: library.function("mn_board_receive")?,
                forget: library.function("mn_board_forget")?,
                handle: new(bit, released),
                patience,
                mhz: board.clock.mhz,
                library,
            })
        }
    }

    /// Clock cycles since the configuration.
    pub fn cycle(&self) -> u64 {
        // SAFETY: the handle is of this library and lives until the drop; so below.
        unsafe { (self.cycle)(self.handle) }
    }

    fn ran(&self, ran: bool) -> Result<(), SerialError> {
        match ran {
            true => Ok(()),
            false => {
                let source = io::Error::other(self.library.stopped(self.cycle()));
                Err(SerialError::Line { port: LINE.to_owned(), source })
            }
        }
    }
}

impl Drop for SimulatedBoard {
    fn drop(&mut self) {
        // SAFETY: see above.
        unsafe { (self.delete)(self.handle) }
    }
}

impl Serial for SimulatedBoard {
    fn send(&mut self, bytes: &[u8]) -> Result<(), SerialError> {
        // SAFETY: see above; the bytes are read before the return.
        self.ran(unsafe { (self.send)(self.handle, bytes.as_ptr(), bytes.len() as u64) } != 0)
    }

    fn receive(&mut self, count: usize) -> Result<Vec<u8>, SerialError> {
        let mut bytes = Vec::with_capacity(count);
        while bytes.len() < count {
            // SAFETY: see above.
            match u8::try_from(unsafe { (self.receive)(self.handle, self.patience) }) {
                Ok(byte) => bytes.push(byte),
                Err(_) => {
                    let seconds = self.patience as f64 / (self.mhz * 1e6);
                    return Err(SerialError::Silent {
                        port: LINE.to_owned(),
                        got: bytes.len(),
                        wanted: count,
                        seconds,
                    });
                }
            }
        }
        Ok(bytes)
    }

    fn forget(&mut self) -> Result<(), SerialError> {
        // SAFETY: see above.
        unsafe { (self.forget)(self.handle) };
        Ok(())
    }

    fn wait(&mut self, time: Duration) {
        let cycles = (time.as_secs_f64() * self.mhz * 1e6) as u64;
        // SAFETY: see above. A simulation that ends itself here tells so at the next byte.
        unsafe { (self.wait)(self.handle, cycles) };
    }
}
