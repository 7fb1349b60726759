//! Lowering to the routers of a larger network: every router has slot tables of its own, in terms of its own ports.
//!
//! Hardware is the host's and has nothing of the guests. A router outside has tables without an entry. The others have
//! the guest's program with the host's source vectors, which differ from router to router. The images are read back and
//! checked on the host alone. A packet that is sent in a row must be the one that its destination expects in that row.
//! Every router of a guest must send once to each router of its guest, and to no other.

use super::{Parameters, SlotTables, Table, decode, routes};
use crate::id::NodeId;
use crate::lower::LowerError;
use crate::lower::images::{Images, wrong};
use crate::lower::read_back::ReadBack;
use crate::program::Who;
use crate::program::form::swapped_dragonfly::uniform::{Launch, UniformProgram};
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::{Embedding, Placement, Topology};
use std::collections::BTreeSet;

/// Guests in a network, and every router's tables.
#[derive(Debug, Clone)]
pub struct Guests {
    embeddings: Vec<Embedding>,
    /// Slot tables by router of the host; None outside of the guests.
    tables: Vec<Option<SlotTables>>,
}

impl Guests {
    /// Embeddings of the guests in the host network.
    pub fn embeddings(&self) -> &[Embedding] {
        &self.embeddings
    }

    /// The tables of a router of the host; none if no guest has it.
    pub fn tables(&self, node: usize) -> Option<&SlotTables> {
        self.tables.get(node).and_then(Option::as_ref)
    }

    /// The number of the guest, from 0, that has a router of the host.
    pub fn network(&self, node: NodeId) -> Option<usize> {
        let has = |e: &Embedding| {
            let at = e.host().address(node);
            e.cabinets().contains(&at.c) && e.places().contains(&at.d) && e.places().contains(&at.p)
        };
        self.embeddings.iter().position(has)
    }

    /// The routers of a guest, in its order, as routers of the host.
    pub fn members(&self, network: usize) -> Vec<NodeId> {
        let embedding = &self.embeddings[network];
        (0..embedding.guest().nodes()).map(|node| embedding.node(node.into())).collect()
    }
}

impl Guests {
    /// The tables of a guest's program in every router.
    pub fn new(p: &Parameters, embeddings: &[Embedding], program: &UniformProgram) -> Self {
        let mut sides: Vec<Option<[Vec<Launch>; 2]>> = vec![None; p.network.nodes()];
        for embedding in embeddings {
            let guest = embedding.guest();
            for from in (0..guest.nodes()).map(NodeId::from) {
                for launch in program.launches() {
                    let to = guest.destination(guest.address(from), launch.vector);
                    let (src, dst) = (embedding.address(guest.address(from)), embedding.address(to));
                    let outer = Launch { row: launch.row, vector: p.network.vector(src, dst) };
                    for (side, node) in [src, dst].into_iter().enumerate() {
                        sides[p.network.node(node).index()].get_or_insert_default()[side].push(outer);
                    }
                }
            }
        }
        let tables = sides.into_iter().map(|sides| sides.map(|[sends, receives]| SlotTables::of(p, sends, receives)));
        Self { embeddings: embeddings.to_vec(), tables: tables.collect() }
    }

    /// Adds the images of the tables of all routers that have their own.
    pub fn image(&self, p: &Parameters, images: &mut Images) {
        for (node, tables) in self.tables.iter().enumerate() {
            if let Some(tables) = tables {
                tables.image(&router(p, node), images);
            }
        }
    }

