//! Second source of the arbiters: the library's Verilog beside the Verilog that rust-hdl makes of
//! `tests/second_source/arbiters.rs`.

use super::arbiter::CASES;
use super::{Mutant, Proof};

macro_rules! second {
    ($($file:literal),* $(,)?) => {
        &[$(($file, include_str!(concat!("../../rtl_templates/second/", $file)))),*]
    };
}

/// The proof. Both have the same memory, the last one granted and whose turn it is.
pub(super) const PROOF: Proof = Proof {
    name: "second-arbiter",
    about: "arbiters: equal to an independent source in rust-hdl",
    top: "mn_prove_second_arbiter",
    wrapper: include_str!("../../rtl_templates/formal/mn_prove_second_arbiter.v"),
    beside: second![
        "mn_second_fixed_2.v",
        "mn_second_fixed_3.v",
        "mn_second_fixed_4.v",
        "mn_second_fixed_8.v",
        "mn_second_round_robin_2.v",
        "mn_second_round_robin_3.v",
        "mn_second_round_robin_4.v",
        "mn_second_round_robin_8.v",
    ],
    depth: 6,
    several_clocks: false,
    cases: CASES,
    mutants: &[
        Mutant {
            name: "half-a-turn",
            about: "in the library the lower one of a pair always comes first in the turn of one without a pair",
            breaks: "The first in order are",
            case: "round-robin-3",
            file: "mn_arbiter_round_robin.v",
            old: "next[B-1] || (next[0] && next >= SINGLE[B-1:0])",
            new: "next[B-1]",
        },
        Mutant {
            name: "stands-still",
            about: "in the library it stays the turn of the first",
            breaks: "It is the same one's turn",
            case: "round-robin-4",
            file: "mn_arbiter_round_robin.v",
            old: "turn_q <= next;",
            new: "turn_q <= turn_q;",
        },
        Mutant {
            name: "fourth-of-three",
            about: "of three, the library has a fourth turn",
            breaks: "It is somebody's turn",
            case: "round-robin-3",
            file: "mn_arbiter_round_robin.v",
            old: "R != N && turn_q == LAST[B-1:0]",
            new: "R == N",
        },
        Mutant {
            name: "no-turn",
            about: "in the second source it stays the turn of the first",
            breaks: "Both sources grant the same",
            case: "round-robin-4",
            file: "mn_second_round_robin_4.v",
            old: "turns$d = (turns$q << step) | (turns$q >> back);",
            new: "turns$d = turns$q;",
        },
        Mutant {
            name: "highest-first",
            about: "of fixed priority, but the library grants the highest index",
            breaks: "Both sources grant the same",
            case: "fixed-8",
            file: "mn_arbiter_fixed.v",
            old: "request_i[n] && request_i[n-1:0] == {n{1'b0}}",
            new: "request_i[n] && request_i >> (n + 1) == {N{1'b0}}",
        },
        Mutant {
            name: "deaf-to-hold",
            about: "the library grants others under hold",
            breaks: "Both sources grant the same",
            case: "round-robin-8",
            file: "mn_arbiter_round_robin.v",
            old: "(hold_i ? last[p] : low_first) && !(yield && !hold_i)",
            new: "low_first && !yield",
        },
        Mutant {
            name: "reset-to-one",
            about: "reset of the second source leaves the first as the last one granted",
            breaks: "Both sources have granted the same one last",
            case: "fixed-3",
            file: "mn_second_fixed_3.v",
            old: "granted$d = none;",
            new: "granted$d = one;",
        },
        Mutant {
            name: "all-at-once",
            about: "the second source grants even and odd ones together",
            breaks: "The last one granted is one or nobody",
            case: "round-robin-4",
            file: "mn_second_round_robin_4.v",
            old: "alike = kept & ~bit0;",
            new: "alike = kept;",
        },
    ],
};
