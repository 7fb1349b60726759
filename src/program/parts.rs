//! Parts of combinations, as the exchange form numbers them.

use super::{Origin, Program};

impl Program {
    /// Gives the words that nodes have from the beginning the numbers of their parts: `part` says that of a value, or nothing for a word
    /// that is not combined.
    pub fn number_parts(&mut self, part: impl Fn(usize) -> Option<u32>) {
        for (index, value) in self.values.iter_mut().enumerate() {
            if let (Origin::Message | Origin::Word { .. }, Some(first)) = (value.origin, part(index)) {
                value.origin = Origin::Word { first, stride: 0 };
            }
        }
    }
}
