//! Bodies of the fuzz targets, a function for each kind of file that a user names. None may panic, whatever the bytes are.
//!
//! The targets of cargo-fuzz and `tests/fuzz.rs` run them.

use metronoc::collective::{AllToAll, Collective, Exchange, ExchangeKind, Product, ProductKind, numbers};
use metronoc::spec::{Operator, Spec};
use metronoc::topology::{Galaxy, Topology, listing};
use std::path::PathBuf;
use std::sync::OnceLock;
use tempfile::TempDir;

/// Most transfers of a schedule that is simulated, too.
const SIMULATED: u64 = 10_000;

/// Name of a target and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 6] = [
    ("specification", specification),
    ("array", array),
    ("schedule", schedule),
    ("foreign", foreign),
    ("graph", graph),
    ("numbers", numbers),
];

/// A file with these bytes in the folder of the process.
fn file(name: &str, data: &[u8]) -> PathBuf {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let path = FOLDER.get_or_init(|| TempDir::new().expect("a temporary folder")).path().join(name);
    std::fs::write(&path, data).expect("a temporary file");
    path
}

/// Text of a specification: read, split into its collectives, and written as JSON; or refused with diagnostics.
pub fn specification(data: &[u8]) {
    match Spec::load(&file("x.toml", data)) {
        Ok(spec) => {
            let parts = spec.parts();
            assert!(parts.iter().chain([&spec]).all(|spec| serde_json::to_string(spec).is_ok()));
            spec.diagnostic("collective.algorithm", "message", "help").render(false);
        }
        Err(error) => error.diagnostics().iter().for_each(|diagnostic| drop(diagnostic.render(true))),
    }
}

/// .npy file: read as the array of several collectives.
pub fn array(data: &[u8]) {
    let path = file("x.npy", data);
    for nodes in [2, 18] {
        for payload_bits in [8, 16, 32, 64] {
            let traffic = AllToAll::new(nodes, 1, 1);
            let _ = traffic.read(&path, payload_bits).map(|data| traffic.to_npy(&data));
        }
    }
    let sums = Exchange::new(ExchangeKind::AllReduce(Operator::Sum), 4, 3);
    let _ = sums.read(&path, 16).map(|words| sums.expected(&words));
    for signed in [false, true] {
        let kind = ProductKind::MatrixMatrix;
        let product = Product { kind, order: 8, element_bits: 8, accumulator_bits: 32, signed };
        let _ = product.read(Some(&path), Some(&path), 0).map(|operands| product.expected(&operands));
    }
}

/// Schedule in full, of the exchange form or SCCL's: judged, read as a program, simulated and lowered.
pub fn schedule(data: &[u8]) {
    scheduled(&file("x.json", data));
}

/// Schedule of another tool, MSCCL's or S4NOC's; as [`schedule`].
pub fn foreign(data: &[u8]) {
    scheduled(&file("x.xml", data));
}

fn scheduled(path: &std::path::Path) {
    match metronoc::compile(path) {
        Ok(compiled) => {
            assert!(!compiled.verdict().is_empty());
            if compiled.work().transfers() > SIMULATED {
                return;
            }
            let words = compiled.random_words(1);
            assert_eq!(compiled.simulate(&words).expect("the judge has passed it"), compiled.expected(&words));
            let _ = compiled.hardware();
        }
        Err(error) => error.into_diagnostics().iter().for_each(|diagnostic| drop(diagnostic.render(false))),
    }
}

/// Network of a file, in each form; cycles of its hops, and links of a Galaxyfly.
pub fn graph(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for ending in listing::endings() {
        let Some(Ok(listing)) = listing::read(ending, &text) else { continue };
        let net = listing.network;
        let ports: usize = (0..net.nodes()).map(|node| net.ports_of(node.into())).sum();
        assert_eq!(ports, listing.latency.iter().map(Vec::len).sum::<usize>());
        let mut latency = listing.latency.iter().map(|ports| vec![1; ports.len()]).collect::<Vec<_>>();
        let _ = listing::cycles(&text, &net, &mut latency);
    }
    let galaxy = Galaxy::new(3, 4).expect("a Galaxy graph");
    let neighbours: Vec<_> = (0..galaxy.supernodes()).map(|supernode| galaxy.neighbours(supernode).to_vec()).collect();
    let _ = listing::links(&text, &neighbours, 3, |supernode| supernode.to_string());
}

/// Permutation, or pairs of numbers, in each form.
pub fn numbers(data: &[u8]) {
    for name in ["x.csv", "x.json", "x.npy", "x.txt"] {
        let path = file(name, data);
        if let Ok(list) = numbers::read(&path) {
            let _ = numbers::permutation(&list, 16).map(|permutation| assert_eq!(permutation.len(), 16));
        }
        let _ = numbers::read_pairs(&path);
    }
}
