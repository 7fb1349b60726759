//! Keys of the collectives on networks that run in slot tables.

use super::relation_keys::{demand_keys, permutation_keys};
use super::table::TableReader;
use super::{CollectiveSpec, Operator, general};
use crate::collective::general::{BlockSpec, GeneralCollective, Keys, Kind, MAX_WORDS, Part};

/// Reads the table of a kind. A bad kind is taken for the first, and its other keys are not looked at.
pub(super) fn read(kind: &'static Kind, mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let mut keys = Keys::default();
    for part in kind.parts {
        match part {
            Part::Root => keys.root = table.u32("root", 0..=general::MAX_NODES - 1).unwrap_or_default(),
            Part::Operator => keys.op = table.named("op").unwrap_or(Operator::Sum),
            Part::Permutation | Part::Demands => {} // they are the last of their table
        }
    }
    let blocks = blocks(&mut table, kind);
    if kind.parts.contains(&Part::Permutation) {
        keys.permutation = permutation_keys(table);
    } else if kind.parts.contains(&Part::Demands) {
        keys.demands = demand_keys(table);
    } else {
        table.finish_if_known("kind");
    }
    CollectiveSpec::General(GeneralCollective { kind, keys, blocks })
}

fn blocks(table: &mut TableReader<'_, '_>, kind: &Kind) -> BlockSpec {
    let (default, most) = (BlockSpec::default(), kind.most_words());
    let algorithm = table.text_like("algorithm", "best").unwrap_or(default.algorithm);
    let words = table.u32(kind.words, 1..=most).unwrap_or(default.words);
    let chunks = chunks(table, (kind.words, words, most));
    BlockSpec { algorithm, words, chunks, repeat: table.u32("repeat", 1..=MAX_WORDS).unwrap_or(default.repeat) }
}

/// Parts into which so many words, at most `most`, are cut.
fn chunks(table: &mut TableReader<'_, '_>, (key, words, most): (&str, u32, u32)) -> Option<u32> {
    let chunks = table.u32("chunks", 1..=most)?;
    if words % chunks != 0 {
        let place = table.findings.place("collective.chunks").unwrap_or(0..0);
        let message = format!("`chunks` = {chunks} does not divide `{key}` = {words}");
        table.findings.error(place, "", message, "the words are cut into parts of one size");
    }
    Some(chunks)
}
