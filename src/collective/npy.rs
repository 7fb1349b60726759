//! .npy files of unsigned words.
//!
//! The header is checked before the library reads the file. So every kind of mismatch has its own message, and no
//! memory is allocated for data that cannot be used.

use super::words::with_words;
use super::{DataError, Dtype, Words};
use crate::input::{self, excerpt};
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use ndarray_npy::{ReadNpyError, ReadNpyExt, ReadableElement, WritableElement, WriteNpyExt};
use py_literal::Value;
use std::cmp::Ordering;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::Path;

/// The longest header that is looked at: far more than an array of numbers needs, and little enough that no nesting in
/// it goes deep.
const MAX_HEADER: u64 = 1024;
/// Most brackets of a header that are open at once; fields with shapes have four. Each makes the parser take up to four times as long.
const MAX_NESTED: i32 = 6;

/// Most bytes of data from a pipe, whose length is not known before they are in memory.
const MAX_PIPED: u64 = 256 << 20;

/// Characters before the type in a dtype string.
const BYTE_ORDERS: [char; 4] = ['<', '>', '|', '='];

/// Shape of an array and names of its axes for a number of networks with an array each: the first axis is that of the networks if
/// there are several.
pub(super) fn in_networks(networks: u32, mut shape: Vec<usize>, meaning: &str) -> (Vec<usize>, String) {
    if networks == 1 {
        return (shape, meaning.to_owned());
    }
    shape.insert(0, networks as usize);
    (shape, format!("[network]{meaning}"))
}

/// Reads an array of `shape` into C order. `accept` sees the element type before the data are read, may refuse it, and
/// gives the number of elements.
pub(super) fn read(
    path: &Path,
    shape: &[usize],
    meaning: &str,
    accept: impl FnOnce(Dtype) -> Result<usize, DataError>,
) -> Result<Words, DataError> {
    let file = NpyFile::open(path)?.shaped(shape, meaning)?;
    let dtype = dtype(path, &file.descr)?;
    let len = accept(dtype)?;
    let file = file.data(dtype.bits() / 8, &format!("{len} {dtype} words"))?;
    match dtype {
        Dtype::Uint8 => read_elements(file).map(Words::U8),
        Dtype::Uint16 => read_elements(file).map(Words::U16),
        Dtype::Uint32 => read_elements(file).map(Words::U32),
        Dtype::Uint64 => read_elements(file).map(Words::U64),
    }
    .map_err(|error| unread(path, error))
}

/// Reads an array of `shape` of integers, signed or not, into C order, each sign-extended to 64 bits; every one must be an
/// integer of `bits`, signed or not.
pub(super) fn read_integers(
    path: &Path,
    shape: &[usize],
    meaning: &str,
    bits: u32,
    signed: bool,
) -> Result<Vec<u64>, DataError> {
    NpyFile::open(path)?.shaped(shape, meaning)?.integers(bits, signed)
}

/// Reads an array of at most `most` integers of any shape into C order, and its shape; none may be negative.
pub(super) fn read_list(path: &Path, most: u64) -> Result<(Vec<usize>, Vec<u64>), DataError> {
    let file = NpyFile::open(path)?;
    if file.elements().is_none_or(|elements| elements > most) {
        let reason = format!("has shape {}, and at most {most} integers are read", python_tuple(&file.shape));
        return Err(DataError::Length { path: path.to_owned(), reason });
    }
    Ok((file.shape.clone(), file.integers(64, false)?))
}

/// An error of the library's that the look at the header has not excluded.
fn unread(path: &Path, error: ReadNpyError) -> DataError {
    let path = path.to_owned();
    match error {
        ReadNpyError::Io(source) => DataError::Read { path, source },
        other => DataError::NotNpy { path, reason: other.to_string() },
    }
}

/// Integers of 64 bits, signed or not, as an .npy file in C order.
pub(super) fn integers_to_bytes(shape: &[usize], integers: &[u64], signed: bool) -> Vec<u8> {
    match signed {
        true => write_elements(shape, &integers.iter().map(|&integer| integer as i64).collect::<Vec<_>>()),
        false => write_elements(shape, integers),
    }
}

/// A file whose header has been read.
struct NpyFile<'a> {
    path: &'a Path,
    file: File,
    /// The header as the file has it.
    header: Vec<u8>,
    /// The dtype: a string such as `<u4`, or for structured types a list.
    descr: String,
    shape: Vec<usize>,
}

