//! Programs of MSCCL (Cowan et al., ASPLOS 2023) in XML: threadblocks of GPUs, each a sequence of steps that send, receive, copy and sum
//! chunks of buffers.
//!
//! The reader executes the program step by step and follows chunks by name. A step waits for the previous step of its
//! threadblock, for the step that `depid` and `deps` name, and for the chunk that it receives. The result is packets
//! and sums, without times. If two steps of a GPU use one chunk and one of them changes it, one must wait for the
//! other. The operand of a sum is where its result goes, at `dstoff`.

mod file;
mod goal;
mod run;
mod write;

use super::flow::Flow;
use super::form::{Form, Hint};
use super::place::FormError;
use super::refusal::{ELSE, Refusal};
use crate::program::Document;
use file::File;
use goal::Goal;

/// The form.
pub(super) struct Msccl;

impl Form for Msccl {
    fn name(&self) -> &'static str {
        "msccl-xml"
    }

    fn about(&self) -> &'static str {
        "MSCCL: threadblocks of steps that send, receive, copy and sum chunks, XML of MSCCLang"
    }

    fn recognises(&self, text: &str) -> bool {
        text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
    }

    fn read(&self, text: &str, hint: Hint<'_>) -> Result<Flow, FormError> {
        let file = File::read(text)?;
        let goal = Goal::new(&file, hint)?;
        run::run(&file, &goal)
    }

    fn write(&self, document: &Document) -> Result<String, Refusal> {
        let text = write::text(document)?;
        // the order of time becomes one of dependencies, which must bring the same result
        let hint = Hint { network: None, collective: Some(&document.collective) };
        match self.read(&text, hint) {
            Ok(_) => Ok(text),
            Err(error) => Err(Refusal::new(format!("as a program of MSCCL it does not hold: {}", error.message), ELSE)),
        }
    }
}
