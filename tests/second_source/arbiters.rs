//! The arbiters in rust-hdl, written from their description and not from the Verilog: words are searched with arithmetic, where the
//! Verilog goes by pairs. Grants are combinational; `granted` holds the last one, all zero before the first.

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

/// The search begins behind the last one granted.
#[derive(LogicBlock)]
pub struct RoundRobin<const N: usize> {
    pub clock: Signal<In, Clock>,
    pub reset: Signal<In, Bit>,
    pub request: Signal<In, Bits<N>>,
    pub hold: Signal<In, Bit>,
    pub grant: Signal<Out, Bits<N>>,
    pub last: Signal<Out, Bits<N>>,
    granted: DFF<Bits<N>>,
    behind: Signal<Local, Bits<N>>,
    first: Signal<Local, Bits<N>>,
    chosen: Signal<Local, Bits<N>>,
    one: Constant<Bits<N>>,
    none: Constant<Bits<N>>,
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
            granted: DFF::default(),
            behind: Signal::default(),
            first: Signal::default(),
            chosen: Signal::default(),
            one: Constant::new(1.into()),
            none: Constant::new(0.into()),
        }
    }
}

impl<const N: usize> Logic for RoundRobin<N> {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, granted);
        // requests above the last one granted; with nobody granted yet there are none, and the search begins at 0
        self.behind.next = self.request.val() & !(self.granted.q.val() | (self.granted.q.val() - self.one.val()));
        self.first.next = self.request.val();
        if self.behind.val().any() {
            self.first.next = self.behind.val();
        }
        // the lowest one of a word
        self.chosen.next = self.first.val() & (!self.first.val() + self.one.val());
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
