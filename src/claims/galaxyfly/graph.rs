//! Section 2: the Galaxy graph and the network.

use super::super::{Claim, Trial};
use super::model::distances;
use super::nets::{Net, clusters, galaxies, nets};
use crate::topology::{Field, Galaxy, Topology};

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "prime",
            "section 2.1",
            "q is a prime number 4l + δ with δ in {-1, 0, 1}.",
            Trial::over(clusters, prime),
        )
        .amended(
            "q is a power of a prime other than 2, and all arithmetic is that of the field GF(q), not modulo q. No prime is 4l.",
            Trial::over(clusters, |net| generators(net, |_, _| Ok(()))),
        ),
        Claim::new(
            "generators",
            "equations (1) and (2)",
            "X and X' have (q - δ)/2 elements each, and together all elements of the field but 0.",
            Trial::over(clusters, |net| generators(net, sets)),
        ),
        Claim::new(
            "isomorphic",
            "Theorems 1 and 2",
            "The generator graphs of X and X' are isomorphic: with H(x) = ξx, x - y is in X if and only if H(x) - H(y) is in X'.",
            Trial::over(clusters, isomorphic),
        ),
        Claim::new("galaxy-diameter", "section 2.1", "The diameter of Galaxy graphs is at most 2.", Trial::over(galaxies, |net| {
            let galaxy = net.build()?.galaxy().clone();
            match galaxy.diameter() {
                Some(0..=2) => Ok(()),
                other => Err(format!("the diameter is {other:?}")),
            }
        })),
        Claim::new(
            "router-diameter",
            "section 5.2",
            "The diameter of Galaxyfly networks is 5.",
            Trial::over(nets, |net| diameter(net, |most| most == 5)),
        )
        .amended("It is at most 5.", Trial::over(nets, |net| diameter(net, |most| most <= 5))),
    ]
}

fn prime(net: &Net) -> Result<(), String> {
    let q = net.q;
    match (2..q).find(|&p| q.is_multiple_of(p)) {
        None => Ok(()),
        Some(p) => Err(format!("GF({q}) gives a network, and {q} is a multiple of {p}")),
    }
}

/// Exponents of ξ in X as equation (1) has them, and in X' as equation (2) has them.
fn exponents(q: u32) -> [Vec<u32>; 2] {
    let l = (q + 1) / 4;
    match q % 4 {
        1 => [(0..q - 1).step_by(2).collect(), (1..q - 1).step_by(2).collect()],
        3 => [
            (0..2 * l - 1).step_by(2).chain((2 * l - 1..4 * l - 2).step_by(2)).collect(),
            (1..2 * l).step_by(2).chain((2 * l..4 * l - 1).step_by(2)).collect(),
        ],
        _ => [(0..q - 1).step_by(2).collect(), (1..q).step_by(2).collect()],
    }
}

/// The sets X and X', ascending.
fn printed(field: &Field) -> [Vec<u32>; 2] {
    exponents(field.size()).map(|list| {
        let mut set: Vec<u32> = list.into_iter().map(|exponent| field.power(exponent)).collect();
        set.sort_unstable();
        set.dedup();
        set
    })
}

/// Compares X with the set that networks are built from, and looks at X and X'.
fn generators(net: &Net, look: fn(&Field, [Vec<u32>; 2]) -> Result<(), String>) -> Result<(), String> {
    let field = net.field()?;
    let sets = printed(&field);
    let built = Galaxy::generators(&field);
    if built != sets[0] {
        return Err(format!("equation (1) has {:?}, and ± even powers are {built:?}", sets[0]));
    }
    if let Some(x) = sets[0].iter().find(|&&x| !sets[0].contains(&field.minus(0, x))) {
        return Err(format!("{x} is in X, and its negative is not"));
    }
    look(&field, sets)
}

fn sets(field: &Field, [first, second]: [Vec<u32>; 2]) -> Result<(), String> {
    let q = field.size();
    let size = ([q / 2, (q - 1) / 2, 0, q.div_ceil(2)][q as usize % 4]) as usize;
    if first.len() != size || second.len() != size {
        return Err(format!("X has {} elements and X' {}, not {size}", first.len(), second.len()));
    }
    match (1..q).find(|x| !first.contains(x) && !second.contains(x)) {
        None if !first.contains(&0) && !second.contains(&0) => Ok(()),
        None => Err("0 is in X or X'".into()),
        Some(x) => Err(format!("{x} is neither in X nor in X'")),
    }
}

fn isomorphic(net: &Net) -> Result<(), String> {
    generators(net, |field, [first, second]| {
        let q = field.size();
        for (x, y) in (0..q).flat_map(|x| (0..q).map(move |y| (x, y))) {
            let image = field.minus(field.times_primitive(x), field.times_primitive(y));
            if first.contains(&field.minus(x, y)) != second.contains(&image) {
                return Err(format!("{x} and {y} are joined in one graph, and their images not in the other"));
            }
        }
        Ok(())
    })
}

fn diameter(net: &Net, right: fn(usize) -> bool) -> Result<(), String> {
    let galaxyfly = net.build()?;
    let most = (0..galaxyfly.nodes()).flat_map(|from| distances(&galaxyfly, from)).max().unwrap_or(0);
    if right(most) { Ok(()) } else { Err(format!("the largest distance is {most}")) }
}
