//! Connections in a netlist of Yosys (`write_json`).

use super::WiringError;
use serde::Deserialize;
use serde::de::{Deserializer, Error, Unexpected, Visitor};
use std::collections::{BTreeMap, HashMap};
use std::fmt;

/// Netlist; parts that are not needed are skipped while reading.
#[derive(Debug, Deserialize)]
pub(super) struct Design {
    pub modules: BTreeMap<String, Module>,
}

/// A module: its ports and the instances in it.
#[derive(Debug, Deserialize)]
pub(super) struct Module {
    pub ports: BTreeMap<String, Port>,
    pub cells: BTreeMap<String, Cell>,
}

/// A port of a module.
#[derive(Debug, Deserialize)]
pub(super) struct Port {
    pub direction: Direction,
    pub bits: Vec<Bit>,
}

/// An instance.
#[derive(Debug, Deserialize)]
pub(super) struct Cell {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
    #[serde(default)]
    pub port_directions: BTreeMap<String, Direction>,
    pub connections: BTreeMap<String, Vec<Bit>>,
}

/// Direction of a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Direction {
    Input,
    Output,
    Inout,
}

/// One bit of a port: a net, a constant, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bit {
    Net(u32),
    Constant(bool),
    Open,
}

impl<'de> Deserialize<'de> for Bit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BitVisitor;

        impl Visitor<'_> for BitVisitor {
            type Value = Bit;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the number of a net, \"0\", \"1\", \"x\" or \"z\"")
            }

            fn visit_u64<E: Error>(self, net: u64) -> Result<Bit, E> {
                u32::try_from(net).map(Bit::Net).map_err(|_| E::invalid_value(Unexpected::Unsigned(net), &self))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Bit, E> {
                match text {
                    "0" => Ok(Bit::Constant(false)),
                    "1" => Ok(Bit::Constant(true)),
                    "x" | "z" => Ok(Bit::Open),
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_any(BitVisitor)
    }
}

/// The value of bits that are all constant, lowest first.
pub(super) fn constant(bits: &[Bit]) -> Option<u64> {
    let bit = |bit: &Bit| if let Bit::Constant(value) = bit { Some(u64::from(*value)) } else { None };
    bits.iter().rev().try_fold(0, |value, b| Some(value << 1 | bit(b)?))
}

/// Driver of a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// Bit `bit` of the pin with this number.
    Pin {
        pin: u32,
        bit: u32,
    },
    Constant(bool),
    Nothing,
}

/// Driving pin of each net of a module. Pins are the outputs of its instances and its own inputs.
pub(super) struct Drivers<'a> {
    /// Instance (empty for the module itself) and port of each pin.
    pins: Vec<(&'a str, &'a str)>,
    index: HashMap<(&'a str, &'a str), u32>,
    of_net: Vec<Source>,
}

impl<'a> Drivers<'a> {
    /// Lists the drivers of a module.
    ///
    /// # Errors
    /// If a net has two, if an output drives a constant, or if a port goes both ways.
    pub fn new(name: &str, module: &'a Module) -> Result<Self, WiringError> {
        let mut drivers = Self { pins: Vec::new(), index: HashMap::new(), of_net: Vec::new() };
        for (port, p) in module.ports.iter().filter(|(_, p)| p.direction != Direction::Output) {
            drivers.add(name, "", port, &p.bits)?;
        }
        for (instance, cell) in &module.cells {
            for (port, bits) in &cell.connections {
                if cell.port_directions.get(port) != Some(&Direction::Input) {
                    drivers.add(name, instance, port, bits)?;
                }
            }
        }
        Ok(drivers)
    }

    fn add(&mut self, module: &str, instance: &'a str, port: &'a str, bits: &[Bit]) -> Result<(), WiringError> {
        let pin = self.pins.len() as u32;
        self.pins.push((instance, port));
        self.index.insert((instance, port), pin);
        for (bit, net) in (0..).zip(bits) {
            let source = Source::Pin { pin, bit };
            let before = match *net {
                Bit::Net(net) => {
                    if self.of_net.len() <= net as usize {
                        self.of_net.resize(net as usize + 1, Source::Nothing);
                    }
                    std::mem::replace(&mut self.of_net[net as usize], source)
                }
                Bit::Constant(value) => Source::Constant(value),
                Bit::Open => continue,
            };
            if before != Source::Nothing {
                let (first, second) = (self.describe(before), self.describe(source));
                return Err(WiringError::TwoDrivers { module: module.to_owned(), first, second });
            }
        }
        Ok(())
    }

    /// Driver of a bit.
    pub fn source(&self, bit: Bit) -> Source {
        match bit {
            Bit::Net(net) => self.of_net.get(net as usize).copied().unwrap_or(Source::Nothing),
            Bit::Constant(value) => Source::Constant(value),
            Bit::Open => Source::Nothing,
        }
    }

    /// The number of a pin, if there is such a one.
    pub fn pin(&self, instance: &str, port: &str) -> Option<u32> {
        self.index.get(&(instance, port)).copied()
    }

    /// A driver in words.
    pub fn describe(&self, source: Source) -> String {
        match source {
            Source::Pin { pin, bit } => match self.pins[pin as usize] {
                ("", port) => format!("{port}[{bit}]"),
                (instance, port) => format!("{instance}.{port}[{bit}]"),
            },
            Source::Constant(value) => format!("constant {}", u8::from(value)),
            Source::Nothing => "nothing".into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_nets_constants_or_nothing() {
        let bits: Vec<Bit> = serde_json::from_str(r#"[7, "0", "1", "x", "z"]"#).expect("bits");
        assert_eq!(bits, [Bit::Net(7), Bit::Constant(false), Bit::Constant(true), Bit::Open, Bit::Open]);
        assert!(serde_json::from_str::<Bit>("\"2\"").is_err() && serde_json::from_str::<Bit>("-1").is_err());
        assert_eq!(constant(&bits[1..3]), Some(2));
        assert_eq!(constant(&bits), None);
    }

    #[test]
    fn a_net_has_one_driver() {
        let module = |other: u32| -> Module {
            let text = format!(
                r#"{{"ports": {{"a_i": {{"direction": "input", "bits": [2, 3]}}}}, "cells": {{"u": {{"type": "t",
                "port_directions": {{"q_o": "output", "d_i": "input"}}, "connections": {{"q_o": [{other}], "d_i": [2]}}}}}}}}"#
            );
            serde_json::from_str(&text).expect("a module")
        };
        let good = module(4);
        let drivers = Drivers::new("m", &good).expect("one driver each");
        assert_eq!(drivers.describe(drivers.source(Bit::Net(3))), "a_i[1]");
        assert_eq!(drivers.describe(drivers.source(Bit::Net(4))), "u.q_o[0]");
        assert_eq!(drivers.source(Bit::Net(9)), Source::Nothing);
        assert!(matches!(Drivers::new("m", &module(3)), Err(WiringError::TwoDrivers { .. })));
    }
}
