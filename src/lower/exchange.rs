//! Lowering of exchanges: the rows of the program, which all routers share, see `mn_exchange_program.v`.

use super::bits::BitRow;
use super::{Frame, LowerError};
use crate::check::CheckedExchange;
use crate::collective::ExchangeKind;
use crate::schedule::exchange_program::{Action, ExchangeProgram, Operand, Port, Step, Way};
use crate::schedule::stream::Train;
use crate::spec::{Placement, Spec, Storage};
use crate::topology::Topology;

/// Cycles from the arrival of a word to where it can be on its way again, in `mn_exchange_endpoint.v`.
pub const OPERATOR_CYCLES: u32 = 3;
/// Bits of a dimension or stage, of all single bits, and of a length.
const FIELDS: [usize; 3] = [5, 7, 16];

/// A program of exchanges in the terms of hardware.
#[derive(Debug, Clone)]
pub struct ExchangeLowered {
    /// Sizes and widths.
    pub frame: Frame,
    /// What is done.
    pub kind: ExchangeKind,
    /// The name of the schedule's algorithm.
    pub algorithm: &'static str,
    /// What every router does.
    pub program: ExchangeProgram,
    /// The program's rows.
    pub rows: Vec<BitRow>,
    /// Cycles from the start of a collective to the earliest start of the next.
    pub pass_cycles: u32,
}

impl ExchangeLowered {
    /// The rows as text for `$readmemh`.
    pub fn image(&self) -> String {
        self.rows.iter().map(|row| row.to_hex() + "\n").collect()
    }
}

/// Lowers checked exchanges.
///
/// # Errors
/// If the program has no form of the asked-for kind, or packets of several hops, or leaves the operator too little time.
pub fn lower_exchange(schedule: &CheckedExchange, spec: &Spec) -> Result<ExchangeLowered, LowerError> {
    for (bad, field) in [
        (spec.schedule.storage != Storage::Rom, "schedule.storage"),
        (spec.schedule.program == Placement::Shared, "schedule.program"),
    ] {
        if bad {
            return Err(LowerError::NoExchangeForm { field });
        }
    }
    let program = schedule.program();
    let frame = Frame::new(schedule.network(), schedule.hop(), &spec.router, 1, 1)?;
    let hop = schedule.hop();
    // from the last step on as long as its last word is under way
    let last = program.words + hop.local.max(hop.global) + program.operator;
    let ends = program.steps.iter().skip(1).map(|step| step.start).chain(program.steps.last().map(|s| s.start + last));
    let several = || LowerError::SeveralHops { algorithm: schedule.algorithm() };
    let row = |(step, end): (&Step, u32)| row(&frame, step, end - step.start).ok_or_else(several);
    let mut rows: Vec<BitRow> = program.steps.iter().zip(ends.clone()).map(row).collect::<Result<_, _>>()?;
    if program.operator < OPERATOR_CYCLES {
        return Err(LowerError::FastOperator { stages: program.operator, least: OPERATOR_CYCLES });
    }
    if let Some(row) = rows.last_mut() {
        row.set(16, 1, 1);
    }
    Ok(ExchangeLowered {
        frame,
        kind: schedule.kind(),
        algorithm: schedule.algorithm(),
        program: program.clone(),
        rows,
        pass_cycles: ends.last().unwrap_or(0) + 8,
    })
}

/// A row {length, port, last, local, carry, own, swapped, compare, combine, stage, dimension}; none if a packet takes several hops, or
/// words do not follow each other.
fn row(frame: &Frame, step: &Step, length: u32) -> Option<BitRow> {
    let ports = frame.network.ports();
    let [number, flags, time] = FIELDS;
    let mut row = BitRow::zero(2 * number + flags + ports + time);
    let (dimension, stage, kind) = match step.action {
        Action::Move => (0, 0, None),
        Action::Combine { dimension } => (dimension, 0, Some(0)),
        Action::Compare { dimension, stage } => (dimension, stage, Some(1)),
    };
    row.set(0, number, dimension);
    row.set(number, number, stage);
    if let Some(kind) = kind {
        row.set(2 * number + kind, 1, 1);
    }
    let flag = |n| 2 * number + n;
    row.set(flag(2), 1, step.swapped.into());
    for send in &step.sends {
        let Way::Ports(way) = &send.way else { return None };
        let ([port], Train::STEADY) = (way.as_slice(), step.train) else { return None };
        match (send.operand, port) {
            (Operand::Own, Port::Global(0)) => row.set(flag(3), 1, 1),
            (Operand::Carry, Port::Global(0)) => row.set(flag(4), 1, 1),
            (Operand::Other, Port::Local(x)) => {
                row.set(flag(5), 1, 1);
                row.set(flag(flags) + frame.network.local_port(*x), 1, 1);
            }
            (Operand::Other, Port::Global(x)) => row.set(flag(flags) + frame.network.global_port(*x), 1, 1),
            _ => return None,
        }
    }
    row.set(flag(flags) + ports, time, length);
    Some(row)
}
