//! `metronoc run`: the user's data through a network on a board.

use super::work::{self, DataArgs, SourceArgs};
use super::{CliError, Context, Exit};
use crate::board::serial::{Line, SerialError};
use crate::collective::Words;
use crate::synth::link::{LinkError, Passes, exchange};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Move data through a network on a board that `metronoc synth --top host` has loaded
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    source: SourceArgs,
    /// Serial port of the board, such as /dev/ttyUSB1
    #[arg(long, value_name = "DEVICE")]
    port: String,
    /// Bit rate of the serial line, bit/s
    #[arg(long, value_name = "NUMBER", default_value_t = 115_200)]
    baud: u32,
    /// Time to wait for an answer, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
    #[command(flatten)]
    files: DataArgs,
    /// File for the received array, .npy
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Serialize)]
struct Output {
    words: usize,
    wrong_words: usize,
    fault: bool,
    /// Status of each tile, in hexadecimal.
    status: Vec<String>,
    out: Option<String>,
}

impl From<LinkError> for CliError {
    fn from(error: LinkError) -> Self {
        let exit = match &error {
            LinkError::Serial(SerialError::Open { .. } | SerialError::Line { .. }) => Exit::Io,
            LinkError::TooLong { .. } => Exit::BadSpec,
            _ => Exit::Mismatch,
        };
        CliError::failed(exit, error.to_string(), error.help())
    }
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let output = context.output(args.out.as_deref())?;
    let input = work::load_from(&args.source, context)?;
    work::over_host_stream(&input.spec, "`metronoc run`")?;
    let work = work::work_of(input, &args.source.spec, context)?;
    let hardware = work.hardware(context)?;
    let networks = hardware.networks();
    let collective = work.collective(networks);
    let data = work.words(networks, &args.files)?;
    let expected = collective.expected(&data);
    let interface = hardware.interface();
    let passes = Passes::new(
        &hardware.loads(&data),
        interface.loads(),
        hardware.fabric().tiles,
        interface.words_a_tile() as u64,
    );
    let mut line =
        Line::open(&args.port, args.baud, Duration::from_secs(args.timeout.into())).map_err(LinkError::from)?;
    let answer = exchange(&mut line, &hardware.fabric(), &passes)?;
    let sets = answer.words.chunks(hardware.fabric().tiles as usize * interface.words_a_tile());
    let came: Vec<u64> = sets.flat_map(|set| hardware.read_out(set)).collect();
    let came = hardware.results(collective.as_ref(), &data, came);
    let came = Words::from_fn(expected.dtype(), came.len(), |index| came[index]);
    let words = expected.len();
    let wrong = (0..words).filter(|&index| came.get(index) != expected.get(index)).count();
    if let Some(output) = output {
        output.write(&collective.to_npy(&came))?;
    }
    if context.json {
        let status = answer.status.iter().map(|status| format!("{status:016x}")).collect();
        let out = args.out.as_ref().map(|out| out.display().to_string());
        context.print_json(&Output { words, wrong_words: wrong, fault: answer.fault, status, out })?;
    }
    if wrong > 0 || answer.fault {
        let fault = if answer.fault { "reports a fault" } else { "reports no fault" };
        return Err(CliError::failed(
            Exit::Mismatch,
            format!("{wrong} of {words} words came out wrong, and the network {fault}"),
            "load the board with the self-test (`metronoc synth --top selftest`) to tell network from line",
        ));
    }
    context.say(format!("{words} words went through the board and came out right"));
    Ok(())
}
