//! Partitioned optical passive stars: from a specification to a schedule that is proved, the verdict on it, and the schedule.

use super::progress::Progress;
use super::verdict::{self, Verdict};
use super::{CliError, Context, Exit, pipeline};
use crate::check::pops::{CheckedPops, PopsProof, check_pops};
use crate::collective::numbers::{self, NumbersError};
use crate::collective::relation::MAX_PACKETS;
use crate::collective::{Delivery, Pattern, Relation, Words, pattern};
use crate::emit::RtlBundle;
use crate::lower::{PopsLowered, lower_pops};
use crate::schedule::pops::{PopsRequest, schedule};
use crate::spec::pops::{PatternName, PermutationSpec, RelationSpec};
use crate::spec::{CollectiveSpec, Diagnostic, NetworkSpec, Spec};
use crate::topology::Pops;
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// A specification on POPS with its schedule, proved.
#[derive(Debug)]
pub struct PopsWork {
    /// The specification.
    pub spec: Spec,
    /// The schedule.
    pub schedule: CheckedPops,
}

/// The verdict for programs.
#[derive(Serialize)]
pub struct Output<'a> {
    network: &'a NetworkSpec,
    processors: u32,
    algorithm: &'a str,
    /// Slots.
    cycles: u32,
    buffers: u32,
    passing: u32,
    /// Whether a search has excluded fewer slots.
    searched: bool,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, PopsProof>,
}

impl PopsWork {
    /// Goes on to what hardware holds.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Infeasible`] if the schedule has no form of the kind that the specification asks for.
    pub fn lowered(&self) -> Result<PopsLowered, CliError> {
        lower_pops(&self.schedule, &self.spec).map_err(|error| pipeline::not_lowered(&self.spec, &error))
    }

    /// How long it takes, in words.
    pub fn cycles(&self, lowered: &PopsLowered) -> String {
        let (made, cycles) = (self.schedule.schedule(), lowered.frame.slot_cycles);
        let idle = match lowered.idle_rows() {
            0 => "none idle between them".to_owned(),
            idle => format!("{idle} idle between them while packets arrive"),
        };
        format!(
            "{} slots in {} rows of {cycles} cycle{}, {idle}; {} cycles",
            made.slots,
            lowered.rows,
            if cycles == 1 { "" } else { "s" },
            lowered.cycles()
        )
    }

    /// Where packets go, and their words: from a file, or random ones.
    ///
    /// # Errors
    /// If the file cannot be used.
    pub fn data(&self, lowered: &PopsLowered, file: Option<&Path>) -> Result<(Delivery, Words), CliError> {
        let frame = &lowered.frame;
        let delivery = Delivery::new(self.schedule.relation(), frame.tiles, frame.slot_cycles);
        let words = match file {
            Some(file) => delivery.read(file, frame.data_bits)?,
            None => delivery.random(pipeline::filling(frame.data_bits)?, self.spec.schedule.seed),
        };
        Ok((delivery, words))
    }

    /// The files of the lowered schedule.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn emitted(&self, lowered: &PopsLowered, path: &Path) -> Result<RtlBundle, CliError> {
        let origin = pipeline::origin(&self.spec, path);
        RtlBundle::pops(lowered, &origin).map_err(|error| CliError::Internal(error.to_string()))
    }
}

/// Schedules and checks a specification on POPS; the files that it names are in `folder`.
///
/// # Errors
/// [`CliError::AtSpec`] with [`Exit::BadSpec`] for a pattern, list or file that is no permutation of the processors, with [`Exit::Infeasible`] if the algorithm does not apply or the check refuses the schedule.
pub fn work(spec: Spec, net: Pops, folder: &Path, context: &Context) -> Result<PopsWork, CliError> {
    if spec.collective.traffic().is_some() {
        return Err(super::pops_dynamic::refused(&spec));
    }
    let progress = Progress::new(context, "scheduling");
    let relation = relation(&spec, net.processors(), folder)?;
    let (time_limit_s, seed) = (spec.schedule.time_limit_s, spec.schedule.seed);
    let mut request = PopsRequest { time_limit_s, seed, ..PopsRequest::new(Default::default()) };
    match &spec.collective {
        CollectiveSpec::Permutation(collective) => request.permutation = collective.algorithm,
        CollectiveSpec::HRelation(collective) => request.relation = collective.algorithm,
        _ => {}
    }
    let made = schedule(net, &relation, &request).map_err(|error| {
        let diagnostic = spec.diagnostic(error.field(), error.to_string(), error.help());
        CliError::AtSpec { exit: Exit::Infeasible, diagnostic: Box::new(diagnostic) }
    })?;
    progress.next("checking");
    tracing::info!("`{}` made {} hops in {} slots", made.algorithm, made.hops.len(), made.slots);
    let schedule = check_pops(net, &relation, made).map_err(|error| {
        let help = "no schedule that fails the check is used; choose another algorithm, and please report this one";
        let diagnostic = spec.diagnostic("collective.algorithm", error.to_string(), help);
        CliError::AtSpec { exit: Exit::Infeasible, diagnostic: Box::new(diagnostic) }
    })?;
    progress.done();
    Ok(PopsWork { spec, schedule })
}

