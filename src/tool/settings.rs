//! Settings of tools from the user's environment: cache folder, private or system tools, overrides.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::str::FromStr;

use camino::{Utf8Path, Utf8PathBuf};
use directories::ProjectDirs;

use super::error::ToolError;
use super::registry::{TOOLS, Tool};

/// Source of tools that no variable names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Policy {
    /// Tools of metronoc's own environment, installed when needed.
    #[default]
    Private,
    /// Tools on PATH, if their versions are new enough.
    System,
}

impl FromStr for Policy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "private" => Ok(Self::Private),
            "system" => Ok(Self::System),
            _ => Err("`private` or `system` is expected".into()),
        }
    }
}

impl Policy {
    /// Name of the policy on the command line and in METRONOC_TOOLS.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::System => "system",
        }
    }
}

/// The settings of one run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Root of metronoc's cache.
    pub cache: Utf8PathBuf,
    /// Source of tools.
    pub policy: Policy,
    /// Programs named by variables such as `METRONOC_YOSYS`.
    pub overrides: BTreeMap<Tool, Utf8PathBuf>,
    /// Interpreter named by `METRONOC_PYTHON`; used as it is.
    pub python: Option<Utf8PathBuf>,
}

impl Settings {
    /// Reads the process environment: `METRONOC_CACHE`, `METRONOC_TOOLS`, `METRONOC_PYTHON` and one variable a tool.
    ///
    /// # Errors
    /// [`ToolError::NoCache`] without a home folder, [`ToolError::Setting`] for a value with no meaning.
    pub fn from_env() -> Result<Self, ToolError> {
        Self::read(|name| std::env::var_os(name))
    }

    /// Settings as from [`Self::from_env`], with `variable` in place of the process environment.
    ///
    /// # Errors
    /// As [`Self::from_env`].
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, ToolError> {
        let setting = |variable: &str, value: &OsStr, expected: &str| ToolError::Setting {
            variable: variable.into(),
            value: value.to_string_lossy().into_owned(),
            expected: expected.into(),
        };
        let variable = |name: &str| match variable(name).map(OsString::into_string) {
            None => Ok(None),
            Some(Ok(value)) => Ok(Some(value).filter(|value| !value.is_empty())),
            Some(Err(value)) => Err(setting(name, &value, "text in UTF-8 is expected")),
        };
        let cache = match variable("METRONOC_CACHE")? {
            Some(path) => absolute(Utf8PathBuf::from(path))?,
            None => default_cache()?,
        };
        let policy = match variable("METRONOC_TOOLS")? {
            None => Policy::default(),
            Some(value) => {
                value.parse().map_err(|expected: String| setting("METRONOC_TOOLS", value.as_ref(), &expected))?
            }
        };
        let program = |name: &str| -> Result<Option<Utf8PathBuf>, ToolError> {
            let Some(value) = variable(name)? else { return Ok(None) };
            let found = which::which(&value).ok().and_then(|path| Utf8PathBuf::from_path_buf(path).ok());
            match found {
                Some(path) => absolute(path).map(Some),
                None => Err(setting(name, value.as_ref(), "the path of a program is expected")),
            }
        };
        let mut overrides = BTreeMap::new();
        for spec in TOOLS {
            if let Some(path) = program(spec.variable)? {
                overrides.insert(spec.tool, path);
            }
        }
        Ok(Self { cache, policy, overrides, python: program("METRONOC_PYTHON")? })
    }

    /// Settings with another policy.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Folder of the private environment.
    #[must_use]
    pub fn tools_dir(&self) -> Utf8PathBuf {
        self.cache.join("tools")
    }

    /// Folder of downloaded wheels.
    #[must_use]
    pub fn wheels_dir(&self) -> Utf8PathBuf {
        self.cache.join("wheels")
    }
}

fn absolute(path: Utf8PathBuf) -> Result<Utf8PathBuf, ToolError> {
    camino::absolute_utf8(&path).map_err(|source| ToolError::Cache { path, source })
}

fn default_cache() -> Result<Utf8PathBuf, ToolError> {
    let project = ProjectDirs::from("", "", "metronoc")
        .ok_or_else(|| ToolError::NoCache { reason: "the user has no home folder".into() })?;
    Utf8Path::from_path(project.cache_dir())
        .map(Utf8Path::to_path_buf)
        .ok_or_else(|| ToolError::NoCache { reason: format!("`{}` is not UTF-8", project.cache_dir().display()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Settings, ToolError> {
        Settings::read(|name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).into()))
    }

    #[test]
    fn variables_win_over_defaults() {
        let settings = read(&[("METRONOC_CACHE", "/c"), ("METRONOC_TOOLS", "system"), ("METRONOC_Z3", "/bin/sh")])
            .expect("settings");
        assert_eq!(settings.cache, "/c");
        assert_eq!(settings.policy, Policy::System);
        assert_eq!(settings.overrides.keys().collect::<Vec<_>>(), [&Tool::Z3]);
        assert_eq!(read(&[("METRONOC_CACHE", "/c")]).expect("settings").policy, Policy::Private);
    }

    #[test]
    fn values_without_a_meaning_are_errors_that_name_the_variable() {
        for pair in
            [("METRONOC_TOOLS", "mixed"), ("METRONOC_YOSYS", "/no/such/yosys"), ("METRONOC_PYTHON", "/no/such/python")]
        {
            match read(&[("METRONOC_CACHE", "/c"), pair]) {
                Err(ToolError::Setting { variable, value, .. }) => {
                    assert_eq!((variable.as_str(), value.as_str()), pair)
                }
                other => panic!("{pair:?} gave {other:?}"),
            }
        }
    }

    #[test]
    fn a_relative_cache_becomes_absolute() {
        assert!(read(&[("METRONOC_CACHE", "here")]).expect("settings").cache.is_absolute());
    }

    #[test]
    #[cfg(unix)]
    fn a_value_that_is_no_text_is_refused() {
        use std::os::unix::ffi::OsStringExt;
        let value = || OsString::from_vec(b"/tmp/\xff".to_vec());
        let error = Settings::read(|name| (name == "METRONOC_CACHE").then(value)).expect_err("not UTF-8").to_string();
        assert!(error.contains("METRONOC_CACHE") && error.contains("UTF-8"), "{error}");
    }
}
