//! `[[collective]]`: collectives one after the other, whose keys have names of their own.
//!
//! While a table of the sequence is read or checked its keys are called like those of `[collective]`; otherwise a key of the second table
//! is `collective[1].words`.

use super::kind::TopologyKind;
use super::registry::check;
use super::table::{Findings, TableReader};
use super::{CollectiveSpec, NetworkSpec, RouterSpec};
use crate::collective::general::{MAX_SEQUENCE, SequenceSpec};
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::DeTable;

/// Name of the table.
const TABLE: &str = "collective";

type Places = BTreeMap<String, Range<usize>>;

/// Gives the table `from` and its keys the name `to`.
fn rename(places: &mut Places, from: &str, to: &str) {
    let is = |name: &String| name.strip_prefix(from).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let names: Vec<String> = places.keys().filter(|name| is(name)).cloned().collect();
    for name in names {
        if let Some(place) = places.remove(&name) {
            places.insert(format!("{to}{}", &name[from.len()..]), place);
        }
    }
}

fn name(index: usize) -> String {
    format!("{TABLE}[{index}]")
}

/// Calls the keys of a collective of the sequence like those of `[collective]`.
pub(super) fn take(places: &mut Places, index: usize) {
    rename(places, &name(index), TABLE);
}

/// Tables of a sequence, or the one of a specification with one collective; `elsewhere` is the topology, if it does not run in slot
/// tables.
pub(super) fn tables<'i>(top: &mut TableReader<'_, 'i>, elsewhere: Option<&TopologyKind>) -> Vec<Spanned<DeTable<'i>>> {
    let tables = top.tables(TABLE);
    let help = |what: &str| format!("keep one `[collective]`{what}");
    if let (Some(topology), Some(second)) = (elsewhere, tables.get(1)) {
        let message = format!("{} runs one collective, and this is a second one", topology.who);
        let help = help("; one after the other they run on topologies of slot tables, such as a torus");
        top.findings.error(second.span(), "", message, help);
    }
    if let Some(more) = tables.get(MAX_SEQUENCE) {
        let message = format!("a sequence has at most {MAX_SEQUENCE} collectives");
        top.findings.error(more.span(), "", message, help(" fewer"));
    }
    tables
}

/// Reads the collectives one by one; `read` reads a table.
pub(super) fn read<'i>(
    findings: &mut Findings,
    tables: Vec<Spanned<DeTable<'i>>>,
    read: impl Fn(&mut Findings, Spanned<DeTable<'i>>) -> CollectiveSpec,
) -> Vec<CollectiveSpec> {
    let several = tables.len() > 1;
    let mut all = Vec::with_capacity(tables.len());
    for (index, table) in tables.into_iter().enumerate() {
        if !several {
            return vec![read(findings, table)];
        }
        findings.places.insert(TABLE.to_owned(), table.span());
        all.push(read(findings, table));
        once(findings);
        rename(&mut findings.places, TABLE, &name(index));
    }
    all
}

/// A sequence is written out: none of its collectives is repeated.
fn once(findings: &mut Findings) {
    let Some(place) = findings.place("collective.repeat").filter(|_| !findings.is_bad("collective.repeat")) else {
        return;
    };
    let help = "leave `repeat` out, and write `[[collective]]` as often as the collective is to run";
    findings.error(place, "", "a collective of a sequence runs once", help);
}

/// Checks each collective as the only one.
pub(super) fn check_each(
    findings: &mut Findings,
    network: &NetworkSpec,
    router: &RouterSpec,
    collectives: &[CollectiveSpec],
) {
    for (index, collective) in collectives.iter().enumerate() {
        if collectives.len() > 1 {
            take(&mut findings.places, index);
        }
        check(findings, network, router, collective);
        if collectives.len() > 1 {
            rename(&mut findings.places, TABLE, &name(index));
        }
    }
}

/// The collectives of a specification as one.
pub(super) fn joined(mut collectives: Vec<CollectiveSpec>) -> Option<CollectiveSpec> {
    if collectives.len() < 2 {
        return collectives.pop();
    }
    let general = collectives.iter().map(|collective| collective.general().cloned());
    Some(CollectiveSpec::Sequence(SequenceSpec { collectives: general.collect::<Option<_>>()? }))
}

#[cfg(test)]
mod tests {
    use crate::spec::Spec;

    fn parsed(network: &str, collectives: &str) -> Result<Spec, String> {
        let text = format!("format = 1\n[network]\n{network}\n{collectives}");
        Spec::parse("text", &text).map_err(|error| error.to_string())
    }

    const RING: &str = "topology = \"ring\"\nnodes = 4";
    const PAIR: &str = "[[collective]]\nkind = \"all-gather\"\n[[collective]]\nkind = \"reduce\"\nroot = 2\n";

    #[test]
    fn tables_are_read_in_order_and_each_has_its_own_places() {
        let spec = parsed(RING, PAIR).unwrap();
        let kinds: Vec<&str> = spec.collective.sequence().iter().map(|one| one.kind.name).collect();
        assert_eq!((spec.collective.kind(), &kinds[..]), ("sequence", &["all-gather", "reduce"][..]));
        let parts = spec.parts();
        let shown = parts[1].diagnostic("collective.root", "here", "").render(false);
        assert!(shown.contains("text:9:"), "{shown}");
        let shown = parts[0].diagnostic("collective.root", "here", "").render(false);
        assert!(shown.contains("text:5:"), "{shown}");
    }

    #[test]
    fn one_table_is_no_sequence() {
        let spec = parsed(RING, "[[collective]]\nkind = \"all-gather\"\n").unwrap();
        assert_eq!((spec.collective.kind(), spec.parts().len()), ("all-gather", 0));
        let none = Spec::parse("text", &format!("format = 1\ncollective = []\n[network]\n{RING}")).unwrap_err();
        assert!(none.to_string().contains("text:2:"), "{none}");
    }

    #[test]
    fn errors_point_at_the_line_of_the_collective() {
        let cases = [
            (RING, PAIR.replace("root = 2", "repeat = 2"), "text:9:"),
            (RING, PAIR.replace("root = 2", "rot = 2"), "text:9:"),
            (RING, PAIR.replace("\"reduce\"", "\"transpose\""), "text:8:"),
            (RING, PAIR.replace("all-gather", "all-gater"), "text:6:"),
            ("topology = \"swapped-dragonfly\"\nk = 2\nm = 2", PAIR.to_owned(), "text:8:"),
            ("topology = \"pops\"\nd = 2\ng = 2", PAIR.to_owned(), "text:8:"),
            (RING, PAIR.repeat(9), "text:45:"),
        ];
        for (network, collectives, place) in cases {
            let error = parsed(network, &collectives).unwrap_err();
            assert!(error.contains(place), "{place}: {error}");
        }
    }
}
