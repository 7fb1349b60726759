//! Files that a user names: how they are opened, how much of them is read, how they are quoted in messages, and places in them.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

/// Time for which a pipe may lack a writer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Most characters of a user's text in a message.
const QUOTED: usize = 40;

/// Path that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

#[cfg(unix)]
fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// Opens a file; `-` is standard input. Pipes are files, too, for example `<(command)` in a shell. A named pipe that no process opens for
/// writing within 5 seconds is an error.
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] for such a pipe, and what the system says.
pub fn open(path: &Path) -> io::Result<File> {
    if path == Path::new(STANDARD_INPUT) {
        return standard_input();
    }
    if std::fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    // The system lets the reader of a pipe wait until there is a writer, so the wait is another thread's. A thread that waits in vain
    // ends with the process.
    let (sender, receiver) = mpsc::channel();
    let path = path.to_owned();
    std::thread::spawn(move || sender.send(File::open(path)));
    receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        let message = format!("it is a pipe, and no process wrote to it within {} seconds", PATIENCE.as_secs());
        Err(io::Error::new(io::ErrorKind::TimedOut, message))
    })
}

/// Complete contents of a file of at most `most` bytes. No more is read, even of an endless file.
///
/// # Errors
/// [`io::ErrorKind::FileTooLarge`] beyond the limit, and as [`open`].
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_open(open(path)?, most)
}

/// Remaining bytes of a file, at most `most` of them.
///
/// # Errors
/// As [`read`].
pub fn read_open(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 <= most {
        true => Ok(bytes),
        false => {
            let message = format!("it is longer than {} MiB, the most that is read of such a file", most >> 20);
            Err(io::Error::new(io::ErrorKind::FileTooLarge, message))
        }
    }
}

/// The text of a file without its byte order mark, or the first line, from 1, with a byte that is not UTF-8.
///
/// # Errors
/// The number of the line.
pub fn text(bytes: Vec<u8>) -> Result<String, usize> {
    match String::from_utf8(bytes) {
        Ok(mut text) => {
            if text.starts_with('\u{feff}') {
                text.drain(..'\u{feff}'.len_utf8());
            }
            Ok(text)
        }
        Err(error) => {
            let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            Err(good.iter().filter(|&&b| b == b'\n').count() + 1)
        }
    }
}

/// The first 40 characters of a user's text for a message, control characters escaped; `…` stands for the rest.
pub fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    for (at, c) in text.chars().enumerate() {
        match c {
            _ if at == QUOTED => return shown + "…",
            c if c.is_control() => shown.extend(c.escape_default()),
            c => shown.push(c),
        }
    }
    shown
}

/// Bytes of a part of a text in it.
pub fn place_of(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// Bytes before a line of a text, which counts from 1.
fn before_line(text: &str, line: usize) -> usize {
    text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum()
}

/// Place of a column, in bytes, of a line; both count from 1. Within a character it is the character's beginning.
pub fn byte_place(text: &str, line: usize, column: usize) -> Range<usize> {
    let offset = (before_line(text, line) + column.saturating_sub(1)).min(text.len());
    let start = (0..=offset).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    start..start
}

/// Place of a column, in characters, of a line; both count from 1.
pub fn character_place(text: &str, line: usize, column: usize) -> Range<usize> {
    let line = before_line(text, line);
    let start = line + text[line..].chars().take(column.saturating_sub(1)).map(char::len_utf8).sum::<usize>();
    start..start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_files_are_read_to_the_limit() {
        let error = read(Path::new("/dev/zero"), 1 << 20).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::FileTooLarge);
        assert!(error.to_string().contains("longer than 1 MiB"), "{error}");
    }

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(excerpt("a\u{1b}[2Jß"), "a\\u{1b}[2Jß");
        assert_eq!(excerpt(&"x".repeat(40)), "x".repeat(40));
        assert_eq!(excerpt(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
    }

    #[test]
    fn byte_order_marks_are_skipped() {
        assert_eq!(text(b"\xef\xbb\xbfk = 1".to_vec()), Ok("k = 1".to_owned()));
        assert_eq!(text(b"a\nb\xff\n".to_vec()), Err(2));
    }

    #[test]
    fn places_are_counted_in_bytes_or_characters() {
        let text = "ab\nüx\ny";
        assert_eq!(place_of(text, &text[5..6]), 5..6);
        assert_eq!([byte_place(text, 2, 1), byte_place(text, 2, 2), byte_place(text, 2, 3)], [3..3, 3..3, 5..5]);
        assert_eq!([character_place(text, 2, 1), character_place(text, 2, 2)], [3..3, 5..5]);
        assert_eq!([byte_place(text, 9, 9), character_place(text, 9, 9)], [8..8, 8..8]);
    }
}
