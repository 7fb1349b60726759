//! Networks of words, whose channels take the first letter away and add one at the end: Kautz and de Bruijn networks (Kautz 1968;
//! de Bruijn 1946).

use super::kind::{Key, Kind, Network};
use super::network::{Topology, size_to};
use crate::id::NodeId;
use serde_json::Value;

/// A Kautz network in a specification.
pub const KAUTZ: Kind =
    kind(["kautz", "a Kautz network", "A Kautz network of (degree + 1)·degree^(diameter - 1) nodes"], |table| {
        Some(Box::new(Shift::from_table(table, true)?))
    });

/// A de Bruijn network in a specification.
pub const DE_BRUIJN: Kind =
    kind(["de-bruijn", "a de Bruijn network", "A de Bruijn network of degree^diameter nodes"], |table| {
        Some(Box::new(Shift::from_table(table, false)?))
    });

/// Topology with `degree` and `diameter`.
const fn kind(names: [&'static str; 3], build: fn(&Value) -> Option<Network>) -> Kind {
    const KEYS: &[Key] = &[
        Key::number(
            "degree",
            [1, 1023],
            "channels that leave a node, one less than there are letters in a Kautz network, else as many",
            "2",
            "say how many channels leave a node: `degree = 2`",
        ),
        Key::number(
            "diameter",
            [1, 16],
            "letters of a word, the most channels between two nodes",
            "3",
            "say how many letters a word has: `diameter = 3`",
        ),
    ];
    Kind { size: "diameter", ..Kind::new(names, KEYS, build) }
}

/// Most nodes of a network.
const MOST_NODES: u64 = 1 << 20;

/// A network of words of `length` letters, in lexicographic order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shift {
    degree: u32,
    length: u32,
    /// Kautz: one letter more than the degree, and no two neighbouring letters are alike.
    kautz: bool,
}

impl Shift {
    /// The network of a table with `degree` and `diameter`, if it has at most 2²⁰ nodes: Kautz of (degree + 1)·degree^(diameter - 1) nodes,
    /// or de Bruijn of degree^diameter, where words of one letter repeated have a channel less, as none leads to itself.
    fn from_table(table: &Value, kautz: bool) -> Option<Self> {
        let (degree, length) = (size_to(table, "degree", 1..=1 << 10)?, size_to(table, "diameter", 1..=20)?);
        let words = u64::from(degree).checked_pow(length - 1)?.checked_mul(u64::from(degree + u32::from(kautz)))?;
        (words <= MOST_NODES).then_some(Self { degree, length, kautz })
    }

    /// The node of a word: digits in base `degree`; in Kautz networks each digit but the first counts the letters other than the one before.
    fn node(self, word: &[u32]) -> NodeId {
        let mut number = word[0];
        for pair in word.windows(2) {
            let skipped = self.kautz && pair[1] > pair[0];
            number = number * self.degree + pair[1] - u32::from(skipped);
        }
        NodeId::new(number)
    }

    /// Letters that may follow a word; none makes the word itself.
    fn letters(self, word: &[u32]) -> impl Iterator<Item = u32> {
        let last = word[word.len() - 1];
        let own = (!self.kautz && word.iter().all(|&letter| letter == last)).then_some(last);
        (0..self.degree + u32::from(self.kautz))
            .filter(move |&letter| Some(letter) != own && !(self.kautz && letter == last))
    }
}

impl Topology for Shift {
    fn name(&self) -> &'static str {
        if self.kautz { "kautz" } else { "de-bruijn" }
    }

    fn nodes(&self) -> usize {
        (self.degree + u32::from(self.kautz)) as usize * (self.degree as usize).pow(self.length - 1)
    }

    fn ports(&self) -> usize {
        match (self.kautz, self.degree, self.length) {
            (false, 1, _) => 0,
            (false, degree, 1) => degree as usize - 1,
            (_, degree, _) => degree as usize,
        }
    }

    fn ports_of(&self, node: NodeId) -> usize {
        self.letters(&self.label(node)).count()
    }

    fn label(&self, node: NodeId) -> Vec<u32> {
        let mut digits = vec![0; self.length as usize];
        let mut rest = node.get();
        for digit in digits[1..].iter_mut().rev() {
            *digit = rest % self.degree;
            rest /= self.degree;
        }
        digits[0] = rest;
        for at in 1..digits.len() {
            digits[at] += u32::from(self.kautz && digits[at] >= digits[at - 1]);
        }
        digits
    }

    fn neighbour(&self, node: NodeId, port: usize) -> NodeId {
        let mut word = self.label(node);
        let next = self.letters(&word).nth(port).unwrap_or(0);
        word.remove(0);
        word.push(next);
        self.node(&word)
    }

    fn port_name(&self, port: usize) -> String {
        port.to_string()
    }
}
