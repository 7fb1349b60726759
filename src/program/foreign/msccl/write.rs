//! Programs of MSCCL, written: a threadblock for each link and direction, one for copies and sums, and the order of time as dependencies.

use super::super::refusal::{ELSE, Refusal, kind, parts, plain_hops, sum_ends};
use super::file::Buffer;
use crate::program::{Document, Op, Packet};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

/// Place in a buffer.
type Cell = (Buffer, u32);
/// Threadblock of a GPU, and step in it.
type Place = (usize, usize);
/// Peer of a threadblock, none of copies and sums; true if it sends.
type Link = (Option<u32>, bool);

/// A step.
struct Step {
    kind: &'static str,
    source: Cell,
    destination: Cell,
    after: Option<Place>,
}

/// A GPU.
#[derive(Default)]
struct Gpu {
    /// Index in `blocks`, by link.
    index: BTreeMap<Link, usize>,
    blocks: Vec<(Link, Vec<Step>)>,
    /// Cell of each packet, and the step that wrote it there; by packet id.
    cells: HashMap<u64, (Cell, Option<Place>)>,
    scratch: u32,
    /// Steps on which others depend.
    awaited: BTreeSet<Place>,
}

impl Gpu {
    /// Adds a step after others, with a `nop` for each but the last; its place.
    fn step(&mut self, of: Link, kind: &'static str, cells: [Cell; 2], after: &[Option<Place>]) -> Place {
        let count = self.blocks.len();
        let block = *self.index.entry(of).or_insert(count);
        if block == count {
            self.blocks.push((of, Vec::new()));
        }
        let steps = &mut self.blocks[block].1;
        let mut wait: Vec<Place> = after.iter().flatten().copied().filter(|place| place.0 != block).collect();
        self.awaited.extend(&wait);
        let last = wait.pop();
        let [source, destination] = cells;
        for after in wait {
            steps.push(Step { kind: "nop", source, destination, after: Some(after) });
        }
        steps.push(Step { kind, source, destination, after: last });
        (block, steps.len() - 1)
    }

    /// A new place.
    fn room(&mut self) -> Cell {
        self.scratch += 1;
        (Buffer::Scratch, self.scratch - 1)
    }
}

/// Step of a schedule.
enum Event<'a> {
    Sum(&'a Op),
    Move { channel: u32, packet: u64 },
}

/// Name of a collective, chunks of input and output, and the place of a word of `src` for `dst` or of a part in both.
struct Layout<'a> {
    document: &'a Document,
    name: &'static str,
    sizes: (u32, u32),
    /// Chunks of the input and of the output of a packet.
    cell: fn(Ends) -> (u32, u32),
    /// Ranks that keep words of their own, and how many.
    own: (Ranks, u32),
    /// Part of the sum, by packet id.
    parts: HashMap<u64, u32>,
}

/// Ends of a packet, its place among the packets of its source, and its part of a sum.
struct Ends {
    to: u32,
    src: u32,
    number: u32,
    part: u32,
}

/// Ranks of a program.
enum Ranks {
    All,
    Root,
    None,
}

