//! Programs on networks that are lists of channels, in slot tables: scheduled from a specification, or read from a schedule in full.

use super::Work;
use super::judged::{JudgedDocument, TimesOf};
use super::pages::of_program;
use super::proved::Proved;
use crate::check::BoundList;
use crate::check::judge::Account;
use crate::cli::page::Request;
use crate::cli::{CliError, Context, Exit};
use crate::collective::Collective;
use crate::family::Hardware;
use crate::program::{Document, Program};
use crate::report::{Drawing, Drawn};
use crate::spec::Spec;
use crate::topology::kind::Shape;
use crate::topology::{Graph, KINDS, Topology, whole};
use serde_json::Value;
use std::fmt::Debug;
use std::io::{self, Write};

/// A program that holds, on its network.
#[derive(Debug)]
pub(super) struct ListedWork<C> {
    pub spec: Spec,
    /// Name of the algorithm, if metronoc made the schedule.
    pub algorithm: Option<&'static str>,
    pub network: Graph,
    pub program: Program,
    /// Data of the program.
    pub collective: C,
    pub judged: JudgedDocument,
    /// Schedules of the collectives of a sequence, each as if the others were not there.
    pub parts: Vec<JudgedDocument>,
}

impl<C> Proved for ListedWork<C> {
    fn topology(&self) -> Box<dyn Topology + Sync> {
        Box::new(self.network.clone())
    }

    fn drawn(&self) -> Drawn {
        let table = &self.judged.document.network;
        let whole = whole(table).and_then(Result::ok);
        let drawing =
            Drawing::new(&self.network, whole.as_deref().map_or(&self.network as &dyn Topology, |whole| whole));
        Drawn { network: name(&self.network, table), drawing, unit: "cycle" }
    }

    fn cycles(&self) -> u32 {
        self.judged.account.cycles
    }

    fn bounds(&self) -> &BoundList {
        &self.judged.bounds
    }

    fn argument(&self) -> Vec<String> {
        self.judged.argument()
    }
}

/// Name and sizes of a network: `torus 8 × 8`, `galaxyfly, n = 3, q = 5, a = 4`.
fn name(net: &Graph, table: &Value) -> String {
    let mut name = net.name().to_owned();
    for (key, value) in table.as_object().into_iter().flatten() {
        let numbers = value.as_array().filter(|all| !all.is_empty() && all.iter().all(Value::is_u64));
        if let Some(lengths) = numbers.filter(|_| is_lengths(net.name(), key)) {
            name += &format!(" {}", lengths.iter().map(Value::to_string).collect::<Vec<_>>().join(" × "));
        } else if value.is_u64() {
            name += &format!(", {key} = {value}");
        }
    }
    name
}

/// True if a key of a topology is a list of lengths.
fn is_lengths(topology: &str, key: &str) -> bool {
    let mut keys = KINDS.iter().filter(|kind| kind.name == topology).flat_map(|kind| kind.keys);
    keys.any(|of| of.name == key && of.shape == Shape::Lengths)
}

impl<C: Collective + Clone + Debug + 'static> Work for ListedWork<C> {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn algorithm(&self) -> &str {
        self.algorithm.unwrap_or("listed")
    }

    fn proved(&self) -> &dyn Proved {
        self
    }

    fn transfers(&self) -> u64 {
        self.judged.account.transfers as u64
    }

    fn program(&self) -> Program {
        self.program.clone()
    }

    fn tables(&self) -> [Value; 2] {
        [self.judged.document.network.clone(), self.judged.document.collective.clone()]
    }

    fn document(&self) -> Option<&Document> {
        Some(&self.judged.document)
    }

    fn parts(&self) -> &[JudgedDocument] {
        &self.parts
    }

    fn collective(&self, _: usize) -> Box<dyn Collective> {
        Box::new(self.collective.clone())
    }

    fn print_verdict(&self, _: Option<Account>, context: &Context) -> Result<(), CliError> {
        self.judged.print(self.algorithm, context)
    }

    fn verdict(&self) -> String {
        self.judged.verdict(self.algorithm)
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        self.judged.write_table(writer)
    }

    fn own_hardware(&self, _: &Context) -> Result<Box<dyn Hardware>, CliError> {
        self.slot_tables()
    }

    fn hardware(&self, context: &Context) -> Result<Box<dyn Hardware>, CliError> {
        let from_file = self.judged.origin.as_ref().is_some_and(|origin| origin.times == TimesOf::File);
        if from_file && !self.program.ops.is_empty() {
            let help = "name the network with `--network`: times are then made anew, with the operator's cycles";
            let message = "sums take no time in the file, and some cycles in hardware";
            return Err(CliError::failed(Exit::Infeasible, message, help));
        }
        self.own_hardware(context)
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        of_program(self, request, context)
    }
}
