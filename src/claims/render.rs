//! Findings for people: a table with its witnesses, or the page of errata in the manual.

use super::{AmendmentFinding, Finding, Paper, Run, Table, Verdict};
use crate::count::counted;
use std::fmt::Write as _; // writing to a String does not fail

impl Verdict {
    fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Untried => "untried",
        }
    }
}

/// "at 3 of 20 sizes", or how many there are.
fn share(run: &Run) -> String {
    match run.failed {
        0 if run.tried == 0 => "no such size is tried".into(),
        0 if run.tried == 1 => "at the one size".into(),
        0 => format!("at all {}", counted(run.tried, "size")),
        failed => format!("at {failed} of {}", counted(run.tried, "size")),
    }
}

/// Findings as text: a line a claim; then the details of claims that fail or are amended; then the numbers.
pub fn text(paper: &Paper, findings: &[Finding]) -> String {
    let mut out = format!("{}, \"{}\"\n\n", paper.author, paper.title);
    let width = findings.iter().map(|f| f.id.len()).max().unwrap_or(0);
    let size = |finding: &Finding| finding.trial.counterexample.as_ref().map_or(String::new(), |c| c.size.clone());
    let sizes = findings.iter().map(|f| size(f).chars().count()).max().unwrap_or(0).max(COUNTEREXAMPLE.len());
    let _ = writeln!(out, "{:<width$}  verdict  sizes  {COUNTEREXAMPLE:<sizes$}  place", "claim");
    for finding in findings {
        let (id, verdict, tried, place) = (finding.id, finding.verdict().word(), finding.trial.tried, finding.place);
        let _ = writeln!(out, "{id:<width$}  {verdict:<7}  {tried:>5}  {:<sizes$}  {place}", size(finding));
    }
    // What holds as it is written needs no more words, unless it was asked for.
    let silent = |f: &&Finding| f.verdict() != Verdict::Fails && f.amendment.is_none() && f.table.is_none();
    for finding in findings.iter().filter(|f| findings.len() == 1 || !silent(f)) {
        out.push_str(&details(finding));
    }
    out
}

const COUNTEREXAMPLE: &str = "smallest counterexample";

/// Characters a line of prose has.
const LINE: usize = 110;

fn details(finding: &Finding) -> String {
    let mut out = format!("\n{}: {}, {}\n", finding.id, finding.verdict().word(), finding.place);
    let mut paragraph = |label: &str, text: &str| {
        for (i, line) in wrapped(text, LINE - 12).iter().enumerate() {
            let _ = writeln!(out, "  {:<9} {line}", if i == 0 { label } else { "" });
        }
    };
    paragraph("claim", finding.statement);
    match &finding.trial.counterexample {
        None => paragraph(finding.verdict().word(), &format!("{}: {}", share(&finding.trial), finding.trial.range)),
        Some(found) => {
            paragraph("fails", &format!("{}: {}", share(&finding.trial), finding.trial.range));
            paragraph("witness", &format!("{}: {}", found.size, found.witness));
        }
    }
    if let Some(amendment) = &finding.amendment {
        paragraph(label(finding), amendment.statement);
        paragraph("", &verified(amendment));
    }
    if let Some(table) = &finding.table {
        out.push('\n');
        out.push_str(&plain_table(table));
    }
    out
}

/// Text in lines of at most `width` characters, broken at spaces.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Relation of an amendment to its claim.
fn label(finding: &Finding) -> &'static str {
    if finding.verdict() == Verdict::Fails { "instead" } else { "moreover" }
}

fn verified(amendment: &AmendmentFinding) -> String {
    match &amendment.trial.counterexample {
        None => format!("(holds {}: {})", share(&amendment.trial), amendment.trial.range),
        Some(found) => format!("(FAILS {}, first at {}: {})", share(&amendment.trial), found.size, found.witness),
    }
}

fn plain_table(table: &Table) -> String {
    let mut out = format!("  {}\n", table.title);
    let columns: Vec<usize> = (0..table.head.len())
        .map(|i| {
            let cells = table.rows.iter().map(|row| row[i].chars().count());
            cells.chain([table.head[i].chars().count()]).max().unwrap_or(0)
        })
        .collect();
    let head: Vec<String> = table.head.iter().map(|name| (*name).to_owned()).collect();
    for row in std::iter::once(&head).chain(&table.rows) {
        let cells = row.iter().zip(&columns).enumerate().map(|(i, (cell, width))| match i {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        let _ = writeln!(out, "  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
    out
}

/// Findings as the page of errata.
pub fn markdown(papers: &[(&Paper, Vec<Finding>)]) -> String {
    let mut out = String::from(
        "# Errata\n\n<!-- Generated: UPDATE=1 cargo test --release claims:: -->\n\n\
         What papers claim, and what is the case. Each claim is run at every size of a range, smallest first, packet by \
         packet and by the paper's own rules: no scheduler of metronoc takes part. Verdict, smallest counterexample and \
         witness are what the run found, and what is said instead has held at every size, too.\n\n\
         `metronoc claims` runs them anew, `--only` one of them, `--sizes` on larger networks.\n",
    );
    for (paper, findings) in papers {
        paper_page(&mut out, paper, findings);
    }
    out
}

fn paper_page(out: &mut String, paper: &Paper, findings: &[Finding]) {
    let fails = findings.iter().filter(|f| f.verdict() == Verdict::Fails).count();
    let _ = write!(
        out,
        "\n## {}, \"{}\"\n\n{} claims: {fails} fail, {} hold.\n\n| claim | place | verdict | sizes |\n|---|---|---|---|\n",
        paper.author,
        paper.title,
        findings.len(),
        findings.len() - fails
    );
    for finding in findings {
        let verdict = match &finding.trial.counterexample {
            Some(found) => format!("**fails**, first at {}", found.size),
            None => finding.verdict().word().to_owned(),
        };
        let _ = writeln!(
            out,
            "| [{}](#{}) | {} | {verdict} | {} |",
            finding.id,
            anchor(finding),
            finding.place,
            finding.trial.tried
        );
    }
    for finding in findings {
        section(out, finding);
    }
}

/// Anchor of the heading of a claim.
fn anchor(finding: &Finding) -> String {
    finding.id.replace('.', "")
}

fn section(out: &mut String, finding: &Finding) {
    let _ = write!(
        out,
        "\n### {}\n\n{}. *{}*\n\n",
        finding.id,
        sentence(finding.place),
        finding.statement.replace('*', "\\*")
    );
    match &finding.trial.counterexample {
        Some(found) => {
            let _ = writeln!(
                out,
                "- **Fails** {} ({}), first at {}: {}.",
                share(&finding.trial),
                finding.trial.range,
                found.size,
                found.witness.replace('*', "\\*")
            );
        }
        None => {
            let verdict = sentence(finding.verdict().word());
            let _ = writeln!(out, "- {verdict} {} ({}).", share(&finding.trial), finding.trial.range);
        }
    }
    if let Some(amendment) = &finding.amendment {
        let label = sentence(label(finding));
        let statement = amendment.statement.replace('*', "\\*");
        let _ = writeln!(out, "- {label}: **{statement}** {}", verified(amendment));
    }
    if let Some(table) = &finding.table {
        let _ = write!(out, "\n{}:\n\n", table.title);
        let _ = writeln!(out, "| {} |\n|{}", table.head.join(" | "), "---|".repeat(table.head.len()));
        for row in &table.rows {
            let _ = writeln!(out, "| {} |", row.join(" | "));
        }
    }
}

/// A text with its first letter as a capital.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
