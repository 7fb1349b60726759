//! Data of packets between processors, `words` words a packet. Input and output arrays, without the last axis if a
//! packet has one word:
//!
//! | kind | in | out | meaning |
//! |---|---|---|---|
//! | permutation | x\[n\]\[words\] | y\[n\]\[words\] | y\[π(i)\] = x\[i\] |
//! | h-relation | x\[packets\]\[words\] | y\[packets\]\[words\] | packets as listed; then by destination, those of one as listed |
//! | one-to-all | x\[words\], also for one word | y\[n\]\[words\] | y\[j\] = x |
//! | all-to-all | x\[n\]\[n\]\[words\] | y\[n\]\[n\]\[words\] | y\[j\]\[i\] = x\[i\]\[j\] |
//! | gather, scatter | x\[n\]\[words\] | y\[n\]\[words\] | y\[i\] = x\[i\]; all of y, or of x, is the root's |

use super::{Goal, Relation};
use crate::collective::words::with_words;
use crate::collective::{Collective, Item, Words, npy};

/// Data that packets carry.
#[derive(Debug, Clone)]
pub struct Delivery {
    relation: Relation,
    processors: usize,
    words: usize,
    /// Elements of the input in packets, with those that do not move.
    elements: usize,
    /// Index in the input array and index in the output array, by packet.
    moved: Vec<(usize, usize)>,
    /// Places, in and out, of elements that their own node keeps.
    home: Vec<(usize, usize)>,
}

impl Delivery {
    /// Delivery of packets of `words` words among `processors` processors.
    pub fn new(relation: &Relation, processors: u32, words: u32) -> Self {
        let n = processors as usize;
        let ends = relation.elements(processors);
        let ranks: Vec<usize> = match relation {
            Relation::Permutation(to) => to.iter().map(|&to| to as usize).collect(),
            Relation::Demands(list) => {
                let mut ranks = vec![0; list.len()];
                by_destination(list).into_iter().enumerate().for_each(|(rank, packet)| ranks[packet] = rank);
                ranks
            }
            Relation::AllToAll => (0..n * n).map(|i| i % n * n + i / n).collect(),
            Relation::OneToAll(root) => vec![root.root as usize],
            Relation::Gather(_) | Relation::Scatter(_) => (0..n).collect(),
        };
        let (elements, mut moved, mut home) = (ends.len(), Vec::new(), Vec::new());
        for ((element, (src, goal)), rank) in ends.into_iter().enumerate().zip(ranks) {
            match goal {
                Goal::One(to) if to == src => home.push((element, rank)),
                Goal::One(_) => moved.push((element, rank)),
                Goal::All => {
                    moved.push((element, rank));
                    home.push((element, rank));
                }
            }
        }
        Self { relation: relation.clone(), processors: n, words: words as usize, elements, moved, home }
    }

    /// Words of a packet.
    pub fn words(&self) -> usize {
        self.words
    }

    fn delivered<T: Copy>(&self, x: &[T]) -> Vec<T> {
        let (n, words) = (self.processors, self.words);
        let packet = |i: usize| x[i * words..(i + 1) * words].iter().copied();
        match &self.relation {
            Relation::Permutation(to) => {
                let mut y = x.to_vec();
                for (i, &to) in to.iter().enumerate() {
                    y[to as usize * words..][..words].copy_from_slice(&x[i * words..][..words]);
                }
                y
            }
            Relation::Demands(list) => by_destination(list).into_iter().flat_map(packet).collect(),
            Relation::OneToAll(_) => x.repeat(n),
            Relation::AllToAll => (0..n).flat_map(|j| (0..n).flat_map(move |i| packet(i * n + j))).collect(),
            Relation::Gather(_) | Relation::Scatter(_) => x.to_vec(),
        }
    }

    /// Owner of one packet of the result, and its meaning in words.
    fn owner(&self, index: usize) -> (u32, String) {
        let n = self.processors;
        match &self.relation {
            Relation::Permutation(to) => {
                let from = to.iter().position(|&to| to as usize == index).unwrap_or(index);
                (index as u32, format!("of processor {from}"))
            }
            Relation::Demands(list) => {
                let packet = by_destination(list)[index];
                let (from, to) = list[packet];
                (to, format!("of packet {packet} of processor {from}"))
            }
            Relation::OneToAll(root) => (index as u32, format!("of processor {}", root.root)),
            Relation::AllToAll => ((index / n) as u32, format!("of processor {}", index % n)),
            Relation::Gather(root) => (root.root, format!("of processor {index}")),
            Relation::Scatter(root) => (index as u32, format!("of processor {}", root.root)),
        }
    }
}

