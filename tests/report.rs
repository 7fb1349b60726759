//! The report: its numbers are those of the check, its mark-up is sound, and it stays small.

use crate::common;
use assert_cmd::Command;
use metronoc::check::swapped_dragonfly::{CheckedAllToAll, check_all_to_all};
use metronoc::program::form::swapped_dragonfly::all_to_all::AllToAllSchedule;
use metronoc::program::form::swapped_dragonfly::uniform::HopLatency;
use metronoc::report::{AllToAllInputs, AllToAllReport, ReportError};
use metronoc::spec::Spec;
use metronoc::topology::Topology;
use metronoc::topology::swapped_dragonfly::{Group, SwappedDragonfly};
use roxmltree::{Document, Node, ParsingOptions};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// [`common::rounds`], checked.
fn rounds(net: &SwappedDragonfly, hop: HopLatency) -> CheckedAllToAll {
    let program = common::rounds(net, hop);
    check_all_to_all(net, AllToAllSchedule { algorithm: "rounds", hop, program, counter: None }).unwrap()
}

fn spec_text(k: u32, m: u32) -> String {
    format!(
        "format = 1\n# <script>alert(\"&\")</script>\n[network]\ntopology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\n"
    )
}

/// A schedule and the page about it.
fn page(k: u32, m: u32, cosim: Option<&str>, synth: &[String]) -> (CheckedAllToAll, String) {
    let schedule = rounds(&SwappedDragonfly::new(k, m, Group::Cyclic), HopLatency { local: 1, global: 2 });
    let spec = Spec::parse("folder/rounds.toml", &spec_text(k, m)).unwrap();
    let inputs = AllToAllInputs {
        spec: &spec,
        collective: spec.collective.all_to_all().expect("an all-to-all"),
        schedule: &schedule,
        cosim,
        synth,
    };
    let page = AllToAllReport::new(&inputs).unwrap().html().unwrap();
    (schedule, page)
}

fn parse(page: &str) -> Result<Document<'_>, roxmltree::Error> {
    Document::parse_with_options(page, ParsingOptions { allow_dtd: true, ..ParsingOptions::default() })
}

fn by_id<'a>(document: &'a Document<'a>, id: &str) -> Node<'a, 'a> {
    document.descendants().find(|n| n.attribute("id") == Some(id)).unwrap_or_else(|| panic!("no element {id}"))
}

fn figure(document: &Document<'_>, key: &str) -> f64 {
    by_id(document, &format!("figure-{key}")).attribute("value").unwrap().parse().unwrap()
}

/// The elements of a name within a group that has these classes.
fn in_group<'a>(document: &'a Document<'a>, name: &'static str, classes: &'static str) -> Vec<Node<'a, 'a>> {
    let groups = document.descendants().filter(|n| n.has_tag_name(("http://www.w3.org/2000/svg", "g")));
    let wanted = groups.filter(|g| {
        let own: BTreeSet<&str> = g.attribute("class").unwrap_or("").split(' ').collect();
        classes.split(' ').all(|class| own.contains(class))
    });
    wanted.flat_map(|g| g.children().filter(move |n| n.tag_name().name() == name).collect::<Vec<_>>()).collect()
}

fn title<'a>(node: Node<'a, 'a>) -> &'a str {
    node.children().find(|n| n.tag_name().name() == "title").and_then(|n| n.text()).unwrap_or_default()
}

#[test]
fn the_same_inputs_give_the_same_bytes() {
    for (k, m) in [(2, 3), (8, 8)] {
        assert_eq!(page(k, m, None, &[]).1, page(k, m, None, &[]).1);
    }
}

#[test]
fn the_page_is_sound_mark_up_that_describes_itself() {
    for (k, m) in [(1, 2), (2, 3), (4, 4), (3, 5), (1, 12), (13, 2), (8, 8), (70, 3)] {
        let (_, page) = page(k, m, None, &[]);
        let document = parse(&page).unwrap_or_else(|e| panic!("D3({k},{m}): {e}"));
        let ids: Vec<&str> = document.descendants().filter_map(|n| n.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "D3({k},{m}): an id twice");
        for element in document.descendants() {
            for id in element.attribute("aria-labelledby").unwrap_or_default().split_whitespace() {
                assert!(!by_id(&document, id).text().unwrap_or_default().is_empty(), "{id} says nothing");
            }
        }
        let pictures: Vec<_> = document
            .descendants()
            .filter(|n| n.tag_name().name() == "svg" && !n.has_attribute("aria-hidden"))
            .collect();
        assert!(pictures.len() >= 3 && pictures.iter().all(|p| p.attribute("role") == Some("img")));
        assert!(page[..1024].contains("<meta name=\"generator\" content=\"metronoc "));
        // One picture without its end is noticed.
        assert!(parse(&page.replacen("</svg>", "", 1)).is_err());
    }
}

