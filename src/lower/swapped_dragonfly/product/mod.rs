//! Lowering of products of matrices: a slot table for every router, and the use of its ports, see
//! `mn_product_endpoint.v`.

mod constants;
mod counter;
mod data;
mod rows;
mod shape;
mod tiles;

pub use constants::Constants;
pub use counter::{Field, ProductCounters, Train};
pub use rows::{Fields, Row};
pub use shape::Shape;
pub use tiles::TileProgram;

use super::Frame;
use super::flit;
use super::header_form::HeaderForm;
use crate::check::swapped_dragonfly::CheckedProduct;
use crate::collective::{Product, ProductKind};
use crate::lower::bits::BitRow;
use crate::lower::error::stored;
use crate::lower::images::wrong;
use crate::lower::read_back::{Contents, Delays, Programmed, ReadBack};
use crate::lower::swapped_dragonfly::error::SwappedDragonflyError;
use crate::lower::{Fabric, Images, LowerError};
use crate::program::form::swapped_dragonfly::product::ProductSchedule;
use crate::program::form::swapped_dragonfly::synchronizing_header::{Holds, follow};
use crate::spec::{Spec, Storage};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};
use tiles::SEND_CYCLES;

/// Cycles from an operand at the crossbar to the earliest product there, in `mn_product_endpoint.v`; sums take fewer.
pub const PRODUCT_CYCLES: u32 = 5;
/// Cycles from the slot counter's last row to the last result in its memory.
pub const DRAIN_CYCLES: u32 = 4;

/// A product in the terms of hardware.
#[derive(Debug, Clone)]
pub struct ProductLowered {
    /// Sizes and widths; words are as wide as sums.
    pub frame: Frame,
    /// Sizes and kind of the product.
    pub product: Product,
    /// Schedule of the packets.
    pub schedule: Arc<ProductSchedule>,
    /// Multipliers and memories of a tile.
    pub shape: Shape,
    /// Widths of the fields of a row.
    pub fields: Fields,
    /// Every router's program.
    pub tiles: Vec<TileProgram>,
    /// The counters that take the place of the slot tables, if they do.
    pub counters: Option<ProductCounters>,
    /// Cycles from the start of a product to the earliest start of the next.
    pub pass_cycles: u32,
    /// Contents of channel registers, hop by hop.
    shown: Contents,
    /// Program of all routers, made when it is asked for: a large product is written without it.
    read: OnceLock<ReadBack>,
}

/// Bits of a word on a channel: an element or a sum, in whole bytes.
pub fn word_bits(product: &Product) -> u32 {
    product.word_bits().next_multiple_of(8)
}

impl ProductLowered {
    /// Rows of a slot table.
    pub fn rows(&self) -> u32 {
        self.tiles.first().map_or(1, |tile| tile.rows.len() as u32)
    }

    /// The slot table of a router, or the rows that counters make in its place.
    fn table(&self, tile: usize) -> Cow<'_, [BitRow]> {
        match &self.counters {
            Some(counters) => counters.rows(&counters.constants(tile), self.rows(), self.fields.width()).into(),
            None => (&self.tiles[tile].rows).into(),
        }
    }

    /// Compares images with the programs of all routers.
    fn compare(&self, images: &Images) -> Result<(), LowerError> {
        for (tile, program) in self.tiles.iter().enumerate() {
            let name = self.image(tile);
            let rows = images.rows(&name, program.rows.len(), self.fields.width())?;
            for (number, (bits, row)) in rows.iter().zip(&program.rows).enumerate() {
                if let Some(what) = self.fields.difference(&self.shape, row, bits) {
                    return Err(wrong(&name, number, what));
                }
            }
        }
        Ok(())
    }

    /// Name of the image of a router's slot table: by its coordinates in its own network.
    pub fn image(&self, tile: usize) -> String {
        let at = self.frame.network.address(tile.into());
        format!("router_{}_{}_{}", at.c, at.d, at.p)
    }
}

/// Contents of the channel registers on the way of a product's packets.
fn contents(frame: &Frame, schedule: &ProductSchedule) -> Result<Contents, LowerError> {
    let mut contents = Contents::default();
    for send in &schedule.sends {
        let holds = Holds { stay: frame.local_stages, endpoint: 0 };
        let packet = follow(&frame.network, send.node, None, &send.header, holds);
        flit::header_bits(frame, send.node, &packet)?.into_iter().for_each(|head| contents.push(head, 0));
    }
    Ok(contents)
}

impl Programmed for ProductLowered {
    fn fabric(&self) -> Fabric {
        self.frame.clone().into()
    }

    fn read_back(&self) -> &ReadBack {
        self.read.get_or_init(|| {
            let frame = &self.frame;
            // the crossbar is a cycle behind the rows that send
            let delays = Delays { channel: 1 + SEND_CYCLES + frame.xbar_stages, receive: 1 + SEND_CYCLES + 1 };
            ReadBack::of(self.schedule.to_program(&frame.network), delays, self.shown.clone())
        })
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        (0..self.tiles.len()).for_each(|tile| images.insert(self.image(tile), self.table(tile).iter()));
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        self.compare(images)?;
        Ok(self.read_back().clone())
    }

    fn spacing(&self) -> u32 {
        self.pass_cycles
    }
}

/// Lowers a checked product, reads its slot tables back, and compares.
///
/// # Errors
/// If the product has no form of the asked-for kind, or arithmetic has too little time.
pub fn lower_product(checked: &CheckedProduct, spec: &Spec) -> Result<ProductLowered, LowerError> {
    stored(spec, "a product", Storage::Ram)?;
    let (network, product, schedule) = (checked.network(), *checked.product(), checked.schedule());
    let arithmetic = product.kind != ProductKind::Transpose;
    if arithmetic && schedule.mac_cycles < PRODUCT_CYCLES {
        return Err(SwappedDragonflyError::FastArithmetic { cycles: schedule.mac_cycles, least: PRODUCT_CYCLES }.into());
    }
    let mut router = spec.router.clone();
    router.payload_bits = word_bits(&product);
    let frame = Frame::new(network, schedule.hop, &router, HeaderForm::Synchronizing)?;
    let mut shape = Shape::new(&frame, &product, schedule);
    let (tiles, fields) = tiles::programs(&frame, &mut shape, checked)?;
    let pass_cycles = tiles.first().map_or(0, |tile| tile.rows.len() as u32) + DRAIN_CYCLES + 8;
    let counters = match spec.schedule.storage {
        Storage::Counter => Some(
            ProductCounters::new(&frame, &fields, &shape, &tiles).ok_or(SwappedDragonflyError::NoProductCounters)?,
        ),
        _ => None,
    };
    let (schedule, shown, read) = (schedule.clone(), contents(&frame, schedule)?, OnceLock::new());
    let lowered = ProductLowered { read, shown, frame, product, schedule, shape, fields, tiles, counters, pass_cycles };
    lowered.compare(&lowered.images())?;
    Ok(lowered)
}
