//! Reading a TOML table key by key, so that every error keeps its place and one pass finds them all.

use super::diagnostic::{Diagnostic, Errors, Source};
use crate::input::excerpt;
use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Results of a parse so far: errors, and the place of each key.
pub(super) struct Findings {
    pub source: Source,
    pub errors: Errors,
    pub places: BTreeMap<String, Range<usize>>,
    /// Keys that are easily written into the wrong table, with the right one.
    pub homes: Vec<(&'static str, &'static str)>,
}

impl Findings {
    /// Records an error at a place.
    pub fn error(&mut self, place: Range<usize>, label: &str, message: impl Into<String>, help: impl Into<String>) {
        self.errors.push(Diagnostic::new(&self.source, message).at(place, label).help(help));
    }

    /// True if the value of a key has been found at fault.
    pub fn is_bad(&self, field: &str) -> bool {
        self.places.get(field).is_some_and(|place| self.errors.at(place))
    }

    /// The place of a key that the text has.
    pub fn place(&self, field: &str) -> Option<Range<usize>> {
        self.places.get(field).cloned()
    }
}

/// A value that a key may take by name.
pub(super) type Choices<'a, T> = &'a [(&'static str, T)];

/// Enum whose variants are the names that a key may take, in their order.
pub(super) trait Named: Copy + Into<&'static str> + strum::VariantArray {}

impl<T: Copy + Into<&'static str> + strum::VariantArray> Named for T {}

/// Table that is being read. Each key that is read is taken out; [`Self::finish`] reports the other keys as errors.
pub(super) struct TableReader<'a, 'i> {
    pub(super) findings: &'a mut Findings,
    /// Dotted prefix of the keys, empty for the document itself.
    prefix: &'static str,
    /// Place at which a missing key would have to be added.
    place: Range<usize>,
    table: DeTable<'i>,
    known: Vec<&'static str>,
}

impl<'a, 'i> TableReader<'a, 'i> {
    pub fn new(findings: &'a mut Findings, prefix: &'static str, table: Spanned<DeTable<'i>>) -> Self {
        Self { findings, prefix, place: table.span(), table: table.into_inner(), known: Vec::new() }
    }

    /// The dotted name of a key of this table.
    pub(super) fn field(&self, key: &str) -> String {
        if self.prefix.is_empty() { key.to_owned() } else { format!("{}.{key}", self.prefix) }
    }

    /// True if the text has a key that was not yet taken.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// True if the text has a number under a key that was not yet taken.
    pub fn is_number(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|value| matches!(value.get_ref(), DeValue::Integer(_)))
    }

    /// True if the key's value is a table.
    pub fn is_table(&self, key: &str) -> bool {
        self.table.get(key).is_some_and(|value| matches!(value.get_ref(), DeValue::Table(_)))
    }

    /// Texts under a key of a table that was not yet taken, or of each table of a list.
    pub fn texts_in<'s>(&'s self, table: &str, key: &str) -> Vec<&'s str> {
        let text = |value: &'s DeValue<'i>| match value {
            DeValue::Table(table) => Some(table.get(key).and_then(|value| value.get_ref().as_str()).unwrap_or("")),
            _ => None,
        };
        match self.table.get(table).map(Spanned::get_ref) {
            Some(DeValue::Array(tables)) => tables.iter().filter_map(|table| text(table.get_ref())).collect(),
            Some(one) => text(one).into_iter().collect(),
            None => Vec::new(),
        }
    }

    /// Takes a key's value, if the text has one, and notes its place.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Spanned<DeValue<'i>>> {
        self.known.push(key);
        let value = self.table.remove(key)?;
        self.findings.places.insert(self.field(key), value.span());
        Some(value)
    }

    /// Records an error about a key that must be there and is not.
    pub fn missing(&mut self, key: &'static str, help: &str) {
        let message = match self.prefix {
            "" => format!("`{key}` is missing"),
            table => format!("`{key}` is missing from `[{table}]`"),
        };
        let place = if self.prefix.is_empty() { 0..0 } else { self.place.clone() };
        self.findings.error(place, "", message, help);
    }

    pub(super) fn wrong_type(&mut self, key: &str, value: &Spanned<DeValue<'i>>, wanted: &str, help: String) {
        let label = format!("this is {}", describe(value.get_ref()));
        let message = format!("`{}` must be {wanted}", self.field(key));
        self.findings.error(value.span(), &label, message, help);
    }

    /// A whole number in a range; None if it is absent, or bad and reported.
    pub fn integer(&mut self, key: &'static str, range: RangeInclusive<u64>) -> Option<u64> {
        let value = self.take(key)?;
        let limits = format!("write a whole number from {} to {}", range.start(), range.end());
        match value.get_ref() {
            DeValue::Integer(n) => match u64::from_str_radix(n.as_str(), n.radix()) {
                Ok(n) if range.contains(&n) => Some(n),
                _ => {
                    let message = format!("`{}` is out of range", self.field(key));
                    self.findings.error(value.span(), "", message, limits);
                    None
                }
            },
            _ => {
                self.wrong_type(key, &value, "a whole number", limits);
                None
            }
        }
    }

    /// A whole number of 32 bits in a range.
    pub fn u32(&mut self, key: &'static str, range: RangeInclusive<u32>) -> Option<u32> {
        let wide = u64::from(*range.start())..=u64::from(*range.end());
        self.integer(key, wide).and_then(|n| u32::try_from(n).ok())
    }

    /// A whole number of 32 bits in a range that must be there.
    pub fn required_u32(&mut self, key: &'static str, range: RangeInclusive<u32>, help: &str) -> Option<u32> {
        if !self.table.contains_key(key) {
            self.known.push(key);
            self.missing(key, help);
            return None;
        }
        self.u32(key, range)
    }

    /// A whole number out of a few.
    pub fn one_of(&mut self, key: &'static str, values: &[u32]) -> Option<u32> {
        let value = self.take(key)?;
        let list: Vec<String> = values.iter().map(u32::to_string).collect();
        let help = match list.as_slice() {
            [only] => format!("write {only}"),
            list => format!("write one of {}", list.join(", ")),
        };
        match value.get_ref() {
            DeValue::Integer(n) => {
                let number = u32::from_str_radix(n.as_str(), n.radix()).ok().filter(|n| values.contains(n));
                if number.is_none() {
                    let message = format!("`{}` cannot be {}", self.field(key), excerpt(&n.to_string()));
                    self.findings.error(value.span(), "", message, help);
                }
                number
            }
            _ => {
                self.wrong_type(key, &value, "a whole number", help);
                None
            }
        }
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, key: &'static str) -> Option<bool> {
        let value = self.take(key)?;
        match value.get_ref() {
            DeValue::Boolean(b) => Some(*b),
            _ => {
                self.wrong_type(key, &value, "true or false", "write true or false, without quotes".into());
                None
            }
        }
    }

    /// A name out of those of an enum.
    pub fn named<T: Named>(&mut self, key: &'static str) -> Option<T> {
        let choices: Vec<(&'static str, T)> = T::VARIANTS.iter().map(|&value| (value.into(), value)).collect();
        self.choice(key, &choices)
    }

    /// A name out of a list.
    pub fn choice<T: Copy>(&mut self, key: &'static str, choices: Choices<'_, T>) -> Option<T> {
        let value = self.take(key)?;
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let list = match names.as_slice() {
            [only] => format!("write \"{only}\", the only one in this version"),
            _ => format!("write one of {}", quoted(&names)),
        };
        self.choose(key, &value, choices, list)
    }

    /// A name out of a list, or one of a few numbers, or of many that follow each other.
    pub fn choice_or_number<T: Copy>(
        &mut self,
        key: &'static str,
        choices: Choices<'_, T>,
        numbers: &[(u32, T)],
    ) -> Option<T> {
        let value = self.take(key)?;
        let names = choices.iter().map(|(name, _)| format!("\"{name}\""));
        let list = match (numbers.first(), numbers.last()) {
            (Some((low, _)), Some((high, _))) if numbers.len() > 8 => {
                let names: Vec<String> = names.collect();
                format!("write a whole number from {low} to {high}, or {}", names.join(", "))
            }
            _ => {
                let all: Vec<String> = numbers.iter().map(|(number, _)| number.to_string()).chain(names).collect();
                format!("write one of {}", all.join(", "))
            }
        };
        let DeValue::Integer(n) = value.get_ref() else {
            return self.choose(key, &value, choices, list);
        };
        let number = u32::from_str_radix(n.as_str(), n.radix()).ok();
        let found = numbers.iter().find(|(name, _)| Some(*name) == number).map(|(_, value)| *value);
        if found.is_none() {
            let message = format!("`{}` cannot be {}", self.field(key), excerpt(&n.to_string()));
            self.findings.error(value.span(), "", message, list);
        }
        found
    }

    fn choose<T: Copy>(
        &mut self,
        key: &str,
        value: &Spanned<DeValue<'i>>,
        choices: Choices<'_, T>,
        list: String,
    ) -> Option<T> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let DeValue::String(text) = value.get_ref() else {
            self.wrong_type(key, value, "a string", list);
            return None;
        };
        if let Some((_, found)) = choices.iter().find(|(name, _)| name == text) {
            return Some(*found);
        }
        let field = self.field(key);
        let help = match nearest(text, &names) {
            Some(name) if names.len() > 1 => format!("did you mean \"{name}\"? {list}"),
            _ => list,
        };
        self.findings.error(value.span(), "", format!("`{field}` cannot be \"{}\"", excerpt(text)), help);
        None
    }

    /// A table inside this one; None if it is absent, or no table and reported.
    pub fn table(&mut self, key: &'static str) -> Option<Spanned<DeTable<'i>>> {
        let value = self.take(key)?;
        let span = value.span();
        if matches!(value.get_ref(), DeValue::Table(_)) {
            let DeValue::Table(table) = value.into_inner() else { return None };
            return Some(Spanned::new(span, table));
        }
        self.wrong_type(key, &value, "a table", format!("write a line `[{key}]` and the keys below it"));
        None
    }

    /// Reports every key that was not read, unless the kind of the table is unknown and with it the keys that it may
    /// have.
    pub fn finish_if_known(self, kind: &str) {
        if !self.findings.is_bad(&self.field(kind)) {
            self.finish();
        }
    }

    /// Reports every key that was not read.
    pub fn finish(self) -> &'a mut Findings {
        let Self { findings, prefix, table, known, .. } = self;
        for key in table.keys() {
            if findings.errors.skip() {
                continue;
            }
            let name = key.get_ref().as_ref();
            let within = prefix.split('.').next();
            let home = findings.homes.iter().find(|(k, table)| *k == name && Some(*table) != within);
            let help = match (nearest(name, &known), home) {
                (_, Some((_, table))) => format!("`{name}` belongs in `[{table}]`"),
                (Some(near), None) => format!("did you mean `{near}`?"),
                (None, None) if prefix.is_empty() => format!("tables and keys here: {}", known.join(", ")),
                (None, None) => format!("keys of `[{prefix}]`: {}", known.join(", ")),
            };
            let name = excerpt(name);
            let message = match prefix {
                "" => format!("unknown key `{name}`"),
                table => format!("unknown key `{name}` in `[{table}]`"),
            };
            findings.error(key.span(), "", message, help);
        }
        findings
    }
}

/// Nearest of a few names, if one is near enough. A name of many times their length is near none.
fn nearest<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    if name.len() > 100 {
        return None;
    }
    let score = |candidate: &str| strsim::normalized_damerau_levenshtein(name, candidate);
    let best = names.iter().copied().max_by(|a, b| score(a).total_cmp(&score(b)))?;
    (score(best) >= 0.5).then_some(best)
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    names.join(", ")
}

fn describe(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}
