//! Template data of an all-to-all.

use super::guests::{GuestBench, place};
use super::sequencer::{ProgramFile as CounterFile, SequencerFile, SequencerView};
use super::{Program, Tile, View, tiles};
use crate::emit::EmitError;
use crate::emit::Origin;
use crate::emit::images::images;
use crate::emit::verilog::Verilog;
use crate::emit::views::{HostView, TopFile, header, rendered, timeout};
use crate::lower::swapped_dragonfly::AllToAllLowered;
use crate::spec::Storage;
use askama::Template;

#[derive(Template)]
#[template(path = "gen/mn_program.v", escape = "none")]
struct ProgramFile<'a> {
    header: &'a str,
    p: View<'a>,
    program: &'a Program,
}

#[derive(Template)]
#[template(path = "gen/mn_node.v", escape = "none")]
struct NodeFile<'a> {
    header: &'a str,
    p: View<'a>,
    program: &'a Program,
}

#[derive(Template)]
#[template(path = "gen/mn_network.v", escape = "none")]
struct NetworkFile<'a> {
    header: &'a str,
    p: View<'a>,
    program: &'a Program,
    tiles: Vec<Tile>,
}

#[derive(Template)]
#[template(path = "gen/mn_tb.v", escape = "none")]
struct BenchFile<'a> {
    header: &'a str,
    p: View<'a>,
    bench: GuestBench,
    sets: u32,
    timeout: u64,
}

impl Verilog for AllToAllLowered {
    fn title(&self) -> String {
        title(self)
    }

    fn parity(&self) -> bool {
        self.parameters.parity
    }

    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError> {
        let mut files = render(self, origin)?;
        if self.storage != Storage::Counter {
            files.extend(images(self));
        }
        Ok(files)
    }
}

fn title(lowered: &AllToAllLowered) -> String {
    let p = &lowered.parameters;
    format!(
        "All-to-all on D3({},{}), {} coordinates, {}-bit words, schedule {}, period {}",
        p.k,
        p.m,
        p.group_name(),
        p.data_bits,
        lowered.algorithm,
        p.rows
    )
}

/// Renders every file that depends on the network's shape.
fn render(lowered: &AllToAllLowered, origin: &Origin) -> Result<Vec<(String, String)>, askama::Error> {
    let header = header(origin);
    let (header, p) = (header.as_str(), View(&lowered.parameters));
    let program = Program::new(lowered);
    let sets = if p.double { 2 } else { 1 };
    let words = p.words_a_tile() * u64::from(p.tiles);
    let timeout = timeout(&p, sets, 2 * words, p.pass_cycles());
    let host = HostView {
        pass: p.pass_cycles(),
        loads: p.words_a_tile() * u64::from(p.tiles),
        set: p.words_a_tile(),
        double: p.double.into(),
        loadable: program.is_ram,
        live: false,
    };
    let mut tiles = tiles(&p);
    let bench = lowered.guests.as_ref().map_or(GuestBench::default(), |guests| place(guests, &mut tiles));
    let network = NetworkFile { header, p, program: &program, tiles };
    let top = TopFile { header, title: &title(lowered), p: &p.frame.ring, host };
    let mut files = rendered(&network, &top, &BenchFile { header, p, bench, sets, timeout })?;
    let mut add = |name: &str, text: String| files.push((name.to_owned(), text + "\n"));
    if let Some(counters) = &lowered.counters {
        let s = &SequencerView::new(&p, counters);
        let describe = format!("schedule {}", lowered.algorithm);
        add("rtl/mn_sequencer.v", SequencerFile { header, describe, p, s }.render()?);
        add("rtl/mn_program.v", CounterFile { header, p, program: &program, s }.render()?);
    } else {
        add("rtl/mn_program.v", ProgramFile { header, p, program: &program }.render()?);
    }
    if !program.is_shared {
        add("rtl/mn_node.v", NodeFile { header, p, program: &program }.render()?);
    }
    Ok(files)
}

/// `mn_node`, a program and a tile in one module, also for networks whose top has one program for all and so none of them.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn node(lowered: &AllToAllLowered) -> Result<String, askama::Error> {
    let (p, program) = (View(&lowered.parameters), &Program::new(lowered));
    Ok(NodeFile { header: "// one program beside each tile", p, program }.render()? + "\n")
}
