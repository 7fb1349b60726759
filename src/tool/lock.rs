//! Lock files, so that one process at a time uses an entry of the cache.

use camino::Utf8Path;
use std::fs::{File, TryLockError};
use std::io;

/// Opens a file for being locked; makes it if there is none.
///
/// # Errors
/// If it cannot be written.
pub fn open(path: &Utf8Path) -> io::Result<File> {
    File::options().create(true).truncate(false).read(true).write(true).open(path)
}

/// Locks a file for this process alone; false if another has it.
///
/// # Errors
/// If the file cannot be locked by anyone.
pub fn has_locked(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
