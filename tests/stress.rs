//! The stress of a co-simulation passes hardware that is right, and finds what a plain run cannot: detectors that are dead, logs that name
//! another port or cycle, streams that do not wait, programs that are not loaded, and values that no small set of random words has.

use crate::common::case::{Case, is_of_stress};
use std::fs;

/// D3(1,2) with a parity bit, whose programs can be loaded.
const SMALL: &str = "topology = \"swapped-dragonfly\"\nk = 1\nm = 2\n[router]\npayload_bits = 8\nparity = true\n\
                     [collective]\nkind = \"all-to-all\"\n";
/// Product on D3(1,2) of 8-bit elements.
const PRODUCT: &str = "topology = \"swapped-dragonfly\"\nk = 1\nm = 2\n[router]\npayload_bits = 8\nparity = true\n\
                     [collective]\nkind = \"vector-matrix\"\n";
/// Ring of four nodes with streams of their own.
const PORTS: &str = "topology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 16\n[collective]\nkind = \"all-to-all\"\nwords = 2\n\
                     [schedule]\ntime_limit_s = 1\n[endpoint]\ninterface = \"axi-stream\"\n";
/// Ring of four nodes, by slot tables.
const RING: &str = "topology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 8\n[collective]\nkind = \"all-to-all\"\n";
const RAM: &str = "[schedule]\nstorage = \"ram\"\n";

fn case(network: &str) -> Case {
    Case::new(&format!("format = 1\n[network]\n{network}"))
}

/// POPS(4,4) with a parity bit, whose programs can be loaded.
fn stars(collective: &str) -> String {
    format!(
        "topology = \"pops\"\nd = 4\ng = 4\n[router]\npayload_bits = 16\nparity = true\nslot_cycles = 4\n[collective]\n{collective}\n\
         {RAM}rows = 20\nbuffers = 16\n"
    )
}

/// Exit code and messages of a co-simulation of the folder `rtl`, or of fresh Verilog.
fn cosim(case: &Case, more: &[&str]) -> (Option<i32>, String) {
    let (code, out, err) = case.metronoc(&[&["cosim", "case.toml", "--random", "-q"], more].concat());
    (code, out + &err)
}

/// Fresh Verilog in the folder `rtl`, changed in one place.
fn changed(network: &str, file: &str, old: &str, new: &str) -> Case {
    let case = case(network);
    let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl", "-q"]);
    assert_eq!(code, Some(0), "{err}");
    let path = case.dir.path().join("rtl/rtl").join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches(old).count(), 1, "`{old}` in {file}");
    fs::write(&path, text.replace(old, new)).unwrap();
    case
}

/// Changes the Verilog in one place; a plain run agrees with it, and the stress does not.
fn found_by_stress_alone(network: &str, file: &str, old: &str, new: &str) -> String {
    let case = changed(network, file, old, new);
    let (code, said) = cosim(&case, &["--rtl", "rtl", "--stress"]);
    assert_eq!(code, Some(5), "{file}: {said}");
    assert!(is_of_stress(&said), "{file}, plain: {said}");
    said
}

/// Changes the Verilog in one place; a plain run from registers that are zero agrees with it, and one from random bits does not.
fn found_from_random_bits_alone(network: &str, file: &str, old: &str, new: &str) {
    let case = changed(network, file, old, new);
    let (code, said) = cosim(&case, &["--rtl", "rtl"]);
    assert_eq!(code, Some(0), "{file}, plain: {said}");
    let (code, said) = cosim(&case, &["--rtl", "rtl", "--stress"]);
    assert_eq!(code, Some(5), "{file}, stressed: {said}");
}

