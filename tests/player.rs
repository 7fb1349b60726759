//! The player of a report's page, in Chromium: its packets are those of the exported schedule, and it obeys the page's address.
//!
//! Left out, with a line that says so, where Chromium is missing.

use assert_cmd::Command;
use metronoc::program::Document;
use roxmltree::ParsingOptions;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command as Process;

/// A folder with pages.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn metronoc(&self, args: &[&str]) {
        Command::cargo_bin("metronoc").unwrap().current_dir(self.path()).args(args).assert().success();
    }

    /// Writes a specification, its page and its schedule in full.
    fn make(&self, name: &str, spec: &str) -> Document {
        let file = |ending: &str| format!("{name}.{ending}");
        fs::write(self.path().join(file("toml")), format!("format = 1\n{spec}")).unwrap();
        self.metronoc(&["report", &file("toml"), "-o", &file("html")]);
        self.metronoc(&["schedule", &file("toml"), "--format", "json", "-o", &file("json")]);
        serde_json::from_slice(&fs::read(self.path().join(file("json"))).unwrap()).unwrap()
    }

    /// The page as the browser has it once its script has run; none where there is no browser.
    fn shown(&self, page: &str, fragment: &str) -> Option<String> {
        self.shown_with(page, fragment, &["--window-size=1200,1000"])
    }

    fn shown_with(&self, page: &str, fragment: &str, options: &[&str]) -> Option<String> {
        let profile = tempfile::tempdir().unwrap();
        let mut browser = Process::new("chromium");
        browser.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]);
        browser.args(["--disable-component-update", "--disable-sync", "--no-first-run"]).args(options);
        browser.arg(format!("--user-data-dir={}", profile.path().display())).arg("--dump-dom");
        browser.arg(format!("file://{}#{fragment}", self.path().join(page).display()));
        match browser.output() {
            Ok(output) => Some(String::from_utf8(output.stdout).unwrap()),
            Err(error) => {
                eprintln!("LEFT OUT: no `chromium` ({error}), so the page's script is not tested");
                None
            }
        }
    }
}

/// Elements of a page, as attributes by name; Chromium writes HTML, so they are found as text.
fn elements(page: &str, start: &str) -> Vec<BTreeMap<String, String>> {
    let tags = page.match_indices(start).map(|(at, _)| &page[at..at + page[at..].find('>').unwrap()]);
    let attributes = |tag: &str| {
        let mut parts = tag.split('"');
        let mut all = BTreeMap::new();
        while let (Some(name), Some(value)) = (parts.next(), parts.next()) {
            let name = name.trim().trim_end_matches('=').rsplit(' ').next().unwrap_or_default();
            all.insert(name.to_owned(), value.to_owned());
        }
        all
    };
    tags.map(attributes).collect()
}

/// Packet and channel of each arrow, sorted.
fn arrows(page: &str) -> Vec<(u64, u32)> {
    let number = |arrow: &BTreeMap<String, String>, name: &str| arrow[name].parse::<u64>().unwrap();
    let entering = |arrow: &BTreeMap<String, String>| !arrow["class"].contains("passing");
    let all = elements(page, "<path d=\"M-1-.85L1.1 0");
    let mut found: Vec<_> =
        all.iter().filter(|a| entering(a)).map(|a| (number(a, "data-p"), number(a, "data-c") as u32)).collect();
    found.sort_unstable();
    found
}

/// Packet and channel of each transfer of a cycle, sorted.
fn transfers(schedule: &Document, cycle: u32) -> Vec<(u64, u32)> {
    let mut all: Vec<_> =
        schedule.transfers.iter().filter(|transfer| transfer.0 == cycle).map(|&(_, c, p)| (p, c)).collect();
    all.sort_unstable();
    all
}

