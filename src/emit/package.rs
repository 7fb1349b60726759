//! Packages of a bundle for other tools: the FuseSoC core and the IP-XACT component (IEEE 1685-2014).

use askama::Template;
use std::collections::BTreeMap;

/// A FuseSoC core of a network.
#[derive(Template)]
#[template(path = "gen/metronoc.core", escape = "none")]
struct Core {
    name: String,
    /// Title as a JSON string, which is a YAML string, too.
    title: String,
    sources: String,
    images: String,
    bench: String,
    bench_data: String,
    top: String,
    bench_top: String,
    /// True if the static modules are a core of their own.
    library: bool,
}

impl Core {
    fn library_name(&self) -> String {
        library_name()
    }
}

/// The FuseSoC core of the static modules.
#[derive(Template)]
#[template(path = "gen/metronoc_library.core", escape = "none")]
struct LibraryCore {
    name: String,
    sources: String,
}

/// An IP-XACT component.
#[derive(Template)]
#[template(path = "gen/component.xml", escape = "none")]
struct Component<'a> {
    top: &'a str,
    version: &'static str,
    title: String,
    buses: Vec<Bus>,
    ports: Vec<Port>,
    sources: Vec<&'a str>,
    images: Vec<&'a str>,
}

struct Bus {
    name: String,
    vendor: &'static str,
    library: &'static str,
    kind: &'static str,
    version: &'static str,
    mode: &'static str,
    /// Logical name and port of the module.
    ports: Vec<(String, String)>,
}

struct Port {
    name: String,
    direction: &'static str,
    /// Index of the highest bit of a vector.
    high: Option<u32>,
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn library_name() -> String {
    format!("metronoc:library:modules:{VERSION}")
}

/// Files of a folder as items of a YAML list, each with these attributes.
fn items<'a>(files: impl Iterator<Item = &'a str>, attributes: impl Fn(&str) -> String) -> String {
    let items: String = files.map(|file| format!("\n      - {file}{}", attributes(file))).collect();
    if items.is_empty() { " []".into() } else { items }
}

/// Text of the FuseSoC core of a network: its name among FuseSoC's, its title, the first part of its modules' names, and its files. With
/// `library`, static modules are those of [`library_core`].
///
/// # Errors
/// Only by a defect of metronoc.
pub(super) fn core(
    name: &str,
    title: &str,
    prefix: &str,
    files: &BTreeMap<String, String>,
    library: bool,
) -> Result<String, askama::Error> {
    // FuseSoC takes letters, digits, `-` and `_`
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let under = |folder: &'static str, ending: &'static str| {
        files.keys().map(String::as_str).filter(move |file| file.starts_with(folder) && file.ends_with(ending))
    };
    let copied = |file: &str| format!(": {{copyto: {file}}}");
    let bench_data = under("tb/", ".hex").map(|file| format!("\n      - {file}: {{file_type: user, copyto: {file}}}"));
    let core = Core {
        name: format!("metronoc:networks:{name}:{VERSION}"),
        title: serde_json::Value::from(title).to_string(),
        sources: items(under("rtl/", ".v"), |_| String::new()),
        images: items(under("rom/", ""), copied),
        bench: format!("tb/{prefix}_tb.v"),
        bench_data: bench_data.collect(),
        top: format!("{prefix}_top"),
        bench_top: format!("{prefix}_tb"),
        library,
    };
    Ok(core.render()? + "\n")
}

/// Text of the FuseSoC core of the static modules, from their file names.
///
/// # Errors
/// Only by a defect of metronoc.
pub(super) fn library_core<'a>(files: impl Iterator<Item = &'a str>) -> Result<String, askama::Error> {
    Ok(LibraryCore { name: library_name(), sources: items(files, |_| String::new()) }.render()? + "\n")
}

/// Text of the IP-XACT component of a network, with the ports of the module `top` in its file.
///
/// # Errors
/// Only by a defect of metronoc.
pub(super) fn component(top: &str, title: &str, files: &BTreeMap<String, String>) -> Result<String, askama::Error> {
    let ports = files.get(&format!("rtl/{top}.v")).map(|text| ports(text)).unwrap_or_default();
    let stream = |name: &str| {
        let own = ports.iter().filter_map(|port| Some((port.name.strip_prefix(name)?.strip_prefix('_')?, &port.name)));
        let ports = own.map(|(logical, physical)| (logical.to_ascii_uppercase(), physical.clone())).collect();
        let (name, mode) = (name.to_owned(), if name.starts_with('s') { "slave" } else { "master" });
        Bus { name, vendor: "amba.com", library: "AMBA4", kind: "AXI4Stream", version: "r0p0_1", mode, ports }
    };
    // clocks and resets: `clk_i`, `rst_i`, and with a tile's number between, resets of tiles as outputs
    let signal = |port: &Port| {
        let name = port.name.strip_suffix("_i").or_else(|| port.name.strip_suffix("_o"))?;
        let (what, tile) = name.split_once('_').unwrap_or((name, "0"));
        let kind = [("clk", "clock"), ("rst", "reset")].into_iter().find(|(known, _)| *known == what)?.1;
        let ports = vec![(what.to_ascii_uppercase(), port.name.clone())];
        let mode = if port.direction == "in" { "slave" } else { "master" };
        let bus = Bus { name: name.into(), vendor: "xilinx.com", library: "signal", kind, version: "1.0", mode, ports };
        tile.parse::<u32>().is_ok().then_some(bus)
    };
    // one stream each way of the host, or of every tile
    let streams = ports.iter().filter_map(|port| port.name.strip_suffix("_tvalid"));
    let mut buses: Vec<Bus> = streams.map(stream).collect();
    buses.extend(ports.iter().filter_map(signal));
    let under = |folder: &'static str| files.keys().map(String::as_str).filter(move |file| file.starts_with(folder));
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let sources = under("rtl/").chain(under("library/")).collect();
    let images = under("rom/").collect();
    Ok(Component { top, version: VERSION, title, buses, ports, sources, images }.render()? + "\n")
}

/// Ports of the first module of a file, which has one on a line.
fn ports(text: &str) -> Vec<Port> {
    let header = text.lines().take_while(|line| !line.starts_with(");"));
    let port = |line: &str| {
        let line = line.split("//").next()?.trim().trim_end_matches(',');
        let (direction, rest) = line.split_once(char::is_whitespace)?;
        let direction = ["input", "output"].into_iter().find(|known| *known == direction)?;
        let rest = rest.trim().trim_start_matches("wire").trim();
        let (range, name) = match rest.strip_prefix('[') {
            Some(vector) => vector.split_once(']').map(|(range, name)| (range.split(':').next(), name))?,
            None => (None, rest),
        };
        let high = range.and_then(|high| high.trim().parse().ok());
        Some(Port { name: name.trim().to_owned(), direction: if direction == "input" { "in" } else { "out" }, high })
    };
    header.filter_map(port).collect()
}
