//! Images of memories among the emitted files, and the check byte before each of their rows.

use crate::lower::Programmed;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// The line of a module that names the folder in which `rom/` is, up to that name.
pub const ROM_DIR: &str = "`define MN_ROM_DIR ";

/// The line of a module that has the check byte of all images, up to its digits.
pub const CHECK_LINE: &str = "    localparam [7:0] CHECK = 8'h";

/// Hexadecimal digits of the check byte before a row of an image.
pub const CHECK_DIGITS: usize = 2;

/// Path in the bundle of the image `name`.
pub(crate) fn image_file(name: &str) -> String {
    format!("rom/{name}.hex")
}

/// The images of hardware with slot tables in memories.
pub(super) fn images(lowered: &impl Programmed) -> Vec<(String, String)> {
    lowered.images().into_iter().map(|(name, text)| (image_file(&name), text)).collect()
}

/// The place of the check byte among the modules, see `mn_table_check.v`.
const CHECK_FILE: &str = "rtl/mn_table_check.v";
/// Verilog text of the check byte in that module before it is set.
const CHECK_VALUE: &str = "8'h00";
/// Line there that says whether the parity of rows is checked, before it is set.
const ROWS_LINE: &str = "localparam ROWS = 0;";

/// Check byte of a row of hexadecimal digits, in a network whose tables have the hash `check`: bit 0 is 1 if an even number of the row's
/// bits are 1.
pub fn check_byte(check: u8, row: &str) -> u8 {
    let ones: u32 = row.chars().filter_map(|digit| digit.to_digit(16)).map(u32::count_ones).sum();
    check & !1 | u8::from(ones.is_multiple_of(2))
}

/// Puts a check byte before each row of all images, and their hash into the module that looks for it; with `parity` it looks for the parity
/// of rows, too. No byte is zero, as a memory without an image is.
pub(super) fn mark_images(files: &mut BTreeMap<String, String>, parity: bool) {
    let is_image = |name: &str| name.starts_with("rom/");
    let mut hash = Sha256::new();
    for (name, text) in files.iter().filter(|(name, _)| is_image(name)) {
        hash.update(format!("{name}\n{text}"));
    }
    let check = hash.finalize()[0] | 3;
    for (_, text) in files.iter_mut().filter(|(name, _)| is_image(name)) {
        let mut marked = String::with_capacity(text.len() + CHECK_DIGITS * text.lines().count());
        text.lines().for_each(|row| marked += &format!("{:02x}{row}\n", check_byte(check, row)));
        *text = marked;
    }
    if let Some(module) = files.get_mut(CHECK_FILE) {
        *module = module.replace(CHECK_VALUE, &format!("8'h{check:02x}"));
        if parity {
            *module = module.replace(ROWS_LINE, &ROWS_LINE.replace('0', "1"));
        }
    }
}
