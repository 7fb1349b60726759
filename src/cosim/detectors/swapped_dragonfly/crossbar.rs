//! Crossbars of routers that read headers: the outputs that packets ask for.

use crate::cosim::wiring::feeders;
use crate::id::NodeId;
use crate::lower::swapped_dragonfly::Frame;
use crate::lower::{Layout, Point, PointKind};
use crate::topology::Topology;
use std::collections::VecDeque;
use std::ops::Range;

/// Crossbar of a router whose conflicts are known from the headers at its inputs: a request for a port is a bit of its own in source
/// vectors as in synchronizing headers.
#[derive(Debug)]
pub(in crate::cosim::detectors) struct Crossbar {
    frame: Frame,
    layout: Layout,
    /// Node that feeds each input port of a node.
    feeders: Vec<NodeId>,
}

impl Crossbar {
    pub(in crate::cosim::detectors) fn new(frame: &Frame, layout: Layout) -> Self {
        Self { frame: frame.clone(), layout, feeders: feeders(&frame.network) }
    }

    /// Bits of a word, its parity included.
    fn payload(&self) -> usize {
        self.frame.payload_bits() as usize
    }

    /// Registers of a crossbar.
    pub(in crate::cosim::detectors) fn stages(&self) -> usize {
        self.frame.xbar_stages as usize
    }

    /// Words of the channel of a port.
    fn range(&self, node: usize, port: usize) -> Range<usize> {
        self.layout.range(Point { tile: node.into(), port, kind: PointKind::Channel })
    }

    fn locals(&self) -> usize {
        self.frame.network.local_ports()
    }

    /// Cycles from the register of a channel to the router's input.
    pub(in crate::cosim::detectors) fn late(&self, port: usize) -> u64 {
        let stages = if port < self.locals() { self.frame.local_stages } else { self.frame.global_stages };
        u64::from(stages - self.frame.xbar_stages)
    }

    pub(in crate::cosim::detectors) fn history(&self) -> u64 {
        u64::from(self.frame.xbar_stages) + self.late(0).max(self.late(self.locals()))
    }

    /// Tile and input port to which a channel leads.
    pub(in crate::cosim::detectors) fn leads(&self, channel: Point) -> (usize, usize) {
        let nodes = self.frame.network.nodes();
        let tile = channel.tile.index();
        let to = self.frame.network.neighbour((tile % nodes).into(), channel.port).index();
        (tile / nodes * nodes + to, channel.port)
    }

    /// Inputs that ask for each output of a tile; `block` are the words on the channels so many cycles before.
    pub(in crate::cosim::detectors) fn asked<'b>(
        &self,
        tile: usize,
        block: impl Fn(u64) -> Option<&'b Vec<u64>>,
    ) -> Vec<u32> {
        let (net, nodes) = (&self.frame.network, self.frame.network.nodes());
        let mut asked = vec![0; net.ports()];
        for port in 0..net.ports() {
            let feeder = tile / nodes * nodes + self.feeders[tile % nodes * net.ports() + port].index();
            let Some(block) = block(self.late(port)) else { continue };
            self.wanted(port, &block[self.range(feeder, port)]).iter().for_each(|&out| asked[out] += 1);
        }
        asked
    }

    /// Bit and output port of each request of a packet at an input.
    pub(in crate::cosim::detectors) fn requests(&self, port: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
        let (locals, globals, payload) = (self.locals(), self.frame.k as usize, self.payload());
        let (count, bit, out) = if port < locals { (globals, 0, locals) } else { (locals, 1, 0) };
        (0..count).map(move |at| (payload + bit + at, out + at))
    }

    /// Output ports that a packet at an input asks for.
    pub(in crate::cosim::detectors) fn wanted(&self, port: usize, packet: &[u64]) -> Vec<usize> {
        let set = |&(bit, _): &(usize, usize)| packet[bit / 64] >> (bit % 64) & 1 == 1;
        self.requests(port).filter(set).map(|(_, out)| out).collect()
    }

    /// Outputs that are asked for twice at the inputs of `xbar_stages` cycles ago. A bank asks for an output that the model shows busy although none
    /// of its inputs does.
    pub(in crate::cosim::detectors) fn conflicts(
        &self,
        history: &VecDeque<(Vec<u64>, Vec<u64>)>,
    ) -> Vec<(usize, usize)> {
        let stages = self.stages();
        let before = |late: u64| history.get(stages + late as usize);
        let mut found = Vec::new();
        for tile in 0..self.frame.tiles as usize {
            let expected = self.asked(tile, |late| before(late).map(|(expected, _)| expected));
            let observed = self.asked(tile, |late| before(late).map(|(_, observed)| observed));
            for (out, (due, came)) in expected.into_iter().zip(observed).enumerate() {
                let bank = due == 0 && history[0].0[self.range(tile, out)].iter().any(|&word| word != 0);
                if came + u32::from(bank) > 1 {
                    found.push((tile, out));
                }
            }
        }
        found
    }
}
