//! Text of the bits of a register.

use super::fabric::Registers;
use super::layout::Point;
use std::fmt::Write as _;
use std::ops::Range;

/// Bits of a value that have a name.
pub type Field = (&'static str, Range<u32>);

/// Value of a register, by its fields.
#[derive(Debug)]
pub struct Reading<'a> {
    fields: Vec<Field>,
    value: &'a [u64],
}

impl Reading<'_> {
    /// True if the register has a field of this name.
    pub fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|(known, _)| *known == name)
    }

    /// True if a bit of a field is set.
    pub fn is_set(&self, name: &str) -> bool {
        !self.set(name).is_empty()
    }

    /// Bits of a field that are set, numbered from its lowest; none for a field that is not there.
    fn set(&self, name: &str) -> Vec<u32> {
        let is_set = |bit: &u32| self.value[*bit as usize / 64] >> (bit % 64) & 1 == 1;
        let of = |(_, bits): &Field| bits.clone().filter(is_set).map(|bit| bit - bits.start).collect();
        self.fields.iter().find(|(known, _)| *known == name).map(of).unwrap_or_default()
    }

    /// Number of a field's only bit that is set, after a sign: `γ=1`.
    pub fn one_hot(&self, sign: &str, name: &str) -> String {
        match self.set(name)[..] {
            [] => format!("no {sign}"),
            [bit] => format!("{sign}={bit}"),
            ref many => format!("{sign}={many:?}"),
        }
    }
}

/// Value of a point in hexadecimal.
pub fn hex(value: &[u64], bits: usize) -> String {
    let digits: String = value.iter().rev().map(|word| format!("{word:016x}")).collect();
    format!("0x{}", &digits[digits.len() - bits.div_ceil(4).min(digits.len())..])
}

/// Fields of a point's value, from the lowest bit on.
pub fn fields(registers: &dyn Registers, point: Point) -> Vec<Field> {
    let parity = registers.parity.then_some(("parity", 1));
    let mut at = 0;
    let place = |(name, bits)| {
        at += bits;
        (name, at - bits..at)
    };
    [("payload", registers.data_bits)].into_iter().chain(parity).chain(registers.header(point)).map(place).collect()
}

/// Fields of a point's value in words: `first hop, γ=1, π=2, payload 0x1f`.
pub fn told(registers: &dyn Registers, point: Point, value: &[u64]) -> String {
    if value.iter().all(|word| *word == 0) {
        return "idle".to_owned();
    }
    let reading = Reading { fields: fields(registers, point), value };
    let mut text = registers.told(point, &reading);
    let bits = registers.data_bits;
    let data = value[0] & (u64::MAX >> (64 - bits));
    // writing to a String does not fail
    let _ = write!(text, ", payload 0x{data:0width$x}", width = bits as usize / 4);
    if reading.has("parity") {
        let even = u32::from(reading.is_set("parity")) == data.count_ones() & 1;
        text.push_str(if even { ", parity right" } else { ", parity wrong" });
    }
    text
}
