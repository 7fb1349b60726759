// Properties of mn_sh_router, for any traffic on the wrapper's inputs, any use of the reset, and routers on the diagonal or off it.
//
// The reference reads every flit as the header [b; gamma, pi, delta] that it stands for and carries out one hop by the paper's rule: odd b
// takes the local hops delta, then delta := pi, pi := 0; even b takes the global hops gamma, then gamma := 0, which is the swap; b goes down by
// one each time and b = 0 has arrived. A broadcast on its way to a router on the diagonal does not name the swap at b = 2; with no other global
// port it has arrived. Here gamma, pi and delta are sets, and a flit goes to every port of its set. What leaves is written
// in the form of its channel again, held back XBAR_STAGES cycles, and compared with the router's outputs. Nothing is assumed of how often an
// output is asked for: with two requests or more that one output may show anything, all others must still be right, and conflict_o must say
// so.
//
// The comment above an assumption or an assertion is its text: metronoc shows it in its list and when the assertion fails.
//
// Clock, reset: clk_i, rst_i
// Place:        diagonal_i
// Traffic:      tx_local_i, tx_global_i, local_i, global_i, stay_i
`default_nettype none

module mn_prove_sh_router #(
    parameter K = 2,  // as in mn_sh_router
    parameter M = 3,  // as in mn_sh_router
    parameter W = 2,  // payload width in bits; no bit of it is a header, so a few stand for all
    parameter XBAR_STAGES = 1,  // as in mn_sh_router
    parameter STAY = 1,  // as in mn_sh_router
    parameter SETS = 0,  // as in mn_sh_router
    parameter STICKY = 0,  // as in mn_sh_router
    parameter COUNT = 1,  // whether flits are counted; counts of many ports take long to reason about
    parameter LW = M - 1,  // derived, do not set: local ports
    parameter T = SETS != 0 ? $clog2(M + 2) : 1,  // derived, do not set: width of a packed set of local ports
    parameter LCW = 4 + T + M + K + W,  // derived, do not set: width of a local channel
    parameter GCW = 1 + T + M + W,  // derived, do not set: width of a global channel
    parameter SCW = 3 + T + W,  // derived, do not set: width of the way to itself
    parameter OUTS = LW + K,  // derived, do not set: outputs that can conflict
    parameter CW = 8  // width of a count of flits
) (
    input wire              clk_i,
    input wire              rst_i,
    input wire [     M-1:0] diagonal_i,
    input wire [LW*LCW-1:0] tx_local_i,
    input wire [ K*GCW-1:0] tx_global_i,
    input wire [LW*LCW-1:0] local_i,
    input wire [ K*GCW-1:0] global_i,
    input wire [   SCW-1:0] stay_i
);

  wire [LW*LCW-1:0] local_o;
  wire [ K*GCW-1:0] global_o;
  wire [   SCW-1:0] stay_o;
  wire [    LW-1:0] rx_local_valid;
  wire [  LW*W-1:0] rx_local_data;
  wire [     K-1:0] rx_global_valid;
  wire [   K*W-1:0] rx_global_data;
  wire [  OUTS-1:0] conflict;

  mn_sh_router #(
      .K          (K),
      .M          (M),
      .W          (W),
      .XBAR_STAGES(XBAR_STAGES),
      .STAY       (STAY),
      .SETS       (SETS),
      .STICKY     (STICKY)
  ) u_router (
      .clk_i            (clk_i),
      .rst_i            (rst_i),
      .diagonal_i       (diagonal_i),
      .tx_local_i       (tx_local_i),
      .tx_global_i      (tx_global_i),
      .local_i          (local_i),
      .global_i         (global_i),
      .stay_i           (stay_i),
      .local_o          (local_o),
      .global_o         (global_o),
      .stay_o           (stay_o),
      .rx_local_valid_o (rx_local_valid),
      .rx_local_data_o  (rx_local_data),
      .rx_global_valid_o(rx_global_valid),
      .rx_global_data_o (rx_global_data),
      .conflict_o       (conflict)
  );

  // The b of an idle channel.
  localparam [2:0] IDLE = 7;

  // The b of what is on a local channel.
  function [2:0] b_local(input [LCW-1:0] flit);
    reg past, copy, keep, own;
    reg [T-1:0] then;
    reg [M-1:0] pi;
    reg [K-1:0] gamma;
    reg [W-1:0] data;
    begin
      {past, copy, keep, own, then, pi, gamma, data} = flit;
      if (own && then != 0) b_local = 4;
      else if (gamma != 0) b_local = 2;
      else if (keep) b_local = 0;
      else b_local = IDLE;
    end
  endfunction

  // The b of what is on a global channel.
  function [2:0] b_global(input [GCW-1:0] flit);
    reg copy;
    reg [T-1:0] then;
    reg [M-1:0] pi;
    reg [W-1:0] data;
    begin
      {copy, then, pi, data} = flit;
      if (pi == 0) b_global = IDLE;
      else if (then != 0) b_global = 3;
      else b_global = 1;
    end
  endfunction

  // The set that a packed one stands for.
  function [M-1:0] set_of(input [T-1:0] then);
    begin
      if (then == 0) set_of = 0;
      else if (SETS == 0 || then == M + 1) set_of = {M{1'b1}};
      else set_of = 1 << (then - 1);
    end
  endfunction

  // With SETS = 0 broadcasts alone have a swap and another local hop to follow.
  function legal_then(input copy, input [T-1:0] then);
    legal_then = SETS == 0 ? copy || then == 0 : then <= M + 1;
  endfunction

  // Legal hop delta of a header with b = 3: with STAY = 0 no packet stays, with STAY = 1 a packet that stays takes local
  // port 1 too.
  function legal_stay(input [M-1:0] delta);
    begin
      if (!delta[0] || STAY == 2) legal_stay = 1;
      else legal_stay = STAY == 1 && delta[1];
    end
  endfunction

  // Contract of a local channel to a router on the diagonal, or off it.
  function legal_local(input [LCW-1:0] flit, input diagonal);
    reg past, copy, keep, own;
    reg [T-1:0] then;
    reg [M-1:0] pi;
    reg [K-1:0] gamma;
    reg [W-1:0] data;
    begin
      {past, copy, keep, own, then, pi, gamma, data} = flit;
      if (own) legal_local = gamma != 0 && pi != 0 && legal_then(copy, then) && (then == 0 || legal_stay(pi)) && keep == (copy && (then == 0 || diagonal));
      else if (gamma != 0) legal_local = gamma == 1 && pi == 0 && (SETS == 0 ? then == 0 : then != 0 && legal_then(copy, then)) && keep == copy;
      else if (keep) legal_local = then == 0 && pi == 0;
      else legal_local = flit == 0;
      if (gamma != 0 || keep) legal_local = legal_local && past == !gamma[0];
      if (diagonal && copy && !(own && then != 0)) legal_local = legal_local && !gamma[0];
    end
  endfunction

  // Contract of a global channel.
  function legal_global(input [GCW-1:0] flit);
    reg copy;
    reg [T-1:0] then;
    reg [M-1:0] pi;
    reg [W-1:0] data;
    begin
      {copy, then, pi, data} = flit;
      if (pi == 0) legal_global = flit == 0;
      else legal_global = legal_then(copy, then) && (then == 0 || legal_stay(pi));
    end
  endfunction

  function legal_to_itself(input [SCW-1:0] flit);
    reg on, off, copy;
    reg [T-1:0] then;
    reg [W-1:0] data;
    begin
      {on, off, copy, then, data} = flit;
      if (on) legal_to_itself = !off && then != 0 && legal_then(copy, then) && !(copy && diagonal_i[0]);
      else legal_to_itself = off || flit == 0;
    end
  endfunction

  // The reference: where the flits of this cycle go, and with which b.
  reg [LW*LCW-1:0] to_local;
  reg [K*GCW-1:0] to_global;
  reg [SCW-1:0] to_itself;
  reg [LW*3-1:0] b_to_local;
  reg [K*3-1:0] b_to_global;
  reg [OUTS*CW-1:0] asked;  // requests of each output
  reg [CW-1:0] stays;  // requests of the way to itself
  reg [LW-1:0] end_local;
  reg [K-1:0] end_global;
  // The header at hand: the paper's [b; gamma, pi, delta], with pi packed.
  reg [2:0] b;
  reg [K-1:0] gamma;
  reg [T-1:0] pi;
  reg [M-1:0] delta;
  reg past, copy, keep, own, on, off;
  reg [W-1:0] data;
  integer i, to;
  always @* begin
    to_local    = 0;
    to_global   = 0;
    to_itself   = 0;
    b_to_local  = {LW{IDLE}};
    b_to_global = {K{IDLE}};
    asked       = 0;
    stays       = 0;
    end_local   = 0;
    end_global  = 0;
    to          = 0;
    // A flit in a send bank leaves by the bank's own port, as it is.
    for (i = 0; i < LW; i = i + 1) begin
      b = b_local(tx_local_i[i*LCW+:LCW]);
      if (b != IDLE) begin
        to_local[i*LCW+:LCW] = tx_local_i[i*LCW+:LCW];
        b_to_local[i*3+:3]   = b;
        asked[i*CW+:CW]      = asked[i*CW+:CW] + 1;
      end
    end
    for (i = 0; i < K; i = i + 1) begin
      b = b_global(tx_global_i[i*GCW+:GCW]);
      if (b != IDLE) begin
        to_global[i*GCW+:GCW] = tx_global_i[i*GCW+:GCW];
        b_to_global[i*3+:3]   = b;
        asked[(LW+i)*CW+:CW]  = asked[(LW+i)*CW+:CW] + 1;
      end
    end
    // Over local channels and from the router itself come even b, which take global hops.
    for (i = 0; i <= LW; i = i + 1) begin
      if (i < LW) begin
        {past, copy, keep, own, pi, delta, gamma, data} = local_i[i*LCW+:LCW];
        if (SETS == 0 && !own) pi = 1;
        b = b_local(local_i[i*LCW+:LCW]);
        // who sends a broadcast on with b = 4 gets it back by the swap, if there is one
        if (b == 0 || (b == 2 && copy) || (b == 4 && copy && diagonal_i[0])) end_local[i] = 1;
      end else begin
        {on, off, copy, pi, data} = stay_i;
        {keep, own, delta} = 0;
        gamma = 1;
        b = on ? 2 : IDLE;
      end
      if (b == 2 || b == 4) begin
        // The swap, if the header is not from a bank; the local hop after it is pi.
        if (!own) begin
          delta = set_of(pi);
          pi    = 0;
        end
        for (to = 0; to < K; to = to + 1) begin
          if (gamma[to]) begin
            to_global[to*GCW+:GCW] = {copy, pi, delta, data};
            b_to_global[to*3+:3]   = b - 1;
            asked[(LW+to)*CW+:CW]  = asked[(LW+to)*CW+:CW] + 1;
          end
        end
      end
    end
    // Over global channels come odd b, which take local hops; port 0 is to stay, which ends the way if it was the last hop.
    for (i = 0; i < K; i = i + 1) begin
      {copy, pi, delta, data} = global_i[i*GCW+:GCW];
      b = b_global(global_i[i*GCW+:GCW]);
      if (b != IDLE) begin
        if (copy) end_global[i] = i != 0 || !diagonal_i[0];
        else end_global[i] = b == 1 && delta[0];
        if (b == 3 && delta[0] && !(copy && diagonal_i[0])) begin
          to_itself = {2'b10, copy, pi, data};
          stays     = stays + 1;
        end
        for (to = 1; to < M; to = to + 1) begin
          if (delta[to]) begin
            // A packet with a swap to follow names it as its global hop, but for a broadcast to the diagonal, which ends there.
            gamma = b == 3 && !(copy && diagonal_i[to]);
            to_local[(to-1)*LCW+:LCW] = {
              !gamma[0], copy, copy || b == 1, 1'b0, SETS == 0 || !gamma[0] ? {T{1'b0}} : pi, {M{1'b0}}, gamma, data
            };
            b_to_local[(to-1)*3+:3]   = gamma[0] ? 2 : 0;
            asked[(to-1)*CW+:CW]      = asked[(to-1)*CW+:CW] + 1;
          end
        end
      end
    end
  end

  // Flits that must leave: one for each member of each set that is next for a flit here.
  reg [CW-1:0] due;
  integer s, e;
  always @* begin
    due = stays;
    for (s = 0; s < LW; s = s + 1) begin
      if (tx_local_i[s*LCW+:LCW] != 0) due = due + 1;
      for (e = 0; e < K; e = e + 1) if (local_i[s*LCW+W+e]) due = due + 1;
    end
    if (stay_i[SCW-1]) due = due + 1;
    for (s = 0; s < K; s = s + 1) begin
      if (tx_global_i[s*GCW+:GCW] != 0) due = due + 1;
      for (e = 1; e < M; e = e + 1) if (global_i[s*GCW+W+e]) due = due + 1;
    end
  end

  // Flits in the channel registers.
  reg [CW-1:0] leaving;
  integer l;
  always @* begin
    leaving = stay_o[SCW-1];
    for (l = 0; l < LW; l = l + 1) if (b_local(local_o[l*LCW+:LCW]) != IDLE) leaving = leaving + 1;
    for (l = 0; l < K; l = l + 1) if (b_global(global_o[l*GCW+:GCW]) != IDLE) leaving = leaving + 1;
  end

  // Nothing here has a hop to go.
  reg spent;
  integer q;
  always @* begin
    spent = {tx_local_i, tx_global_i, global_i, stay_i[SCW-1]} == 0;
    for (q = 0; q < LW; q = q + 1) begin
      if (b_local(local_i[q*LCW+:LCW]) != IDLE && b_local(local_i[q*LCW+:LCW]) != 0) spent = 0;
    end
  end

  reg [OUTS-1:0] clash;
  integer c;
  always @* for (c = 0; c < OUTS; c = c + 1) clash[c] = asked[c*CW+:CW] > 1;
  wire stay_clash = stays > 1 || (STAY == 1 && clash[0]);

  // History: what the reference found one and two cycles ago, and the resets since then.
  localparam HW = LW * LCW + K * GCW + SCW + 3 * OUTS + 1 + CW + 1 + OUTS;
  reg [HW-1:0] one_ago, two_ago;
  reg rst_one_ago, rst_two_ago;
  reg [1:0] age = 0;  // cycles since the start, 2 for more
  always @(posedge clk_i) begin
    one_ago <= {to_local, to_global, to_itself, b_to_local, b_to_global, spent, due, stay_clash, clash};
    two_ago <= one_ago;
    rst_one_ago <= rst_i;
    rst_two_ago <= rst_one_ago;
    if (age < 2) age <= age + 1;
  end
  wire [LW*LCW-1:0] was_to_local;
  wire [K*GCW-1:0] was_to_global;
  wire [SCW-1:0] was_to_itself;
  wire [LW*3-1:0] was_b_to_local;
  wire [K*3-1:0] was_b_to_global;
  wire was_spent, was_stay_clash;
  wire [CW-1:0] was_due;
  wire [OUTS-1:0] was_clash;
  assign {was_to_local, was_to_global, was_to_itself, was_b_to_local, was_b_to_global, was_spent, was_due, was_stay_clash,
          was_clash} = XBAR_STAGES == 1 ? one_ago : two_ago;
  wire known = age >= XBAR_STAGES;
  wire undisturbed = known && !rst_one_ago && (XBAR_STAGES == 1 || !rst_two_ago);

  // Expected conflict_o.
  reg [OUTS-1:0] alarm;
  // two that stay at once are told as a clash of global port 0, which both are to take
  wire [OUTS-1:0] stay_clash_one_ago = {{OUTS - 1{1'b0}}, STAY == 2 && one_ago[OUTS]} << LW;
  wire [OUTS-1:0] clash_one_ago = one_ago[OUTS-1:0] | stay_clash_one_ago;
  always @(posedge clk_i) begin
    alarm <= (STICKY != 0 ? alarm : 0) | clash_one_ago;
    if (rst_i) alarm <= 0;
  end

  // The first cycle is one of reset.
  always @* if (age == 0) assume (rst_i);

  reg [M-1:0] diagonal_q;
  always @(posedge clk_i) diagonal_q <= diagonal_i;
  // Coordinates of routers do not change.
  always @* if (age != 0) assume (diagonal_i == diagonal_q);

  // A packet that stays names a local hop to be taken after the swap; with STAY = 0 no packet stays.
  always @* assume (legal_to_itself(stay_i) && (STAY != 0 || !stay_i[SCW-1]));

  // In each block `found` must equal `expected` wherever `checked` is true; the report of a failure shows those that differ.
  genvar o;
  generate
    for (o = 0; o < LW; o = o + 1) begin : gen_local
      wire [LCW-1:0] found = local_o[o*LCW+:LCW];
      wire [LCW-1:0] expected = was_to_local[o*LCW+:LCW];
      wire checked = undisturbed && !was_clash[o];
      always @* begin
        // A local channel that comes in is idle and zero, or carries an arrived flit, or a bank's sets of global and local hops, or the swap that follows.
        assume (legal_local(local_i[o*LCW+:LCW], diagonal_i[0]));
        // A local send bank is idle and zero, or offers the same, except that global hops come with a local one.
        assume (legal_local(tx_local_i[o*LCW+:LCW], diagonal_i[o+1]) && (tx_local_i[(o+1)*LCW-4] || tx_local_i[o*LCW+W+:K] == 0));
        // A local channel shows exactly the one flit that took it XBAR_STAGES cycles ago, or zero if none did.
        if (checked) assert (found == expected);
        // On a local channel b is one less than it was on the channel before.
        if (checked) assert (b_local(found) == was_b_to_local[o*3+:3]);
        // A local channel keeps the contract that its other end assumes.
        if (checked) assert (legal_local(found, diagonal_i[o+1]));
        // A cycle after reset there is no header on a local channel.
        if (known && rst_one_ago) assert (found[LCW-1:W] == 0);
        // If all that came has arrived (b = 0) or nothing did, a local channel is idle XBAR_STAGES cycles later, reset or not.
        if (known && was_spent) assert (found == 0);
      end
    end
    for (o = 0; o < K; o = o + 1) begin : gen_global
      wire [GCW-1:0] found = global_o[o*GCW+:GCW];
      wire [GCW-1:0] expected = was_to_global[o*GCW+:GCW];
      wire checked = undisturbed && !was_clash[LW+o];
      always @* begin
        // A global channel that comes in is idle and zero, or carries a set of local hops.
        assume (legal_global(global_i[o*GCW+:GCW]));
        // A global send bank is idle and zero, or offers the same.
        assume (legal_global(tx_global_i[o*GCW+:GCW]));
        // A global channel shows exactly the one flit that took it XBAR_STAGES cycles ago, or zero if none did.
        if (checked) assert (found == expected);
        // On a global channel b is one less than it was on the channel before.
        if (checked) assert (b_global(found) == was_b_to_global[o*3+:3]);
        // A global channel keeps the contract that its other end assumes.
        if (checked) assert (legal_global(found));
        // A cycle after reset there is no header on a global channel.
        if (known && rst_one_ago) assert (found[GCW-1:W] == 0);
        // If all that came has arrived (b = 0) or nothing did, a global channel is idle XBAR_STAGES cycles later, reset or not.
        if (known && was_spent) assert (found == 0);
      end
    end
    if (STAY != 0) begin : gen_stay
      wire [SCW-1:0] found = stay_o[SCW-1] ? stay_o : 0;
      wire [SCW-1:0] expected = was_to_itself;
      wire checked = undisturbed && !was_stay_clash;
      always @* begin
        // A packet with a swap to follow (b = 3) that stays is on the way to its own router XBAR_STAGES cycles later, and nothing else is.
        if (checked) assert (found == expected);
        // The way to itself keeps the contract that its other end assumes.
        if (checked) assert (legal_to_itself(stay_o));
        // A cycle after reset, and if all that came has arrived, nothing is on the way to itself.
        if (known && (rst_one_ago || was_spent)) assert (!stay_o[SCW-1]);
      end
    end
    for (o = 0; o < LW; o = o + 1) begin : gen_local_end
      wire [W:0] found = rx_local_valid[o] ? {1'b1, rx_local_data[o*W+:W]} : 0;
      wire [W:0] expected = end_local[o] ? {1'b1, local_i[o*LCW+:W]} : 0;
      wire checked = 1'b1;
      // A packet from a local channel is received exactly if it has arrived or is a broadcast.
      always @* assert (found == expected);
    end
    for (o = 0; o < K; o = o + 1) begin : gen_global_end
      wire [W:0] found = rx_global_valid[o] ? {1'b1, rx_global_data[o*W+:W]} : 0;
      wire [W:0] expected = end_global[o] ? {1'b1, global_i[o*GCW+:W]} : 0;
      wire checked = 1'b1;
      // A packet from a global channel is received exactly if its last hop is to stay, or if it is a broadcast that was not here before.
      always @* assert (found == expected);
    end
    for (o = 0; o < OUTS; o = o + 1) begin : gen_conflict
      wire found = conflict[o];
      wire expected = alarm[o];
      wire checked = age != 0;
      // conflict_o of an output rises two cycles after two flits or more asked for it, and then only; a reset clears it, not what is on its way.
      always @* if (checked) assert (found == expected);
    end
    if (COUNT != 0) begin : gen_count
      wire [CW-1:0] found = leaving;
      wire [CW-1:0] expected = was_due;
      wire checked = undisturbed && was_clash == 0 && !was_stay_clash;
      // As many flits leave as the sets of those that came have members: none is lost, and none is copied but where its sets say.
      always @* if (checked) assert (found == expected);
    end
  endgenerate

endmodule

`default_nettype wire
