//! Products of matrices on the Swapped Dragonfly: schedules of all sizes are proved, one agrees with a table that was made by
//! other means, and every kind of fault is found.

use metronoc::check::program::ProgramFault;
use metronoc::check::swapped_dragonfly::CheckError;
use metronoc::check::swapped_dragonfly::product_fault::ProductFault;
use metronoc::check::swapped_dragonfly::product_program::check_program;
use metronoc::check::swapped_dragonfly::{CheckedProduct, check_product, check_trains};
use metronoc::collective::{Product, ProductKind};
use metronoc::program::form::swapped_dragonfly::product::{Layout, ProductSchedule, Send, Stage};
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::program::{Input, Program};
use metronoc::schedule::swapped_dragonfly::product::{ProductRequest, schedule};
use metronoc::schedule::swapped_dragonfly::product_trains;
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::swapped_dragonfly::headers::{Header, Ports, Step, steps};
use metronoc::topology::{SwappedDragonfly, Topology};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

const KINDS: [ProductKind; 4] =
    [ProductKind::VectorMatrix, ProductKind::MatrixVector, ProductKind::MatrixMatrix, ProductKind::Transpose];
const ONE: HopLatency = HopLatency { local: 1, global: 1 };

fn request<'a>(kind: ProductKind, algorithm: &'a str, block: u32) -> ProductRequest<'a> {
    ProductRequest { algorithm, kind, block, mac_cycles: 0, hop: ONE }
}

/// Signed elements of 16 bits, sums of 40.
fn product(net: &SwappedDragonfly, made: &ProductSchedule) -> Product {
    let blocks = match made.layout {
        Layout::Square { side } => side * net.m(),
        Layout::Linear => net.k() * net.m(),
    };
    let (kind, order) = (made.kind, blocks * made.block);
    Product { kind, order, element_bits: 16, signed: true, accumulator_bits: 40 }
}

fn proved(net: &SwappedDragonfly, request: &ProductRequest) -> CheckedProduct {
    let made = schedule(net, request).unwrap();
    let product = product(net, &made);
    check_product(net, made, product, 1).unwrap_or_else(|error| panic!("{net:?} {request:?}: {error}"))
}

#[test]
fn all_products_are_proved() {
    let cyclic =
        [(1, 2), (2, 3), (3, 2), (4, 2), (4, 3), (9, 2)].map(|(k, m)| SwappedDragonfly::new(k, m, Group::Cyclic));
    let xor = [(4, 2), (4, 4)].map(|(k, m)| SwappedDragonfly::new(k, m, Group::Xor));
    for net in cyclic.into_iter().chain(xor) {
        for (kind, block, mac_cycles) in KINDS.into_iter().flat_map(|kind| [(kind, 1, 0), (kind, 2, 0), (kind, 1, 3)]) {
            for algorithm in ["best", "in-place", "out-of-place", "one-round"] {
                let request = ProductRequest { mac_cycles, ..request(kind, algorithm, block) };
                let square = net.k().isqrt().pow(2) == net.k();
                if square || ["best", "one-round"].contains(&algorithm) {
                    let checked = proved(&net, &request);
                    assert!(checked.ratio() >= 1.0, "{net:?} {request:?} {:?}", checked.bounds());
                } else {
                    assert!(schedule(&net, &request).is_err(), "{net:?} {request:?}");
                }
            }
        }
    }
}

/// K + M + 1 cycles, where batches of min(K,M) rows in pairs take 2·max(K,M) + 1 or + 2; the return is one hop more.
#[test]
fn a_matrix_product_takes_a_cycle_more_than_its_rounds() {
    for (k, m) in [(2, 2), (2, 3), (3, 2), (2, 5), (3, 3), (4, 3)] {
        let net = SwappedDragonfly::new(k * k, m, Group::Cyclic);
        let cycles = |algorithm, block| proved(&net, &request(ProductKind::MatrixMatrix, algorithm, block)).cycles();
        assert_eq!((cycles("out-of-place", 1), cycles("in-place", 1)), (k + m + 1, k + m + 2), "D3({k}²,{m})");
        let blocked = proved(&net, &request(ProductKind::MatrixMatrix, "out-of-place", 2));
        assert_eq!((blocked.cycles(), blocked.ratio()), (4 * (k + m) + 1, 1.0));
    }
}

