//! The co-simulation agrees with hardware that is right, and tells where hardware is wrong.
//!
//! Simulators are kept in the cache, so that only the first run of these tests builds them.

use crate::common::case::Case;
use crate::common::{Emitted, empty};
use metronoc::collective::{AllToAll, Collective, Dtype};
use metronoc::cosim::{Job, Lockstep, Start, Top, Verdict, source_vector_parts};
use metronoc::model::{Model, Sections};
use std::fs;
use std::path::Path;
use std::rc::Rc;

/// A specification of K cabinets and M routers a drawer, with more keys in their tables.
fn spec(k: u32, m: u32, network: &str, router: &str, collective: &str, schedule: &str) -> String {
    format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n{network}\n\
         [router]\nkind = \"source-vector\"\n{router}\n[collective]\nkind = \"all-to-all\"\n{collective}\n\
         [schedule]\n{schedule}\n"
    )
}

impl Case {
    /// Simulates fresh Verilog; it must agree.
    fn agrees(&self, more: &[&str]) -> serde_json::Value {
        let args = [&["cosim", "case.toml", "--random", "--json", "-q"], more].concat();
        let (code, out, err) = self.metronoc(&args);
        assert_eq!(code, Some(0), "{err}");
        serde_json::from_str(&out).unwrap()
    }

    /// Writes the Verilog to the folder `rtl` and changes a file of it.
    fn broken(&self, file: &str, change: impl Fn(&str) -> String) {
        let (code, _, err) = self.metronoc(&["generate", "case.toml", "-o", "rtl", "-q"]);
        assert_eq!(code, Some(0), "{err}");
        let path = self.dir.path().join("rtl").join(file);
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed, "the mutation changes nothing");
        fs::write(&path, changed).unwrap();
    }

    /// Writes the Verilog, changes a file of it, and simulates; hardware and model must differ.
    fn mutant(&self, file: &str, change: impl Fn(&str) -> String) -> String {
        self.broken(file, change);
        let (code, _, err) = self.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl", "-q"]);
        assert_eq!(code, Some(5), "{err}");
        assert!(err.contains("waveform: cosim.fst") && self.has("cosim.fst"), "{err}");
        assert!(err.contains("`metronoc cosim case.toml --random --rtl rtl`"), "{err}");
        err
    }

    /// The value in a waveform, in hexadecimal, of a signal of a tile in a cycle.
    fn drawn(&self, file: &str, tile: &str, signal: &str, cycle: u64) -> String {
        let mut wave = wellen::simple::read(self.dir.path().join(file)).unwrap();
        let var = wave.hierarchy().lookup_var(&[tile], signal).expect("the signal is there");
        let signal = wave.hierarchy()[var].signal_ref();
        wave.load_signals(&[signal]);
        // the last change at or before the cycle, which is 10 ns
        let index = wave.time_table().partition_point(|&time| time <= cycle * 10) as u32 - 1;
        let signal = wave.get_signal(signal).expect("it is loaded");
        let offset = signal.get_offset(index).expect("it has a value");
        let bits = signal.get_value_at(&offset, 0).to_bit_string().expect("it has bits");
        let digits = bits.len().div_ceil(4);
        format!("0x{:0digits$x}", u128::from_str_radix(&bits, 2).expect("no bit is unknown"))
    }

    fn has(&self, file: &str) -> bool {
        Path::new(self.dir.path()).join(file).exists()
    }
}

/// What stands in `text` between two marks.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no `{before}` in {text}"));
    rest.split_once(after).unwrap_or_else(|| panic!("no `{after}` in {text}")).0
}

fn small() -> Case {
    Case::new(&spec(1, 2, "", "", "", ""))
}

/// Each specification, by name, moves some words as its model does.
fn agree(specs: &[(&str, String)]) {
    for (name, text) in specs {
        let report = Case::new(text).agrees(&["--collectives", "3"]);
        assert!(report["compared_words"].as_u64().unwrap() > 1000, "{name}: {report}");
    }
}

