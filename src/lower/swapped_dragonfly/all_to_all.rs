//! Lowering of all-to-alls, on a network of their own or as guests of a larger one.

use super::error::SwappedDragonflyError;
use super::sequencer::Sequencer;
use super::{Guests, Parameters, SlotTables, decode, routes};
use crate::check::swapped_dragonfly::{CheckedAllToAll, CheckedEmbedding};
use crate::lower::error::stored;
use crate::lower::read_back::{Programmed, ReadBack};
use crate::lower::{Fabric, Images, LowerError};
use crate::program::form::swapped_dragonfly::uniform::UniformProgram;
use crate::spec::{Placement, Spec, Storage};
use std::collections::BTreeSet;

/// A schedule in the terms of hardware.
#[derive(Debug, Clone)]
pub struct AllToAllLowered {
    /// Sizes and widths.
    pub parameters: Parameters,
    /// The slot tables of every router.
    pub tables: SlotTables,
    /// Storage of the slot tables.
    pub storage: Storage,
    /// Placement of the slot tables: shared by all routers, or one a router.
    pub placement: Placement,
    /// The name of the schedule's algorithm.
    pub algorithm: String,
    /// The counters that take the place of the tables, if they do.
    pub counters: Option<Sequencer>,
    /// Embedded networks that run the program, each router in terms of its own ports. `tables` are then those of the
    /// routers outside of them.
    pub guests: Option<Guests>,
    program: UniformProgram,
    read: ReadBack,
}

impl AllToAllLowered {
    /// The program that was lowered, in terms of the guests' ports if there are any.
    pub fn program(&self) -> &UniformProgram {
        &self.program
    }
}

/// Lowers a checked schedule, decodes the images of its tables again, and compares.
///
/// # Errors
/// If the schedule has no form of the asked-for kind.
pub fn lower_all_to_all(schedule: &CheckedAllToAll, spec: &Spec) -> Result<AllToAllLowered, LowerError> {
    let parameters = Parameters::new(schedule.network(), schedule.schedule().hop, rows(schedule, spec)?, spec)?;
    let tables = SlotTables::new(&parameters, &schedule.schedule().program);
    let counters = match spec.schedule.storage {
        Storage::Counter => Some(counters(schedule)?),
        Storage::Rom | Storage::Ram => None,
    };
    let lowered = AllToAllLowered {
        tables,
        storage: spec.schedule.storage,
        placement: spec.schedule.program,
        algorithm: schedule.schedule().algorithm.to_owned(),
        counters,
        guests: None,
        read: routes::uniform(&parameters, &schedule.schedule().program),
        parameters,
        program: schedule.schedule().program.clone(),
    };
    let read = lowered.read(&lowered.images())?;
    Ok(AllToAllLowered { read, ..lowered })
}

/// Lowers a checked schedule of guests to all routers of their host.
///
/// # Errors
/// If the schedule has no form of the asked-for kind.
pub fn lower_hosted(
    schedule: &CheckedAllToAll,
    embedding: &CheckedEmbedding,
    spec: &Spec,
) -> Result<AllToAllLowered, LowerError> {
    stored(spec, "a host, whose routers differ,", Storage::Counter)?;
    let parameters = Parameters::new(embedding.host(), schedule.schedule().hop, rows(schedule, spec)?, spec)?;
    let guests = Guests::new(&parameters, embedding.embeddings(), &schedule.schedule().program);
    let read = routes::read_back(&parameters, []);
    let lowered = AllToAllLowered {
        tables: SlotTables::of(&parameters, [], []),
        parameters,
        storage: spec.schedule.storage,
        placement: Placement::Router,
        algorithm: schedule.schedule().algorithm.to_owned(),
        counters: None,
        guests: Some(guests),
        program: schedule.schedule().program.clone(),
        read,
    };
    let read = lowered.read(&lowered.images())?;
    Ok(AllToAllLowered { read, ..lowered })
}

