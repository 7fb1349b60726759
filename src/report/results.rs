//! Results of other commands, read back from their JSON.
//!
//! The reader is tolerant: unknown fields are shown under their own name, and missing ones are left blank. So a report
//! can be made of another metronoc's results. A file of another command, of another major version or of another
//! specification is refused.

use super::ReportError;
use super::facts::{Fact, grouped};
use crate::spec::Spec;
use serde::Serialize;
use serde_json::{Map, Value};

/// The version of JSON output that is understood.
const VERSION: u64 = 1;

/// Result of `metronoc cosim --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CosimResult {
    /// True if hardware and software model agreed.
    pub passed: bool,
    /// Errors; empty if there were none.
    pub errors: Vec<String>,
    /// Further values of the result.
    pub facts: Vec<Fact>,
}

/// Result of `metronoc synth --json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SynthResult {
    /// Name of the board.
    pub board: String,
    /// The clock frequency reached, in MHz.
    pub fmax_mhz: Option<f64>,
    /// Requested clock frequency, MHz.
    pub target_mhz: Option<f64>,
    /// True if the target frequency was reached.
    pub met: Option<bool>,
    /// Packet-hops a second in the network at the frequency reached: packet-hops a cycle, times Fmax.
    pub packet_hops_per_s: Option<f64>,
    /// Cells of the part, by kind.
    pub resources: Vec<Area>,
    /// Cells by module and kind.
    pub modules: Vec<ModuleArea>,
    /// Errors; empty if there were none.
    pub errors: Vec<String>,
    /// Further values of the result.
    pub facts: Vec<Fact>,
}

/// A kind of cells of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Area {
    /// Name of the kind.
    pub name: String,
    /// Cells in use.
    pub used: u64,
    /// Cells there are, if known.
    pub available: Option<u64>,
}

/// The area of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModuleArea {
    /// Name of the module.
    pub name: String,
    /// Area of the module, by kind of cell.
    pub facts: Vec<Fact>,
}

/// Reads the output of a command on a specification.
fn read(text: &str, command: &str, spec: &Spec) -> Result<Map<String, Value>, ReportError> {
    let refused = |reason: String| ReportError::Result { command: command.to_owned(), reason };
    let value: Value = serde_json::from_str(text).map_err(|e| refused(format!("it is not JSON: {e}")))?;
    let Value::Object(object) = value else { return Err(refused("it is not a JSON object".into())) };
    let field = |name: &str| object.get(name).unwrap_or(&Value::Null);
    match (field("version"), field("command").as_str(), field("spec_sha256").as_str()) {
        (Value::Null, ..) | (_, None, _) => Err(refused("it has no `version` and `command`".into())),
        (version, ..) if version.as_u64() != Some(VERSION) => {
            Err(refused(format!("its version is {version}, and {VERSION} is understood")))
        }
        (_, Some(found), _) if found != command => Err(refused(format!("it is the output of `metronoc {found}`"))),
        (.., None) => Err(refused("it does not say of which specification it is, in `spec_sha256`".into())),
        (.., Some(hash)) if hash != spec.sha256() => {
            Err(refused(format!("it is of another specification, or `{}` was changed since", spec.name())))
        }
        _ => Ok(object),
    }
}

/// Takes the first field out that is there, by any of its names.
fn take(object: &mut Map<String, Value>, names: &[&str]) -> Option<Value> {
    names.iter().filter_map(|name| object.remove(*name)).next()
}

/// The errors of a command that failed.
fn errors(object: &mut Map<String, Value>) -> Vec<String> {
    let failed = take(object, &["exit_code"]).and_then(|v| v.as_u64()).is_some_and(|code| code != 0);
    let mut errors: Vec<String> = match take(object, &["errors"]) {
        Some(Value::Array(list)) => list.iter().map(|e| e.get("message").map_or_else(|| plain(e), plain)).collect(),
        _ => Vec::new(),
    };
    if failed && errors.is_empty() {
        errors.push("the command failed without a message".into());
    }
    errors
}

