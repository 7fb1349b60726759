//! Template data of exchanges.

use super::{Tile, With, tiles_with};
use crate::collective::{Collective as _, ExchangeKind};
use crate::emit::EmitError;
use crate::emit::image_file;
use crate::emit::images::images;
use crate::emit::verilog::Verilog;
use crate::emit::views::trial::{self, SETS, TrialBench};
use crate::emit::views::{HostView, Origin, TopFile, literal, passed, rendered, timeout};
use crate::lower::Trial;
use crate::lower::bits::BitRow;
use crate::lower::swapped_dragonfly::exchange::IMAGE;
use crate::lower::swapped_dragonfly::{ExchangeLowered, Frame};
use crate::spec::Operator;
use crate::topology::swapped_dragonfly::RouterAddress;
use askama::Template;

#[derive(Template)]
#[template(path = "gen/mn_exchange_network.v", escape = "none")]
struct NetworkFile<'a> {
    header: &'a str,
    p: &'a Frame,
    what: &'static str,
    parameters: String,
    /// Tiles, each with the node that is there while nodes are swapped.
    tiles: Vec<With<u32>>,
}

/// The parameters that all tiles share.
fn parameters(lowered: &ExchangeLowered) -> String {
    let p = &lowered.frame;
    let op = match lowered.kind.operator() {
        None | Some(Operator::Sum) => 0,
        Some(Operator::Min) => 1,
        Some(Operator::Max) => 2,
        Some(Operator::Xor) => 3,
    };
    let list = [
        ("K", p.k),
        ("M", p.m),
        ("DW", p.data_bits),
        ("PARITY", u32::from(p.parity)),
        ("LOG", u32::from(p.error_log)),
        ("TB", p.tile_bits),
        ("WORDS", lowered.program.words),
        ("LOCAL_STAGES", p.local_stages),
        ("GLOBAL_STAGES", p.global_stages),
        ("SCAN", u32::from(matches!(lowered.kind, ExchangeKind::PrefixScan(_)))),
        ("OP", op),
        ("HOPS", lowered.hops),
        ("STAY", lowered.stay.into()),
        ("DEPTH", lowered.depth),
        ("STEPS", lowered.rows.len() as u32),
        ("LB", lowered.length_bits as u32),
    ];
    let mut arrive = BitRow::zero(lowered.depth as usize + 1);
    lowered.ways.iter().for_each(|&cycles| arrive.set(cycles as usize, 1, 1));
    let program = lowered.counters.as_ref().map_or(format!(".FILE(\"{}\")", image_file(IMAGE)), |counters| {
        let kind = match lowered.kind {
            ExchangeKind::AllReduce(_) => 0,
            ExchangeKind::PrefixScan(_) => 1,
            ExchangeKind::Sort => 2,
        };
        let bits = lowered.length_bits;
        let mut lengths = BitRow::zero(counters.lengths.len() * bits);
        counters.lengths.iter().enumerate().for_each(|(i, &length)| lengths.set(i * bits, bits, length));
        let (paths, lengths) = (counters.paths as u32, literal(&lengths));
        format!(".COUNTER(1), .FAMILY({paths}), .KIND({kind}), .LENGTHS({lengths})")
    });
    format!("{}, .ARRIVE({}),\n        {program}", passed(&list), literal(&arrive))
}

impl Verilog for ExchangeLowered {
    fn title(&self) -> String {
        title(self)
    }

    fn parity(&self) -> bool {
        self.frame.parity
    }

    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError> {
        let mut files = render(self, origin)?;
        if self.counters.is_none() {
            files.extend(images(self));
        }
        Ok(files)
    }
}

/// Title of an exchange: kind, network and schedule.
fn title(lowered: &ExchangeLowered) -> String {
    let p = &lowered.frame;
    format!(
        "{}{} of {} words a node on {}, {}-bit words, schedule {}",
        lowered.kind.name(),
        lowered.kind.operator().map_or(String::new(), |op| format!(" ({})", op.name())),
        lowered.program.words,
        p.name(),
        p.data_bits,
        lowered.algorithm
    )
}

/// A trial on random words.
fn trial(lowered: &ExchangeLowered, seed: u32) -> Trial {
    let traffic = lowered.traffic();
    let words = traffic.filling(lowered.frame.data_bits, seed.into());
    let given = words.to_vec();
    let loads = (0..).zip(given.chunks(lowered.program.words as usize).map(<[u64]>::to_vec));
    Trial::new(loads, given.len(), traffic.expected(&words).to_vec().into_iter().enumerate())
}

/// Renders every file that depends on the network's shape.
fn render(lowered: &ExchangeLowered, origin: &Origin) -> Result<Vec<(String, String)>, askama::Error> {
    let header = crate::emit::views::header(origin);
    let (header, p) = (header.as_str(), &lowered.frame);
    let away = |tile: &Tile| {
        let RouterAddress { c, d, p: at } = p.network.address(tile.node.into());
        p.network.node(RouterAddress { c, d: at, p: d }).get()
    };
    let network = NetworkFile {
        header,
        p,
        what: lowered.kind.name(),
        parameters: parameters(lowered),
        tiles: tiles_with(p, away),
    };
    let all = u64::from(lowered.program.words) * u64::from(p.tiles);
    let host = HostView {
        pass: lowered.pass_cycles.into(),
        loads: all,
        set: lowered.program.words.into(),
        double: 0,
        loadable: false,
        live: false,
    };
    let timeout = timeout(p, SETS, 4 * all, lowered.pass_cycles.into());
    let (title, results) = (title(lowered), lowered.program.words);
    let bench = TrialBench { header, what: &title, p, loads: all as u32, results, sets: SETS, timeout };
    let top = TopFile { header, title: &title, p, host };
    let mut files = rendered(&network, &top, &bench)?;
    files.extend(trial::files(p.data_bits, (1..=SETS).map(|seed| trial(lowered, seed))));
    Ok(files)
}
