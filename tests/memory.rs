//! Memory of commands on large networks.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Most memory of a command, in MiB.
const MOST: u64 = 1024;

/// Runs metronoc on a specification to its end, and gives the most memory that it had at a time, in MiB.
fn peak(args: &[&str], text: &str) -> u64 {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("x.toml"), text).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_metronoc"));
    command.args(args).args(["x.toml", "-q"]).current_dir(folder.path()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut peak = 0;
    let status = loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
        peak = line.map_or(peak, |kilobytes| kilobytes.trim().parse::<u64>().unwrap());
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    assert!(status.success() && peak > 0, "{args:?} on\n{text}");
    peak / 1024
}

#[test]
#[ignore = "a minute for networks of up to 262,144 routers; .ci/run includes it"]
fn large_networks_take_less_than_a_gibibyte() {
    let rows = [
        ("check", [64, 64], "cyclic", "all-to-all"),
        ("check", [64, 64], "cyclic", "broadcast"),
        ("check", [64, 64], "cyclic", "vector-matrix"),
        ("check", [64, 64], "cyclic", "matrix-vector"),
        ("check", [64, 64], "cyclic", "transpose"),
        ("check", [32, 32], "xor", "all-reduce"),
        ("check", [32, 32], "xor", "prefix-scan"),
        ("generate", [4, 64], "cyclic", "matrix-matrix"),
    ];
    for (command, [k, m], group, kind) in rows {
        let network = format!("topology = \"swapped-dragonfly\"\nk = {k}\nm = {m}\ngroup = \"{group}\"");
        let text = format!("format = 1\n[network]\n{network}\n[collective]\nkind = \"{kind}\"\n");
        let args = if command == "generate" { vec![command, "-o", "rtl"] } else { vec![command] };
        let peak = peak(&args, &text);
        println!("| `{command}` | D3({k},{m}), {kind} | {} | {peak} MiB |", k * m * m);
        assert!(peak < MOST, "`{command}` of\n{text}takes {peak} MiB");
    }
    for network in ["hypercube\"\nd = 16", "de-bruijn\"\ndegree = 2\ndiameter = 16", "torus\"\ndims = [256, 256]"] {
        let text = format!("format = 1\n[network]\ntopology = \"{network}\n[collective]\nkind = \"broadcast\"\n");
        let peak = peak(&["check"], &text);
        println!("| `check` | {}, broadcast | 65536 | {peak} MiB |", network.replace(['"', '\n'], " "));
        assert!(peak < MOST, "`check` of\n{text}takes {peak} MiB");
    }
}