/// A JSON value for people.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(whole), _) => grouped(whole),
            (None, Some(real)) => significant(real),
            (None, None) => number.to_string(),
        },
        other => other.to_string(),
    }
}

/// A number to about four digits.
pub(super) fn significant(value: f64) -> String {
    match value.abs() {
        v if v >= 1e12 => format!("{:.2}·10¹²", value / 1e12),
        v if v >= 1e9 => format!("{:.2}·10⁹", value / 1e9),
        v if v >= 1e6 => format!("{:.2}·10⁶", value / 1e6),
        v if v >= 1e4 => grouped(value.round() as u64),
        v if v >= 100.0 && value.fract() != 0.0 => format!("{value:.1}"),
        _ => {
            let text = format!("{value:.3}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    }
}

/// The fields that are left, in the order of their names; tables within are written as `table field`.
fn facts(object: &Map<String, Value>) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (name, value) in
        object.iter().filter(|(name, _)| !["version", "command", "spec_sha256"].contains(&name.as_str()))
    {
        let label = name.replace('_', " ");
        match value {
            Value::Null | Value::Array(_) => {}
            Value::Object(inner) => {
                let inner = self::facts(inner).into_iter();
                facts.extend(inner.map(|f| Fact::new(format!("{label} {}", f.label), f.value)));
            }
            scalar => facts.push(Fact::new(label, plain(scalar))),
        }
    }
    facts
}

impl CosimResult {
    /// Reads the output of `metronoc cosim --json`.
    ///
    /// # Errors
    /// [`ReportError::Result`] if it is none.
    pub fn parse(text: &str, spec: &Spec) -> Result<Self, ReportError> {
        let mut object = read(text, "cosim", spec)?;
        let errors = errors(&mut object);
        // A command that ends well says so by ending.
        let verdict = take(&mut object, &["passed", "ok"]).and_then(|v| v.as_bool()).unwrap_or(true);
        let passed = errors.is_empty() && verdict;
        Ok(Self { passed, errors, facts: facts(&object) })
    }
}

/// Areas as a list of objects, or as an object of kind → used, or of kind → {used, available}.
fn areas(value: Option<Value>) -> Vec<Area> {
    let area = |name: &str, value: &Value| {
        let field = |names: &[&str]| names.iter().find_map(|n| value.get(*n)).and_then(Value::as_u64);
        let used = value.as_u64().or_else(|| field(&["used"]))?;
        Some(Area { name: name.to_owned(), used, available: field(&["available", "total"]) })
    };
    match value {
        Some(Value::Object(map)) => map.iter().filter_map(|(name, value)| area(name, value)).collect(),
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(|item| area(["name", "kind"].iter().find_map(|n| item.get(*n))?.as_str()?, item))
            .collect(),
        _ => Vec::new(),
    }
}

/// Modules as a list of objects with a name, or as an object of name → object.
fn modules(value: Option<Value>) -> Vec<ModuleArea> {
    match value {
        Some(Value::Object(map)) => map
            .into_iter()
            .filter_map(|(name, value)| Some(ModuleArea { name, facts: facts(value.as_object()?) }))
            .collect(),
        Some(Value::Array(list)) => list
            .into_iter()
            .filter_map(|item| {
                let Value::Object(mut item) = item else { return None };
                let name = take(&mut item, &["name", "module"])?.as_str()?.to_owned();
                Some(ModuleArea { name, facts: facts(&item) })
            })
            .collect(),
        _ => Vec::new(),
    }
}

impl SynthResult {
    /// Reads the output of `metronoc synth --json`, for a schedule of `packet_hops_per_cycle` packet-hops a cycle.
    ///
    /// # Errors
    /// [`ReportError::Result`] if it is none.
    pub fn parse(text: &str, spec: &Spec, packet_hops_per_cycle: f64) -> Result<Self, ReportError> {
        let mut object = read(text, "synth", spec)?;
        let mut number = |names: &[&str]| take(&mut object, names).and_then(|v| v.as_f64());
        let fmax_mhz = number(&["fmax_mhz", "fmax"]);
        let target_mhz = number(&["target_mhz", "frequency_mhz", "clock_mhz"]);
        let met = take(&mut object, &["met", "timing_met"]).and_then(|v| v.as_bool());
        Ok(Self {
            board: take(&mut object, &["board"]).map_or_else(|| "unknown".into(), |board| plain(&board)),
            fmax_mhz,
            target_mhz,
            met: met.or_else(|| Some(fmax_mhz? >= target_mhz?)),
            packet_hops_per_s: fmax_mhz.map(|mhz| mhz * 1e6 * packet_hops_per_cycle),
            resources: areas(take(&mut object, &["resources", "utilization"])),
            modules: modules(take(&mut object, &["modules"])),
            errors: errors(&mut object),
            facts: facts(&object),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec() -> Spec {
        let text = "format = 1\nnetwork = { topology = \"swapped-dragonfly\", k = 1, m = 2 }\n";
        Spec::parse("x.toml", text).unwrap()
    }

    /// The output of a command on [`spec`], with these fields.
    fn output(command: &str, fields: &str) -> String {
        format!(r#"{{"version":1,"command":"{command}","spec_sha256":"{}"{fields}}}"#, spec().sha256())
    }

    fn cosim(fields: &str) -> CosimResult {
        CosimResult::parse(&output("cosim", fields), &spec()).unwrap()
    }

    #[test]
    fn unknown_fields_are_shown_and_missing_ones_left_out() {
        let result = cosim(r#","collective_cycles":34,"later":true"#);
        assert!(result.passed && result.errors.is_empty());
        let shown: Vec<_> = result.facts.iter().map(|f| (f.label.as_str(), f.value.as_str())).collect();
        assert_eq!(shown, [("collective cycles", "34"), ("later", "yes")]);
    }

    #[test]
    fn a_failure_is_not_taken_for_success() {
        let result = cosim(r#","exit_code":5,"errors":[{"message":"router (0,1,0) differs"}]"#);
        assert_eq!(
            (result.passed, result.errors.as_slice()),
            (false, ["router (0,1,0) differs".to_owned()].as_slice())
        );
        assert!(!cosim(r#","exit_code":5"#).passed);
        assert!(!cosim(r#","passed":false"#).passed);
    }

    #[test]
    fn other_outputs_versions_and_specifications_are_refused() {
        let own = output("cosim", "");
        assert!(CosimResult::parse(&own, &spec()).is_ok());
        let other = Spec::parse("x.toml", &spec().text().replace("k = 1", "k = 2")).unwrap();
        let refused = |text: &str, spec: &Spec| CosimResult::parse(text, spec).unwrap_err().to_string();
        assert!(refused(&own, &other).contains("another specification"));
        let changed = [
            own.replace("spec_sha256", "sha256"),
            own.replace(r#""version":1"#, r#""version":2"#),
            own.replace(r#""version":1,"#, ""),
            own.replace(r#""command":"cosim","#, ""),
        ];
        for text in changed.iter().map(String::as_str).chain(["{}", "[]", "{", &output("synth", "")]) {
            let error = refused(text, &spec());
            assert!(error.contains("cosim"), "{error}");
        }
    }

    #[test]
    fn areas_are_read_in_both_shapes() {
        let list = r#","board":"ulx3s","fmax_mhz":160.5,"target_mhz":150,"resources":[{"name":"LUT4","used":10,"available":20}],
            "modules":[{"module":"mn_tile","lut":5}]"#;
        let map = r#","board":"ulx3s","fmax":160.5,"target_mhz":150,"resources":{"LUT4":{"used":10,"total":20}},
            "modules":{"mn_tile":{"lut":5}}"#;
        let [a, b] = [list, map].map(|fields| SynthResult::parse(&output("synth", fields), &spec(), 2.0).unwrap());
        assert_eq!(a, b);
        assert_eq!(a.met, Some(true));
        assert_eq!(a.packet_hops_per_s, Some(321e6));
        assert_eq!(a.resources, [Area { name: "LUT4".into(), used: 10, available: Some(20) }]);
    }
}
