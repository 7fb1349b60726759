//! Template data of a product's counters.

use crate::emit::Origin;
use crate::lower::bits::field;
use crate::lower::swapped_dragonfly::ProductLowered;
use crate::lower::swapped_dragonfly::product::{DRAIN_CYCLES, ProductCounters};
use askama::Template;

struct TrainView {
    number: usize,
    start: u32,
    counts: [u32; 3],
    /// Bits of the counters.
    bits: [u32; 3],
}

struct FieldView {
    number: usize,
    width: usize,
    train: usize,
    counts: [u32; 3],
    /// The lowest of its constants, and their number.
    from: usize,
    bits: usize,
}

/// Bits of a row, and their meaning.
struct Part {
    at: usize,
    width: usize,
    value: String,
}

#[derive(Template)]
#[template(path = "gen/mn_product_counter.v", escape = "none")]
struct CounterFile<'a> {
    header: &'a str,
    what: &'static str,
    parity: bool,
    rows: u32,
    width: usize,
    drain: u32,
    step_bits: usize,
    trains: Vec<TrainView>,
    fields: Vec<FieldView>,
    parts: Vec<Part>,
}

/// The module whose counters make the rows of a product.
pub(super) fn render(
    lowered: &ProductLowered,
    counters: &ProductCounters,
    origin: &Origin,
    what: &'static str,
) -> Result<(String, String), askama::Error> {
    let train = |(number, train): (usize, &crate::lower::swapped_dragonfly::product::Train)| TrainView {
        number,
        start: train.start,
        counts: train.counts,
        bits: train.counts.map(field),
    };
    let mut from = 0;
    let fields = counters.fields.iter().enumerate().map(|(number, of)| {
        let bits = counters.field_bits(of);
        from += bits;
        let counts = counters.trains[of.train].counts;
        FieldView { number, width: of.width, train: of.train, counts, from: from - bits, bits }
    });
    let file = CounterFile {
        header: &crate::emit::views::header(origin),
        what,
        parity: lowered.frame.parity,
        rows: lowered.rows(),
        width: lowered.fields.width(),
        drain: DRAIN_CYCLES,
        step_bits: counters.constant_bits(),
        trains: counters.trains.iter().enumerate().map(train).collect(),
        fields: fields.collect(),
        parts: parts(counters, lowered.fields.width()),
    };
    Ok(("rtl/mn_product_counter.v".into(), file.render()? + "\n"))
}

/// All bits of a row: the fields that have a place together, and nothing where there are none.
fn parts(counters: &ProductCounters, width: usize) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut end = 0;
    for (number, field) in counters.fields.iter().enumerate() {
        let value = format!("field_{number}");
        match parts.last_mut() {
            Some(part) if part.at == field.at => part.value = format!("{} | {value}", part.value),
            _ => {
                parts.extend(nothing(end, field.at));
                parts.push(Part { at: field.at, width: field.width, value });
                end = field.at + field.width;
            }
        }
    }
    parts.extend(nothing(end, width));
    parts
}

/// Bits that no router ever uses.
fn nothing(at: usize, end: usize) -> Option<Part> {
    (at < end).then(|| Part { at, width: end - at, value: format!("{}'d0", end - at) })
}
