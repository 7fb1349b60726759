//! Area and speed of the bare router, out of context: `cargo bench --bench router_area [K,M ...]`.
//!
//! ECP5 LFE5U-85F, speed 6, LUT4 only, 32-bit payload, conflict detection included. Area is of the router alone; the
//! clock is of a wrapper that registers every input and output, the median of three seeds. Beside it stands the number
//! of LUTs that plain AND-OR columns of the same payload multiplexers need: ceil(2N/3) a bit for N gated sources and an
//! ungated bank.

use camino::Utf8PathBuf;
use metronoc::emit::LIBRARY;
use metronoc::tool::{Command, Progress, Tool, ToolSet, ensure};
use serde_json::Value;
use std::error::Error;
use std::fs;

const WIDTH: u32 = 32;
const SEEDS: [u32; 3] = [1, 2, 3];

fn main() -> Result<(), Box<dyn Error>> {
    let asked: Vec<(u32, u32)> = std::env::args().filter_map(|arg| size(&arg)).collect();
    let sizes = if asked.is_empty() { vec![(2, 3), (4, 4)] } else { asked };
    let tools = ensure(&[Tool::Yosys, Tool::NextpnrEcp5], Progress::auto(false))?;
    println!("router   stages   LUT4     FF    MHz (seeds)             AND-OR");
    for (k, m) in sizes {
        for stages in [1, 2] {
            let (lut, ff) = area(&tools, k, m, stages)?;
            let clocks = clocks(&tools, k, m, stages)?;
            let mut sorted = clocks.clone();
            sorted.sort_by(f64::total_cmp);
            println!(
                "D3({k},{m})  {stages}      {lut:6} {ff:6} {:6.0} ({})  {:6}",
                sorted[1],
                clocks.iter().map(|mhz| format!("{mhz:.0}")).collect::<Vec<_>>().join(", "),
                and_or(k, m)
            );
        }
    }
    Ok(())
}

/// "4,4" as K and M.
fn size(text: &str) -> Option<(u32, u32)> {
    let (k, m) = text.split_once(',')?;
    Some((k.parse().ok()?, m.parse().ok()?))
}

/// LUTs of the payload multiplexers as plain AND-OR columns: K global outputs of M-1 sources and a bank that carry π
/// too, M-1 local outputs of K sources and a bank.
fn and_or(k: u32, m: u32) -> u32 {
    let column = |sources: u32| (2 * sources).div_ceil(3);
    k * column(m - 1) * (WIDTH + m) + (m - 1) * column(k) * WIDTH
}

/// The router with fixed sizes, alone or between registers on all its ports.
fn wrapper(k: u32, m: u32, stages: u32, registered: bool) -> String {
    let l = m - 1;
    let (local, global) = (1 + m + k + WIDTH, m + WIDTH);
    let inputs = [
        ("rst_i", 1),
        ("tx_local_pi_i", l * m),
        ("tx_local_gamma_i", l * k),
        ("tx_local_data_i", l * WIDTH),
        ("tx_global_pi_i", k * m),
        ("tx_global_data_i", k * WIDTH),
        ("local_i", l * local),
        ("global_i", k * global),
    ];
    let outputs = [
        ("local_o", l * local),
        ("global_o", k * global),
        ("rx_local_valid_o", l),
        ("rx_local_data_o", l * WIDTH),
        ("rx_global_valid_o", k),
        ("rx_global_data_o", k * WIDTH),
        ("conflict_o", l + k),
    ];
    let slices = |ports: &[(&str, u32)], vector: &str| {
        let mut at = 0;
        let mut text = String::new();
        for (name, width) in ports {
            text += &format!(", .{name}({vector}[{at} +: {width}])");
            at += width;
        }
        (text, at)
    };
    let ((ins, a), (outs, b)) = (slices(&inputs, "a"), slices(&outputs, "b"));
    let (ports, registers) = if registered {
        let ports = format!("input clk_i, input [{}:0] in_i, output reg [{}:0] out_o", a - 1, b - 1);
        let registers = format!(
            "reg [{}:0] a; wire [{}:0] b; always @(posedge clk_i) begin a <= in_i; out_o <= b; end",
            a - 1,
            b - 1
        );
        (ports, registers)
    } else {
        (format!("input clk_i, input [{}:0] a, output [{}:0] b", a - 1, b - 1), String::new())
    };
    format!(
        "module bench({ports});\n{registers}\nmn_sv_router #(.K({k}), .M({m}), .W({WIDTH}), .XBAR_STAGES({stages})) \
         u_router (.clk_i(clk_i){ins}{outs});\nendmodule\n"
    )
}

/// Synthesises a wrapper and gives the folder, in which `bench.json` is the netlist and `stat.json` its cells.
fn synthesise(tools: &ToolSet, text: &str) -> Result<(tempfile::TempDir, Utf8PathBuf), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let path = Utf8PathBuf::try_from(folder.path().to_path_buf())?;
    let mut files = vec!["bench.v".to_owned()];
    fs::write(path.join("bench.v"), text)?;
    for module in LIBRARY {
        fs::write(path.join(module.file), module.text)?;
        files.push(module.file.to_owned());
    }
    let script = format!(
        "read_verilog -defer {}; synth_ecp5 -noiopad -nowidelut -top bench -json bench.json; tee -q -o stat.json stat -json",
        files.join(" ")
    );
    tools.run(&Command::new(Tool::Yosys).args(["-q", "-p", &script]), &path, &path.join("yosys.log"))?;
    Ok((folder, path))
}

fn area(tools: &ToolSet, k: u32, m: u32, stages: u32) -> Result<(u64, u64), Box<dyn Error>> {
    let (_folder, path) = synthesise(tools, &wrapper(k, m, stages, false))?;
    let stat: Value = serde_json::from_str(&fs::read_to_string(path.join("stat.json"))?)?;
    let cells = &stat["design"]["num_cells_by_type"];
    let count = |kind: &str| cells[kind].as_u64().or_else(|| cells[kind]["count"].as_u64()).unwrap_or(0);
    Ok((count("LUT4") + 2 * count("CCU2C") + 6 * count("TRELLIS_DPR16X4"), count("TRELLIS_FF")))
}

fn clocks(tools: &ToolSet, k: u32, m: u32, stages: u32) -> Result<Vec<f64>, Box<dyn Error>> {
    let (_folder, path) = synthesise(tools, &wrapper(k, m, stages, true))?;
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
