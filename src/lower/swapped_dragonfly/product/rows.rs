//! Rows of a router's slot table, and their bits.

use super::Shape;
use crate::lower::bits::BitRow;
use crate::lower::bits::field;
use crate::lower::swapped_dragonfly::Frame;
use crate::topology::Topology;

/// Row of a router's slot table, see `mn_product_endpoint.v`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Kind of the arriving word: 0 nothing, 1 an element of the operand, 2 a term of a sum, 3 a result; by port.
    pub kinds: Vec<u32>,
    /// True if a term comes from the router itself.
    pub home: bool,
    /// The address of the element that is sent.
    pub operand: Option<u32>,
    /// Product that each bank sends, as `[group, row, column]`; by bank.
    pub products: Vec<Option<[u32; 3]>>,
    /// The port of the sum that is sent.
    pub sum: Option<u32>,
    /// Address of the sum that each bank sends back; by bank.
    pub backs: Vec<Option<u32>>,
    /// Row of the matrix; by lane.
    pub lanes: Vec<u32>,
    /// Start flag of sums, their row and their bank; by group.
    pub groups: Vec<[u32; 3]>,
    /// The address of the result.
    pub result: u32,
    /// The address and the bank of the sum that will be brought home.
    pub way: [u32; 2],
}

impl Row {
    /// A row without work.
    pub fn idle(frame: &Frame, shape: &Shape) -> Self {
        Self {
            kinds: vec![0; frame.network.ports()],
            home: false,
            operand: None,
            products: vec![None; shape.banks as usize],
            sum: None,
            backs: vec![None; shape.back_banks as usize],
            lanes: vec![0; shape.lanes.len()],
            groups: vec![[0; 3]; shape.groups as usize],
            result: 0,
            way: [0; 2],
        }
    }
}

/// The widths of the fields of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fields {
    ports: usize,
    local_ports: usize,
    banks: usize,
    back_banks: usize,
    lanes: usize,
    groups: usize,
    operand: usize,
    group: usize,
    held: usize,
    column: usize,
    port: usize,
    back: usize,
    back_bank: usize,
    matrix: usize,
    bank: usize,
    result: usize,
}

impl Fields {
    pub(super) fn new(frame: &Frame, shape: &Shape) -> Self {
        let bits = |count: u32| field(count) as usize;
        Self {
            ports: frame.network.ports(),
            local_ports: frame.network.local_ports(),
            banks: shape.banks as usize,
            back_banks: shape.back_banks as usize,
            lanes: shape.lanes.len(),
            groups: shape.groups as usize,
            operand: bits(shape.operand_words),
            group: bits(shape.groups),
            held: bits(shape.held),
            column: bits(shape.block),
            port: bits(frame.network.ports() as u32 + 1),
            back: bits(shape.back_words),
            back_bank: bits(shape.back_banks),
            matrix: bits(shape.matrix_rows),
            bank: bits(shape.banks),
            result: bits(shape.result_words),
        }
    }

    /// The widths of all fields, lowest first.
    fn widths(&self) -> Vec<usize> {
        let mut widths = vec![2; self.ports];
        widths.extend([1, 1, self.operand]);
        (0..self.banks).for_each(|_| widths.extend([1, self.group, self.held, self.column]));
        widths.extend([1, self.port]);
        (0..self.back_banks).for_each(|_| widths.extend([1, self.back]));
        widths.extend(vec![self.matrix; self.lanes]);
        (0..self.groups).for_each(|_| widths.extend([1, self.held, self.bank]));
        widths.extend([self.result, self.back, self.back_bank]);
        widths
    }

    /// Lowest bit and width of each field that is switched on and off separately. First kinds 1, 2 and 3 of every port,
    /// then the other fields in order, each with its enable bit.
    pub(super) fn spans(&self) -> Vec<(usize, usize)> {
        let mut spans: Vec<_> = (0..self.ports).flat_map(|port| [(2 * port, 2); 3]).collect();
        let mut at = 2 * self.ports;
        let mut add = |width, count| {
            for _ in 0..count {
                spans.push((at, width));
                at += width;
            }
        };
        add(1, 1);
        add(1 + self.operand, 1);
        add(1 + self.group + self.held + self.column, self.banks);
        add(1 + self.port, 1);
        add(1 + self.back, self.back_banks);
        add(self.matrix, self.lanes);
        add(1 + self.held + self.bank, self.groups);
        add(self.result, 1);
        add(self.back + self.back_bank, 1);
        spans
    }

