//! Every kind of collective on networks that run in slot tables, from specification to data and hardware: schedules are judged, and
//! data is compared with the definition, which is written down here once more.

use crate::common::case::Case;
use crate::common::kinds::{Kind, kinds, sums};
use metronoc::check::judge::judge;
use metronoc::program::Document;
use ndarray::{ArrayD, IxDyn};
use ndarray_npy::{read_npy, write_npy};
use std::path::PathBuf;

const RING: (&str, usize) = ("topology = \"ring\"\nnodes = 5", 5);
const TORUS: (&str, usize) = ("topology = \"torus\"\ndims = [3, 3]", 9);
const DRAGONFLY: (&str, usize) =
    ("topology = \"swapped-dragonfly\"\nk = 2\nm = 2\nexclude_nodes = [3]\nexclude_channels = [[0, 1]]", 7);
const MESH: (&str, usize) = ("topology = \"mesh\"\ndims = [2, 3]\nexclude_nodes = [0]\nlatency = 2", 5);

/// A kind on a network with its data.
struct Trial {
    case: Case,
    name: String,
    expected: ArrayD<u32>,
}

impl Trial {
    /// A case with random words in `x.npy`, `words` of them a block, `repeat` times.
    fn new(network: &str, kind: &Kind, words: usize, repeat: usize) -> Self {
        let name = match kind.keys.contains("broadcast\"\nroot") {
            true => "count",
            false => "words",
        };
        let keys = format!("{}\n{name} = {words}\nrepeat = {repeat}", kind.keys);
        let spec = format!(
            "format = 1\n[network]\n{network}\n[router]\nkind = \"slot-table\"\npayload_bits = 32\n[collective]\n{keys}\n[schedule]\ntime_limit_s = 1\n"
        );
        let shape = |blocks: &[usize]| {
            let mut shape: Vec<usize> =
                (repeat > 1).then_some(repeat).into_iter().chain(blocks.iter().copied()).collect();
            shape.extend((words > 1 || blocks.is_empty()).then_some(words));
            shape
        };
        let [given, results]: [usize; 2] = [&kind.given, &kind.results].map(|blocks| blocks.iter().product());
        let x: Vec<u32> = (1..).map(|i: u32| i.wrapping_mul(0x9e37_79b9)).take(repeat * given * words).collect();
        let y = (0..repeat * results * words).map(|i| {
            let (word, block, repetition) = (i % words, i / words % results, i / words / results);
            let sources = (kind.sources)(block).into_iter().map(|from| x[(repetition * given + from) * words + word]);
            sources.reduce(kind.operator).expect("a source")
        });
        let expected = ArrayD::from_shape_vec(IxDyn(&shape(&kind.results)), y.collect()).unwrap();
        let case = Case::new(&spec);
        let given = ArrayD::from_shape_vec(IxDyn(&shape(&kind.given)), x).unwrap();
        write_npy(case.dir.path().join("x.npy"), &given).unwrap();
        Self { case, name: spec, expected }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.case.dir.path().join(name)
    }

    fn runs(&self, args: &[&str]) -> String {
        let (code, out, err) = self.case.metronoc(args);
        assert_eq!(code, Some(0), "{}\n{err}", self.name);
        out
    }

    /// The export is judged once more from its text, and the data comes out as it is defined.
    fn holds(&self) {
        let document = Document::read(self.runs(&["schedule", "case.toml", "--format", "json"]).as_bytes()).unwrap();
        judge(&document).unwrap_or_else(|fault| panic!("{}\n{fault}", self.name));
        self.runs(&["simulate", "case.toml", "--data", "x.npy", "--out", "y.npy"]);
        assert_eq!(read_npy::<_, ArrayD<u32>>(self.path("y.npy")).unwrap(), self.expected, "{}", self.name);
    }

    /// The hardware is that of the model in every cycle, and gives the data as it is defined.
    fn is_built(&self) {
        self.runs(&["cosim", "case.toml", "--data", "x.npy", "--out", "z.npy", "-q"]);
        assert_eq!(read_npy::<_, ArrayD<u32>>(self.path("z.npy")).unwrap(), self.expected, "{}", self.name);
    }
}

