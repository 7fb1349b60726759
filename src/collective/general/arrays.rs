//! Arrays of a collective among the endpoints of a network, whose words are found by chunk.

use super::definition::blocks_of;
use super::{Axis, Definition, Element, Place};
use crate::collective::Operator;
use crate::collective::{Collective, DataError, Dtype, Item, Words, array, npy};
use crate::hash::split_mix_64;
use crate::id::NodeId;
use std::collections::HashMap;
use std::path::Path;

/// The most bytes of an array.
const MAX_BYTES: u64 = 4 << 30;

/// Data of a collective whose program's values are chunks.
///
/// A value without a chunk is another chunk at every node: one of those that the node that has it and the node that is to have it share.
/// Among several, `Item::word` counts.
#[derive(Debug, Clone)]
pub struct ChunkArrays {
    definition: Definition,
    /// Chunk of each value of the program, by value.
    chunk: Vec<Option<u32>>,
    /// Endpoint number of each node, by node.
    endpoint: Vec<Option<u32>>,
    /// Elements that travel between two nodes, by (source, destination); without a destination, all elements of the
    /// source.
    between: HashMap<(u32, Option<u32>), Vec<u32>>,
}

impl ChunkArrays {
    /// Data of `definition` for a program whose values are these chunks.
    pub fn new(definition: Definition, chunk: Vec<Option<u32>>) -> Self {
        let nodes = definition.endpoints.iter().map(|node| node.index() + 1).max().unwrap_or(0);
        let mut endpoint = vec![None; nodes];
        (0..).zip(&definition.endpoints).for_each(|(number, node)| endpoint[node.index()] = Some(number));
        let mut between: HashMap<_, Vec<u32>> = HashMap::new();
        if chunk.contains(&None) {
            for &index in &definition.travel {
                let Element { from, to } = &definition.elements[index as usize];
                for from in from {
                    let ends = to.iter().map(|to| Some(to.endpoint)).chain([None]);
                    ends.for_each(|to| between.entry((from.endpoint, to)).or_default().push(index));
                }
            }
        }
        Self { definition, chunk, endpoint, between }
    }

    /// Element and word of an item.
    fn find(&self, item: Item) -> Option<(&Element, u32)> {
        let (words, elements) = (self.definition.words, &self.definition.elements);
        if let Some(chunk) = self.chunk.get(item.value as usize).copied().flatten() {
            let index = *self.definition.travel.get((chunk / words) as usize)?;
            return Some((&elements[index as usize], chunk % words));
        }
        let (from, to) = (self.number(item.from)?, self.number(item.to));
        let found = self.between.get(&(from, to)).or_else(|| self.between.get(&(from, None)))?;
        let index = found.get((item.word / words) as usize)?;
        Some((&elements[*index as usize], item.word % words))
    }

    fn number(&self, node: NodeId) -> Option<u32> {
        self.endpoint.get(node.index()).copied().flatten()
    }

    /// Index of a word of a block in an array of `blocks` blocks; 0 for an item that is not of the collective.
    fn index(&self, item: Item, node: NodeId, places: fn(&Element) -> &[Place], blocks: usize) -> usize {
        let index = || {
            let ((element, word), number) = (self.find(item)?, self.number(node)?);
            let places = places(element);
            let at = places.binary_search_by_key(&number, |place| place.endpoint).ok()?;
            let block = item.pass as usize * blocks + places[at].block;
            Some(block * self.definition.words as usize + word as usize)
        };
        index().unwrap_or_default()
    }

    fn given(&self) -> Vec<Axis> {
        self.definition.rule.given(self.definition.n())
    }

    fn results(&self) -> Vec<Axis> {
        self.definition.rule.results(self.definition.n())
    }

    /// Sizes of all axes of an array, and their meaning.
    fn axes(&self, blocks: Vec<Axis>) -> (Vec<usize>, String) {
        let Definition { words, repeat, .. } = &self.definition;
        let mut axes = blocks;
        if *words > 1 || axes.is_empty() {
            axes.push(("word", *words as usize));
        }
        if *repeat > 1 {
            axes.insert(0, ("repetition", *repeat as usize));
        }
        (axes.iter().map(|axis| axis.1).collect(), axes.iter().map(|axis| format!("[{}]", axis.0)).collect())
    }

    /// Number of words that go in.
    fn len(&self, dtype: Dtype) -> Result<usize, DataError> {
        let Definition { words, repeat, .. } = self.definition;
        let len = blocks_of(&self.given()) * words as usize;
        match (len as u64).saturating_mul(repeat.into()).saturating_mul(u64::from(dtype.bits() / 8)) > MAX_BYTES {
            true => Err(DataError::TooLarge { nodes: self.definition.n() as u32, words, repeat }),
            false => Ok(len * repeat as usize),
        }
    }
}

