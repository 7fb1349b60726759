//! Words of a trial: one collective on random data, as the tiles of a network take and give them.

/// Words that are loaded and read out in one collective.
#[derive(Debug, Clone)]
pub struct Trial {
    /// Tile and word of every load, in order.
    pub loads: Vec<(u32, u64)>,
    /// Words that are read out, tile after tile; none where a word is no result.
    pub wants: Vec<Option<u64>>,
    /// Bits of a word that are compared.
    pub mask: u64,
}

impl Trial {
    /// Words that each tile takes; and of `read` words that are read out, the position and value of those that are results.
    pub fn new(
        loads: impl IntoIterator<Item = (u32, Vec<u64>)>,
        read: usize,
        results: impl IntoIterator<Item = (usize, u64)>,
    ) -> Self {
        let of = |(tile, words): (u32, Vec<u64>)| words.into_iter().map(move |word| (tile, word));
        let mut wants = vec![None; read];
        results.into_iter().for_each(|(place, word)| wants[place] = Some(word));
        Self { loads: loads.into_iter().flat_map(of).collect(), wants, mask: u64::MAX }
    }
}
