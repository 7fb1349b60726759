//! Template data of a stream.

use super::{Tile, With, tiles_with};
use crate::emit::EmitError;
use crate::emit::image_file;
use crate::emit::images::images;
use crate::emit::verilog::Verilog;
use crate::emit::views::{HostView, Origin, TopFile, literal, passed, rendered, timeout};
use crate::lower::bits::BitRow;
use crate::lower::swapped_dragonfly::stream::IMAGE;
use crate::lower::swapped_dragonfly::stream::{PortProgram, TileProgram};
use crate::lower::swapped_dragonfly::{Frame, StreamLowered};
use crate::lower::swapped_dragonfly::{HeaderForm, flit};
use crate::spec::Storage;
use crate::topology::Topology;
use askama::Template;

/// Collectives of the test bench.
const SETS: u32 = 2;

/// The constants of a tile's ports, as Verilog writes them.
struct Ports {
    source: bool,
    diagonal: String,
    tx_on: String,
    tx_short: String,
    tx_lane: String,
    tx_tap: String,
    tx_header: String,
    rx_on: String,
    rx_short: String,
    rx_lane: String,
    rx_tap: String,
}

#[derive(Template)]
#[template(path = "gen/mn_stream_network.v", escape = "none")]
struct NetworkFile<'a> {
    header: &'a str,
    p: &'a Frame,
    source: String,
    /// True if packets carry their headers, as routers do not copy.
    carried: bool,
    parameters: String,
    tiles: Vec<With<Ports>>,
}

#[derive(Template)]
#[template(path = "gen/mn_stream_tb.v", escape = "none")]
struct BenchFile<'a> {
    header: &'a str,
    p: &'a Frame,
    count: u32,
    source: u32,
    /// Tiles of a network.
    nodes: usize,
    sets: u32,
    timeout: u64,
}

/// Ports, lowest in the low position, as a sized literal of `width` bits each.
fn numbers(ports: &[Option<PortProgram>], width: usize, value: impl Fn(&PortProgram) -> u32) -> String {
    let mut row = BitRow::zero(ports.len() * width);
    for (i, port) in ports.iter().enumerate() {
        row.set(i * width, width, port.as_ref().map_or(0, &value));
    }
    literal(&row)
}

/// The headers of all ports' packets, one after the other.
fn headers(frame: &Frame, ports: &[Option<PortProgram>]) -> String {
    let width =
        |port: usize| HeaderForm::Synchronizing.bits(frame.k, frame.m, port < frame.local_ports() as usize) as usize;
    let mut row = BitRow::zero((0..ports.len()).map(width).sum());
    let mut at = 0;
    for (i, port) in ports.iter().enumerate() {
        for bit in 0..port.as_ref().map_or(0, |port| port.header.width()) {
            row.set(at + bit, 1, port.as_ref().map_or(0, |port| port.header.get(bit, 1)));
        }
        at += width(i);
    }
    literal(&row)
}

impl Ports {
    fn new(frame: &Frame, slots: usize, number: usize, source: bool, tile: &TileProgram) -> Self {
        let on = |ports: &[Option<PortProgram>]| numbers(ports, 1, |_| 1);
        let short = |ports: &[Option<PortProgram>]| numbers(ports, 1, |port| port.short.into());
        let lane = |ports: &[Option<PortProgram>]| numbers(ports, 8, |port| port.lane);
        let tap = |ports: &[Option<PortProgram>]| numbers(ports, 8, |port| port.tap);
        // slot 0 of all ports, then slot 1
        let receives: Vec<Option<PortProgram>> =
            (0..slots).flat_map(|slot| tile.receives.iter().map(move |port| port.get(slot).cloned())).collect();
        Self {
            source,
            diagonal: literal(&flit::diagonal(frame, frame.network.address(number.into()))),
            tx_on: on(&tile.sends),
            tx_short: short(&tile.sends),
            tx_lane: lane(&tile.sends),
            tx_tap: tap(&tile.sends),
            tx_header: headers(frame, &tile.sends),
            rx_on: on(&receives),
            rx_short: short(&receives),
            rx_lane: lane(&receives),
            rx_tap: tap(&receives),
        }
    }
}

/// The parameters that all tiles share.
fn parameters(lowered: &StreamLowered) -> String {
    let (p, program) = (&lowered.frame, &lowered.program);
    let list = [
        ("K", p.k),
        ("M", p.m),
        ("DW", p.data_bits),
        ("PARITY", u32::from(p.parity)),
        ("LOG", u32::from(p.error_log)),
        ("TB", p.tile_bits),
        ("LOCAL_STAGES", p.local_stages),
        ("GLOBAL_STAGES", p.global_stages),
        ("XBAR_STAGES", p.xbar_stages),
        ("SOFTWARE", lowered.software),
        ("STAY", u32::from(lowered.stay)),
        ("SLOTS", lowered.slots() as u32),
        ("COUNT", program.count),
        ("LANES", program.lanes),
        ("TAPS", lowered.taps),
        ("BURST", program.train.burst),
        ("PERIOD", program.train.period),
        ("ROWS", lowered.rows),
        ("COUNTER", u32::from(lowered.storage == Storage::Counter)),
    ];
    let list = passed(&list);
    match lowered.storage {
        Storage::Counter => list,
        _ => format!("{list}, .FILE(\"{}\")", image_file(IMAGE)),
    }
}

/// The routers that have the words.
fn roots(lowered: &StreamLowered) -> String {
    let p = &lowered.frame;
    (0..p.networks()).map(|network| p.label(lowered.root(network))).collect::<Vec<_>>().join(" and ")
}

impl Verilog for StreamLowered {
    fn title(&self) -> String {
        title(self)
    }

    fn parity(&self) -> bool {
        self.frame.parity
    }

    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError> {
        let mut files = render(self, origin)?;
        if self.storage != Storage::Counter {
            files.extend(images(self));
        }
        Ok(files)
    }
}

/// Title of a stream: words, root, network and schedule.
fn title(lowered: &StreamLowered) -> String {
    let (p, program) = (&lowered.frame, &lowered.program);
    let root = roots(lowered);
    format!(
        "Broadcast of {} words from {root} on {}, {}-bit words, schedule {}",
        program.count,
        p.name(),
        p.data_bits,
        lowered.algorithm
    )
}

/// Renders every file that depends on the network's shape.
fn render(lowered: &StreamLowered, origin: &Origin) -> Result<Vec<(String, String)>, askama::Error> {
    let header = crate::emit::views::header(origin);
    let (header, p, program) = (header.as_str(), &lowered.frame, &lowered.program);
    let ports = |tile: &Tile| {
        let source = tile.node == program.root.index();
        Ports::new(p, lowered.slots(), tile.node, source, &lowered.tiles[tile.node])
    };
    let network = NetworkFile {
        header,
        p,
        source: roots(lowered),
        carried: lowered.software > 0,
        parameters: parameters(lowered),
        tiles: tiles_with(p, ports),
    };
    let host = HostView {
        pass: lowered.pass_cycles.into(),
        loads: u64::from(program.count) * p.networks() as u64,
        set: program.count.into(),
        double: 0,
        loadable: false,
        live: false,
    };
    let words = u64::from(program.count) * (u64::from(p.tiles) + p.networks() as u64);
    let timeout = timeout(p, SETS, 2 * words, lowered.pass_cycles.into());
    let bench = BenchFile {
        header,
        p,
        count: program.count,
        source: program.root.get(),
        nodes: p.network.nodes(),
        sets: SETS,
        timeout,
    };
    rendered(&network, &TopFile { header, title: &title(lowered), p, host }, &bench)
}
