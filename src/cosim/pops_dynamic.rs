//! POPS without a schedule: the verilated network under traffic, in lockstep with its model, and every packet accounted for.

use super::CosimError;
use super::build::{Built, Parts};
use super::loaded::Loaded;
use crate::collective::pops::{Figures, Generator, Heard, Loss, Traffic};
use crate::lower::PopsDynamic;
use crate::model::Sections;
use crate::model::pops_dynamic::{DynamicLayout, Place};
use crate::model::pops_traffic::{Account, Driven, Event};
use std::ffi::c_void;
use std::fmt;

/// Cycles that are run at once.
const BATCH: u64 = 1024;
/// Events that are taken at once.
const EVENTS: usize = 4096;

/// Additions of the form to the Verilog: shim, visible signals and sizes.
pub fn dynamic_parts(p: &PopsDynamic) -> Parts {
    let beside = [
        ("observe.vlt", include_str!("../../sim/observe_dynamic.vlt")),
        ("shim.cpp", include_str!("../../sim/shim_dynamic.cpp")),
    ];
    let defines = [
        ("MN_D", p.network.d()),
        ("MN_G", p.network.g()),
        ("MN_W", p.data_bits),
        ("MN_L", p.words),
        ("MN_DB", p.index_bits()),
        ("MN_GB", p.group_bits()),
    ];
    Parts {
        top: "mn_top",
        beside: beside.map(|(name, text)| (name, text.to_owned())).into(),
        without: &[],
        parameters: Vec::new(),
        defines: defines.map(|(name, value)| (name, value as usize)).into(),
    }
}

/// Failure of the hardware in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// Hardware and model differ.
    Differs {
        /// The cycle since the end of reset.
        cycle: u64,
        /// Place of the difference.
        place: Place,
        /// Words of the model.
        expected: Vec<u64>,
        /// Words of the hardware.
        found: Vec<u64>,
    },
    /// A packet is not where it should be.
    Loss(Loss),
    /// The Verilog ended the simulation.
    Stopped(String),
    /// `fault_o` says that a stream broke its contract, and none did, or the other way round.
    Fault,
}

/// The first packet of a processor, which breaks the contract of its stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Broken {
    /// The processor.
    pub processor: u32,
    /// Kind of breach.
    pub breach: Breach,
}

/// Breach of the contract of a stream in, see `mn_pops_queue_port`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// TLAST is low with the last word.
    NoLast,
    /// TLAST is high with the first word, which is not the last.
    EarlyLast,
    /// TDEST is this name, which no processor has: a packet before the first, which is dropped.
    Nowhere(u32),
}

impl Breach {
    /// All that there are on a network: a name for each part of it, group and place in the group, that can be too high.
    pub fn all(p: &PopsDynamic) -> Vec<Self> {
        let (index_bits, [d, g]) = (p.index_bits(), [p.network.d(), p.network.g()]);
        let mut all = vec![Self::NoLast];
        all.extend((p.words > 1).then_some(Self::EarlyLast));
        all.extend((d < 1 << index_bits).then_some(Self::Nowhere(d)));
        all.extend((g < 1 << p.group_bits()).then_some(Self::Nowhere(g << index_bits)));
        all
    }

    /// Number in the shim.
    fn code(self) -> u32 {
        match self {
            Self::NoLast => 1,
            Self::EarlyLast => 2,
            Self::Nowhere(_) => 3,
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLast => f.write_str("TLAST is low with the last word of its first packet"),
            Self::EarlyLast => f.write_str("TLAST is high with the first word of its first packet"),
            Self::Nowhere(name) => write!(f, "TDEST of its first packet is {name}, which no processor has"),
        }
    }
}

/// Result of a run: counts of cycles, words and packets, and the measured figures.
#[derive(Debug, Clone, PartialEq)]
pub struct DynamicRun {
    /// Cycles that were run.
    pub cycles: u64,
    /// Words that were compared.
    pub compared: u64,
    /// Packets that went in, and that came out.
    pub packets: [u64; 2],
    /// Figures measured at the load, or the failure of the hardware.
    pub figures: Result<Figures, Trouble>,
}

