//! `metronoc run`: the user's data through a network on a board.

use super::pipeline::{self, Work};
use super::{CliError, Context, Exit};
use crate::board::serial::{Line, SerialError};
use crate::collective::{Data, Words};
use crate::lower::Ring;
use crate::synth::link::{LinkError, Passes, exchange};
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

/// A collective on the user's data: what goes through the line, and what must come back.
struct Job {
    ring: Ring,
    passes: Passes,
    /// Where the results are among the words that come back, in their order.
    places: Vec<usize>,
    expected: Words,
    npy: Box<dyn Fn(Words) -> Option<Vec<u8>>>,
}

impl Job {
    fn new(args: &Args, context: &Context) -> Result<Self, CliError> {
        match pipeline::work(&args.spec, context)? {
            Work::Pops(work) => {
                let lowered = work.lowered()?;
                let (delivery, data) = work.data(&lowered, args.data.as_deref())?;
                Ok(Self {
                    ring: lowered.frame.ring.clone(),
                    passes: Passes::pops(&lowered, &data.to_vec()),
                    places: lowered.result_places(),
                    expected: delivery.expected(&data),
                    npy: Box::new(move |came| Some(delivery.to_npy(&came))),
                })
            }
            work => {
                let (checked, lowered) = pipeline::lowered(work)?;
                let (p, traffic) = (&lowered.parameters, checked.traffic());
                let data = checked.data(args.data.as_deref())?;
                let expected = data.expected().words().clone();
                Ok(Self {
                    ring: p.ring.clone(),
                    passes: Passes::all_to_all(p, &data),
                    places: (0..expected.len()).collect(),
                    expected,
                    npy: Box::new(move |came| Some(Data::new(traffic, came)?.to_npy())),
                })
            }
        }
    }
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let output = context.output(args.out.as_deref())?;
    let job = Job::new(args, context)?;
    let mut line =
        Line::open(&args.port, args.baud, Duration::from_secs(args.timeout.into())).map_err(LinkError::from)?;
    let answer = exchange(&mut line, &job.ring, &job.passes)?;
    let words = job.places.len();
    let came = Words::from_fn(job.expected.dtype(), words, |index| answer.words[job.places[index]]);
    let wrong = (0..words).filter(|&index| came.get(index) != job.expected.get(index)).count();
    if let Some(output) = output {
        let npy = (job.npy)(came).ok_or_else(|| CliError::Internal("the answer has another size".into()))?;
        output.write(&npy)?;
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