impl Collective for Delivery {
    fn shape(&self) -> (Vec<usize>, String) {
        let (n, words) = (self.processors, self.words);
        let (mut shape, axes) = match &self.relation {
            Relation::OneToAll(_) => return (vec![words], "[word of the packet]".to_owned()),
            Relation::AllToAll => (vec![n, n], ["[sender][receiver]", "[sender][receiver][word of the packet]"]),
            Relation::Demands(list) => (vec![list.len()], ["[packet]", "[packet][word of the packet]"]),
            Relation::Permutation(_) | Relation::Gather(_) => (vec![n], ["[sender]", "[sender][word of the packet]"]),
            Relation::Scatter(_) => (vec![n], ["[receiver]", "[receiver][word of the packet]"]),
        };
        shape.extend((words > 1).then_some(words));
        (shape, axes[usize::from(words > 1)].to_owned())
    }

    /// The data of all processors after the delivery.
    fn expected(&self, words: &Words) -> Words {
        with_words!(words, v => map self.delivered(v))
    }

    fn to_npy(&self, results: &Words) -> Vec<u8> {
        let shape = match &self.relation {
            Relation::OneToAll(_) if self.words > 1 => vec![self.processors, self.words],
            Relation::OneToAll(_) => vec![self.processors],
            _ => self.shape().0,
        };
        npy::to_bytes(&shape, results)
    }

    fn result_len(&self) -> usize {
        let packets = if let Relation::OneToAll(_) = self.relation { self.processors } else { self.elements };
        packets * self.words
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        let (processor, what) = self.owner(index / self.words);
        (label(0, processor as usize), format!("word {} {what}", index % self.words))
    }

    fn passes(&self) -> u32 {
        self.words as u32
    }

    // a word of a packet is sent in a pass of its own, or as that batch
    fn sent(&self, Item { value, word, pass, .. }: Item) -> usize {
        self.moved[value as usize].0 * self.words + (word + pass) as usize
    }

    fn received(&self, Item { value, to, word, pass, .. }: Item) -> Option<usize> {
        let place = match self.relation {
            Relation::OneToAll(_) => to.index(),
            _ => self.moved[value as usize].1,
        };
        Some(place * self.words + (word + pass) as usize)
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        let of =
            |&(from, to): &(usize, usize)| (0..self.words).map(move |w| (from * self.words + w, to * self.words + w));
        self.home.iter().flat_map(of).collect()
    }
}

/// The packets of a list by destination, those of one as listed.
pub(in crate::collective) fn by_destination(list: &[(u32, u32)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..list.len()).collect();
    order.sort_by_key(|&i| list[i].1);
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::keys::RootedSpec;

    #[test]
    fn everything_gets_where_the_definition_says() {
        let out = |relation, n, words, x: &[u8]| {
            let delivery = Delivery::new(&relation, n, words);
            delivery.expected(&Words::U8(x.to_vec())).to_vec()
        };
        assert_eq!(out(Relation::Permutation(vec![2, 0, 1]), 3, 2, &[1, 2, 3, 4, 5, 6]), [3, 4, 5, 6, 1, 2]);
        let demands = Relation::Demands(vec![(0, 2), (1, 0), (2, 2), (1, 0)]);
        assert_eq!(out(demands.clone(), 3, 1, &[7, 8, 9, 6]), [8, 6, 7, 9]);
        assert_eq!(Delivery::new(&demands, 3, 1).owner(2), (2, "of packet 0 of processor 0".into()));
        assert_eq!(out(Relation::OneToAll(RootedSpec { root: 1 }), 3, 2, &[5, 6]), [5, 6, 5, 6, 5, 6]);
        assert_eq!(out(Relation::AllToAll, 2, 1, &[1, 2, 3, 4]), [1, 3, 2, 4]);
    }

    #[test]
    fn shapes_are_those_of_the_table() {
        let shape = |relation, words| Delivery::new(&relation, 4, words).shape().0;
        assert_eq!(shape(Relation::AllToAll, 1), [4, 4]);
        assert_eq!(shape(Relation::Permutation(vec![0, 1, 2, 3]), 3), [4, 3]);
        assert_eq!(shape(Relation::OneToAll(RootedSpec::default()), 1), [1]);
    }
}
