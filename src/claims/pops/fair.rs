//! Fair distributions, by alternating paths.

use super::nets::Net;

/// A fair distribution of the list system that a permutation gives (section 3.1): f of every processor. Its targets are the groups for
/// d ≤ g, and 0 to d-1 for d > g. Processors of a group have different targets, so have packets for the same group, and every target has
/// as many packets as any other.
pub fn distribution(net: Net, permutation: &[u32]) -> Vec<usize> {
    let (d, g) = (net.d as usize, net.g as usize);
    let targets = d.max(g);
    let ends = |packet: usize| [packet / d, net.group(permutation[packet])];
    // the packet of each target at each group, as a source and as a destination
    let mut at = [vec![vec![None; targets]; g], vec![vec![None; targets]; g]];
    let mut f = vec![0; d * g];
    for packet in 0..d * g {
        let [from, to] = ends(packet);
        let free = |side: usize, group: usize| (0..targets).find(|&t| at[side][group][t].is_none()).unwrap_or(0);
        let (own, other) = (free(0, from), free(1, to));
        if at[1][to][own].is_some() {
            // the path from `to` over packets of `own` and `other` in turn changes its colours; it does not come to `from`
            let mut path = Vec::new();
            let (mut side, mut group, mut target) = (1, to, own);
            while let Some(next) = at[side][group][target] {
                path.push(next);
                side = 1 - side;
                group = ends(next)[side];
                target = own + other - target;
            }
            exchange(&mut f, &mut at, &path, [own, other], ends);
        }
        f[packet] = own;
        (at[0][from][own], at[1][to][own]) = (Some(packet), Some(packet));
    }
    even_out(net, &mut f, &mut at, ends);
    f
}

type At = [Vec<Vec<Option<usize>>>; 2];

/// Exchanges two targets along a path of packets.
fn exchange(f: &mut [usize], at: &mut At, path: &[usize], targets: [usize; 2], ends: impl Fn(usize) -> [usize; 2]) {
    for &packet in path {
        for (side, group) in ends(packet).into_iter().enumerate() {
            at[side][group][f[packet]] = None;
        }
    }
    for &packet in path {
        f[packet] = targets[0] + targets[1] - f[packet];
        for (side, group) in ends(packet).into_iter().enumerate() {
            at[side][group][f[packet]] = Some(packet);
        }
    }
}

/// Gives every target as many packets.
fn even_out(net: Net, f: &mut [usize], at: &mut At, ends: impl Fn(usize) -> [usize; 2] + Copy) {
    let (d, g) = (net.d as usize, net.g as usize);
    let targets = d.max(g);
    let share = d * g / targets;
    loop {
        let mut counts = vec![0; targets];
        f.iter().for_each(|&target| counts[target] += 1);
        let (Some(many), Some(few)) = (counts.iter().position(|&c| c > share), counts.iter().position(|&c| c < share))
        else {
            return;
        };
        // a path that begins and ends with a packet of `many`, from a source group without one of `few`, or else from a destination
        let starts = (0..2).flat_map(|side| (0..g).map(move |group| (side, group)));
        let open = starts.filter(|&(side, group)| at[side][group][many].is_some() && at[side][group][few].is_none());
        let path = open.map(|(side, group)| {
            let (mut side, mut group, mut target) = (side, group, many);
            let mut path = Vec::new();
            while let Some(next) = at[side][group][target] {
                path.push(next);
                side = 1 - side;
                group = ends(next)[side];
                target = many + few - target;
            }
            path
        });
        let Some(path) = path.into_iter().find(|path: &Vec<usize>| path.len() % 2 == 1) else { return };
        exchange(f, at, &path, [many, few], ends);
    }
}
