//! Lists in a TOML table: of numbers, of lists of numbers, of tables.

use super::table::TableReader;
use std::ops::{Range, RangeInclusive};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

/// Most routers of a list; the search for a network without them looks at each of them often.
const MAX_EXCLUDED: usize = 4096;

/// A number and its place.
pub(super) type Number = (u32, Range<usize>);

impl<'i> TableReader<'_, 'i> {
    /// A list of whole numbers in a range, no two of them equal, at least `least` of them. None if it is absent, or bad
    /// and reported. `what` names the numbers: "cabinets".
    pub fn numbers(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u32>,
        least: usize,
        what: &str,
    ) -> Option<Vec<Number>> {
        let value = self.take(key)?;
        let help = format!("write {what} of 0 to {} as a list: `{key} = [0, 1]`", range.end());
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong_type(key, &value, "a list of whole numbers", help);
            return None;
        };
        let numbers = self.in_range(key, list, &range, &help)?;
        if numbers.len() < least {
            let message = format!("`{}` has too few {what}", self.field(key));
            self.findings.error(value.span(), "", message, format!("name {least} or more"));
            return None;
        }
        for (i, (number, place)) in numbers.iter().enumerate() {
            if numbers[..i].iter().any(|(earlier, _)| earlier == number) {
                let message = format!("`{}` has {number} twice", self.field(key));
                self.findings.error(place.clone(), "", message, "name each once");
                return None;
            }
        }
        Some(numbers)
    }

    /// A list of whole numbers from 0 to `most`, in their order; empty if it is absent, or bad and reported.
    pub fn list(&mut self, key: &'static str, most: u32) -> Vec<u32> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let help = format!("write whole numbers of 0 to {most} as a list: `{key} = [1, 0]`");
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong_type(key, &value, "a list of whole numbers", help);
            return Vec::new();
        };
        if list.is_empty() {
            self.findings.error(value.span(), "", format!("`{}` is empty", self.field(key)), help);
            return Vec::new();
        }
        let numbers = self.in_range(key, list, &(0..=most), &help);
        numbers.unwrap_or_default().into_iter().map(|(number, _)| number).collect()
    }

    /// A list of pairs of whole numbers from 0 to `most`; empty if it is absent, or bad and reported.
    pub fn pairs(&mut self, key: &'static str, most: u32) -> Vec<[u32; 2]> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let help = format!("write pairs of whole numbers of 0 to {most}: `{key} = [[0, 1], [1, 0]]`");
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong_type(key, &value, "a list of pairs", help);
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for pair in list.iter() {
            let numbers = match pair.get_ref() {
                DeValue::Array(pair) if pair.len() == 2 => self.in_range(key, pair, &(0..=most), &help),
                _ => {
                    self.wrong_type(key, pair, "a list of pairs", help.clone());
                    None
                }
            };
            if let Some([(from, _), (to, _)]) = numbers.as_deref() {
                pairs.push([*from, *to]);
            }
        }
        pairs
    }

    /// A list of lists of whole numbers from 0 to `most`, each with its place; None if it is absent, or bad and reported.
    pub fn lists(&mut self, key: &'static str, most: u32) -> Option<Vec<(Vec<u32>, Range<usize>)>> {
        let value = self.take(key)?;
        let help = format!("write lists of whole numbers of 0 to {most}: `{key} = [[0], [0, 1]]`");
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong_type(key, &value, "a list of lists", help);
            return None;
        };
        let mut lists = Vec::new();
        for inner in list.iter() {
            let DeValue::Array(numbers) = inner.get_ref() else {
                self.wrong_type(key, inner, "a list of lists", help.clone());
                return None;
            };
            let numbers = self.in_range(key, numbers, &(0..=most), &help)?;
            lists.push((numbers.into_iter().map(|(number, _)| number).collect(), inner.span()));
        }
        Some(lists)
    }

    /// A list of texts, each with its place; None if it is absent, or bad and reported.
    pub fn texts(&mut self, key: &'static str, example: &str) -> Option<Vec<(String, Range<usize>)>> {
        let value = self.take(key)?;
        let help = format!("write names in double quotes: `{key} = [\"{example}\"]`");
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong_type(key, &value, "a list of strings", help);
            return None;
        };
        let mut texts = Vec::new();
        for text in list.iter() {
            let DeValue::String(name) = text.get_ref() else {
                self.wrong_type(key, text, "a list of strings", help);
                return None;
            };
            texts.push((name.to_string(), text.span()));
        }
        Some(texts)
    }

    /// A text that is not empty; None if it is absent, or bad and reported.
    pub fn text(&mut self, key: &'static str) -> Option<String> {
        self.text_like(key, "name.csv")
    }

    /// Text of a key, as in [`Self::text`]; the help shows `example`.
    pub fn text_like(&mut self, key: &'static str, example: &str) -> Option<String> {
        let value = self.take(key)?;
        let help = format!("write a name in double quotes: `{key} = \"{example}\"`");
        match value.get_ref() {
            DeValue::String(text) if !text.is_empty() => Some(text.to_string()),
            _ => {
                self.wrong_type(key, &value, "a string that is not empty", help);
                None
            }
        }
    }

    /// The numbers of a list; None if one is none, or out of range, and reported.
    fn in_range(
        &mut self,
        key: &str,
        list: &DeArray<'_>,
        range: &RangeInclusive<u32>,
        help: &str,
    ) -> Option<Vec<Number>> {
        let number = |value: &DeValue<'_>| match value {
            DeValue::Integer(n) => u32::from_str_radix(n.as_str(), n.radix()).ok().filter(|n| range.contains(n)),
            _ => None,
        };
        let mut numbers = Vec::new();
        let mut good = true;
        for value in list.iter() {
            match number(value.get_ref()) {
                Some(n) => numbers.push((n, value.span())),
                None => {
                    let message = format!("`{}` has something else than {} to {}", self.field(key), 0, range.end());
                    self.findings.error(value.span(), "", message, help);
                    good = false;
                }
            }
        }
        good.then_some(numbers)
    }

    /// A list of routers \[c,d,p\], with their places; bad ones are reported and left out.
    pub fn routers(&mut self, key: &'static str, k: u32, m: u32) -> Vec<([u32; 3], Range<usize>)> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let help = format!("write routers as [c,d,p] with c below {k}, d and p below {m}: `{key} = [[0,1,1]]`");
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong_type(key, &value, "a list of routers", help);
            return Vec::new();
        };
        if list.len() > MAX_EXCLUDED {
            let message = format!("`{}` names {} routers", self.field(key), list.len());
            self.findings.error(value.span(), "", message, format!("name at most {MAX_EXCLUDED}"));
            return Vec::new();
        }
        let mut routers = Vec::new();
        for router in list.iter() {
            let DeValue::Array(coordinates) = router.get_ref() else {
                self.wrong_type(key, router, "a list of routers", help.clone());
                continue;
            };
            let Some(numbers) = self.in_range(key, coordinates, &(0..=k.max(m) - 1), &help) else { continue };
            let numbers: Vec<u32> = numbers.into_iter().map(|(number, _)| number).collect();
            match numbers.as_slice() {
                &[c, d, p] if c < k && d < m && p < m => routers.push(([c, d, p], router.span())),
                _ => {
                    let message = format!("`{}` has something that is no router", self.field(key));
                    self.findings.error(router.span(), "", message, help.clone());
                }
            }
        }
        routers
    }

    /// A table, or a list of tables; empty if it is absent, or bad and reported.
    pub fn tables(&mut self, key: &'static str) -> Vec<Spanned<DeTable<'i>>> {
        let Some(value) = self.take(key) else { return Vec::new() };
        let span = value.span();
        let help = format!("write `[{0}]`, or `[[{0}]]` once for each", self.field(key));
        match value.into_inner() {
            DeValue::Table(table) => vec![Spanned::new(span, table)],
            DeValue::Array(list)
                if !list.is_empty() && list.iter().all(|v| matches!(v.get_ref(), DeValue::Table(_))) =>
            {
                let table = |value: Spanned<DeValue<'i>>| {
                    let span = value.span();
                    match value.into_inner() {
                        DeValue::Table(table) => Some(Spanned::new(span, table)),
                        _ => None,
                    }
                };
                list.into_iter().filter_map(table).collect()
            }
            other => {
                self.wrong_type(key, &Spanned::new(span, other), "a table, or a list of tables", help);
                Vec::new()
            }
        }
    }
}
