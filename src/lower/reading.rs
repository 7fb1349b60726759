//! Text of the bits of a register.

use std::ops::Range;

/// Bits of a value that have a name.
pub type Field = (&'static str, Range<u32>);

/// Value of a register, by its fields.
#[derive(Debug)]
pub struct Reading<'a> {
    pub(super) fields: Vec<Field>,
    /// Words of the register.
    pub(super) value: &'a [u64],
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
