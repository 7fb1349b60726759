//! Rounds of a product: values that are sent together, hop after hop, in cycles counted from the round's first.

use super::request::ProductRequest;
use crate::collective::ProductKind;
use crate::program::form::swapped_dragonfly::product::{Layout, Send, Stage, Term};
use crate::topology::SwappedDragonfly;
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::swapped_dragonfly::headers::{Header, Ports};

/// Sends that keep their distances.
pub(super) type Unit = Vec<Send>;

/// A pair (s,u) that numbers a block row, or (t,v) that numbers a block column.
type Pair = (u32, u32);

/// The rounds of a product on a network.
pub(super) struct Units<'a> {
    net: &'a SwappedDragonfly,
    request: &'a ProductRequest<'a>,
    layout: Layout,
    /// K.
    side: u32,
    returns: bool,
}

impl<'a> Units<'a> {
    pub fn new(net: &'a SwappedDragonfly, request: &'a ProductRequest<'a>, layout: Layout, returns: bool) -> Self {
        let side = match layout {
            Layout::Square { side } => side,
            Layout::Linear => net.k(),
        };
        Self { net, request, layout, side, returns }
    }

    /// Number of vectors of the operand.
    pub fn vectors(&self) -> u32 {
        match self.request.kind {
            ProductKind::VectorMatrix | ProductKind::MatrixVector => 1,
            ProductKind::MatrixMatrix | ProductKind::Transpose => self.side * self.net.m() * self.request.block,
        }
    }

    /// Upper bound on the number of sends.
    pub fn sends(&self) -> u64 {
        let blocks = u64::from(self.side * self.net.m());
        let round = if self.request.kind == ProductKind::Transpose { blocks } else { 2 * blocks * (blocks + 2) };
        u64::from(self.vectors()).saturating_mul(u64::from(self.request.block)).saturating_mul(round)
    }

    /// Stage whose values are the result.
    pub fn result(&self) -> Stage {
        match (self.request.kind, self.layout) {
            (ProductKind::Transpose, _) => Stage::Result,
            (ProductKind::MatrixVector, Layout::Linear) => Stage::Sum,
            _ if self.returns => Stage::Returned,
            _ => Stage::Result,
        }
    }

    /// The vectors in an order in which M rows that follow each other differ in u, and rows of equal s are far apart.
    fn order(&self) -> impl Iterator<Item = u32> {
        let (k, m, x) = (self.side, self.net.m(), self.request.block);
        let rows = (0..k * m).map(move |i| (i % m + i / m) % k * m + i % m);
        let all = self.vectors();
        (0..x).flat_map(move |h| rows.clone().map(move |row| row * x + h)).filter(move |&vector| vector < all)
    }

    /// Every spread, with its vector; the moves of a transpose are here too.
    pub fn spreads(&self) -> impl Iterator<Item = (u32, Unit)> {
        let spread = |vector, index| match self.request.kind {
            ProductKind::Transpose => self.transpose(vector, index),
            ProductKind::MatrixVector => self.spread_column(index),
            _ => self.spread_row(vector, index),
        };
        self.order().flat_map(move |vector| (0..self.request.block).map(move |i| (vector, spread(vector, i))))
    }

    /// Every gather, with the vector and the index in the block of its results.
    pub fn gathers(&self) -> impl Iterator<Item = (u32, u32, Unit)> {
        let gather = |vector, index| match (self.request.kind, self.layout) {
            (ProductKind::Transpose, _) => Unit::new(),
            (ProductKind::MatrixVector, _) => self.gather_column(index),
            _ => self.gather_row(vector, index),
        };
        self.order().flat_map(move |vector| (0..self.request.block).map(move |i| (vector, i, gather(vector, i))))
    }

    /// Cycles from the start of a gather to its sums, but for the arithmetic of the last.
    pub fn gather_cycles(&self) -> u32 {
        self.request.hop.local + self.request.hop.global + self.request.mac_cycles
    }

    /// The hop that takes the results of a gather to where the operand lay, if there is one.
    pub fn back(&self, vector: u32, index: u32) -> Option<Unit> {
        if self.result() != Stage::Returned {
            return None;
        }
        let row = self.pair(vector);
        let unit = self.pairs().map(|column| {
            // a row vector's results are in a column, a column vector's in a row
            let [from, to] = match self.request.kind {
                ProductKind::MatrixVector => [self.place(row, column), self.place(column, row)],
                _ => [self.place(column, row), self.place(row, column)],
            };
            self.send(0, from, self.hop_to(from, to.c), self.term(Stage::Result, vector, column, index))
        });
        Some(unit.collect())
    }

    fn pairs(&self) -> impl Iterator<Item = Pair> + Clone + use<> {
        let (k, m) = (self.side, self.net.m());
        (0..k).flat_map(move |t| (0..m).map(move |v| (t, v)))
    }

    /// The block row of a vector of the operand.
    fn pair(&self, vector: u32) -> Pair {
        let block = vector / self.request.block;
        (block / self.net.m(), block % self.net.m())
    }

