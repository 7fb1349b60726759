//! The claims of papers: the manual's page is what the program finds, counterexamples are the smallest and real, and
//! what is said instead holds. `UPDATE=1 cargo test --release claims::` writes the page anew.

use metronoc::claims::{self, Claim, DEFAULT_ROUTERS, Finding, PAPERS, Paper, Verdict};
use metronoc::topology::swapped_dragonfly::{Group, RouterAddress};
use metronoc::topology::{Galaxy, SwappedDragonfly, Topology};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/src/errata.md");

static FINDINGS: LazyLock<Vec<(&'static Paper, Vec<Finding>)>> = LazyLock::new(|| {
    PAPERS
        .par_iter()
        .map(|paper| (paper, (paper.claims)().iter().map(|c| c.judge(DEFAULT_ROUTERS)).collect()))
        .collect()
});

fn findings() -> impl Iterator<Item = &'static Finding> {
    FINDINGS.iter().flat_map(|(_, findings)| findings)
}

fn finding(id: &str) -> &'static Finding {
    findings().find(|f| f.id == id).unwrap_or_else(|| panic!("no claim `{id}`"))
}

fn claim(id: &str) -> Claim {
    PAPERS.iter().flat_map(|paper| (paper.claims)()).find(|c| c.id == id).unwrap_or_else(|| panic!("no claim `{id}`"))
}

/// The size and the witness of a claim that fails.
fn witness(id: &str) -> (&'static str, &'static str) {
    let found = finding(id).trial.counterexample.as_ref().unwrap_or_else(|| panic!("`{id}` holds"));
    (&found.size, &found.witness)
}

#[test]
fn the_page_of_errata_is_what_the_claims_show() {
    let page = claims::markdown(&FINDINGS);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(PAGE, &page).expect("the page can be written");
    }
    let committed = std::fs::read_to_string(PAGE).expect("the page is there");
    assert!(committed == page, "docs/src/errata.md is not what the claims show: write it anew with UPDATE=1");
}

#[test]
fn what_is_said_instead_holds_and_is_tried() {
    for finding in findings() {
        assert_ne!(finding.verdict(), Verdict::Untried, "{}", finding.id);
        if finding.verdict() == Verdict::Fails {
            assert!(finding.amendment.is_some(), "{}: nothing is said instead", finding.id);
        }
        if let Some(amendment) = &finding.amendment {
            assert_eq!(amendment.trial.counterexample, None, "{}", finding.id);
            assert!(amendment.trial.tried > 0, "{}", finding.id);
        }
    }
}

/// Runs on ever larger networks: the first at which a claim fails shows the same counterexample as the whole range.
#[test]
fn counterexamples_are_the_smallest() {
    let mut failing = 0;
    for finding in findings().filter(|f| f.verdict() == Verdict::Fails) {
        let claim = claim(finding.id);
        let first = (1..=DEFAULT_ROUTERS).map(|limit| claim.judge_statement(limit)).find(|run| !run.holds());
        let first = first.and_then(|run| run.counterexample);
        assert_eq!(first, finding.trial.counterexample, "{}", finding.id);
        failing += 1;
    }
    assert!(failing >= 30);
}

#[test]
fn a_sub_network_without_d_is_left() {
    let (size, witness) = witness("property-2");
    assert_eq!(size, "D3(2,2)");
    assert!(witness.contains("from (0,1,0) out of it, to (0,0,1)"), "{witness}");
    let net = SwappedDragonfly::new(2, 2, Group::Cyclic);
    // Position 0 in cabinet 0: the swap leads to position 1.
    assert_eq!(net.global(RouterAddress { c: 0, d: 1, p: 0 }, 0), RouterAddress { c: 0, d: 0, p: 1 });
}

#[test]
fn the_printed_matrix_path_gives_row_sums() {
    let (size, witness) = witness("path-2.3");
    assert_eq!(size, "D3(1²,2)");
    let numbers: Vec<i64> =
        witness.split(|c: char| !c.is_ascii_digit() && c != '-').filter_map(|number| number.parse().ok()).collect();
    let [v0, v1, a00, a01, a10, a11, given0, given1, right0, right1] = numbers[..] else { panic!("{witness}") };
    assert_eq!([right0, right1], [v0 * a00 + v1 * a10, v0 * a01 + v1 * a11]);
    assert_eq!([given0, given1], [v0 * (a00 + a01), v1 * (a10 + a11)]);
}

