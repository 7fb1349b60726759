//! Slot tables in the tile form: all tiles are one module, and tables and places are written into it.

use super::TileInterface;
use super::library::PLACE;
use super::library::{Feeder, Place, image};
use crate::cosim::{CosimError, Parts, Sources};
use crate::emit;
use crate::lower::SlotTableLowered;
use crate::lower::slot_table::{Fields, NodeTable, Wire};
use crate::lower::{Point, PointKind, Registers as _};
use askama::Template;

/// Verilator configuration of tables that can be loaded.
const PLACE_RAM: &str = "`verilator_config\npublic_flat_rw -module \"mn_table_ram\" -var \"mem\"\n";

/// Wrapper of a tile: channels in whole words.
#[derive(Template)]
#[template(path = "mn_slot_probe.v", escape = "none")]
struct Probe {
    ram: bool,
    counters: bool,
}

/// Additions of the tile form to the Verilog of slot tables whose tiles are alike.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn slot_table_parts(lowered: &SlotTableLowered) -> Result<Parts, askama::Error> {
    let ram = lowered.memory.is_some();
    let (frame, layout) = (&lowered.frame, lowered.frame.layout());
    let beside = vec![
        ("place.vlt", if ram { PLACE_RAM } else { PLACE }.to_owned()),
        ("mn_node_probe.v", Probe { ram, counters: lowered.counters.is_some() }.render()? + "\n"),
        ("shim_tiles.cpp", include_str!("../../../sim/shim_tiles.cpp").to_owned()),
    ];
    let mut parameters = vec![
        ("PORTS", layout.ports() as u32),
        ("DW", frame.data_bits),
        ("W", frame.payload_bits()),
        ("TB", frame.tile_bits),
        ("LOADS", lowered.load_places(0)),
    ];
    if let Some(counters) = &lowered.counters {
        let [rows, loops] = counters.sizes(0);
        parameters.extend([("ROWS", rows), ("LOOPS", loops)]);
    }
    Ok(Parts {
        top: "mn_node_probe",
        beside,
        without: &["rtl/mn_top.v", "rtl/mn_network.v"],
        parameters,
        defines: vec![
            ("MN_LOCAL_PORTS", layout.ports()),
            ("MN_GLOBAL_PORTS", 0),
            ("MN_LOCAL_WORDS", layout.local_words()),
            ("MN_GLOBAL_WORDS", 0),
            ("MN_RECEIVE_WORDS", 0),
        ],
    })
}

impl TileInterface {
    /// Tiles of slot tables that are alike, with the images among these sources.
    ///
    /// # Errors
    /// [`CosimError::Image`] if a table is missing, or is none of this network.
    pub fn slot_table(lowered: &SlotTableLowered, sources: &Sources) -> Result<Self, CosimError> {
        let layout = lowered.frame.layout();
        let feeder = |wire: &Wire| {
            let point = Point { tile: wire.src, port: wire.port as usize, kind: PointKind::Channel };
            Feeder::new(layout.range(point).start, wire.latency)
        };
        let place = |(index, node): (usize, &NodeTable)| {
            let fields = Fields::new(&node.shape);
            let [table, places] = lowered.image_names(index).map(|name| emit::image_file(&name));
            let count = lowered.load_places(index) + lowered.results;
            let mut all = Vec::new();
            let mut images = match &lowered.counters {
                None => vec![(table, lowered.rows, fields.row_bits)],
                Some(counters) => {
                    let (layout, [stored, loops]) = (counters.layout(index), counters.sizes(index));
                    let image_of = emit::image_file(&lowered.loops_name(index));
                    vec![(table, stored, layout.stored_bits()), (image_of, loops, layout.loop_bits)]
                }
            };
            images.push((places, count, fields.place_bits));
            for (image_of, rows, bits) in images {
                let mut words = image(sources, &image_of, rows as usize, bits as usize)?;
                if lowered.memory.is_some() {
                    // the second bank of a memory is empty, and each has a power of two of rows
                    let each = words.len() / rows as usize;
                    words.resize(2 * each * rows.max(2).next_power_of_two() as usize, 0);
                }
                all.extend(words);
            }
            Ok(Place { constants: Vec::new(), rows: all })
        };
        let loads = lowered.load_places(0) as usize;
        let counts: Vec<usize> = lowered.nodes.iter().map(|node| node.loads.len()).collect();
        Ok(Self {
            ring: lowered.frame.ring.clone(),
            layout,
            feeders: lowered.channels.iter().flatten().map(feeder).collect(),
            labels: vec![[0; 3]; lowered.nodes.len()],
            loads,
            results: lowered.results as usize,
            counts: counts.iter().any(|&count| count != loads).then_some(counts),
            double: false,
            pass_cycles: lowered.rows.into(),
            places: lowered.nodes.iter().enumerate().map(place).collect::<Result<_, CosimError>>()?,
        })
    }
}
