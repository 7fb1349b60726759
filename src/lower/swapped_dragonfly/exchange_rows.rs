//! Decoder of an exchange's rows: steps of all routers, and the packets on their channels.

use super::Frame;
use super::exchange::{ExchangeLowered, IMAGE, field};
use crate::lower::bits::BitRow;
use crate::lower::images::wrong;
use crate::lower::read_back::{Delays, Programmed, ReadBack, valid};
use crate::lower::{Fabric, Images, LowerError};
use crate::program::Train;
use crate::program::form::swapped_dragonfly::exchange::{
    Action, ExchangeProgram, Operand, Port, Register, Send, Step, Way,
};
use crate::program::form::swapped_dragonfly::exchange_schedule::{ExchangeSchedule, crossing, late};
use crate::program::form::swapped_dragonfly::uniform::HopLatency;
use crate::topology::swapped_dragonfly::headers::{Header, Ports};

/// Cycles from a step's beat to its first word in the register of a channel.
const CHANNEL_CYCLES: u32 = 3;

impl Programmed for ExchangeLowered {
    fn fabric(&self) -> Fabric {
        self.frame.clone().into()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        match &self.counters {
            Some(counters) => images.insert(IMAGE, &counters.rows(self)),
            None => images.insert(IMAGE, &self.rows),
        }
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        read(self, images)
    }

    fn spacing(&self) -> u32 {
        self.pass_cycles
    }
}

/// The program of a schedule's packets.
fn program(frame: &Frame, schedule: &ExchangeSchedule) -> ReadBack {
    let program = schedule.to_program(&frame.network);
    let sends = schedule.program.steps.iter().flat_map(|step| &step.sends);
    let late = sends.map(|send| late(&frame.network, &send.way, schedule.hop));
    let moves = program.moves.iter().zip(late);
    let shown: Vec<_> = moves.flat_map(|(m, late)| m.hops.clone().map(move |_| (valid(), late))).collect();
    // the words of a beat are at the crossbar when they are at the end of a channel, a cycle before its register
    let delays = Delays { channel: CHANNEL_CYCLES, receive: CHANNEL_CYCLES - 1 };
    ReadBack::new(program, delays, shown)
}

/// The program of routers that follow the rows of an image, if it is the schedule's.
///
/// # Errors
/// [`LowerError::Image`] with the first row that does something else.
fn read(lowered: &ExchangeLowered, images: &Images) -> Result<ReadBack, LowerError> {
    let due = lowered.schedule();
    let rows = images.rows(IMAGE, lowered.rows.len(), lowered.row_bits())?;
    let (mut steps, mut start) = (Vec::with_capacity(rows.len()), 0);
    for (number, (row, own)) in rows.iter().zip(&lowered.rows).enumerate() {
        let told = |what: String| wrong(IMAGE, number, what);
        steps.push(step(lowered, row, start).map_err(told)?);
        let [length, wanted] = [row, own].map(|row| lowered.length_of(row));
        if length != wanted {
            return Err(told(format!("the step takes {length} cycles, not {wanted}")));
        }
        if row.get(field::LAST, 1) != own.get(field::LAST, 1) {
            return Err(told("the program ends at another step".into()));
        }
        start += length;
    }
    let steps = ExchangeProgram { steps, ..due.program.clone() };
    let read = program(&lowered.frame, &ExchangeSchedule { program: steps.clone(), ..due.clone() });
    // a number that no action needs makes another step, but no other program
    if read == program(&lowered.frame, &due) {
        return Ok(read);
    }
    let mut both = steps.steps.iter().zip(&due.program.steps).enumerate();
    let (row, (a, b)) =
        both.find(|(_, (a, b))| a != b).ok_or_else(|| wrong(IMAGE, 0, "its steps do something else"))?;
    Err(wrong(IMAGE, row, format!("{}, not {}", told(a), told(b))))
}

/// The way over these ports, None where packets stay; of those that stay, the header of four hops.
fn way(ports: &[Option<Port>]) -> Option<Way> {
    if let Some(ports) = ports.iter().copied().collect() {
        return Some(Way::Ports(ports));
    }
    let local = |port: Option<Port>| match port {
        None => Some(0),
        Some(Port::Local(x)) => Some(x),
        Some(Port::Global(_)) => None,
    };
    let &[Some(Port::Global(gamma)), first, Some(Port::Global(0)), second] = ports else { return None };
    let [gamma, pi, delta] = [gamma, local(second)?, local(first)?].map(Ports::One);
    Some(Way::Header(Header { b: 4, gamma, pi, delta, broadcast: false }))
}

/// Text of a step: action, start cycle and sends.
fn told(step: &Step) -> String {
    let ways: Vec<String> = step.sends.iter().map(|send| format!("{:?} by {:?}", send.register, send.way)).collect();
    format!("{:?} in cycle {} with {}", step.action, step.start, ways.join(" and "))
}

/// Step in a row, or the error of the row.
fn step(lowered: &ExchangeLowered, row: &BitRow, start: u32) -> Result<Step, String> {
    let p = &lowered.frame;
    let hop = HopLatency { local: p.local_stages, global: p.global_stages };
    let mut ports = Vec::new();
    let mut ended = false;
    for number in 0..lowered.hops {
        let at = field::MASK + number as usize * lowered.mask_bits();
        let on: Vec<u32> = (0..lowered.mask_bits() as u32).filter(|&bit| row.get(at + bit as usize, 1) == 1).collect();
        match on[..] {
            [] => ended = true,
            [_] if ended => return Err(format!("hop {number} follows one that is none")),
            [bit] if bit < p.local_ports() => ports.push(Some(Port::Local(bit + 1))),
            [bit] if bit < p.local_ports() + p.k => ports.push(Some(Port::Global(bit - p.local_ports()))),
            [_] => ports.push(None),
            _ => return Err(format!("hop {number} has {} ports", on.len())),
        }
    }
    let flag = |at: usize| row.get(at, 1) == 1;
    let [dimension, stage] = [0, field::NUMBER_BITS].map(|at| row.get(at, field::NUMBER_BITS));
    let action = match (flag(field::COMBINE), flag(field::COMPARE)) {
        (false, false) => Action::Move,
        (true, false) => Action::Combine { dimension },
        (false, true) => Action::Compare { dimension, stage },
        (true, true) => return Err("it combines and compares".into()),
    };
    let swap = |register, operand| Send { register, way: Way::Ports(vec![Port::Global(0)]), operand };
    let mut sends = Vec::new();
    sends.extend(flag(field::OWN).then(|| swap(Register::Value, Operand::Own)));
    sends.extend(flag(field::CARRY).then(|| swap(Register::Carry, Operand::Carry)));
    if !ports.is_empty() {
        let way = way(&ports).ok_or("it stays where no header lets it")?;
        sends.push(Send { register: Register::Value, way, operand: Operand::Other });
    }
    if action != Action::Move && sends.last().is_none_or(|send| send.operand != Operand::Other) {
        return Err("nothing comes to be combined".into());
    }
    let way = sends.last().map_or(hop.global, |send| crossing(&send.way, hop));
    let said = row.get(field::WAY, field::WAY_BITS);
    if said != way {
        return Err(format!("packets are to arrive after {said} cycles, and take {way}"));
    }
    let distance = hop.clash_distance();
    let train = if flag(field::BURST) { Train { burst: distance, period: 2 * distance } } else { Train::STEADY };
    Ok(Step { start, train, sends, action, swapped: flag(field::SWAPPED) })
}
