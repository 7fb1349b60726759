//! The documentation's figures of area are those of the record, and the record is what synthesis says.

#[path = "../benches/area/mod.rs"]
mod figures;

use figures::{CHANGES, PAGE, README, Record, couplers, slot_routers, slot_tiles};
use metronoc::tool::{Progress, Tool, ensure};
use std::fs;

#[test]
fn the_tables_are_the_record() {
    let record = Record::load().expect("the record");
    for (k, m, stages) in figures::SIZES {
        assert!(record.sizes.iter().any(|s| (s.k, s.m, s.stages) == (k, m, stages)), "D3({k},{m}) with {stages}");
    }
    for size in record.sizes.iter().filter(|size| figures::NETWORKS.contains(&(size.k, size.m))) {
        assert_eq!(size.cycles, figures::cycles(size.k, size.m, size.stages).expect("a schedule"), "{size:?}");
    }
    for (k, m) in figures::NETWORKS {
        let changes: Vec<&str> =
            record.variants.iter().filter(|v| (v.k, v.m) == (k, m)).map(|v| v.change.as_str()).collect();
        assert_eq!(changes, CHANGES.map(|(_, line)| line), "D3({k},{m})");
    }
    for (file, mark, table) in [
        (PAGE, "sizes", record.sizes(true)),
        (PAGE, "copying", record.copying()),
        (PAGE, "options", record.variants()),
        (PAGE, "couplers", couplers::table(&record.couplers)),
        (PAGE, "slot-routers", slot_routers::table(&record.slot_routers)),
        (PAGE, "slot-tiles", slot_tiles::table(&record.slot_tiles)),
        (README, "sizes", record.sizes(false)),
    ] {
        let text = fs::read_to_string(file).expect("the page");
        let renewed = figures::with_table(&text, mark, &table).expect("the marks of the table");
        assert!(text == renewed, "{file}: run `cargo bench --bench router_area -- --write`");
    }
    let copying: Vec<_> = record.copying.iter().map(|one| (one.k, one.m, one.stages)).collect();
    assert_eq!(copying, figures::COPYING);
    let all: Vec<_> = record.couplers.iter().map(|one| (one.d, one.mode)).collect();
    let modes = couplers::MODES.len() as u32;
    assert_eq!(all, couplers::SENDERS.into_iter().flat_map(|d| (0..modes).map(move |m| (d, m))).collect::<Vec<_>>());
    let all: Vec<_> = record.slot_tiles.iter().map(|one| (one.words, &*one.storage)).collect();
    let storages = slot_tiles::STORAGES;
    assert_eq!(all, slot_tiles::WORDS.into_iter().flat_map(|w| storages.map(|s| (w, s))).collect::<Vec<_>>());
    // a figure that was changed by hand is noticed
    let mut other = record.clone();
    other.sizes[0].router.luts += 1;
    assert_ne!(other.sizes(true), record.sizes(true));
    // the aim for the smallest router, with two registers in its crossbar
    let aim = record.sizes.iter().find(|s| (s.k, s.m, s.stages) == (2, 3, 2)).expect("D3(2,3)");
    assert!(aim.router.luts <= 275, "{aim:?}");
    // and for the routers that copy: at most 1.2 times the LUTs of those that do not, and at least 0.85 of their clock
    for one in &record.copying {
        let beside =
            record.sizes.iter().find(|s| (s.k, s.m, s.stages) == (one.k, one.m, one.stages)).expect("its size");
        assert!(10 * one.router.luts <= 12 * beside.router.luts, "{one:?}");
        let least = 0.85 * figures::median(&beside.mhz).expect("its clock");
        assert!(one.mhz.iter().all(|seeds| figures::median(seeds).is_some_and(|mhz| mhz >= least)), "{one:?}");
    }
}

/// With eight senders: scheduled at most 1.1 times the AND-OR, round-robin at most 1.25 times the scheduled one; both reach 250 MHz.
#[test]
fn couplers_are_hardly_more_than_an_and_or() {
    let record = Record::load().expect("the record");
    let luts = |mode| record.couplers.iter().find(|one| (one.d, one.mode) == (8, mode)).expect("it").area.luts;
    assert!(10 * luts(0) <= 11 * u64::from(couplers::and_or(8)), "{}", luts(0));
    assert!(4 * luts(2) <= 5 * luts(0), "{} and {}", luts(2), luts(0));
    for mode in [0, 2] {
        let coupler = record.couplers.iter().find(|one| (one.d, one.mode) == (8, mode)).expect("it");
        assert!(figures::median(&coupler.mhz).is_some_and(|mhz| mhz >= 250.0), "{coupler:?}");
    }
}

/// The crosspoints of an all-to-all: at most 100 LUTs at a node with two channels, and 500 with four.
#[test]
fn slot_table_routers_build_what_they_use() {
    let record = Record::load().expect("the record");
    for ((network, _), most) in slot_routers::NETWORKS.into_iter().zip([100, 500]) {
        let of = |built: &str| {
            let found = record.slot_routers.iter().find(|one| (&*one.network, &*one.crosspoints) == (network, built));
            found.expect("it is measured")
        };
        let [used, all] = slot_routers::CROSSPOINTS.map(of);
        assert!(used.area.luts <= most, "{used:?}");
        assert!(used.count() < all.count() && all.count() == all.built.len());
    }
}

#[test]
#[ignore = "synthesis, place and route of several modules; .ci/run includes it"]
fn the_smallest_figures_are_what_synthesis_says() {
    let tools = ensure(&[Tool::Yosys], Progress::Silent).expect("Yosys");
    let record = Record::load().expect("the record");
    let size = record.sizes.iter().find(|s| (s.k, s.m, s.stages) == (2, 3, 2)).expect("D3(2,3)");
    assert_eq!(figures::source_vector(&tools, 2, 3, 2).expect("the router"), size.router);
    let copying = record.copying.iter().find(|one| (one.k, one.m, one.stages) == (2, 3, 2)).expect("D3(2,3)");
    assert_eq!(figures::synchronizing(&tools, 2, 3, 2).expect("the router"), copying.router);
    let (tile, once) = figures::tile(&tools, (2, 3, 2), CHANGES[0]).expect("the tile");
    assert_eq!((tile, once), (size.tile, None));
    for mode in [0, 2] {
        let coupler = record.couplers.iter().find(|one| (one.d, one.mode) == (4, mode)).expect("the coupler");
        assert_eq!(couplers::coupler(&tools, 4, mode).expect("the coupler"), coupler.area);
    }
    let slot = &record.slot_routers[0];
    let found = slot_routers::router(&tools, slot_routers::NETWORKS[0], &slot.crosspoints).expect("the router");
    assert_eq!((&found.built, found.area), (&slot.built, slot.area));
    let slot = &record.slot_tiles[1];
    assert_eq!(&slot_tiles::tile(&tools, slot.words, &slot.storage).expect("the tile"), slot);
    // parity is not for nothing
    let (with_parity, _) = figures::tile(&tools, (2, 3, 2), CHANGES[1]).expect("the tile");
    assert!(with_parity.luts > tile.luts && with_parity.registers > tile.registers, "{with_parity:?}");
}
