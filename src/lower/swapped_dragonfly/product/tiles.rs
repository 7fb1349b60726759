//! Program of every router, from the packets that it sends and receives.

mod sends;

use super::{Fields, Row, Shape};
use crate::check::swapped_dragonfly::CheckedProduct;
use crate::check::swapped_dragonfly::product::Arrival;
use crate::id::NodeId;
use crate::lower::LowerError;
use crate::lower::bits::BitRow;
use crate::lower::swapped_dragonfly::Frame;
use crate::lower::swapped_dragonfly::error::SwappedDragonflyError;
use crate::program::form::swapped_dragonfly::product::{Send, Stage, Term};
use crate::topology::Topology;
use std::collections::BTreeMap;

/// Cycles from a row until its words are at the crossbar; words that the row receives are there already.
pub(super) const SEND_CYCLES: u32 = 2;

/// Program of a router: the use of its ports and banks, and its slot table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TileProgram {
    /// Header with which each port sends elements of the operand, and the bank from which they come; by port. None if
    /// it sends none.
    pub operands: Vec<Option<(BitRow, u32)>>,
    /// Output port of each bank's products, by bank; the number after the last port is the router itself.
    pub product_ports: Vec<u32>,
    /// Output port over which each bank's sums are sent back, by bank.
    pub back_ports: Vec<u32>,
    /// Bank of the results that come over each global port, by global port.
    pub result_banks: Vec<u32>,
    /// Rows of the slot table, in order, by the network's [`Fields`].
    pub rows: Vec<BitRow>,
}

/// A field of a row; a number of a port, bank, lane or group has 16 bits, since a router has thousands of uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Kind(u16),
    Home,
    Operand,
    Product(u16),
    Sum,
    Back(u16),
    Lane(u16),
    Group(u16),
    Result,
    Way,
    /// Sum of the terms that arrive together, over local or over global ports.
    SumOf {
        global: bool,
    },
}

/// Packet that arrives at a router: over a port, or, without one, from itself.
struct Came<'a> {
    port: Option<usize>,
    cycle: u32,
    send: &'a Send,
}

/// A vector whose elements have met rows of the matrix.
#[derive(Clone, Copy)]
struct Held {
    /// Group of multipliers, and the bank and row of its products there.
    group: usize,
    bank: u32,
    row: u32,
    /// First cycle in which elements have come, and the last so far.
    first: u32,
    last: u32,
}

/// The program of a router under way.
struct Program<'a> {
    frame: &'a Frame,
    shape: &'a mut Shape,
    checked: &'a CheckedProduct,
    tile: TileProgram,
    /// Row, field and value of each use, in any order.
    uses: Vec<(u32, Place, [u32; 3])>,
    /// Where the products of a vector are, and when its elements came, by vector.
    held: BTreeMap<u32, Held>,
    /// Cycle in which the terms of a sum arrive, by sum.
    sums: BTreeMap<Term, u32>,
    /// Address and bank of a sum that waits to be brought home, by sum.
    ways: BTreeMap<Term, [u32; 2]>,
}

fn odd(what: impl Into<String>) -> LowerError {
    SwappedDragonflyError::ProductForm { what: what.into() }.into()
}

/// Makes the programs and the widths of their rows, and counts rows of memories in the shape.
///
/// A router's program is made twice, first for the sizes alone: the uses of all routers need more memory than their rows.
pub(super) fn programs(
    frame: &Frame,
    shape: &mut Shape,
    checked: &CheckedProduct,
) -> Result<(Vec<TileProgram>, Fields), LowerError> {
    let (tiles, arrivals, sends) = (frame.tiles as usize, checked.arrivals(), &checked.schedule().sends);
    let comings = in_order(arrivals.len(), tiles, |index| {
        let came = &arrivals[index];
        (came.node, cycle_of(checked, came), sends[came.send as usize].term)
    });
    let goings = in_order(sends.len(), tiles, |index| (sends[index].node, sends[index].cycle, sends[index].term));
    // the slot counter has no use for a table without rows
    let mut rows = 1;
    for node in 0..tiles {
        let program = Program::of(frame, shape, checked, [&comings[node], &goings[node]])?;
        rows = program.uses.iter().map(|(row, ..)| row + 1).fold(rows, u32::max);
    }
    let fields = Fields::new(frame, shape);
    let of = |node: usize| {
        let program = Program::of(frame, shape, checked, [&comings[node], &goings[node]])?;
        program.finish(&fields, rows).map_err(|what| odd(format!("router {node} has {what}")))
    };
    let programs = (0..tiles).map(of).collect::<Result<_, _>>()?;
    Ok((programs, fields))
}