/// Right hardware passes the stress.
fn stands(network: &str) {
    let (code, said) = cosim(&case(network), &["--stress"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("stress: 16 sets of words") && said.contains("all reported"), "{said}");
}

#[test]
fn right_hardware_stands_the_stress() {
    stands(&format!("{SMALL}{RAM}"));
}

/// Packets of a reversal go over a processor of another group: what is wrong with one that is sent on is told at the coupler of its next slot.
#[test]
#[ignore = "a simulator of 16 processors: half a minute; .ci/run includes it"]
fn processors_that_send_on_stand_the_stress() {
    stands(&stars("kind = \"permutation\"\npattern = \"reversal\""));
}

/// Corner values of signed elements have the bits of the sign above their width.
#[test]
#[ignore = "a simulator; .ci/run includes it"]
fn signed_products_stand_the_stress() {
    stands(&format!("{PRODUCT}signed = true\n"));
}

/// Words wait in the host behind a start: in an array they are the first ones of the first tile.
#[test]
fn words_of_other_tiles_wait_as_well() {
    let held = "if (!held_valid_q) held_q <= data_i";
    // bit 0 of the word, the upper bit of the tile's number, and the kind
    let wrong = format!("{held} ^ {{{{W-1{{1'b0}}}}, data_i[9] && data_i[11]}}");
    let said = found_by_stress_alone(&SMALL.replace("parity = true\n", ""), "mn_slice.v", held, &wrong);
    assert!(said.contains("words followed a start, those for router"), "{said}");
}

/// A fault of a tile with streams of its own does not reach the top, and the end of a single tile is none of its faults.
#[test]
#[ignore = "a simulator for each mutant; .ci/run includes it"]
fn faults_of_tile_ports_that_reach_no_output_are_found() {
    for (file, from, to, says) in [
        ("mn_network.v", "tile_fault_o[1*8+:8] != 8'd0", "(tile_fault_o[1*8+:8] & 8'hfb) != 8'd0", "fault_o is low"),
        ("mn_tile_start.v", "done_all_i != done_any_i || ", "", "no broken order is reported"),
    ] {
        let said = found_by_stress_alone(PORTS, file, from, to);
        assert!(said.contains(says), "{file}: {said}");
    }
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn dead_detectors_of_conflicts_are_found() {
    let dead = |network: &str, file, old, new| {
        let said = found_by_stress_alone(network, file, old, new);
        assert!(said.contains("a packet met another one"), "{file}: {said}");
    };
    // of routers with synchronizing headers: all, and those of packets to the swap alone
    dead(PRODUCT, "mn_conflict.v", "else conflict_o <= clash;", "else conflict_o <= 1'b0;");
    dead(
        PRODUCT,
        "mn_sh_router.v",
        "assign conflict[LW] = swap_conflict | stay_conflict;",
        "assign conflict[LW] = 1'b0;",
    );
    // two of one group of requests, neither from a bank
    let square = SMALL.replace("k = 1", "k = 2");
    let pairs = "(r[0] & r[1]) | (r[2] & r[3]) | ((r[0] | r[1]) & (r[2] | r[3]))";
    dead(&square, "mn_conflict.v", &format!("two_q[g] <= {pairs};"), "two_q[g] <= 1'b0;");
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn dead_detectors_are_found() {
    let dead = |file, old, new| found_by_stress_alone(SMALL, file, old, new);
    let said = dead("mn_receive_port.v", "assign missing_o    = missing_q;", "assign missing_o    = 1'b0;");
    assert!(said.contains("no tile reports a missing arrival"), "{said}");
    let said = dead("mn_receive_port.v", "assign parity_o = parity_q || kept_q;", "assign parity_o = 1'b0;");
    assert!(said.contains("no tile reports a broken parity"), "{said}");
    let said = dead("mn_fault_log.v", "assign fault_o   = |seen_q || |program_q;", "assign fault_o   = 1'b0;");
    assert!(said.contains("fault_o is low"), "{said}");
    let clear = "seen_q[k] <= !rst_i && !clear_i && (seen_q[k] || now_q[k]);";
    let said = dead("mn_fault_log.v", clear, "seen_q[k] <= !rst_i && (seen_q[k] || now_q[k]);");
    assert!(said.contains("after they were cleared"), "{said}");
    let said = dead("mn_fault_log.v", "if (rst_i || clear_i) first_q <= 16'd0;", "if (rst_i) first_q <= 16'd0;");
    assert!(said.contains("after they were cleared"), "{said}");
}

#[test]
#[ignore = "a simulator for each mutant; .ci/run includes it"]
fn a_second_drain_of_other_words_is_found() {
    let next = "result_q == LAST_RESULT[PB-1:0] ? FIRST_RESULT[PB-1:0] : result_q + 1'b1;";
    let other = "result_q == LAST_RESULT[PB-1:0] ? {PB{1'b0}} : result_q + 1'b1;";
    let said = found_by_stress_alone(RING, "mn_slot_program.v", next, other);
    assert!(said.contains("under stress, without a waveform"), "{said}");
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn logs_of_another_port_or_cycle_are_found() {
    let wrong = |file, old, new| found_by_stress_alone(SMALL, file, old, new);
    let first = "first_q <= cycle_q;";
    let said = wrong("mn_fault_log.v", first, "first_q <= cycle_q + 16'd1;");
    assert!(said.contains("its first fault in cycle"), "{said}");
    let port = "else if (!seen_q[k] && now_q[k]) port_q <= lowest_q;";
    let said = wrong("mn_fault_log.v", port, "else if (!seen_q[k] && now_q[k]) port_q <= lowest_q ^ 7'd1;");
    assert!(said.contains(" logs `"), "{said}");
    // the other detector of parity reports it when the word is read
    let said = wrong("mn_receive_port.v", "assign parity_o = parity_q || kept_q;", "assign parity_o = kept_q;");
    assert!(said.contains("broken parity"), "{said}");
    let said = wrong("mn_conflict.v", "else conflict_o <= clash;", "else conflict_o <= 1'b0;");
    assert!(said.contains("no tile reports a conflict"), "{said}");
    let said = wrong("mn_table_check.v", "else wrong_q <= 1'b1;", "else wrong_q <= 1'b0;");
    assert!(said.contains("no tile reports the row"), "{said}");
}

#[test]
fn answers_with_wrong_marks_are_found() {
    let answer = "assign answer_in[2+TB+DW-1:0] = {last_q, status_q, push_data_q | {{TB{1'b0}}, order_bit}};";
    let wrong = |marks: &str| answer.replace("last_q, status_q", marks);
    let unguarded = SMALL.replace("parity = true", "");
    for (marks, told) in [("last_q, 1'b0", "TUSER"), ("1'b0, status_q", "TLAST")] {
        let case = changed(&unguarded, "mn_host.v", answer, &wrong(marks));
        let (code, said) = cosim(&case, &["--rtl", "rtl"]);
        assert_eq!(code, Some(5), "{said}");
        assert!(said.contains("an answer on the host stream") && said.contains(told), "{said}");
    }
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn streams_that_do_not_wait_are_found() {
    let wide = SMALL.replace("parity = true", "").replace("\"all-to-all\"", "\"all-to-all\"\nwords = 16");
    for (old, new) in [
        (".valid_o(m_axis_tvalid), .ready_i(m_axis_tready),", ".valid_o(m_axis_tvalid), .ready_i(1'b1),"),
        ("= reading_q && credit_q && !request_end;", "= reading_q && !request_end;"),
        (
            "wire         fill_blocked = pending_q || inflight_q > 5'd1",
            "wire         fill_blocked = pending_q && inflight_q > 5'd1",
        ),
    ] {
        found_by_stress_alone(&wide, "mn_host.v", old, new);
    }
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn programs_that_are_not_loaded_and_rare_values_are_found() {
    let loadable = format!("{SMALL}{RAM}");
    let write = "if (we_i) mem[{wselect_i, wslot_i}] <= {check[7:1], ~^digits, digits};";
    found_by_stress_alone(&loadable, "mn_table_ram.v", write, "if (we_i && wslot_i == 0) mem[0] <= mem[0];");
    found_by_stress_alone(
        &loadable,
        "mn_table_ram.v",
        write,
        "if (we_i) mem[{!wselect_i, wslot_i}] <= {check[7:1], ~^digits, digits};",
    );
    let rare = "assign load_payload = {^load_data, load_data};";
    let wrong = "assign load_payload = {^load_data, load_data} ^ {{DW + 1{1'b0}} | (&load_data ? 9'd3 : 9'd0)};";
    found_by_stress_alone(SMALL, "mn_sv_endpoint.v", rare, wrong);
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn tiles_that_do_not_end_together_are_found() {
    let of_all = "assign all[j] = gen_level[l+1].all_q[j];";
    let any = "assign all[j] = |gen_level[l+1].all_q;";
    let said = found_by_stress_alone(SMALL, "mn_fanin.v", of_all, any);
    assert!(said.contains("its end is that of all"), "{said}");
    let said = found_by_stress_alone(SMALL, "mn_top.v", ".done_any_i(done_any)", ".done_any_i(done_all)");
    assert!(said.contains("ended while no other did"), "{said}");
    // the end of a tile that nothing waits for
    let said = found_by_stress_alone(SMALL, "mn_fanin.v", of_all, "assign all[j] = j == 0 || gen_level[l+1].all_q[j];");
    assert!(said.contains("did not end"), "{said}");
}

/// A start of one collective does not show that the next would come too early.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn collectives_that_are_not_a_run_apart_are_found() {
    let idle = "(idle_q || interval_q == {{IB - 1{1'b0}}, 1'b1});";
    let ring = "topology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 8\nparity = true\n[collective]\nkind = \"all-to-all\"\n";
    found_by_stress_alone(ring, "mn_host.v", idle, &idle.replace("idle_q ||", "!idle_q &&").replace("==", "!="));
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn counters_that_are_rarely_full_are_found() {
    // ends that never come, and a packet long after the last collective
    let said = found_by_stress_alone(SMALL, "mn_host.v", "inflight_q == MOST", "inflight_q == MOST - 5'd1");
    assert!(said.contains("no tile ended"), "{said}");
    let said = found_by_stress_alone(SMALL, "mn_host.v", "inflight_q == MOST", "1'b0");
    assert!(said.contains("no tile ended"), "{said}");
    let count = "cycle_q + 16'd1;";
    let said = found_by_stress_alone(SMALL, "mn_fault_log.v", count, "{cycle_q[15], cycle_q[14:0] + 15'd1};");
    assert!(said.contains("a packet came to the idle network"), "{said}");
}

/// What is still to be launched is right in every second cycle.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn starts_behind_each_other_are_counted() {
    let ring = "topology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 16\n[collective]\nkind = \"all-to-all\"\nwords = 8\n\
                chunks = 1\n[schedule]\nstorage = \"counter\"\n";
    let count = "remaining_d = does[START] ? data : launch ? remaining_q - 1'b1 : remaining_q;";
    let wrong =
        "remaining_d = (does[START] ? data : launch ? remaining_q - 1'b1 : remaining_q) ^ {1'b1, {DW - 1{1'b0}}};";
    found_by_stress_alone(ring, "mn_host.v", count, wrong);
}

/// Starts that spoil the answers of the drain before them, and starts that come later than they could.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn starts_at_the_wrong_time_are_found() {
    let hold = "does[START] ? !(none_q || (apart && (PASS >= FLUSH || !several)))";
    let said = found_by_stress_alone(SMALL, "mn_host.v", hold, "does[START] ? 1'b0");
    assert!(said.contains("order"), "{said}");
    let settled = "(settled_q || flush_q == {{LATENCY - 1{1'b0}}, 1'b1});";
    let said = found_by_stress_alone(SMALL, "mn_host.v", settled, "(settled_q || flush_q == {LATENCY{1'b0}});");
    assert!(said.contains("a start followed words"), "{said}");
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn versions_and_bits_that_are_not_loaded_are_found() {
    let loaded = format!("{SMALL}{RAM}");
    let version = "(swap && complete_q && loaded_q == go_version_i) begin";
    let case = changed(
        &loaded,
        "mn_program_loader.v",
        version,
        "(swap && complete_q && loaded_q[6:0] == go_version_i[6:0]) begin",
    );
    let path = case.dir.path().join("rtl/rtl/mn_program_loader.v");
    let text = fs::read_to_string(&path).unwrap();
    let refused = "refused_q <= swap && !(complete_q && loaded_q == go_version_i);";
    assert!(text.contains(refused));
    fs::write(
        &path,
        text.replace(refused, "refused_q <= swap && !(complete_q && loaded_q[6:0] == go_version_i[6:0]);"),
    )
    .unwrap();
    assert_eq!(cosim(&case, &["--rtl", "rtl"]).0, Some(0));
    let (code, said) = cosim(&case, &["--rtl", "rtl", "--stress"]);
    assert!(code == Some(5) && said.contains("a program that was not loaded was asked for"), "{said}");
}

/// A version in use that is right in every second cycle, and a request for a program that a tile takes a collective late.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn versions_at_the_wrong_time_are_found() {
    let loaded = format!("{SMALL}{RAM}");
    let idle = "refused_q <= swap && !(complete_q && loaded_q == go_version_i);";
    let turning = "refused_q <= swap && !(complete_q && loaded_q == go_version_i);\n            active_q[7] <= active_q[7] ^ active_q[0];";
    let said = found_by_stress_alone(&loaded, "mn_program_loader.v", idle, turning);
    assert!(said.contains("the program was loaded with another version"), "{said}");
    let swap = ".go_swap_i(go[2])";
    let said = found_by_stress_alone(SMALL, "mn_network.v", swap, ".go_swap_i(go[2] ^ go[10])");
    assert!(said.contains("tiles say so"), "{said}");
}

/// Bits of a sum that no set of words has in a packet, and words that are read from more than one bank.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn bits_that_depend_on_others_are_found() {
    let word = "assign data_o = data_q[WIDTH-PARITY-1:0] & {WIDTH - PARITY{valid_q && expected_i}};";
    let other = word.replace(
        "= data_q[WIDTH-PARITY-1:0]",
        "= (data_q[WIDTH-PARITY-1:0] ^ {{WIDTH - PARITY - 1{1'b0}}, data_q[20]})",
    );
    let said = found_by_stress_alone(PRODUCT, "mn_product_receive.v", word, &other);
    assert!(said.contains("is no multiple of the bit"), "{said}");
}

/// Words on idle channels, and what registers hold at power-on.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn what_nobody_asked_for_is_left_alone() {
    let ring = "topology = \"ring\"\nnodes = 4\n[router]\npayload_bits = 16\n[collective]\nkind = \"broadcast\"\n";
    let input = "assign sources[i*CW+:CW] = in_i[i*CW+:CW];";
    let other = "assign sources[i*CW+:CW] = in_i[i*CW+:CW] ^ {{CW - 1{1'b0}}, in_i[(INPUTS-1-i)*CW]};";
    let said = found_by_stress_alone(ring, "mn_slot_router.v", input, other);
    assert!(said.contains("noise came over all idle channels"), "{said}");
    found_from_random_bits_alone(SMALL, "mn_host.v", "            inflight_q    <= 5'd0;\n", "");
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn second_sources_that_are_not_seen_are_found() {
    let clash = "conflict_q <= !rst_i && clash;";
    for (to, says) in [("conflict_q <= 1'b0;", "no conflict"), ("conflict_q <= !rst_i && clash && o != 0;", "output 0")]
    {
        let said = found_by_stress_alone(RING, "mn_slot_router.v", clash, to);
        assert!(said.contains("has two sources") && said.contains(says), "{said}");
    }
    let counters = format!("{RING}words = 8\nchunks = 1\n[schedule]\nstorage = \"counter\"\n");
    let said = found_by_stress_alone(&counters, "mn_slot_router.v", clash, "conflict_q <= 1'b0;");
    assert!(said.contains("has two sources") && said.contains("no conflict"), "{said}");
}

/// Crosspoints and banks that the program of the specification does not use.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn hardware_that_other_programs_use_is_tried() {
    let ring = format!("{RING}{RAM}rows = 8\n");
    let (code, said) = cosim(&case(&ring), &["--stress"]);
    assert!(code == Some(0) && said.contains(" other programs loaded"), "{said}");
    let late = "else term_q <= sources_i[n*CW+:CW];";
    // channels, banks of the host, and two banks of each channel
    for source in [4, 5, 7] {
        let none = format!("else term_q <= n == {source} ? {{CW{{1'b0}}}} : sources_i[n*CW+:CW];");
        let said = found_by_stress_alone(&ring, "mn_slot_output.v", late, &none);
        assert!(said.contains("hardware and model differ"), "{said}");
    }
}

#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn slot_tables_that_are_not_loaded_are_found() {
    let ring = format!("{RING}{RAM}");
    let write = "we_q      <= !rst_i && piece && !head_q && row_end;";
    found_by_stress_alone(&ring, "mn_slot_loader.v", write, "we_q      <= 1'b0;");
}

/// A place of the queue of answers that is written while nothing comes holds a word only where the queue is more than half full.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn what_shows_in_a_full_queue_or_in_odd_cycles_is_found() {
    let cube = "topology = \"swapped-dragonfly\"\nk = 2\nm = 2\ngroup = \"xor\"\n[router]\npayload_bits = 8\n[collective]\n\
                kind = \"all-to-all\"\n";
    let loadable = format!("{cube}{RAM}");
    let write = "mem[tail_q[GB-1:0]] <= data_i;";
    let idle = format!("{write}\n else if (!push_i) mem[tail_q[GB-1:0]][1] <= data_i[1];");
    found_by_stress_alone(&loadable, "mn_fifo.v", write, &idle);
    let turning = "    genvar i;\n    always @(posedge clk_i) if (loaded_q[7] && !(piece && head_q)) loaded_q[6] <= !loaded_q[6];\n";
    found_by_stress_alone(&loadable, "mn_program_loader.v", "    genvar i;\n", turning);
}

#[test]
#[ignore = "a simulator for a mutant: half a minute; .ci/run includes it"]
fn numbers_of_tiles_without_a_meaning_are_found() {
    let count = "does[START] ? data :";
    let other = "does[START] ? data ^ {{DW - 2{1'b0}}, tile[TB-1], 1'b0} :";
    found_by_stress_alone(SMALL, "mn_host.v", count, other);
}

#[test]
#[ignore = "a simulator for a mutant: half a minute; .ci/run includes it"]
fn pieces_before_the_first_reset_are_found() {
    let gather = stars("kind = \"gather\"\nroot = 3");
    stands(&gather);
    found_from_random_bits_alone(&gather, "mn_program_loader.v", "piece_i && !early", "piece_i");
}

/// Words that lie at the places of another program than the one that runs on them.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn words_at_the_places_of_another_program_are_found() {
    let ring = format!("{RING}{RAM}");
    for (old, new) in [
        ("(swap ? own_q : next_q)", "(swap && own_q)"),
        ("(swap ? own_q : next_q)", "(!swap && next_q)"),
        ("(own_q || (load_i && !waiting)", "((load_i && !waiting)"),
        ("(head && next_q)", "1'b0"),
    ] {
        let said = found_by_stress_alone(&ring, "mn_slot_loader.v", old, new);
        assert!(said.contains("tiles say so"), "{said}");
    }
}

