//! Products of matrices in hardware: in lockstep with the model whatever the kind, for random and for extreme data; and defects
//! are caught.
//!
//! Simulators are kept in the cache, so that only the first run of these tests builds them.

use crate::common::{self, Emitted, network, parsed};
use assert_cmd::Command;
use metronoc::check::swapped_dragonfly::{CheckedProduct, check_product};
use metronoc::collective::{Operands, Product, ProductKind, Products};
use metronoc::cosim::{
    Built, Outcome, Session, Simulator, Sources, TileForm, TileInterface, Top, Verdict, product_parts, tile_form,
};

use metronoc::lower::Programmed as _;
use metronoc::lower::swapped_dragonfly::SwappedDragonflyError;
use metronoc::lower::swapped_dragonfly::product::PRODUCT_CYCLES;
use metronoc::lower::swapped_dragonfly::{ProductLowered, lower_product};
use metronoc::model::{Model, Sections};
use metronoc::schedule::swapped_dragonfly::product::{ProductRequest, schedule};
use metronoc::spec::Spec;
use std::fs;
use std::rc::Rc;

/// A product as it is emitted.
type Multiplied = Emitted<ProductLowered>;

/// The text of a specification on D3(k,m).
fn text(k: u32, m: u32, router: &str, collective: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n[router]\n{router}\n[collective]\n{collective}\n"
    )
}

fn checked(spec: &Spec, mac_cycles: u32) -> CheckedProduct {
    let (net, hop) = network(spec);
    let kind = match spec.collective.kind() {
        "vector-matrix" => ProductKind::VectorMatrix,
        "matrix-vector" => ProductKind::MatrixVector,
        "matrix-matrix" => ProductKind::MatrixMatrix,
        _ => ProductKind::Transpose,
    };
    let (algorithm, block) = spec.collective.matrix().expect("it is a product");
    let order = algorithm.blocks(net.k(), net.m()).expect("it fits the network") * block;
    let bits = spec.router.payload_bits;
    let of = spec.collective.product();
    let product = Product {
        kind,
        order,
        element_bits: bits,
        signed: of.is_some_and(|of| of.signed),
        accumulator_bits: of.map_or(bits, |of| of.accumulator(order, bits)),
    };
    let request = ProductRequest { algorithm: algorithm.name(), kind, block, mac_cycles, hop };
    check_product(&net, schedule(&net, &request).expect("a schedule"), product, 1).expect("it holds")
}

impl Multiplied {
    fn new(text: &str) -> Self {
        let (spec, ..) = parsed(text);
        let written = spec.collective.product().map_or(0, |of| of.mac_cycles);
        let checked = checked(&spec, written.max(PRODUCT_CYCLES));
        let lowered = lower_product(&checked, &spec).expect("it has a hardware form");
        Self::of(lowered, text.to_owned())
    }

    fn built_as(&self, top: bool) -> Built {
        let parts = match top {
            true => product_parts(&self.lowered).expect("it has a shim"),
            false => tile_form::product_parts(&self.lowered).expect("it has a tile form"),
        };
        self.built(&parts)
    }

    fn simulator(&self, built: &Built, top: bool) -> Box<dyn Simulator> {
        match top {
            true => Box::new(Top::new(built, &self.lowered).expect("it loads")),
            false => {
                let interface =
                    TileInterface::product(&self.lowered, &Sources::new(self.files())).expect("it has slot tables");
                Box::new(TileForm::new(built, interface).expect("it loads"))
            }
        }
    }

    /// Computes the product so many times, with every channel compared.
    fn run(&self, simulator: &mut dyn Simulator, operands: &Operands, times: u64) -> Outcome {
        let model = Rc::new(Model::new(&self.lowered).expect("a model"));
        let (load, data) = (self.lowered.loads(operands), Products::new(self.lowered.product, 1));
        let payload = model.payload(&data, &data.words(std::slice::from_ref(operands)), 0);
        Session::of_kept_words(&model, load, payload, Some(Sections::All), times).run(simulator).expect("it runs")
    }

