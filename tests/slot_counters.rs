//! Slot tables made by counters: in the test bench of their own, in lockstep in both forms, and read back from their images.

#[allow(dead_code)]
use crate::common;
use crate::common::graphs::grid;
use crate::common::slots::{Slots, router};
use metronoc::collective::general::{AllGather, AllReduce, AllToAll, Broadcast, ChunkArrays, Definition, Rule};
use metronoc::collective::{Collective, Dtype};
use metronoc::cosim::{
    Interface, Session, Simulator, Sources, TileForm, TileInterface, Top, Verdict, slot_table_parts, tile_form,
};
use metronoc::id::NodeId;
use metronoc::lower::slot_table::{NodeMemory, SlotTableError, SlotTableFigures, Way};
use metronoc::lower::{Images, LowerError, Programmed, SlotTableLowered, lower_slot_table_in};
use metronoc::model::{Model, Sections};
use metronoc::schedule::general::{Effort, Found, Problem, search_in_parts};
use metronoc::spec::{Crosspoints, Operator, RouterSpec, ScheduleSpec, Storage};
use metronoc::topology::{Graph, Topology};
use std::rc::Rc;

/// Network, collective, words of a block, words of a part, and algorithm.
struct Case {
    net: Graph,
    rule: Rc<dyn Rule>,
    words: [u32; 2],
    algorithm: &'static str,
}

impl Case {
    fn new(net: Graph, rule: impl Rule + 'static, words: [u32; 2], algorithm: &'static str) -> Self {
        Self { net, rule: Rc::new(rule), words, algorithm }
    }

    /// All words of a pair one after the other, at every node of a torus at once.
    fn uniform() -> Self {
        Self::new(grid(&[3, 3], true), AllToAll, [8, 8], "uniform")
    }

    /// Parts of eight words that wait in banks, where other parts came between.
    fn strided() -> Self {
        Self::new(grid(&[2, 3], false), AllToAll, [8, 8], "balanced")
    }

    fn lowered(&self, router: &RouterSpec, storage: Storage) -> Result<(SlotTableLowered, ChunkArrays), LowerError> {
        let endpoints: Vec<NodeId> = (0..self.net.nodes()).map(NodeId::from).collect();
        let definition = Definition::new(self.rule.clone(), &endpoints, self.words[0], 1).expect("it fits");
        let problem = Problem::new(self.net.clone(), definition.demand());
        let effort = Effort { time_limit_s: 1, seed: 1 };
        let found = search_in_parts(&problem, self.words[1], self.algorithm, &effort);
        let Found { made, .. } = found.unwrap_or_else(|error| panic!("{error}"));
        let arrays = ChunkArrays::new(definition, made.chunk);
        let schedule = ScheduleSpec { storage, ..ScheduleSpec::default() };
        let lowered = lower_slot_table_in(&self.net, &made.program, &arrays, router, &schedule)?;
        Ok((lowered, arrays))
    }

    /// Hardware of counters with its files.
    fn slots(&self, router: &RouterSpec) -> (Slots, ChunkArrays) {
        let (lowered, arrays) = self.lowered(router, Storage::Counter).unwrap_or_else(|error| panic!("{error}"));
        (Slots::of(lowered, &arrays), arrays)
    }
}

/// Every channel in every cycle against the model, and the words against the definition.
fn agree(slots: &Slots, arrays: &dyn Collective, simulator: &mut dyn Simulator) {
    let lowered = &slots.lowered;
    let model = Rc::new(Model::new(lowered).expect("no conflict"));
    let words = arrays.random(Dtype::filling(lowered.frame.data_bits).expect("a width"), 5).expect("few words");
    let (payload, _) = model.run(&lowered.arrays(arrays), &words);
    let load = lowered.loads_of_each(&words.to_vec()).concat();
    let outcome =
        Session::of_moved_words(&model, load, payload, Some(Sections::All), 3).run(simulator).expect("it runs");
    assert_eq!(outcome.verdict, Verdict::Agreed);
    assert_eq!(outcome.faults.as_deref(), Some(&[][..]));
    let expected = arrays.expected(&words);
    let wanted: Vec<u64> = lowered.result_indices().into_iter().map(|index| expected.get(index)).collect();
    assert_eq!(outcome.received, wanted.repeat(3));
}

fn agrees_in_top(slots: &Slots, arrays: &dyn Collective) {
    let built = common::built(slots.files(), &slot_table_parts(&slots.lowered).expect("a wrapper"));
    agree(slots, arrays, &mut Top::new(&built, Interface::from(&slots.lowered)).expect("it loads"));
}

