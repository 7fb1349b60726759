//! BookSim's anynet (Jiang et al. 2013): each line begins with a router, and names the routers to which it has links.
//! After each is the latency, in cycles, of the channel from the first router to the second. The channel back has one
//! cycle unless another line gives its latency. A `node` is an endpoint, of which each router has one here.

use super::draft::{Draft, Listing, ListingError, cycles_of, error};
use crate::input::excerpt;
use crate::input::place_of;
use std::collections::BTreeMap;

const LINE: &str =
    "write `router 0 router 1 15 router 2`: a router, then its neighbours with the cycles of the channel to each";

/// The network of a text.
pub(super) fn read(text: &str) -> Result<Listing, ListingError> {
    // cycles of the channels that are written, and their places
    let mut links: BTreeMap<(u32, u32), (Option<u32>, std::ops::Range<usize>)> = BTreeMap::new();
    let mut endpoints: BTreeMap<u32, std::ops::Range<usize>> = BTreeMap::new();
    let mut routers: BTreeMap<u32, std::ops::Range<usize>> = BTreeMap::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let mut words = line.split_whitespace().peekable();
        let mut first: Option<u32> = None;
        while let Some(kind) = words.next() {
            let place = place_of(text, kind);
            let number = words.next().and_then(|word| word.parse::<u32>().ok().map(|number| (number, word)));
            let (Some((number, word)), "router" | "node") = (number, kind) else {
                let message = format!("`{}` is neither `router` nor `node` with a number", excerpt(kind));
                return Err(error(place, message, LINE));
            };
            let place = place.start..place_of(text, word).end;
            let cycles = words.next_if(|word| word.starts_with(|c: char| c.is_ascii_digit()));
            let at = cycles.map(|cycles| place_of(text, cycles));
            let cycles = cycles.zip(at.as_ref()).map(|(cycles, at)| cycles_of(cycles, at)).transpose()?;
            match (kind, first) {
                ("router", None) if cycles.is_none() => {
                    routers.entry(number).or_insert(place);
                    first = Some(number);
                }
                (_, None) => return Err(error(place, "the line does not begin with a router", LINE)),
                ("router", Some(from)) => {
                    routers.entry(number).or_insert(place.clone());
                    let link = links.entry((from, number)).or_insert((None, place.clone()));
                    *link = (Some(cycles.unwrap_or(1)), place.clone());
                    links.entry((number, from)).or_insert((None, place));
                }
                (_, Some(router)) => {
                    let help = "give each router one endpoint, without cycles; metronoc's nodes are both";
                    if cycles.is_some_and(|cycles| cycles > 1) {
                        return Err(error(place, format!("endpoint {number} has cycles of its own"), help));
                    }
                    if endpoints.insert(router, place.clone()).is_some() {
                        return Err(error(place, format!("router {router} has two endpoints"), help));
                    }
                }
            }
        }
    }
    let numbers = routers.keys().copied().eq(0..routers.len() as u32);
    if let (false, Some((last, place))) = (numbers, routers.last_key_value()) {
        let message = format!("{} routers, and one of them is number {last}", routers.len());
        return Err(error(place.clone(), message, "number routers from 0 on, without gaps"));
    }
    if let (false, Some((router, place))) =
        (endpoints.is_empty(), routers.iter().find(|(router, _)| !endpoints.contains_key(router)))
    {
        let help = "give each router one endpoint, or leave all `node`s out";
        return Err(error(place.clone(), format!("router {router} has no endpoint"), help));
    }
    let mut draft = Draft::default();
    for (router, place) in &routers {
        draft.node(&router.to_string(), place)?;
    }
    for (ends, (cycles, place)) in links {
        draft.channel(ends, Some(cycles.unwrap_or(1)), &place)?;
    }
    draft.finish(text)
}
