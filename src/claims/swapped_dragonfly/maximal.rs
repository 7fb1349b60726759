//! Sections 1, 3 and 6: the Maximal Dragonfly, with which the paper compares.

use super::rounds::windows;
use super::sizes::{Maximal, maximal, wide_maximal};
use super::topology::expect;
use crate::claims::{Claim, Size, Table, Trial};
use crate::topology::swapped_dragonfly::SourceVector;

pub fn claims() -> Vec<Claim> {
    vec![
        Claim::new(
            "maximal-coordinates",
            "section 1, MDF(K,M)",
            "MDF(K,M) has KM² + M routers (g,p) with 0 ≤ g < KM + 1 and 1 ≤ p < M.",
            Trial::over(maximal, |size| coordinates(size, 1..size.m)),
        )
        .amended("p begins at 0.", Trial::over(maximal, |size| coordinates(size, 0..size.m))),
        Claim::new(
            "maximal-groups",
            "section 1, MDF(K,M)",
            "The KM global ports of a group can lead to each of the KM other groups once.",
            Trial::over(maximal, |size| {
                ARRANGEMENTS.iter().try_for_each(|(name, arrangement)| complete(*size, name, *arrangement))
            }),
        ),
        Claim::new(
            "maximal-parallel",
            "section 3, after Schedule 3",
            "On MDF(K,M) rounds of several vectors are impossible, as M and KM + 1 have no common factor.",
            Trial::over(wide_maximal, |size| match parallel(size) {
                Ok(()) => Err(format!(
                    "{} rounds of {} vectors deliver every packet to another group, without a conflict, if link l \
                     of group g leads to group g+l+1",
                    size.k.max(size.m) * size.m,
                    size.k.min(size.m)
                )),
                Err(_) => Ok(()),
            }),
        )
        .amended(
            "If link l of group g leads to group g+l+1 (circulant links), rounds of min(K,M) vectors deliver every \
             packet to another group without a conflict, as on D3(K,M).",
            Trial::over(wide_maximal, parallel),
        ),
        Claim::new(
            "maximal-third-hop",
            "section 6",
            "A vector that all routers of MDF(K,M) use conflicts with itself at the third hop (π ≠ 0; links by group \
             number: link l of group g leads to group l, or l + 1 if l ≥ g).",
            Trial::over(wide_maximal, |size| {
                let vectors = size.k * size.m * (size.m - 1);
                conflicts_are(*size, by_group_number, [0, 0, vectors])
            }),
        )
        .amended(
            "That is a matter of the links: with circulant ones no vector does.",
            Trial::over(wide_maximal, |size| conflicts_are(*size, circulant, [0; 3])),
        )
        .with_table(third_hop_table),
    ]
}

fn coordinates(size: &Maximal, positions: std::ops::Range<u32>) -> Result<(), String> {
    let routers = (0..size.k * size.m + 1).flat_map(|g| positions.clone().map(move |p| (g, p))).count() as u32;
    expect(routers == size.k * size.m * size.m + size.m, || {
        format!("there are {routers} such (g,p), but {} routers", size.k * size.m * size.m + size.m)
    })
}

/// Far end of link l = pK + γ of a group: the group, and its link.
type Arrangement = fn(Maximal, u32, u32) -> (u32, u32);

const ARRANGEMENTS: [(&str, Arrangement); 2] = [("circulant", circulant), ("group-number", by_group_number)];

fn circulant(size: Maximal, group: u32, link: u32) -> (u32, u32) {
    let links = size.k * size.m;
    ((group + link + 1) % (links + 1), links - 1 - link)
}

fn by_group_number(_: Maximal, group: u32, link: u32) -> (u32, u32) {
    let to = if link < group { link } else { link + 1 };
    (to, if group < to { group } else { group - 1 })
}

