//! The port of a processor whose couplers arbitrate: `mn_pops_queue_port` with its queues and readers.

use super::{Case, Mutant, Proof};

/// The proof. The words that the port holds are stated in full, so the step needs one cycle; the depth is for defects.
pub(super) const PROOF: Proof = Proof {
    name: "pops-queue-port",
    about: "port of POPS without a schedule: no word is lost or doubled, in either direction",
    top: "mn_prove_pops_queue_port",
    wrapper: include_str!("../../rtl_templates/formal/mn_prove_pops_queue_port.v"),
    beside: &[],
    depth: 7,
    several_clocks: false,
    cases: &[
        Case { name: "l1-depth1", parameters: &[("L", 1), ("DEPTH", 1)] },
        Case { name: "l1-depth2", parameters: &[("L", 1), ("DEPTH", 2)] },
        Case { name: "l2-depth1", parameters: &[("L", 2), ("DEPTH", 1)] },
    ],
    mutants: &[
        Mutant {
            name: "no-back-pressure",
            about: "a word that finds its queue full is overwritten by the next",
            breaks: "A port holds for a group",
            case: "l1-depth1",
            file: "mn_pops_queue_port.v",
            old: "wire in_move = !in_valid_q || push != {G{1'b0}};",
            new: "wire in_move = 1'b1;",
        },
        Mutant {
            name: "doubled-word",
            about: "a word stays in the queue when the register has it",
            breaks: "A port holds for a group",
            case: "l1-depth2",
            file: "mn_pops_queue.v",
            old: "if (pop_i) head_q <= head_q + 1'b1;",
            new: "if (pop_i && !push_i) head_q <= head_q + 1'b1;",
        },
        Mutant {
            name: "moving-destination",
            about: "the destination is taken from every word of a packet",
            breaks: "A port holds for a group",
            case: "l2-depth1",
            file: "mn_pops_queue_port.v",
            old: "if (take && in_first) {in_group_q, in_dest_q} <= s_axis_tdest;",
            new: "if (take) {in_group_q, in_dest_q} <= s_axis_tdest;",
        },
        Mutant {
            name: "deaf-while-full",
            about: "a word that is heard while the stream out waits is lost",
            breaks: "A port holds of a group",
            case: "l1-depth2",
            file: "mn_pops_queue_port.v",
            old: "valid_i[a] && dest_i[a*DB+:DB] == index_i",
            new: "valid_i[a] && dest_i[a*DB+:DB] == index_i && !(m_axis_tvalid && !m_axis_tready)",
        },
        Mutant {
            name: "impatient-output",
            about: "the register is filled anew before its word is taken",
            breaks: "A port holds of a group",
            case: "l1-depth1",
            file: "mn_pops_reader.v",
            old: "wire move = !valid_q || ready_i;",
            new: "wire move = !valid_q || ready_i || !open_q;",
        },
        Mutant {
            name: "room-for-each-word",
            about: "room is given back for every word of a packet",
            breaks: "Room is given back once",
            case: "l2-depth1",
            file: "mn_pops_queue_port.v",
            old: "assign free_o = heard_pop & heard_last;",
            new: "assign free_o = heard_pop;",
        },
    ],
};
