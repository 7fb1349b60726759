//! Schedules that other tools made, on the network of a specification or on the links that they name.

use super::general::bounds_of;
use super::judged::{Best, JudgedDocument, Origin, TimesOf};
use super::network::{self, ListedNetwork};
use super::piece::tables;
use crate::cli::{CliError, Exit};
use crate::hash::sha256;
use crate::id::NodeId;
use crate::input::STANDARD_INPUT;
use crate::lower::slot_table::operator_cycles;
use crate::program::Document;
use crate::program::foreign::{Flow, Form, FormError, Hint, Send};
use crate::schedule::general::{Effort, Placing, PortModel, Problem, schedule};
use crate::spec::{Diagnostic, Spec};
use crate::topology::parts::parts;
use crate::topology::{Graph, Topology, named};
use serde_json::{Value, json};
use std::path::Path;

/// Most seconds of each search for a schedule to compare with.
const SEARCH_S: u32 = 2;

/// Problem that another tool solved, and how its times came about.
#[derive(Debug)]
pub(super) struct Foreign {
    form: &'static str,
    times: TimesOf,
    problem: Problem,
    effort: Effort,
    /// True if there is a way from each node to each other.
    connected: bool,
    /// Name of the algorithm under the form's rule of ports.
    same_ports: Option<&'static str>,
}

impl Foreign {
    /// The verdict with bounds of the problem, and the schedule's origin.
    pub fn judged(&self, judged: JudgedDocument) -> JudgedDocument {
        let origin = Some(Origin { form: self.form, times: self.times, best: None, same_ports: None });
        match self.connected {
            true => JudgedDocument { bounds: bounds_of(&self.problem), origin, ..judged },
            false => JudgedDocument { origin, ..judged },
        }
    }

    /// Adds metronoc's own shortest schedules; none where some node does not reach another.
    pub fn compare(&self, origin: &mut Origin) {
        origin.best = self.own("best");
        origin.same_ports = self.same_ports.and_then(|algorithm| self.own(algorithm));
    }

    /// Schedule of metronoc's own.
    fn own(&self, algorithm: &str) -> Option<Best> {
        let made = self.connected.then(|| schedule(&self.problem, algorithm, &self.effort).ok())??;
        Some(Best { algorithm: made.algorithm, cycles: made.cycles })
    }
}

/// True if a file could be a schedule of another tool: it is no `.toml` file, and can be read more than once.
pub(super) fn is_possible(path: &Path) -> bool {
    path != Path::new(STANDARD_INPUT)
        && path.is_file()
        && !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"))
}

/// Specification of a network, with its table and that of a collective.
struct Given {
    spec: Spec,
    network: ListedNetwork,
    table: Value,
    collective: Option<Value>,
}