fn complete(size: Maximal, name: &str, arrangement: Arrangement) -> Result<(), String> {
    let links = size.k * size.m;
    for group in 0..=links {
        let mut seen: Vec<u32> = (0..links).map(|link| arrangement(size, group, link).0).collect();
        seen.sort_unstable();
        expect(seen.into_iter().eq((0..=links).filter(|g| *g != group)), || {
            format!("{name} links of group {group} miss a group")
        })?;
        for link in 0..links {
            let (to, back) = arrangement(size, group, link);
            expect(arrangement(size, to, back) == (group, link), || format!("{name} link {link} has no way back"))?;
        }
    }
    Ok(())
}

/// Sends vectors from all routers at once and gives, hop by hop, how many of their hops find the channel taken; the
/// destinations are appended to `ends`, by source.
fn send(size: Maximal, arrangement: Arrangement, vectors: &[SourceVector], ends: &mut [Vec<u32>]) -> [u32; 3] {
    let (k, m) = (size.k, size.m);
    let mut taken = [(); 3].map(|()| vec![false; (size.routers() * (m + k)) as usize]);
    let mut conflicts = [0; 3];
    for v in vectors {
        for from in 0..size.routers() {
            let mut claim = |hop: usize, router: u32, port: u32| {
                let place = &mut taken[hop][(router * (m + k) + port) as usize];
                conflicts[hop] += u32::from(std::mem::replace(place, true));
            };
            let local = |router: u32, by: u32| router / m * m + (router % m + by) % m;
            if v.delta != 0 {
                claim(0, from, v.delta);
            }
            let at = local(from, v.delta);
            claim(1, at, m + v.gamma);
            let (group, link) = arrangement(size, at / m, at % m * k + v.gamma);
            let at = group * m + link / k;
            if v.pi != 0 {
                claim(2, at, v.pi);
            }
            ends[from as usize].push(local(at, v.pi));
        }
    }
    conflicts
}

fn parallel(size: &Maximal) -> Result<(), String> {
    let mut ends = vec![Vec::new(); size.routers() as usize];
    for round in windows(size.k, size.m) {
        let conflicts = send(*size, circulant, &round, &mut ends);
        expect(conflicts == [0; 3], || format!("{conflicts:?} conflicts in a round"))?;
    }
    for (from, mut ends) in (0..size.routers()).zip(ends) {
        ends.sort_unstable();
        let others = (0..size.routers()).filter(|to| to / size.m != from / size.m);
        expect(ends.into_iter().eq(others), || format!("not every packet of router {from} is delivered"))?;
    }
    Ok(())
}

/// The number of vectors with conflicts at each hop, if all routers send the same one at once.
fn conflicts(size: Maximal, arrangement: Arrangement) -> [u32; 3] {
    let mut vectors = [0; 3];
    for v in windows(size.k, size.m).into_iter().flatten() {
        let found = send(size, arrangement, &[v], &mut vec![Vec::new(); size.routers() as usize]);
        vectors.iter_mut().zip(found).for_each(|(vectors, found)| *vectors += u32::from(found > 0));
    }
    vectors
}

fn conflicts_are(size: Maximal, arrangement: Arrangement, said: [u32; 3]) -> Result<(), String> {
    let found = conflicts(size, arrangement);
    expect(found == said, || format!("{found:?} vectors conflict at the first, second and third hop, not {said:?}"))
}

fn third_hop_table(limit: u32) -> Table {
    let mut sizes = wide_maximal(limit).all;
    sizes.sort_by_key(Size::routers);
    let rows = sizes.into_iter().take(6).map(|size| {
        let [circulant, by_number] = ARRANGEMENTS.map(|(_, arrangement)| conflicts(size, arrangement)[2].to_string());
        vec![size.to_string(), (size.k * size.m * size.m).to_string(), circulant, by_number]
    });
    Table {
        title: "Vectors that conflict with themselves at the third hop",
        head: vec!["network", "vectors", "circulant links", "links by group number"],
        rows: rows.collect(),
    }
}
