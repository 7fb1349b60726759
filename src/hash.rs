//! Hashes: SHA-256 in hexadecimal, and the SplitMix64 sequence.

use sha2::{Digest, Sha256};

/// Lower-case hexadecimal digits of `bytes`.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// SHA-256 in hexadecimal.
pub fn sha256(bytes: impl AsRef<[u8]>) -> String {
    hex(&Sha256::digest(bytes))
}

/// Word `index` of the SplitMix64 sequence (Steele, Lea and Flood, "Fast splittable pseudorandom number generators").
pub fn split_mix_64(seed: u64, index: u64) -> u64 {
    scrambled(seed.wrapping_add(index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

/// Permutation of all words of 64 bits in which each bit of the result depends on each bit of `z`: SplitMix64's finalizer.
pub fn scrambled(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_standards() {
        assert_eq!([0, 1].map(|i| split_mix_64(1_234_567, i)), [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(sha256("abc"), abc);
    }
}
