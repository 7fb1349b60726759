//! Text of the bits of a point.

use super::layout::{Point, PointKind};
use crate::lower::{Fabric, Frame, Ring, flit};
use crate::topology::Topology;
use std::fmt::Write as _;
use std::ops::Range;

/// The router and port of a point: `channel local 2 of router (0,1,2)`; on POPS `coupler c(1,0)` or `the receiver of processor 7`.
pub fn place(fabric: &Fabric, point: Point) -> String {
    match (fabric, point.kind) {
        (Fabric::Pops(_), PointKind::Channel) => format!("coupler c({},{})", point.tile.get(), point.port),
        (Fabric::Pops(_), PointKind::Receive) => format!("the receiver of processor {}", point.tile.get()),
        (Fabric::SlotTable(p), _) => format!("channel {} of node {}", point.port, p.label(point.tile)),
        (Fabric::SwappedDragonfly(p), kind) => {
            let kind = match kind {
                PointKind::Channel => "channel",
                PointKind::Receive => "receive port",
            };
            let router = p.label(point.tile.index());
            format!("{kind} {} of router {router}", p.network.port_name(point.port))
        }
    }
}

/// The value of a point in hexadecimal.
pub fn hex(value: &[u64], bits: usize) -> String {
    let digits: String = value.iter().rev().map(|word| format!("{word:016x}")).collect();
    format!("0x{}", &digits[digits.len() - bits.div_ceil(4).min(digits.len())..])
}

/// True if channels carry synchronizing headers, alone or below the headers of routers that do not copy.
fn synchronizing(p: &Frame) -> bool {
    p.local_header_bits == flit::local_header_bits(p.k, p.m) || carried(p)
}

fn carried(p: &Frame) -> bool {
    p.local_header_bits == flit::carried_header_bits(p.k, p.m).0
}

/// The fields of a point's value: `first hop, γ=1, π=2, payload 0x1f`.
pub fn fields(fabric: &Fabric, point: Point, value: &[u64]) -> String {
    match fabric {
        Fabric::SwappedDragonfly(p) => channel_fields(p, point, value),
        Fabric::Pops(p) => word_fields(p, value),
        Fabric::SlotTable(p) => word_fields(p, value),
    }
}

