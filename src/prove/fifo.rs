//! The queue of answers: `mn_fifo`, of one memory and of groups.

use super::{Case, Mutant, Proof};

/// The proof. A word is on its way for three cycles.
pub(super) const PROOF: Proof = Proof {
    name: "fifo",
    about: "queue of answers: words come out once, in order and at once, and no count overflows",
    top: "mn_prove_fifo",
    wrapper: include_str!("../../rtl_templates/formal/mn_prove_fifo.v"),
    beside: &[],
    depth: 10,
    several_clocks: false,
    cases: &[
        Case { name: "4-words", parameters: &[("AB", 2), ("GB", 2)] },
        Case { name: "8-words", parameters: &[("AB", 3), ("GB", 3)] },
        Case { name: "groups", parameters: &[("AB", 3), ("GB", 2)] },
    ],
    mutants: &[
        Mutant {
            name: "other-group",
            about: "the output takes the word of the group that is read next",
            breaks: "The word at the output",
            case: "groups",
            file: "mn_fifo.v",
            old: "assign chosen = read[group_q*W+:W];",
            new: "assign chosen = read[head_q[AB-1:GB]*W+:W];",
        },
        Mutant {
            name: "newest-place",
            about: "the next place to write is read",
            breaks: "The word at the output",
            case: "4-words",
            file: "mn_fifo.v",
            old: "if (take) read_q <= mem[head_q];",
            new: "if (take) read_q <= mem[tail_q];",
        },
        Mutant {
            name: "last-word-stays",
            about: "the last word stays until another comes",
            breaks: "A word stands at the output",
            case: "4-words",
            file: "mn_fifo.v",
            old: "|| (stored_q[0] && !take);",
            new: ";",
        },
        Mutant {
            name: "false-alarm",
            about: "the guard leaves out a bit that is kept",
            breaks: "A queue whose bits do not flip",
            case: "4-words",
            file: "mn_fifo.v",
            old: "{tail_d, head_d, stored_d, more_d, read_valid_d, valid_d}",
            new: "{tail_d, head_d, stored_d, more_d, read_valid_d}",
        },
        Mutant {
            name: "short-memory",
            about: "the last place of the memory is the first",
            breaks: "Memory, registers and counts",
            case: "8-words",
            file: "mn_fifo.v",
            old: "if (push_i) mem[tail_q] <= data_i;",
            new: "if (push_i) mem[&tail_q ? {AB{1'b0}} : tail_q] <= data_i;",
        },
    ],
};