/// Beats of the kind that has no effect.
#[test]
#[ignore = "a simulator for each mutant: half a minute; .ci/run includes it"]
fn beats_without_an_effect_that_have_one_are_found() {
    let flit = "does[DATA] || does[PROGRAM] || does[CLEAR];";
    let said = found_by_stress_alone(SMALL, "mn_host.v", flit, &flit.replace(';', " || does[OTHER];"));
    assert!(said.contains("no tile reports"), "{said}");
    let swap = "does[SWAP] || ";
    found_by_stress_alone(SMALL, "mn_host.v", swap, "does[SWAP] || does[OTHER] || ");
}

/// Places of the answer queue that are counted as free where an answer is taken or not: it shows when the count has gone round.
#[test]
#[ignore = "a simulator for a mutant: half a minute; .ci/run includes it"]
fn answers_that_are_late_at_times_are_found() {
    let taken = "wire             taken   = m_axis_tvalid && m_axis_tready;";
    let few = "topology = \"swapped-dragonfly\"\nk = 2\nm = 2\ngroup = \"xor\"\n[router]\npayload_bits = 8\n[collective]\n\
               kind = \"vector-matrix\"\nsigned = true\n";
    let said = found_by_stress_alone(few, "mn_host.v", taken, &taken.replace("= m_axis_tvalid", "= !m_axis_tvalid"));
    assert!(said.contains("all statuses were asked for"), "{said}");
}

/// Data that no header asks for: a router that lets one input change the word of another.
#[test]
#[ignore = "a simulator for a mutant: half a minute; .ci/run includes it"]
fn data_that_no_header_asks_for_is_left_alone() {
    let signed = format!("{}signed = true\n", PRODUCT.replace("k = 1", "k = 2"));
    let source = "assign local_src[g*LXW+:W+2] = {swap, data};";
    let other = "assign local_src[g*LXW+:W+2] = {swap, data ^ {{W - 1{1'b0}}, g == 0 && |global_i[GCW*(K-1)+:W]}};";
    let said = found_by_stress_alone(&signed, "mn_sh_router.v", source, other);
    assert!(said.contains("noise came over all idle channels"), "{said}");
}
