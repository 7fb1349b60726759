//! Collectives one behind the other, their last and first packets in the network together.

use super::{Model, Payload, Sections};
use std::collections::VecDeque;
use std::rc::Rc;

/// Collectives in the network, and the values that they show in each cycle.
#[derive(Debug, Default)]
pub struct Timeline {
    passes: VecDeque<Pass>,
    end: u64,
}

/// Pass in the network, distinguished from others at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Share {
    model: usize,
    payload: usize,
    word: u32,
    cycle: u64,
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

impl Pass {
    fn end(&self) -> u64 {
        self.start + self.model.cycles()
    }
}

impl Timeline {
    /// An idle network.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a collective whose program shows its first row in cycle `start`; collectives are started in order.
    pub fn start(&mut self, start: u64, model: &Rc<Model>, payload: &Rc<Payload>) {
        self.passes.extend((0..model.passes()).map(|word| Pass {
            start: start + u64::from(word) * model.spacing(),
            model: Rc::clone(model),
            payload: Rc::clone(payload),
            word,
        }));
        self.end = self.passes.back().map_or(self.end, Pass::end);
    }

    /// The first cycle in which nothing that was started so far is in the network.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Removes passes that have left the network before `cycle`.
    pub fn retire(&mut self, cycle: u64) {
        while self.passes.front().is_some_and(|pass| pass.end() <= cycle) {
            self.passes.pop_front();
        }
    }

    fn there(&self, cycle: u64) -> impl Iterator<Item = &Pass> {
        self.passes.iter().take_while(move |pass| pass.start <= cycle).filter(move |pass| cycle < pass.end())
    }

    /// Passes in the network in `cycle`: by model, payload, word and cycle of the pass. Cycles with equal shares show
    /// equal blocks, as long as models and payloads live.
    pub fn shares(&self, cycle: u64) -> Vec<Share> {
        let share = |pass: &Pass| Share {
            model: Rc::as_ptr(&pass.model).addr(),
            payload: Rc::as_ptr(&pass.payload).addr(),
            word: pass.word,
            cycle: cycle - pass.start,
        };
        self.there(cycle).map(share).collect()
    }

    /// Fills a block, whose sections are zero, with the words of `cycle`.
    pub fn fill(&self, cycle: u64, sections: Sections, block: &mut [u64]) {
        for pass in self.there(cycle) {
            pass.model.add(cycle - pass.start, &pass.payload, pass.word, sections, block);
        }
    }
}
