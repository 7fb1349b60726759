//! Slot tables in the tile form: all tiles are one module, and tables and places are written into it.

use super::TileInterface;
use super::library::{Feeder, Place, image};
use super::product::PLACE;
use crate::cosim::{CosimError, Parts, Sources};
use crate::emit;
use crate::lower::SlotTableLowered;
use crate::lower::slot_table::{Fields, NodeTable, Wire};
use crate::model::{Layout, Point, PointKind};

/// Additions of the tile form to the Verilog of slot tables whose tiles are alike.
pub fn slot_table_parts(lowered: &SlotTableLowered) -> Parts {
    let (frame, layout) = (&lowered.frame, Layout::slot_table(&lowered.frame));
    let beside = vec![
        ("place.vlt", PLACE.to_owned()),
        ("mn_node_probe.v", include_str!("../../../sim/mn_slot_probe.v").to_owned()),
        ("shim_tiles.cpp", include_str!("../../../sim/shim_tiles.cpp").to_owned()),
    ];
    Parts {
        top: "mn_node_probe",
        beside,
        without: &["rtl/mn_top.v", "rtl/mn_network.v"],
        parameters: vec![
            ("PORTS", layout.ports() as u32),
            ("DW", frame.data_bits),
            ("W", frame.payload_bits()),
            ("TB", frame.tile_bits),
            ("LOADS", lowered.load_places(0)),
        ],
        defines: vec![
            ("MN_LOCAL_PORTS", layout.ports()),
            ("MN_GLOBAL_PORTS", 0),
            ("MN_LOCAL_WORDS", layout.local_words()),
            ("MN_GLOBAL_WORDS", 0),
            ("MN_RECEIVE_WORDS", 0),
        ],
    }
}

impl TileInterface {
    /// Tiles of slot tables that are alike, with the images among these sources.
    ///
    /// # Errors
    /// [`CosimError::Image`] if a table is missing, or is none of this network.
    pub fn slot_table(lowered: &SlotTableLowered, sources: &Sources) -> Result<Self, CosimError> {
        let layout = Layout::slot_table(&lowered.frame);
        let feeder = |wire: &Wire| {
            let point = Point { tile: wire.src, port: wire.port as usize, kind: PointKind::Channel };
            Feeder::new(layout.range(point).start, wire.latency)
        };
        let place = |(index, node): (usize, &NodeTable)| {
            let fields = Fields::new(&node.shape);
            let [table, places] = lowered.image_names(index).map(|name| emit::image_file(&name));
            let mut rows = image(sources, &table, lowered.rows as usize, fields.row_bits as usize)?;
            let count = lowered.load_places(index) + lowered.results;
            rows.extend(image(sources, &places, count as usize, fields.place_bits as usize)?);
            Ok(Place { constants: Vec::new(), rows })
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
