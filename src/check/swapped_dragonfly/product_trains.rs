//! The proof for products in trains: no two trains are on a channel at once, no train leaves before its packets are
//! there, and the result is computed block by block.
//!
//! Properties that are proved of a [`TrainSchedule`]:
//!
//! 1. *No conflict*: trains on a channel start at least a train's length apart.
//! 2. *Causality*: packet (h,j) of a train of products, in place hX + j, needs the elements (h,i) for all i < X. The
//!    last of them comes in place hX + X - 1. So a train of products starts at least X - 1 + `mac_cycles` cycles after
//!    the last train of its operands has begun to arrive. A train of sums, which go packet by packet, starts at least
//!    `mac_cycles` after it.
//! 3. *Result*, by [`CheckedTrains::compute`]: every block is where the layout says, a sum of as many products as the definition has, and
//!    equals the oracle's.

use super::product_claims::{Arrival, conflicts, follow};
use super::product_fault::ProductFault;
use super::product_map::Map;
use crate::check::program::label;
use crate::check::swapped_dragonfly::error::CheckError;
use crate::collective::{Operands, Product, ProductKind};
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::product::TrainSchedule;
use crate::program::form::swapped_dragonfly::product::{Stage, Term};
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeMap;

/// A schedule in trains of which it is proved that nothing meets and nothing is too early. Made by [`check_trains`] alone.
#[derive(Debug, Clone)]
pub struct CheckedTrains {
    network: SwappedDragonfly,
    schedule: TrainSchedule,
    product: Product,
    arrivals: Vec<Arrival>,
    cycles: u32,
}

/// Checks a product in trains.
///
/// # Errors
/// [`CheckError`] of the first violation.
pub fn check_trains(
    network: &SwappedDragonfly,
    schedule: TrainSchedule,
    product: Product,
) -> Result<CheckedTrains, CheckError> {
    let TrainSchedule { blocks, block, train } = &schedule;
    let wanted = match product.kind {
        ProductKind::MatrixMatrix => block * block,
        ProductKind::VectorMatrix | ProductKind::MatrixVector => *block,
        // each packet of a block of a transpose has another place
        ProductKind::Transpose => 0,
    };
    let vectors = product.vectors().div_ceil(*block);
    let sound = *train == wanted && *train > 0 && blocks.kind == product.kind && blocks.block == 1;
    let in_range = blocks.sends.iter().all(|send| {
        send.node.index() < network.nodes()
            && send.term.vector < vectors
            && send.term.element < product.order / block
            && send.term.stage < blocks.result
    });
    if !sound || !in_range {
        return Err(ProductFault::Malformed.into());
    }
    let (claims, arrivals) = follow(network, blocks)?;
    conflicts(network, blocks, &claims, *train)?;
    causality(network, &schedule, &arrivals)?;
    let first = claims.iter().map(|claim| claim.cycle).min().unwrap_or(0);
    let cycles = claims.iter().map(|claim| claim.cycle + train - first).max().unwrap_or(0);
    Ok(CheckedTrains { network: *network, schedule, product, arrivals, cycles })
}

/// Term that is sent where `term` arrives.
fn summed(term: Term) -> Stage {
    match term.stage {
        Stage::Operand => Stage::Product,
        Stage::Product => Stage::Sum,
        Stage::Sum => Stage::Result,
        Stage::Result | Stage::Returned => Stage::Returned,
    }
}

fn causality(net: &SwappedDragonfly, schedule: &TrainSchedule, arrivals: &[Arrival]) -> Result<(), ProductFault> {
    let TrainSchedule { blocks, block, .. } = schedule;
    // an operand counts for every element of its vector
    let key = |stage: Stage, term: Term| (stage, term.vector, if stage == Stage::Product { 0 } else { term.element });
    let mut last: BTreeMap<(NodeId, (Stage, u32, u32)), u32> = BTreeMap::new();
    for arrival in arrivals {
        let term = blocks.sends[arrival.send as usize].term;
        let entry = last.entry((arrival.node, key(summed(term), term))).or_default();
        *entry = arrival.cycle.max(*entry);
    }
    for send in blocks.sends.iter().filter(|send| send.term.stage != Stage::Operand) {
        let (cycle, at, term) = (send.cycle, label(net, send.node), send.term);
        let Some(arrived) = last.get(&(send.node, key(term.stage, term))) else {
            return Err(ProductFault::NotThere { cycle, at, term });
        };
        let row = if term.stage == Stage::Product { block - 1 } else { 0 };
        let ready = arrived + row + blocks.mac_cycles;
        if cycle < ready {
            return Err(ProductFault::NotReady { cycle, at, term, ready });
        }
    }
    Ok(())
}

/// A block of numbers, and of how many products of blocks it is the sum.
#[derive(Debug, Clone)]
struct Sum {
    terms: u32,
    values: Vec<u64>,
}

impl CheckedTrains {
    /// Schedule that was checked.
    pub fn schedule(&self) -> &TrainSchedule {
        &self.schedule
    }

