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
pub struct Signal {
    /// Name of the scope.
    pub scope: String,
    /// Name within the scope.
    pub name: String,
    /// Width in bits.
    pub bits: u32,
}

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
    let mut steps = steps.into_iter().peekable();
    let info = FstInfo {
        start_time: steps.peek().map_or(0, |step| step.0),
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
