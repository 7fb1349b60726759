//! GraphML (Brandes et al. 2002): nodes and edges of one graph. The attribute of edges whose name is `latency` has the cycles of a hop; an
//! edge that is not directed is a channel each way.

use super::draft::{Draft, Listing, ListingError, cycles_of, error};
use crate::input::character_place;
use roxmltree::{Document, Node, ParsingOptions};
use std::ops::Range;

const FORM: &str =
    "write GraphML: `<graphml><graph edgedefault=\"undirected\">` with `<node id=…/>` and `<edge source=… target=…/>`";

/// The network of a text.
pub(super) fn read(text: &str) -> Result<Listing, ListingError> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: 1 << 23, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|fault| {
        let at = fault.pos();
        error(character_place(text, at.row as usize, at.col as usize), fault.to_string(), FORM)
    })?;
    let root = document.root_element();
    let elements = |of: Node<'_, '_>, name: &'static str| {
        let named = move |node: &Node<'_, '_>| node.is_element() && node.tag_name().name() == name;
        of.children().filter(named).map(|node| node.id()).collect::<Vec<_>>()
    };
    let get = |id| document.get_node(id).unwrap_or(root);
    let graphs = elements(root, "graph");
    let &[graph] = &graphs[..] else {
        let (place, found) = (tag(&root, text), graphs.len());
        return Err(error(place, format!("{found} graphs, and one is read"), FORM));
    };
    let graph = get(graph);
    let of_edges = |key: &&Node<'_, '_>| {
        key.attribute("attr.name") == Some("latency") && matches!(key.attribute("for"), Some("edge" | "all") | None)
    };
    let keys: Vec<Node<'_, '_>> = elements(root, "key").into_iter().map(get).collect();
    let key = keys.iter().find(of_edges);
    let default = key.and_then(|key| key.children().find(|child| child.tag_name().name() == "default"));
    let default = default.map(|default| cycles(&default, text)).transpose()?;
    let key = key.and_then(|key| key.attribute("id"));
    let mut draft = Draft::default();
    for node in elements(graph, "node").into_iter().map(get) {
        let place = tag(&node, text);
        if let Some(inner) = node.children().find(|child| child.tag_name().name() == "graph") {
            return Err(error(tag(&inner, text), "a graph within a node", "list all nodes in one graph"));
        }
        draft.new_node(attribute(&node, "id", text)?, &place)?;
    }
    for edge in graph.children().filter(Node::is_element) {
        let place = tag(&edge, text);
        match edge.tag_name().name() {
            "edge" => {}
            "hyperedge" => return Err(error(place, "an edge of many ends", "list channels from node to node")),
            _ => continue,
        }
        let mut ends = [0, 0];
        for (end, name) in ends.iter_mut().zip(["source", "target"]) {
            let id = attribute(&edge, name, text)?;
            let unknown =
                || error(place.clone(), format!("there is no node `{id}`"), "list each node in a `<node id=…/>`");
            *end = draft.index.get(id).copied().ok_or_else(unknown)?;
        }
        let data = edge.children().find(|child| child.tag_name().name() == "data" && child.attribute("key") == key);
        let latency = match data.filter(|_| key.is_some()) {
            Some(data) => Some(cycles(&data, text)?),
            None => default,
        };
        draft.channel((ends[0], ends[1]), latency, &place)?;
        let directed = match edge.attribute("directed") {
            Some(directed) => directed == "true",
            None => graph.attribute("edgedefault") == Some("directed"),
        };
        if !directed {
            draft.channel((ends[1], ends[0]), latency, &place)?;
        }
    }
    draft.finish(text)
}

fn cycles(node: &Node<'_, '_>, text: &str) -> Result<u32, ListingError> {
    cycles_of(node.text().unwrap_or("").trim(), &tag(node, text))
}

fn attribute<'a>(node: &Node<'a, '_>, name: &str, text: &str) -> Result<&'a str, ListingError> {
    let missing = || error(tag(node, text), format!("`{}` lacks `{name}`", node.tag_name().name()), FORM);
    node.attribute(name).filter(|value| !value.is_empty()).ok_or_else(missing)
}

/// Place of an element's first line.
fn tag(node: &Node<'_, '_>, text: &str) -> Range<usize> {
    let Range { start, end } = node.range();
    let line = text[start..end].find('\n').unwrap_or(end - start);
    start..start + line
}
