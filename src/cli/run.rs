//! `metronoc run`: the user's data through a network on a board.

use super::{CliError, Context, Exit, pipeline};
use crate::board::serial::{Line, SerialError};
use crate::collective::{Data, Dtype};
use crate::output::{Existing, write_file};
use crate::synth::link::{LinkError, exchange};
use serde::Serialize;
use std::path::PathBuf;
use std::time::Duration;

/// Move data through a network on a board
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification that the board was loaded with, by `metronoc synth --top host`
    spec: PathBuf,
    /// The serial port of the board
    #[arg(long, value_name = "DEVICE")]
    port: String,
    /// Bits a second on the serial line
    #[arg(long, value_name = "NUMBER", default_value_t = 115_200)]
    baud: u32,
    /// Seconds to wait for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
    timeout: u16,
    /// The data, as an .npy file; random words if it is left out
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
    /// Where to write what came out, as an .npy file
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
    let (checked, lowered) = pipeline::lowered(pipeline::work(&args.spec, context)?)?;
    let p = &lowered.parameters;
    let traffic = checked.traffic();
    let data = match &args.data {
        Some(file) => traffic.read(file, p.data_bits)?,
        None => {
            let dtype =
                Dtype::filling(p.data_bits).ok_or_else(|| CliError::Internal("no type of this width".into()))?;
            traffic.random(dtype, checked.spec.schedule.seed)?
        }
    };
    let mut line =
        Line::open(&args.port, args.baud, Duration::from_secs(args.timeout.into())).map_err(LinkError::from)?;
    let answer = exchange(&mut line, p, &data)?;
    let expected = data.expected();
    let wrong = (0..expected.words().len()).filter(|&i| expected.words().get(i) != answer.words.get(i)).count();
    let words = answer.words.len();
    let came =
        Data::new(traffic, answer.words).ok_or_else(|| CliError::Internal("the answer has another size".into()))?;
    if let Some(out) = &args.out {
        write_file(out, &came.to_npy(), Existing::keep_unless(context.force))?;
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
