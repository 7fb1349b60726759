//! Slot tables tile by tile: tiles that are alike in lockstep with the model, and the proof of the top's wiring.

use crate::common;
use crate::common::slots::{Slots, Torus, listed, pairs, router};
use camino::Utf8PathBuf;
use metronoc::collective::exchange::{Exchange, ExchangeKind};
use metronoc::collective::pops::{Delivery, Relation};
use metronoc::collective::{AllToAll, Collective, Dtype};
use metronoc::cosim::wiring::{WiringError, WiringProof, prove};
use metronoc::cosim::{Outcome, Session, Sources, TileForm, TileInterface, Verdict, tile_form};
use metronoc::model::{Model, Sections};
use metronoc::program::Switching;
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::pops::{self, PopsRequest};
use metronoc::schedule::swapped_dragonfly::exchange::{ExchangeRequest, schedule as exchange_schedule};
use metronoc::spec::pops::PopsAlgorithm;
use metronoc::spec::{Crosspoints, Operator, RouterSpec};
use metronoc::tool::{self, Progress, Tool, ToolSet};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{Pops, SwappedDragonfly, Topology};
use std::rc::Rc;
use std::sync::LazyLock;

static TOOLS: LazyLock<ToolSet> =
    LazyLock::new(|| tool::ensure(&[Tool::Yosys], Progress::Silent).expect("Yosys can be made ready"));

const NETWORK: &str = "rtl/mn_network.v";

fn full(payload_bits: u32) -> RouterSpec {
    RouterSpec { crosspoints: Crosspoints::All, ..router(payload_bits) }
}

/// Every channel of every tile against the model, and the words that come out against the definition.
fn agrees(slots: &Slots, collective: &dyn Collective) -> Result<Outcome, String> {
    let lowered = &slots.lowered;
    let model = Rc::new(Model::new(lowered).expect("no conflict"));
    let words = collective.random(Dtype::filling(lowered.frame.data_bits).expect("a width"), 5).expect("few words");
    let (payload, _) = model.run(&lowered.arrays(collective), &words);
    let load = lowered.loads_of_each(&words.to_vec()).concat();
    let session = Session::of_moved_words(&model, load, payload, Some(Sections::All), 2);
    let built = common::built(slots.files(), &tile_form::slot_table_parts(lowered).expect("a wrapper"));
    let interface = TileInterface::slot_table(lowered, &Sources::new(slots.files())).expect("images");
    let outcome = session.run(&mut TileForm::new(&built, interface).expect("it loads")).expect("it runs");
    if let Some(mismatch) = outcome.mismatch() {
        return Err(model.fabric().place(mismatch.point));
    }
    assert_eq!(outcome.verdict, Verdict::Agreed);
    assert_eq!(outcome.faults.as_deref(), Some(&[][..]));
    let expected = collective.expected(&words);
    let wanted: Vec<u64> = lowered.result_indices().into_iter().map(|index| expected.get(index)).collect();
    assert_eq!(outcome.received, wanted.repeat(2));
    Ok(outcome)
}

#[test]
fn tiles_that_are_alike_are_simulated_apart() {
    let net = Torus::new(&[3, 3], false);
    let latencies = (0..36).map(|channel| 1 + channel * 5 % 4).collect();
    let program = listed(&net, &Switching::HopByChannel(latencies), &pairs(9), true);
    let collective = AllToAll::new(9, 1, 1);
    let used = Slots::new(&net, &program, &collective, &router(16));
    assert!(!used.lowered.is_alike(), "each has the crosspoints of its own table");
    let mut slots = Slots::new(&net, &program, &collective, &RouterSpec { parity: true, ..full(16) });
    assert!(slots.lowered.is_alike());
    agrees(&slots, &collective).expect("it agrees");

    // a crosspoint of the first word that node 4 sends stays closed
    let (row, send) =
        slots.lowered.nodes[4].rows.iter().enumerate().find(|(_, row)| !row.selects.is_empty()).expect("one");
    let (&output, &source) = send.selects.first_key_value().expect("one");
    let open = slots.lowered.nodes[4].shape.crosspoints.iter().position(|c| (c.output, c.source) == (output, source));
    slots.flip("rom/table_4.hex", row, open.expect("it is built"));
    assert_eq!(agrees(&slots, &collective).expect_err("it differs"), format!("channel {output} of node (1,1)"));
}

