//! The second source of the arbiters: the library's Verilog beside what rust-hdl makes of
//! `tests/second_source/arbiters.rs`.

use super::arbiter::CASES;
use super::{Mutant, Proof};

macro_rules! second {
    ($($file:literal),* $(,)?) => {
        &[$(($file, include_str!(concat!("../../rtl_templates/second/", $file)))),*]
    };
}

/// The proof. Both have the same memory, the last one granted.
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
    cases: CASES,
    mutants: &[
        Mutant {
            name: "forgotten-pair",
            about: "the library's pair of the one that is granted counts as behind it",
            breaks: "A pair is marked as behind",
            case: "round-robin-4",
            file: "mn_arbiter_round_robin.v",
            old: "(lower && !higher_behind && !any_behind[q])",
            new: "(lower && !higher_behind)",
        },
        Mutant {
            name: "no-turn",
            about: "the second source always begins at 0",
            breaks: "Both sources grant the same",
            case: "round-robin-4",
            file: "mn_second_round_robin_4.v",
            old: "first = behind;",
            new: "first = request;",
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
            old: "hold_i || lower_behind",
            new: "lower_behind",
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
            about: "the second source grants all that come first",
            breaks: "The last one granted is one or nobody",
            case: "round-robin-4",
            file: "mn_second_round_robin_4.v",
            old: "chosen = first & (~first + one);",
            new: "chosen = first;",
        },
    ],
};
