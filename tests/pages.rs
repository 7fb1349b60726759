//! What the manual shows of co-simulations is what the program says.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A command of the manual, and the lines that it shows below it.
struct Shown {
    page: String,
    command: String,
    lines: Vec<String>,
}

fn shown(page: &Path) -> Vec<Shown> {
    let text = fs::read_to_string(page).unwrap();
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let below = |at: usize| {
        let end = |line: &&&str| !line.is_empty() && !line.starts_with("```") && !line.starts_with('$');
        lines[at + 1..].iter().take_while(end).map(|line| line.to_string()).collect()
    };
    let commands = lines.iter().enumerate().filter_map(|(at, line)| Some((at, line.strip_prefix("$ metronoc ")?)));
    let page = page.display().to_string();
    commands.map(|(at, line)| Shown { page: page.clone(), command: line.to_owned(), lines: below(at) }).collect()
}

#[test]
#[ignore = "every co-simulation of the manual: minutes; .ci/run includes it"]
fn co_simulations_say_what_the_manual_shows() {
    let pages = fs::read_dir("docs/src").unwrap().map(|entry| entry.unwrap().path());
    let shown: Vec<Shown> = pages
        .filter(|page| page.extension().is_some_and(|ending| ending == "md"))
        .flat_map(|page| shown(&page))
        .filter(|shown| shown.lines.first().is_some_and(|line| line.starts_with("hardware and model agree")))
        .collect();
    assert!(shown.len() >= 5, "the examples are gone");
    for Shown { page, command, lines } in shown {
        let folder = tempfile::tempdir().unwrap();
        let words = command.split('#').next().unwrap().split_whitespace();
        let mut run = Command::new(env!("CARGO_BIN_EXE_metronoc"));
        run.env("NO_COLOR", "1");
        let mut out = false;
        for word in words {
            let file = std::mem::replace(&mut out, word == "--out").then(|| folder.path().join(word));
            match file {
                Some(file) => run.arg(file),
                None => run.arg(word),
            };
        }
        let output = run.output().unwrap();
        assert!(output.status.success(), "{page}: {command}: {}", String::from_utf8_lossy(&output.stderr));
        let said = String::from_utf8(output.stdout).unwrap();
        let mut said = said.lines().map(str::trim);
        for line in lines.iter().filter(|line| *line != "...") {
            assert!(said.any(|other| other == line), "{page}: {command} does not say, or not there: {line}");
        }
    }
}