const NETWORKS: &[(&str, &str)] = &[
    ("dragonfly", "[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 3\n[router]\nglobal_stages = 2\n"),
    (
        "pops",
        "[network]\ntopology = \"pops\"\nd = 4\ng = 4\n[collective]\nkind = \"permutation\"\npattern = \"reversal\"\n",
    ),
    ("sums", "[network]\ntopology = \"hypercube\"\nd = 3\n[collective]\nkind = \"all-reduce\"\n"),
    ("gather", "[network]\ntopology = \"galaxyfly\"\nn = 2\nq = 3\na = 2\n[collective]\nkind = \"all-gather\"\n"),
    (
        "uniform",
        "[network]\ntopology = \"torus\"\ndims = [3, 4]\n[collective]\nkind = \"all-to-all\"\nalgorithm = \"uniform\"\n",
    ),
];

#[test]
fn packets_on_the_drawing_are_those_of_the_schedule() {
    are_drawn(&NETWORKS[..2]);
}

#[test]
#[ignore = "nine pages in a browser; .ci/run includes it"]
fn packets_on_other_drawings_are_those_of_the_schedule() {
    are_drawn(&NETWORKS[2..]);
}

/// The packets of the first cycle, one in the middle and the last are on the drawings of these networks.
fn are_drawn(networks: &[(&str, &str)]) {
    let folder = Folder::new();
    for &(name, spec) in networks {
        let schedule = folder.make(name, spec);
        let last = schedule.transfers.iter().map(|transfer| transfer.0).max().unwrap();
        let page = format!("{name}.html");
        for cycle in [0, last / 2, last] {
            let Some(shown) = folder.shown(&page, &format!("cycle={cycle}")) else { return };
            let expected = transfers(&schedule, cycle);
            assert!(!expected.is_empty());
            assert_eq!(arrows(&shown), expected, "{name}, cycle {cycle}");
            assert!(shown.contains(&format!("data-cycle=\"{cycle}\"")), "{name}");
            assert_ne!(arrows(&shown), transfers(&schedule, (cycle + 1) % (last + 1)), "{name}: any cycle would do");
        }
    }
}

#[test]
fn a_pinned_packet_shows_its_route_and_ends() {
    let folder = Folder::new();
    let (name, spec) = NETWORKS[0];
    let schedule = folder.make(name, spec);
    let packet = schedule
        .packets
        .iter()
        .find(|packet| schedule.transfers.iter().filter(|transfer| transfer.2 == packet.id).count() == 3);
    let packet = packet.unwrap();
    let route: Vec<u32> = schedule.transfers.iter().filter(|t| t.2 == packet.id).map(|t| t.0).collect();
    let Some(shown) = folder.shown("dragonfly.html", &format!("cycle={}&packet={}", route[1], packet.id)) else {
        return;
    };
    assert_eq!(elements(&shown, "<path class=\"trace\"").len(), 3);
    assert_eq!(shown.matches("class=\"when\"").count(), 3);
    for cycle in route {
        assert!(shown.contains(&format!(">cycle {cycle}</button>")), "cycle {cycle}");
    }
    let at = |class: &str| {
        let all = elements(&shown, "<circle class=\"router");
        let found = all.iter().filter(|circle| circle["class"].split(' ').any(|name| name == class));
        found.map(|circle| circle["data-n"].parse::<u32>().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!((at("source"), at("destination")), (vec![packet.src], packet.dsts.clone()));
    // and so does a question by names
    let name = |node: u32| schedule.nodes[node as usize].0.to_string().replace(['[', ']'], "");
    let ask = format!("source={}&destination={}", name(packet.src), name(packet.dsts[0]));
    let asked = folder.shown("dragonfly.html", &ask).unwrap();
    assert!(asked.contains(&format!("<h4>Packet {}</h4>", packet.id)));
    let nobody = folder.shown("dragonfly.html", "source=9,9,9&destination=0,0,1").unwrap();
    assert!(nobody.contains("no node 9,9,9") && !nobody.contains("<h4>Packet"));
}

#[test]
fn two_schedules_have_one_time() {
    let folder = Folder::new();
    let dragonfly = "[network]\ntopology = \"swapped-dragonfly\"\nk = 2\nm = 3\n";
    let second = format!("{dragonfly}[collective]\nkind = \"all-to-all\"\nalgorithm = \"doubly-parallel\"\n");
    let schedules = [folder.make("first", dragonfly), folder.make("second", &second)];
    folder.metronoc(&["report", "first.toml", "second.toml", "-o", "both.html"]);
    let text = fs::read_to_string(folder.path().join("both.html")).unwrap();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(&text, options).unwrap();
    let ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), ids.len(), "an id twice");
    let Some(shown) = folder.shown("both.html", "cycle=4&source=0,0,1&destination=1,2,2") else { return };
    let (first, second) = shown.split_at(shown.find("data-mark=\"-b\"").unwrap());
    assert_eq!(arrows(first), transfers(&schedules[0], 4));
    assert_eq!(arrows(second), transfers(&schedules[1], 4));
    assert_ne!(arrows(first), arrows(second));
    assert!([first, second].iter().all(|pane| pane.contains("class=\"trace\"")));
}

