//! Counters that make the rows of an exchange's program, as `mn_exchange_counter.v` does: a dimension, a stage, and whether nodes are
//! swapped. The length of a step follows from its class and that of the next.

pub use super::exchange::{ExchangeCounters, Paths};

use super::exchange::{ExchangeLowered, field};
use crate::collective::ExchangeKind;
use crate::lower::bits::BitRow;

/// The field of a label that a step exchanges a bit of, or a move alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    P,
    D,
    C,
    Z,
}

/// State of the counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    dimension: u32,
    stage: u32,
    swapped: bool,
    /// The carries come home, and nothing else.
    home: bool,
}

/// Parameters of the network and of the exchange that the counters step through.
struct Walk {
    k: u32,
    m: u32,
    paths: Paths,
    kind: ExchangeKind,
}

/// A step as the counters see it.
struct Seen {
    class: Class,
    /// True if nodes are swapped afterwards.
    swapped: bool,
    carry: bool,
    /// Next state; None after the last step.
    next: Option<State>,
}

impl Walk {
    const START: State = State { dimension: 0, stage: 1, swapped: false, home: false };

    fn dimensions(&self) -> u32 {
        self.k + 2 * self.m
    }

    fn class(&self, at: State) -> Class {
        let short = self.paths == Paths::Short;
        match at.dimension.checked_div(self.m) {
            _ if at.home => Class::Z,
            Some(0) if short && at.swapped => Class::Z,
            Some(1) if short && !at.swapped => Class::Z,
            Some(0) => Class::P,
            Some(1) => Class::D,
            _ => Class::C,
        }
    }

    /// The dimension and stage after these; None after the last.
    fn advance(&self, dimension: u32, stage: u32) -> Option<(u32, u32)> {
        let (m, n) = (self.m, self.dimensions());
        match self.kind {
            ExchangeKind::Sort if dimension > 0 => Some((dimension - 1, stage)),
            ExchangeKind::Sort => (stage < n).then_some((stage, stage + 1)),
            // a bit of c between those of p and of d
            ExchangeKind::AllReduce(_) if self.paths == Paths::Short && self.k > 0 => match dimension {
                x if x + 1 == m => Some((2 * m, stage)),
                x if x == 2 * m => Some((m, stage)),
                x if x + 1 == 2 * m => (self.k > 1).then_some((2 * m + 1, stage)),
                x => (x + 1 < n).then_some((x + 1, stage)),
            },
            _ => (dimension + 1 < n).then_some((dimension + 1, stage)),
        }
    }

    fn see(&self, at: State) -> Seen {
        let class = self.class(at);
        let carries = self.paths == Paths::Short && matches!(self.kind, ExchangeKind::PrefixScan(_));
        if at.home {
            return Seen { class, swapped: false, carry: true, next: None };
        }
        let moves = class == Class::Z || (class == Class::C && self.paths == Paths::Short);
        let swapped = at.swapped != moves;
        let next = match (class, self.advance(at.dimension, at.stage)) {
            (Class::Z, _) => Some(State { swapped, ..at }),
            (_, Some((dimension, stage))) => Some(State { dimension, stage, swapped, home: false }),
            (_, None) => (carries && swapped).then_some(State { swapped, home: true, ..at }),
        };
        Seen { class, swapped, carry: carries && next.is_none(), next }
    }

    fn steps(&self) -> impl Iterator<Item = (State, Seen)> + '_ {
        std::iter::successors(Some(Self::START), |&at| self.see(at).next).map(|at| (at, self.see(at)))
    }
}

impl ExchangeCounters {
    /// The counters of a program; None if they would make another one.
    pub(super) fn new(lowered: &ExchangeLowered) -> Option<Self> {
        [Paths::Short, Paths::Paper, Paths::Uniform].into_iter().find_map(|paths| Self::of_paths(paths, lowered))
    }

