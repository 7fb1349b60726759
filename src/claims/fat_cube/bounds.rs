//! Lower bounds of steps: processors have k links, routers f·d channels to others, and a circuit leads to one processor.

use super::Net;
use super::formulas::log;

/// Broadcast: a processor that has the packet makes k more have it, ⌈log_{k+1} P⌉.
pub fn broadcast(net: Net) -> u32 {
    log(net.k + 1, net.processors())
}

/// Lower bound on the steps of an all-gather: a processor receives P - 1 packets, k a step; those of other routers come
/// over f·d channels.
pub fn all_gather(net: Net) -> u32 {
    let Net { m, f, d, k } = net;
    (net.processors() - 1).div_ceil(k).max((net.processors() - m).div_ceil(f * d))
}

/// Scatter: the root sends P - 1 packets, k a step; those for other routers leave over f·d channels.
pub fn scatter(net: Net) -> u32 {
    all_gather(net)
}

/// Lower bound on the steps of an all-to-all: a processor receives P - 1 packets; all of them cross P·m·d·2^{d-1} of
/// the f·d·2^d channels between routers.
pub fn all_to_all(net: Net) -> u32 {
    let Net { m, f, d, k } = net;
    (net.processors() - 1).div_ceil(k).max(((m * m) << d).div_ceil(2 * f))
}

/// Steps of broadcast, all-gather, scatter and all-to-all.
pub fn steps(net: Net) -> [u32; 4] {
    [broadcast(net), all_gather(net), scatter(net), all_to_all(net)]
}