#[test]
fn rounds_have_their_hops_and_a_transpose_has_one() {
    let net = SwappedDragonfly::new(9, 3, Group::Cyclic);
    let cycles = |kind, algorithm| proved(&net, &request(kind, algorithm, 1)).cycles();
    for kind in [ProductKind::VectorMatrix, ProductKind::MatrixVector] {
        assert_eq!([cycles(kind, "out-of-place"), cycles(kind, "in-place")], [4, 5]);
    }
    assert_eq!([ProductKind::VectorMatrix, ProductKind::MatrixVector].map(|kind| cycles(kind, "one-round")), [5, 3]);
    assert_eq!(["in-place", "one-round"].map(|algorithm| cycles(ProductKind::Transpose, algorithm)), [1, 1]);
}

#[test]
fn longer_hops_and_arithmetic_are_waited_for() {
    let net = SwappedDragonfly::new(4, 3, Group::Cyclic);
    for (local, global, mac_cycles) in [(1, 2, 0), (2, 1, 1), (3, 2, 4)] {
        for (kind, algorithm) in KINDS.into_iter().flat_map(|kind| [(kind, "in-place"), (kind, "one-round")]) {
            let hop = HopLatency { local, global };
            let request = ProductRequest { hop, mac_cycles, ..request(kind, algorithm, 1) };
            let mut made = schedule(&net, &request).unwrap();
            let product = product(&net, &made);
            assert!(check_product(&net, made.clone(), product, 1).is_ok(), "{request:?}");
            made.mac_cycles += 1;
            let faster = check_product(&net, made, product, 1);
            if kind != ProductKind::Transpose {
                assert!(matches!(faster, Err(CheckError::Product(ProductFault::NotReady { .. }))), "{request:?}");
            }
        }
    }
}

/// The committed table of D3(2²,2) lists the links of each hop of each round, and a product.
#[test]
fn the_paths_are_those_of_the_table() {
    let table: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string("tests/golden/matrix_2_2.json").unwrap()).unwrap();
    let numbers = |value: &serde_json::Value| -> Vec<u64> {
        value.as_array().unwrap().iter().map(|n| n.as_i64().unwrap() as u64).collect()
    };
    let net = SwappedDragonfly::new(4, 2, Group::Cyclic);
    let checked = proved(&net, &request(ProductKind::MatrixMatrix, "in-place", 1));
    let rounds = table["rounds"].as_array().unwrap();
    assert_eq!(rounds.len(), 4);
    let stages = [Stage::Operand, Stage::Operand, Stage::Product, Stage::Sum, Stage::Result];
    for round in rounds {
        let vector = (round["s"].as_u64().unwrap() * 2 + round["u"].as_u64().unwrap()) as u32;
        for (hop, stage) in stages.into_iter().enumerate() {
            let of = |send: &&Send| send.term.vector == vector && send.term.stage == stage;
            let mut links = BTreeSet::new();
            for send in checked.schedule().sends.iter().filter(of) {
                // hops of a cycle each, of which the first goes before the second
                let mut open = vec![(net.address(send.node), 0, Header::clone(&send.header))];
                while let Some((at, before, header)) = open.pop() {
                    for Step { port, to, header } in steps(&net, at, &header) {
                        let link = match port {
                            _ if (before == 1) != (hop == 1) => None,
                            Some(port) if net.channel(net.channel_id(net.node(at), port)).is_loopback() => None,
                            Some(port) if port < net.local_ports() => Some(("L", port + 1)),
                            port => port.map(|port| ("G", port - net.local_ports())),
                        };
                        links
                            .extend(link.map(|(kind, port)| format!("[\"{kind}\",{},{},{},{port}]", at.c, at.d, at.p)));
                        open.push((to, before + 1, header));
                    }
                }
            }
            let wanted: BTreeSet<String> =
                round["links_per_hop"][hop].as_array().unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(links, wanted, "vector {vector}, hop {hop}");
        }
        let matrix = table["A"].as_array().unwrap().iter().flat_map(numbers).collect();
        let operands = metronoc::collective::Operands { vectors: numbers(&table["V"]), matrix };
        let product =
            Product { kind: ProductKind::VectorMatrix, order: 4, element_bits: 8, signed: true, accumulator_bits: 64 };
        assert_eq!(product.expected(&operands), numbers(&round["VA"]));
    }
}

/// What a check says of a schedule that is changed.
fn fault(kind: ProductKind, change: impl FnOnce(&mut ProductSchedule)) -> ProductFault {
    let net = SwappedDragonfly::new(4, 2, Group::Cyclic);
    let mut made = schedule(&net, &request(kind, "in-place", 1)).unwrap();
    let product = product(&net, &made);
    change(&mut made);
    match check_product(&net, made, product, 1) {
        Err(CheckError::Product(fault)) => fault,
        other => panic!("{other:?}"),
    }
}

