//! `metronoc claims`: the claims of papers, tested over a range of sizes.

use super::progress::Progress;
use super::{CliError, Context, Exit, OutputArgs};
use crate::claims::{self, Claim, DEFAULT_ROUTERS, Finding, PAPERS, Paper, Verdict};
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use serde::Serialize;

/// Test the claims of papers over a range of sizes, and print where they fail
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Paper; all papers if none is named
    #[arg(value_parser = PossibleValuesParser::new(PAPERS.iter().map(|paper| paper.name)))]
    paper: Option<String>,
    /// Format of the output; --json selects JSON
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: Format,
    /// Identifier of a claim; may be given several times
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Largest number of routers of the networks that are tried, about; each claim prints its range. Twice as many take
    /// ten times as long
    #[arg(long, value_name = "ROUTERS", default_value_t = DEFAULT_ROUTERS, value_parser = clap::value_parser!(u32).range(4..=1024))]
    sizes: u32,
    #[command(flatten)]
    output: OutputArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Table of claims, with the witnesses
    Text,
    /// Page of errata of the manual
    Markdown,
}

/// The findings for programs.
#[derive(Serialize)]
struct Output<'a> {
    sizes: u32,
    papers: Vec<PaperOutput<'a>>,
}

#[derive(Serialize)]
struct PaperOutput<'a> {
    paper: &'a str,
    author: &'a str,
    title: &'a str,
    claims: Vec<ClaimOutput<'a>>,
}

#[derive(Serialize)]
struct ClaimOutput<'a> {
    verdict: Verdict,
    #[serde(flatten)]
    finding: &'a Finding,
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let file = context.output(args.output.file())?;
    let papers: Vec<(&Paper, Vec<Claim>)> = PAPERS
        .iter()
        .filter(|paper| args.paper.as_ref().is_none_or(|name| name == paper.name))
        .map(|paper| (paper, (paper.claims)()))
        .collect();
    for id in &args.only {
        if !papers.iter().any(|(_, claims)| claims.iter().any(|claim| claim.id == id)) {
            return Err(unknown(id, papers.iter().flat_map(|(_, claims)| claims)));
        }
    }
    let progress = Progress::new(context, "claims");
    let asked_for = |claim: &&Claim| args.only.is_empty() || args.only.iter().any(|id| id == claim.id);
    let total = papers.iter().flat_map(|(_, claims)| claims).filter(asked_for).count();
    let mut numbers = 1..;
    let judge = |(paper, claims): (&'static Paper, Vec<Claim>)| {
        let findings: Vec<Finding> = claims
            .iter()
            .filter(asked_for)
            .map(|claim| {
                let number = numbers.next().unwrap_or(total);
                progress.next(format!("claim {number} of {total}, {}", claim.id));
                claim.judge(args.sizes)
            })
            .collect();
        (paper, findings)
    };
    let mut judged: Vec<(&Paper, Vec<Finding>)> = papers.into_iter().map(judge).collect();
    judged.retain(|(_, findings)| !findings.is_empty());
    progress.done();
    match file {
        None if context.json => context.print_json(&output(args.sizes, &judged))?,
        None => context.print(rendered(args.format, &judged))?,
        Some(file) => {
            let text = rendered(args.format, &judged);
            file.write(text.as_bytes())?;
            context.say(format!("wrote {}", file.path().display()));
        }
    }
    refuse_broken(&judged)
}

fn rendered(format: Format, judged: &[(&Paper, Vec<Finding>)]) -> String {
    match format {
        Format::Text => judged.iter().map(|(paper, findings)| claims::text(paper, findings)).collect(),
        Format::Markdown => claims::markdown(judged),
    }
}

fn output<'a>(sizes: u32, judged: &'a [(&Paper, Vec<Finding>)]) -> Output<'a> {
    let claim = |finding: &'a Finding| ClaimOutput { verdict: finding.verdict(), finding };
    let papers = judged.iter().map(|(paper, findings)| PaperOutput {
        paper: paper.name,
        author: paper.author,
        title: paper.title,
        claims: findings.iter().map(claim).collect(),
    });
    Output { sizes, papers: papers.collect() }
}

fn unknown<'a>(id: &str, known: impl Iterator<Item = &'a Claim>) -> CliError {
    let known: Vec<&str> = known.map(|claim| claim.id).collect();
    let near = |known: &&str| strsim::jaro(known, id);
    let closest = known.iter().copied().filter(|known| near(known) > 0.8).max_by(|a, b| near(a).total_cmp(&near(b)));
    let help = match closest {
        Some(closest) => format!("did you mean `{closest}`?"),
        None => format!("write one of {}", known.join(", ")),
    };
    CliError::failed(Exit::Usage, format!("there is no claim `{id}`"), help)
}

/// Error if a statement that replaces a claim fails; a claim itself may fail.
fn refuse_broken(judged: &[(&Paper, Vec<Finding>)]) -> Result<(), CliError> {
    let broken = judged.iter().flat_map(|(_, findings)| findings).find_map(|f| f.broken_amendment().map(|at| (f, at)));
    match broken {
        None => Ok(()),
        Some((finding, at)) => Err(CliError::failed(
            Exit::Infeasible,
            format!("what is said instead of `{}` fails at {}: {}", finding.id, at.size, at.witness),
            "please report it",
        )),
    }
}
