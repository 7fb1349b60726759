//! Rows of bits of any width, and their hexadecimal images.

/// A row of bits, lowest first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BitRow {
    width: u32,
    /// The bits, 64 a word; those above the width are 0.
    words: Box<[u64]>,
}

impl BitRow {
    /// A row of zeros.
    pub fn zero(width: usize) -> Self {
        Self { width: width as u32, words: vec![0; width.div_ceil(64)].into() }
    }

    /// Number of bits.
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// Writes the low `width` ≤ 32 bits of `value` at bit `at`.
    pub fn set(&mut self, at: usize, width: usize, value: u32) {
        assert!(width <= 32 && at + width <= self.width(), "bits {at} to {} of {}", at + width, self.width);
        let mask = (1_u64 << width) - 1;
        let (bits, shift) = (u64::from(value) & mask, at % 64);
        if width == 0 {
            return;
        }
        let word = &mut self.words[at / 64];
        *word = *word & !(mask << shift) | bits << shift;
        if shift + width > 64 {
            let word = &mut self.words[at / 64 + 1];
            *word = *word & !(mask >> (64 - shift)) | bits >> (64 - shift);
        }
    }

    /// Writes the low `width` ≤ 64 bits of a word at bit `at`.
    pub fn set_word(&mut self, at: usize, width: usize, word: u64) {
        self.set(at, width.min(32), word as u32);
        self.set(at + width.min(32), width.saturating_sub(32), (word >> 32) as u32);
    }

    /// Reads `width` ≤ 32 bits at bit `at`.
    pub fn get(&self, at: usize, width: usize) -> u32 {
        assert!(width <= 32 && at + width <= self.width(), "bits {at} to {} of {}", at + width, self.width);
        if width == 0 {
            return 0;
        }
        let shift = at % 64;
        let above = if shift + width > 64 { self.words[at / 64 + 1] << (64 - shift) } else { 0 };
        ((self.words[at / 64] >> shift | above) & ((1 << width) - 1)) as u32
    }

    /// The row as hexadecimal digits, highest first, as `$readmemh` wants it.
    pub fn to_hex(&self) -> String {
        let digit = |at: usize| char::from_digit((self.words[at / 16] >> (at % 16 * 4) & 0xf) as u32, 16);
        (0..self.width().div_ceil(4)).rev().filter_map(digit).collect()
    }

    /// Reads hexadecimal digits; `None` if they are not such or need more than `width` bits.
    pub fn from_hex(text: &str, width: usize) -> Option<Self> {
        let mut row = Self::zero(width);
        for (number, c) in text.chars().rev().filter(|&c| c != '_').enumerate() {
            let (digit, at) = (c.to_digit(16)?, number * 4);
            let fits = width.saturating_sub(at).min(4);
            if digit >> fits != 0 {
                return None;
            }
            row.set(at.min(width), fits, digit);
        }
        Some(row)
    }

    /// The row in pieces of `width` ≤ 64 bits, lowest first, as the host stream carries it.
    pub fn pieces(&self, width: usize) -> Vec<u64> {
        let piece = |at: usize| {
            let width = width.min(self.width() - at);
            let low = u64::from(self.get(at, width.min(32)));
            low | u64::from(self.get(at + width.min(32), width.saturating_sub(32))) << 32
        };
        (0..self.width()).step_by(width).map(piece).collect()
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

    /// Fields of every width at every place, across the words of the row.
    #[test]
    fn fields_do_not_touch_each_other() {
        for (at, width) in (0..130).flat_map(|at| (0..=32).map(move |width| (at, width))) {
            let mut row = BitRow::zero(170);
            row.set(at, width, u32::MAX);
            let ones: Vec<usize> = (0..170).filter(|&bit| row.get(bit, 1) == 1).collect();
            assert_eq!(ones, (at..at + width).collect::<Vec<_>>());
            assert_eq!(row.get(at, width), u32::MAX.checked_shr(32 - width as u32).unwrap_or(0));
            assert_eq!(BitRow::from_hex(&row.to_hex(), 170), Some(row.clone()));
            row.set(at, width, 0);
            assert_eq!(row, BitRow::zero(170));
        }
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
