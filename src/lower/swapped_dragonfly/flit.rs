//! Flits of synchronizing-header routers: the form of a header on a channel, see `mn_sh_router.v`.

use super::Frame;
use super::error::SwappedDragonflyError;
use super::header_form::HeaderForm;
use crate::id::NodeId;
use crate::lower::LowerError;
use crate::lower::bits::BitRow;
use crate::program::form::swapped_dragonfly::stream::Injection;
use crate::program::form::swapped_dragonfly::synchronizing_header::Carried;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::swapped_dragonfly::headers::{Header, Ports};
use crate::topology::{SwappedDragonfly, Topology};

/// The header bits of a channel whose packet of one hop carries this header.
pub fn carried(frame: &Frame, is_local: bool, header: &BitRow) -> BitRow {
    let (k, m) = (frame.k, frame.m);
    let mut row = BitRow::zero(HeaderForm::Carried.bits(k, m, is_local) as usize);
    (0..header.width()).for_each(|bit| row.set(bit, 1, header.get(bit, 1)));
    // on a local channel `keep` and `past`, on a global one a pi of 0
    let arrives: &[u32] = if is_local { &[k + m + 2, k + m + 4] } else { &[0] };
    arrives.iter().for_each(|bit| row.set((HeaderForm::Synchronizing.bits(k, m, true) + bit) as usize, 1, 1));
    row
}

/// Source of a packet on a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// Out of a send bank.
    Bank,
    /// Through the router.
    Router,
}

/// A header that hardware cannot carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inexpressible;

/// The header bits of a packet on a local channel to router `to`, whose header at the end of it is `header`.
///
/// # Errors
/// [`Inexpressible`] if the header asks for something that the router cannot do.
pub fn local(frame: &Frame, to: RouterAddress, header: &Header, from: From) -> Result<BitRow, Inexpressible> {
    let (k, m) = (frame.k, frame.m);
    let mut row = BitRow::zero(HeaderForm::Synchronizing.bits(k, m, true) as usize);
    let (pi_at, then_at) = (k as usize, (k + m) as usize);
    let (own_at, keep_at) = (then_at + 1, then_at + 2);
    // a broadcast is kept where it is not to come back by the swap, and does not take a loopback
    let diagonal = header.broadcast && to.d == to.p;
    let keeps = header.b == 0 || (header.b == 2 && header.broadcast) || diagonal;
    let ports = if header.b > 0 { header.gamma.list(k) } else { Vec::new() };
    let swaps = ports.contains(&0) && !(header.b == 2 && diagonal);
    let other_ports = ports.iter().any(|&port| port != 0);
    match (header.b, from) {
        (0, _) => {}
        (2, From::Router) if header.gamma == Ports::One(0) => {
            star(header, &header.delta)?;
        }
        (2 | 4, From::Bank) if swaps || other_ports => {
            row.set(own_at, 1, 1);
            mask(&mut row, 0, &header.gamma, k);
            mask(&mut row, pi_at, &header.delta, m);
            if header.b == 4 {
                row.set(then_at, 1, star(header, &header.pi)?);
            }
        }
        (2 | 4, From::Bank) => {}
        _ => return Err(Inexpressible),
    }
    row.set(0, 1, swaps.into());
    row.set(keep_at, 1, keeps.into());
    row.set(keep_at + 1, 1, header.broadcast.into());
    row.set(keep_at + 2, 1, (!swaps).into());
    Ok(row)
}

/// Mask of the routers with d = p: bit 0 is the router at `at`, bit x its neighbour behind local port x.
pub fn diagonal(frame: &Frame, at: RouterAddress) -> BitRow {
    let mut row = BitRow::zero(frame.m as usize);
    for x in 0..frame.m {
        let router = if x == 0 { at } else { frame.network.local(at, x) };
        row.set(x as usize, 1, u32::from(router.d == router.p));
    }
    row
}

/// The header bits of a packet on a global channel, whose header at the end of it is `header`.
///
/// # Errors
/// As [`local`].
pub fn global(frame: &Frame, header: &Header) -> Result<BitRow, Inexpressible> {
    let m = frame.m;
    let mut row = BitRow::zero(HeaderForm::Synchronizing.bits(frame.k, m, false) as usize);
    mask(&mut row, 0, &header.delta, m);
    match header.b {
        1 => {}
        3 => row.set(m as usize, 1, star(header, &header.pi)?),
        _ => return Err(Inexpressible),
    }
    row.set(m as usize + 1, 1, header.broadcast.into());
    Ok(row)
}