#[test]
fn hardware_and_model_agree() {
    agree(&[
        ("least", spec(1, 2, "", "", "", "")),
        ("xor, words, repeated", spec(2, 2, "group = \"xor\"", "", "words = 3\nrepeat = 3", "")),
        ("parity above 64 bits", spec(1, 2, "", "payload_bits = 64\nparity = true", "words = 2", "")),
        ("counters", spec(1, 3, "", "", "words = 2", "storage = \"counter\"")),
    ]);
}

#[test]
#[ignore = "six networks in Verilator; .ci/run includes it"]
fn hardware_and_model_agree_on_long_wires_and_other_programs() {
    agree(&[
        ("long hops, bytes", spec(1, 2, "", "payload_bits = 8\nlocal_stages = 2\nglobal_stages = 3", "", "")),
        ("long wires", spec(2, 2, "", "local_stages = 3\nglobal_stages = 2\ncrossbar_stages = 1", "", "")),
        ("reloadable", spec(1, 2, "", "", "", "storage = \"ram\"")),
        ("one program for all", spec(1, 2, "", "", "repeat = 2", "program = \"shared\"")),
        ("one for all, reloadable", spec(2, 2, "", "", "", "program = \"shared\"\nstorage = \"ram\"")),
        ("one set of counters for all", spec(1, 3, "", "", "", "program = \"shared\"\nstorage = \"counter\"")),
    ]);
}

/// More collectives than a word of the host stream can say: their starts follow without a gap in the model, too.
#[test]
fn a_count_that_fits_no_word_takes_several_starts() {
    let text = spec(1, 2, "", "payload_bits = 8\nlocal_stages = 2\nglobal_stages = 3", "", "");
    let report = Case::new(&text).agrees(&["--collectives", "300"]);
    let counts: Vec<_> = report["launches"].as_array().unwrap().iter().map(|launch| &launch["count"]).collect();
    assert_eq!(counts, [255, 45]);
}

#[test]
fn a_start_that_waits_for_words_on_the_ring_is_waited_for() {
    let emitted = Emitted::new(2, 2, "");
    let (p, model) = (&emitted.lowered.parameters, Rc::new(Model::new(&emitted.lowered).unwrap()));
    let traffic = AllToAll::new(p.tiles, 1, 1);
    let data = traffic.random(Dtype::Uint32, 1).unwrap();
    let payload = Rc::new(model.payload(&traffic, &data, 0));
    let mut top = Top::new(&emitted.built(&source_vector_parts(&emitted.lowered).unwrap()), p).unwrap();
    let mut lockstep = Lockstep::new(&mut top, &model, Some(Sections::All));
    lockstep.queue(Job::Load(data.to_vec()));
    lockstep.start(Start { model: Rc::clone(&model), payloads: vec![payload], count: 1_000_000 });
    let cycles = 2000;
    assert_eq!(lockstep.run_to(cycles).unwrap(), Verdict::Agreed);
    assert_eq!(lockstep.cycle(), cycles);
    assert_eq!(lockstep.launched().len(), 1);
    assert_eq!(lockstep.compared(), cycles * model.layout().words() as u64);
}

/// Sums that are not cleared are right once: what is run by default finds them.
#[test]
fn what_a_collective_leaves_to_the_next_is_found() {
    let case = Case::new(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 1\nm = 2\n[router]\npayload_bits = 16\n\
         [collective]\nkind = \"vector-matrix\"\nblock = 2\n",
    );
    case.mutant("rtl/mn_product_group.v", |rtl| {
        rtl.replace("(first_q ? {DW{1'b0}} : last_q[j*DW+:DW])", "last_q[j*DW+:DW]")
    });
    let once = ["cosim", "case.toml", "--random", "--rtl", "rtl", "--collectives", "1", "-q"];
    assert_eq!(case.metronoc(&once).0, Some(0), "one collective shows it already");
}

