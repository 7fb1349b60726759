//! The paper's formulas: costs (Table 1) and steps (Table 3, Theorems 1 to 4), as they are printed.

use super::Net;

/// ⌈log n⌉ to a base of at least 2: how often 1 must be multiplied by the base to reach n.
pub fn log(base: u32, n: u32) -> u32 {
    let (mut steps, mut reached) = (0, 1_u64);
    while reached < u64::from(n) {
        (steps, reached) = (steps + 1, reached * u64::from(base));
    }
    steps
}

/// Dimensions of the hypercube with as many processors, d' = d + ⌈log m⌉.
pub fn hypercube_dimensions(net: Net) -> u32 {
    net.d + log(2, net.m)
}

/// External links, C_L = f·d·2^{d-1} (section 3).
pub fn links(net: Net) -> u64 {
    (u64::from(net.f * net.d) << net.d) / 2
}

/// Router cost C_R of Table 1, crosspoints of all routers: (m + df)²·2^d with one port, d²(m + f)²·2^d with d ports.
pub fn router_cost(net: Net) -> u64 {
    let Net { m, f, d, k } = net;
    let ports = if k == 1 { m + d * f } else { d * (m + f) };
    u64::from(ports).pow(2) << d
}

/// Router cost C_R' of Table 1 of the hypercube of d' dimensions: (1 + d')²·2^{d'} with one port, 4d'²·2^{d'} with d' ports.
pub fn hypercube_router_cost(dimensions: u32, one_port: bool) -> u64 {
    let ports = if one_port { 1 + dimensions } else { 2 * dimensions };
    u64::from(ports).pow(2) << dimensions
}

/// Router costs behind Table 2, of a fat cube and of the hypercube with as many processors, both divided by 2^d, with one port or d ports.
pub fn costs_compared(net: Net, one_port: bool) -> [u64; 2] {
    let Net { m, f, d, .. } = net;
    let dimensions = hypercube_dimensions(net);
    match one_port {
        true => [u64::from(m + d * f).pow(2), u64::from(m) * u64::from(1 + dimensions).pow(2)],
        false => [u64::from(d * (m + f)).pow(2), 4 * u64::from(m) * u64::from(dimensions).pow(2)],
    }
}

/// Dimensions up to which a fat cube's routers cost no more than those of the hypercube (Table 2), of at most `limit`; 0 if there are none.
pub fn cheap_dimensions(m: u32, f: u32, one_port: bool, limit: u32) -> u32 {
    let cheap = |&d: &u32| {
        let [own, other] = costs_compared(Net::new(m, f, d, 1), one_port);
        own <= other
    };
    (1..=limit).rev().find(cheap).unwrap_or(0)
}

/// Steps of broadcast, all-gather, scatter and all-to-all on a hypercube (Table 3). With one port: d, P - 1, P - 1, P -
/// 1. With d ports: ⌈log_{d+1} P⌉, ⌈(P-1)/d⌉, ⌈(P-1)/d⌉, P/2.
pub fn hypercube_steps(dimensions: u32, one_port: bool) -> [u32; 4] {
    let p: u32 = 1 << dimensions;
    match one_port {
        true => [dimensions, p - 1, p - 1, p - 1],
        false => {
            let part = (p - 1).div_ceil(dimensions.max(1));
            [log(dimensions.max(1) + 1, p), part, part, p / 2]
        }
    }
}

/// Steps of broadcast (Theorem 1): ⌈log_{k+1}(P/m)⌉ + ⌈log_{k+1} m⌉.
pub fn broadcast(net: Net) -> u32 {
    log(net.k + 1, 1 << net.d) + log(net.k + 1, net.m)
}

/// Steps of all-gather (Theorem 2): P - 1 with one port, else ⌈(P-m)/min(fd,mk)⌉ + ⌈(m-1)/k⌉·P/m.
pub fn all_gather(net: Net) -> u32 {
    match net.k {
        1 => net.processors() - 1,
        k => outside(net) + ((net.m - 1).div_ceil(k) << net.d),
    }
}

/// Steps of scatter (Theorem 3): P - 1 with one port, else ⌈(P-m)/min(fd,mk)⌉ + ⌈(m-1)/k⌉.
pub fn scatter(net: Net) -> u32 {
    match net.k {
        1 => net.processors() - 1,
        k => outside(net) + (net.m - 1).div_ceil(k),
    }
}

/// Steps of all-to-all (Theorem 4): (2^d - 1)·⌈m²/f⌉ with one port, else ⌈Pmd/(2·min(mk,fd))⌉ + ⌈(m-1)/k⌉. A hypercube with one port
/// takes P - 1.
pub fn all_to_all(net: Net) -> u32 {
    let Net { m, f, d, k } = net;
    match k {
        1 => ((1 << d) - 1) * (m * m).div_ceil(f),
        _ => (net.processors() * m * d).div_ceil(2 * (m * k).min(f * d)) + (m - 1).div_ceil(k),
    }
}

/// Steps of broadcast, all-gather, scatter and all-to-all (Theorems 1 to 4); an all-to-all on a hypercube with one port takes P - 1 (Table 3).
pub fn steps(net: Net) -> [u32; 4] {
    let all_to_all = if net.m == 1 && net.k == 1 { net.processors() - 1 } else { all_to_all(net) };
    [broadcast(net), all_gather(net), scatter(net), all_to_all]
}

/// ⌈(P-m)/min(fd,mk)⌉.
fn outside(net: Net) -> u32 {
    let Net { m, f, d, k } = net;
    (net.processors() - m).div_ceil((f * d).min(m * k))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_those_of_table_7() {
        let of = |net: Net| [broadcast(net), all_gather(net), scatter(net), all_to_all(net)];
        assert_eq!(of(Net::new(4, 1, 3, 1)), [5, 31, 31, 112]);
        assert_eq!(of(Net::new(4, 2, 3, 2)), [4, 21, 7, 34]);
        assert_eq!(of(Net::new(4, 1, 3, 3)), [3, 18, 11, 65]);
        assert_eq!(of(Net::new(4, 2, 3, 3)), [3, 13, 6, 33]);
        assert_eq!(of(Net::new(4, 4, 3, 3)), [3, 11, 4, 17]);
    }

    #[test]
    fn steps_of_hypercubes_are_those_of_table_3() {
        assert_eq!(hypercube_steps(3, true), [3, 7, 7, 7]);
        assert_eq!(hypercube_steps(3, false), [2, 3, 3, 4]);
        assert_eq!(hypercube_steps(5, false), [2, 7, 7, 16]);
    }

    #[test]
    fn fat_cubes_are_cheap_up_to_some_dimensions() {
        assert_eq!([cheap_dimensions(2, 1, false, 24), cheap_dimensions(4, 2, false, 24)], [16, 4]);
        assert_eq!([cheap_dimensions(2, 1, true, 24), cheap_dimensions(2, 2, true, 24)], [24, 1]);
    }

    #[test]
    fn costs_are_those_of_the_examples() {
        // Figure 1: one port, P = 16
        assert_eq!(router_cost(Net::new(4, 2, 2, 1)), 64 * 4);
        assert_eq!(router_cost(Net::new(2, 1, 3, 1)), 25 * 8);
        assert_eq!(hypercube_router_cost(4, true), 25 * 16);
    }
}
