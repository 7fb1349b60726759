//! Template data of a network of slot tables.

mod counters;
mod node;
mod ports;
mod tile;

use super::trial::{SETS, TrialBench};
use super::{HostView, Origin, TopFile, rendered, timeout};
use crate::collective::Collective;
use crate::emit::EmitError;
use crate::emit::images::{image_file, images as rom};
use crate::emit::verilog::Verilog;
use crate::lower::Ring;
use crate::lower::slot_table::{SlotTableLowered, TilePorts, Wire};
use crate::topology::Topology;
use askama::Template;
use node::Tile;
use std::collections::BTreeMap;
use tile::TileView;

/// A channel with registers of its own.
struct Long {
    index: u32,
    stages: u32,
}

#[derive(Template)]
#[template(path = "gen/mn_slot_network.v", escape = "none")]
struct NetworkFile<'a> {
    header: &'a str,
    title: &'a str,
    p: &'a Ring,
    /// True if programs can be loaded, and bits of the start of a collective.
    ram: bool,
    /// Streams of the tiles' own.
    port: Option<&'a TilePorts>,
    start_bits: usize,
    channels: u32,
    long: Vec<Long>,
    tiles: Vec<Tile>,
}

#[derive(Template)]
#[template(path = "gen/mn_slot_tile.v", escape = "none")]
struct TileFile<'a> {
    header: &'a str,
    p: &'a Ring,
    parity: &'static str,
    ram: bool,
    port: Option<&'a TilePorts>,
    rows: u32,
    set: u32,
    t: TileView,
}

/// Slot tables, and the collective whose random words the test bench tries.
impl Verilog for (&SlotTableLowered, &dyn Collective) {
    fn title(&self) -> String {
        title(self.0)
    }

    fn parity(&self) -> bool {
        self.0.frame.parity
    }

    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError> {
        render(self.0, self.1, origin)
    }
}

fn title(lowered: &SlotTableLowered) -> String {
    let (nodes, bits, rows) = (lowered.nodes.len(), lowered.frame.data_bits, lowered.rows);
    format!("Slot tables of {rows} rows on {nodes} nodes of a {}, {bits}-bit words", lowered.topology)
}

/// Renders every file that depends on the network's shape.
fn render(
    lowered: &SlotTableLowered,
    collective: &dyn Collective,
    origin: &Origin,
) -> Result<Vec<(String, String)>, EmitError> {
    let header = super::header(origin);
    let (header, p, title) = (header.as_str(), &lowered.frame.ring, title(lowered));
    let net = &lowered.frame.network;
    let (ports, channels) = (net.ports().max(1) as u32, net.channels().max(1) as u32);
    let number = |wire: &Wire| wire.src.get() * ports + wire.port;
    let long = lowered.channels.iter().flatten().filter(|wire| wire.latency > 1);
    let long: BTreeMap<u32, u32> = long.map(|wire| (number(wire), wire.latency - 1)).collect();
    let (class, shapes) = lowered.classes();
    let port = lowered.ports.as_ref();
    let tile = |(index, node): (usize, &crate::lower::slot_table::NodeTable)| {
        let [table, places] = lowered.image_names(index).map(|name| image_file(&name));
        let end = |wire: &Wire| match number(wire) {
            channel if long.contains_key(&channel) => format!("end_{channel}"),
            channel => format!("channel[{channel}*CW+:CW]"),
        };
        let inputs: Vec<String> = lowered.channels[index].iter().rev().map(end).collect();
        let tagged = |name: &str, tags: Option<&Vec<Vec<u32>>>| match tags {
            Some(tags) if !tags[index].is_empty() => image_file(&format!("{name}_{index}")),
            _ => String::new(),
        };
        let (own, first) = (node.shape.ports, index as u32 * ports);
        Tile {
            index,
            class: class[index],
            label: lowered.frame.label(index.into()),
            ports: own,
            idle: ports - own,
            first_idle: first + own,
            loads: node.load_places,
            given: node.loads.len() as u32,
            results: node.results.len() as u32,
            dest: tagged("dests", port.and_then(|port| port.dests.as_ref())),
            source: tagged("sources", port.and_then(|port| port.sources.as_ref())),
            loops: lowered.counters.as_ref().map_or(String::new(), |counters| {
                let ([rows, loops], image) = (counters.sizes(index), image_file(&lowered.loops_name(index)));
                format!(".ROWS({rows}), .LOOPS({loops}), .LOOP(\"{image}\"), ")
            }),
            table,
            places,
            inputs: if inputs.is_empty() { "{CW{1'b0}}".into() } else { inputs.join(", ") },
            out: match own {
                0 => format!("unused_{index}"),
                _ => format!("channel[{first}*CW+:{own}*CW]"),
            },
        }
    };
    let network = NetworkFile {
        header,
        title: &title,
        p,
        ram: lowered.memory.is_some(),
        port,
        start_bits: match port {
            Some(port) => 1 + usize::from(port.period.is_some()),
            None if lowered.memory.is_some() => 10,
            None => 2,
        },
        channels,
        long: long.iter().map(|(&index, &stages)| Long { index, stages }).collect(),
        tiles: lowered.nodes.iter().enumerate().map(tile).collect(),
    };
    let mut files = match port {
        Some(port) => {
            let mut files = ports::files(lowered, port, &network.tiles, collective, [header, &title])?;
            files.push(("rtl/mn_network.v".into(), network.render()? + "\n"));
            files
        }
        None => host_files(lowered, collective, &network)?,
    };
    let parity = if p.parity { ", its parity bit among them" } else { "" };
    for (number, shape) in shapes.into_iter().enumerate() {
        let t =
            TileView::new(number, shape, p.payload_bits(), lowered.counters.as_ref().map(|all| &all.layouts[number]));
        let file = TileFile {
            header,
            p,
            parity,
            ram: lowered.memory.is_some(),
            port,
            rows: lowered.rows,
            set: lowered.results,
            t,
        };
        files.push((format!("rtl/mn_slot_tile_{number}.v"), file.render()? + "\n"));
    }
    files.extend(rom(lowered));
    Ok(files)
}

/// Network, top and test bench of tiles that the host loads and drains.
fn host_files(
    lowered: &SlotTableLowered,
    collective: &dyn Collective,
    network: &NetworkFile<'_>,
) -> Result<Vec<(String, String)>, EmitError> {
    let NetworkFile { header, title, p, .. } = *network;
    let loads = lowered.nodes.iter().map(|node| node.loads.len() as u32).sum::<u32>().max(1);
    let (pass, set) = (u64::from(lowered.rows), lowered.results);
    // with one buffer the host has no use for the number of words
    let host = HostView { pass, loads: 1, set: set.into(), double: 0, loadable: lowered.memory.is_some(), live: false };
    let words = u64::from(loads) + u64::from(p.tiles) * u64::from(set);
    let timeout = timeout(p, SETS, 2 * words, pass);
    let bench = TrialBench { header, what: title, p, loads, results: set, sets: SETS, timeout };
    let mut files = rendered(network, &TopFile { header, title, p, host }, &bench)?;
    let trials = (1..=SETS).map(|seed| lowered.trial(collective, seed.into())).collect::<Result<Vec<_>, _>>()?;
    files.extend(super::trial::files(p.data_bits, trials.into_iter()));
    Ok(files)
}