/// Rounds (a,b) = (0,0) and (1,0), which are sent first, on the project's own topology.
#[test]
fn the_printed_delays_let_rounds_conflict() {
    let (size, witness) = witness("schedule-1-condition");
    assert_eq!(size, "D3(2,6), s = 2");
    let (k, m, s) = (2, 6, 2);
    let vectors = |a: u32, b: u32| (0..s).map(move |t| (t, t + a * s, t + b * s));
    let net = SwappedDragonfly::new(k, m, Group::Cyclic);
    // Channels of the third hop of one round and of the first of another.
    let third = |a, b| {
        let hops = vectors(a, b).flat_map(|(gamma, pi, delta)| {
            (0..net.nodes()).map(move |node| {
                let at = net.global(net.local(net.address(node.into()), delta), gamma);
                (net.node(at), pi)
            })
        });
        hops.filter(|(_, port)| *port != 0).collect::<BTreeSet<_>>()
    };
    let first = |a, b| {
        let hops = vectors(a, b).flat_map(|(_, _, delta)| (0..net.nodes()).map(move |node| (node.into(), delta)));
        hops.filter(|(_, port)| *port != 0).collect::<BTreeSet<_>>()
    };
    // b ≡ a+2 mod 3 delays (1,0), which then starts two cycles after (0,0), and conflicts with it.
    assert!(!third(0, 0).is_disjoint(&first(1, 0)));
    assert!(witness.contains("cycle 2") && witness.contains("rounds 0 and 1"), "{witness}");
}

#[test]
fn two_trees_share_the_channel_that_is_named() {
    let (size, witness) = witness("trees-disjoint");
    assert_eq!(size, "D3(1,2)");
    assert!(witness.contains("(0,0,0) and (0,0,1)") && witness.contains("(0,0,1) → (0,1,0)"), "{witness}");
    let net = SwappedDragonfly::new(1, 2, Group::Cyclic);
    // Tree (0,0,0): stay, local hop to (0,0,1), swap. Tree (0,0,1): the swap is its first hop.
    let at = net.local(net.global(RouterAddress { c: 0, d: 0, p: 0 }, 0), 1);
    assert_eq!(at, RouterAddress { c: 0, d: 0, p: 1 });
    assert_eq!(net.global(at, 0), RouterAddress { c: 0, d: 1, p: 0 });
}

#[test]
fn degrees_are_those_of_the_topology() {
    let net = SwappedDragonfly::new(2, 2, Group::Xor);
    let far = |node: usize| (0..net.ports()).map(move |port| net.neighbour(node.into(), port)).collect::<BTreeSet<_>>();
    let links = |node: usize| far(node).into_iter().filter(|to| to.index() != node).count();
    // With k = m = 1 every link of D3(2,2) is one of SBH(1,1): three, or two where d = p.
    let degrees: Vec<usize> = (0..net.nodes()).map(links).collect();
    assert_eq!(degrees, [2, 3, 3, 2, 2, 3, 3, 2]);
    assert_eq!(witness("sbh-degree"), ("SBH(1,1)", "(0,0,1) has 3 links, not 2"));
    assert_eq!(witness("sbh-degree-again"), ("SBH(1,1)", "(0,0,0) has 2 links, not 3"));
}

/// Supernodes are numbered from S1 in the paper, from 0 in the topology.
#[test]
fn a_neighbour_is_not_two_links_away() {
    assert_eq!(witness("example-distance"), ("Galaxyfly(3,5,4)", "S9 is a neighbour of S8"));
    let galaxy = Galaxy::new(3, 5).expect("a field of five elements");
    assert_eq!(galaxy.neighbours(7), [4, 6, 8, 11]);
}

#[test]
fn everything_comes_out_the_same_twice() {
    for id in ["property-2", "maximal-third-hop", "pairs"] {
        assert_eq!(&claim(id).judge(DEFAULT_ROUTERS), finding(id));
    }
}
