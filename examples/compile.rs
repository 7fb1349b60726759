//! metronoc as a library: a specification is compiled, its schedule simulated on data, its Verilog written.
//!
//! `cargo run --release --example compile [SPEC]`

use std::path::Path;

/// Compiles, simulates, and writes nothing but what it prints.
pub fn main() {
    let spec = std::env::args().nth(1).filter(|name| name.ends_with(".toml"));
    if let Err(error) = run(Path::new(spec.as_deref().unwrap_or("examples/d3-2-3.toml"))) {
        error.into_diagnostics().iter().for_each(|diagnostic| eprintln!("{}", diagnostic.render(false)));
    }
}

fn run(spec: &Path) -> Result<(), metronoc::Error> {
    let compiled = metronoc::compile(spec)?;
    print!("{}", compiled.verdict());
    let words = compiled.random_words(1)?;
    assert_eq!(compiled.simulate(&words)?, compiled.expected(&words));
    let lines: usize = compiled.verilog()?.files().map(|(_, text)| text.lines().count()).sum();
    println!("{} words arrive; {lines} lines in {} files", words.len(), compiled.verilog()?.files().count());
    Ok(())
}