fn agrees_tile_by_tile(slots: &Slots, arrays: &dyn Collective) {
    let built = common::built(slots.files(), &tile_form::slot_table_parts(&slots.lowered).expect("a wrapper"));
    let interface = TileInterface::slot_table(&slots.lowered, &Sources::new(slots.files())).expect("images");
    agree(slots, arrays, &mut TileForm::new(&built, interface).expect("it loads"));
}

fn ways(lowered: &SlotTableLowered) -> Vec<Way> {
    let layouts = &lowered.counters.as_ref().expect("counters").layouts;
    layouts.iter().flat_map(|layout| layout.addresses.iter().map(|(_, way)| *way)).collect()
}

#[test]
fn a_part_of_several_words_is_a_loop_of_one_row() {
    let (slots, arrays) = Case::uniform().slots(&router(16));
    let memory = slots.lowered.program_memory();
    let counters = memory.counters.expect("counters");
    assert_eq!((counters.different, counters.rows), (1, counters.loops));
    // one image serves all nine nodes
    let NodeMemory { whole_bits, table_bits, counter_bits } = memory.largest;
    assert_eq!((table_bits, counter_bits), (memory.different_bits, Some(counters.bits)));
    assert!(9 * table_bits == memory.bits && whole_bits > table_bits, "{memory:?}");
    // addresses need no bits; each loop has a row in place of eight
    assert!(ways(&slots.lowered).iter().all(|&way| way == Way::Counted), "{:?}", ways(&slots.lowered));
    assert!(8 * counters.bits < memory.different_bits, "{memory:?}");
    agrees_in_top(&slots, &arrays);
    agrees_tile_by_tile(&slots, &arrays);
}

#[test]
#[ignore = "five networks in two simulators each; .ci/run includes it"]
fn counters_do_what_tables_do() {
    let torus = || grid(&[3, 3], true);
    let mut seen = Vec::new();
    for case in [
        Case::new(torus(), AllToAll, [1, 1], "uniform"),
        Case::strided(),
        Case::new(torus(), AllGather, [4, 4], "matching"),
        Case::new(grid(&[2, 3], false), Broadcast { root: 4 }, [24, 1], "matching"),
        Case::new(grid(&[4], true), AllReduce { operator: Operator::Sum }, [6, 3], "best"),
    ] {
        let (slots, arrays) = case.slots(&router(16));
        let (rom, _) = case.lowered(&router(16), Storage::Rom).expect("tables");
        assert!(slots.lowered.program_memory().counters.unwrap().bits < rom.figures().table_bits);
        assert_eq!(slots.lowered.rows, rom.rows);
        assert_eq!(slots.passes(), 2 * u64::from(slots.lowered.results) * case.net.nodes() as u64);
        agrees_in_top(&slots, &arrays);
        seen.extend(ways(&slots.lowered));
    }
    for way in [Way::Fixed, Way::Counted, Way::Stored, Way::Strided] {
        assert!(seen.contains(&way), "no address is {way:?}");
    }
}

#[test]
fn tiles_that_are_alike_have_as_many_rows_and_loops() {
    let case = Case::new(grid(&[2, 2], true), AllToAll, [6, 3], "balanced");
    let (slots, arrays) = case.slots(&RouterSpec { crosspoints: Crosspoints::All, ..router(16) });
    assert!(slots.lowered.is_alike());
    let counters = slots.lowered.counters.as_ref().expect("counters");
    let lasts = |node: usize| counters.nodes[node].loops.iter().position(|each| each.get(0, 1) == 1);
    assert!(slots.lowered.program_memory().counters.unwrap().different > 1);
    assert!((0..4).any(|node| lasts(node) != lasts(0) || counters.nodes[node].stored != counters.nodes[0].stored));
    agrees_tile_by_tile(&slots, &arrays);
    agrees_in_top(&slots, &arrays);
}

#[test]
fn tables_without_regularity_are_refused_with_both_numbers() {
    // one word to each of two neighbours: rows are as many as loops have bits
    let case = Case::new(grid(&[2], false), AllToAll, [1, 1], "best");
    let Err(error) = case.lowered(&router(8), Storage::Counter) else { panic!("counters are smaller") };
    let (rom, _) = case.lowered(&router(8), Storage::Rom).expect("tables");
    let SlotTableFigures { table_bits, .. } = rom.figures();
    let Some(&SlotTableError::NoCounters { bits, table }) = error.family() else { panic!("{error}") };
    assert!(table == table_bits && bits >= table, "{bits} {table}");
    assert_eq!((error.field(), error.help()), (Some("schedule.storage"), "take storage = \"rom\""));
    assert_eq!(error.to_string(), format!("counters would have {bits} bits, and the slot tables have {table}"));
}

