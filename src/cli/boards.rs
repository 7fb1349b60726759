//! `metronoc boards`: the boards that bitstreams can be made for.

use super::{CliError, Context, Exit};
use crate::board::{Board, BoardError};
use serde::Serialize;
use std::fmt::Write;

/// List the boards
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Name of one board, or a folder with a board.toml; all built-in boards if left out
    #[arg(long, value_name = "NAME|FOLDER")]
    board: Option<String>,
}

#[derive(Serialize)]
struct Output {
    boards: Vec<Board>,
}

impl From<BoardError> for CliError {
    fn from(error: BoardError) -> Self {
        let exit = match &error {
            BoardError::Unknown { .. } => Exit::Usage,
            BoardError::Read { .. } => Exit::Io,
            _ => Exit::BadSpec,
        };
        CliError::failed(exit, error.to_string(), error.help())
    }
}

pub fn run(args: &Args, context: &Context) -> Result<(), CliError> {
    let boards = match &args.board {
        Some(name) => vec![Board::find(name)?],
        None => Board::built_in()?,
    };
    if context.json {
        return context.print_json(&Output { boards });
    }
    let mut text =
        format!("{:<13} {:<20} {:<27} {:>9}  {:>6} {:>10}\n", "name", "board", "device", "clock", "LUTs", "block RAMs");
    for board in boards {
        let device = format!("{}-{}", board.family, board.device);
        let clock = format!("{} MHz", board.clock.mhz);
        let has = board.capacity;
        let _ = writeln!(
            text,
            "{:<13} {:<20} {device:<27} {clock:>9}  {:>6} {:>10}",
            board.name, board.title, has.luts, has.block_rams
        ); // a String takes everything
    }
    context.print(text)
}
