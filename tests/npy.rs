//! The all-to-all's arrays as .npy files: what numpy writes is read, and what does not fit is refused with its reason.

use metronoc::collective::{AllToAll, Collective, DataError, Dtype, Words};
use std::path::Path;
use tempfile::TempDir;

/// An .npy file of version 1, as numpy lays it out.
fn npy(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
    let order = if fortran { "True" } else { "False" };
    let mut header = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}");
    header.push_str(&" ".repeat(63 - (header.len() + 10) % 64));
    header.push('\n');
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    [b"\x93NUMPY\x01\x00".as_slice(), &length, header.as_bytes(), data].concat()
}

fn read(traffic: AllToAll, payload_bits: u32, file: &[u8]) -> Result<Words, DataError> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.npy");
    std::fs::write(&path, file).unwrap();
    traffic.read(&path, payload_bits)
}

/// The error's message without the folder, and the help.
fn refusal(traffic: AllToAll, payload_bits: u32, file: &[u8]) -> (String, String) {
    let error = read(traffic, payload_bits, file).expect_err("the file does not fit");
    let message = error.to_string();
    let start = message.find("x.npy").unwrap();
    (message[start..].replacen("x.npy` ", "", 1), error.help())
}

const TWO: fn() -> AllToAll = || AllToAll::new(2, 1, 1);

#[test]
fn every_type_comes_back_as_it_went() {
    for dtype in [Dtype::Uint8, Dtype::Uint16, Dtype::Uint32, Dtype::Uint64] {
        for (nodes, words, repeat) in [(1, 1, 1), (5, 1, 1), (3, 4, 1), (3, 1, 2), (2, 3, 4)] {
            let traffic = AllToAll::new(nodes, words, repeat);
            let data = traffic.random(dtype, 5).unwrap();
            let back = read(traffic, dtype.bits(), &traffic.to_npy(&data)).unwrap();
            assert_eq!(back, data);
            assert_eq!(back.dtype(), dtype);
        }
    }
}

#[test]
fn byte_and_axis_orders_are_understood() {
    let bytes = |words: [u16; 4], to: fn(u16) -> [u8; 2]| words.map(to).concat();
    let words = |file: &[u8]| {
        let data = read(TWO(), 16, file).unwrap();
        [0, 1, 2, 3].map(|i| data.get(i))
    };
    let little = bytes([1, 2, 3, 0x405], u16::to_le_bytes);
    assert_eq!(words(&npy("'<u2'", false, "(2, 2)", &little)), [1, 2, 3, 0x405]);
    assert_eq!(words(&npy("'<u2'", true, "(2, 2)", &little)), [1, 3, 2, 0x405]);
    let big = bytes([1, 2, 3, 0x405], u16::to_be_bytes);
    assert_eq!(words(&npy("'>u2'", false, "(2, 2)", &big)), [1, 2, 3, 0x405]);
    let message_words = AllToAll::new(2, 3, 1);
    // In Fortran order the sender runs fastest: element [i][j][w] is at i + 2j + 4w.
    let fortran: Vec<u8> = (0..12).collect();
    let data = read(message_words, 8, &npy("'|u1'", true, "(2, 2, 3)", &fortran)).unwrap();
    assert_eq!(data.get(message_words.index(0, 1, 0, 2)), 1 + 8);
}

#[test]
fn narrow_words_travel_in_wide_packets_and_not_the_other_way() {
    assert!(read(TWO(), 64, &npy("'|u1'", false, "(2, 2)", &[1, 2, 3, 4])).is_ok());
    let (message, help) = refusal(TWO(), 8, &npy("'<u4'", false, "(2, 2)", &[0; 16]));
    assert_eq!(message, "holds uint32 words, and packets carry 8 bits");
    assert!(help.contains("payload_bits = 32"), "{help}");
}

