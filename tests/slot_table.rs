//! Slot tables: any program on any network, in the test bench of its own and read back from its images.

use crate::common;
use crate::common::slots::{AllGather, Slots, Torus, listed, pairs, router, simulated};
use metronoc::check::judge::judge;
use metronoc::collective::Dtype;
use metronoc::collective::exchange::{Exchange, ExchangeKind};
use metronoc::collective::pops::{Delivery, Relation};
use metronoc::collective::{AllToAll, Collective};
use metronoc::cosim::{Session, Top, Verdict, slot_table_parts};
use metronoc::emit::CHECK_DIGITS;
use metronoc::lower::{Images, LowerError, Programmed};
use metronoc::model::{Model, Sections};
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::program::{
    Document, Expansion, Hop, ImportError, Operation, Origin, Program, Switching, Train, Who, import,
};
use metronoc::schedule::pops::{self, PopsRequest};
use metronoc::schedule::swapped_dragonfly::exchange::{ExchangeRequest, schedule as exchange_schedule};
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::spec::pops::PopsAlgorithm;
use metronoc::spec::{Crosspoints, Operator, RouterSpec};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{Pops, SwappedDragonfly, Topology};
use serde_json::json;
use std::rc::Rc;

/// Results of the bench's two collectives.
fn results(slots: &Slots) -> u64 {
    2 * u64::from(slots.lowered.results) * slots.lowered.nodes.len() as u64
}

#[test]
#[ignore = "three networks in Verilator; .ci/run includes it"]
fn an_all_to_all_of_a_torus() {
    for (dims, up) in [(&[4, 2][..], true), (&[3, 3], false), (&[2, 2, 2], false)] {
        let net = Torus::new(dims, up);
        let n = net.nodes() as u32;
        let program = listed(&net, &Switching::Hop(vec![1; net.ports()]), &pairs(n), false);
        let slots = Slots::new(&net, &program, &AllToAll::new(n, 1, 1), &router(32));
        assert_eq!(slots.lowered.results, n - 1);
        assert_eq!(slots.passes(), results(&slots), "{dims:?}");
        println!("{dims:?}: {:?}", slots.lowered.figures());
    }
}

#[test]
fn all_crosspoints_carry_what_the_used_ones_do() {
    let net = Torus::new(&[3, 2], true);
    let program = listed(&net, &Switching::Hop(vec![1; net.ports()]), &pairs(6), true);
    let all = RouterSpec { crosspoints: Crosspoints::All, ..router(16) };
    let slots = Slots::new(&net, &program, &AllToAll::new(6, 1, 1), &all);
    let figures = slots.lowered.figures();
    assert_eq!(figures.crosspoints_used, figures.crosspoints_all);
    assert_eq!(slots.passes(), results(&slots));
}

#[test]
fn circuits_are_hops_through_media() {
    let net = Pops::new(3, 2);
    let relation = Relation::Permutation(vec![5, 4, 3, 2, 1, 0]);
    let made = pops::schedule(net, &relation, &PopsRequest::new(PopsAlgorithm::Best)).expect("it is scheduled");
    let collective = Delivery::new(&relation, 6, 1);
    let slots = Slots::new(&net, &made.to_program(net), &collective, &router(16));
    // to a coupler in one cycle, and from it in the next; the last row takes what came
    assert_eq!((slots.lowered.slot_cycles, slots.lowered.rows), (2, 2 * made.slots + 1));
    assert_eq!(slots.passes(), results(&slots));
}

#[test]
#[ignore = "two simulators; .ci/run includes it"]
fn words_wait_and_go_past_memories() {
    let net = Torus::new(&[4, 3], false);
    let mut longest = 0;
    let latencies = (0..48).map(|channel| 1 + channel * 7 % 4).collect();
    for switching in [Switching::Hop(vec![1; 4]), Switching::HopByChannel(latencies)] {
        let program = listed(&net, &switching, &pairs(12), true);
        let waits: Vec<u32> = program.hops.iter().filter(|hop| hop.parent.is_some()).map(|hop| hop.wait).collect();
        assert!(waits.contains(&1), "{waits:?}");
        longest = longest.max(waits.into_iter().max().unwrap_or(0));
        let slots = Slots::new(&net, &program, &AllToAll::new(12, 1, 1), &router(16));
        assert!(slots.lowered.nodes.iter().flat_map(|node| &node.shape.banks).any(|bank| bank.forward));
        assert_eq!(slots.passes(), results(&slots));
    }
    assert!(longest > 1, "{longest}");
}

