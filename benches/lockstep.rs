//! How much of the simulator's own speed is left when every cycle is compared: `cargo bench --bench lockstep [COLLECTIVES]`.
//!
//! All rows are measured in one run, of one library, on collectives of D3(4,4) back to back: the yardstick is a loop in
//! C++ that clocks the model and does nothing else.

use metronoc::check::check;
use metronoc::collective::{AllToAll, Dtype};
use metronoc::cosim::{Build, Job, Lockstep, Optimize, Simulator, Sources, Start, Top, Verdict, top_parts};
use metronoc::emit::{Origin, RtlBundle};
use metronoc::lower::lower;
use metronoc::model::{Model, Sections};
use metronoc::schedule::{AllToAllRequest, HopLatency, schedule};
use metronoc::spec::Spec;
use metronoc::tool::{Progress, Tool, ensure};
use metronoc::topology::SwappedDragonfly;
use metronoc::topology::swapped_dragonfly::Group;
use std::error::Error;
use std::rc::Rc;
use std::time::Instant;

const SPEC: &str = "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 4\nm = 4\n\
    [router]\nkind = \"source-vector\"\npayload_bits = 32\n[collective]\nkind = \"all-to-all\"\n";

fn main() -> Result<(), Box<dyn Error>> {
    // cargo hands `--bench` over
    let number = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let collectives: u64 = number.unwrap_or(100_000);
    let spec = Spec::parse("lockstep.toml", SPEC)?;
    let (network, hop) = (SwappedDragonfly::new(4, 4, Group::Cyclic), HopLatency { local: 1, global: 1 });
    let request = AllToAllRequest::new("best", hop);
    let lowered = lower(&check(&network, schedule(&network, &request)?)?, &spec)?;
    let origin = Origin { name: "lockstep".into(), spec_text: SPEC.into(), command: "metronoc generate".into() };
    let sources = Sources::new(RtlBundle::new(&lowered, &origin)?.files());
    let tools = ensure(&[Tool::Verilator], Progress::auto(false))?;
    let parts = top_parts(&lowered)?;
    let begin = Instant::now();
    let built = Build { sources: &sources, parts: &parts, optimize: Optimize::Full, root: None }.run(&tools)?;
    println!("build: {:.1} s{}", begin.elapsed().as_secs_f64(), if built.reused { " (reused)" } else { "" });

    let p = &lowered.parameters;
    let model = Rc::new(Model::new(&lowered)?);
    let data = AllToAll::new(p.tiles, 1, 1).random(Dtype::Uint32, 1)?;
    let words: Vec<u64> = (0..data.words().len()).map(|i| data.words().get(i)).collect();
    let payload = Rc::new(model.payload(&data, 0));
    let mut bare = 0.0;
    for (name, sections) in [
        ("bare C++ loop", None),
        ("nothing compared", Some(None)),
        ("endpoints", Some(Some(Sections::Receives))),
        ("channels", Some(Some(Sections::All))),
    ] {
        let mut top = Top::new(&built, p)?;
        let mut loading = Lockstep::new(&mut top, &model, None);
        loading.queue(Job::Load(words.clone()));
        loading.run()?;
        let start = Start { model: Rc::clone(&model), payloads: vec![Rc::clone(&payload)], count: collectives };
        let before = top.cycle();
        let begin = Instant::now();
        let cycles = match sections {
            None => {
                // the launches go on by themselves once the start is taken
                top.queue(Job::Start(collectives));
                top.run(&[&[][..]; 8], None)?;
                top.clock(collectives * p.pass_cycles());
                collectives * p.pass_cycles() + 8
            }
            Some(sections) => {
                let mut lockstep = Lockstep::new(&mut top, &model, sections);
                lockstep.start(start);
                let verdict = lockstep.run()?;
                assert_eq!(verdict, Verdict::Agreed);
                lockstep.cycle() - before
            }
        };
        let rate = cycles as f64 / begin.elapsed().as_secs_f64();
        if sections.is_none() {
            bare = rate;
        }
        println!("{name:20} {cycles:9} cycles {rate:12.0} cycles/s {:.2}", rate / bare);
    }
    Ok(())
}