#[test]
fn shapes_are_explained() {
    let cases = [
        (AllToAll::new(3, 1, 1), "has shape (2, 2), and this collective needs (3, 3): [sender][receiver]"),
        (AllToAll::new(2, 4, 1), "has shape (2, 2), and this collective needs (2, 2, 4): [sender][receiver][word]"),
        (
            AllToAll::new(2, 4, 3),
            "has shape (2, 2), and this collective needs (3, 2, 2, 4): [repetition][sender][receiver][word]",
        ),
    ];
    for (traffic, expected) in cases {
        assert_eq!(refusal(traffic, 8, &npy("'|u1'", false, "(2, 2)", &[0; 4])).0, expected);
    }
    assert!(refusal(TWO(), 8, &npy("'|u1'", false, "(4,)", &[0; 4])).0.starts_with("has shape (4,),"));
    assert!(refusal(TWO(), 8, &npy("'|u1'", false, "()", &[0; 1])).0.starts_with("has shape (),"));
}

#[test]
fn what_is_no_word_is_refused_with_a_way_out() {
    let cases = [
        ("'<f4'", "holds floating-point numbers (dtype <f4)", "x.view(numpy.uint32)"),
        ("'<f8'", "NaN and infinity cannot travel", "x.view(numpy.uint64)"),
        ("'<c8'", "holds floating-point numbers", "bits"),
        ("'<i4'", "holds signed integers (dtype <i4)", "view"),
        ("'|i1'", "holds signed integers", "view"),
        ("'|b1'", "holds truth values", "astype(numpy.uint8)"),
        ("'|O'", "holds pickled Python objects", "astype"),
        ("'<U3'", "holds no numbers", "astype"),
        ("[('a', '<u4')]", "holds no numbers", "astype"),
    ];
    for (descr, expected, way) in cases {
        let (message, help) = refusal(TWO(), 64, &npy(descr, false, "(2, 2)", &[0; 64]));
        assert!(message.contains(expected), "{message}");
        assert!(help.contains(way), "{help}");
    }
}

#[test]
fn damaged_files_are_told_apart() {
    let good = npy("'<u4'", false, "(2, 2)", &[7; 16]);
    assert!(read(TWO(), 32, &good).is_ok());
    let message = |file: &[u8]| refusal(TWO(), 32, file).0;
    assert_eq!(message(&good[..good.len() - 1]), "ends before its 4 uint32 words do");
    assert_eq!(message(&good[..128]), "ends before its 4 uint32 words do");
    assert_eq!(message(&[good.as_slice(), &[0; 3]].concat()), "goes on for 3 bytes after its 4 uint32 words");
    assert_eq!(message(&good[..60]), "is not an .npy file: it ends within its header");
    assert_eq!(message(b""), "is not an .npy file: it ends within its header");
    assert_eq!(message(b"PK\x03\x04 and more of a zip archive"), "is not an .npy file: it does not begin as one");
    let hostile = [
        npy("'<u4'", false, "(2, 2", &[7; 16]),
        npy("'<u4'", false, "(-2, 2)", &[7; 16]),
        npy("'<u4'", false, "2", &[7; 16]),
        npy(&"(".repeat(900), false, "(2, 2)", &[7; 16]),
    ];
    for file in hostile {
        assert_eq!(message(&file), "is not an .npy file: its header does not describe an array");
    }
    let huge = npy("'<u4'", false, "(4294967296, 4294967296)", &[7; 16]);
    assert!(message(&huge).starts_with("has shape (4294967296, 4294967296)"));
    // the header's shape fits, and its data would need gigabytes: no memory is taken for them
    let large = npy("'<u4'", false, "(20000, 20000)", &[7; 16]);
    assert_eq!(refusal(AllToAll::new(20000, 1, 1), 32, &large).0, "ends before its 400000000 uint32 words do");
    let long = [b"\x93NUMPY\x02\x00\xff\xff\xff\xff".as_slice(), &[b' '; 64]].concat();
    assert!(message(&long).contains("too long"));
    let version_9 = [b"\x93NUMPY\x09\x00".as_slice(), &good[8..]].concat();
    assert!(message(&version_9).contains("is not an .npy file"));
    let missing = TWO().read(Path::new("no/such.npy"), 32).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read `no/such.npy`"), "{missing}");
}

#[test]
fn brackets_that_nest_are_refused_at_once() {
    let begin = std::time::Instant::now();
    for bracket in ["[", "(", "{"] {
        let (message, _) = refusal(TWO(), 16, &npy(&bracket.repeat(60), false, "(2, 2)", &[0; 8]));
        assert_eq!(message, "is not an .npy file: its header does not describe an array");
    }
    assert!(begin.elapsed().as_secs() < 10);
}
