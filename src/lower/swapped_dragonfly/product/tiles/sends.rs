//! Sends of a router, in its rows and in the constants of its ports.

use super::{Place, Program, odd};
use crate::collective::ProductKind;
use crate::lower::LowerError;
use crate::lower::swapped_dragonfly::error::SwappedDragonflyError;
use crate::lower::swapped_dragonfly::flit::{self, Flit, Inexpressible};
use crate::program::form::swapped_dragonfly::product::{Send, Stage, Term};
use crate::program::form::swapped_dragonfly::stream::Injection;
use crate::topology::Topology;

impl Program<'_> {
    /// A router sends a value.
    pub(super) fn send(&mut self, send: &Send) -> Result<(), LowerError> {
        let (node, row, term) = (send.node, send.cycle, send.term);
        let hop = self.checked.schedule().hop;
        let injection = Injection { lane: 0, offset: send.cycle, via: None, header: (*send.header).clone() };
        let header = send.header.to_string();
        let flits = flit::flits(self.frame, hop, self.frame.network.address(node), &injection)
            .map_err(|Inexpressible| SwappedDragonflyError::Inexpressible { header })?;
        if term.stage == Stage::Operand {
            return self.send_operand(send, flits);
        }
        let port = match &flits[..] {
            [] => self.frame.network.ports() as u32,
            [flit] if flit.offset == send.cycle => flit.port as u32,
            _ => return Err(odd("a sum leaves over several ports")),
        };
        let (x, m) = (self.shape.block, self.frame.m);
        match term.stage {
            Stage::Product => {
                let held = self.held.get(&term.vector).copied();
                let held = held.ok_or_else(|| odd("a product is sent that is not held"))?;
                let bank = if self.shape.split { term.element / x / m } else { held.bank };
                let out = &mut self.tile.product_ports[bank as usize];
                if *out != u32::MAX && *out != port {
                    return Err(odd("products of a bank leave over two ports"));
                }
                *out = port;
                self.put(row, Place::Product(bank as u16), [held.group as u32, held.row, term.element % x]);
                Ok(())
            }
            Stage::Sum => {
                let due = self.sums.get(&term).map(|cycle| cycle + self.shape.sum_cycles);
                if due != Some(send.cycle) {
                    return Err(odd("a sum leaves in another cycle than it is due"));
                }
                self.put(row, Place::Sum, [port, 0, 0]);
                Ok(())
            }
            _ => {
                let way = self.ways.get(&term).copied();
                let [address, bank] = way.ok_or_else(|| odd("a sum is brought home that does not wait"))?;
                let out = &mut self.tile.back_ports[bank as usize];
                if *out != u32::MAX && *out != port {
                    return Err(odd("sums of a bank leave over two ports"));
                }
                *out = port;
                self.put(row, Place::Back(bank as u16), [address, 0, 0]);
                Ok(())
            }
        }
    }

    fn send_operand(&mut self, send: &Send, flits: Vec<Flit>) -> Result<(), LowerError> {
        let (x, m, Term { vector, element, .. }) = (self.shape.block, self.frame.m, send.term);
        let whole = matches!(self.shape.kind, ProductKind::MatrixMatrix | ProductKind::Transpose);
        let address = if whole { vector % x * x + element % x } else { element % x };
        let bank = if self.shape.operand_banks > 1 { element / x / m } else { 0 };
        for flit in flits {
            let late = self.shape.column && flit.port >= self.frame.network.local_ports();
            if flit.offset != send.cycle + if late { self.frame.local_stages } else { 0 } {
                return Err(odd("an element of the operand leaves in another cycle than its port's"));
            }
            let operand = &mut self.tile.operands[flit.port];
            if operand.as_ref().is_some_and(|other| *other != (flit.header.clone(), bank)) {
                return Err(odd("elements of the operand leave by a port with two headers"));
            }
            *operand = Some((flit.header, bank));
        }
        self.put(send.cycle, Place::Operand, [address, 0, 0]);
        Ok(())
    }
}
