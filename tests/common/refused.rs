//! Hardware that has one program refuses a swap to another.

use metronoc::cosim::status::{Fault, faults_of};
use metronoc::cosim::{Answer, Job, Simulator, Stop, Top};
use metronoc::lower::swapped_dragonfly::Frame;

/// Starts a collective with a program that is not there: every tile says so, until the faults are cleared, and it works all the same.
pub fn a_swap(top: &mut Top, frame: &Frame, words: Vec<u64>) {
    let jobs = [
        Job::Load(words),
        Job::Swap(1),
        Job::Start(1),
        Job::Drain,
        Job::Status,
        Job::Clear,
        Job::Start(1),
        Job::Status,
    ];
    jobs.into_iter().for_each(|job| top.queue(job));
    let none: &[u64] = &[];
    while top.run(&[none; 64], None).expect("it runs").stop != Stop::Done {}
    let status = |answer| match answer {
        Answer::Status(status) => Some(faults_of(frame, &status)),
        Answer::Drained(_) => None,
    };
    let found: Vec<Vec<Fault>> = top.answers().into_iter().filter_map(status).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].len(), frame.tiles as usize, "every tile says so: {found:?}");
    assert!(found[0].iter().all(|fault| fault.kind == "a program that was not loaded was asked for"), "{found:?}");
    assert_eq!(found[1], []);
}
