//! Counts in messages, with the noun in the singular or the plural: `1 cycle`, `2 cycles`.

use std::fmt::Display;

/// Number with its noun, such as `1 cycle`, `2 cycles` or `1 pass`, `2 passes`. `noun` is in the singular.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let ending = plural(&number, noun);
    format!("{number} {noun}{ending}")
}

/// Ending of `noun` after `number`: none, `s`, or `es` after a hiss.
pub fn plural<N: PartialEq + From<u8>>(number: &N, noun: &str) -> &'static str {
    match number == &N::from(1) {
        true => "",
        false if noun.ends_with(['s', 'x']) || noun.ends_with("ch") => "es",
        false => "s",
    }
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_singular() {
        let texts = [counted(0_u32, "cycle"), counted(1_u64, "cycle"), counted(2_usize, "cycle")];
        assert_eq!(texts, ["0 cycles", "1 cycle", "2 cycles"]);
        assert_eq!(
            [counted(1_u32, "pass"), counted(3_u32, "pass"), counted(2_u32, "batch")],
            ["1 pass", "3 passes", "2 batches"]
        );
    }
}