    /// Sizes of the product.
    pub fn product(&self) -> &Product {
        &self.product
    }

    /// Clock cycles from the first claimed one to the last, both included.
    pub fn cycles(&self) -> u32 {
        self.cycles
    }

    /// Result of the routers for these operands, vector after vector, each element cut to the accumulator's width.
    ///
    /// # Errors
    /// If a block of the result is not where it should be, or not what the definition says.
    pub fn compute(&self, operands: &Operands) -> Result<Vec<u64>, CheckError> {
        let TrainSchedule { blocks, .. } = &self.schedule;
        let product = Product { order: self.product.order / self.schedule.block, ..self.product };
        let map = Map::new(&self.network, blocks, &product);
        let mut sums: BTreeMap<(NodeId, Term), Sum> = BTreeMap::new();
        for stage in [Stage::Operand, Stage::Product, Stage::Sum, Stage::Result] {
            for arrival in &self.arrivals {
                let send = &blocks.sends[arrival.send as usize];
                let Term { vector, element, .. } = send.term;
                if send.term.stage != stage {
                    continue;
                }
                if stage != Stage::Operand {
                    let sum = sums.get(&(send.node, send.term)).ok_or_else(|| self.not_there(send.node, send.term))?;
                    let sum = sum.clone();
                    let to = (arrival.node, Term { stage: summed(send.term), vector, element });
                    self.add(&mut sums, to, &sum);
                    continue;
                }
                if map.operand(vector, element) != send.node {
                    return Err(self.not_there(send.node, send.term).into());
                }
                for (other, at) in map.partners(arrival.node, element) {
                    let values = self.multiplied(operands, (vector, element), at);
                    let to = (arrival.node, Term { stage: Stage::Product, vector, element: other });
                    self.add(&mut sums, to, &Sum { terms: 1, values });
                }
            }
        }
        self.result(&sums, &map, product.order, &self.product.expected(operands))
    }

    fn not_there(&self, node: NodeId, term: Term) -> ProductFault {
        ProductFault::NotThere { cycle: 0, at: label(&self.network, node), term }
    }

    fn add(&self, sums: &mut BTreeMap<(NodeId, Term), Sum>, to: (NodeId, Term), with: &Sum) {
        let sum = sums.entry(to).or_insert_with(|| Sum { terms: 0, values: vec![0; self.schedule.train as usize] });
        sum.terms += with.terms;
        sum.values.iter_mut().zip(&with.values).for_each(|(sum, value)| *sum = sum.wrapping_add(*value));
    }

    /// A block of the operand times a block of the matrix; `at` is the position of that among the blocks.
    fn multiplied(&self, operands: &Operands, (vector, element): (u32, u32), at: usize) -> Vec<u64> {
        let (x, n) = (self.schedule.block as usize, self.product.order as usize);
        let (row, column) = (at / (n / x) * x, at % (n / x) * x);
        let (vector, element) = (vector as usize * x, element as usize * x);
        let mut values = vec![0_u64; self.schedule.train as usize];
        for (h, sums) in values.chunks_mut(x).enumerate() {
            for i in 0..x {
                let operand = operands.vectors[(vector + h) * n + element + i];
                for (j, sum) in sums.iter_mut().enumerate() {
                    let (i, j) = match self.product.kind {
                        ProductKind::MatrixVector => (row + j, column + i),
                        _ => (row + i, column + j),
                    };
                    *sum = sum.wrapping_add(operand.wrapping_mul(operands.matrix[i * n + j]));
                }
            }
        }
        values
    }

    /// Holds the blocks against the oracle.
    fn result(
        &self,
        sums: &BTreeMap<(NodeId, Term), Sum>,
        map: &Map,
        blocks: u32,
        expected: &[u64],
    ) -> Result<Vec<u64>, CheckError> {
        let (x, n, stage) = (self.schedule.block as usize, self.product.order as usize, self.schedule.blocks.result);
        let vectors = self.product.vectors().div_ceil(self.schedule.block);
        let mut results = vec![0; expected.len()];
        for (vector, element) in (0..vectors).flat_map(|vector| (0..blocks).map(move |element| (vector, element))) {
            let term = Term { stage, vector, element };
            let node = map.result(vector, element);
            let at = || label(&self.network, node);
            let found = sums.get(&(node, term));
            let Some(sum) = found else {
                return Err(ProductFault::Misplaced { at: at(), term, found: 0 }.into());
            };
            for (place, &value) in sum.values.iter().enumerate() {
                let place = (vector as usize * x + place / x) * n + element as usize * x + place % x;
                let (value, terms, expected) = (self.product.cut(value), u64::from(sum.terms), expected[place]);
                if (value, sum.terms) != (expected, blocks) {
                    let wanted = blocks.into();
                    return Err(ProductFault::Wrong { at: at(), term, value, terms, expected, wanted }.into());
                }
                results[place] = value;
            }
        }
        Ok(results)
    }
}
