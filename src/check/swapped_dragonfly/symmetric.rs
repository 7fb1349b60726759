//! The proof through symmetry: one router's claims, checked once, stand for every router.
//!
//! The [checker of programs](mod@crate::check::program) proves a launch as a move of every router, and reports it in terms of vectors and rows.
//!
//! Time K·M²·log(K·M²), memory about 200 bytes a vector: the 6.9·10¹⁰ packets of D3(64,64) are never looked at.

use super::claims::{self, Hop, in_time};
use super::symmetry::{Shape, law};
use crate::check::program::{Claim, Claims, Goal, Meeting, ONCE, ProgramFault, Rules, Table, check_table};
use crate::check::swapped_dragonfly::error::{CheckError, Claimant, Conflict, Node, Origin, Path};
use crate::check::verdict::Proof;
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::uniform::{HopLatency, UniformProgram};
use crate::program::timing::{end, ports};
use crate::topology::swapped_dragonfly::{Group, RouterAddress, SourceVector};
use crate::topology::{SwappedDragonfly, Topology};
use serde::Serialize;

/// A uniform program of which it is proved that it delivers everything without a conflict. Made by [`prove`] alone.
#[derive(Debug, Clone)]
pub struct Proved {
    /// Cycles from the first claimed one to the last, both included.
    pub cycles: u32,
    /// The smallest number of cycles, not below the program's rows, after which the program can start again.
    pub period: u32,
    /// SymmetricProof: counts and conclusions.
    pub proof: SymmetricProof,
}

/// SymmetricProof of a verdict on a uniform program, in counts. [`SymmetricProof::lines`] puts them in sentences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SymmetricProof {
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

impl Proof for SymmetricProof {
    fn lines(&self) -> Vec<String> {
        let Self {
            routers, ports, channels, loopbacks, vectors, claims, packets, transfers, hop, cycles, period, ..
        } = self;
        let [local, global] = hop;
        vec![
            format!(
                "alike: all {routers} routers were visited and each of their {ports} followed ({channels}): local port x \
                 leads from (c,d,p) to (c,d,p+x), global port γ to (c+γ,p,d); the sums are Latin squares, every port is a permutation \
                 of the routers, and the {loopbacks} loopbacks are exactly global port 0 where d = p",
                ports = counted(*ports, "port"),
                channels = counted(*channels, "channel")
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
                "no waiting: a packet's claims lie one hop apart ({local} for a local hop, {global} for a global one), so no \
                 router needs a buffer; the last claim is in cycle {} of 0..{}, and the program can start again every {period}",
                cycles.saturating_sub(1),
                cycles.saturating_sub(1),
                local = counted(*local, "cycle"),
                global = counted(*global, "cycle"),
                period = counted(*period, "cycle"),
            ),
        ]
    }
}

/// Proves that a program, run by every router of `net` at once, is complete and conflict-free.
///
/// # Errors
/// A [`CheckError`] for a port that no router has, a vector launched twice or never, or a conflict; for a network whose
/// routers are not alike, latencies of zero, or sizes beyond 32 bits.
pub fn prove<T: Topology + Sync + ?Sized>(
    net: &T,
    shape: Shape,
    latency: HopLatency,
    program: &UniformProgram,
) -> Result<Proved, CheckError> {
    let law = law(net, shape)?;
    check_range(shape, program)?;
    in_time(latency, program)?;
    // port numbers do not depend on the arithmetic of coordinates
    let of_all = program.to_program(&SwappedDragonfly::new(shape.k, shape.m, Group::Cyclic), latency);
    let table = Table::new(net, &of_all)?;
    let fault = |fault| refused(net, shape, program, &table, fault);
    let checked = check_table(&table, &Rules::default(), &Goal::Everyone(&law)).map_err(fault)?;
    let period = table.channels().smallest_period(program.rows());
    let proof = SymmetricProof {
        method: "symmetry",
        routers: shape.routers(),
        ports: shape.ports().into(),
        channels: shape.routers() * u64::from(shape.ports()),
        loopbacks: u64::from(shape.k) * u64::from(shape.m),
        vectors: program.launches().len() as u64,
        claims: checked.claims,
        packets: checked.arrivals,
        transfers: shape.routers() * checked.claims,
        hop: [latency.local, latency.global],
        cycles: checked.cycles,
        period,
    };
    Ok(Proved { cycles: checked.cycles, period, proof })
}

