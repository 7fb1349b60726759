//! Netlist of an iCE40 as Project IceStorm writes it: look-up tables, registers and block RAMs of one clock.

use std::collections::HashMap;

/// Number of a net.
pub type Net = u32;
/// Nets that are constant: 0 and 1.
pub const CONSTANTS: usize = 2;

/// Look-up table or carry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lut {
    /// Input nets, at most four, each once.
    pub inputs: Vec<Net>,
    /// Output for each value of the inputs, input 0 in bit 0 of the index.
    pub table: u16,
    /// Output net.
    pub output: Net,
}

/// Register: at each clock edge with `enable`, zero or one with `reset`, else the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    /// Output net.
    pub output: Net,
    /// Net that enables it.
    pub enable: Net,
    /// Net that resets it.
    pub reset: Net,
    /// Net of the value after a reset.
    pub after_reset: Net,
    /// Input net.
    pub input: Net,
}

/// Block RAM of 4096 bits, at most 16 a word.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BlockRam {
    /// Width as a power: words of 16 >> mode bits.
    pub read_mode: u32,
    /// As [`BlockRam::read_mode`].
    pub write_mode: u32,
    /// Rows of 16 bits after configuration.
    pub rows: Vec<u16>,
    /// Nets of the two enables of reads, and of writes.
    pub enables: [[Net; 2]; 2],
    /// Address of a read, bit 0 first; so below.
    pub read_address: Vec<Net>,
    /// Word that is read, bit 0 first.
    pub read_data: Vec<Net>,
    /// Address of a write.
    pub write_address: Vec<Net>,
    /// Word that is written, bit 0 first.
    pub write_data: Vec<Net>,
    /// Bits that are not written, in rows of 16 bits.
    pub mask: Vec<Net>,
}

/// Netlist of a device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Netlist {
    /// Number of nets, constants included.
    pub nets: usize,
    /// Nets of the top's ports and of all wires.
    pub names: HashMap<String, Net>,
    /// Tables, each after those that it reads.
    pub luts: Vec<Lut>,
    /// Registers, zero after configuration.
    pub registers: Vec<Register>,
    /// Block RAMs.
    pub rams: Vec<BlockRam>,
}

impl Netlist {
    /// Reads the Verilog of `icebox_vlog`.
    ///
    /// # Errors
    /// The line that is of no known form, or a loop of look-up tables.
    pub fn parse(verilog: &str) -> Result<Self, String> {
        let mut this = Self { nets: CONSTANTS, ..Self::default() };
        let mut ram: Option<BlockRam> = None;
        for line in verilog.lines().map(str::trim) {
            let unknown = || format!("a line of the netlist is of no known form: `{line}`");
            match &mut ram {
                Some(_) if line == ");" => this.rams.extend(ram.take()),
                Some(open) if line.starts_with('.') => this.ram_line(open, line).ok_or_else(unknown)?,
                Some(_) if line.starts_with(") ram40_") => {}
                Some(_) => return Err(unknown()),
                None if line.starts_with("SB_RAM40_4K #(") => {
                    // enables that are not named are on
                    let (rows, enables) = (vec![0; 256], [[1; 2]; 2]);
                    ram = Some(BlockRam { rows, enables, ..BlockRam::default() });
                }
                None if line.starts_with("assign ") || line.starts_with("/* FF") => {
                    this.cell(line).ok_or_else(unknown)?;
                }
                None => {}
            }
        }
        this.order()?;
        Ok(this)
    }

    /// Net of a name.
    fn net(&mut self, name: &str) -> Net {
        match name {
            "0" | "1'b0" => 0,
            "1" | "1'b1" => 1,
            _ => *self.names.entry(name.to_owned()).or_insert_with(|| {
                self.nets += 1;
                self.nets as Net - 1
            }),
        }
    }

