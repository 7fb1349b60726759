//! Mutants of what stands between a network and a board, with a network that is played from tables.

use super::campaign::selected;
use super::mutants::{Design, Fate, Mutants, State, Tried, UNCHANGED, limit};
use crate::common::board::project;
use crate::common::verilator;
use assert_cmd::Command as Process;
use camino::Utf8Path;
use metronoc::board::Level;
use metronoc::synth::{BoardTop, Project};
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const TILES: u64 = 9;
/// Words of a message of the all-to-all: an odd number, as that of tiles, and more than 255 words a tile.
const WORDS: u64 = 29;
const BITS: u64 = 16;

/// What a board's top does with its network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Self-test whose words are a pattern.
    Pattern,
    /// Self-test whose words are in tables.
    Table,
    /// Streams over the serial line.
    Host,
}

impl Kind {
    pub const ALL: [(&str, Self); 3] =
        [("board-pattern", Self::Pattern), ("board-table", Self::Table), ("board-host", Self::Host)];

    fn top(self) -> BoardTop {
        if self == Self::Host { BoardTop::Host } else { BoardTop::SelfTest }
    }

    fn spec(self) -> String {
        let collective = match self {
            Self::Table => "kind = \"broadcast\"\ncount = 5".to_owned(),
            _ => format!("kind = \"all-to-all\"\nwords = {WORDS}"),
        };
        format!(
            "format = 1\n[network]\ntopology = \"swapped-dragonfly\"\nk = 1\nm = 3\n[router]\npayload_bits = {BITS}\n[collective]\n{collective}\n"
        )
    }

    /// Numbers of trials.
    fn trials(self) -> Vec<u32> {
        match self {
            Self::Host => vec![0, 17, 18],
            _ => (0..17).chain(32..32 + BITS as u32).collect(),
        }
    }

    /// What is done on a board in a trial.
    fn script(self, loads: &[u64], tile_bits: u64) -> String {
        if self != Self::Host {
            let again = "press\nwatch 100\nlamps\nwait 100\nrelease\nwatch 70000\nwatch 70000\nlamps\n";
            return format!("lamps\nline 40000000\nlamps\nwait 5000\nlamps\n{again}");
        }
        let send = |bytes: &[u8]| {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:x}")).collect();
            format!("send {}\n", digits.join(" "))
        };
        let frame = |kind: u8, tile: u64, words: &[u64]| send(&frame(kind, tile, words));
        let collective = || {
            let loads = by_tile(loads, tile_bits).map(|(tile, words)| frame(0, tile, words));
            loads.collect::<String>()
                + &frame(2, 0, &[1])
                + "lamps\nwait 20000\n"
                + &frame(3, 0, &[0])
                + "lamps\nwait 6000000\n"
                + &frame(4, 0, &[0])
                + "wait 200000\nlamps\n"
        };
        // an unfinished frame that silence ends, a byte that is none, a frame without words, and a reset in a frame
        let mut text = "wait 70000\nlamps\n".to_owned();
        text += &(send(&[0, 1, 0, 9, 0, 77]) + "wait 300000\nbad 5\n" + &frame(3, 1, &[]));
        text += &collective();
        text += &(send(&[7, 0, 0, 0, 0]) + "wait 200\nlamps\n" + &collective());
        text + "press\nwait 10\nlamps\nrelease\nwait 70000\n" + &collective()
    }
}

/// Mutants of a board's top and of all that is not its network.
pub struct Boards {
    kind: Kind,
    folder: tempfile::TempDir,
    mutants: Mutants,
    program: PathBuf,
    arguments: [String; 2],
    /// What is said in each trial without a mutant.
    said: Vec<String>,
    /// Most time of a trial.
    limit: Duration,
}

