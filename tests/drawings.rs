//! Drawings of networks: every node and link once, groups with their names, all within the picture, and few enough to be seen.

use assert_cmd::cargo::cargo_bin_cmd;
use metronoc::report::Drawing;
use metronoc::topology::{
    Complete, Exclusion, FatCube, Galaxy, Galaxyfly, Graph, HierarchicalDualNet, Topology, Torus,
};
use roxmltree::{Document, Node, ParsingOptions};
use std::collections::{BTreeMap, BTreeSet};

fn dual(base: &[&str], levels: &[&[usize]]) -> HierarchicalDualNet {
    let base = base.iter().map(|factor| factor.parse().unwrap()).collect();
    HierarchicalDualNet::new(base, levels.iter().map(|level| level.to_vec()).collect()).unwrap()
}

fn galaxyfly(n: u32, q: u32, a: u32) -> Galaxyfly {
    Galaxyfly::new(Galaxy::new(n, q).unwrap(), a, true)
}

/// Parts of a drawing.
#[derive(Debug, PartialEq, Eq)]
struct Drawn {
    nodes: BTreeSet<usize>,
    /// Pairs of nodes, in ascending order.
    links: Vec<(usize, usize)>,
    /// Names of groups, with the number of groups that have them.
    groups: BTreeMap<String, usize>,
    frames: usize,
    /// By colour: links.
    colours: BTreeMap<String, usize>,
}

fn number(node: &Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap_or_else(|| panic!("no {name}")).parse().unwrap()
}

fn classes<'a>(node: &Node<'a, '_>) -> Vec<&'a str> {
    node.attribute("class").unwrap_or_default().split(' ').collect()
}

/// Parts of a picture; a fault in words of one that is not sound.
fn drawn(svg: &str) -> Result<Drawn, String> {
    let document = Document::parse(svg).map_err(|error| error.to_string())?;
    let root = document.root_element();
    let (width, height) = (number(&root, "width"), number(&root, "height"));
    let all = |name: &'static str| document.descendants().filter(move |node| node.tag_name().name() == name);
    let mut circles = Vec::new();
    for circle in all("circle").filter(|circle| circle.has_attribute("data-n")) {
        let [x, y, r] = ["cx", "cy", "r"].map(|name| number(&circle, name));
        if x < r || y < r || x > width - r || y > height - r {
            return Err(format!("node {} is outside", number(&circle, "data-n")));
        }
        if let Some((_, _, near)) = circles.iter().find(|&&(a, b, _): &&(f64, f64, f64)| (a - x).hypot(b - y) < 2.0 * r)
        {
            return Err(format!("node {} covers {near}", number(&circle, "data-n")));
        }
        circles.push((x, y, number(&circle, "data-n")));
    }
    let nodes: BTreeSet<usize> = circles.iter().map(|circle| circle.2 as usize).collect();
    let mut colours = BTreeMap::new();
    let mut links = Vec::new();
    for link in all("path").filter(|path| path.has_attribute("data-a")) {
        let ends = (number(&link, "data-a") as usize, number(&link, "data-b") as usize);
        if !nodes.contains(&ends.0) || !nodes.contains(&ends.1) {
            return Err(format!("a link to nowhere: {ends:?}"));
        }
        links.push(ends);
        let group = link.parent().unwrap();
        *colours.entry(classes(&group)[2].to_owned()).or_default() += 1;
    }
    links.sort_unstable();
    let mut groups = BTreeMap::new();
    for title in all("text").filter(|text| classes(text).contains(&"group")) {
        *groups.entry(title.text().unwrap_or_default().to_owned()).or_default() += 1;
    }
    let frames = document.descendants().filter(|node| classes(node) == ["frame"]).count();
    Ok(Drawn { nodes, links, groups, frames, colours })
}

fn picture(net: &dyn Topology) -> String {
    Drawing::new(net, net).panels.remove(0).svg
}

fn pairs(net: &dyn Topology) -> Vec<(usize, usize)> {
    let ports = |node: usize| (0..net.ports_of(node.into())).map(move |port| (node, port));
    let ends = (0..net.nodes()).flat_map(ports).map(|(node, port)| (node, net.neighbour(node.into(), port).index()));
    ends.map(|(a, b)| (a.min(b), a.max(b))).collect::<BTreeSet<_>>().into_iter().collect()
}

#[test]
fn every_node_and_link_is_drawn_once_up_to_512_nodes() {
    let nets: Vec<Box<dyn Topology>> = vec![
        Box::new(galaxyfly(1, 3, 2)),
        Box::new(galaxyfly(3, 5, 4)),
        Box::new(galaxyfly(4, 16, 8)),
        Box::new(dual(&["ring:2", "ring:2"], &[&[0]])),
        Box::new(dual(&["ring:2", "ring:2"], &[&[0], &[0, 1]])),
        Box::new(dual(&["hypercube:4"], &[&[]])),
        Box::new(FatCube::new(0, 1, 1, 1)),
        Box::new(FatCube::new(2, 2, 2, 2)),
        Box::new(FatCube::new(6, 8, 1, 6)),
        Box::new(Torus::new(vec![8, 8, 8], true)),
        Box::new(Complete::new(12)),
    ];
    for net in nets {
        let net = net.as_ref();
        let found = drawn(&picture(net)).unwrap_or_else(|fault| panic!("{}: {fault}", net.name()));
        assert_eq!(found.nodes, (0..net.nodes()).collect(), "{}", net.name());
        assert_eq!(found.links, pairs(net), "{}", net.name());
        assert_eq!(found.frames, found.groups.values().sum::<usize>());
    }
}

