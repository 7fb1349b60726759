//! A library that was built, loaded.

use super::CosimError;
use camino::{Utf8Path, Utf8PathBuf};
use libloading::Library;
use std::ffi::{CStr, c_char};

/// Loaded library; the values that its functions return are dropped before it.
pub(super) struct Loaded {
    library: Library,
    path: Utf8PathBuf,
}

impl Loaded {
    /// Loads a library that was built from a shim of ours.
    ///
    /// # Errors
    /// [`CosimError::Library`] if it does not load.
    pub fn new(path: &Utf8Path) -> Result<Self, CosimError> {
        // SAFETY: the library was built from our shim; it has no constructors but Verilator's, which only set up tables.
        let library = unsafe { Library::new(path.as_std_path()) };
        let library = library.map_err(|error| failed(path, error.to_string()))?;
        Ok(Self { library, path: path.to_owned() })
    }

    /// A function of the shim.
    ///
    /// # Errors
    /// [`CosimError::Library`] if there is none of this name.
    ///
    /// # Safety
    /// `F` is the type with which the shim declares the function, and the copy is not called once the library is dropped.
    pub unsafe fn function<F: Copy>(&self, name: &str) -> Result<F, CosimError> {
        // SAFETY: as the caller promises.
        let function = unsafe { self.library.get::<F>(name) };
        function.map(|function| *function).map_err(|error| failed(&self.path, error.to_string()))
    }

    /// The error of a simulation that has ended itself in this thread, in a cycle.
    pub fn stopped(&self, cycle: u64) -> CosimError {
        match self.reason() {
            Ok(reason) => CosimError::Stopped { cycle, reason },
            Err(error) => error,
        }
    }

    /// Error of [`Self::stopped`], or None if no simulation has ended itself.
    pub fn has_stopped(&self, cycle: u64) -> Option<CosimError> {
        self.reason().map_or(true, |reason| !reason.is_empty()).then(|| self.stopped(cycle))
    }

    fn reason(&self) -> Result<String, CosimError> {
        // SAFETY: all shims declare the function so; the text lives as long as the library and this thread.
        unsafe {
            let reason = self.function::<unsafe extern "C" fn() -> *const c_char>("mn_stopped")?;
            Ok(CStr::from_ptr(reason()).to_string_lossy().into_owned())
        }
    }

    /// Makes sure that the observation block has the network's size.
    ///
    /// # Errors
    /// [`CosimError::Library`] if it has another.
    pub fn has_words(&self, expected: usize) -> Result<(), CosimError> {
        // SAFETY: all shims that are asked declare the function so; it takes no arguments and gives a constant.
        let words = unsafe { self.function::<unsafe extern "C" fn() -> u64>("mn_block_words")?() } as usize;
        match words == expected {
            true => Ok(()),
            false => Err(failed(&self.path, format!("its observation block has {words} words, not {expected}"))),
        }
    }
}

fn failed(path: &Utf8Path, reason: String) -> CosimError {
    CosimError::Library { path: path.to_owned(), reason }
}
