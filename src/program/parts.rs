//! Parts of combinations, as the exchange form numbers them.

use super::{Origin, Program};

impl Program {
    /// Sets the part numbers of words that nodes have from the beginning. `part` gives the number of a value, or None
    /// for a word that is not combined.
    pub fn number_parts(&mut self, part: impl Fn(usize) -> Option<u32>) {
        for (index, value) in self.values.iter_mut().enumerate() {
            if let (Origin::Message | Origin::Word { .. }, Some(first)) = (value.origin, part(index)) {
                value.origin = Origin::Word { first, stride: 0 };
            }
        }
    }
}
