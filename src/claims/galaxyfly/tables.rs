//! Tables 3 to 5 as they are printed, in slots: a slot is 100 of the paper's units of time.

use super::nets::Net;
use crate::claims::{Size, Sizes};

/// Numbers of one network.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Network.
    pub net: Net,
    /// Table 3, SFATA: MinTime and MaxTime, in slots.
    pub sfata: [u32; 2],
    /// Table 3: AvgTime, in units of time.
    pub average: u32,
    /// Table 3: AvgChannel, in hundredths of a percent.
    pub channel: u32,
    /// Table 3: RouterTime, in units of time.
    pub collected: f64,
    /// Table 4, RFATA: MinTime, AvgTime and MaxTime, in units of time.
    pub rfata: [u32; 3],
    /// Table 4: AvgChannel, in percent.
    pub rfata_channel: f64,
    /// Table 4: AvgPacket, in thousandths.
    pub redundant: u32,
    /// Table 4: RouterTime, in hundredths of a unit of time.
    pub router: u32,
    /// Table 5, A2A on a Dragonfly of n groups of qa routers: MinTime and MaxTime, in slots.
    pub dragonfly: [u32; 2],
    /// Table 5: AvgTime in units of time, and AvgChannel in percent.
    pub dragonfly_average: [f64; 2],
}

const fn net(n: u32, q: u32, a: u32) -> Net {
    Net { n, q, a }
}

/// The five networks.
#[rustfmt::skip]
pub const ROWS: [Row; 5] = [
    Row { net: net(3, 5, 4), sfata: [85, 565], average: 34_100, channel: 569, collected: 27_366.7,
          rfata: [14_600, 44_920, 67_400], rfata_channel: 4.02,
          redundant: 1000, router: 244_000, dragonfly: [18, 219],
          dragonfly_average: [14_295.0, 12.99] },
    Row { net: net(4, 5, 4), sfata: [97, 737], average: 43_700, channel: 572, collected: 35_057.5,
          rfata: [17_000, 56_925, 87_000], rfata_channel: 3.97,
          redundant: 2333, router: 231_000, dragonfly: [18, 282],
          dragonfly_average: [18_080.0, 13.21] },
    Row { net: net(4, 5, 5), sfata: [129, 929], average: 62_400, channel: 565, collected: 52_587.0,
          rfata: [22_600, 82_000, 112_600], rfata_channel: 3.80,
          redundant: 1200, router: 316_000, dragonfly: [22, 348],
          dragonfly_average: [24_696.0, 13.52] },
    Row { net: net(4, 7, 4), sfata: [1170, 1013], average: 57_300, channel: 573, collected: 46_030.4,
          rfata: [19_000, 71_736, 115_800], rfata_channel: 4.01,
          redundant: 643, router: 209_643, dragonfly: [25, 390],
          dragonfly_average: [28_896.4, 13.62] },
    Row { net: net(3, 5, 8), sfata: [249, 1329], average: 91_600, channel: 473, collected: 82_947.5,
          rfata: [48_300, 137_213, 178_700], rfata_channel: 2.95,
          redundant: 1000, router: 800_667, dragonfly: [38, 559],
          dragonfly_average: [38_997.5, 10.53] },
];

/// The row of a network.
///
/// # Errors
/// A sentence, if the tables do not have it.
pub fn row(net: Net) -> Result<&'static Row, String> {
    ROWS.iter().find(|row| row.net == net).ok_or_else(|| format!("the tables do not have {net}"))
}

impl Row {
    /// MinTime of table 3 with the digit left out that is too much at (4,7,4).
    pub fn least(&self) -> u32 {
        let [min, max] = self.sfata;
        if min > max { min / 10 } else { min }
    }

    /// Sum of the depths of all routers, by AvgTime less MinTime: a router at depth d has all packets d·N slots after the root.
    pub fn depths(&self) -> u32 {
        self.average / 100 - self.least()
    }
}

/// The networks of tables 3 to 5.
pub fn measured(limit: u32) -> Sizes<Net> {
    let all = ROWS.iter().map(|row| row.net).filter(|net| net.routers() <= limit);
    Sizes { range: format!("the five networks of tables 3 to 5, nqa ≤ {limit}"), all: all.collect() }
}

/// The networks of tables 3 to 5 with five routers a supernode at most.
pub fn smaller(limit: u32) -> Sizes<Net> {
    let mut all = measured(limit).all;
    all.retain(|net| net.a <= 5);
    Sizes { range: format!("the networks of tables 3 to 5 with a ≤ 5, nqa ≤ {limit}"), all }
}
