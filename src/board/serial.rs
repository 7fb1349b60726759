//! The serial line to a board.

use serialport::{ErrorKind, SerialPort};
use std::io::{self, Read, Write};
use std::time::Duration;

/// Error of a serial line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SerialError {
    /// The port could not be opened.
    #[error("cannot open the port `{port}`: {reason}")]
    Open {
        /// Name of the port.
        port: String,
        /// Error of the system.
        reason: String,
        /// Remedy, in a sentence.
        help: &'static str,
    },
    /// The board did not answer, or not all.
    #[error("the board at `{port}` sent {got} of {wanted} bytes and then nothing for {seconds} s")]
    Silent {
        /// Name of the port.
        port: String,
        /// Bytes that came.
        got: usize,
        /// Bytes that should have come.
        wanted: usize,
        /// Seconds without a further byte.
        seconds: f64,
    },
    /// The line broke down.
    #[error("the port `{port}` failed: {source}")]
    Line {
        /// Name of the port.
        port: String,
        /// Error of the system.
        source: io::Error,
    },
}

impl SerialError {
    /// Remedy, in a sentence.
    pub fn help(&self) -> &'static str {
        match self {
            SerialError::Open { help, .. } => help,
            SerialError::Silent { .. } => {
                "check the port and the baud rate, and that the board was loaded with `metronoc synth --top host` of this specification"
            }
            SerialError::Line { .. } => "check the cable",
        }
    }
}

/// Serial line to a board, or to the simulation of one.
pub trait Serial {
    /// Sends bytes.
    ///
    /// # Errors
    /// If the line breaks down.
    fn send(&mut self, bytes: &[u8]) -> Result<(), SerialError>;

    /// Receives `count` bytes.
    ///
    /// # Errors
    /// If they do not come in time, or the line breaks down.
    fn receive(&mut self, count: usize) -> Result<Vec<u8>, SerialError>;

    /// Discards bytes that came and were not read.
    ///
    /// # Errors
    /// If the line breaks down.
    fn forget(&mut self) -> Result<(), SerialError>;

    /// Waits, for a time of the board.
    fn wait(&mut self, time: Duration);
}

/// An open serial line: 8 data bits, no parity, 1 stop bit, no flow control.
pub struct Line {
    name: String,
    port: Box<dyn SerialPort>,
    timeout: Duration,
}

impl Line {
    /// Opens a port at `baud` bits a second; an answer must follow within `timeout` of the byte before it.
    ///
    /// # Errors
    /// [`SerialError::Open`] with what to do, by its cause.
    pub fn open(name: &str, baud: u32, timeout: Duration) -> Result<Self, SerialError> {
        let open = |reason: String, help| SerialError::Open { port: name.to_owned(), reason, help };
        let port = serialport::new(name, baud).timeout(timeout).open().map_err(|error| {
            let help = match error.kind() {
                ErrorKind::Io(io::ErrorKind::PermissionDenied) => {
                    "join the group that owns the device (often `dialout` or `uucp`), log in anew, and try again"
                }
                ErrorKind::NoDevice | ErrorKind::Io(io::ErrorKind::NotFound) => {
                    "plug the board in and look for its device, on Linux as /dev/ttyUSB0 or /dev/ttyACM0"
                }
                ErrorKind::InvalidInput => "the system does not know this port or baud rate",
                _ => "close other programs that use the port",
            };
            open(error.to_string(), help)
        })?;
        Ok(Self { name: name.to_owned(), port, timeout })
    }
}

impl Serial for Line {
    fn send(&mut self, bytes: &[u8]) -> Result<(), SerialError> {
        let sent = self.port.write_all(bytes).and_then(|()| self.port.flush());
        sent.map_err(|source| SerialError::Line { port: self.name.clone(), source })
    }

    fn receive(&mut self, count: usize) -> Result<Vec<u8>, SerialError> {
        let mut bytes = vec![0; count];
        let mut got = 0;
        while got < count {
            match self.port.read(&mut bytes[got..]) {
                Ok(n) if n > 0 => got += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() != io::ErrorKind::TimedOut => {
                    return Err(SerialError::Line { port: self.name.clone(), source: error });
                }
                _ => {
                    let seconds = self.timeout.as_secs_f64();
                    return Err(SerialError::Silent { port: self.name.clone(), got, wanted: count, seconds });
                }
            }
        }
        Ok(bytes)
    }

    fn forget(&mut self) -> Result<(), SerialError> {
        let cleared = self.port.clear(serialport::ClearBuffer::Input);
        cleared.map_err(|error| SerialError::Line { port: self.name.clone(), source: error.into() })
    }

    fn wait(&mut self, time: Duration) {
        std::thread::sleep(time);
    }
}
