//! The checker of programs: any program on any topology.
//!
//! # What is proved
//!
//! A [`CheckedProgram`] is one for which all of the following hold:
//!
//! 1. *Form*: every part that the program names is there, on this network, and none of it is at a node that is excluded.
//! 2. *No conflict*: no channel, loopbacks included, is entered by two words in a cycle, over all batches of all moves.
//!    With circuits, no two trees of a slot share a channel. Where nodes have one port, a node sends at most one word a
//!    cycle and receives at most one, in the last cycle of a crossing. Where media do not copy, no word leaves one over
//!    two channels; where they are shared, one carries one word at a time. A claimed period: not even if the program
//!    starts again after it.
//! 3. *Causality*: a word leaves where it is, when it is there; operations have their inputs, and results leave no sooner than they are made.
//! 4. *Waiting*: [`Depth`] is how many words wait at most, at a node and of one of its inputs.
//! 5. *Delivery and result*: what the [`Goal`] says.
//!
//! # One node for all
//!
//! Where all moves are of every node, the program is not expanded. The checker visits all nodes and verifies that each
//! used port is a permutation of them with one latency. Then every node has one word of a hop, and these words cross
//! all channels of a port at once. So two words want one channel if and only if two hops claim the same port in the
//! same cycle of one node. Where they come to follows from the [`RouteLaw`], which is verified as well. If the ports
//! are no permutations, the moves are listed node by node.

mod claims;
mod delivery;
mod fault;
mod law;
mod run;
mod table;
mod waiting;

pub use claims::{Claim, Claims, Meeting};
pub use delivery::{Goal, Kept, To, word};
pub use fault::{Clash, Kind, ProgramFault, User};
pub use law::{LawFault, RouteLaw, Step, is_alike, label};
pub use run::{Held, Operand, Tokens};
pub use table::Table;
pub use waiting::{Depth, Wait};

use crate::id::NodeId;
use crate::program::{Move, Origin, Program, Train, Who, listed};
use crate::topology::Topology;
use serde::Serialize;

/// Rules of a network besides its channels.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rules {
    /// A node sends over one of its ports in a cycle, and receives over one.
    pub one_port: bool,
    /// Media pass words on and do not copy them: a circuit leads to one node.
    pub uncopied: bool,
    /// A medium carries one word at a time, to all that read it: a star coupler.
    pub shared_media: bool,
}

/// Numbers of a program of which everything is proved that the [module](self) lists. Made by [`check`] alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CheckedProgram {
    /// True if one node was looked at for all.
    pub alike: bool,
    /// Claims of channels by one batch of each word: those of one node, if nodes are alike.
    pub claims: u64,
    /// Copies of one batch that are kept by nodes other than the one that sent them.
    pub arrivals: u64,
    /// Copies of one batch that come back.
    pub returns: u64,
    /// First cycle in which a channel is entered.
    pub start: u32,
    /// Cycles from the first in which a channel is entered to the last, both included.
    pub cycles: u32,
    /// Most words that wait at once.
    pub depth: Depth,
}

/// Checks a program on a network.
///
/// # Errors
/// The first [`ProgramFault`], in the order of the [module's](self) list.
pub fn check<T: Topology + Sync + ?Sized>(
    net: &T,
    program: &Program,
    rules: &Rules,
    goal: &Goal<'_>,
) -> Result<CheckedProgram, ProgramFault> {
    let is_listed = |m: &Move| matches!(m.who, Who::One(_));
    if program.moves.iter().all(is_listed) || is_alike(net, program) {
        return check_table(&Table::new(net, program)?, rules, goal);
    }
    let (all, value) = listed(net, program);
    let table = Table::new(net, &all)?;
    match *goal {
        Goal::Copies(to) => check_table(&table, rules, &Goal::Copies(&|index, from| to(value[index as usize], from))),
        Goal::Demand(demand, chunks) => {
            let chunks: Vec<Option<u32>> =
                value.iter().map(|&index| chunks.get(index as usize).copied().flatten()).collect();
            check_table(&table, rules, &Goal::Demand(demand, &chunks))
        }
        Goal::Open => check_table(&table, rules, goal),
        Goal::Everyone(_) | Goal::Arrays(..) => {
            let what = "the moves of all nodes are of ports that are no permutations of the nodes".into();
            Err(ProgramFault::Malformed { what })
        }
    }
}

