//! A look at every tool, without installing anything.

use serde::Serialize;

use super::error::ToolError;
use super::host::{self, HOST_PROGRAMS};
use super::install;
use super::registry::{TOOLS, ToolSpec};
use super::settings::{Policy, Settings};
use super::toolset::{Origin, outside};

/// Name and version of the JSON form of a [`Survey`].
pub const SURVEY_FORMAT: &str = "metronoc-tools/1";

/// The state of every tool.
#[derive(Debug, Clone, Serialize)]
pub struct Survey {
    /// [`SURVEY_FORMAT`].
    pub format: &'static str,
    /// metronoc's cache folder.
    pub cache: String,
    /// `private` or `system`.
    pub policy: &'static str,
    /// The tools of the registry, then the programs of the host.
    pub tools: Vec<SurveyLine>,
}

/// The state of one tool.
#[derive(Debug, Clone, Serialize)]
pub struct SurveyLine {
    /// Name of the tool.
    pub name: &'static str,
    /// True if it is ready to run.
    pub found: bool,
    /// Version of the tool. None if it is not found or prints none.
    pub version: Option<String>,
    /// Source: `private environment`, `PATH` or the name of a variable.
    pub source: Option<String>,
    /// Path of the program, if it is found.
    pub path: Option<String>,
    /// Commands of metronoc that need it.
    pub needed_for: &'static str,
    /// Missing part, in words.
    pub missing: Option<String>,
    /// Command that installs it.
    pub hint: Option<String>,
}

/// Survey of every tool.
///
/// # Errors
/// [`ToolError::Requirements`] if the committed pins are malformed.
pub fn survey(settings: &Settings) -> Result<Survey, ToolError> {
    let mut tools = TOOLS.iter().map(|spec| look(settings, spec)).collect::<Result<Vec<_>, _>>()?;
    for program in HOST_PROGRAMS {
        let overridden = if program.name == "python3" { settings.python.clone() } else { None };
        let source = if overridden.is_some() { "METRONOC_PYTHON" } else { "PATH" };
        tools.push(match overridden.or_else(|| host::find(program.name)) {
            Some(path) => {
                let version = host::version(program, &path).map(|version| version.to_string()).unwrap_or_default();
                ready(program.name, program.needed_for, source.into(), path.into_string(), version)
            }
            None => missing(program.name, program.needed_for, "not on PATH".into(), program.hint.into()),
        });
    }
    Ok(Survey { format: SURVEY_FORMAT, cache: settings.cache.to_string(), policy: settings.policy.name(), tools })
}

fn look(settings: &Settings, spec: &'static ToolSpec) -> Result<SurveyLine, ToolError> {
    match outside(settings, spec.tool) {
        Ok(Some(found)) => {
            return Ok(ready(
                spec.name,
                spec.needed_for,
                found.origin.describe(spec.tool),
                found.program.into_string(),
                found.version,
            ));
        }
        Ok(None) => {}
        Err(ToolError::Refused { reason, hint, .. }) => return Ok(missing(spec.name, spec.needed_for, reason, hint)),
        Err(error) => {
            return Ok(missing(spec.name, spec.needed_for, error.to_string(), format!("unset {}", spec.variable)));
        }
    }
    for bundle in spec.tool.bundles() {
        if !install::is_installed(settings, bundle)? {
            let what = if bundle == spec.bundle {
                "not installed".to_owned()
            } else {
                format!("{} not installed", bundle.spec().name)
            };
            return Ok(missing(spec.name, spec.needed_for, what, format!("metronoc tools install {}", spec.name)));
        }
    }
    let program = install::program(&install::folder(settings, spec.bundle)?, spec);
    Ok(ready(
        spec.name,
        spec.needed_for,
        Origin::Private.describe(spec.tool),
        program.into_string(),
        install::pinned_version(spec.bundle)?,
    ))
}

