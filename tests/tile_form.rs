//! The tile form in lockstep with the model: right networks agree in every cycle, wrong ones are caught with the place.

use crate::common::simulate::{collectives, data};
use crate::common::{Emitted, empty};
use metronoc::collective::Collective as _;
use metronoc::cosim::{Mismatch, Outcome, Verdict};
use metronoc::lower::PointKind;

/// Runs collectives that must go well, with every channel compared in every cycle.
fn agreed(emitted: &Emitted, repeat: u32, times: u64) -> Outcome {
    let sent = data(emitted, repeat);
    let outcome = collectives(emitted, &sent, times);
    assert_eq!(outcome.verdict, Verdict::Agreed);
    assert!(outcome.received == sent.0.expected(&sent.1).to_vec(), "the oracle says something else");
    assert_eq!(outcome.faults.as_deref(), Some(&[][..]));
    outcome
}

#[test]
fn collectives_agree_with_the_model_in_every_cycle() {
    for (k, m, more) in [
        (2, 3, ""),
        (1, 2, "[router]\npayload_bits = 8\n"),
        (2, 4, "group = \"xor\"\n[router]\npayload_bits = 64\nparity = true\nlocal_stages = 2\nglobal_stages = 3\n"),
        (3, 2, "[collective]\nwords = 3\n[schedule]\nstorage = \"ram\"\n"),
    ] {
        agreed(&Emitted::new(k, m, more), 1, 1);
    }
}

#[test]
fn two_buffers_are_filled_and_sent_at_once() {
    agreed(&Emitted::new(2, 3, "[router]\nglobal_stages = 2\n[collective]\nrepeat = 3\n"), 3, 1);
}

#[test]
fn collectives_of_one_start_follow_without_a_gap() {
    let emitted = Emitted::new(1, 3, "");
    let outcome = agreed(&emitted, 1, 50);
    let p = &emitted.lowered.parameters;
    assert!(matches!(&outcome.launched[..], [one] if (one.count, one.interval) == (50, p.pass_cycles())));
}

/// The first difference of a network.
fn difference(emitted: &Emitted) -> Mismatch {
    match collectives(emitted, &data(emitted, 1), 1).verdict {
        Verdict::Differed(mismatch) => *mismatch,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_stuck_bit_is_caught_at_its_channel() {
    // in the second global channel the one-hot header bit of packets that have arrived
    let d = difference(
        &Emitted::new(2, 3, "")
            .edit(
                "rtl/mn_node.v",
                ".global_o(global_o), .fault_o",
                ".global_o({global_o[69:68], open, global_o[66:0]}), .fault_o",
            )
            .edit("rtl/mn_node.v", "    wire piece;", "    wire piece, open;\n    assign global_o[67] = 1'b0;"),
    );
    assert_eq!((d.point.kind, d.point.port, d.expected[0] ^ d.found[0]), (PointKind::Channel, 3, 1 << 32));
}

#[test]
fn a_wrong_hop_latency_is_caught() {
    let d = difference(&Emitted::new(2, 3, "").edit("rtl/mn_node.v", ".GLOBAL_STAGES(1), ", ".GLOBAL_STAGES(2), "));
    assert_eq!(d.point.kind, PointKind::Channel);
}

#[test]
fn a_dropped_bit_of_a_bank_is_caught() {
    let (old, new) = (".wdata_i(wdata_i)", ".wdata_i(wdata_i & ~{{WIDTH-1{1'b0}}, 1'b1})");
    let d = difference(&Emitted::new(2, 3, "").edit("rtl/mn_send_port.v", old, new));
    assert_eq!((d.point.kind, d.expected[0] ^ d.found[0]), (PointKind::Channel, 1));
}

#[test]
fn a_changed_row_is_caught() {
    let mut emitted = Emitted::new(2, 3, "");
    let image = emitted.files.get_mut("rom/local_send.hex").expect("there");
    // the first row that has launches loses them
    let row = image.lines().find(|row| **row != empty(row)).expect("a row with launches").to_owned();
    *image = image.replacen(&row, &empty(&row), 1);
    let d = difference(&emitted);
    assert_eq!((d.point.kind, d.found[0]), (PointKind::Channel, 0));
}

#[test]
fn hardware_that_never_ends_is_told() {
    let emitted = Emitted::new(2, 3, "").edit("rtl/mn_node.v", ".done_o(done_o)", ".done_o(done)").edit(
        "rtl/mn_node.v",
        "    wire piece;",
        "    wire piece, done;\n    assign done_o = 1'b0;",
    );
    let outcome = collectives(&emitted, &data(&emitted, 1), 1);
    assert!(matches!(outcome.verdict, Verdict::Hung(cycles) if cycles > 10_000), "{:?}", outcome.verdict);
}

#[test]
fn hardware_that_ends_without_end_is_told() {
    // a tile does not answer, and all are at their end in every cycle
    let emitted = Emitted::new(2, 3, "")
        .edit("rtl/mn_node.v", ".ring_o(ring_o)", ".ring_o(ring)")
        .edit("rtl/mn_node.v", ".done_o(done_o)", ".done_o(done)")
        .edit(
            "rtl/mn_node.v",
            "    wire piece;",
            "    wire piece, done;\n    wire [40:0] ring;\n    assign done_o = 1'b1;\n    assign ring_o = 41'd0;",
        );
    let outcome = collectives(&emitted, &data(&emitted, 1), 1);
    assert!(matches!(outcome.verdict, Verdict::Hung(cycles) if cycles > 10_000), "{:?}", outcome.verdict);
}

#[test]
#[ignore = "three networks in Verilator; .ci/run includes it"]
fn one_program_for_all_is_followed_in_the_cycles_of_the_top() {
    for storage in ["rom", "ram", "counter"] {
        let more = format!("[collective]\nrepeat = 2\n[schedule]\nprogram = \"shared\"\nstorage = \"{storage}\"\n");
        agreed(&Emitted::new(2, 3, &more), 2, 3);
    }
}

#[test]
fn a_changed_row_of_the_one_program_is_caught() {
    let mut emitted = Emitted::new(2, 3, "[schedule]\nprogram = \"shared\"\n");
    let image = emitted.files.get_mut("rom/global_send.hex").expect("there");
    *image = image.lines().rev().map(|row| format!("{row}\n")).collect();
    assert_eq!(difference(&emitted).point.kind, PointKind::Channel);
}

#[test]
fn five_hundred_routers_agree() {
    agreed(&Emitted::new(8, 8, ""), 1, 1);
}
