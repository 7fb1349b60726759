//! Area by synthesis alone, and the record of it in the documentation. Shared by the bench that makes the record and the
//! test that holds the documentation to it.
//!
//! ECP5, LUT4 only, 32-bit payload. Area is of a module by itself: a router (`mn_sv_router`, `mn_sh_router`, with conflict detection)
//! or the tile (`mn_node`: router, endpoint and program; with a shared program `mn_sv_tile`, and `mn_program` once).

pub mod couplers;
pub mod slot_routers;
pub mod slot_tiles;
mod wrapped;

pub use wrapped::Wrapped;

use camino::{Utf8Path, Utf8PathBuf};
use metronoc::check::swapped_dragonfly::check_all_to_all;
use metronoc::emit::LIBRARY;
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
use metronoc::tool::{Command, Tool, ToolSet};
use metronoc::topology::SwappedDragonfly;
use metronoc::topology::swapped_dragonfly::Group;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::error::Error;
use std::fmt::Write;
use std::fs;

pub const WIDTH: u32 = 32;
/// The record, and the page that shows it.
pub const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/area.json");
pub const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/area.md");
pub const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");

pub type Failure = Box<dyn Error>;

/// What a module takes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    pub luts: u64,
    pub registers: u64,
    /// Memories of 16 × 4 bits made from LUTs; each takes the place of 6.
    pub lut_rams: u64,
    pub block_rams: u64,
}

/// A router of one size, and a tile around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Size {
    pub k: u32,
    pub m: u32,
    /// Registers in the crossbar, which are the cycles of a hop.
    pub stages: u32,
    /// Cycles of an all-to-all with such hops.
    #[serde(default)]
    pub cycles: u32,
    pub router: Area,
    /// Clock between registers, by seed of place and route.
    pub mhz: Vec<f64>,
    /// The same on an iCE40 HX8K, where it has been measured.
    #[serde(default)]
    pub ice40_mhz: Vec<f64>,
    pub tile: Area,
}

/// A synchronizing-header router of one size, beside the source-vector router of [`Size`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Copying {
    pub k: u32,
    pub m: u32,
    pub stages: u32,
    pub router: Area,
    /// Clock between registers, by seed, of a router with d ≠ p and of one with d = p.
    pub mhz: [Vec<f64>; 2],
}

/// A tile with one key of the specification changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    pub k: u32,
    pub m: u32,
    pub change: String,
    pub tile: Area,
    /// The program that is there once for all tiles.
    pub once: Option<Area>,
}

/// What was measured.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub sizes: Vec<Size>,
    pub copying: Vec<Copying>,
    pub variants: Vec<Variant>,
    #[serde(default)]
    pub couplers: Vec<couplers::Coupler>,
    #[serde(default)]
    pub slot_routers: Vec<slot_routers::SlotRouter>,
    #[serde(default)]
    pub slot_tiles: Vec<slot_tiles::SlotTile>,
}

/// Sizes of the table, with the registers of their crossbars.
pub const SIZES: [(u32, u32, u32); 7] = [(2, 3, 1), (2, 3, 2), (4, 4, 1), (4, 4, 2), (8, 8, 1), (8, 8, 2), (8, 8, 3)];
/// Synchronizing-header routers of the table, with the registers of their crossbars.
pub const COPYING: [(u32, u32, u32); 6] = [(2, 3, 1), (2, 3, 2), (4, 4, 1), (4, 4, 2), (8, 8, 1), (8, 8, 2)];
/// Networks of the table of options.
pub const NETWORKS: [(u32, u32); 2] = [(2, 3), (4, 4)];
/// Changes to the specification: table and line.
pub const CHANGES: [(&str, &str); 6] = [
    ("router", ""),
    ("router", "parity = true"),
    ("router", "error_log = false"),
    ("schedule", "program = \"shared\""),
    ("schedule", "storage = \"ram\""),
    ("schedule", "storage = \"counter\""),
];

/// Least LUTs of the payload multiplexers: K global outputs of M-1 sources that carry π too, M-1 local outputs of K sources, and a
/// bank in each. With one register a column is an AND-OR of N gated sources and an ungated bank, ceil(2N/3) a bit. With more, each source
/// can have a register whose reset gates it, so that an OR is left: ceil(N/3) a bit for N + 1 of them.
pub fn least(k: u32, m: u32, stages: u32) -> u32 {
    let column = |sources: u32| (if stages == 1 { 2 * sources } else { sources }).div_ceil(3);
    k * column(m - 1) * (WIDTH + m) + (m - 1) * column(k) * WIDTH
}

/// Cycles of an all-to-all on D3(K,M) by `best`, with hops of so many cycles.
pub fn cycles(k: u32, m: u32, stages: u32) -> Result<u32, Failure> {
    let net = SwappedDragonfly::new(k, m, Group::Cyclic);
    let request = AllToAllRequest::new("best", HopLatency { local: stages, global: stages });
    Ok(check_all_to_all(&net, schedule_all_to_all(&net, &request)?)?.cycles())
}

