//! Definition of a collective among given endpoints: a rule, sizes, and the chunks that travel.

use super::packets::pairs;
use super::{Axis, Element, Place, Rule};
use crate::collective::demand::MAX_PACKETS;
use crate::collective::demand::{Chunk, Demand};
use crate::id::NodeId;
use serde_json::{Map, Value};
use std::rc::Rc;

/// Error of a collective that is none among the endpoints.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DefinitionError {
    /// A root that is no endpoint.
    #[error("there is no endpoint {root}: a network of {endpoints} numbers them from 0 to {}", endpoints - 1)]
    Root {
        /// Number of the root.
        root: u32,
        /// Number of endpoints.
        endpoints: usize,
    },
    /// A network without endpoints.
    #[error("the network has no endpoints")]
    NoEndpoints,
    /// A block from or to an endpoint that is not there.
    #[error("packet {packet} goes from {from} to {to}, and there are {endpoints} endpoints")]
    NoEndpoint {
        /// Position in the list.
        packet: usize,
        /// Source.
        from: u32,
        /// Destination.
        to: u32,
        /// Number of endpoints.
        endpoints: usize,
    },
    /// A rule whose elements do not make every block of the result once, such as a permutation that names an endpoint twice.
    #[error("block {block} of the result comes {times} times instead of once")]
    NotOnce {
        /// Index of the block.
        block: usize,
        /// Elements that make it.
        times: usize,
    },
    /// Number of words above the limit of a schedule.
    #[error("these are {words} words at sources and destinations, and a schedule has at most {MAX_PACKETS}")]
    TooMany {
        /// Words at sources and destinations.
        words: u64,
    },
}

/// A collective among given endpoints: a rule, sizes, and the chunks that travel.
///
/// Chunk number e·words + w is word w of the e-th element that travels; blocks that are at their destination from the beginning are no
/// elements that travel.
#[derive(Debug, Clone)]
pub struct Definition {
    pub(super) rule: Rc<dyn Rule>,
    pub(super) endpoints: Vec<NodeId>,
    pub(super) words: u32,
    pub(super) repeat: u32,
    /// All elements; both lists of each by endpoint.
    pub(super) elements: Vec<Element>,
    /// Elements that travel, by index.
    pub(super) travel: Vec<u32>,
}

impl Definition {
    /// A collective by a rule among `endpoints`, with `words` words a block, `repeat` times back to back.
    ///
    /// # Errors
    /// [`DefinitionError`].
    pub fn new(rule: Rc<dyn Rule>, endpoints: &[NodeId], words: u32, repeat: u32) -> Result<Self, DefinitionError> {
        let n = endpoints.len();
        if n == 0 {
            return Err(DefinitionError::NoEndpoints);
        }
        if let Some(root) = rule.root().filter(|&root| root as usize >= n) {
            return Err(DefinitionError::Root { root, endpoints: n });
        }
        let blocks = blocks_of(&rule.given(n)) + blocks_of(&rule.results(n));
        let count = (blocks as u64).saturating_mul(words.into());
        if count > MAX_PACKETS {
            return Err(DefinitionError::TooMany { words: count });
        }
        let mut elements = rule.elements(n);
        for (packet, element) in elements.iter_mut().enumerate() {
            element.from.sort_unstable();
            element.to.sort_unstable();
            let last = |places: &[Place]| places.last().map_or(0, |place| place.endpoint);
            let (from, to) = (last(&element.from), last(&element.to));
            if from.max(to) as usize >= n {
                return Err(DefinitionError::NoEndpoint { packet, from, to, endpoints: n });
            }
        }
        let mut times = vec![0; blocks_of(&rule.results(n))];
        for place in elements.iter().flat_map(|element| &element.to) {
            times.get_mut(place.block).into_iter().for_each(|times| *times += 1);
        }
        if let Some((block, &times)) = times.iter().enumerate().find(|times| *times.1 != 1) {
            return Err(DefinitionError::NotOnce { block, times });
        }
        let travels = |element: &Element| element.from.len() > 1 || !receivers(element).is_empty();
        let travel = (0..).zip(&elements).filter(|(_, element)| travels(element)).map(|(index, _)| index).collect();
        Ok(Self { rule, endpoints: endpoints.to_vec(), words, repeat, elements, travel })
    }

    /// Rule of the kind.
    pub fn rule(&self) -> &dyn Rule {
        self.rule.as_ref()
    }

    /// Number of endpoints.
    pub(super) fn n(&self) -> usize {
        self.endpoints.len()
    }

    /// Chunks of one of the repetitions.
    pub fn demand(&self) -> Demand {
        let nodes = |places: &[Place]| places.iter().map(|place| self.endpoints[place.endpoint as usize]).collect();
        let chunk = |&index: &u32| {
            let element = &self.elements[index as usize];
            Chunk { from: nodes(&element.from), to: nodes(&receivers(element)) }
        };
        let chunks = self.travel.iter().map(chunk);
        Demand { chunks: chunks.flat_map(|chunk| std::iter::repeat_n(chunk, self.words as usize)).collect() }
    }

    /// Part of the exchange form to which the contributions of a chunk belong, if an operator combines them.
    pub fn part(&self, chunk: u32) -> Option<u32> {
        let element = self.travel.get((chunk / self.words) as usize)?;
        self.rule.operator().map(|_| self.rule.part(*element, chunk % self.words))
    }

    /// The exchange form's `collective`. Packets of several words, for which a kind has no form, are an h-relation `of` the kind.
    pub fn table(&self) -> Value {
        let kind = self.rule.kind();
        let (kind, mut table) = match self.rule.keys(self.words) {
            Some(keys) => (kind, keys),
            None => {
                let pairs = pairs(&self.pairs());
                ("h-relation", Map::from_iter([("demands".to_owned(), pairs), ("of".to_owned(), kind.into())]))
            }
        };
        table.insert("kind".into(), kind.into());
        if self.words > 1 {
            table.insert("words".into(), self.words.into());
        }
        Value::Object(table)
    }

    /// Sources and destinations of all words that travel, by numbers of endpoints.
    fn pairs(&self) -> Vec<(u32, u32)> {
        let elements = self.travel.iter().map(|&index| &self.elements[index as usize]);
        let of = |element: &Element| {
            let from = element.from[0].endpoint; // nothing is combined: sums have a form for any number of words
            receivers(element).into_iter().map(move |to| (from, to.endpoint)).collect::<Vec<_>>()
        };
        elements.flat_map(of).flat_map(|pair| std::iter::repeat_n(pair, self.words as usize)).collect()
    }
}

/// Number of blocks of an array.
pub(super) fn blocks_of(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.1).product()
}

/// Places to which a block is sent: all of `to` but a source's own, if nothing is combined.
fn receivers(element: &Element) -> Vec<Place> {
    let own = |place: &Place| element.from.len() == 1 && element.from[0].endpoint == place.endpoint;
    element.to.iter().copied().filter(|place| !own(place)).collect()
}
