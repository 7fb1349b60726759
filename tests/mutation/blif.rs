//! Networks of gates and registers as text in BLIF.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// First value of a register that may have either.
pub const UNKNOWN: &str = "2";
/// Most states that are walked through.
const STATES: usize = 1 << 20;

/// Registers: first values by name.
pub type Registers = BTreeMap<String, String>;

/// Two networks in BLIF with the same inputs, outputs and registers as one, whose output is 1 where theirs differ. It keeps the differences of the
/// second's registers from the first's in place of them: most stay 0, and what holds of the others is simple.
pub fn compared(gold: &str, gate: &str) -> String {
    let words = |start: &str| {
        gold.lines().filter_map(|line| line.strip_prefix(start)).flat_map(str::split_whitespace).collect::<Vec<_>>()
    };
    let (inputs, mut outputs) = (words(".inputs "), words(".outputs "));
    // ports without contents are told which mutant is switched on
    outputs.retain(|name| !name.rsplit('.').next().is_some_and(|last| last.starts_with("mutsel")));
    let known: BTreeSet<&str> = inputs.iter().copied().collect();
    let named = |side: &str, name: &str| if known.contains(name) { name.to_owned() } else { format!("{side}.{name}") };
    let differs = |one: &str, other: &str, name: &str| format!(".names {one} {other} {name}\n10 1\n01 1\n");
    let mut text = format!(".model both\n.inputs {}\n.outputs differs\n", inputs.join(" "));
    for (side, network) in [("gold", gold), ("gate", gate)] {
        for line in network.lines() {
            if let Some(names) = line.strip_prefix(".names ") {
                let names: String = names.split(' ').map(|name| format!(" {}", named(side, name))).collect();
                text += &format!(".names{names}\n");
            } else if !line.starts_with(['.', '#']) {
                text += &format!("{line}\n");
            }
        }
    }
    let first = registers(gate);
    for line in gold.lines() {
        let Some((name, value)) = register(line) else { continue };
        let [before, after] = ["gold", "gate"].map(|side| named(side, line.split_whitespace().nth(1).unwrap()));
        let difference = u8::from((value == "1") != (first[name] == "1"));
        text += &format!(".latch {before} gold.{name} {value}\n.latch next.{name} from.{name} {difference}\n");
        text += &differs(&before, &after, &format!("next.{name}"));
        text += &differs(&format!("gold.{name}"), &format!("from.{name}"), &format!("gate.{name}"));
    }
    for name in &outputs {
        text += &differs(&named("gold", name), &named("gate", name), &format!("differs.{name}"));
    }
    let differences: String = outputs.iter().map(|name| format!(" differs.{name}")).collect();
    text += &format!(".names{differences} differs\n");
    for place in 0..outputs.len() {
        text += &format!("{}1{} 1\n", "-".repeat(place), "-".repeat(outputs.len() - place - 1));
    }
    text + ".end\n"
}

/// Gates in BLIF with constants in place of the inputs that select a mutant, none of them with 0, and in place of those that have a value.
pub fn with_constants(gates: &str, mutant: usize, value: impl Fn(&str) -> Option<bool>) -> String {
    let selected = |name: &str| {
        let bit = match name.strip_prefix("mutsel")? {
            "" => 0,
            bit => bit.strip_prefix('[')?.strip_suffix(']')?.parse::<usize>().unwrap(),
        };
        Some(mutant >> bit & 1 == 1)
    };
    let mut constants = String::new();
    let mut text = String::with_capacity(gates.len());
    for line in gates.lines() {
        if let Some(inputs) = line.strip_prefix(".inputs ") {
            text += ".inputs";
            for name in inputs.split(' ') {
                match selected(name).or_else(|| value(name)) {
                    Some(value) => constants += &format!(".names {name}\n{}", if value { "1\n" } else { "" }),
                    None => text.extend([" ", name]),
                }
            }
        } else {
            if line == ".end" {
                text += &constants;
            }
            text += line;
        }
        text.push('\n');
    }
    text
}

/// Name and first value of a register in a line of BLIF: .latch INPUT OUTPUT [TYPE CLOCK] VALUE.
fn register(line: &str) -> Option<(&str, &str)> {
    let mut words = line.strip_prefix(".latch ")?.split_whitespace();
    Some((words.nth(1)?, words.next_back()?))
}