/// Ends of many collectives that are still on their way are counted.
#[test]
fn many_collectives_are_in_flight_at_a_time() {
    let text = spec(1, 2, "", "payload_bits = 8\nlocal_stages = 16\nglobal_stages = 16", "repeat = 2", "");
    Case::new(&text).agrees(&["--collectives", "4"]);
}

#[test]
fn what_is_received_is_written_and_drawn() {
    let case = Case::new(&spec(2, 2, "", "", "", ""));
    let report = case.agrees(&["--out", "y.npy", "--trace", "vcd"]);
    assert_eq!(report["received_words"], 8 * 8);
    assert_eq!(report["form"], "top");
    assert!(case.has("y.npy"));
    let waves = fs::read_to_string(case.dir.path().join("y.vcd")).unwrap();
    assert!(waves.contains("tile_1_1_0") && waves.contains("receive_global_1"));
    // the array that came out, sent again, is what went in
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--data", "y.npy", "--out", "x.npy", "-q"]);
    assert_eq!(code, Some(0), "{err}");
    let (code, _, err) =
        case.metronoc(&["cosim", "case.toml", "--data", "x.npy", "--out", "y2.npy", "--compare", "endpoints", "-q"]);
    assert_eq!(code, Some(0), "{err}");
    let [y, y2] = ["y.npy", "y2.npy"].map(|file| fs::read(case.dir.path().join(file)).unwrap());
    assert_eq!(y, y2);
}