    fn agrees_in(&self, top: bool) {
        let built = self.built_as(top);
        let product = &self.lowered.product;
        for (what, operands) in [("random", product.random(3)), ("extreme", extremes(product))] {
            let outcome = self.run(&mut *self.simulator(&built, top), &operands, 2);
            assert_eq!(outcome.verdict, Verdict::Agreed, "{what}");
            let found = self.lowered.results(&outcome.received).expect("a whole result");
            assert!(found == product.expected(&operands), "{what}: the definition says something else");
            assert_eq!(outcome.faults, Some(Vec::new()), "{what}");
        }
    }

    fn differs(&self) -> Outcome {
        let built = self.built_as(false);
        let outcome = self.run(&mut *self.simulator(&built, false), &self.lowered.product.random(3), 1);
        assert!(matches!(outcome.verdict, Verdict::Differed(_)), "{:?}", outcome.verdict);
        outcome
    }
}

/// The largest and the smallest elements, in turns that differ.
fn extremes(product: &Product) -> Operands {
    let bits = product.element_bits;
    let most = u64::MAX >> (64 - bits) >> u32::from(product.signed);
    let least = if product.signed { (most + 1).wrapping_neg() } else { 0 };
    let pick = |i: u64| if i.is_multiple_of(3) { most } else { least };
    let n = u64::from(product.order);
    let Operands { vectors, matrix } = product.random(0);
    Operands {
        vectors: (0..vectors.len() as u64).map(|i| pick(i / 2)).collect(),
        matrix: (0..matrix.len() as u64).map(|i| pick(i + i / n)).collect(),
    }
}

fn agrees(k: u32, m: u32, router: &str, collective: &str) {
    Multiplied::new(&text(k, m, router, collective)).agrees_in(false);
}

#[test]
#[ignore = "three networks in Verilator; .ci/run includes it"]
fn a_matrix_times_a_matrix_agrees() {
    agrees(4, 2, "payload_bits = 16", "kind = \"matrix-matrix\"\nblock = 2\nsigned = true");
    agrees(
        4,
        3,
        "payload_bits = 8\nparity = true\nlocal_stages = 2",
        "kind = \"matrix-matrix\"\nalgorithm = \"in-place\"\nsigned = true",
    );
    agrees(2, 3, "payload_bits = 8", "kind = \"matrix-matrix\"\nalgorithm = \"one-round\"\nblock = 2");
}

#[test]
fn a_vector_times_a_matrix_agrees() {
    agrees(4, 2, "payload_bits = 16", "kind = \"vector-matrix\"\nblock = 2");
    agrees(4, 2, "payload_bits = 8", "kind = \"vector-matrix\"\nalgorithm = \"in-place\"\nsigned = true");
    agrees(3, 2, "payload_bits = 8", "kind = \"vector-matrix\"\nblock = 2");
}

#[test]
#[ignore = "three networks in Verilator; .ci/run includes it"]
fn a_matrix_times_a_vector_agrees() {
    agrees(4, 3, "payload_bits = 16", "kind = \"matrix-vector\"\nblock = 2\nsigned = true");
    let hops = "payload_bits = 16\nlocal_stages = 2\nglobal_stages = 3";
    agrees(4, 2, hops, "kind = \"matrix-vector\"\nalgorithm = \"in-place\"\nblock = 3");
    agrees(3, 2, "payload_bits = 8", "kind = \"matrix-vector\"\nblock = 2");
}

#[test]
fn a_transpose_agrees() {
    agrees(4, 2, "payload_bits = 8", "kind = \"transpose\"\nblock = 3");
    agrees(3, 2, "payload_bits = 32", "kind = \"transpose\"\nblock = 2");
}

/// Words of 64 bits whatever the sums need, and of 24 if they are cut.
#[test]
fn wide_and_cut_sums_agree() {
    let wide = Multiplied::new(&text(4, 2, "payload_bits = 32", "kind = \"matrix-matrix\""));
    assert_eq!((wide.lowered.frame.data_bits, wide.lowered.product.accumulator_bits), (64, 64));
    wide.agrees_in(false);
    let cut = "kind = \"vector-matrix\"\naccumulator_bits = 20\nwrap = true\nmac_cycles = 8\nsigned = true";
    let cut = Multiplied::new(&text(4, 2, "payload_bits = 16\nglobal_stages = 2", cut));
    assert_eq!(cut.lowered.frame.data_bits, 24);
    cut.agrees_in(false);
}