/// Every node's word goes round a ring both ways, and every node keeps it.
fn gathered(net: &Torus) -> Program {
    let mut program = Program::new(Switching::Hop(vec![1, 1]));
    let word = program.value(Who::Every, 1, Origin::Message);
    let n = net.dims[0];
    for (port, hops) in [(0, n / 2), (1, (n - 1) / 2)] {
        let hop = |i: u32| Hop { parent: i.checked_sub(1), port, wait: 0, keep: true };
        program.send(word, Who::Every, (0, Train::STEADY), (0..hops).map(hop));
    }
    program
}

#[test]
fn an_all_gather_of_a_ring_is_one_table() {
    let net = Torus::new(&[7], false);
    let slots = Slots::new(&net, &gathered(&net), &AllGather(7), &router(8));
    assert!(slots.lowered.is_shared());
    assert!(slots.files.contains_key("rom/table.hex"));
    assert_eq!(slots.passes(), results(&slots));
    let figures = slots.lowered.figures();
    assert_eq!((figures.crosspoints_used, figures.crosspoints_all), (7 * 4, 7 * 2 * 5));
    assert_eq!(7 * figures.table_bits, figures.table_bits_all);
}

#[test]
fn a_swapped_dragonfly_is_a_network_like_others() {
    let hop = HopLatency { local: 1, global: 2 };
    let net = SwappedDragonfly::new(2, 2, Group::Xor);
    let request = AllToAllRequest { passes: 2, ..AllToAllRequest::new("best", hop) };
    let made = schedule_all_to_all(&net, &request).expect("a schedule");
    let slots = Slots::new(&net, &made.to_program(&net), &AllToAll::new(8, 2, 1), &router(32));
    assert_eq!(slots.passes(), results(&slots));
}

#[test]
#[ignore = "a simulator for each operator; .ci/run includes it"]
fn operators_combine_what_comes() {
    let (net, hop) = (SwappedDragonfly::new(2, 2, Group::Xor), HopLatency { local: 1, global: 1 });
    for kind in [
        ExchangeKind::AllReduce(Operator::Sum),
        ExchangeKind::AllReduce(Operator::Min),
        ExchangeKind::PrefixScan(Operator::Xor),
        ExchangeKind::Sort,
    ] {
        let request = ExchangeRequest { kind, algorithm: "best", words: 2, operator: 3, hop };
        let made = exchange_schedule(&net, &request).expect("a schedule");
        let collective = Exchange::new(kind, 8, 2);
        let slots = Slots::new(&net, &made.to_program(&net), &collective, &router(16));
        assert_eq!(slots.passes(), results(&slots), "{kind:?}");
        assert_eq!(collective.shape().0, [8, 2]);
    }
}

/// A document as another tool would write it, read again, judged and imported; its network in hardware and in a plain simulation.
fn imported(text: &str) -> Slots {
    let document = Document::read(text.as_bytes()).expect("a document");
    judge(&document).expect("it holds");
    let imported = import(&document).expect("it can be imported");
    let slots = Slots::new(&imported.network, &imported.program, &imported.arrays, &router(32));
    assert_eq!(simulated(&imported.network, &imported.program, &imported.arrays), 0);
    assert_eq!(slots.passes(), results(&slots));
    slots
}

/// The exchange form of a program.
fn exported(net: &dyn Topology, program: &Program, tables: [serde_json::Value; 2]) -> String {
    let document = Document::new(&Expansion::new(net, program).expect("a small network"), [&tables[0], &tables[1]]);
    let mut text = Vec::new();
    document.write(&mut text).expect("memory");
    String::from_utf8(text).expect("JSON")
}

