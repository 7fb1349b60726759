//! All-reduce, prefix scan and bitonic sort on the hypercube: every program does to data what the collective's oracle says, takes the
//! hops that are claimed for it, and a broken program is refused.

use metronoc::check::swapped_dragonfly::CheckError;
use metronoc::check::swapped_dragonfly::exchange::ExchangeError;
use metronoc::check::swapped_dragonfly::{CheckedExchange, check_exchange};
use metronoc::collective::{Collective, Dtype, Exchange, ExchangeKind, Words};
use metronoc::emit::{Origin, RtlBundle};
use metronoc::lower::LowerError;
use metronoc::lower::swapped_dragonfly::exchange::field;
use metronoc::lower::swapped_dragonfly::{ExchangeLowered, lower_exchange};
use metronoc::program::Train;
use metronoc::program::form::swapped_dragonfly::exchange::{Action, ExchangeProgram, Operand, Port, Register, Way};
use metronoc::program::form::swapped_dragonfly::exchange_schedule::ExchangeSchedule;
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::swapped_dragonfly::exchange::{ALGORITHMS, ExchangeRequest, schedule};
use metronoc::spec::{Operator, Spec};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::swapped_dragonfly::headers::steps;
use metronoc::topology::{SwappedDragonfly, Topology};

const ONE: HopLatency = HopLatency { local: 1, global: 1 };
const KINDS: [ExchangeKind; 3] =
    [ExchangeKind::AllReduce(Operator::Sum), ExchangeKind::PrefixScan(Operator::Sum), ExchangeKind::Sort];

fn net(k: u32, m: u32) -> SwappedDragonfly {
    SwappedDragonfly::new(1 << k, 1 << m, Group::Xor)
}

fn made(
    k: u32,
    m: u32,
    kind: ExchangeKind,
    algorithm: &str,
    words: u32,
    operator: u32,
    hop: HopLatency,
) -> ExchangeSchedule {
    schedule(&net(k, m), &ExchangeRequest { kind, algorithm, words, operator, hop }).unwrap()
}

fn checked(k: u32, m: u32, kind: ExchangeKind, algorithm: &str) -> CheckedExchange {
    check_exchange(&net(k, m), made(k, m, kind, algorithm, 1, 0, ONE)).unwrap()
}

/// What each router has of one word at first: its value, prefix and carry.
type State = [u64; 3];

/// Runs a program on one word a node, packet by packet.
fn run(net: &SwappedDragonfly, kind: ExchangeKind, program: &ExchangeProgram, words: &[u64], mask: u64) -> Vec<u64> {
    let op = match kind {
        ExchangeKind::AllReduce(op) | ExchangeKind::PrefixScan(op) => op,
        ExchangeKind::Sort => Operator::Sum,
    };
    let join = |a: u64, b: u64| op.combine(a, b) & mask;
    let mut all: Vec<State> = words.iter().map(|&word| [word, word, op.identity() & mask]).collect();
    for step in &program.steps {
        let mut got = vec![[None; 3]; all.len()];
        for send in &step.sends {
            for (from, state) in all.iter().enumerate() {
                let mut at = net.address(from.into());
                match &send.way {
                    Way::Ports(ports) => {
                        for port in ports {
                            at = match port {
                                Port::Local(x) => net.local(at, *x),
                                Port::Global(x) => net.global(at, *x),
                            };
                        }
                    }
                    Way::Header(header) => {
                        let mut header = header.clone();
                        while let [step] = steps(net, at, &header).as_slice() {
                            (at, header) = (step.to, step.header.clone());
                        }
                    }
                }
                let word = state[if send.register == Register::Value { 0 } else { 2 }];
                let operand = match send.operand {
                    Operand::Own => 0,
                    Operand::Other => 1,
                    Operand::Carry => 2,
                };
                assert_eq!(got[net.node(at).index()][operand].replace(word), None);
            }
        }
        for (router, state) in all.iter_mut().enumerate() {
            let mut at = net.address(router.into());
            if step.swapped {
                (at.d, at.p) = (at.p, at.d);
            }
            let node = net.node(at).index();
            let [own, other, carry] = got[router];
            let own = own.unwrap_or(state[0]);
            match step.action {
                Action::Move => state[0] = own,
                Action::Combine { dimension } => {
                    let other = other.unwrap();
                    state[0] = join(own, other);
                    let so_far = if step.swapped { 2 } else { 1 };
                    if node >> dimension & 1 == 1 {
                        state[so_far] = join(state[so_far], other);
                    }
                }
                Action::Compare { dimension, stage } => {
                    let (own, other) = (own, other.unwrap());
                    let smaller = node >> dimension & 1 == node >> stage & 1;
                    state[0] = if smaller { own.min(other) } else { own.max(other) };
                }
            }
            if let Some(carry) = carry {
                state[1] = join(state[1], carry);
            }
        }
    }
    let result = if matches!(kind, ExchangeKind::PrefixScan(_)) { 1 } else { 0 };
    all.iter().map(|state| state[result]).collect()
}

