//! Serial line of a board that is simulated for all data, and the same exchange for data of choice.

use super::ice40::Netlist;
use super::symbolic::{Holder, RamBit, Simulation, Sums, Value};
use crate::board::frame::{data_of, starts};
use crate::board::serial::{Serial, SerialError};
use crate::board::{Board, Level};
use std::io;
use std::time::Duration;

/// Name of the line in messages.
const LINE: &str = "the board, for all data";
const RX: &str = "uart_rx_i";
const TX: &str = "uart_tx_o";

/// First number of the data bits that stand for places ([`Simulation::relabel`]).
const PLACES: u32 = 1 << 30;

/// Board at the end of a serial line on which every data bit stands for both values.
#[derive(Debug, Clone)]
pub struct SymbolicBoard {
    /// The device.
    pub simulation: Simulation,
    /// Bits of the data that were sent so far.
    pub data: Vec<bool>,
    /// Bytes that were received, bit 0 first.
    pub received: Vec<[Value; 8]>,
    /// Number of received bytes that were handed on.
    taken: usize,
    /// Clock cycles a bit.
    bit: f64,
    /// Bit of the byte that comes, start bit 0, and the cycle of its middle.
    coming: Option<(usize, f64)>,
    byte: [Value; 8],
    patience: u64,
    mhz: f64,
    /// State before the first collective starts.
    loaded: Option<Box<Self>>,
    /// Places of the data after the first collective, if they are asked for.
    places: Option<Vec<Holder>>,
}

impl SymbolicBoard {
    /// Board that has just been configured; an answer must follow within `patience` cycles of the byte before it.
    pub fn new(netlist: Netlist, board: &Board, patience: u64) -> Self {
        let mut simulation = Simulation::new(netlist);
        simulation.set_pin("button_i", (board.button.active == Level::Low).into());
        simulation.set_pin(RX, Value::ONE);
        Self {
            simulation,
            data: Vec::new(),
            received: Vec::new(),
            taken: 0,
            bit: board.clock.mhz * 1e6 / f64::from(board.uart.baud),
            coming: None,
            byte: [Value::ZERO; 8],
            patience,
            mhz: board.clock.mhz,
            loaded: None,
            places: None,
        }
    }

