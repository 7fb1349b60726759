//! Hardware, data, model and oracle of a co-simulation, of any collective.

use super::args::{Args, FormArg};
use crate::cli::work::{self, Input, Work};
use crate::cli::{CliError, Context, Exit};
use crate::collective::{Collective, Words};
use crate::cosim::wiring::WiringProof;
use crate::cosim::{Built, CosimError, Form, Parts, Session, Simulator, Sources};
use crate::family::{Hardware, Runs};
use crate::interrupt::Temporary;
use crate::lower::Fabric;
use crate::model::{Model, ModelError};
use crate::spec::Spec;
use crate::tool::{self, Progress, Tool};
use camino::Utf8PathBuf;
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
}

/// Most words that are received in all: 1 GiB of 64 bits each.
const MAX_RECEIVED: u64 = 1 << 27;

/// Words that are to be received are held in memory, so there is a limit.
fn received_at_most(spec: &Spec, words: u64) -> Result<(), CliError> {
    if words <= MAX_RECEIVED {
        return Ok(());
    }
    let message = format!("{words} words would be received, and a co-simulation holds at most {MAX_RECEIVED}");
    let help = "take a smaller network, fewer words, or fewer `--collectives`";
    let diagnostic = Box::new(spec.diagnostic("collective.kind", message, help));
    Err(CliError::AtSpec { exit: Exit::Infeasible, diagnostic })
}

impl Case {
    /// Reads the data of a specification, and makes the hardware.
    ///
    /// # Errors
    /// If one of them cannot be used.
    pub(super) fn new(input: Input, args: &Args, context: &Context) -> Result<Self, CliError> {
        let work = work::work_of(input, &args.source.spec, context)?;
        work.fits(&args.files)?;
        crate::cli::embedding::tell_of_others(work.spec(), context);
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
        Ok(Self { work, hardware, collective, fabric, model, sources, words, expected, runs })
    }

    /// Sizes of the hardware.
    pub(super) fn fabric(&self) -> &Fabric {
        &self.fabric
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

    /// Number of tiles up to which the whole top is simulated by default.
    pub(super) fn most_top_tiles(&self) -> u32 {
        self.hardware.most_top_tiles()
    }

    /// Existence of a tile form.
    ///
    /// # Errors
    /// [`CliError::AtSpec`] with [`Exit::Usage`] if there is none.
    pub(super) fn tile_form(&self) -> Result<(), CliError> {
        self.hardware.tile_form().map_err(|none| {
            let diagnostic = self.work.spec().diagnostic(none.key, none.reason, "take `--form top`");
            CliError::AtSpec { exit: Exit::Usage, diagnostic: Box::new(diagnostic) }
        })
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
        self.hardware.simulator(built, form, &self.sources)
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
        let failed =
            |error: std::io::Error| CliError::failed(Exit::Io, error.to_string(), "set TMPDIR to another folder");
        let folder = Temporary::for_work("wiring").map_err(failed)?;
        let path = Utf8PathBuf::try_from(folder.path().to_owned()).map_err(|error| failed(error.into_io_error()))?;
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
