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

/// True if routers do not copy, so that each packet of one hop carries the header of the next.
pub(crate) fn carried(p: &Frame) -> bool {
    p.local_header_bits == flit::carried_header_bits(p.k, p.m).0
}

/// The fields of a point's value: `first hop, γ=1, π=2, payload 0x1f`.
pub fn fields(fabric: &Fabric, point: Point, value: &[u64]) -> String {
    if value.iter().all(|word| *word == 0) {
        return "idle".to_owned();
    }
    let layout = layout(fabric, point);
    // the bits of a field that are set, numbered from its lowest; none for a field that is not there
    let set = |name: &str| -> Option<Vec<u32>> {
        let (_, bits) = layout.iter().find(|(known, _)| *known == name)?;
        let is_set = |bit: &u32| value[*bit as usize / 64] >> (bit % 64) & 1 == 1;
        Some(bits.clone().filter(is_set).map(|bit| bit - bits.start).collect())
    };
    let is_set = |name: &str| set(name).is_some_and(|bits| !bits.is_empty());
    let one_hot = |sign: &str, name: &str| match set(name).unwrap_or_default()[..] {
        [] => format!("no {sign}"),
        [bit] => format!("{sign}={bit}"),
        ref many => format!("{sign}={many:?}"),
    };
    let receives = matches!(fabric, Fabric::SwappedDragonfly(_)) && point.kind == PointKind::Receive;
    let mut text = if set("valid").is_some() {
        match (receives, is_set("valid")) {
            (true, true) => "valid".to_owned(),
            (true, false) => return "nothing valid".to_owned(),
            (false, true) => "word".to_owned(),
            (false, false) => "a word that is not valid".to_owned(),
        }
    } else if set("then").is_some() {
        let flag = |name: &str, said: &'static str| if is_set(name) { said } else { "" };
        let hop = if set("carried").is_some() { "one hop with " } else { "" };
        let gamma = if set("gamma").is_some() { one_hot("γ", "gamma") + ", " } else { String::new() };
        let (own, keep) = (flag("own", ", first hop"), flag("keep", ", kept"));
        let (then, copy) = (flag("then", ", then all"), flag("copy", ", broadcast"));
        format!("{hop}{gamma}{}{then}{own}{keep}{copy}", one_hot("π", "pi"))
    } else if set("last").is_some() {
        let header = format!("{}, {}", one_hot("γ", "gamma"), one_hot("π", "pi"));
        match (is_set("last"), is_set("gamma") || is_set("pi")) {
            (true, false) => "last hop".to_owned(),
            (true, true) => format!("last hop with a header, {header}"),
            (false, _) => format!("first hop, {header}"),
        }
    } else {
        one_hot("π", "pi")
    };
    let bits = ring(fabric).data_bits;
    let data = value[0] & (u64::MAX >> (64 - bits));
    // writing to a String does not fail
    let _ = write!(text, ", payload 0x{data:0width$x}", width = bits as usize / 4);
    if set("parity").is_some() {
        let even = u32::from(is_set("parity")) == data.count_ones() & 1;
        text.push_str(if even { ", parity right" } else { ", parity wrong" });
    }
    text
}

fn ring(fabric: &Fabric) -> &Ring {
    match fabric {
        Fabric::SwappedDragonfly(p) => p,
        Fabric::Pops(p) => p,
        Fabric::SlotTable(p) => p,
    }
}

/// Bits of a value that have a name.
pub type Field = (&'static str, Range<u32>);

/// Fields of a point's value, from the lowest bit on.
pub fn layout(fabric: &Fabric, point: Point) -> Vec<Field> {
    let ring = ring(fabric);
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
    // below the other header, in the form for local channels, where routers do not copy
    let below = carried(p).then(|| ("carried", flit::local_header_bits(p.k, p.m)));
    match (p.local_header_bits == 1, synchronizing(p), local) {
        (true, ..) => vec![("valid", 1)],
        (_, true, true) => {
            let flags = [("then", 1), ("own", 1), ("keep", 1), ("copy", 1), ("past", 1)];
            [gamma, pi].into_iter().chain(flags).chain(below).collect()
        }
        (_, true, false) => [pi, ("then", 1), ("copy", 1)].into_iter().chain(below).collect(),
        (_, false, true) => vec![gamma, pi, ("last", 1)],
        (_, false, false) => vec![pi],
    }
}
