//! The examples of sections 2 to 4: supernode S8 of the Galaxy graph with n = 3 and q = 5, and routers R1 to R8.

use super::super::{Claim, Trial};
use super::model::{rpc, spc};
use super::nets::{Net, figure};
use crate::topology::Topology;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "figure-2-links",
            "figure 2",
            "In Galaxyfly(3,5,4) every router has one link to another supernode.",
            Trial::over(figure, |net| {
                let galaxyfly = net.build()?;
                let links = |router: usize| galaxyfly.ports_of(router.into()) as u32 - (net.a - 1);
                match (0..galaxyfly.nodes()).find(|&router| links(router) != 1) {
                    None => Ok(()),
                    Some(router) => Err(format!("router {router} has {}", links(router))),
                }
            }),
        ),
        Claim::new(
            "figure-3-tree",
            "section 3.1, figure 3",
            "RPC of R1 to R8 to R4: R2 and R7 send to R4, R1 and R3 to R2, R5 and R8 to R7, R6 to R5.",
            Trial::over(figure, |_| {
                let found = rpc(8, 3);
                let printed = [2, 4, 2, 0, 7, 5, 4, 7];
                match (0..8).find(|&router| found[router].map_or(0, |parent| parent + 1) != printed[router]) {
                    None => Ok(()),
                    Some(router) => Err(format!("R{} sends to R{}", router + 1, found[router].map_or(0, |p| p + 1))),
                }
            }),
        )
        .amended(
            "Halves of R5, R6 and R8 are R5, and R6 with R8: the tree is the example's but for the names of these three. R7 gets one message of one \
             packet and one of two.",
            Trial::over(figure, |_| {
                let found = rpc(8, 3);
                let of = |parent: usize| (0..8).filter(|&router| found[router] == Some(parent)).collect::<Vec<usize>>();
                let shape = of(3) == [1, 6] && of(1) == [0, 2] && of(6).len() == 2;
                let sizes: Vec<usize> = of(6).into_iter().map(|child| 1 + of(child).len()).collect();
                if shape && sizes == [1, 2] { Ok(()) } else { Err(format!("{found:?}")) }
            }),
        ),
        Claim::new(
            "figure-4",
            "section 3.2, figure 4",
            "SPC to S8: S1, S4 and S13 send to S5; S3, S6 and S14 to S7; S2, S10 and S15 to S9; S11 to S12; these four to S8.",
            Trial::over(figure, |net| {
                let printed = [5, 9, 7, 5, 8, 7, 8, 0, 8, 9, 12, 8, 5, 7, 9];
                let wrong = |(supernode, to): &(u32, Option<u32>)| {
                    to.map_or(0, |to| to + 1) != printed[*supernode as usize]
                };
                match spc(&net.build()?, 7).into_iter().find(wrong) {
                    None => Ok(()),
                    Some((supernode, to)) => Err(format!("S{} sends to S{}", supernode + 1, to.map_or(0, |to| to + 1))),
                }
            }),
        ),
        Claim::new(
            "example-distance",
            "section 4.1",
            "S1, S2, S3, S4, S6, S9, S10, S11, S13, S14 and S15 have distance 2 from S8.",
            Trial::over(figure, |net| far(net, &[1, 2, 3, 4, 6, 9, 10, 11, 13, 14, 15])),
        )
        .amended(
            "S9 is a neighbour of S8; the other ten have distance 2.",
            Trial::over(figure, |net| far(net, &[1, 2, 3, 4, 6, 10, 11, 13, 14, 15])),
        ),
        Claim::new(
            "example-neighbours",
            "section 4.2",
            "With RFATA S3, S7, S9 and S12 send to S8.",
            Trial::over(figure, |net| near(net, &[3, 7, 9, 12])),
        )
        .amended("S5, S7, S9 and S12 do, as in section 3.2.", Trial::over(figure, |net| near(net, &[5, 7, 9, 12]))),
    ]
}

/// Compares supernodes at distance 2 from S8 with those named.
fn far(net: &Net, named: &[u32]) -> Result<(), String> {
    let galaxyfly = net.build()?;
    let joined = galaxyfly.galaxy().neighbours(7);
    match (0..15).find(|s| named.contains(&(s + 1)) != (*s != 7 && !joined.contains(s))) {
        None => Ok(()),
        Some(s) if joined.contains(&s) => Err(format!("S{} is a neighbour of S8", s + 1)),
        Some(s) => Err(format!("S{} has distance 2", s + 1)),
    }
}

/// Compares neighbours of S8 with those named.
fn near(net: &Net, named: &[u32]) -> Result<(), String> {
    let galaxyfly = net.build()?;
    let joined: Vec<u32> = galaxyfly.galaxy().neighbours(7).iter().map(|s| s + 1).collect();
    match named.iter().find(|s| !joined.contains(s)) {
        None if joined == named => Ok(()),
        None => Err(format!("the neighbours of S8 are {joined:?}")),
        Some(s) => Err(format!("S{s} is no neighbour of S8, those are {joined:?}")),
    }
}
