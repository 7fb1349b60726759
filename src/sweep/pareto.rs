//! Pareto fronts: points that no other one beats in both of two figures.

/// Direction in which a figure is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Better {
    /// Smaller is better.
    Less,
    /// Larger is better.
    More,
}

/// For each point, true if no other one is as good in both figures and better in one.
pub fn front(points: &[(f64, f64)], better: [Better; 2]) -> Vec<bool> {
    let key = |better: Better, value: f64| if better == Better::Less { value } else { -value };
    let keys: Vec<(f64, f64)> = points.iter().map(|(x, y)| (key(better[0], *x), key(better[1], *y))).collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| keys[a].0.total_cmp(&keys[b].0).then(keys[a].1.total_cmp(&keys[b].1)));
    let mut on = vec![false; keys.len()];
    let mut least: Option<(f64, f64)> = None;
    for i in order {
        // an equal of the last one on the front is on it, too
        on[i] = least.is_none_or(|least| keys[i].1 < least.1 || keys[i] == least);
        if on[i] {
            least = Some(keys[i]);
        }
    }
    on
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_front_has_what_nothing_beats() {
        let points = [(1.0, 5.0), (2.0, 3.0), (2.0, 4.0), (3.0, 3.0), (4.0, 1.0), (2.0, 3.0)];
        assert_eq!(front(&points, [Better::Less, Better::Less]), [true, true, false, false, true, true]);
        assert_eq!(front(&points, [Better::Less, Better::More]), [true, false, false, false, false, false]);
        assert_eq!(front(&[], [Better::Less; 2]), [false; 0]);
    }

    proptest! {
        #[test]
        fn a_front_is_what_its_definition_says(points in prop::collection::vec((0..6u8, 0..6u8), 0..20)) {
            let points: Vec<(f64, f64)> = points.iter().map(|&(x, y)| (x.into(), y.into())).collect();
            let beats = |a: (f64, f64), b: (f64, f64)| a.0 <= b.0 && a.1 >= b.1 && a != b;
            let expected: Vec<bool> = points.iter().map(|&b| !points.iter().any(|&a| beats(a, b))).collect();
            prop_assert_eq!(front(&points, [Better::Less, Better::More]), expected);
        }
    }
}