    /// A look-up table, carry, wire or register.
    fn cell(&mut self, line: &str) -> Option<()> {
        if let Some((_, clocked)) = line.split_once("always @(posedge clk_i) ") {
            // if (ENABLE) OUTPUT <= RESET ? VALUE : INPUT;
            let (enable, rest) = clocked.strip_prefix("if (")?.split_once(") ")?;
            let (output, rest) = rest.strip_suffix(';')?.split_once(" <= ")?;
            let (reset, rest) = rest.split_once(" ? ")?;
            let (after_reset, input) = rest.split_once(" : ")?;
            let [output, enable, reset, after_reset, input] =
                [output, enable, reset, after_reset, input].map(|name| self.net(name));
            self.registers.push(Register { output, enable, reset, after_reset, input });
            return Some(());
        }
        let (_, assigned) = line.split_once("assign ")?;
        let (output, right) = assigned.strip_suffix(';')?.split_once('=')?;
        let formula = right.split_once("*/").map_or(right, |(_, formula)| formula);
        let tokens = tokens(formula)?;
        let mut inputs: Vec<&str> = Vec::new();
        for name in tokens.iter().filter(|token| token.starts_with(|letter: char| letter.is_ascii_alphabetic())) {
            if !inputs.contains(name) {
                inputs.push(name);
            }
        }
        let mut table = 0;
        for value in 0..1u16 << (inputs.len() <= 4).then_some(inputs.len())? {
            let of = |name: &str| inputs.iter().position(|input| *input == name).map(|at| value >> at & 1 == 1);
            let mut rest = &tokens[..];
            let result = choice(&mut rest, &of)?;
            rest.is_empty().then_some(())?;
            table |= u16::from(result) << value;
        }
        let inputs = inputs.into_iter().map(|name| self.net(name)).collect();
        let output = self.net(output.trim());
        self.luts.push(Lut { inputs, table, output });
        Some(())
    }

    /// A parameter or port of a block RAM.
    fn ram_line(&mut self, ram: &mut BlockRam, line: &str) -> Option<()> {
        let (name, value) = line.strip_prefix('.')?.split_once('(')?;
        let value = value.trim_end_matches([',', ')']);
        if let Some(digit) = name.strip_prefix("INIT_") {
            let block = usize::from_str_radix(digit, 16).ok()?;
            let digits = value.strip_prefix("256'h").filter(|digits| digits.len() == 64 && digits.is_ascii())?;
            for row in 0..16 {
                ram.rows[16 * block + row] = u16::from_str_radix(&digits[60 - 4 * row..64 - 4 * row], 16).ok()?;
            }
        } else if name == "READ_MODE" || name == "WRITE_MODE" {
            let mode = value.parse().ok().filter(|&mode| mode < 4)?;
            *(if name == "READ_MODE" { &mut ram.read_mode } else { &mut ram.write_mode }) = mode;
        } else if name.ends_with("CLK") {
            (value == "clk_i").then_some(())?;
        } else {
            let nets: Vec<Net> = value.trim_matches(['{', '}']).rsplit(", ").map(|name| self.net(name)).collect();
            let enable = |nets: &[Net]| nets.first().copied();
            match name {
                "RE" => ram.enables[0][0] = enable(&nets)?,
                "RCLKE" => ram.enables[0][1] = enable(&nets)?,
                "WE" => ram.enables[1][0] = enable(&nets)?,
                "WCLKE" => ram.enables[1][1] = enable(&nets)?,
                "RADDR" => ram.read_address = nets,
                "RDATA" => ram.read_data = nets,
                "WADDR" => ram.write_address = nets,
                "WDATA" => ram.write_data = nets,
                "MASK" => ram.mask = nets,
                _ => return None,
            }
        }
        Some(())
    }

