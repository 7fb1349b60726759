//! Networks that a schedule's network is a part of.

use super::exported::Exported;
use std::io::{self, Write};

/// Messages of one pass on one network, from node to node.
pub type Messages = Vec<(u32, u32)>;

/// A larger network with the schedule's network in one place or several, proved.
pub trait EnclosingNetwork {
    /// The program of one network in all its places, on the whole network; its messages, where these are all that it does.
    fn placed(&self, exported: Exported, messages: Option<Messages>) -> Exported;

    /// Text above the verdict: the whole network and the places in it.
    fn heading(&self) -> String;

    /// Sentences of the proof.
    fn argument(&self) -> Vec<String>;

    /// Sentence where hardware is not of the whole network.
    fn remark(&self) -> Option<String>;

    /// Writes the ports of the whole network for each port of the schedule's, as comments above a table.
    ///
    /// # Errors
    /// If the writer fails.
    fn write_ports(&self, writer: &mut dyn Write) -> io::Result<()>;
}
