//! Keys of a hierarchical dual-net in a specification.

use super::{Factor, HierarchicalDualNet, Unfit};
use crate::topology::kind::{self, Class, Key, Kind, Shape, Sizes};

/// Most factors of a base.
const MOST_FACTORS: usize = 16;
/// Most levels.
const MOST_LEVELS: usize = 8;

/// A hierarchical dual-net in a specification.
pub const KIND: Kind = Kind {
    size: "levels",
    classes: &[Class::Local, Class::Levels],
    settle,
    ..Kind::new(
        [
            "hierarchical-dual-net",
            "a hierarchical dual-net",
            "A hierarchical dual-net HDN(B,k,S): two classes of copies of a network, each node with one link to the other class, level by level",
        ],
        &[
            Key {
                name: "base",
                about: "factors of the base network B: \"ring:N\", \"complete:N\", \"hypercube:D\"; a ring of two nodes is one link",
                shape: Shape::Texts { pattern: "^(ring|complete|hypercube):[0-9]+$", most: MOST_FACTORS },
                example: "[\"ring:2\", \"ring:2\"]",
                missing: "name the factors of the base network: `base = [\"ring:3\", \"hypercube:2\"]`",
            },
            Key {
                name: "levels",
                about: "by level: the factors, from 0 on, of which a super-node is the product; [] is a single node",
                shape: Shape::Lists { most: MOST_FACTORS as u32 - 1, lists: MOST_LEVELS },
                example: "[[0]]",
                missing: "name the factors of a super-node of each level: `levels = [[0], [0, 1]]`, `[[]]` for one level of single nodes",
            },
        ],
        |table| Some(Box::new(HierarchicalDualNet::from_table(table)?)),
    )
};

/// Refuses what makes no network.
fn settle(sizes: &mut Sizes) -> Vec<kind::Unfit> {
    let list = |key: &str| sizes[key].as_array().cloned().unwrap_or_default();
    let mut base = Vec::new();
    for (index, text) in list("base").iter().enumerate() {
        match text.as_str().unwrap_or_default().parse::<Factor>() {
            Ok(factor) => base.push(factor),
            Err(error) => {
                let (nodes, dimensions) = (Factor::MOST_NODES, Factor::MOST_DIMENSIONS);
                let help = format!(
                    "write \"ring:N\" or \"complete:N\" of 1 to {nodes} nodes, or \"hypercube:D\" of 0 to {dimensions} dimensions"
                );
                return vec![kind::Unfit::new(&[&format!("base.{index}")], error.to_string(), help)];
            }
        }
    }
    let numbers = |list: &serde_json::Value| {
        let numbers = list.as_array().into_iter().flatten().filter_map(serde_json::Value::as_u64);
        numbers.map(|number| number as usize).collect()
    };
    let factors = base.len();
    let Err(error) = HierarchicalDualNet::new(base, list("levels").iter().map(numbers).collect()) else {
        return Vec::new();
    };
    let (key, help) = match error {
        Unfit::NoSuchFactor { level, .. } => {
            (format!("levels.{}", level - 1), format!("take numbers from 0 to {}", factors.saturating_sub(1)))
        }
        Unfit::Twice { level, .. } => (format!("levels.{}", level - 1), "name each factor once".to_owned()),
        Unfit::NoBase | Unfit::TooLarge => {
            ("levels".to_owned(), "take a smaller base, fewer levels, or larger super-nodes".to_owned())
        }
    };
    vec![kind::Unfit::new(&[&key], error.to_string(), help)]
}