impl<'a> NpyFile<'a> {
    /// The file if its array is of this shape.
    fn shaped(self, shape: &[usize], meaning: &str) -> Result<Self, DataError> {
        match self.shape == shape {
            true => Ok(self),
            false => Err(DataError::Shape {
                path: self.path.to_owned(),
                found: python_tuple(&self.shape),
                expected: python_tuple(shape),
                meaning: meaning.to_owned(),
            }),
        }
    }

    /// Number of elements; None from 2^64 on.
    fn elements(&self) -> Option<u64> {
        self.shape.iter().try_fold(1_u64, |product, &size| product.checked_mul(size as u64))
    }

    /// Header and data of a file with the length of an array of elements of `bytes` bytes; `what` names number and type
    /// for messages. Memory for the array is allocated only after this check.
    fn data(self, bytes: u32, what: &str) -> Result<impl Read + use<>, DataError> {
        let path = self.path.to_owned();
        let needed = self.elements().and_then(|elements| elements.checked_mul(bytes.into())).unwrap_or(u64::MAX);
        let (file, found) = rest(self.file, self.header.len() as u64)
            .map_err(|source| DataError::Read { path: path.clone(), source })?;
        let reason = match found.cmp(&needed) {
            Ordering::Equal => return Ok(io::Cursor::new(self.header).chain(file)),
            Ordering::Less => format!("ends before its {what} do"),
            Ordering::Greater => format!("goes on for {} bytes after its {what}", found - needed),
        };
        Err(DataError::Length { path, reason })
    }

    /// The array as integers of `bits`, each sign-extended to 64 bits, in C order.
    fn integers(self, bits: u32, signed: bool) -> Result<Vec<u64>, DataError> {
        let range = match signed {
            true => -(1_i128 << (bits - 1))..=(1_i128 << (bits - 1)) - 1,
            false => 0..=(1_i128 << bits) - 1,
        };
        match self.descr.trim_start_matches(BYTE_ORDERS) {
            "u1" => self.within::<u8>(range, bits, signed),
            "u2" => self.within::<u16>(range, bits, signed),
            "u4" => self.within::<u32>(range, bits, signed),
            "u8" => self.within::<u64>(range, bits, signed),
            "i1" => self.within::<i8>(range, bits, signed),
            "i2" => self.within::<i16>(range, bits, signed),
            "i4" => self.within::<i32>(range, bits, signed),
            "i8" => self.within::<i64>(range, bits, signed),
            _ => Err(DataError::NotIntegers { path: self.path.to_owned(), descr: self.descr }),
        }
    }

    fn within<T>(self, range: RangeInclusive<i128>, bits: u32, signed: bool) -> Result<Vec<u64>, DataError>
    where
        T: ReadableElement + Clone + Into<i128>,
    {
        let path = self.path;
        let what = format!("{} integers", self.elements().unwrap_or(u64::MAX));
        let elements = read_elements::<T>(self.data(size_of::<T>() as u32, &what)?);
        let checked = elements.map_err(|error| unread(path, error))?.into_iter().map(|element| match element.into() {
            value if range.contains(&value) => Ok(value as u64),
            value => Err(DataError::OutOfRange { path: path.to_owned(), value, bits, signed }),
        });
        checked.collect()
    }

    /// Reads a file up to the end of its header, at most as many bytes as a header may have.
    fn open(path: &'a Path) -> Result<Self, DataError> {
        let mut file = input::open(path).map_err(|source| DataError::Read { path: path.to_owned(), source })?;
        let not_npy = |reason: &str| DataError::NotNpy { path: path.to_owned(), reason: reason.to_owned() };
        let end = |source: io::Error| match source.kind() {
            io::ErrorKind::UnexpectedEof => not_npy("it ends within its header"),
            _ => DataError::Read { path: path.to_owned(), source },
        };
        // Magic string, version, then the length of the rest in 2 bytes, or from version 2 on in 4.
        let mut header = vec![0; 10];
        file.read_exact(&mut header).map_err(end)?;
        if !header.starts_with(b"\x93NUMPY") {
            return Err(not_npy("it does not begin as one"));
        }
        let mut length = u64::from(u16::from_le_bytes([header[8], header[9]]));
        if header[6] > 1 {
            header.resize(12, 0);
            file.read_exact(&mut header[10..]).map_err(end)?;
            length |= u64::from(u16::from_le_bytes([header[10], header[11]])) << 16;
        }
        if length > MAX_HEADER {
            return Err(not_npy("its header is too long for an array of words"));
        }
        let start = header.len();
        if (&mut file).take(length).read_to_end(&mut header).map_err(end)? as u64 != length {
            return Err(not_npy("it ends within its header"));
        }
        let text = String::from_utf8_lossy(&header[start..]).into_owned();
        let (descr, shape) = parse(text.trim_end()).ok_or_else(|| not_npy("its header does not describe an array"))?;
        Ok(Self { path, file, header, descr, shape })
    }
}