#[test]
fn every_kind_moves_words_as_it_is_defined() {
    for ((network, n), sizes) in [(RING, (1, 1)), (TORUS, (2, 1)), (MESH, (1, 2)), (RING, (3, 2)), (DRAGONFLY, (1, 1))]
    {
        for kind in kinds(n) {
            Trial::new(network, &kind, sizes.0, sizes.1).holds();
        }
    }
}

#[test]
#[ignore = "every sum on four networks; .ci/run includes it"]
fn every_kind_combines_words_as_it_is_defined() {
    for ((network, n), sizes) in [(RING, (1, 1)), (TORUS, (2, 1)), (MESH, (1, 2)), (DRAGONFLY, (2, 1))] {
        for kind in sums(n) {
            let trial = Trial::new(network, &kind, sizes.0, sizes.1);
            trial.holds();
        }
    }
}

#[test]
#[ignore = "a simulator; .ci/run includes it"]
fn blocks_of_one_node_in_hardware() {
    Trial::new("topology = \"torus\"\ndims = [2, 2]", &kinds(4)[5], 2, 2).is_built();
}

#[test]
fn sums_in_hardware() {
    Trial::new("topology = \"ring\"\nnodes = 4", &sums(4)[2], 1, 2).is_built();
}

/// A Swapped Dragonfly has the schedulers of any network where its own algorithms do not fit.
#[test]
#[ignore = "a simulator; .ci/run includes it"]
fn what_a_swapped_dragonfly_lacks_is_gone_round_in_hardware() {
    Trial::new(DRAGONFLY.0, &sums(7)[0], 1, 1).is_built();
}

#[test]
#[ignore = "a simulator; .ci/run includes it"]
fn copies_in_hardware() {
    Trial::new("topology = \"ring\"\nnodes = 4", &kinds(4)[2], 2, 1).is_built();
}

#[test]
fn a_verdict_has_the_kind_that_was_asked_for() {
    let keys = "kind = \"all-to-all\"\nwords = 2";
    let case = Case::new(&format!("format = 1\n[network]\n{}\n[collective]\n{keys}\n", RING.0));
    let (_, told, _) = case.metronoc(&["check", "case.toml"]);
    assert!(told.contains("collective all-to-all\n"), "{told}");
}

/// Exit code and message of a collective on a ring of five nodes.
fn said(keys: &str) -> (Option<i32>, String) {
    let case = Case::new(&format!("format = 1\n[network]\n{}\n[collective]\n{keys}\n", RING.0));
    std::fs::write(case.dir.path().join("short.csv"), "1,0,2").unwrap();
    let (code, _, err) = case.metronoc(&["check", "case.toml"]);
    assert!(err.contains("help: "), "{err}");
    (code, err)
}

#[test]
fn keys_that_do_not_fit_the_endpoints_are_refused_on_their_line() {
    for (keys, message, place) in [
        ("kind = \"scatter\"\nroot = 5", "there is no endpoint 5", "case.toml:7:8"),
        ("kind = \"permutation\"\npermutation = [0, 1]", "it has 2 entries, and there are 5 endpoints", "case.toml:7"),
        ("kind = \"permutation\"\npattern = \"hypercube\"\ndimension = 0", "power of two of endpoints", "case.toml:7"),
        ("kind = \"permutation\"\nfile = \"short.csv\"", "`short.csv` is no permutation of 5 endpoints", "case.toml:7"),
        ("kind = \"h-relation\"\ndemands = [[0, 1], [5, 0]]", "packet 1 goes from 5 to 0", "case.toml:7"),
        ("kind = \"h-relation\"\nfile = \"none.csv\"", "cannot read `none.csv`", "case.toml:7"),
    ] {
        let (code, err) = said(keys);
        assert_eq!(code, Some(3), "{err}");
        assert!(err.contains(message) && err.contains(place), "{keys}: {err}");
    }
    let (code, err) = said("algorithm = \"fastest\"");
    assert!(code == Some(3) && err.contains("`fastest`") && err.contains("case.toml:6:13"), "{err}");
    assert!(err.contains("use one of: best, "), "{err}");
}

#[test]
fn too_many_words_are_refused_at_once() {
    let case = Case::new("format = 1\n[network]\ntopology = \"torus\"\ndims = [128, 128]\n");
    let (code, _, err) = case.metronoc(&["check", "case.toml"]);
    assert!(code == Some(3) && err.contains("a schedule has at most") && err.contains("help: "), "{err}");
}
