//! Result of a program of exchanges at every router, compared with the collective's definition.
//!
//! *All-reduce and prefix scan.* Every node's word is a random number of 127 bits, and operands are added modulo 2¹²⁸. A sum equals
//! that of the nodes which the collective names only if each of them is in it exactly once, but for a chance below 2⁻⁹⁰; so the
//! result holds for every operator that is associative and commutative, on words of any width.
//!
//! *Sort.* Which node's value is in which router is followed, and every comparison must be with the neighbour in the dimension that the
//! action names; then the comparisons must be those of the bitonic sort (Batcher 1968), stage after stage, which is known to
//! sort. Words with many equal ones among them are sorted besides.

use super::error::CheckError;
use super::exchange_fault::ExchangeError;
use super::exchange_walk::{dimensions, place, walk};
use crate::collective::ExchangeKind;
use crate::id::NodeId;
use crate::schedule::HopLatency;
use crate::schedule::exchange_program::{Action, ExchangeProgram, Operand, Register, Send, Step};
use crate::topology::SwappedDragonfly;
use crate::topology::{Topology, swapped_dragonfly::RouterAddress};

/// The registers of a router; nothing in one that lost its word.
#[derive(Clone, Copy)]
struct Registers {
    value: Option<u128>,
    prefix: Option<u128>,
    carry: Option<u128>,
}

/// Runs the program at all routers. The reason why the result is right.
pub(super) fn judge(
    net: &SwappedDragonfly,
    hop: HopLatency,
    kind: ExchangeKind,
    program: &ExchangeProgram,
) -> Result<String, CheckError> {
    let wrong = |node, what| ExchangeError::Result { at: place(net, node), what };
    match kind {
        ExchangeKind::Sort => {
            bitonic(net, program)?;
            let words: Vec<u128> = (0..net.nodes()).map(|node| term(node) % (net.nodes() as u128 / 2 + 1)).collect();
            let got = run(net, hop, program, &words, true)?;
            let mut sorted = words;
            sorted.sort_unstable();
            if let Some(node) = (0..net.nodes()).find(|&node| got[node].value != Some(sorted[node])) {
                return Err(wrong(node, "its word is not that of its rank").into());
            }
            Ok("the comparisons are those of the bitonic sort, along the dimensions that they name".into())
        }
        ExchangeKind::AllReduce(_) | ExchangeKind::PrefixScan(_) => {
            let scan = matches!(kind, ExchangeKind::PrefixScan(_));
            let words: Vec<u128> = (0..net.nodes()).map(term).collect();
            let got = run(net, hop, program, &words, false)?;
            let all = words.iter().fold(0, |sum: u128, word| sum.wrapping_add(*word));
            let mut sum = 0_u128;
            for (node, word) in words.iter().enumerate() {
                sum = sum.wrapping_add(*word);
                let (is, wanted) = if scan { (got[node].prefix, sum) } else { (got[node].value, all) };
                if is != Some(wanted) {
                    return Err(wrong(node, "a node is missing in the result, or in it twice, or should not be").into());
                }
            }
            let which = if scan { "of all nodes up to its own" } else { "of all nodes" };
            Ok(format!("every router ends with the words {which}, each exactly once, whatever the operator"))
        }
    }
}

/// The word of a node in the run of a checker: 127 bits from two steps of SplitMix64.
fn term(node: usize) -> u128 {
    let half = |index: u64| {
        let mut z = index.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(z ^ (z >> 31))
    };
    (half(2 * node as u64) << 63) ^ half(2 * node as u64 + 1)
}

/// The node whose word is in a router.
fn node_at(net: &SwappedDragonfly, router: usize, swapped: bool) -> usize {
    let at = net.address(router.into());
    let home = if swapped { RouterAddress { d: at.p, p: at.d, ..at } } else { at };
    net.node(home).index()
}

