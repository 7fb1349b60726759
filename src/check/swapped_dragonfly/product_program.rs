//! Proof of a product as a program. Lowering, simulation and export read this program.

use super::product_map::Map;
use crate::check::program::{Goal, Operand, ProgramFault, Rules, Table, Tokens, check_table, label};
use crate::collective::{Operands, Product, ProductKind};
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::product::ProductSchedule;
use crate::program::{Operation, Origin, Program};
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::{BTreeMap, BTreeSet};

/// Checks a program of a product, whose results are `elements` by value: conflicts and causality as of any program, then the result for
/// these operands. Routers multiply by their own part of the matrix alone, and each element of the result is at one router, the one that
/// the layout says.
///
/// # Errors
/// The first [`ProgramFault`].
pub fn check_program(
    net: &SwappedDragonfly,
    (program, elements): (&Program, &BTreeMap<u32, u32>),
    schedule: &ProductSchedule,
    product: &Product,
    operands: &Operands,
) -> Result<(), ProgramFault> {
    let map = &Map::new(net, schedule, product);
    let table = Table::new(net, program)?;
    check_table(&table, &Rules::default(), &Goal::Open)?;
    let held = table.run(&mut Numbers { program, product, map, operands })?;
    let mut ends: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
    for (hop, &to) in (0..).zip(&table.to).filter(|&(hop, _)| program.hops[hop as usize].keep) {
        ends.entry(table.of(hop).value).or_default().push(to);
    }
    let moved: BTreeSet<u32> = program.moves.iter().map(|m| m.value).collect();
    let n = product.order;
    let home = |place: u32| match product.kind {
        ProductKind::Transpose => map.result(place % n, place / n),
        _ => map.result(place / n, place % n),
    };
    let refused = |place: u32, what: &str| {
        let what = format!("element {} of vector {} of the result{what}", place % n, place / n);
        Err(ProgramFault::Result { at: label(net, home(place)), what })
    };
    let expected = product.expected(operands);
    let mut found = vec![0_u32; expected.len()];
    for (&value, &place) in elements {
        let makers: Vec<NodeId> = program.values[value as usize].who.nodes(net.nodes()).collect();
        let word = makers.first().and_then(|&from| held.get(&program.values, value, from).copied());
        let at = if moved.contains(&value) { ends.remove(&value).unwrap_or_default() } else { makers };
        if at != [home(place)] || word.map(|word| product.kept(word)) != Some(expected[place as usize]) {
            return refused(place, ", alone and right");
        }
        found[place as usize] += 1;
    }
    match (0..).zip(found).find(|&(_, count)| count != 1) {
        None => Ok(()),
        Some((place, count)) => refused(place, &format!(" once: it is made {count} times")),
    }
}

/// Elements as numbers, and where they lie.
struct Numbers<'a> {
    program: &'a Program,
    product: &'a Product,
    map: &'a Map,
    operands: &'a Operands,
}

impl Tokens for Numbers<'_> {
    type Word = u64;

    fn given(&mut self, value: u32, node: NodeId) -> u64 {
        let n = self.product.order;
        match self.program.values[value as usize].origin {
            // a router that does not have the element sends another, so that the result is wrong
            Origin::Word { first, .. } if self.map.operand(first / n, first % n) == node => {
                self.operands.vectors[first as usize]
            }
            _ => 0,
        }
    }

    fn made(&mut self, index: u32, node: NodeId, inputs: &[Operand<u64>]) -> Result<u64, String> {
        let n = self.product.order;
        let mut sum = 0_u64;
        match self.program.ops[index as usize].operation {
            Operation::MultiplyAdd => {
                for pair in inputs.chunks(2) {
                    let &[Operand::Word(word), Operand::Factor(factor)] = pair else {
                        return Err("multiplies what are no word and element of the matrix".into());
                    };
                    if self.map.holder(factor / n, factor % n) != node {
                        return Err(format!(
                            "needs row {}, column {} of the matrix, which is elsewhere",
                            factor / n,
                            factor % n
                        ));
                    }
                    sum = sum.wrapping_add(word.wrapping_mul(self.operands.matrix[factor as usize]));
                }
            }
            Operation::Combine => {
                for input in inputs {
                    let &Operand::Word(word) = input else { return Err("adds an element of the matrix".into()) };
                    sum = sum.wrapping_add(word);
                }
            }
            other => return Err(format!("is {other:?}, which no product has")),
        }
        Ok(sum)
    }
}
