//! Template data of a network of slot tables whose tiles have streams of their own.

use super::node::Tile;
use crate::collective::Collective;
use crate::emit::EmitError;
use crate::lower::Ring;
use crate::lower::bits::BitRow;
use crate::lower::slot_table::{SlotTableLowered, TilePorts};
use askama::Template;

/// Collectives of the test bench.
const SETS: u32 = 4;
/// Words after which the smallest queue of results takes no more: its places and output registers.
const FILLING: u32 = 18;
/// Words after which the smallest queue to a core's own clock takes no more.
const FILLING_CLOCK: u32 = 17;

#[derive(Template)]
#[template(path = "gen/mn_port_top.v", escape = "none")]
struct TopFile<'a> {
    header: &'a str,
    title: &'a str,
    p: &'a Ring,
    port: &'a TilePorts,
    tiles: &'a [Tile],
}

#[derive(Template)]
#[template(path = "gen/mn_port_tb.v", escape = "none")]
struct BenchFile<'a> {
    header: &'a str,
    title: &'a str,
    p: &'a Ring,
    port: &'a TilePorts,
    tiles: &'a [Tile],
    sets: u32,
    seed: u32,
    /// Words that the core with the most sends and gets, at least 1.
    most_given: u32,
    most_results: u32,
    /// Words of each core, highest tile first.
    given: String,
    results: String,
    fill: u32,
    timeout: u64,
    /// Text before and behind the names of the clock and reset of core `i`.
    core: &'static str,
    bit: &'static str,
}

/// The top, its test bench and the words of the bench.
pub(super) fn files(
    lowered: &SlotTableLowered,
    port: &TilePorts,
    tiles: &[Tile],
    collective: &dyn Collective,
    [header, title]: [&str; 2],
) -> Result<Vec<(String, String)>, EmitError> {
    let p = &lowered.frame.ring;
    let counts = |of: fn(&Tile) -> u32| tiles.iter().map(of).collect::<Vec<u32>>();
    let [given, results] = [counts(|tile| tile.given), counts(|tile| tile.results)];
    let most = |counts: &[u32]| counts.iter().copied().max().unwrap_or(0).max(1);
    let listed = |counts: &[u32]| {
        let items: Vec<String> = counts.iter().rev().map(|count| format!("32'd{count}")).collect();
        items.chunks(16).map(|line| line.join(", ")).collect::<Vec<_>>().join(",\n        ")
    };
    let least_results = results.iter().copied().filter(|&results| results > 0).min().unwrap_or(1);
    let (most_given, most_results) = (most(&given), most(&results));
    let top = TopFile { header, title, p, port, tiles };
    let each = u64::from(port.least_period) + u64::from(port.period.unwrap_or(0));
    let slow = if port.own_clocks { 2 } else { 1 };
    let timeout = slow * u64::from(SETS) * (16 * each + 2000);
    let filling = FILLING + if port.own_clocks { FILLING_CLOCK } else { 0 };
    let (core, bit) = if port.own_clocks { ("core_", "[i]") } else { ("", "") };
    let bench = BenchFile {
        header,
        title,
        p,
        port,
        tiles,
        sets: SETS,
        seed: 2_463_534_242,
        most_given,
        most_results,
        given: listed(&given),
        results: listed(&results),
        fill: filling / least_results + 4,
        timeout,
        core,
        bit,
    };
    let [loads, expects] = words(lowered, port, collective, [most_given, most_results])?;
    // the template engine drops a file's last line end
    Ok(vec![
        ("rtl/mn_top.v".into(), top.render()? + "\n"),
        ("tb/mn_tb.v".into(), bench.render()? + "\n"),
        ("tb/loads.hex".into(), loads),
        ("tb/expects.hex".into(), expects),
    ])
}

/// Words that cores send, each below its destination, and get, each below its source: so many lines a tile and collective.
fn words(
    lowered: &SlotTableLowered,
    port: &TilePorts,
    collective: &dyn Collective,
    most: [u32; 2],
) -> Result<[String; 2], EmitError> {
    let bits = lowered.frame.data_bits as usize;
    let mut text = [String::new(), String::new()];
    let line = |tag: u32, word: u64| {
        let mut row = BitRow::zero(32 + bits);
        row.set(bits, 32, tag);
        row.set_word(0, bits, word);
        row.to_hex() + "\n"
    };
    for seed in 1..=SETS {
        let trial = lowered.trial(collective, seed.into())?;
        let mut loads = vec![Vec::new(); lowered.nodes.len()];
        trial.loads.iter().for_each(|&(tile, word)| loads[tile as usize].push(word));
        let wants: Vec<Vec<u64>> =
            trial.wants.chunks(lowered.results as usize).map(|tile| tile.iter().flatten().copied().collect()).collect();
        for (side, (words, tags)) in [(loads, &port.dests), (wants, &port.sources)].into_iter().enumerate() {
            for (tile, words) in words.iter().enumerate() {
                let tag = |at: usize| tags.as_ref().and_then(|tags| tags[tile].get(at).copied()).unwrap_or(0);
                let lines = words.iter().enumerate().map(|(at, &word)| line(tag(at), word));
                let padding = std::iter::repeat_with(|| line(0, 0)).take(most[side] as usize - words.len());
                text[side].extend(lines.chain(padding));
            }
        }
    }
    Ok(text)
}
