//! Host network of a specification: the checked places of its networks, and messages about them.

use crate::check::swapped_dragonfly::CheckedEmbedding;
use crate::cli::CliError;
use crate::cli::work::enclosing::{EnclosingNetwork, Messages};
use crate::cli::work::exported::Exported;
use crate::count::counted;
use crate::id::NodeId;
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::program::placed;
use crate::spec::{HostBuild, Spec};
use crate::topology::swapped_dragonfly::RouterAddress;
use crate::topology::swapped_dragonfly::survivor::survivor;
use crate::topology::{Embedding, Placement, Topology};
use serde_json::json;
use std::fmt::Write as _;
use std::io::{self, Write};

fn list(numbers: &[u32]) -> String {
    numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",")
}

fn place(embedding: &Embedding) -> String {
    format!("cabinets {}; drawers and positions {}", list(embedding.cabinets()), list(embedding.places()))
}

/// Host network of a specification, with the places of its networks, proved.
#[derive(Debug)]
pub(super) struct Host {
    proved: CheckedEmbedding,
    excluded: Vec<RouterAddress>,
    hop: HopLatency,
    /// True if hardware of all networks in it is built.
    is_built: bool,
}

impl Host {
    /// Host network of a specification; None if there is none.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub(super) fn of(spec: &Spec) -> Result<Option<Self>, CliError> {
        let Some(sizes) = spec.network.swapped_dragonfly() else { return Ok(None) };
        let proved =
            CheckedEmbedding::new(sizes.embeddings()).map_err(|error| CliError::Internal(error.to_string()))?;
        let excluded = sizes.exclude.iter().map(|&[c, d, p]| RouterAddress { c, d, p }).collect();
        let (hop, is_built) = (HopLatency::from(&spec.router), sizes.build == HostBuild::Host);
        Ok(proved.map(|proved| Self { proved, excluded, hop, is_built }))
    }

    /// The embedding, if hardware of all networks in the host is built.
    pub(super) fn built(&self) -> Option<&CheckedEmbedding> {
        self.is_built.then_some(&self.proved)
    }
}

impl EnclosingNetwork for Host {
    fn placed(&self, exported: Exported, messages: Option<Messages>) -> Exported {
        let (host, embeddings) = (self.proved.host(), self.proved.embeddings());
        let program = placed(&exported.program, &self.proved.guest(), embeddings, self.hop.switching(&host));
        // messages are an h-relation on the host, where the host as a whole would be meant
        let collective = match messages {
            None => exported.collective,
            Some(messages) => {
                let demands = embeddings.iter().flat_map(|network| {
                    let node = |node: u32| network.node(NodeId::new(node)).get();
                    messages.iter().map(move |&(src, dst)| (node(src), node(dst)))
                });
                let demands: Vec<_> = demands.collect();
                json!({ "kind": "h-relation", "demands": demands, "embedded": exported.collective })
            }
        };
        Exported { net: Box::new(host), program, network: exported.network, collective }
    }

    fn heading(&self) -> String {
        let host = self.proved.host();
        let mut text = String::new();
        let mut row = |name: &str, value: String| {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{name:<10} {value}");
        };
        row("host", format!("{host}: {} routers of {}", host.nodes(), counted(host.ports(), "port")));
        for network in self.proved.embeddings() {
            row("embedded", place(network));
        }
        if !self.excluded.is_empty()
            && let (Some(found), [network]) = (survivor(&host, &self.excluded), self.proved.embeddings())
        {
            let routers = found.routers();
            if (network.cabinets(), network.places()) == (&found.cabinets, &found.places) {
                let rank = match found.bound {
                    bound if bound == routers => "none without the excluded has more".to_owned(),
                    bound => format!("the search was cut short: none without the excluded has more than {bound}"),
                };
                row("chosen", format!("{}; {rank}", counted(routers, "router")));
            }
        }
        text
    }

    fn argument(&self) -> Vec<String> {
        vec![self.proved.proof().line()]
    }

    fn remark(&self) -> Option<String> {
        let networks = self.proved.embeddings().len();
        let all = "`build = \"host\"` in [network] builds all of them";
        (networks > 1 && !self.is_built).then(|| format!("hardware of one of {networks} networks; {all}"))
    }

    fn write_ports(&self, writer: &mut dyn Write) -> io::Result<()> {
        let (host, guest) = (self.proved.host(), self.proved.guest());
        let mut writer = io::BufWriter::new(writer);
        for network in self.proved.embeddings() {
            writeln!(writer, "# Embedded in {host}: {}.", place(network))?;
            for (c, outer) in (0..).zip(network.cabinets()) {
                let ports: Vec<u32> = (0..guest.k()).map(|gamma| network.global_port(c, gamma)).collect();
                writeln!(writer, "# cabinet {c} is {outer}: global ports 0.. are {}", list(&ports))?;
            }
            for (p, outer) in (0..).zip(network.places()) {
                let ports: Vec<u32> = (1..guest.m()).map(|delta| network.local_port(p, delta)).collect();
                writeln!(writer, "# drawer and position {p} is {outer}: local ports 1.. are {}", list(&ports))?;
            }
        }
        writer.flush()
    }
}