/// Runs Yosys on the Verilog files of a folder, and the passes on what it has read.
pub fn yosys(tools: &ToolSet, folder: &Utf8Path, passes: &str) -> Result<(), Failure> {
    let mut files = Vec::new();
    for entry in folder.read_dir_utf8()? {
        let name = entry?.file_name().to_owned();
        files.extend(name.ends_with(".v").then_some(name));
    }
    files.sort();
    let script = format!("read_verilog -defer {}; {passes}", files.join(" "));
    tools.run(&Command::new(Tool::Yosys).args(["-q", "-p", &script]), folder, &folder.join("yosys.log"))?;
    Ok(())
}

/// Synthesises the Verilog files of a folder and gives the cells of `top`.
pub fn synthesise(tools: &ToolSet, folder: &Utf8Path, top: &str, parameters: &str) -> Result<Area, Failure> {
    let passes = format!(
        "hierarchy -top {top}{parameters}; synth_ecp5 -noiopad -nowidelut -json {top}.json; tee -q -o stat.json stat -json"
    );
    yosys(tools, folder, &passes)?;
    let stat: Value = serde_json::from_str(&fs::read_to_string(folder.join("stat.json"))?)?;
    let cells = &stat["design"]["num_cells_by_type"];
    let count = |kind: &str| cells[kind].as_u64().or_else(|| cells[kind]["count"].as_u64()).unwrap_or(0);
    let area = Area {
        luts: count("LUT4") + 2 * count("CCU2C"),
        registers: count("TRELLIS_FF"),
        lut_rams: count("TRELLIS_DPR16X4"),
        block_rams: count("DP16KD") + count("PDPW16KD"),
    };
    if area.luts == 0 || area.registers == 0 {
        return Err(format!("nothing is left of `{top}` after synthesis: {area:?}").into());
    }
    Ok(area)
}

/// The library in a folder of its own.
pub fn library() -> Result<(tempfile::TempDir, Utf8PathBuf), Failure> {
    let folder = tempfile::tempdir()?;
    let path = Utf8PathBuf::try_from(folder.path().to_path_buf())?;
    for module in LIBRARY {
        fs::write(path.join(module.file), module.text)?;
    }
    Ok((folder, path))
}

/// A bare `mn_sv_router`.
pub fn source_vector(tools: &ToolSet, k: u32, m: u32, stages: u32) -> Result<Area, Failure> {
    wrapped(tools, &Wrapped::source_vector(k, m, stages))
}

/// A bare `mn_sh_router`, with d = p or not, whichever takes more LUTs.
pub fn synchronizing(tools: &ToolSet, k: u32, m: u32, stages: u32) -> Result<Area, Failure> {
    let [off, on] = [false, true].map(|diagonal| wrapped(tools, &Wrapped::synchronizing(k, m, stages, diagonal)));
    let (off, on) = (off?, on?);
    Ok(if on.luts > off.luts { on } else { off })
}

fn wrapped(tools: &ToolSet, router: &Wrapped) -> Result<Area, Failure> {
    let (_folder, path) = library()?;
    fs::write(path.join("bench.v"), router.alone())?;
    synthesise(tools, &path, "bench", "")
}

/// A folder in which `out` is what `metronoc generate` makes of a specification.
fn generated(spec: &str) -> Result<(tempfile::TempDir, Utf8PathBuf), Failure> {
    let folder = tempfile::tempdir()?;
    let path = Utf8PathBuf::try_from(folder.path().to_path_buf())?;
    fs::write(path.join("spec.toml"), spec)?;
    let generate = std::process::Command::new(env!("CARGO_BIN_EXE_metronoc"))
        .current_dir(&path)
        .args(["--quiet", "generate", "spec.toml", "-o", "out"])
        .status()?;
    match generate.success() {
        true => Ok((folder, path)),
        false => Err(format!("metronoc generate: {generate}").into()),
    }
}

/// The folder of the Verilog in a generated one, with the images in it: they are named by paths that begin with rom/.
fn with_images(generated: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    let [rtl, images] = ["rtl", "rom"].map(|part| generated.join("out").join(part));
    if images.is_dir() {
        fs::rename(images, rtl.join("rom"))?;
    }
    Ok(rtl)
}

/// The tile of a network, as `metronoc generate` makes it, and the program that all share if they do.
pub fn tile(tools: &ToolSet, size: (u32, u32, u32), change: (&str, &str)) -> Result<(Area, Option<Area>), Failure> {
    let ((k, m, stages), (table, line)) = (size, change);
    let mut text = format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n[router]\npayload_bits = {WIDTH}\n\
         local_stages = {stages}\nglobal_stages = {stages}\n"
    );
    text += &if table == "router" { format!("{line}\n") } else { format!("[{table}]\n{line}\n") };
    let (_folder, path) = generated(&text)?;
    let rtl = with_images(&path)?;
    if !line.contains("shared") {
        return Ok((synthesise(tools, &rtl, "mn_node", "")?, None));
    }
    let network = fs::read_to_string(rtl.join("mn_network.v"))?;
    let instance = network.split("mn_sv_tile #(").nth(1).and_then(|rest| rest.split(") u_tile").next());
    let parameters: String = instance
        .ok_or("the network has no tile")?
        .split('.')
        .filter_map(|one| one.trim().trim_end_matches([',', ')']).split_once('('))
        .fold(String::new(), |mut text, (name, value)| {
            let _ = write!(text, " -chparam {name} {value}"); // a String takes everything
            text
        });
    let tile = synthesise(tools, &rtl, "mn_sv_tile", &parameters)?;
    Ok((tile, Some(synthesise(tools, &rtl, "mn_program", "")?)))
}

