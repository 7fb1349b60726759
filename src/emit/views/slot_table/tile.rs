//! A tile of slot tables as its template sees it.

use super::counters::CountersView;
use crate::lower::slot_table::{Feeder, Fields, Layout, Shape};

/// A bank, and the signals at its ports.
pub(super) struct BankView {
    pub index: u32,
    pub depth: u32,
    /// Bits of an address in a row.
    pub bits: u32,
    pub read_at: u32,
    /// True if results are read from it.
    pub shows: bool,
    pub forward: Option<u32>,
    /// Bit of a row that writes; the address is above it.
    pub write: Option<u32>,
    pub write_enable: String,
    pub write_address: String,
    pub data: String,
    pub forward_signal: String,
    pub read_signal: String,
}

/// An operator.
pub(super) struct UnitView {
    pub index: u32,
    /// First operand among the outputs, and the input of the result.
    pub from: u32,
    pub to: u32,
    /// Kinds between which a row chooses, and the first of their bits.
    pub kinds: usize,
    pub kind_at: u32,
    pub kind: String,
}

/// A tile.
pub(super) struct TileView {
    pub class: usize,
    pub channels: u32,
    pub ports: u32,
    pub operators: u32,
    pub operands: u32,
    /// Inputs and outputs of the crossbar, at least one of each.
    pub inputs: usize,
    pub outputs: usize,
    pub in_bits: u32,
    pub out_bits: u32,
    pub row_bits: u32,
    pub place_bits: u32,
    /// Crosspoints.
    pub used: usize,
    pub matrix_bits: usize,
    /// Selects of all crosspoints, a line an output, highest first; those that are built as binary digits.
    pub matrix: Vec<String>,
    pub crosspoints: String,
    pub hosts: u32,
    pub load_bits: u32,
    pub result_at: u32,
    /// Banks of results, and the words that they show, highest first.
    pub shown: usize,
    pub shown_words: String,
    pub banks: Vec<BankView>,
    pub units: Vec<UnitView>,
    /// Counters that make the rows.
    pub counters: Option<CountersView>,
    pub kinds: String,
    /// Inputs that are written, highest first.
    pub write: String,
    /// Number of ports of the fault log, and the signals on them.
    pub faults: usize,
    pub conflict: String,
    pub missing: String,
    pub unexpected: String,
    pub parity: String,
}

/// A signal with zeros above it.
fn padded(signal: &str, width: usize, to: usize) -> String {
    match to - width {
        0 => signal.to_owned(),
        more => format!("{{{more}'d0, {signal}}}"),
    }
}

/// Inputs before all others of a node to which no channel leads: one, which is idle.
fn idle_channels(shape: &Shape) -> u32 {
    u32::from(shape.channels == 0)
}

