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
use crate::tool;
use camino::Utf8PathBuf;
use clap::ValueEnum;
use std::path::PathBuf;

/// Number of collectives by default.
const COLLECTIVES: u64 = 2;

/// Simulate the Verilog of a specification against the software model
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub(in crate::cli) source: SourceArgs,
    #[command(flatten)]
    pub(in crate::cli) files: DataArgs,
    /// Send random words, made from the seed
    #[arg(long, conflicts_with_all = ["data", "a", "b"])]
    pub(super) random: bool,
    /// File for the received array, .npy
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) out: Option<PathBuf>,
    /// File for the verdict as JSON, as --json prints it, for `metronoc report --cosim`
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) result: Option<PathBuf>,
    /// Values that are compared in every cycle
    #[arg(long, value_name = "WHAT", default_value = "channels")]
    pub(in crate::cli) compare: Compare,
    /// Write a waveform in this format, also if nothing differs
    #[arg(long, value_name = "FORMAT")]
    pub(in crate::cli) trace: Option<Format>,
    /// Simulate this generated folder instead of fresh Verilog; its files may have been changed
    #[arg(long, value_name = "DIR")]
    pub(super) rtl: Option<Utf8PathBuf>,
    /// Simulate the netlist that Yosys synthesises for a technology, instead of the Verilog; cells are the vendor's
    /// models
    #[arg(long, value_name = "TECHNOLOGY", conflicts_with_all = ["stress", "form"])]
    pub(in crate::cli) netlist: Option<TechnologyArg>,
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
    pub(in crate::cli) stress: bool,
    /// Run so many times more, each with one bit of a register or memory flipped, from the seed, and count what the hardware reports
    #[arg(long, value_name = "N", conflicts_with = "netlist", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub(in crate::cli) upsets: Option<u64>,
    /// Form in which the hardware is simulated
    #[arg(long, value_name = "FORM", default_value = "auto")]
    pub(in crate::cli) form: FormArg,
    /// Parent folder of the simulator's build, instead of the cache
    #[arg(long, value_name = "DIR")]
    pub(in crate::cli) build_dir: Option<Utf8PathBuf>,
    /// Number of collectives, back to back; 2 if left out, since the second shows what the first left in the registers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(in crate::cli) collectives: Option<u64>,
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
    pub(in crate::cli) fn sources_of(&self, bundle: &RtlBundle) -> Result<Sources, CliError> {
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

    /// Help of a mismatch: the command line that repeats the run.
    pub(in crate::cli) fn repeat_help(&self, context: &Context) -> String {
        let mut line = vec!["metronoc".to_owned(), "cosim".to_owned(), self.source.spec.display().to_string()];
        line.extend(self.random.then(|| "--random".to_owned()));
        let mut option = |name: &str, value: Option<String>| {
            line.extend(value.map(|value| [format!("--{name}"), value]).into_iter().flatten());
        };
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        option("network", path(&self.source.network));
        option("data", path(&self.files.data));
        option("a", path(&self.files.a));
        option("b", path(&self.files.b));
        option("seed", context.seed.map(|seed| seed.to_string()));
        option("rtl", self.rtl.as_ref().map(ToString::to_string));
        option("out", path(&self.out));
        option("compare", named(self.compare, Compare::Channels));
        option("trace", self.trace.and_then(|format| named(format, Format::Fst)));
        let technology = |of: TechnologyArg| of.to_possible_value().map(|value| value.get_name().to_owned());
        option("netlist", self.netlist.and_then(technology));
        option("form", named(self.form, FormArg::Auto));
        option("build-dir", self.build_dir.as_ref().map(ToString::to_string));
        option("collectives", self.collectives.map(|count| count.to_string()));
        if let Some(file) = &self.bitstream {
            line.push(file.as_ref().map_or("--bitstream".to_owned(), |file| format!("--bitstream={}", file.display())));
            line.extend(["--board".to_owned(), self.board.clone()]);
            line.extend(self.all_data.then(|| "--all-data".to_owned()));
        }
        line.extend(self.stress.then(|| "--stress".to_owned()));
        line.extend(context.force.then(|| "--force".to_owned()));
        let line = line.iter().map(|word| tool::quote(word)).collect::<Vec<_>>().join(" ");
        format!("see it again with `{line}`")
    }
}

/// The name of a choice that is not the default.
fn named<T: ValueEnum + PartialEq>(choice: T, default: T) -> Option<String> {
    let value = choice.to_possible_value().filter(|_| choice != default)?;
    Some(value.get_name().to_owned())
}

/// Values that are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum Compare {
    /// Every channel and every receive port
    Channels,
    /// Every receive port
    Endpoints,
    /// Only the received array
    None,
}

impl Compare {
    pub(in crate::cli) fn sections(self) -> Option<Sections> {
        match self {
            Compare::Channels => Some(Sections::All),
            Compare::Endpoints => Some(Sections::Receives),
            Compare::None => None,
        }
    }
}

/// Technologies of netlists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum TechnologyArg {
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
pub(in crate::cli) enum FormArg {
    /// Best form for the size of the network
    Auto,
    /// All of mn_top
    Top,
    /// One tile, simulated once for each node, and a proof that mn_top connects the tiles as the topology says
    Tile,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn the_command_that_leads_here_again_has_its_options() {
        let again = |said: &[&str]| {
            let line = Line::try_parse_from([&["cosim", "sums.json", "--random"], said].concat()).unwrap();
            line.args.repeat_help(&Context::silent())
        };
        assert_eq!(
            again(&["--network", "my net.toml", "--collectives", "3"]),
            "see it again with `metronoc cosim sums.json --random --network 'my net.toml' --collectives 3`"
        );
        assert_eq!(
            again(&["--netlist", "ecp5"]),
            "see it again with `metronoc cosim sums.json --random --netlist ecp5`"
        );
        assert_eq!(
            again(&["--bitstream", "--all-data"]),
            "see it again with `metronoc cosim sums.json --random --bitstream --board icebreaker --all-data`"
        );
    }
}
