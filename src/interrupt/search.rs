//! Searches: an interrupt stops one that is under way, which then gives the best that it has found; and the fewest cycles so far.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

/// Searches under way that an interrupt stops.
static UNDER_WAY: AtomicUsize = AtomicUsize::new(0);
static STOPPED: AtomicBool = AtomicBool::new(false);
/// Fewest cycles that the searches have found; the largest number if they have found nothing.
static FEWEST: AtomicU32 = AtomicU32::new(NOTHING);

const NOTHING: u32 = u32::MAX;

thread_local! {
    /// Turn of the search of this thread.
    static TURN: RefCell<Option<Turn>> = const { RefCell::new(None) };
    /// True while this thread searches for a part of a schedule.
    static PART: Cell<bool> = const { Cell::new(false) };
}

/// A search that the first interrupt stops, as long as this lives; a second interrupt ends the command.
#[derive(Debug)]
pub struct Stoppable(());

impl Stoppable {
    /// Begins a search.
    pub fn new() -> Self {
        if UNDER_WAY.fetch_add(1, Ordering::SeqCst) == 0 {
            STOPPED.store(false, Ordering::SeqCst);
            FEWEST.store(NOTHING, Ordering::SeqCst);
        }
        Self(())
    }

    /// True if an interrupt has stopped it.
    pub fn is_stopped(&self) -> bool {
        STOPPED.load(Ordering::SeqCst)
    }
}

impl Default for Stoppable {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Stoppable {
    fn drop(&mut self) {
        if UNDER_WAY.fetch_sub(1, Ordering::SeqCst) == 1 {
            STOPPED.store(false, Ordering::SeqCst);
            FEWEST.store(NOTHING, Ordering::SeqCst);
        }
    }
}

/// Stops the searches under way; false if there are none, or they were stopped before.
pub fn stop() -> bool {
    UNDER_WAY.load(Ordering::SeqCst) > 0 && !STOPPED.swap(true, Ordering::SeqCst)
}

/// Records that the running search has found a schedule of `cycles` cycles.
pub fn found(cycles: u32) {
    if !PART.get() {
        FEWEST.fetch_min(cycles, Ordering::SeqCst);
    }
}

/// Searches for a part of a schedule, whose cycles are not those of the whole.
pub fn part<T>(search: impl FnOnce() -> T) -> T {
    let outer = PART.replace(true);
    let result = search();
    PART.set(outer);
    result
}

/// Fewest cycles that the search under way has found.
pub fn fewest() -> Option<u32> {
    Some(FEWEST.load(Ordering::SeqCst)).filter(|&cycles| cycles != NOTHING && UNDER_WAY.load(Ordering::SeqCst) > 0)
}

/// True if the search of this thread is to give the best that it has: after an interrupt, or if its result is not needed any more.
pub fn is_over() -> bool {
    STOPPED.load(Ordering::SeqCst) || TURN.with_borrow(|turn| turn.as_ref().is_some_and(Turn::is_over))
}

/// Turn of a search among several, at the same time, of which the first that meets a goal makes those after it needless.
#[derive(Debug, Clone)]
pub struct Turn {
    place: usize,
    first: Arc<AtomicUsize>,
}

impl Turn {
    /// Turns of `count` searches.
    pub fn of(count: usize) -> Vec<Self> {
        let first = Arc::new(AtomicUsize::new(usize::MAX));
        (0..count).map(|place| Self { place, first: first.clone() }).collect()
    }

    /// Runs a search; `meets` is true of a result that meets the goal.
    pub fn run<T>(&self, search: impl FnOnce() -> T, meets: impl FnOnce(&T) -> bool) -> T {
        let outer = TURN.replace(Some(self.clone()));
        let result = search();
        TURN.set(outer);
        if meets(&result) {
            self.first.fetch_min(self.place, Ordering::SeqCst);
        }
        result
    }

    /// True if an earlier search has met the goal.
    fn is_over(&self) -> bool {
        self.first.load(Ordering::SeqCst) < self.place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_search_that_meets_the_goal_ends_those_after_it() {
        let [first, second, third] = &Turn::of(3)[..] else { panic!("three turns") };
        second.run(|| assert!(!is_over()), |()| true);
        first.run(|| assert!(!is_over()), |()| false);
        third.run(|| assert!(is_over()), |()| true);
        second.run(|| assert!(!is_over()), |()| true);
        assert!(!is_over());
    }
}
