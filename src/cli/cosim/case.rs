//! What is simulated, collective by collective: data, model, hardware, and what must come out.

use super::Args;
use crate::cli::pipeline::{self, Checked, Stream, Work, filling};
use crate::cli::pops::PopsWork;
use crate::cli::product_hardware::Hardware;
use crate::cli::{CliError, Context, Exit};
use crate::collective::{Broadcast, Data, Delivery, Exchange, Operands, Words};
use crate::cosim::wiring::{self, WiringProof};
use crate::cosim::{
    Built, CosimError, Form, Interface, Parts, Session, Simulator, Sources, TileForm, TileInterface, Top,
    exchange_parts, pops_parts, product_parts, stream_parts, tile_form, top_parts,
};
use crate::id::NodeId;
use crate::interrupt::Temporary;
use crate::lower::{ExchangeLowered, Fabric, Lowered, PopsLowered, StreamLowered};
use crate::model::{Model, ModelError, Sections};
use crate::spec::Spec;
use crate::tool::{self, Progress, Tool};
use crate::topology::Topology;
use camino::Utf8PathBuf;
use std::rc::Rc;

/// A specification with its data, ready to be simulated.
pub(super) struct Case {
    run: Run,
    model: Rc<Model>,
    sources: Sources,
    expected: Vec<u64>,
}

enum Run {
    AllToAll {
        checked: Box<Checked>,
        lowered: Box<Lowered>,
        data: Data,
    },
    Stream {
        stream: Box<Stream>,
        lowered: Box<StreamLowered>,
        traffic: Broadcast,
        words: Words,
    },
    Exchange(Box<ExchangeRun>),
    /// With the operands of each network.
    Product {
        spec: Box<Spec>,
        hardware: Box<Hardware>,
        operands: Vec<Operands>,
    },
    Pops(Box<PopsRun>),
}

struct PopsRun {
    work: PopsWork,
    lowered: PopsLowered,
    delivery: Delivery,
    data: Words,
}

struct ExchangeRun {
    exchange: pipeline::Exchange,
    lowered: ExchangeLowered,
    traffic: Exchange,
    words: Words,
    results: Words,
}

/// Most words that are received in all: 1 GiB of 64 bits each.
const MAX_RECEIVED: u64 = 1 << 27;

/// What is to be received is held in memory, so there is a limit.
fn received_at_most(spec: &Spec, factors: [u64; 3]) -> Result<(), CliError> {
    let words = factors.into_iter().fold(1_u64, u64::saturating_mul);
    if words <= MAX_RECEIVED {
        return Ok(());
    }
    let message = format!("{words} words would be received, and a co-simulation holds at most {MAX_RECEIVED}");
    let help = "take a smaller network, fewer words, or fewer `--collectives`";
    let diagnostic = Box::new(spec.diagnostic("collective.kind", message, help));
    Err(CliError::AtSpec { exit: Exit::Infeasible, diagnostic })
}

