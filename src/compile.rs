//! The library in one call: from a specification to its proved schedule, its Verilog and a simulation.

use crate::cli::work::{Input, Work, emitted, load, work_of};
use crate::cli::{CliError, Context, Exit};
use crate::collective::{Collective, Words};
use crate::emit::RtlBundle;
use crate::family::Hardware;
use crate::simulate::{Arrays, SimulateError, Simulation};
use crate::spec::Spec;
use std::path::{Path, PathBuf};

/// Specification to be compiled.
#[derive(Debug)]
pub enum Source<'a> {
    /// TOML text; files that it names are looked up from the working folder.
    Text(&'a str),
    /// File: a specification, or a schedule in its place as every command takes it.
    File(&'a Path),
}

impl<'a> From<&'a str> for Source<'a> {
    fn from(text: &'a str) -> Self {
        Source::Text(text)
    }
}

impl<'a> From<&'a Path> for Source<'a> {
    fn from(path: &'a Path) -> Self {
        Source::File(path)
    }
}

/// Specification with its schedule, proved.
///
/// The [`Work`] behind it has more: the program, the topology, the collective, the report.
#[derive(Debug)]
pub struct Compiled {
    work: Box<dyn Work>,
    path: PathBuf,
    context: Context,
}

/// Schedules a specification and proves the schedule. Text is TOML, a [`Path`] names a file.
///
/// ```
/// # fn main() -> Result<(), metronoc::Error> {
/// let d3 = metronoc::compile(
///     r#"
///     format = 1
///     network = { topology = "swapped-dragonfly", k = 2, m = 3 }
///     "#,
/// )?;
/// assert_eq!((d3.cycles(), d3.bounds().largest()), (12, 12));
/// let words = d3.random_words(1);
/// assert_eq!(d3.simulate(&words)?, d3.expected(&words));
/// assert!(d3.verilog()?.files().any(|(name, _)| name == "rtl/mn_top.v"));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`CliError`] for a bad specification, with the lines that are wrong, and where there is no schedule.
///
/// ```
/// let error = metronoc::compile("format = 1\nnetwork = { topology = \"ring\", nodes = 0 }").unwrap_err();
/// assert!(error.into_diagnostics()[0].render(false).contains("nodes"));
/// ```
pub fn compile<'a>(source: impl Into<Source<'a>>) -> Result<Compiled, CliError> {
    let context = Context::silent();
    let (input, path) = match source.into() {
        Source::Text(text) => (Input::of(Spec::parse("spec.toml", text)?), Path::new("spec.toml")),
        Source::File(path) => (load(path, &context)?, path),
    };
    Ok(Compiled { work: work_of(input, path, &context)?, path: path.to_owned(), context })
}

impl Compiled {
    /// The specification, defaults filled in.
    pub fn spec(&self) -> &Spec {
        self.work.spec()
    }

    /// Name of the schedule's algorithm.
    pub fn algorithm(&self) -> &str {
        self.work.algorithm()
    }

    /// Clock cycles from the first channel to the last.
    pub fn cycles(&self) -> u32 {
        self.work.cycles()
    }

    /// Lower bounds in clock cycles, by name and with their reasons.
    pub fn bounds(&self) -> &crate::check::BoundList {
        self.work.bounds()
    }

    /// Verdict of the check, for people: as `metronoc check` prints it.
    pub fn verdict(&self) -> String {
        self.work.verdict()
    }

    /// The work of a command, with the program, the topology and the report.
    pub fn work(&self) -> &dyn Work {
        self.work.as_ref()
    }

    /// Schedule in full, as JSON text of the form metronoc-schedule/1.
    ///
    /// # Errors
    /// [`Exit::Infeasible`] above 200 million transfers.
    pub fn schedule(&self) -> Result<Vec<u8>, CliError> {
        let mut json = Vec::new();
        let failed = |error: std::io::Error| CliError::Internal(error.to_string());
        match self.work.document() {
            Some(document) => document.write(&mut json).map_err(failed)?,
            None => self.work.whole().write(false, &mut json, failed)?,
        }
        Ok(json)
    }

    /// Hardware of the router family that the specification names.
    ///
    /// # Errors
    /// [`Exit::Infeasible`] if the schedule has no such hardware.
    pub fn hardware(&self) -> Result<Box<dyn Hardware>, CliError> {
        self.work.hardware(&self.context)
    }

    /// Verilog and the files beside it, in memory: relative path → text.
    ///
    /// # Errors
    /// As [`Compiled::hardware`].
    pub fn verilog(&self) -> Result<RtlBundle, CliError> {
        emitted(self.hardware()?.as_ref(), self.spec(), &self.path)
    }

    /// Data of the collective: the shape of its array, its result by definition.
    pub fn collective(&self) -> Box<dyn Collective> {
        self.work.collective(1)
    }

    /// Random words of the collective, in the order of its array; the same ones for the same `seed`.
    pub fn random_words(&self, seed: u64) -> Words {
        self.collective().filling(self.spec().router.payload_bits, seed)
    }

    /// Output words for the input `words`, by the definition of the collective alone.
    pub fn expected(&self, words: &Words) -> Words {
        self.collective().expected(words)
    }

    /// Output words of the schedule, simulated cycle by cycle in software, in the order of the result's array.
    ///
    /// # Errors
    /// [`Exit::BadSpec`] for another number of words than the collective has.
    pub fn simulate(&self, words: &Words) -> Result<Words, CliError> {
        let (program, collective) = self.work.simulated();
        let (given, asked) = (words.len(), collective.shape().0.iter().product::<usize>());
        if given != asked {
            let (message, help) = (format!("the array has {given} words, the collective {asked}"), "see `collective`");
            return Err(CliError::failed(Exit::BadSpec, message, help));
        }
        let conflict = |error: SimulateError| CliError::Internal(error.to_string());
        let net = self.work.topology();
        let mut data = Arrays::new(&program, collective.as_ref(), words, self.work.word_bits());
        for pass in 0..collective.passes() {
            data.begin(pass);
            Simulation::new(net.as_ref(), &program).run(&mut data, &[]).map_err(conflict)?;
        }
        Ok(data.results(collective.result_len()))
    }
}