/// Host, ring and trees are simulated too.
#[test]
fn the_whole_top_agrees() {
    Multiplied::new(&text(1, 2, "payload_bits = 8", "kind = \"matrix-matrix\"\nblock = 2")).agrees_in(true);
}

/// Whatever can be scheduled has a program, and memories have the sizes that the check counts.
#[test]
fn every_schedule_has_a_program() {
    let kinds = ["vector-matrix", "matrix-vector", "matrix-matrix", "transpose"];
    for (k, m) in [(1, 2), (1, 3), (2, 2), (3, 2), (4, 2)] {
        let square = [1, 4, 9].contains(&k);
        for kind in kinds {
            for algorithm in ["in-place", "out-of-place", "one-round"] {
                if (algorithm != "one-round" && !square) || (kind, algorithm) == ("transpose", "out-of-place") {
                    continue;
                }
                for (block, hops) in [(1, (1, 1)), (2, (2, 1)), (2, (1, 3))] {
                    let router = format!("payload_bits = 8\nlocal_stages = {}\nglobal_stages = {}", hops.0, hops.1);
                    let collective = format!("kind = \"{kind}\"\nalgorithm = \"{algorithm}\"\nblock = {block}");
                    let spec = Spec::parse("s.toml", &text(k, m, &router, &collective)).expect("right");
                    let checked = checked(&spec, PRODUCT_CYCLES);
                    let lowered = lower_product(&checked, &spec)
                        .unwrap_or_else(|error| panic!("D3({k},{m}) {kind} {algorithm} {block} {hops:?}: {error}"));
                    let held = u64::from(lowered.shape.held_products());
                    let proved = checked.proof().held;
                    let text = counted(k, m, &router, &collective);
                    let counters = lower_product(&checked, &Spec::parse("s.toml", &text).expect("right"));
                    let irregular = (kind, algorithm) == ("matrix-matrix", "one-round") && hops != (1, 1);
                    assert!(irregular || counters.is_ok(), "{text}");
                    // where a gather begins before the last spread, its products' places are not used again
                    assert!(held == proved || hops != (1, 1) && held > proved, "{kind} {algorithm}: {held}, {proved}");
                }
            }
        }
    }
}

/// The text of a specification whose programs are from counters.
fn counted(k: u32, m: u32, router: &str, collective: &str) -> String {
    text(k, m, router, collective) + "[schedule]\nstorage = \"counter\"\n"
}

/// Rows and counters are held against the same model, and the rows that the counters make are those of the slot tables.
#[test]
#[ignore = "large simulators in both forms; .ci/run includes it"]
fn tables_and_counters_are_the_same_cycle_by_cycle() {
    let sorts = [
        (1, 2, "payload_bits = 8", "kind = \"matrix-matrix\"\nblock = 2", true),
        (
            4,
            2,
            "payload_bits = 8\nlocal_stages = 2",
            "kind = \"matrix-matrix\"\nalgorithm = \"in-place\"\nblock = 2",
            false,
        ),
        (3, 2, "payload_bits = 8", "kind = \"vector-matrix\"\nblock = 2", false),
        (
            4,
            2,
            "payload_bits = 16\nglobal_stages = 2",
            "kind = \"matrix-vector\"\nalgorithm = \"in-place\"\nblock = 3",
            false,
        ),
        (4, 2, "payload_bits = 8", "kind = \"transpose\"\nblock = 3", false),
    ];
    for (k, m, router, collective, top) in sorts {
        let table = Multiplied::new(&text(k, m, router, collective));
        let counters = Multiplied::new(&counted(k, m, router, collective));
        assert!(table.lowered.counters.is_none() && counters.lowered.counters.is_some());
        assert!(!counters.files.keys().any(|name| name.starts_with("rom/")), "{collective}");
        assert!(table.lowered.images() == counters.lowered.images(), "{collective}");
        counters.agrees_in(top);
        if collective.contains("matrix-matrix") {
            table.agrees_in(top);
        }
    }
}

#[test]
fn a_broken_counter_is_caught() {
    let new = || Multiplied::new(&counted(4, 2, "payload_bits = 8", "kind = \"matrix-matrix\"\nblock = 2"));
    new().edit("rtl/mn_product_train.v", "over1 ? count2_q + 1", "over0 ? count2_q + 1").differs();
    let [sum, less] = ["step0[WIDTH-1:0] + step1[WIDTH-1:0] + step2", "step0[WIDTH-1:0] + step2"];
    new().edit("rtl/mn_product_field.v", sum, less).differs();
}

