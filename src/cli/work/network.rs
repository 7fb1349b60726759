//! Networks that are lists of channels, from a specification: without what is left out, with the cycles of every hop.

use crate::cli::{CliError, Exit};
use crate::id::NodeId;
use crate::schedule::general::PortModel;
use crate::spec::{NetworkOptions, Ports, Spec};
use crate::topology::parts::parts;
use crate::topology::{Exclusion, Graph, Topology, whole};
use std::path::Path;

/// Most parts, and most nodes of a part, that a message names.
const NAMED: usize = 4;

/// A network with its timing.
pub(super) struct Network {
    /// Network without what is left out. Nodes that are left out keep their place and have no channels.
    pub net: Graph,
    /// Cycles of a hop, by channel: `node * net.ports() + port`; 0 where there is none.
    pub latency: Vec<u32>,
    /// Channels of a node in one cycle.
    pub ports: PortModel,
    /// Nodes that take part, ascending.
    pub nodes: Vec<NodeId>,
}

/// Network of a specification; the files that it names are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a network that is not connected, or a file that cannot be used.
pub(super) fn of(spec: &Spec, _folder: &Path) -> Result<Network, CliError> {
    let internal = |what: &str| CliError::Internal(format!("{what} of `{}`", spec.network.topology()));
    let options = spec.network.options().ok_or_else(|| internal("no options"))?;
    let table = serde_json::to_value(&spec.network).map_err(|error| internal(&error.to_string()))?;
    let net = whole(&table).and_then(Result::ok).ok_or_else(|| internal("no network"))?;
    let net = net.as_ref();
    let all = latencies(net, options);
    let exclusion = Exclusion::new(options.exclude_nodes.iter().copied(), options.exclude_channels.iter().copied());
    let rest = exclusion.apply(net);
    let ports = rest.network.ports();
    let mut latency = vec![0; rest.network.nodes() * ports];
    for (node, kept) in rest.ports.iter().enumerate() {
        for (port, &whole) in kept.iter().enumerate() {
            latency[node * ports + port] = all[node][whole];
        }
    }
    connected(spec, options, &rest.network, &rest.nodes)?;
    let ports = match options.ports {
        Ports::All => PortModel::All,
        Ports::One => PortModel::One,
    };
    Ok(Network { net: rest.network, latency, ports, nodes: rest.nodes })
}

/// Cycles of every hop, by node and port.
fn latencies(net: &(dyn Topology + Sync), options: &NetworkOptions) -> Vec<Vec<u32>> {
    let of = |node: NodeId, port| options.latency.of_class(net.channel_class(node, port)).unwrap_or(1);
    let ports = |node: NodeId| (0..net.ports_of(node)).map(|port| of(node, port)).collect();
    (0..net.nodes()).map(NodeId::from).map(ports).collect()
}

/// Refuses a network in which some node does not reach some other.
fn connected(spec: &Spec, options: &NetworkOptions, net: &Graph, nodes: &[NodeId]) -> Result<(), CliError> {
    let parts = parts(net, nodes);
    let parts: Vec<_> = parts.iter().filter(|part| nodes.binary_search(&part[0]).is_ok()).collect();
    if parts.len() <= 1 {
        return Ok(());
    }
    let more = |count: usize| if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
    let name = |part: &&Vec<NodeId>| {
        let nodes: Vec<String> = part.iter().take(NAMED).map(|&node| net.title(node)).collect();
        format!("{}{}", nodes.join(" "), more(part.len()))
    };
    let named: Vec<String> = parts.iter().take(NAMED).map(name).collect();
    let message = format!(
        "the network has {} parts, and some node of one does not reach some node of another: {}{}",
        parts.len(),
        named.join("; "),
        more(parts.len())
    );
    let field = match options {
        _ if !options.exclude_channels.is_empty() => "network.exclude_channels",
        _ if !options.exclude_nodes.is_empty() => "network.exclude_nodes",
        _ => "network.file",
    };
    let help = "leave fewer out, or add channels: each node needs a way to each other and back";
    let diagnostic = Box::new(spec.diagnostic(field, message, help));
    Err(CliError::AtSpec { exit: Exit::BadSpec, diagnostic })
}
