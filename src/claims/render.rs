//! Findings for people: a table with its witnesses, or the page of errata in the manual.

use super::{AmendmentFinding, Finding, Paper, Run, Table, Verdict};
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
        0 => format!("at all {} sizes", run.tried),
        failed => format!("at {failed} of {} sizes", run.tried),
    }
}

/// Findings as text: a line a claim, then what there is to say about those that fail, and about what is more than
/// claimed, then the numbers.
pub fn text(paper: &Paper, findings: &[Finding]) -> String {
    let mut out = format!("{}, \"{}\"\n\n", paper.author, paper.title);
    let width = findings.iter().map(|f| f.id.len()).max().unwrap_or(0);
    let _ = writeln!(out, "{:<width$}  {:<8} {:>5}  smallest counterexample", "claim", "verdict", "sizes");
    for finding in findings {
        let size = finding.trial.counterexample.as_ref().map_or("", |c| c.size.as_str());
        let line =
            format!("{:<width$}  {:<8} {:>5}  {size}", finding.id, finding.verdict().word(), finding.trial.tried);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    for finding in findings {
        out.push_str(&details(finding));
    }
    out
}

fn details(finding: &Finding) -> String {
    let mut out = format!("\n{}: {}, {}\n", finding.id, finding.verdict().word(), finding.place);
    let mut line = |label: &str, text: &str| {
        let _ = writeln!(out, "  {label:<9} {text}");
    };
    line("claim", finding.statement);
    line("range", &finding.trial.range);
    if let Some(found) = &finding.trial.counterexample {
        line("fails", &format!("{}, first at {}: {}", share(&finding.trial), found.size, found.witness));
    }
    if let Some(amendment) = &finding.amendment {
        line(label(finding), amendment.statement);
        line("", &verified(amendment));
    }
    if let Some(table) = &finding.table {
        out.push('\n');
        out.push_str(&plain_table(table));
    }
    out
}

/// What an amendment is to its claim.
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
        "# Errata\n\n<!-- Generated: UPDATE=1 cargo test --release --test claims -->\n\n\
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
            "| [{0}](#{0}) | {1} | {verdict} | {2} |",
            anchor(finding),
            finding.place,
            finding.trial.tried
        );
    }
    for finding in findings {
        section(out, finding);
    }
}

/// What a heading of a claim's name is linked by.
fn anchor(finding: &Finding) -> String {
    finding.id.replace('.', "")
}

fn section(out: &mut String, finding: &Finding) {
    let _ = write!(
        out,
        "\n### {}\n\n{}. *{}*\n\n",
        anchor(finding),
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
            let _ = writeln!(out, "- Holds {} ({}).", share(&finding.trial), finding.trial.range);
        }
    }
    if let Some(amendment) = &finding.amendment {
        let label = sentence(label(finding));
        let statement = amendment.statement.replace('*', "\\*");
        let _ = writeln!(out, "- {label}: **{statement}** {}", sentence(&verified(amendment)));
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
