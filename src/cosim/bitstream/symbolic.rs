//! Simulation of a netlist for all values of its data: a net is 0, 1, a sum of data bits modulo 2, or unknown.
//!
//! Unknown stands for any function of the data, and every rule is sound: what is said to be a sum is that sum for all data.

use super::ice40::{CONSTANTS, Net, Netlist};
use std::collections::HashMap;
use std::sync::Arc;

/// Value of a net for all data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(u32);

impl Value {
    /// 0 for all data.
    pub const ZERO: Self = Self(0);
    /// 1 for all data.
    pub const ONE: Self = Self(1);
    /// Any function of the data.
    pub const UNKNOWN: Self = Self(2);

    /// The constant, if it is one.
    pub fn constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    fn not(self) -> Self {
        if self == Self::UNKNOWN { self } else { Self(self.0 ^ 1) }
    }
}

impl From<bool> for Value {
    fn from(bit: bool) -> Self {
        Self(u32::from(bit))
    }
}

/// Sums of data bits, each with a number.
#[derive(Debug, Clone, Default)]
pub struct Sums {
    /// Data bits of a sum, in rising order.
    sums: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, u32>,
}

impl Sums {
    /// Sum of the data bits in rising order.
    fn of(&mut self, bits: Vec<u32>) -> Value {
        if bits.is_empty() {
            return Value::ZERO;
        }
        let sums = &mut self.sums;
        let number = *self.numbers.entry(bits).or_insert_with_key(|bits| {
            sums.push(bits.clone());
            sums.len() as u32 - 1
        });
        Value(4 + 2 * number)
    }

    /// Value of a data bit.
    pub fn bit(&mut self, bit: u32) -> Value {
        self.of(vec![bit])
    }

    /// Data bits of a value that is known, constants without any.
    fn bits(&self, value: Value) -> &[u32] {
        self.sums.get((value.0 / 2).wrapping_sub(2) as usize).map_or(&[], Vec::as_slice)
    }

    /// The data bit that a value is, neither inverted nor with others.
    pub fn single(&self, value: Value) -> Option<u32> {
        match self.bits(value) {
            &[bit] if value.0 & 1 == 0 => Some(bit),
            _ => None,
        }
    }

    /// Data bits of a value and a 1 that is added to them; None if it is unknown.
    pub fn sum(&self, value: Value) -> Option<(&[u32], bool)> {
        (value != Value::UNKNOWN).then(|| (self.bits(value), value.0 & 1 == 1))
    }

    fn xor(&mut self, a: Value, b: Value) -> Value {
        if a == Value::UNKNOWN || b == Value::UNKNOWN {
            return Value::UNKNOWN;
        }
        let (left, right) = (self.bits(a), self.bits(b));
        let mut bits: Vec<u32> = left.iter().filter(|bit| !right.contains(bit)).copied().collect();
        bits.extend(right.iter().filter(|bit| !left.contains(bit)));
        bits.sort_unstable();
        Value(self.of(bits).0 ^ (a.0 ^ b.0) & 1)
    }

    /// Value for given data; None if it is unknown.
    pub fn under(&self, value: Value, data: &[bool]) -> Option<bool> {
        let bit = |&bit: &u32| data.get(bit as usize).copied().unwrap_or(false);
        (value != Value::UNKNOWN).then(|| self.bits(value).iter().map(bit).fold(value.0 & 1 == 1, |a, b| a ^ b))
    }

    /// Output of a table.
    fn lookup(&mut self, table: u16, inputs: &[Net], values: &[Value]) -> Value {
        let mut index = 0;
        let mut open: [(Value, usize); 4] = [(Value::ZERO, 0); 4];
        let mut count = 0;
        for (at, &input) in inputs.iter().enumerate() {
            let value = values[input as usize];
            match value.constant() {
                Some(bit) => index |= usize::from(bit) << at,
                None => {
                    // nets of the same sum are one input; of what is unknown, each is another
                    let same = |other: &&mut (Value, usize)| other.0 == value && value != Value::UNKNOWN;
                    match open[..count].iter_mut().find(same) {
                        Some(other) => other.1 |= 1 << at,
                        None => {
                            open[count] = (value, 1 << at);
                            count += 1;
                        }
                    }
                }
            }
        }
        if count == 0 {
            return (table >> index & 1 == 1).into();
        }
        let at = |choice: usize| {
            let set = |&(bit, &(_, mask)): &(usize, &(Value, usize))| (choice >> bit & 1 == 1).then_some(mask);
            let index =
                open[..count].iter().enumerate().filter_map(|pair| set(&pair)).fold(index, |all, mask| all | mask);
            table >> index & 1 == 1
        };
        let base = at(0);
        // a sum of some inputs, or nothing that can be said
        let sloped: Vec<usize> = (0..count).filter(|&bit| at(1 << bit) != base).collect();
        let slopes = sloped.iter().fold(0, |all, bit| all | 1 << bit);
        if (0..1usize << count).any(|choice| at(choice) != (base ^ ((choice & slopes).count_ones() % 2 == 1))) {
            return Value::UNKNOWN;
        }
        sloped.into_iter().fold(base.into(), |sum, bit| self.xor(sum, open[bit].0))
    }
}

