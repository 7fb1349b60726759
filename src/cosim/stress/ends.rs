//! Ends: tiles that end alone, or not at all, and no tile that ends.

use super::trials::{New, Trials, first_row, launch, statuses_of, whole};
use crate::cosim::CosimError;
use crate::cosim::lockstep::Lockstep;
use crate::cosim::session::Session;
use crate::cosim::simulator::Register;
use crate::cosim::status::BROKEN_ORDER;

/// Most tiles whose ends are disturbed.
const ENDS: usize = 64;
/// Collectives that may be on their way when one is launched; with more the host reports broken order.
const IN_FLIGHT: u64 = 30;
/// Most cycles from the end of all tiles, in the leaves of the tree of ends, to the host.
const TREE_CYCLES: u64 = 12;

/// Register with the leaves of the tree of ends; inner nodes are fewer.
fn leaves(registers: &[Register], end: &str, tiles: u32) -> Option<usize> {
    let of = |name: &str| name.contains("u_done") && name.ends_with(end);
    registers.iter().position(|register| of(&register.name) && register.bits == tiles)
}

/// Lets single tiles end while no collective does, and keeps the ends of single tiles back.
pub(super) fn of_single_tiles(session: &Session, first: u64, new: New<'_>) -> Result<Trials, CosimError> {
    let model = session.model();
    let tiles = model.fabric().tiles;
    let registers = new()?.registers();
    // an end among idle tiles is no end of all, so that the inverse of a leaf in every cycle only keeps its end back
    let collective = whole(model);
    let kinds = [
        ("any_q", 1, true, "ended while no other did"),
        ("all_q", 1, false, "ended where the ends of all are waited for"),
        ("all_q", collective, true, "did not end"),
    ];
    let mut count = 0;
    for tile in (0..tiles).step_by((tiles as usize).div_ceil(ENDS).max(1)) {
        for (end, cycles, reported, what) in kinds {
            let Some(leaf) = leaves(&registers, end, tiles) else { continue };
            count += 1;
            let mut simulator = new()?;
            let mut lockstep = Lockstep::new(&mut *simulator, model, None);
            session.queue(&mut lockstep);
            for cycle in first..first + cycles {
                lockstep.run_to(cycle)?;
                lockstep.simulator().upset(leaf, 0, tile);
            }
            lockstep.run()?;
            let faults = statuses_of(session, &mut lockstep);
            let signal = lockstep.fault_signal();
            // a collective that does not end leaves its results unread, and the host without an answer
            let told = faults.iter().any(|fault| fault.kind == BROKEN_ORDER) || (faults.is_empty() && cycles > 1);
            if (told && signal) != reported {
                let provoked = format!("{} {what}", model.fabric().tile_name(tile as usize));
                let missing = if reported {
                    format!("no {BROKEN_ORDER} is reported")
                } else {
                    "its end is that of all".to_owned()
                };
                return Ok(Trials::failed(count, provoked, missing));
            }
        }
    }
    Ok(Trials::passed(count))
}

/// Leaves of the tree of ends, of which the host waits for all and is told of any.
struct EndTree<'a> {
    session: &'a Session,
    leaves: [usize; 2],
}

impl EndTree<'_> {
    /// Starts so many collectives behind each other, and gives the cycle of the first row.
    fn launch(&self, lockstep: &mut Lockstep<'_>, count: u64) -> Result<Option<u64>, CosimError> {
        let Some((words, _)) = self.session.first() else { return Ok(None) };
        launch(self.session, lockstep, count);
        let patience = 10_000 + 8 * words.len() as u64;
        first_row(lockstep, patience)
    }

    /// Keeps the ends of all tiles back that are in the leaves in a cycle.
    fn keep_back(&self, lockstep: &mut Lockstep<'_>, cycle: u64) -> Result<(), CosimError> {
        lockstep.wait_to(cycle)?;
        for leaf in self.leaves {
            for tile in 0..self.session.model().fabric().tiles {
                lockstep.simulator().upset(leaf, 0, tile);
            }
        }
        Ok(())
    }

    /// Cycles from a first row to the ends in the leaves: if they are kept back in another cycle, something else ends.
    fn ends(&self, new: New<'_>) -> Result<Option<u64>, CosimError> {
        let model = self.session.model();
        let mut simulator = new()?;
        let mut lockstep = Lockstep::new(&mut *simulator, model, None);
        let Some(first) = self.launch(&mut lockstep, 1)? else { return Ok(None) };
        let end = first + whole(model);
        while lockstep.busy_signal() && lockstep.cycle() < end {
            lockstep.wait_to(lockstep.cycle() + 1)?;
        }
        let idle = lockstep.cycle();
        for cycle in idle.saturating_sub(TREE_CYCLES).max(first)..idle {
            let mut simulator = new()?;
            let mut lockstep = Lockstep::new(&mut *simulator, model, None);
            self.launch(&mut lockstep, 1)?;
            self.keep_back(&mut lockstep, cycle)?;
            lockstep.wait_to(idle + TREE_CYCLES)?;
            if lockstep.busy_signal() && !lockstep.fault_signal() {
                return Ok(Some(cycle - first));
            }
        }
        Ok(None)
    }
}

/// Keeps the ends of all tiles back while collectives follow each other: the host must say so in the cycle in which it launches more than may be
/// on their way.
pub(super) fn of_no_tile(session: &Session, new: New<'_>) -> Result<Trials, CosimError> {
    let model = session.model();
    let registers = new()?.registers();
    let found = ["any_q", "all_q"].map(|end| leaves(&registers, end, model.fabric().tiles));
    let ([Some(any), Some(all)], Some(_)) = (found, session.first()) else {
        return Ok(Trials::passed(0));
    };
    let tree = EndTree { session, leaves: [any, all] };
    let trials = |missing: Option<String>| {
        Ok(missing.map_or(Trials::passed(1), |missing| Trials::failed(1, "no tile ended".to_owned(), missing)))
    };
    let Some(ends) = tree.ends(new)? else { return trials(Some("the host no longer waits".to_owned())) };
    let mut simulator = new()?;
    let mut lockstep = Lockstep::new(&mut *simulator, model, None);
    let Some(first) = tree.launch(&mut lockstep, IN_FLIGHT + 4)? else {
        return trials(Some("nothing is launched".to_owned()));
    };
    for collective in 0..IN_FLIGHT + 2 {
        let cycle = first + ends + collective * model.interval();
        while lockstep.cycle() < cycle && !lockstep.fault_signal() {
            lockstep.wait_to(lockstep.cycle() + 1)?;
        }
        if lockstep.fault_signal() {
            break;
        }
        tree.keep_back(&mut lockstep, cycle)?;
    }
    let due = first + (IN_FLIGHT + 1) * model.interval() - u64::from(model.fabric().tree_cycles());
    trials(match lockstep.fault_signal() {
        true if lockstep.cycle() == due => None,
        true => Some(format!("fault_o is high in cycle {}, not {due}", lockstep.cycle())),
        false => Some("fault_o is low".to_owned()),
    })
}
