//! The proof of a product as a program, of what is lowered, simulated and exported.

use super::product_map::Map;
use super::program::{Goal, Operand, ProgramFault, Rules, Table, Tokens, check_table, label};
use crate::collective::{Operands, Product, ProductKind};
use crate::id::NodeId;
use crate::program::form::product::{ProductSchedule, Stage};
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
    let table = Table::new(net, program, &BTreeSet::new())?;
    check_table(&table, &Rules::default(), &Goal::Open)?;
    let held = table.run(&mut Numbers { program, product, map, operands })?;
    let mut ends: BTreeMap<u32, Vec<NodeId>> = BTreeMap::new();
    for (hop, &to) in (0..).zip(&table.to).filter(|&(hop, _)| program.hops[hop as usize].keep) {
        ends.entry(table.of(hop).value).or_default().push(to);
    }
    let moved: BTreeSet<u32> = program.moves.iter().map(|m| m.value).collect();
    let n = product.order;
    let expected = product.expected(operands);
    let mut found = vec![0_u32; expected.len()];
    for (&value, &element) in elements {
        let makers = program.values[value as usize].who.nodes(net.nodes());
        let at = if moved.contains(&value) { ends.remove(&value).unwrap_or_default() } else { makers.collect() };
        let home = match schedule.result {
            _ if product.kind == ProductKind::Transpose => map.operand(element / n, element % n),
            Stage::Result => map.transposed(element / n, element % n),
            _ => map.operand(element / n, element % n),
        };
        let from = program.values[value as usize].who.nodes(net.nodes()).next();
        let word = from.and_then(|from| held.get(&program.values, value, from).copied());
        let cut = |word: u64| if product.kind == ProductKind::Transpose { word } else { product.cut(word) };
        let place = element as usize;
        found[place] += at.len() as u32;
        if at != [home] || word.map(cut) != Some(expected[place]) {
            let what = format!("element {} of vector {} of the result, alone and right", element % n, element / n);
            return Err(ProgramFault::Result { at: label(net, home), what });
        }
    }
    match found.iter().position(|&count| count != 1) {
        None => Ok(()),
        Some(place) => {
            let (vector, element) = (place as u32 / n, place as u32 % n);
            let what =
                format!("element {element} of vector {vector} of the result once: it is made {} times", found[place]);
            Err(ProgramFault::Result { at: label(net, map.transposed(vector, element)), what })
        }
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
