//! Pages of reports that show a program of whichever network and collective.

use super::exported::MOST_TRANSFERS;
use super::piece::Work;
use crate::cli::page::{Request, finish, report_error};
use crate::cli::{CliError, Context};
use crate::program::Document;
use crate::report::{Drawn, ProgramInputs, ProgramReport, Scene, Side};

/// The report of a program.
///
/// # Errors
/// If a result of another command cannot be used, or the page cannot be written.
pub fn of_program(work: &dyn Work, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
    let exported = work.exported();
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
    let exported = work.exported();
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
