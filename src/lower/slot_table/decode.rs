//! Reading images: the rows and places of a node.

use super::fields::{Field, Fields};
use super::kind::Kind;
use super::table::{Load, NodeTable, Place, Read, Row, Shape};
use crate::lower::bits::BitRow;
use std::collections::BTreeMap;

/// Rows and places that the images of a node hold.
pub(super) fn node(table: &NodeTable, [rows, places]: [&[BitRow]; 2]) -> Result<NodeTable, String> {
    let (shape, fields) = (&table.shape, Fields::new(&table.shape));
    let rows = (0..).zip(rows).map(|(i, bits)| row(shape, &fields, bits).map_err(|what| format!("in row {i} {what}")));
    let (loads, read) = places.split_at(table.load_places as usize);
    let load = |(load, bits): (&Load, &BitRow)| {
        let address = get(bits, fields.load);
        let banks = (0..shape.hosts).filter(|&bank| bits.get(bank as usize, 1) == 1);
        let places = banks.map(|bank| place(shape, bank, address)).collect::<Result<_, _>>()?;
        Ok(Load { index: load.index, places })
    };
    let result = |(result, bits): (&Load, &BitRow)| {
        let [number, address] = fields.result.map(|field| get(bits, field));
        let bank = shape.results.get(number as usize);
        let bank = bank.ok_or_else(|| format!("it names bank {number} of results, which does not exist"))?;
        Ok(Load { index: result.index, places: vec![place(shape, *bank, address)?] })
    };
    Ok(NodeTable {
        shape: shape.clone(),
        rows: rows.collect::<Result<_, _>>()?,
        loads: table.loads.iter().zip(loads).map(load).collect::<Result<_, String>>()?,
        load_places: table.load_places,
        results: table.results.iter().zip(read).map(result).collect::<Result<_, String>>()?,
    })
}

fn get(bits: &BitRow, field: Field) -> u32 {
    bits.get(field.at as usize, field.width as usize)
}

/// A place, if there is one.
fn place(shape: &Shape, bank: u32, address: u32) -> Result<Place, String> {
    match shape.banks.get(bank as usize) {
        Some(found) if address < found.depth => Ok(Place { bank, address }),
        _ => Err(format!("it names word {address} of bank {bank}, which does not exist")),
    }
}

fn row(shape: &Shape, fields: &Fields, bits: &BitRow) -> Result<Row, String> {
    let mut row = Row::default();
    for (at, crosspoint) in shape.crosspoints.iter().enumerate() {
        if bits.get(at, 1) == 1 && row.selects.insert(crosspoint.output, crosspoint.source).is_some() {
            return Err(format!("output {} takes two sources", crosspoint.output));
        }
    }
    for (bank, fields) in (0..).zip(&fields.banks) {
        if row.selects.values().any(|&source| source == shape.inputs() + bank) {
            let address = place(shape, bank, get(bits, fields.read))?.address;
            let forward = fields.forward.is_some_and(|at| bits.get(at as usize, 1) == 1);
            row.reads.insert(bank, Read { address, forward });
        }
        if let Some((enable, field)) = fields.write
            && bits.get(enable as usize, 1) == 1
        {
            row.writes.insert(bank, place(shape, bank, get(bits, field))?.address);
        }
    }
    let mut kinds = BTreeMap::new();
    for unit in 0..shape.operators.0 {
        let chosen = |&(bit, _): &(usize, &Kind)| match fields.kinds.get(unit as usize) {
            Some(&at) => bits.get(at as usize + bit, 1) == 1,
            None => true,
        };
        let mut kind = shape.kinds.iter().enumerate().filter(chosen).map(|(_, kind)| *kind);
        kinds.extend(kind.next().map(|kind| (unit, kind)));
        if kind.next().is_some() {
            return Err(format!("operator {unit} is of two kinds"));
        }
    }
    row.kinds = kinds;
    Ok(row)
}