    /// Reads the images of all routers back and checks them. A packet that is sent in a row must be the one that its
    /// destination expects in that row. Every router must send in the rows of `program`, once to each router of its
    /// network.
    ///
    /// # Errors
    /// [`LowerError::Image`] with the first packet that is wrong.
    pub fn read_back(&self, p: &Parameters, program: &UniformProgram, images: &Images) -> Result<ReadBack, LowerError> {
        let net = &p.network;
        let mut own = Images::default();
        self.image(p, &mut own);
        let (mut sent, mut expected, mut all) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for node in (0..net.nodes()).map(NodeId::from) {
            let name = router(p, node.index());
            let Some(network) = self.network(node) else {
                let image = Table::LocalSend.image(&name);
                match images.has(&image) {
                    false => continue,
                    true => return Err(wrong(&image, 0, "no network has the router")),
                }
            };
            let sides = decode::sides(p, images, &name)?;
            let [sent_here, expected_here] = decode::sides(p, &own, &name)?;
            decode::same([&sent_here, &expected_here], &sides, &name)?;
            let [sends, receives] = sides;
            all.extend(sends.iter().map(|&launch| (Who::One(node), launch)));
            let mut members: BTreeSet<NodeId> = self.members(network).into_iter().collect();
            let mut due = program.launches().iter().map(|launch| launch.row);
            for Launch { row, vector } in sends {
                let told =
                    |what: &str| wrong(&Table::sending(vector).image(&name), row as usize, format!("{vector} {what}"));
                if due.next() != Some(row) {
                    return Err(told("is sent in another row than the schedule's"));
                }
                let to = net.node(net.destination(net.address(node), vector));
                if !members.remove(&to) {
                    return Err(told("does not lead to another router of the network than the others"));
                }
                sent.insert((to, Launch { row, vector }));
            }
            if let Some(row) = due.next() {
                return Err(wrong(&Table::GlobalSend.image(&name), row as usize, "a packet is missing"));
            }
            expected.extend(receives.into_iter().map(|launch| (node, launch)));
        }
        match sent.symmetric_difference(&expected).next() {
            None => Ok(routes::read_back(p, all)),
            Some(&(node, Launch { row, vector })) => {
                let image = Table::receiving(vector).image(&router(p, node.index()));
                Err(wrong(&image, row as usize, format!("{vector} is not both sent and expected")))
            }
        }
    }
}

/// The name of a router in those of its images.
fn router(p: &Parameters, node: usize) -> String {
    let RouterAddress { c, d, p } = p.address(node);
    format!("{c}_{d}_{p}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::swapped_dragonfly::{CheckedEmbedding, check_all_to_all};
    use crate::lower::swapped_dragonfly::{AllToAllLowered, lower_hosted};
    use crate::program::form::swapped_dragonfly::uniform::HopLatency;
    use crate::schedule::swapped_dragonfly::{AllToAllRequest, schedule_all_to_all};
    use crate::spec::Spec;
    use crate::topology::SwappedDragonfly;
    use crate::topology::swapped_dragonfly::Group;

    const SPEC: &str = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 4\nm = 5\n\
                        embed = { c = [3, 0], dp = [4, 1, 2] }\nbuild = \"host\"\n";

    fn lowered() -> AllToAllLowered {
        let spec = Spec::parse("s.toml", SPEC).unwrap();
        let host = SwappedDragonfly::new(4, 5, Group::Cyclic);
        let embedding = Embedding::new(host, vec![3, 0], vec![4, 1, 2], Group::Cyclic);
        let request = AllToAllRequest::new("best", HopLatency { local: 1, global: 1 });
        let guest = embedding.guest();
        let schedule = check_all_to_all(&guest, schedule_all_to_all(&guest, &request).unwrap()).unwrap();
        let embedding = CheckedEmbedding::new(vec![embedding]).unwrap().unwrap();
        lower_hosted(&schedule, &embedding, &spec).unwrap()
    }

    #[test]
    fn tables_of_the_wrong_router_and_missing_ones_are_found_in_their_images() {
        let right = lowered();
        let (p, program) = (&right.parameters, right.program());
        let judge = |tables| {
            let guests = Guests { tables, ..right.guests.clone().unwrap() };
            let mut images = Images::default();
            guests.image(p, &mut images);
            guests.read_back(p, program, &images)
        };
        let tables = right.guests.clone().unwrap().tables;
        assert!(judge(tables.clone()).is_ok());
        let members: Vec<usize> = (0..tables.len()).filter(|&node| tables[node].is_some()).collect();
        assert_eq!(members.len(), 18);
        for pair in members.windows(2) {
            // routers may agree in all that their tables say of one side, but never in both
            let mut wrong = tables.clone();
            wrong.swap(pair[0], pair[1]);
            assert!(judge(wrong).is_err(), "{pair:?}");
            let mut missing = tables.clone();
            missing[pair[0]] = None;
            assert!(judge(missing).is_err(), "{pair:?}");
            let mut idle = tables.clone();
            idle[pair[0]] = Some(right.tables.clone());
            assert!(judge(idle).is_err(), "{pair:?}");
        }
        let mut outside = tables.clone();
        outside[1] = tables[members[0]].clone();
        assert!(tables[1].is_none() && judge(outside).is_err());
    }
}
