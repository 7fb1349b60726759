//! Observations of a program: the registers that show each word, and the cycle of a pass in which they do.
//!
//! The words of a move's batch are on the same hop in the same cycle, at one place of the block for each node that sends: a
//! *group*. Groups whose moves have the same train and batches form a *class*, in which the batch that a group shows follows
//! from the cycle. Filling a block reads places and words in order.

use super::ModelError;
use crate::id::NodeId;
use crate::lower::bits::BitRow;
use crate::lower::read_back::ReadBack;
use crate::lower::{Layout, Point, PointKind, Programmed, Registers};
use crate::program::timing::crossings;
use crate::program::{Hop, Program, Train};

/// Bits of a word of a block.
const WORD: usize = 64;

/// Words of a move's batch at points of one kind.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Cycle in which batch 0 is shown.
    cycle: u32,
    /// Index of the move.
    index: u32,
    /// Contents of the points without their payloads: an index into [`Walk::heads`].
    head: u32,
    /// Words of a point in the block.
    words: u32,
    /// Nodes that send.
    origins: u32,
    /// First of its places.
    places: usize,
    /// First word of batch 0 among those of a pass.
    first: usize,
}

/// Groups of moves that send alike.
#[derive(Debug)]
struct Class {
    train: Train,
    batches: u32,
    /// Cycles from batch 0 to the last batch, both included.
    span: usize,
    /// Groups in order of their cycles, by kind of point.
    groups: [Vec<Group>; 2],
    /// Number of groups before each cycle, by kind of point, then by cycle.
    starts: [Vec<u32>; 2],
}

impl Class {
    /// Groups that show a word in a cycle, each with its batch.
    fn at(&self, kind: PointKind, cycle: u64) -> impl Iterator<Item = (&Group, usize)> {
        let starts = &self.starts[kind as usize];
        let cycle = usize::try_from(cycle).unwrap_or(usize::MAX / 2);
        let [from, to] = [(cycle + 1).saturating_sub(self.span), cycle + 1].map(|at| starts[at.min(starts.len() - 1)]);
        self.groups[kind as usize][from as usize..to as usize].iter().filter_map(move |group| {
            let batch = self.train.batch(cycle as u64 - u64::from(group.cycle))?;
            (batch < self.batches).then_some((group, batch as usize))
        })
    }

    fn sort(&mut self) {
        for (groups, starts) in self.groups.iter_mut().zip(&mut self.starts) {
            groups.sort_by_key(|group| group.cycle);
            let last = groups.last().map_or(0, |group| group.cycle + 1);
            let mut next = 0;
            *starts = (0..=last)
                .map(|cycle| {
                    while groups.get(next).is_some_and(|group| group.cycle < cycle) {
                        next += 1;
                    }
                    next as u32
                })
                .collect();
        }
    }
}

/// Observations of one pass on one network.
#[derive(Debug)]
pub(super) struct Walk {
    classes: Vec<Class>,
    /// First word in the block of each sender's point, by group.
    places: Vec<u32>,
    heads: Vec<Vec<u64>>,
    /// Words of a pass: by move, batch and sender.
    words: usize,
    cycles: u64,
}

impl Walk {
    /// Follows the words of a program.
    ///
    /// # Errors
    /// [`ModelError::Conflict`] if two words are at a point in the same cycle, of this pass or of those before and after it;
    /// [`ModelError::TooLong`].
    pub(super) fn new(hardware: &(impl Programmed + ?Sized), layout: &Layout) -> Result<Self, ModelError> {
        let (fabric, read) = (hardware.fabric(), hardware.read_back());
        let payload = fabric.payload_bits() as usize;
        let mut walk =
            Self { classes: Vec::new(), places: Vec::new(), heads: heads(read, payload, layout), words: 0, cycles: 0 };
        let (net, program) = (fabric.network(), &read.program);
        for (index, m) in (0..).zip(&program.moves) {
            let batches = program.values[m.value as usize].batches;
            let origins: Vec<NodeId> = m.who.nodes(net.nodes()).collect();
            let Some(&origin) = origins.first() else { continue };
            let class = walk.class(m.train, batches);
            let mut at: Vec<Vec<NodeId>> = Vec::with_capacity(m.hops.len());
            for crossing in crossings(net, program, m, origin).ok_or(ModelError::TooLong)? {
                let (Hop { parent, port, keep, .. }, shown) =
                    (program.hops[crossing.hop as usize], read.shown[crossing.hop as usize]);
                let from = parent.map_or(&origins, |parent| &at[(parent - m.hops.start) as usize]);
                let to: Vec<NodeId> = from.iter().map(|&node| net.neighbour(node, port as usize)).collect();
                let [channel, receive] = [
                    (crossing.entry, read.delays.channel, shown.head),
                    (crossing.end + shown.late, read.delays.receive, read.heads.len() as u32),
                ];
                let points = |kind, nodes: &[NodeId]| -> Vec<Point> {
                    nodes.iter().filter_map(|&node| fabric.shown(kind, node, port as usize)).collect()
                };
                let channels = points(PointKind::Channel, from);
                let receives = if keep { points(PointKind::Receive, &to) } else { Vec::new() };
                for ((cycle, delay, head), points) in [(channel, channels), (receive, receives)] {
                    let Some(first) = points.first() else { continue };
                    let group = Group {
                        cycle: cycle.checked_add(delay).ok_or(ModelError::TooLong)?,
                        index,
                        head,
                        words: layout.range(*first).len() as u32,
                        origins: points.len() as u32,
                        places: walk.places.len(),
                        first: walk.words,
                    };
                    walk.classes[class].groups[first.kind as usize].push(group);
                    walk.places.extend(points.iter().map(|&point| layout.range(point).start as u32));
                }
                at.push(to);
            }
            walk.words += origins.len() * batches as usize;
        }
        walk.classes.iter_mut().for_each(Class::sort);
        let ends = walk.classes.iter().flat_map(|class| {
            let last = class.groups.iter().filter_map(|groups| groups.last()).map(|group| group.cycle).max();
            last.map(|last| last as usize + class.span)
        });
        walk.cycles = ends.max().unwrap_or(0) as u64;
        walk.judge(&*fabric, layout, hardware.spacing(), program)?;
        Ok(walk)
    }

