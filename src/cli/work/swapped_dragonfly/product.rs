//! Products of matrices, and the transpose, on a Swapped Dragonfly.

use super::Host;
use super::placed;
use super::{routers, write_title};
use crate::check::Verdict;
use crate::check::judge::Account;
use crate::check::swapped_dragonfly::product::ProductProof;
use crate::check::swapped_dragonfly::product_fault::Value;
use crate::check::swapped_dragonfly::{CheckedProduct, CheckedTrains, check_product};
use crate::cli::page::Request;
use crate::cli::work::Proved;
use crate::cli::work::enclosing::EnclosingNetwork;
use crate::cli::work::pages::of_program;
use crate::cli::work::verdict::{self, FOR_EVERY_ROUTER, Judged};
use crate::cli::work::{DataArgs, ProvedProduct, Work, not_lowered, operands};
use crate::cli::{CliError, Context, Exit};
use crate::collective::{Collective, Operands, Product, ProductKind, Products, Words};
use crate::count::counted;
use crate::family::{Hardware, ProductHardware};
use crate::lower::swapped_dragonfly::lower_product;
use crate::lower::swapped_dragonfly::product::PRODUCT_CYCLES;
use crate::program::Program;
use crate::program::form::swapped_dragonfly::product::{Layout, Stage};
use crate::schedule::swapped_dragonfly::product::{self, ProductRequest};
use crate::spec::{NetworkSpec, Spec};
use crate::topology::{Coordinates, Topology};
use serde::Serialize;
use std::io::{self, Write};

/// A product of matrices, or a transpose.
#[derive(Debug)]
pub(super) struct ProductWork {
    pub spec: Spec,
    /// Host network, if the network is embedded in one.
    pub host: Option<Host>,
    pub schedule: CheckedProduct,
}

/// The verdict for programs.
#[derive(Serialize)]
struct Output<'a> {
    network: &'a NetworkSpec,
    routers: usize,
    algorithm: &'a str,
    order: u32,
    accumulator_bits: u32,
    result: &'a str,
    cycles: u32,
    /// `ratio`, `bounds`, `bound_reasons`, `proof`, `argument`.
    #[serde(flatten)]
    verdict: Verdict<'a, ProductProof>,
}

impl ProductWork {
    /// The product with at least the cycles of arithmetic that hardware takes.
    fn scheduled(&self, mac_cycles: u32) -> Result<CheckedProduct, CliError> {
        let (checked, seed) = (&self.schedule, self.spec.schedule.seed);
        let made = checked.schedule();
        let (algorithm, kind, block, hop) = (made.algorithm, made.kind, made.block, made.hop);
        let request = ProductRequest { algorithm, kind, block, mac_cycles, hop };
        let internal = |error: String| CliError::Internal(error);
        let made = product::schedule(&checked.network(), &request).map_err(|error| internal(error.to_string()))?;
        check_product(&checked.network(), made, *checked.product(), seed).map_err(|error| internal(error.to_string()))
    }
}

impl Work for ProductWork {
    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn algorithm(&self) -> &str {
        self.schedule.schedule().algorithm
    }

    fn proved(&self) -> &dyn Proved {
        &self.schedule
    }

    fn transfers(&self) -> u64 {
        self.schedule.proof().claims.max(self.schedule.proof().sends)
    }

    fn program(&self) -> Program {
        self.schedule.schedule().to_program(&self.schedule.network())
    }

    fn collective(&self, networks: usize) -> Box<dyn Collective> {
        Box::new(Products::new(*self.schedule.product(), networks))
    }

    fn simulated(&self) -> (Program, Box<dyn Collective>) {
        let (program, elements) = self.schedule.schedule().with_results(&self.schedule.network());
        (program, Box::new(Products::new(*self.schedule.product(), 1).with_elements(elements)))
    }

    fn fits(&self, files: &DataArgs) -> Result<(), CliError> {
        if files.data.is_some() {
            let message = "a product of matrices has two operands";
            return Err(CliError::failed(Exit::Usage, message, "name them with `--a` and `--b`"));
        }
        if files.b.is_none() || self.schedule.product().kind != ProductKind::Transpose {
            return Ok(());
        }
        Err(CliError::at(Exit::Usage, &self.spec, "collective.kind", "a transpose has one operand", "leave out `--b`"))
    }

    fn words(&self, networks: usize, files: &DataArgs) -> Result<Words, CliError> {
        self.fits(files)?;
        let (left, right) = (files.a.as_deref(), files.b.as_deref());
        let column = self.schedule.product().kind == ProductKind::MatrixVector;
        let files = if column { [right, left] } else { [left, right] };
        let operands = operands::operands(&self.spec, self.schedule.product(), networks, files)?;
        Ok(Products::new(*self.schedule.product(), networks).words(&operands))
    }

    fn word_bits(&self) -> u32 {
        self.schedule.product().word_bits()
    }

    fn enclosing(&self) -> Option<&dyn EnclosingNetwork> {
        self.host.as_ref().map(|host| host as &dyn EnclosingNetwork)
    }

