//! Schedules of products: every send's value, router, cycle and path; and the program that they stand for.

use super::uniform::HopLatency;
use crate::collective::{Elements, ProductKind};
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::synchronizing_header::{Holds, tree};
use crate::program::timing::crossings;
use crate::program::{Input, Operation, Origin, Program, Train, Who};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::headers::Header;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Layout of matrices over routers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Layout on D3(K²,M): one block a router.
    Square {
        /// K.
        side: u32,
    },
    /// Layout on D3(K,M): K blocks a router.
    Linear,
}

/// Stage of a value in the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Element of the operand, at its place in the layout.
    Operand,
    /// Partial sum of a router by its own block of the matrix.
    Product,
    /// A sum of products that arrived.
    Sum,
    /// A sum of sums that arrived, or the only element of a transpose.
    Result,
    /// A result that has been brought to where the operand lay.
    Returned,
}

/// A value that a router has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term {
    /// Stage.
    pub stage: Stage,
    /// The vector of the operand.
    pub vector: u32,
    /// The element of the operand, or, from [`Stage::Product`] on, of the result.
    pub element: u32,
}

/// Value that a router sends. At its end it contributes to the next [`Stage`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Send {
    /// The cycle in which it is at the router's crossbar.
    pub cycle: u32,
    /// Router that sends.
    pub node: NodeId,
    /// The packet's way, shared with others of the same; `[1;0,0,0]` is none: the router keeps the value for its own sum.
    pub header: Arc<Header>,
    /// The value.
    pub term: Term,
}

/// A product on the whole network, not yet checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProductSchedule {
    /// Name of the algorithm that made it, never `best`.
    pub algorithm: &'static str,
    /// Kind of product.
    pub kind: ProductKind,
    /// Layout of matrices.
    pub layout: Layout,
    /// Rows and columns of a block.
    pub block: u32,
    /// Cycles from an arrival to its product or sum.
    pub mac_cycles: u32,
    /// Cycles a hop.
    pub hop: HopLatency,
    /// Stage whose values are the result.
    pub result: Stage,
    /// Sends, in order of cycles.
    pub sends: Vec<Send>,
}

/// Inputs of an operation, each with its element, and the cycle of the last.
type Parts = (Vec<(Input, u32)>, u32);

impl ProductSchedule {
    /// Elements of a vector: rows and columns of the matrix.
    pub fn order(&self, net: &SwappedDragonfly) -> u32 {
        let side = match self.layout {
            Layout::Square { side } => side,
            Layout::Linear => net.k(),
        };
        side * net.m() * self.block
    }

    /// The program of all routers: a value for each term that a router has, an operation for each product and sum.
    pub fn to_program(&self, net: &SwappedDragonfly) -> Program {
        self.with_results(net).0
    }

    /// Program of all routers, and the element of the result of each value that is a result: kept at its end, or made
    /// and not used again.
    pub fn with_results(&self, net: &SwappedDragonfly) -> (Program, Elements) {
        let mut program = Program::new(self.hop.switching(net));
        let order = self.order(net);
        // by router and term: the value; by router and what comes after a term: its parts by element, and the cycle of the last
        let mut values: HashMap<(NodeId, Term), u32> = HashMap::new();
        let mut parts: BTreeMap<(NodeId, Term), Parts> = BTreeMap::new();
        let next = |term: Term| match term.stage {
            Stage::Operand if self.kind == ProductKind::Transpose => Term { stage: Stage::Returned, ..term },
            Stage::Operand => Term { stage: Stage::Product, element: 0, ..term },
            Stage::Product => Term { stage: Stage::Sum, ..term },
            Stage::Sum => Term { stage: Stage::Result, ..term },
            Stage::Result | Stage::Returned => Term { stage: Stage::Returned, ..term },
        };
        let make = |program: &mut Program, node: NodeId, term: Term, (inputs, at): &Parts| {
            let out = program.value(Who::One(node), 1, Origin::Made);
            let time = (*at, Train::STEADY, self.mac_cycles);
            if term.stage == Stage::Product {
                let factor = |element: u32| match self.kind {
                    ProductKind::MatrixVector => Input::Factor(term.element * order + element),
                    _ => Input::Factor(element * order + term.element),
                };
                let products = inputs.iter().flat_map(|&(input, element)| [input, factor(element)]);
                program.operate((Who::One(node), out), time, Operation::MultiplyAdd, products);
            } else {
                let sum = inputs.iter().map(|&(input, _)| input);
                program.operate((Who::One(node), out), time, Operation::Combine, sum);
            }
            out
        };
        for send in &self.sends {
            let (node, term) = (send.node, send.term);
            let value = *values.entry((node, term)).or_insert_with(|| match term.stage {
                Stage::Operand => {
                    let word = Origin::Word { first: term.vector * order + term.element, stride: 0 };
                    program.value(Who::One(node), 1, word)
                }
                stage => {
                    // all products of an operand's vector are of the same inputs
                    let of = if stage == Stage::Product { Term { element: 0, ..term } } else { term };
                    make(&mut program, node, term, parts.get(&(node, of)).unwrap_or(&(Vec::new(), send.cycle)))
                }
            });
            let holds = Holds { stay: self.hop.local, endpoint: 0 };
            let hops = tree(net, node, None, &send.header, holds);
            let mut add = |node: NodeId, input: Input, cycle: u32| {
                let (inputs, last) = parts.entry((node, next(term))).or_default();
                inputs.push((input, term.element));
                *last = cycle.max(*last);
            };
            if hops.is_empty() {
                add(node, Input::Own(value), send.cycle);
                continue;
            }
            program.send(value, Who::One(node), (send.cycle, Train::STEADY), hops);
            let made = &program.moves[program.moves.len() - 1];
            for crossing in crossings(net, &program, made, node).unwrap_or_default() {
                if program.hops[crossing.hop as usize].keep {
                    add(crossing.to, Input::Arrived(crossing.hop), crossing.end);
                }
            }
        }
        let mut elements: BTreeMap<u32, u32> = BTreeMap::new();
        for (&(_, Term { stage, vector, element }), &value) in &values {
            match stage {
                Stage::Operand if self.kind == ProductKind::Transpose => {
                    elements.insert(value, element * order + vector);
                }
                Stage::Result => {
                    elements.insert(value, vector * order + element);
                }
                Stage::Operand | Stage::Product | Stage::Sum | Stage::Returned => {}
            }
        }
        for (&(node, term), parts) in &parts {
            if term.stage == self.result && term.stage != Stage::Returned && !values.contains_key(&(node, term)) {
                let made = make(&mut program, node, term, parts);
                elements.insert(made, term.vector * order + term.element);
            }
        }
        let moved: BTreeSet<u32> = program.moves.iter().map(|m| m.value).collect();
        let mut at_home = Vec::new();
        for (&value, &element) in elements.iter().filter(|(value, _)| !moved.contains(value)) {
            match program.values[value as usize].origin {
                Origin::Word { first, .. } => at_home.push((first as usize, element as usize)),
                Origin::Made | Origin::Message | Origin::Identity => program.results.push(value),
            }
        }
        (program, Elements { of: elements.into(), at_home: at_home.into() })
    }
}

/// A product in trains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainSchedule {
    /// Schedule block by block: each block counts as one element.
    pub blocks: ProductSchedule,
    /// Rows and columns of a block.
    pub block: u32,
    /// Packets of a train, one a cycle.
    pub train: u32,
}
