//! .npy files of unsigned words.
//!
//! The header is looked at before the library reads the file, so that every way in which an array does not fit has its
//! own message, and so that no memory is taken for data that cannot be used.

use super::words::with_words;
use super::{DataError, Dtype, Words};
use ndarray::{ArrayD, ArrayViewD, IxDyn};
use ndarray_npy::{ReadNpyError, ReadNpyExt, ReadableElement, WritableElement, WriteNpyExt};
use py_literal::Value;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

/// The longest header that is looked at: far more than an array of numbers needs, and little enough that no nesting in
/// it goes deep.
const MAX_HEADER: u64 = 1024;

/// The shape of an array, and what its axes are, for so many networks with an array each: the first axis is that of the networks
/// if there are several.
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
    let (Header { bytes, descr, .. }, file) = open(path, shape, meaning)?;
    let dtype = dtype(path, &descr)?;
    let len = accept(dtype)?;
    let file = bytes.as_slice().chain(file);
    match dtype {
        Dtype::Uint8 => read_elements(file).map(Words::U8),
        Dtype::Uint16 => read_elements(file).map(Words::U16),
        Dtype::Uint32 => read_elements(file).map(Words::U32),
        Dtype::Uint64 => read_elements(file).map(Words::U64),
    }
    .map_err(|error| unread(path, error, format!("{len} {dtype} words")))
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
    let (Header { bytes, descr, .. }, file) = open(path, shape, meaning)?;
    let file = bytes.as_slice().chain(file);
    let widened = match descr.trim_start_matches(['<', '>', '|', '=']) {
        "u1" => widen::<u8>(file),
        "u2" => widen::<u16>(file),
        "u4" => widen::<u32>(file),
        "u8" => widen::<u64>(file),
        "i1" => widen::<i8>(file),
        "i2" => widen::<i16>(file),
        "i4" => widen::<i32>(file),
        "i8" => widen::<i64>(file),
        _ => return Err(DataError::NotIntegers { path: path.to_owned(), descr }),
    };
    let integers = widened.map_err(|error| unread(path, error, "integers".into()))?;
    let range = match signed {
        true => -(1_i128 << (bits - 1))..=(1_i128 << (bits - 1)) - 1,
        false => 0..=(1_i128 << bits) - 1,
    };
    match integers.iter().find(|integer| !range.contains(integer)) {
        Some(&value) => Err(DataError::OutOfRange { path: path.to_owned(), value, bits, signed }),
        None => Ok(integers.into_iter().map(|integer| integer as u64).collect()),
    }
}

/// Reads an array of integers of any shape into C order, and its shape; none may be negative.
pub(super) fn read_list(path: &Path) -> Result<(Vec<usize>, Vec<u64>), DataError> {
    let open = || File::open(path).map_err(|source| DataError::Read { path: path.to_owned(), source });
    let shape = Header::read(path, &mut BufReader::new(open()?))?.shape;
    let integers = read_integers(path, &shape, "", 64, false)?;
    Ok((shape, integers))
}

/// A file up to the end of its header, which must be of this shape, and what follows.
fn open(path: &Path, shape: &[usize], meaning: &str) -> Result<(Header, BufReader<File>), DataError> {
    let mut file =
        BufReader::new(File::open(path).map_err(|source| DataError::Read { path: path.to_owned(), source })?);
    let header = Header::read(path, &mut file)?;
    match header.shape == shape {
        true => Ok((header, file)),
        false => Err(DataError::Shape {
            path: path.to_owned(),
            found: python_tuple(&header.shape),
            expected: python_tuple(shape),
            meaning: meaning.to_owned(),
        }),
    }
}

/// Why the elements of a file, `what` by number and type, cannot be read.
fn unread(path: &Path, error: ReadNpyError, what: String) -> DataError {
    let path = path.to_owned();
    match error {
        ReadNpyError::Io(source) => DataError::Read { path, source },
        ReadNpyError::MissingData => DataError::Length { path, reason: format!("ends before its {what} do") },
        ReadNpyError::ExtraBytes(n) => {
            DataError::Length { path, reason: format!("goes on for {n} bytes after its {what}") }
        }
        other => DataError::NotNpy { path, reason: other.to_string() },
    }
}

fn widen<T: ReadableElement + Clone + Into<i128>>(file: impl Read) -> Result<Vec<i128>, ReadNpyError> {
    Ok(read_elements::<T>(file)?.into_iter().map(Into::into).collect())
}

/// Integers of 64 bits, signed or not, as an .npy file in C order.
pub(super) fn integers_to_bytes(shape: &[usize], integers: &[u64], signed: bool) -> Vec<u8> {
    match signed {
        true => write_elements(shape, &integers.iter().map(|&integer| integer as i64).collect::<Vec<_>>()),
        false => write_elements(shape, integers),
    }
}

/// What a header says about its array.
struct Header {
    /// The header as the file has it.
    bytes: Vec<u8>,
    /// The dtype: a string such as `<u4`, or for structured types a list.
    descr: String,
    shape: Vec<usize>,
}

impl Header {
    /// Reads a file up to the end of its header, and no more than a header may have.
    fn read(path: &Path, file: &mut impl Read) -> Result<Self, DataError> {
        let not_npy = |reason: &str| DataError::NotNpy { path: path.to_owned(), reason: reason.to_owned() };
        let end = |source: io::Error| match source.kind() {
            io::ErrorKind::UnexpectedEof => not_npy("it ends within its header"),
            _ => DataError::Read { path: path.to_owned(), source },
        };
        // Magic string, version, then the length of the rest in 2 bytes, or from version 2 on in 4.
        let mut bytes = vec![0; 10];
        file.read_exact(&mut bytes).map_err(end)?;
        if !bytes.starts_with(b"\x93NUMPY") {
            return Err(not_npy("it does not begin as one"));
        }
        let mut length = u64::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        if bytes[6] > 1 {
            bytes.resize(12, 0);
            file.read_exact(&mut bytes[10..]).map_err(end)?;
            length |= u64::from(u16::from_le_bytes([bytes[10], bytes[11]])) << 16;
        }
        if length > MAX_HEADER {
            return Err(not_npy("its header is too long for an array of words"));
        }
        let start = bytes.len();
        if file.take(length).read_to_end(&mut bytes).map_err(end)? as u64 != length {
            return Err(not_npy("it ends within its header"));
        }
        let text = String::from_utf8_lossy(&bytes[start..]).into_owned();
        let (descr, shape) = parse(text.trim_end()).ok_or_else(|| not_npy("its header does not describe an array"))?;
        Ok(Self { bytes, descr, shape })
    }
}

/// The dtype and the shape of a header's Python dictionary.
fn parse(header: &str) -> Option<(String, Vec<usize>)> {
    let Ok(Value::Dict(entries)) = header.parse::<Value>() else { return None };
    let get = |key: &str| entries.iter().find(|(k, _)| k.as_string().is_some_and(|k| k == key)).map(|(_, value)| value);
    let descr = get("descr")?;
    let descr = descr.as_string().cloned().unwrap_or_else(|| descr.to_string());
    let shape = get("shape")?.as_tuple()?.iter().map(|size| size.as_integer()?.try_into().ok());
    Some((descr, shape.collect::<Option<_>>()?))
}

/// The element type of a dtype string such as `<u4`.
fn dtype(path: &Path, descr: &str) -> Result<Dtype, DataError> {
    let kind = descr.trim_start_matches(['<', '>', '|', '=']);
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
