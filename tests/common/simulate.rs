//! Whole collectives in the tile form, in lockstep with the model.

use super::Emitted;
use metronoc::collective::{AllToAll, Collective, Dtype, Words};
use metronoc::cosim::{Build, Optimize, Outcome, Simulator, Sources, TileForm, tile_form};
use metronoc::family::{Hardware, Runs};
use metronoc::model::{Model, Sections};
use metronoc::tool::{self, Progress, Tool, ToolSet};
use std::rc::Rc;
use std::sync::LazyLock;

static TOOLS: LazyLock<ToolSet> =
    LazyLock::new(|| tool::ensure(&[Tool::Verilator], Progress::Silent).expect("Verilator can be made ready"));

/// Random data for a network.
pub fn data(emitted: &Emitted, repeat: u32) -> (AllToAll, Words) {
    let p = &emitted.lowered.parameters;
    let traffic = AllToAll::new(p.tiles, p.words, repeat);
    (traffic, traffic.random(Dtype::filling(p.data_bits).expect("a width"), 5).expect("small"))
}

/// The simulator of a network.
pub fn simulator(emitted: &Emitted, optimize: Optimize) -> TileForm {
    let parts = tile_form::source_vector_parts(&emitted.lowered).expect("it has a tile form");
    let sources = Sources::new(emitted.files());
    let built = Build { sources: &sources, parts: &parts, optimize, root: None }.run(&TOOLS).expect("it builds");
    TileForm::new(&built, &emitted.lowered.parameters).expect("it loads")
}

/// Collectives of a network's data, each run so many times, with every channel compared.
pub fn collectives(emitted: &Emitted, (traffic, words): &(AllToAll, Words), times: u64) -> Outcome {
    let model = Rc::new(Model::new(&emitted.lowered).expect("no conflict"));
    let runs = Runs { sections: Some(Sections::All), collectives: times, asked: true };
    let session = emitted.lowered.session(&model, traffic, words, runs);
    session.run(&mut simulator(emitted, Optimize::Least) as &mut dyn Simulator).expect("it runs")
}
