//! Lower bounds for circuits: words cross any number of media in a step, and rest at processors only.
//!
//! | name | because |
//! |---|---|
//! | `receive`, `send` | a processor's words come and leave over its channels, one a step each |
//! | `cut` | words come to the processors of a medium, or leave them, over the channels between it and other media |
//! | `links` | all words together cross so many channels between media at least, each of which takes one word a step |
//! | `spread` | a circuit leads to one processor, so that a processor with k channels makes of one copy of a word k + 1 at most; of j words of a processor with k channels one leaves it in step ⌈j/k⌉ at the earliest |
//! | `deliveries` | a processor sends only when it has a word, k words a step; all of them together deliver so many in the first steps; listed where it is the largest |

use super::subject::{FAR, Listed, Subject};
use super::{bound, label, node, some};
use crate::check::bound_list::{BoundList, NamedBound};
use crate::collective::demand::Chunk;
use crate::count::counted;
use crate::id::NodeId;
use crate::topology::Topology;

/// The bounds for a demand on a network of circuits that lead to one processor each.
pub fn bounds_of_circuits(subject: Subject<'_>) -> BoundList {
    let listed = Listed::new(subject);
    let media = Media::new(&listed);
    let mut found = vec![node(&listed, false), node(&listed, true), media.cut(), media.links(), media.spread()];
    let known = found.iter().map(|bound| bound.cycles).max().unwrap_or(0);
    found.extend(media.deliveries(known));
    BoundList::new(found.into_iter().filter(|bound| bound.cycles > 0).collect())
}

/// Media of a network, and the processors at them.
struct Media<'a> {
    listed: &'a Listed<'a>,
    /// First medium to which each node leads, by node; for a medium, the medium itself.
    home: Vec<usize>,
    /// Numbers of channels from other media and to other media, by medium.
    links: Vec<[u64; 2]>,
}

impl<'a> Media<'a> {
    fn new(listed: &'a Listed<'a>) -> Self {
        let nodes = listed.nodes();
        let is_medium = |node: usize| listed.subject.net.is_medium(node.into());
        let mut home: Vec<usize> = (0..nodes).collect();
        let mut links = vec![[0; 2]; nodes];
        for channel in &listed.channels {
            match (is_medium(channel.src), is_medium(channel.dst)) {
                (true, true) => {
                    links[channel.dst][0] += 1;
                    links[channel.src][1] += 1;
                }
                (false, true) => home[channel.src] = channel.dst,
                _ => {}
            }
        }
        Self { listed, home, links }
    }

    fn home(&self, node: NodeId) -> usize {
        self.home[node.index()]
    }

    /// Media to which a chunk must come.
    fn wanted(&self, chunk: &Chunk) -> Vec<usize> {
        let mut media: Vec<usize> = chunk.to.iter().map(|&to| self.home(to)).collect();
        media.sort_unstable();
        media.dedup();
        media.retain(|&medium| chunk.from.iter().all(|&from| self.home(from) != medium));
        media
    }

    /// The medium over whose channels most words come in, or leave, for each of them.
    fn cut(&self) -> NamedBound {
        let mut words = vec![[0_u64; 2]; self.listed.nodes()];
        for chunk in &self.listed.subject.demand.chunks {
            let wanted = self.wanted(chunk);
            wanted.iter().for_each(|&medium| words[medium][0] += 1);
            if !wanted.is_empty() {
                words[self.home(chunk.from[0])][1] += 1;
            }
        }
        let steps = |medium: usize, way: usize| match self.links[medium][way] {
            0 => 0,
            links => words[medium][way].div_ceil(links),
        };
        let all = (0..self.listed.nodes()).flat_map(|medium| [(medium, 0), (medium, 1)]);
        let worst = all.rev().max_by_key(|&(medium, way)| steps(medium, way));
        let Some((medium, way)) = worst else { return bound("cut", 0, String::new()) };
        let what = match way {
            0 => some(words[medium][way], "word comes to", "words come to"),
            _ => some(words[medium][way], "word leaves", "words leave"),
        };
        let (name, links) = (label(self.listed, medium), self.links[medium][way]);
        bound("cut", steps(medium, way), format!("{what} the processors of {name} over {}", counted(links, "channel")))
    }

