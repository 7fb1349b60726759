//! Chunks that GPUs have at the beginning and want at the end, by collective.

use super::super::form::Hint;
use super::super::place::FormError;
use super::super::wanted::Wanted;
use super::file::{Buffer, File};

const NAMES: &str = "collectives are allgather, alltoall, allreduce, reduce_scatter, broadcast, reduce, gather and scatter; of a `custom` one \
                     write `[collective]` with `kind` in the specification that `--network` names";

/// Most chunks of all GPUs.
const MOST: u64 = 1 << 20;

/// Kind of a collective; roots are GPUs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    AllGather,
    AllToAll,
    AllReduce,
    ReduceScatter,
    Broadcast(u32),
    Reduce(u32),
    Gather(u32),
    Scatter(u32),
}

/// Chunk of an input: GPU and index.
pub(super) type Word = (u32, u32);

/// Chunks that GPUs have and want.
pub(super) struct Goal {
    kind: Kind,
    ranks: u32,
    /// Chunks of a block: all of a buffer, or those of one peer.
    block: u32,
    inplace: bool,
}

impl Goal {
    /// The collective of a file.
    pub fn new(file: &File, hint: Hint<'_>) -> Result<Self, FormError> {
        let name = |text: &str| text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        let (mut of, mut root) = (name(&file.collective), 0);
        let rooted = matches!(of.as_str(), "broadcast" | "reduce" | "gather" | "scatter");
        let wrong = |message: String| FormError::new(file.place.clone(), message, NAMES);
        if let Some(table) = hint.collective {
            let kind = name(table["kind"].as_str().unwrap_or_default());
            if of != "custom" && of != kind {
                let message =
                    format!("the collective is `{}`, and that of the network's specification another", file.collective);
                return Err(wrong(message));
            }
            of = kind;
            root = table["root"].as_u64().unwrap_or(0) as u32;
        } else if rooted {
            return Err(wrong(format!("the file does not say the root of its {}", file.collective)));
        }
        let ranks = file.gpus.len() as u32;
        let kind = match of.as_str() {
            "allgather" => Kind::AllGather,
            "alltoall" => Kind::AllToAll,
            "allreduce" => Kind::AllReduce,
            "reducescatter" => Kind::ReduceScatter,
            "broadcast" => Kind::Broadcast(root),
            "reduce" => Kind::Reduce(root),
            "gather" => Kind::Gather(root),
            "scatter" => Kind::Scatter(root),
            _ => return Err(wrong(format!("there is no collective `{}`", crate::input::excerpt(&file.collective)))),
        };
        if ranks < 2 || root >= ranks {
            return Err(wrong(format!("{ranks} GPUs, and root {root}")));
        }
        let most = |size: &dyn Fn(&super::file::Gpu) -> u32| file.gpus.iter().map(size).max().unwrap_or(0);
        let (input, output) = (most(&|gpu| gpu.input), most(&|gpu| gpu.output));
        let (chunks, peers) = match kind {
            Kind::AllGather | Kind::Gather(_) => (output.max(input.saturating_mul(ranks)), ranks),
            Kind::AllToAll => (input.max(output), ranks),
            Kind::ReduceScatter | Kind::Scatter(_) => (input.max(output.saturating_mul(ranks)), ranks),
            Kind::AllReduce | Kind::Broadcast(_) | Kind::Reduce(_) => (input.max(output), 1),
        };
        let chunks = if file.inplace { input.max(output) } else { chunks };
        if chunks == 0 || chunks % peers != 0 || u64::from(chunks) * u64::from(ranks) > MOST {
            let message = format!("{chunks} chunks of the largest buffer, for {peers} peers of {ranks} GPUs");
            return Err(wrong(message));
        }
        Ok(Self { kind, ranks, block: chunks / peers, inplace: file.inplace })
    }

