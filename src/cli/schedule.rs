//! `metronoc schedule`: the checked schedule, as a table for people or in full for other tools.

use super::exported::Exported;
use super::pipeline::{self, Checked, Work};
use super::{CliError, Context, OutputArgs};
use crate::check::{CheckedExchange, CheckedStream};
use crate::output::{OutputError, OutputFile};
use crate::schedule::exchange_program::{Action, Operand, Port, Register, Way};
use crate::topology::{Coordinates, Topology};
use clap::ValueEnum;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the checked schedule
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The specification, a TOML file
    spec: PathBuf,
    /// How to print it; JSON is also what --json asks for
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    format: Format,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One router's program, a row a line; every router has the same
    Table,
    /// Every transfer, as metronoc-schedule/1
    Json,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let file = context.output(args.output.file())?;
    let work = pipeline::work(&args.spec, context)?;
    let embedding = super::embedding::checked(work.spec())?;
    let write = |writer: &mut dyn Write, failed: &dyn Fn(io::Error) -> CliError| {
        if args.format == Format::Json || context.json {
            return Exported::new(&work, embedding.as_ref()).write(context.force, writer, failed);
        }
        if let Some(embedding) = &embedding {
            super::embedding::write_map(embedding, writer).map_err(failed)?;
        }
        match &work {
            Work::AllToAll(work) => table(work, writer),
            Work::Stream(work) => stream_table(&work.schedule, writer),
            Work::Exchange(work) => exchange_table(&work.schedule, writer),
            Work::Product(work) => super::product::write_table(&work.schedule, writer),
            Work::Pops(work) => super::pops::write_table(&work.schedule, writer),
        }
        .map_err(failed)
    };
    output(file, context, write)
}

/// Writes the schedule where it is to go.
fn output(
    file: Option<OutputFile>,
    context: &Context,
    write: impl Fn(&mut dyn Write, &dyn Fn(io::Error) -> CliError) -> Result<(), CliError>,
) -> Result<(), CliError> {
    match file {
        None => write(&mut io::stdout().lock(), &|error| CliError::from_stdout(&error)),
        Some(file) => {
            file.write_with(|writer| write(writer, &|error| OutputError::io(file.path(), error).into()))?;
            context.say(format!("wrote {}", file.path().display()));
            Ok(())
        }
    }
}

/// One router's program, a row a line.
fn table(checked: &Checked, writer: &mut dyn Write) -> io::Result<()> {
    let (net, program) = (&checked.network, checked.schedule.program());
    let mut writer = io::BufWriter::new(writer);
    writeln!(
        writer,
        "# D3({},{}), {}: {} cycles",
        net.k(),
        net.m(),
        checked.schedule.algorithm(),
        checked.schedule.cycles()
    )?;
    writeln!(writer, "# Row s: every router sends packets (γ,π,δ) whose global hop is in cycle s of the table.")?;
    let width = program.rows().saturating_sub(1).to_string().len();
    for row in 0..program.rows() {
        write!(writer, "{row:>width$}")?;
        for launch in program.row(row) {
            let v = launch.vector;
            write!(writer, "  ({},{},{})", v.gamma, v.pi, v.delta)?;
        }
        writeln!(writer)?;
    }
    writer.flush()
}

/// The packets of a batch, and what becomes of them, a claim a line.
fn stream_table(schedule: &CheckedStream, writer: &mut dyn Write) -> io::Result<()> {
    let (net, program) = (schedule.network(), schedule.program());
    let mut writer = io::BufWriter::new(writer);
    let label = |node| Coordinates(&net.label(node)).to_string();
    writeln!(writer, "# D3({},{}), {}: {} cycles", net.k(), net.m(), schedule.algorithm(), schedule.cycles())?;
    writeln!(
        writer,
        "# {} sends {} words, word n in batch n/{lanes} and lane n%{lanes}; batch b starts in cycle b/{burst}*{period} + b%{burst}.",
        label(program.root),
        program.count,
        lanes = program.lanes,
        burst = program.train.burst,
        period = program.train.period,
    )?;
    if schedule.software() > 0 {
        writeln!(
            writer,
            "# Routers do not copy: endpoints do, {} cycles after a packet has come.",
            schedule.software()
        )?;
    }
    writeln!(writer, "# packets of a batch: lane, cycle, header (`!`: every router keeps a copy)")?;
    for injection in &program.injections {
        let via = injection.via.map_or(String::new(), |x| format!(" after local hop {x}"));
        writeln!(writer, "packet {} {} {}{via}", injection.lane, injection.offset, injection.header)?;
    }
    writeln!(writer, "# hops of a batch: lane, cycle, channel")?;
    let mut hops: Vec<_> = schedule.crossings().iter().collect();
    hops.sort_by_key(|c| (c.crossing.cycle, c.lane, c.crossing.node, c.crossing.port));
    for hop in hops {
        let (node, port) = (hop.crossing.node, hop.crossing.port as usize);
        let channel = match port < net.ports() {
            true => net.describe(net.channel_id(node, port)),
            false => format!("{} stays", label(node)),
        };
        writeln!(writer, "hop {} {} {channel}", hop.lane, hop.crossing.cycle)?;
    }
    writer.flush()
}

/// What every router does, a step a line.
fn exchange_table(schedule: &CheckedExchange, writer: &mut dyn Write) -> io::Result<()> {
    let (net, program) = (schedule.network(), schedule.program());
    let mut writer = io::BufWriter::new(writer);
    writeln!(writer, "# D3({},{}), {}: {} cycles", net.k(), net.m(), schedule.algorithm(), schedule.cycles())?;
    writeln!(
        writer,
        "# Every router, of {} words, step by step: the cycle of word 0, what it does, and what it sends.",
        program.words
    )?;
    for step in &program.steps {
        let action = match step.action {
            Action::Move => "move".to_owned(),
            Action::Combine { dimension } => format!("combine {dimension}"),
            Action::Compare { dimension, stage } => format!("compare {dimension} stage {stage}"),
        };
        write!(writer, "{:>6}  {action}", step.start)?;
        for send in &step.sends {
            let register = match send.register {
                Register::Value => "value",
                Register::Carry => "carry",
            };
            let operand = match send.operand {
                Operand::Own => "own",
                Operand::Other => "other",
                Operand::Carry => "carry",
            };
            let way = match &send.way {
                Way::Header(header) => header.to_string(),
                Way::Ports(ports) => {
                    let port = |port: &Port| match port {
                        Port::Local(x) => format!("local {x}"),
                        Port::Global(x) => format!("global {x}"),
                    };
                    ports.iter().map(port).collect::<Vec<_>>().join(", ")
                }
            };
            write!(writer, "; {register} by {way} as {operand}")?;
        }
        match (step.train.burst, step.train.period) {
            (1, 1) => {}
            (burst, period) => write!(writer, "; {burst} words in {period} cycles")?,
        }
        writeln!(writer, "{}", if step.swapped { "; swapped" } else { "" })?;
    }
    writer.flush()
}