#[test]
fn a_page_that_is_broken_is_noticed() {
    let folder = Folder::new();
    let (name, spec) = NETWORKS[4];
    let schedule = folder.make(name, spec);
    let page = fs::read_to_string(folder.path().join("uniform.html")).unwrap();
    // packets that leave in another cycle
    let start = "\"moves\":[[0,-1,1,1,[";
    let at = page.find(start).expect("a program of all nodes") + start.len();
    let cycle: u32 = page[at..].split(',').next().unwrap().parse().unwrap();
    fs::write(folder.path().join("broken.html"), page.replacen(start, &format!("{start}1"), 1)).unwrap();
    let Some(shown) = folder.shown("broken.html", &format!("cycle={cycle}")) else { return };
    assert!(shown.contains(&format!("data-cycle=\"{cycle}\"")), "another fault: the script did not run");
    assert_ne!(arrows(&shown), transfers(&schedule, cycle));
}

/// Script that uses the page as a reader does, and notes what the page then says, a line a step.
const READER: &str = r#"<pre id="log"></pre><script>
var log = document.getElementById('log');
function say(step, text) { log.textContent += '\n' + step + ': ' + text; }
window.onerror = function (message) { say('ERROR', message); };
// frames come by the clock, since nothing is painted
window.requestAnimationFrame = function (call) { return setTimeout(function () { call(performance.now()); }, 20); };
window.cancelAnimationFrame = clearTimeout;
var made = URL.createObjectURL;
URL.createObjectURL = function (blob) {
  blob.text().then(function (text) { say(blob.type, text.split('\r\n').slice(0, 2).join('|').slice(0, 90)); });
  return made.call(URL, blob);
};
HTMLAnchorElement.prototype.click = function () { say('saved', this.download); };
function find(selector) { return document.querySelector(selector); }
function send(at, name, of, more) { at.dispatchEvent(new of(name, Object.assign({ bubbles: true, cancelable: true }, more))); }
function key(name, at) { send(at || document.body, 'keydown', KeyboardEvent, { key: name }); }
function cycle() { return find('.now').getAttribute('data-cycle') + ' ' + find('input[type=range]').value + ' ' + location.hash; }
function press(name) { find('[data-do=' + name + ']').click(); }
var view = find('.view'), svg = find('.view svg'), info = find('.info');
say('wide', document.documentElement.scrollWidth - document.documentElement.clientWidth);
key('ArrowRight'); say('right', cycle());
key('ArrowLeft'); say('left', cycle());
key('End'); say('end outside', cycle());
key('End', view); say('end', cycle());
key('Home', view); say('home', cycle());
var packet = find('.packet');
send(packet, 'mouseover', MouseEvent); say('hover', info.querySelector('h4').textContent);
send(packet, 'mouseout', MouseEvent); say('out', info.querySelectorAll('h4').length);
send(packet, 'click', MouseEvent); say('click', location.hash + ' ' + document.querySelectorAll('.trace').length);
press('free'); say('free', location.hash + ' ' + document.querySelectorAll('.trace').length);
send(find('.l.used'), 'click', MouseEvent); say('channel', location.hash.split('&')[1].split('=')[0] + ' ' + info.querySelector('h4').textContent.slice(0, 7));
var nodes = document.querySelectorAll('[data-n]');
send(nodes[0], 'click', MouseEvent); send(nodes[5], 'click', MouseEvent); say('nodes', find('.answer').textContent.slice(0, 7));
var wide = svg.viewBox.baseVal.width;
press('in'); say('zoomed in', svg.viewBox.baseVal.width < wide);
press('fit'); say('fitted', svg.viewBox.baseVal.width === wide);
send(view, 'wheel', WheelEvent, { deltaY: -300 }); say('wheel outside', svg.viewBox.baseVal.width === wide);
view.focus(); send(view, 'wheel', WheelEvent, { deltaY: -300, clientX: 200, clientY: 400 }); say('wheel', svg.viewBox.baseVal.width < wide);
press('csv'); press('svg'); press('png');
key(' ', view);
setTimeout(function () { say('played', +cycle().split(' ')[0] > 1); key(' ', view); say('paused', find('[data-do=play]').getAttribute('aria-label')); }, 3500);
</script></body>"#;

