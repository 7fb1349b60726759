//! Collectives one behind the other, their last and first packets in the network together.

use super::{Model, Payload, Sections};
use std::collections::VecDeque;
use std::rc::Rc;

/// Which collectives are in the network, and what they show in each cycle.
#[derive(Debug, Default)]
pub struct Timeline {
    passes: VecDeque<Pass>,
}

/// One word of a collective.
#[derive(Debug)]
struct Pass {
    /// The cycle in which the program shows its first row.
    start: u64,
    model: Rc<Model>,
    payload: Rc<Payload>,
    word: u32,
}

impl Timeline {
    /// An idle network.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a collective whose program shows its first row in cycle `start`; collectives are started in order.
    pub fn start(&mut self, start: u64, model: &Rc<Model>, payload: &Rc<Payload>) {
        let p = model.parameters();
        self.passes.extend((0..p.words).map(|word| Pass {
            start: start + u64::from(word) * u64::from(p.rows),
            model: Rc::clone(model),
            payload: Rc::clone(payload),
            word,
        }));
    }

    /// The first cycle in which nothing that was started so far is in the network.
    pub fn end(&self) -> u64 {
        self.passes.back().map_or(0, |pass| pass.start + pass.model.cycles())
    }

    /// Fills a block, of which the compared sections are zero, with what is shown in `cycle`; cycles are asked for in
    /// order. False if nothing is, and the block was left alone.
    pub fn fill(&mut self, cycle: u64, sections: Sections, block: &mut [u64]) -> bool {
        while self.passes.front().is_some_and(|pass| pass.start + pass.model.cycles() <= cycle) {
            self.passes.pop_front();
        }
        let mut any = false;
        for pass in self.passes.iter().take_while(|pass| pass.start <= cycle) {
            pass.model.add(cycle - pass.start, &pass.payload, pass.word, sections, block);
            any = true;
        }
        any
    }
}
