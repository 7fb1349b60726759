//! Images are read back: a flipped bit is a difference that is named, or it stands where nothing reads it.

use metronoc::check::pops::check_pops;
use metronoc::check::swapped_dragonfly::{
    CheckedEmbedding, check_all_to_all, check_exchange, check_product, check_stream,
};
use metronoc::collective::pops::Relation;
use metronoc::collective::{ExchangeKind, Pattern, Product, ProductKind};
use metronoc::id::NodeId;
use metronoc::lower::swapped_dragonfly::product::PRODUCT_CYCLES;
use metronoc::lower::swapped_dragonfly::{lower_all_to_all, lower_exchange, lower_hosted, lower_product, lower_stream};
use metronoc::lower::{Images, LowerError, Programmed, lower_pops};
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::schedule::pops;
use metronoc::schedule::swapped_dragonfly::{AllToAllRequest, broadcast, exchange, product, schedule_all_to_all};
use metronoc::spec::pops::PopsAlgorithm;
use metronoc::spec::{NetworkSpec, Operator, Spec};
use metronoc::topology::swapped_dragonfly::Group;
use metronoc::topology::{Pops, SwappedDragonfly};

const HOP: HopLatency = HopLatency { local: 1, global: 1 };

fn spec(k: u32, m: u32, more: &str) -> Spec {
    let text = format!(
        "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n{more}\n[router]\npayload_bits = 16\n"
    );
    Spec::parse("s.toml", &text).expect("a specification")
}

/// Flips every bit of every image: how many are found, how many stand where nothing reads them.
fn flips(hardware: &impl Programmed) -> [usize; 2] {
    let images = hardware.images();
    assert_eq!(&hardware.read(&images).expect("its own images"), hardware.read_back());
    let mut counts = [0; 2];
    for (name, text) in images.iter() {
        for row in 0..text.lines().count() {
            let digits = text.lines().next().map_or(0, str::len);
            for bit in 0..4 * digits {
                let flip = |(number, line): (usize, &str)| {
                    let mut digits: Vec<u32> = line.chars().map(|c| c.to_digit(16).unwrap()).collect();
                    let at = digits.len() - 1 - bit / 4;
                    digits[at] ^= u32::from(number == row) << (bit % 4);
                    digits.into_iter().map(|d| char::from_digit(d, 16).unwrap()).chain(['\n']).collect::<String>()
                };
                let flipped: String = text.lines().enumerate().map(flip).collect();
                let other = |(other, text): (&str, &str)| {
                    (other.to_owned(), if other == name { flipped.clone() } else { text.to_owned() })
                };
                let changed: Images = images.iter().map(other).collect();
                match hardware.read(&changed) {
                    Ok(read) => {
                        assert!(&read == hardware.read_back(), "{name}, row {row}, bit {bit} makes another program");
                        counts[1] += 1;
                    }
                    Err(LowerError::Image { .. }) => counts[0] += 1,
                    Err(error) => panic!("{name}, row {row}, bit {bit}: {error}"),
                }
            }
        }
    }
    counts
}

/// The image and row that are named for a change.
fn named(hardware: &impl Programmed, name: &str, row: usize, bit: usize) -> (String, usize) {
    let images = hardware.images();
    let change = |(other, text): (&str, &str)| {
        let line = |(number, line): (usize, &str)| {
            let value = u128::from_str_radix(line, 16).unwrap() ^ u128::from(other == name && number == row) << bit;
            format!("{value:0width$x}\n", width = line.len())
        };
        (other.to_owned(), text.lines().enumerate().map(line).collect::<String>())
    };
    match hardware.read(&images.iter().map(change).collect()).unwrap_err() {
        LowerError::Image { image, row, .. } => (image, row),
        error => panic!("{error}"),
    }
}

#[test]
fn a_flipped_bit_of_an_all_to_all_is_named() {
    let spec = spec(2, 3, "");
    let net = SwappedDragonfly::new(2, 3, Group::Cyclic);
    let made = schedule_all_to_all(&net, &AllToAllRequest::new("best", HOP)).unwrap();
    let lowered = lower_all_to_all(&check_all_to_all(&net, made).unwrap(), &spec).unwrap();
    let [found, unread] = flips(&lowered);
    // fields of entries that are not valid
    assert!(found > unread / 2 && unread > 0, "{found} {unread}");
    let valid = 1 + (lowered.parameters.gamma_bits + lowered.parameters.pi_bits) as usize;
    let row = lowered.program().launches().iter().find(|launch| launch.vector.delta == 1).unwrap().row as usize;
    assert_eq!(named(&lowered, "local_send", row, valid - 1).1, row);
}

