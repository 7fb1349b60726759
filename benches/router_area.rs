//! Area and speed of the router, out of context, with the tile around it and the cost of the options, and of couplers:
//! `cargo bench --bench router_area [-- K,M ... | couplers] [--area] [--write]`.
//!
//! Given sizes, only these, or only couplers; `--area` leaves out place and route and keeps the clocks of the record; `--write` renews the
//! record and the tables of the documentation.
//!
//! The clock is that of a wrapper that registers every input and output of the router or coupler, on an LFE5U-85F, speed 6, the
//! median of three seeds. Beside area stands the number of LUTs that plain AND-OR columns of the same payload
//! multiplexers need.

mod area;

use area::{
    Area, CHANGES, COPYING, Copying, Failure, NETWORKS, PAGE, README, RECORD, Record, SIZES, Size, Variant, WIDTH,
    and_or, couplers,
};
use metronoc::tool::{Command, Progress, Tool, ToolSet, ensure};
use serde_json::Value;
use std::fs;

const SEEDS: [u32; 3] = [1, 2, 3];
const SOURCE_VECTOR: &str = "mn_sv_router";
const SYNCHRONIZING: &str = "mn_sh_router";

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let asked: Vec<(u32, u32)> = args.iter().filter_map(|arg| size(arg)).collect();
    let is_asked = |k, m| !has("couplers") && asked.is_empty() || asked.contains(&(k, m));
    let tools = ensure(&[Tool::Yosys, Tool::NextpnrEcp5], Progress::auto(false))?;
    let mut record = Record::load().unwrap_or_default();

    println!("router   stages    LUT     FF    MHz (seeds)             AND-OR   tile: LUT     FF  LUT RAM  block RAM");
    for (k, m, stages) in SIZES.into_iter().filter(|&(k, m, _)| is_asked(k, m)) {
        let router = area::router(&tools, SOURCE_VECTOR, k, m, stages)?;
        let (tile, _) = area::tile(&tools, (k, m, stages), CHANGES[0])?;
        let at = record.sizes.iter().position(|size| (size.k, size.m, size.stages) == (k, m, stages));
        let known = at.map(|at| record.sizes.remove(at).mhz).unwrap_or_default();
        let mhz = if has("--area") { known } else { clocks(&tools, &source_vector(k, m, stages))? };
        let seeds = mhz.iter().map(|mhz| format!("{mhz:.0}")).collect::<Vec<_>>().join(", ");
        let Area { luts, registers, lut_rams, block_rams } = tile;
        println!(
            "D3({k},{m})  {stages}      {:6} {:6}    ({seeds:15}) {:6}      {luts:6} {registers:6} {lut_rams:6} {block_rams:6}",
            router.luts,
            router.registers,
            and_or(k, m),
        );
        record.sizes.push(Size { k, m, stages, router, mhz, tile });
    }
    record.sizes.sort_by_key(|size| (size.k, size.m, size.stages));

    println!("\nsynchronizing  stages    LUT     FF    MHz, d != p, d = p (seeds)");
    for (k, m, stages) in COPYING.into_iter().filter(|&(k, m, _)| is_asked(k, m)) {
        let router = area::router(&tools, SYNCHRONIZING, k, m, stages)?;
        let at = record.copying.iter().position(|one| (one.k, one.m, one.stages) == (k, m, stages));
        let known = at.map(|at| record.copying.remove(at).mhz).unwrap_or_default();
        let mhz = match has("--area") {
            true => known,
            false => [
                clocks(&tools, &synchronizing(k, m, stages, false))?,
                clocks(&tools, &synchronizing(k, m, stages, true))?,
            ],
        };
        println!("D3({k},{m})        {stages}      {:6} {:6}    {mhz:.0?}", router.luts, router.registers);
        record.copying.push(Copying { k, m, stages, router, mhz });
    }
    record.copying.sort_by_key(|one| (one.k, one.m, one.stages));

    println!("\ntile of                            LUT     FF  LUT RAM  block RAM    once for all");
    for (k, m) in NETWORKS.into_iter().filter(|&(k, m)| is_asked(k, m)) {
        record.variants.retain(|variant| (variant.k, variant.m) != (k, m));
        for change in CHANGES {
            let (tile, once) = area::tile(&tools, (k, m, 2), change)?;
            let Area { luts, registers, lut_rams, block_rams } = tile;
            print!("D3({k},{m}) {:20} {luts:6} {registers:6} {lut_rams:6} {block_rams:6}", change.1);
            println!("{}", once.map_or(String::new(), |once| format!("    {} LUT, {} FF", once.luts, once.registers)));
            record.variants.push(Variant { k, m, change: change.1.into(), tile, once });
        }
    }
    record.variants.sort_by_key(|variant| (variant.k, variant.m));

    println!("\ncoupler                 LUT     FF    MHz (seeds), AND-OR");
    let sizes =
        couplers::SENDERS.into_iter().flat_map(|d| (0..).take(couplers::MODES.len()).map(move |mode| (d, mode)));
    for (d, mode) in sizes.filter(|_| asked.is_empty()) {
        let area = couplers::coupler(&tools, d, mode)?;
        let at = record.couplers.iter().position(|one| (one.d, one.mode) == (d, mode));
        let known = at.map(|at| record.couplers.remove(at).mhz).unwrap_or_default();
        let mhz = if has("--area") { known } else { clocks(&tools, &coupler(d, mode))? };
        let (name, bound) = (couplers::MODES[mode as usize], couplers::and_or(d));
        println!("{d:2} {name:15}   {:6} {:6}    {mhz:.0?} {bound:6}", area.luts, area.registers);
        record.couplers.push(couplers::Coupler { d, mode, area, mhz });
    }
    record.couplers.sort_by_key(|one| (one.d, one.mode));

    if has("--write") {
        fs::write(RECORD, serde_json::to_string_pretty(&record)? + "\n")?;
        for (file, mark, table) in [
            (PAGE, "sizes", record.sizes(true)),
            (PAGE, "copying", record.copying()),
            (PAGE, "options", record.variants()),
            (PAGE, "couplers", couplers::table(&record.couplers)),
            (README, "sizes", record.sizes(false)),
        ] {
            fs::write(file, area::with_table(&fs::read_to_string(file)?, mark, &table)?)?;
        }
    }
    Ok(())
}

