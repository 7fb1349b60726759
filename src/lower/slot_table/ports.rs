//! Streams of the tiles' own: order, destinations and sources of their words, and the time from start to start.

use super::error::SlotTableError;
use super::read_back::ReadTables;
use super::table::NodeTable;
use crate::id::NodeId;
use crate::lower::bits::BitRow;
use crate::lower::{Images, LowerError, Ring};
use crate::program::{Origin, Who};
use crate::spec::{Clocks, EndpointSpec};
use std::collections::HashMap;

/// Cycles from the last row of a table to the next start of a network without trees and words: the way of the last word, and registers of the
/// tile's port and of the start unit.
const TURN: u32 = 7;

/// Streams of the tiles' own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TilePorts {
    /// True if every tile has queues for the words of a whole collective.
    pub double_buffer: bool,
    /// True if every tile's streams have a clock of their own.
    pub own_clocks: bool,
    /// Cycles from start to start; none where a collective starts when all tiles are ready.
    pub period: Option<u32>,
    /// Cycles from start to start if no core pauses.
    pub least_period: u32,
    /// Cycles from the readiness of a tile to the start that it allows, in the tile.
    pub delay: u32,
    /// By node: destination of each word that its core sends; none where words have several or none.
    pub dests: Option<Vec<Vec<u32>>>,
    /// By node: source of each word that its core gets; none where words are combined.
    pub sources: Option<Vec<Vec<u32>>>,
}

/// Nodes at which words are results, and nodes from which results are, by value of the program.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    dests: Option<Vec<Vec<u32>>>,
    sources: Option<Vec<Vec<u32>>>,
}

impl Ends {
    pub(super) fn of(read: &ReadTables, nodes: &[NodeTable]) -> Self {
        let from = |value: u32| {
            let value = &read.program.values[value as usize];
            match (value.who, value.origin) {
                (Who::One(node), Origin::Word { first, .. }) => Some((node, first)),
                _ => None,
            }
        };
        let mut to: HashMap<(NodeId, u32), Vec<NodeId>> = HashMap::new();
        let mut sources: Option<Vec<Vec<u32>>> = Some(vec![Vec::new(); nodes.len()]);
        for &(node, _, value, _) in &read.results {
            match (from(value), &mut sources) {
                (Some(word), sources) => {
                    to.entry(word).or_default().push(node);
                    sources.iter_mut().for_each(|all| all[node.index()].push(word.0.get()));
                }
                (None, sources) => *sources = None,
            }
        }
        let dest = |node: usize, index: u32| match to.get(&(node.into(), index)).map(Vec::as_slice) {
            Some([one]) => Some(one.get()),
            _ => None,
        };
        let dests =
            |(node, table): (usize, &NodeTable)| table.loads.iter().map(|load| dest(node, load.index)).collect();
        // a word that is combined has the destinations of the result
        let dests = if read.program.ops.is_empty() { nodes.iter().enumerate().map(dests).collect() } else { None };
        Self { dests, sources }
    }
}

impl TilePorts {
    /// Streams that `endpoint` asks for, of tiles with tables of `rows` rows that are started by trees of `tree` cycles.
    pub(super) fn new(
        endpoint: &EndpointSpec,
        nodes: &[NodeTable],
        (rows, tree): (u32, u32),
        ends: Ends,
    ) -> Result<Self, LowerError> {
        if nodes.iter().all(|node| node.loads.is_empty()) {
            return Err(SlotTableError::NoWords.into());
        }
        let words = |node: &NodeTable| (node.loads.len() + node.results.len()) as u32;
        let least_period = rows + nodes.iter().map(words).max().unwrap_or(0) + 2 * tree + TURN;
        if let Some(period) = endpoint.period.filter(|&period| period < least_period) {
            return Err(SlotTableError::Period { period, least: least_period }.into());
        }
        let EndpointSpec { double_buffer, period, clocks, .. } = *endpoint;
        let own_clocks = clocks == Clocks::Own;
        let Ends { dests, sources } = ends;
        Ok(Self { double_buffer, own_clocks, period, least_period, delay: 2 * tree + 1, dests, sources })
    }

    /// Bits of a beat from a core: all bytes count, TLAST, TDEST, TDATA.
    pub fn send_bits(&self, ring: &Ring) -> u32 {
        2 + ring.tile_bits + ring.data_bits
    }

    /// Bits of a beat to a core: TLAST, TID, TDATA.
    pub fn result_bits(&self, ring: &Ring) -> u32 {
        1 + ring.tile_bits + ring.data_bits
    }

    /// True if TDEST of the cores' words is compared.
    pub fn has_dests(&self) -> bool {
        self.dests.is_some()
    }

    /// True if TID of the results is the tile that sent the word.
    pub fn has_sources(&self) -> bool {
        self.sources.is_some()
    }

    /// Images of destinations and sources, by name, with their rows.
    fn rows(&self, bits: u32) -> impl Iterator<Item = (String, Vec<BitRow>)> + '_ {
        let row = move |tile: &u32| {
            let mut row = BitRow::zero(bits as usize);
            row.set(0, bits as usize, *tile);
            row
        };
        let tags = [("dests", &self.dests), ("sources", &self.sources)];
        let named = tags.into_iter().filter_map(|(name, tags)| tags.as_ref().map(|tags| (name, tags)));
        named.flat_map(move |(name, tags)| {
            let full = tags.iter().enumerate().filter(|(_, tags)| !tags.is_empty());
            full.map(move |(node, tags)| (format!("{name}_{node}"), tags.iter().map(row).collect()))
        })
    }

    pub(super) fn insert(&self, images: &mut Images, bits: u32) {
        self.rows(bits).for_each(|(name, rows)| images.insert(name, &rows));
    }

    /// Compares the images of destinations and sources with the program.
    pub(super) fn check(&self, images: &Images, bits: u32) -> Result<(), LowerError> {
        for (name, rows) in self.rows(bits) {
            let read = images.rows(&name, rows.len(), bits as usize)?;
            if let Some(row) = (0..rows.len()).find(|&row| read[row] != rows[row]) {
                let what = "it names another tile".to_owned();
                return Err(LowerError::Image { image: name, row, what });
            }
        }
        Ok(())
    }
}