impl Boards {
    /// Makes `count` mutants; a proof that one changes nothing has `patience`.
    pub fn new(kind: Kind, count: usize, patience: Duration) -> Self {
        let (project, design, board) = project(&kind.spec(), kind.top(), "icebreaker");
        let folder = tempfile::tempdir().unwrap();
        let path = &folder.path().to_owned();
        let tile_bits = u64::from(design.ring.tile_bits);
        let (loads, wants) = tables(kind, &project, tile_bits);
        let text = |rows: &[u64]| rows.iter().map(|row| format!("{row:x}\n")).collect::<String>();
        for name in ["rtl", "rom"] {
            fs::create_dir(path.join(name)).unwrap();
        }
        let mut sources = Vec::new();
        // counters that simulations and proofs reach the ends of
        let short = |text: &str| {
            text.replace("mn_power_on #(", "mn_power_on #(.CB(8), ")
                .replace("mn_selftest #(\n", "mn_selftest #(\n        .LIMIT(17),\n")
        };
        for (name, text) in project.files().filter(|(name, _)| *name != "rtl/mn_top.v") {
            if name.starts_with("rom/selftest") {
                fs::write(path.join(name), text).unwrap();
            } else if name.starts_with("rtl/") {
                fs::write(path.join(name), if name == "rtl/mn_board.v" { short(text) } else { text.to_owned() })
                    .unwrap();
                sources.push(name);
            }
        }
        let defines = [
            ("DW", BITS),
            ("TB", tile_bits),
            ("TILES", TILES),
            ("LOADS", loads.len() as u64),
            ("WANTS", wants.len() as u64),
        ];
        let defines: Vec<String> = defines.iter().map(|(name, value)| format!("-D{name}={value}")).collect();
        fs::write(path.join("mn_top.v"), include_str!("board/mn_top.v")).unwrap();
        fs::write(path.join("trial.cpp"), include_str!("board/trial.cpp")).unwrap();
        fs::write(path.join("receiver.h"), include_str!("../board/receiver.h")).unwrap();
        let script = format!(
            "read_verilog -lib {} mn_top.v\nread_verilog -defer {}\nhierarchy -top mn_board\nproc\nopt -noff -keepdc\nmemory_dff\nmemory_collect\nopt_clean\n",
            defines.join(" "),
            sources.join(" ")
        );
        let design = Design {
            folder: path.to_owned(),
            top: "mn_board",
            script: &script,
            start: Some(State::PowerOn),
            several_clocks: false,
            patience,
        };
        let mutants = Mutants::new(design, count, |module| module != "mn_top", |_| false);
        let netlist = fs::read_to_string(path.join("mutants.v")).unwrap();
        fs::write(path.join("mn_board.v"), selected(&netlist, "mn_board")).unwrap();
        let options = ["--cc", "--exe", "--build", "-Wno-fatal", "--top-module", "mn_board"];
        let files = ["mn_board.v", "mn_top.v", "trial.cpp"];
        let arguments = options.into_iter().chain(defines.iter().map(String::as_str)).chain(files);
        verilator::build(Utf8Path::from_path(path).unwrap(), verilator::QUICK, arguments);
        let level = if board.button.active == Level::High { "1" } else { "0" };
        let mut this = Self {
            kind,
            mutants,
            program: path.join("obj/Vmn_board"),
            arguments: [board.uart_divide().to_string(), level.to_owned()],
            folder,
            said: Vec::new(),
            limit: UNCHANGED,
        };
        for worker in 0..2 {
            let own = this.worker(worker);
            fs::create_dir(&own).unwrap();
            std::os::unix::fs::symlink(path.join("rom"), own.join("rom")).unwrap();
            for (name, text) in [
                ("loads.hex", text(&loads)),
                ("wants.hex", text(&wants)),
                ("script.txt", kind.script(&loads, tile_bits)),
            ] {
                fs::write(own.join(name), text).unwrap();
            }
        }
        let begin = Instant::now();
        let said: Vec<String> = kind.trials().iter().map(|&trial| this.trial(0, 0, trial)).collect();
        let unchanged = begin.elapsed();
        this.right(&said, &wants, tile_bits);
        this.said = said;
        this.limit = limit(unchanged);
        this
    }

    fn worker(&self, worker: usize) -> PathBuf {
        self.folder.path().join(format!("worker_{worker}"))
    }