fn small() -> Multiplied {
    Multiplied::new(&text(4, 2, "payload_bits = 8", "kind = \"matrix-matrix\"\nalgorithm = \"in-place\""))
}

#[test]
fn a_dropped_term_is_caught() {
    small().edit("rtl/mn_product_sum.v", "if (n < N) begin", "if (n < N - 1) begin").differs();
}

#[test]
fn a_forgotten_sum_is_caught() {
    let sum = "product_q[j*DW+:DW] + (first_q ? {DW{1'b0}} : last_q[j*DW+:DW]);";
    let blocked =
        Multiplied::new(&text(4, 2, "payload_bits = 16", "kind = \"matrix-matrix\"\nblock = 2\nsigned = true"));
    blocked.edit("rtl/mn_product_group.v", sum, "product_q[j*DW+:DW];").differs();
}

#[test]
fn a_stuck_bit_of_a_channel_is_caught() {
    let (whole, stuck) = (".d_i(local_i[i*LCW+:LCW])", ".d_i(local_i[i*LCW+:LCW] | {{LCW - 1{1'b0}}, 1'b1})");
    small().edit("rtl/mn_product_tile.v", whole, stuck).differs();
}

/// A broken word of a slot table is caught by the model and noticed by the hardware itself.
#[test]
fn a_broken_row_is_caught() {
    let whole = small();
    let names: Vec<String> = whole.files.keys().filter(|name| name.starts_with("rom/")).cloned().collect();
    assert_eq!(names.len(), 16);
    let built = whole.built_as(false);
    let mut noticed = 0;
    for (number, name) in names.iter().enumerate() {
        let mut broken = small();
        let image = broken.files.get_mut(name).expect("the table");
        let mut rows: Vec<String> = image.lines().map(str::to_owned).collect();
        // a row in which something comes: its first port's kind changes
        let busy: Vec<usize> = (0..rows.len()).filter(|&i| !rows[i].ends_with(['0', '4', '8', 'c'])).collect();
        let row = busy[number % busy.len()];
        let last = rows[row].pop().and_then(|digit| digit.to_digit(16)).expect("a digit");
        rows[row].push(char::from_digit(last & 0xc, 16).expect("a digit"));
        *image = rows.iter().map(|row| format!("{row}\n")).collect();
        let told = broken.read_back().unwrap_err().to_string();
        assert!(told.contains(&format!("row {row} of the image")) && told.contains("use of port 0"), "{told}");
        let outcome = broken.run(&mut *broken.simulator(&built, false), &broken.lowered.product.random(3), 1);
        let faults = outcome.faults.expect("a status");
        noticed += usize::from(faults.iter().any(|fault| fault.kind == "unexpected arrival"));
        let right = broken.lowered.results(&outcome.received)
            == Some(broken.lowered.product.expected(&broken.lowered.product.random(3)));
        assert!(outcome.verdict != Verdict::Agreed || !right || !faults.is_empty(), "{name}, row {row}");
    }
    assert_eq!(noticed, names.len());
}

#[test]
fn a_swap_is_refused_until_the_faults_are_cleared() {
    let emitted = Multiplied::new(&text(1, 2, "payload_bits = 8", "kind = \"matrix-matrix\""));
    let mut top = Top::new(&emitted.built_as(true), &emitted.lowered).expect("it loads");
    let loads = emitted.lowered.loads(&emitted.lowered.product.random(3));
    common::refused::a_swap(&mut top, &emitted.lowered.frame, loads);
}