/// Header at the end of a local channel that a send bank offers with these bits; the flag is true if the router there
/// keeps the packet. The inverse of [`local`] for [`From::Bank`].
pub fn read_local(frame: &Frame, bits: &BitRow) -> (Header, bool) {
    let (k, m) = (frame.k, frame.m);
    let flag = |above: u32| bits.get((k + m + above) as usize, 1) == 1;
    let (then, own, keep, broadcast) = (flag(0), flag(1), flag(2), flag(3));
    let ports = |at: u32, n: u32| Ports::Of((0..n).filter(|port| bits.get((at + port) as usize, 1) == 1).collect());
    let pi = if then { Ports::All } else { Ports::One(0) };
    let b = if own { 2 + 2 * u32::from(then) } else { 0 };
    (Header { b, gamma: ports(0, k), pi, delta: ports(k, m), broadcast }, keep)
}

/// The header at the end of a global channel with these bits; the inverse of [`global`].
pub fn read_global(frame: &Frame, bits: &BitRow) -> Header {
    let m = frame.m as usize;
    let (then, broadcast) = (bits.get(m, 1) == 1, bits.get(m + 1, 1) == 1);
    let delta = Ports::Of((0..frame.m).filter(|&port| bits.get(port as usize, 1) == 1).collect());
    let pi = if then { Ports::All } else { Ports::One(0) };
    Header { b: 1 + 2 * u32::from(then), gamma: Ports::One(0), pi, delta, broadcast }
}

/// A later local hop in one bit: only a broadcast's star has one.
fn star(header: &Header, ports: &Ports) -> Result<u32, Inexpressible> {
    if header.broadcast && *ports == Ports::All { Ok(1) } else { Err(Inexpressible) }
}

fn mask(row: &mut BitRow, at: usize, ports: &Ports, n: u32) {
    for port in ports.list(n) {
        row.set(at + port as usize, 1, 1);
    }
}

/// Flit that a send bank offers to its channel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flit {
    /// The port, local ports first.
    pub port: usize,
    /// The cycle in which it is at the crossbar.
    pub offset: u32,
    /// Header bits of the flit.
    pub header: BitRow,
}

/// Flits of one packet at the banks of its source: one for each copy, by the port over which it leaves. Copies that stay in the source
/// leave a local hop of `pace` later.
///
/// # Errors
/// As [`local`].
pub fn flits(
    frame: &Frame,
    pace: HopLatency,
    root: RouterAddress,
    injection: &Injection,
) -> Result<Vec<Flit>, Inexpressible> {
    let net: &SwappedDragonfly = &frame.network;
    if let Some(x) = injection.via {
        let header = local(frame, net.local(root, x), &injection.header, From::Bank)?;
        return Ok(vec![Flit { port: net.local_port(x), offset: injection.offset, header }]);
    }
    let mut found = Vec::new();
    let mut open = vec![(injection.offset, injection.header.clone())];
    while let Some((offset, header)) = open.pop() {
        for step in crate::topology::swapped_dragonfly::headers::steps(net, root, &header) {
            match step.port {
                // in its bank until then
                None => open.push((offset + pace.local, step.header)),
                Some(port) if port < net.local_ports() => {
                    found.push(Flit { port, offset, header: local(frame, step.to, &step.header, From::Bank)? });
                }
                Some(port) => found.push(Flit { port, offset, header: global(frame, &step.header)? }),
            }
        }
    }
    found.sort_by_key(|flit| flit.port);
    Ok(found)
}

/// Bits above the payload of the channels that a packet with a synchronizing header takes, hop by hop.
///
/// # Errors
/// [`SwappedDragonflyError::Inexpressible`] for a header that channels have no bits for.
pub(super) fn header_bits(frame: &Frame, root: NodeId, packet: &[Carried]) -> Result<Vec<BitRow>, LowerError> {
    let net = &frame.network;
    let mut ends: Vec<NodeId> = Vec::with_capacity(packet.len());
    let mut bits = Vec::with_capacity(packet.len());
    for Carried { hop, header, .. } in packet {
        let (at, from) = hop.parent.map_or((root, From::Bank), |parent| (ends[parent as usize], From::Router));
        let to = net.neighbour(at, hop.port as usize);
        let head = match (hop.port as usize) < net.local_ports() {
            true => local(frame, net.address(to), header, from),
            false => global(frame, header),
        };
        bits.push(head.map_err(|Inexpressible| SwappedDragonflyError::Inexpressible { header: header.to_string() })?);
        ends.push(to);
    }
    Ok(bits)
}
