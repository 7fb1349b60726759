//! The record of single files: in the cache, a line a file that metronoc made, the SHA-256 of its path and contents.

use crate::hash::hex;
use crate::tool::{Settings, lock};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// Bytes of the record above which the older half of it is forgotten.
const LIMIT: usize = 1 << 20;

/// True if metronoc wrote the file, and it was not changed since.
pub(super) fn has(path: &Path) -> bool {
    let known = || -> io::Result<bool> {
        let (line, (_, text)) = (line(path)?, open()?);
        Ok(text.lines().any(|known| known == line))
    };
    known().unwrap_or_else(|error| {
        tracing::debug!("`{}` is not known: {error}", path.display());
        false
    })
}

/// Takes a file down that metronoc has made. One that is not in the record is not overwritten later, which does no harm.
pub(super) fn add(path: &Path) {
    let added = || -> io::Result<()> {
        let (line, (mut file, text)) = (line(path)?, open()?);
        if text.lines().any(|known| known == line) {
            return Ok(());
        }
        if text.len() > LIMIT {
            let lines: Vec<&str> = text.lines().collect();
            file.set_len(0)?;
            file.rewind()?;
            file.write_all((lines[lines.len() / 2..].join("\n") + "\n").as_bytes())?;
        }
        file.write_all((line + "\n").as_bytes())
    };
    if let Err(error) = added() {
        tracing::debug!("`{}` is not taken down as made: {error}", path.display());
    }
}

/// The record, locked and read to its end.
fn open() -> io::Result<(File, String)> {
    let cache = Settings::from_env().map_err(io::Error::other)?.cache;
    fs::create_dir_all(&cache)?;
    let mut file = lock::open(&cache.join("outputs"))?;
    file.lock()?;
    let mut text = String::new();
    file.read_to_string(&mut text)?;
    Ok((file, text))
}

/// The line of a file.
fn line(path: &Path) -> io::Result<String> {
    let (place, contents) = (fs::canonicalize(path)?, sha256(path)?);
    let mut hash = Sha256::new();
    hash.update(place.as_os_str().as_encoded_bytes());
    hash.update([0]);
    hash.update(contents);
    Ok(hex(&hash.finalize()))
}

/// SHA-256 of a file's contents, in hexadecimal.
pub(super) fn sha256(path: &Path) -> io::Result<String> {
    let (mut hash, mut file, mut buffer) = (Sha256::new(), File::open(path)?, vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}