#[test]
fn a_wrong_word_in_a_table_is_found() {
    // a row of the program is lost
    let case = small();
    let err = case.mutant("rom/local_send.hex", |text| {
        let zero = empty(text.lines().next().unwrap());
        let at = text.lines().position(|line| line != zero).unwrap();
        text.lines().enumerate().map(|(i, line)| format!("{}\n", if i == at { &zero } else { line })).collect()
    });
    assert!(err.contains("channel local 1 of router (0,0,0)") && err.contains("found 0x000000000 (idle)"), "{err}");
    assert!(err.contains("missing arrival"), "{err}");
    // it is told before the simulation begins, too
    let (_, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl"]);
    let told = err.find(" of the image `local_send` differs from the schedule: ");
    let differs = err.find("differ at channel local 1 of router (0,0,0)");
    assert!(told.is_some() && told < differs, "{err}");
}

#[test]
fn a_wrong_word_in_the_one_table_for_all_is_found() {
    let case = Case::new(&spec(1, 2, "", "", "", "program = \"shared\""));
    let err = case.mutant("rom/local_send.hex", |text| text.lines().rev().map(|line| format!("{line}\n")).collect());
    assert!(err.contains("differ at channel local 1 of router (0,0,0)"), "{err}");
}

#[test]
fn a_counter_that_counts_wrong_is_found() {
    let case = Case::new(&spec(1, 3, "", "", "", "storage = \"counter\""));
    // the local hops of the first and the last packets are swapped
    let err = case.mutant("rtl/mn_program.v", |text| {
        text.replace(".pi_o(row[", ".PI(row[")
            .replace(".delta_o(row[", ".pi_o(row[")
            .replace(".PI(row[", ".delta_o(row[")
    });
    assert!(err.contains("differ at channel local"), "{err}");
}

#[test]
fn hardware_that_never_ends_is_told() {
    let case = small();
    let err = case.mutant("rtl/mn_network.v", |text| text.replace(".d_i(done), .all_o", ".d_i({TILES{1'b0}}), .all_o"));
    let cycles: u64 = between(&err, "the hardware stood still for ", " cycles with work to be done").parse().unwrap();
    assert!(cycles > 10_000, "{err}");
    assert!(err.contains("the hardware could not be asked for its status"), "{err}");
    assert_eq!(case.drawn("cosim.fst", "mn_top", "busy_o", u64::MAX / 10), "0x1");
}

#[test]
fn hardware_that_answers_without_end_is_told() {
    let err = small().mutant("rtl/mn_top.v", |text| {
        let ring = text.lines().find(|line| line.ends_with(" ring_in, ring_out;")).unwrap();
        let top: u32 = between(ring, "wire [", ":0]").parse().unwrap();
        // an answer in every cycle
        text.replace(".ring_i(ring_out),", &format!(".ring_i({{4'hc, ring_out[{}:0]}}),", top - 4))
            .replace(".done_all_i(done_all), .done_any_i(done_any)", ".done_all_i(1'b0), .done_any_i(1'b0)")
    });
    let cycles: u64 = between(&err, "the hardware stood still for ", " cycles with work to be done").parse().unwrap();
    assert!((10_001..100_000).contains(&cycles), "{err}");
}

#[test]
#[ignore = "simulators are built several times; .ci/run includes it"]
fn the_command_that_is_told_leads_there_again() {
    let case = Case::new(&spec(1, 2, "", "", "", ""));
    case.broken("rtl/mn_send_port.v", |text| {
        text.replace(".wdata_i(wdata_i)", ".wdata_i(wdata_i & ~{{WIDTH-1{1'b0}}, 1'b1})")
    });
    let options = "cosim case.toml --random --seed 7 --rtl rtl --build-dir builds --compare endpoints --trace vcd --form tile \
                   --collectives 2";
    let mut args: Vec<&str> = options.split_whitespace().chain(["--out", "my y.npy"]).collect();
    let (code, _, first) = case.metronoc(&args);
    assert_eq!(code, Some(5), "{first}");
    assert!(first.contains("differ at receive port"), "{first}");
    let again = between(&first, "see it again with `", "`\n");
    args.iter_mut().for_each(|arg| *arg = if *arg == "my y.npy" { "'my y.npy'" } else { arg });
    let sorted = |words: &mut Vec<&str>| words.sort_unstable();
    let mut told: Vec<&str> = again.strip_prefix("metronoc ").unwrap().split(' ').collect();
    let mut asked: Vec<&str> = args.iter().flat_map(|arg| arg.split(' ')).collect();
    sorted(&mut told);
    sorted(&mut asked);
    assert_eq!(told, asked);

    fs::remove_file(case.dir.path().join("my y.vcd")).unwrap();
    let binary = assert_cmd::cargo::cargo_bin("metronoc");
    let path = format!("{}:{}", binary.parent().unwrap().display(), std::env::var("PATH").unwrap());
    let shell =
        std::process::Command::new("sh").args(["-c", again]).current_dir(case.dir.path()).env("PATH", path).output();
    let second = shell.unwrap();
    assert_eq!(second.status.code(), Some(5));
    let second = String::from_utf8_lossy(&second.stderr);
    let report = |text: &str| text[text.find("error: ").unwrap()..].to_owned();
    assert_eq!(report(&first), report(&second));

    // and the waveform has what was found, where it was found
    let port = between(&first, "differ at receive port ", " of router").replace(' ', "_");
    let tile = between(&first, "of router (", ")").replace(',', "_");
    let cycle = between(&first, "(cycle ", " overall)").parse().unwrap();
    let drawn = case.drawn("my y.vcd", &format!("tile_{tile}"), &format!("receive_{port}"), cycle);
    assert_eq!(drawn, between(&first, "found ", " ("));
    assert_ne!(drawn, between(&first, "expected ", " ("));
}

#[test]
fn a_stuck_bit_of_a_channel_is_found() {
    let case = small();
    let err = case.mutant("rtl/mn_sv_tile.v", |text| {
        text.replace(".local_o(local_o)", ".local_o(stuck)").replace(
            "    localparam HEADER",
            "    wire [LW*LCW-1:0] stuck;\n    assign local_o = stuck & ~{{LW * LCW - 1{1'b0}}, 1'b1};\n    localparam HEADER",
        )
    });
    let tile = between(&err, "differ at channel local 1 of router (", ")").replace(',', "_");
    let cycle = between(&err, "(cycle ", " overall)").parse().unwrap();
    let drawn = case.drawn("cosim.fst", &format!("tile_{tile}"), "local_1", cycle);
    assert_eq!(drawn, between(&err, "found ", " ("));
    assert_ne!(drawn, case.drawn("cosim.fst", &format!("tile_{tile}"), "local_1", cycle - 1));
    // a waveform of the user's stays, and the difference is told all the same
    let wave = case.dir.path().join("cosim.fst");
    fs::write(&wave, "mine").unwrap();
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl", "-q"]);
    assert!(code == Some(5) && err.contains("no waveform: `cosim.fst` exists"), "{err}");
    assert_eq!(fs::read(wave).unwrap(), b"mine");
}

#[test]
fn swapped_channels_are_found() {
    let err = small().mutant("rtl/mn_network.v", |text| {
        text.replace("            local_0_0_0[", "            LOCAL[")
            .replace("            local_0_1_0[", "            local_0_0_0[")
            .replace("            LOCAL[", "            local_0_1_0[")
    });
    // the packets that go on to the routers behind the swapped channels are others
    assert!(err.contains("of router (0,0,1)") || err.contains("of router (0,1,1)"), "{err}");
}

#[test]
fn a_wrong_hop_latency_is_found() {
    let case = Case::new(&spec(1, 2, "", "local_stages = 2\nglobal_stages = 3", "", ""));
    let err = case.mutant("rtl/mn_node.v", |text| text.replace(".GLOBAL_STAGES(3)", ".GLOBAL_STAGES(4)"));
    assert!(err.contains("missing arrival") || err.contains("unexpected arrival"), "{err}");
}

#[test]
fn a_lost_bit_of_the_receive_banks_is_found_in_the_array() {
    let err = small().mutant("rtl/mn_receive_port.v", |text| {
        text.replace(".wdata_i(data_i)", ".wdata_i({data_i[WIDTH-1:1], 1'b0})")
    });
    assert!(err.contains("received 0x") && err.contains("from router (0,0,"), "{err}");
    assert!(err.contains("the hardware itself reports no fault"), "{err}");
}

#[test]
fn a_folder_that_is_no_network_is_refused() {
    let case = small();
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "absent", "-q"]);
    assert_eq!(code, Some(8), "{err}");
    assert!(
        err.contains("cannot read `absent/rtl`") && err.contains("with --rtl") && !err.contains("build-dir"),
        "{err}"
    );
    fs::create_dir_all(case.dir.path().join("empty/rtl")).unwrap();
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "empty", "-q"]);
    assert_eq!(code, Some(3), "{err}");
    assert!(err.contains("it has no rtl/mn_top.v"), "{err}");
}

