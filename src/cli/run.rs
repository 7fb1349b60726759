//! `metronoc run`: the user's data through a network on a board.

use super::work::{self, DataArgs, SourceArgs, Work};
use super::{CliError, Context, Exit};
use crate::board::serial::{Line, Serial, SerialError};
use crate::collective::{Collective, Words};
use crate::family::Hardware;
use crate::synth::link::{Answer, LinkError, Passes, exchange};
use serde::Serialize;
use std::path::PathBuf;
use std::rc::Rc;
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

/// Data of a collective on their way through a board.
pub(super) struct Transfer {
    pub(super) hardware: Rc<dyn Hardware>,
    pub(super) collective: Rc<dyn Collective>,
    data: Words,
    pub(super) expected: Words,
    /// The data as each tile takes them.
    pub(super) passes: Passes,
}

impl Transfer {
    /// Reads the data, and cuts them into what each tile takes.
    ///
    /// # Errors
    /// If one of them cannot be used.
    pub(super) fn new(work: &dyn Work, files: &DataArgs, context: &Context) -> Result<Self, CliError> {
        let hardware: Rc<dyn Hardware> = work.hardware(context)?.into();
        let networks = hardware.networks();
        let data = work.words(networks, files)?;
        Ok(Self::through(hardware, work.collective(networks).into(), data))
    }

    /// The transfer of other data.
    pub(super) fn of(&self, data: Words) -> Self {
        Self::through(self.hardware.clone(), self.collective.clone(), data)
    }

    fn through(hardware: Rc<dyn Hardware>, collective: Rc<dyn Collective>, data: Words) -> Self {
        let interface = hardware.interface();
        let (tiles, set) = (hardware.fabric().tiles, interface.words_a_tile() as u64);
        let passes = Passes::new(&hardware.loads(&data), interface.loads(), tiles, set);
        Self { expected: collective.expected(&data), hardware, collective, data, passes }
    }

    /// The data that go in.
    pub(super) fn data(&self) -> &Words {
        &self.data
    }

    /// Number of collectives, one after the other.
    pub(super) fn collectives(&self) -> usize {
        self.passes.loads.len()
    }

    /// Sends the data through the board at the other end of a line.
    ///
    /// # Errors
    /// As [`exchange`].
    pub(super) fn exchange(&self, line: &mut dyn Serial) -> Result<Answer, LinkError> {
        exchange(line, &self.hardware.fabric(), &self.passes)
    }

    /// The result in an answer.
    pub(super) fn came(&self, answer: &Answer) -> Words {
        let words_a_tile = self.hardware.interface().words_a_tile();
        let sets = answer.words.chunks(self.hardware.fabric().tiles as usize * words_a_tile);
        let came: Vec<u64> = sets.flat_map(|set| self.hardware.read_out(set)).collect();
        let came = self.hardware.results(self.collective.as_ref(), &self.data, came);
        Words::from_fn(self.expected.dtype(), came.len(), |index| came[index])
    }

    /// Places of wrong words in a result.
    pub(super) fn wrong(&self, came: &Words) -> impl Iterator<Item = usize> {
        (0..self.expected.len()).filter(|&index| came.get(index) != self.expected.get(index))
    }
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let output = context.output(args.out.as_deref())?;
    let input = work::load_from(&args.source, context)?;
    work::over_host_stream(&input.spec, "`metronoc run`")?;
    let work = work::work_of(input, &args.source.spec, context)?;
    work::tell_of_part(work.as_ref(), context);
    let transfer = Transfer::new(work.as_ref(), &args.files, context)?;
    let mut line =
        Line::open(&args.port, args.baud, Duration::from_secs(args.timeout.into())).map_err(LinkError::from)?;
    let answer = transfer.exchange(&mut line)?;
    let came = transfer.came(&answer);
    let (words, wrong) = (transfer.expected.len(), transfer.wrong(&came).count());
    if let Some(output) = output {
        output.write(&transfer.collective.to_npy(&came))?;
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
