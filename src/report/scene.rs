//! Scenes: a drawing of a network, with the transfers that the page's script plays over it.

use super::drawing::Drawing;
use super::facts::grouped;
use super::svg::Panel;
use crate::id::NodeId;
use crate::program::{Expansion, Program, Who};
use crate::topology::Topology;
use serde_json::{Value, json};

/// Most nodes of a network whose transfers are on a page.
const MOST_NODES: usize = 1200;
/// Most transfers that a browser lists, and most of a list in full on a page.
const MOST_TRANSFERS: usize = 2_000_000;
const MOST_LISTED: usize = 400_000;
/// Most bytes of a compact program.
const MOST_BYTES: usize = 3_000_000;
/// Most transfers, those beyond the page's included, that are counted.
const MOST_COUNTED: u64 = 20_000_000;

/// Drawing of a network and data of its schedule.
pub struct Scene {
    /// Drawings; the first is played on if [`Drawing::is_whole`].
    pub drawing: Drawing,
    /// JSON of the schedule, without characters that mark-up gives a meaning; none if it is too large.
    pub data: Option<String>,
    /// Sentences on what is left out; empty if nothing is.
    pub note: String,
    /// Use of the channels; none if it is too large to be counted.
    pub counts: Option<Counts>,
    /// Name of a unit of time: `cycle` or `slot`.
    pub unit: &'static str,
    /// True if nodes carry operations out.
    pub has_operations: bool,
}

/// Scene in its place on a page.
pub(super) struct Pane<'a> {
    /// Scene.
    pub scene: &'a Scene,
    /// Name of the schedule; empty for the only one of a page.
    pub name: &'a str,
    /// End of ids and of keys of the address: empty, or `-b` for the second scene of a page.
    pub mark: &'static str,
}

impl<'a> Pane<'a> {
    /// The only scene of a page.
    pub(super) fn only(scene: &'a Scene) -> Vec<Self> {
        vec![Self { scene, name: "", mark: "" }]
    }

    /// Drawings of parts of the network.
    pub(super) fn rest(&self) -> &[Panel] {
        let drawing = &self.scene.drawing;
        drawing.panels.get(usize::from(drawing.is_whole)..).unwrap_or_default()
    }
}

/// Use of the channels by a schedule.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Counts {
    /// Channels, loopbacks left out.
    pub channels: usize,
    /// Channels that no packet crosses.
    pub idle_channels: usize,
    /// Transfers that enter channels.
    pub transfers: u64,
    /// Transfers by cycle.
    #[serde(skip)]
    pub by_cycle: Vec<u32>,
}

impl Scene {
    /// The scene of a program on a network; the program is asked for if the network is not too large.
    pub fn new(
        net: &(dyn Topology + Sync),
        program: impl FnOnce() -> Program,
        drawing: Drawing,
        unit: &'static str,
    ) -> Self {
        let mut scene = Self { drawing, data: None, note: String::new(), counts: None, unit, has_operations: false };
        let nodes = grouped(net.nodes() as u64);
        if !scene.drawing.is_whole {
            scene.note = format!("The network has {nodes} nodes: too many, or too many links, to be drawn in full. ");
        }
        if net.nodes() > MOST_NODES {
            scene.note += &format!("Transfers are on the page up to {MOST_NODES} nodes.");
            return scene;
        }
        let program = &program();
        let Some(expansion) = Expansion::new(net, program).ok().filter(|all| all.transfer_count() <= MOST_COUNTED)
        else {
            scene.note += "The schedule has too many transfers to be on the page.";
            return scene;
        };
        let counts = Counts::new(&expansion);
        let ops = operations(&expansion);
        let compact = compact(&expansion, program).map(|value| value.to_string());
        let compact = compact.filter(|text| text.len() <= MOST_BYTES);
        let fits = |limit: usize| counts.cycles_within(limit);
        // a list is written only where it may be the smaller one
        let listed = compact.is_none() || counts.transfers as usize <= MOST_LISTED / 4;
        let list = listed.then(|| list(&expansion, fits(MOST_LISTED)).to_string());
        let (body, shown) = match (compact, list) {
            (Some(compact), Some(list)) if list.len() < compact.len() => (list, fits(MOST_LISTED)),
            (Some(compact), _) => (compact, fits(MOST_TRANSFERS)),
            (None, list) => (list.unwrap_or_default(), fits(MOST_LISTED)),
        };
        let cycles = counts.by_cycle.len().max(ops.len()).max(expansion.cycles() as usize);
        // cycles without transfers at the end
        let shown = if shown == counts.by_cycle.len() { cycles } else { shown };
        if shown < cycles {
            scene.note += &format!(
                "The page plays the first {} of {} {unit}s; the rest is left out for its size.",
                grouped(shown as u64),
                grouped(cycles as u64)
            );
        }
        let head = json!({
            "unit": unit,
            "cycles": cycles,
            "shown": shown,
            "nodes": (0..net.nodes()).map(|node| net.title(NodeId::from(node))).collect::<Vec<_>>(),
            "next": next(net),
            "latency": expansion.latencies(),
            "operations": ops.get(..shown).unwrap_or(&ops),
        });
        scene.data = Some(escaped(&format!("{{\"head\":{head},\"body\":{body}}}")));
        scene.counts = Some(counts);
        scene.has_operations = !ops.is_empty();
        scene
    }

    /// The scene as the second one of a page.
    #[must_use]
    pub fn beside(self) -> Self {
        let mut drawing = self.drawing.beside();
        // those of parts of the network would have ids of the first scene's
        drawing.panels.truncate(usize::from(drawing.is_whole));
        Self { drawing, ..self }
    }

