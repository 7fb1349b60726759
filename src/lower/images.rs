//! Memory images of a network: text for `$readmemh` by name, without the check byte before each row.

use super::LowerError;
use super::bits::BitRow;
use std::collections::{BTreeMap, btree_map};

/// Images by name: `local_send` is that in `rom/local_send.hex`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Images(BTreeMap<String, String>);

impl FromIterator<(String, String)> for Images {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(images: I) -> Self {
        Self(images.into_iter().collect())
    }
}

impl IntoIterator for Images {
    type Item = (String, String);
    type IntoIter = btree_map::IntoIter<String, String>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl Images {
    /// Adds an image of rows.
    pub fn insert<'a>(&mut self, name: impl Into<String>, rows: impl IntoIterator<Item = &'a BitRow>) {
        let mut text: String = rows.into_iter().map(|row| row.to_hex() + "\n").collect();
        // half of it may be free, and large networks have thousands of images
        text.shrink_to_fit();
        self.0.insert(name.into(), text);
    }

    /// All images: name and text, in order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (name.as_str(), text.as_str()))
    }

    /// True if there is an image of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// True if there are no images.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The `count` rows of an image, `width` bits each.
    ///
    /// # Errors
    /// [`LowerError::Image`] for an image that is missing, has another number of rows, or another row.
    pub fn rows(&self, name: &str, count: usize, width: usize) -> Result<Vec<BitRow>, LowerError> {
        let lines: Vec<&str> = self.0.get(name).into_iter().flat_map(|text| text.split_whitespace()).collect();
        if lines.len() != count {
            return Err(wrong(name, lines.len().min(count), format!("it has {} rows, not {count}", lines.len())));
        }
        let row = |(row, line): (usize, &&str)| {
            let odd = || wrong(name, row, format!("`{line}` is not {width} bits in hexadecimal"));
            BitRow::from_hex(line, width).ok_or_else(odd)
        };
        lines.iter().enumerate().map(row).collect()
    }
}

/// Error of an image's row that differs from the schedule.
pub(super) fn wrong(image: &str, row: usize, what: impl Into<String>) -> LowerError {
    LowerError::Image { image: image.to_owned(), row, what: what.into() }
}