#[test]
fn programs_do_to_data_what_the_oracle_says() {
    let ops = [Operator::Sum, Operator::Min, Operator::Max, Operator::Xor];
    let kinds = ops.into_iter().flat_map(|op| [ExchangeKind::AllReduce(op), ExchangeKind::PrefixScan(op)]);
    for kind in kinds.chain([ExchangeKind::Sort]) {
        for (k, m) in [(0, 1), (1, 1), (2, 1), (3, 1), (0, 2), (1, 2), (2, 2)] {
            for entry in ALGORITHMS {
                let (net, made) = (net(k, m), made(k, m, kind, entry.name, 1, 1, ONE));
                let traffic = Exchange::new(kind, net.nodes(), 1);
                let words = traffic.random(Dtype::Uint8, 7).unwrap();
                let got = run(&net, kind, &made.program, &words.to_vec(), 0xff);
                let got = Words::U8(got.into_iter().map(|word| word as u8).collect());
                assert_eq!(got, traffic.expected(&words), "{kind:?} {k} {m} {}", entry.name);
                check_exchange(&net, made).unwrap();
            }
        }
    }
}

#[test]
fn hops_are_those_that_are_claimed() {
    for (k, m) in [(0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (0, 2), (1, 2), (2, 2), (3, 2), (1, 3)] {
        let n = k + 2 * m;
        let hops = |kind, algorithm| {
            let checked = checked(k, m, kind, algorithm);
            assert_eq!(checked.proof().hops, checked.cycles(), "hops of one cycle and an operator of none");
            checked.cycles()
        };
        let [reduce, scan, sort] = KINDS;
        for kind in [reduce, scan] {
            assert_eq!((hops(kind, "paper"), hops(kind, "uniform")), (2 * n, 4 * n));
        }
        assert_eq!(hops(scan, "short"), n + 1 + u32::from(k % 2 == 0));
        assert_eq!(hops(reduce, "short"), n + u32::from(k == 0));
        assert_eq!(hops(sort, "short"), n * (n + 1) / 2 + 2 * m + k + k / 2);
        assert_eq!(hops(sort, "uniform"), 2 * n * (n + 1));
        // dimension i is in the n - i stages from i + 1 on
        let stages = |dimensions: std::ops::Range<u32>| dimensions.map(|i| n - i).sum::<u32>();
        assert_eq!(hops(sort, "paper"), stages(0..m) + 3 * stages(m..2 * m) + 2 * stages(2 * m..n));
        assert_eq!(checked(k, m, reduce, "short").bounds().all()[1].cycles, u64::from(n + u32::from(k == 0)));
        assert!(KINDS.iter().all(|&kind| checked(k, m, kind, "best").schedule().algorithm == "short"));
    }
}

#[test]
fn many_words_and_long_hops_hold() {
    for (local, global) in [(1, 1), (1, 2), (3, 1), (2, 3)] {
        for (words, operator) in [(1, 3), (2, 0), (5, 1), (17, 2), (64, 0)] {
            for kind in KINDS {
                for entry in ALGORITHMS {
                    let hop = HopLatency { local, global };
                    let made = made(1, 2, kind, entry.name, words, operator, hop);
                    let checked = check_exchange(&net(1, 2), made).unwrap();
                    assert!(checked.ratio() >= 1.0, "{local} {global} {words} {operator} {kind:?} {}", entry.name);
                }
            }
        }
    }
}

/// The error of a program after a change.
fn broken(kind: ExchangeKind, algorithm: &str, words: u32, change: impl FnOnce(&mut ExchangeProgram)) -> ExchangeError {
    let mut made = made(2, 2, kind, algorithm, words, 1, ONE);
    change(&mut made.program);
    match check_exchange(&net(2, 2), made).unwrap_err() {
        CheckError::Exchange(error) => *error,
        other => panic!("{other}"),
    }
}

macro_rules! refused {
    ($kind:expr, $algorithm:expr, $words:expr, $change:expr, $error:pat) => {
        let error = broken($kind, $algorithm, $words, $change);
        assert!(matches!(error, $error), "{error}");
    };
}

#[test]
fn broken_programs_are_refused() {
    let [reduce, scan, sort] = KINDS;
    let ports = |ports: Vec<Port>| Way::Ports(ports);
    // too early, at the operator or at the word before
    refused!(
        reduce,
        "short",
        1,
        |p| p.steps[1].start -= 1,
        ExchangeError::Early { step: 1, word: 0, cycle: 1, ready: 2 }
    );
    refused!(reduce, "short", 9, |p| p.steps[3].start -= 1, ExchangeError::Operator { step: 3, .. });
    // a burst that is too long meets itself at Z
    refused!(reduce, "paper", 3, |p| p.steps[2].train = Train::STEADY, ExchangeError::Conflict { .. });
    refused!(scan, "uniform", 3, |p| p.steps[0].train = Train::STEADY, ExchangeError::Conflict { .. });
    // two packets of one step
    let same_port = |p: &mut ExchangeProgram| p.steps[2].sends[1].way = Way::Ports(vec![Port::Global(0)]);
    refused!(reduce, "short", 1, same_port, ExchangeError::Conflict { .. });
    refused!(reduce, "short", 1, |p| p.steps[2].sends[0].operand = Operand::Other, ExchangeError::Operands { step: 2 });
    refused!(reduce, "short", 1, |p| p.steps[2].sends.truncate(1), ExchangeError::Operands { step: 2 });
    let longer = |p: &mut ExchangeProgram| p.steps[2].sends[1].way = Way::Ports(vec![Port::Global(1), Port::Global(0)]);
    refused!(reduce, "short", 1, longer, ExchangeError::Apart { step: 2 });
    // another neighbour, dimension or place than is said
    refused!(
        reduce,
        "paper",
        1,
        |p| p.steps[0].sends[0].way = ports(vec![Port::Local(2)]),
        ExchangeError::Misplaced { step: 0, .. }
    );
    refused!(scan, "short", 1, |p| p.steps[3].swapped = false, ExchangeError::Misplaced { step: 3, .. });
    let another_way = |p: &mut ExchangeProgram| p.steps[0].sends[0].way = ports(vec![Port::Local(2)]);
    refused!(sort, "short", 1, another_way, ExchangeError::Misplaced { step: 0, .. });
    let other = |p: &mut ExchangeProgram| p.steps[0].action = Action::Compare { dimension: 1, stage: 2 };
    refused!(sort, "uniform", 1, other, ExchangeError::NotBitonic { step: 0 });
    // dimensions that are left out, or in the wrong order
    refused!(reduce, "paper", 1, |p| drop(p.steps.pop()), ExchangeError::Result { .. });
    refused!(scan, "short", 1, |p| drop(p.steps.pop()), ExchangeError::Result { .. });
    refused!(sort, "short", 1, |p| drop(p.steps.pop()), ExchangeError::NotBitonic { .. });
    let reversed = |p: &mut ExchangeProgram| {
        let starts: Vec<u32> = p.steps.iter().map(|step| step.start * 9).collect();
        p.steps.reverse();
        p.steps.iter_mut().zip(starts).for_each(|(step, start)| step.start = start);
    };
    refused!(scan, "paper", 1, reversed, ExchangeError::Result { .. });
    refused!(sort, "paper", 1, reversed, ExchangeError::NotBitonic { step: 0 });
    let descending = |p: &mut ExchangeProgram| p.steps[0].action = Action::Compare { dimension: 0, stage: 2 };
    refused!(sort, "paper", 1, descending, ExchangeError::NotBitonic { step: 0 });
    // a carry that never comes home, and a value where a carry should be
    let no_carry = |p: &mut ExchangeProgram| {
        let send = &mut p.steps.last_mut().unwrap().sends[0];
        (send.register, send.operand) = (Register::Value, Operand::Own);
    };
    refused!(scan, "short", 1, no_carry, ExchangeError::Result { .. });
    let value = |p: &mut ExchangeProgram| p.steps.last_mut().unwrap().sends[0].register = Register::Value;
    refused!(scan, "short", 1, value, ExchangeError::Misplaced { .. });
    // ports that are not there
    refused!(
        reduce,
        "paper",
        1,
        |p| p.steps[0].sends[0].way = ports(vec![Port::Local(4)]),
        ExchangeError::Malformed { .. }
    );
    refused!(reduce, "paper", 1, |p| p.steps.clear(), ExchangeError::Malformed { .. });
    let cyclic = SwappedDragonfly::new(4, 4, Group::Cyclic);
    let error = check_exchange(&cyclic, made(2, 2, reduce, "paper", 1, 1, ONE)).unwrap_err();
    assert!(error.to_string().contains("of this arithmetic"), "{error}");
}

#[test]
fn an_all_reduce_that_counts_a_node_twice_is_refused() {
    let error = broken(ExchangeKind::AllReduce(Operator::Max), "paper", 1, |p| {
        let mut again = p.steps[0].clone();
        again.start = p.steps.last().unwrap().start + 9;
        p.steps.push(again);
    });
    assert!(matches!(error, ExchangeError::Result { .. }), "{error}");
}

fn lowered(more: &str, made: ExchangeSchedule) -> Result<ExchangeLowered, LowerError> {
    let text = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 4\nm = 4\ngroup = \"xor\"\n";
    let spec = Spec::parse("s.toml", &format!("{text}[collective]\nkind = \"bitonic-sort\"\n{more}")).unwrap();
    lower_exchange(&check_exchange(&net(2, 2), made).unwrap(), &spec)
}

/// The rows say what the schedule says: starts, actions and hops are read from their bits.
#[test]
fn rows_say_what_the_schedule_says() {
    let net = net(2, 2);
    let hop = HopLatency { local: 1, global: 2 };
    for (kind, algorithm) in KINDS.into_iter().flat_map(|kind| ["short", "paper", "uniform"].map(|a| (kind, a))) {
        let made = made(2, 2, kind, algorithm, 3, 3, hop);
        let (steps_made, lowered) = (made.program.steps.clone(), lowered("", made).unwrap());
        assert_eq!(lowered.rows.len(), steps_made.len());
        let mut start = 0;
        for (number, (row, step)) in lowered.rows.iter().zip(&steps_made).enumerate() {
            assert_eq!(start, step.start);
            start += lowered.length_of(row);
            let names =
                [field::COMBINE, field::COMPARE, field::SWAPPED, field::OWN, field::CARRY, field::BURST, field::LAST];
            let flags = names.map(|at| row.get(at, 1) == 1);
            let has = |operand| step.sends.iter().any(|send| send.operand == operand);
            let combines = matches!(step.action, Action::Combine { .. });
            let compares = matches!(step.action, Action::Compare { .. });
            let (bursts, last) = (step.train != Train::STEADY, number + 1 == steps_made.len());
            let wanted = [combines, compares, step.swapped, has(Operand::Own), has(Operand::Carry), bursts, last];
            assert_eq!(flags, wanted, "{kind:?} {algorithm} {number}");
            if let Some(dimension) = step.action.dimension() {
                assert_eq!(row.get(0, field::NUMBER_BITS), dimension);
            }
            // the hops of the node from which a bit is one hop, or several, away
            let mut outputs = Vec::new();
            let mut cycles = if has(Operand::Other) { 0 } else { hop.global };
            for send in step.sends.iter().filter(|send| send.operand == Operand::Other) {
                match &send.way {
                    Way::Ports(ports) => outputs.extend(ports.iter().map(|port| match *port {
                        Port::Local(x) => Some(net.local_port(x)),
                        Port::Global(x) => Some(net.global_port(x)),
                    })),
                    Way::Header(header) => {
                        let mut open = steps(&net, net.address(7.into()), header);
                        while let Some(step) = open.pop() {
                            outputs.push(step.port);
                            open.extend(steps(&net, step.to, &step.header));
                        }
                    }
                }
            }
            for (i, output) in outputs.iter().enumerate() {
                let port = output.unwrap_or(net.ports());
                assert_eq!(row.get(field::MASK + i * lowered.mask_bits(), lowered.mask_bits()), 1 << port);
                cycles += if output.is_some_and(|port| port >= net.local_ports()) { hop.global } else { hop.local };
            }
            for i in outputs.len()..lowered.hops as usize {
                assert_eq!(row.get(field::MASK + i * lowered.mask_bits(), lowered.mask_bits()), 0);
            }
            assert_eq!(row.get(field::WAY, field::WAY_BITS), cycles);
            assert!(lowered.ways.contains(&cycles) && cycles <= lowered.depth);
        }
    }
}

#[test]
fn what_hardware_cannot_do_is_said() {
    let made = |algorithm, operator| made(2, 2, ExchangeKind::Sort, algorithm, 1, operator, ONE);
    let field = |more, made| lowered(more, made).unwrap_err().field();
    assert_eq!(field("", made("short", 2)), Some("collective.operator_stages"));
    assert_eq!(field("[schedule]\nstorage = \"ram\"\n", made("short", 3)), Some("schedule.storage"));
    assert_eq!(field("[schedule]\nprogram = \"shared\"\n", made("short", 3)), Some("schedule.program"));
    // a way whose first hop is local, there and back, before the exchange
    let mut detour = self::made(2, 2, ExchangeKind::Sort, "paper", 1, 3, HopLatency { local: 1, global: 2 });
    for step in &mut detour.program.steps[1..] {
        step.start += 9;
    }
    let step = &mut detour.program.steps[0];
    step.sends[0].way = Way::Ports(vec![Port::Local(2), Port::Local(2), Port::Local(1)]);
    assert_eq!(field("", detour), Some("collective.algorithm"));
}

#[test]
fn a_bundle_is_the_same_twice_and_has_its_oracle() {
    let lowered = lowered("", made(2, 2, ExchangeKind::Sort, "short", 2, 3, ONE)).unwrap();
    let origin = Origin { name: "s".into(), spec_text: String::new(), command: "metronoc generate s.toml".into() };
    let [one, two] = [0, 1].map(|_| RtlBundle::new(&lowered, &origin).unwrap());
    assert_eq!(one, two);
    let file = |name: &str| one.files().find(|f| f.0 == name).unwrap().1;
    // a word of 32 bits stands behind its tile, or behind the mask of what is compared
    let word = |line: &str| u64::from_str_radix(&line[line.len() - 8..], 16).unwrap();
    let words = |name: &str| file(name).lines().map(word).collect::<Vec<_>>();
    let (loads, expects) = (words("tb/loads.hex"), words("tb/expects.hex"));
    for set in 0..2 {
        for word in 0..2 {
            let column = |all: &[u64]| (0..64).map(|tile| all[(set * 64 + tile) * 2 + word]).collect::<Vec<_>>();
            let mut sorted = column(&loads);
            sorted.sort_unstable();
            assert_eq!(column(&expects), sorted);
        }
    }
    assert!(file("rtl/mn_network.v").contains("mn_exchange_tile #("));
}