/// What commands that do not know POPS say: [`CliError::AtSpec`] with [`Exit::Infeasible`].
pub fn refused(spec: &Spec) -> CliError {
    if spec.collective.traffic().is_some() {
        return super::pops_dynamic::refused(spec);
    }
    let message = "this command does not know POPS yet";
    let help = "`check`, `schedule`, `generate`, `cosim`, `synth`, `run` and `report` do; for this one take `topology = \"swapped-dragonfly\"`";
    let diagnostic = Box::new(spec.diagnostic("network.topology", message, help));
    CliError::AtSpec { exit: Exit::Infeasible, diagnostic }
}

/// Who sends what to whom; files are beside the specification, in `folder`.
fn relation(spec: &Spec, n: u32, folder: &Path) -> Result<Relation, CliError> {
    Ok(match &spec.collective {
        CollectiveSpec::Permutation(collective) => Relation::Permutation(permutation(spec, collective, n, folder)?),
        CollectiveSpec::HRelation(collective) => Relation::Demands(demands(spec, collective, n, folder)?),
        CollectiveSpec::OneToAll(rooted) => Relation::OneToAll(rooted.clone()),
        CollectiveSpec::Gather(rooted) => Relation::Gather(rooted.clone()),
        CollectiveSpec::Scatter(rooted) => Relation::Scatter(rooted.clone()),
        _ => {
            at_most(spec, "network.g", u64::from(n) * u64::from(n - 1), "take fewer processors")?;
            Relation::AllToAll
        }
    })
}

/// Packets are listed one by one, so there is a limit.
fn at_most(spec: &Spec, field: &str, packets: u64, help: &str) -> Result<(), CliError> {
    if packets <= MAX_PACKETS {
        return Ok(());
    }
    let message = format!("these are {packets} packets, and a schedule has at most {MAX_PACKETS}");
    Err(bad(spec.diagnostic(field, message, help)))
}

fn bad(diagnostic: Diagnostic) -> CliError {
    CliError::AtSpec { exit: Exit::BadSpec, diagnostic: Box::new(diagnostic) }
}

fn permutation(spec: &Spec, collective: &PermutationSpec, n: u32, folder: &Path) -> Result<Vec<u32>, CliError> {
    if let Some(file) = &collective.file {
        return from_file(spec, "file", file, n, folder);
    }
    if !collective.permutation.is_empty() {
        let list: Vec<u64> = collective.permutation.iter().map(|&to| to.into()).collect();
        return numbers::permutation(&list, n).map_err(|error| {
            let message = format!("`permutation` is none of {n} processors: {error}");
            bad(spec.diagnostic("collective.permutation", message, EACH_ONCE))
        });
    }
    let random = |seed: Option<u64>| seed.unwrap_or(spec.schedule.seed);
    let (rows, columns) = (collective.rows.unwrap_or(1), collective.columns.unwrap_or(1));
    let named = match collective.pattern {
        None | Some(PatternName::Identity) => Pattern::Identity,
        Some(PatternName::Reversal) => Pattern::Reversal,
        Some(PatternName::Transpose) => Pattern::Transpose { rows, columns },
        Some(PatternName::Bpc) => {
            Pattern::Bpc { bits: collective.bits.clone(), complement: collective.complement.unwrap_or(0) }
        }
        Some(PatternName::Hypercube) => Pattern::Hypercube { dimension: collective.dimension.unwrap_or(0) },
        Some(PatternName::Mesh) => {
            let direction = collective.direction.unwrap_or(crate::spec::pops::Direction::Right);
            Pattern::Mesh { rows, columns, direction }
        }
        Some(PatternName::Random) => Pattern::Random { seed: random(collective.seed) },
    };
    let found = named
        .permutation(n)
        .map_err(|unfit| bad(spec.diagnostic(&format!("collective.{}", unfit.key), unfit.message, unfit.help)))?;
    Ok(match (&collective.mapping_file, collective.mapping_seed) {
        (Some(file), _) => pattern::mapped(&found, &from_file(spec, "mapping_file", file, n, folder)?),
        (None, Some(seed)) => pattern::mapped(&found, &pattern::random(n, seed)),
        (None, None) => found,
    })
}

const EACH_ONCE: &str = "name each processor once, from 0 on: entry i is where processor i's packet goes";

