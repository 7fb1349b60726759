//! Counters of a network: which addresses advance by themselves or by strides, and the loops of each node.

use super::address::Address;
use super::layout::{Layout, Loop, Way};
use super::search::loops;
use crate::lower::bits::BitRow;
use crate::lower::slot_table::fields::Fields;
use crate::lower::slot_table::table::{NodeTable, Shape};

/// Stored rows and loops of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopTable {
    /// Number of its layout, which is that of its hardware among the different ones.
    pub class: usize,
    /// Stored rows.
    pub stored: Vec<BitRow>,
    /// Loops.
    pub loops: Vec<BitRow>,
}

/// Counters that make the tables of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counters {
    /// Layouts of the different hardware of nodes, in the order of the first nodes that have it.
    pub layouts: Vec<Layout>,
    /// Stored rows and loops, by node.
    pub nodes: Vec<LoopTable>,
}

/// Stored rows and loops that make the table of some nodes.
struct Program {
    stored: Vec<BitRow>,
    loops: Vec<Loop>,
}

impl Counters {
    /// The counters with the fewest bits of stored rows and loops; if tiles are to be `alike`, each has as many of both.
    pub fn of(nodes: &[NodeTable], alike: bool) -> Self {
        let mut shapes: Vec<&Shape> = Vec::new();
        let class = nodes.iter().map(|node| {
            let known = shapes.iter().position(|&shape| *shape == node.shape);
            known.unwrap_or_else(|| {
                shapes.push(&node.shape);
                shapes.len() - 1
            })
        });
        let class: Vec<usize> = class.collect();
        let tables: Vec<Vec<BitRow>> = nodes.iter().map(|node| Fields::new(&node.shape).rows(node)).collect();
        let mut layouts = Vec::with_capacity(shapes.len());
        let mut made: Vec<Option<LoopTable>> = vec![None; nodes.len()];
        for (number, shape) in shapes.iter().enumerate() {
            let members: Vec<usize> = (0..nodes.len()).filter(|&node| class[node] == number).collect();
            let mut different: Vec<&[BitRow]> = Vec::new();
            let of: Vec<usize> = members
                .iter()
                .map(|&node| {
                    let known = different.iter().position(|&rows| rows == tables[node]);
                    known.unwrap_or_else(|| {
                        different.push(&tables[node]);
                        different.len() - 1
                    })
                })
                .collect();
            let (layout, programs) = cheapest(shape, &different);
            for (&node, of) in members.iter().zip(of) {
                made[node] = Some(table(number, &layout, &programs[of], alike.then_some(&programs)));
            }
            layouts.push(layout);
        }
        Self { layouts, nodes: made.into_iter().flatten().collect() }
    }

    /// Layout of a node.
    pub fn layout(&self, node: usize) -> &Layout {
        &self.layouts[self.nodes[node].class]
    }

    /// Stored rows, and loops, of a node.
    pub fn sizes(&self, node: usize) -> [u32; 2] {
        [self.nodes[node].stored.len() as u32, self.nodes[node].loops.len() as u32]
    }

    /// Bits of the stored rows and loops of a node.
    pub fn bits(&self, node: usize) -> u64 {
        let (layout, [stored, loops]) = (self.layout(node), self.sizes(node).map(u64::from));
        stored * u64::from(layout.stored_bits()) + loops * u64::from(layout.loop_bits)
    }
}

/// Stored rows and loops of a program; with `all` programs, as many as the longest has of each.
fn table(class: usize, layout: &Layout, program: &Program, all: Option<&Vec<Program>>) -> LoopTable {
    let most = |of: fn(&Program) -> usize| all.into_iter().flatten().map(of).max().unwrap_or(0);
    let last = program.loops.len() - 1;
    let loops = program.loops.iter().enumerate().map(|(number, each)| layout.encode(each, number == last));
    let (mut stored, mut loops): (Vec<BitRow>, Vec<BitRow>) = (program.stored.clone(), loops.collect());
    let idle = |bits: u32| BitRow::zero(bits as usize);
    stored.resize(most(|program| program.stored.len()).max(stored.len()), idle(layout.stored_bits()));
    loops.resize(most(|program| program.loops.len()).max(loops.len()), idle(layout.loop_bits));
    LoopTable { class, stored, loops }
}

/// Layout and loops with the fewest bits for tables on one hardware.
fn cheapest(shape: &Shape, tables: &[&[BitRow]]) -> (Layout, Vec<Program>) {
    let addresses = Address::all(shape, &Fields::new(shape));
    let ways: Vec<Way> = addresses.iter().map(|address| way(address, tables)).collect();
    let strided = |with: &dyn Fn(usize) -> bool| {
        let way = |(number, &way): (usize, &Way)| if way == Way::Stored && with(number) { Way::Strided } else { way };
        searched(&addresses, ways.iter().enumerate().map(way), tables)
    };
    let (none, all) = (strided(&|_| false), strided(&|_| true));
    // strides that the loops do not use are left out
    let strides = |program: &Program, number: usize| program.loops.iter().any(|each| each.strides[number] != 0);
    let some = strided(&|number| all.1.iter().any(|program| strides(program, number)));
    let choices = [none, some, all];
    choices.into_iter().min_by_key(|(layout, programs)| bits(layout, programs)).expect("three choices")
}

fn bits(layout: &Layout, programs: &[Program]) -> u64 {
    let count = |of: fn(&Program) -> usize| programs.iter().map(of).sum::<usize>() as u64;
    count(|program| program.stored.len()) * u64::from(layout.stored_bits())
        + count(|program| program.loops.len()) * u64::from(layout.loop_bits)
}

/// Origin of an address that needs the fewest bits, without strides.
fn way(address: &Address, tables: &[&[BitRow]]) -> Way {
    let uses = |rows: &[BitRow]| rows.iter().filter_map(|row| address.value(row)).collect::<Vec<u32>>();
    let uses: Vec<Vec<u32>> = tables.iter().map(|rows| uses(rows)).collect();
    if uses.iter().flatten().all(|&value| value == 0) {
        return Way::Fixed;
    }
    let counts = |values: &Vec<u32>| (0..).zip(values).all(|(use_number, &value)| value == use_number % address.depth);
    if uses.iter().all(counts) { Way::Counted } else { Way::Stored }
}

/// Layout with these origins of the addresses, and the loops of each table.
fn searched(addresses: &[Address], ways: impl Iterator<Item = Way>, tables: &[&[BitRow]]) -> (Layout, Vec<Program>) {
    let addresses: Vec<(Address, Way)> = addresses.iter().cloned().zip(ways).collect();
    let mut used = BitRow::zero(tables[0][0].width());
    for row in tables.iter().flat_map(|rows| rows.iter()) {
        (0..row.width()).filter(|&bit| row.get(bit, 1) == 1).for_each(|bit| used.set(bit, 1, 1));
    }
    let count = tables[0].len() as u32;
    // the search does not know yet how many rows and turns there are
    let draft = Layout::new(addresses.clone(), &used, [count, count]);
    let found: Vec<Program> = tables
        .iter()
        .map(|&rows| {
            let (stored, loops) = loops(rows, &draft);
            Program { stored, loops }
        })
        .collect();
    let rows = found.iter().map(|program| program.stored.len() as u32).max().unwrap_or(1);
    let turns = found.iter().flat_map(|program| &program.loops).map(|each| each.turns).max().unwrap_or(1);
    let layout = Layout::new(addresses, &used, [rows, turns]);
    (layout, found)
}
