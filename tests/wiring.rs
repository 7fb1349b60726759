//! The emitted top is the network, and a top that is not is rejected with the place.

use crate::common::Emitted;
use camino::Utf8PathBuf;
use metronoc::cosim::wiring::{SourceVector, WiringError, WiringProof, prove};
use metronoc::tool::{self, Progress, Tool, ToolSet};
use std::sync::LazyLock;

static TOOLS: LazyLock<ToolSet> =
    LazyLock::new(|| tool::ensure(&[Tool::Yosys], Progress::Silent).expect("Yosys can be made ready"));

const NETWORK: &str = "rtl/mn_network.v";
const SHARED: &str = "[schedule]\nprogram = \"shared\"\n";

/// The proof of a network's files.
trait Judged {
    fn prove(&self) -> Result<WiringProof, WiringError>;

    fn refusal(&self) -> String {
        self.prove().expect_err("it is wrong").to_string()
    }
}

impl Judged for Emitted {
    fn prove(&self) -> Result<WiringProof, WiringError> {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let work = Utf8PathBuf::from_path_buf(dir.path().to_owned()).expect("UTF-8");
        let (parameters, placement) = (&self.lowered.parameters, self.lowered.placement);
        prove(self.files(), &SourceVector { parameters, placement }, &TOOLS, &work)
    }
}

#[test]
fn emitted_tops_are_their_networks() {
    for (k, m, more) in [
        (1, 2, ""),
        (2, 3, ""),
        (2, 4, "group = \"xor\"\n[router]\npayload_bits = 8\nparity = true\n"),
        (3, 2, "[router]\nlocal_stages = 2\nglobal_stages = 3\n[collective]\nwords = 3\nrepeat = 2\n"),
        (2, 3, SHARED),
        (4, 2, SHARED),
        (5, 3, "[schedule]\nstorage = \"ram\"\n"),
    ] {
        let emitted = Emitted::new(k, m, more);
        let proof = emitted.prove().unwrap_or_else(|error| panic!("D3({k},{m}) {more}: {error}"));
        assert_eq!((proof.tiles, proof.channels), (k * m * m, u64::from(k * m * m * (m - 1 + k))));
        let channel_bits = emitted.lowered.parameters.local_bits() + emitted.lowered.parameters.global_bits();
        assert!(proof.bits > u64::from(proof.tiles * channel_bits));
    }
}

