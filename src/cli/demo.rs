//! `metronoc demo`: from a specification and an array to a checked schedule, Verilog, lockstep co-simulation and a
//! bitstream, on data that come with the program. Every step is a command that a user could type.

use super::{CliError, Context, Exit};
use crate::output::{OutputFile, OutputFolder};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Make a bitstream from a specification, step by step, on bundled data
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Output folder; a folder that metronoc wrote is replaced
    #[arg(short, long, value_name = "DIR", default_value = "metronoc-demo")]
    output: PathBuf,
    /// Stop before the bitstream, whose tools are the largest download
    #[arg(long)]
    no_bitstream: bool,
}

/// The demo's own files: a network of 18 routers with its data, and one that fits the smallest board.
const FILES: [(&str, &[u8]); 3] = [
    ("d3-2-3.toml", include_bytes!("../../examples/d3-2-3.toml")),
    ("d3-2-3.npy", include_bytes!("../../examples/d3-2-3.npy")),
    ("icebreaker.toml", include_bytes!("../../examples/icebreaker.toml")),
];

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    // its own folder inside, so that a second run finds what the first made, and nothing else, in each
    let files: BTreeMap<String, Vec<u8>> =
        FILES.iter().map(|&(name, bytes)| (name.to_owned(), bytes.to_vec())).collect();
    std::fs::create_dir_all(&args.output).map_err(|e| {
        let message = format!("cannot make the folder `{}`: {e}", args.output.display());
        CliError::failed(Exit::Io, message, "name another with -o, in a place that can be written")
    })?;
    for name in ["rtl", "icebreaker"] {
        OutputFolder::new(&args.output.join(name), context.force)?;
    }
    for name in ["received.npy", "cosim.json", "report.html", "icebreaker.json", "icebreaker.html"] {
        OutputFile::new(&args.output.join(name), context.force)?;
    }
    OutputFolder::new(&args.output.join("spec"), context.force)?.write(&files)?;
    let at = |name: &str| args.output.join(name).display().to_string();
    let spec = at("spec/d3-2-3.toml");
    let mut steps: Vec<(&str, Vec<String>)> = vec![
        ("Schedule the traffic, and prove that no channel is wanted twice", vec!["check".into(), spec.clone()]),
        ("Emit the Verilog", vec!["generate".into(), spec.clone(), "-o".into(), at("rtl")]),
        (
            "Send the array through the hardware, every channel compared with the model in every cycle",
            [
                "cosim",
                &spec,
                "--data",
                &at("spec/d3-2-3.npy"),
                "--out",
                &at("received.npy"),
                "--result",
                &at("cosim.json"),
            ]
            .map(String::from)
            .into(),
        ),
        (
            "Draw the network and its schedule, with the result of the co-simulation",
            ["report", &spec, "--cosim", &at("cosim.json"), "-o", &at("report.html")].map(String::from).into(),
        ),
    ];
    if !args.no_bitstream {
        let (small, result) = (at("spec/icebreaker.toml"), at("icebreaker.json"));
        let board = ["synth", &small, "--board", "icebreaker", "-o", &at("icebreaker"), "--result", &result];
        steps.push(("Make a bitstream that tests itself, for a small board", board.map(String::from).into()));
        let page = ["report", &small, "--synth", &result, "-o", &at("icebreaker.html")].map(String::from);
        steps.push(("Draw that network, with its area and clock", page.into()));
    }
    for (number, (what, command)) in steps.iter().enumerate() {
        context.say(format!("\n[{}/{}] {what}\n$ metronoc {}", number + 1, steps.len(), command.join(" ")));
        super::follow(command, context)?;
    }
    context.say(format!(
        "\nAll of it is in `{}`; begin with your own: metronoc new swapped-dragonfly",
        args.output.display()
    ));
    Ok(())
}