/// Every operand of a step is the word of the node that the action takes it for, and every word is known to be where the step says.
fn placed(
    net: &SwappedDragonfly,
    number: usize,
    step: &Step,
    before: bool,
    ends: &[Vec<NodeId>],
) -> Result<(), ExchangeError> {
    let wrong = |router| ExchangeError::Misplaced { step: number, at: place(net, router) };
    let moves = step.sends.iter().any(|send| matches!(send.operand, Operand::Own | Operand::Carry));
    let bit = step.action.dimension().map_or(0, |dimension| 1 << dimension);
    for (send, ends) in step.sends.iter().zip(ends) {
        for (from, to) in ends.iter().enumerate() {
            let [sent, kept] = [node_at(net, from, before), node_at(net, to.index(), step.swapped)];
            let right = match send.operand {
                Operand::Own => send.register == Register::Value && sent == kept,
                Operand::Other => send.register == Register::Value && sent == kept ^ bit,
                Operand::Carry => send.register == Register::Carry && before && !step.swapped && sent == kept,
            };
            if !right {
                return Err(wrong(to.index()));
            }
        }
    }
    if before != step.swapped && !moves { Err(wrong(0)) } else { Ok(()) }
}

/// Registers of all routers at the end; an error if a step lacks an operand.
fn run(
    net: &SwappedDragonfly,
    hop: HopLatency,
    program: &ExchangeProgram,
    words: &[u128],
    sort: bool,
) -> Result<Vec<Registers>, ExchangeError> {
    let mut all: Vec<Registers> =
        words.iter().map(|&word| Registers { value: Some(word), prefix: Some(word), carry: Some(0) }).collect();
    let mut swapped = false;
    for (number, step) in program.steps.iter().enumerate() {
        let walk = |send: &Send| walk(net, hop, &send.way, |_| ()).map(|walk| walk.ends);
        let ends: Vec<Vec<NodeId>> =
            step.sends.iter().map(walk).collect::<Result<_, _>>().map_err(not_alike(number))?;
        placed(net, number, step, swapped, &ends)?;
        let received = |operand: Operand| {
            let found = step.sends.iter().zip(&ends).find(|(send, _)| send.operand == operand);
            found.map(|(send, ends)| deliver(&all, send, ends))
        };
        let [own, other, carry] = [Operand::Own, Operand::Other, Operand::Carry].map(received);
        let mut next = all.clone();
        for (router, after) in next.iter_mut().enumerate() {
            let stays = swapped == step.swapped;
            let value = own.as_ref().map_or(all[router].value.filter(|_| stays), |own| own[router]);
            let other = other.as_ref().and_then(|other| other[router]);
            let node = node_at(net, router, step.swapped);
            act(after, step, node, value, other, sort).ok_or(ExchangeError::Operands { step: number })?;
            if let Some(carry) = &carry {
                after.prefix = add(after.prefix, carry[router]);
            }
        }
        all = next;
        swapped = step.swapped;
    }
    Ok(all)
}

/// The error of a walk in a step.
fn not_alike(step: usize) -> impl Fn(usize) -> ExchangeError {
    move |hop| ExchangeError::NotAlike { step, hop }
}

fn add(a: Option<u128>, b: Option<u128>) -> Option<u128> {
    Some(a?.wrapping_add(b?))
}

/// Word that each router receives of a packet.
fn deliver(all: &[Registers], send: &Send, ends: &[NodeId]) -> Vec<Option<u128>> {
    let mut got = vec![None; all.len()];
    for (from, to) in ends.iter().enumerate() {
        got[to.index()] = match send.register {
            Register::Value => all[from].value,
            Register::Carry => all[from].carry,
        };
    }
    got
}

/// A step at one router, where `node` is afterwards. None if the neighbour's value is needed and missing, or the action is one of
/// another kind of collective.
fn act(
    registers: &mut Registers,
    step: &Step,
    node: usize,
    value: Option<u128>,
    other: Option<u128>,
    sort: bool,
) -> Option<()> {
    match step.action {
        Action::Move => registers.value = value,
        Action::Combine { dimension } => {
            let other = other.filter(|_| !sort)?;
            registers.value = add(value, Some(other));
            if node >> dimension & 1 == 1 {
                let to = if step.swapped { &mut registers.carry } else { &mut registers.prefix };
                *to = add(*to, Some(other));
            }
        }
        Action::Compare { dimension, stage } => {
            let (own, other) = (value.filter(|_| sort)?, other?);
            let smaller = node >> dimension & 1 == node >> stage & 1;
            registers.value = Some(if smaller { own.min(other) } else { own.max(other) });
        }
    }
    Some(())
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