#[test]
fn schedules_of_others_become_hardware() {
    let hop = HopLatency { local: 1, global: 2 };
    let net = SwappedDragonfly::new(2, 2, Group::Xor);
    let network = || json!({"topology": "swapped-dragonfly", "k": 2, "m": 2, "group": "xor"});
    let made = schedule_all_to_all(&net, &AllToAllRequest::new("best", hop)).expect("a schedule");
    let text = exported(&net, &made.to_program(&net), [network(), json!({"kind": "all-to-all"})]);
    assert_eq!(imported(&text).lowered.results, 7);

    let kind = ExchangeKind::AllReduce(Operator::Sum);
    let request = ExchangeRequest { kind, algorithm: "best", words: 1, operator: 3, hop };
    let made = exchange_schedule(&net, &request).expect("a schedule");
    let collective = json!({"kind": "all-reduce", "op": "sum"});
    let slots = imported(&exported(&net, &made.to_program(&net), [network(), collective]));
    assert_eq!(slots.lowered.results, 1);

    // written by hand: a sum of three words at node 0 goes back to all, over a channel of three cycles
    let text = r#"{"format": "metronoc-schedule/1", "network": {"topology": "graph"}, "collective": {"kind": "all-reduce", "op": "max"},
        "switching": "hop", "nodes": [["a"], ["b"], ["c"]], "channels": [[1, 0], [2, 1], [0, 1], [1, 2]], "latency": [1, 1, 3, 1],
        "packets": [{"id": 4, "src": 0, "dsts": [0]}, {"id": 5, "src": 1, "dsts": [0]}, {"id": 6, "src": 2, "dsts": [0]},
                    {"id": 9, "src": 0, "dsts": [0, 1, 2]}],
        "transfers": [[0, 0, 5], [0, 1, 6], [3, 0, 6], [8, 2, 9], [11, 3, 9]],
        "ops": [{"packet": 9, "node": 0, "cycle": 4, "inputs": [4, 5, 6]}], "cycles": 12}"#;
    let slots = imported(text);
    assert_eq!(slots.lowered.frame.label(2.into()), "(2)");
    assert_eq!(slots.lowered.results, 1);
}

#[test]
fn documents_that_are_no_programs_are_refused() {
    let text = |packets: &str, transfers: &str, more: &str| {
        format!(
            r#"{{"format": "metronoc-schedule/1", "network": {{}}, "collective": {{"kind": "h-relation"}}, "switching": "hop",
            "nodes": [[0], [1], [2]], "channels": [[0, 1], [1, 2]], "packets": [{packets}], "transfers": [{transfers}], "cycles": 2{more}}}"#
        )
    };
    let refused = |text: String| import(&Document::read(text.as_bytes()).expect("a document")).expect_err("it is none");
    let packet = r#"{"id": 0, "src": 0, "dsts": [2]}"#;
    // a node without channels to it, and one without channels from it
    let good =
        import(&Document::read(text(packet, "[0, 0, 0], [1, 1, 0]", "").as_bytes()).unwrap()).expect("a program");
    let slots = Slots::new(&good.network, &good.program, &good.arrays, &router(8));
    assert_eq!(slots.passes(), results(&slots));
    assert_eq!(refused(text(packet, "[0, 0, 0]", "")), ImportError::NotDelivered { packet: 0, node: 2 });
    assert_eq!(
        refused(text(packet, "[0, 0, 0], [0, 1, 0]", "")),
        ImportError::NotThere { packet: 0, node: 1, cycle: 0 }
    );
    assert!(matches!(refused(text(packet, "[0, 7, 0]", "")), ImportError::Transfer { transfer: 0, .. }));
    assert!(matches!(refused(text(packet, "[0, 0, 3]", "")), ImportError::Transfer { transfer: 0, .. }));
    let far = r#"{"id": 0, "src": 3, "dsts": [3]}"#;
    assert!(matches!(refused(text(far, "", "")), ImportError::Packet { packet: 0, .. }));
    let ops = r#", "ops": [{"packet": 0, "node": 0, "cycle": 0, "inputs": [0]}]"#;
    assert_eq!(
        refused(text(packet, "[0, 0, 0], [1, 1, 0]", ops)),
        ImportError::NoSum { kind: "h-relation".to_owned() }
    );
}

