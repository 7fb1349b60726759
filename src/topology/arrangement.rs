//! Arrangement of a network's nodes in a drawing: groups within groups, without lengths.

/// Nodes of a network, group by group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrangement {
    /// One node, by its number.
    Node(u32),
    /// Parts that are drawn together.
    Group(Group),
}

/// Group of an arrangement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Name of the group, which is then framed; empty for one without a frame.
    pub title: String,
    /// Places of the parts.
    pub shape: Shape,
    /// Name of the links from part to part.
    pub links: &'static str,
    /// Parts, in the order of the shape.
    pub parts: Vec<Arrangement>,
}

/// Places of a group's parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Grid of rows, with a number of parts in each row.
    Grid {
        /// Parts of a row.
        columns: usize,
    },
    /// Parts round a circle, clockwise from the top.
    Ring,
    /// The first part in the middle, the others round it.
    Star,
    /// Corners of a cube: bit i of a part's position is its coordinate in dimension i.
    Cube,
    /// Two parts, one beside the other, with room for links between them.
    Beside,
    /// Two parts, one below the other, with room for links between them.
    Below,
}

impl Arrangement {
    /// A group without a name.
    pub fn group(shape: Shape, links: &'static str, parts: Vec<Self>) -> Self {
        Self::Group(Group { title: String::new(), shape, links, parts })
    }

    /// Nodes in the order of their numbers.
    pub fn nodes(shape: Shape, links: &'static str, count: usize) -> Self {
        Self::group(shape, links, (0..count as u32).map(Self::Node).collect())
    }

    /// The group with a name; a node stays as it is.
    pub fn titled(mut self, name: String) -> Self {
        if let Self::Group(group) = &mut self {
            group.title = name;
        }
        self
    }

    /// Parts at integer coordinates, in lexicographic order: the last two coordinates are row and column, those before them lead from grid to
    /// grid.
    pub fn lattice(dims: &[u32], [inner, outer]: [&'static str; 2], mut parts: Vec<Self>) -> Self {
        let (mut dims, mut links) = (dims.to_vec(), inner);
        loop {
            let columns = dims.pop().unwrap_or(1).max(1) as usize;
            let rows = dims.pop().unwrap_or(1).max(1) as usize;
            // one row of grids is wrapped
            let wrapped = dims.is_empty() && rows == 1 && parts.iter().any(|part| matches!(part, Self::Group(_)));
            let shape = Shape::Grid { columns: if wrapped { wrap(columns) } else { columns } };
            let mut rest = parts.into_iter().peekable();
            let mut grids = Vec::new();
            while rest.peek().is_some() {
                grids.push(Self::group(shape, links, rest.by_ref().take(rows * columns).collect()));
            }
            if grids.len() <= 1 {
                return grids.pop().unwrap_or_else(|| Self::group(shape, links, Vec::new()));
            }
            (parts, links) = (grids, outer);
        }
    }

    /// Nodes with coordinates, numbered lexicographically.
    pub fn of_coordinates(dims: &[u32]) -> Self {
        let nodes = (0..dims.iter().product()).map(Self::Node).collect();
        Self::lattice(dims, ["in a grid", "between grids"], nodes)
    }

    /// Number of nodes.
    pub fn count(&self) -> usize {
        match self {
            Self::Node(_) => 1,
            Self::Group(group) => group.parts.iter().map(Self::count).sum(),
        }
    }
}

/// Caption of a drawing by coordinates.
pub(super) fn about_coordinates(dims: &[u32]) -> String {
    format!("Coordinates {dims:?}: the last is the column, the one before it the row, further ones the grid.")
}

/// Number of columns for `count` parts in rows of about equal length, full rows if possible.
fn wrap(count: usize) -> usize {
    let least = (1..=count).find(|columns| columns * columns >= count).unwrap_or(1);
    (least..=2 * least).find(|&columns| count.is_multiple_of(columns)).unwrap_or(least)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topology::{FatCube, Galaxy, Galaxyfly, HierarchicalDualNet, Mesh, Topology, Torus};

    fn collect(arrangement: &Arrangement, nodes: &mut Vec<u32>, titles: &mut Vec<String>) {
        match arrangement {
            Arrangement::Node(node) => nodes.push(*node),
            Arrangement::Group(group) => {
                titles.extend(Some(group.title.clone()).filter(|title| !title.is_empty()));
                group.parts.iter().for_each(|part| collect(part, nodes, titles));
            }
        }
    }

    /// Every node has one place.
    #[test]
    fn arrangements_have_every_node_once() {
        let dual = |base: &[&str], levels: &[&[usize]]| {
            let base = base.iter().map(|factor| factor.parse().expect("a factor")).collect();
            HierarchicalDualNet::new(base, levels.iter().map(|level| level.to_vec()).collect()).expect("a network")
        };
        let nets: Vec<(Box<dyn Topology>, usize)> = vec![
            (Box::new(Galaxyfly::new(Galaxy::new(3, 5).expect("a graph"), 4, true)), 3 + 15),
            (Box::new(FatCube::new(3, 4, 1, 3)), 0),
            (Box::new(Torus::new(vec![2, 3, 4, 5], true)), 0),
            (Box::new(Mesh::new(vec![7])), 0),
            // classes, clusters, super-nodes
            (Box::new(dual(&["ring:2", "ring:2"], &[&[0]])), 2 + 4 + 8),
            (Box::new(dual(&["hypercube:2"], &[&[]])), 2 + 8),
            (Box::new(dual(&["ring:2", "ring:2"], &[&[0], &[0, 1]])), 2 + 8 + 8 * (2 + 4 + 8)),
            (Box::new(dual(&["ring:3", "complete:4"], &[&[1]])), 2 + 6 + 18),
            (Box::new(dual(&["ring:2", "ring:3"], &[])), 0),
        ];
        for (net, groups) in nets {
            let (mut nodes, mut titles) = (Vec::new(), Vec::new());
            let arrangement = net.arrangement();
            collect(&arrangement, &mut nodes, &mut titles);
            nodes.sort_unstable();
            assert_eq!(nodes, (0..net.nodes() as u32).collect::<Vec<_>>(), "{}", net.name());
            assert_eq!(arrangement.count(), net.nodes());
            assert_eq!(titles.len(), groups, "{}: {titles:?}", net.name());
        }
    }
}
