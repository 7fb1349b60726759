//! The exchange form `metronoc-schedule/1`: a schedule in full, for other people's tools and from them.
//!
//! - Loopbacks are registers inside a router, not channels of the network, and are left out; the other channels are numbered
//!   without gaps, by node and port.
//! - A message of several words that is sent in passes is as many passes of the same transfers, and a repeated collective
//!   likewise: one pass is written.
//! - Operations take no time. A packet that an operation makes is at its node from the cycle in which the inputs are
//!   there. If it leaves later, it has waited for the operator.

use super::packet::{Op, Packet};
use super::{Expansion, Program, Switching, Waiting};
use crate::id::NodeId;
use crate::topology::Topology;
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, BufWriter, Write};

/// Name of the form.
const FORMAT: &str = "metronoc-schedule/1";

/// A node as the form labels it: a name before its coordinates, or coordinates alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Node(pub Value);

impl Node {
    /// The label of a node.
    pub fn new<T: Topology + ?Sized>(net: &T, node: NodeId) -> Self {
        if let Some(name) = net.name_of(node) {
            return Self(Value::from(name));
        }
        let tag = net.tag(node).map(Value::from);
        Self(tag.into_iter().chain(net.label(node).into_iter().map(Value::from)).collect())
    }

    /// True if the label is that of a processor, which holds words where circuits lead through other nodes.
    pub fn is_processor(&self) -> bool {
        self.0[0] == "p"
    }

    /// True if a name in the label has a control character.
    fn is_unprintable(&self) -> bool {
        let is = |value: &Value| value.as_str().is_some_and(|name| name.contains(char::is_control));
        is(&self.0) || self.0.as_array().is_some_and(|parts| parts.iter().any(is))
    }
}

/// A schedule in full.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Name of the form.
    pub format: String,
    /// The specification's table of the network, defaults filled in.
    pub network: Value,
    /// The specification's table of the collective, defaults filled in.
    pub collective: Value,
    /// `hop` or `circuit`.
    pub switching: String,
    /// Labels of all nodes.
    pub nodes: Vec<Node>,
    /// The two ends of each channel.
    pub channels: Vec<(u32, u32)>,
    /// Cycles of a hop, by channel; 1 everywhere if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<Vec<u32>>,
    /// Packets.
    pub packets: Vec<Packet>,
    /// Cycle, channel and packet of each transfer.
    pub transfers: Vec<(u32, u32, u64)>,
    /// Operations that nodes carry out; None in a document without operations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ops: Option<Vec<Op>>,
    /// Permission for packets to wait at nodes of their route.
    #[serde(default = "waits")]
    pub waiting: bool,
    /// Period in cycles after which the schedule may start again, if the document has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat_every: Option<u32>,
    /// The first cycle at whose start everything is in place.
    pub cycles: u32,
}

fn waits() -> bool {
    true
}

/// A document while it is written: nothing of it is kept in memory but the program.
#[derive(Serialize)]
struct Written<'a, N, C, P, T> {
    format: &'static str,
    network: &'a Value,
    collective: &'a Value,
    switching: &'static str,
    nodes: N,
    channels: C,
    #[serde(skip_serializing_if = "Option::is_none")]
    latency: Option<Vec<u32>>,
    packets: P,
    transfers: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    ops: Option<Vec<Op>>,
    waiting: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    repeat_every: Option<u32>,
    cycles: u32,
}

/// A sequence that is made while it is written.
struct Stream<F>(F);

impl<F, I> Serialize for Stream<F>
where
    F: Fn() -> I,
    I: Iterator,
    I::Item: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

/// Error of a file that holds no schedule.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Error of the JSON reader: the text does not have the exchange form.
    #[error("not a {FORMAT} document: {0}")]
    Json(#[from] serde_json::Error),
    /// Name of a form or version that this reader does not know.
    #[error("the format is `{0}`, and only {FORMAT} can be read")]
    Format(String),
    /// Label of a node that would break a line of a file, as JSON.
    #[error("the label {0} of a node has a line end or another control character")]
    Label(String),
}

impl Document {
    /// Name of the form.
    pub const FORMAT: &str = FORMAT;

    /// The schedule in full; `tables` are the network's and the collective's of the specification.
    pub fn new<T: Topology + ?Sized>(expansion: &Expansion<'_, T>, tables: [&Value; 2]) -> Self {
        let [network, collective] = tables.map(Value::clone);
        let (net, program) = expansion.parts();
        Self {
            format: FORMAT.into(),
            network,
            collective,
            switching: switching(program).into(),
            nodes: (0..net.nodes()).map(|node| Node::new(net, node.into())).collect(),
            channels: expansion.channels().map(|(src, dst)| (src.get(), dst.get())).collect(),
            latency: expansion.latencies(),
            packets: expansion.packets().collect(),
            transfers: expansion.transfers().collect(),
            ops: (!program.ops.is_empty()).then(|| expansion.ops()),
            waiting: expansion.waiting() == Waiting::Some,
            repeat_every: program.period,
            cycles: expansion.cycles(),
        }
    }

    /// Reads a document.
    ///
    /// # Errors
    /// [`ReadError`] with the line and column if it is none.
    pub fn read(text: &[u8]) -> Result<Self, ReadError> {
        let document: Self = serde_json::from_slice(text)?;
        if document.format != FORMAT {
            return Err(ReadError::Format(document.format));
        }
        match document.nodes.iter().find(|node| node.is_unprintable()) {
            None => Ok(document),
            Some(node) => Err(ReadError::Label(node.0.to_string())),
        }
    }

    /// Writes the document on one line.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, writer: impl Write) -> io::Result<()> {
        finish(self, writer)
    }
}

fn switching(program: &Program) -> &'static str {
    match program.switching {
        Switching::Circuit => "circuit",
        Switching::Hop(_) | Switching::HopByChannel(_) => "hop",
    }
}

fn finish(document: &impl Serialize, writer: impl Write) -> io::Result<()> {
    let mut writer = BufWriter::new(writer);
    serde_json::to_writer(&mut writer, document)?;
    writeln!(writer)?;
    writer.flush()
}

impl<T: Topology + ?Sized> Expansion<'_, T> {
    /// Writes the schedule in full, as [`Document::write`] does, without keeping it in memory.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn write(&self, [network, collective]: [&Value; 2], writer: impl Write) -> io::Result<()> {
        let (net, program) = self.parts();
        let document = Written {
            format: FORMAT,
            network,
            collective,
            switching: switching(program),
            nodes: Stream(|| (0..net.nodes()).map(|node| Node::new(net, node.into()))),
            channels: Stream(|| self.channels()),
            latency: self.latencies(),
            packets: Stream(|| self.packets()),
            transfers: Stream(|| self.transfers()),
            ops: (!program.ops.is_empty()).then(|| self.ops()),
            waiting: self.waiting() == Waiting::Some,
            repeat_every: program.period,
            cycles: self.cycles(),
        };
        finish(&document, writer)
    }
}