#[test]
fn what_slot_tables_cannot_hold_is_refused() {
    let net = Torus::new(&[4], false);
    let refused = |change: &dyn Fn(&mut Program)| {
        let mut program = gathered(&net);
        change(&mut program);
        let Err(error) = Slots::try_new(&net, &program, &AllGather(4), &router(8)) else { panic!("it is lowered") };
        error.to_string()
    };
    let twice = refused(&|program| program.moves[1].hops = program.moves[0].hops.clone());
    assert!(twice.contains("two words that leave node (0) over output 0 in cycle 0"), "{twice}");
    let bursts = refused(&|program| {
        program.switching = Switching::Circuit;
        program.moves[0].train = Train { burst: 2, period: 3 };
    });
    assert!(bursts.contains("circuits of batches in bursts"), "{bursts}");
    assert!(refused(&|program| program.hops[0].port = 2).contains("port 2 of node (0)"));
    let products = refused(&|program| {
        let out = program.value(Who::Every, 1, Origin::Made);
        program.operate((Who::Every, out), (9, Train::STEADY, 3), Operation::MultiplyAdd, []);
    });
    assert!(products.contains("sums of products"), "{products}");
    // an operator that is too fast
    let (net, hop) = (SwappedDragonfly::new(2, 2, Group::Xor), HopLatency { local: 1, global: 1 });
    let kind = ExchangeKind::AllReduce(Operator::Sum);
    let request = ExchangeRequest { kind, algorithm: "best", words: 1, operator: 1, hop };
    let made = exchange_schedule(&net, &request).expect("a schedule");
    let error = Slots::try_new(&net, &made.to_program(&net), &Exchange::new(kind, 8, 1), &router(16));
    assert!(matches!(error, Err(LowerError::FastOperator { stages: 1, least: 2, .. })), "{:?}", error.err());
}

#[test]
#[ignore = "several mutants in Verilator; .ci/run includes it"]
fn a_wrong_table_is_found() {
    let net = Torus::new(&[3, 3], false);
    let collective = AllToAll::new(9, 1, 1);
    let program = listed(&net, &Switching::Hop(vec![1; 4]), &pairs(9), false);
    let slots = || Slots::new(&net, &program, &collective, &router(32));
    let good = slots();
    let images = |slots: &Slots| -> Images {
        let rows = |text: &str| text.lines().map(|row| row[CHECK_DIGITS..].to_owned() + "\n").collect::<String>();
        let name = |file: &str| Some(file.strip_prefix("rom/")?.strip_suffix(".hex")?.to_owned());
        slots.files.iter().filter_map(|(file, text)| Some((name(file)?, rows(text)))).collect()
    };
    let judged = |slots: &Slots| slots.lowered.read(&images(slots));
    judged(&good).expect("they are right");
    let flipped = |file: &str, row: usize, bit: usize| {
        let mut broken = slots();
        broken.flip(file, row, bit);
        broken
    };
    let shape = &good.lowered.nodes[4].shape;
    let selected = &good.lowered.nodes[4].rows[1].selects;
    // a crosspoint that is open stays closed, and one that is closed opens
    for (bit, crosspoint) in shape.crosspoints.iter().enumerate() {
        let broken = flipped("rom/table_4.hex", 1, bit);
        let error = judged(&broken).expect_err("the image is read back").to_string();
        let was_open = selected.get(&crosspoint.output) == Some(&crosspoint.source);
        assert!(error.contains("slot table of node") && error.contains("in row"), "{error}");
        if bit % 4 == 0 || was_open {
            let said = broken.bench();
            assert!(said.starts_with("FAIL: ") && !said.starts_with("FAIL: 0 errors"), "{crosspoint:?}: {said}");
            assert!(said.ends_with("fault 1"), "{crosspoint:?}: {said}");
        }
    }
    // a result from another address
    let loads = good.lowered.nodes[4].loads.len();
    let address = metronoc::lower::slot_table::Fields::new(shape).result[1].at as usize;
    let broken = flipped("rom/places_4.hex", loads, address);
    assert!(judged(&broken).is_err());
    assert!(broken.bench().starts_with("FAIL: "));
    // an image that is not there
    let mut broken = slots();
    let rows = broken.files.get_mut("rom/table_0.hex").expect("an image");
    *rows = rows.lines().map(|row| common::empty(row).replacen(&row[..2], "00", 1) + "\n").collect();
    assert!(broken.bench().ends_with("fault 1"));
}

#[test]
fn wrong_hardware_is_found() {
    let net = Torus::new(&[3, 3], false);
    let program = listed(&net, &Switching::Hop(vec![1; 4]), &pairs(9), false);
    let collective = AllToAll::new(9, 1, 1);
    for (file, old, new) in [
        ("rtl/mn_slot_output.v", "if (drop_i[n]) term_q", "if (drop_i[0]) term_q"),
        ("rtl/mn_slot_bank.v", "mem[waddr_i] <= wdata_i", "mem[waddr_i] <= wdata_i + 1'b1"),
        ("rtl/mn_slot_endpoint.v", "bank_2q  <= bank_1q;", "bank_2q  <= place_o[BB-1:0];"),
    ] {
        let mut broken = Slots::new(&net, &program, &collective, &router(32));
        let text = broken.files.get_mut(file).expect("a module");
        assert_eq!(text.matches(old).count(), 1, "{old}");
        *text = text.replacen(old, new, 1);
        let said = broken.bench();
        assert!(said.starts_with("FAIL: "), "{file}: {said}");
    }
}

