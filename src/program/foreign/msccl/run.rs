//! The program, carried out with chunks by name.

use super::super::flow::{Draft, Flow, Send};
use super::super::place::FormError;
use super::file::{Buffer, File, Kind, Step};
use super::goal::{Goal, Word, text};
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Range;

/// Number of steps that are finished for certain, by threadblock.
type Clock = Vec<u32>;

/// A chunk: a packet, and the words that are summed in it.
#[derive(Clone)]
struct Chunk {
    packet: u32,
    words: BTreeSet<Word>,
}

/// A step that touched a chunk: threadblock and position.
type Touch = (usize, u32);

/// Place in a buffer.
#[derive(Default)]
struct Cell {
    chunk: Option<Chunk>,
    written: Option<Touch>,
    read: Vec<Touch>,
}

/// Chunks on their way.
struct Message {
    chunks: Vec<Chunk>,
    clock: Clock,
    place: Range<usize>,
}

/// The program on its way.
struct Run<'a> {
    file: &'a File,
    goal: &'a Goal,
    draft: Draft,
    /// GPU and index in the GPU's threadblocks, by threadblock.
    blocks: Vec<(u32, usize)>,
    /// Index of the first threadblock, by GPU.
    first: Vec<usize>,
    /// Number of finished steps, by threadblock.
    done: Vec<u32>,
    /// Steps of all threadblocks that are finished before the next step of each, by threadblock.
    clocks: Vec<Clock>,
    /// Clocks after steps on which others depend.
    marks: HashMap<Touch, Clock>,
    /// Steps on which others depend.
    marked: BTreeSet<Touch>,
    cells: BTreeMap<(u32, Buffer, u32), Cell>,
    /// Queue of messages in flight, by (sender, receiver, channel).
    ways: BTreeMap<(u32, u32, i64), VecDeque<Message>>,
}

/// Carries out a program.
///
/// # Errors
/// [`FormError`] at the first step that cannot be carried out, or the first result that is wrong.
pub(super) fn run(file: &File, goal: &Goal) -> Result<Flow, FormError> {
    let mut run = Run::new(file, goal);
    loop {
        let mut moved = false;
        for block in 0..run.blocks.len() {
            while run.is_ready(block) {
                run.step(block)?;
                moved = true;
            }
        }
        if !moved {
            break;
        }
    }
    run.ended()?;
    run.results()?;
    let links: BTreeSet<(u32, u32)> = run.ways.keys().map(|&(from, to, _)| (from, to)).collect();
    let flow = run.draft.finish(goal.ranks(), links.into_iter().collect(), goal.sums());
    flow.ok_or_else(|| FormError::fault(file.place.clone(), "the sums are of no collective with a name", ""))
}

impl<'a> Run<'a> {
    fn new(file: &'a File, goal: &'a Goal) -> Self {
        let mut blocks = Vec::new();
        let mut first = Vec::new();
        let mut marked = BTreeSet::new();
        for (number, gpu) in (0..).zip(&file.gpus) {
            first.push(blocks.len());
            blocks.extend((0..gpu.blocks.len()).map(|index| (number, index)));
            let after = gpu.blocks.iter().flat_map(|block| block.steps.iter().filter_map(|step| step.after));
            marked.extend(after.map(|(block, step)| (first[number as usize] + block, step as u32)));
        }
        let mut draft = Draft::default();
        let mut cells: BTreeMap<(u32, Buffer, u32), Cell> = BTreeMap::new();
        for rank in 0..goal.ranks() {
            for chunk in 0..goal.inputs(rank) {
                let word = (rank, chunk);
                let packet = draft.packet(rank, goal.sum(word));
                let (buffer, index) = goal.place(rank, (Buffer::Input, chunk));
                let chunk = Some(Chunk { packet, words: BTreeSet::from([word]) });
                cells.insert((rank, buffer, index), Cell { chunk, ..Cell::default() });
            }
        }
        let count = blocks.len();
        Self {
            file,
            goal,
            draft,
            blocks,
            first,
            done: vec![0; count],
            clocks: vec![vec![0; count]; count],
            marks: HashMap::new(),
            marked,
            cells,
            ways: BTreeMap::new(),
        }
    }

