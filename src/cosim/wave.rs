//! Waveforms of a recording: VCD or FST, the same signals in both.

use crate::lower::Fabric;
use crate::model::{Layout, Point, PointKind};
use fst_writer::{FstFileType, FstHeaderWriter, FstInfo, FstScopeType, FstSignalType, FstVarDirection, FstVarType};
use std::io::{self, Cursor, Write};

/// The format of a waveform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// GTKWave's compact format.
    Fst,
    /// Value change dump, as text.
    Vcd,
}

impl Format {
    /// The ending of a file of this format.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Fst => "fst",
            Format::Vcd => "vcd",
        }
    }
}

/// Cycles that were recorded: what each shows.
#[derive(Debug)]
pub struct Recording {
    first: u64,
    signals: Vec<(&'static str, u32)>,
    cycles: Vec<(Vec<u64>, Vec<u64>)>,
}

/// A signal of a waveform: its scope and name, its bits, and where it is: a signal of the top, or words of a block.
struct Signal {
    scope: String,
    name: String,
    bits: u32,
    at: Source,
}

enum Source {
    Top(usize),
    Block(std::ops::Range<usize>),
}

impl Signal {
    /// The value in a cycle, highest bit first.
    fn value(&self, (block, top): &(Vec<u64>, Vec<u64>)) -> Vec<u8> {
        let words = match &self.at {
            Source::Top(index) => &top[*index..=*index],
            Source::Block(range) => &block[range.clone()],
        };
        (0..self.bits as usize)
            .rev()
            .map(|bit| if words[bit / 64] >> (bit % 64) & 1 == 1 { b'1' } else { b'0' })
            .collect()
    }
}

/// The scope and the name of a point's signal.
fn names(fabric: &Fabric, point: Point) -> (String, String) {
    let p = match fabric {
        Fabric::SwappedDragonfly(frame) => frame,
        Fabric::SlotTable(_) => return (format!("node_{}", point.tile.get()), format!("channel_{}", point.port)),
        Fabric::Pops(_) => {
            let tile = point.tile.get();
            return match point.kind {
                PointKind::Channel => (format!("group_{tile}"), format!("coupler_{tile}_{}", point.port)),
                PointKind::Receive => (format!("processor_{tile}"), "receive".to_owned()),
            };
        }
    };
    let at = p.address(point.tile.index());
    let port = match point.port.checked_sub(p.network.local_ports()) {
        None => format!("local_{}", point.port + 1),
        Some(gamma) => format!("global_{gamma}"),
    };
    let name = if point.kind == PointKind::Receive { format!("receive_{port}") } else { port };
    (format!("tile_{}_{}_{}", at.c, at.d, at.p), name)
}

impl Recording {
    pub(super) fn new(first: u64, signals: Vec<(&'static str, u32)>) -> Self {
        Self { first, signals, cycles: Vec::new() }
    }

    pub(super) fn push(&mut self, block: Vec<u64>, top: Vec<u64>) {
        self.cycles.push((block, top));
    }

    /// The cycles that were recorded.
    pub fn range(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.cycles.len() as u64
    }

    fn list(&self, fabric: &Fabric, layout: &Layout) -> Vec<Signal> {
        let top = self.signals.iter().enumerate().map(|(i, (name, bits))| Signal {
            scope: "mn_top".to_owned(),
            name: (*name).to_owned(),
            bits: *bits,
            at: Source::Top(i),
        });
        let mut points: Vec<_> = layout.points().collect();
        // a scope's signals side by side
        match fabric {
            Fabric::SwappedDragonfly(_) => points.sort_by_key(|point| (point.tile, point.kind, point.port)),
            Fabric::Pops(_) | Fabric::SlotTable(_) => points.sort_by_key(|point| (point.kind, point.tile, point.port)),
        }
        let points = points.into_iter().map(|point| {
            let (scope, name) = names(fabric, point);
            Signal { scope, name, bits: layout.bits(point) as u32, at: Source::Block(layout.range(point)) }
        });
        top.chain(points).collect()
    }

    /// Writes a waveform in which a cycle is 10 ns.
    ///
    /// # Errors
    /// If `out` cannot be written to.
    pub fn write(&self, out: &mut dyn Write, format: Format, fabric: &Fabric, layout: &Layout) -> io::Result<()> {
        let signals = self.list(fabric, layout);
        match format {
            Format::Vcd => self.write_vcd(out, &signals),
            // the format goes back to its beginning at the end, so it is made in memory
            Format::Fst => out.write_all(&self.fst(&signals).map_err(io::Error::other)?),
        }
    }

    /// The cycles' times and the signals that change in them.
    fn changes<'a>(&'a self, signals: &'a [Signal]) -> impl Iterator<Item = (u64, Vec<(usize, Vec<u8>)>)> + 'a {
        let mut last: Vec<Vec<u8>> = vec![Vec::new(); signals.len()];
        self.cycles.iter().zip(self.range()).map(move |(cycle, number)| {
            let mut changed = Vec::new();
            for (i, signal) in signals.iter().enumerate() {
                let value = signal.value(cycle);
                if value != last[i] {
                    last[i].clone_from(&value);
                    changed.push((i, value));
                }
            }
            (number * 10, changed)
        })
    }

    fn write_vcd(&self, out: &mut dyn Write, signals: &[Signal]) -> io::Result<()> {
        let mut writer = vcd::Writer::new(io::BufWriter::new(out));
        writer.timescale(1, vcd::TimescaleUnit::NS)?;
        let (mut scope, mut ids) = (None, Vec::new());
        for signal in signals {
            if scope != Some(&signal.scope) {
                if scope.is_some() {
                    writer.upscope()?;
                }
                writer.add_module(&signal.scope)?;
                scope = Some(&signal.scope);
            }
            ids.push(writer.add_wire(signal.bits, &signal.name)?);
        }
        writer.upscope()?;
        writer.enddefinitions()?;
        for (time, changes) in self.changes(signals) {
            writer.timestamp(time)?;
            for (i, value) in changes {
                let bits = value.iter().map(|bit| if *bit == b'1' { vcd::Value::V1 } else { vcd::Value::V0 });
                match &value[..] {
                    [bit] => writer.change_scalar(ids[i], *bit == b'1')?,
                    _ => writer.change_vector(ids[i], bits)?,
                }
            }
        }
        writer.flush()
    }

    fn fst(&self, signals: &[Signal]) -> fst_writer::Result<Vec<u8>> {
        let info = FstInfo {
            start_time: self.first * 10,
            timescale_exponent: -9,
            version: concat!("metronoc ", env!("CARGO_PKG_VERSION")).into(),
            date: String::new(),
            file_type: FstFileType::Verilog,
        };
        let mut header = FstHeaderWriter::new(Cursor::new(Vec::new()), &info)?;
        let (mut scope, mut ids) = (None, Vec::new());
        for signal in signals {
            if scope != Some(&signal.scope) {
                if scope.is_some() {
                    header.up_scope()?;
                }
                header.scope(&signal.scope, "", FstScopeType::Module)?;
                scope = Some(&signal.scope);
            }
            let kind = FstSignalType::bit_vec(signal.bits);
            ids.push(header.var(&signal.name, kind, FstVarType::Wire, FstVarDirection::Implicit, None)?);
        }
        header.up_scope()?;
        let mut body = header.finish()?;
        for (time, changes) in self.changes(signals) {
            body.time_change(time)?;
            for (i, value) in changes {
                body.signal_change(ids[i], &value)?;
            }
        }
        Ok(body.finish()?.into_inner())
    }
}