impl Collective for ChunkArrays {
    fn shape(&self) -> (Vec<usize>, String) {
        self.axes(self.given())
    }

    /// Words of an .npy file, as in [`Collective::read`]. Words that are combined are widened to the width of a packet,
    /// so that sums are modulo 2^width.
    fn read(&self, path: &Path, payload_bits: u32) -> Result<Words, DataError> {
        let (shape, meaning) = self.shape();
        let words = npy::read(path, &shape, &meaning, |dtype| match dtype.bits() > payload_bits {
            true => Err(DataError::TooWide { path: path.to_owned(), dtype, payload_bits }),
            false => self.len(dtype),
        })?;
        let wide = self.operator().and_then(|_| Dtype::filling(payload_bits)).unwrap_or(words.dtype());
        Ok(Words::from_fn(wide, words.len(), |i| words.get(i)))
    }

    fn random(&self, dtype: Dtype, seed: u64) -> Result<Words, DataError> {
        Ok(Words::from_fn(dtype, self.len(dtype)?, |i| split_mix_64(seed, i as u64)))
    }

    fn expected(&self, words: &Words) -> Words {
        let Definition { rule, words: width, .. } = &self.definition;
        let (n, width, dtype) = (self.definition.n(), *width as usize, words.dtype());
        let [given, blocks] = [self.given(), self.results()].map(|axes| blocks_of(&axes));
        let sources: Vec<Vec<usize>> = (0..blocks).map(|block| rule.sources(n, block)).collect();
        let mask = u64::MAX >> (64 - dtype.bits());
        Words::from_fn(dtype, self.result_len(), |i| {
            let (block, word) = (i / width, i % width);
            let before = block / blocks * given;
            let mut sources = sources[block % blocks].iter().map(|source| words.get((before + source) * width + word));
            match rule.operator() {
                Some(operator) => sources.fold(operator.identity(), |sum, word| operator.combine(sum, word)) & mask,
                None => sources.next().unwrap_or_default(),
            }
        })
    }

    fn to_npy(&self, results: &Words) -> Vec<u8> {
        array(&self.axes(self.results()).0, results)
    }

    fn result_len(&self) -> usize {
        blocks_of(&self.results()) * self.definition.words as usize * self.definition.repeat as usize
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        let Definition { endpoints, words, repeat, elements, .. } = &self.definition;
        let (block, word) = (index / *words as usize, index % *words as usize);
        let blocks = blocks_of(&self.results());
        let name = |endpoint: u32| label(0, endpoints[endpoint as usize].index());
        let is = |element: &&Element| element.to.iter().any(|place| place.block == block % blocks);
        let Some(element) = elements.iter().find(is) else {
            return ("the network".into(), format!("word {index} of the result"));
        };
        let at = element.to.iter().find(|place| place.block == block % blocks);
        let mut what = match element.from[..] {
            [one] => format!("word {word} from {}", name(one.endpoint)),
            _ => format!("word {word} of the combination"),
        };
        if *repeat > 1 {
            what += &format!(", repetition {}", block / blocks);
        }
        (at.map_or_else(|| "the network".into(), |place| name(place.endpoint)), what)
    }

    fn passes(&self) -> u32 {
        self.definition.repeat
    }

    fn sent(&self, item: Item) -> usize {
        self.index(item, item.from, |element| &element.from, blocks_of(&self.given()))
    }

    fn received(&self, item: Item) -> Option<usize> {
        Some(self.index(item, item.to, |element| &element.to, blocks_of(&self.results())))
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        let Definition { words, repeat, elements, .. } = &self.definition;
        let [given, results] = [self.given(), self.results()].map(|axes| blocks_of(&axes));
        let own = elements.iter().filter(|element| element.from.len() == 1).flat_map(|element| {
            let from = element.from[0];
            element.to.iter().filter(move |to| to.endpoint == from.endpoint).map(move |to| (from.block, to.block))
        });
        let own: Vec<(usize, usize)> = own.collect();
        let words = *words as usize;
        let of = |repetition: usize| {
            let blocks = own.iter().map(move |&(from, to)| (repetition * given + from, repetition * results + to));
            blocks.flat_map(move |(from, to)| (0..words).map(move |word| (from * words + word, to * words + word)))
        };
        (0..*repeat as usize).flat_map(of).collect()
    }

    fn operator(&self) -> Option<Operator> {
        self.definition.rule.operator()
    }
}