    /// The router of a row and column.
    fn place(&self, (s, u): Pair, (t, v): Pair) -> RouterAddress {
        match self.layout {
            Layout::Square { side } => RouterAddress { c: s + t * side, d: u, p: v },
            Layout::Linear => RouterAddress { c: s, d: u, p: v },
        }
    }

    fn term(&self, stage: Stage, vector: u32, (t, v): Pair, index: u32) -> Term {
        Term { stage, vector, element: (t * self.net.m() + v) * self.request.block + index }
    }

    fn send(&self, cycle: u32, from: RouterAddress, header: Header, term: Term) -> Send {
        Send { cycle, node: self.net.node(from), header: header.into(), term }
    }

    /// The global port to a cabinet.
    fn gamma(&self, from: RouterAddress, cabinet: u32) -> u32 {
        self.net.group().sub(cabinet, from.c, self.net.k())
    }

    /// A global hop.
    fn hop_to(&self, from: RouterAddress, cabinet: u32) -> Header {
        header(2, Ports::One(self.gamma(from, cabinet)), Ports::One(0))
    }

    /// A local hop, or none.
    fn move_to(&self, from: RouterAddress, p: u32) -> Header {
        header(1, Ports::One(0), Ports::One(self.net.group().sub(p, from.p, self.net.m())))
    }

    /// Element `index` of every block of a row vector goes to all of its rows of the matrix.
    fn spread_row(&self, vector: u32, index: u32) -> Unit {
        let row = self.pair(vector);
        let one = |column: Pair| {
            let from = self.place(row, column);
            let gamma = match self.layout {
                Layout::Linear => Ports::One(self.gamma(from, column.0)),
                Layout::Square { side } => {
                    Ports::Of((0..side).map(|t| self.gamma(from, column.0 + t * side)).collect())
                }
            };
            self.send(0, from, header(2, gamma, Ports::All), self.term(Stage::Operand, vector, column, index))
        };
        self.pairs().map(one).collect()
    }

    /// Element `index` of every block of the column vector goes to all of its columns of the matrix.
    fn spread_column(&self, index: u32) -> Unit {
        let one = |row: Pair| {
            let from = self.place(row, (0, 0));
            let gamma = match self.layout {
                Layout::Linear => Ports::All,
                Layout::Square { side } => Ports::Of((0..side).map(|s| self.gamma(from, s + row.0 * side)).collect()),
            };
            self.send(0, from, header(3, gamma, Ports::All), self.term(Stage::Operand, 0, row, index))
        };
        self.pairs().map(one).collect()
    }

    /// Products of element `index` of every block are summed on their way to the column of the vector's row.
    fn gather_row(&self, vector: u32, index: u32) -> Unit {
        let row = self.pair(vector);
        let mut unit = Unit::new();
        for column in self.pairs() {
            let target = self.place(column, row);
            // one router a column of D3(K,M) has all K of its blocks; none is sent twice
            for of in self.pairs() {
                let from = self.place(of, column);
                let header = self.hop_to(from, target.c);
                unit.push(self.send(0, from, header, self.term(Stage::Product, vector, column, index)));
            }
            for p in 0..self.net.m() {
                let from = RouterAddress { p, ..target };
                let term = self.term(Stage::Sum, vector, column, index);
                unit.push(self.send(
                    self.request.hop.global + self.request.mac_cycles,
                    from,
                    self.move_to(from, row.1),
                    term,
                ));
            }
        }
        unit
    }

    /// Products of element `index` of every block are summed on their way to the row of the vector's column.
    fn gather_column(&self, index: u32) -> Unit {
        let mut unit = Unit::new();
        for row in self.pairs() {
            let cabinets = match self.layout {
                Layout::Square { side } => side,
                Layout::Linear => 1,
            };
            for (t, v) in (0..cabinets).flat_map(|t| (0..self.net.m()).map(move |v| (t, v))) {
                let from = self.place(row, (t, v));
                unit.push(self.send(0, from, self.move_to(from, 0), self.term(Stage::Product, 0, row, index)));
                if v == 0 && self.layout != Layout::Linear {
                    let header = self.hop_to(from, self.place((0, 0), row).c);
                    let term = self.term(Stage::Sum, 0, row, index);
                    unit.push(self.send(self.request.hop.local + self.request.mac_cycles, from, header, term));
                }
            }
        }
        unit
    }

    /// Element `index` of every block of a row goes to its place in the transpose.
    fn transpose(&self, vector: u32, index: u32) -> Unit {
        let row = self.pair(vector);
        let one = |column: Pair| {
            let (from, to) = (self.place(row, column), self.place(column, row));
            self.send(0, from, self.hop_to(from, to.c), self.term(Stage::Operand, vector, column, index))
        };
        self.pairs().map(one).collect()
    }
}

fn header(b: u32, gamma: Ports, delta: Ports) -> Header {
    Header { b, gamma, pi: Ports::One(0), delta, broadcast: false }
}
