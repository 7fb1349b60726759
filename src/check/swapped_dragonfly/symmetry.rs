//! Symmetry of the Swapped Dragonfly: its [law of routes](RouteLaw), with the ports where the proof expects them.
//!
//! Nodes are numbered lexicographically by their coordinates (c,d,p); local port x leads from (c,d,p) to (c,d,p+x), and global port γ
//! to (c+γ,p,d). So loopbacks are exactly global port 0 where d = p.

use crate::check::program::RouteLaw;
use crate::check::swapped_dragonfly::error::{CheckError, Node};
use crate::id::NodeId;
use crate::topology::Topology;
use crate::topology::swapped_dragonfly::RouterAddress;

/// The sizes of a Swapped Dragonfly, K and M.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Cabinets, K ≥ 1.
    pub k: u32,
    /// Drawers a cabinet and routers a drawer, M ≥ 2.
    pub m: u32,
}

impl Shape {
    /// Number of routers, and of source vectors: K·M².
    pub fn routers(self) -> u64 {
        u64::from(self.k) * u64::from(self.m) * u64::from(self.m)
    }

    /// Number of ports of a router: M-1 local, then K global.
    pub fn ports(self) -> u32 {
        self.m - 1 + self.k
    }

    /// The port index of local port `x` ≥ 1.
    pub fn local_port(self, x: u32) -> u32 {
        x - 1
    }

    /// The port index of global port `gamma`.
    pub fn global_port(self, gamma: u32) -> u32 {
        self.m - 1 + gamma
    }

    /// The node at coordinates.
    pub fn node(self, at: RouterAddress) -> NodeId {
        NodeId::new((at.c * self.m + at.d) * self.m + at.p)
    }

    /// The coordinates of a node.
    pub fn address(self, node: NodeId) -> RouterAddress {
        let (rest, p) = (node.get() / self.m, node.get() % self.m);
        RouterAddress { c: rest / self.m, d: rest % self.m, p }
    }
}

/// The law of routes of D3(K,M), verified at all routers and ports of `net`.
///
/// # Errors
/// [`CheckError::SymmetryBroken`] with the first router and port that differ; [`CheckError::TooLarge`] if nodes or channels do not fit
/// in 32 bits.
pub fn law<T: Topology + Sync + ?Sized>(net: &T, shape: Shape) -> Result<RouteLaw, CheckError> {
    let channels = shape.routers() * u64::from(shape.ports());
    if channels > u64::from(u32::MAX) {
        return Err(CheckError::TooLarge { what: "the number of channels", value: channels, limit: u32::MAX.into() });
    }
    let broken = |at, port: String, reason| Err(CheckError::SymmetryBroken { at: Node(at), port, reason });
    if (net.nodes() as u64, net.ports() as u64) != (shape.routers(), shape.ports().into()) {
        let found = format!("belongs to a network of {} nodes with {} ports each", net.nodes(), net.ports());
        let wanted = format!("not to D3({},{})", shape.k, shape.m);
        return broken(vec![0, 0, 0], "0".into(), format!("{found}, {wanted}"));
    }
    let law = match RouteLaw::of(net) {
        Ok(law) => law,
        Err(fault) => return broken(fault.at, fault.port, fault.reason),
    };
    for port in 0..shape.ports() {
        let (turn, plus) = match port.checked_sub(shape.m - 1) {
            None => ([0, 1, 2], [0, 0, port + 1]),
            Some(gamma) => ([0, 2, 1], [gamma, 0, 0]),
        };
        let step = law.step(port as usize);
        if step.turn != turn || step.plus != plus {
            let wanted = Node(vec![plus[0], plus[1], plus[2]]);
            let reason =
                format!("leads to {} instead of {wanted}, or exchanges other coordinates", Node(step.plus.clone()));
            return broken(net.label(NodeId::new(0)), net.port_name(port as usize), reason);
        }
    }
    Ok(law)
}