#[test]
fn what_hardware_cannot_do_is_said() {
    let spec = |more: &str| {
        let text = text(4, 2, "payload_bits = 8", "kind = \"matrix-matrix\"");
        Spec::parse("s.toml", &format!("{text}{more}")).expect("right")
    };
    let field = |spec: &Spec, mac_cycles| lower_product(&checked(spec, mac_cycles), spec).unwrap_err().field();
    assert_eq!(field(&spec(""), PRODUCT_CYCLES - 1), Some("collective.mac_cycles"));
    assert_eq!(field(&spec("[schedule]\nstorage = \"ram\"\n"), PRODUCT_CYCLES), Some("schedule.storage"));
    let irregular = counted(2, 2, "payload_bits = 8\nlocal_stages = 2", "kind = \"matrix-matrix\"\nblock = 2");
    let irregular = Spec::parse("s.toml", &irregular).expect("right");
    let refusal = lower_product(&checked(&irregular, PRODUCT_CYCLES), &irregular).unwrap_err();
    assert!(matches!(refusal.family(), Some(SwappedDragonflyError::NoProductCounters)), "{refusal}");
    assert_eq!(refusal.field(), Some("schedule.storage"));
    assert_eq!(field(&spec("[schedule]\nprogram = \"shared\"\n"), PRODUCT_CYCLES), Some("schedule.program"));
    let late = checked(&spec(""), 2);
    let refusal = lower_product(&late, &spec("")).unwrap_err();
    assert!(
        matches!(refusal.family(), Some(SwappedDragonflyError::FastArithmetic { cycles: 2, least: 5 })),
        "{refusal}"
    );
}

/// The bytes of an .npy file.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    header.push_str(&" ".repeat((64 - (10 + header.len() + 1) % 64) % 64));
    header.push('\n');
    [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes(), data].concat()
}

/// Arrays go through files: the left operand is the left one, and what cannot be multiplied rightly is refused.
#[test]
fn arrays_go_through_files() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: Vec<u8>| fs::write(dir.path().join(name), bytes).unwrap();
    let metronoc = |args: &[&str]| {
        let output = Command::cargo_bin("metronoc").unwrap().current_dir(dir.path()).args(args).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // a matrix of order 2 times a vector
    write("s.toml", text(1, 2, "payload_bits = 32", "kind = \"matrix-vector\"\nsigned = true").into_bytes());
    let words = |values: &[i32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>();
    write("a.npy", npy("<i4", "(2, 2)", &words(&[1, -2, 3, i32::MIN])));
    write("b.npy", npy("<i4", "(2,)", &words(&[5, i32::MIN])));
    let (code, err) = metronoc(&["cosim", "s.toml", "--a", "a.npy", "--b", "b.npy", "--out", "c.npy", "-q"]);
    assert_eq!(code, Some(0), "{err}");
    let found = fs::read(dir.path().join("c.npy")).unwrap();
    let wide = i64::from(i32::MIN);
    let wanted: Vec<u8> = [5 - 2 * wide, 15 + wide * wide].iter().flat_map(|value| value.to_le_bytes()).collect();
    assert!(found.ends_with(&wanted) && String::from_utf8_lossy(&found).contains("'<i8'"));
    // the operands are in their places
    let (code, err) = metronoc(&["cosim", "s.toml", "--a", "b.npy", "--b", "a.npy", "-q"]);
    assert!(code == Some(3) && err.contains("has shape (2, 2), and this collective needs (2,)"), "{err}");
    write("f.npy", npy("<f4", "(2,)", &[0; 8]));
    let (code, err) = metronoc(&["cosim", "s.toml", "--a", "a.npy", "--b", "f.npy", "-q"]);
    assert!(code == Some(3) && err.contains("products are of integers"), "{err}");
    // counters, where there are none
    let irregular = counted(2, 2, "payload_bits = 8\nlocal_stages = 2", "kind = \"matrix-matrix\"\nblock = 2");
    write("i.toml", irregular.into_bytes());
    let (code, err) = metronoc(&["generate", "i.toml", "-o", "i", "-q"]);
    assert!(
        code == Some(4) && err.contains("counters would be too large") && err.contains("take storage = \"rom\""),
        "{err}"
    );
    // sums of 65 bits
    write("a.npy", npy("<i4", "(2, 2)", &words(&[i32::MIN; 4])));
    write("b.npy", npy("<i4", "(2,)", &words(&[i32::MIN; 2])));
    let (code, err) = metronoc(&["cosim", "s.toml", "--a", "a.npy", "--b", "b.npy", "-q"]);
    assert!(code == Some(3) && err.contains("which is no signed integer of 64 bits"), "{err}");
    let (code, err) = metronoc(&["cosim", "s.toml", "--data", "a.npy", "-q"]);
    assert!(code == Some(2) && err.contains("name them with `--a` and `--b`"), "{err}");
}
