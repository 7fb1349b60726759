//! A flow between lower and upper limits of arcs (Dinic's algorithm).

/// A network of arcs, each beside the arc back.
pub(super) struct Flow {
    /// Arcs that leave each node.
    out: Vec<Vec<usize>>,
    to: Vec<usize>,
    room: Vec<u32>,
    /// Lower limits, and the first room, of the arcs forth.
    limits: Vec<(u32, u32)>,
    /// Surplus of each node from lower limits of flow: in less out.
    surplus: Vec<i64>,
}

impl Flow {
    pub(super) fn new(nodes: usize) -> Self {
        Self {
            out: vec![Vec::new(); nodes + 2],
            to: Vec::new(),
            room: Vec::new(),
            limits: Vec::new(),
            surplus: vec![0; nodes + 2],
        }
    }

    /// Adds an arc that carries from `least` to `most`; its number.
    pub(super) fn arc(&mut self, from: usize, to: usize, least: u32, most: u32) -> usize {
        self.surplus[to] += i64::from(least);
        self.surplus[from] -= i64::from(least);
        self.limits.push((least, most - least));
        for (from, to, room) in [(from, to, most - least), (to, from, 0)] {
            self.out[from].push(self.to.len());
            self.to.push(to);
            self.room.push(room);
        }
        self.limits.len() - 1
    }

    /// Flow of an arc.
    pub(super) fn flow(&self, arc: usize) -> u32 {
        let (least, room) = self.limits[arc];
        least + room - self.room[2 * arc]
    }

    /// Finds a flow within all limits that comes back from `sink` to `source`; as much of one as there is.
    pub(super) fn circulate(&mut self, sink: usize, source: usize) {
        self.arc(sink, source, 0, u32::MAX);
        let (start, end) = (self.out.len() - 2, self.out.len() - 1);
        for node in 0..start {
            match u32::try_from(self.surplus[node].unsigned_abs()).unwrap_or(u32::MAX) {
                0 => {}
                amount if self.surplus[node] > 0 => _ = self.arc(start, node, 0, amount),
                amount => _ = self.arc(node, end, 0, amount),
            }
        }
        loop {
            let level = self.levels(start);
            if level[end] == usize::MAX {
                return;
            }
            let mut next = vec![0; self.out.len()];
            while self.push(start, end, &level, &mut next) {}
        }
    }

    /// Arcs with room from `start` to each node.
    fn levels(&self, start: usize) -> Vec<usize> {
        let mut level = vec![usize::MAX; self.out.len()];
        level[start] = 0;
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(node) = queue.pop_front() {
            for &arc in self.out[node].iter().filter(|&&arc| self.room[arc] > 0) {
                if level[self.to[arc]] == usize::MAX {
                    level[self.to[arc]] = level[node] + 1;
                    queue.push_back(self.to[arc]);
                }
            }
        }
        level
    }

    /// Pushes along one shortest path, if there is one left.
    fn push(&mut self, start: usize, end: usize, level: &[usize], next: &mut [usize]) -> bool {
        let mut path: Vec<usize> = Vec::new();
        let mut at = start;
        while at != end {
            match self.out[at].get(next[at]) {
                Some(&arc) if self.room[arc] > 0 && level[self.to[arc]] == level[at] + 1 => {
                    path.push(arc);
                    at = self.to[arc];
                }
                Some(_) => next[at] += 1,
                None => match path.pop() {
                    None => return false,
                    Some(arc) => {
                        at = self.to[arc ^ 1];
                        next[at] += 1;
                    }
                },
            }
        }
        let amount = path.iter().map(|&arc| self.room[arc]).min().unwrap_or(0);
        for arc in path {
            self.room[arc] -= amount;
            self.room[arc ^ 1] = self.room[arc ^ 1].saturating_add(amount);
        }
        true
    }
}