#[test]
fn a_flipped_bit_of_a_guest_is_named() {
    let spec = spec(2, 3, "exclude = [[1, 0, 2]]\nbuild = \"host\"");
    let NetworkSpec::SwappedDragonfly(sizes) = &spec.network else { panic!("no Swapped Dragonfly") };
    let net = sizes.guest();
    let made = schedule_all_to_all(&net, &AllToAllRequest::new("best", HOP)).unwrap();
    let embedding = CheckedEmbedding::new(sizes.embeddings()).unwrap().unwrap();
    let lowered = lower_hosted(&check_all_to_all(&net, made).unwrap(), &embedding, &spec).unwrap();
    let [found, unread] = flips(&lowered);
    assert!(found > 0 && unread > 0, "{found} {unread}");
    // the idle tables of the others, too
    assert_eq!(named(&lowered, "global_send", 2, 2), ("global_send".to_owned(), 2));
}

#[test]
fn a_flipped_bit_of_a_stream_is_named() {
    let net = SwappedDragonfly::new(2, 2, Group::Cyclic);
    let request =
        broadcast::BroadcastRequest { algorithm: "depth-3", root: NodeId::new(0), count: 9, hop: HOP, software: 0 };
    let checked = check_stream(&net, broadcast::schedule(&net, &request).unwrap()).unwrap();
    let lowered = lower_stream(&checked, &spec(2, 2, "")).unwrap();
    let [found, unread] = flips(&lowered);
    // numbers in rows without a batch
    assert!(found > unread, "{found} {unread}");
    assert_eq!(named(&lowered, "batches", 1, 0), ("batches".to_owned(), 1));
}

#[test]
fn a_flipped_bit_of_an_exchange_is_named() {
    let net = SwappedDragonfly::new(2, 2, Group::Xor);
    for kind in [ExchangeKind::AllReduce(Operator::Sum), ExchangeKind::PrefixScan(Operator::Min), ExchangeKind::Sort] {
        for algorithm in ["short", "paper", "uniform"] {
            let request = exchange::ExchangeRequest { kind, algorithm, words: 3, operator: 3, hop: HOP };
            let checked = check_exchange(&net, exchange::schedule(&net, &request).unwrap()).unwrap();
            let lowered = lower_exchange(&checked, &spec(2, 2, "group = \"xor\"")).unwrap();
            let [found, unread] = flips(&lowered);
            // numbers that no action needs: dimensions of a move or an all-reduce, stages of all but a sort
            assert!(found > unread, "{algorithm}: {found} {unread}");
            assert_eq!(named(&lowered, "steps", 1, 12), ("steps".to_owned(), 1), "{algorithm}");
        }
    }
}

#[test]
fn a_flipped_bit_of_a_product_is_named() {
    let net = SwappedDragonfly::new(1, 2, Group::Cyclic);
    let kind = ProductKind::VectorMatrix;
    let what = Product { kind, order: 4, element_bits: 16, signed: true, accumulator_bits: 32 };
    let request =
        product::ProductRequest { algorithm: "one-round", kind, block: 2, mac_cycles: PRODUCT_CYCLES, hop: HOP };
    let checked = check_product(&net, product::schedule(&net, &request).unwrap(), what, 1).unwrap();
    let lowered = lower_product(&checked, &spec(1, 2, "")).unwrap();
    let [found, unread] = flips(&lowered);
    // fields that are not on
    assert!(found > 0 && unread > 0, "{found} {unread}");
    assert_eq!(named(&lowered, "router_0_0_1", 0, 0), ("router_0_0_1".to_owned(), 0));
}

#[test]
fn a_flipped_bit_of_a_processor_is_named() {
    let text = "format = 1\n[network]\ntopology = \"pops\"\nd = 2\ng = 2\n[collective]\nkind = \"permutation\"\n\
                pattern = \"identity\"\n";
    let spec = Spec::parse("s.toml", text).unwrap();
    let relation = Relation::Permutation(Pattern::Random { seed: 1 }.permutation(4).unwrap());
    let net = Pops::new(2, 2);
    let made = pops::schedule(net, &relation, &pops::PopsRequest::new(PopsAlgorithm::Theorem)).unwrap();
    let lowered = lower_pops(&check_pops(net, &relation, made).unwrap(), &spec).unwrap();
    let [found, unread] = flips(&lowered);
    // places of what is neither sent nor received, and everything but the place in rows of results
    assert!(found > 0 && unread > 0, "{found} {unread}");
    let hop = lowered.schedule.schedule().hops[0];
    let row = lowered.slot_rows[hop.slot as usize] as usize;
    let group = (lowered.row_bits() - 2 + lowered.frame.network.group(hop.to)) as usize;
    let (image, at) = named(&lowered, &format!("processor_{}", hop.from), row, group);
    assert!(image.starts_with("processor_") && at == row, "{image} {at}");
}
