//! Errors that show the line of the specification they are about.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// A named text, shared by everything that points into it.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub name: Arc<str>,
    pub text: Arc<str>,
}

/// Error: a message, the places in the specification, and the help.
#[derive(Debug, Clone)]
pub struct Diagnostic {
    source: Source,
    message: String,
    /// The place at fault first, then places that explain it, each with a label that may be empty.
    places: Vec<(Range<usize>, String)>,
    notes: Vec<String>,
    help: Option<String>,
}

/// Most errors of a text that are shown.
const SHOWN: usize = 100;

/// Most bytes of the lines that a diagnostic shows.
const MAX_LINES: usize = 1 << 16;

/// The errors of a text: the first 100 that were found, and how many there are.
#[derive(Default)]
pub(super) struct Errors {
    shown: Vec<Diagnostic>,
    found: usize,
}

impl Errors {
    pub fn push(&mut self, error: Diagnostic) {
        self.found += 1;
        if !self.is_full() {
            self.shown.push(error);
        }
    }

    /// Counts an error if it would not be shown; false if it would be.
    pub fn skip(&mut self) -> bool {
        let full = self.is_full();
        if full {
            self.found += 1;
        }
        full
    }

    fn is_full(&self) -> bool {
        self.shown.len() >= SHOWN
    }

    pub fn is_empty(&self) -> bool {
        self.found == 0
    }

    /// True if a place is the one at fault in an error.
    pub fn at(&self, place: &Range<usize>) -> bool {
        self.shown.iter().any(|error| error.start() == place.start)
    }

    /// Errors in the order of the text; the last one has the number of further errors.
    pub fn into_diagnostics(self) -> Vec<Diagnostic> {
        let Self { mut shown, found } = self;
        shown.sort_by_key(Diagnostic::start);
        let more = found - shown.len();
        if let (1.., Some(first)) = (more, shown.first()) {
            let message = format!("{more} more error{}", if more == 1 { "" } else { "s" });
            let source = first.source.clone();
            shown.push(Diagnostic::new(&source, message).help("correct the errors above and try again"));
        }
        shown
    }
}

/// Diagnostic as JSON: place, message and help.
#[derive(Debug, Clone, Serialize)]
pub struct DiagnosticJson {
    /// The specification; absent where the error is not about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Line from 1; absent where the error is about the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<usize>,
    /// Description of the error.
    pub message: String,
    /// Correction that the user can make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

impl Diagnostic {
    pub(super) fn new(source: &Source, message: impl Into<String>) -> Self {
        Self { source: source.clone(), message: message.into(), places: Vec::new(), notes: Vec::new(), help: None }
    }

    /// An error that is about no specification.
    pub fn bare(message: impl Into<String>) -> Self {
        Self::new(&Source { name: Arc::from(""), text: Arc::from("") }, message)
    }

    /// An error in another file of the user's, by its name, its text, and the bytes at fault.
    pub fn in_file(name: &str, text: &str, place: Range<usize>, message: impl Into<String>) -> Self {
        Self::new(&Source { name: name.into(), text: text.into() }, message).at(place, "")
    }

    /// Adds a place; the first one added is the one at fault.
    pub(super) fn at(mut self, place: Range<usize>, label: impl Into<String>) -> Self {
        self.places.push((place, label.into()));
        self
    }

    /// Adds a remark.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// Sets the help.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Description of the error, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Line and column in characters of the place at fault, from 1.
    pub fn line_column(&self) -> Option<(usize, usize)> {
        let (place, _) = self.places.first()?;
        let before = self.source.text.get(..place.start)?;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Some((before.matches('\n').count() + 1, before[line_start..].chars().count() + 1))
    }

    /// The order of the text: where the place at fault starts.
    fn start(&self) -> usize {
        self.places.first().map_or(0, |(place, _)| place.start)
    }

    /// The diagnostic for programs.
    pub fn to_json(&self) -> DiagnosticJson {
        let (line, column) = self.line_column().unzip();
        DiagnosticJson {
            file: Some(self.source.name.to_string()).filter(|name| !name.is_empty()),
            line,
            column,
            message: self.message.clone(),
            help: self.help.clone(),
        }
    }

    /// The diagnostic for people, in the style of rustc; `color` adds terminal colours.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
        let title = Group::with_title(Level::ERROR.primary_title(&self.message));
        let notes = self.notes.iter().map(|note| (Level::NOTE, note));
        let remarks = notes.chain(self.help.iter().map(|help| (Level::HELP, help)));
        let Some(lines) = self.lines() else {
            let place = self.line_column().map(|(line, column)| format!("at {}:{line}:{column}", self.source.name));
            let place = place.iter().map(|place| (Level::NOTE, place));
            let remarks = place.chain(remarks).map(|(level, text)| Group::with_title(level.primary_title(text)));
            let lines = [title].into_iter().chain(remarks).map(|group| renderer.render(&[group]));
            return lines.collect::<Vec<_>>().join("\n");
        };
        let first = self.source.text[..lines.start].matches('\n').count() + 1;
        let text = &self.source.text[lines.clone()];
        let mut snippet = Snippet::source(text).path(&*self.source.name).line_start(first);
        for (i, (place, label)) in self.places.iter().enumerate() {
            let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let mark = kind.span(place.start - lines.start..place.end - lines.start);
            snippet = snippet.annotation(if label.is_empty() { mark } else { mark.label(label.as_str()) });
        }
        let remarks = remarks.map(|(level, text)| level.message(text));
        renderer.render(&[title.element(snippet).elements(remarks)])
    }

    /// The whole lines that have all places; None without a place, or if the lines are too long to be shown.
    fn lines(&self) -> Option<Range<usize>> {
        let text = &self.source.text;
        let start = self.places.iter().map(|(place, _)| place.start).min()?;
        let end = self.places.iter().map(|(place, _)| place.end).max()?;
        let start = text.get(..start)?.rfind('\n').map_or(0, |at| at + 1);
        let end = text.get(end..)?.find('\n').map_or(text.len(), |at| end + at + 1);
        (end - start <= MAX_LINES).then_some(start..end)
    }
}
