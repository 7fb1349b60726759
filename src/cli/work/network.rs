//! Networks of a specification as lists of channels: without excluded nodes and channels, with the cycles of every hop.

use crate::cli::{CliError, Exit};
use crate::id::NodeId;
use crate::input;
use crate::schedule::general::PortModel;
use crate::spec::{Diagnostic, GeneralNetwork, NetworkOptions, Ports, Spec};
use crate::topology::kind::Listed;
use crate::topology::listing::{self, ListingError};
use crate::topology::parts::parts;
use crate::topology::{Exclusion, Graph, Topology};
use serde_json::Value;
use std::path::Path;

/// Most bytes of a file.
const MAX_BYTES: u64 = 256 << 20;

/// Most parts, and most nodes of a part, that a message names.
const NAMED: usize = 4;

/// A network with its timing.
pub(super) struct ListedNetwork {
    /// Network without excluded nodes and channels. Excluded nodes keep their place and have no channels.
    pub net: Graph,
    /// Cycles of a hop, by channel: `node * net.ports() + port`; 0 where there is none.
    pub latency: Vec<u32>,
    /// Channels of a node in one cycle.
    pub ports: PortModel,
    /// Nodes that take part, ascending: all but media.
    pub nodes: Vec<NodeId>,
    /// Table of the network by name and sizes; null if something is left out, or sizes alone do not say which channels there are.
    pub table: Value,
}

/// Network of a specification; the files that it names are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a network that is not connected, or a file that cannot be used.
pub(super) fn of(spec: &Spec, folder: &Path) -> Result<ListedNetwork, CliError> {
    let internal = |what: &str| CliError::Internal(format!("{what} of `{}`", spec.network.topology()));
    let network = spec.network.general().ok_or_else(|| internal("no options"))?;
    let options = &network.options;
    let table = serde_json::to_value(&spec.network).map_err(|error| internal(&error.to_string()))?;
    let Listed { network: net, latency: listed } = match network.file() {
        Some(file) => listed(spec, network, &folder.join(file))?,
        None => {
            let net = (network.kind.build)(&network.numbers()).ok_or_else(|| internal("no network"))?;
            Listed { network: net, latency: Vec::new() }
        }
    };
    let net = net.as_ref();
    let all = latencies(spec, options, net, &listed, folder)?;
    if let Some((field, message, help)) = options.misfits(net).into_iter().next() {
        return Err(CliError::at(Exit::BadSpec, spec, field, message, help));
    }
    let exclusion = Exclusion::new(options.exclude_nodes.iter().copied(), options.exclude_channels.iter().copied());
    let rest = exclusion.apply(net);
    let table = if exclusion.is_empty() && network.file().is_none() { table } else { Value::Null };
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
    let nodes = rest.nodes.into_iter().filter(|&node| !rest.network.is_medium(node)).collect();
    Ok(ListedNetwork { net: rest.network, latency, ports, nodes, table })
}

/// Text of a file that the specification names in `field`.
fn text(spec: &Spec, field: &str, path: &Path) -> Result<String, CliError> {
    let name = path.display();
    let help = "a file's name is relative to the specification's folder";
    let bytes = input::read(path, MAX_BYTES);
    let bytes = bytes
        .map_err(|error| CliError::at(Exit::BadSpec, spec, field, format!("cannot read `{name}`: {error}"), help))?;
    input::text(bytes).map_err(|line| {
        let message = format!("`{name}` is not UTF-8 text: line {line} has an invalid byte");
        CliError::at(Exit::BadSpec, spec, field, message, "save the file as UTF-8")
    })
}

fn in_file(path: &Path, text: &str, error: ListingError) -> CliError {
    let ListingError { place, message, help } = error;
    let diagnostic = Diagnostic::in_file(&path.display().to_string(), text, place, message).help(help);
    CliError::AtSpec { exit: Exit::BadSpec, diagnostic: Box::new(diagnostic) }
}

/// Network that a file lists, and the cycles of its channels, by node and port, that the file tells.
fn listed(spec: &Spec, network: &GeneralNetwork, path: &Path) -> Result<Listed, CliError> {
    let file = network.kind.file.ok_or_else(|| CliError::Internal("no reader of a network's file".to_owned()))?;
    let (field, endings) = (format!("network.{}", file.key), (file.endings)());
    let ending = path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().into_owned());
    if !endings.is_empty() && !endings.iter().any(|known| known.eq_ignore_ascii_case(&ending)) {
        let known: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
        let help = format!("name a file that ends in {}", known.join(", "));
        return Err(CliError::at(
            Exit::BadSpec,
            spec,
            &field,
            format!("`{}` is of no kind that is read", path.display()),
            help,
        ));
    }
    let text = text(spec, &field, path)?;
    (file.read)(&network.sizes, &ending, &text).map_err(|error| in_file(path, &text, error))
}

/// Cycles of every hop, by node and port: those of the file of latencies, else of the graph's file, else of the class.
fn latencies(
    spec: &Spec,
    options: &NetworkOptions,
    net: &dyn Topology,
    listed: &[Vec<Option<u32>>],
    folder: &Path,
) -> Result<Vec<Vec<u32>>, CliError> {
    let of = |node: NodeId, port: usize| {
        let own = listed.get(node.index()).and_then(|ports| ports[port]);
        own.or_else(|| options.latency.of_class(net.channel_class(node, port))).unwrap_or(1)
    };
    let ports = |node: NodeId| (0..net.ports_of(node)).map(|port| of(node, port)).collect();
    let mut latencies = (0..net.nodes()).map(NodeId::from).map(ports).collect::<Vec<Vec<u32>>>();
    if let Some(file) = &options.latency.file {
        let path = folder.join(file);
        let text = text(spec, "network.latency.file", &path)?;
        listing::cycles(&text, net, &mut latencies).map_err(|error| in_file(&path, &text, error))?;
    }
    Ok(latencies)
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
    Err(CliError::at(Exit::BadSpec, spec, field, message, help))
}
