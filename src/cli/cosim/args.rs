//! Arguments of a co-simulation.

use crate::cli::work::{self, DataArgs, SourceArgs};
use crate::cli::{CliError, Context};
use crate::cosim::Sources;
use crate::cosim::netlist::Technology;
use crate::cosim::wave::Format;
use crate::emit::RtlBundle;
use crate::family::{Hardware, Runs};
use crate::model::Sections;
use crate::spec::Spec;
use camino::Utf8PathBuf;
use clap::ValueEnum;
use std::path::PathBuf;

/// Number of collectives by default.
const COLLECTIVES: u64 = 2;

/// Simulate the Verilog of a specification against the software model
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub(super) source: SourceArgs,
    #[command(flatten)]
    pub(super) files: DataArgs,
    /// Send random words, made from the seed
    #[arg(long, conflicts_with_all = ["data", "a", "b"])]
    pub(super) random: bool,
    /// File for the received array, .npy
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// File for the verdict as JSON, as --json prints it, for `metronoc report --cosim`
    #[arg(long, value_name = "FILE")]
    pub(super) result: Option<PathBuf>,
    /// Values that are compared in every cycle
    #[arg(long, value_name = "WHAT", default_value = "channels")]
    pub(super) compare: Compare,
    /// Write a waveform in this format, also if nothing differs
    #[arg(long, value_name = "FORMAT")]
    pub(super) trace: Option<Format>,
    /// Simulate this generated folder instead of fresh Verilog; its files may have been changed
    #[arg(long, value_name = "DIR")]
    pub(super) rtl: Option<Utf8PathBuf>,
    /// Simulate the netlist that Yosys synthesises for a technology, instead of the Verilog; cells are the vendor's
    /// models
    #[arg(long, value_name = "TECHNOLOGY", conflicts_with_all = ["stress", "form"])]
    pub(super) netlist: Option<TechnologyArg>,
    /// Simulate the netlist that Project IceStorm recovers from a packed bitstream for an iCE40, and drive the board's serial line as
    /// `metronoc run` does; FILE is a bitstream of `metronoc synth --top host`, which is made if it is left out
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[arg(conflicts_with_all = ["stress", "form", "netlist", "upsets", "trace", "compare", "rtl", "collectives"])]
    pub(super) bitstream: Option<Option<PathBuf>>,
    /// Prove the bitstream for all data, and not only for these: each data bit stands for both of its values; flip each bit of the
    /// program in block RAMs, too
    #[arg(long, requires = "bitstream")]
    pub(super) all_data: bool,
    /// Board of the bitstream: a name of `metronoc boards`, or a folder with a board.toml
    #[arg(long, value_name = "NAME|FOLDER", requires = "bitstream", default_value = "icebreaker")]
    pub(super) board: String,
    /// Stress the hardware, too: corner values, pauses of both streams, a reload during a run, and injected faults that
    /// must be reported
    #[arg(long)]
    pub(super) stress: bool,
    /// Run so many times more, each with one bit of a register or memory flipped, from the seed, and count what the hardware reports
    #[arg(long, value_name = "N", conflicts_with = "netlist", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(super) upsets: Option<u64>,
    /// Form in which the hardware is simulated
    #[arg(long, value_name = "FORM", default_value = "auto")]
    pub(super) form: FormArg,
    /// Parent folder of the simulator's build, instead of the cache
    #[arg(long, value_name = "DIR")]
    pub(super) build_dir: Option<Utf8PathBuf>,
    /// Number of collectives, back to back; 2 if left out, since the second shows what the first left in the registers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(super) collectives: Option<u64>,
}

impl Args {
    /// Kind and number of collectives.
    pub(super) fn runs(&self) -> Runs {
        Runs {
            sections: self.compare.sections(),
            collectives: self.collectives.unwrap_or(COLLECTIVES),
            asked: self.collectives.is_some(),
        }
    }

    /// The user's folder, or else a bundle.
    pub(super) fn sources_of(&self, bundle: &RtlBundle) -> Result<Sources, CliError> {
        let emitted = Sources::new(bundle.files());
        Ok(match &self.rtl {
            Some(folder) => Sources::read(folder, &emitted)?,
            None => emitted,
        })
    }

    /// Sources of a simulation: the user's folder, or else the emitted files. Changed memory images are reported, and
    /// simulated in any case.
    pub(super) fn sources(&self, hardware: &dyn Hardware, spec: &Spec, context: &Context) -> Result<Sources, CliError> {
        let sources = self.sources_of(&work::emitted(hardware, spec, &self.source.spec)?)?;
        if let Err(error) = sources.read_back(hardware) {
            context.say(format!("warning: {error}"));
        }
        Ok(sources)
    }
}

/// Values that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Compare {
    /// Every channel and every receive port
    Channels,
    /// Every receive port
    Endpoints,
    /// Only the received array
    None,
}

impl Compare {
    pub(super) fn sections(self) -> Option<Sections> {
        match self {
            Compare::Channels => Some(Sections::All),
            Compare::Endpoints => Some(Sections::Receives),
            Compare::None => None,
        }
    }
}

/// Technologies of netlists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TechnologyArg {
    /// Lattice iCE40
    Ice40,
    /// Lattice ECP5, with memories of look-up tables
    Ecp5,
}

impl From<TechnologyArg> for Technology {
    fn from(arg: TechnologyArg) -> Self {
        match arg {
            TechnologyArg::Ice40 => Technology::Ice40,
            TechnologyArg::Ecp5 => Technology::Ecp5,
        }
    }
}

/// Forms of a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FormArg {
    /// Best form for the size of the network
    Auto,
    /// All of mn_top
    Top,
    /// One tile, simulated once for each node, and a proof that mn_top connects the tiles as the topology says
    Tile,
}
