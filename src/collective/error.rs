//! Errors of arrays: files, element types and shapes that a collective does not take.

use super::words::Dtype;
use std::io;
use std::path::PathBuf;

/// Error of an array that cannot be sent.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The file is not an .npy file.
    #[error("`{path}` is not an .npy file: {reason}")]
    NotNpy {
        /// Path of the file.
        path: PathBuf,
        /// Fault of the file, in words.
        reason: String,
    },
    /// The array's elements are no words.
    #[error("`{path}` holds {found} (dtype {descr}), and a packet carries an unsigned word{because}")]
    NotWords {
        /// Path of the file.
        path: PathBuf,
        /// Kind of the elements, in words.
        found: &'static str,
        /// The dtype as the file has it.
        descr: String,
        /// A consequence, with its punctuation, or nothing.
        because: &'static str,
        /// Remedy, in a sentence.
        help: &'static str,
    },
    /// The array's elements are no integers.
    #[error(
        "`{path}` holds elements of dtype {descr}, and products are of integers: sums of fractions would depend on their order"
    )]
    NotIntegers {
        /// Path of the file.
        path: PathBuf,
        /// The dtype as the file has it.
        descr: String,
    },
    /// An integer that an element cannot hold.
    #[error("`{path}` holds {value}, which is no {} integer of {bits} bits", if *signed { "signed" } else { "unsigned" })]
    OutOfRange {
        /// Path of the file.
        path: PathBuf,
        /// The first such integer.
        value: i128,
        /// Width of an element.
        bits: u32,
        /// True if elements are signed.
        signed: bool,
    },
    /// The array's words are wider than a packet's.
    #[error("`{path}` holds {dtype} words, and packets carry {payload_bits} bits")]
    TooWide {
        /// Path of the file.
        path: PathBuf,
        /// The array's element type.
        dtype: Dtype,
        /// The width of a packet.
        payload_bits: u32,
    },
    /// The array has another shape than the collective.
    #[error("`{path}` has shape {found}, and this collective needs {expected}: {meaning}")]
    Shape {
        /// Path of the file.
        path: PathBuf,
        /// Shape of the array.
        found: String,
        /// The shape of the collective.
        expected: String,
        /// Meaning of each axis of the expected shape.
        meaning: String,
    },
    /// The file ends before its array does, or goes on after it.
    #[error("`{path}` {reason}")]
    Length {
        /// Path of the file.
        path: PathBuf,
        /// Reason of the mismatch.
        reason: String,
    },
    /// The collective moves more data than can be held.
    #[error("a collective of {nodes} nodes, {words} words a message, {repeat} times moves more than 4 GiB of data")]
    TooLarge {
        /// Number of nodes.
        nodes: u32,
        /// Words a message.
        words: u32,
        /// Number of repetitions.
        repeat: u32,
    },
}

impl DataError {
    /// Remedy, in a sentence.
    pub fn help(&self) -> String {
        match self {
            DataError::Read { .. } => "check the file's name and that it may be read".into(),
            DataError::NotNpy { .. } => "write it with `numpy.save`".into(),
            DataError::NotWords { help, .. } => (*help).into(),
            DataError::NotIntegers { .. } => {
                "scale and round the array, and convert it with `.astype(numpy.int32)` or another width".into()
            }
            DataError::OutOfRange { signed: false, value, .. } if *value < 0 => {
                "set `signed = true` in `[collective]`".into()
            }
            DataError::OutOfRange { .. } => "set a larger `payload_bits` in `[router]`".into(),
            DataError::TooWide { dtype, .. } => {
                format!("set `payload_bits = {}` in `[router]`, or convert the array with `.astype`", dtype.bits())
            }
            DataError::Shape { .. } => "reshape the array, or change the sizes in `[collective]`".into(),
            DataError::Length { .. } => "write the file again with `numpy.save`".into(),
            DataError::TooLarge { .. } => "take a smaller network, or less of `words` and `repeat`".into(),
        }
    }
}