#[test]
fn the_page_needs_nothing_else() {
    let (_, page) = page(2, 3, None, &[]);
    let text = page.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xhtml", "");
    for outside in ["http", "src=", "href=", "url(", "@import"] {
        assert!(!text.contains(outside), "{outside}");
    }
    assert!(!text.contains("folder/"), "a path of the machine that made it");
    assert!(text.contains("&lt;script&gt;") || text.contains("&#60;script&#62;"), "the specification is shown as text");
    assert_eq!(text.matches("<script>").count(), 1);
}

#[test]
fn key_figures_are_those_of_the_check() {
    for (k, m) in [(2, 3), (4, 4), (8, 8)] {
        let (schedule, page) = page(k, m, None, &[]);
        let document = parse(&page).unwrap();
        let (cycles, period) = (f64::from(schedule.cycles()), f64::from(schedule.period()));
        let (bound, proof) = (schedule.bounds().largest() as f64, schedule.proof());
        let expected = [
            ("cycles", cycles),
            ("period", period),
            ("bound", bound),
            ("ratio", schedule.ratio()),
            ("sustained", period / bound),
            ("packets", proof.packets as f64),
            ("channels", proof.channels as f64),
            ("hops_per_cycle", proof.transfers as f64 / cycles),
        ];
        for (key, value) in expected {
            assert_eq!(figure(&document, key), value, "D3({k},{m}) {key}");
        }
        let cells: Vec<&str> =
            document.descendants().filter(|n| n.tag_name().name() == "td").filter_map(|n| n.text()).collect();
        for bound in schedule.bounds().all() {
            assert!(cells.contains(&bound.reason.as_str()), "{}", bound.reason);
        }
    }
}

#[test]
fn every_claim_is_a_cell_at_its_port_and_cycle() {
    for (k, m) in [(2, 3), (4, 4), (3, 5)] {
        let (schedule, page) = page(k, m, None, &[]);
        let document = parse(&page).unwrap();
        let mut drawn = BTreeMap::new();
        for (class, hop) in [("cells first", "first local"), ("cells global", "global"), ("cells last", "last local")] {
            for cell in in_group(&document, "path", class) {
                let (packet, words) = (cell.attribute("data-p").unwrap().parse::<usize>().unwrap(), title(cell));
                let cycle = words.strip_prefix("cycle ").unwrap().split(',').next().unwrap().parse::<u32>().unwrap();
                assert!(words.contains(&format!(", {hop}: ")), "{words}");
                assert_eq!(drawn.insert((packet, hop), cycle), None);
            }
        }
        assert_eq!(drawn.len() as u64, schedule.proof().claims);
        // From the definition: first hop Hl before the row's global hop, last hop Hg after it.
        let hop = schedule.schedule().hop;
        let shift = drawn[&(0, "global")] - schedule.schedule().program.launches()[0].row;
        for (i, launch) in schedule.schedule().program.launches().iter().enumerate() {
            let row = launch.row + shift;
            assert_eq!(drawn[&(i, "global")], row);
            assert_eq!(drawn.get(&(i, "first local")).copied(), (launch.vector.delta != 0).then(|| row - hop.local));
            assert_eq!(drawn.get(&(i, "last local")).copied(), (launch.vector.pi != 0).then_some(row + hop.global));
        }
    }
}

#[test]
fn a_small_network_is_drawn_with_every_link() {
    for (k, m) in [(1, 2), (2, 3), (4, 4), (3, 5)] {
        let (schedule, page) = page(k, m, None, &[]);
        let document = parse(&page).unwrap();
        let count = |class| in_group(&document, "path", class).len() as u32;
        assert_eq!(count("link loc"), k * m * m * (m - 1) / 2, "D3({k},{m})");
        assert_eq!(count("link swap"), k * m * (m - 1) / 2);
        assert_eq!(count("link cab"), k * (k - 1) / 2 * m * m);
        let network = by_id(&document, "network");
        let routers = network.descendants().filter(|n| n.tag_name().name() == "circle").count();
        assert_eq!(routers, schedule.network().nodes());
    }
}

#[test]
fn ports_are_used_or_idle_in_every_cycle() {
    let schedule = rounds(&SwappedDragonfly::new(2, 3, Group::Cyclic), HopLatency { local: 1, global: 1 });
    let spec = Spec::parse("x.toml", &spec_text(2, 3)).unwrap();
    let inputs = AllToAllInputs {
        spec: &spec,
        collective: spec.collective.all_to_all().expect("an all-to-all"),
        schedule: &schedule,
        cosim: None,
        synth: &[],
    };
    let report = AllToAllReport::new(&inputs).unwrap();
    let used: u64 = report.ports.iter().map(|port| u64::from(port.used)).sum();
    assert_eq!(used, schedule.proof().claims);
    for port in &report.ports {
        assert_eq!(port.used, port.first_local + port.global + port.last_local);
        assert_eq!(port.used + port.idle, schedule.cycles());
        let listed: u32 = port.idle_cycles.iter().map(|[from, to]| to - from + 1).sum();
        assert_eq!((listed, port.idle_stretches_left_out), (port.idle, 0));
    }
}