#[test]
fn groups_and_links_are_those_of_the_papers() {
    let of = |net: &dyn Topology| {
        let drawing = Drawing::new(net, net);
        let found = drawn(&drawing.panels[0].svg).unwrap();
        let links = drawing.legend.iter().map(|&(colour, name)| (name, found.colours[colour])).collect::<Vec<_>>();
        (found.groups, links)
    };
    let count = |groups: &BTreeMap<String, usize>, name: &str| groups.get(name).copied().unwrap_or(0);
    // Galaxyfly: 3 clusters of 5 supernodes of 4 routers, of degree 2 + 2
    let (groups, links) = of(&galaxyfly(3, 5, 4));
    assert_eq!((groups.len(), count(&groups, "cluster 2"), count(&groups, "(2,4)")), (3 + 15, 1, 1));
    assert_eq!(links, [("in a supernode", 15 * 6), ("in a cluster", 15), ("between clusters", 15)]);
    // dual-net: 2 classes of 2 clusters of 2 super-nodes of 2 nodes
    let (groups, links) = of(&dual(&["ring:2", "ring:2"], &[&[0]]));
    let names = ["class 0", "class 1", "cluster 0", "cluster 1", "SN 0", "SN 1"].map(|name| count(&groups, name));
    assert_eq!(names, [1, 1, 2, 2, 4, 4]);
    assert_eq!(links, [("in a super-node", 8), ("between super-nodes of a cluster", 8), ("cross edges", 8)]);
    // its 128 nodes of two levels
    let (groups, links) = of(&dual(&["ring:2", "ring:2"], &[&[0], &[0, 1]]));
    assert_eq!((count(&groups, "class 0"), count(&groups, "cluster 3"), count(&groups, "SN 1")), (1 + 8, 2, 32));
    assert_eq!(links.iter().map(|link| link.1).collect::<Vec<_>>(), [64; 4]);
    // fat cube: 12 links of routers, and 32 of processors
    let (groups, links) = of(&FatCube::new(3, 4, 1, 3));
    assert_eq!((groups.len(), links), (0, vec![("processor to router", 32), ("router to router", 12)]));
}

#[test]
fn a_fault_of_a_picture_is_noticed() {
    let net = galaxyfly(3, 5, 4);
    let (svg, sound) = (picture(&net), drawn(&picture(&net)).unwrap());
    let error = |from: &str, to: &str| {
        assert!(svg.contains(from), "{from}");
        drawn(&svg.replacen(from, to, 1)).unwrap_err()
    };
    assert!(error("data-b=\"1\"", "data-b=\"60\"").contains("nowhere"));
    assert!(error("</svg>", "").contains("root node"));
    let cut = svg.find("<circle class=\"router\"").unwrap();
    let end = cut + svg[cut..].find("</circle>").unwrap() + "</circle>".len();
    let missing = drawn(&format!("{}{}", &svg[..cut], &svg[end..]));
    assert!(missing.is_err_and(|fault| fault.contains("nowhere")));
    let twice = format!("{}{}{}", &svg[..end], svg[cut..end].replace("data-n=\"0\"", "data-n=\"7\""), &svg[end..]);
    assert!(drawn(&twice).is_err_and(|fault| fault.contains("covers")));
    let moved = drawn(&svg.replacen(">cluster 1<", ">cluster 0<", 1)).unwrap();
    assert_ne!(moved, sound);
}

#[test]
fn what_is_left_out_is_shown_in_its_place() {
    let whole = dual(&["ring:2", "ring:2"], &[&[0]]);
    let rest: Graph = Exclusion::new([3], [[0, 1], [1, 0]]).apply(&whole).network;
    let svg = Drawing::new(&rest, &whole).panels.remove(0).svg;
    let (found, all) = (drawn(&svg).unwrap(), drawn(&picture(&whole)).unwrap());
    assert_eq!((&found.nodes, &found.groups), (&all.nodes, &all.groups));
    assert_eq!(found.links.len(), 24 - 3 - 1);
    assert_eq!(svg.matches("\"router out\"").count(), 1);
    assert!(svg.contains("<title>(4) ↔ (6)</title>"));
    // one direction alone
    let rest = Exclusion::new([], [[4, 6]]).apply(&whole).network;
    assert!(Drawing::new(&rest, &whole).panels[0].svg.contains("<title>(6) → (4)</title>"));
}

#[test]
fn too_large_a_network_is_not_drawn() {
    assert!(Drawing::new(&Complete::new(150), &Complete::new(150)).panels.is_empty());
    let net = Torus::new(vec![40, 40], true);
    assert!(Drawing::new(&net, &net).panels.is_empty());
    // and neither is one at places of another
    assert!(Drawing::new(&Complete::new(5), &Complete::new(4)).panels.is_empty());
}

#[test]
fn the_page_of_a_network_has_its_drawing() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "format = 1\n[network]\ntopology = \"galaxyfly\"\nn = 2\nq = 3\na = 2\n[collective]\nkind = \"broadcast\"\n";
    std::fs::write(folder.path().join("net.toml"), text).unwrap();
    cargo_bin_cmd!("metronoc").args(["report", "net.toml"]).current_dir(folder.path()).assert().success();
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&page, options).unwrap();
    let network = document.descendants().find(|node| node.attribute("id") == Some("network")).unwrap();
    let found = drawn(&page[network.range()]).unwrap();
    assert_eq!((found.nodes.len(), found.links), (12, pairs(&galaxyfly(2, 3, 2))));
    let legend = document.descendants().find(|node| node.attribute("aria-label") == Some("Colours of links")).unwrap();
    let names: Vec<&str> = legend.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    assert_eq!(
        names.join(" ").split_whitespace().collect::<Vec<_>>().join(" "),
        "in a supernode in a cluster between clusters"
    );
}
