//! Products of matrices: values that every router sends, and their cycles (Draper, section 2, with the corrected
//! paths).
//!
//! On D3(K²,M) the element of row (s,u) and column (t,v) of a KM × KM matrix lies at router (s+tK,u,v). With blocks, an
//! element is a block of X × X numbers. Row vector V at row (s,u) is multiplied in rounds:
//!
//! 1. *spread*: (s+tK,u,v) -G→ (t+\*K,v,u) -L→ (t+\*K,v,\*), where V's element (t,v) meets its row of the matrix;
//! 2. *gather*: (t+t'K,v,v') -G→ (t'+sK,v',v) -L→ (t'+sK,v',u), summing at each arrival: the result is in column (s,u);
//! 3. *return*, in place only: (t'+sK,v',u) -G→ (s+t'K,u,v').
//!
//! A column vector goes the ways of its rounds with L and G exchanged. On D3(K,M) row (s,u) and column (t,v) lie at
//! (s,u,v) for all t. Each hop G that leads from or to one of K cabinets above carries K values over K ports here.
//!
//! Any spread and any gather in one cycle conflict on some global channel. Rows of equal u conflict in the local hops
//! of their spreads, rows of equal s in the global hops of their gathers. So all spreads go first, M rows a cycle, then
//! all gathers, K rows a cycle. That is K + M + 1 cycles for a KM × KM product. Arithmetic between the two adds no
//! cycles while there are spreads left.

use super::product_paths::{Unit, Units};
pub use super::request::ProductRequest;
use crate::collective::ProductKind;
use crate::program::form::swapped_dragonfly::product::{Layout, ProductSchedule, Send};
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::schedule::ScheduleError;
use crate::topology::swapped_dragonfly::headers::{Header, steps};
use crate::topology::{SwappedDragonfly, Topology};
use std::collections::HashSet;
use std::sync::Arc;

/// The most sends of a schedule.
const MAX_SENDS: u64 = 1 << 23;

/// An algorithm by name.
pub struct ProductEntry {
    /// The name in a specification.
    pub name: &'static str,
    /// One line for people.
    pub about: &'static str,
    /// True if results return to the layout of the operand.
    pub returns: bool,
    /// True if it is for D3(K²,M).
    pub square: bool,
}

/// All algorithms; `best` takes the first that applies.
pub const ALGORITHMS: &[ProductEntry] = &[
    ProductEntry {
        name: "out-of-place",
        about: "D3(K²,M): rounds of four hops; the result lies as the operand's transpose",
        returns: false,
        square: true,
    },
    ProductEntry {
        name: "in-place",
        about: "D3(K²,M): rounds of five hops; the result lies as the operand did",
        returns: true,
        square: true,
    },
    ProductEntry {
        name: "one-round",
        about: "D3(K,M) with K blocks a router: rounds of five hops (three for matrix-vector)",
        returns: true,
        square: false,
    },
];

/// Schedules a product.
///
/// # Errors
/// [`ScheduleError`] if no algorithm has the name, it does not apply to the network, or there is too much to send.
pub fn schedule(net: &SwappedDragonfly, request: &ProductRequest) -> Result<ProductSchedule, ScheduleError> {
    let (entry, layout) = chosen(net, request)?;
    let units = Units::new(net, request, layout, entry.returns);
    let sends = units.sends();
    if sends > MAX_SENDS {
        let message = format!("the product has {sends} sends, above {MAX_SENDS}");
        return Err(ScheduleError::value("collective.block", message, "take a smaller network or block"));
    }
    let mut placed = Placed { net, hop: request.hop, busy: Vec::new(), sends: Vec::new(), headers: HashSet::new() };
    let spreads: Vec<u32> = units.spreads().map(|(_, unit)| placed.place(0, unit)).collect();
    let mut ready = vec![0; units.vectors() as usize];
    for ((vector, _), start) in units.spreads().zip(spreads) {
        let at = start + request.hop.local + request.hop.global + request.mac_cycles;
        ready[vector as usize] = at.max(ready[vector as usize]);
    }
    let gathers: Vec<(u32, u32, u32)> = units
        .gathers()
        .map(|(vector, element, unit)| (vector, element, placed.place(ready[vector as usize], unit)))
        .collect();
    let gathered = request.mac_cycles + units.gather_cycles();
    for (vector, element, start) in gathers {
        if let Some(unit) = units.back(vector, element) {
            placed.place(start + gathered, unit);
        }
    }
    let mut sends = placed.sends;
    sends.shrink_to_fit();
    sends.sort_by_key(|send| (send.cycle, send.node, send.term));
    Ok(ProductSchedule {
        algorithm: entry.name,
        kind: request.kind,
        layout,
        block: request.block,
        mac_cycles: request.mac_cycles,
        hop: request.hop,
        result: units.result(),
        sends,
    })
}