impl Case {
    /// Reads the data of a specification, and makes the hardware.
    ///
    /// # Errors
    /// If one of them cannot be used.
    pub(super) fn new(spec: Spec, args: &Args, context: &Context) -> Result<Self, CliError> {
        let conflict = |error: ModelError| CliError::Internal(error.to_string());
        let work = pipeline::work_of(spec, &args.spec, context)?;
        args.fits(&work)?;
        crate::cli::embedding::tell_of_others(work.spec(), context);
        match work {
            Work::AllToAll(checked) => {
                let lowered = checked.lowered()?;
                let data = checked.data(args.data.as_deref())?;
                let sources =
                    args.sources_of(&lowered, context, || pipeline::emitted(&checked, &lowered, &args.spec))?;
                let model = Rc::new(Model::new(&lowered).map_err(conflict)?);
                let expected = data.expected().words().to_vec();
                let run = Run::AllToAll { checked: Box::new(checked), lowered: Box::new(lowered), data };
                Ok(Self { run, model, sources, expected })
            }
            Work::Stream(stream) => {
                let lowered = stream.lowered()?;
                let bits = stream.spec.router.payload_bits;
                let p = &lowered.frame;
                let traffic = Broadcast::new(p.network.nodes() as u32, stream.collective.count);
                let traffic = traffic.in_networks(p.networks() as u32);
                let received = [traffic.nodes().into(), traffic.count().into(), p.networks() as u64];
                received_at_most(&stream.spec, received)?;
                let words = match &args.data {
                    Some(path) => traffic.read(path, bits)?,
                    None => traffic.random(filling(bits)?, stream.spec.schedule.seed),
                };
                let sources = args.sources_of(&lowered, context, || stream.emitted(&lowered, &args.spec))?;
                let model = Rc::new(Model::new(&lowered).map_err(conflict)?);
                let expected = traffic.expected(&words).to_vec();
                let run = Run::Stream { stream: Box::new(stream), lowered: Box::new(lowered), traffic, words };
                Ok(Self { run, model, sources, expected })
            }
            Work::Exchange(exchange) => {
                let lowered = exchange.lowered()?;
                let bits = exchange.spec.router.payload_bits;
                let traffic = lowered.traffic();
                let nodes = (traffic.nodes() * lowered.frame.networks()) as u64;
                received_at_most(&exchange.spec, [nodes, traffic.words() as u64, args.collectives()])?;
                let words = match &args.data {
                    Some(path) => traffic.read(path, bits)?,
                    None => traffic.random(filling(bits)?, exchange.spec.schedule.seed),
                };
                let sources = args.sources_of(&lowered, context, || exchange.emitted(&lowered, &args.spec))?;
                let model = Rc::new(Model::new(&lowered).map_err(conflict)?);
                // the result is that of the last collective; if no number is asked for, that of the first, and the others check
                let results = traffic.expected_after(args.collectives.unwrap_or(1), &words);
                let expected = match args.collectives {
                    Some(_) => results.to_vec(),
                    None => (1..=args.collectives()).flat_map(|n| traffic.expected_after(n, &words).to_vec()).collect(),
                };
                let run = Run::Exchange(Box::new(ExchangeRun { exchange, lowered, traffic, words, results }));
                Ok(Self { run, model, sources, expected })
            }
            Work::Pops(work) => {
                let lowered = work.lowered()?;
                let elements = work.schedule.relation().elements(lowered.frame.tiles).len() as u64;
                let elements = elements.max(lowered.frame.tiles.into());
                received_at_most(&work.spec, [elements, lowered.frame.slot_cycles.into(), args.collectives()])?;
                let (delivery, data) = work.data(&lowered, args.data.as_deref())?;
                let sources = args.sources_of(&lowered, context, || work.emitted(&lowered, &args.spec))?;
                let model = Rc::new(Model::new(&lowered).map_err(conflict)?);
                // every collective is loaded and read out
                let expected = delivery.expected(&data).to_vec().repeat(args.collectives() as usize);
                Ok(Self {
                    run: Run::Pops(Box::new(PopsRun { work, lowered, delivery, data })),
                    model,
                    sources,
                    expected,
                })
            }
            Work::Product(work) => {
                let hardware = work.hardware(context)?;
                let networks = hardware.lowered.frame.networks();
                let operands = work.factors(networks, args.a.as_deref(), args.b.as_deref())?;
                let sources =
                    args.sources_of(&hardware.lowered, context, || work.emitted(&hardware.lowered, &args.spec))?;
                let model = Rc::new(Model::new(&hardware.lowered).map_err(conflict)?);
                let expected =
                    operands.iter().flat_map(|operands| hardware.lowered.product.expected(operands)).collect();
                let run = Run::Product { spec: Box::new(work.spec), hardware: Box::new(hardware), operands };
                Ok(Self { run, model, sources, expected })
            }
        }
    }

    /// The sizes of the hardware.
    pub(super) fn fabric(&self) -> &Fabric {
        self.model.fabric()
    }

