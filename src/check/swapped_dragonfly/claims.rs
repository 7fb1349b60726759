//! The time model: which ports of a router a uniform program claims, and when.
//!
//! With hop latencies Hl and Hg in clock cycles, a launch of (γ,π,δ) in row s claims, at every router,
//!
//! | hop | port | cycle | made if |
//! |---|---|---|---|
//! | first local | local δ | s - Hl | δ ≠ 0 |
//! | global | global γ | s | always; where γ = 0 and d = p the channel is the loopback |
//! | last local | local π | s + Hg | π ≠ 0 |
//!
//! A claim is the one cycle in which the packet enters the channel; hops of several cycles are pipelined, so a channel
//! takes a packet every cycle. Cycles are counted from the first claimed one.

use crate::check::swapped_dragonfly::error::CheckError;
use crate::program::form::swapped_dragonfly::uniform::{HopLatency, UniformProgram};

/// Hop of a packet, of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hop {
    /// The local hop δ.
    FirstLocal,
    /// The global hop γ.
    Global,
    /// The local hop π.
    LastLocal,
}

impl Hop {
    /// The hop in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::FirstLocal => "first local",
            Self::Global => "global",
            Self::LastLocal => "last local",
        }
    }
}

/// One port of every router, claimed in one cycle by one launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Claim {
    /// The port: local ports 1..M-1 are 0..M-2, global port γ is M-1+γ.
    pub port: u32,
    /// The cycle, counted from the first claimed one.
    pub cycle: u32,
    /// Index of the launch in [`UniformProgram::launches`].
    pub launch: u32,
    /// The hop.
    pub hop: Hop,
}

/// Checks that hops take time, and that every cycle has 32 bits.
pub(super) fn in_time(HopLatency { local, global }: HopLatency, program: &UniformProgram) -> Result<(), CheckError> {
    if local == 0 || global == 0 {
        return Err(CheckError::HopLatency { local, global });
    }
    let last_row = program.launches().iter().map(|l| u64::from(l.row)).max().unwrap_or(0);
    // the last hop of the last row, to its end
    let end = last_row + u64::from(local) + u64::from(global) + u64::from(local.max(global));
    match end + u64::from(u8::MAX) > u64::from(u32::MAX) {
        true => Err(CheckError::TooLarge { what: "the last cycle", value: end, limit: u32::MAX.into() }),
        false => Ok(()),
    }
}

/// All claims of a program on D3(K,`m`), launch by launch.
///
/// # Errors
/// [`CheckError::HopLatency`] if a hop takes no time; [`CheckError::TooLarge`] if a cycle needs more than 32 bits.
pub fn claims(m: u32, latency: HopLatency, program: &UniformProgram) -> Result<Vec<Claim>, CheckError> {
    in_time(latency, program)?;
    let (HopLatency { local, global }, launches) = (latency, program.launches());
    let mut all = Vec::with_capacity(3 * launches.len());
    for (launch, l) in (0u32..).zip(launches) {
        let v = l.vector;
        // Shifted by Hl so that the first hop of row 0 is not before time zero.
        if v.delta != 0 {
            all.push(Claim { port: v.delta - 1, cycle: l.row, launch, hop: Hop::FirstLocal });
        }
        all.push(Claim { port: m - 1 + v.gamma, cycle: l.row + local, launch, hop: Hop::Global });
        if v.pi != 0 {
            all.push(Claim { port: v.pi - 1, cycle: l.row + local + global, launch, hop: Hop::LastLocal });
        }
    }
    let start = all.iter().map(|c| c.cycle).min().unwrap_or(0);
    all.iter_mut().for_each(|c| c.cycle -= start);
    Ok(all)
}
