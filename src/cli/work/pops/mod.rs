//! Packets on partitioned optical passive stars.

mod relation;

use super::piece::tables;
use super::proved::Proved;
use super::verdict::{self, Judged};
use super::{Work, not_lowered};
use crate::check::Verdict;
use crate::check::judge::Account;
use crate::check::pops::{CheckedPops, PopsProof, check_pops};
use crate::cli::page::{Request, finish, report_error};
use crate::cli::progress::Progress;
use crate::cli::{CliError, Context, Exit};
use crate::collective::Collective;
use crate::collective::pops::{Delivery, Goal, Packet, Relation};
use crate::count::counted;
use crate::family::Hardware;
use crate::lower::lower_pops;
use crate::program::Program;
use crate::report::CouplersReport;
use crate::schedule::pops::schedule;
use crate::spec::{NetworkSpec, Spec};
use crate::topology::Pops;
use relation::relation;
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::Path;

/// Packets between processors.
#[derive(Debug)]
pub(super) struct PopsWork {
    pub spec: Spec,
    pub schedule: CheckedPops,
}

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a NetworkSpec,
    processors: u32,
    algorithm: &'a str,
    /// Slots.
    cycles: u32,
    buffers: u32,
    passing: u32,
    /// True if a search has excluded fewer slots.
    searched: bool,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, PopsProof>,
}

impl Work for PopsWork {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn algorithm(&self) -> &str {
        self.schedule.schedule().algorithm
    }

    fn proved(&self) -> &dyn Proved {
        &self.schedule
    }

    fn transfers(&self) -> u64 {
        2 * self.schedule.proof().hops as u64 + self.schedule.network().couplers()
    }

    fn hops(&self) -> u64 {
        self.schedule.schedule().hops.len() as u64
    }

    fn program(&self) -> Program {
        self.schedule.schedule().to_program(self.schedule.network())
    }

    fn tables(&self) -> [Value; 2] {
        let [network, table] = tables(&self.spec);
        [network, listed(self.schedule.relation(), &self.schedule.schedule().packets, table)]
    }

    fn collective(&self, _: usize) -> Box<dyn Collective> {
        let net = self.schedule.network();
        Box::new(Delivery::new(self.schedule.relation(), net.processors(), self.spec.router.slot_cycles))
    }

    fn print_verdict(&self, one_by_one: Option<Account>, context: &Context) -> Result<(), CliError> {
        let (checked, proof) = (&self.schedule, self.schedule.proof());
        let made = checked.schedule();
        let verdict = Output {
            network: &self.spec.network,
            processors: proof.processors,
            algorithm: made.algorithm,
            cycles: made.slots,
            buffers: made.buffers,
            passing: proof.passing,
            searched: made.searched,
            verdict: checked.verdict(),
        };
        context.print_json(&Judged { verdict, one_by_one })
    }

    fn verdict(&self) -> String {
        let (checked, proof) = (&self.schedule, self.schedule.proof());
        let made = checked.schedule();
        let net = checked.network();
        let mut rows = vec![
            (
                "network",
                format!("{net}: {}, {}", counted(net.processors(), "processor"), counted(net.couplers(), "coupler")),
            ),
            ("packets", format!("{}, {} of them straight", proof.packets, proof.straight)),
            ("algorithm", made.algorithm.to_owned()),
            ("slots", checked.bounds().ratios(made.slots)),
            (
                "buffers",
                format!(
                    "{} a processor, {} of them on the way to another",
                    counted(made.buffers, "packet"),
                    proof.passing
                ),
            ),
        ];
        if made.searched {
            rows.push(("searched", "the search excludes fewer slots".to_owned()));
        }
        let heading = "No schedule has fewer slots than";
        verdict::table(&rows, heading, checked.bounds(), "The schedule is proved:", &checked.argument())
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let checked = &self.schedule;
        let (net, made) = (checked.network(), checked.schedule());
        let mut writer = io::BufWriter::new(writer);
        writeln!(writer, "# {net}, {}: {}", made.algorithm, counted(made.slots, "slot"))?;
        writeln!(writer, "# slot, coupler c(to group,from group), processor that sends, processor that reads, packet")?;
        for hop in &made.hops {
            let (a, b) = (net.group(hop.from), net.group(hop.to));
            writeln!(writer, "{} c({b},{a}) {} {} {}", hop.slot, hop.from, hop.to, hop.packet)?;
        }
        writer.flush()
    }

    fn own_hardware(&self, _: &Context) -> Result<Box<dyn Hardware>, CliError> {
        let lowered = lower_pops(&self.schedule, &self.spec);
        Ok(Box::new(lowered.map_err(|error| not_lowered(&self.spec, &error))?))
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        let report = CouplersReport::new(&self.spec, &self.schedule, request.cosim, request.synth);
        let report = report.map_err(report_error)?;
        finish(&report, || report.html(), request, context)
    }
}

/// Schedules and checks a specification on POPS; the files that it names are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a pattern, list or file that is no permutation of the processors.
/// The same with [`Exit::Infeasible`] for traffic, which has no schedule, or if the algorithm does not apply or the check refuses the schedule.
pub(super) fn work(spec: Spec, net: Pops, folder: &Path, context: &Context) -> Result<PopsWork, CliError> {
    if spec.collective.traffic().is_some() {
        let message = "traffic has no schedule: couplers arbitrate while it runs";
        let help = "`simulate`, `generate`, `cosim` and `report` take it; for this command take another `kind`";
        return Err(CliError::at(Exit::Infeasible, &spec, "collective.kind", message, help));
    }
    let progress = Progress::new(context, "scheduling");
    let (relation, request) = relation(&spec, net.processors(), folder)?;
    let made = schedule(net, &relation, &request).map_err(|error| CliError::infeasible(&spec, &error))?;
    progress.next("checking");
    tracing::info!("`{}` made {} hops in {} slots", made.algorithm, made.hops.len(), made.slots);
    let schedule = check_pops(net, &relation, made).map_err(|error| CliError::refused(&spec, &error))?;
    progress.done();
    Ok(PopsWork { spec, schedule })
}

/// The table of a relation with its packets.
fn listed(relation: &Relation, packets: &[Packet], mut table: Value) -> Value {
    let demands = || {
        let pair = |packet: &Packet| match packet.goal {
            Goal::One(to) => json!([packet.src, to]),
            Goal::All => Value::Null,
        };
        packets.iter().map(pair).collect::<Vec<_>>()
    };
    match relation {
        Relation::Permutation(permutation) => table["permutation"] = json!(permutation),
        Relation::Demands(_) => table["demands"] = json!(demands()),
        Relation::OneToAll(root) => return json!({ "kind": "broadcast", "root": root.root, "count": 1, "as": table }),
        Relation::Gather(_) | Relation::AllToAll | Relation::Scatter(_) => {}
    }
    table
}