#[test]
fn buttons_keys_and_pointers_do_what_they_say() {
    let folder = Folder::new();
    let (name, spec) = NETWORKS[0];
    folder.make(name, spec);
    let page = fs::read_to_string(folder.path().join("dragonfly.html")).unwrap();
    fs::write(folder.path().join("used.html"), page.replace("</body>", READER)).unwrap();
    let last = page.split("\"cycles\":").nth(1).unwrap().split([',', '}']).next().unwrap().parse::<u32>().unwrap() - 1;
    let wait = ["--virtual-time-budget=8000", "--window-size=500,900"];
    let Some(shown) = folder.shown_with("used.html", "cycle=3", &wait) else { return };
    let log = shown.split("<pre id=\"log\">").nth(1).unwrap().split("</pre>").next().unwrap();
    let said: BTreeMap<&str, &str> = log.lines().filter_map(|line| line.split_once(": ")).collect();
    let end = format!("{last} {last} #cycle={last}");
    for (step, expected) in [
        ("wide", "0"),
        ("right", "4 4 #cycle=4"),
        ("left", "3 3 #cycle=3"),
        ("end outside", "3 3 #cycle=3"),
        ("end", end.as_str()),
        ("home", "0 0 #cycle=0"),
        ("out", "0"),
        ("free", "#cycle=0 0"),
        ("channel", "channel Channel"),
        ("nodes", "cycles "),
        ("zoomed in", "true"),
        ("fitted", "true"),
        ("wheel outside", "true"),
        ("wheel", "true"),
        ("played", "true"),
        ("paused", "play"),
        ("saved", "All-to-all-on-D3-2-3-cycle-0.png"),
    ] {
        assert_eq!(said.get(step), Some(&expected), "{step}\n{log}");
    }
    assert!(!said.contains_key("ERROR"), "{log}");
    assert!(said["hover"].starts_with("Packet ") && said["click"].starts_with("#cycle=0&amp;packet="), "{log}");
    assert!(said["text/csv"].starts_with("cycle,from,to,source,destination|0,\"("), "{log}");
    assert!(said["image/svg+xml"].starts_with("&lt;svg xmlns=") && said["image/png"].contains("PNG"), "{log}");
}

#[test]
fn words_above_bounds_say_for_which_schedules_they_hold() {
    let folder = Folder::new();
    let page = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let (any, some) = ("No schedule is faster than the largest of these", "No schedule of the kind that a line names");
    // uniform programs, and any
    for (network, expected, ratios) in [(0, some, 1), (1, any, 0), (4, any, 0)] {
        let (name, spec) = NETWORKS[network];
        folder.make(name, spec);
        let text = page(&format!("{name}.html"));
        let found = [any, some].map(|words| text.matches(words).count());
        assert_eq!(found, [any, some].map(|words| usize::from(words == expected)), "{name}");
        assert_eq!(text.matches("figure-ratio_to_any").count(), ratios, "{name}");
    }
    folder.metronoc(&["report", "dragonfly.toml", "uniform.toml", "-o", "both.html"]);
    assert_eq!([any, some].map(|words| page("both.html").matches(words).count()), [1, 1]);
    let mut refused = Command::cargo_bin("metronoc").unwrap();
    let args = ["report", "dragonfly.toml", "uniform.toml", "--cosim", "none.json"];
    refused.current_dir(folder.path()).args(args).assert().code(2);
}
