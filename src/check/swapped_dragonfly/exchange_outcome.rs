//! Result of a program of exchanges at every router, compared with the collective's definition.
//!
//! A run of the program follows which node's value each word is. Every step must take the value of the node itself and that of its
//! neighbour in the dimension that the action names.
//!
//! *All-reduce and prefix scan.* Every node's word is a random number of 127 bits, and operands are added modulo 2¹²⁸.
//! A sum equals the sum of the nodes that the collective names only if each of them is in it exactly once, except with
//! a probability below 2⁻⁹⁰. So the result holds for every associative and commutative operator, on words of any width.
//!
//! *Sort.* The comparisons must be those of the bitonic sort (Batcher 1968), stage after stage, which is known to sort.
//! Each word counts its comparisons. A word is compared only with a word of the same count.

use super::exchange_fault::ExchangeError;
use crate::check::program::{Operand, ProgramFault, Table, Tokens, word};
use crate::collective::ExchangeKind;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::exchange::{Action, ExchangeProgram, Step};
use crate::program::{Operation, Origin};
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeMap;

/// Word of a router in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token {
    /// Node whose value it is.
    home: usize,
    /// True for a word that a node received while it was in its swapped router.
    carry: bool,
    /// Sum of words, or the number of comparisons.
    sum: u128,
}

struct Run<'a> {
    net: &'a SwappedDragonfly,
    program: &'a ExchangeProgram,
    table: &'a Table<'a, SwappedDragonfly>,
    of_cycle: &'a BTreeMap<u32, usize>,
    sort: bool,
}

impl Run<'_> {
    /// The node whose word is in a router.
    fn node_at(&self, router: NodeId, swapped: bool) -> usize {
        let at = self.net.address(router);
        let home = if swapped { RouterAddress { d: at.p, p: at.d, ..at } } else { at };
        self.net.node(home).index()
    }

    fn make(&self, step: &Step, operation: Operation, home: usize, inputs: &[Token]) -> Option<Token> {
        let own = inputs.first().filter(|own| own.home == home)?;
        let neighbour = step.action.dimension().map(|dimension| home ^ 1 << dimension);
        let taken =
            |other: &Token| if other.carry { other.home == home && !own.carry } else { Some(other.home) == neighbour };
        if !inputs[1..].iter().all(taken) {
            return None;
        }
        let sum = match (step.action, operation) {
            (_, Operation::Copy) if inputs.len() == 1 => own.sum,
            (Action::Compare { dimension, stage }, Operation::Min | Operation::Max) if inputs.len() == 2 => {
                let smaller = home >> dimension & 1 == home >> stage & 1;
                let alike = self.sort && own.sum == inputs[1].sum;
                (alike && smaller == (operation == Operation::Min)).then_some(own.sum + 1)?
            }
            (_, Operation::Combine) if !self.sort => inputs.iter().fold(0_u128, |sum, word| sum.wrapping_add(word.sum)),
            _ => return None,
        };
        Some(Token { sum, ..*own })
    }
}

impl Tokens for Run<'_> {
    type Word = Token;

    fn given(&mut self, value: u32, node: NodeId) -> Token {
        match self.table.program.values[value as usize].origin {
            Origin::Identity => Token { home: self.node_at(node, true), carry: true, sum: 0 },
            _ => Token { home: node.index(), carry: false, sum: if self.sort { 0 } else { word(0, node) } },
        }
    }

    fn made(&mut self, index: u32, node: NodeId, inputs: &[Operand<Token>]) -> Result<Token, String> {
        let op = &self.table.program.ops[index as usize];
        let tokens = inputs.iter().map(|input| if let Operand::Word(word) = input { Some(*word) } else { None });
        let tokens: Option<Vec<Token>> = tokens.collect();
        let step = self.of_cycle.get(&op.at).map(|&step| &self.program.steps[step]);
        let made = step
            .zip(tokens)
            .and_then(|(step, tokens)| self.make(step, op.operation, self.node_at(node, step.swapped), &tokens));
        made.ok_or_else(|| "takes the value of another node".into())
    }

    fn is_result(&self, value: u32) -> bool {
        self.table.program.results.contains(&value)
    }
}

/// Runs the program at all routers. The reason why the result is right.
pub(super) fn judge(
    net: &SwappedDragonfly,
    kind: ExchangeKind,
    program: &ExchangeProgram,
    table: &Table<'_, SwappedDragonfly>,
    of_cycle: &BTreeMap<u32, usize>,
) -> Result<Result<String, ExchangeError>, ProgramFault> {
    let sort = kind == ExchangeKind::Sort;
    if let (true, Err(fault)) = (sort, bitonic(net, program)) {
        return Ok(Err(fault));
    }
    let held = table.run(&mut Run { net, program, table, of_cycle, sort })?;
    let rounds = program.steps.iter().filter(|step| step.action != Action::Move).count() as u128;
    let mut sum = 0_u128;
    let all = (0..net.nodes()).fold(0_u128, |sum, node| sum.wrapping_add(word(0, node.into())));
    for node in (0..net.nodes()).map(NodeId::from) {
        sum = sum.wrapping_add(word(0, node));
        let got = table.program.results.first().and_then(|&value| held.get(&table.program.values, value, node));
        let (wanted, at_home, what) = match kind {
            ExchangeKind::Sort => (rounds, true, "its word is not that of its rank"),
            ExchangeKind::PrefixScan(_) => (sum, true, WRONG),
            ExchangeKind::AllReduce(_) => (all, false, WRONG),
        };
        if !got.is_some_and(|got| got.sum == wanted && (!at_home || got.home == node.index())) {
            return Ok(Err(ExchangeError::Result { at: table.label(node), what }));
        }
    }
    let once = |which: &str| format!("every router ends with the words {which}, each exactly once, for any operator");
    Ok(Ok(match kind {
        ExchangeKind::Sort => {
            "the comparisons are those of the bitonic sort, along the dimensions that they name".into()
        }
        ExchangeKind::PrefixScan(_) => once("of all nodes up to its own"),
        ExchangeKind::AllReduce(_) => once("of all nodes"),
    }))
}

const WRONG: &str = "a node is missing in the result, or in it twice, or should not be";

/// Bits of a node's index.
pub(super) fn dimensions(net: &SwappedDragonfly) -> u32 {
    net.nodes().trailing_zeros()
}

/// Compares the comparisons with those of Batcher's bitonic sort, which ends with every node at its own router.
fn bitonic(net: &SwappedDragonfly, program: &ExchangeProgram) -> Result<(), ExchangeError> {
    let mut wanted = (1..=dimensions(net)).flat_map(|stage| (0..stage).rev().map(move |dimension| (stage, dimension)));
    let mut swapped = false;
    for (number, step) in program.steps.iter().enumerate() {
        swapped = step.swapped;
        match step.action {
            Action::Move => {}
            Action::Compare { dimension, stage } if wanted.next() == Some((stage, dimension)) => {}
            _ => return Err(ExchangeError::NotBitonic { step: number }),
        }
    }
    match wanted.next().is_some() || swapped {
        true => Err(ExchangeError::NotBitonic { step: program.steps.len() }),
        false => Ok(()),
    }
}