    /// Value of each field of a row; None for a field that is off in this row.
    pub(super) fn values(&self, shape: &Shape, bits: &BitRow) -> Vec<Option<u32>> {
        let row = self.row(bits);
        let element = |lane: &Vec<usize>| lane.iter().any(|&port| row.kinds[port] == 1);
        let (near, far) = row.kinds.split_at(self.local_ports);
        // a last sum is of what comes over local ports and from here, or of what comes over global ports
        let summed = match shape.column == shape.one_sum {
            true => row.home || near.contains(&2),
            false => far.contains(&2),
        };
        let mut on: Vec<bool> = row.kinds.iter().flat_map(|&kind| [kind == 1, kind == 2, kind == 3]).collect();
        on.extend([row.home, row.operand.is_some()]);
        on.extend(row.products.iter().map(Option::is_some));
        on.push(row.sum.is_some());
        on.extend(row.backs.iter().map(Option::is_some));
        on.extend(shape.lanes.iter().map(element));
        on.extend(shape.lanes.chunks(shape.terms as usize).map(|group| group.iter().any(element)));
        let finals = shape.back || !shape.arithmetic;
        on.extend([if finals { far.contains(&3) } else { summed }, shape.back && summed]);
        self.spans().into_iter().zip(on).map(|((at, width), on)| on.then(|| bits.get(at, width))).collect()
    }

    /// Bits of a row.
    pub fn width(&self) -> usize {
        self.widths().iter().sum()
    }

    /// The bits of a row.
    pub fn encode(&self, row: &Row) -> BitRow {
        let on = |value: Option<u32>| [value.is_some().into(), value.unwrap_or(0)];
        let mut values = row.kinds.clone();
        values.push(row.home.into());
        values.extend(on(row.operand));
        for product in &row.products {
            values.push(product.is_some().into());
            values.extend(product.unwrap_or_default());
        }
        values.extend(on(row.sum));
        row.backs.iter().for_each(|back| values.extend(on(*back)));
        values.extend(&row.lanes);
        values.extend(row.groups.iter().flatten());
        values.extend([row.result, row.way[0], row.way[1]]);
        let mut bits = BitRow::zero(self.width());
        let mut at = 0;
        for (width, value) in self.widths().into_iter().zip(values) {
            bits.set(at, width, value);
            at += width;
        }
        bits
    }

    /// First difference between a row and bits, in enabled fields; the other fields have no meaning.
    pub(super) fn difference(&self, shape: &Shape, row: &BitRow, bits: &BitRow) -> Option<String> {
        let [due, read] = [row, bits].map(|bits| self.values(shape, bits));
        let at = due.iter().zip(&read).position(|(due, read)| due != read)?;
        let said = |value: Option<u32>| value.map_or("off".to_owned(), |value| format!("{value:#x}"));
        let (low, width) = self.spans()[at];
        let name = self.names(at);
        Some(format!("{name}, bits {low} to {}, is {}, not {}", low + width - 1, said(read[at]), said(due[at])))
    }

    /// The name of a field, by its place among [`Self::spans`].
    fn names(&self, at: usize) -> String {
        let counts = [
            ("use of port", 3 * self.ports),
            ("term from itself", 1),
            ("operand", 1),
            ("product of bank", self.banks),
            ("sum", 1),
            ("sum home of bank", self.back_banks),
            ("matrix row of lane", self.lanes),
            ("sums of group", self.groups),
            ("result", 1),
            ("sum to bring home", 1),
        ];
        let mut first = 0;
        for (name, count) in counts {
            match at - first {
                _ if at >= first + count => first += count,
                _ if count == 1 => return name.to_owned(),
                number if first == 0 => return format!("{name} {}", number / 3),
                number => return format!("{name} {number}"),
            }
        }
        String::new()
    }

    fn row(&self, bits: &BitRow) -> Row {
        let mut widths = self.widths().into_iter();
        let mut at = 0;
        let mut next = || {
            let width = widths.next().unwrap_or(0);
            at += width;
            bits.get(at - width, width)
        };
        let kinds = (0..self.ports).map(|_| next()).collect();
        let home = next() == 1;
        let operand = [next(), next()];
        let products: Vec<[u32; 4]> = (0..self.banks).map(|_| [next(), next(), next(), next()]).collect();
        let sum = [next(), next()];
        let backs: Vec<[u32; 2]> = (0..self.back_banks).map(|_| [next(), next()]).collect();
        let lanes = (0..self.lanes).map(|_| next()).collect();
        let groups = (0..self.groups).map(|_| [next(), next(), next()]).collect();
        Row {
            kinds,
            home,
            operand: (operand[0] == 1).then_some(operand[1]),
            products: products.into_iter().map(|[on, g, row, x]| (on == 1).then_some([g, row, x])).collect(),
            sum: (sum[0] == 1).then_some(sum[1]),
            backs: backs.into_iter().map(|[on, address]| (on == 1).then_some(address)).collect(),
            lanes,
            groups,
            result: next(),
            way: [next(), next()],
        }
    }
}
