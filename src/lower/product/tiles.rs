//! Program of every router, from the packets that it sends and receives.

mod sends;

use super::{Fields, Row, Shape};
use crate::check::CheckedProduct;
use crate::check::product::Arrival;
use crate::id::NodeId;
use crate::lower::bits::BitRow;
use crate::lower::{Frame, LowerError};
use crate::program::form::product::{Send, Stage, Term};
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

/// A field of a row; a number of a port, bank, lane or group has 16 bits, since a large network has millions of uses.
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
    node: NodeId,
    port: Option<usize>,
    cycle: u32,
    send: &'a Send,
}

/// All programs under way.
struct Programs<'a> {
    frame: &'a Frame,
    shape: &'a mut Shape,
    checked: &'a CheckedProduct,
    tiles: Vec<TileProgram>,
    /// Row, field and value of each use of a router, by router, in any order.
    uses: Vec<Vec<(u32, Place, [u32; 3])>>,
    /// Group, bank and row of the products of a vector, by router and vector.
    held: BTreeMap<(NodeId, u32), (usize, u32, u32)>,
    /// Cycle in which the terms of a sum arrive, by router and sum.
    sums: BTreeMap<(NodeId, Term), u32>,
    /// Address and bank of a sum that waits to be brought home, by router and sum.
    ways: BTreeMap<(NodeId, Term), [u32; 2]>,
}

fn odd(what: impl Into<String>) -> LowerError {
    LowerError::ProductForm { what: what.into() }
}

