//! Co-simulation of a packed bitstream: the bits that a board is loaded with move the data of a collective.

use super::all_data::{self, Proof, Tags};
use super::args::Args;
use super::failure::{judged, mismatch};
use crate::board::{Board, Family};
use crate::cli::folder::temporary;
use crate::cli::run::Transfer;
use crate::cli::work::{self, Input, Work};
use crate::cli::{CliError, Context, Exit, synth};
use crate::cosim::bitstream::{Cells, SimulatedBoard, recover};
use crate::cosim::{Build, Optimize};
use crate::count::counted;
use crate::synth::flow::Options;
use crate::synth::{BoardTop, Project, SynthError, Synthesis, tools};
use crate::tool::{self, Progress, Tool, ToolSet};
use serde::Serialize;
use std::path::Path;

/// Cycles of silence after which a board is taken to be dead, beside those of its collectives.
const PATIENCE: u64 = 500_000;

/// JSON output of `metronoc cosim --bitstream --json`.
#[derive(Serialize)]
struct Report {
    board: String,
    collectives: usize,
    routers: u32,
    #[serde(skip)]
    nodes: &'static str,
    received_words: usize,
    /// Clock cycles of the board, serial line included.
    cycles: u64,
    bitstream_bits: u64,
    cells: Cells,
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Proof>,
    out: Option<String>,
}

pub(super) fn run(args: &Args, file: Option<&Path>, input: Input, context: &Context) -> Result<(), CliError> {
    let board = Board::find(&args.board)?;
    if board.family != Family::Ice40 {
        let message = format!("a bitstream for {} is not read back, only one for an iCE40", board.family);
        return Err(CliError::failed(Exit::Usage, message, "take `--board icebreaker`"));
    }
    let out = context.output(args.out.as_deref())?;
    let result = context.output(args.result.as_deref())?;
    work::over_host_stream(&input.spec, "`metronoc cosim --bitstream`")?;
    let work = work::work_of(input, &args.source.spec, context)?;
    work.fits(&args.files)?;
    work::tell_of_part(work.as_ref(), context);
    let transfer = Transfer::new(work.as_ref(), &args.files, context)?;
    let tags = args.all_data.then(|| Tags::new(&transfer)).transpose()?;
    // before minutes of synthesis
    tool::icestorm()?;
    let progress = Progress::auto(context.quiet);
    let mut wanted = vec![Tool::Verilator, Tool::Yosys];
    wanted.extend(file.is_none().then(|| tools(board.family)).into_iter().flatten());
    let ready = tool::ensure(&wanted, progress)?;
    let (_folder, folder) = temporary("bitstream")?;
    let bits = match file {
        Some(file) => std::fs::read(file).map_err(|error| {
            CliError::failed(Exit::Io, format!("cannot read `{}`: {error}", file.display()), "name another file")
        })?,
        None => packed(args, work.as_ref(), &transfer, &board, (&ready, progress))?,
    };

    let step = progress.step("recovering the netlist of the bitstream");
    let recovered = recover(&bits, &board, &ready, &folder)?;
    let (sources, parts) = (&recovered.sources, &recovered.parts);
    let optimize = Optimize::Quick;
    let built = Build { sources, parts, optimize, root: args.build_dir.as_deref() }.run(&ready)?;
    step.done();
    let step = progress.step("simulating");
    let patience = PATIENCE + 4 * u64::from(transfer.hardware.cycles(work.cycles()));
    let mut line = SimulatedBoard::new(&built, &board, patience)?;
    let reproducible = |error| match error {
        CliError::AtSpec { exit: Exit::Mismatch, diagnostic } => {
            let diagnostic = diagnostic.help(args.repeat_help(context));
            CliError::AtSpec { exit: Exit::Mismatch, diagnostic: Box::new(diagnostic) }
        }
        error => error,
    };
    let answer = transfer.exchange(&mut line).map_err(|error| reproducible(mismatch(error.to_string(), Vec::new())))?;
    let came = judged(&transfer, &answer).map_err(reproducible)?;
    step.done();
    let proof = tags.map(|tags| {
        let step = progress.step("proving for all data");
        let proof = all_data::prove(&tags, &recovered.netlist, &board, patience, work.as_ref(), &transfer);
        step.done();
        proof.map_err(reproducible)
    });
    let proof = proof.transpose()?;
    let fabric = transfer.hardware.fabric();
    let words = transfer.expected.len();
    if let Some(out) = out {
        out.write(&transfer.collective.to_npy(&came))?;
    }
    let report = Report {
        board: board.title.clone(),
        collectives: transfer.collectives(),
        routers: fabric.tiles,
        nodes: fabric.tiles_name(),
        received_words: words,
        cycles: line.cycle(),
        bitstream_bits: recovered.bits,
        cells: recovered.cells,
        proof,
        out: args.out.as_ref().map(|out| out.display().to_string()),
    };
    context.conclude(result, &report, || report.text())
}

impl Report {
    fn text(&self) -> String {
        let mut text = format!(
            "bitstream and model agree: {} of {} {}, {} received, no faults\nserial line: {} of the {}\nbitstream: {} bits, {}\n",
            counted(self.collectives as u64, "collective"),
            self.routers,
            self.nodes,
            counted(self.received_words, "word"),
            counted(self.cycles, "cycle"),
            self.board,
            self.bitstream_bits,
            self.cells
        );
        if let Some(proof) = &self.proof {
            text.push_str(&proof.to_string());
        }
        if let Some(out) = &self.out {
            text.push_str(&format!("received: {out}\n"));
        }
        text
    }
}

/// Bits that `metronoc synth --top host` makes of a piece of work.
fn packed(
    args: &Args,
    work: &dyn Work,
    transfer: &Transfer,
    board: &Board,
    (ready, progress): (&ToolSet, Progress),
) -> Result<Vec<u8>, CliError> {
    let (bundle, design) = synth::sources(work, transfer.hardware.as_ref(), &args.source.spec)?;
    let project = Project::new(&bundle, design.clone(), board, BoardTop::Host).map_err(SynthError::from)?;
    let options = Options { target_mhz: board.clock.mhz, seed: 1, placer: None, tmg_ripup: false };
    let (folder, path) = temporary("synth")?;
    let made = Synthesis { design: &design, project: &project, board, options }.run(ready, &path, progress);
    if made.is_err() {
        // the error names a log in the folder
        folder.keep();
    }
    let mut files = made?.files;
    files.remove(&project.bitstream()).ok_or_else(|| CliError::Internal("a synthesis without a bitstream".to_owned()))
}