impl<'a> Layout<'a> {
    fn new(document: &'a Document) -> Result<Self, Refusal> {
        let nodes = document.nodes.len() as u32;
        let part_of = parts(document)?;
        let parts = part_of.values().map(|part| part + 1).max().unwrap_or(1);
        let count = document.collective["count"].as_u64().unwrap_or(1) as u32;
        let part = |ends: Ends| (ends.part, ends.part);
        let of_source = |ends: Ends| (0, ends.src);
        type Form = (&'static str, (u32, u32), fn(Ends) -> (u32, u32), (Ranks, u32));
        let (name, sizes, cell, own): Form = match kind(document) {
            "all-gather" => ("allgather", (1, nodes), of_source, (Ranks::All, 1)),
            "all-to-all" => ("alltoall", (nodes, nodes), |ends| (ends.to, ends.src), (Ranks::All, 1)),
            "all-reduce" => ("allreduce", (parts, parts), part, (Ranks::None, 0)),
            "reduce-scatter" => ("reduce_scatter", (nodes, 1), |ends| (ends.part, 0), (Ranks::None, 0)),
            "broadcast" => ("broadcast", (count, count), |ends| (ends.number, ends.number), (Ranks::Root, count)),
            "reduce" => ("reduce", (parts, parts), part, (Ranks::None, 0)),
            "gather" => ("gather", (1, nodes), of_source, (Ranks::Root, 1)),
            "scatter" => ("scatter", (nodes, 1), |ends| (ends.to, 0), (Ranks::Root, 1)),
            other => return Err(Refusal::new(format!("MSCCL has no name for `{other}`"), ELSE)),
        };
        Ok(Self { document, name, sizes, cell, own, parts: part_of })
    }

    /// Chunks of the input and of the output of the words that a rank keeps.
    fn kept(&self, rank: u32, root: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let keeps = match self.own.0 {
            Ranks::All => true,
            Ranks::Root => rank == root,
            Ranks::None => false,
        };
        let cell = move |number| (self.cell)(Ends { to: rank, src: rank, number, part: 0 });
        (0..if keeps { self.own.1 } else { 0 }).map(cell)
    }

    /// Chunk of the input, and of the output, of a packet that goes to a node. `number` is its place among the packets of its source.
    fn chunks(&self, packet: usize, to: u32, number: u32) -> (u32, u32) {
        let packet = &self.document.packets[packet];
        (self.cell)(Ends { to, src: packet.src, number, part: self.part(packet) })
    }

    fn part(&self, packet: &Packet) -> u32 {
        self.parts.get(&packet.id).copied().unwrap_or(packet.part)
    }
}

/// The text of a schedule; the caller reads it back.
pub(super) fn text(document: &Document) -> Result<String, Refusal> {
    plain_hops(document, false)?;
    let layout = Layout::new(document)?;
    let nodes = document.nodes.len();
    let mut gpus: Vec<Gpu> = (0..nodes).map(|_| Gpu::default()).collect();
    let made: BTreeMap<u64, &Op> = document.ops.iter().flatten().map(|op| (op.packet, op)).collect();
    let index: HashMap<u64, usize> = document.packets.iter().map(|packet| packet.id).zip(0..).collect();
    let mut numbers = vec![0; nodes];
    let mut number = vec![0; document.packets.len()];
    for (at, packet) in document.packets.iter().enumerate().filter(|(_, packet)| !made.contains_key(&packet.id)) {
        number[at] = numbers[packet.src as usize];
        numbers[packet.src as usize] += 1;
        let (input, _) = layout.chunks(at, packet.dsts[0], number[at]);
        gpus[packet.src as usize].cells.insert(packet.id, ((Buffer::Input, input), None));
    }
    // in the order of time; sums before what leaves in their cycle
    let moves = document.transfers.iter().map(|&(cycle, channel, packet)| (cycle, 1, Event::Move { channel, packet }));
    let sums = document.ops.iter().flatten().map(|op| (op.cycle, 0, Event::Sum(op)));
    let mut events: Vec<(u32, u8, Event<'_>)> = sums.chain(moves).collect();
    events.sort_by_key(|event| (event.0, event.1)); // stable: sums of one cycle as they are listed
    for (_, _, event) in events {
        match event {
            Event::Sum(op) => sum(&mut gpus[op.node as usize], op)?,
            Event::Move { channel, packet } => {
                let (from, to) = document.channels[channel as usize];
                if gpus[to as usize].cells.contains_key(&packet) {
                    continue; // what comes again is nothing new
                }
                let sender = &mut gpus[from as usize];
                let &(cell, after) = sender.cells.get(&packet).ok_or_else(|| lost(packet))?;
                let room = gpus[to as usize].room();
                gpus[from as usize].step((Some(to), true), "s", [cell, room], &[after]);
                let receiver = &mut gpus[to as usize];
                let place = receiver.step((Some(from), false), "r", [cell, room], &[]);
                receiver.cells.insert(packet, (room, Some(place)));
            }
        }
    }
    let words = words(document, &made, &index);
    for (at, packet) in document.packets.iter().enumerate() {
        let ends = match sum_ends(document, layout.part(packet)).filter(|_| !made.is_empty()) {
            None => packet.dsts.clone(),
            Some(ends) => {
                let whole = words[at].len() == nodes;
                ends.into_iter().filter(|end| whole && (packet.dsts.contains(end) || packet.src == *end)).collect()
            }
        };
        for end in ends {
            result(&mut gpus[end as usize], packet.id, layout.chunks(at, end, number[at]).1)?;
        }
    }
    let root = document.collective["root"].as_u64().unwrap_or(0) as u32;
    for rank in 0..nodes as u32 {
        for (input, output) in layout.kept(rank, root) {
            let cells = [(Buffer::Input, input), (Buffer::Output, output)];
            gpus[rank as usize].step((None, false), "cpy", cells, &[]);
        }
    }
    Ok(xml(document, &layout, &gpus))
}

fn lost(packet: u64) -> Refusal {
    Refusal::new(
        format!("packet {packet} is not where it is used"),
        "`metronoc check` says what is wrong with the schedule",
    )
}

/// Adds up packets at a GPU.
fn sum(gpu: &mut Gpu, op: &Op) -> Result<(), Refusal> {
    let mut place = None;
    let room = gpu.room();
    for input in &op.inputs {
        let &(cell, after) = gpu.cells.get(input).ok_or_else(|| lost(*input))?;
        let kind = if place.is_none() { "cpy" } else { "re" };
        place = Some(gpu.step((None, false), kind, [cell, room], &[after]));
    }
    gpu.cells.insert(op.packet, (room, place));
    Ok(())
}

/// Copies a packet to the output.
fn result(gpu: &mut Gpu, packet: u64, chunk: u32) -> Result<(), Refusal> {
    let &(cell, after) = gpu.cells.get(&packet).ok_or_else(|| lost(packet))?;
    gpu.step((None, false), "cpy", [cell, (Buffer::Output, chunk)], &[after]);
    Ok(())
}

/// Nodes whose words are in a packet, by packet.
fn words(document: &Document, made: &BTreeMap<u64, &Op>, index: &HashMap<u64, usize>) -> Vec<BTreeSet<u32>> {
    let mut words: Vec<BTreeSet<u32>> = document.packets.iter().map(|packet| BTreeSet::from([packet.src])).collect();
    let mut ops: Vec<&&Op> = made.values().collect();
    ops.sort_by_key(|op| op.cycle);
    // sums of one cycle may need each other: each pass sees the ones before it
    for _ in 0..2 {
        for op in &ops {
            let of = op.inputs.iter().filter_map(|input| index.get(input)).flat_map(|&at| words[at].clone()).collect();
            if let Some(&at) = index.get(&op.packet) {
                words[at] = of;
            }
        }
    }
    words
}

fn xml(document: &Document, layout: &Layout<'_>, gpus: &[Gpu]) -> String {
    let (input, output) = layout.sizes;
    let topology = document.network["topology"].as_str().unwrap_or("graph");
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "<algo name=\"{}-{topology}\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" inplace=\"0\">",
        layout.name,
        input.max(output),
        gpus.len(),
        layout.name
    );
    for (rank, gpu) in gpus.iter().enumerate() {
        let scratch = gpu.scratch;
        let _ =
            writeln!(text, "  <gpu id=\"{rank}\" i_chunks=\"{input}\" o_chunks=\"{output}\" s_chunks=\"{scratch}\">");
        for (id, ((peer, sends), steps)) in gpu.blocks.iter().enumerate() {
            let peer = |is: bool| peer.filter(|_| is).map_or(-1, i64::from);
            let (send, receive) = (peer(*sends), peer(!*sends));
            let _ = writeln!(text, "    <tb id=\"{id}\" send=\"{send}\" recv=\"{receive}\" chan=\"0\">");
            for (s, Step { kind, source, destination, after }) in steps.iter().enumerate() {
                let (depid, deps) = after.map_or((-1, -1), |(block, step)| (block as i64, step as i64));
                let awaited = u32::from(gpu.awaited.contains(&(id, s)));
                let _ = writeln!(
                    text,
                    "      <step s=\"{s}\" type=\"{kind}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"1\" \
                     depid=\"{depid}\" deps=\"{deps}\" hasdep=\"{awaited}\"/>",
                    source.0, source.1, destination.0, destination.1
                );
            }
            text += "    </tb>\n";
        }
        text += "  </gpu>\n";
    }
    text + "</algo>\n"
}