#[test]
fn five_hundred_routers_take_seconds() {
    let start = std::time::Instant::now();
    let proof = Emitted::new(8, 8, "").prove().expect("the wiring is right");
    assert_eq!((proof.tiles, proof.channels), (512, 512 * 15));
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[test]
fn swapped_channels_are_named() {
    let refusal = Emitted::new(2, 3, "").edit(NETWORK, "local_0_0_2[0*LCW+:LCW]", "local_0_0_2[1*LCW+:LCW]").refusal();
    assert_eq!(
        refusal,
        "mn_network: u_node_0_0_0.local_i[0] is driven by u_node_0_0_2.local_o[38] instead of u_node_0_0_2.local_o[0] \
         (channel (0,0,2) -local 1-> (0,0,0))"
    );
}

#[test]
fn one_swapped_bit_is_named() {
    // the bits of the channel (0,0,1) -local 2-> (0,0,0) come one by one, two of them in the other order
    let bits = |swap: bool| {
        let bit = |i: u32| if swap && (17..19).contains(&i) { 17 + 18 - i } else { i };
        let list: Vec<String> = (0..38).rev().map(|i| format!("local_0_0_1[1*LCW+{}]", bit(i))).collect();
        list.join(", ")
    };
    let edit = |swap| Emitted::new(2, 3, "").edit(NETWORK, "local_0_0_1[1*LCW+:LCW]", &bits(swap));
    edit(false).prove().expect("the same wiring, written in another way");
    assert_eq!(
        edit(true).refusal(),
        "mn_network: u_node_0_0_0.local_i[55] is driven by u_node_0_0_1.local_o[56] instead of u_node_0_0_1.local_o[55] \
         (channel (0,0,1) -local 2-> (0,0,0))"
    );
}

#[test]
fn loopbacks_are_channels_like_others() {
    let refusal =
        Emitted::new(2, 3, "").edit(NETWORK, "global_1_1_1[1*GCW+:GCW]", "global_0_1_1[0*GCW+:GCW]").refusal();
    assert!(refusal.contains("u_node_0_1_1.global_i[35] is driven by u_node_0_1_1.global_o[0]"), "{refusal}");
    let stuck = Emitted::new(2, 3, "")
        .edit(NETWORK, "global_0_1_1[0*GCW+:GCW]", "global_0_1_1[0*GCW+:GCW] & {GCW{1'b1}}")
        .refusal();
    assert!(stuck.contains("u_node_0_1_1.global_i[0] is driven by $and$"), "{stuck}");
}

#[test]
fn wrong_constants_and_missing_tiles_are_named() {
    let node = ".tile_i(5'd4), .c_i(1'd0), .d_i(2'd1), .p_i(2'd1)";
    let with = |new: &str| Emitted::new(2, 3, "").edit(NETWORK, node, new).refusal();
    assert_eq!(
        with(".tile_i(5'd4), .c_i(1'd0), .d_i(2'd1), .p_i(2'd2)"),
        "mn_network: u_node_0_1_1.p_i[0] is driven by constant 0 instead of constant 1"
    );
    assert_eq!(
        with(".tile_i(5'd5), .c_i(1'd0), .d_i(2'd1), .p_i(2'd1)"),
        "mn_network: router (0,1,2) has two tiles, `u_node_0_1_1` and `u_node_0_1_2`, with number 5"
    );
    let mut emitted = Emitted::new(2, 3, "");
    let text = emitted.files.get_mut(NETWORK).expect("there");
    let start = text.find("    mn_node u_node_1_2_2 (").expect("the last tile");
    let end = start + text[start..].find(");\n\n").expect("its end") + 3;
    text.replace_range(start..end, "");
    assert_eq!(emitted.refusal(), "mn_network: router (1,2,2) has no tile with number 17");
}

#[test]
fn ring_and_trees_are_checked() {
    let network = |old: &str, new: &str| Emitted::new(2, 3, "").edit(NETWORK, old, new).refusal();
    assert_eq!(
        network(".ring_i(ring[4*FW+:FW])", ".ring_i(ring[3*FW+:FW])"),
        "mn_network: u_node_0_1_1.ring_i[0] is driven by u_node_0_0_2.ring_o[0] instead of u_node_0_1_0.ring_o[0]"
    );
    assert_eq!(
        network(".go_i(go[44]), .go_buffer_i(go[45])", ".go_i(go[33]), .go_buffer_i(go[45])"),
        "mn_network: u_node_0_1_1.go_i[0] is driven by leaf 3 of u_go, carrying go_i[0] instead of leaf 4 of u_go, carrying \
         go_i[0]"
    );
    let refusal = network(
        ".d_i({go_version_i, go_swap_i, go_buffer_i, go_i})",
        ".d_i({go_version_i, go_buffer_i, go_swap_i, go_i})",
    );
    assert!(refusal.contains("u_go.d_i[1] is driven by go_swap_i[0] instead of go_buffer_i[0]"), "{refusal}");
    let refusal = network(".d_i(fault), .all_o", ".d_i(done), .all_o");
    assert!(refusal.contains("u_fault.d_i[0] is driven by u_node_0_0_0.done_o[0]"), "{refusal}");
    let refusal = network("assign ring_o = ring[TILES*FW+:FW];", "assign ring_o = ring[(TILES-1)*FW+:FW];");
    assert!(refusal.contains("ring_o[0] is driven by u_node_1_2_1.ring_o[0] instead of u_node_1_2_2"), "{refusal}");
}

#[test]
fn nodes_and_top_pass_straight_through() {
    let node = |old: &str, new: &str| Emitted::new(2, 3, "").edit("rtl/mn_node.v", old, new).refusal();
    let refusal = node(".local_i(local_i), ", ".local_i({local_i[75:1], local_i[1]}), ");
    assert!(refusal.contains("mn_node: u_tile.local_i[0] is driven by local_i[1] instead of local_i[0]"), "{refusal}");
    let refusal = node(".GLOBAL_STAGES(1)", ".GLOBAL_STAGES(2)");
    assert!(refusal.contains("`u_tile`, has GLOBAL_STAGES = 2 instead of 1"), "{refusal}");
    let refusal = node(".global_receive_i(global_receive)", ".global_receive_i(global_send)");
    assert!(refusal.contains("u_tile.global_receive_i[0] is driven by u_program.global_send_o[0]"), "{refusal}");
    let refusal = Emitted::new(2, 3, "")
        .edit("rtl/mn_top.v", ".rst_i(rst_i), .ring_i(ring_in)", ".rst_i(1'b0), .ring_i(ring_in)")
        .refusal();
    assert!(refusal.contains("mn_top: u_network.rst_i[0] is driven by constant 0 instead of rst_i[0]"), "{refusal}");
}

#[test]
fn a_shared_program_reaches_every_tile() {
    let network = |old: &str, new: &str| Emitted::new(2, 3, SHARED).edit(NETWORK, old, new).refusal();
    let refusal = network(".go_i(row[4*RW+", ".go_i(row[5*RW+");
    assert!(refusal.contains("u_tile_0_1_1.go_i[0] is driven by leaf 5 of u_rows, carrying go_i[0]"), "{refusal}");
    let refusal = network("assign done[4] = row[4*RW+", "assign done[4] = row[3*RW+");
    assert!(refusal.contains("u_done.d_i[4] is driven by leaf 3 of u_rows, carrying u_program.done_o[0]"), "{refusal}");
}
