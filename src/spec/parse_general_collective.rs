//! Keys of the collectives on networks that run in slot tables.

use super::general_collective::{
    BlockSpec, CountSpec, DemandSpec, GeneralCollective, MAX_WORDS, PermutedSpec, RootSpec, RootSumSpec, SumSpec,
};
use super::kind::Kind;
use super::relation_keys::{demand_keys, permutation_keys};
use super::table::TableReader;
use super::{CollectiveSpec, MAX_COUNT, Operator, general};

/// Every node sends one block to all.
pub(super) const ALL_GATHER: Kind =
    Kind::general("all-gather", |table| CollectiveSpec::General(GeneralCollective::AllGather(plain(table))));

/// Reduce: one node receives the combination of all nodes' blocks.
pub(super) const REDUCE: Kind = Kind::general("reduce", |mut table| {
    let root = root(&mut table);
    CollectiveSpec::General(GeneralCollective::Reduce(RootSumSpec { root, sums: sums(table) }))
});

/// Reduce-scatter: every node receives the combination of all nodes' blocks for it.
pub(super) const REDUCE_SCATTER: Kind =
    Kind::general("reduce-scatter", |table| CollectiveSpec::General(GeneralCollective::ReduceScatter(sums(table))));

/// All-to-all.
pub(super) fn all_to_all(table: TableReader<'_, '_>) -> CollectiveSpec {
    CollectiveSpec::General(GeneralCollective::AllToAll(plain(table)))
}

/// Broadcast.
pub(super) fn broadcast(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let default = CountSpec::default();
    let (algorithm, root) = (algorithm(&mut table), root(&mut table));
    let count = table.u32("count", 1..=MAX_COUNT).unwrap_or(default.count);
    let spec = CountSpec {
        algorithm,
        root,
        count,
        chunks: chunks(&mut table, ("count", count, MAX_COUNT)),
        repeat: table.u32("repeat", 1..=MAX_WORDS).unwrap_or(default.repeat),
    };
    table.finish();
    CollectiveSpec::General(GeneralCollective::Broadcast(spec))
}

/// Gather.
pub(super) fn gather(table: TableReader<'_, '_>) -> CollectiveSpec {
    CollectiveSpec::General(GeneralCollective::Gather(rooted(table)))
}

/// Scatter.
pub(super) fn scatter(table: TableReader<'_, '_>) -> CollectiveSpec {
    CollectiveSpec::General(GeneralCollective::Scatter(rooted(table)))
}

/// All-reduce.
pub(super) fn all_reduce(table: TableReader<'_, '_>) -> CollectiveSpec {
    CollectiveSpec::General(GeneralCollective::AllReduce(sums(table)))
}

/// Permutation.
pub(super) fn permutation(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let blocks = blocks(&mut table);
    let to = permutation_keys(table);
    CollectiveSpec::General(GeneralCollective::Permutation(PermutedSpec { to, blocks }))
}

/// H-relation.
pub(super) fn h_relation(mut table: TableReader<'_, '_>) -> CollectiveSpec {
    let blocks = blocks(&mut table);
    let pairs = demand_keys(table);
    CollectiveSpec::General(GeneralCollective::HRelation(DemandSpec { pairs, blocks }))
}

/// Name of an algorithm; the schedulers know which there are.
fn algorithm(table: &mut TableReader<'_, '_>) -> String {
    table.text_like("algorithm", "best").unwrap_or_else(|| BlockSpec::default().algorithm)
}

/// Number of a node among those that take part, of which the network knows how many there are.
fn root(table: &mut TableReader<'_, '_>) -> u32 {
    table.u32("root", 0..=general::MAX_NODES - 1).unwrap_or_default()
}

fn blocks(table: &mut TableReader<'_, '_>) -> BlockSpec {
    let default = BlockSpec::default();
    let algorithm = algorithm(table);
    let words = table.u32("words", 1..=MAX_WORDS).unwrap_or(default.words);
    BlockSpec {
        algorithm,
        words,
        chunks: chunks(table, ("words", words, MAX_WORDS)),
        repeat: table.u32("repeat", 1..=MAX_WORDS).unwrap_or(default.repeat),
    }
}

/// Number of parts into which `words` words are cut, at most `most`.
fn chunks(table: &mut TableReader<'_, '_>, (key, words, most): (&str, u32, u32)) -> Option<u32> {
    let chunks = table.u32("chunks", 1..=most)?;
    if words % chunks != 0 {
        let place = table.findings.place("collective.chunks").unwrap_or(0..0);
        let message = format!("`chunks` = {chunks} does not divide `{key}` = {words}");
        table.findings.error(place, "", message, "the words are cut into parts of one size");
    }
    Some(chunks)
}

/// Keys of all kinds alone. A bad kind is taken for an all-to-all, and its other keys are not looked at.
fn plain(mut table: TableReader<'_, '_>) -> BlockSpec {
    let blocks = blocks(&mut table);
    table.finish_if_known("kind");
    blocks
}

fn rooted(mut table: TableReader<'_, '_>) -> RootSpec {
    let root = root(&mut table);
    let blocks = blocks(&mut table);
    table.finish();
    RootSpec { root, blocks }
}

fn sums(mut table: TableReader<'_, '_>) -> SumSpec {
    let op = table.named("op").unwrap_or(Operator::Sum);
    let blocks = blocks(&mut table);
    table.finish();
    SumSpec { op, blocks }
}