#[test]
#[ignore = "a simulator with time; .ci/run includes it"]
fn the_bench_runs_in_verilator() {
    let net = Torus::new(&[4, 4], true);
    let program = listed(&net, &Switching::Hop(vec![1; 2]), &pairs(16), false);
    let said = Slots::new(&net, &program, &AllToAll::new(16, 1, 1), &router(32)).bench_in_verilator();
    assert!(said.starts_with("PASS: "), "{said}");
}

/// Every channel against the model in every cycle, the words that come out against the definition; where it differs first, and faults.
fn compared(slots: &Slots, collective: &dyn Collective) -> Result<Vec<String>, String> {
    let lowered = &slots.lowered;
    let model = Rc::new(Model::new(lowered).expect("no conflict"));
    let dtype = Dtype::filling(lowered.frame.data_bits).expect("a width");
    let words = collective.random(dtype, 11).expect("few words");
    let (payload, _) = model.run(&lowered.arrays(collective), &words);
    let load = lowered.loads_of_each(&words.to_vec()).concat();
    let session = Session::of_moved_words(&model, load, payload, Some(Sections::All), 2);
    let parts = slot_table_parts(lowered).expect("it has a shim");
    let mut top = Top::new(&common::built(slots.files(), &parts), lowered).expect("it loads");
    let outcome = session.run(&mut top).expect("it runs");
    let faults = outcome.faults.iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
    if let Some(mismatch) = outcome.mismatch() {
        return Err(format!("{}; {faults:?}", model.fabric().place(mismatch.point)));
    }
    assert_eq!(outcome.verdict, Verdict::Agreed);
    assert!(outcome.compared > 0);
    let expected = collective.expected(&words);
    let wanted: Vec<u64> = lowered.result_indices().into_iter().map(|index| expected.get(index)).collect();
    assert_eq!(outcome.received, wanted.repeat(2));
    Ok(faults)
}

#[test]
fn hardware_is_in_lockstep_with_the_model() {
    let net = Torus::new(&[3, 3], false);
    let latencies = (0..36).map(|channel| 1 + channel * 5 % 3).collect();
    let program = listed(&net, &Switching::HopByChannel(latencies), &pairs(9), true);
    let collective = AllToAll::new(9, 1, 1);
    let wide = RouterSpec { parity: true, ..router(64) };
    let mut slots = Slots::new(&net, &program, &collective, &wide);
    assert_eq!(compared(&slots, &collective), Ok(vec![]));

    // no build of its own: a crosspoint of the first word that node 4 sends stays closed
    let (row, send) =
        slots.lowered.nodes[4].rows.iter().enumerate().find(|(_, row)| !row.selects.is_empty()).expect("one");
    let (&output, &source) = send.selects.first_key_value().expect("one");
    let open = slots.lowered.nodes[4].shape.crosspoints.iter().position(|c| (c.output, c.source) == (output, source));
    slots.flip("rom/table_4.hex", row, open.expect("it is built"));
    let told = compared(&slots, &collective).expect_err("it differs");
    assert!(told.starts_with(&format!("channel {output} of node (1,1); ")), "{told}");
    assert!(told.contains("missing arrival"), "{told}");
}

#[test]
fn operators_are_in_lockstep_with_the_model() {
    let (net, hop) = (SwappedDragonfly::new(2, 2, Group::Xor), HopLatency { local: 1, global: 1 });
    let kind = ExchangeKind::PrefixScan(Operator::Sum);
    let request = ExchangeRequest { kind, algorithm: "best", words: 2, operator: 3, hop };
    let made = exchange_schedule(&net, &request).expect("a schedule");
    let collective = Exchange::new(kind, 8, 2);
    let slots = Slots::new(&net, &made.to_program(&net), &collective, &router(16));
    assert_eq!(compared(&slots, &collective), Ok(vec![]));
}