impl TileView {
    pub(super) fn new(class: usize, shape: &Shape, word_bits: u32, layout: Option<&Layout>) -> Self {
        let fields = Fields::new(shape);
        let shift = idle_channels(shape);
        let (inputs, outputs) = ((shape.inputs() + shift) as usize, shape.outputs().max(1) as usize);
        let sources = inputs + shape.banks.len();
        let mut matrix = vec![vec!["1'b0".to_owned(); sources]; outputs];
        let mut digits = vec![vec!['0'; sources]; outputs];
        for (at, crosspoint) in shape.crosspoints.iter().enumerate() {
            let (output, source) = (crosspoint.output as usize, (crosspoint.source + shift) as usize);
            matrix[output][source] = format!("select_q[{at}]");
            digits[output][source] = '1';
        }
        let matrix: Vec<String> = matrix
            .into_iter()
            .rev()
            .enumerate()
            .map(|(i, line)| {
                let comma = if i + 1 < outputs { "," } else { "" };
                line.into_iter().rev().collect::<Vec<_>>().join(", ") + comma
            })
            .collect();
        let crosspoints: String = digits.iter().rev().flat_map(|line| line.iter().rev()).collect();
        let faults = inputs.max(outputs);
        let writes: Vec<String> = (0..inputs as u32)
            .rev()
            .map(|input| {
                let fed =
                    (0..).zip(&shape.banks).filter(|(_, bank)| bank.feeder == Feeder::Input(input.wrapping_sub(shift)));
                let names: Vec<String> = fed.map(|(index, _): (u32, _)| format!("write_{index}_2q")).collect();
                if names.is_empty() { "1'b0".into() } else { names.join(" | ") }
            })
            .collect();
        let (units, operands) = shape.operators;
        let shown = shape.results.iter().rev().map(|bank| format!("words[{bank}*W+:W]"));
        let bits: String =
            (0..4).rev().map(|bit| if shape.kinds.iter().any(|kind| kind.bit() == bit) { '1' } else { '0' }).collect();
        Self {
            class,
            channels: shape.channels,
            ports: shape.ports,
            operators: units,
            operands,
            inputs,
            outputs,
            in_bits: shape.channels.max(1) * (1 + word_bits),
            out_bits: shape.ports.max(1) * (1 + word_bits),
            row_bits: fields.row_bits,
            place_bits: fields.place_bits,
            used: shape.crosspoints.len(),
            matrix_bits: outputs * sources,
            matrix,
            crosspoints,
            hosts: shape.hosts,
            load_bits: fields.load.width,
            result_at: fields.result[1].at,
            shown: shape.results.len(),
            shown_words: format!("{{{}}}", shown.collect::<Vec<_>>().join(", ")),
            banks: (0..).map(|index| bank(index, shape, &fields)).take(shape.banks.len()).collect(),
            units: (0..units).map(|index| unit(index, shape, &fields)).collect(),
            counters: layout.map(CountersView::new),
            kinds: bits,
            write: format!("{{{}}}", writes.join(", ")),
            faults,
            conflict: padded("conflict", outputs, faults),
            missing: padded("missing", inputs, faults),
            unexpected: padded("unexpected", inputs, faults),
            parity: padded("parity", inputs, faults),
        }
    }
}

fn bank(index: u32, shape: &Shape, fields: &Fields) -> BankView {
    let (bank, at) = (&shape.banks[index as usize], &fields.banks[index as usize]);
    let bits = at.read.width;
    let named = |name: String| if bits == 0 { "1'b0".to_owned() } else { name };
    let (write_enable, address, data) = match bank.feeder {
        Feeder::Host => (format!("load_q[{index}]"), format!("load_address_q[0+:{bits}]"), "load_word_q".to_owned()),
        Feeder::Input(input) => (
            format!("write_{index}_3q"),
            format!("address_{index}_3q"),
            format!("arriving[{}*CW+:W]", input + idle_channels(shape)),
        ),
    };
    BankView {
        index,
        depth: bank.depth,
        bits,
        read_at: at.read.at,
        shows: shape.results.contains(&index),
        forward: at.forward,
        write: at.write.map(|(enable, _)| enable),
        write_enable,
        write_address: named(address),
        data,
        forward_signal: at.forward.map_or("1'b0".into(), |_| format!("forward_{index}_q")),
        read_signal: named(format!("read_{index}_q")),
    }
}

fn unit(index: u32, shape: &Shape, fields: &Fields) -> UnitView {
    let kinds = shape.kinds.len();
    let kind = match kinds {
        0 | 1 => {
            let bit = shape.kinds.first().map_or(0, |kind| kind.bit());
            format!("4'd{}", 1 << bit)
        }
        _ => {
            let chosen = |bit: u32| match shape.kinds.iter().position(|kind| kind.bit() == bit) {
                Some(at) => format!("kind_{index}_4q[{at}]"),
                None => "1'b0".into(),
            };
            format!("{{{}}}", (0..4).rev().map(chosen).collect::<Vec<_>>().join(", "))
        }
    };
    UnitView {
        index,
        from: shape.ports + index * shape.operators.1,
        to: shape.channels.max(1) + index,
        kinds,
        kind_at: fields.kinds.get(index as usize).copied().unwrap_or(0),
        kind,
    }
}