/// True if there are more sends than a schedule can list one by one.
pub fn is_too_long(net: &SwappedDragonfly, request: &ProductRequest) -> bool {
    chosen(net, request)
        .is_ok_and(|(entry, layout)| Units::new(net, request, layout, entry.returns).sends() > MAX_SENDS)
}

/// The algorithm, and where matrices lie for it.
pub(super) fn chosen(
    net: &SwappedDragonfly,
    request: &ProductRequest,
) -> Result<(&'static ProductEntry, Layout), ScheduleError> {
    let side = net.k().isqrt();
    let square = side * side == net.k();
    let entry = match request.algorithm {
        "best" => {
            ALGORITHMS.iter().find(|e| e.square == square && (e.returns || request.kind != ProductKind::Transpose))
        }
        name => ALGORITHMS.iter().find(|e| e.name == name),
    };
    let entry = entry.ok_or_else(|| {
        ScheduleError::unknown("product", request.algorithm, ALGORITHMS.iter().map(|entry| entry.name))
    })?;
    if entry.square && !square {
        return Err(super::request::does_not_apply(entry.name, net, "a square number of cabinets"));
    }
    Ok((entry, if entry.square { Layout::Square { side } } else { Layout::Linear }))
}

/// Sends with their cycles, and the channels that they take.
struct Placed<'a> {
    net: &'a SwappedDragonfly,
    hop: HopLatency,
    /// Occupied channels, by cycle.
    busy: Vec<Channels>,
    sends: Vec<Send>,
    /// Different headers of the sends.
    headers: HashSet<Arc<Header>>,
}

impl Placed<'_> {
    /// Puts a unit into the first cycles from `earliest` on in which all its channels are free, and gives its start.
    fn place(&mut self, earliest: u32, unit: Unit) -> u32 {
        let mut claims = Vec::new();
        for send in &unit {
            follow(self.net, self.hop, send, &mut claims);
        }
        let busy = |start: u32| {
            claims.iter().any(|&(channel, at): &(usize, u32)| {
                self.busy.get((start + at) as usize).is_some_and(|cycle| cycle.has(channel))
            })
        };
        let mut start = earliest;
        while busy(start) {
            start += 1;
        }
        for (channel, at) in claims {
            let cycle = (start + at) as usize;
            while self.busy.len() <= cycle {
                self.busy.push(Channels::none_of(self.net.channels()));
            }
            self.busy[cycle].add(channel);
        }
        for mut send in unit {
            send.cycle += start;
            match self.headers.get(&send.header) {
                Some(known) => send.header = known.clone(),
                None => drop(self.headers.insert(send.header.clone())),
            }
            self.sends.push(send);
        }
        start
    }
}

/// Most channels with a flag each: 1 MiB a cycle.
const MOST_FLAGS: usize = 1 << 20;

/// A set of channels: a flag for each, or in a large network, where a cycle takes few of them, their numbers.
enum Channels {
    Flags(Vec<bool>),
    Numbers(HashSet<usize>),
}

impl Channels {
    fn none_of(count: usize) -> Self {
        if count <= MOST_FLAGS { Self::Flags(vec![false; count]) } else { Self::Numbers(HashSet::new()) }
    }

    fn has(&self, channel: usize) -> bool {
        match self {
            Self::Flags(flags) => flags[channel],
            Self::Numbers(numbers) => numbers.contains(&channel),
        }
    }

    fn add(&mut self, channel: usize) {
        match self {
            Self::Flags(flags) => flags[channel] = true,
            Self::Numbers(numbers) => drop(numbers.insert(channel)),
        }
    }
}

/// The channels of a packet and all its copies, with their cycles.
pub(super) fn follow(net: &SwappedDragonfly, hop: HopLatency, send: &Send, claims: &mut Vec<(usize, u32)>) {
    let mut open = vec![(net.address(send.node), send.cycle, (*send.header).clone())];
    while let Some((at, cycle, header)) = open.pop() {
        for step in steps(net, at, &header) {
            if let Some(port) = step.port {
                claims.push((net.channel_id(net.node(at), port).index(), cycle));
            }
            let hop = if header.b % 2 == 1 { hop.local } else { hop.global };
            open.push((step.to, cycle + hop, step.header));
        }
    }
}
