//! A checked piece of work as a program on its network, with the tables that an export repeats.

use super::page::{Request, finish, report_error};
use super::work::Work;
use super::{CliError, Context, Exit};
use crate::check::swapped_dragonfly::CheckedEmbedding;
use crate::id::NodeId;
use crate::program::form::uniform::HopLatency;
use crate::program::{Document, Expansion, Program, placed};
use crate::report::{Drawn, ProgramInputs, ProgramReport, Scene, Side};
use crate::topology::{Placement, Topology};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Most transfers that are written unless it is forced: about 5 GB.
const TRANSFER_LIMIT: u64 = 200_000_000;

/// A program on its network, with the specification's tables, defaults filled in.
pub struct Exported {
    /// Network.
    pub net: Box<dyn Topology + Sync>,
    /// Program of all nodes.
    pub program: Program,
    /// Table of the network.
    pub network: Value,
    /// Table of the collective, with its packets where the form has no name for it.
    pub collective: Value,
}

impl Exported {
    /// The program of the work; on the whole network if the specification embeds others in it.
    pub fn new(work: &dyn Work, embedding: Option<&CheckedEmbedding>) -> Self {
        let [network, table] = work.tables();
        let (net, program) = (work.topology(), work.program());
        let Some(embedding) = embedding else {
            return Self { net, program, network, collective: table };
        };
        let (host, hop) = (embedding.host(), HopLatency::from(&work.spec().router));
        let program = placed(&program, &embedding.guest(), embedding.embeddings(), hop.switching(&host));
        Self { net: Box::new(host), program, network, collective: embedded(work, embedding, table) }
    }

    /// The program of the work, where the specification embeds others on the whole network; with these embeddings, proved.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn placed(work: &dyn Work) -> Result<(Self, Option<CheckedEmbedding>), CliError> {
        let embedding = super::embedding::checked(work.spec())?;
        Ok((Self::new(work, embedding.as_ref()), embedding))
    }

    /// Every packet and transfer of the program.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Infeasible`] if they cannot be numbered.
    pub fn expansion(&self) -> Result<Expansion<'_, dyn Topology + Sync>, CliError> {
        Expansion::new(self.net.as_ref(), &self.program).map_err(|error| refused(error.to_string()))
    }

    /// The schedule in full, in memory.
    ///
    /// # Errors
    /// As [`Self::expansion`], and above a million transfers.
    pub fn document(&self) -> Result<Document, CliError> {
        let expansion = self.expansion()?;
        let transfers = expansion.transfer_count();
        if transfers > MOST_TRANSFERS {
            return Err(refused(format!("the schedule in full is {transfers} transfers: take a smaller network")));
        }
        Ok(Document::new(&expansion, [&self.network, &self.collective]))
    }

    /// Writes the schedule in full.
    ///
    /// # Errors
    /// [`CliError`] with [`Exit::Infeasible`] above 200 million transfers unless `force`.
    pub fn write(
        &self,
        force: bool,
        writer: &mut dyn Write,
        failed: impl Fn(io::Error) -> CliError,
    ) -> Result<(), CliError> {
        let expansion = self.expansion()?;
        let (transfers, packets) = (expansion.transfer_count(), expansion.packet_count());
        if transfers > TRANSFER_LIMIT && !force {
            return Err(refused(format!(
                "the schedule in full is {transfers} transfers ({packets} packets), above the limit of {TRANSFER_LIMIT}; \
                 export a smaller network, read the compact program instead, or pass --force"
            )));
        }
        expansion.write([&self.network, &self.collective], writer).map_err(failed)
    }
}

/// Most transfers of a program that is drawn.
const MOST_TRANSFERS: u64 = 1_000_000;

/// The report of a program.
///
/// # Errors
/// If a result of another command cannot be used, or the page cannot be written.
pub fn of_program(work: &dyn Work, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
    let exported = Exported::new(work, None);
    let document = match work.transfers() <= MOST_TRANSFERS {
        true => Some(Document::new(&exported.expansion()?, [&exported.network, &exported.collective])),
        false => None,
    };
    let hardware = document.as_ref().and_then(|_| work.hardware(context).ok());
    let Drawn { network, drawing, unit } = work.proved().drawn();
    let report = ProgramReport::new(ProgramInputs {
        spec: work.spec(),
        net: exported.net.as_ref(),
        transfers: document.as_ref(),
        scene: Scene::new(exported.net.as_ref(), || exported.program.clone(), drawing, unit),
        network,
        algorithm: work.algorithm(),
        cycles: work.cycles(),
        hops: work.hops(),
        program_memory: hardware.and_then(|hardware| hardware.program_memory()),
        bounds: work.bounds(),
        argument: work.proved().argument(),
        cosim: request.cosim,
        synth: request.synth,
    });
    let report = report.map_err(report_error)?;
    finish(&report, || report.html(), request, context)
}

/// A piece of work as one of two schedules side by side.
pub fn side(work: &dyn Work) -> Side<'_> {
    let exported = Exported::new(work, None);
    let net = exported.net.as_ref();
    let Drawn { network, drawing, unit } = work.proved().drawn();
    Side {
        spec: work.spec(),
        network,
        nodes: (0..net.nodes()).filter(|&node| !net.is_medium(node.into())).count(),
        algorithm: work.algorithm(),
        cycles: work.cycles(),
        period: exported.program.period,
        bounds: work.bounds(),
        scene: Scene::new(net, || exported.program.clone(), drawing, unit),
    }
}

fn refused(message: String) -> CliError {
    CliError::failed(Exit::Infeasible, message, "`--format table` prints one router's program")
}

/// The table of a collective in embedded networks: messages as an h-relation on the host, where the host as a whole would be meant.
fn embedded(work: &dyn Work, embedding: &CheckedEmbedding, table: Value) -> Value {
    let Some(messages) = work.messages() else { return table };
    let demands = embedding.embeddings().iter().flat_map(|network| {
        let node = |node: u32| network.node(NodeId::new(node)).get();
        messages.iter().map(move |&(src, dst)| (node(src), node(dst)))
    });
    json!({ "kind": "h-relation", "demands": demands.collect::<Vec<_>>(), "embedded": table })
}