/// `condition ? yes : no`.
fn choose(condition: Value, yes: Value, no: Value) -> Value {
    match condition.constant() {
        Some(true) => yes,
        Some(false) => no,
        None if yes == no => yes,
        None if (yes, no) == (Value::ONE, Value::ZERO) => condition,
        None if (yes, no) == (Value::ZERO, Value::ONE) => condition.not(),
        None => Value::UNKNOWN,
    }
}

/// Parts of a netlist that read a net.
#[derive(Debug, Default, Clone)]
struct Readers {
    luts: Vec<u32>,
    registers: Vec<u32>,
}

/// A netlist that is simulated from its configuration on.
#[derive(Debug, Clone)]
pub struct Simulation {
    netlist: Arc<Netlist>,
    readers: Arc<Vec<Readers>>,
    /// Sums that occurred.
    pub sums: Sums,
    values: Vec<Value>,
    /// Tables and registers whose inputs changed, a bit each.
    stale_luts: Vec<u64>,
    stale_registers: Vec<u64>,
    rams: Vec<Vec<[Value; 16]>>,
    /// Bits of block RAMs that were read since [`Simulation::watch`], and those that were ever written, by row.
    read: Vec<Vec<u16>>,
    written: Vec<Vec<u16>>,
    /// Cycle of the last change of each register, and of the last write of each row.
    changed: Vec<u64>,
    stored: Vec<Vec<u64>>,
    cycle: u64,
}

/// A register or a bit of a block RAM that holds data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// Data that it holds.
    pub value: Value,
    /// Cycle since which it holds them.
    pub since: u64,
}

/// A bit of a block RAM's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RamBit {
    ram: usize,
    row: usize,
    bit: usize,
}

impl Simulation {
    /// State after configuration.
    pub fn new(netlist: Netlist) -> Self {
        let mut readers = vec![Readers::default(); netlist.nets];
        for (at, lut) in netlist.luts.iter().enumerate() {
            lut.inputs.iter().for_each(|&input| readers[input as usize].luts.push(at as u32));
        }
        for (at, register) in netlist.registers.iter().enumerate() {
            for net in [register.enable, register.reset, register.after_reset, register.input] {
                readers[net as usize].registers.push(at as u32);
            }
        }
        let all = |count: usize| -> Vec<u64> {
            (0..count.div_ceil(64)).map(|at| u64::MAX >> (64 - (count - 64 * at).min(64))).collect()
        };
        let mut values = vec![Value::ZERO; netlist.nets];
        values[1] = Value::ONE;
        let bits = |row: &u16| std::array::from_fn(|bit| Value::from(row >> bit & 1 == 1));
        let mut this = Self {
            readers: Arc::new(readers),
            sums: Sums::default(),
            values,
            stale_luts: all(netlist.luts.len()),
            stale_registers: all(netlist.registers.len()),
            rams: netlist.rams.iter().map(|ram| ram.rows.iter().map(bits).collect()).collect(),
            read: vec![vec![0; 256]; netlist.rams.len()],
            written: vec![vec![0; 256]; netlist.rams.len()],
            changed: vec![0; netlist.registers.len()],
            stored: vec![vec![0; 256]; netlist.rams.len()],
            cycle: 0,
            netlist: Arc::new(netlist),
        };
        // what a block RAM shows before its first read is not known
        for net in this.netlist.rams.iter().flat_map(|ram| ram.read_data.clone()).collect::<Vec<_>>() {
            this.set(net, Value::UNKNOWN);
        }
        this.settle();
        this
    }

