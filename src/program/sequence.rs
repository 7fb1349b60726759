//! Programs one after the other.

use super::{Hop, Input, Move, NodeOp, Program};

impl Program {
    /// Adds another program, all of it `shift` cycles later, with values, hops and operations after those that are there. Both have one
    /// switching; the period of either means nothing for both.
    pub fn append(&mut self, next: &Program, shift: u32) {
        let [value, hop, input] = [self.values.len(), self.hops.len(), self.inputs.len()]
            .map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        self.values.extend_from_slice(&next.values);
        self.moves.extend(next.moves.iter().map(|own| Move {
            value: own.value + value,
            at: own.at + shift,
            hops: own.hops.start + hop..own.hops.end + hop,
            ..own.clone()
        }));
        self.hops.extend(next.hops.iter().map(|own| Hop { parent: own.parent.map(|parent| parent + hop), ..*own }));
        self.ops.extend(next.ops.iter().map(|own| NodeOp {
            at: own.at + shift,
            inputs: own.inputs.start + input..own.inputs.end + input,
            out: own.out + value,
            ..own.clone()
        }));
        self.inputs.extend(next.inputs.iter().map(|own| match *own {
            Input::Own(own) => Input::Own(own + value),
            Input::Arrived(own) => Input::Arrived(own + hop),
            Input::Factor(factor) => Input::Factor(factor),
        }));
        self.results.extend(next.results.iter().map(|own| own + value));
        self.period = None;
    }
}
