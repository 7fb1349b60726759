//! Waveform files: VCD or FST, the same signals and changes in both.

use fst_writer::{FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection, FstVarType};
use std::io::{self, BufWriter, Cursor, Write};

/// File format of a waveform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// GTKWave's compact format.
    Fst,
    /// Value change dump, as text.
    Vcd,
}

impl Format {
    /// Ending of a file of this format.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Fst => "fst",
            Format::Vcd => "vcd",
        }
    }
}

/// Signal of a waveform. Signals of one scope stand side by side.
#[derive(Debug, Clone)]
pub struct Signal {
    /// Name of the scope.
    pub scope: String,
    /// Name within the scope.
    pub name: String,
    /// Width in bits.
    pub bits: u32,
}

/// Ending of the file of a view.
pub const VIEW: &str = "gtkw";

/// Clock period, in ns.
const PERIOD: u64 = 10;

/// Groups of a view that are open at first.
const OPEN_GROUPS: usize = 8;

/// New value of a signal, by its index: a byte `0`, `1` or `x` a bit, highest bit first.
pub type Change = (usize, Vec<u8>);

/// Writes a waveform; `steps` are times in ns, ascending, with the signals that change then.
///
/// # Errors
/// If `out` cannot be written to.
pub fn write(
    out: &mut dyn Write,
    format: Format,
    signals: &[Signal],
    steps: impl IntoIterator<Item = (u64, Vec<Change>)>,
) -> io::Result<()> {
    match format {
        Format::Vcd => write_vcd(out, signals, steps),
        // the format goes back to its beginning at the end, so it is made in memory
        Format::Fst => out.write_all(&fst(signals, steps).map_err(io::Error::other)?),
    }
}

/// Signals of time, before all others: a clock, and a counter of cycles of so many bits.
pub fn clock(bits: u32) -> [Signal; 2] {
    [("clock", 1), ("cycle", bits)].map(|(name, bits)| Signal { scope: "simulation".into(), name: name.into(), bits })
}

/// Steps of a cycle of 10 ns: the rising edge of the clock with the changes of the cycle, then the falling one.
pub fn cycle(count: u64, bits: u32, mut changes: Vec<Change>) -> [(u64, Vec<Change>); 2] {
    changes.extend([(0, number(1, 1)), (1, number(count, bits))]);
    let time = count * PERIOD;
    [(time, changes), (time + PERIOD / 2, vec![(0, number(0, 1))])]
}

/// Bits of a number, highest first.
pub fn number(value: u64, bits: u32) -> Vec<u8> {
    (0..bits).rev().map(|bit| if value.checked_shr(bit).unwrap_or(0) & 1 == 1 { b'1' } else { b'0' }).collect()
}

/// View of a waveform in `file`, as GTKWave saves one: all signals, in a group for each scope.
pub fn view(file: &str, signals: impl IntoIterator<Item = Signal>) -> String {
    let mut text = format!("[dumpfile] \"{file}\"\n[timestart] 0\n");
    let signals: Vec<Signal> = signals.into_iter().collect();
    for (index, scope) in signals.chunk_by(|a, b| a.scope == b.scope).enumerate() {
        // the first groups are open
        let (begin, end) = if index < OPEN_GROUPS { ("@800200", "@1000200") } else { ("@c00200", "@1401200") };
        text += &format!("{begin}\n-{}\n", scope[0].scope);
        for signal in scope {
            let (form, range) = match signal.bits {
                1 => ("@28", String::new()),
                bits => ("@22", format!("[{}:0]", bits - 1)),
            };
            let form = if signal.name == "cycle" { "@24" } else { form };
            text += &format!("{form}\n{}.{}{range}\n", signal.scope, signal.name);
        }
        text += &format!("{end}\n-{}\n", scope[0].scope);
    }
    text
}

