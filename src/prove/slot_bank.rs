//! The bank of a slot-table endpoint: `mn_slot_bank`, with and without reads of the word that is being written.

use super::{Case, Mutant, Proof};

/// The proof. A bank forgets a read after a cycle.
pub(super) const PROOF: Proof = Proof {
    name: "slot-bank",
    about: "bank of slot tables: a read shows the word that was written, and none is overwritten before its last read",
    top: "mn_prove_slot_bank",
    wrapper: include_str!("../../rtl_templates/formal/mn_prove_slot_bank.v"),
    beside: &[],
    depth: 8,
    several_clocks: false,
    cases: &[
        Case { name: "any-address", parameters: &[("FORWARD", 0), ("RING", 0)] },
        Case { name: "forward", parameters: &[("FORWARD", 1), ("RING", 0)] },
        Case { name: "ring", parameters: &[("FORWARD", 0), ("RING", 1)] },
    ],
    mutants: &[
        Mutant {
            name: "write-without-enable",
            about: "a cycle without a write overwrites the word at the write address",
            breaks: "A word that is still to be read",
            case: "any-address",
            file: "mn_slot_bank.v",
            old: "if (write_i) mem[waddr_i]",
            new: "mem[waddr_i]",
        },
        Mutant {
            name: "shallow-bank",
            about: "the bank has a word fewer than its depth: the last address is the first",
            breaks: "A word that is still to be read",
            case: "ring",
            file: "mn_slot_bank.v",
            old: "mem[waddr_i] <= wdata_i;",
            new: "mem[waddr_i == DEPTH - 1 ? {AB{1'b0}} : waddr_i] <= wdata_i;",
        },
        Mutant {
            name: "last-word-for-none",
            about: "a write to an address that the bank does not have is to its last word",
            breaks: "A word that is still to be read",
            case: "forward",
            file: "mn_slot_bank.v",
            old: "mem[waddr_i] <= wdata_i;",
            new: "mem[waddr_i < DEPTH ? waddr_i : DEPTH - 1] <= wdata_i;",
        },
        Mutant {
            name: "write-address-read",
            about: "a read takes the write address",
            breaks: "A read shows",
            case: "any-address",
            file: "mn_slot_bank.v",
            old: "assign read = mem[raddr_i];",
            new: "assign read = mem[waddr_i];",
        },
        Mutant {
            name: "no-forward",
            about: "the word that is being written is not shown, but the one before it",
            breaks: "A read shows",
            case: "forward",
            file: "mn_slot_bank.v",
            old: "forward_i ? wdata_i : read;",
            new: "read;",
        },
    ],
};