    /// Channels between media that all words cross together.
    fn links(&self) -> NamedBound {
        let nodes = self.listed.nodes();
        let links: u64 = self.links.iter().map(|links| links[0]).sum();
        let mut far: Vec<Option<Vec<u64>>> = vec![None; nodes];
        let mut sum = 0;
        for chunk in &self.listed.subject.demand.chunks {
            let home = self.home(chunk.from[0]);
            let far = far[home].get_or_insert_with(|| self.listed.ways([home], true, |_| 1));
            let wanted = self.wanted(chunk);
            let farthest = wanted.iter().map(|&medium| far[medium]).filter(|&far| far < FAR).max();
            sum += farthest.unwrap_or(0).max(wanted.len() as u64);
        }
        let steps = if links > 0 { sum.div_ceil(links) } else { 0 };
        bound("links", steps, format!("words cross {sum} channels between routers, of {links}"))
    }

    /// The words of a processor whose copies take longest to become as many as are wanted.
    fn spread(&self) -> NamedBound {
        let leaving = (0..self.listed.nodes()).filter(|&node| self.home[node] != node);
        let k = leaving.map(|node| self.listed.leaving(node) as u64).max().unwrap_or(0);
        // by source: copies of its words
        let mut of: Vec<Vec<u64>> = vec![Vec::new(); self.listed.nodes()];
        for chunk in &self.listed.subject.demand.chunks {
            if let [from] = chunk.from[..] {
                of[from.index()].push(1 + owed(chunk));
            }
        }
        let (mut worst, mut words, mut most) = (0, 1, 1);
        for (source, copies) in of.iter_mut().enumerate().filter(|_| k > 0) {
            copies.sort_unstable_by_key(|&copies| std::cmp::Reverse(copies));
            let own = self.listed.leaving(source).max(1);
            for (before, &copies) in copies.iter().enumerate().filter(|&(before, _)| before % own == 0) {
                let (mut steps, mut reached) = ((before / own) as u64, 1);
                while reached < copies {
                    (steps, reached) = (steps + 1, reached * (k + 1));
                }
                if steps > worst && copies > 1 {
                    (worst, words, most) = (steps, before as u64 + 1, copies);
                }
            }
        }
        let a_step = format!("a step makes {} of one at most", k + 1);
        let reason = match words {
            1 => format!("{most} copies of a word, and {a_step}"),
            _ => format!("{most} copies of the last of {words} words that leave a node, and {a_step}"),
        };
        bound("spread", worst, reason)
    }

    /// Steps in which processors that have a word can make all deliveries. None if another bound is as large.
    fn deliveries(&self, known: u64) -> Option<NamedBound> {
        let nodes = self.listed.nodes();
        let (mut has, mut takes) = (vec![false; nodes], vec![false; nodes]);
        let chunks = &self.listed.subject.demand.chunks;
        for chunk in chunks {
            chunk.from.iter().for_each(|from| has[from.index()] = true);
            chunk.to.iter().filter(|to| !chunk.from.contains(to)).for_each(|to| takes[to.index()] = true);
        }
        let processors = || (0..nodes).filter(|&node| self.home[node] != node);
        let k = processors().map(|node| self.listed.leaving(node) as u64).max()?;
        let into: u64 = self.listed.channels.iter().filter(|channel| takes[channel.dst]).count() as u64;
        let first = has.iter().filter(|has| **has).count() as u64;
        let all: u64 = chunks.iter().map(owed).sum();
        let (mut steps, mut there, mut left) = (0, first, all);
        while left > 0 {
            let made = (there * k).min(into);
            if made == 0 {
                return None;
            }
            (steps, left) = (steps + 1, left.saturating_sub(made));
            there = (there + made).min(processors().count() as u64);
        }
        let senders = some(first, "processor has", "processors have");
        let reason = format!("{all} deliveries, and {senders} words in the first step, each with {k} channels");
        (steps > known).then(|| bound("deliveries", steps, reason))
    }
}

/// Nodes that lack a word and are owed it.
fn owed(chunk: &Chunk) -> u64 {
    chunk.to.iter().filter(|to| !chunk.from.contains(to)).count() as u64
}
