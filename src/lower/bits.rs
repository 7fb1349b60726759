//! Rows of bits of any width, and their hexadecimal images.

/// A row of bits, lowest first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BitRow(Vec<bool>);

impl BitRow {
    /// A row of zeros.
    pub fn zero(width: usize) -> Self {
        Self(vec![false; width])
    }

    /// Number of bits.
    pub fn width(&self) -> usize {
        self.0.len()
    }

    /// Writes the low `width` bits of `value` at bit `at`.
    pub fn set(&mut self, at: usize, width: usize, value: u32) {
        for i in 0..width {
            self.0[at + i] = value >> i & 1 == 1;
        }
    }

    /// Writes the low `width` ≤ 64 bits of a word at bit `at`.
    pub fn set_word(&mut self, at: usize, width: usize, word: u64) {
        self.set(at, width.min(32), word as u32);
        self.set(at + width.min(32), width.saturating_sub(32), (word >> 32) as u32);
    }

    /// Reads `width` ≤ 32 bits at bit `at`.
    pub fn get(&self, at: usize, width: usize) -> u32 {
        (0..width).fold(0, |value, i| value | u32::from(self.0[at + i]) << i)
    }

    /// The row as hexadecimal digits, highest first, as `$readmemh` wants it.
    pub fn to_hex(&self) -> String {
        let digit = |nibble: &[bool]| nibble.iter().rev().fold(0, |d, &bit| d << 1 | u32::from(bit));
        self.0.chunks(4).rev().filter_map(|n| char::from_digit(digit(n), 16)).collect()
    }

    /// Reads hexadecimal digits; `None` if they are not such or need more than `width` bits.
    pub fn from_hex(text: &str, width: usize) -> Option<Self> {
        let mut bits = Vec::with_capacity(text.len() * 4);
        for c in text.chars().rev().filter(|&c| c != '_') {
            let digit = c.to_digit(16)?;
            bits.extend((0..4).map(|i| digit >> i & 1 == 1));
        }
        if bits.iter().skip(width).any(|&bit| bit) {
            return None;
        }
        bits.resize(width, false);
        Some(Self(bits))
    }

    /// The row in pieces of `width` ≤ 64 bits, lowest first, as the host stream carries it.
    pub fn pieces(&self, width: usize) -> Vec<u64> {
        self.0.chunks(width).map(|c| c.iter().rev().fold(0, |v, &bit| v << 1 | u64::from(bit))).collect()
    }
}

/// ⌈log2 n⌉, at least 1: the width of a field that counts to n - 1.
pub(crate) fn field(n: u32) -> u32 {
    (u32::BITS - n.saturating_sub(1).leading_zeros()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_digits_round_trip() {
        let mut row = BitRow::zero(11);
        row.set(0, 4, 0xd);
        row.set(4, 6, 0x2a);
        row.set(10, 1, 1);
        assert_eq!(row.to_hex(), "6ad");
        assert_eq!(BitRow::from_hex("6ad", 11), Some(row.clone()));
        assert_eq!((row.get(0, 4), row.get(4, 6), row.get(10, 1)), (0xd, 0x2a, 1));
        assert_eq!(row.pieces(8), [0xad, 0x6]);
    }

    #[test]
    fn a_word_has_up_to_64_bits() {
        let mut row = BitRow::zero(68);
        row.set_word(4, 40, u64::MAX);
        assert_eq!(row.pieces(64), [((1 << 40) - 1) << 4, 0]);
        row.set_word(0, 5, 0);
        row.set_word(4, 64, 0xfedc_ba98_7654_3210);
        assert_eq!(row.to_hex(), "fedcba98765432100");
    }

    #[test]
    fn what_is_not_a_row_of_the_width_is_refused() {
        assert_eq!(BitRow::from_hex("fff", 11), None);
        assert_eq!(BitRow::from_hex("xyz", 11), None);
        assert_eq!(BitRow::from_hex("0007ff", 11).map(|r| r.width()), Some(11));
    }

    #[test]
    fn a_field_holds_its_largest_number() {
        let widths: Vec<u32> = [1, 2, 3, 4, 5, 8, 9].map(field).into();
        assert_eq!(widths, [1, 1, 2, 2, 3, 3, 4]);
    }
}
