//! Products in the tile form: all tiles are one module, and their differences are inputs of it.

use super::tile::{Probe, complete};
use crate::cosim::tile_form::TileInterface;
use crate::cosim::tile_form::library::{PLACE, Place, image};
use crate::cosim::{CosimError, Parts, Sources};
use crate::emit;
use crate::lower::swapped_dragonfly::ProductLowered;

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
            let path = emit::image_file(&lowered.image(tile));
            let rows = image(sources, &path, lowered.rows() as usize, lowered.fields.width())?;
            Ok(Place { constants, rows })
        };
        let places = (0..lowered.frame.tiles as usize).map(place).collect::<Result<_, CosimError>>()?;
        let words = (lowered.shape.loads() as usize, lowered.shape.results() as usize);
        Ok(Self { places, ..Self::of_frame(&lowered.frame, words, lowered.pass_cycles.into()) })
    }
}
