//! Products in the tile form: all tiles are one module, and what tells one from another is an input of it.

use super::TileInterface;
use super::form::{Probe, complete};
use super::library::Place;
use crate::cosim::{CosimError, Parts, Sources};
use crate::emit;
use crate::lower::ProductLowered;
use crate::lower::bits::BitRow;

/// Verilator configuration of the slot table, which is written from outside.
const PLACE: &str = "`verilator_config\npublic_flat_rw -module \"mn_table_rom\" -var \"mem\"\n";

/// Additions of the tile form to the Verilog of a product.
///
/// # Errors
/// Only by a defect of metronoc.
pub fn product_parts(lowered: &ProductLowered) -> Result<Parts, askama::Error> {
    let probe = Probe {
        product: true,
        local_receive: "gen_receive[i].u_receive",
        global_receive: "gen_receive[LW+i].u_receive",
    };
    let mut parts = complete(&lowered.frame, &probe)?;
    parts.parameters.push(("PLACE", lowered.constants(0).all().width() as u32));
    parts.beside.push(("mn_node.v", emit::product_node(lowered)?));
    if lowered.counters.is_none() {
        parts.beside.insert(0, ("place.vlt", PLACE.to_owned()));
    }
    Ok(parts)
}

impl TileInterface {
    /// The tiles of a product, with the slot tables among these sources.
    ///
    /// # Errors
    /// [`CosimError::Image`] if a slot table is missing, or is none of this product.
    pub fn product(lowered: &ProductLowered, sources: &Sources) -> Result<Self, CosimError> {
        let place = |tile: usize| {
            let constants = lowered.constants(tile).all().pieces(64);
            if lowered.counters.is_some() {
                return Ok(Place { constants, rows: Vec::new() });
            }
            let path = emit::product_image_path(lowered, tile);
            let other = |reason: &str| CosimError::Image { path: path.clone().into(), reason: reason.to_owned() };
            let image = sources.files().find(|(name, _)| *name == path).ok_or_else(|| other("it is missing"))?.1;
            let mut rows = Vec::new();
            // the table holds whole digits, with the check byte before them
            let width = 4 * (lowered.fields.width().div_ceil(4) + emit::CHECK_DIGITS);
            for line in image.lines() {
                let row = BitRow::from_hex(line, width);
                rows.extend(row.ok_or_else(|| other("a row is no row of it"))?.pieces(64));
            }
            let wanted = lowered.rows() as usize * width.div_ceil(64);
            match rows.len() == wanted {
                true => Ok(Place { constants, rows }),
                false => Err(other("it has another number of rows")),
            }
        };
        Ok(Self {
            frame: lowered.frame.clone(),
            loads: lowered.shape.loads() as usize,
            results: lowered.shape.results() as usize,
            double: false,
            pass_cycles: lowered.pass_cycles.into(),
            places: (0..lowered.frame.tiles as usize).map(place).collect::<Result<_, CosimError>>()?,
        })
    }
}
