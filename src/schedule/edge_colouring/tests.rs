use super::*;
use crate::hash::split_mix_64;

/// A random regular multigraph: a sum of permutations.
fn regular(nodes: usize, degree: u32, seed: u64) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut random = seed;
    for _ in 0..degree {
        let mut rights: Vec<u32> = (0..nodes as u32).collect();
        for i in (1..nodes).rev() {
            random = split_mix_64(random, 0);
            rights.swap(i, (random % (i as u64 + 1)) as usize);
        }
        cells.extend((0..).zip(rights).map(|(left, right)| Cell { left, right, count: 1 }));
    }
    cells.sort_by_key(|cell| (cell.left, cell.right));
    cells
}

fn edges_of(cells: &[Cell]) -> Vec<(u32, u32)> {
    let mut edges: Vec<_> = cells.iter().flat_map(|cell| (0..cell.count).map(|_| (cell.left, cell.right))).collect();
    edges.sort_unstable();
    edges
}

#[test]
fn every_colour_is_a_perfect_matching_and_nothing_is_lost() {
    for nodes in [1, 2, 3, 7, 16, 33] {
        for degree in [1, 2, 3, 4, 5, 6, 7, 11, 12, 24, 31, 100] {
            let cells = regular(nodes, degree, u64::from(degree));
            let colouring = colour(nodes, degree, cells.clone(), 1);
            assert_eq!(colouring.colours(), degree as usize);
            let mut edges = Vec::new();
            for colour in 0..colouring.colours() {
                let mut rights = colouring.matching(colour).to_vec();
                edges.extend((0..).zip(rights.iter().copied()));
                rights.sort_unstable();
                assert_eq!(rights, (0..nodes as u32).collect::<Vec<_>>(), "{nodes} nodes, degree {degree}");
            }
            edges.sort_unstable();
            assert_eq!(edges, edges_of(&cells), "{nodes} nodes, degree {degree}");
        }
    }
}

#[test]
fn any_multigraph_takes_as_many_colours_as_its_largest_degree() {
    let mut random = 5;
    let mut draw = |n: u64| {
        random = split_mix_64(random, 0);
        random % n
    };
    for _ in 0..200 {
        let (lefts, rights) = (1 + draw(9) as usize, 1 + draw(9) as usize);
        let edges: Vec<(u32, u32)> =
            (0..draw(60)).map(|_| (draw(lefts as u64) as u32, draw(rights as u64) as u32)).collect();
        let colours = colour_edges(lefts, rights, &edges, 3);
        let degree = (0..9)
            .flat_map(|n| [edges.iter().filter(|e| e.0 == n).count(), edges.iter().filter(|e| e.1 == n).count()])
            .max();
        assert!(colours.iter().all(|&c| (c as usize) < degree.unwrap_or(0)));
        for (i, a) in edges.iter().enumerate() {
            for (j, b) in edges.iter().enumerate().take(i) {
                assert!((a.0 != b.0 && a.1 != b.1) || colours[i] != colours[j], "{edges:?} {colours:?}");
            }
        }
        assert_eq!(colours, colour_edges(lefts, rights, &edges, 3));
    }
}

#[test]
fn resplit_colours_have_as_many_edges_as_there_were_colours() {
    for g in 1..=12 {
        for r in 1..=g as u32 {
            let colouring = colour(g, r, regular(g, r, 7), 1);
            let target = resplit(g, &colouring.rights);
            for new in 0..g as u32 {
                let own: Vec<usize> = (0..target.len()).filter(|&edge| target[edge] == new).collect();
                let (mut lefts, mut rights): (Vec<usize>, Vec<u32>) =
                    own.iter().map(|&edge| (edge % g, colouring.rights[edge])).unzip();
                lefts.sort_unstable();
                lefts.dedup();
                rights.sort_unstable();
                rights.dedup();
                assert_eq!(
                    (own.len(), lefts.len(), rights.len()),
                    (r as usize, r as usize, r as usize),
                    "g {g}, r {r}"
                );
            }
        }
    }
}