    /// What is said in a trial.
    fn trial(&self, worker: usize, mutant: usize, trial: u32) -> String {
        let own = self.worker(worker);
        fs::write(own.join("mutant.txt"), format!("{mutant}\n")).unwrap();
        fs::write(own.join("trial.txt"), format!("{trial}\n")).unwrap();
        let output = Process::new(&self.program).current_dir(own).args(&self.arguments).timeout(self.limit).output();
        output.map_or(String::new(), |output| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// What is said without a mutant is what the trials are made for.
    fn right(&self, said: &[String], wants: &[u64], tile_bits: u64) {
        for (trial, said) in self.kind.trials().into_iter().zip(said) {
            let about = format!("{:?}, trial {trial}: {said}", self.kind);
            assert!(!said.contains("(no") && !said.contains("unstable"), "{about}");
            // bytes were lost
            assert_eq!(said.contains("load ") || said.contains("kind:"), trial == 17, "{about}");
            if self.kind == Kind::Host {
                let flags = match trial {
                    17 => 0x40,
                    18 => 0x80,
                    _ => 0,
                };
                let frame = |kind: u8, tile: u64, words: &[u64]| {
                    frame(kind | flags, tile, words).into_iter().map(shown).collect::<String>()
                };
                let status: String = (0..TILES).map(|tile| frame(4, tile, &[0; 64 / BITS as usize])).collect();
                // a network that takes no word for long does so right behind a reset over the line
                assert_eq!(said.matches(&status).count(), if trial == 17 { 1 } else { 3 }, "{about}");
                let words = by_tile(wants, tile_bits).map(|(tile, words)| frame(3, tile, words));
                assert_eq!(
                    said.matches(&words.collect::<String>()).count(),
                    if trial == 17 { 0 } else { 3 },
                    "{about}"
                );
                continue;
            }
            let faults = match trial {
                0 | 11..=13 | 15 => 0,
                1 | 2 | 32.. => 0x80,
                3 | 4 => 0x40,
                5..=8 => 1 << (trial - 5),
                9 | 16 => 0x10,
                10 => 0xc0,
                _ => 0x20,
            };
            let cycles = match trial {
                11 => 7,
                12 => 60999,
                13 => 10,
                _ => 12345,
            };
            let verdict = if faults == 0 { "PASS" } else { "FAIL" };
            // lamps of the verdict are low when lit
            let lamps = if faults == 0 { "lamps 2" } else { "lamps 4" };
            assert!(said.contains(&format!(" {verdict} cycles=")) && said.contains(lamps), "{about}");
            assert!(trial == 14 || said.contains(&format!("cycles={cycles} faults={faults:02x}<0d><0a>")), "{about}");
        }
    }
}

/// Frame of the serial line, see mn_bridge: of rows it has the words.
fn frame(kind: u8, tile: u64, rows: &[u64]) -> Vec<u8> {
    let low = |number: u64| (number as u16).to_le_bytes();
    let head = [low(tile), low(rows.len() as u64)].concat();
    [vec![kind], head, rows.iter().flat_map(|&row| low(row)).collect()].concat()
}

/// Rows of each tile in turn.
fn by_tile(rows: &[u64], tile_bits: u64) -> impl Iterator<Item = (u64, &[u64])> {
    let tile = move |row: u64| row >> BITS & ((1 << tile_bits) - 1);
    rows.chunk_by(move |&a, &b| tile(a) == tile(b)).map(move |rows| (tile(rows[0]), rows))
}

/// A byte of the serial line as a trial prints it.
fn shown(byte: u8) -> String {
    if (0x20..0x7f).contains(&byte) { char::from(byte).to_string() } else { format!("<{byte:02x}>") }
}

/// Rows of the words that the network takes and gives: {compared, tile, word}.
fn tables(kind: Kind, project: &Project, tile_bits: u64) -> (Vec<u64>, Vec<u64>) {
    let image = |name: &str| {
        let (_, text) = project.files().find(|(file, _)| *file == name).unwrap();
        text.lines().map(|line| u64::from_str_radix(line, 16).unwrap()).collect::<Vec<u64>>()
    };
    if kind == Kind::Table {
        return (image("rom/selftest_loads.hex"), image("rom/selftest_wants.hex"));
    }
    // see mn_pattern and mn_selftest
    let word = |from: u64, to: u64, at: u64| {
        let sum = [(from, 0x9e37_79b9_7f4a_7c15), (to, 0xc2b2_ae3d_27d4_eb4f), (at + 1, 0x1656_67b1_9e37_79f9_u64)];
        let sum = sum.into_iter().fold(0, |sum: u64, (times, step)| sum.wrapping_add(times.wrapping_mul(step)));
        sum & ((1 << BITS) - 1)
    };
    let row = |tile: u64, word: u64| 1 << (BITS + tile_bits) | tile << BITS | word;
    let all = |row: &dyn Fn(u64, u64, u64) -> u64| {
        let pairs = (0..TILES).flat_map(|outer| (0..TILES).map(move |inner| (outer, inner)));
        pairs
            .flat_map(|(outer, inner)| (0..WORDS).map(move |at| (outer, inner, at)))
            .map(|(a, b, c)| row(a, b, c))
            .collect()
    };
    (all(&|from, to, at| row(from, word(from, to, at))), all(&|to, from, at| row(to, word(from, to, at))))
}

impl Tried for Boards {
    fn mutants(&self) -> &Mutants {
        &self.mutants
    }

    fn mutants_mut(&mut self) -> &mut Mutants {
        &mut self.mutants
    }

    fn fate(&self, worker: usize, mutant: usize) -> Fate {
        let differs = |(trial, said): (u32, &String)| self.trial(worker, mutant, trial) != *said;
        if self.kind.trials().into_iter().zip(&self.said).any(differs) {
            Fate::Board
        } else if self.mutants.equivalent(worker, mutant) {
            Fate::Equivalent
        } else {
            Fate::Survivor
        }
    }
}