fn check_range(shape: Shape, program: &UniformProgram) -> Result<(), CheckError> {
    let Shape { k, m } = shape;
    let outside = |v: SourceVector| v.gamma >= k || v.pi >= m || v.delta >= m;
    match program.launches().iter().find(|l| outside(l.vector)) {
        Some(l) => Err(CheckError::VectorOutOfRange { vector: l.vector, row: l.row, k, m }),
        None => Ok(()),
    }
}

/// The fault of a program in terms of its launches, each of which is a move.
fn refused<T: Topology + ?Sized>(
    net: &T,
    shape: Shape,
    program: &UniformProgram,
    table: &Table<'_, T>,
    fault: ProgramFault,
) -> CheckError {
    let launch = |hop: u32| program.launches()[table.move_of[hop as usize] as usize];
    match fault {
        ProgramFault::Clash(clash) => {
            // every router has the conflict; at (0,0,1), none of whose ports is a loopback, both packets need a real channel
            let at = shape.node(RouterAddress { c: 0, d: 0, p: 1 });
            let claimant = |hop: u32| {
                let (vector, row) = (launch(hop).vector, launch(hop).row);
                let (before, path) = (ports(table.program, hop), table.of(hop).hops.clone());
                let whole = ports(table.program, path.end - 1);
                let comes = |&from: &NodeId| end(net, from, &before[..before.len() - 1]) == at;
                let src = (0..net.nodes()).map(NodeId::from).find(comes).unwrap_or(at);
                let number = hop - path.start + u32::from(vector.delta == 0);
                let name = [Hop::FirstLocal, Hop::Global, Hop::LastLocal][number as usize].name();
                let [src, dst] = [src, end(net, src, &whole)].map(|node| Node(net.label(node)));
                Claimant { path: Path { src, dst }, origin: Origin::Launch { vector, row, hop: name } }
            };
            let channel = net.describe(net.channel_id(at, clash.port as usize));
            let [first, second] = clash.hops.map(claimant);
            Conflict { channel, cycle: clash.cycle - table.start(), first, second, everywhere: true }.into()
        }
        ProgramFault::Twice { hops } => {
            let [a, b] = hops.map(launch);
            CheckError::DuplicateVector { vector: a.vector, first: a.row.min(b.row), second: a.row.max(b.row) }
        }
        ProgramFault::Missing { node, missing, expected, .. } => {
            // from (0,0,0), (γ,π,δ) leads to (γ,δ,π)
            let RouterAddress { c: gamma, d: delta, p: pi } = shape.address(node);
            let (vector, destination) = (SourceVector { gamma, pi, delta }, Node(net.label(node)));
            CheckError::MissingVector { vector, destination, missing, expected }
        }
        other => CheckError::Program(other),
    }
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
    let claim = |c: claims::Claim| Claim { place: c.port, cycle: c.cycle, owner: c.launch, origin: NodeId::new(0) };
    let all = claims::claims(shape.m, latency, program)?.into_iter().map(claim).collect();
    let all = Claims::new(all, |_| ONCE);
    let Some(Meeting { claims: [a, b], .. }) = all.meeting_every(period) else { return Ok(()) };
    let possible = all.smallest_period(program.rows());
    let [first, second] = [a, b].map(|claim| program.launches()[claim.owner as usize]);
    let port = match a.place.checked_sub(shape.m - 1) {
        None => format!("local port {}", a.place + 1),
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
