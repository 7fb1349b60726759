//! The paper's model, step by step: packets along link-disjoint circuits from processor to processor.

use super::Net;

/// Circuit of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circuit {
    /// Packet, by number.
    pub packet: u32,
    /// Processor that has it.
    pub from: u32,
    /// Dimensions that are crossed, one after the other.
    pub dims: Vec<u32>,
    /// Processor that receives the packet.
    pub to: u32,
}

/// Delivery of a step: packet, and the processor that receives it.
pub type Delivery = (u32, u32);

/// Channels in use in a step.
struct Links {
    net: Net,
    /// Number of uses of the channels from each processor and to it, by processor.
    own: Vec<[u32; 2]>,
    /// Number of uses of the channels between routers, by router, then by dimension.
    along: Vec<u32>,
}

impl Links {
    fn new(net: Net) -> Self {
        Self { net, own: vec![[0; 2]; net.processors() as usize], along: vec![0; (net.d << net.d) as usize] }
    }

    /// Takes the channels of a circuit, or gives them back; an error names the first channel of which none is left.
    fn take(&mut self, circuit: &Circuit, by: i32) -> Result<(), String> {
        let Net { m, f, d, k } = self.net;
        let mut full = None;
        let mut add = |used: &mut u32, most: u32, what: String| {
            *used = used.saturating_add_signed(by);
            if *used > most {
                full.get_or_insert(format!("{what} {used} packets in a step, and there are {most} channels"));
            }
        };
        add(&mut self.own[circuit.from as usize][0], k, format!("processor {} sends", circuit.from));
        let mut router = circuit.from / m;
        for &x in &circuit.dims {
            let used = &mut self.along[(router * d + x) as usize];
            add(used, f, format!("router {router} sends along dimension {x}"));
            router ^= 1 << x;
        }
        add(&mut self.own[circuit.to as usize][1], k, format!("processor {} gets", circuit.to));
        match full {
            _ if router != circuit.to / m => {
                Err(format!("a circuit to processor {} ends at router {router}", circuit.to))
            }
            Some(full) => Err(full),
            None => Ok(()),
        }
    }
}

/// Processors that have each packet.
#[derive(Debug, Clone)]
pub struct State {
    net: Net,
    /// Presence of each packet, by packet, then by processor.
    has: Vec<Vec<bool>>,
}

impl State {
    /// Packets at their sources.
    pub fn new(net: Net, sources: impl IntoIterator<Item = u32>) -> Self {
        let at = |source| (0..net.processors()).map(|processor| processor == source).collect();
        Self { net, has: sources.into_iter().map(at).collect() }
    }

    /// Carries a step out.
    ///
    /// # Errors
    /// A sentence on the first circuit that breaks a rule.
    pub fn step(&mut self, circuits: &[Circuit]) -> Result<(), String> {
        let mut links = Links::new(self.net);
        for circuit in circuits {
            if !self.has[circuit.packet as usize][circuit.from as usize] {
                return Err(format!("processor {} sends packet {} and does not have it", circuit.from, circuit.packet));
            }
            links.take(circuit, 1)?;
        }
        circuits.iter().for_each(|circuit| self.has[circuit.packet as usize][circuit.to as usize] = true);
        Ok(())
    }

    /// Circuits for a step's deliveries, each from some processor that has the packet along a shortest path; every choice is tried.
    pub fn routed(&self, deliveries: &[Delivery]) -> Option<Vec<Circuit>> {
        let mut choices: Vec<Vec<Circuit>> = deliveries.iter().map(|&delivery| self.choices(delivery)).collect();
        choices.sort_by_key(Vec::len);
        let mut chosen = Vec::new();
        let mut links = Links::new(self.net);
        search(&choices, &mut links, &mut chosen).then_some(chosen)
    }

    /// Circuits of a delivery.
    fn choices(&self, (packet, to): Delivery) -> Vec<Circuit> {
        let m = self.net.m;
        let from = (0..self.net.processors()).filter(|&from| self.has[packet as usize][from as usize]);
        let paths = from.flat_map(|from| orders((from / m) ^ (to / m)).into_iter().map(move |dims| (from, dims)));
        let mut choices: Vec<Circuit> = paths.map(|(from, dims)| Circuit { packet, from, dims, to }).collect();
        choices.sort_by_key(|circuit| circuit.dims.len());
        choices
    }

    /// A packet and a processor that lacks it, if there is one: every processor is to have every packet.
    pub fn lacking(&self) -> Option<(u32, u32)> {
        let of = |(packet, row): (u32, &Vec<bool>)| Some((packet, row.iter().position(|has| !has)? as u32));
        (0..).zip(&self.has).find_map(of)
    }

    /// True if a processor has a packet.
    pub fn has(&self, packet: u32, processor: u32) -> bool {
        self.has[packet as usize][processor as usize]
    }
}

/// Orders of the dimensions of a displacement.
fn orders(displacement: u32) -> Vec<Vec<u32>> {
    if displacement == 0 {
        return vec![Vec::new()];
    }
    let first = (0..u32::BITS).filter(|x| displacement >> x & 1 == 1);
    let rest = |x: u32| orders(displacement ^ 1 << x).into_iter().map(move |rest| [&[x], &rest[..]].concat());
    first.flat_map(rest).collect()
}

fn search(choices: &[Vec<Circuit>], links: &mut Links, chosen: &mut Vec<Circuit>) -> bool {
    let Some(own) = choices.get(chosen.len()) else { return true };
    for circuit in own {
        if links.take(circuit, 1).is_ok() {
            chosen.push(circuit.clone());
            if search(choices, links, chosen) {
                return true;
            }
            chosen.pop();
        }
        let _ = links.take(circuit, -1);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_that_break_a_rule_are_told() {
        let net = Net::new(2, 1, 2, 1);
        let circuit = |packet, from, dims: &[u32], to| Circuit { packet, from, dims: dims.to_vec(), to };
        let said = |circuits: &[Circuit]| State::new(net, 0..8).step(circuits).unwrap_err();
        assert!(said(&[circuit(0, 1, &[], 0)]).contains("does not have it"));
        assert!(said(&[circuit(0, 0, &[], 1), circuit(0, 0, &[0], 2)]).contains("processor 0 sends 2"));
        assert!(said(&[circuit(0, 0, &[0], 2), circuit(1, 1, &[0], 3)]).contains("router 0 sends along dimension 0"));
        assert!(said(&[circuit(0, 0, &[], 1), circuit(3, 3, &[0], 1)]).contains("processor 1 gets 2"));
        assert!(said(&[circuit(0, 0, &[1], 2)]).contains("ends at router 2"));
        let mut state = State::new(net, 0..8);
        state.step(&[circuit(0, 0, &[0, 1], 7)]).unwrap();
        assert!(state.has(0, 7) && state.lacking() == Some((0, 1)));
        // both processors of a router to the one opposite: one path each
        assert_eq!(state.routed(&[(0, 6), (1, 7)]).map(|circuits| circuits.len()), Some(2));
        assert_eq!(State::new(net, 0..8).routed(&[(0, 2), (1, 3)]), None);
    }
}