/// "4,4" as K and M.
fn size(text: &str) -> Option<(u32, u32)> {
    let (k, m) = text.split_once(',')?;
    Some((k.parse().ok()?, m.parse().ok()?))
}

/// Ports with their widths.
type Ports = Vec<(&'static str, u32)>;

/// The source-vector router between registers.
fn source_vector(k: u32, m: u32, stages: u32) -> String {
    let l = m - 1;
    let (local, global) = (1 + m + k + WIDTH, m + WIDTH);
    let mut inputs = vec![
        ("rst_i", 1),
        ("tx_local_pi_i", l * m),
        ("tx_local_gamma_i", l * k),
        ("tx_local_data_i", l * WIDTH),
        ("tx_global_pi_i", k * m),
        ("tx_global_data_i", k * WIDTH),
    ];
    let (channels, outputs) = channels((k, m), local, global);
    inputs.extend(channels);
    wrapper(SOURCE_VECTOR, (k, m, stages), "", &inputs, &outputs)
}

/// The synchronizing-header router between registers, with d = p or not, as every tile has it.
fn synchronizing(k: u32, m: u32, stages: u32, diagonal: bool) -> String {
    let l = m - 1;
    let (local, global, stay) = (4 + m + k + WIDTH, 2 + m + WIDTH, 3 + WIDTH);
    let mut inputs = vec![("rst_i", 1), ("tx_local_i", l * local), ("tx_global_i", k * global), ("stay_i", stay)];
    let (channels, mut outputs) = channels((k, m), local, global);
    inputs.extend(channels);
    outputs.push(("stay_o", stay));
    let place = format!(", .diagonal_i(1'b{})", u8::from(diagonal));
    wrapper(SYNCHRONIZING, (k, m, stages), &place, &inputs, &outputs)
}

/// The channels that come in, and all outputs.
fn channels((k, m): (u32, u32), local: u32, global: u32) -> (Ports, Ports) {
    let l = m - 1;
    let outputs = vec![
        ("local_o", l * local),
        ("global_o", k * global),
        ("rx_local_valid_o", l),
        ("rx_local_data_o", l * WIDTH),
        ("rx_global_valid_o", k),
        ("rx_global_data_o", k * WIDTH),
        ("conflict_o", l + k),
    ];
    (vec![("local_i", l * local), ("global_i", k * global)], outputs)
}

/// A coupler between registers.
fn coupler(d: u32, mode: u32) -> String {
    let inputs = vec![("rst_i", 1), ("request_i", d), ("data_i", d * WIDTH), ("hold_i", 1)];
    let outputs = vec![("grant_o", d), ("valid_o", 1), ("data_o", WIDTH), ("collision_o", 1)];
    let parameters = format!(".D({d}), .W({WIDTH}), .MODE({mode})");
    between_registers(couplers::MODULE, &parameters, "", &inputs, &outputs)
}

/// A router with fixed sizes between registers on these ports.
fn wrapper(module: &str, (k, m, stages): (u32, u32, u32), place: &str, inputs: &Ports, outputs: &Ports) -> String {
    let parameters = format!(".K({k}), .M({m}), .W({WIDTH}), .XBAR_STAGES({stages})");
    between_registers(module, &parameters, place, inputs, outputs)
}

/// A module with its parameters and other ports, between registers on these ports.
fn between_registers(module: &str, parameters: &str, place: &str, inputs: &Ports, outputs: &Ports) -> String {
    let slices = |ports: &Ports, vector: &str| {
        let mut at = 0;
        let mut text = String::new();
        for (name, width) in ports {
            text += &format!(", .{name}({vector}[{at} +: {width}])");
            at += width;
        }
        (text, at)
    };
    let ((ins, a), (outs, b)) = (slices(inputs, "a"), slices(outputs, "b"));
    format!(
        "module bench(input clk_i, input [{}:0] in_i, output reg [{}:0] out_o);\n\
         reg [{}:0] a; wire [{}:0] b; always @(posedge clk_i) begin a <= in_i; out_o <= b; end\n\
         {module} #({parameters}) u_module (.clk_i(clk_i){place}{ins}{outs});\n\
         endmodule\n",
        a - 1,
        b - 1,
        a - 1,
        b - 1
    )
}

fn clocks(tools: &ToolSet, wrapper: &str) -> Result<Vec<f64>, Failure> {
    let (_folder, path) = area::library()?;
    fs::write(path.join("bench.v"), wrapper)?;
    area::synthesise(tools, &path, "bench", "")?;
    let mut clocks = Vec::new();
    for seed in SEEDS {
        let place = Command::new(Tool::NextpnrEcp5)
            .args(["--85k", "--package", "CABGA756", "--speed", "6", "--out-of-context", "--freq", "400"])
            .args(["--json", "bench.json", "--report", "report.json", "--timing-allow-fail"])
            .args(["--seed", &seed.to_string()]);
        tools.run(&place, &path, &path.join("nextpnr.log"))?;
        let report: Value = serde_json::from_str(&fs::read_to_string(path.join("report.json"))?)?;
        let achieved = report["fmax"].as_object().and_then(|all| all.values().next()).map(|clock| &clock["achieved"]);
        clocks.push(achieved.and_then(Value::as_f64).ok_or("the report of place and route names no clock")?);
    }
    Ok(clocks)
}
