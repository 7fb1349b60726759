//! Data of products in one or several networks as one list of words: by network, the operand's vectors and then the matrix.

use super::{Collective, Dtype, Item, Operands, Operator, Product, Words};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A product in each of some networks.
#[derive(Debug, Clone)]
pub struct Products {
    /// Kind, order and widths.
    pub product: Product,
    networks: usize,
    elements: Elements,
}

/// Elements of the result in a program's terms.
#[derive(Debug, Clone, Default)]
pub struct Elements {
    /// Element, by value that is one where it is kept or made.
    pub of: Rc<BTreeMap<u32, u32>>,
    /// Elements of the operand, and those of the result that they are where they lie.
    pub at_home: Rc<[(usize, usize)]>,
}

impl Products {
    /// Product in each of `networks` networks.
    pub fn new(product: Product, networks: usize) -> Self {
        Self { product, networks, elements: Elements::default() }
    }

    /// Products by a program whose values are these elements.
    pub fn with_elements(self, elements: Elements) -> Self {
        Self { elements, ..self }
    }

    /// Words of one network's vectors, and of one network.
    fn sizes(&self) -> (usize, usize) {
        let n = self.product.order as usize;
        let vectors = n * self.product.vectors() as usize;
        (vectors, vectors + n * n)
    }

    /// Operands of the networks as words.
    pub fn words(&self, operands: &[Operands]) -> Words {
        Words::U64(operands.iter().flat_map(|of| of.vectors.iter().chain(&of.matrix)).copied().collect())
    }

    /// Operands of the networks, from their words.
    pub fn operands(&self, words: &Words) -> Vec<Operands> {
        let (vectors, all) = self.sizes();
        let one = |words: &[u64]| Operands { vectors: words[..vectors].to_vec(), matrix: words[vectors..].to_vec() };
        words.to_vec().chunks(all).map(one).collect()
    }
}

impl Collective for Products {
    fn shape(&self) -> (Vec<usize>, String) {
        (vec![self.networks, self.sizes().1], "[network][element]".into())
    }

    fn filling(&self, _: u32, seed: u64) -> Words {
        let seeds = (0..self.networks as u64).map(|network| seed.wrapping_add(network));
        self.words(&seeds.map(|seed| self.product.random(seed)).collect::<Vec<_>>())
    }

    fn random(&self, _: Dtype, seed: u64) -> Result<Words, super::DataError> {
        Ok(self.filling(64, seed))
    }

    fn expected(&self, words: &Words) -> Words {
        Words::U64(self.operands(words).iter().flat_map(|operands| self.product.expected(operands)).collect())
    }

    fn result_len(&self) -> usize {
        self.networks * self.sizes().0
    }

    fn to_npy(&self, results: &Words) -> Vec<u8> {
        self.product.to_npy(&results.to_vec())
    }

    fn describe(&self, index: usize, label: &dyn Fn(usize, usize) -> String) -> (String, String) {
        let (n, vectors) = (self.product.order as usize, self.sizes().0);
        let (network, index) = (index / vectors, index % vectors);
        (label(network, 0), format!("element {} of vector {} of the result", index % n, index / n))
    }

    fn sent(&self, item: Item) -> usize {
        item.word as usize
    }

    fn received(&self, item: Item) -> Option<usize> {
        self.elements.of.get(&item.value).map(|&element| element as usize)
    }

    fn at_home(&self) -> Vec<(usize, usize)> {
        self.elements.at_home.to_vec()
    }

    fn factor(&self, words: &Words, index: u32) -> u64 {
        words.get(self.sizes().0 + index as usize)
    }

    fn kept(&self, word: u64) -> u64 {
        self.product.kept(word)
    }

    fn operator(&self) -> Option<Operator> {
        Some(Operator::Sum)
    }
}
