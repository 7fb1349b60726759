//! The partitioned optical passive stars network POPS(d,g): g groups of d processors, and a coupler from every group to every
//! group (Chiarulli et al. 1994; Mei and Rizzi, section 1).
//!
//! Coupler c(b,a) takes one packet a slot from one processor of group a, and all d processors of group b hear it. In a slot a
//! processor sends one packet to any of its couplers c(·,a), and reads one of its couplers c(b,·).

/// POPS(d,g).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pops {
    d: u32,
    g: u32,
}

impl Pops {
    /// `g` groups of `d` processors, both at least 1.
    pub const fn new(d: u32, g: u32) -> Self {
        Self { d, g }
    }

    /// Processors a group.
    pub const fn d(self) -> u32 {
        self.d
    }

    /// Groups.
    pub const fn g(self) -> u32 {
        self.g
    }

    /// Processors in all, d·g.
    pub const fn processors(self) -> u32 {
        self.d * self.g
    }

    /// Couplers in all, g².
    pub const fn couplers(self) -> u64 {
        self.g as u64 * self.g as u64
    }

    /// The group of a processor.
    pub const fn group(self, processor: u32) -> u32 {
        processor / self.d
    }
}

impl std::fmt::Display for Pops {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "POPS({},{})", self.d, self.g)
    }
}