/// Event in the form that the shim writes.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
struct RawEvent {
    cycle: u64,
    word: u64,
    kind: u32,
    processor: u32,
    from: u32,
    last: u32,
}

type Handle = *mut c_void;

/// The functions of the shim.
struct Shim {
    delete: unsafe extern "C" fn(Handle),
    misreported: unsafe extern "C" fn(Handle) -> u32,
    broken: unsafe extern "C" fn(Handle) -> u32,
    pending: unsafe extern "C" fn(Handle, u32) -> u64,
    offer: unsafe extern "C" fn(Handle, u32, u64, u32, u32, *const u64),
    events: unsafe extern "C" fn(Handle, *mut RawEvent, u64) -> u64,
    observe: unsafe extern "C" fn(Handle, *mut u64),
    run: unsafe extern "C" fn(Handle, *const u64, u64, *const u64, u64, u64) -> u64,
}

/// A running network.
pub struct DynamicHardware {
    handle: Handle,
    shim: Shim,
    p: PopsDynamic,
    layout: DynamicLayout,
    // after `handle`, which lives in it
    library: Loaded,
}

impl DynamicHardware {
    /// Loads a library and begins a simulation.
    ///
    /// # Errors
    /// [`CosimError::Library`] if the library does not load or is not this network's, [`CosimError::Stopped`] if the Verilog ends the
    /// simulation at once.
    pub fn new(built: &Built, p: &PopsDynamic) -> Result<Self, CosimError> {
        let library = Loaded::new(&built.library)?;
        let layout = DynamicLayout::new(p);
        library.has_words(layout.words())?;
        // SAFETY: the types are those of the functions in sim/shim_dynamic.cpp; the copies live as long as the library.
        let (new, shim) = unsafe {
            let shim = Shim {
                delete: library.function("mn_delete")?,
                misreported: library.function("mn_misreported")?,
                broken: library.function("mn_broken")?,
                pending: library.function("mn_pending")?,
                offer: library.function("mn_offer")?,
                events: library.function("mn_events")?,
                observe: library.function("mn_observe")?,
                run: library.function("mn_run")?,
            };
            (library.function::<unsafe extern "C" fn() -> Handle>("mn_new")?, shim)
        };
        // SAFETY: gives a simulation that is ours alone until it is deleted.
        let handle = unsafe { new() };
        if handle.is_null() {
            return Err(library.stopped(0));
        }
        Ok(Self { handle, shim, p: p.clone(), layout, library })
    }

    /// Sends traffic through the network until it is empty again, or something is wrong. `sections` is compared with
    /// the model in every cycle; everything except the couplers counts as receive ports. With None the model does not
    /// run, and only packets are accounted for. The hardware must report a `broken` stream, and no other, and move all packets none the less.
    pub fn run(mut self, traffic: &Traffic, sections: Option<Sections>, broken: Option<Broken>) -> DynamicRun {
        let from = match sections {
            Some(Sections::All) => 0,
            Some(Sections::Receives) => self.layout.outputs(),
            None => self.layout.words(),
        };
        let mut model = sections.map(|_| Driven::new(&self.p, traffic));
        let mut feed = traffic.generators();
        let mut account = Account::new(traffic);
        let words = self.layout.words();
        let ready_words = (traffic.processors() as usize).div_ceil(64);
        let mut expected = vec![0; if model.is_some() { BATCH as usize * words } else { 0 }];
        let mut ready = vec![0; BATCH as usize * ready_words];
        let (mut cycle, mut compared) = (0, 0);
        let trouble = loop {
            self.top_up(traffic, &mut feed, broken);
            for i in 0..BATCH as usize {
                let bits = &mut ready[i * ready_words..][..ready_words];
                bits.fill(0);
                for processor in 0..traffic.processors() {
                    let is_ready = traffic.is_ready(processor, cycle + i as u64);
                    bits[processor as usize / 64] |= u64::from(is_ready) << (processor % 64);
                }
            }
            if let Some(model) = &mut model {
                for block in expected.chunks_exact_mut(words) {
                    model.observe(block);
                    model.step(|_| {});
                }
            }
            // SAFETY: `handle` is a living simulation of this shim, as in all calls below; there are a block and ready bits for each cycle,
            // and blocks are not read if none is compared.
            let ran = unsafe {
                (self.shim.run)(self.handle, expected.as_ptr(), from as u64, ready.as_ptr(), BATCH, traffic.cycles)
            };
            compared += ran * (words - from) as u64;
            if let Err(loss) = self.note(&mut account) {
                break Some(Trouble::Loss(loss));
            }
            if let Some(stopped) = self.library.has_stopped(cycle + ran) {
                break Some(Trouble::Stopped(stopped.to_string()));
            }
            if ran < BATCH {
                break Some(self.difference(cycle + ran, &expected[ran as usize * words..][..words], from));
            }
            cycle += BATCH;
            // SAFETY: as above.
            if unsafe { (self.shim.misreported)(self.handle) } != 0 {
                break Some(Trouble::Fault);
            }
            if account.is_over(cycle) {
                // SAFETY: as above.
                let is_broken = unsafe { (self.shim.broken)(self.handle) } != 0;
                break (is_broken != broken.is_some()).then_some(Trouble::Fault);
            }
        };
        let packets = account.packets();
        let figures = match trouble {
            Some(trouble) => Err(trouble),
            None => account.close().map_err(Trouble::Loss),
        };
        DynamicRun { cycles: cycle, compared, packets, figures }
    }

