//! The proof for products: every packet is followed, every value is computed.
//!
//! Properties that are proved of a [`ProductSchedule`]:
//!
//! 1. *No conflict*: no channel, loopbacks included, is claimed by two packets in the same cycle.
//! 2. *Causality*: an operand is sent by the router where it lies; a product or a sum not before `mac_cycles` after the last of
//!    its terms has arrived.
//! 3. *Result*: with random operands, every router computes from what it is sent and from its own part of the matrix.
//!    Every element of the result is at one router, the one that the layout names. It is a sum of as many terms as the
//!    definition has, and equals the oracle's value modulo 2^width of the accumulator. A sum with a term too many and
//!    another missing agrees with the oracle only by chance, once in 2^width.
//!
//! Up to [`AS_PROGRAM`] sends, the same is proved of the schedule's [program](mod@crate::check::program), which all later
//! stages read. The terms are also followed in terms of the layout. This shows the registers in which packets stay for
//! a hop, the products that a router holds at a time, and the wrong value.

use super::product_bounds;
pub use super::product_claims::Arrival;
use super::product_claims::{conflicts, follow};
use super::product_fault::ProductFault;
use super::product_map::Map;
use super::product_program::check_program;
use crate::check::checked::Checked;
use crate::check::program::{AS_PROGRAM, label};
use crate::check::swapped_dragonfly::error::CheckError;
use crate::check::verdict::Proof;
use crate::collective::{Operands, Product, ProductKind};
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::product::{Layout, ProductSchedule, Send, Stage, Term};
use crate::topology::{SwappedDragonfly, Topology};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A schedule of which it is proved that it computes the product without a conflict. Made by [`check_product`] alone.
pub type CheckedProduct = Checked<SwappedDragonfly, Arc<ProductSchedule>, ProductProof, Multiplied>;

/// Product, and all arrivals of its schedule, in order of sends.
#[derive(Debug, Clone)]
pub struct Multiplied {
    product: Product,
    arrivals: Vec<Arrival>,
}

/// Proof of a verdict on a product: counts and cycles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ProductProof {
    /// Method of the proof.
    pub method: &'static str,
    /// Routers.
    pub routers: u64,
    /// Rows and columns of the matrix.
    pub order: u32,
    /// Vectors of the operand.
    pub vectors: u32,
    /// Values that are sent, or kept for a router's own sum.
    pub sends: u64,
    /// Claims of channels, no two of which meet.
    pub claims: u64,
    /// Elements of the result, each of which equals the oracle's.
    pub results: u64,
    /// The most products that a router holds at a time.
    pub held: u64,
    /// Width of a sum.
    pub accumulator_bits: u32,
    /// Seed of the operands.
    pub seed: u64,
    /// Clock cycles of a local and of a global hop.
    pub hop: [u32; 2],
    /// Cycles from an arrival to its product or sum.
    pub mac_cycles: u32,
    /// Cycles from the first to the last claimed one, both included.
    pub cycles: u32,
}

impl Proof for ProductProof {
    fn lines(&self) -> Vec<String> {
        let Self { routers, sends, claims, results, held, accumulator_bits, seed, mac_cycles, cycles, .. } = self;
        vec![
            format!(
                "no conflict: {sends} sends were followed through all {routers} routers; no two of {claims} claims of channels meet"
            ),
            format!(
                "causality: every product and every sum leaves {} after the last of its terms has arrived or later; \
                 the last claim is in cycle {}; a router holds up to {}",
                counted(*mac_cycles, "cycle"),
                cycles.saturating_sub(1),
                counted(*held, "product")
            ),
            format!(
                "result: with the random operands of seed {seed}, all {results} elements are where they belong and equal the \
                 definition's modulo 2^{accumulator_bits}"
            ),
        ]
    }
}

/// Partial sum at a router.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    first: u32,
    last: u32,
    terms: u64,
    value: u64,
}

/// Partial sums of a stage: by router, vector and element.
type Sums = BTreeMap<(NodeId, u32, u32), Sum>;

