//! Values of TOML with their places, and keys with dots in them.

use std::ops::Range;
use toml::Spanned;
use toml::de::DeValue;

/// The value without places.
pub fn plain(value: &DeValue<'_>) -> toml::Value {
    match value {
        DeValue::String(text) => toml::Value::String(text.to_string()),
        // what does not fit is no number of a specification, and is told there
        DeValue::Integer(n) => match i64::from_str_radix(n.as_str(), n.radix()) {
            Ok(n) => toml::Value::Integer(n),
            Err(_) => toml::Value::String(n.to_string()),
        },
        DeValue::Float(n) => n.as_str().parse().map_or_else(|_| toml::Value::String(n.to_string()), toml::Value::Float),
        DeValue::Boolean(b) => toml::Value::Boolean(*b),
        DeValue::Datetime(time) => toml::Value::Datetime(*time),
        DeValue::Array(values) => toml::Value::Array(values.iter().map(|value| plain(value.get_ref())).collect()),
        DeValue::Table(table) => {
            let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
                let key: &std::borrow::Cow<'_, str> = key.get_ref();
                (key.to_string(), plain(value.get_ref()))
            };
            toml::Value::Table(table.iter().map(entry).collect())
        }
    }
}

/// Arrays of a table and of the tables in it: dotted key, place of the key, array; errors for what is no array.
pub fn arrays<'a, 'i>(
    prefix: &str,
    table: &'a toml::de::DeTable<'i>,
    found: &mut Vec<(String, Range<usize>, &'a Spanned<DeValue<'i>>)>,
) {
    for (key, value) in table {
        let name = match prefix {
            "" => key.get_ref().to_string(),
            _ => format!("{prefix}.{}", key.get_ref()),
        };
        match value.get_ref() {
            DeValue::Table(table) => arrays(&name, table, found),
            _ => found.push((name, key.span(), value)),
        }
    }
}

/// Sets a dotted key of a table; the tables on the way are made. The name of what is in the way, if something is.
pub fn set(table: &mut toml::Table, key: &str, value: toml::Value) -> Result<(), String> {
    let mut parts: Vec<&str> = key.split('.').collect();
    let last = parts.pop().unwrap_or_default();
    let mut table = table;
    for (i, part) in parts.iter().enumerate() {
        let entry = table.entry((*part).to_owned()).or_insert_with(|| toml::Table::new().into());
        table = entry.as_table_mut().ok_or_else(|| parts[..=i].join("."))?;
    }
    table.insert(last.to_owned(), value);
    Ok(())
}

/// A value in a cell of a table or a line: strings without quotes, anything else as TOML.
pub fn shown(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dotted_keys_make_tables_and_replace_values() {
        let mut table: toml::Table = "a = 1\n[b]\nc = 2".parse().unwrap();
        assert_eq!(set(&mut table, "b.c", 3.into()), Ok(()));
        assert_eq!(set(&mut table, "d.e.f", "x".into()), Ok(()));
        assert_eq!(set(&mut table, "a.b", 1.into()), Err("a".to_owned()));
        assert_eq!(table, "a = 1\n[b]\nc = 3\n[d.e]\nf = 'x'".parse().unwrap());
    }

    #[test]
    fn values_lose_their_places_alone() {
        let text = "a = [1, -2, 0x10, 1.5, true, \"s\", [3], { b = 4 }]";
        let table = toml::de::DeTable::parse(text).unwrap();
        let expected: toml::Table = text.parse().unwrap();
        assert_eq!(plain(table.get_ref().get("a").unwrap().get_ref()), expected["a"]);
    }
}