#[test]
fn results_of_other_commands_are_shown() {
    let output = |command: &str, fields: &str| {
        let hash = Spec::parse("rounds.toml", &spec_text(2, 3)).unwrap().sha256();
        format!(r#"{{"version":1,"command":"{command}","spec_sha256":"{hash}",{fields}}}"#)
    };
    let cosim = output("cosim", r#""passed":true,"collective_cycles":57"#);
    let synth = r#""board":"ulx3s","fmax_mhz":160.5,"target_mhz":150.0,
        "resources":[{"name":"LUT4","used":7321,"available":83640}],"modules":[{"name":"mn_tile","lut":310}]"#;
    let (schedule, page) = page(2, 3, Some(&cosim), &[output("synth", synth)]);
    parse(&page).unwrap();
    let hops = schedule.proof().transfers as f64 / f64::from(schedule.cycles()) * 160.5e6 / 1e9;
    for text in ["Hardware and software model agree", "160.5 MHz", "met", "8.8 %", &format!("{hops:.2}·10⁹")] {
        assert!(page.contains(text), "{text}");
    }
    let failed = output("cosim", r#""exit_code":5,"errors":[{"message":"router (0,1,0) differs"}]"#);
    let (_, page) = self::page(2, 3, Some(&failed), &[]);
    assert!(page.contains("router (0,1,0) differs") && !page.contains("model agree"));
}

#[test]
fn a_result_that_is_none_is_refused() {
    let schedule = rounds(&SwappedDragonfly::new(1, 2, Group::Cyclic), HopLatency { local: 1, global: 1 });
    let spec = Spec::parse("x.toml", &spec_text(1, 2)).unwrap();
    for text in ["", "{}", "[1]", r#"{"command":"check"}"#, r#"{"version":9}"#] {
        let synth = [text.to_owned()];
        let inputs = AllToAllInputs {
            spec: &spec,
            collective: spec.collective.all_to_all().expect("an all-to-all"),
            schedule: &schedule,
            cosim: None,
            synth: &synth,
        };
        assert!(matches!(AllToAllReport::new(&inputs), Err(ReportError::Result { .. })), "{text}");
    }
}

fn metronoc(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("metronoc").unwrap();
    command.current_dir(folder);
    command
}

#[test]
fn the_command_writes_the_page_and_prints_the_data() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("net.toml"), spec_text(4, 4)).unwrap();
    metronoc(folder.path()).args(["report", "net.toml"]).assert().success().stdout("");
    let page = std::fs::read_to_string(file("report.html")).unwrap();
    let output = metronoc(folder.path()).args(["report", "net.toml", "--json"]).output().unwrap();
    let data: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((data["version"].as_u64(), data["command"].as_str()), (Some(1), Some("report")));
    let document = parse(&page).unwrap();
    for shown in data["figures"].as_array().unwrap() {
        assert_eq!(figure(&document, shown["key"].as_str().unwrap()), shown["value"].as_f64().unwrap());
    }
    // Its own page is replaced, somebody else's is not.
    metronoc(folder.path()).args(["report", "net.toml"]).assert().success();
    assert_eq!(std::fs::read_to_string(file("report.html")).unwrap(), page);
    std::fs::write(file("report.html"), "<p>mine</p>").unwrap();
    metronoc(folder.path()).args(["report", "net.toml"]).assert().code(2);
    let of = |hash: &str| format!(r#"{{"version":1,"command":"cosim","spec_sha256":"{hash}"}}"#);
    let own = data["spec_sha256"].as_str().unwrap();
    assert_eq!(own, Spec::parse("net.toml", &spec_text(4, 4)).unwrap().sha256());
    for (cosim, code) in [("{}}", 3), ("{}", 3), (&of("0123"), 3), (&of(own), 0)] {
        std::fs::write(file("cosim.json"), cosim).unwrap();
        let args = ["report", "net.toml", "-o", "shown.html", "--cosim", "cosim.json"];
        metronoc(folder.path()).args(args).assert().code(code);
        assert_eq!(file("shown.html").exists(), code == 0, "{cosim}");
    }
    let missing = ["report", "net.toml", "-o", "other.html", "--synth", "none.json"];
    metronoc(folder.path()).args(missing).assert().code(8);
    assert!(!file("other.html").exists());
}

#[test]
fn a_large_network_has_a_small_page_in_little_time() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("net.toml"), spec_text(64, 64)).unwrap();
    // the time of the processor, which other work on the machine does not lengthen
    let command = metronoc(folder.path());
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).args(["-c", "\"$0\" report net.toml && times"]).arg(command.get_program());
    let output = shell.assert().success().get_output().stdout.clone();
    // of the shell, then of what it ran: as user and in the system, each in minutes and seconds
    let said = String::from_utf8(output).unwrap();
    let seconds = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    };
    let taken: f64 = said.lines().last().unwrap().split_whitespace().map(seconds).sum();
    // without optimisation everything takes many times as long
    assert!(taken < if cfg!(debug_assertions) { 60.0 } else { 5.0 }, "{taken} s");
    let page = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    parse(&page).unwrap();
}