/// Remaining bytes of a file after its first `read` bytes, and its length. A pipe is read to its end, since its length
/// is not known before.
fn rest(file: File, read: u64) -> io::Result<(Box<dyn Read>, u64)> {
    let metadata = file.metadata()?;
    if metadata.is_file() {
        return Ok((Box::new(BufReader::new(file)), metadata.len().saturating_sub(read)));
    }
    let data = input::read_open(file, MAX_PIPED)?;
    let length = data.len() as u64;
    Ok((Box::new(io::Cursor::new(data)), length))
}

/// True if no more brackets are open at once than a header of numpy's has.
fn is_flat(header: &str) -> bool {
    let mut open = 0;
    header.bytes().all(|byte| {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open -= 1,
            _ => {}
        }
        open <= MAX_NESTED
    })
}

/// The dtype and the shape of a header's Python dictionary.
fn parse(header: &str) -> Option<(String, Vec<usize>)> {
    if !is_flat(header) {
        return None;
    }
    let Ok(Value::Dict(entries)) = header.parse::<Value>() else { return None };
    let get = |key: &str| entries.iter().find(|(k, _)| k.as_string().is_some_and(|k| k == key)).map(|(_, value)| value);
    let descr = get("descr")?;
    let descr = descr.as_string().cloned().unwrap_or_else(|| descr.to_string());
    let shape = get("shape")?.as_tuple()?.iter().map(|size| size.as_integer()?.try_into().ok());
    Some((excerpt(&descr), shape.collect::<Option<_>>()?))
}

/// The element type of a dtype string such as `<u4`.
fn dtype(path: &Path, descr: &str) -> Result<Dtype, DataError> {
    let kind = descr.trim_start_matches(BYTE_ORDERS);
    let (found, because, help) = match kind {
        "u1" => return Ok(Dtype::Uint8),
        "u2" => return Ok(Dtype::Uint16),
        "u4" => return Ok(Dtype::Uint32),
        "u8" => return Ok(Dtype::Uint64),
        "b1" => ("truth values", "", "convert the array with `.astype(numpy.uint8)`"),
        _ => match kind.chars().next() {
            Some('f' | 'c') => (
                "floating-point numbers",
                ": NaN and infinity cannot travel as numbers",
                "send their bits: `x.view(numpy.uint32)` for float32, `x.view(numpy.uint64)` for float64",
            ),
            Some('i') => (
                "signed integers",
                "",
                "send their bits: `x.view(numpy.uint32)` for int32, and likewise for other widths",
            ),
            Some('O') => ("pickled Python objects", "", "convert the array with `.astype(numpy.uint32)`"),
            _ => ("no numbers", "", "convert the array with `.astype(numpy.uint32)`"),
        },
    };
    Err(DataError::NotWords { path: path.to_owned(), found, descr: descr.to_owned(), because, help })
}

/// Reads a whole file into C order.
fn read_elements<T: ReadableElement + Clone>(file: impl Read) -> Result<Vec<T>, ReadNpyError> {
    let array = ArrayD::<T>::read_npy(file)?;
    if array.is_standard_layout() {
        return Ok(array.into_raw_vec_and_offset().0);
    }
    Ok(array.as_standard_layout().into_owned().into_raw_vec_and_offset().0)
}

fn python_tuple(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        shape => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// An array of `shape` in C order as an .npy file.
pub(super) fn to_bytes(shape: &[usize], words: &Words) -> Vec<u8> {
    with_words!(words, v => write_elements(shape, v))
}

fn write_elements<T: WritableElement>(shape: &[usize], elements: &[T]) -> Vec<u8> {
    let mut file = Vec::with_capacity(size_of_val(elements) + 128);
    let view = ArrayViewD::from_shape(IxDyn(shape), elements).expect("the shape is the elements'"); // Data keeps it so
    view.write_npy(&mut file).expect("writing to memory does not fail"); // and the header is short
    file
}