fn ready(name: &'static str, needed_for: &'static str, source: String, path: String, version: String) -> SurveyLine {
    let version = (!version.is_empty()).then_some(version);
    SurveyLine {
        name,
        found: true,
        version,
        source: Some(source),
        path: Some(path),
        needed_for,
        missing: None,
        hint: None,
    }
}

fn missing(name: &'static str, needed_for: &'static str, what: String, hint: String) -> SurveyLine {
    SurveyLine {
        name,
        found: false,
        version: None,
        source: None,
        path: None,
        needed_for,
        missing: Some(what),
        hint: Some(hint),
    }
}

impl Survey {
    /// Table of the tools, one a line, and below it the missing tools and the command that installs them.
    #[must_use]
    pub fn table(&self) -> String {
        let head = ["tool", "found", "version", "source", "needed for"].map(str::to_owned);
        let policy_private = self.policy == Policy::Private.name();
        let rows: Vec<[String; 5]> = std::iter::once(head)
            .chain(self.tools.iter().map(|line| {
                let text = |value: &Option<String>| value.clone().unwrap_or_else(|| "-".into());
                [
                    line.name.into(),
                    if line.found { "yes" } else { "no" }.into(),
                    text(&line.version),
                    text(&line.source),
                    line.needed_for.into(),
                ]
            }))
            .collect();
        let widths: [usize; 5] =
            std::array::from_fn(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
        let mut out = String::new();
        for row in &rows {
            let line: String = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}  ")).collect();
            out.push_str(line.trim_end());
            out.push('\n');
        }
        let absent: Vec<&SurveyLine> = self.tools.iter().filter(|line| !line.found).collect();
        if !absent.is_empty() {
            out.push_str("\nmissing:\n");
        }
        for line in &absent {
            out.push_str(&format!("  {}: {}\n", line.name, line.missing.as_deref().unwrap_or_default()));
            for hint in line.hint.as_deref().unwrap_or_default().lines() {
                out.push_str(&format!("      {hint}\n"));
            }
        }
        if policy_private
            && absent.iter().any(|line| line.missing.as_deref().is_some_and(|what| what.ends_with("not installed")))
        {
            out.push_str(
                "\nEverything at once: metronoc tools install (other commands install what they need by themselves)\n",
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use camino::Utf8Path;
    use snapbox::{assert_data_eq, str};
    use std::collections::BTreeMap;

    #[test]
    fn an_empty_cache_lists_every_tool_as_missing_with_a_command() {
        let dir = tempfile::tempdir().expect("temporary folder");
        let cache = Utf8Path::from_path(dir.path()).expect("UTF-8").join("cache");
        let settings =
            Settings { cache: cache.clone(), policy: Policy::Private, overrides: BTreeMap::new(), python: None };
        let survey = survey(&settings).expect("survey");
        assert_eq!(survey.tools.len(), TOOLS.len() + HOST_PROGRAMS.len());
        for (line, spec) in survey.tools.iter().zip(TOOLS) {
            assert!(
                !line.found && line.hint.as_deref() == Some(&format!("metronoc tools install {}", spec.name)),
                "{line:?}"
            );
        }
        assert!(!cache.exists(), "looking must not write");
    }

    #[test]
    fn the_table_is_aligned_and_ends_in_what_to_type() {
        let tools = vec![
            ready("verilator", "cosim", "private environment".into(), "/x/verilator_bin".into(), "5.48.0".into()),
            missing("z3", "prove", "not installed".into(), "metronoc tools install z3".into()),
        ];
        let survey = Survey { format: SURVEY_FORMAT, cache: "/c".into(), policy: "private", tools };
        assert_data_eq!(
            survey.table(),
            str![[r#"
tool       found  version  source               needed for
verilator  yes    5.48.0   private environment  cosim
z3         no     -        -                    prove

missing:
  z3: not installed
      metronoc tools install z3

Everything at once: metronoc tools install (other commands install what they need by themselves)

"#]]
        );
    }
}
