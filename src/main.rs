//! The metronoc command line.

fn main() {}
