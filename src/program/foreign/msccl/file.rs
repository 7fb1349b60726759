//! The file: GPUs, threadblocks and steps, as they are written.

use super::super::place::FormError;
use crate::input::character_place;
use roxmltree::{Document, Node, ParsingOptions};
use std::ops::Range;
use strum::EnumString;

const FORM: &str = "write `<algo coll=… ngpus=… inplace=…>` with `<gpu id=… i_chunks=… o_chunks=… s_chunks=…>`, in each `<tb id=… send=… \
                    recv=… chan=…>`, in each `<step s=… type=… srcbuf=… srcoff=… dstbuf=… dstoff=… cnt=… depid=… deps=… hasdep=…/>`";

/// Most GPUs, threadblocks and steps.
const MOST: usize = 1 << 16;
/// Most threadblocks of all GPUs.
const MOST_BLOCKS: usize = 4096;
/// Most chunks that all steps touch.
const MOST_STEPS: u64 = 1 << 22;
/// Most chunks of a buffer.
const MOST_CHUNKS: u32 = 1 << 16;

/// A program.
pub(super) struct File {
    pub collective: String,
    pub inplace: bool,
    pub gpus: Vec<Gpu>,
    /// The first line.
    pub place: Range<usize>,
}

/// A GPU.
pub(super) struct Gpu {
    /// Chunks of the input and the output.
    pub input: u32,
    pub output: u32,
    pub blocks: Vec<Block>,
    pub place: Range<usize>,
}

/// A threadblock.
pub(super) struct Block {
    /// GPU to which it sends, if it does.
    pub send: Option<u32>,
    /// GPU from which it receives, if it does.
    pub receive: Option<u32>,
    pub channel: i64,
    pub steps: Vec<Step>,
    pub place: Range<usize>,
}

/// Buffer of a GPU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, EnumString, strum::Display)]
pub(super) enum Buffer {
    #[strum(serialize = "i")]
    Input,
    #[strum(serialize = "o")]
    Output,
    #[strum(serialize = "s")]
    Scratch,
}

/// Type of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
pub(super) enum Kind {
    #[strum(serialize = "s")]
    Send,
    #[strum(serialize = "r")]
    Receive,
    #[strum(serialize = "rcs")]
    ReceiveCopySend,
    #[strum(serialize = "rrs")]
    ReceiveReduceSend,
    #[strum(serialize = "rrc")]
    ReceiveReduceCopy,
    #[strum(serialize = "rrcs")]
    ReceiveReduceCopySend,
    #[strum(serialize = "cpy")]
    Copy,
    #[strum(serialize = "re")]
    Reduce,
    #[strum(serialize = "nop")]
    Nothing,
}

impl Kind {
    /// True if it receives.
    pub fn receives(self) -> bool {
        matches!(self, Kind::Receive | Kind::ReceiveCopySend | Kind::ReceiveReduceSend | Kind::ReceiveReduceCopy)
            || self == Kind::ReceiveReduceCopySend
    }

    /// True if it sends.
    pub fn sends(self) -> bool {
        matches!(self, Kind::Send | Kind::ReceiveCopySend | Kind::ReceiveReduceSend | Kind::ReceiveReduceCopySend)
    }
}

/// A step.
pub(super) struct Step {
    pub kind: Kind,
    /// Buffer and first chunk.
    pub source: (Buffer, u32),
    pub destination: (Buffer, u32),
    pub count: u32,
    /// Threadblock of the GPU and its step that come before.
    pub after: Option<(usize, usize)>,
    pub place: Range<usize>,
}

/// An element, with its text.
#[derive(Clone, Copy)]
struct Element<'a, 'b> {
    node: Node<'a, 'b>,
    text: &'a str,
}

impl<'a> Element<'a, '_> {
    /// Place of its first line.
    fn place(self) -> Range<usize> {
        let Range { start, end } = self.node.range();
        start..start + self.text[start..end].find('\n').unwrap_or(end - start)
    }

    fn wrong(self, message: String) -> FormError {
        FormError::new(self.place(), message, FORM)
    }

    fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    fn attribute(self, name: &str) -> Result<&'a str, FormError> {
        self.node.attribute(name).ok_or_else(|| self.wrong(format!("`{}` lacks `{name}`", self.name())))
    }

    fn number(self, name: &str) -> Result<i64, FormError> {
        let text = self.attribute(name)?;
        let number = text.parse().ok().filter(|number| (-1..=i64::from(MOST_CHUNKS)).contains(number));
        number.ok_or_else(|| self.wrong(format!("`{name}` is `{}`, no number", crate::input::excerpt(text))))
    }

    /// Number of a thing, none if it is -1.
    fn index(self, name: &str) -> Result<Option<u32>, FormError> {
        Ok(u32::try_from(self.number(name)?).ok())
    }

    fn size(self, name: &str) -> Result<u32, FormError> {
        self.index(name)?.ok_or_else(|| self.wrong(format!("`{name}` is negative")))
    }

    /// Elements in it, all of which have this name and, in order, the numbers 0, 1, 2, … as `key`.
    fn children(self, name: &'static str, key: &str) -> Result<Vec<Self>, FormError> {
        let elements = self.node.children().filter(Node::is_element);
        let all: Vec<Self> = elements.map(|node| Self { node, text: self.text }).collect();
        if all.len() > MOST {
            return Err(self.wrong(format!("more than {MOST} elements `{name}`")));
        }
        for (number, element) in all.iter().enumerate() {
            if element.name() != name {
                return Err(element.wrong(format!("`{}` in `{}`, in place of `{name}`", element.name(), self.name())));
            }
            if element.number(key)? != number as i64 {
                return Err(element.wrong(format!("`{key}` is no {number}: elements `{name}` are numbered in order")));
            }
        }
        Ok(all)
    }
}

