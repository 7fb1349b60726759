//! Result of `metronoc synth` as all pages show it.

use super::facts::grouped;
use super::results::significant;
use super::{Area, ModuleArea, SynthResult};

/// Result of `metronoc synth`, each value as a page shows it.
pub(super) struct SynthView<'a> {
    pub result: &'a SynthResult,
    pub fmax: String,
    pub target: String,
    pub met: &'static str,
    pub hop_rate: String,
    pub resources: Vec<[String; 4]>,
    /// Columns of the modules' areas.
    pub columns: Vec<&'a str>,
    /// Name of each module, and its values, one a column.
    pub modules: Vec<(&'a str, Vec<&'a str>)>,
}

/// A result, each value as a page shows it.
pub(super) fn synth_view<'a>(result: &'a SynthResult) -> SynthView<'a> {
    let mhz = |value: Option<f64>| value.map_or("–".to_owned(), |mhz| format!("{mhz:.1} MHz"));
    let resource = |area: &Area| {
        let share = area.available.filter(|&all| all > 0).map(|all| 100.0 * area.used as f64 / all as f64);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".into());
        [
            area.name.clone(),
            grouped(area.used),
            or_dash(area.available.map(grouped)),
            or_dash(share.map(|share| format!("{share:.1} %"))),
        ]
    };
    let mut columns: Vec<&str> = Vec::new();
    for fact in result.modules.iter().flat_map(|module| &module.facts) {
        if !columns.contains(&fact.label.as_str()) {
            columns.push(&fact.label);
        }
    }
    let row = |module: &'a ModuleArea| {
        let value = |column: &&str| module.facts.iter().find(|fact| fact.label == *column);
        let values = columns.iter().map(|column| value(column).map_or("–", |fact| fact.value.as_str()));
        (module.name.as_str(), values.collect())
    };
    let modules = result.modules.iter().map(row).collect();
    SynthView {
        result,
        modules,
        fmax: mhz(result.fmax_mhz),
        target: mhz(result.target_mhz),
        met: match result.met {
            Some(true) => "met",
            Some(false) => "missed",
            None => "–",
        },
        hop_rate: result.packet_hops_per_s.map_or("–".into(), |rate| format!("{} packet-hops/s", significant(rate))),
        resources: result.resources.iter().map(resource).collect(),
        columns,
    }
}
