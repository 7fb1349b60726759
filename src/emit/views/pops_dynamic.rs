//! Template data of POPS without a schedule.

use super::Origin;
use crate::emit::EmitError;
use crate::emit::verilog::Verilog;
use crate::lower::PopsDynamic;
use crate::spec::traffic::Arbitration;
use askama::Template;

#[derive(Template)]
#[template(path = "gen/mn_pops_dynamic_top.v", escape = "none")]
struct TopFile<'a> {
    header: &'a str,
    title: &'a str,
    p: &'a PopsDynamic,
    n: u32,
    name_bits: u32,
    mode: u32,
}

#[derive(Template)]
#[template(path = "gen/mn_pops_dynamic_tb.v", escape = "none")]
struct BenchFile<'a> {
    header: &'a str,
    p: &'a PopsDynamic,
    n: u32,
    name_bits: u32,
    timeout: u64,
}

impl Verilog for PopsDynamic {
    fn title(&self) -> String {
        title(self)
    }

    fn parity(&self) -> bool {
        false
    }

    fn files(&self, origin: &Origin) -> Result<Vec<(String, String)>, EmitError> {
        Ok(render(self, origin)?)
    }
}

/// Title of the network of couplers that arbitrate.
fn title(p: &PopsDynamic) -> String {
    let words = if p.words == 1 { "one word".into() } else { format!("{} words", p.words) };
    format!(
        "{} without a schedule, {} couplers, packets of {words} of {} bits, queues of {} packets",
        p.network,
        p.arbitration.name(),
        p.data_bits,
        p.depth
    )
}

/// Renders every file that depends on the network's shape.
fn render(p: &PopsDynamic, origin: &Origin) -> Result<Vec<(String, String)>, askama::Error> {
    let header = &super::header(origin);
    let (n, name_bits) = (p.network.processors(), p.group_bits() + p.index_bits());
    let mode = match p.arbitration {
        Arbitration::FixedPriority => 1,
        Arbitration::RoundRobin => 2,
    };
    // if all packets went one by one, and as much again
    let timeout = 2 * u64::from(n) * u64::from(n) * u64::from(p.words) + 1000;
    let top = TopFile { header, title: &title(p), p, n, name_bits, mode };
    let bench = BenchFile { header, p, n, name_bits, timeout };
    Ok(vec![("rtl/mn_top.v".into(), top.render()? + "\n"), ("tb/mn_tb.v".into(), bench.render()? + "\n")])
}
