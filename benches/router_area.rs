//! Area and speed of the router, out of context, with the tile around it and the cost of the options, and of couplers:
//! `cargo bench --bench router_area [-- K,M ... | couplers | slot-routers | slot-tiles] [--area] [--write]`.
//!
//! Given sizes, only these, or only couplers, or only routers or tiles of slot tables; `--area` leaves out place and route and keeps the clocks of the
//! record; `--write` renews the record and the tables of the documentation.
//!
//! The clock is that of a wrapper that registers every input and output of the router or coupler, on an LFE5U-85F, speed 6, the
//! median of five seeds; of the smallest router also on an iCE40 HX8K, with four-input look-up tables alone on both.
//! Beside area stands the least number of LUTs of the payload multiplexers.

mod area;

use area::{
    Area, CHANGES, COPYING, Copying, Failure, NETWORKS, PAGE, README, RECORD, Record, SIZES, Size, Variant, Wrapped,
    couplers, cycles, least, slot_routers, slot_tiles,
};
use camino::Utf8Path;
use metronoc::tool::{Command, Progress, Tool, ToolSet, ensure};
use serde_json::Value;
use std::fs;

/// The network whose router is measured on an iCE40 HX8K, too.
const ICE40: (u32, u32) = (2, 3);
/// Seeds of place and route, whose clocks lie far apart.
const SEEDS: [u32; 5] = [1, 2, 3, 4, 5];