/// Reads a schedule, finds times and channels for its sends, and makes the specification that stands for it.
///
/// # Errors
/// [`CliError::AtSpec`] at the place in the file, with [`Exit::BadSpec`] if it is malformed, and with [`Exit::Infeasible`] if its schedule
/// does not hold.
pub(super) fn read(
    path: &Path,
    form: &'static dyn Form,
    text: &str,
    network: Option<&Path>,
) -> Result<(Spec, Document, Foreign), CliError> {
    let given = network.map(given).transpose()?;
    let hint = Hint {
        network: given.as_ref().map(|given| &given.table),
        collective: given.as_ref().and_then(|given| given.collective.as_ref()),
    };
    let is_own = given.is_none();
    let at = |error: FormError| {
        let exit = if error.is_fault { Exit::Infeasible } else { Exit::BadSpec };
        let name = path.display().to_string();
        let diagnostic = Diagnostic::in_file(&name, text, error.place, error.message).help(error.help);
        CliError::AtSpec { exit, diagnostic: Box::new(diagnostic) }
    };
    let flow = form.read(text, hint).map_err(at)?;
    let mut standing = format!("# schedule of the form {}, SHA-256 {}\n", form.name(), sha256(text));
    if let Some(given) = &given {
        standing += given.spec.text();
    }
    let mut spec = Spec::listed(&path.display().to_string(), &standing);
    let (network, table) = match given {
        Some(Given { spec: of, network, table, .. }) => {
            spec.router = of.router;
            spec.schedule = of.schedule;
            (network, table)
        }
        None => own(&flow, path)?,
    };
    let ListedNetwork { net, latency, ports, nodes, table: whole } = network;
    if nodes.len() != flow.ranks as usize {
        let message = format!("{} ranks on a network of {} nodes", flow.ranks, nodes.len());
        let help = "name a network with a node for each rank; `exclude_nodes` leaves nodes out of it";
        return Err(CliError::failed(Exit::BadSpec, format!("`{}`: {message}", path.display()), help));
    }
    // a file's hops take a cycle each, and its sums none
    let alike = ports == PortModel::All && latency.iter().all(|&cycles| cycles <= 1);
    let alike = alike && flow.is_timed() && (is_own || !flow.combines());
    let operator = operator_cycles(flow.most_operands().max(net.most_inputs() + 1) as u32);
    let mut problem = Problem { latency, ports, operator, table: whole, ..Problem::new(net, flow.demand(&nodes)) };
    let kept = alike.then(|| Placing::new(&flow, &problem, &nodes).kept().ok()).flatten();
    if kept.is_some() {
        problem.operator = 0;
    }
    let placing = Placing::new(&flow, &problem, &nodes);
    let no_way = |send: &Send| {
        let message = format!("there is no way from rank {} to rank {}", send.from, send.to);
        at(FormError { place: send.place.clone(), message, help: "name a connected network".into(), is_fault: true })
    };
    let (times, of) = match kept {
        Some(times) => (times, TimesOf::File),
        None => (placing.listed().map_err(no_way)?, TimesOf::ListScheduling),
    };
    let period = flow.period.filter(|_| of == TimesOf::File);
    let document = placing.document(&times, [table, flow.collective.clone()], period);
    let effort = Effort { time_limit_s: spec.schedule.time_limit_s.min(SEARCH_S), seed: spec.schedule.seed };
    let connected = parts(&problem.net, &nodes).iter().filter(|part| nodes.contains(&part[0])).count() <= 1;
    let foreign = Foreign { form: form.name(), times: of, problem, effort, connected, same_ports: form.same_ports() };
    Ok((spec, document, foreign))
}

/// The network of the specification at `path`.
fn given(path: &Path) -> Result<Given, CliError> {
    let spec = Spec::load(path)?;
    if spec.network.options().is_none() {
        let message = format!("`{}` does not run in slot tables", spec.network.topology());
        let help = "name a network such as `torus`, `mesh` or `graph`; the manual's page of topologies lists them";
        return Err(CliError::at(Exit::BadSpec, &spec, "network.topology", message, help));
    }
    let network = network::of(&spec, path.parent().unwrap_or(Path::new("")))?;
    if (0..network.net.nodes()).any(|node| network.net.is_medium(node.into())) {
        let help = "name a network whose words go from hop to hop";
        let message = format!("words cross `{}` along circuits", spec.network.topology());
        return Err(CliError::at(Exit::BadSpec, &spec, "network.topology", message, help));
    }
    let [table, collective] = tables(&spec);
    let says = spec.text().parse::<toml::Table>().is_ok_and(|text| text.contains_key("collective"));
    Ok(Given { network, table, collective: says.then_some(collective), spec })
}

/// The network that a file itself means: one with a name, or its links.
fn own(flow: &Flow, path: &Path) -> Result<(ListedNetwork, Value), CliError> {
    let internal = |error: &dyn std::fmt::Display| CliError::Internal(format!("network of a schedule: {error}"));
    let (net, table) = match &flow.network {
        Some(table) => {
            let net = named(table).ok_or_else(|| internal(table))?.map_err(|error| internal(&error))?;
            (Graph::of(net.as_ref()), table.clone())
        }
        None => {
            let labels = (0..flow.ranks).map(|rank| vec![rank]).collect();
            let net = Graph::new(labels, &flow.links).map_err(|error| internal(&error))?;
            let file = path.file_name().map(|name| name.to_string_lossy());
            (net, json!({ "topology": "graph", "file": file }))
        }
    };
    let latency = vec![1; net.nodes() * net.ports()];
    let nodes = (0..net.nodes()).map(NodeId::from).collect();
    let whole = flow.network.clone().unwrap_or_default();
    Ok((ListedNetwork { net, latency, ports: PortModel::All, nodes, table: whole }, table))
}