#[test]
fn tiles_that_take_different_numbers_of_words_are_alike() {
    let net = Torus::new(&[4], false);
    let packets = [(0, 1), (0, 2), (0, 3), (1, 3)];
    let relation = Relation::Demands(packets.to_vec());
    let program = listed(&net, &Switching::Hop(vec![1; 2]), &packets, false);
    let collective = Delivery::new(&relation, 4, 1);
    let slots = Slots::new(&net, &program, &collective, &full(8));
    assert_eq!(slots.lowered.loads().iter().map(Vec::len).collect::<Vec<_>>(), [3, 1, 0, 0]);
    agrees(&slots, &collective).expect("it agrees");
    assert!(slots.passes() > 0);
}

#[test]
fn operators_of_tiles_that_are_alike() {
    let (net, hop) = (SwappedDragonfly::new(2, 2, Group::Xor), HopLatency { local: 1, global: 1 });
    let kind = ExchangeKind::PrefixScan(Operator::Sum);
    let request = ExchangeRequest { kind, algorithm: "best", words: 2, operator: 3, hop };
    let made = exchange_schedule(&net, &request).expect("a schedule");
    let collective = Exchange::new(kind, 8, 2);
    let slots = Slots::new(&net, &made.to_program(&net), &collective, &full(16));
    agrees(&slots, &collective).expect("it agrees");
}

fn proved(slots: &Slots) -> Result<WiringProof, WiringError> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let work = Utf8PathBuf::from_path_buf(dir.path().to_owned()).expect("UTF-8");
    prove(slots.files(), &slots.lowered, &TOOLS, &work)
}

/// A torus with channels of one to three cycles.
fn torus() -> Slots {
    let net = Torus::new(&[3, 3], false);
    let latencies = (0..36).map(|channel| 1 + channel * 5 % 3).collect();
    let program = listed(&net, &Switching::HopByChannel(latencies), &pairs(9), false);
    Slots::new(&net, &program, &AllToAll::new(9, 1, 1), &router(16))
}

#[test]
fn emitted_tops_are_their_networks() {
    let proof = proved(&torus()).expect("the wiring is right");
    assert_eq!((proof.tiles, proof.channels), (9, 36));
    assert!(proof.bits > 2 * 36 * 17);

    // nodes with different numbers of channels, and media
    let net = Pops::new(3, 2);
    let relation = Relation::Permutation(vec![5, 4, 3, 2, 1, 0]);
    let made = pops::schedule(net, &relation, &PopsRequest::new(PopsAlgorithm::Best)).expect("it is scheduled");
    let slots = Slots::new(&net, &made.to_program(net), &Delivery::new(&relation, 6, 1), &router(16));
    assert_eq!(proved(&slots).expect("the wiring is right").tiles as usize, net.nodes());
}

#[test]
fn wrong_wiring_is_named() {
    let refused = |old: &str, new: &str| {
        let mut slots = torus();
        let text = slots.files.get_mut(NETWORK).expect("a module");
        assert_eq!(text.matches(old).count(), 1, "{old}");
        *text = text.replacen(old, new, 1);
        proved(&slots).expect_err("it is wrong").to_string()
    };
    let good = torus();
    let text = &good.files[NETWORK];
    // the inputs of node 0 in another order
    let inputs = text.split(".in_i({").nth(1).and_then(|rest| rest.split("})").next()).expect("inputs");
    let (first, rest) = inputs.split_once(", ").expect("several");
    let said = refused(inputs, &format!("{rest}, {first}"));
    assert!(said.contains("in_i[0] is driven by") && said.contains("(channel "), "{said}");
    // a register of a channel too many
    let stages = text.split("mn_stages #(.W(CW), .N(1), .HEAD(1)) ").nth(1).expect("a channel of two cycles");
    let name = stages.split(' ').next().expect("a name");
    let old = format!("#(.W(CW), .N(1), .HEAD(1)) {name} ");
    assert_eq!(refused(&old, &old.replace("N(1)", "N(2)")), format!("mn_network: `{name}`, has N = 2 instead of 1"));
    // the table of another node
    let said = refused("rom/table_3.hex", "rom/table_4.hex");
    assert_eq!(said, "mn_network: `u_tile_3`, has TABLE = \"rom/table_4.hex\" instead of \"rom/table_3.hex\"");
    let said = refused(".go_i(start[6])", ".go_i(start[7])");
    assert!(said.contains("u_tile_3.go_i[0] is driven by leaf 3 of u_go, carrying go_swap_i[0]"), "{said}");
    let said = refused(".tile_i(4'd3)", ".tile_i(4'd2)");
    assert!(said.contains("two tiles"), "{said}");
}
