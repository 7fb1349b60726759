//! The arbiters in rust-hdl, written from their description and not from the Verilog: words are searched with arithmetic and masks, where
//! the Verilog asks of every request who comes before it. Grants are combinational; `granted` holds the last one, all zero before the first.

use rust_hdl::prelude::*;

/// The request of the lowest index is granted.
#[derive(LogicBlock)]
pub struct Fixed<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Signal<In, Bits<N>>,
    pub hold: Signal<In, Bit>,
    pub grant: Signal<Out, Bits<N>>,
    pub last: Signal<Out, Bits<N>>,
    granted: DFF<Bits<N>>,
    chosen: Signal<Local, Bits<N>>,
    one: Constant<Bits<N>>,
    none: Constant<Bits<N>>,
}

impl<const N: usize> Default for Fixed<N> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            request: Signal::default(),
            hold: Signal::default(),
            grant: Signal::default(),
            last: Signal::default(),
            granted: DFF::default(),
            chosen: Signal::default(),
            one: Constant::new(1.into()),
            none: Constant::new(0.into()),
        }
    }
}

impl<const N: usize> Logic for Fixed<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, granted);
        // the lowest one of a word
        self.chosen.next = self.request.val() & (!self.request.val() + self.one.val());
        if self.hold.val() {
            self.chosen.next = self.request.val() & self.granted.q.val();
        }
        self.grant.next = self.chosen.val();
        self.last.next = self.granted.q.val();
        if self.chosen.val().any() {
            self.granted.d.next = self.chosen.val();
        }
        if self.reset.val() {
            self.granted.d.next = self.none.val();
        }
    }
}

/// The turn goes round, one on with every grant, as one bit of a word. Of the requests those are kept, bit of the index by bit, that have the
/// bit as the turn has it, if there are any. For three bits of an index, so up to eight requests.
#[derive(LogicBlock)]
pub struct RoundRobin<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Signal<In, Bits<N>>,
    pub hold: Signal<In, Bit>,
    pub grant: Signal<Out, Bits<N>>,
    pub last: Signal<Out, Bits<N>>,
    pub turn: Signal<Out, Bits<N>>,
    granted: DFF<Bits<N>>,
    turns: DFF<Bits<N>>,
    kept: Signal<Local, Bits<N>>,
    alike: Signal<Local, Bits<N>>,
    chosen: Signal<Local, Bits<N>>,
    bit0: Constant<Bits<N>>,
    bit1: Constant<Bits<N>>,
    bit2: Constant<Bits<N>>,
    turns0: Constant<Bits<N>>,
    turns1: Constant<Bits<N>>,
    turns2: Constant<Bits<N>>,
    one: Constant<Bits<N>>,
    none: Constant<Bits<N>>,
    step: Constant<Bits<N>>,
    back: Constant<Bits<N>>,
}

/// The indices below `n` that have this bit, as a word.
fn having(n: usize, bit: usize) -> u64 {
    (0..n).filter(|index| index >> bit & 1 == 1).map(|index| 1 << index).sum()
}

/// The turns that take this bit for 1: those that have it, and every second one of those whose index would be too high with it.
fn taking(n: usize, bit: usize) -> u64 {
    let high = 1 << bit;
    let single = (1..n.min(high)).step_by(2).filter(|turn| turn + high >= n);
    having(n, bit) + single.map(|turn| 1 << turn).sum::<u64>()
}

impl<const N: usize> Default for RoundRobin<N> {
    fn default() -> Self {
        Self {
            clock: Signal::default(),
            reset: Signal::default(),
            request: Signal::default(),
            hold: Signal::default(),
            grant: Signal::default(),
            last: Signal::default(),
            turn: Signal::default(),
            granted: DFF::default(),
            turns: DFF::default(),
            kept: Signal::default(),
            alike: Signal::default(),
            chosen: Signal::default(),
            bit0: Constant::new(having(N, 0).into()),
            bit1: Constant::new(having(N, 1).into()),
            bit2: Constant::new(having(N, 2).into()),
            turns0: Constant::new(taking(N, 0).into()),
            turns1: Constant::new(taking(N, 1).into()),
            turns2: Constant::new(taking(N, 2).into()),
            one: Constant::new(1.into()),
            none: Constant::new(0.into()),
            step: Constant::new(1.into()),
            back: Constant::new((N as u64 - 1).into()),
        }
    }
}

impl<const N: usize> Logic for RoundRobin<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, granted, turns);
        self.kept.next = self.request.val();
        self.alike.next = self.kept.val() & !self.bit0.val();
        if (self.turns.q.val() & self.turns0.val()).any() {
            self.alike.next = self.kept.val() & self.bit0.val();
        }
        if self.alike.val().any() {
            self.kept.next = self.alike.val();
        }
        self.alike.next = self.kept.val() & !self.bit1.val();
        if (self.turns.q.val() & self.turns1.val()).any() {
            self.alike.next = self.kept.val() & self.bit1.val();
        }
        if self.alike.val().any() {
            self.kept.next = self.alike.val();
        }
        self.alike.next = self.kept.val() & !self.bit2.val();
        if (self.turns.q.val() & self.turns2.val()).any() {
            self.alike.next = self.kept.val() & self.bit2.val();
        }
        if self.alike.val().any() {
            self.kept.next = self.alike.val();
        }
        self.chosen.next = self.kept.val();
        if self.hold.val() {
            self.chosen.next = self.request.val() & self.granted.q.val();
        } else if self.kept.val().any() {
            self.turns.d.next = (self.turns.q.val() << self.step.val()) | (self.turns.q.val() >> self.back.val());
        }
        self.grant.next = self.chosen.val();
        self.last.next = self.granted.q.val();
        self.turn.next = self.turns.q.val();
        if self.chosen.val().any() {
            self.granted.d.next = self.chosen.val();
        }
        if self.reset.val() {
            self.granted.d.next = self.none.val();
            self.turns.d.next = self.one.val();
        }
    }
}