/// Indices of `count` things by router, those of a router in the order of their cycles and terms.
fn in_order(count: usize, tiles: usize, key: impl Fn(usize) -> (NodeId, u32, Term)) -> Vec<Vec<u32>> {
    let mut by_router = vec![Vec::new(); tiles];
    (0..count).for_each(|index| by_router[key(index).0.index()].push(index as u32));
    by_router.iter_mut().for_each(|indices| indices.sort_by_key(|&index| key(index as usize)));
    by_router
}

/// Cycle in which something comes. What comes from the router itself is as late as if it had come from a neighbour.
fn cycle_of(checked: &CheckedProduct, arrival: &Arrival) -> u32 {
    arrival.cycle + if arrival.port.is_none() { checked.schedule().hop.local } else { 0 }
}

impl<'a> Program<'a> {
    /// The program of a router to which these arrivals come, and that sends these sends.
    fn of(
        frame: &'a Frame,
        shape: &'a mut Shape,
        checked: &'a CheckedProduct,
        [comings, goings]: [&[u32]; 2],
    ) -> Result<Self, LowerError> {
        let tile = TileProgram {
            operands: vec![None; frame.network.ports()],
            product_ports: vec![u32::MAX; shape.banks as usize],
            back_ports: vec![u32::MAX; shape.back_banks as usize],
            result_banks: vec![0; frame.k as usize],
            rows: Vec::new(),
        };
        let (held, sums, ways) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let mut program = Self { frame, shape, checked, tile, uses: Vec::new(), held, sums, ways };
        let (arrivals, sends) = (checked.arrivals(), &checked.schedule().sends);
        for &index in comings {
            let arrival = &arrivals[index as usize];
            let (port, cycle) = (arrival.port.map(|port| port as usize), cycle_of(checked, arrival));
            program.receive(&Came { port, cycle, send: &sends[arrival.send as usize] })?;
        }
        for &index in goings {
            program.send(&sends[index as usize])?;
        }
        Ok(program)
    }

    fn put(&mut self, row: u32, place: Place, value: [u32; 3]) {
        self.uses.push((row, place, value));
    }

    fn receive(&mut self, came: &Came<'_>) -> Result<(), LowerError> {
        if came.port.is_some_and(|port| port >= self.frame.network.ports()) {
            return Err(odd("a packet comes over no port"));
        }
        let (row, term) = (came.cycle + SEND_CYCLES, came.send.term);
        let element = term.stage == Stage::Operand && self.shape.arithmetic;
        let last = matches!(term.stage, Stage::Operand | Stage::Result);
        let kind = if element { 1 } else { 3 - u32::from(!last) };
        match came.port {
            Some(port) => self.put(row, Place::Kind(port as u16), [kind, 0, 0]),
            None => self.put(row, Place::Home, [1, 0, 0]),
        }
        match term.stage {
            Stage::Operand if element => self.element(came, row),
            Stage::Product | Stage::Sum => self.term(came, row),
            _ => self.result(came, row),
        }
    }

    /// An element of the operand meets a row of the matrix.
    fn element(&mut self, came: &Came, row: u32) -> Result<(), LowerError> {
        let Term { vector, element, .. } = came.send.term;
        let x = self.shape.block;
        let lane =
            came.port.and_then(|port| self.shape.lane(port)).ok_or_else(|| odd("an element comes to no lane"))?;
        let group = lane / self.shape.terms as usize;
        let matrix = match self.shape.matrix_rows == x {
            true => element % x,
            false => element / x / self.frame.m * x + element % x,
        };
        self.put(row, Place::Lane(lane as u16), [matrix, 0, 0]);
        let bank = match self.shape.banks > 1 && !self.shape.split {
            true => vector / x / self.frame.m,
            false => 0,
        };
        if !self.held.contains_key(&vector) {
            let free = self.held.values().filter(|held| (held.group, held.bank) == (group, bank)).count() as u32;
            self.shape.held = self.shape.held.max(free + 1);
            self.held.insert(vector, Held { group, bank, row: free, first: came.cycle, last: came.cycle });
        }
        let held = self.held.get_mut(&vector).expect("it was put there");
        if held.group != group {
            return Err(odd("the elements of a vector come to two groups of multipliers"));
        }
        if came.cycle > held.last + 1 || came.cycle >= held.first + x {
            return Err(odd(
                "the elements of a vector do not come in as many cycles as a block has rows, one after the other",
            ));
        }
        held.last = came.cycle;
        let (first, place) = (held.first == came.cycle, held.row);
        self.put(row, Place::Group(group as u16), [first.into(), place, bank]);
        Ok(())
    }

