//! Verilog and memory images of a simulation: as emitted, or from a folder that may have been changed.

use super::CosimError;
use crate::emit::{CHECK_DIGITS, CHECK_LINE, check_byte};
use crate::lower::{Images, LowerError, Programmed, ReadBack};
use camino::Utf8Path;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Files by their path, as [`crate::emit::RtlBundle`] has them: `rtl/` and `rom/`.
#[derive(Debug, Clone)]
pub struct Sources {
    files: BTreeMap<String, String>,
}

impl Sources {
    /// Emitted files.
    pub fn new<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let wanted = |name: &str| name.starts_with("rtl/") || name.starts_with("rom/");
        let files = files.into_iter().filter(|(name, _)| wanted(name));
        Self { files: files.map(|(name, text)| (name.to_owned(), text.to_owned())).collect() }
    }

    /// The files of a generated folder, changed or not. Its memory images must be those that its Verilog names, of the size that they have
    /// in `emitted`.
    ///
    /// # Errors
    /// [`CosimError::Folder`] if it cannot be read, [`CosimError::OtherNetwork`] without `rtl/mn_top.v`, [`CosimError::Image`] for a memory
    /// image that is missing, that nothing reads, or that is malformed.
    pub fn read(folder: &Utf8Path, emitted: &Self) -> Result<Self, CosimError> {
        let unreadable = |path: &Utf8Path| {
            let path = path.to_path_buf();
            move |source| CosimError::Folder { path, source }
        };
        let mut files = BTreeMap::new();
        for part in ["rtl", "rom"] {
            let path = folder.join(part);
            if part == "rom" && !path.exists() {
                continue;
            }
            for entry in path.read_dir_utf8().map_err(unreadable(&path))? {
                let entry = entry.map_err(unreadable(&path))?;
                let text = fs::read_to_string(entry.path()).map_err(unreadable(entry.path()))?;
                files.insert(format!("{part}/{}", entry.file_name()), text);
            }
        }
        if !files.contains_key("rtl/mn_top.v") {
            let (folder, reason) = (folder.to_path_buf(), "it has no rtl/mn_top.v".to_owned());
            return Err(CosimError::OtherNetwork { folder, reason });
        }
        let read = Self { files };
        read.check_images(emitted).map_err(|(name, reason)| CosimError::Image { path: folder.join(name), reason })?;
        Ok(read)
    }

    /// All files: path and content.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.under("")
    }

    /// The memory images, without the check byte before each row; and the first row whose bits are not those of its check byte.
    ///
    /// # Errors
    /// [`LowerError::Image`] for a row with the check byte of another network than the Verilog's.
    fn images(&self) -> Result<(Images, Option<LowerError>), LowerError> {
        let digits = |text: &str| u8::from_str_radix(text.split_once(CHECK_LINE)?.1.get(..CHECK_DIGITS)?, 16).ok();
        let check = self.under("rtl/").find_map(|(_, text)| digits(text)).unwrap_or_default();
        let bytes = [check | 1, check & !1].map(|byte| (byte, format!("{byte:x}")));
        let name = |path: &str| path.strip_prefix("rom/").and_then(|name| name.strip_suffix(".hex")).map(str::to_owned);
        let (mut images, mut flipped) = (Vec::new(), None);
        for (image, text) in self.under("rom/").filter_map(|(path, text)| Some((name(path)?, text))) {
            let mut rows = String::with_capacity(text.len());
            for (row, line) in text.lines().enumerate() {
                // it is never zero, so that zeros may be written before it
                let line = line.replace('_', "");
                let of = |(byte, digits): &(u8, String)| {
                    Some((*byte, line.trim_start_matches('0').strip_prefix(digits.as_str())?))
                };
                let Some((byte, rest)) = bytes.iter().find_map(of) else {
                    let what = format!("its check byte is neither {:02x} nor {:02x}", check & !1, check | 1);
                    return Err(LowerError::Image { image, row, what });
                };
                if byte != check_byte(check, rest) && flipped.is_none() {
                    let what = "a bit of it or of its check byte is another".to_owned();
                    flipped = Some(LowerError::Image { image: image.clone(), row, what });
                }
                rows.extend([rest, "\n"]);
            }
            images.push((image, rows));
        }
        Ok((images.into_iter().collect(), flipped))
    }

    /// Reads the memory images back; nothing where counters take their place.
    ///
    /// # Errors
    /// [`LowerError::Image`] with the first row that says something else than the schedule of `hardware`.
    pub fn read_back(&self, hardware: &(impl Programmed + ?Sized)) -> Result<Option<ReadBack>, LowerError> {
        let (images, flipped) = self.images()?;
        let read = (!images.is_empty()).then(|| hardware.read(&images)).transpose()?;
        // what a row says otherwise is worth more than its check byte
        flipped.map_or(Ok(read), Err)
    }

    /// Files whose path begins so.
    pub(super) fn under<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files.iter().filter(move |(name, _)| name.starts_with(folder)).map(|(n, t)| (n.as_str(), t.as_str()))
    }

    /// Paths of the memory images that the Verilog names.
    fn named_images(&self) -> BTreeSet<&str> {
        let texts = self.under("rtl/").map(|(_, text)| text);
        texts.flat_map(|text| text.split('"').skip(1).step_by(2)).filter(|name| name.starts_with("rom/")).collect()
    }

    /// Compares the memory images with those that the Verilog names and with the emitted ones; else one that is wrong, and the reason.
    fn check_images(&self, emitted: &Self) -> Result<(), (String, String)> {
        let named = self.named_images();
        let wrong = |name: &str, reason: String| Err((name.to_owned(), reason));
        if let Some(name) = named.iter().find(|name| !self.files.contains_key(**name)) {
            return wrong(name, "it is missing, and the Verilog reads it".to_owned());
        }
        for (name, text) in self.under("rom/") {
            if !named.contains(name) {
                return wrong(name, "no Verilog of the folder reads it".to_owned());
            }
            let model = emitted.files.get(name).map(String::as_str);
            let most = model.map_or(usize::MAX, |model| model.lines().map(str::len).max().unwrap_or(0));
            let is_row = |line: &str| {
                let digits = line.trim_start_matches(['0', '_']).chars().filter(|&c| c != '_').count();
                line.chars().all(|c| c.is_ascii_hexdigit() || c == '_') && !line.is_empty() && digits <= most
            };
            if let Some(at) = text.lines().position(|line| !is_row(line)) {
                return wrong(name, format!("line {} is no row of hexadecimal digits of the right width", at + 1));
            }
            let [rows, wanted] = [text, model.unwrap_or(text)].map(|image| image.lines().count());
            if rows != wanted {
                return wrong(name, format!("it has {rows} rows, not {wanted}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_that_is_missing_extra_or_malformed_is_named() {
        let top = ("rtl/mn_top.v", "mn_rom #(.FILE(\"rom/a.hex\")) u_a (); // \"a note\"");
        let emitted = Sources::new([top, ("rom/a.hex", "0f\n13\n")]);
        let checked = |files: &[(&str, &str)]| {
            let files = Sources::new([top].into_iter().chain(files.iter().copied()));
            files.check_images(&emitted).map_err(|(name, reason)| format!("{name}: {reason}"))
        };
        assert_eq!(checked(&[("rom/a.hex", "1f\n003\n")]), Ok(()));
        for (files, told) in [
            (&[][..], "rom/a.hex: it is missing, and the Verilog reads it"),
            (&[("rom/a.hex", "0f\n13\n"), ("rom/b.hex", "0\n")], "rom/b.hex: no Verilog of the folder reads it"),
            (&[("rom/a.hex", "0f\n1g\n")], "rom/a.hex: line 2 is no row of hexadecimal digits of the right width"),
            (&[("rom/a.hex", "100\n1\n")], "rom/a.hex: line 1 is no row of hexadecimal digits of the right width"),
            (&[("rom/a.hex", "0f\n\n13\n")], "rom/a.hex: line 2 is no row of hexadecimal digits of the right width"),
            (&[("rom/a.hex", "0f\n")], "rom/a.hex: it has 1 rows, not 2"),
            (&[("rom/a.hex", "")], "rom/a.hex: it has 0 rows, not 2"),
        ] {
            assert_eq!(checked(files), Err(told.to_owned()));
        }
    }
}
