//! The sizes and widths of the hardware, computed once.

use super::error::SwappedDragonflyError;
use super::frame::Frame;
use super::header_form::HeaderForm;
use crate::lower::LowerError;
use crate::lower::bits::field;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::spec::Spec;
use crate::topology::swapped_dragonfly::SwappedDragonfly;
use std::ops::Deref;

/// Words of a bank from which on it is likely to be a block RAM, which is slow to answer.
const DEEP_BANK: u64 = 128;

/// Sizes in numbers, widths in bits, latencies in clock cycles.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)] // the names are those of the Verilog parameters, explained in mn_sv_tile.v
pub struct Parameters {
    pub frame: Frame,
    pub words: u32,
    pub double: bool,
    /// Registers from the address of a send bank to the router.
    pub bank_stages: u32,
    /// Rows of the slot tables: the period.
    pub rows: u32,
    pub gamma_bits: u32,
    pub pi_bits: u32,
    pub word_bits: u32,
    pub slot_bits: u32,
    pub local_row_bits: u32,
    pub global_row_bits: u32,
}

impl Deref for Parameters {
    type Target = Frame;

    fn deref(&self) -> &Frame {
        &self.frame
    }
}

impl Parameters {
    /// The parameters of a network with this period.
    ///
    /// # Errors
    /// If a router would have more ports than hardware can name.
    pub fn new(network: SwappedDragonfly, hop: HopLatency, period: u32, spec: &Spec) -> Result<Self, LowerError> {
        let kind = spec.collective.kind();
        let collective = spec.collective.all_to_all().ok_or(SwappedDragonflyError::OtherCollective { kind })?;
        let (k, m) = (network.k(), network.m());
        let (gamma_bits, pi_bits) = (field(k), field(m));
        let buffers = if collective.repeat > 1 { 2 } else { 1 };
        let deepest = u64::from(k * m) * u64::from(collective.words) * buffers;
        Ok(Self {
            frame: Frame::new(network, hop, &spec.router, HeaderForm::SourceVector)?,
            words: collective.words,
            double: collective.repeat > 1,
            bank_stages: if deepest < DEEP_BANK { 1 } else { 2 },
            rows: period,
            gamma_bits,
            pi_bits,
            word_bits: field(collective.words),
            slot_bits: field(period),
            local_row_bits: (m - 1) * (1 + gamma_bits + pi_bits),
            global_row_bits: k * (1 + pi_bits),
        })
    }

    /// Cycles from the address of a send row at the tables to the word at the crossbar.
    pub fn send_cycles(&self) -> u32 {
        1 + self.bank_stages
    }

    /// Bits of the wider of the two kinds of table rows.
    pub fn row_bits_max(&self) -> u32 {
        self.local_row_bits.max(self.global_row_bits)
    }

    /// Words of one tile in one collective.
    pub fn words_a_tile(&self) -> u64 {
        u64::from(self.tiles) * u64::from(self.words)
    }

    /// Cycles from the launch of a collective at a program to the end of its last row there.
    pub fn pass_cycles(&self) -> u64 {
        u64::from(self.rows) * u64::from(self.words)
    }
}
