//! Bound over all routings: the value of the linear program of fractional routes, at any size.
//!
//! Put a price on every channel. In T cycles no channel is used more than T times, so all packets together spend at
//! most T times the sum of all prices. Each packet spends at least the cost of its cheapest route. Hence
//!
//!   T ≥ Σ over ordered pairs of (cost of the cheapest route) / Σ over channels of (price)
//!
//! for **any** prices ≥ 0 and any schedule, and by duality the best prices give exactly the linear program over all routings.
//!
//! Renaming cabinets by any permutation of 0..K and, at once, drawers and positions by any permutation of 0..M is an
//! automorphism of the network, cyclic or not. The reason: a drawer is a complete graph, and so are the cabinets for a
//! given (d,p). Reversing all channels is an automorphism, too. Averaging prices over these loses nothing, so five
//! prices are enough:
//!
//! | class | channels | how many |
//! |---|---|---|
//! | local, at d = p | from or to a router with d = p | 2KM(M-1) |
//! | local, else | between routers with d ≠ p | KM(M-1)(M-2) |
//! | global, d = p | to another cabinet | KM(K-1) |
//! | global, d ≠ p | to another cabinet | KM(M-1)(K-1) |
//! | swap | γ = 0, d ≠ p | KM(M-1) |
//!
//! and the cost from (c,d,p) to (c*,d*,p*) depends only on whether c = c* and on which of d, p, d*, p* are equal: 2·15
//! states at most. The linear program over five prices and thirty costs is solved in floating point. Its prices are
//! then rounded to integers and the costs are computed again, exactly. So the result is a bound whatever the solver
//! did.

use super::symmetry::Shape;
use good_lp::{Expression, ProblemVariables, Solution, SolverModel, constraint, microlp, variable};

/// A fraction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rational {
    numerator: u128,
    denominator: u128,
}

impl Rational {
    /// The smallest integer not below it.
    pub fn ceil(self) -> u64 {
        u64::try_from(self.numerator.div_ceil(self.denominator)).unwrap_or(u64::MAX)
    }

    /// Value of the fraction as the nearest floating-point number.
    pub fn to_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

const CLASSES: usize = 5;
const LOCAL_DIAGONAL: usize = 0;
const LOCAL: usize = 1;
const GLOBAL_DIAGONAL: usize = 2;
const GLOBAL: usize = 3;
const SWAP: usize = 4;

/// Position of a packet relative to its destination.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    same_cabinet: bool,
    /// (d, p, d*, p*), renamed to 0, 1, … in order of first appearance.
    names: [u32; 4],
}

impl State {
    fn new(same_cabinet: bool, values: [u32; 4]) -> Self {
        let first = |v: u32| values.iter().position(|&w| w == v).unwrap_or(0);
        let fresh = |i: usize| first(values[i]) == i;
        let name = |v: u32| (0..first(v)).filter(|&i| fresh(i)).count() as u32;
        Self { same_cabinet, names: values.map(name) }
    }