    fn of_paths(paths: Paths, lowered: &ExchangeLowered) -> Option<Self> {
        let mut counters = Self { paths, lengths: [0; 17] };
        let walk = counters.walk(lowered);
        for ((_, seen), row) in walk.steps().zip(&lowered.rows) {
            counters.lengths[walk.pair(&seen)] = lowered.length_of(row);
        }
        (counters.rows(lowered) == lowered.rows).then_some(counters)
    }

    fn walk(&self, lowered: &ExchangeLowered) -> Walk {
        let p = &lowered.frame;
        Walk { k: p.k.trailing_zeros(), m: p.m.trailing_zeros(), paths: self.paths, kind: lowered.kind }
    }

    /// The rows that the counters make.
    pub fn rows(&self, lowered: &ExchangeLowered) -> Vec<BitRow> {
        let walk = self.walk(lowered);
        walk.steps().map(|(at, seen)| self.row(lowered, &walk, at, &seen)).collect()
    }

    fn row(&self, lowered: &ExchangeLowered, walk: &Walk, at: State, seen: &Seen) -> BitRow {
        let p = &lowered.frame;
        let (hl, hg, z) = (p.local_stages, p.global_stages, p.local_ports());
        let stay = p.local_ports() + p.k;
        let x = match seen.class {
            Class::P => (1 << at.dimension) - 1,
            Class::D => (1 << (at.dimension - walk.m)) - 1,
            Class::C => z + (1 << (at.dimension - 2 * walk.m)),
            Class::Z => 0,
        };
        let (masks, way) = match (walk.paths, seen.class) {
            (_, Class::Z) => (vec![], hg),
            (Paths::Short, Class::C) => (vec![x], hg),
            (Paths::Short, _) | (Paths::Paper, Class::P) => (vec![x], hl),
            (Paths::Paper, Class::D) => (vec![z, x, z], 2 * hg + hl),
            (Paths::Paper, Class::C) => (vec![x, z], 2 * hg),
            (Paths::Uniform, Class::P) => (vec![z, stay, z, x], 2 * (hg + hl)),
            (Paths::Uniform, Class::D) => (vec![z, x, z, stay], 2 * (hg + hl)),
            (Paths::Uniform, Class::C) => (vec![x, stay, z, stay], 2 * (hg + hl)),
        };
        let mut row = BitRow::zero(lowered.row_bits());
        let exchanges = seen.class != Class::Z;
        let sorts = walk.kind == ExchangeKind::Sort;
        let own = !seen.carry && (!exchanges || (seen.class == Class::C && walk.paths == Paths::Short));
        let bursts = match walk.paths {
            Paths::Short => false,
            Paths::Paper => seen.class == Class::D,
            Paths::Uniform => true,
        };
        row.set(0, field::NUMBER_BITS, if exchanges { at.dimension } else { 0 });
        row.set(field::NUMBER_BITS, field::NUMBER_BITS, if exchanges && sorts { at.stage } else { 0 });
        let flags = [
            (field::COMBINE, exchanges && !sorts),
            (field::COMPARE, exchanges && sorts),
            (field::SWAPPED, seen.swapped),
            (field::OWN, own),
            (field::CARRY, seen.carry),
            (field::LAST, seen.next.is_none()),
            (field::BURST, bursts),
        ];
        flags.into_iter().for_each(|(at, flag)| row.set(at, 1, flag.into()));
        row.set(field::WAY, field::WAY_BITS, way);
        for (hop, port) in masks.into_iter().enumerate() {
            row.set(field::MASK + hop * lowered.mask_bits() + port as usize, 1, 1);
        }
        row.set(lowered.length_at(), lowered.length_bits, self.lengths[walk.pair(seen)]);
        row
    }
}

impl Walk {
    /// The place of a step's length.
    fn pair(&self, seen: &Seen) -> usize {
        seen.next.map_or(16, |next| 4 * seen.class as usize + self.class(next) as usize)
    }
}
