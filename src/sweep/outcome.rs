//! Results of points.

use super::Point;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the form of an outcome.
const VERSION: u32 = 1;

/// Result of a point, whether it holds or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    version: u32,
    /// Hash of the [point](Point), which says what was run.
    pub hash: String,
    /// Time that the commands took, in seconds.
    pub seconds: f64,
    /// Exit code of the command that failed, or 0.
    pub exit_code: i32,
    /// Messages of the failure; empty if there is none.
    pub message: String,
    /// Output of `metronoc check --json`.
    pub check: Option<Value>,
    /// Output of `metronoc cosim --json`.
    pub cosim: Option<Value>,
    /// Output of `metronoc synth --json`.
    pub synth: Option<Value>,
}

/// Numbers of an outcome that are compared; None for those that it does not have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Figures {
    /// Name of the schedule's algorithm.
    pub algorithm: Option<String>,
    /// Routers, processors or nodes.
    pub nodes: Option<f64>,
    /// Clock cycles of the schedule.
    pub cycles: Option<f64>,
    /// Clock cycles from a pass to the next.
    pub period: Option<f64>,
    /// Largest lower bound, in clock cycles.
    pub bound: Option<f64>,
    /// Look-up tables.
    pub luts: Option<f64>,
    /// Flip-flops.
    pub registers: Option<f64>,
    /// Memories of look-up tables.
    pub lut_rams: Option<f64>,
    /// Block memories.
    pub block_rams: Option<f64>,
    /// Clock that is reached, in MHz.
    pub clock_mhz: Option<f64>,
    /// Time of the schedule at that clock, in microseconds.
    pub time_us: Option<f64>,
}

impl Outcome {
    /// Outcome of a point before any command was run.
    pub fn new(point: &Point) -> Self {
        Self {
            version: VERSION,
            hash: point.hash.clone(),
            seconds: 0.0,
            exit_code: 0,
            message: String::new(),
            check: None,
            cosim: None,
            synth: None,
        }
    }

    /// Reads an outcome; None for anything but the outcome of the point.
    pub fn read(text: &[u8], hash: &str) -> Option<Self> {
        let outcome: Self = serde_json::from_slice(text).ok()?;
        (outcome.version == VERSION && outcome.hash == hash).then_some(outcome)
    }

    /// True if every command of the point succeeded.
    pub fn passed(&self) -> bool {
        self.exit_code == 0
    }

    /// The numbers that are compared.
    pub fn figures(&self) -> Figures {
        let check = self.check.as_ref().unwrap_or(&Value::Null);
        let synth = self.synth.as_ref().unwrap_or(&Value::Null);
        let cycles = check["cycles"].as_f64();
        let clock_mhz = synth["fmax_mhz"].as_f64();
        let bounds = check["bounds"].as_object();
        let largest =
            |bounds: &serde_json::Map<String, Value>| bounds.values().filter_map(Value::as_f64).reduce(f64::max);
        let area = |key: &str| synth["total"][key].as_f64();
        Figures {
            algorithm: check["algorithm"].as_str().map(str::to_owned),
            nodes: ["/routers", "/processors", "/nodes", "/proof/nodes"]
                .iter()
                .find_map(|path| check.pointer(path)?.as_f64()),
            cycles,
            period: check["period"].as_f64(),
            bound: bounds.and_then(largest),
            luts: area("luts"),
            registers: area("registers"),
            lut_rams: area("lut_rams"),
            block_rams: area("block_rams"),
            clock_mhz,
            time_us: cycles.zip(clock_mhz).filter(|(_, mhz)| *mhz > 0.0).map(|(cycles, mhz)| cycles / mhz),
        }
    }
}
