//! The metronoc command line.

fn main() -> std::process::ExitCode {
    metronoc::cli::main()
}
