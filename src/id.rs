//! Typed indices and times, so that a router is never mistaken for a channel or a cycle for a slot.

use serde::Serialize;
use std::fmt;

macro_rules! newtype {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            /// Wraps a raw value.
            pub const fn new(value: u32) -> Self {
                Self(value)
            }

            /// The raw value.
            pub const fn get(self) -> u32 {
                self.0
            }

            /// The raw value, for indexing into an array that is laid out by it.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// # Panics
            /// If the value needs more than 32 bits; no network of this size can be built.
            fn from(value: usize) -> Self {
                Self(u32::try_from(value).expect("an index of a network fits in 32 bits")) // sizes are bounded by the spec
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

newtype!(
    /// A node of a network: its position in the topology's lexicographic order of labels.
    NodeId
);
newtype!(
    /// A directed channel: `node * ports + port`, loopbacks included.
    ChannelId
);