    /// Gives every processor as many packets as it can send in a batch.
    fn top_up(&mut self, traffic: &Traffic, feed: &mut [Generator], broken: Option<Broken>) {
        let wanted = BATCH / u64::from(traffic.words) + 2;
        for (processor, generator) in (0..).zip(feed) {
            // SAFETY: as in `run`.
            let pending = unsafe { (self.shim.pending)(self.handle, processor) };
            for packet in generator.take(wanted.saturating_sub(pending) as usize) {
                let words: Vec<u64> =
                    (0..traffic.words).map(|index| traffic.word(processor, packet.number, index)).collect();
                let dest = self.p.name(packet.destination);
                // SAFETY: as in `run`; there are as many words as a packet has, and they are copied.
                let offer = |dest: u32, breach: u32| unsafe {
                    (self.shim.offer)(self.handle, processor, packet.cycle, dest, breach, words.as_ptr());
                };
                match broken.filter(|broken| broken.processor == processor && packet.number == 0) {
                    Some(Broken { breach: breach @ Breach::Nowhere(name), .. }) => {
                        offer(name, breach.code());
                        offer(dest, 0);
                    }
                    found => offer(dest, found.map_or(0, |broken| broken.breach.code())),
                }
            }
        }
    }

    /// Records the events at the streams.
    fn note(&mut self, account: &mut Account) -> Result<(), Loss> {
        let mut raw = vec![RawEvent::default(); EVENTS];
        loop {
            // SAFETY: as in `run`; there is room for as many events.
            let count = unsafe { (self.shim.events)(self.handle, raw.as_mut_ptr(), EVENTS as u64) } as usize;
            for event in &raw[..count] {
                let RawEvent { cycle, word, kind, processor, from, last } = *event;
                // what is no name is no processor
                let from = self.p.processor(from).unwrap_or(u32::MAX);
                account.note(match kind {
                    0 => Event::Enter { processor, cycle },
                    _ => Event::Leave(Heard { cycle, processor, from, last: last != 0, word }),
                })?;
            }
            if count < EVENTS {
                return Ok(());
            }
        }
    }

    /// The first place where the current cycle differs.
    fn difference(&self, cycle: u64, expected: &[u64], from: usize) -> Trouble {
        let mut found = vec![0; expected.len()];
        // SAFETY: as in `run`; the block has the shim's size.
        unsafe { (self.shim.observe)(self.handle, found.as_mut_ptr()) }
        let word = (from..expected.len()).find(|&word| expected[word] != found[word]).unwrap_or(from);
        let (place, range) = self.layout.place(word);
        Trouble::Differs { cycle, place, expected: expected[range.clone()].to_vec(), found: found[range].to_vec() }
    }
}

impl Drop for DynamicHardware {
    fn drop(&mut self) {
        // SAFETY: the simulation is not used after this.
        unsafe { (self.shim.delete)(self.handle) }
    }
}
