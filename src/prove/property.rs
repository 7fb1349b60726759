//! Properties of a wrapper: assumptions and assertions, in the words of its comments.

use serde::Serialize;

/// Kind of a property: assumed or proved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Taken for granted: the traffic obeys it.
    Assume,
    /// Proved.
    Assert,
}

/// An assumption or assertion of a wrapper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Property {
    /// Assumption or assertion.
    pub kind: Kind,
    /// Line in the wrapper, from 1.
    pub line: usize,
    /// The comment above it.
    pub text: String,
}

/// The properties of a wrapper, in the order of its lines.
pub fn properties(wrapper: &str) -> Vec<Property> {
    let mut found = Vec::new();
    let mut comment: Vec<&str> = Vec::new();
    for (number, line) in wrapper.lines().enumerate() {
        let line = line.trim();
        if let Some(text) = line.strip_prefix("//") {
            comment.push(text.trim());
            continue;
        }
        let kind = [("assert (", Kind::Assert), ("assume (", Kind::Assume)].into_iter().find(|(w, _)| line.contains(w));
        if let Some((_, kind)) = kind {
            found.push(Property { kind, line: number + 1, text: comment.join(" ") });
        }
        comment.clear();
    }
    found
}

/// A wrapper with the assertions alone whose text begins so; lines keep their numbers. None if there is none.
pub(super) fn alone(wrapper: &str, begin: &str) -> Option<String> {
    let asserts: Vec<Property> = properties(wrapper).into_iter().filter(|p| p.kind == Kind::Assert).collect();
    let kept = |line: usize| asserts.iter().any(|p| p.line == line && p.text.starts_with(begin));
    let mut any = false;
    let mut text = String::new();
    for (number, line) in (1..).zip(wrapper.lines()) {
        match line.split_once("assert (") {
            Some((before, _)) if asserts.iter().any(|p| p.line == number) && !kept(number) => {
                text.push_str(before);
                text.push_str(";\n");
            }
            _ => {
                any |= kept(number);
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    any.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prove::PROOFS;

    #[test]
    fn the_comment_above_is_the_text() {
        let text = "// not it\n\n// two\n  // lines\nalways @* if (x) assert (y);\n// traffic\nassume (z);\n";
        let expected = [(Kind::Assert, 5, "two lines"), (Kind::Assume, 7, "traffic")];
        let expected = expected.map(|(kind, line, text)| Property { kind, line, text: text.into() });
        assert_eq!(properties(text), expected);
    }

    #[test]
    fn one_property_is_left_alone() {
        let text = "// a\nif (x) assert (y);\n// b assert (no)\nassert (z);\n";
        assert_eq!(alone(text, "b").as_deref(), Some("// a\nif (x) ;\n// b assert (no)\nassert (z);\n"));
        assert_eq!(alone(text, "c"), None);
    }

    #[test]
    fn every_property_has_a_text() {
        for proof in PROOFS {
            let all = properties(proof.wrapper);
            let code: String = proof.wrapper.lines().filter(|l| !l.trim_start().starts_with("//")).collect();
            for (kind, word) in [(Kind::Assert, "assert"), (Kind::Assume, "assume")] {
                let of_kind = all.iter().filter(|p| p.kind == kind).count();
                assert_eq!(of_kind, code.matches(word).count(), "{}: {kind:?}", proof.name);
            }
            assert!(all.iter().any(|p| p.kind == Kind::Assert), "{}: nothing is proved", proof.name);
            assert!(all.iter().all(|p| p.text.ends_with('.')), "{}: {all:?}", proof.name);
        }
    }
}