    /// The next step of a threadblock.
    fn next(&self, block: usize) -> Option<&'a Step> {
        let (gpu, index) = self.blocks[block];
        self.file.gpus[gpu as usize].blocks[index].steps.get(self.done[block] as usize)
    }

    /// Sender, receiver and channel of the messages that a threadblock receives, or sends.
    fn way(&self, block: usize, receives: bool) -> (u32, u32, i64) {
        let (gpu, index) = self.blocks[block];
        let of = &self.file.gpus[gpu as usize].blocks[index];
        match receives {
            true => (of.receive.unwrap_or(gpu), gpu, of.channel),
            false => (gpu, of.send.unwrap_or(gpu), of.channel),
        }
    }

    /// Threadblock and step on which a step of a GPU depends.
    fn after(&self, gpu: u32, step: &Step) -> Option<Touch> {
        step.after.map(|(block, step)| (self.first[gpu as usize] + block, step as u32))
    }

    /// True if nothing is in the way of a threadblock's next step.
    fn is_ready(&self, block: usize) -> bool {
        let Some(step) = self.next(block) else { return false };
        let after = self.after(self.blocks[block].0, step).is_none_or(|(of, index)| self.done[of] > index);
        let has = |way| self.ways.get(&way).is_some_and(|queue| !queue.is_empty());
        after && (!step.kind.receives() || has(self.way(block, true)))
    }

    /// Name of a step.
    fn name(&self, (block, step): Touch) -> String {
        let (gpu, index) = self.blocks[block];
        format!("step {step} of threadblock {index} of GPU {gpu}")
    }

    /// Carries out the next step of a threadblock.
    fn step(&mut self, block: usize) -> Result<(), FormError> {
        let Some(step) = self.next(block) else { return Ok(()) };
        let gpu = self.blocks[block].0;
        let me = (block, self.done[block]);
        let mut clock = std::mem::take(&mut self.clocks[block]);
        if let Some(mark) = self.after(gpu, step).and_then(|after| self.marks.get(&after)) {
            join(&mut clock, mark);
        }
        let mut arrived = Vec::new();
        if step.kind.receives()
            && let Some(message) = self.ways.get_mut(&self.way(block, true)).and_then(VecDeque::pop_front)
        {
            join(&mut clock, &message.clock);
            if message.chunks.len() != step.count as usize {
                let message = format!("this receives {} chunks, and {} are sent", step.count, message.chunks.len());
                return Err(FormError::fault(step.place.clone(), message, "give both steps the same `cnt`"));
            }
            arrived = message.chunks;
        }
        let mut leave = Vec::new();
        for index in 0..step.count {
            let shift = |(buffer, chunk): (Buffer, u32)| (buffer, chunk.saturating_add(index));
            let (source, destination) = (shift(step.source), shift(step.destination));
            let coming = arrived.get(index as usize).cloned();
            let own = |run: &mut Self, at| run.read(gpu, at, step, me, &clock);
            let result = match (step.kind, coming) {
                (Kind::Send | Kind::Copy, _) => own(self, source)?,
                (Kind::Receive | Kind::ReceiveCopySend, Some(coming)) => coming,
                (Kind::Reduce, _) => {
                    let other = own(self, source)?;
                    let local = own(self, destination)?;
                    self.sum(gpu, local, other, step)?
                }
                (_, Some(coming)) => {
                    let local = own(self, destination)?;
                    self.sum(gpu, local, coming, step)?
                }
                (_, None) => continue,
            };
            if !matches!(step.kind, Kind::Send | Kind::ReceiveReduceSend) {
                self.write(gpu, destination, result.clone(), step, me, &clock)?;
            }
            leave.push(result);
        }
        clock[block] = me.1 + 1;
        if self.marked.contains(&me) {
            self.marks.insert(me, clock.clone());
        }
        if step.kind.sends() {
            let way = self.way(block, false);
            for chunk in &leave {
                let (from, to, _) = way;
                self.draft.send(Send { packet: chunk.packet, from, to, cycles: None, place: step.place.clone() });
            }
            let message = Message { chunks: leave, clock: clock.clone(), place: step.place.clone() };
            self.ways.entry(way).or_default().push_back(message);
        }
        self.clocks[block] = clock;
        self.done[block] += 1;
        Ok(())
    }

    /// The chunk at a place.
    fn read(&mut self, gpu: u32, at: (Buffer, u32), step: &Step, me: Touch, clock: &Clock) -> Result<Chunk, FormError> {
        let (buffer, index) = self.goal.place(gpu, at);
        let cell = self.cells.entry((gpu, buffer, index)).or_default();
        let (chunk, written) = (cell.chunk.clone(), cell.written);
        cell.read.push(me);
        self.ordered(written, at, step, me, clock)?;
        chunk.ok_or_else(|| {
            let message = format!("there is nothing in chunk {} of buffer `{}` of GPU {gpu}", at.1, at.0);
            FormError::fault(step.place.clone(), message, "receive or copy a chunk there first")
        })
    }

    /// Puts a chunk at a place.
    fn write(
        &mut self,
        gpu: u32,
        at: (Buffer, u32),
        chunk: Chunk,
        step: &Step,
        me: Touch,
        clock: &Clock,
    ) -> Result<(), FormError> {
        let (buffer, index) = self.goal.place(gpu, at);
        let cell = self.cells.entry((gpu, buffer, index)).or_default();
        cell.chunk = Some(chunk);
        let before: Vec<Touch> = cell.written.replace(me).into_iter().chain(std::mem::take(&mut cell.read)).collect();
        before.into_iter().try_for_each(|other| self.ordered(Some(other), at, step, me, clock))
    }

    /// Refuses a step that touches a chunk and does not wait for another that touches it.
    fn ordered(
        &self,
        other: Option<Touch>,
        at: (Buffer, u32),
        step: &Step,
        me: Touch,
        clock: &Clock,
    ) -> Result<(), FormError> {
        let Some(other) = other.filter(|&other| other.0 != me.0 && clock[other.0] <= other.1) else { return Ok(()) };
        let message = format!(
            "{} and {} both use chunk {} of buffer `{}`, and neither waits for the other",
            self.name(other),
            self.name(me),
            at.1,
            at.0
        );
        Err(FormError::fault(step.place.clone(), message, "let one depend on the other, by `depid` and `deps`"))
    }

    /// The sum of two chunks.
    fn sum(&mut self, gpu: u32, local: Chunk, other: Chunk, step: &Step) -> Result<Chunk, FormError> {
        let wrong = |message: String, help: &str| Err(FormError::fault(step.place.clone(), message, help));
        if !self.goal.combines() {
            return wrong("a sum in a collective without sums".into(), "take `r` for `rrc`, and `cpy` for `re`");
        }
        if let Some(word) = local.words.intersection(&other.words).next() {
            let message = format!("the chunk {} of GPU {} would be in the sum twice", word.1, word.0);
            return wrong(message, "add each GPU's chunk once");
        }
        let words: BTreeSet<Word> = local.words.union(&other.words).copied().collect();
        let chunk = |word: &Word| self.goal.sum(*word);
        if words.iter().any(|word| Some(chunk(word)) != words.first().map(chunk)) {
            let message = format!("a sum of different chunks, GPU before index: {}", text(&words));
            return wrong(message, "add chunks of one index");
        }
        let packet = self.draft.combine(gpu, vec![local.packet, other.packet]);
        Ok(Chunk { packet, words })
    }

    /// Refuses a program that has not come to its end, and one that leaves something on its way.
    fn ended(&self) -> Result<(), FormError> {
        let blocked = (0..self.blocks.len()).find(|&block| self.next(block).is_some());
        let Some(start) = blocked else {
            return match self.ways.values().flatten().next() {
                Some(left) => {
                    let message = "no step receives this send";
                    Err(FormError::fault(left.place.clone(), message, "add the receive that is missing"))
                }
                None => Ok(()),
            };
        };
        // what each waits for, until something comes again or nothing is waited for
        let (mut chain, mut at) = (Vec::new(), start);
        let ended = loop {
            if let Some(again) = chain.iter().position(|&block| block == at) {
                chain.drain(..again);
                break false;
            }
            chain.push(at);
            let step = self.next(at);
            let gpu = self.blocks[at].0;
            let after = step.and_then(|step| self.after(gpu, step)).filter(|&(of, index)| self.done[of] <= index);
            let sender = || {
                let way = self.way(at, true);
                (0..self.blocks.len()).find(|&other| self.way(other, false) == way)
            };
            match after.map(|after| after.0).or_else(sender).filter(|&other| self.next(other).is_some()) {
                Some(other) => at = other,
                None => break true,
            }
        };
        let place = |block: usize| self.next(block).map_or(0..0, |step| step.place.clone());
        let names: Vec<String> = chain.iter().map(|&block| self.name((block, self.done[block]))).collect();
        let last = *chain.last().unwrap_or(&start);
        let (place, message) = match ended {
            true => {
                let (from, ..) = self.way(last, true);
                (
                    place(last),
                    format!("{} waits for a send of GPU {from}, and there is none", self.name((last, self.done[last]))),
                )
            }
            false => (place(chain[0]), format!("steps wait for each other in a circle: {}", names.join(", for "))),
        };
        Err(FormError::fault(place, message, "put the steps in an order in which each has what it waits for before it"))
    }

    /// Compares the contents of the outputs with the collective's result.
    fn results(&mut self) -> Result<(), FormError> {
        for rank in 0..self.goal.ranks() {
            for (index, wanted) in (0..).zip(self.goal.outputs(rank)) {
                let (buffer, at) = self.goal.place(rank, (Buffer::Output, index));
                let chunk = self.cells.get(&(rank, buffer, at)).and_then(|cell| cell.chunk.as_ref());
                match chunk.filter(|chunk| chunk.words.iter().eq(&wanted)) {
                    Some(chunk) => self.draft.result(chunk.packet, rank),
                    None => {
                        let found = chunk.map_or("nothing".to_owned(), |chunk| text(&chunk.words));
                        let message = format!(
                            "output {index} of GPU {rank} is {found}, and is to be {}, GPU before chunk",
                            text(&wanted)
                        );
                        let place = self.file.gpus[rank as usize].place.clone();
                        return Err(FormError::fault(
                            place,
                            message,
                            "add the step that is missing, or take its chunk",
                        ));
                    }
                }
            }
        }
        Ok(())
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    clock.iter_mut().zip(other).for_each(|(mine, other)| *mine = (*mine).max(*other));
}