#[test]
fn faults_are_found() {
    let first = |made: &ProductSchedule, stage| made.sends.iter().position(|send| send.term.stage == stage).unwrap();
    let is = |found: ProductFault, wanted: &str| assert!(found.to_string().contains(wanted), "{found}");
    // a gather with the spreads of another row
    is(
        fault(ProductKind::MatrixMatrix, |made| {
            let early = made.sends.iter_mut().filter(|send| send.term.stage == Stage::Product && send.term.vector == 3);
            early.for_each(|send| send.cycle = 1);
        }),
        "both want global",
    );
    // a sum before its last term
    is(
        fault(ProductKind::VectorMatrix, |made| {
            let sums = made.sends.iter_mut().filter(|send| send.term.stage == Stage::Sum);
            sums.for_each(|send| send.cycle -= 1);
        }),
        "which is complete in cycle",
    );
    // a term that is never sent
    is(
        fault(ProductKind::VectorMatrix, |made| {
            made.sends.remove(first(made, Stage::Product));
        }),
        "terms instead of",
    );
    // an operand that goes to the wrong cabinets
    let wrong = fault(ProductKind::VectorMatrix, |made| {
        let send = first(made, Stage::Operand);
        Arc::make_mut(&mut made.sends[send].header).gamma = Ports::Of(vec![1, 3]);
    });
    assert!(matches!(wrong, ProductFault::Useless { .. } | ProductFault::Clash { .. }), "{wrong}");
    // an operand that its router does not have
    is(
        fault(ProductKind::VectorMatrix, |made| {
            let send = first(made, Stage::Operand);
            made.sends[send].term.element ^= 1;
        }),
        "which it never has",
    );
    // a result that stays where it was summed
    is(
        fault(ProductKind::VectorMatrix, |made| {
            made.sends.retain(|send| send.term.stage != Stage::Result);
        }),
        "is at 0 routers instead of",
    );
    // the sign that the paper prints for the transpose
    is(
        fault(ProductKind::Transpose, |made| {
            for send in &mut made.sends {
                let Ports::One(gamma) = send.header.gamma else { continue };
                Arc::make_mut(&mut send.header).gamma = Ports::One((4 - gamma) % 4);
            }
        }),
        "is at",
    );
    // a header without a hop
    is(fault(ProductKind::VectorMatrix, |made| Arc::make_mut(&mut made.sends[0].header).b = 0), "arrives nowhere");
    // an order that is not the network's
    is(fault(ProductKind::VectorMatrix, |made| made.block = 2), "another network or order");
}

#[test]
fn too_large_products_are_refused() {
    let net = SwappedDragonfly::new(64, 64, Group::Cyclic);
    let error = schedule(&net, &request(ProductKind::MatrixMatrix, "best", 8)).unwrap_err();
    assert_eq!(error.field(), "collective.block");
    let unknown = schedule(&net, &request(ProductKind::MatrixMatrix, "cannon", 1)).unwrap_err();
    assert!(unknown.help().contains("one-round"), "{}", unknown.help());
}

/// What routers compute of arrays from files is what their integers give.
#[test]
fn arrays_go_through_files() {
    let net = SwappedDragonfly::new(4, 2, Group::Cyclic);
    let checked = proved(&net, &request(ProductKind::MatrixMatrix, "in-place", 1));
    let product = *checked.product();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: Vec<u8>| -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let minus = |n: u64| n.wrapping_neg();
    let unit = |i: usize| if i.is_multiple_of(5) { minus(1) } else { 0 };
    let numbers: Vec<u64> = (0..16).collect();
    let units: Vec<u64> = (0..16).map(unit).collect();
    let [left, right] = [("v.npy", &numbers), ("a.npy", &units)].map(|(name, data)| file(name, product.to_npy(data)));
    let operands = product.read(Some(&left), Some(&right), 0).unwrap();
    assert_eq!((&operands.vectors, &operands.matrix), (&numbers, &units));
    // times minus one, cut to the accumulator
    let result = checked.compute(&operands).unwrap();
    assert_eq!(result, (0..16).map(|i| product.cut(minus(i))).collect::<Vec<_>>());
    let back = file("c.npy", product.to_npy(&result));
    assert_eq!(product.read(Some(&back), None, 0).unwrap().vectors, (0..16).map(minus).collect::<Vec<_>>());

    let refused = |product: Product| product.read(Some(&back), None, 0).unwrap_err();
    let unsigned = refused(Product { signed: false, ..product });
    assert!(unsigned.to_string().contains("no unsigned integer") && unsigned.help().contains("signed = true"));
    let narrow = refused(Product { element_bits: 4, ..product });
    assert!(narrow.to_string().contains("holds -9") && narrow.help().contains("payload_bits"), "{narrow}");
    let floats: Vec<u8> = std::fs::read(&back).unwrap();
    let at = floats.windows(3).position(|bytes| bytes == b"<i8").unwrap();
    let floats = file("f.npy", [&floats[..at], b"<f8", &floats[at + 3..]].concat());
    let error = product.read(Some(&floats), None, 0).unwrap_err();
    assert!(error.to_string().contains("products are of integers") && error.help().contains("astype"), "{error}");
}