/// Makes the programs and the widths of their rows, and counts rows of memories in the shape.
pub(super) fn programs(
    frame: &Frame,
    shape: &mut Shape,
    checked: &CheckedProduct,
) -> Result<(Vec<TileProgram>, Fields), LowerError> {
    let ports = frame.network.ports();
    let idle = TileProgram {
        operands: vec![None; ports],
        product_ports: vec![u32::MAX; shape.banks as usize],
        back_ports: vec![u32::MAX; shape.back_banks as usize],
        result_banks: vec![0; frame.k as usize],
        rows: Vec::new(),
    };
    let tiles = vec![idle; frame.tiles as usize];
    let (uses, held, sums, ways) = (vec![Vec::new(); tiles.len()], BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
    let mut programs = Programs { frame, shape, checked, tiles, uses, held, sums, ways };
    programs.receive()?;
    for send in &checked.schedule().sends {
        programs.send(send)?;
    }
    programs.finish()
}

impl Programs<'_> {
    /// Enters a use. Those of a row mostly follow each other, and each term of a sum has the same.
    fn put(&mut self, node: NodeId, row: u32, place: Place, value: [u32; 3]) {
        let (uses, new) = (&mut self.uses[node.index()], (row, place, value));
        if !uses.iter().rev().take_while(|(other, ..)| *other == row).any(|known| *known == new) {
            if uses.len() == uses.capacity() {
                uses.reserve_exact(uses.len() / 8 + 16); // twice as much would be half of all memory
            }
            uses.push(new);
        }
    }

    /// Cycle in which something comes. What comes from the router itself is as late as if it had come from a neighbour.
    fn cycle_of(&self, arrival: &Arrival) -> u32 {
        arrival.cycle + if arrival.port.is_none() { self.checked.schedule().hop.local } else { 0 }
    }

    /// Indices of all that comes, in order of cycles: of a large network there are millions.
    fn comings(&self) -> Vec<u32> {
        let (arrivals, sends) = (self.checked.arrivals(), &self.checked.schedule().sends);
        let mut comings: Vec<u32> = (0..arrivals.len() as u32).collect();
        comings.sort_unstable_by_key(|&index| {
            let came = &arrivals[index as usize];
            (self.cycle_of(came), came.node, sends[came.send as usize].term, index)
        });
        comings
    }

    fn receive(&mut self) -> Result<(), LowerError> {
        let (ports, sends) = (self.frame.network.ports(), &self.checked.schedule().sends);
        for index in self.comings() {
            let arrival = &self.checked.arrivals()[index as usize];
            let (Arrival { node, port, send, .. }, cycle) = (*arrival, self.cycle_of(arrival));
            let came = Came { node, port: port.map(|port| port as usize), cycle, send: &sends[send as usize] };
            if came.port.is_some_and(|port| port >= ports) {
                return Err(odd("a packet comes over no port"));
            }
            let (node, row, term) = (came.node, came.cycle + SEND_CYCLES, came.send.term);
            let element = term.stage == Stage::Operand && self.shape.arithmetic;
            let last = matches!(term.stage, Stage::Operand | Stage::Result);
            let kind = if element { 1 } else { 3 - u32::from(!last) };
            match came.port {
                Some(port) => self.put(node, row, Place::Kind(port as u16), [kind, 0, 0]),
                None => self.put(node, row, Place::Home, [1, 0, 0]),
            }
            match term.stage {
                Stage::Operand if element => self.element(&came, row)?,
                Stage::Product | Stage::Sum => self.term(&came, row)?,
                _ => self.result(&came, row)?,
            }
        }
        Ok(())
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
        self.put(came.node, row, Place::Lane(lane as u16), [matrix, 0, 0]);
        let bank = match self.shape.banks > 1 && !self.shape.split {
            true => vector / x / self.frame.m,
            false => 0,
        };
        let place = match self.held.get(&(came.node, vector)) {
            Some(&place) => place,
            None => {
                let of = |place: &&(usize, u32, u32)| (place.0, place.1) == (group, bank);
                let vectors = (came.node, 0)..=(came.node, u32::MAX);
                let free = self.held.range(vectors).map(|(_, place)| place).filter(of).count() as u32;
                self.shape.held = self.shape.held.max(free + 1);
                self.held.insert((came.node, vector), (group, bank, free));
                self.sums.insert((came.node, came.send.term_of_vector()), came.cycle);
                (group, bank, free)
            }
        };
        if place.0 != group {
            return Err(odd("the elements of a vector come to two groups of multipliers"));
        }
        let first = self.sums.get(&(came.node, came.send.term_of_vector())) == Some(&came.cycle);
        self.put(came.node, row, Place::Group(group as u16), [first.into(), place.2, bank]);
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
        self.put(came.node, row, Place::SumOf { global }, [sum.stage as u32, vector, element]);
        if *self.sums.entry((came.node, sum)).or_insert(came.cycle) != came.cycle {
            return Err(odd("the terms of a sum do not come together"));
        }
        if first && !self.shape.one_sum {
            return Ok(());
        }
        if !self.shape.back {
            let address = self.address(vector, element);
            self.put(came.node, row, Place::Result, [address, 0, 0]);
            return Ok(());
        }
        let way = match self.ways.get(&(came.node, sum)) {
            Some(&way) => way,
            None => {
                let bank = if self.shape.back_banks > 1 { vector / self.shape.block / self.frame.m } else { 0 };
                let of_node = self.ways.range((came.node, LEAST)..).take_while(|((node, _), _)| *node == came.node);
                let address = of_node.filter(|(_, way)| way[1] == bank).count() as u32;
                self.shape.back_words = self.shape.back_words.max(address + 1);
                self.ways.insert((came.node, sum), [address, bank]);
                [address, bank]
            }
        };
        self.put(came.node, row, Place::Way, [way[0], way[1], 0]);
        Ok(())
    }

    /// A result, brought home or transposed.
    fn result(&mut self, came: &Came, row: u32) -> Result<(), LowerError> {
        let Term { vector, element, .. } = came.send.term;
        let address = self.address(vector, element);
        self.put(came.node, row, Place::Result, [address, 0, 0]);
        let net = self.frame.network;
        let gamma = came.port.and_then(|port| port.checked_sub(net.local_ports()));
        let gamma = gamma.ok_or_else(|| odd("a result comes over no global port"))?;
        if self.shape.result_banks > 1 {
            self.tiles[came.node.index()].result_banks[gamma] = net.address(came.send.node).c;
        }
        Ok(())
    }

    /// The address of a result in its bank.
    fn address(&self, vector: u32, element: u32) -> u32 {
        let x = self.shape.block;
        let row = if self.shape.result_words > x { vector % x } else { 0 };
        row * x + element % x
    }

    /// Makes rows of the collected entries.
    fn finish(self) -> Result<(Vec<TileProgram>, Fields), LowerError> {
        let Self { frame, shape, mut tiles, uses, held, sums, ways, .. } = self;
        // rows need the memory
        drop((held, sums, ways));
        let (fields, idle) = (Fields::new(frame, shape), Row::idle(frame, shape));
        // the slot counter has no use for a table without rows
        let count = uses.iter().flatten().map(|(row, ..)| row + 1).max().unwrap_or(1);
        for (node, (tile, mut uses)) in tiles.iter_mut().zip(uses).enumerate() {
            let ports = tile.product_ports.iter_mut().chain(&mut tile.back_ports);
            ports.filter(|port| **port == u32::MAX).for_each(|port| *port = 0);
            uses.sort_unstable();
            uses.dedup();
            let same = |pair: &&[(u32, Place, [u32; 3])]| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1);
            if let Some(pair) = uses.windows(2).find(same) {
                let ((row, place, one), other) = (pair[0], pair[1].2);
                return Err(odd(format!(
                    "router {node} has two uses of {place:?} in row {row}: {one:?} and {other:?}"
                )));
            }
            tile.rows = vec![fields.encode(&idle); count as usize];
            for uses in uses.chunk_by(|one, other| one.0 == other.0) {
                let mut row = idle.clone();
                uses.iter().for_each(|&(_, place, value)| row.fill(place, value));
                tile.rows[uses[0].0 as usize] = fields.encode(&row);
            }
        }
        Ok((tiles, fields))
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

/// The least of all terms.
const LEAST: Term = Term { stage: Stage::Operand, vector: 0, element: 0 };

impl Send {
    /// Term that stands for all elements of the operand's vector.
    fn term_of_vector(&self) -> Term {
        Term { stage: Stage::Operand, vector: self.term.vector, element: 0 }
    }
}