    /// Number of GPUs.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// True if chunks are summed.
    pub fn combines(&self) -> bool {
        matches!(self.kind, Kind::AllReduce | Kind::ReduceScatter | Kind::Reduce(_))
    }

    /// Chunks of a GPU's input.
    pub fn inputs(&self, rank: u32) -> u32 {
        match self.kind {
            Kind::AllToAll | Kind::ReduceScatter => self.block * self.ranks,
            Kind::Broadcast(root) => {
                if rank == root {
                    self.block
                } else {
                    0
                }
            }
            Kind::Scatter(root) => {
                if rank == root {
                    self.block * self.ranks
                } else {
                    0
                }
            }
            _ => self.block,
        }
    }

    /// Place of a chunk; in place, input and output are one buffer.
    pub fn place(&self, rank: u32, (buffer, chunk): (Buffer, u32)) -> (Buffer, u32) {
        let whole = match (self.kind, buffer) {
            _ if !self.inplace => return (buffer, chunk),
            (Kind::AllGather | Kind::Gather(_), Buffer::Input) => chunk.saturating_add(rank * self.block),
            (Kind::ReduceScatter | Kind::Scatter(_), Buffer::Output) => chunk.saturating_add(rank * self.block),
            _ => chunk,
        };
        (if buffer == Buffer::Output { Buffer::Input } else { buffer }, whole)
    }

    /// Number of the sum to which a chunk of the input belongs.
    pub fn sum(&self, (_, chunk): Word) -> u32 {
        if self.combines() { chunk } else { 0 }
    }

    /// Sums, by number.
    pub fn sums(&self) -> Vec<Wanted> {
        let all: Vec<u32> = (0..self.ranks).collect();
        let sum = |to: Vec<u32>| Wanted { from: all.clone(), to };
        match self.kind {
            Kind::AllReduce => (0..self.block).map(|_| sum(all.clone())).collect(),
            Kind::Reduce(root) => (0..self.block).map(|_| sum(vec![root])).collect(),
            Kind::ReduceScatter => (0..self.block * self.ranks).map(|chunk| sum(vec![chunk / self.block])).collect(),
            _ => Vec::new(),
        }
    }

    /// Chunks of a GPU's output, each with the words of which it is to be made.
    pub fn outputs(&self, rank: u32) -> Vec<Vec<Word>> {
        let (block, ranks) = (self.block, self.ranks);
        let of_all = |chunk: u32| (0..ranks).map(|from| (from, chunk)).collect::<Vec<Word>>();
        let blocks = |word: &dyn Fn(u32, u32) -> Word| {
            (0..ranks)
                .flat_map(|from| (0..block).map(move |chunk| (from, chunk)))
                .map(|(f, c)| vec![word(f, c)])
                .collect()
        };
        let own = |root: u32| rank == root;
        match self.kind {
            Kind::AllGather => blocks(&|from, chunk| (from, chunk)),
            Kind::Gather(root) if own(root) => blocks(&|from, chunk| (from, chunk)),
            Kind::AllToAll => blocks(&|from, chunk| (from, rank * block + chunk)),
            Kind::AllReduce => (0..block).map(of_all).collect(),
            Kind::Reduce(root) if own(root) => (0..block).map(of_all).collect(),
            Kind::ReduceScatter => (0..block).map(|chunk| of_all(rank * block + chunk)).collect(),
            Kind::Broadcast(root) => (0..block).map(|chunk| vec![(root, chunk)]).collect(),
            Kind::Scatter(root) => (0..block).map(|chunk| vec![(root, rank * block + chunk)]).collect(),
            Kind::Gather(_) | Kind::Reduce(_) => Vec::new(),
        }
    }
}

/// Words in words: `0.1 + 2.1`, GPU before index.
pub(super) fn text<'a>(words: impl IntoIterator<Item = &'a Word>) -> String {
    let all: Vec<String> = words.into_iter().map(|(gpu, chunk)| format!("{gpu}.{chunk}")).collect();
    all.join(" + ")
}