    /// All states of a network.
    fn all(shape: Shape) -> Vec<Self> {
        let digits = |n: u32| [n / 64, n / 16 % 4, n / 4 % 4, n % 4];
        let mut all: Vec<Self> = (0..256)
            .flat_map(|n| [true, false].map(|same| Self::new(same, digits(n))))
            .filter(|s| s.blocks() <= shape.m && (s.same_cabinet || shape.k > 1))
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Number of different values among d, p, d*, p*.
    fn blocks(self) -> u32 {
        self.names.iter().max().map_or(0, |n| n + 1)
    }

    fn arrived(self) -> bool {
        let [d, p, dd, dp] = self.names;
        self.same_cabinet && d == dd && p == dp
    }

    /// Number of ordered pairs of routers in this state.
    fn pairs(self, shape: Shape) -> u64 {
        let (k, m) = (u64::from(shape.k), u64::from(shape.m));
        let cabinets = if self.same_cabinet { k } else { k * (k - 1) };
        (0..u64::from(self.blocks())).fold(cabinets, |n, i| n * (m - i))
    }

    /// Positions after one hop, each with the class of its channel.
    fn hops(self, shape: Shape) -> Vec<(usize, Self)> {
        let [d, p, dd, dp] = self.names;
        let mut hops = Vec::new();
        // A position that none of the four has is as good as any other such.
        for to in (0..(self.blocks() + 1).min(shape.m)).filter(|&to| to != p) {
            let class = if d == p || d == to { LOCAL_DIAGONAL } else { LOCAL };
            hops.push((class, Self::new(self.same_cabinet, [d, to, dd, dp])));
        }
        let mut global = |class, same_cabinet| hops.push((class, Self::new(same_cabinet, [p, d, dd, dp])));
        if d != p {
            global(SWAP, self.same_cabinet);
        }
        let class = if d == p { GLOBAL_DIAGONAL } else { GLOBAL };
        if shape.k > 1 {
            global(class, !self.same_cabinet);
        }
        if shape.k > 2 && !self.same_cabinet {
            global(class, false);
        }
        hops
    }
}

/// Number of channels of each class.
fn channels(shape: Shape) -> [u64; CLASSES] {
    let (k, m) = (u64::from(shape.k), u64::from(shape.m));
    let mut counts = [0; CLASSES];
    counts[LOCAL_DIAGONAL] = 2 * k * m * (m - 1);
    counts[LOCAL] = k * m * (m - 1) * (m - 2);
    counts[GLOBAL_DIAGONAL] = k * m * (k - 1);
    counts[GLOBAL] = k * m * (m - 1) * (k - 1);
    counts[SWAP] = k * m * (m - 1);
    counts
}

/// The lower bound, in packets on some channel, of every all-to-all on D3(K,M).
pub fn routing_bound(shape: Shape) -> Rational {
    let states = State::all(shape);
    // Prices of global channels alone, and of local ones alone, are bounds too, should the solver give up.
    let mut candidates = vec![[0, 0, 1, 1, 1], [1, 1, 0, 0, 0]];
    candidates.extend(best_prices(shape, &states));
    let values = candidates.into_iter().filter_map(|prices| value(shape, &states, prices));
    let larger = |a: Rational, b: Rational| if b.to_f64() > a.to_f64() { b } else { a };
    values.fold(Rational { numerator: 1, denominator: 1 }, larger)
}

/// Lower bound that channel prices prove: exact, by relaxing the costs of all states until none changes. None if all channels are free.
fn value(shape: Shape, states: &[State], prices: [u64; CLASSES]) -> Option<Rational> {
    let mut costs: Vec<Option<u128>> = states.iter().map(|s| s.arrived().then_some(0)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (i, state) in states.iter().enumerate() {
            let via = |(class, to): (usize, State)| {
                let rest = states.binary_search(&to).ok().and_then(|j| costs[j])?;
                Some(rest + u128::from(prices[class]))
            };
            let best = state.hops(shape).into_iter().filter_map(via).chain(costs[i]).min();
            changed |= best != costs[i];
            costs[i] = best;
        }
    }
    let spent = |(state, cost): (&State, &Option<u128>)| Some(u128::from(state.pairs(shape)) * (*cost)?);
    let numerator = states.iter().zip(&costs).map(spent).sum::<Option<u128>>()?;
    let denominator = channels(shape).iter().zip(prices).map(|(n, price)| u128::from(*n) * u128::from(price)).sum();
    (denominator > 0).then_some(Rational { numerator, denominator })
}

/// The prices that prove most, up to rounding, as integers.
fn best_prices(shape: Shape, states: &[State]) -> Option<[u64; CLASSES]> {
    const UNIT: f64 = (1u64 << 40) as f64;
    let counts = channels(shape);
    let total: u64 = counts.iter().sum();
    let pairs = shape.routers() as f64 * shape.routers() as f64;
    let mut variables = ProblemVariables::new();
    let prices = variables.add_vector(variable().min(0), CLASSES);
    let costs = variables.add_vector(variable().min(0), states.len());
    let mean_cost: Expression =
        states.iter().zip(&costs).map(|(s, &cost)| (s.pairs(shape) as f64 / pairs) * cost).sum();
    let mean_price: Expression = counts.iter().zip(&prices).map(|(&n, &price)| (n as f64 / total as f64) * price).sum();
    let mut model = variables.maximise(mean_cost).using(microlp).with(constraint!(mean_price == 1));
    for (state, &cost) in states.iter().zip(&costs) {
        if state.arrived() {
            model = model.with(constraint!(cost <= 0));
            continue;
        }
        for (class, to) in state.hops(shape) {
            let next = costs[states.binary_search(&to).ok()?];
            model = model.with(constraint!(cost - next - prices[class] <= 0));
        }
    }
    // A class without channels costs nothing; its price is unbounded and must not overflow.
    let solution = model.solve().ok()?;
    let integer =
        |i: usize| if counts[i] == 0 { 0 } else { (solution.value(prices[i]) * UNIT).clamp(0.0, UNIT * 4096.0) as u64 };
    Some(std::array::from_fn(integer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::swapped_dragonfly::{Group, SwappedDragonfly};
    use crate::topology::{Channel, Topology};

    /// Class of each channel and the bound that prices prove, computed from the network itself: without symmetry, with
    /// all routers as sources.
    fn by_hand(net: &SwappedDragonfly, prices: [u64; CLASSES]) -> (u128, u128) {
        let class = |Channel { src, dst }: Channel| {
            let (a, b) = (net.address(src), net.address(dst));
            match (a.c == b.c && a.d == b.d && a.p != b.p, a.d == a.p) {
                (true, _) if a.d == a.p || b.d == b.p => LOCAL_DIAGONAL,
                (true, _) => LOCAL,
                (false, true) => GLOBAL_DIAGONAL,
                (false, false) if a.c == b.c => SWAP,
                (false, false) => GLOBAL,
            }
        };
        let all = (0..net.channels()).map(|id| net.channel(id.into())).filter(|c| !c.is_loopback());
        let channels: Vec<(Channel, u128)> = all.map(|c| (c, u128::from(prices[class(c)]))).collect();
        let mut total = 0;
        for src in 0..net.nodes() {
            let mut cost = vec![u128::MAX; net.nodes()];
            cost[src] = 0;
            for _ in 0..net.nodes() {
                for (c, price) in &channels {
                    let via = cost[c.src.index()].saturating_add(*price);
                    cost[c.dst.index()] = cost[c.dst.index()].min(via);
                }
            }
            total += cost.iter().sum::<u128>();
        }
        (total, channels.iter().map(|(_, price)| price).sum())
    }

    #[test]
    fn relative_positions_cost_what_routes_on_the_network_cost() {
        for (k, m) in [(1, 2), (1, 4), (2, 2), (2, 3), (3, 2), (3, 4)] {
            let shape = Shape { k, m };
            for prices in [[1, 1, 1, 1, 1], [3, 5, 2, 7, 4], [5, 0, 1, 9, 2], [1, 8, 9, 3, 0], [2, 1, 0, 1, 6]] {
                let value = value(shape, &State::all(shape), prices).unwrap();
                let net = SwappedDragonfly::new(k, m, Group::Cyclic);
                assert_eq!((value.numerator, value.denominator), by_hand(&net, prices), "D3({k},{m}) {prices:?}");
            }
        }
    }

    #[test]
    fn states_and_channels_are_all_counted() {
        for (k, m) in [(1, 2), (1, 3), (2, 2), (3, 5), (64, 64)] {
            let shape = Shape { k, m };
            let net = SwappedDragonfly::new(k, m, Group::Cyclic);
            let pairs: u64 = State::all(shape).into_iter().map(|s| s.pairs(shape)).sum();
            assert_eq!(pairs, shape.routers() * shape.routers());
            let loopbacks = u64::from(k * m);
            assert_eq!(channels(shape).iter().sum::<u64>() + loopbacks, net.channels() as u64);
        }
    }

    #[test]
    fn the_best_prices_prove_what_the_program_over_all_routings_says() {
        let known = [(4, 4, 28), (4, 6, 44), (8, 8, 120), (2, 5, 25), (64, 64, 8128), (100, 100, 19_900)];
        for (k, m, cycles) in known {
            assert_eq!(routing_bound(Shape { k, m }).ceil(), cycles, "D3({k},{m})");
        }
        // A fraction, rounded up.
        let bound = routing_bound(Shape { k: 2, m: 3 });
        assert!((bound.to_f64() - 31.0 / 3.0).abs() < 1e-6 && bound.ceil() == 11);
    }
}