    /// The emitted files, or the user's changed ones.
    pub(super) fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Number of words that are loaded.
    pub(super) fn loaded(&self) -> usize {
        match &self.run {
            Run::AllToAll { data, .. } => data.words().len(),
            Run::Stream { words, .. } => words.len(),
            Run::Exchange(run) => run.words.len(),
            Run::Product { hardware, .. } => (hardware.lowered.shape.loads() * hardware.lowered.frame.tiles) as usize,
            Run::Pops(run) => run.data.len(),
        }
    }

    /// What was received, from the words that were read out.
    pub(super) fn received(&self, words: Vec<u64>) -> Vec<u64> {
        match &self.run {
            Run::Product { hardware, .. } => {
                let lowered = &hardware.lowered;
                let each = words.chunks((words.len() / lowered.frame.networks()).max(1));
                each.flat_map(|words| lowered.results(words).unwrap_or_default()).collect()
            }
            _ => words,
        }
    }

    /// A line on how long a collective takes: as scheduled, which the hardware keeps to where every channel is compared.
    pub(super) fn remark(&self) -> String {
        match &self.run {
            Run::Product { hardware, .. } => hardware.cycles(),
            Run::Pops(run) => run.work.cycles(&run.lowered),
            _ => {
                format!("{}: {} cycles from the first channel to the last", self.algorithm(), self.collective_cycles())
            }
        }
    }

    /// What must be received, by the collective's own oracle.
    pub(super) fn expected(&self) -> &[u64] {
        &self.expected
    }

    /// The same as an .npy file.
    pub(super) fn expected_npy(&self) -> Vec<u8> {
        match &self.run {
            Run::AllToAll { data, .. } => data.expected().to_npy(),
            Run::Stream { traffic, words, .. } => traffic.to_npy(&traffic.expected(words)),
            Run::Exchange(run) => run.traffic.to_npy(&run.results),
            Run::Product { hardware, .. } => hardware.lowered.product.to_npy(&self.expected),
            Run::Pops(run) => run.delivery.to_npy(&run.delivery.expected(&run.data)),
        }
    }

    /// Who receives a word of these, and which word it is.
    pub(super) fn word(&self, index: usize) -> (String, String) {
        let nodes = self.fabric().tiles as usize;
        let label = |node: NodeId| match self.fabric() {
            Fabric::SwappedDragonfly(frame) => format!("router {}", frame.label(node.index())),
            Fabric::Pops(_) => format!("processor {}", node.get()),
        };
        let node = |i: usize| label((i % nodes).into());
        match &self.run {
            Run::AllToAll { data, lowered, .. } => {
                let words = data.traffic().words() as usize;
                let nodes = data.traffic().nodes() as usize;
                let (word, mut repetition) = (index % words, index / words / nodes / nodes);
                let mut members: Vec<NodeId> = (0..nodes).map(NodeId::from).collect();
                if let Some(guests) = &lowered.guests {
                    let networks = guests.embeddings().len();
                    members = guests.members(repetition % networks);
                    repetition /= networks;
                }
                let [sender, receiver] = [index / words, index / words / nodes].map(|i| label(members[i % nodes]));
                (receiver, format!("word {word} from {sender}, repetition {repetition}"))
            }
            Run::Stream { traffic, .. } => {
                let count = traffic.count() as usize;
                (node(index / count), format!("word {}", index % count))
            }
            Run::Exchange(run) => {
                let count = run.traffic.words();
                (node(index / count), format!("word {}", index % count))
            }
            Run::Product { hardware, .. } => hardware.element(index),
            Run::Pops(run) => self.packet_word(run, index),
        }
    }

    fn packet_word(&self, run: &PopsRun, index: usize) -> (String, String) {
        let (words, all) = (run.delivery.words(), run.lowered.result_places().len());
        let (processor, what) = run.delivery.received(index % all / words);
        (format!("processor {processor}"), format!("word {} {what}", index % words))
    }