fn from_file(spec: &Spec, key: &str, file: &str, n: u32, folder: &Path) -> Result<Vec<u32>, CliError> {
    let field = format!("collective.{key}");
    let list = numbers::read(&folder.join(file)).map_err(|error| unread(spec, &field, &error))?;
    numbers::permutation(&list, n).map_err(|error| {
        let message = format!("`{file}` is no permutation of {n} processors: {error}");
        bad(spec.diagnostic(&field, message, EACH_ONCE))
    })
}

fn unread(spec: &Spec, field: &str, error: &NumbersError) -> CliError {
    let help = match error {
        NumbersError::Read { .. } => "a file's name is relative to the specification's folder",
        NumbersError::Kind { .. } => "write the numbers as .npy, .csv or .json",
        NumbersError::NoPairs { .. } => "write a source and a destination for each packet",
        _ => "write whole numbers from 0 on",
    };
    bad(spec.diagnostic(field, error.to_string(), help))
}

fn demands(spec: &Spec, collective: &RelationSpec, n: u32, folder: &Path) -> Result<Vec<(u32, u32)>, CliError> {
    if let Some(h) = collective.h {
        at_most(spec, "collective.h", u64::from(h) * u64::from(n), "take a smaller `h`, or fewer processors")?;
        let seed = collective.seed.unwrap_or(spec.schedule.seed);
        let one = |i: u32| (0..n).zip(pattern::random(n, seed.wrapping_add(u64::from(i) << 32)));
        return Ok((0..h).flat_map(one).collect());
    }
    let (field, list): (&str, Vec<(u64, u64)>) = match &collective.file {
        Some(file) => {
            let pairs = numbers::read_pairs(&folder.join(file));
            ("collective.file", pairs.map_err(|error| unread(spec, "collective.file", &error))?)
        }
        None => ("collective.demands", collective.demands.iter().map(|&[a, b]| (a.into(), b.into())).collect()),
    };
    let processor = |number: u64| u32::try_from(number).ok().filter(|&number| number < n);
    let pair = |(at, &(from, to)): (usize, &(u64, u64))| match (processor(from), processor(to)) {
        (Some(from), Some(to)) => Ok((from, to)),
        _ => {
            let message = format!("packet {at} goes from {from} to {to}, and the last processor is {}", n - 1);
            Err(bad(spec.diagnostic(field, message, format!("take processors from 0 to {}", n - 1))))
        }
    };
    list.iter().enumerate().map(pair).collect()
}

/// The verdict for programs.
pub fn verdict(work: &PopsWork) -> Output<'_> {
    let (checked, proof) = (&work.schedule, work.schedule.proof());
    let made = checked.schedule();
    Output {
        network: &work.spec.network,
        processors: proof.processors,
        algorithm: made.algorithm,
        cycles: made.slots,
        buffers: made.buffers,
        passing: proof.passing,
        searched: made.searched,
        verdict: Verdict::new(made.slots, checked.bounds(), proof, proof.lines()),
    }
}

/// The verdict for people.
pub fn table(work: &PopsWork) -> String {
    let (checked, proof) = (&work.schedule, work.schedule.proof());
    let made = checked.schedule();
    let net = checked.network();
    let ratio = checked.bounds().ratio(made.slots);
    let mut rows = vec![
        ("network", format!("{net}: {} processors, {} couplers", net.processors(), net.couplers())),
        ("packets", format!("{}, {} of them straight", proof.packets, proof.straight)),
        ("algorithm", made.algorithm.to_owned()),
        ("slots", format!("{}, {ratio:.3} times the largest bound", made.slots)),
        ("buffers", format!("{} packets a processor, {} of them others' on their way", made.buffers, proof.passing)),
    ];
    if made.searched {
        rows.push(("searched", "the search excludes fewer slots".to_owned()));
    }
    let heading = "No schedule has fewer slots than";
    verdict::table_of(&rows, heading, checked.bounds(), "The schedule is proved:", &proof.lines())
}

/// Writes the schedule, a hop a line.
///
/// # Errors
/// If the writer fails.
pub fn write_table(checked: &CheckedPops, writer: &mut dyn Write) -> io::Result<()> {
    let (net, made) = (checked.network(), checked.schedule());
    let mut writer = io::BufWriter::new(writer);
    writeln!(writer, "# {net}, {}: {} slots", made.algorithm, made.slots)?;
    writeln!(writer, "# slot, coupler c(to group,from group), processor that sends, processor that reads, packet")?;
    for hop in &made.hops {
        let (a, b) = (net.group(hop.from), net.group(hop.to));
        writeln!(writer, "{} c({b},{a}) {} {} {}", hop.slot, hop.from, hop.to, hop.packet)?;
    }
    writer.flush()
}