#[test]
fn verilog_that_does_not_build_shows_the_log() {
    let case = small();
    case.metronoc(&["generate", "case.toml", "-o", "rtl", "-q"]);
    fs::write(case.dir.path().join("rtl/rtl/mn_top.v"), "module mn_top; nonsense endmodule\n").unwrap();
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl", "-q"]);
    assert_eq!(code, Some(6), "{err}");
    assert!(err.contains("verilator failed") && err.contains("verilator.log"), "{err}");
}

#[test]
fn verilog_without_a_signal_that_is_compared_is_told() {
    let case = small();
    case.broken("rtl/mn_node.v", |text| text.replace(") u_tile (", ") u_other ("));
    let (code, _, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl", "-q"]);
    assert_eq!(code, Some(3), "{err}");
    let told = "the Verilog has no `mn_top.u_network.u_node_0_0_0.u_tile.";
    assert!(err.contains(told) && err.contains("generate it anew"), "{err}");
}

#[test]
fn the_images_of_a_folder_are_those_that_are_simulated() {
    let case = small();
    // an image that is left from an earlier run must not stand in for one that is missing
    case.agrees(&[]);
    let (code, _, err) = case.metronoc(&["generate", "case.toml", "-o", "rtl", "-q"]);
    assert_eq!(code, Some(0), "{err}");
    let rom = case.dir.path().join("rtl/rom");
    let refused = |told: &str| {
        let (code, out, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl", "-q"]);
        assert_eq!((code, out.as_str()), (Some(3), ""), "{err}");
        assert!(err.contains(told) && err.contains("with --rtl"), "{err}");
    };
    fs::rename(rom.join("local_send.hex"), rom.join("other.hex")).unwrap();
    refused("`rtl/rom/local_send.hex` is no memory image of this network: it is missing");
    fs::copy(rom.join("other.hex"), rom.join("local_send.hex")).unwrap();
    refused("`rtl/rom/other.hex` is no memory image of this network: no Verilog of the folder reads it");
    fs::remove_file(rom.join("other.hex")).unwrap();
    fs::write(rom.join("local_send.hex"), "nonsense\n").unwrap();
    refused("`rtl/rom/local_send.hex` is no memory image of this network: line 1 is no row of hexadecimal digits");
}

#[test]
#[ignore = "three networks in Verilator; .ci/run includes it"]
fn verilog_that_ends_the_simulation_is_told() {
    for (form, file, end, told) in [
        ("top", "rtl/mn_top.v", "$stop", "mn_top.v:"),
        ("top", "rtl/mn_top.v", "$fatal", "Verilog $stop"),
        ("tile", "rtl/mn_sv_endpoint.v", "$finish", "Verilog $finish"),
    ] {
        let case = small();
        let end =
            format!("    always @(posedge clk_i) if (!rst_i) begin $display(\"displayed\"); {end}; end\nendmodule\n");
        case.broken(file, |text| text.replace("endmodule\n", &end));
        let (code, out, err) = case.metronoc(&["cosim", "case.toml", "--random", "--rtl", "rtl", "--form", form, "-q"]);
        assert_eq!((code, out.as_str()), (Some(5), ""), "{err}");
        assert!(err.contains("the Verilog ended the simulation in cycle") && err.contains(told), "{err}");
        assert!(err.contains("displayed"), "{err}");
    }
}

#[test]
#[ignore = "simulators are built several times; .ci/run includes it"]
fn a_damaged_simulator_is_built_again_whatever_the_users_variables_say() {
    let (case, cache) = (small(), "a cache");
    let path = case.dir.path().join(cache);
    let tools = metronoc::tool::Settings::from_env().unwrap();
    fs::create_dir(&path).unwrap();
    std::os::unix::fs::symlink(tools.tools_dir(), path.join("tools")).unwrap();
    let run = || {
        let variables =
            [("METRONOC_CACHE", cache), ("MAKEFLAGS", "-n"), ("CXXFLAGS", "-fsyntax-only"), ("VERILATOR_ROOT", "/")];
        let (code, _, err) = case.metronoc_with(&variables, &["cosim", "case.toml", "--random", "-q"]);
        assert_eq!(code, Some(0), "{err}");
    };
    let files = || {
        let entries = fs::read_dir(path.join("cosim")).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|entry| entry.is_dir()).flat_map(|entry| fs::read_dir(entry).unwrap());
        files.map(|file| file.unwrap()).collect::<Vec<_>>()
    };
    run();
    let bytes: u64 = files().iter().map(|file| file.metadata().unwrap().len()).sum();
    assert!((100_000..4_000_000).contains(&bytes), "{bytes}");
    let library = files().into_iter().find(|file| file.file_name() == "libmetronoc.so").unwrap().path();
    let whole = fs::read(&library).unwrap();
    fs::write(&library, &whole[..whole.len() / 2]).unwrap();
    run();
    assert!(fs::metadata(&library).unwrap().len() > whole.len() as u64 * 9 / 10);
}

#[test]
#[ignore = "a simulator by the machine's own Verilator; .ci/run includes it"]
fn the_verilator_of_the_machine_serves() {
    let Ok(program) = which::which("verilator") else {
        eprintln!("verilator is not there: none but the installed one is tried");
        return;
    };
    let variables = [("METRONOC_VERILATOR", program.to_str().unwrap())];
    let (code, _, err) = small().metronoc_with(&variables, &["cosim", "case.toml", "--random", "-q"]);
    assert_eq!(code, Some(0), "{err}");
}