    /// Index of the class of moves with a train and batches.
    fn class(&mut self, train: Train, batches: u32) -> usize {
        let known = self.classes.iter().position(|class| (class.train, class.batches) == (train, batches));
        known.unwrap_or_else(|| {
            let span = train.start(batches.max(1) - 1) as usize + 1;
            let (groups, starts) = Default::default();
            self.classes.push(Class { train, batches, span, groups, starts });
            self.classes.len() - 1
        })
    }

    /// Checks that no point has two words in a cycle of a period of passes.
    fn judge(
        &self,
        fabric: &dyn Registers,
        layout: &Layout,
        spacing: u32,
        program: &Program,
    ) -> Result<(), ModelError> {
        let groups = || {
            let all = |class| {
                let class: &Class = class;
                class.groups.iter().flatten().map(move |group| (class, group))
            };
            self.classes.iter().flat_map(all)
        };
        // by place: the groups that come there, as ranges of `there`
        let mut ends = vec![0_u32; layout.words() + 1];
        for (_, group) in groups() {
            self.of(group).iter().for_each(|&place| ends[place as usize + 1] += 1);
        }
        for place in 1..ends.len() {
            ends[place] += ends[place - 1];
        }
        let mut there = vec![0_u32; self.places.len()];
        let mut next = ends.clone();
        let all: Vec<(&Class, &Group)> = groups().collect();
        for (number, (_, group)) in (0..).zip(&all) {
            for &place in self.of(group) {
                there[next[place as usize] as usize] = number;
                next[place as usize] += 1;
            }
        }
        let mut taken = vec![(u32::MAX, 0_u32); spacing as usize];
        for (place, range) in (0_u32..).zip(ends.windows(2)) {
            let mine = there[range[0] as usize..range[1] as usize].iter().map(|&number| all[number as usize]);
            // batches of one move do not meet within a pass
            if range[1] - range[0] == 1 && mine.clone().all(|(class, _)| class.span <= spacing as usize) {
                continue;
            }
            for (class, group) in mine {
                for batch in 0..class.batches {
                    let cycle = group.cycle + class.train.start(batch);
                    let before = &mut taken[(cycle % spacing) as usize];
                    if before.0 == place {
                        let moves = [before.1, group.index].map(|index| program.moves[index as usize].at);
                        let place = fabric.place(layout.point(place as usize));
                        return Err(ModelError::Conflict { cycle, place, moves });
                    }
                    *before = (place, group.index);
                }
            }
        }
        Ok(())
    }

    /// First word of each point of a group.
    fn of(&self, group: &Group) -> &[u32] {
        &self.places[group.places..][..group.origins as usize]
    }

    /// Cycles of a pass, from the first row to the last word that is shown.
    pub(super) fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Words of a pass.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// Words at points in a pass.
    pub(super) fn len(&self) -> usize {
        let of = |class: &Class| {
            let places: usize = class.groups.iter().flatten().map(|group| group.origins as usize).sum();
            places * class.batches as usize
        };
        self.classes.iter().map(of).sum()
    }

    /// Places, senders' positions and moves, by index, of the words that arrive in a cycle.
    pub(super) fn arrivals(&self, cycle: u64) -> impl Iterator<Item = (u32, usize, u32)> {
        let groups = self.classes.iter().flat_map(move |class| class.at(PointKind::Receive, cycle));
        groups.flat_map(|(group, _)| self.of(group).iter().zip(0..).map(|(&place, at)| (place, at, group.index)))
    }

    /// Puts the words of a pass that are shown in a cycle into a block. With `parity_above`, a parity bit stands above 64 bits.
    pub(super) fn fill<T: Into<u64> + Copy>(
        &self,
        kind: PointKind,
        cycle: u64,
        pass: &[T],
        parity_above: bool,
        block: &mut [u64],
    ) {
        for (group, batch) in self.classes.iter().flat_map(|class| class.at(kind, cycle)) {
            let (places, head) = (self.of(group), &self.heads[group.head as usize]);
            let words = &pass[group.first + batch * places.len()..][..places.len()];
            for (&place, &word) in places.iter().zip(words) {
                block[place as usize] = head[0] | word.into();
            }
            for i in 1..group.words as usize {
                for (&place, &word) in places.iter().zip(words) {
                    let parity = if parity_above && i == 1 { u64::from(word.into().count_ones() & 1) } else { 0 };
                    block[place as usize + i] = head[i] | parity;
                }
            }
        }
    }
}

/// Words of points without their payloads: those of channel registers, and `{valid, payload}` of a receive port.
fn heads(read: &ReadBack, payload: usize, layout: &Layout) -> Vec<Vec<u64>> {
    let words = layout.local_words().max(layout.global_words()).max(layout.receive_words());
    let mut valid = BitRow::zero(1);
    valid.set(0, 1, 1);
    let above = |head: &BitRow| {
        let mut row = BitRow::zero(words * WORD);
        (0..head.width()).for_each(|bit| row.set(payload + bit, 1, head.get(bit, 1)));
        row.pieces(WORD)
    };
    read.heads.iter().chain([&valid]).map(above).collect()
}