fn main() -> Result<(), Failure> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    let asked: Vec<(u32, u32)> = args.iter().filter_map(|arg| size(arg)).collect();
    if let Some((k, m)) = asked.iter().find(|&&(k, m)| !SIZES.iter().any(|size| (size.0, size.1) == (k, m))) {
        return Err(format!("D3({k},{m}) is none of the sizes of the table").into());
    }
    let some = ["couplers", "slot-routers", "slot-tiles"].into_iter().any(&has);
    let is_asked = |k, m| !some && asked.is_empty() || asked.contains(&(k, m));
    let tools = ensure(&[Tool::Yosys, Tool::NextpnrEcp5, Tool::NextpnrIce40], Progress::auto(false))?;
    let mut record = Record::load().unwrap_or_default();

    println!(
        "router   stages    LUT     FF    MHz (seeds)                     at least   tile: LUT     FF  LUT RAM  block RAM"
    );
    for (k, m, stages) in SIZES.into_iter().filter(|&(k, m, _)| is_asked(k, m)) {
        let router = area::source_vector(&tools, k, m, stages)?;
        let (tile, _) = area::tile(&tools, (k, m, stages), CHANGES[0])?;
        let at = record.sizes.iter().position(|size| (size.k, size.m, size.stages) == (k, m, stages));
        let known = at.map(|at| record.sizes.remove(at)).map(|known| [known.mhz, known.ice40_mhz]);
        let wrapped = Wrapped::source_vector(k, m, stages);
        let [mhz, ice40_mhz] = match has("--area") {
            true => known.unwrap_or_default(),
            false => [
                clocks(&tools, &registered(&wrapped))?,
                if (k, m) == ICE40 { ice40_clocks(&tools, &scanned(&wrapped))? } else { Vec::new() },
            ],
        };
        let seeds = mhz.iter().map(|mhz| format!("{mhz:.0}")).collect::<Vec<_>>().join(", ");
        let Area { luts, registers, lut_rams, block_rams } = tile;
        println!(
            "D3({k},{m})  {stages}      {:6} {:6}    ({seeds:25}) {:6}      {luts:6} {registers:6} {lut_rams:6} {block_rams:6}",
            router.luts,
            router.registers,
            least(k, m, stages),
        );
        record.sizes.push(Size { k, m, stages, cycles: 0, router, mhz, ice40_mhz, tile });
    }
    record.sizes.sort_by_key(|size| (size.k, size.m, size.stages));
    for size in &mut record.sizes {
        size.cycles = cycles(size.k, size.m, size.stages)?;
    }

    println!("\nsynchronizing  stages    LUT     FF    MHz, d != p, d = p (seeds)");
    for (k, m, stages) in COPYING.into_iter().filter(|&(k, m, _)| is_asked(k, m)) {
        let router = area::synchronizing(&tools, k, m, stages)?;
        let at = record.copying.iter().position(|one| (one.k, one.m, one.stages) == (k, m, stages));
        let known = at.map(|at| record.copying.remove(at).mhz).unwrap_or_default();
        let mhz = match has("--area") {
            true => known,
            false => [
                clocks(&tools, &registered(&Wrapped::synchronizing(k, m, stages, false)))?,
                clocks(&tools, &registered(&Wrapped::synchronizing(k, m, stages, true)))?,
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
    for (d, mode) in sizes.filter(|_| asked.is_empty() && (has("couplers") || !some)) {
        let area = couplers::coupler(&tools, d, mode)?;
        let at = record.couplers.iter().position(|one| (one.d, one.mode) == (d, mode));
        let known = at.map(|at| record.couplers.remove(at).mhz).unwrap_or_default();
        let mhz = if has("--area") { known } else { clocks(&tools, &registered(&Wrapped::coupler(d, mode)))? };
        let (name, bound) = (couplers::MODES[mode as usize], couplers::and_or(d));
        println!("{d:2} {name:15}   {:6} {:6}    {mhz:.0?} {bound:6}", area.luts, area.registers);
        record.couplers.push(couplers::Coupler { d, mode, area, mhz });
    }
    record.couplers.sort_by_key(|one| (one.d, one.mode));

    println!("\nslot-table router    crosspoints      LUT     FF    MHz (seeds)");
    let all = slot_routers::NETWORKS.into_iter().flat_map(|net| slot_routers::CROSSPOINTS.map(|built| (net, built)));
    for (network, crosspoints) in all.filter(|_| asked.is_empty() && (has("slot-routers") || !some)) {
        let mut router = slot_routers::router(&tools, network, crosspoints)?;
        let of = |one: &slot_routers::SlotRouter| (&*one.network, &*one.crosspoints) == (network.0, crosspoints);
        let at = record.slot_routers.iter().position(of);
        let known = at.map(|at| record.slot_routers.remove(at).mhz).unwrap_or_default();
        router.mhz = if has("--area") { known } else { clocks(&tools, &registered(&router.module()))? };
        let Area { luts, registers, .. } = router.area;
        let (count, of) = (router.count(), router.built.len());
        println!("{:20} {count:2} of {of:2}      {luts:6} {registers:6}    {:.0?}", network.0, router.mhz);
        record.slot_routers.push(router);
    }

    println!("\nslot-table tile        LUT     FF  LUT RAM  block RAM");
    if asked.is_empty() && (has("slot-tiles") || !some) {
        record.slot_tiles.clear();
        for (words, storage) in
            slot_tiles::WORDS.into_iter().flat_map(|words| slot_tiles::STORAGES.map(|storage| (words, storage)))
        {
            let tile = slot_tiles::tile(&tools, words, storage)?;
            let Area { luts, registers, lut_rams, block_rams } = tile.area;
            println!("{words:3} words, {storage:10} {luts:6} {registers:6} {lut_rams:6} {block_rams:6}");
            record.slot_tiles.push(tile);
        }
    }

    if has("--write") {
        fs::write(RECORD, serde_json::to_string_pretty(&record)? + "\n")?;
        for (file, mark, table) in [
            (PAGE, "sizes", record.sizes(true)),
            (PAGE, "copying", record.copying()),
            (PAGE, "options", record.variants()),
            (PAGE, "couplers", couplers::table(&record.couplers)),
            (PAGE, "slot-routers", slot_routers::table(&record.slot_routers)),
            (PAGE, "slot-tiles", slot_tiles::table(&record.slot_tiles)),
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

/// The module with a register on every port.
fn registered(module: &Wrapped) -> String {
    let around = "reg [A:0] a; wire [B:0] b; reg [B:0] c; assign out_o = c; always @(posedge clk_i) begin a <= in_i; c <= b; end";
    module.text(true, around)
}

/// The same on two pins, for a device with few: inputs are shifted in, outputs go into a sum.
fn scanned(module: &Wrapped) -> String {
    let around = "reg [A:0] a; wire [B:0] b; reg [B:0] c, sum; assign out_o = sum[B]; \
                  always @(posedge clk_i) begin a <= {a[A-1:0], in_i}; c <= b; sum <= (sum << 1) ^ c; end";
    module.text(false, around)
}

fn clocks(tools: &ToolSet, wrapper: &str) -> Result<Vec<f64>, Failure> {
    let (_folder, path) = area::library()?;
    fs::write(path.join("bench.v"), wrapper)?;
    area::synthesise(tools, &path, "bench", "")?;
    let place = || {
        Command::new(Tool::NextpnrEcp5).args([
            "--85k",
            "--package",
            "CABGA756",
            "--speed",
            "6",
            "--out-of-context",
            "--freq",
            "400",
        ])
    };
    placed(tools, &path, place)
}

fn ice40_clocks(tools: &ToolSet, wrapper: &str) -> Result<Vec<f64>, Failure> {
    let (_folder, path) = area::library()?;
    fs::write(path.join("bench.v"), wrapper)?;
    area::yosys(tools, &path, "synth_ice40 -top bench -json bench.json")?;
    let place = || Command::new(Tool::NextpnrIce40).args(["--hx8k", "--package", "ct256", "--freq", "200"]);
    placed(tools, &path, place)
}

/// The clock of `bench.json`, by seed.
fn placed(tools: &ToolSet, path: &Utf8Path, place: impl Fn() -> Command) -> Result<Vec<f64>, Failure> {
    let clock = |&seed: &u32| {
        let place = place()
            .args(["--json", "bench.json", "--report", "report.json", "--timing-allow-fail"])
            .args(["--seed", &seed.to_string()]);
        tools.run(&place, path, &path.join("nextpnr.log"))?;
        let report: Value = serde_json::from_str(&fs::read_to_string(path.join("report.json"))?)?;
        let achieved = report["fmax"].as_object().and_then(|all| all.values().next()).map(|clock| &clock["achieved"]);
        achieved.and_then(Value::as_f64).ok_or("the report of place and route names no clock".into())
    };
    SEEDS.iter().map(clock).collect()
}
