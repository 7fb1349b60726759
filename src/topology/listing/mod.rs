//! Networks that files list, in the forms of several tools. A file here for each form.
//!
//! | ending | form | channels |
//! |---|---|---|
//! | .json | `nodes`, `channels` and `latency` as in the exchange format; other keys are not looked at | each entry |
//! | .graphml | GraphML, with `latency` as an attribute of edges | an edge that is directed; both ways of one that is not |
//! | .csv | an edge a line: `source,destination` or `source,destination,cycles` | each line |
//! | .anynet | BookSim's anynet: `router 0 router 1 15 router 2` | both ways, the cycles for the way that is written |

mod anynet;
mod csv;
mod draft;
mod graphml;
mod json;

pub use csv::{cycles, links};
pub use draft::{Listing, ListingError, MAX_CHANNELS, MAX_NODES};

/// Reader of a form.
type Reader = fn(&str) -> Result<Listing, ListingError>;

/// Readers by the ending of a file's name.
const READERS: &[(&str, Reader)] =
    &[("json", json::read), ("graphml", graphml::read), ("csv", csv::read), ("anynet", anynet::read)];

/// Endings that are read.
pub fn endings() -> impl Iterator<Item = &'static str> {
    READERS.iter().map(|(ending, _)| *ending)
}

/// The network of a text whose file has this ending; none for an ending that is not known.
pub fn read(ending: &str, text: &str) -> Option<Result<Listing, ListingError>> {
    let (_, reader) = READERS.iter().find(|(known, _)| known.eq_ignore_ascii_case(ending))?;
    Some(reader(text))
}

#[cfg(test)]
mod tests;
