//! Slot tables in memory: other programs on the given hardware, loaded by the host and swapped in all tiles at once.

use crate::common;
use crate::common::slots::{Slots, Torus, listed, pairs, router};
use metronoc::collective::pops::{Delivery, Relation};
use metronoc::collective::{AllToAll, Collective, Dtype, Words};
use metronoc::cosim::status::faults_of;
use metronoc::cosim::{
    Answer, Job, Lockstep, Simulator, Sources, Start, TileForm, TileInterface, Top, Verdict, slot_table_parts,
    tile_form,
};
use metronoc::lower::{LowerError, SlotTableLowered, lower_slot_table_in};
use metronoc::model::{Model, Sections};
use metronoc::program::{Program, Switching};
use metronoc::spec::{RouterSpec, ScheduleSpec, Storage};
use metronoc::topology::Topology;
use std::rc::Rc;

const BITS: u32 = 16;

fn torus() -> Torus {
    Torus::new(&[3, 3], false)
}

fn hops() -> Switching {
    Switching::HopByChannel((0..36).map(|channel| 1 + channel % 2).collect())
}

fn memory(rows: Option<u32>, buffers: Option<u32>) -> ScheduleSpec {
    ScheduleSpec { storage: Storage::Ram, rows, buffers, ..ScheduleSpec::default() }
}

/// Hardware that was made for an all-to-all, with room for so many rows.
fn built(rows: Option<u32>, buffers: Option<u32>, router: &RouterSpec) -> Result<SlotTableLowered, LowerError> {
    let program = listed(&torus(), &hops(), &pairs(9), false);
    lower_slot_table_in(&torus(), &program, &AllToAll::new(9, 1, 1), router, &memory(rows, buffers))
}

/// A packet from every node to the one that lies opposite to it.
fn mirrored() -> Vec<(u32, u32)> {
    (0..9).map(|node| (node, 8 - node)).filter(|(from, to)| from != to).collect()
}

fn mirror() -> Delivery {
    Delivery::new(&Relation::Demands(mirrored()), 9, 1)
}

fn packets_of(packets: &[(u32, u32)]) -> Program {
    listed(&torus(), &hops(), packets, false)
}

/// A program on the hardware, its collective, and its words.
struct Case {
    lowered: SlotTableLowered,
    model: Rc<Model>,
    words: Words,
    expected: Vec<u64>,
    start: Start,
}

impl Case {
    fn new(lowered: SlotTableLowered, collective: &dyn Collective, seed: u64) -> Self {
        let model = Rc::new(Model::new(&lowered).expect("no conflict"));
        let words = collective.random(Dtype::filling(BITS).expect("a width"), seed).expect("few words");
        let (payload, _) = model.run(&lowered.arrays(collective), &words);
        let all = collective.expected(&words);
        let expected = lowered.result_indices().into_iter().map(|index| all.get(index)).collect();
        let start = Start { model: Rc::clone(&model), payloads: vec![Rc::new(payload)], count: 1 };
        Self { lowered, model, words, expected, start }
    }

    fn programs(&self, version: u8) -> Vec<Job> {
        let tiles = 0..self.lowered.nodes.len();
        tiles.map(|tile| Job::RouterProgram(tile as u32, self.lowered.pieces(tile, version))).collect()
    }

    fn loads(&self) -> Vec<Job> {
        let each = self.lowered.loads_of_each(&self.words.to_vec());
        let full = |(_, words): &(u32, Vec<u64>)| !words.is_empty();
        (0..).zip(each).filter(full).map(|(tile, words)| Job::TileLoad(tile, words)).collect()
    }

    /// The words of the result among all that were read out.
    fn read(&self, drained: &Answer) -> Vec<u64> {
        let Answer::Drained(all) = drained else { panic!("{drained:?}") };
        let result = |(place, index): (usize, Option<usize>)| index.map(|_| all[place]);
        self.lowered.result_places().into_iter().enumerate().filter_map(result).collect()
    }
}

/// An all-to-all, the same by another schedule, and a permutation, on hardware that was made for the first.
fn cases() -> [Case; 3] {
    let all = AllToAll::new(9, 1, 1);
    let router = RouterSpec { parity: true, ..router(BITS) };
    let first = built(Some(64), None, &router).expect("it fits");
    let other = first.with(&torus(), &listed(&torus(), &hops(), &pairs(9), true), &all).expect("it fits");
    let third = first.with(&torus(), &packets_of(&mirrored()), &mirror()).expect("it fits");
    [Case::new(first, &all, 1), Case::new(other, &all, 2), Case::new(third, &mirror(), 3)]
}