/// A product in trains takes the cycles of one that is listed packet by packet, and computes the same.
#[test]
fn trains_are_the_packets_they_stand_for() {
    for (k, m, algorithm, block) in [(4, 2, "out-of-place", 3), (4, 3, "in-place", 2), (3, 2, "one-round", 2)] {
        let net = SwappedDragonfly::new(k, m, Group::Cyclic);
        for kind in [ProductKind::MatrixMatrix, ProductKind::VectorMatrix, ProductKind::MatrixVector] {
            let request = ProductRequest { mac_cycles: 2, ..request(kind, algorithm, block) };
            let listed = proved(&net, &request);
            let product = *listed.product();
            let made = product_trains::schedule(&net, &request).unwrap();
            let trains = check_trains(&net, made.clone(), product).unwrap();
            if algorithm == "out-of-place" {
                assert_eq!(trains.cycles(), listed.cycles(), "{request:?}");
            }
            let operands = product.random(5);
            assert_eq!(trains.compute(&operands).unwrap(), listed.compute(&operands).unwrap(), "{request:?}");
            let stage = |stage| {
                move |send: &&mut metronoc::program::form::swapped_dragonfly::product::Send| send.term.stage == stage
            };
            let mut early = made.clone();
            early.blocks.sends.iter_mut().filter(stage(Stage::Product)).for_each(|send| send.cycle -= 1);
            let refused = check_trains(&net, early, product);
            assert!(matches!(refused, Err(CheckError::Product(_))), "{request:?}");
            let mut longer = made.clone();
            longer.train += 1;
            assert!(check_trains(&net, longer, product).is_err());
            let mut lost = made;
            let first = lost.blocks.sends.iter().position(|send| send.term.stage == Stage::Product).unwrap();
            lost.blocks.sends.remove(first);
            let lost = check_trains(&net, lost, product).and_then(|lost| lost.compute(&operands));
            assert!(lost.is_err(), "{request:?}");
        }
    }
}

#[test]
fn broken_programs_of_a_product_are_refused() {
    let net = SwappedDragonfly::new(4, 2, Group::Cyclic);
    let made = schedule(&net, &request(ProductKind::VectorMatrix, "best", 1)).unwrap();
    let product = product(&net, &made);
    let operands = product.random(1);
    let (program, elements) = made.with_results(&net);
    let check = |program: &Program| check_program(&net, (program, &elements.of), &made, &product, &operands);
    check(&program).unwrap();
    let broken = |change: &dyn Fn(&mut Program)| {
        let mut program = program.clone();
        change(&mut program);
        check(&program).unwrap_err()
    };
    let factor = |program: &Program| program.inputs.iter().position(|input| matches!(input, Input::Factor(_))).unwrap();
    // an element of another router's part of the matrix
    let elsewhere = broken(&|program| {
        let at = factor(program);
        program.inputs[at] = Input::Factor(product.order * product.order - 1);
    });
    assert!(matches!(elsewhere, ProgramFault::Unmade { .. }), "{elsewhere}");
    // one word for another
    let swapped = broken(&|program| {
        let words: Vec<usize> =
            (0..program.inputs.len()).filter(|&at| matches!(program.inputs[at], Input::Own(_))).collect();
        program.inputs[words[0]] = program.inputs[words[1]];
    });
    assert!(matches!(swapped, ProgramFault::Result { .. } | ProgramFault::NotThere { .. }), "{swapped}");
    // all sums a cycle too early
    let early = broken(&|program| program.ops.iter_mut().for_each(|op| op.at -= 1));
    assert!(matches!(early, ProgramFault::Early { .. }), "{early}");
    // a packet into the cycle of another
    let clash = broken(&|program| {
        let (at, who) = (program.moves[0].at, program.moves[0].who);
        program.moves.iter_mut().filter(|m| m.who == who).for_each(|m| m.at = at);
    });
    assert!(matches!(clash, ProgramFault::Clash(_)), "{clash}");
    // a result that is at no router
    let mut fewer = (*elements.of).clone();
    fewer.pop_first();
    let missing = check_program(&net, (&program, &fewer), &made, &product, &operands).unwrap_err();
    assert!(matches!(missing, ProgramFault::Result { .. }), "{missing}");
}
