//! A small network of each family.

/// Small networks by family, with parity where it is offered.
pub fn families() -> Vec<(&'static str, String)> {
    let spec = |network: &str, more: &str, collective: &str| {
        format!("format = 1\n[network]\n{network}\n[router]\npayload_bits = 8\n{more}\n[collective]\n{collective}\n")
    };
    let cube = |more: &str, collective: &str| {
        spec("topology = \"swapped-dragonfly\"\nk = 2\nm = 2\ngroup = \"xor\"", more, collective)
    };
    let ring = |collective: &str| spec("topology = \"ring\"\nnodes = 4", "parity = true", collective);
    vec![
        ("slot-table", ring("kind = \"all-to-all\"")),
        ("source-vector", cube("parity = true", "kind = \"all-to-all\"")),
        ("stream", cube("parity = true", "kind = \"broadcast\"\nroot = 2\ncount = 5")),
        ("exchange", cube("parity = true", "kind = \"all-reduce\"\nop = \"sum\"\nwords = 2")),
        ("product", cube("parity = true", "kind = \"vector-matrix\"")),
        (
            "pops-coupler",
            spec("topology = \"pops\"\nd = 2\ng = 2", "parity = true", "kind = \"permutation\"\npattern = \"random\""),
        ),
    ]
}
