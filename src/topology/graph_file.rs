//! A network from a file, in a specification.

use super::kind::{Key, Kind, Listed, ListingError, NetworkFile, Shape, Sizes};
use super::listing;

/// A network from a file in a specification.
pub const KIND: Kind = Kind {
    file: Some(NetworkFile { key: "file", alone: true, endings: || listing::endings().collect(), read }),
    ..Kind::new(
        ["graph", "a graph", "A network from a file beside the specification"],
        &[Key {
            name: "file",
            about: "file: .json with `nodes`, `channels` and `latency` of the exchange format, .graphml, .csv with an edge a line, or .anynet \
                    of BookSim",
            shape: Shape::File,
            example: "\"network.csv\"",
            missing: "name a file beside the specification: `file = \"network.csv\"`",
        }],
        |_| None,
    )
};

/// Network of a file's text.
fn read(_: &Sizes, ending: &str, text: &str) -> Result<Listed, ListingError> {
    let read = listing::read(ending, text).unwrap_or_else(|| {
        let message = format!("files that end in .{ending} are not read");
        Err(ListingError { place: 0..0, message, help: "name a file of a known form" })
    })?;
    Ok(Listed { network: Box::new(read.network), latency: read.latency })
}