/// Bits of a value that have a name.
pub type Field = (&'static str, Range<u32>);

/// Fields of a point's value, from the lowest bit on.
pub fn layout(fabric: &Fabric, point: Point) -> Vec<Field> {
    let ring: &Ring = match fabric {
        Fabric::SwappedDragonfly(p) => p,
        Fabric::Pops(p) => p,
        Fabric::SlotTable(p) => p,
    };
    let parity = ring.parity.then_some(("parity", 1));
    let header: Vec<(&str, u32)> = match fabric {
        Fabric::SwappedDragonfly(p) if point.kind == PointKind::Channel => header_fields(p, point),
        _ => vec![("valid", 1)],
    };
    let mut at = 0;
    let place = |(name, bits)| {
        at += bits;
        (name, at - bits..at)
    };
    [("payload", ring.data_bits)].into_iter().chain(parity).chain(header).map(place).collect()
}

/// Names and bits of the fields of a channel's header, from the lowest bit on.
fn header_fields(p: &Frame, point: Point) -> Vec<(&'static str, u32)> {
    let local = point.port < p.network.local_ports();
    let (gamma, pi) = (("gamma", p.k), ("pi", p.m));
    let of_carried = [("carried", local_bits(p))];
    match (p.local_header_bits == 1, synchronizing(p), local) {
        (true, ..) => vec![("valid", 1)],
        (_, true, true) => {
            let flags = [("then", 1), ("own", 1), ("keep", 1), ("copy", 1), ("past", 1)];
            let own = [gamma, pi].into_iter().chain(flags);
            own.chain(of_carried.into_iter().filter(|_| carried(p))).collect()
        }
        (_, true, false) => {
            let own = [pi, ("then", 1), ("copy", 1)];
            own.into_iter().chain(of_carried.into_iter().filter(|_| carried(p))).collect()
        }
        (_, false, true) => vec![gamma, pi, ("last", 1)],
        (_, false, false) => vec![pi],
    }
}

/// Header bits of a local channel of routers that copy.
fn local_bits(p: &Frame) -> u32 {
    flit::local_header_bits(p.k, p.m)
}

/// Fields of a value `{valid, payload}`, as text.
fn word_fields(p: &Ring, value: &[u64]) -> String {
    let bit = |at: u32| value[at as usize / 64] >> (at % 64) & 1;
    let data = value[0] & (u64::MAX >> (64 - p.data_bits));
    let mut text = match (bit(p.payload_bits()), value.iter().any(|&word| word != 0)) {
        (1, _) => "word".to_owned(),
        (_, true) => "a word that is not valid".to_owned(),
        (_, false) => return "idle".to_owned(),
    };
    // writing to a String does not fail
    let _ = write!(text, ", payload 0x{data:0width$x}", width = p.data_bits as usize / 4);
    if p.parity {
        let even = bit(p.data_bits) == u64::from(data.count_ones() & 1);
        text.push_str(if even { ", parity right" } else { ", parity wrong" });
    }
    text
}

fn channel_fields(p: &Frame, point: Point, value: &[u64]) -> String {
    let bits = |at: u32, width: u32| (at..at + width).filter(|&bit| value[bit as usize / 64] >> (bit % 64) & 1 == 1);
    let one_hot = |name: &str, at: u32, width: u32| match bits(at, width).collect::<Vec<_>>()[..] {
        [] => format!("no {name}"),
        [bit] => format!("{name}={}", bit - at),
        ref many => format!("{name}={:?}", many.iter().map(|bit| bit - at).collect::<Vec<_>>()),
    };
    let w = p.payload_bits();
    let data = value[0] & (u64::MAX >> (64 - p.data_bits));
    let mut text = match point.kind {
        _ if value.iter().all(|word| *word == 0) => return "idle".to_owned(),
        PointKind::Receive if bits(w, 1).next().is_none() => return "nothing valid".to_owned(),
        PointKind::Receive => "valid".to_owned(),
        PointKind::Channel if p.local_header_bits == 1 => match bits(w, 1).next() {
            Some(_) => "word".to_owned(),
            None => "a word that is not valid".to_owned(),
        },
        PointKind::Channel if synchronizing(p) => {
            // {past, copy, keep, own, then, pi, gamma} on local channels, {copy, then, pi} on global ones
            let local = point.port < p.network.local_ports();
            let pi_at = w + if local { p.k } else { 0 };
            let above = pi_at + p.m;
            let flag = |at: u32, name: &'static str| if bits(at, 1).next().is_some() { name } else { "" };
            let gamma = if local { one_hot("γ", w, p.k) + ", " } else { String::new() };
            let own = if local { flag(above + 1, ", first hop") } else { "" };
            let keep = if local { flag(above + 2, ", kept") } else { "" };
            let copy = flag(above + if local { 3 } else { 1 }, ", broadcast");
            let hop = if carried(p) { "one hop with " } else { "" };
            format!("{hop}{gamma}{}{}{own}{keep}{copy}", one_hot("π", pi_at, p.m), flag(above, ", then all"))
        }
        PointKind::Channel if point.port < p.network.local_ports() => {
            let last = bits(w + p.k + p.m, 1).next().is_some();
            let header = [one_hot("γ", w, p.k), one_hot("π", w + p.k, p.m)];
            match (last, bits(w, p.k + p.m).next()) {
                (true, None) => "last hop".to_owned(),
                (true, Some(_)) => format!("last hop with a header, {}, {}", header[0], header[1]),
                (false, _) => format!("first hop, {}, {}", header[0], header[1]),
            }
        }
        PointKind::Channel => one_hot("π", w, p.m),
    };
    // writing to a String does not fail
    let _ = write!(text, ", payload 0x{data:0width$x}", width = p.data_bits as usize / 4);
    if p.parity {
        let even = u32::from(bits(p.data_bits, 1).next().is_some()) == data.count_ones() & 1;
        text.push_str(if even { ", parity right" } else { ", parity wrong" });
    }
    text
}