    fn print_verdict(&self, one_by_one: Option<Account>, context: &Context) -> Result<(), CliError> {
        let checked = &self.schedule;
        let verdict = Output {
            network: &self.spec.network,
            routers: checked.network().nodes(),
            algorithm: checked.schedule().algorithm,
            order: checked.product().order,
            accumulator_bits: checked.product().accumulator_bits,
            result: result(checked),
            cycles: checked.cycles(),
            verdict: checked.verdict(),
        };
        context.print_json(&Judged { verdict, one_by_one })
    }

    fn verdict(&self) -> String {
        let checked = &self.schedule;
        let (net, product, schedule) = (checked.network(), checked.product(), checked.schedule());
        let layout = match schedule.layout {
            Layout::Square { .. } => "one block a router",
            Layout::Linear => "K blocks a router",
        };
        let n = product.order;
        let rows = [
            routers(&net),
            ("matrix", format!("{n} × {n}, in blocks of {x} × {x}, {layout}", x = schedule.block)),
            ("operand", format!("vectors of {n}: {}", product.vectors())),
            (
                "sums",
                format!(
                    "{}, {} after their last term",
                    counted(product.accumulator_bits, "bit"),
                    counted(schedule.mac_cycles, "cycle")
                ),
            ),
            ("result", format!("lies {}", result(checked))),
            ("algorithm", schedule.algorithm.to_owned()),
            ("cycles", checked.bounds().ratios(checked.cycles())),
        ];
        let heading = "Lower bounds, of any schedule or of any with these paths";
        verdict::table(&rows, heading, checked.bounds(), FOR_EVERY_ROUTER, &checked.argument())
    }

    fn write_table(&self, writer: &mut dyn Write) -> io::Result<()> {
        let checked = &self.schedule;
        let (net, schedule) = (checked.network(), checked.schedule());
        let mut writer = io::BufWriter::new(writer);
        write_title(&mut writer, &net, schedule.algorithm, self.cycles())?;
        writeln!(writer, "# cycle, router, header, what it carries")?;
        for send in &schedule.sends {
            let at = Coordinates(&net.label(send.node)).to_string();
            writeln!(writer, "{} {at} {} {}", send.cycle, send.header, Value(send.term))?;
        }
        writer.flush()
    }

    fn own_hardware(&self, context: &Context) -> Result<Box<dyn Hardware>, CliError> {
        let mac_cycles = self.schedule.schedule().mac_cycles;
        let arithmetic = self.schedule.product().kind != ProductKind::Transpose;
        let network_cycles = match arithmetic && mac_cycles > 0 {
            true => self.scheduled(0)?.cycles(),
            false => self.schedule.cycles(),
        };
        let schedule = match arithmetic && mac_cycles < PRODUCT_CYCLES {
            true => {
                let least = format!("`mac_cycles = {mac_cycles}` is less than hardware takes");
                context.say(format!("{least}: scheduled with {PRODUCT_CYCLES}"));
                self.scheduled(PRODUCT_CYCLES)?
            }
            false => self.schedule.clone(),
        };
        let mut lowered = lower_product(&schedule, &self.spec).map_err(|e| not_lowered(&self.spec, &e))?;
        lowered.frame = placed(lowered.frame, self.host.as_ref());
        Ok(Box::new(ProductHardware { lowered, cycles: schedule.cycles(), network_cycles }))
    }

    fn slot_tables(&self) -> Result<Box<dyn Hardware>, CliError> {
        let message = "products have endpoints of their own, which multiply; slot tables have none";
        Err(CliError::at(Exit::Infeasible, &self.spec, "router.kind", message, "leave `kind` out of [router]"))
    }

    fn report(&self, request: &Request<'_>, context: &Context) -> Result<(), CliError> {
        of_program(self, request, context)
    }

    fn into_product(self: Box<Self>) -> Option<Box<dyn ProvedProduct>> {
        Some(Box::new(self.schedule))
    }
}

impl ProvedProduct for CheckedProduct {
    fn product(&self) -> &Product {
        CheckedProduct::product(self)
    }

    fn algorithm(&self) -> &'static str {
        self.schedule().algorithm
    }

    fn cycles(&self) -> u32 {
        CheckedProduct::cycles(self)
    }

    fn compute(&self, operands: &Operands) -> Result<Vec<u64>, CliError> {
        CheckedProduct::compute(self, operands).map_err(|error| CliError::Internal(error.to_string()))
    }
}

impl ProvedProduct for CheckedTrains {
    fn product(&self) -> &Product {
        CheckedTrains::product(self)
    }

    fn algorithm(&self) -> &'static str {
        self.schedule().blocks.algorithm
    }

    fn cycles(&self) -> u32 {
        CheckedTrains::cycles(self)
    }

    fn remark(&self) -> Option<String> {
        Some(format!("too large to be listed: scheduled in trains of {} packets", self.schedule().train))
    }

    fn compute(&self, operands: &Operands) -> Result<Vec<u64>, CliError> {
        CheckedTrains::compute(self, operands).map_err(|error| CliError::Internal(error.to_string()))
    }
}

/// Layout of the result, as text: that of the operand, or of its transpose.
fn result(checked: &CheckedProduct) -> &'static str {
    match checked.schedule().result {
        Stage::Result => "as the operand's transpose",
        _ => "as the operand",
    }
}
