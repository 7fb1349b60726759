//! All-to-all by a uniform program, where a group acts on the network.

use super::law::Law;
use super::random::Random;
use super::reduce::STEPS_PER_SECOND;
use super::scheduler::Scheduler;
use super::uniform::{Form, Way, search};
use super::{Effort, Made, Problem};
use crate::id::NodeId;
use crate::program::{Origin, Program, Switching, Train, Who};
use crate::topology::Topology;
use std::collections::HashMap;

/// The algorithm, for one form of schedule.
pub(super) struct Uniform {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) form: Form,
}

impl Scheduler for Uniform {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn is_short(&self) -> bool {
        !self.form.periodic && !self.form.terminal
    }

    fn schedule(&self, problem: &Problem, effort: &Effort) -> Option<Made> {
        let chunks = pairs(problem)?;
        let law = Law::of(problem)?;
        let steps = u64::from(effort.time_limit_s) * STEPS_PER_SECOND;
        let (ways, length) = search(&law, self.form, steps, &mut Random::new(effort.seed))?;
        let end = |way: &Way| way.start + latency(&law, way);
        let first = ways.iter().map(|way| way.start).min().unwrap_or(0);
        let cycles = ways.iter().map(end).max().unwrap_or(0) - first;
        let mut program = Program::new(Switching::HopByChannel(problem.latency.clone()));
        program.period = match self.form.periodic {
            true => Some(length),
            false => Some(period(&law, &ways, self.form.terminal, cycles)),
        };
        let mut chunk = Vec::new();
        for way in &ways {
            let at = (way.start - first, Train::STEADY);
            if law.by_port() {
                let value = program.value(Who::Every, 1, Origin::Message);
                let ports: Vec<u32> = way.classes.iter().map(|&class| law.ports[class as usize][0]).collect();
                program.send(value, Who::Every, at, Program::path(ports.into_iter()));
                chunk.push(None);
                continue;
            }
            for from in 0..law.nodes() as u32 {
                let (mut ports, mut node) = (Vec::with_capacity(way.classes.len()), from);
                for &class in &way.classes {
                    ports.push(law.ports[class as usize][node as usize]);
                    node = law.steps[class as usize][node as usize];
                }
                let who = Who::One(NodeId::new(from));
                let value = program.value(who, 1, Origin::Message);
                program.send(value, who, at, Program::path(ports.into_iter()));
                chunk.push(chunks.get(&(from, node)).copied());
            }
        }
        Some(Made { algorithm: self.name, program, chunk, cycles })
    }
}

/// The chunk of each pair of nodes, if the demand is one word from each node to each other one.
pub(super) fn pairs(problem: &Problem) -> Option<HashMap<(u32, u32), u32>> {
    let nodes = problem.net.nodes();
    let mut found = HashMap::new();
    for (number, chunk) in (0..).zip(&problem.demand.chunks) {
        let ([from], [to]) = (&chunk.from[..], &chunk.to[..]) else { return None };
        if from == to || found.insert((from.get(), to.get()), number).is_some() {
            return None;
        }
    }
    (found.len() == nodes * (nodes - 1)).then_some(found)
}

/// Cycles of a way.
fn latency(law: &Law, way: &Way) -> u32 {
    way.classes.iter().map(|&class| law.latency[class as usize]).sum()
}

/// Shortest period of a table of `cycles` cycles.
fn period(law: &Law, ways: &[Way], terminal: bool, cycles: u32) -> u32 {
    let rows = law.steps.len() as u32;
    let mut claims = Vec::new();
    for way in ways {
        let mut at = way.start;
        for &class in &way.classes {
            let latency = law.latency[class as usize];
            match law.one {
                false => claims.push((class, at)),
                true => claims.extend([(rows, at), (rows + 1, at + latency - 1)]),
            }
            at += latency;
        }
        if terminal {
            claims.extend([(rows + 2, way.start), (rows + 3, at)]);
        }
    }
    let meets = |period: u32| {
        let mut cells: Vec<(u32, u32)> = claims.iter().map(|&(row, at)| (row, at % period)).collect();
        cells.sort_unstable();
        cells.windows(2).any(|pair| pair[0] == pair[1])
    };
    (1..cycles).find(|&period| !meets(period)).unwrap_or(cycles.max(1))
}
