//! The pinned wheels: a reader of the committed `requirements.txt`.
//!
//! The file is in pip's own format, restricted to `name==version` with `--hash=sha256:` options, so that the very
//! lines that are fingerprinted here are the lines that pip checks.

use std::fmt;

use sha2::{Digest, Sha256};

use super::error::ToolError;
use crate::hash::hex;

/// The committed file, as text.
const PINNED: &str = include_str!("requirements.txt");

/// One pinned package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Requirement {
    /// Name of the distribution, as in the file.
    pub name: String,
    /// Exact version.
    pub version: String,
    /// SHA-256 (64 lower-case hexadecimal digits) of every accepted wheel.
    pub hashes: Vec<String>,
}

impl Requirement {
    /// Prefix of the file name of this package's wheel: `name_with_underscores-version-`.
    #[must_use]
    pub fn wheel_prefix(&self) -> String {
        format!("{}-{}-", self.name.replace(['-', '.'], "_").to_lowercase(), self.version)
    }
}

impl fmt::Display for Requirement {
    /// Writes the requirement as one line that pip accepts with `--require-hashes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}=={}", self.name, self.version)?;
        for hash in &self.hashes {
            write!(f, " --hash=sha256:{hash}")?;
        }
        Ok(())
    }
}

/// The requirements that are compiled into the program.
///
/// # Errors
/// [`ToolError::Requirements`] if the committed file is malformed (a test guards it).
pub fn pinned() -> Result<Vec<Requirement>, ToolError> {
    parse(PINNED)
}

/// The pinned requirements of the packages `names`, in that order.
///
/// # Errors
/// [`ToolError::Requirements`] if a package is not pinned or the file is malformed.
pub fn select(names: &[&str]) -> Result<Vec<Requirement>, ToolError> {
    let all = pinned()?;
    names
        .iter()
        .map(|name| {
            all.iter()
                .find(|requirement| requirement.name == *name)
                .cloned()
                .ok_or_else(|| ToolError::Requirements { line: 0, reason: format!("`{name}` is not pinned") })
        })
        .collect()
}

/// Reads requirements; `\` at the end of a line continues it, `#` begins a comment.
///
/// # Errors
/// [`ToolError::Requirements`] with the line number for anything but `name==version --hash=sha256:…`.
pub fn parse(text: &str) -> Result<Vec<Requirement>, ToolError> {
    let mut found: Vec<Requirement> = Vec::new();
    let mut logical = String::new();
    let mut first_line = 0;
    for (index, raw) in text.lines().enumerate() {
        let content = raw.split_once('#').map_or(raw, |(before, _)| before).trim();
        if logical.is_empty() {
            first_line = index + 1;
        }
        if let Some(part) = content.strip_suffix('\\') {
            logical.push_str(part);
            continue;
        }
        logical.push_str(content);
        if !logical.trim().is_empty() {
            let requirement =
                parse_line(&logical).map_err(|reason| ToolError::Requirements { line: first_line, reason })?;
            if found.iter().any(|other| other.name == requirement.name) {
                let reason = format!("`{}` is pinned twice", requirement.name);
                return Err(ToolError::Requirements { line: first_line, reason });
            }
            found.push(requirement);
        }
        logical.clear();
    }
    if !logical.trim().is_empty() {
        return Err(ToolError::Requirements { line: first_line, reason: "the last line is continued".into() });
    }
    Ok(found)
}

fn parse_line(line: &str) -> Result<Requirement, String> {
    let mut words = line.split_whitespace();
    let pin = words.next().unwrap_or_default();
    let (name, version) = pin.split_once("==").ok_or_else(|| format!("`{pin}` is not `name==version`"))?;
    let plain = |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.+".contains(c));
    if !plain(name) || !plain(version) {
        return Err(format!("`{pin}` is not `name==version`"));
    }
    let mut hashes = Vec::new();
    for word in words {
        let hash = word.strip_prefix("--hash=sha256:").ok_or_else(|| format!("`{word}` is not a sha256 hash"))?;
        if hash.len() != 64 || !hash.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f')) {
            return Err(format!("`{hash}` is not 64 hexadecimal digits"));
        }
        hashes.push(hash.to_owned());
    }
    if hashes.is_empty() {
        return Err(format!("`{pin}` has no hash"));
    }
    Ok(Requirement { name: name.to_owned(), version: version.to_owned(), hashes })
}

/// A short name (12 hexadecimal digits) for exactly these lines: it changes when any pin does.
#[must_use]
pub fn fingerprint<'a>(lines: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for line in lines {
        hasher.update(line.as_bytes());
        hasher.update(b"\n");
    }
    let mut text = hex(&hasher.finalize());
    text.truncate(12);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_file_pins_every_package_of_the_registry() {
        let all = pinned().expect("committed file");
        for bundle in crate::tool::registry::BUNDLES {
            for package in bundle.packages {
                assert!(all.iter().any(|r| r.name == *package), "{package} is not pinned");
            }
        }
        assert!(all.iter().any(|r| r.name == "pip"));
    }

    #[test]
    fn continuations_comments_and_several_hashes_are_read() {
        let text = format!(
            "# head\n\nwasmtime==47.0.1 \\\n  --hash=sha256:{0} \\\n  --hash=sha256:{1} # arm\nclick==8 --hash=sha256:{0}\n",
            "a".repeat(64),
            "b".repeat(64)
        );
        let read = parse(&text).expect("good text");
        assert_eq!(read.len(), 2);
        assert_eq!(read[0].hashes, ["a".repeat(64), "b".repeat(64)]);
        assert_eq!(read[0].wheel_prefix(), "wasmtime-47.0.1-");
        assert_eq!(parse(&read[0].to_string()).expect("own output"), read[..1]);
    }

    #[test]
    fn what_is_not_pinned_is_refused_with_its_line() {
        let good = "a".repeat(64);
        for (text, line, word) in [
            ("click\n", 1, "name==version"),
            ("\nclick==8\n", 2, "no hash"),
            ("click>=8 --hash=sha256:00\n", 1, "name==version"),
            ("click==8 --hash=sha256:00\n", 1, "64"),
            ("click==8 --hash=md5:00\n", 1, "sha256"),
            ("click==8 \\\n", 1, "continued"),
            (&format!("a==1 --hash=sha256:{good}\na==2 --hash=sha256:{good}\n"), 2, "twice"),
        ] {
            match parse(text) {
                Err(ToolError::Requirements { line: at, reason }) => {
                    assert_eq!(at, line, "{text:?}");
                    assert!(reason.contains(word), "{text:?}: {reason}");
                }
                other => panic!("{text:?} gave {other:?}"),
            }
        }
    }

    #[test]
    fn the_fingerprint_follows_every_line() {
        assert_eq!(fingerprint(["a", "b"]), fingerprint(["a", "b"]));
        assert_ne!(fingerprint(["a", "b"]), fingerprint(["a", "c"]));
        assert_ne!(fingerprint(["a", "b"]), fingerprint(["ab"]));
    }
}