/// Checks a product on a network, with random operands from a seed.
///
/// # Errors
/// [`CheckError`] of the first violation, with its place and the remedy.
pub fn check_product(
    network: &SwappedDragonfly,
    schedule: ProductSchedule,
    product: Product,
    seed: u64,
) -> Result<CheckedProduct, CheckError> {
    let ProductSchedule { hop, block, layout, kind, mac_cycles, .. } = schedule;
    if hop.local == 0 || hop.global == 0 {
        return Err(CheckError::HopLatency { local: hop.local, global: hop.global });
    }
    let (blocks, square) = match layout {
        Layout::Square { side } => (side * network.m(), side * side == network.k()),
        Layout::Linear => (network.k() * network.m(), true),
    };
    let in_range = |send: &Send| {
        let Term { vector, element, stage } = send.term;
        send.node.index() < network.nodes()
            && vector < product.vectors()
            && element < product.order
            && stage < schedule.result
    };
    let sound = square && block > 0 && blocks * block == product.order && product.kind == kind;
    if !sound || !schedule.sends.iter().all(in_range) {
        return Err(ProductFault::Malformed.into());
    }
    let (claims, arrivals) = follow(network, &schedule)?;
    conflicts(network, &schedule, &claims, 1)?;
    let map = Map::new(network, &schedule, &product);
    let operands = product.random(seed);
    let (results, held) = evaluate(network, &schedule, &product, &map, &arrivals, &operands)?;
    if schedule.sends.len() <= AS_PROGRAM {
        let (program, elements) = schedule.with_results(network);
        check_program(network, (&program, &elements.of), &schedule, &product, &operands)?;
    }

    let first = claims.iter().map(|c| c.cycle).min().unwrap_or(0);
    let proof = ProductProof {
        method: "every transfer",
        routers: network.nodes() as u64,
        order: product.order,
        vectors: product.vectors(),
        sends: schedule.sends.len() as u64,
        claims: claims.len() as u64,
        results: results.len() as u64,
        held,
        accumulator_bits: product.accumulator_bits,
        seed,
        hop: [hop.local, hop.global],
        mac_cycles,
        cycles: claims.iter().map(|c| c.cycle + 1 - first).max().unwrap_or(0),
    };
    let sources: Vec<NodeId> = match kind {
        ProductKind::Transpose => vec![map.operand(0, product.order - 1)],
        _ => (0..product.order).map(|element| map.operand(0, element)).collect(),
    };
    let last = product.order - 1;
    let target = map.result(0, last);
    let bounds = product_bounds::of(network, &schedule, &claims, &arrivals, &sources, target);
    let (cycles, found) = (proof.cycles, Multiplied { product, arrivals });
    Ok(Checked { network: *network, schedule: schedule.into(), proof, found, cycles, bounds })
}

