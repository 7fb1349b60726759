//! The programs of the manual's page on extending metronoc run.

#[path = "../examples/own_collective.rs"]
mod own_collective;
#[path = "../examples/own_topology.rs"]
mod own_topology;

#[test]
fn a_topology_of_ones_own_is_scheduled_judged_and_simulated() {
    own_topology::main();
}

#[test]
fn a_collective_of_ones_own_ends_with_its_result() {
    own_collective::main();
}

#[test]
fn both_are_short() {
    for name in ["own_topology", "own_collective"] {
        let text = std::fs::read_to_string(format!("examples/{name}.rs")).unwrap();
        assert!(text.lines().count() < 80, "{name}");
    }
}
