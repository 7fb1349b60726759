//! A deterministic mutator of files: by bytes, by tokens and by lines, from the files of a corpus.

/// Numbers that are at the edge of something.
const EDGES: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "3",
    "7",
    "64",
    "127",
    "255",
    "256",
    "1000",
    "4096",
    "65535",
    "65536",
    "65537",
    "1048576",
    "1048577",
    "16777216",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "0.5",
    "-0",
    "1e9",
    "null",
    "[]",
    "{}",
    "\"\"",
    "true",
];
/// Brackets that may nest without end.
const OPEN: &[&str] = &["(", "[", "{", "[[", "<a>", "{\"a\":", "a.", "\"", "#", "\n"];

/// A sequence of pseudo-random numbers (SplitMix64).
pub struct Numbers(pub u64);

impl Numbers {
    /// A number below `below`, or 0.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) % below.max(1) as u64) as usize
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }
}

/// Places of the tokens of a file: runs of letters and digits, and single other characters.
fn tokens(data: &[u8]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 128 || b"_-.".contains(&byte);
    for (at, &byte) in data.iter().enumerate().filter(|(_, byte)| !byte.is_ascii_whitespace()) {
        match found.last_mut() {
            Some((start, end)) if *end == at && word(byte) && word(data[*start]) => *end = at + 1,
            _ => found.push((at, at + 1)),
        }
    }
    found
}

/// A mutant of one file of the corpus, with parts of others.
pub fn mutant(corpus: &[Vec<u8>], numbers: &mut Numbers) -> Vec<u8> {
    let mut data = numbers.of(corpus).clone();
    for _ in 0..1 + numbers.below(4) {
        mutate(&mut data, corpus, numbers);
    }
    // the header of an array says how long it is
    if data.starts_with(b"\x93NUMPY") && data.len() > 10 && numbers.below(4) > 0 {
        let end = data.iter().skip(10).position(|&byte| byte == b'\n').unwrap_or(data.len() - 11) + 1;
        data[8..10].copy_from_slice(&(end as u16).to_le_bytes());
    }
    data
}

fn mutate(data: &mut Vec<u8>, corpus: &[Vec<u8>], numbers: &mut Numbers) {
    let kind = numbers.below(12);
    let at = numbers.below(data.len() + 1);
    let found = if (4..8).contains(&kind) { tokens(data) } else { Vec::new() };
    if (4..8).contains(&kind) && found.is_empty() {
        return;
    }
    match kind {
        0 if at < data.len() => data[at] ^= 1 << numbers.below(8),
        1 => data.truncate(at),
        2 => {
            let end = (at + numbers.below(40)).min(data.len());
            drop(data.drain(at..end));
        }
        3 => {
            let other = numbers.of(corpus);
            let start = numbers.below(other.len() + 1);
            let end = (start + numbers.below(200)).min(other.len());
            drop(data.splice(at..at, other[start..end].iter().copied()));
        }
        // a token becomes another one of any file
        4 => {
            let (start, end) = *numbers.of(&found);
            let other = numbers.of(corpus);
            let there = tokens(other);
            if !there.is_empty() {
                let (from, to) = *numbers.of(&there);
                drop(data.splice(start..end, other[from..to].iter().copied()));
            }
        }
        // a number, where there is one, becomes one at an edge
        5 | 6 => {
            let digits: Vec<_> = found.iter().copied().filter(|&(start, _)| data[start].is_ascii_digit()).collect();
            let (start, end) = *numbers.of(if digits.is_empty() { &found } else { &digits });
            drop(data.splice(start..end, numbers.of(EDGES).bytes()));
        }
        // two tokens change places
        7 => {
            let [first, second] = [0; 2].map(|_| *numbers.of(&found));
            let (first, second) = (first.min(second), first.max(second));
            if first.1 <= second.0 {
                let (left, right) = (data[first.0..first.1].to_vec(), data[second.0..second.1].to_vec());
                drop(data.splice(second.0..second.1, left));
                drop(data.splice(first.0..first.1, right));
            }
        }
        8 => {
            let text = numbers.of(OPEN).repeat(1 << numbers.below(15));
            drop(data.splice(at..at, text.into_bytes()));
        }
        // a line is taken out, doubled, or moved to another place
        9 | 10 => {
            let mut lines: Vec<Vec<u8>> = data.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
            if lines.is_empty() {
                return;
            }
            let line = match numbers.below(2) {
                0 => lines.remove(numbers.below(lines.len())),
                _ => numbers.of(&lines).clone(),
            };
            lines.insert(numbers.below(lines.len() + 1), line);
            if numbers.below(3) == 0 {
                lines.remove(numbers.below(lines.len()));
            }
            *data = lines.concat();
        }
        _ => data.insert(at.min(data.len()), numbers.below(256) as u8),
    }
}
