//! Sweeps: many specifications made from a few, each run once, their results side by side.
//!
//! A [`Sweep`] is a file that names base specifications, parameters with the values to take, boards and seeds. Every combination is a
//! [`Point`], known by the hash of all that its result depends on. A [`Folder`] keeps what is to be run and the [`Outcome`] of what was;
//! [`table`] puts the outcomes into CSV, and [`pareto`] finds those that no other one beats.

mod file;
mod folder;
mod outcome;
pub mod pareto;
mod point;
pub mod table;
mod value;

pub use file::{Action, Base, Block, MOST_POINTS, Parameter, Sweep};
pub use folder::{Folder, FolderError, SNAKEFILE};
pub use outcome::{Figures, Outcome};
pub use point::{Point, points};