    /// Clock cycles since the configuration.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Forgets which bits of block RAMs were read.
    pub fn watch(&mut self) {
        self.read.iter_mut().for_each(|rows| rows.fill(0));
    }

    /// Bits of block RAMs that were read and used since [`Simulation::watch`], and are as the bitstream has them.
    pub fn configured_bits(&self) -> impl Iterator<Item = RamBit> {
        let rows = self.read.iter().zip(&self.written).enumerate().flat_map(|(ram, (read, written))| {
            read.iter().zip(written).enumerate().map(move |(row, (read, written))| (ram, row, read & !written))
        });
        rows.flat_map(|(ram, row, bits)| {
            (0..16).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| RamBit { ram, row, bit })
        })
    }

    /// Flips a bit of a block RAM.
    pub fn flip(&mut self, RamBit { ram, row, bit }: RamBit) {
        let cell = &mut self.rams[ram][row][bit];
        *cell = cell.not();
    }

    /// Gives each register and bit of a block RAM that holds data a data bit of its own, from `first` on, in the order of the result.
    pub fn relabel(&mut self, first: u32) -> Vec<Holder> {
        let netlist = self.netlist.clone();
        let mut holders = Vec::new();
        let mut next = |value: Value, since: u64, sums: &mut Sums| {
            value.constant().is_none().then(|| {
                holders.push(Holder { value, since });
                sums.bit(first + holders.len() as u32 - 1)
            })
        };
        let mut shown = Vec::new();
        for (at, register) in netlist.registers.iter().enumerate() {
            let label = next(self.values[register.output as usize], self.changed[at], &mut self.sums);
            shown.extend(label.map(|label| (register.output, label)));
        }
        for (rows, stored) in self.rams.iter_mut().zip(&self.stored) {
            for (row, &since) in rows.iter_mut().zip(stored) {
                for cell in row {
                    *cell = next(*cell, since, &mut self.sums).unwrap_or(*cell);
                }
            }
        }
        shown.into_iter().for_each(|(net, label)| self.set(net, label));
        self.settle();
        holders
    }

    /// Value of a pin.
    pub fn pin(&self, name: &str) -> Value {
        self.netlist.names.get(name).map_or(Value::ZERO, |&net| self.values[net as usize])
    }

    /// Sets a pin; one that nothing reads may be missing.
    pub fn set_pin(&mut self, name: &str, value: Value) {
        if let Some(&net) = self.netlist.names.get(name) {
            self.set(net, value);
            self.settle();
        }
    }

    fn set(&mut self, net: Net, value: Value) {
        if (net as usize) < CONSTANTS || std::mem::replace(&mut self.values[net as usize], value) == value {
            return;
        }
        let readers = &self.readers[net as usize];
        readers.luts.iter().for_each(|&at| self.stale_luts[at as usize / 64] |= 1 << (at % 64));
        readers.registers.iter().for_each(|&at| self.stale_registers[at as usize / 64] |= 1 << (at % 64));
    }

    /// Brings all tables up to date.
    fn settle(&mut self) {
        let netlist = self.netlist.clone();
        for word in 0..self.stale_luts.len() {
            while self.stale_luts[word] != 0 {
                let at = 64 * word + self.stale_luts[word].trailing_zeros() as usize;
                self.stale_luts[word] &= self.stale_luts[word] - 1;
                let lut = &netlist.luts[at];
                let value = self.sums.lookup(lut.table, &lut.inputs, &self.values);
                self.set(lut.output, value);
            }
        }
    }

    /// A clock edge.
    pub fn clock(&mut self) {
        let netlist = self.netlist.clone();
        self.cycle += 1;
        let mut next: Vec<(Net, Value)> = Vec::new();
        for word in 0..self.stale_registers.len() {
            let mut stale = std::mem::take(&mut self.stale_registers[word]);
            while stale != 0 {
                let at = 64 * word + stale.trailing_zeros() as usize;
                let register = &netlist.registers[at];
                stale &= stale - 1;
                let [enable, reset, after_reset, input, old] =
                    [register.enable, register.reset, register.after_reset, register.input, register.output]
                        .map(|net| self.values[net as usize]);
                let new = choose(enable, choose(reset, after_reset, input), old);
                if new != old {
                    self.changed[at] = self.cycle;
                    next.push((register.output, new));
                }
            }
        }
        for at in 0..netlist.rams.len() {
            self.clock_ram(at, &mut next);
        }
        next.into_iter().for_each(|(net, value)| self.set(net, value));
        self.settle();
    }

    /// A clock edge of a block RAM: what is read is from before what is written.
    fn clock_ram(&mut self, at: usize, next: &mut Vec<(Net, Value)>) {
        let netlist = self.netlist.clone();
        let ram = &netlist.rams[at];
        let value = |net: Net| self.values[net as usize];
        let both = |[a, b]: [Net; 2]| choose(value(a), value(b), Value::ZERO);
        let address = |nets: &[Net]| {
            let bits = nets.iter().enumerate();
            bits.map(|(at, &net)| value(net).constant().map(|bit| usize::from(bit) << at)).sum::<Option<usize>>()
        };
        let (reads, writes) = (both(ram.enables[0]), both(ram.enables[1]));
        // bits of a word lie so many apart in a row, and at these places in the ports
        let spread = |mode: u32| (1usize << mode, (1usize << mode >> 1).saturating_sub(1));
        let place = |address: usize, mode: u32| (address & 255, address >> 8 & ((1 << mode) - 1));
        if reads != Value::ZERO {
            let (stride, first) = spread(ram.read_mode);
            let from = address(&ram.read_address).map(|address| place(address, ram.read_mode));
            for (bit, &net) in ram.read_data.iter().enumerate() {
                let found = match from {
                    _ if bit % stride != first => Value::ZERO,
                    Some((row, sub)) => {
                        let used = !self.readers[net as usize].luts.is_empty()
                            || !self.readers[net as usize].registers.is_empty();
                        self.read[at][row] |= u16::from(used) << (bit - first + sub);
                        self.rams[at][row][bit - first + sub]
                    }
                    None => Value::UNKNOWN,
                };
                next.push((net, choose(reads, found, self.values[net as usize])));
            }
        }
        if writes != Value::ZERO {
            let of = |nets: &[Net]| nets.iter().map(|&net| self.values[net as usize]).collect::<Vec<_>>();
            let (to, data, mask) = (address(&ram.write_address), of(&ram.write_data), of(&ram.mask));
            let (stride, first) = spread(ram.write_mode);
            match to.filter(|_| writes == Value::ONE).map(|address| place(address, ram.write_mode)) {
                Some((row, sub)) => {
                    for base in (0..16).step_by(stride) {
                        let old = self.rams[at][row][base + sub];
                        let kept = if stride == 1 { mask[base] } else { Value::ZERO };
                        self.rams[at][row][base + sub] = choose(kept, old, data[base + first]);
                        self.written[at][row] |= u16::from(kept != Value::ONE) << (base + sub);
                    }
                    self.stored[at][row] = self.cycle;
                }
                None => {
                    self.rams[at].iter_mut().for_each(|row| *row = [Value::UNKNOWN; 16]);
                    self.written[at].fill(u16::MAX);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_stay_sums_and_products_are_unknown() {
        let mut simulation = Simulation::new(
            Netlist::parse(
                "assign x = /* LUT 1 1 1 */ (a ? !b : b);\nassign y = /* LUT 1 1 2 */ (c ? a : x);\nassign z = a & b;\n\
                 /* FF 1 1 2 */ always @(posedge clk_i) if (c) q <= 1'b0 ? 1'b0 : y;\n",
            )
            .unwrap(),
        );
        let [a, b] = [0, 1].map(|bit| simulation.sums.bit(bit));
        simulation.set_pin("a", a);
        simulation.set_pin("b", b);
        let sum = simulation.pin("x");
        assert_eq!(simulation.sums.under(sum, &[true, true]), Some(false));
        assert_eq!(simulation.sums.under(sum, &[true, false]), Some(true));
        assert_eq!((simulation.pin("y"), simulation.pin("z")), (sum, Value::UNKNOWN));
        simulation.clock();
        assert_eq!(simulation.pin("q"), Value::ZERO);
        simulation.set_pin("c", Value::ONE);
        simulation.clock();
        assert_eq!(simulation.sums.single(simulation.pin("q")), Some(0));
        // a + b + b is a
        simulation.set_pin("a", sum);
        assert_eq!(simulation.sums.single(simulation.pin("x")), Some(0));
    }
}
