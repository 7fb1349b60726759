//! A module of the netlist against its plan.

use super::netlist::{Bit, Direction, Drivers, Module, Source};
use super::plan::{Origin, Plan, Run, Value};
use super::{Driven, WiringError};
use crate::topology::Topology;

/// Driver of a bit, with the fan-out tree looked through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Found {
    Direct(Source),
    Leaf(u32, Source),
}

struct Tree<'a> {
    pin: u32,
    name: &'static str,
    carried: &'a [Bit],
}

struct Judge<'a> {
    name: &'a str,
    net: &'a dyn Topology,
    drivers: Drivers<'a>,
    tree: Option<Tree<'a>>,
    /// Bits that were compared.
    bits: u64,
}

/// Compares a module with its plan: equal instances with equal parameters. Every input of every instance and every
/// output of the module must have exactly the driver of the plan. Gives the number of compared bits.
///
/// # Errors
/// The first difference.
pub(super) fn judge(name: &str, module: &Module, plan: &Plan, net: &dyn Topology) -> Result<u64, WiringError> {
    instances(name, module, plan)?;
    let drivers = Drivers::new(name, module)?;
    let tree = plan.tree.and_then(|(name, _)| {
        let carried = module.cells[name].connections.get("d_i")?;
        Some(Tree { pin: drivers.pin(name, "q_o")?, name, carried })
    });
    let mut judge = Judge { name, net, drivers, tree, bits: 0 };
    for (instance, planned) in &plan.instances {
        let cell = &module.cells[instance];
        for (port, runs) in &planned.inputs {
            judge.input(instance, port, cell.connections.get(*port).map_or(&[][..], Vec::as_slice), runs)?;
        }
        let unplanned = cell
            .port_directions
            .iter()
            .find(|(port, way)| **way != Direction::Output && !planned.inputs.contains_key(port.as_str()));
        if let Some((port, _)) = unplanned {
            return Err(WiringError::Port {
                module: name.into(),
                instance: instance.clone(),
                port: port.clone(),
                what: "is not an input that this instance should have".into(),
            });
        }
    }
    for (port, runs) in &plan.outputs {
        judge.input("", port, module.ports.get(*port).map_or(&[][..], |p| &p.bits), runs)?;
    }
    Ok(judge.bits)
}

fn instances(name: &str, module: &Module, plan: &Plan) -> Result<(), WiringError> {
    let wrong =
        |instance: &str, what: String| WiringError::Instance { module: name.into(), instance: instance.into(), what };
    // gates may look at nets; that none drives an instance or an output is seen from their drivers
    for (instance, cell) in module.cells.iter().filter(|(_, cell)| !cell.kind.starts_with('$')) {
        match plan.instances.get(instance) {
            None => return Err(wrong(instance, format!("a `{}`, should not be there", cell.kind))),
            Some(planned) if planned.kind != cell.kind => {
                return Err(wrong(instance, format!("is a `{}` instead of a `{}`", cell.kind, planned.kind)));
            }
            Some(planned) => {
                for (parameter, value) in &planned.parameters {
                    let found = cell.parameters.get(*parameter);
                    let found = found.map(|text| match (value, u32::from_str_radix(text, 2)) {
                        (Value::Number(_), Ok(number)) => Value::Number(number),
                        _ => Value::Text(text.clone()),
                    });
                    if found.as_ref() != Some(value) {
                        let found = found.map_or("its default".into(), |found| found.to_string());
                        return Err(wrong(instance, format!("has {parameter} = {found} instead of {value}")));
                    }
                }
            }
        }
    }
    match plan.instances.iter().find(|(instance, _)| !module.cells.contains_key(*instance)) {
        Some((instance, planned)) => Err(wrong(instance, format!("a `{}`, is missing", planned.kind))),
        None => Ok(()),
    }
}

impl Judge<'_> {
    fn input(&mut self, instance: &str, port: &str, bits: &[Bit], runs: &[Run]) -> Result<(), WiringError> {
        let width: u32 = runs.iter().map(|run| run.width).sum();
        if bits.len() != width as usize {
            return Err(WiringError::Port {
                module: self.name.into(),
                instance: instance.into(),
                port: port.into(),
                what: format!("has {} bits instead of {width}", bits.len()),
            });
        }
        let mut rest = bits;
        for run in runs {
            let (these, others) = rest.split_at(run.width as usize);
            let expected = self.expected(&run.origin)?;
            for (i, &bit) in (0..).zip(these) {
                let (expected, found) = (expected(i), self.found(bit));
                if found != expected {
                    return Err(WiringError::Driver(Box::new(Driven {
                        module: self.name.into(),
                        instance: instance.into(),
                        port: port.into(),
                        bit: (bits.len() - rest.len()) as u32 + i,
                        expected: self.describe(expected),
                        found: self.describe(found),
                        channel: run.channel.map(|channel| self.net.describe(channel)),
                    })));
                }
            }
            self.bits += u64::from(run.width);
            rest = others;
        }
        Ok(())
    }

    /// Required driver of bit i of a run.
    fn expected(&self, origin: &Origin) -> Result<impl Fn(u32) -> Found + use<>, WiringError> {
        let pin = |instance: &str, port: &str| {
            self.drivers.pin(instance, port).ok_or_else(|| WiringError::Port {
                module: self.name.into(),
                instance: instance.into(),
                port: port.into(),
                what: "is missing".into(),
            })
        };
        // the leaf of the tree, the pin, its first bit; or a constant
        let (leaf, source) = match origin {
            Origin::Pin { instance, port, first } => (None, Ok((pin(instance, port)?, *first))),
            Origin::Leaf { leaf, instance, port } => (Some(*leaf), Ok((pin(instance, port)?, 0))),
            Origin::Constant(value) => (None, Err(*value)),
        };
        Ok(move |i| {
            let source = match source {
                Ok((pin, first)) => Source::Pin { pin, bit: first + i },
                Err(value) => Source::Constant(value >> i & 1 == 1),
            };
            leaf.map_or(Found::Direct(source), |leaf| Found::Leaf(leaf, source))
        })
    }

    fn found(&self, bit: Bit) -> Found {
        let source = self.drivers.source(bit);
        match (source, &self.tree) {
            (Source::Pin { pin, bit }, Some(tree)) if pin == tree.pin => {
                let width = tree.carried.len() as u32;
                Found::Leaf(bit / width, self.drivers.source(tree.carried[(bit % width) as usize]))
            }
            _ => Found::Direct(source),
        }
    }

    fn describe(&self, found: Found) -> String {
        match (found, &self.tree) {
            (Found::Leaf(leaf, source), Some(tree)) => {
                format!("leaf {leaf} of {}, carrying {}", tree.name, self.drivers.describe(source))
            }
            (Found::Direct(source) | Found::Leaf(_, source), _) => self.drivers.describe(source),
        }
    }
}