/// First values of the registers of gates in BLIF, by name.
pub fn registers(gates: &str) -> Registers {
    let whole = gates.replace("\\\n", "");
    whole.lines().filter_map(register).map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Gates in BLIF whose registers have these first values.
pub fn with_registers(gates: &str, value: impl Fn(&str) -> String) -> String {
    let line = |line: &str| match register(line) {
        Some((name, old)) => line.strip_suffix(old).unwrap().to_owned() + &value(name) + "\n",
        None => line.to_owned() + "\n",
    };
    gates.lines().map(line).collect()
}

/// A table of a network: its value is 1 where all of a row's nets have their values.
struct Table {
    rows: Vec<Vec<(usize, bool)>>,
    output: usize,
}

/// A network as its tables in an order in which each comes behind those whose values it takes; nets are numbers.
#[derive(Default)]
struct Machine {
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    /// Nets that a register is given and that it gives, and its first value.
    registers: Vec<(usize, usize, bool)>,
    tables: Vec<Table>,
    nets: usize,
}

impl Machine {
    /// The machine of a network, unless it has a loop without a register.
    fn new(network: &str) -> Option<Self> {
        let mut numbers: HashMap<&str, usize> = HashMap::new();
        let mut number = |name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        };
        let mut this = Self::default();
        let mut tables: Vec<(Vec<usize>, Table)> = Vec::new();
        for line in network.lines() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some(".inputs") => this.inputs.extend(words.map(&mut number)),
                Some(".outputs") => this.outputs.extend(words.map(&mut number)),
                Some(".latch") => {
                    let nets = [number(words.next().unwrap()), number(words.next().unwrap())];
                    this.registers.push((nets[0], nets[1], words.next_back() == Some("1")));
                }
                Some(".names") => {
                    let mut nets: Vec<usize> = words.map(&mut number).collect();
                    let output = nets.pop().unwrap();
                    tables.push((nets, Table { rows: Vec::new(), output }));
                }
                // a constant has no nets, so that its row is its value
                Some(row) if !line.starts_with(['.', '#']) => {
                    let (nets, table) = tables.last_mut().unwrap();
                    let value = words.next().unwrap_or(row);
                    assert_eq!(value, "1", "{line}");
                    let literals = nets.iter().zip(row.chars()).filter(|(_, bit)| *bit != '-');
                    table.rows.push(literals.map(|(&net, bit)| (net, bit == '1')).collect());
                }
                _ => {}
            }
        }
        this.nets = numbers.len();
        let mut waiting: HashMap<usize, (Vec<usize>, Table)> =
            tables.into_iter().map(|(nets, table)| (table.output, (nets, table))).collect();
        let mut open: Vec<usize> = this.outputs.iter().copied().chain(this.registers.iter().map(|one| one.0)).collect();
        while let Some(&net) = open.last() {
            if open.len() > this.nets + this.registers.len() {
                return None;
            }
            let before = waiting.get(&net).and_then(|(nets, _)| nets.iter().find(|net| waiting.contains_key(net)));
            match before {
                Some(&before) => open.push(before),
                None => {
                    this.tables.extend(waiting.remove(&net).map(|(_, table)| table));
                    open.pop();
                }
            }
        }
        Some(this)
    }

    /// Values of all nets at all values of the inputs at once, a bit each, with a state of the registers, a bit each.
    fn values(&self, state: u128) -> Vec<u64> {
        let mut values = vec![0; self.nets];
        for (&net, bits) in self.inputs.iter().zip(INPUTS) {
            values[net] = bits;
        }
        for (bit, &(_, net, _)) in self.registers.iter().enumerate() {
            values[net] = if state >> bit & 1 == 1 { u64::MAX } else { 0 };
        }
        for table in &self.tables {
            let row = |row: &Vec<(usize, bool)>| {
                row.iter().fold(u64::MAX, |all, &(net, is)| all & if is { values[net] } else { !values[net] })
            };
            values[table.output] = table.rows.iter().fold(0, |any, one| any | row(one));
        }
        values
    }
}

/// Values of inputs, a bit for each combination of them.
const INPUTS: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// True if no output of a network is ever 1 at any inputs, from its first state on, as a walk through all of its states shows; false, too, if
/// there are too many. A register without a first value is 0 at first.
pub fn never(network: &str) -> bool {
    let Some(machine) = Machine::new(network) else { return false };
    if machine.inputs.len() > INPUTS.len() || machine.registers.len() > u128::BITS as usize {
        return false;
    }
    let first = machine.registers.iter().rev().fold(0, |state, &(_, _, first)| state << 1 | u128::from(first));
    let mut seen = HashSet::from([first]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        let values = machine.values(state);
        if seen.len() > STATES || machine.outputs.iter().any(|&net| values[net] != 0) {
            return false;
        }
        for combination in 0..1 << machine.inputs.len() {
            let bit = |net: usize| u128::from(values[net] >> combination & 1);
            let next = machine.registers.iter().rev().fold(0, |state, &(given, _, _)| state << 1 | bit(given));
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    true
}

/// Counter of six bits in BLIF that can be cleared, whose last bit is its output; `change` is what it takes for its third bit, by that and the last.
fn counter(change: &str) -> String {
    let mut text = ".model counter\n.inputs clear\n.outputs q5\n.names carry0\n1\n".to_owned();
    for bit in 0..6 {
        let seen = if bit == 2 { format!("q2 q5 seen2\n{change}") } else { format!("q{bit} seen{bit}\n1 1") };
        text += &format!(".names {seen}\n.names seen{bit} carry{bit} clear next{bit}\n100 1\n010 1\n");
        text += &format!(".names seen{bit} carry{bit} carry{}\n11 1\n", bit + 1);
        text += &format!(".latch next{bit} q{bit} re clk 2\n");
    }
    text + ".end\n"
}

#[test]
fn a_counter_in_another_order_is_told_from_one_that_ends_at_another_time() {
    // as it is; turned while the last bit is 0; 1 while the last bit is
    let [plain, turned, late] = ["1- 1", "00 1\n11 1", "1- 1\n-1 1"].map(counter);
    assert!(never(&compared(&plain, &plain)));
    assert!(never(&compared(&plain, &turned)));
    assert!(!never(&compared(&plain, &late)));
    assert!(!never(&compared(&turned, &late)));
    // a loop without a register has no order
    let looped = plain.replace(".names carry0\n1", ".names carry6 carry0\n1 1");
    assert!(!never(&compared(&looped, &looped)));
}