/// Rows of the slot tables: the period, or the number that the specification requests.
fn rows(schedule: &CheckedAllToAll, spec: &Spec) -> Result<u32, LowerError> {
    let Some(rows) = spec.schedule.rows else { return Ok(schedule.period()) };
    let refused = |reason: String| LowerError::Rows { rows, reason };
    if rows < schedule.period() {
        return Err(refused(format!("its period is {}", schedule.period())));
    }
    schedule.check_period(rows).map_err(|error| refused(error.to_string()))?;
    Ok(rows)
}

/// Counters of a schedule, if they produce its table.
fn counters(schedule: &CheckedAllToAll) -> Result<Sequencer, LowerError> {
    let none = || SwappedDragonflyError::NoCounterForm { algorithm: schedule.schedule().algorithm.to_owned() };
    let sequencer = schedule.schedule().counter.as_ref().and_then(Sequencer::new).ok_or_else(none)?;
    match sequencer.decode() == schedule.schedule().program {
        true => Ok(sequencer),
        false => Err(SwappedDragonflyError::Constants { what: "counters make another program".into() }.into()),
    }
}

impl Programmed for AllToAllLowered {
    fn fabric(&self) -> Fabric {
        self.parameters.frame.clone().into()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        self.tables.image("", &mut images);
        if let Some(guests) = &self.guests {
            guests.image(&self.parameters, &mut images);
        }
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        let p = &self.parameters;
        let Some(guests) = &self.guests else {
            return Ok(routes::uniform(p, &decode::program(p, images, &self.program)?));
        };
        // routers outside do nothing
        decode::same([&BTreeSet::new(); 2], &decode::sides(p, images, "")?, "")?;
        guests.read_back(p, &self.program, images)
    }

    fn passes(&self) -> u32 {
        self.parameters.words
    }

    fn spacing(&self) -> u32 {
        self.parameters.rows
    }

    fn buffers(&self) -> u32 {
        1 + u32::from(self.parameters.double)
    }

    fn places(&self) -> Option<Vec<usize>> {
        let guests = self.guests.as_ref()?;
        let (tiles, words) = (self.parameters.tiles as usize, self.parameters.words as usize);
        let mut places = Vec::new();
        // words of a guest's data among `[sender][receiver][word]` of all routers
        for network in 0..guests.embeddings().len() {
            let members = guests.members(network);
            for (first, second) in members.iter().flat_map(|first| members.iter().map(move |second| (first, second))) {
                let start = (first.index() * tiles + second.index()) * words;
                places.extend(start..start + words);
            }
        }
        Some(places)
    }
}

/// Program that is loaded into hardware of another program.
#[derive(Debug)]
pub struct AllToAllLoaded<'a> {
    hardware: &'a AllToAllLowered,
    program: UniformProgram,
    read: ReadBack,
}

impl<'a> AllToAllLoaded<'a> {
    /// A program that all routers have.
    pub fn new(hardware: &'a AllToAllLowered, program: &UniformProgram) -> Self {
        Self { hardware, program: program.clone(), read: routes::uniform(&hardware.parameters, program) }
    }
}

impl Programmed for AllToAllLoaded<'_> {
    fn fabric(&self) -> Fabric {
        self.hardware.fabric()
    }

    fn read_back(&self) -> &ReadBack {
        &self.read
    }

    fn images(&self) -> Images {
        let mut images = Images::default();
        SlotTables::new(&self.hardware.parameters, &self.program).image("", &mut images);
        images
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        let p = &self.hardware.parameters;
        Ok(routes::uniform(p, &decode::program(p, images, &self.program)?))
    }

    fn passes(&self) -> u32 {
        self.hardware.passes()
    }

    fn spacing(&self) -> u32 {
        self.hardware.spacing()
    }

    fn buffers(&self) -> u32 {
        self.hardware.buffers()
    }
}