    /// Largest and mean share of the channels in use in a cycle, of so many cycles.
    pub fn shares(&self, cycles: u32) -> Option<(f64, f64)> {
        let counts = self.counts.as_ref().filter(|counts| counts.channels > 0)?;
        let most = f64::from(counts.by_cycle.iter().copied().max().unwrap_or(0));
        let channels = counts.channels as f64;
        Some((most / channels, counts.transfers as f64 / channels / f64::from(cycles.max(1))))
    }
}

impl Counts {
    fn new(expansion: &Expansion<'_, dyn Topology + Sync + '_>) -> Self {
        let channels = expansion.channels().count();
        let (mut by_cycle, mut used, mut transfers) = (Vec::new(), vec![false; channels], 0);
        for (cycle, channel, _) in expansion.transfers() {
            by_cycle.resize(by_cycle.len().max(cycle as usize + 1), 0);
            by_cycle[cycle as usize] += 1;
            used[channel as usize] = true;
            transfers += 1;
        }
        let idle_channels = used.iter().filter(|&&used| !used).count();
        Self { channels, idle_channels, transfers, by_cycle }
    }

    /// Number of first cycles that have so many transfers at most; the first one always.
    fn cycles_within(&self, limit: usize) -> usize {
        let mut sum = 0;
        let fit = self.by_cycle.iter().take_while(|&&count| {
            sum += count as usize;
            sum <= limit
        });
        fit.count().max(self.by_cycle.len().min(1))
    }
}

/// By node: the node behind each port.
fn next(net: &dyn Topology) -> Vec<Vec<u32>> {
    let of = |node: NodeId| (0..net.ports_of(node)).map(|port| net.neighbour(node, port).get()).collect();
    (0..net.nodes()).map(NodeId::from).map(of).collect()
}

/// By cycle: the nodes that carry an operation out, once for each.
fn operations(expansion: &Expansion<'_, dyn Topology + Sync + '_>) -> Vec<Vec<u32>> {
    let mut by_cycle: Vec<Vec<u32>> = Vec::new();
    for op in expansion.ops() {
        let cycle = op.cycle as usize;
        by_cycle.resize(by_cycle.len().max(cycle + 1), Vec::new());
        by_cycle[cycle].push(op.node);
    }
    by_cycle
}

/// The program itself: one list of hops for all nodes of a move. None if it has operations, which change whose packet a value is.
fn compact(expansion: &Expansion<'_, dyn Topology + Sync + '_>, program: &Program) -> Option<Value> {
    let whose = |who: Who| match who {
        Who::Every => Some(-1),
        Who::One(node) => Some(i64::from(node.get())),
        Who::Parity { .. } => None,
    };
    if !program.ops.is_empty() {
        return None;
    }
    let value = |(index, value): (u32, &crate::program::Value)| {
        Some((expansion.first_packet(index), value.batches, whose(value.who)?))
    };
    let values: Option<Vec<_>> = (0..).zip(&program.values).map(value).collect();
    let hops = |m: &crate::program::Move| {
        let hop = |index: u32| {
            let hop = &program.hops[index as usize];
            let parent = hop.parent.map_or(-1, |parent| i64::from(parent) - i64::from(m.hops.start));
            [i64::from(expansion.entry(index)), parent, i64::from(hop.port), i64::from(hop.keep)]
        };
        m.hops.clone().flat_map(hop).collect::<Vec<i64>>()
    };
    let of = |m: &crate::program::Move| Some((m.value, whose(m.who)?, m.train.burst, m.train.period, hops(m)));
    let moves: Option<Vec<_>> = program.moves.iter().map(of).collect();
    Some(json!({ "values": values?, "moves": moves? }))
}

/// Packets and the transfers of the first cycles, one by one: by cycle, channels as differences and packets.
fn list(expansion: &Expansion<'_, dyn Topology + Sync + '_>, cycles: usize) -> Value {
    let nodes = expansion.nodes();
    let packets = expansion.packets().map(|packet| {
        let mut row = vec![packet.id as i64, packet.src.into()];
        match packet.dsts.len() + 1 == nodes && !packet.dsts.contains(&packet.src) && nodes > 2 {
            true => row.push(-1),
            false => row.extend(packet.dsts.iter().map(|&node| i64::from(node))),
        }
        row
    });
    let packets: Vec<_> = packets.collect();
    let mut transfers: Vec<[Vec<u64>; 2]> = vec![Default::default(); cycles];
    let mut last = (0, 0);
    for (cycle, channel, packet) in expansion.transfers().take_while(|transfer| (transfer.0 as usize) < cycles) {
        if last.0 != cycle {
            last = (cycle, 0);
        }
        let row = &mut transfers[cycle as usize];
        row[0].push(u64::from(channel - last.1));
        row[1].push(packet);
        last.1 = channel;
    }
    json!({ "packets": packets, "transfers": transfers })
}

/// JSON that is also text of a page.
fn escaped(json: &str) -> String {
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_cut_between_cycles() {
        let counts = Counts { by_cycle: vec![3, 4, 5], transfers: 12, ..Counts::default() };
        assert_eq!([0, 3, 6, 7, 12, 99].map(|limit| counts.cycles_within(limit)), [1, 1, 1, 2, 3, 3]);
        assert_eq!(Counts::default().cycles_within(9), 0);
    }

    #[test]
    fn data_end_no_script() {
        assert_eq!(escaped("\"</script>&\""), "\"\\u003c/script\\u003e\\u0026\"");
    }
}
