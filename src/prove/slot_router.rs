//! The slot-table router: `mn_slot_router` with crossbars of one, two and three or more sources an output.

use super::{Case, Mutant, Proof};

/// The proof. A router forgets a row after two cycles.
pub(super) const PROOF: Proof = Proof {
    name: "slot-router",
    about: "slot-table router: each output carries the word of the source that its row selects, and arrivals are as rows say",
    top: "mn_prove_slot_router",
    wrapper: include_str!("../../rtl_templates/formal/mn_prove_slot_router.v"),
    beside: &[],
    depth: 6,
    several_clocks: false,
    cases: &[
        Case { name: "full-2x2", parameters: &[("INPUTS", 2), ("BANKS", 1), ("OUTPUTS", 2), ("USED", 0x3f)] },
        // outputs with one source, with two, and with none
        Case { name: "sparse-3x3", parameters: &[("INPUTS", 2), ("BANKS", 2), ("OUTPUTS", 3), ("USED", 0x094)] },
        Case { name: "torus-5", parameters: &[("INPUTS", 4), ("BANKS", 1), ("OUTPUTS", 4), ("USED", 0xb_efbe)] },
        Case {
            name: "parity",
            parameters: &[("INPUTS", 2), ("BANKS", 1), ("OUTPUTS", 2), ("USED", 0x3f), ("PARITY", 1), ("W", 3)],
        },
    ],
    mutants: &[
        Mutant {
            name: "neighbour's-select",
            about: "a crosspoint opens with the next one's select",
            breaks: "An output with one source carries",
            case: "full-2x2",
            file: "mn_slot_output.v",
            old: "if (drop_i[n]) term_q",
            new: "if (drop_i[(n+1)%SOURCES]) term_q",
        },
        Mutant {
            name: "open-gate",
            about: "a crosspoint before the register is never closed",
            breaks: "An output without a source is idle",
            case: "sparse-3x3",
            file: "mn_slot_output.v",
            old: "{CW{!drop_i[n]}} &",
            new: "{CW{1'b1}} &",
        },
        Mutant {
            name: "missing-reset",
            about: "reset leaves what crosspoints hold open",
            breaks: "An output without a source is idle",
            case: "full-2x2",
            file: "mn_slot_router.v",
            old: "if (rst_i) drop_q <= {SOURCES{1'b1}};",
            new: "if (1'b0) drop_q <= {SOURCES{1'b1}};",
        },
        Mutant {
            name: "missed-conflict",
            about: "the first two of four sources are no conflict",
            breaks: "conflict_o rises exactly",
            case: "torus-5",
            file: "mn_slot_router.v",
            old: "(r[0] && r[1]) ||",
            new: "",
        },
        Mutant {
            name: "forgotten-write",
            about: "a word that is only written is not waited for",
            breaks: "missing_o rises exactly",
            case: "full-2x2",
            file: "mn_slot_router.v",
            old: "(write_i[i] || takes != {OUTPUTS{1'b0}})",
            new: "(takes != {OUTPUTS{1'b0}})",
        },
        Mutant {
            name: "silent-stranger",
            about: "a word that nobody wants goes unnoticed while another is written",
            breaks: "unexpected_o rises exactly",
            case: "full-2x2",
            file: "mn_slot_router.v",
            old: "valid && !expected_q;",
            new: "valid && !expected_q && write_i == {INPUTS{1'b0}};",
        },
        Mutant {
            name: "half-parity",
            about: "the parity leaves the lowest bit out",
            breaks: "parity_o rises exactly",
            case: "parity",
            file: "mn_slot_router.v",
            old: "^in_i[i*CW+:W]",
            new: "^in_i[i*CW+1+:W-1]",
        },
    ],
};
