//! Words of one of four widths, kept at that width.

use serde::Serialize;
use std::fmt;

/// The element type of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dtype {
    /// 8 bits.
    Uint8,
    /// 16 bits.
    Uint16,
    /// 32 bits.
    Uint32,
    /// 64 bits.
    Uint64,
}

impl Dtype {
    /// Width in bits.
    pub const fn bits(self) -> u32 {
        match self {
            Dtype::Uint8 => 8,
            Dtype::Uint16 => 16,
            Dtype::Uint32 => 32,
            Dtype::Uint64 => 64,
        }
    }

    /// The type that fills a packet of `payload_bits`; None if that is no width of a type.
    pub const fn filling(payload_bits: u32) -> Option<Self> {
        match payload_bits {
            8 => Some(Dtype::Uint8),
            16 => Some(Dtype::Uint16),
            32 => Some(Dtype::Uint32),
            64 => Some(Dtype::Uint64),
            _ => None,
        }
    }
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "uint{}", self.bits())
    }
}

/// Words of one width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Words {
    /// Words of 8 bits.
    U8(Vec<u8>),
    /// Words of 16 bits.
    U16(Vec<u16>),
    /// Words of 32 bits.
    U32(Vec<u32>),
    /// Words of 64 bits.
    U64(Vec<u64>),
}

/// Applies one expression to the vector of any width: `with_words!(words, v => expression)`. With `map`, the result is
/// put into the same variant: `with_words!(words, v => map expression)`.
macro_rules! with_words {
    ($words:expr, $v:ident => map $body:expr) => {
        match $words {
            Words::U8($v) => Words::U8($body),
            Words::U16($v) => Words::U16($body),
            Words::U32($v) => Words::U32($body),
            Words::U64($v) => Words::U64($body),
        }
    };
    ($words:expr, $v:ident => $body:expr) => {
        match $words {
            Words::U8($v) => $body,
            Words::U16($v) => $body,
            Words::U32($v) => $body,
            Words::U64($v) => $body,
        }
    };
}
pub(super) use with_words;

impl Words {
    /// Words made one by one; bits above the type's width are dropped.
    pub fn from_fn(dtype: Dtype, len: usize, word: impl Fn(usize) -> u64) -> Self {
        match dtype {
            Dtype::Uint8 => Words::U8((0..len).map(|i| word(i) as u8).collect()),
            Dtype::Uint16 => Words::U16((0..len).map(|i| word(i) as u16).collect()),
            Dtype::Uint32 => Words::U32((0..len).map(|i| word(i) as u32).collect()),
            Dtype::Uint64 => Words::U64((0..len).map(word).collect()),
        }
    }

    /// The words in `count` parts of one length.
    pub fn parts(&self, count: usize) -> Vec<Self> {
        let len = self.len() / count.max(1);
        (0..count).map(|part| Self::from_fn(self.dtype(), len, |i| self.get(part * len + i))).collect()
    }

    /// All words, widened.
    pub fn to_vec(&self) -> Vec<u64> {
        (0..self.len()).map(|i| self.get(i)).collect()
    }

    /// The element type.
    pub fn dtype(&self) -> Dtype {
        match self {
            Words::U8(_) => Dtype::Uint8,
            Words::U16(_) => Dtype::Uint16,
            Words::U32(_) => Dtype::Uint32,
            Words::U64(_) => Dtype::Uint64,
        }
    }

    /// Number of words.
    pub fn len(&self) -> usize {
        with_words!(self, v => v.len())
    }

    /// True if there are no words.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One word, widened.
    ///
    /// # Panics
    /// If there is no word `index`.
    pub fn get(&self, index: usize) -> u64 {
        match self {
            Words::U8(v) => v[index].into(),
            Words::U16(v) => v[index].into(),
            Words::U32(v) => v[index].into(),
            Words::U64(v) => v[index],
        }
    }
}
