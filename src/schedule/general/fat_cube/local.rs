//! Distribution of packets among the processors of a router, when all are there already.
//!
//! Each packet that a processor lacks gets a sender such that no processor sends more than k packets a step on average.
//! A graph of senders and receivers of degree k·T is T graphs of degree k (König).

/// Sends of a step within a router: from, to, and class of the packet.
type Sends = Vec<(usize, usize, usize)>;

/// Sends within a router in at most `steps` steps, after which every processor has what it lacks and none sends or
/// receives more than k packets a step. None if there are no such sends.
pub(super) fn distributed(has: &[Vec<bool>], lacking: &[Vec<usize>], k: usize, steps: usize) -> Option<Vec<Sends>> {
    let (m, most) = (has.len(), k * steps);
    if lacking.iter().any(|lacking| lacking.len() > most) {
        return None;
    }
    let mut own: Vec<Sends> = vec![Vec::new(); m];
    for (to, class) in (0..m).flat_map(|to| lacking[to].iter().map(move |&class| (to, class))) {
        let sender = free_sender(has, &mut own, class, most)?;
        own[sender].push((sender, to, class));
    }
    Some(coloured(own, k, steps))
}

/// Sender of a class with free capacity, after other senders have taken over some of its packets.
fn free_sender(has: &[Vec<bool>], own: &mut [Sends], class: usize, most: usize) -> Option<usize> {
    let m = has.len();
    // by sender: the one before it on the way, and which of its packets it takes over
    let mut before: Vec<Option<(usize, usize)>> = vec![None; m];
    let mut open: Vec<usize> = (0..m).filter(|&sender| has[sender][class]).collect();
    let mut seen: Vec<bool> = (0..m).map(|sender| has[sender][class]).collect();
    while let Some(&least) = open.iter().min_by_key(|&&sender| own[sender].len()) {
        if own[least].len() < most {
            let mut at = least;
            while let Some((from, index)) = before[at] {
                let (_, to, class) = own[from].swap_remove(index);
                own[at].push((at, to, class));
                at = from;
            }
            return Some(at);
        }
        open.retain(|&sender| sender != least);
        for next in (0..m).filter(|&next| !seen[next]).collect::<Vec<_>>() {
            if let Some(index) = own[least].iter().position(|&(_, _, class)| has[next][class]) {
                (seen[next], before[next]) = (true, Some((least, index)));
                open.push(next);
            }
        }
    }
    None
}

/// Sends of all senders in steps of at most k each, by perfect matchings of the graph that is made regular.
fn coloured(own: Vec<Sends>, k: usize, steps: usize) -> Vec<Sends> {
    let (m, most) = (own.len(), k * steps);
    let mut between: Vec<Vec<Sends>> = vec![vec![Vec::new(); m]; m];
    let mut free = [vec![most; m], vec![most; m]];
    for (from, to, class) in own.into_iter().flatten() {
        between[from][to].push((from, to, class));
        free[0][from] -= 1;
        free[1][to] -= 1;
    }
    let mut idle = vec![vec![0; m]; m];
    for (from, to) in (0..m).flat_map(|from| (0..m).map(move |to| (from, to))) {
        let more = free[0][from].min(free[1][to]);
        idle[from][to] = more;
        free[0][from] -= more;
        free[1][to] -= more;
    }
    let mut made = vec![Sends::new(); steps];
    for number in 0..most {
        let mut sender: Vec<Option<usize>> = vec![None; m];
        let is_there = |from: usize, to: usize| idle[from][to] + between[from][to].len() > 0;
        for from in 0..m {
            matched(&is_there, from, &mut sender, &mut vec![false; m]);
        }
        for (to, from) in sender.into_iter().enumerate() {
            let Some(from) = from else { continue };
            match between[from][to].pop() {
                Some(send) => made[number / k].push(send),
                None => idle[from][to] -= 1,
            }
        }
    }
    made
}

/// Finds a receiver for a sender, moving others where needed (Kuhn).
fn matched(
    is_there: &impl Fn(usize, usize) -> bool,
    from: usize,
    sender: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for to in 0..sender.len() {
        if !is_there(from, to) || std::mem::replace(&mut seen[to], true) {
            continue;
        }
        if sender[to].is_none_or(|other| matched(is_there, other, sender, seen)) {
            sender[to] = Some(from);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_have_k_sends_and_receipts_at_most() {
        // four processors, of which the first two have what the others lack
        let has: Vec<Vec<bool>> = (0..4).map(|i| vec![i < 2; 12]).collect();
        let lacking: Vec<Vec<usize>> = (0..4).map(|i| if i < 2 { Vec::new() } else { (0..12).collect() }).collect();
        for (k, steps) in [(1, 12), (2, 6), (3, 4)] {
            let found = distributed(&has, &lacking, k, steps).unwrap();
            let mut came: Vec<(usize, usize)> = Vec::new();
            for sends in &found {
                for i in 0..4 {
                    assert!(sends.iter().filter(|send| send.0 == i).count() <= k);
                    assert!(sends.iter().filter(|send| send.1 == i).count() <= k);
                }
                came.extend(sends.iter().map(|send| (send.1, send.2)));
            }
            came.sort_unstable();
            came.dedup();
            assert_eq!((found.len(), came.len()), (steps, 24));
            assert_eq!(distributed(&has, &lacking, k, steps - 1), None);
        }
    }
}