    /// Puts the tables in order: each after those that it reads.
    fn order(&mut self) -> Result<(), String> {
        let mut makers = vec![usize::MAX; self.nets];
        self.luts.iter().enumerate().for_each(|(at, lut)| makers[lut.output as usize] = at);
        let mut readers = vec![Vec::new(); self.luts.len()];
        let mut waits = vec![0; self.luts.len()];
        for (at, lut) in self.luts.iter().enumerate() {
            for &maker in lut.inputs.iter().map(|&input| &makers[input as usize]).filter(|&&maker| maker != usize::MAX)
            {
                readers[maker].push(at);
                waits[at] += 1;
            }
        }
        let mut order: Vec<usize> = (0..self.luts.len()).filter(|&at| waits[at] == 0).collect();
        let mut next = 0;
        while let Some(&at) = order.get(next) {
            next += 1;
            for &reader in &readers[at] {
                waits[reader] -= 1;
                order.extend((waits[reader] == 0).then_some(reader));
            }
        }
        if order.len() < self.luts.len() {
            return Err("the netlist has a loop of look-up tables".to_owned());
        }
        self.luts = order.into_iter().map(|at| self.luts[at].clone()).collect();
        Ok(())
    }
}

/// Names, constants and signs of a formula.
fn tokens(formula: &str) -> Option<Vec<&str>> {
    let mut rest = formula.trim();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '\'';
        let length = match word(first) {
            true => rest.find(|letter| !word(letter)).unwrap_or(rest.len()),
            false => "?:!()&|".contains(first).then_some(1)?,
        };
        tokens.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

/// Value of `A ? B : C` or of a formula that binds closer.
fn choice(tokens: &mut &[&str], of: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let condition = either(tokens, of)?;
    if !take(tokens, "?") {
        return Some(condition);
    }
    let yes = choice(tokens, of)?;
    take(tokens, ":").then_some(())?;
    let no = choice(tokens, of)?;
    Some(if condition { yes } else { no })
}

/// Value of `A | B`.
fn either(tokens: &mut &[&str], of: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let mut value = both(tokens, of)?;
    while take(tokens, "|") {
        value |= both(tokens, of)?;
    }
    Some(value)
}

/// Value of `A & B`.
fn both(tokens: &mut &[&str], of: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let mut value = single(tokens, of)?;
    while take(tokens, "&") {
        value &= single(tokens, of)?;
    }
    Some(value)
}

/// Value of `!A`, `(A)`, a constant or a name.
fn single(tokens: &mut &[&str], of: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let (&first, rest) = tokens.split_first()?;
    *tokens = rest;
    match first {
        "!" => single(tokens, of).map(|value| !value),
        "(" => {
            let value = choice(tokens, of)?;
            take(tokens, ")").then_some(value)
        }
        "0" | "1'b0" => Some(false),
        "1" | "1'b1" => Some(true),
        name => of(name),
    }
}

/// Takes a sign, if it comes next.
fn take(tokens: &mut &[&str], sign: &str) -> bool {
    let found = tokens.first() == Some(&sign);
    *tokens = &tokens[usize::from(found)..];
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read() {
        let netlist = Netlist::parse(
            "wire n1;\nassign n3 = /* LUT    1  2  5 */ (n1 ? !n2 : n2);\nassign n1 = /* CARRY 1 2 4 */ (n4 & 1'b0) | ((n4 | 1'b0) & n5);\n\
             /* FF  1  2  5 */ always @(posedge clk_i) if (1'b1) n2 <= n5 ? 1'b0 : n3;\n/* FF  1  2  6 */ assign out_o = n3;\n",
        )
        .unwrap();
        // the carry, which the table reads, comes first
        assert_eq!((netlist.luts[0].table, netlist.luts[0].inputs.len()), (0b1000, 2));
        assert_eq!(netlist.luts[1].table, 0b0110);
        assert_eq!(netlist.luts[2].table, 0b10);
        let register = &netlist.registers[0];
        assert_eq!((register.enable, register.after_reset, register.input), (1, 0, netlist.names["n3"]));
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for line in
            ["assign n1 = n2 ^ n3;", "/* FF 1 2 3 */ always @(negedge clk_i) if (1'b1) n1 <= n2;", "assign n1 = (n2;"]
        {
            assert!(Netlist::parse(line).is_err(), "{line}");
        }
        assert!(Netlist::parse("assign n1 = !n2;\nassign n2 = n1;").unwrap_err().contains("loop"));
    }
}
