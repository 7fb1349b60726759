//! Counterexample of a proof, cycle by cycle.

use super::Proof;
use super::property::{Kind, Property, properties};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Time of a cycle in the waveforms of yosys-smtbmc.
const CYCLE: u64 = 10;

/// A run in which assertions fail in the last cycle.
#[derive(Debug)]
pub struct Counterexample {
    /// Assertions that failed.
    pub failed: Vec<Property>,
    /// The last cycle, in which they fail, from 0.
    pub cycle: u64,
    /// Inputs of the wrapper, a line a cycle; zeros are left out.
    pub inputs: Vec<String>,
    /// Outputs that differ from the reference in the last cycle.
    pub differences: Vec<String>,
    /// The waveform, as VCD.
    pub trace: String,
}

/// A signal of the waveform: its scopes below the wrapper, its name, and its value in each cycle.
struct Signal {
    scopes: Vec<String>,
    name: String,
    bits: u32,
    /// Binary, highest bit first; a value holds until the next.
    values: BTreeMap<u64, String>,
}

impl Signal {
    fn at(&self, cycle: u64) -> &str {
        self.values.range(..=cycle).next_back().map_or("", |(_, value)| value)
    }

    /// The value in hexadecimal, or as it is for one bit.
    fn show(&self, cycle: u64) -> String {
        let value = self.at(cycle);
        if self.bits == 1 {
            return value.to_owned();
        }
        let mut digits = String::from("0x");
        let padded = format!("{}{value}", "0".repeat((4 - value.len() % 4) % 4));
        for at in (0..padded.len()).step_by(4) {
            match u32::from_str_radix(&padded[at..at + 4], 2) {
                Ok(digit) => write!(digits, "{digit:x}"),
                Err(_) => write!(digits, "x"),
            }
            .unwrap_or_default(); // a String takes everything
        }
        digits
    }

    fn is_zero(&self, cycle: u64) -> bool {
        !self.at(cycle).contains('1')
    }
}

impl Counterexample {
    /// Reads a waveform of yosys-smtbmc in which the assertions on these lines of the wrapper fail.
    pub(super) fn new(proof: &Proof, lines: &[usize], trace: String) -> Self {
        let asserts = properties(proof.wrapper).into_iter().filter(|p| p.kind == Kind::Assert);
        let failed = asserts.filter(|p| lines.contains(&p.line)).collect();
        let (signals, cycle) = read(&trace);
        let inputs = (0..=cycle)
            .map(|cycle| {
                let ports =
                    signals.iter().filter(|s| s.scopes.is_empty() && s.name.ends_with("_i") && s.name != "clk_i");
                let shown: Vec<String> =
                    ports.filter(|s| !s.is_zero(cycle)).map(|s| format!("{}={}", s.name, s.show(cycle))).collect();
                format!("cycle {cycle}: {}", if shown.is_empty() { "quiet".into() } else { shown.join(" ") })
            })
            .collect();
        let find = |scopes: &[String], name: &str| signals.iter().find(|s| s.scopes == scopes && s.name == name);
        let differences = signals
            .iter()
            .filter(|s| s.name == "found")
            .filter_map(|found| {
                let expected = find(&found.scopes, "expected")?;
                let checked = find(&found.scopes, "checked").is_none_or(|checked| !checked.is_zero(cycle));
                (checked && found.at(cycle) != expected.at(cycle)).then(|| {
                    let place = found.scopes.join(".").replace('<', "[").replace('>', "]");
                    format!("{place}: found {}, expected {}", found.show(cycle), expected.show(cycle))
                })
            })
            .collect();
        Self { failed, cycle, inputs, differences, trace }
    }
}

/// Signals of a waveform and its last cycle. Unreadable parts are left out: the user gets the waveform itself.
fn read(trace: &str) -> (Vec<Signal>, u64) {
    let mut parser = vcd::Parser::new(trace.as_bytes());
    let mut signals = Vec::new();
    let mut places: BTreeMap<vcd::IdCode, Vec<usize>> = BTreeMap::new();
    let Ok(header) = parser.parse_header() else { return (signals, 0) };
    let top = header.items.iter().find_map(|item| match item {
        vcd::ScopeItem::Scope(scope) => Some(scope),
        _ => None,
    });
    if let Some(top) = top {
        collect(&top.items, &mut Vec::new(), &mut signals, &mut places);
    }
    let (mut cycle, mut last) = (0, 0);
    for command in parser.map_while(Result::ok) {
        let (id, value) = match command {
            vcd::Command::Timestamp(time) => {
                // The last one has the clock's end alone.
                (last, cycle) = (cycle.max(last), time / CYCLE);
                continue;
            }
            vcd::Command::ChangeScalar(id, value) => (id, value.to_string()),
            vcd::Command::ChangeVector(id, value) => (id, value.to_string()),
            _ => continue,
        };
        for &place in places.get(&id).into_iter().flatten() {
            let signal: &mut Signal = &mut signals[place];
            signal.values.entry(cycle).or_insert_with(|| value.clone());
        }
    }
    (signals, last)
}

fn collect(
    items: &[vcd::ScopeItem],
    scopes: &mut Vec<String>,
    signals: &mut Vec<Signal>,
    places: &mut BTreeMap<vcd::IdCode, Vec<usize>>,
) {
    for item in items {
        match item {
            vcd::ScopeItem::Var(var) => {
                places.entry(var.code).or_default().push(signals.len());
                let (name, bits) = (var.reference.clone(), var.size);
                signals.push(Signal { scopes: scopes.clone(), name, bits, values: BTreeMap::new() });
            }
            vcd::ScopeItem::Scope(scope) => {
                scopes.push(scope.identifier.clone());
                collect(&scope.items, scopes, signals, places);
                scopes.pop();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::PROOFS;

    const TRACE: &str = "$var integer 32 t smt_step $end\n$var event 1 ! smt_clock $end\n\
        $scope module mn_top $end\n$var wire 1 n0 clk_i $end\n$var wire 6 n1 data_i $end\n$var wire 1 n2 rst_i $end\n\
        $scope module gen_x<1> $end\n$var wire 2 n3 found $end\n$var wire 2 n4 expected $end\n\
        $var wire 1 n5 checked $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n\
        #0\n1!\nb1 n0\nb1 n2\nb000000 n1\nb00 n3\nb01 n4\nb0 n5\n#5\nb0 n0\n\
        #10\n1!\nb1 n0\nb0 n2\n#15\nb0 n0\n#20\n1!\nb1 n0\nb100001 n1\nb10 n3\nb1 n5\n#25\nb0 n0\n#30\n1!\nb1 n0\n";

    #[test]
    fn waveforms_are_told_in_words() {
        let example = Counterexample::new(&PROOFS[0], &[], TRACE.into());
        assert_eq!(example.cycle, 2);
        assert_eq!(example.inputs, ["cycle 0: rst_i=1", "cycle 1: quiet", "cycle 2: data_i=0x21"]);
        assert_eq!(example.differences, ["gen_x[1]: found 0x2, expected 0x1"]);
    }
}