/// Computes the values of every router, stage by stage. Gives the results, vector after vector, and the largest number
/// of products that a router holds.
fn evaluate(
    net: &SwappedDragonfly,
    schedule: &ProductSchedule,
    product: &Product,
    map: &Map,
    arrivals: &[Arrival],
    operands: &Operands,
) -> Result<(Vec<u64>, u64), ProductFault> {
    let n = product.order as usize;
    let place = |send: &Send| (send.node, send.term.vector, send.term.element);
    let mut sums: [Sums; Stage::Returned as usize + 1] = Default::default();
    let mut held: Vec<(NodeId, u32, i8)> = Vec::new();
    for stage in [Stage::Operand, Stage::Product, Stage::Sum, Stage::Result] {
        // what is sent of the last stage would have no stage to come to, and was refused
        if stage == schedule.result {
            break;
        }
        // no later stage asks for them
        let known = std::mem::take(&mut sums[stage as usize]);
        for send in schedule.sends.iter().filter(|send| send.term.stage == stage) {
            let Send { cycle, node, term, .. } = *send;
            let not_there = || ProductFault::NotThere { cycle, at: label(net, node), term };
            if stage == Stage::Operand {
                if map.operand(term.vector, term.element) != node {
                    return Err(not_there());
                }
                continue;
            }
            let sum = known.get(&place(send)).ok_or_else(not_there)?;
            let ready = sum.last + schedule.mac_cycles;
            if cycle < ready {
                return Err(ProductFault::NotReady { cycle, at: label(net, node), term, ready });
            }
            if stage == Stage::Product {
                held.extend([(node, sum.first, 1), (node, cycle + 1, -1)]);
            }
        }
        for arrival in arrivals {
            let send = &schedule.sends[arrival.send as usize];
            let term @ Term { vector, element, .. } = send.term;
            if term.stage != stage {
                continue;
            }
            let (value, terms) = match stage {
                Stage::Operand => (operands.vectors[vector as usize * n + element as usize], 1),
                _ => {
                    let sum = &known[&place(send)];
                    (sum.value, sum.terms)
                }
            };
            let mut add = |stage: Stage, element, value: u64| {
                let fresh = Sum { first: arrival.cycle, ..Sum::default() };
                let sum = sums[stage as usize].entry((arrival.node, vector, element)).or_insert(fresh);
                sum.first = sum.first.min(arrival.cycle);
                sum.last = sum.last.max(arrival.cycle);
                sum.terms += terms;
                sum.value = sum.value.wrapping_add(value);
            };
            match (stage, product.kind) {
                (Stage::Operand, ProductKind::Transpose) => add(Stage::Result, element, value),
                (Stage::Operand, _) => {
                    let mut met = false;
                    for (other, at) in map.partners(arrival.node, element) {
                        add(Stage::Product, other, value.wrapping_mul(operands.matrix[at]));
                        met = true;
                    }
                    if !met {
                        return Err(ProductFault::Useless { at: label(net, arrival.node), term });
                    }
                }
                (Stage::Product, _) => add(Stage::Sum, element, value),
                (Stage::Sum, _) => add(Stage::Result, element, value),
                _ => add(Stage::Returned, element, value),
            }
        }
    }
    held.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, _, change) in held {
        // every product that comes also goes, so that each router ends at none
        now += i64::from(change);
        most = most.max(now);
    }
    let sums = &sums[schedule.result as usize];
    Ok((compare(net, schedule, product, map, sums, &product.expected(operands))?, most.unsigned_abs()))
}

/// Compares the values of routers with the oracle.
fn compare(
    net: &SwappedDragonfly,
    schedule: &ProductSchedule,
    product: &Product,
    map: &Map,
    sums: &Sums,
    expected: &[u64],
) -> Result<Vec<u64>, ProductFault> {
    let n = product.order as usize;
    let mut results = vec![0; expected.len()];
    let mut found = vec![0_u32; expected.len()];
    for &(_, vector, element) in sums.keys() {
        found[vector as usize * n + element as usize] += 1;
    }
    for (at, &count) in found.iter().enumerate() {
        let (vector, element) = ((at / n) as u32, (at % n) as u32);
        let term = Term { stage: schedule.result, vector, element };
        let node = map.result(vector, element);
        let sum = sums.get(&(node, vector, element)).filter(|_| count == 1);
        let Some(sum) = sum else {
            return Err(ProductFault::Misplaced { at: label(net, node), term, found: count });
        };
        // an element of a transpose is that of another row and column
        let (place, value, wanted) = match product.kind {
            ProductKind::Transpose => (element as usize * n + vector as usize, sum.value, 1),
            _ => (at, product.cut(sum.value), n as u64),
        };
        let expected = expected[place];
        results[place] = value;
        if (value, sum.terms) != (expected, wanted) {
            let at = label(net, node);
            return Err(ProductFault::Wrong { at, term, value, terms: sum.terms, expected, wanted });
        }
    }
    Ok(results)
}

impl CheckedProduct {
    /// Product that was checked.
    pub fn product(&self) -> &Product {
        &self.found.product
    }

    /// All arrivals, in order of sends.
    pub fn arrivals(&self) -> &[Arrival] {
        &self.found.arrivals
    }

    /// Result of the routers for these operands, vector after vector, each element cut to the accumulator's width.
    ///
    /// # Errors
    /// [`ProductFault::Malformed`] for operands of another size; otherwise only if the oracle disagrees, which the proof excludes.
    pub fn compute(&self, operands: &Operands) -> Result<Vec<u64>, CheckError> {
        let n = self.found.product.order as usize;
        if operands.vectors.len() != self.found.product.vectors() as usize * n || operands.matrix.len() != n * n {
            return Err(ProductFault::Malformed.into());
        }
        Ok(evaluate(
            &self.network,
            &self.schedule,
            &self.found.product,
            &Map::new(&self.network, &self.schedule, &self.found.product),
            &self.found.arrivals,
            operands,
        )?
        .0)
    }
}
