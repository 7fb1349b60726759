//! Hardware, data, model and oracle of a co-simulation, of any collective.

use super::args::{Args, FormArg};
use crate::cli::folder::temporary;
use crate::cli::work::{self, Input, Work};
use crate::cli::{CliError, Context, Exit};
use crate::collective::{Collective, Operator, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::stress::Clash;
use crate::cosim::wiring::WiringProof;
use crate::cosim::{Built, CosimError, Form, Job, Parts, Session, Simulator, Sources};
use crate::family::{Hardware, OtherProgram, Runs};
use crate::lower::{Fabric, Registers};
use crate::model::{Model, ModelError, Sections};
use crate::program::{NodeOp, Operation};
use crate::spec::Spec;
use crate::tool::{self, Progress, Tool};
use std::rc::Rc;

/// A specification with its data, ready to be simulated.
pub(super) struct Case {
    work: Box<dyn Work>,
    hardware: Box<dyn Hardware>,
    collective: Box<dyn Collective>,
    fabric: Fabric,
    model: Rc<Model>,
    sources: Sources,
    words: Words,
    expected: Vec<u64>,
    runs: Runs,
    /// Seed of the pauses of all tiles' streams; none where there are none.
    pauses: Option<u64>,
}

/// Sets of words of a stress.
const CORNER_SETS: usize = 4;
const RANDOM_SETS: usize = 12;
/// Most words that these sets have together.
const MAX_STRESSED: usize = 1 << 20;
/// Version of the program that a stress loads: none that a network begins with.
const STRESS_VERSION: u8 = 173;

/// Most words that are received in all: 1 GiB of 64 bits each.
const MAX_RECEIVED: u64 = 1 << 27;

/// Words that are to be received are held in memory, so there is a limit.
fn received_at_most(spec: &Spec, words: u64) -> Result<(), CliError> {
    if words <= MAX_RECEIVED {
        return Ok(());
    }
    let message = format!("{words} words would be received, and a co-simulation holds at most {MAX_RECEIVED}");
    let help = "take a smaller network, fewer words, or fewer `--collectives`";
    Err(CliError::at(Exit::Infeasible, spec, "collective.kind", message, help))
}

impl Case {
    /// Reads the data of a specification, and makes the hardware.
    ///
    /// # Errors
    /// If one of them cannot be used.
    pub(super) fn new(input: Input, args: &Args, context: &Context) -> Result<Self, CliError> {
        if args.netlist.is_some() || args.upsets.is_some() {
            let option = if args.netlist.is_some() { "--netlist" } else { "--upsets" };
            work::over_host_stream(&input.spec, &format!("`metronoc cosim {option}`"))?;
        }
        let work = work::work_of(input, &args.source.spec, context)?;
        work.fits(&args.files)?;
        work::tell_of_part(work.as_ref(), context);
        let hardware = work.hardware(context)?;
        let networks = hardware.networks();
        let collective = work.collective(networks);
        let runs = args.runs();
        received_at_most(work.spec(), (collective.result_len() as u64).saturating_mul(hardware.drains(runs)))?;
        let words = work.words(networks, &args.files)?;
        let sources = args.sources(hardware.as_ref(), work.spec(), context)?;
        let conflict = |error: ModelError| CliError::Internal(error.to_string());
        let model = Rc::new(Model::new(hardware.as_ref()).map_err(conflict)?);
        let expected = hardware.expected(collective.as_ref(), &words, runs);
        let fabric = hardware.fabric();
        // cores pause unless collectives start at times that do not wait for them
        let endpoint = &work.spec().endpoint;
        let paused = endpoint.has_tile_ports() && endpoint.period.is_none();
        let pauses = paused.then(|| context.seed.unwrap_or(0).wrapping_mul(2) + 1);
        Ok(Self { work, hardware, collective, fabric, model, sources, words, expected, runs, pauses })
    }

    /// Sizes of the hardware.
    pub(super) fn fabric(&self) -> &dyn Registers {
        &*self.fabric
    }

    /// The emitted files, or the user's changed ones.
    pub(super) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Words of the result from whole words that were read out.
    pub(super) fn received(&self, words: Vec<u64>) -> Vec<u64> {
        self.hardware.results(self.collective.as_ref(), &self.words, words)
    }

    /// Sentence on the duration of a collective: as scheduled, to which the hardware keeps where every channel is compared.
    pub(super) fn remark(&self) -> String {
        self.hardware.remark(self.work.cycles())
    }

    /// Words that must be received, by the collective's own oracle.
    pub(super) fn expected(&self) -> &[u64] {
        &self.expected
    }

    /// The first result as an .npy file.
    pub(super) fn expected_npy(&self) -> Vec<u8> {
        let first = &self.expected[..self.collective.result_len().min(self.expected.len())];
        let dtype = self.words.dtype();
        self.collective.to_npy(&Words::from_fn(dtype, first.len(), |index| first[index]))
    }

    /// Node that receives a word of these, and a description of the word.
    pub(super) fn word(&self, index: usize) -> (String, String) {
        self.hardware.place(self.collective.as_ref(), index % self.collective.result_len().max(1))
    }

    /// Name of the tiles, in the plural.
    pub(super) fn nodes(&self) -> &'static str {
        self.fabric.tiles_name()
    }

    /// Name of the schedule's algorithm.
    pub(super) fn algorithm(&self) -> &str {
        self.hardware.algorithm()
    }

    /// Cycles after which a pass can begin again.
    pub(super) fn period(&self) -> u32 {
        self.hardware.period()
    }

    /// Cycles of one collective, from its first channel to its last.
    pub(super) fn collective_cycles(&self) -> u32 {
        self.hardware.cycles(self.work.cycles())
    }

    /// Tiles times cycles of the whole run, about.
    pub(super) fn tile_cycles(&self) -> u64 {
        let sets = self.hardware.loads(&self.words);
        let loaded: usize = sets.iter().map(Vec::len).sum();
        let busy = self.runs.collectives * sets.len() as u64 * self.model.interval();
        u64::from(self.fabric.tiles) * (2 * loaded as u64 + busy)
    }

    /// Load, run and drain.
    pub(super) fn session(&self) -> Session {
        self.hardware.session(&self.model, self.collective.as_ref(), &self.words, self.runs)
    }

    /// Sets of words of a stress: corner values of the words' width, then random ones.
    pub(super) fn stress_words(&self, seed: u64) -> Vec<Words> {
        let (dtype, len) = (self.words.dtype(), self.words.len());
        let most = (MAX_STRESSED / len.max(1)).clamp(2, CORNER_SETS + RANDOM_SETS);
        let random = |number: usize| self.collective.random(dtype, seed.wrapping_add(number as u64)).ok();
        // some bit of the words at each place, so that operands keep to their width; the upper bits of signed ones are all those of the sign
        let sample = random(0).map_or(Vec::new(), |words| words.to_vec());
        let any = sample.iter().fold(0, |any, word| any | word);
        let signs = sample.iter().map(|word| word.leading_zeros().max(word.leading_ones()) - 1).min().unwrap_or(0);
        let above = if any >> 63 == 1 { signs } else { 0 };
        let mask = any << above >> above;
        let width = u64::BITS - mask.leading_zeros();
        let corners = (0..CORNER_SETS.min(most / 2)).map(|set| {
            let corner = |index: usize| match (5 * index + 3 * (index / 7) + set) % 8 {
                0 => 0,
                1 => mask,
                2 => mask & 0x5555_5555_5555_5555,
                3 => mask & 0xaaaa_aaaa_aaaa_aaaa,
                4 => mask >> 1,
                5 => mask ^ mask >> 1,
                6 => 1 & mask,
                _ => mask & 1 << (index as u32 % width.max(1)),
            };
            Words::from_fn(dtype, len, |index| ((corner(index) << above) as i64 >> above) as u64)
        });
        let randoms = (0..most - corners.len()).filter_map(random);
        corners.chain(randoms).collect()
    }

    /// Detectors of the hardware.
    pub(super) fn detectors(&self) -> Detectors {
        self.hardware.detectors(&self.model)
    }

    /// True if results are sums of words and their multiples: no word is compared with another.
    pub(super) fn is_linear(&self) -> bool {
        let compares = |op: &NodeOp| matches!(op.operation, Operation::Min | Operation::Max);
        let operator = self.collective.operator();
        !matches!(operator, Some(Operator::Min | Operator::Max)) && !self.model.program().ops.iter().any(compares)
    }

    /// Bits of tables that make an output take two sources where they are flipped.
    pub(super) fn clashes(&self) -> Vec<Clash> {
        self.hardware.clashes()
    }

    /// True if words are loaded to places that the program says, and the program can be loaded.
    pub(super) fn has_places(&self) -> bool {
        self.hardware.has_places()
    }

    /// Tiles that a set of words is for, in the order in which they are loaded, and words of each.
    pub(super) fn loads(&self) -> Vec<(u32, usize)> {
        self.hardware.interface().loads().to_vec()
    }

    /// Session of all sets of a stress.
    pub(super) fn stress_session(&self, sets: &[Words]) -> Option<Session> {
        let session = |words| self.hardware.session(&self.model, self.collective.as_ref(), words, self.stress_runs());
        Session::joined(sets.iter().map(session).collect())
    }

    /// Session of one collective of a stress.
    pub(super) fn single_session(&self, words: &Words) -> Session {
        self.hardware.session(&self.model, self.collective.as_ref(), words, self.single_run())
    }

    /// Words of a stress that a collective leaves as they are, so that it can run again and again on what it has received: all zero.
    pub(super) fn idle_words(&self) -> Words {
        Words::from_fn(self.words.dtype(), self.words.len(), |_| 0)
    }

    /// Jobs that load the program anew, as one version and as another, and let the next collective run it; none where nothing can be loaded.
    pub(super) fn reloads(&self) -> Vec<Vec<Job>> {
        // each bit of a version is 0 and 1 in turn
        let of = |version| self.hardware.reload(version);
        [STRESS_VERSION, !STRESS_VERSION].map(of).into_iter().filter(|jobs| !jobs.is_empty()).collect()
    }

    /// Jobs that load another program, with all bits inverted, and then the program itself.
    pub(super) fn reload_over_another(&self) -> Vec<Job> {
        let reload = self.hardware.reload(STRESS_VERSION);
        let other = reload.iter().filter_map(|job| job.inverted(self.model.fabric().data_bits));
        other.chain(reload.iter().cloned()).collect()
    }

    /// Other programs on the hardware; none where nothing can be loaded.
    pub(super) fn other_programs(&self, seed: u64) -> Vec<OtherProgram> {
        self.hardware.other_programs(seed)
    }

    /// First wrong word among the words that are read out in a stress test: index in its set, expected word, received
    /// word. None instead of the words if the array has another size.
    pub(super) fn stress_difference(&self, sets: &[Words], received: &[u64]) -> Result<(), Option<(usize, u64, u64)>> {
        self.sets_difference(sets, received, self.stress_runs())
    }

    /// The like for one collective of a stress, whose words are read out so many times.
    pub(super) fn drains_difference(
        &self,
        words: &Words,
        drains: usize,
        received: &[u64],
    ) -> Result<(), Option<(usize, u64, u64)>> {
        self.sets_difference(&vec![words.clone(); drains], received, self.single_run())
    }

    fn sets_difference(&self, sets: &[Words], received: &[u64], runs: Runs) -> Result<(), Option<(usize, u64, u64)>> {
        let each = received.len() / sets.len().max(1);
        for (words, read) in sets.iter().zip(received.chunks(each.max(1))) {
            let expected = self.hardware.expected(self.collective.as_ref(), words, runs);
            let found = self.hardware.results(self.collective.as_ref(), words, read.to_vec());
            difference(&expected, &found)?;
        }
        if received.is_empty() { Err(None) } else { Ok(()) }
    }

    fn stress_runs(&self) -> Runs {
        Runs { sections: Some(Sections::All), ..self.runs }
    }

    fn single_run(&self) -> Runs {
        Runs { collectives: 1, ..self.stress_runs() }
    }

    /// Number of tiles up to which the full top is simulated by default.
    pub(super) fn most_top_tiles(&self) -> u32 {
        self.hardware.most_top_tiles()
    }

    /// Existence of a tile form.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Usage`] if there is none.
    pub(super) fn tile_form(&self) -> Result<(), CliError> {
        self.hardware
            .tile_form()
            .map_err(|none| CliError::at(Exit::Usage, self.work.spec(), none.key, none.reason, "take `--form top`"))
    }

    /// Files and settings that a form adds to the Verilog.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub(super) fn parts(&self, form: Form) -> Result<Parts, CosimError> {
        Ok(self.hardware.parts(form)?)
    }

    /// Loads a simulator that was built.
    ///
    /// # Errors
    /// If it is no simulator of this network.
    pub(super) fn simulator(&self, built: &Built, form: Form) -> Result<Box<dyn Simulator>, CosimError> {
        let mut simulator = self.hardware.simulator(built, form, &self.sources)?;
        self.pauses.into_iter().for_each(|seed| simulator.pause(seed));
        Ok(simulator)
    }

    /// True if tiles have streams of their own, which know no clear.
    pub(super) fn has_tile_ports(&self) -> bool {
        self.work.spec().endpoint.has_tile_ports()
    }

    /// Proves the wiring of the top, for the tile form.
    ///
    /// # Errors
    /// If tools fail, or the top connects its tiles otherwise than the network does.
    pub(super) fn prove(&self, progress: Progress) -> Result<Option<WiringProof>, CliError> {
        if !self.hardware.proves_wiring() {
            return Ok(None);
        }
        let tools = tool::ensure(&[Tool::Yosys], progress)?;
        let step = progress.step(&format!("proving the wiring of {} {}", self.fabric.tiles, self.nodes()));
        let (_folder, path) = temporary("wiring")?;
        let proof = self.hardware.prove_wiring(&self.sources, &tools, &path)?;
        step.done();
        Ok(proof)
    }
}

impl FormArg {
    pub(super) fn choose(self, case: &Case) -> Result<Form, CliError> {
        match self {
            FormArg::Tile => case.tile_form().map(|()| Form::Tile),
            FormArg::Auto if case.fabric().tiles > case.most_top_tiles() && case.tile_form().is_ok() => Ok(Form::Tile),
            FormArg::Top | FormArg::Auto => Ok(Form::Top),
        }
    }
}

/// First word that is not as it must be: index, expected word, found word. None instead of the words if there are more or fewer.
pub(super) fn difference(expected: &[u64], found: &[u64]) -> Result<(), Option<(usize, u64, u64)>> {
    if expected.len() != found.len() {
        return Err(None);
    }
    let wrong = (0..expected.len()).find(|&i| expected[i] != found[i]);
    wrong.map_or(Ok(()), |i| Err(Some((i, expected[i], found[i]))))
}
