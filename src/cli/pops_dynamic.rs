//! POPS without a schedule: from a specification to hardware and to the traffic that it is offered.

use super::{CliError, Context, Exit, pipeline};
use crate::collective::Traffic;
use crate::emit::RtlBundle;
use crate::lower::PopsDynamic;
use crate::output::write_folder;
use crate::spec::Spec;
use crate::spec::traffic::TrafficSpec;
use serde::Serialize;
use std::path::Path;

/// A specification of couplers that arbitrate.
#[derive(Debug)]
pub struct DynamicWork {
    /// The specification.
    pub spec: Spec,
    /// Its traffic.
    pub collective: TrafficSpec,
    /// Its hardware.
    pub hardware: PopsDynamic,
    /// Seed of the traffic.
    pub seed: u64,
}

/// Reads a specification of couplers that arbitrate; None if it is another one.
///
/// # Errors
/// [`CliError::Spec`] for a bad specification.
pub fn work(path: &Path, context: &Context) -> Result<Option<DynamicWork>, CliError> {
    let spec = pipeline::load(path, context)?;
    let (Some(collective), Some(hardware)) = (spec.collective.traffic().cloned(), PopsDynamic::new(&spec)) else {
        return Ok(None);
    };
    let seed = context.seed.or(collective.seed).unwrap_or(spec.schedule.seed);
    Ok(Some(DynamicWork { spec, collective, hardware, seed }))
}

/// What commands for schedules say: [`CliError::AtSpec`] with [`Exit::Infeasible`].
pub fn refused(spec: &Spec) -> CliError {
    let message = "traffic has no schedule: couplers arbitrate while it runs";
    let help = "`generate`, `cosim` and `report` know it; for this command take another `kind`";
    let diagnostic = Box::new(spec.diagnostic("collective.kind", message, help));
    CliError::AtSpec { exit: Exit::Infeasible, diagnostic }
}

impl DynamicWork {
    /// The traffic at each load.
    pub fn traffics(&self) -> Vec<Traffic> {
        let (net, of) = (self.hardware.network, &self.collective);
        let words = (self.hardware.data_bits, self.hardware.words);
        of.load.iter().map(|&load| Traffic::new(net.d(), net.g(), words, of, load, self.seed)).collect()
    }

    /// The files of the hardware.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub fn emitted(&self, path: &Path) -> Result<RtlBundle, CliError> {
        RtlBundle::pops_dynamic(&self.hardware, &pipeline::origin(&self.spec, path))
            .map_err(|error| CliError::Internal(error.to_string()))
    }
}

#[derive(Serialize)]
struct Output<'a> {
    folder: String,
    top: &'static str,
    processors: u32,
    couplers: u64,
    arbitration: &'static str,
    files: Vec<&'a str>,
}

/// Writes the Verilog into a folder.
///
/// # Errors
/// If it cannot be written.
pub fn generate(work: &DynamicWork, path: &Path, folder: &Path, context: &Context) -> Result<(), CliError> {
    let bundle = work.emitted(path)?;
    let files = bundle.files().map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).collect();
    write_folder(folder, &files, context.force)?;
    if !context.json {
        context.say(format!("wrote {} files to {}", files.len(), folder.display()));
        return Ok(());
    }
    context.print_json(&Output {
        folder: folder.display().to_string(),
        top: "mn_top",
        processors: work.hardware.network.processors(),
        couplers: work.hardware.network.couplers(),
        arbitration: work.hardware.arbitration.name(),
        files: files.keys().map(String::as_str).collect(),
    })
}