/// Swaps from program to program in lockstep with their models.
fn swapped(simulator: &mut dyn Simulator) {
    let cases = cases();
    let mut lockstep = Lockstep::new(simulator, &cases[0].model, Some(Sections::All));
    let order = [0, 1, 2, 0, 2];
    for (version, &case) in (0..).zip(&order) {
        let case: &Case = &cases[case];
        if version > 0 {
            case.programs(version).into_iter().for_each(|job| lockstep.queue(job));
            lockstep.queue(Job::Swap(version));
        }
        case.loads().into_iter().for_each(|job| lockstep.queue(job));
        lockstep.start(case.start.clone());
        lockstep.queue(Job::Drain);
    }
    lockstep.queue(Job::Status);
    assert_eq!(lockstep.run().expect("it runs"), Verdict::Agreed);
    let answers = lockstep.answers();
    for (&case, drained) in order.iter().zip(&answers) {
        assert_eq!(cases[case].read(drained), cases[case].expected, "program {case}");
    }
    let frame = &cases[0].lowered.frame;
    let status = |answer: Option<&Answer>| match answer {
        Some(Answer::Status(status)) => status.clone(),
        other => panic!("{other:?}"),
    };
    let words = status(answers.last());
    assert_eq!(faults_of(frame, &words), []);
    assert!(words.iter().all(|word| word >> 48 & 0xff == 4), "the version in use: {words:x?}");

    // a version that is not there: the program goes on, and every tile says so
    let last = &cases[2];
    let mut refused = |jobs: Vec<Job>, start: &Case, tiles: usize| {
        lockstep.queue(Job::Clear);
        jobs.into_iter().for_each(|job| lockstep.queue(job));
        lockstep.start(start.start.clone());
        lockstep.queue(Job::Drain);
        lockstep.queue(Job::Status);
        assert_eq!(lockstep.run().expect("it runs"), Verdict::Agreed);
        let answers = lockstep.answers();
        let found = faults_of(frame, &status(answers.last()));
        assert_eq!(found.len(), tiles, "{found:?}");
        assert!(found.iter().all(|fault| fault.kind == "a program that was not loaded was asked for"), "{found:?}");
        start.read(&answers[0])
    };
    let read = refused([vec![Job::Swap(9)], last.loads()].concat(), last, 9);
    assert_eq!(read, last.expected);
    // nothing is wrong without a swap
    assert_eq!(refused(last.loads(), last, 0), last.expected);
}

#[test]
fn programs_are_swapped_in_all_tiles_at_once() {
    let [first, ..] = cases();
    let slots = files(&first.lowered);
    let top = common::built(slots.files(), &slot_table_parts(&first.lowered).expect("a shim"));
    swapped(&mut Top::new(&top, &first.lowered).expect("it loads"));
    let tile = common::built(slots.files(), &tile_form::slot_table_parts(&first.lowered).expect("a wrapper"));
    let sources = Sources::new(slots.files());
    let interface = TileInterface::slot_table(&first.lowered, &sources).expect("images");
    swapped(&mut TileForm::new(&tile, interface).expect("it loads"));
}

fn files(lowered: &SlotTableLowered) -> Slots {
    Slots::of(lowered.clone(), &AllToAll::new(9, 1, 1))
}

#[test]
#[ignore = "a simulator; .ci/run includes it"]
fn words_at_the_places_of_another_program_are_a_fault() {
    let [first, other, _] = cases();
    let slots = files(&first.lowered);
    let top = common::built(slots.files(), &slot_table_parts(&first.lowered).expect("a shim"));
    // words before the program that takes them; words for a program that is not swapped in
    let early = [first.loads(), other.programs(1), vec![Job::Swap(1), Job::Start(1), Job::Status]].concat();
    let ahead = [other.programs(1), other.loads(), vec![Job::Start(1), Job::Status]].concat();
    for jobs in [early, ahead] {
        let mut top = Top::new(&top, &first.lowered).expect("it loads");
        jobs.into_iter().for_each(|job| top.queue(job));
        let none: &[u64] = &[];
        while top.run(&[none; 64], None).expect("it runs").stop != metronoc::cosim::Stop::Done {}
        let [Answer::Status(status)] = &top.answers()[..] else { panic!("no status") };
        assert_eq!(faults_of(&first.lowered.frame, status).len(), 9);
    }
}

#[test]
fn a_program_that_does_not_fit_is_refused_with_the_number() {
    let hardware = built(None, None, &router(BITS)).expect("it fits");
    assert!(hardware.is_alike() && hardware.rows.is_power_of_two());
    let sizes = hardware.memory.as_ref().expect("it is in memory");
    assert_eq!((sizes.hosts, sizes.kept, sizes.loads), (4, 2, 4 * sizes.host_depth));
    let (net, all) = (torus(), AllToAll::new(9, 1, 1));
    let refused = |lowered: Result<SlotTableLowered, LowerError>| lowered.expect_err("it does not fit").to_string();

    let program = |wait: u32| {
        let mut program: Program = listed(&net, &hops(), &pairs(9), false);
        program.moves[0].at += wait;
        program
    };
    let late = hardware.rows + 40;
    let said = refused(hardware.with(&net, &program(late), &all));
    assert!(said.contains(&format!("{} rows", hardware.rows)) && said.contains("the schedule takes "), "{said}");
    let said = refused(built(Some(4), None, &router(BITS)));
    assert!(said.contains("4 rows"), "{said}");
    let said = refused(built(None, Some(1), &router(BITS)));
    assert!(said.starts_with("slot tables with 1 words of a bank cannot hold the program, which needs "), "{said}");

    // hardware that was made for a word a node
    let small = lower_slot_table_in(&net, &packets_of(&mirrored()), &mirror(), &router(BITS), &memory(Some(64), None));
    let small = small.expect("it fits");
    let said = refused(small.with(&net, &program(0), &all));
    assert_eq!(said, "slot tables with 4 words that a tile takes cannot hold the program, which needs 8");

    let rom = Slots::new(&net, &program(0), &all, &router(BITS));
    let said = refused(rom.lowered.with(&net, &program(0), &all));
    assert!(said.contains("read-only memory"), "{said}");
    let other = Torus::new(&[9], false);
    let said = refused(hardware.with(&other, &listed(&other, &Switching::Hop(vec![1; 2]), &pairs(9), false), &all));
    assert!(said.contains("another network") || said.contains("rows"), "{said}");
    assert_eq!(net.nodes(), 9);
}