    /// A term of a sum, all of which come together.
    fn term(&mut self, came: &Came, row: u32) -> Result<(), LowerError> {
        let Term { stage, vector, element } = came.send.term;
        let global = came.port.is_some_and(|port| port >= self.frame.network.local_ports());
        let first = stage == Stage::Product;
        if global != (first != self.shape.column) {
            return Err(odd("a term comes over another kind of port than the others"));
        }
        let sum = Term { stage: if first { Stage::Sum } else { Stage::Result }, vector, element };
        self.put(row, Place::SumOf { global }, [sum.stage as u32, vector, element]);
        if *self.sums.entry(sum).or_insert(came.cycle) != came.cycle {
            return Err(odd("the terms of a sum do not come together"));
        }
        if first && !self.shape.one_sum {
            return Ok(());
        }
        if !self.shape.back {
            let address = self.address(vector, element);
            self.put(row, Place::Result, [address, 0, 0]);
            return Ok(());
        }
        let way = match self.ways.get(&sum) {
            Some(&way) => way,
            None => {
                let bank = if self.shape.back_banks > 1 { vector / self.shape.block / self.frame.m } else { 0 };
                let address = self.ways.values().filter(|way| way[1] == bank).count() as u32;
                self.shape.back_words = self.shape.back_words.max(address + 1);
                self.ways.insert(sum, [address, bank]);
                [address, bank]
            }
        };
        self.put(row, Place::Way, [way[0], way[1], 0]);
        Ok(())
    }

    /// A result, brought home or transposed.
    fn result(&mut self, came: &Came, row: u32) -> Result<(), LowerError> {
        let Term { vector, element, .. } = came.send.term;
        let address = self.address(vector, element);
        self.put(row, Place::Result, [address, 0, 0]);
        let net = self.frame.network;
        let gamma = came.port.and_then(|port| port.checked_sub(net.local_ports()));
        let gamma = gamma.ok_or_else(|| odd("a result comes over no global port"))?;
        if self.shape.result_banks > 1 {
            self.tile.result_banks[gamma] = net.address(came.send.node).c;
        }
        Ok(())
    }

    /// The address of a result in its bank.
    fn address(&self, vector: u32, element: u32) -> u32 {
        let x = self.shape.block;
        let row = if self.shape.result_words > x { vector % x } else { 0 };
        row * x + element % x
    }

    /// Makes rows of the uses, or says which two are of one field.
    fn finish(self, fields: &Fields, rows: u32) -> Result<TileProgram, String> {
        let Self { frame, shape, mut tile, mut uses, .. } = self;
        let idle = Row::idle(frame, shape);
        let ports = tile.product_ports.iter_mut().chain(&mut tile.back_ports);
        ports.filter(|port| **port == u32::MAX).for_each(|port| *port = 0);
        uses.sort_unstable();
        uses.dedup();
        let same = |pair: &&[(u32, Place, [u32; 3])]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
        if let Some(pair) = uses.windows(2).find(same) {
            let ((row, place, one), other) = (pair[0], pair[1].2);
            return Err(format!("two uses of {place:?} in row {row}: {one:?} and {other:?}"));
        }
        tile.rows = vec![fields.encode(&idle); rows as usize];
        for uses in uses.chunk_by(|one, other| one.0 == other.0) {
            let mut row = idle.clone();
            uses.iter().for_each(|&(_, place, value)| row.fill(place, value));
            tile.rows[uses[0].0 as usize] = fields.encode(&row);
        }
        Ok(tile)
    }
}

impl Row {
    /// Puts a value into a field.
    fn fill(&mut self, place: Place, value: [u32; 3]) {
        let [a, b, _] = value;
        match place {
            Place::Kind(port) => self.kinds[port as usize] = a,
            Place::Home => self.home = true,
            Place::Operand => self.operand = Some(a),
            Place::Product(bank) => self.products[bank as usize] = Some(value),
            Place::Sum => self.sum = Some(a),
            Place::Back(bank) => self.backs[bank as usize] = Some(a),
            Place::Lane(lane) => self.lanes[lane as usize] = a,
            Place::Group(group) => self.groups[group as usize] = value,
            Place::Result => self.result = a,
            Place::Way => self.way = [a, b],
            Place::SumOf { .. } => {}
        }
    }
}