/// Checks a program that is followed hop by hop.
///
/// # Errors
/// As [`check`].
pub fn check_table<T: Topology + Sync + ?Sized>(
    table: &Table<'_, T>,
    rules: &Rules,
    goal: &Goal<'_>,
) -> Result<CheckedProgram, ProgramFault> {
    let channels = table.channels();
    let clash = |kind, meeting, period| Err(ProgramFault::Clash(Box::new(table.clash(kind, meeting, period))));
    if let Some(meeting) = channels.meeting(|_, _| false) {
        return clash(Kind::Channel, meeting, None);
    }
    if let Some((period, meeting)) =
        table.program.period.and_then(|period| Some((period, channels.meeting_every(period)?)))
    {
        return clash(Kind::Channel, meeting, Some(period));
    }
    if rules.uncopied {
        table.uncopied()?;
    }
    if rules.one_port {
        if let Some(meeting) = table.sends().meeting(|a, b| table.is_one_send(a, b)) {
            return clash(Kind::Send, meeting, None);
        }
        if let Some(meeting) = table.receipts().meeting(|_, _| false) {
            return clash(Kind::Receive, meeting, None);
        }
    }
    if rules.shared_media
        && let Some(meeting) = table.passes().meeting(|a, b| table.is_one_send(a, b))
    {
        return clash(Kind::Medium, meeting, None);
    }
    if table.program.ops.is_empty() {
        let made = |m: &&Move| table.program.values[m.value as usize].origin == Origin::Made;
        if let Some(m) = table.program.moves.iter().find(made) {
            let node = if let Who::One(node) = m.who { node } else { NodeId::new(0) };
            return Err(ProgramFault::NotThere { value: m.value, at: table.label(node), cycle: m.at });
        }
    } else if matches!(goal, Goal::Copies(_) | Goal::Everyone(_)) {
        table.run(&mut Nothing)?;
    }
    let kept = match *goal {
        Goal::Copies(to) => table.owed(to)?,
        Goal::Everyone(law) => table.everyone(law)?,
        Goal::Demand(demand, chunks) => table.demanded(demand, chunks)?,
        Goal::Arrays(collective, seed) => table.arrays(collective, seed)?,
        Goal::Open => Kept::default(),
    };
    let (start, last) = channels.extent().unwrap_or((1, 0));
    Ok(CheckedProgram {
        alike: table.alike,
        claims: channels.list().len() as u64,
        arrivals: kept.arrivals,
        returns: kept.returns,
        start,
        cycles: last + 1 - start,
        depth: table.depth(&table.waits()),
    })
}

/// The smallest period of a program, not below `least`, whose channels do not meet within one pass.
///
/// # Errors
/// As [`Table::new`].
pub fn smallest_period<T: Topology + Sync + ?Sized>(
    net: &T,
    program: &Program,
    least: u32,
) -> Result<u32, ProgramFault> {
    Ok(Table::new(net, program)?.channels().smallest_period(least))
}

impl<T: Topology + ?Sized> Table<'_, T> {
    /// A meeting in words.
    pub fn clash(&self, kind: Kind, meeting: Meeting, period: Option<u32>) -> Clash {
        let Meeting { claims: [a, b], cycle } = meeting;
        let (from, port) = (self.from(a.owner), self.program.hops[a.owner as usize].port);
        let (node, place) = match kind {
            Kind::Channel => (from, format!("channel {}", self.net.describe(self.net.channel_id(from, port as usize)))),
            Kind::Send => (from, format!("the one output of {}", self.label(from))),
            Kind::Medium => (from, self.label(from)),
            Kind::Receive => {
                let to = self.to[a.owner as usize];
                (to, format!("the one input of {}", self.label(to)))
            }
        };
        let word = |claim: &Claim| (self.of(claim.owner).value, self.label(claim.origin));
        Clash {
            kind,
            place,
            node,
            port,
            cycle,
            distance: b.cycle - a.cycle,
            hops: [a.owner, b.owner],
            moves: [a, b].map(|claim| self.move_of[claim.owner as usize]),
            words: [word(&a), word(&b)],
            period,
            everywhere: self.alike,
        }
    }
}

/// Tokens of a run that looks at times alone.
struct Nothing;

impl Tokens for Nothing {
    type Word = ();

    fn given(&mut self, _: u32, _: NodeId) {}

    fn made(&mut self, _: u32, _: NodeId, _: &[Operand<()>]) -> Result<(), String> {
        Ok(())
    }
}

/// Sends or hops up to which a family's check has the program proved, too, where it follows them itself.
pub const AS_PROGRAM: usize = 1_000_000;

/// A train of one batch.
pub const ONCE: (Train, u32) = (Train::STEADY, 1);
