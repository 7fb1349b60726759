//! Entries of the collectives that run on any network: name, keys of `[collective]`, and the rule of their values.
//!
//! A collective is one file of this folder with a [`Kind`], and its line in [`KINDS`](super::registry::KINDS). Parser, schema and every command take it
//! from there.

use super::Rule;
use super::keys::{Keys, MAX_COUNT, MAX_WORDS};
use crate::collective::pattern::Unfit;
use std::fmt;
use std::path::Path;
use std::rc::Rc;

/// Rule of the values of the keys, among some endpoints.
pub type MakeRule = fn(&Keys, &Among<'_>) -> Result<Rc<dyn Rule>, Unfit>;

/// Kind of collective that runs on any network.
pub struct Kind {
    /// Name in a specification.
    pub name: &'static str,
    /// Description, for the schema.
    pub about: &'static str,
    /// Keys beside those of all kinds.
    pub parts: &'static [Part],
    /// Key of the words a block: `words`, or `count` of words that one node sends to all.
    pub words: &'static str,
    /// Rule of the values of the keys.
    pub rule: MakeRule,
}

impl Kind {
    /// Kind of collective of blocks of `words`.
    pub const fn new([name, about]: [&'static str; 2], parts: &'static [Part], rule: MakeRule) -> Self {
        Self { name, about, parts, words: "words", rule }
    }

    /// Most words of a block.
    pub fn most_words(&self) -> u32 {
        if self.words == "words" { MAX_WORDS } else { MAX_COUNT }
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Kind {}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Keys that some kinds have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// `root`.
    Root,
    /// `op`.
    Operator,
    /// Keys of a permutation.
    Permutation,
    /// Keys of a list of packets.
    Demands,
}

impl Part {
    /// Line of a starter.
    pub fn starter(self) -> &'static str {
        match self {
            Part::Root => "root = 0                    # node at the root, by number",
            Part::Operator => "op = \"sum\"                  # or \"min\", \"max\", \"xor\"",
            Part::Permutation => {
                "pattern = \"reversal\"        # or another by name; or `permutation = [1, 0, …]`, or `file`"
            }
            Part::Demands => {
                "h = 2                       # random blocks, h from and to each node; or `demands = [[0, 1], …]`, or `file`"
            }
        }
    }
}

/// Endpoints of a collective, and what the values of its keys refer to.
#[derive(Debug, Clone, Copy)]
pub struct Among<'a> {
    /// Number of endpoints.
    pub endpoints: u32,
    /// Folder of the files that keys name.
    pub folder: &'a Path,
    /// Seed of random choices without a seed of their own.
    pub seed: u64,
}