    /// The board before its first collective, with a bit of its block RAMs flipped.
    pub fn with_flipped(&self, bit: RamBit) -> Option<Flipped<'_>> {
        let mut board = self.loaded.clone()?;
        board.simulation.flip(bit);
        Some(Flipped { resumed: Resumed { board: *board, started: false }, whole: self, difference: None })
    }

    /// The board before its first collective; when that has ended, what is sent out stands for the places of the data.
    pub fn with_places(&self) -> Option<Resumed> {
        let mut board = self.loaded.clone()?;
        board.places = Some(Vec::new());
        Some(Resumed { board: *board, started: false })
    }

    /// The place in which a received bit was after the first collective.
    pub fn place(&self, received: Value) -> Option<Holder> {
        let number = self.simulation.sums.single(received)?.checked_sub(PLACES)?;
        self.places.as_ref()?.get(number as usize).copied()
    }

    /// A cycle of the device, and what comes on the line.
    fn clock(&mut self) -> Result<(), SerialError> {
        self.simulation.clock();
        let (line, cycle) = (self.simulation.pin(TX), self.simulation.cycle() as f64);
        let control = |line: Value| {
            let message = || io::Error::other(format!("in cycle {cycle} the data decide whether a byte is sent"));
            line.constant().ok_or_else(|| SerialError::Line { port: LINE.to_owned(), source: message() })
        };
        match self.coming {
            None if !control(line)? => self.coming = Some((0, cycle + self.bit / 2.0)),
            Some((bit, middle)) if cycle >= middle => {
                self.coming = Some((bit + 1, middle + self.bit));
                match bit {
                    1..=8 => self.byte[bit - 1] = line,
                    9 => {
                        self.coming = None;
                        if control(line)? {
                            self.received.push(self.byte);
                        }
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        Ok(())
    }
}

impl Serial for SymbolicBoard {
    fn send(&mut self, bytes: &[u8]) -> Result<(), SerialError> {
        let data = data_of(bytes);
        if starts(bytes) && self.loaded.is_none() {
            self.simulation.watch();
            self.loaded = Some(Box::new(self.clone()));
        }
        for (at, byte) in bytes.iter().enumerate() {
            // a drain of as many bytes follows a start, and the collective takes less time than a byte
            if starts(bytes) && at == bytes.len() / 2 + 1 && self.places.as_ref().is_some_and(Vec::is_empty) {
                self.places = Some(self.simulation.relabel(PLACES));
            }
            let begin = self.simulation.cycle() as f64;
            for place in 0..10 {
                let level = match place {
                    0 => Value::ZERO,
                    9 => Value::ONE,
                    _ => {
                        let bit = byte >> (place - 1) & 1 == 1;
                        if data.contains(&at) {
                            self.data.push(bit);
                            self.simulation.sums.bit(self.data.len() as u32 - 1)
                        } else {
                            bit.into()
                        }
                    }
                };
                self.simulation.set_pin(RX, level);
                while (self.simulation.cycle() as f64) < begin + self.bit * f64::from(place + 1) {
                    self.clock()?;
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, count: usize) -> Result<Vec<u8>, SerialError> {
        let first = self.taken;
        while self.received.len() < first + count {
            let (got, last) = (self.received.len(), self.simulation.cycle());
            while self.received.len() == got {
                if self.simulation.cycle() - last >= self.patience {
                    let seconds = self.patience as f64 / (self.mhz * 1e6);
                    return Err(SerialError::Silent {
                        port: LINE.to_owned(),
                        got: got - first,
                        wanted: count,
                        seconds,
                    });
                }
                self.clock()?;
            }
        }
        self.taken = first + count;
        Ok(bytes(&self.received[first..self.taken], &self.simulation.sums, &self.data))
    }

    fn forget(&mut self) -> Result<(), SerialError> {
        self.received.clear();
        self.taken = 0;
        Ok(())
    }

    fn wait(&mut self, time: Duration) {
        for _ in 0..(time.as_secs_f64() * self.mhz * 1e6) as u64 {
            // a byte that cannot be told is told again by the next
            let _ = self.clock();
        }
    }
}

/// A board that goes on from the state before its first collective: what was sent and received before is left out.
#[derive(Debug)]
pub struct Resumed {
    /// The board.
    pub board: SymbolicBoard,
    started: bool,
}

impl Serial for Resumed {
    fn send(&mut self, bytes: &[u8]) -> Result<(), SerialError> {
        self.started |= starts(bytes);
        if self.started { self.board.send(bytes) } else { Ok(()) }
    }

    fn receive(&mut self, count: usize) -> Result<Vec<u8>, SerialError> {
        self.board.receive(count)
    }

    fn forget(&mut self) -> Result<(), SerialError> {
        Ok(())
    }

    fn wait(&mut self, _time: Duration) {}
}

/// First difference of what a flipped board sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Other data, or data in other places.
    Data,
    /// A frame or a status.
    Report,
}

/// A board with a flipped bit, up to the first byte that another sends.
#[derive(Debug)]
pub struct Flipped<'a> {
    resumed: Resumed,
    whole: &'a SymbolicBoard,
    /// Kind of the first byte that differs; none if no byte does.
    pub difference: Option<Difference>,
}

impl Serial for Flipped<'_> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), SerialError> {
        self.resumed.send(bytes)
    }

    fn receive(&mut self, count: usize) -> Result<Vec<u8>, SerialError> {
        let mut bytes = Vec::with_capacity(count);
        for _ in 0..count {
            bytes.extend(self.resumed.receive(1)?);
            let board = &self.resumed.board;
            let at = board.taken - 1;
            let Some(due) = self.whole.received.get(at) else { continue };
            let same = |(&a, &b): (&Value, &Value)| {
                let (a, b) = (self.whole.simulation.sums.sum(a), board.simulation.sums.sum(b));
                a.is_some() && a == b
            };
            if let Some((a, b)) = due.iter().zip(&board.received[at]).find(|&pair| !same(pair)) {
                let data = [a, b].iter().any(|value| value.constant().is_none());
                self.difference = Some(if data { Difference::Data } else { Difference::Report });
                let source = io::Error::other("another byte came");
                return Err(SerialError::Line { port: LINE.to_owned(), source });
            }
        }
        Ok(bytes)
    }

    fn forget(&mut self) -> Result<(), SerialError> {
        Ok(())
    }

    fn wait(&mut self, _time: Duration) {}
}

/// Bytes for given data; a bit that is unknown is 0.
fn bytes(received: &[[Value; 8]], sums: &Sums, data: &[bool]) -> Vec<u8> {
    let bit = |value: Value| sums.under(value, data).unwrap_or(false);
    let byte = |values: &[Value; 8]| values.iter().rev().fold(0, |byte, &value| byte << 1 | u8::from(bit(value)));
    received.iter().map(byte).collect()
}

/// The exchange that a board had for all data, with data of choice.
#[derive(Debug)]
pub struct Replay<'a> {
    received: &'a [[Value; 8]],
    sums: &'a Sums,
    /// Bits of the data that were sent.
    pub data: Vec<bool>,
}

impl<'a> Replay<'a> {
    /// From the first byte.
    pub fn new(board: &'a SymbolicBoard) -> Self {
        Self { received: &board.received, sums: &board.simulation.sums, data: Vec::new() }
    }
}

impl Serial for Replay<'_> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), SerialError> {
        let data = bytes[data_of(bytes)].iter();
        self.data.extend(data.flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 == 1)));
        Ok(())
    }

    fn receive(&mut self, count: usize) -> Result<Vec<u8>, SerialError> {
        let Some((now, rest)) = self.received.split_at_checked(count) else {
            let got = self.received.len();
            return Err(SerialError::Silent { port: LINE.to_owned(), got, wanted: count, seconds: 0.0 });
        };
        self.received = rest;
        Ok(bytes(now, self.sums, &self.data))
    }

    fn forget(&mut self) -> Result<(), SerialError> {
        Ok(())
    }

    fn wait(&mut self, _time: Duration) {}
}
