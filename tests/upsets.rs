//! Upsets of registers: what is flipped is reported, has no effect, or is counted as silent.

use crate::common::asked;
use crate::common::case::Case;
use crate::common::families::families;
use serde_json::Value;

/// `upsets` of the JSON of a co-simulation.
fn upsets(case: &Case, count: u64, more: &[&str]) -> Value {
    let count = count.to_string();
    let args = ["cosim", "case.toml", "--random", "--upsets", &count, "--seed", "1", "--json", "-q"];
    let (code, out, err) = case.metronoc(&[&args[..], more].concat());
    assert_eq!(code, Some(0), "{err}");
    serde_json::from_str::<Value>(&out).unwrap()["upsets"].clone()
}

/// Sum of a column of the kinds that `of` accepts.
fn sum(upsets: &Value, column: &str, of: impl Fn(&str) -> bool) -> u64 {
    let kinds = upsets["kinds"].as_object().unwrap().iter().filter(|(kind, _)| of(kind));
    kinds.map(|(_, share)| share[column].as_u64().unwrap()).sum()
}

#[test]
#[ignore = "two simulators and hundreds of runs; .ci/run includes it"]
fn upsets_of_channels_tables_and_counters_are_never_silent() {
    let (_, spec) = &families()[0];
    let case = Case::new(spec);
    let found = upsets(&case, 210, &[]);
    let all = |column| sum(&found, column, |_| true);
    assert_eq!(all("upsets"), 210);
    assert_eq!(all("reported") + all("without_effect") + all("without_end") + all("silent"), 210);
    assert!(all("reported") > 20 && all("without_effect") > 50, "{found}");
    assert_eq!(sum(&found, "silent", |kind| ["channel", "table", "counter", "bank"].contains(&kind)), 0, "{found}");
    // detectors that are dead report nothing, and what they would have reported is silent
    assert_eq!(case.metronoc(&["generate", "case.toml", "-o", "rtl", "--seed", "1", "-q"]).0, Some(0));
    let path = case.dir.path().join("rtl/rtl/mn_fault_log.v");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut dead = text;
    for (alive, none) in [
        ("{seen_q[k], port_q}", "8'd0"),
        ("assign program_o = program_q;", "assign program_o = program_q & 2'd0;"),
        ("assign fault_o   = |seen_q || |program_q;", "assign fault_o   = 1'b0 && (|seen_q || |program_q);"),
    ] {
        assert!(dead.contains(alive), "{alive}");
        dead = dead.replace(alive, none);
    }
    std::fs::write(&path, dead).unwrap();
    let dead = upsets(&case, 210, &["--rtl", "rtl"]);
    let silent = |upsets: &Value| sum(upsets, "silent", |_| true);
    assert!(silent(&dead) > silent(&found), "{dead}");
}

/// `METRONOC_UPSETS` is the number of upsets of each family.
#[test]
#[ignore = "two simulators and ten thousand runs for each family: minutes; .ci/run includes it"]
fn most_upsets_of_every_family_are_reported_or_without_effect() {
    let count = asked::number("METRONOC_UPSETS").unwrap_or(10_000);
    for (family, spec) in families() {
        let case = Case::new(&spec);
        let (code, out, err) =
            case.metronoc(&["cosim", "case.toml", "--random", "--upsets", &count.to_string(), "--seed", "1", "-q"]);
        assert_eq!(code, Some(0), "{family}: {err}");
        println!("{family}: {out}");
        let good: u64 = out.split(" bits flipped, ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!(good * 1000 >= 999 * count, "{family}: {good} of {count}");
        let all = out.lines().find(|line| line.starts_with("all ")).unwrap();
        let silent: u64 = all.split_whitespace().last().unwrap().parse().unwrap();
        assert!(silent * 2000 <= count, "{family}: {silent} of {count} are silent");
    }
}
