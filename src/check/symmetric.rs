//! The proof through symmetry: one router's claims, checked once, stand for every router.
//!
//! Let every router launch the same vectors in the same cycles. As every port is a permutation of the routers
//! ([`super::symmetry`]), the packets of one launch are at each moment one at every router, and in the cycle of a claim
//! one crosses every channel of the claimed port. So two packets want one channel in one cycle *if and only if* two
//! launches claim the same port in the same cycle; it is enough to look at the claims of a single router. And as the sums
//! of coordinates are Latin squares, (γ,π,δ) ↦ (c+γ, p+δ, d+π) is a bijection onto the routers from every source: if every
//! vector is launched exactly once, every router sends every router exactly one packet.
//!
//! Time K·M²·log(K·M²), memory about 50 bytes a vector: the 6.9·10¹⁰ packets of D3(64,64) are never looked at.

use super::claims::{Claim, claims};
use super::error::{CheckError, Claimant, Conflict, Origin, Path};
use super::symmetry::{Shape, Symmetry};
use crate::schedule::{HopLatency, UniformProgram};
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::{RouterAddress, SourceVector};
use serde::Serialize;

/// A uniform program of which it is proved that it delivers everything without a conflict. Made by [`prove`] alone.
#[derive(Debug, Clone)]
pub struct Proved {
    /// The network's symmetry, for expanding the program.
    pub symmetry: Symmetry,
    /// Cycles from the first claimed one to the last, both included.
    pub cycles: u32,
    /// The smallest number of cycles, not below the program's rows, after which the program can start again.
    pub period: u32,
    /// Proof: counts and conclusions.
    pub proof: Proof,
}

/// Proof of a verdict on a uniform program, in counts. [`Proof::lines`] puts them in sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// Method of the proof.
    pub method: &'static str,
    /// Routers, all of which were visited: K·M².
    pub routers: u64,
    /// Ports of each router, all of which were followed: M-1 local, then K global.
    pub ports: u64,
    /// Channels that were followed, loopbacks included.
    pub channels: u64,
    /// Loopbacks among them: global port 0 of the routers with d = p.
    pub loopbacks: u64,
    /// Source vectors, each launched exactly once.
    pub vectors: u64,
    /// Claims (port, cycle) of one router, all different.
    pub claims: u64,
    /// Packets that arrive exactly once each, self packets included.
    pub packets: u64,
    /// Channel crossings of these packets, loopbacks included, no two of them in one channel and cycle.
    pub transfers: u64,
    /// Clock cycles of a local and of a global hop.
    pub hop: [u32; 2],
    /// Cycles from the first claimed one to the last, both included.
    pub cycles: u32,
    /// The smallest repetition period without a conflict, in cycles.
    pub period: u32,
}

impl Proof {
    /// The argument, a step a line.
    pub fn lines(&self) -> Vec<String> {
        let Self {
            routers, ports, channels, loopbacks, vectors, claims, packets, transfers, hop, cycles, period, ..
        } = self;
        let [local, global] = hop;
        vec![
            format!(
                "alike: all {routers} routers were visited and each of their {ports} ports followed ({channels} channels): local port x \
                 leads from (c,d,p) to (c,d,p+x), global port γ to (c+γ,p,d); the sums are Latin squares, every port is a permutation \
                 of the routers, and the {loopbacks} loopbacks are exactly global port 0 where d = p"
            ),
            format!(
                "no conflict: so the packets of one launch cross every channel of a claimed port at once, and one router stands for \
                 all; its {claims} claims (port, cycle) are all different, hence no channel is wanted twice in a cycle ({transfers} \
                 transfers)"
            ),
            format!(
                "delivery: each of the {vectors} source vectors is launched exactly once, and the vector leads to a different router \
                 each from every source, hence {packets} packets arrive exactly once each"
            ),
            format!(
                "no waiting: a packet's claims lie one hop apart ({local} cycles for a local hop, {global} for a global one), so no \
                 router needs a buffer; the last claim is in cycle {} of 0..{}, and the program can start again every {period} cycles",
                cycles.saturating_sub(1),
                cycles.saturating_sub(1),
            ),
        ]
    }
}

/// Proves that a program, run by every router of `net` at once, is complete and conflict-free.
///
/// # Errors
/// A [`CheckError`] for a port that no router has, a vector launched twice or never, a conflict, a network whose routers are
/// not alike, latencies of zero and sizes beyond 32 bits.
pub fn prove<T: Topology + Sync + ?Sized>(
    net: &T,
    shape: Shape,
    latency: HopLatency,
    program: &UniformProgram,
) -> Result<Proved, CheckError> {
    let symmetry = Symmetry::verify(net, shape)?;
    check_range(shape, program)?;
    check_vectors(&symmetry, program)?;
    let mut claims = claims(shape.m, latency, program)?;
    claims.sort_unstable();
    if let Some(pair) = claims.windows(2).find(|w| (w[0].port, w[0].cycle) == (w[1].port, w[1].cycle)) {
        return Err(conflict(net, &symmetry, program, [pair[0], pair[1]]));
    }
    let cycles = claims.iter().map(|c| c.cycle + 1).max().unwrap_or(0);
    let period = smallest_period(&claims, program.rows());
    let proof = Proof {
        method: "symmetry",
        routers: shape.routers(),
        ports: shape.ports().into(),
        channels: shape.routers() * u64::from(shape.ports()),
        loopbacks: u64::from(shape.k) * u64::from(shape.m),
        vectors: program.launches().len() as u64,
        claims: claims.len() as u64,
        packets: shape.routers() * shape.routers(),
        transfers: shape.routers() * claims.len() as u64,
        hop: [latency.local, latency.global],
        cycles,
        period,
    };
    Ok(Proved { symmetry, cycles, period, proof })
}

