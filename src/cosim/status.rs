//! A tile's status, decoded.

use crate::lower::Registers;

/// The kinds of faults, in the order of the fault log.
const KINDS: [&str; 4] = ["conflict", "unexpected arrival", "missing arrival", "broken parity"];
/// The bit of the last tile's status that is the host's own.
pub(super) const ORDER_BIT: u32 = 61;
/// The first bit of the version of the program in use.
pub(super) const VERSION_BIT: u32 = 48;
/// The bit of a status that comes from a tile's own streams.
const STREAMS_BIT: u32 = 60;
/// The faults of these streams, from bit 32 on: those of `fault_N_o`, and what the results themselves show.
const STREAM_KINDS: [&str; 11] = [
    "TLAST before the last word",
    "a last word without TLAST, or a word too many",
    "a word with another TDEST",
    "a word of which some bytes do not count",
    "words that came too late for a start",
    "results that were not taken in time for a start",
    "a start while it was not ready",
    "a fault of its router or program",
    "a result with another TID",
    "a result with a wrong TLAST",
    "more results than asked for",
];
/// Kind of tiles that do not end together, or of answers that were not asked for.
pub(super) const BROKEN_ORDER: &str = "broken order";
/// Kind of a row, counter or memory that is not as it was made.
pub(super) const WRONG_ROW: &str =
    "a bit of a table, counter or memory that is wrong, or a table that was not found or is another network's";
/// The port number of a log without ports.
const NO_PORT: u64 = 127;

/// Fault that a tile reports.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Fault {
    /// The tile: `router (0,1,2)` or `processor 7`; `host` for the host itself.
    pub tile: String,
    /// Kind of fault, as text.
    pub kind: &'static str,
    /// First port at fault, if the log keeps ports and the kind has one.
    pub port: Option<String>,
    /// Cycle of the tile's first fault after the last start, modulo 2^16, if the log keeps cycles.
    pub cycle: Option<u64>,
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.tile, self.kind)?;
        if let Some(port) = &self.port {
            write!(f, " at {port}")?;
        }
        match self.cycle {
            Some(cycle) => write!(f, ", its first fault in cycle {cycle} after the start"),
            None => Ok(()),
        }
    }
}

/// Faults of all tiles of a network, from their status words.
pub fn faults_of(fabric: &dyn Registers, status: &[u64]) -> Vec<Fault> {
    let mut found = Vec::new();
    for (number, &word) in status.iter().enumerate() {
        let tile = fabric.tile_name(number);
        if word >> STREAMS_BIT & 1 == 1 {
            let seen = STREAM_KINDS.into_iter().enumerate().filter(|(bit, _)| word >> (32 + bit) & 1 == 1);
            found.extend(seen.map(|(_, kind)| Fault { tile: tile.clone(), kind, port: None, cycle: None }));
            continue;
        }
        let cycle = fabric.error_log.then_some(word >> 32 & 0xffff);
        for (k, kind) in KINDS.into_iter().enumerate() {
            let byte = word >> (8 * k) & 0xff;
            if byte & 0x80 != 0 {
                let port = (byte & 0x7f != NO_PORT).then(|| fabric.fault_port(number, (byte & 0x7f) as usize));
                found.push(Fault { tile: tile.clone(), kind, port, cycle });
            }
        }
        if word >> 62 & 1 == 1 {
            found.push(Fault { tile: tile.clone(), kind: WRONG_ROW, port: None, cycle: None });
        }
        if word >> 63 == 1 {
            found.push(Fault { tile, kind: "a program that was not loaded was asked for", port: None, cycle: None });
        }
    }
    if status.last().is_some_and(|word| word >> ORDER_BIT & 1 == 1) {
        let tile = if status.last().is_some_and(|word| word >> STREAMS_BIT & 1 == 1) { "start" } else { "host" };
        found.push(Fault { tile: tile.to_owned(), kind: BROKEN_ORDER, port: None, cycle: None });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::swapped_dragonfly::Parameters;
    use crate::program::form::swapped_dragonfly::uniform::HopLatency;
    use crate::spec::Spec;
    use crate::topology::SwappedDragonfly;
    use crate::topology::swapped_dragonfly::Group;

    #[test]
    fn status_words_name_kind_port_and_cycle() {
        let text = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 3\n[router]\nkind = \"source-vector\"\n[collective]\nkind = \"all-to-all\"\n";
        let spec = Spec::parse("spec.toml", text).expect("a specification");
        let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
        let p = Parameters::new(net, HopLatency { local: 1, global: 1 }, 12, &spec).expect("parameters");
        let mut status = vec![0; 18];
        status[5] = 0x8001_0007_0083_0000;
        status[17] = 1 << ORDER_BIT;
        let shown: Vec<String> = faults_of(&p.frame, &status).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "router (0,1,2): missing arrival at global 1, its first fault in cycle 7 after the start",
                "router (0,1,2): a program that was not loaded was asked for",
                "host: broken order",
            ]
        );
        // tiles with streams of their own
        let status = [1 << STREAMS_BIT | 0b1_0000_0100 << 32, 1 << STREAMS_BIT | 1 << ORDER_BIT];
        let shown: Vec<String> = faults_of(&p.frame, &status).iter().map(ToString::to_string).collect();
        assert_eq!(
            shown,
            [
                "router (0,0,0): a word with another TDEST",
                "router (0,0,0): a result with another TID",
                "start: broken order"
            ]
        );
    }
}
