//! Kinds of collectives on networks that run in slot tables, with the definition of each written down once more.

/// Kind of collective: its keys, blocks that go in and come out, and the definition of each block that comes out.
pub struct Kind {
    pub keys: String,
    pub given: Vec<usize>,
    pub results: Vec<usize>,
    /// Indices of the blocks that go in and make a block that comes out.
    pub sources: Box<dyn Fn(usize) -> Vec<usize>>,
    pub operator: fn(u32, u32) -> u32,
}

fn kind(keys: &str, given: &[usize], results: &[usize], sources: impl Fn(usize) -> Vec<usize> + 'static) -> Kind {
    let operator = |_, _| unreachable!("nothing is combined");
    let (given, results, sources) = (given.to_vec(), results.to_vec(), Box::new(sources));
    Kind { keys: keys.to_owned(), given, results, sources, operator }
}

/// Kinds without sums among n endpoints.
pub fn kinds(n: usize) -> Vec<Kind> {
    vec![
        kind("kind = \"all-to-all\"", &[n, n], &[n, n], move |to| vec![to % n * n + to / n]),
        kind("kind = \"total-exchange\"", &[n, n], &[n, n], move |to| vec![to % n * n + to / n]),
        kind("kind = \"all-gather\"", &[n], &[n, n], move |to| vec![to % n]),
        kind("kind = \"all-to-all-broadcast\"", &[n], &[n, n], move |to| vec![to % n]),
        kind("kind = \"broadcast\"\nroot = 2", &[], &[n], |_| vec![0]),
        kind("kind = \"scatter\"\nroot = 1", &[n], &[n], |to| vec![to]),
        kind("kind = \"gather\"\nroot = 3", &[n], &[n], |to| vec![to]),
        kind("kind = \"permutation\"\npattern = \"reversal\"", &[n], &[n], move |to| vec![n - 1 - to]),
        // by destination: packets 1, then 0 and 2, then 3
        kind("kind = \"h-relation\"\ndemands = [[0, 2], [3, 1], [1, 2], [3, 3]]", &[4], &[4], |to| {
            vec![[1, 0, 2, 3][to]]
        }),
    ]
}

/// Kinds with sums among n endpoints.
pub fn sums(n: usize) -> Vec<Kind> {
    let all = move |_| (0..n).collect::<Vec<_>>();
    let sum = |kind: Kind, operator| Kind { operator, ..kind };
    vec![
        sum(kind("kind = \"reduce\"\nroot = 1", &[n], &[], all), u32::wrapping_add),
        sum(kind("kind = \"all-reduce\"\nop = \"max\"", &[n], &[n], all), u32::max),
        sum(
            kind("kind = \"reduce-scatter\"\nop = \"xor\"", &[n, n], &[n], move |to| {
                (0..n).map(|i| i * n + to).collect()
            }),
            |a, b| a ^ b,
        ),
    ]
}