fn write_vcd(
    out: &mut dyn Write,
    signals: &[Signal],
    steps: impl IntoIterator<Item = (u64, Vec<Change>)>,
) -> io::Result<()> {
    let mut writer = vcd::Writer::new(BufWriter::new(out));
    writer.timescale(1, vcd::TimescaleUnit::NS)?;
    let mut ids = Vec::new();
    for scope in signals.chunk_by(|a, b| a.scope == b.scope) {
        writer.add_module(&scope[0].scope)?;
        for signal in scope {
            ids.push(writer.add_wire(signal.bits, &signal.name)?);
        }
        writer.upscope()?;
    }
    writer.enddefinitions()?;
    let bit = |bit: &u8| match bit {
        b'0' => vcd::Value::V0,
        b'1' => vcd::Value::V1,
        _ => vcd::Value::X,
    };
    for (time, changes) in steps {
        writer.timestamp(time)?;
        for (signal, value) in changes {
            match &value[..] {
                [one] => writer.change_scalar(ids[signal], bit(one))?,
                _ => writer.change_vector(ids[signal], value.iter().map(bit))?,
            }
        }
    }
    writer.flush()
}

fn fst(signals: &[Signal], steps: impl IntoIterator<Item = (u64, Vec<Change>)>) -> fst_writer::Result<Vec<u8>> {
    let info = FstInfo {
        // the crate writes it as the time that viewers add to all times
        start_time: 0,
        timescale_exponent: -9,
        version: concat!("metronoc ", env!("CARGO_PKG_VERSION")).into(),
        date: String::new(),
        file_type: FstFileType::Verilog,
    };
    let mut header = FstHeaderWriter::new(Cursor::new(Vec::new()), &info)?;
    let mut ids = Vec::new();
    for scope in signals.chunk_by(|a, b| a.scope == b.scope) {
        header.scope(&scope[0].scope, "", FstScopeType::Module)?;
        for signal in scope {
            let kind = FstSignalType::bit_vec(signal.bits);
            ids.push(header.var(&signal.name, kind, FstVarType::Wire, FstVarDirection::Implicit, None)?);
        }
        header.up_scope()?;
    }
    let mut body = header.finish()?;
    for (time, changes) in steps {
        body.time_change(time)?;
        for (signal, value) in changes {
            body.signal_change(ids[signal], &value)?;
        }
    }
    Ok(body.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signals() -> Vec<Signal> {
        let signal = |scope: &str, name: &str, bits| Signal { scope: scope.into(), name: name.into(), bits };
        vec![signal("simulation", "clock", 1), signal("simulation", "cycle", 8), signal("tile_0", "local_1", 4)]
    }

    /// Viewers add the time zero, the last 8 bytes of the header, to all times.
    #[test]
    fn times_of_fst_files_are_absolute() {
        let mut file = Vec::new();
        let steps = [(3900, vec![(0, b"1".to_vec())]), (3905, vec![(0, b"0".to_vec())])];
        write(&mut file, Format::Fst, &signals(), steps).unwrap();
        let length = usize::try_from(u64::from_be_bytes(file[1..9].try_into().unwrap())).unwrap();
        assert_eq!(file[1 + length - 8..1 + length], [0; 8]);
        assert_eq!(u64::from_be_bytes(file[17..25].try_into().unwrap()), 3905, "the last time");
    }

    #[test]
    fn a_view_has_each_signal_in_the_group_of_its_scope() {
        let lines = [
            "[dumpfile] \"a.fst\"",
            "[timestart] 0",
            "@800200",
            "-simulation",
            "@28",
            "simulation.clock",
            "@24",
            "simulation.cycle[7:0]",
            "@1000200",
            "-simulation",
            "@800200",
            "-tile_0",
            "@22",
            "tile_0.local_1[3:0]",
            "@1000200",
            "-tile_0",
        ];
        assert_eq!(view("a.fst", signals()).lines().collect::<Vec<_>>(), lines);
    }
}