impl File {
    /// The program of a text.
    pub fn read(text: &str) -> Result<Self, FormError> {
        let options = ParsingOptions { nodes_limit: 1 << 23, ..ParsingOptions::default() };
        let document = Document::parse_with_options(text, options).map_err(|fault| {
            let at = fault.pos();
            let place = character_place(text, at.row as usize, at.col as usize);
            FormError::new(place, format!("this is no XML: {fault}"), FORM)
        })?;
        let root = Element { node: document.root_element(), text };
        if root.name() != "algo" {
            return Err(root.wrong(format!("`{}` in place of `algo`", root.name())));
        }
        let gpus = root.children("gpu", "id")?;
        if gpus.len() as i64 != root.number("ngpus")? {
            return Err(root.wrong(format!("{} GPUs, and `ngpus` is another number", gpus.len())));
        }
        let gpus = gpus.into_iter().map(gpu).collect::<Result<Vec<Gpu>, _>>()?;
        let inplace = root.node.attribute("inplace").is_some_and(|value| value != "0");
        let file = Self { collective: root.attribute("coll")?.to_owned(), inplace, gpus, place: root.place() };
        file.check()?;
        Ok(file)
    }

    /// Refuses peers and dependencies that are not there.
    fn check(&self) -> Result<(), FormError> {
        let gpus = self.gpus.len() as u32;
        let blocks = || self.gpus.iter().flat_map(|gpu| &gpu.blocks);
        let chunks: u64 = blocks().flat_map(|block| &block.steps).map(|step| u64::from(step.count)).sum();
        if blocks().count() > MOST_BLOCKS || chunks > MOST_STEPS {
            let message = format!("{} threadblocks, whose steps touch {chunks} chunks", blocks().count());
            let help = format!("at most {MOST_BLOCKS} threadblocks and {MOST_STEPS} chunks are read");
            return Err(FormError::new(self.place.clone(), message, help));
        }
        for (number, gpu) in (0..).zip(&self.gpus) {
            let mut ends = Vec::new();
            for block in &gpu.blocks {
                let wrong = |message: String| Err(FormError::new(block.place.clone(), message, FORM));
                if let Some(peer) =
                    [block.send, block.receive].into_iter().flatten().find(|&p| p >= gpus || p == number)
                {
                    return wrong(format!(
                        "a threadblock of GPU {number} of {gpus} sends to, or receives from, {peer}"
                    ));
                }
                for (peer, word) in [(block.send, "send to"), (block.receive, "receive from")] {
                    let end = (peer, word, block.channel);
                    if peer.is_some() && ends.contains(&end) {
                        let peer = peer.unwrap_or_default();
                        return wrong(format!("two threadblocks {word} GPU {peer} on channel {}", block.channel));
                    }
                    ends.push(end);
                }
                for step in &block.steps {
                    let wrong = |message: String| Err(FormError::new(step.place.clone(), message, FORM));
                    let there =
                        |&(of, index): &(usize, usize)| gpu.blocks.get(of).is_some_and(|b| index < b.steps.len());
                    if let Some((of, index)) = step.after.filter(|after| !there(after)) {
                        return wrong(format!("there is no step {index} of threadblock {of}, on which this depends"));
                    }
                    if step.kind.sends() && block.send.is_none() || step.kind.receives() && block.receive.is_none() {
                        return wrong("the threadblock has no GPU to send to, or to receive from".into());
                    }
                }
            }
        }
        Ok(())
    }
}

fn gpu(element: Element<'_, '_>) -> Result<Gpu, FormError> {
    let (input, output) = (element.size("i_chunks")?, element.size("o_chunks")?);
    let blocks = element.children("tb", "id")?.into_iter().map(block).collect::<Result<_, _>>()?;
    Ok(Gpu { input, output, blocks, place: element.place() })
}

fn block(element: Element<'_, '_>) -> Result<Block, FormError> {
    let [send, receive] = [element.index("send")?, element.index("recv")?];
    let steps = element.children("step", "s")?.into_iter().map(step).collect::<Result<_, _>>()?;
    Ok(Block { send, receive, channel: element.number("chan")?, steps, place: element.place() })
}

fn step(element: Element<'_, '_>) -> Result<Step, FormError> {
    let kind = element.attribute("type")?;
    let wrong = |what: &str, text: &str| element.wrong(format!("there is no {what} `{}`", crate::input::excerpt(text)));
    let kind: Kind = kind.parse().map_err(|_| wrong("type", kind))?;
    let after = match (element.index("depid")?, element.index("deps")?) {
        (Some(block), Some(step)) => Some((block as usize, step as usize)),
        _ => None,
    };
    let place = element.place();
    let none = (Buffer::Input, 0);
    if kind == Kind::Nothing {
        return Ok(Step { kind, source: none, destination: none, count: 0, after, place });
    }
    let chunks = |buffer: &str, offset: &str| {
        let name = element.attribute(buffer)?;
        Ok((name.parse::<Buffer>().map_err(|_| wrong("buffer", name))?, element.size(offset)?))
    };
    let reads = matches!(kind, Kind::Send | Kind::Copy | Kind::Reduce);
    let source = if reads { chunks("srcbuf", "srcoff")? } else { none };
    let destination = if kind == Kind::Send { none } else { chunks("dstbuf", "dstoff")? };
    let count = element.node.attribute("cnt").map_or(Ok(1), |_| element.size("cnt"))?;
    Ok(Step { kind, source, destination, count, after, place })
}