/// Images with one bit of a row turned round.
fn flipped(images: &Images, name: &str, row: usize, bit: usize) -> Images {
    let change = |(other, text): (&str, &str)| {
        let line = |(number, line): (usize, &str)| {
            let mut digits: Vec<char> = line.chars().collect();
            if other == name && number == row {
                let at = digits.len() - 1 - bit / 4;
                let digit = digits[at].to_digit(16).expect("a digit") ^ 1 << (bit % 4);
                digits[at] = char::from_digit(digit, 16).expect("a digit");
            }
            digits.into_iter().chain(['\n']).collect::<String>()
        };
        (other.to_owned(), text.lines().enumerate().map(line).collect::<String>())
    };
    images.iter().map(change).collect()
}

#[test]
fn every_flipped_bit_of_a_loop_is_found() {
    for case in [Case::uniform(), Case::strided()] {
        let (slots, _) = case.slots(&router(16));
        let lowered = &slots.lowered;
        let images = lowered.images();
        assert_eq!(&lowered.read(&images).expect("its own images"), lowered.read_back());
        let (mut found, mut unread) = (0, 0);
        for (name, text) in images.iter().filter(|(name, _)| !name.starts_with("places")) {
            let node = name.rsplit('_').next().and_then(|node| node.parse().ok()).unwrap_or(0);
            let layout = lowered.counters.as_ref().expect("counters").layout(node);
            let is_loop = name.starts_with("loops");
            let bits = if is_loop { layout.loop_bits } else { layout.stored_bits() };
            for (row, bit) in (0..text.lines().count()).flat_map(|row| (0..bits as usize).map(move |bit| (row, bit))) {
                match lowered.read(&flipped(&images, name, row, bit)) {
                    Ok(read) => {
                        assert!(&read == lowered.read_back(), "{name}, row {row}, bit {bit} makes another program");
                        // an address in a row that does not use it, or the stride of a loop of one turn
                        assert!(!is_loop || bit >= layout.strides[0].at as usize, "{name}, row {row}, bit {bit}");
                        unread += 1;
                    }
                    Err(LowerError::Image { .. }) => found += 1,
                    Err(error) if matches!(error.family(), Some(SlotTableError::Image { .. })) => found += 1,
                    Err(error) => panic!("{name}, row {row}, bit {bit}: {error}"),
                }
            }
        }
        assert!(found > unread, "{found} {unread}");
    }
}

#[test]
#[ignore = "several mutants in a simulator; .ci/run includes it"]
fn wrong_counters_are_found() {
    // loops that do not end, in few nodes: the bench waits for long
    let ring = Case::new(grid(&[4], true), AllToAll, [8, 8], "uniform");
    for (case, file, old, new) in [
        (ring, "rtl/mn_slot_loops.v", "turn_q : loop_end ?", "turn_q : turn_end ?"),
        (
            Case::strided(),
            "rtl/mn_slot_loops.v",
            "loop_end ? loop_q + 1'b1 : loop_q",
            "turn_end ? loop_q + 1'b1 : loop_q",
        ),
        (Case::strided(), "rtl/mn_slot_stride.v", "turn_i ? sum_q + stride_i", "turn_i ? stride_i"),
        (Case::strided(), "rtl/mn_slot_stride.v", "= loop_i ?", "= loop_i && !turn_i && stride_i[0] ?"),
        (Case::uniform(), "rtl/mn_slot_uses.v", "= first_i ?", "= 1'b0 ?"),
        (Case::uniform(), "rtl/mn_slot_uses.v", ": !use_i ?", ": 1'b0 ?"),
    ] {
        let (mut slots, _) = case.slots(&router(16));
        let text = slots.files.get_mut(file).expect("a module");
        assert_eq!(text.matches(old).count(), 1, "{old}");
        *text = text.replacen(old, new, 1);
        let said = slots.bench();
        assert!(!said.starts_with("PASS: "), "{file}, {new}: {said}");
    }
    // a row that is not of this network
    let (mut slots, _) = Case::uniform().slots(&router(16));
    let rows = slots.files.get_mut("rom/loops.hex").expect("an image");
    *rows = rows.lines().map(|row| format!("00{}\n", &row[2..])).collect();
    assert!(slots.bench().ends_with("fault 1"));
}
