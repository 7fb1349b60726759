//! Upsets of registers in a co-simulation: one bit a run, and a table of their effects.

use super::args::Args;
use super::case::Case;
use crate::cli::{CliError, Context};
use crate::cosim::upset::{Share, Upsets, upsets, upsettable};
use crate::cosim::{Build, Form, Optimize};
use crate::tool::{Step, ToolSet};

/// Registers with silent upsets that the text names.
const NAMED: usize = 8;

/// Upsets registers of a case that agrees with the model.
pub(super) fn run(
    args: &Args,
    count: u64,
    case: &Case,
    tools: &ToolSet,
    (context, step): (&Context, &Step),
) -> Result<Upsets, CliError> {
    let (sources, parts) = (case.sources(), upsettable(case.parts(Form::Top)?));
    let built =
        Build { sources, parts: &parts, optimize: Optimize::Quick, root: args.build_dir.as_deref() }.run(tools)?;
    let new = || {
        step.advance();
        case.simulator(&built, Form::Top)
    };
    let results = |words| case.received(words);
    Ok(upsets(&case.session(), (count, context.seed.unwrap_or(0)), &results, &new)?)
}

/// Table of the effects.
pub(super) fn text(upsets: &Upsets) -> String {
    let total = upsets.total();
    let mut text = format!(
        "upsets: {} bits flipped, {} of them reported or without effect\n{:<10}{:>10}{:>10}{:>10}{:>11}{:>9}{:>9}\n",
        total.upsets,
        total.reported + total.without_effect,
        "registers",
        "bits",
        "flipped",
        "reported",
        "no effect",
        "no end",
        "silent"
    );
    let rows = upsets.kinds.iter().map(|(kind, share)| (kind.to_string(), *share));
    for (name, share) in rows.chain([("all".to_owned(), total)]) {
        let Share { bits, upsets, reported, without_effect, without_end, silent } = share;
        text.push_str(&format!(
            "{name:<10}{bits:>10}{upsets:>10}{reported:>10}{without_effect:>11}{without_end:>9}{silent:>9}\n"
        ));
    }
    let mut silent: Vec<(&String, &u64)> = upsets.silent.iter().collect();
    silent.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for (name, count) in silent.into_iter().take(NAMED) {
        text.push_str(&format!("silent: {count} in {name}\n"));
    }
    text
}
