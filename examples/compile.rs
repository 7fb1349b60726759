//! metronoc as a library: a specification is compiled, its schedule simulated on data, its Verilog counted.
//!
//! `cargo run --release --example compile [SPEC]`

use std::path::Path;
use std::process::ExitCode;

/// Compiles the specification that is named, or that of D3(2,3).
pub fn main() -> ExitCode {
    let spec = std::env::args().nth(1);
    match run(Path::new(spec.as_deref().unwrap_or("examples/d3-2-3.toml"))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            error.into_diagnostics().iter().for_each(|diagnostic| eprintln!("{}", diagnostic.render(false)));
            ExitCode::FAILURE
        }
    }
}

/// Compiles, simulates, and writes nothing but what it prints.
pub fn run(spec: &Path) -> Result<(), metronoc::Error> {
    let compiled = metronoc::compile(spec)?;
    print!("{}", compiled.verdict());
    let words = compiled.random_words(1);
    assert_eq!(compiled.simulate(&words)?, compiled.expected(&words));
    let verilog = compiled.verilog()?;
    let lines: usize = verilog.files().map(|(_, text)| text.lines().count()).sum();
    println!("{} words arrive; {lines} lines in {} files", words.len(), verilog.files().count());
    Ok(())
}
