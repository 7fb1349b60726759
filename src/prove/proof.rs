//! A proof of a module: wrapper, sizes, and defects that it must reject.

/// Module and its properties to be proved.
#[derive(Debug)]
pub struct Proof {
    /// Name on the command line.
    pub name: &'static str,
    /// Subject, in a line.
    pub about: &'static str,
    /// Name of the wrapper's module, which stands in the file of this name with `.v`.
    pub top: &'static str,
    /// The wrapper's text; modules that it instantiates come from [`crate::emit::LIBRARY`].
    pub wrapper: &'static str,
    /// Modules that are no part of the hardware: file and text.
    pub beside: &'static [(&'static str, &'static str)],
    /// The most cycles that the step may assume, and in which a run from the start is sought if it fails: more than the
    /// memory of the module.
    pub depth: u32,
    /// True if clocks are inputs like others, which may rise in any step of the solver; else a step is a cycle of the one clock.
    pub several_clocks: bool,
    /// The sizes.
    pub cases: &'static [Case],
    /// Defects that it must reject.
    pub mutants: &'static [Mutant],
}

/// One size of a proof.
#[derive(Debug)]
pub struct Case {
    /// Name on the command line, after the proof's and a slash.
    pub name: &'static str,
    /// The wrapper's parameters; others keep their defaults.
    pub parameters: &'static [(&'static str, u32)],
}

/// A defect of the hardware: a text that is replaced in one of its files. The assertion that it breaks must reject it
/// alone, so that none of them is idle.
#[derive(Debug)]
pub struct Mutant {
    /// Name of the defect.
    pub name: &'static str,
    /// Defect, in a line.
    pub about: &'static str,
    /// Beginning of the text of the assertion that must reject it.
    pub breaks: &'static str,
    /// Name of the case in which it must be noticed.
    pub case: &'static str,
    /// The file, which holds `old` exactly once.
    pub file: &'static str,
    /// The text that goes.
    pub old: &'static str,
    /// The text that comes.
    pub new: &'static str,
}
