//! Entries of the topologies that run in slot tables: name, keys of `[network]`, and the network of their values.
//!
//! A topology is one file of this folder with a [`Kind`], and its line in [`KINDS`](super::KINDS). Parser, schema, starter, exchange format
//! and every command take it from there.

use super::Topology;
use serde_json::{Map, Value};
use std::fmt;
use std::ops::Range;

/// Values of the keys of `[network]`, by key.
pub type Sizes = Map<String, Value>;

/// Network that can be asked from several threads.
pub type Network = Box<dyn Topology + Sync>;

/// Topology that runs in slot tables.
pub struct Kind {
    /// Name in a specification.
    pub name: &'static str,
    /// Name in a message, with its article.
    pub who: &'static str,
    /// Description, for the schema.
    pub about: &'static str,
    /// Keys of the sizes, in their order.
    pub keys: &'static [Key],
    /// Key at which a network that is too large is reported.
    pub size: &'static str,
    /// Classes of channels whose latency can be written apart.
    pub classes: &'static [Class],
    /// Keys beside the sizes.
    pub options: Options,
    /// Nodes combine words, which they do not where circuits lead through media.
    pub combines: bool,
    /// Network of a table with the sizes; none of sizes that it cannot have, or that do not say which channels there are.
    pub build: fn(&Value) -> Option<Network>,
    /// Check of the sizes against each other, which fills in those that were left out; empty if they fit.
    pub settle: fn(&mut Sizes) -> Vec<Unfit>,
    /// Network of a file that a key names, if one does.
    pub file: Option<NetworkFile>,
}

impl Kind {
    /// Topology of the name, with `keys`; the first of them is reported where the network is too large.
    pub const fn new(
        [name, who, about]: [&'static str; 3],
        keys: &'static [Key],
        build: fn(&Value) -> Option<Network>,
    ) -> Self {
        let (size, settle) = (keys[0].name, Self::settled as fn(&mut Sizes) -> Vec<Unfit>);
        Self {
            name,
            who,
            about,
            keys,
            size,
            classes: &[],
            options: Options::All,
            combines: true,
            build,
            settle,
            file: None,
        }
    }

    const fn settled(_: &mut Sizes) -> Vec<Unfit> {
        Vec::new()
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

/// Key of `[network]` that is a size of the topology.
pub struct Key {
    /// Name.
    pub name: &'static str,
    /// Description, a noun phrase without a full stop: for the schema and the starter.
    pub about: &'static str,
    /// Values.
    pub shape: Shape,
    /// Value in the starter, as TOML.
    pub example: &'static str,
    /// Help where the key is missing; empty if it may be left out.
    pub missing: &'static str,
}

impl Key {
    /// Whole number of a range that must be there.
    pub const fn number(
        name: &'static str,
        [least, most]: [u32; 2],
        about: &'static str,
        example: &'static str,
        missing: &'static str,
    ) -> Self {
        Self { name, about, shape: Shape::Number { least, most }, example, missing }
    }

    /// One of several names; the first is the default.
    pub const fn choice(name: &'static str, names: &'static [&'static str], about: &'static str) -> Self {
        Self { name, about, shape: Shape::Choice { names, file: "" }, example: "", missing: "" }
    }
}

/// Lengths of dimensions.
pub const DIMS: Key = Key {
    name: "dims",
    about: "lengths of the dimensions; their product is at most 2^16",
    shape: Shape::Lengths,
    example: "[4, 4]",
    missing: "say how long each dimension is: `dims = [4, 4]`",
};

/// Values of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Whole number.
    Number {
        /// Least value.
        least: u32,
        /// Largest value.
        most: u32,
    },
    /// Lengths of dimensions: 1 to 16 whole numbers from 1 on.
    Lengths,
    /// A name; the first is the default.
    Choice {
        /// Names.
        names: &'static [&'static str],
        /// Dotted name of the table with the key `file` that may stand in place of a name; empty if none may.
        file: &'static str,
    },
    /// A list of names like the one given.
    Texts {
        /// Regular expression of a name.
        pattern: &'static str,
        /// Most names.
        most: usize,
    },
    /// A list of lists of whole numbers.
    Lists {
        /// Largest number.
        most: u32,
        /// Most lists.
        lists: usize,
    },
    /// Name of a file beside the specification.
    File,
}

/// Class of channels whose latency can be written apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// `local`.
    Local,
    /// `global`.
    Global,
    /// `dims`, one number for each entry of the key `dims`.
    Dims,
    /// `levels`, one number for each entry of the key `levels`.
    Levels,
}

/// Keys of `[network]` beside the sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Options {
    /// `ports`, `latency`, `exclude_nodes`, `exclude_channels`.
    All,
    /// `exclude_nodes`, `exclude_channels`: hops are circuits.
    Exclusions,
}

/// Sizes that do not fit each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// Keys at fault; `levels.0` is the first entry of the list `levels`.
    pub keys: Vec<String>,
    /// Error in words.
    pub message: String,
    /// Help in words.
    pub help: String,
}

impl Unfit {
    /// Sizes of these keys.
    pub fn new(keys: &[&str], message: String, help: String) -> Self {
        Self { keys: keys.iter().map(|&key| key.to_owned()).collect(), message, help }
    }
}

/// Network that a file beside the specification lists.
#[derive(Clone, Copy)]
pub struct NetworkFile {
    /// Key that names the file; a dot leads into a table.
    pub key: &'static str,
    /// The file says all of it: there are no sizes.
    pub alone: bool,
    /// Endings of files that are read; any if empty.
    pub endings: fn() -> Vec<&'static str>,
    /// Network of the sizes and of the text of a file with an ending.
    pub read: fn(&Sizes, &str, &str) -> Result<Listed, ListingError>,
}

/// Error of a file, and the bytes at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingError {
    /// Bytes of the text.
    pub place: Range<usize>,
    /// Message.
    pub message: String,
    /// Help.
    pub help: &'static str,
}

/// Network of a file.
pub struct Listed {
    /// Network.
    pub network: Network,
    /// Cycles of channels that the file tells, by node and port; empty if it tells none.
    pub latency: Vec<Vec<Option<u32>>>,
}
