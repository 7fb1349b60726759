//! Broadcast: one node has words for all. Input `X[n]`, output `out[j][n]` = `X[n]` for every node j, the source
//! included. With several networks at once, each has its own words, and all arrays have one more first axis.

use super::{Collective, Item, Words, npy};

/// The traffic of a broadcast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broadcast {
    nodes: u32,
    count: u32,
    networks: u32,
    root: u32,
}

impl Broadcast {
    /// A broadcast of `count` words to `nodes` nodes.
    pub fn new(nodes: u32, count: u32) -> Self {
        Self { nodes, count, networks: 1, root: 0 }
    }

    /// Broadcast of this form from node `root` instead of node 0.
    pub fn from_root(self, root: u32) -> Self {
        Self { root, ..self }
    }

    /// Broadcast in each of `networks` networks; arrays have a first axis more.
    pub fn in_networks(self, networks: u32) -> Self {
        Self { networks, ..self }
    }

    /// Words that go in.
    fn words(&self) -> usize {
        (self.networks * self.count) as usize
    }

    /// Number of nodes.
    pub fn nodes(&self) -> u32 {
        self.nodes
    }

    /// Number of words.
    pub fn count(&self) -> u32 {
        self.count
    }
}

impl Collective for Broadcast {
    fn shape(&self) -> (Vec<usize>, String) {
        npy::in_networks(self.networks, vec![self.count as usize], "[word]")
    }

    /// The words of each network at all of its nodes.
    fn expected(&self, words: &Words) -> Words {
        let (nodes, count) = (self.nodes as usize, self.count as usize);
        Words::from_fn(words.dtype(), nodes * words.len(), |i| words.get(i / (nodes * count) * count + i % count))
    }

    /// Of shape (nodes, count), or (networks, nodes, count).
    fn to_npy(&self, results: &Words) -> Vec<u8> {
        npy::to_bytes(&npy::in_networks(self.networks, vec![self.nodes as usize, self.count as usize], "").0, results)
    }

    fn result_len(&self) -> usize {
        self.words() * self.nodes as usize
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        let (count, nodes) = (self.count as usize, self.nodes as usize);
        (label(index / count / nodes, index / count % nodes), format!("word {}", index % count))
    }

    fn sent(&self, item: Item) -> usize {
        item.word as usize
    }

    fn received(&self, Item { to, word, .. }: Item) -> Option<usize> {
        Some(to.index() * self.count as usize + word as usize)
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        (0..self.count as usize).map(|word| (word, self.root as usize * self.count as usize + word)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_gets_every_word() {
        let traffic = Broadcast::new(3, 2);
        let all = traffic.expected(&Words::U16(vec![7, 500]));
        assert_eq!(all, Words::U16(vec![7, 500, 7, 500, 7, 500]));
        assert!(traffic.to_npy(&all).windows(6).any(|bytes| bytes == b"(3, 2)"));
        let each = traffic.in_networks(2);
        let all = each.expected(&Words::U8(vec![1, 2, 3, 4]));
        assert_eq!(all, Words::U8(vec![1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4]));
        assert!(each.to_npy(&all).windows(9).any(|bytes| bytes == b"(2, 3, 2)"));
    }
}
