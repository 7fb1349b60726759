//! All pairs of a router's processors and all but the equal pairs once more, as perfect matchings.

use crate::schedule::general::random::Random;

/// Attempts at one matching, and at all of them.
const ATTEMPTS: usize = 2000;

/// Matching: by source, its destination, and whether the pair is far.
pub(super) type Matching = Vec<(usize, bool)>;

/// Perfect matchings of m numbers: 2m - 1 of them, with at most `most` far pairs each. Every pair (i,j) is in them once
/// as a far pair, and, if i ≠ j, once as a near pair.
///
/// The pairs that are left have the same number at every source and destination, so there is always a matching among them (Hall, Kőnig).
pub(super) fn matchings(m: usize, most: usize, random: &mut Random) -> Option<Vec<Matching>> {
    (0..ATTEMPTS).find_map(|_| attempt(m, most, random))
}

fn attempt(m: usize, most: usize, random: &mut Random) -> Option<Vec<Matching>> {
    // by source and destination: the far and the near pair are left
    let mut left: Vec<Vec<[bool; 2]>> = (0..m).map(|i| (0..m).map(|j| [i != j, true]).collect()).collect();
    let mut far_left = m * m;
    (1..2 * m)
        .rev()
        .map(|rest| {
            let (least, most) = (far_left.saturating_sub((rest - 1) * most), most.min(far_left));
            let matching = (0..ATTEMPTS)
                .map(|_| perfect(&left, random))
                .find(|matching| (least..=most).contains(&matching.iter().filter(|pair| pair.1).count()))?;
            for (i, &(j, far)) in matching.iter().enumerate() {
                left[i][j][usize::from(far)] = false;
                far_left -= usize::from(far);
            }
            Some(matching)
        })
        .collect()
}

/// A perfect matching of the pairs that are left, chosen at random.
fn perfect(left: &[Vec<[bool; 2]>], random: &mut Random) -> Matching {
    let m = left.len();
    let mut order: Vec<usize> = (0..m).collect();
    random.shuffle(&mut order);
    let mut source: Vec<Option<usize>> = vec![None; m];
    for &i in &order {
        augment(left, i, &mut source, &mut vec![false; m], &order);
    }
    let mut matching = vec![(0, false); m];
    for (j, i) in source.into_iter().enumerate() {
        let Some(i) = i else { continue };
        let [near, far] = left[i][j];
        matching[i] = (j, far && (!near || random.below(2) == 0));
    }
    matching
}

/// Finds a destination for a source, moving others where needed (Kuhn).
fn augment(
    left: &[Vec<[bool; 2]>],
    i: usize,
    source: &mut [Option<usize>],
    seen: &mut [bool],
    order: &[usize],
) -> bool {
    for &j in order {
        if !left[i][j].contains(&true) || std::mem::replace(&mut seen[j], true) {
            continue;
        }
        if source[j].is_none_or(|other| augment(left, other, source, seen, order)) {
            source[j] = Some(i);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_matched_once() {
        for m in 1..=8_usize {
            let most = (m * m).div_ceil(2 * m - 1);
            let found = matchings(m, most, &mut Random::new(1)).unwrap_or_else(|| panic!("no matchings of {m}"));
            assert_eq!(found.len(), 2 * m - 1);
            let mut pairs = Vec::new();
            for matching in &found {
                assert!(matching.iter().filter(|pair| pair.1).count() <= most);
                pairs.extend(matching.iter().enumerate().map(|(i, &(j, far))| (i, j, far)));
            }
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len(), m * (2 * m - 1));
            assert!(pairs.iter().all(|&(i, j, far)| far || i != j));
        }
    }
}
