//! Products of matrices: endpoints that multiply and add.

use super::{Hardware, NoTileForm, Runs, selftest};
use crate::collective::{Collective, Products, Words};
use crate::cosim::detectors::Detectors;
use crate::cosim::{
    Built, CosimError, Form, Interface, Parts, Session, Simulator, Sources, TileForm, TileInterface, Top,
    product_parts, tile_form,
};
use crate::count::counted;
use crate::emit::{EmitError, Origin, RtlBundle};
use crate::lower::read_back::ReadBack;
use crate::lower::swapped_dragonfly::ProductLowered;
use crate::lower::{self, Fabric, Images, LowerError};
use crate::model::Model;
use crate::synth::Design;
use std::rc::Rc;

/// A product as hardware computes it.
#[derive(Debug)]
pub struct ProductHardware {
    /// Programs and sizes of all tiles.
    pub lowered: ProductLowered,
    /// Cycles from the first channel to the last, arithmetic included.
    pub cycles: u32,
    /// Cycles of the schedule without arithmetic.
    pub network_cycles: u32,
}

impl lower::Programmed for ProductHardware {
    fn fabric(&self) -> Fabric {
        self.lowered.fabric()
    }

    fn read_back(&self) -> &ReadBack {
        self.lowered.read_back()
    }

    fn images(&self) -> Images {
        self.lowered.images()
    }

    fn read(&self, images: &Images) -> Result<ReadBack, LowerError> {
        self.lowered.read(images)
    }

    fn spacing(&self) -> u32 {
        self.lowered.spacing()
    }
}

impl ProductHardware {
    fn data(&self) -> Products {
        Products::new(self.lowered.product, self.lowered.frame.networks())
    }
}

impl Hardware for ProductHardware {
    fn algorithm(&self) -> &str {
        self.lowered.schedule.algorithm
    }

    fn period(&self) -> u32 {
        self.lowered.pass_cycles
    }

    fn detectors(&self, model: &Model) -> Detectors {
        // a word is judged behind its register (mn_product_receive)
        Detectors::of_headers(model, &self.lowered.frame, 1)
    }

    fn cycles(&self, _: u32) -> u32 {
        self.cycles
    }

    fn remark(&self, _: u32) -> String {
        let (cycles, order) = (self.cycles, self.lowered.product.order);
        let arithmetic = cycles - self.network_cycles;
        format!(
            "product of order {order}: {} from the first channel to the last, {} of the network and {arithmetic} of \
             arithmetic; words of {} bits",
            counted(cycles, "cycle"),
            self.network_cycles,
            self.lowered.frame.data_bits
        )
    }

    fn bundle(&self, origin: &Origin) -> Result<RtlBundle, EmitError> {
        RtlBundle::new(&self.lowered, origin)
    }

    fn interface(&self) -> Interface {
        (&self.lowered).into()
    }

    fn loads(&self, words: &Words) -> Vec<Vec<u64>> {
        let operands = self.data().operands(words);
        vec![operands.iter().flat_map(|operands| self.lowered.loads(operands)).collect()]
    }

    fn result_places(&self) -> Vec<usize> {
        let (frame, product, shape) = (&self.lowered.frame, &self.lowered.product, &self.lowered.shape);
        let place = |network: usize, vector: u32, element: u32| {
            let (tile, bank, address) = self.lowered.result_place(vector, element);
            let tile = frame.tile(network, tile as usize);
            tile * shape.results() as usize + (address * shape.result_banks + bank) as usize
        };
        let elements = |network: usize| {
            let vectors = (0..product.vectors()).flat_map(|vector| (0..product.order).map(move |e| (vector, e)));
            vectors.map(move |(vector, element)| place(network, vector, element))
        };
        (0..frame.networks()).flat_map(elements).collect()
    }

    fn read_out(&self, set: &[u64]) -> Vec<u64> {
        // the words of a result are cut out of all that are read
        set.to_vec()
    }

    fn results(&self, _: &dyn Collective, _: &Words, words: Vec<u64>) -> Vec<u64> {
        let each = words.chunks((words.len() / self.lowered.frame.networks()).max(1));
        each.flat_map(|words| self.lowered.results(words).unwrap_or_default()).collect()
    }

    fn whole_results(&self, _: &dyn Collective, words: &Words) -> Vec<u64> {
        // tiles add words of the channels' width, and results are cut when they are read
        let mut data = self.data();
        let bits = self.lowered.frame.data_bits;
        data.product.accumulator_bits = bits;
        data.expected(words).to_vec().into_iter().map(|word| word & (u64::MAX >> (64 - bits))).collect()
    }

    fn place(&self, _: &dyn Collective, index: usize) -> (String, String) {
        let (n, vectors) = (self.lowered.product.order as usize, self.lowered.product.vectors() as usize);
        let (network, vector, element) = (index / n / vectors, index / n % vectors, index % n);
        let (tile, ..) = self.lowered.result_place(vector as u32, element as u32);
        (self.label(network, tile as usize), format!("element {element} of vector {vector} of the result"))
    }

    fn session(&self, model: &Rc<Model>, collective: &dyn Collective, words: &Words, runs: Runs) -> Session {
        let load = self.loads(words).concat();
        let payload = model.payload(collective, words, 0);
        Session::of_kept_words(model, load, payload, runs.sections, runs.collectives)
    }

    fn most_top_tiles(&self) -> u32 {
        8
    }

    fn tile_form(&self) -> Result<(), NoTileForm> {
        let reason = "several networks have no tile form: each tile has its neighbours in its own";
        if self.networks() > 1 { Err(NoTileForm { key: "network.build", reason }) } else { Ok(()) }
    }

    fn parts(&self, form: Form) -> Result<Parts, askama::Error> {
        match form {
            Form::Top => product_parts(&self.lowered),
            Form::Tile => tile_form::product_parts(&self.lowered),
        }
    }

    fn simulator(&self, built: &Built, form: Form, sources: &Sources) -> Result<Box<dyn Simulator>, CosimError> {
        Ok(match form {
            Form::Top => Box::new(Top::new(built, self.interface())?),
            Form::Tile => Box::new(TileForm::new(built, TileInterface::product(&self.lowered, sources)?)?),
        })
    }

    fn design(&self, collective: &dyn Collective, hops: u64) -> Design {
        let lowered = &self.lowered;
        Design {
            network: lowered.frame.notation(),
            algorithm: lowered.schedule.algorithm.to_owned(),
            ring: lowered.frame.ring.clone(),
            repeated: "mn_product_tile",
            set: lowered.shape.results().into(),
            selftest: selftest(self, collective),
            packet_hops: hops,
            period: lowered.pass_cycles,
            // the trees, and the program up to the last result in its memory
            selftest_cycles: 2 * lowered.frame.tree_cycles() + lowered.pass_cycles - 7,
        }
    }
}

impl From<&ProductLowered> for Interface {
    fn from(lowered: &ProductLowered) -> Self {
        let (loads, results) = (lowered.shape.loads() as usize, lowered.shape.results() as usize);
        Self::equal(lowered.frame.clone(), loads, results)
    }
}