fn check_range(shape: Shape, program: &UniformProgram) -> Result<(), CheckError> {
    let Shape { k, m } = shape;
    let outside = |v: SourceVector| v.gamma >= k || v.pi >= m || v.delta >= m;
    match program.launches().iter().find(|l| outside(l.vector)) {
        Some(l) => Err(CheckError::VectorOutOfRange { vector: l.vector, row: l.row, k, m }),
        None => Ok(()),
    }
}

fn check_vectors(symmetry: &Symmetry, program: &UniformProgram) -> Result<(), CheckError> {
    let Shape { k: _, m } = symmetry.shape();
    let expected = symmetry.shape().routers();
    let mut row_of: Vec<Option<u32>> = vec![None; expected as usize];
    for l in program.launches() {
        let v = l.vector;
        let seen = &mut row_of[((v.gamma * m + v.pi) * m + v.delta) as usize];
        if let Some(row) = seen.replace(l.row) {
            let (first, second) = (row.min(l.row), row.max(l.row));
            return Err(CheckError::DuplicateVector { vector: v, first, second });
        }
    }
    let missing = row_of.iter().filter(|row| row.is_none()).count() as u64;
    match (0u32..).zip(&row_of).find(|(_, row)| row.is_none()) {
        Some((i, _)) => {
            let vector = SourceVector { gamma: i / (m * m), pi: i / m % m, delta: i % m };
            let destination = symmetry.destination(RouterAddress { c: 0, d: 0, p: 0 }, vector).into();
            Err(CheckError::MissingVector { vector, destination, missing, expected })
        }
        None => Ok(()),
    }
}

fn conflict<T: Topology + ?Sized>(
    net: &T,
    symmetry: &Symmetry,
    program: &UniformProgram,
    pair: [Claim; 2],
) -> CheckError {
    // Every router has the conflict; at (0,0,1), none of whose ports is a loopback, both packets need a real channel.
    let at = RouterAddress { c: 0, d: 0, p: 1 };
    let claimant = |claim: Claim| {
        let launch = program.launches()[claim.launch as usize];
        let src = symmetry.source(at, launch.vector, claim.hop);
        let dst = symmetry.destination(src, launch.vector);
        let origin = Origin::Launch { vector: launch.vector, row: launch.row, hop: claim.hop.name() };
        Claimant { path: Path { src: src.into(), dst: dst.into() }, origin }
    };
    let channel = net.channel_id(symmetry.shape().node(at), pair[0].port as usize);
    let [first, second] = pair.map(claimant);
    Conflict { channel: net.describe(channel), cycle: pair[0].cycle, first, second, everywhere: true }.into()
}

/// The smallest P ≥ `rows` such that conflict-free claims, sorted by port and cycle, do not collide modulo P.
///
/// Two claims of a port collide modulo P iff their distance is a multiple of P. Distances are below `rows` + Hl + Hg, so
/// for P ≥ `rows` ≥ Hl + Hg only P itself counts, and only near the two ends of the program can claims lie that far apart.
/// Shorter programs make the multiples matter, so these are marked as well.
fn smallest_period(claims: &[Claim], rows: u32) -> u32 {
    let rows = rows.max(1);
    let span = claims.iter().map(|c| c.cycle).max().unwrap_or(0);
    let mut taken = vec![false; (span + 2).saturating_sub(rows) as usize];
    for port in claims.chunk_by(|a, b| a.port == b.port) {
        for (i, early) in port.iter().enumerate() {
            let far = i + port[i..].partition_point(|late| late.cycle - early.cycle < rows);
            for late in &port[far..] {
                let distance = late.cycle - early.cycle;
                for p in (1..=distance / rows).filter(|n| distance % n == 0).map(|n| distance / n) {
                    taken[(p - rows) as usize] = true;
                }
            }
            if far == port.len() {
                break; // later claims are nearer to the end of the program still
            }
        }
    }
    rows + taken.iter().take_while(|t| **t).count() as u32
}

/// Checks that a program can be started again every `period` cycles, any number of times: claims are taken modulo the period.
///
/// # Errors
/// [`CheckError::PeriodConflict`] with two launches that meet; a period of 0 is refused as 1. Errors of the time model.
pub fn check_period(
    shape: Shape,
    latency: HopLatency,
    program: &UniformProgram,
    period: u32,
) -> Result<(), CheckError> {
    check_range(shape, program)?;
    let mut all = claims(shape.m, latency, program)?;
    all.sort_unstable();
    let possible = smallest_period(&all, program.rows());
    all.iter_mut().for_each(|c| c.cycle %= period.max(1));
    all.sort_unstable();
    let Some(pair) = all.windows(2).find(|w| (w[0].port, w[0].cycle) == (w[1].port, w[1].cycle)) else {
        return Ok(());
    };
    let [first, second] = [pair[0], pair[1]].map(|c| program.launches()[c.launch as usize]);
    let port = match pair[0].port.checked_sub(shape.m - 1) {
        None => format!("local port {}", pair[0].port + 1),
        Some(gamma) => format!("global port {gamma}"),
    };
    Err(CheckError::PeriodConflict {
        period,
        port,
        first: first.vector,
        first_row: first.row,
        second: second.vector,
        second_row: second.row,
        possible,
    })
}