    /// What tiles are called.
    pub(super) fn nodes(&self) -> &'static str {
        match self.fabric() {
            Fabric::SwappedDragonfly(_) => "routers",
            Fabric::Pops(_) => "processors",
        }
    }

    /// The name of the schedule's algorithm.
    pub(super) fn algorithm(&self) -> &str {
        match &self.run {
            Run::AllToAll { lowered, .. } => &lowered.algorithm,
            Run::Stream { lowered, .. } => &lowered.algorithm,
            Run::Exchange(run) => run.lowered.algorithm,
            Run::Product { hardware, .. } => hardware.lowered.schedule.algorithm,
            Run::Pops(run) => run.lowered.schedule.schedule().algorithm,
        }
    }

    /// Cycles after which a pass can begin again.
    pub(super) fn period(&self) -> u32 {
        match &self.run {
            Run::AllToAll { lowered, .. } => lowered.parameters.rows,
            Run::Stream { lowered, .. } => lowered.pass_cycles,
            Run::Exchange(run) => run.lowered.pass_cycles,
            Run::Product { hardware, .. } => hardware.lowered.pass_cycles,
            Run::Pops(run) => run.lowered.pass_cycles,
        }
    }

    /// Cycles of one collective, from its first channel to its last.
    pub(super) fn collective_cycles(&self) -> u32 {
        match &self.run {
            Run::AllToAll { checked, .. } => checked.schedule.cycles(),
            Run::Stream { stream, .. } => stream.schedule.cycles(),
            Run::Exchange(run) => run.exchange.schedule.cycles(),
            Run::Product { hardware, .. } => hardware.schedule.cycles(),
            Run::Pops(run) => run.lowered.cycles(),
        }
    }

    /// Cycles of all repetitions of the collective.
    pub(super) fn busy_cycles(&self) -> u64 {
        let repeat = match &self.run {
            Run::AllToAll { checked, .. } => checked.collective.repeat,
            _ => 1,
        };
        u64::from(repeat) * self.model.interval()
    }

    /// The session that loads, runs and drains it.
    pub(super) fn session(&self, sections: Option<Sections>, args: &Args) -> Session {
        let collectives = args.collectives();
        match &self.run {
            Run::AllToAll { data, .. } => Session::all_to_all(&self.model, data, sections, collectives),
            Run::Stream { traffic, words, .. } => Session::of(&self.model, traffic, words, sections, collectives),
            Run::Exchange(run) => {
                let session = Session::exchange(&self.model, &run.traffic, &run.words, sections, collectives);
                if args.collectives.is_none() { session.read_each() } else { session }
            }
            Run::Product { hardware, operands, .. } => {
                let load = operands.iter().flat_map(|operands| hardware.lowered.loads(operands)).collect();
                let payload = self.model.product(operands);
                Session::product(&self.model, load, payload, sections, collectives)
            }
            Run::Pops(run) => {
                let load = run.lowered.loads_of_each(&run.data.to_vec()).concat();
                let payload = self.model.payload(&run.delivery, &run.data, 0);
                Session::packets(&self.model, load, payload, sections, collectives)
            }
        }
    }

    /// The most tiles for which "auto" simulates the whole top: the C++ of larger ones takes minutes to compile.
    pub(super) fn most_top_tiles(&self) -> u32 {
        match &self.run {
            Run::Product { .. } => 8,
            _ => 64,
        }
    }

    /// Whether there is a tile form.
    ///
    /// # Errors
    /// If there is none.
    pub(super) fn tile_form(&self) -> Result<(), CliError> {
        let (spec, key, message) = match &self.run {
            Run::AllToAll { checked, lowered, .. } if lowered.guests.is_some() => {
                let message = "networks inside a host have no tile form: programs differ from tile to tile";
                (&checked.spec, "network.build", message)
            }
            Run::Product { spec, hardware, .. } if hardware.lowered.frame.networks() > 1 => {
                let message = "several networks have no tile form: each tile has its neighbours in its own";
                (&**spec, "network.build", message)
            }
            Run::AllToAll { .. } | Run::Product { .. } => return Ok(()),
            Run::Stream { stream, .. } => {
                (&stream.spec, "collective.kind", "a stream has no tile form: its tiles differ")
            }
            Run::Pops(run) => (&run.work.spec, "network.topology", "POPS has no tile form: couplers are no tiles"),
            Run::Exchange(run) => {
                (&run.exchange.spec, "collective.kind", "exchanges have no tile form: each tile knows its own node")
            }
        };
        let diagnostic = spec.diagnostic(key, message, "take `--form top`");
        Err(CliError::AtSpec { exit: Exit::Usage, diagnostic: Box::new(diagnostic) })
    }

    /// What a form adds to the Verilog.
    ///
    /// # Errors
    /// Only by a defect of metronoc.
    pub(super) fn parts(&self, form: Form) -> Result<Parts, CosimError> {
        Ok(match (&self.run, form) {
            (Run::AllToAll { lowered, .. }, Form::Top) => top_parts(lowered)?,
            (Run::AllToAll { lowered, .. }, Form::Tile) => tile_form::parts(lowered)?,
            (Run::Stream { lowered, .. }, _) => stream_parts(lowered)?,
            (Run::Exchange(run), _) => exchange_parts(&run.lowered)?,
            (Run::Pops(run), _) => pops_parts(&run.lowered)?,
            (Run::Product { hardware, .. }, Form::Top) => product_parts(&hardware.lowered)?,
            (Run::Product { hardware, .. }, Form::Tile) => tile_form::product_parts(&hardware.lowered)?,
        })
    }

    /// Loads what was built.
    ///
    /// # Errors
    /// If it is no simulator of this network.
    pub(super) fn simulator(&self, built: &Built, form: Form) -> Result<Box<dyn Simulator>, CosimError> {
        Ok(match (&self.run, form) {
            (Run::AllToAll { lowered, .. }, Form::Top) => Box::new(Top::new(built, &lowered.parameters)?),
            (Run::AllToAll { lowered, .. }, Form::Tile) => Box::new(TileForm::new(built, &lowered.parameters)?),
            (Run::Stream { lowered, .. }, _) => Box::new(Top::new(built, Interface::from(&**lowered))?),
            (Run::Exchange(run), _) => Box::new(Top::new(built, &run.lowered)?),
            (Run::Pops(run), _) => Box::new(Top::new(built, &run.lowered)?),
            (Run::Product { hardware, .. }, Form::Top) => {
                Box::new(Top::new(built, Interface::from(&hardware.lowered))?)
            }
            (Run::Product { hardware, .. }, Form::Tile) => {
                Box::new(TileForm::new(built, TileInterface::product(&hardware.lowered, &self.sources)?)?)
            }
        })
    }

    /// Proves the wiring of the top, for the tile form.
    ///
    /// # Errors
    /// If tools fail, or the top connects its tiles otherwise than the network does.
    pub(super) fn prove(&self, progress: Progress) -> Result<Option<WiringProof>, CliError> {
        let Run::AllToAll { lowered, .. } = &self.run else {
            return Ok(None);
        };
        let tools = tool::ensure(&[Tool::Yosys], progress)?;
        let step = progress.step(&format!("proving the wiring of {} routers", lowered.parameters.tiles));
        let failed =
            |error: std::io::Error| CliError::failed(Exit::Io, error.to_string(), "set TMPDIR to another folder");
        let folder = Temporary::for_work("wiring").map_err(failed)?;
        let work = Utf8PathBuf::try_from(folder.path().to_owned()).map_err(|error| failed(error.into_io_error()))?;
        let proof = wiring::prove(self.sources.files(), &lowered.parameters, lowered.placement, &tools, &work)?;
        step.done();
        Ok(Some(proof))
    }
}