impl Size {
    /// Microseconds of an all-to-all at the router's clock.
    fn time(&self) -> f64 {
        median(&self.mhz).map_or(f64::INFINITY, |clock| f64::from(self.cycles) / clock)
    }
}

impl Record {
    /// The record of the documentation.
    pub fn load() -> Result<Self, Failure> {
        Ok(serde_json::from_str(&fs::read_to_string(RECORD)?)?)
    }

    /// The table of sizes in Markdown, or of that form of each alone whose all-to-all takes the least time.
    pub fn sizes(&self, all: bool) -> String {
        let mut text = "| router | crossbar registers | LUT | at least | registers | slices, at least | MHz | on iCE40 | cycles | µs \
                        | tile: LUT | registers | LUT RAMs | block RAMs |\n\
                        |---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
        let shown = self.sizes.iter().filter(|size| {
            let beside = self.sizes.iter().filter(|other| (other.k, other.m) == (size.k, size.m));
            all || beside.min_by(|a, b| a.time().total_cmp(&b.time())).is_some_and(|least| least == *size)
        });
        for size in shown {
            let [clock, ice40] =
                [&size.mhz, &size.ice40_mhz].map(|mhz| median(mhz).map_or("-".into(), |clock| format!("{clock:.0}")));
            let (r, t) = (size.router, size.tile);
            let _ = writeln!(
                text, // a String takes everything
                "| D3({},{}) | {} | {} | {} | {} | {} | {clock} | {ice40} | {} | {:.2} | {} | {} | {} | {} |",
                size.k,
                size.m,
                size.stages,
                r.luts,
                least(size.k, size.m, size.stages),
                r.registers,
                r.luts.max(r.registers).div_ceil(2),
                size.cycles,
                size.time(),
                t.luts,
                t.registers,
                t.lut_rams,
                t.block_rams
            );
        }
        text
    }

    /// The table of synchronizing-header routers in Markdown, each beside the source-vector router of its size.
    pub fn copying(&self) -> String {
        let mut text = "| router | crossbar registers | LUT | of source-vector | registers | MHz, d ≠ p | of source-vector | MHz, d = p | of source-vector |\n\
                        |---|---|---|---|---|---|---|---|---|\n"
            .to_owned();
        for one in &self.copying {
            let of = |size: &&Size| (size.k, size.m, size.stages) == (one.k, one.m, one.stages);
            let Some(beside) = self.sizes.iter().find(of) else { continue };
            let [off, on] = one.mhz.each_ref().map(|mhz| match (median(mhz), median(&beside.mhz)) {
                (Some(clock), Some(of)) => format!("{clock:.0} | {:.2}", clock / of),
                (Some(clock), None) => format!("{clock:.0} | -"),
                (None, _) => "- | -".into(),
            });
            let _ = writeln!(
                text, // a String takes everything
                "| D3({},{}) | {} | {} | {:.2} | {} | {off} | {on} |",
                one.k,
                one.m,
                one.stages,
                one.router.luts,
                one.router.luts as f64 / beside.router.luts as f64,
                one.router.registers
            );
        }
        text
    }

    /// The table of options in Markdown.
    pub fn variants(&self) -> String {
        let mut text =
            "| tile of | changed | LUT | registers | LUT RAMs | block RAMs | once for all: LUT | registers | block RAMs |\n\
                        |---|---|---|---|---|---|---|---|---|\n"
                .to_owned();
        for variant in &self.variants {
            let change = if variant.change.is_empty() { "-".into() } else { format!("`{}`", variant.change) };
            let t = variant.tile;
            let once = variant
                .once
                .map_or("| | |".into(), |once| format!("{} | {} | {} |", once.luts, once.registers, once.block_rams));
            let _ = writeln!(
                text, // a String takes everything
                "| D3({},{}) | {change} | {} | {} | {} | {} | {once}",
                variant.k,
                variant.m,
                t.luts,
                t.registers,
                t.lut_rams,
                t.block_rams
            );
        }
        text
    }
}

/// The middle one of clocks.
pub fn median(clocks: &[f64]) -> Option<f64> {
    let mut clocks = clocks.to_vec();
    clocks.sort_by(f64::total_cmp);
    clocks.get(clocks.len() / 2).copied()
}

/// `text` with what stands between the marks of a table replaced.
pub fn with_table(text: &str, mark: &str, table: &str) -> Result<String, Failure> {
    let (begin, end) = (format!("<!-- {mark} -->\n"), format!("<!-- end {mark} -->"));
    let (before, rest) = text.split_once(&begin).ok_or("a mark is missing")?;
    let (_, after) = rest.split_once(&end).ok_or("a mark is missing")?;
    Ok(format!("{before}{begin}{table}{end}{after}"))
}
