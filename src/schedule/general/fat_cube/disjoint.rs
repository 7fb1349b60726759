//! Link-disjoint paths between routers, by maximum flow, one path after the other.

use crate::topology::FatCube;

/// Paths of one packet in a step: routers that send it, routers that get it, and channels in use.
pub(super) struct Disjoint {
    net: FatCube,
    /// Number of paths that may still begin at each router, by router.
    spare: Vec<u32>,
    /// Number of paths that begin at each router, by router.
    begin: Vec<u32>,
    /// Number of paths that end there.
    end: Vec<u32>,
    /// Number of paths over each channel, by router, then by dimension.
    flow: Vec<u32>,
}

impl Disjoint {
    /// Empty set of paths; `spare` is the number of paths that may begin at each router.
    pub fn new(net: FatCube, spare: Vec<u32>) -> Self {
        let routers = net.routers() as usize;
        let (begin, end, flow) = (vec![0; routers], vec![0; routers], vec![0; routers * net.d() as usize]);
        Self { net, spare, begin, end, flow }
    }

    fn channel(&self, router: u32, x: u32) -> usize {
        (router * self.net.d() + x) as usize
    }

    /// Adds a path to a router, of at most `most` channels that other paths do not give up; false if there is none. A
    /// router that no path can reach now cannot be reached after more paths either.
    pub fn add(&mut self, to: u32, most: usize) -> bool {
        let routers = self.net.routers();
        let mut before: Vec<Option<u32>> = vec![None; routers as usize];
        let mut open: Vec<u32> = (0..routers).filter(|&router| self.spare[router as usize] > 0).collect();
        open.iter().for_each(|&router| before[router as usize] = Some(router));
        let mut length = 0;
        while before[to as usize].is_none() {
            if open.is_empty() || length == most {
                return false;
            }
            length += 1;
            let mut next = Vec::new();
            for router in open {
                for x in 0..self.net.d() {
                    let (far, back) = (router ^ 1 << x, self.flow[self.channel(router ^ 1 << x, x)]);
                    let free = self.flow[self.channel(router, x)] < self.net.f() || back > 0;
                    if free && before[far as usize].is_none() {
                        before[far as usize] = Some(router);
                        next.push(far);
                    }
                }
            }
            open = next;
        }
        self.end[to as usize] += 1;
        let mut at = to;
        while let Some(from) = before[at as usize].filter(|&from| from != at) {
            let x = (from ^ at).trailing_zeros();
            let (ahead, back) = (self.channel(from, x), self.channel(at, x));
            match self.flow[back] {
                0 => self.flow[ahead] += 1,
                _ => self.flow[back] -= 1,
            }
            at = from;
        }
        self.begin[at as usize] += 1;
        self.spare[at as usize] -= 1;
        true
    }

    /// The paths, as the router where one begins, dimensions, and the router where it ends.
    pub fn paths(mut self) -> Vec<(u32, Vec<u32>, u32)> {
        let mut paths = Vec::new();
        for start in 0..self.net.routers() {
            for _ in 0..self.begin[start as usize] {
                let (mut at, mut way) = (start, vec![(start, u32::MAX)]);
                while self.end[at as usize] == 0 {
                    let ahead = (0..self.net.d()).find(|&x| self.flow[self.channel(at, x)] > 0);
                    let Some(x) = ahead else { break };
                    let channel = self.channel(at, x);
                    self.flow[channel] -= 1;
                    at ^= 1 << x;
                    // a way that comes back has gone round for nothing
                    if let Some(seen) = way.iter().position(|&(router, _)| router == at) {
                        way.truncate(seen + 1);
                    } else {
                        way.push((at, x));
                    }
                }
                self.end[at as usize] = self.end[at as usize].saturating_sub(1);
                paths.push((start, way.iter().skip(1).map(|&(_, x)| x).collect(), at));
            }
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flows_are_as_large_as_cuts() {
        for (d, f) in [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1)] {
            let net = FatCube::new(d, 8, f, d);
            let mut spare = vec![0; net.routers() as usize];
            spare[0] = 100;
            let mut disjoint = Disjoint::new(net, spare);
            let far = net.routers() - 1;
            let count = (0..100).filter(|_| disjoint.add(far, usize::MAX)).count() as u32;
            assert_eq!(count, d * f);
            let paths = disjoint.paths();
            let mut used = vec![0; (net.routers() * d) as usize];
            for (start, dims, end) in paths {
                let mut at = start;
                for x in dims {
                    used[(at * d + x) as usize] += 1;
                    at ^= 1 << x;
                }
                assert_eq!((start, at, end), (0, far, far));
            }
            assert!(used.iter().all(|&used| used <= f));
        }
    }
}
