// Synchronizing-header router of one Swapped Dragonfly D3(K,M) node: bufferless, two half crossbars, and it can copy.
//
// A header [b; gamma, pi, delta] counts b down with every hop: odd b takes local hop delta (then delta := pi, pi := 0), even b global hop
// gamma (then gamma := 0), b = 0 has arrived. Local and global hops alternate, so the class of a channel tells b up to two:
//
//   local channel   {past, copy, keep, own, then[T], pi[M], gamma[K], data[W]}
//     past   it does not take the swap: gamma[0] is 0, and the channel is not idle
//     keep   the router that it comes to keeps it
//     own    it comes from the bank of the router before, and has a pi; otherwise b = 0, or b = 2 and it takes the swap
//     gamma  b = 2 or 4: set of global ports; the swap is port 0; none at b = 0, when it has arrived
//     pi     with `own`: local hop that follows, as b = 4 if the swap and a local hop `then` come after it
//     then   b = 4: local hop that follows the swap, with SETS = 0 of a broadcast alone; SETS = 1: at b = 2 without `own` too, which
//            otherwise means a star
//   global channel  {copy, then[T], pi[M], data[W]}
//     pi     local hop to be taken: b = 3 if the swap and a local hop `then` come after it, b = 1 otherwise
//
// Sets of ports travel as masks, which are the AND-OR selects themselves, so a star costs nothing. The later hop `then` travels packed
// (mn_local_set), in one bit if it is always a star: broadcasts alone use b = 4. Bit 0 of a set of local ports is "stay". `past`, `keep` and
// gamma[0] cross to a local output; `own`, `pi`, the rest of gamma, and `then` if SETS = 0, come from its bank alone and cost no LUT.
//
// A flit with `copy` is a broadcast: every router keeps a copy of a packet that comes over a channel. Only who is to send a flit on with b = 4, as
// if it came from there, does not: its copy comes back by the swap, unless it is on the diagonal. A flit without `copy` is ejected
// where its header says.
//
// On a router with d = p, on the diagonal, global port 0 loops back. A broadcast does not take it at b = 2, since the router has had it
// already. Who sends the flit there knows that: its gamma does not name port 0, and if it names no other the flit has arrived (b = 0). So the
// select of the swap and its complement `past` come straight from registers.
//
// "Stay" with a swap to follow (b = 3) takes the time of a local hop: stay_o leads to stay_i through as many registers as a local channel
// has; {on, off, copy, then, data}, of which off = ~on, except that on = 0 for a broadcast on the diagonal. STAY = 1 supports it for
// broadcasts, whose stay is always taken together with local port 1, so that its register serves both; STAY = 2 for all flits, at the
// price of a column of its own.
//
// Contract: all fields are zero when a channel or bank is idle. All vectors are packed with index 0 lowest: local port x has index x-1,
// global port gamma has index gamma. Banks offer flits in the form of the channel that they lead to; a local bank's flit has `own` if and
// only if it has a gamma.
// Time: an input of cycle t is in the channel register from cycle t + XBAR_STAGES on; ejection is combinational.
// A conflict among the inputs of cycle t shows in conflict_o from cycle t + 2 on, for any XBAR_STAGES.
//
// Reset clears the headers and conflict_o; hold rst_i for XBAR_STAGES cycles or more, in all routers together. Data is not reset: it is zero
// XBAR_STAGES cycles after the inputs are.
//
// Clock, reset: clk_i, rst_i
// Place:        diagonal_i, constant
// Send banks:   tx_local_i, tx_global_i
// Channels:     local_i, global_i, local_o, global_o, and to itself stay_i, stay_o
// Receive banks: rx_local_valid_o, rx_local_data_o, rx_global_valid_o, rx_global_data_o
// Error:        conflict_o
`default_nettype none

module mn_sh_router #(
    parameter K = 2,  // cabinets = global ports, at least 1
    parameter M = 3,  // drawers a cabinet = routers a drawer, at least 2; M-1 local ports
    parameter W = 32,  // payload width in bits
    parameter XBAR_STAGES = 1,  // registers from a channel or bank input to the channel output: 1 or 2
    parameter STAY = 1,  // packets that may stay at b = 3: 0 none, 1 broadcasts, 2 all
    parameter SETS = 0,  // what `then` may be: 0 none or a star, 1 any port too
    parameter STICKY = 0,  // conflict_o: 0 pulses for each conflict, 1 stays high until reset
    parameter GUARD = 0,  // 1: a delayed select that flips is a conflict, for one cycle
    parameter LW = M - 1,  // derived, do not set: local ports
    parameter T = SETS != 0 ? $clog2(M + 2) : 1,  // derived, do not set: width of a packed set of local ports
    parameter LCW = 4 + T + M + K + W,  // derived, do not set: width of a local channel
    parameter GCW = 1 + T + M + W,  // derived, do not set: width of a global channel
    parameter SCW = 3 + T + W  // derived, do not set: width of the way to itself
) (
    input  wire              clk_i,
    input  wire              rst_i,
    // Routers with d = p: this one (bit 0), the router behind local port x (bit x).
    input  wire [     M-1:0] diagonal_i,
    // Send banks, from registers.
    input  wire [LW*LCW-1:0] tx_local_i,
    input  wire [ K*GCW-1:0] tx_global_i,
    // Channels, from and to registers.
    input  wire [LW*LCW-1:0] local_i,
    input  wire [ K*GCW-1:0] global_i,
    input  wire [   SCW-1:0] stay_i,
    output wire [LW*LCW-1:0] local_o,
    output wire [ K*GCW-1:0] global_o,
    output wire [   SCW-1:0] stay_o,
    // Receive banks, combinational from the channel inputs; data is meaningful only with its valid bit.
    output wire [    LW-1:0] rx_local_valid_o,
    output wire [  LW*W-1:0] rx_local_data_o,
    output wire [     K-1:0] rx_global_valid_o,
    output wire [   K*W-1:0] rx_global_data_o,
    // Two or more requests for one output in one cycle: local outputs first.
    output wire [  LW+K-1:0] conflict_o
);

  // Flit to a local output: {copy, keep, past[2], then[2], swap[2], data}. The last three are there twice, [0] for a router off the
  // diagonal, [1] for one on it; what is not taken costs nothing. `then` crosses only if SETS = 1.
  localparam TX = SETS != 0 ? T : 0;
  localparam LXW = 6 + 2 * TX + W;
  localparam HEAD = 1 + T + M + K;  // own, then, pi, gamma
  localparam SW = STAY != 0 ? LW + 1 : LW;  // sources of global output 0

  wire [LW*K-1:0] local_sel;
  wire [K*LXW-1:0] local_src;
  wire [LW*LXW-1:0] local_bank;
  wire [LW*LXW-1:0] local_q;
  // Flits to a global output are whole. Output 0, the swap, is also for flits that stayed.
  wire [SW-1:0] swap_sel;
  wire [SW-1:0] swap_drop;  // what is not idle is not for it
  wire [SW*GCW-1:0] swap_src;
  // With SETS = 0 what crosses to the swap may be a star of local hops. With one register its source says so itself: what is not selected is
  // not heard, and the column stays two LUT4 deep, as all others, so that no path of the router is deeper. With more, a source that is
  // idle has to be zero; there the bank adds the hops to what crosses, which saves an OR at each source.
  localparam STAR_BY_BANK = XBAR_STAGES != 1 ? 1 : 0;
  wire [SW-1:0] star;  // by source of output 0: the bank is to add all local hops
  wire [GCW-1:0] swap_bank;
  wire [K*LW-1:0] global_sel;
  wire [LW*GCW-1:0] global_src;
  wire [K-1:0] stays;

  wire [LW+K-1:0] conflict, wrong;
  wire wrong_swap, wrong_itself;
  assign conflict_o = conflict | wrong;

  genvar x, g;
  generate
    for (x = 0; x < LW; x = x + 1) begin : gen_local
      // The flit that comes.
      wire past, copy, keep, own;
      wire [T-1:0] then;
      wire [M-1:0] pi;
      wire [K-1:0] gamma;
      wire [W-1:0] data;
      assign {past, copy, keep, own, then, pi, gamma, data} = local_i[x*LCW+:LCW];

      assign rx_local_valid_o[x] = keep;
      assign rx_local_data_o[x*W+:W] = data;
      assign global_sel[x] = gamma[0];
      assign swap_drop[x] = past;
      assign global_src[x*GCW+:GCW] = {copy, then, pi, data};

      if (SETS == 0) begin : gen_star
        assign star[x] = STAR_BY_BANK != 0 ? gamma[0] & ~own : 1'b0;
        assign swap_src[x*GCW+:GCW] = STAR_BY_BANK != 0 ? global_src[x*GCW+:GCW] : {copy, then, pi | {M{~own}}, data};
      end else begin : gen_set
        wire [M-1:0] mask;
        mn_local_set #(
            .M(M),
            .T(T)
        ) u_then (
            .set_i (then),
            .mask_o(mask)
        );
        assign star[x] = 1'b0;
        assign swap_src[x*GCW+:GCW] = own ? global_src[x*GCW+:GCW] : {copy, {T{1'b0}}, mask, data};
      end

      for (g = 1; g < K; g = g + 1) begin : gen_to_global
        assign global_sel[g*LW+x] = gamma[g];
      end

      // The flit that leaves.
      wire [HEAD-1:0] head;
      wire [LCW-1:0] bank = tx_local_i[x*LCW+:LCW];
      wire [LXW-1:0] q = local_q[x*LXW+:LXW];
      mn_stages #(
          .W   (HEAD),
          .N   (XBAR_STAGES),
          .HEAD(HEAD)
      ) u_head (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .d_i  (bank[W+:HEAD]),
          .q_o  (head)
      );
      wire other = diagonal_i[x+1];  // the router that it goes to is on the diagonal
      assign local_o[x*LCW+:W+1] = {other ? q[W+1] : q[W], q[0+:W]};
      if (K > 1) begin : gen_far_gamma
        assign local_o[x*LCW+W+1+:K-1] = head[K-1:1];
      end
      assign local_o[x*LCW+W+K+:M] = head[K+:M];
      assign local_o[(x+1)*LCW-1-:4] = {other ? q[LXW-3] : q[LXW-4], q[LXW-1-:2], head[HEAD-1]};
      if (SETS == 0) begin : gen_then_of_bank
        assign local_bank[x*LXW+:LXW] = {bank[LCW-2-:2], {2{bank[LCW-1]}}, {2{bank[W]}}, bank[0+:W]};
        assign local_o[x*LCW+W+K+M+:T] = head[K+M+:T];
        wire unused = head[0];
      end else begin : gen_then_of_both
        assign local_bank[x*LXW+:LXW] = {
          bank[LCW-2-:2], {2{bank[LCW-1]}}, {2{bank[W+K+M+:T]}}, {2{bank[W]}}, bank[0+:W]
        };
        assign local_o[x*LCW+W+K+M+:T] = other ? q[W+2+T+:T] : q[W+2+:T];
        wire unused = &{head[0], head[K+M+:T]};
      end

      mn_conflict #(
          .N     (K),
          .HEAD  (2),
          .STICKY(STICKY)
      ) u_conflict (
          .clk_i     (clk_i),
          .rst_i     (rst_i),
          .sel_i     (local_sel[x*K+:K]),
          .head_i    (bank[LCW-3-:2]),
          .conflict_o(conflict[x])
      );
    end

    for (g = 0; g < K; g = g + 1) begin : gen_global
      wire copy;
      wire [T-1:0] then;
      wire [M-1:0] pi;
      wire [W-1:0] data;
      assign {copy, then, pi, data} = global_i[g*GCW+:GCW];

      wire more = |then;  // b = 3: a swap and another local hop are to follow
      wire lone = SETS != 0 ? more & ~copy : 1'b0;  // and it is no broadcast
      assign stays[g] = pi[0] & (diagonal_i[0] ? lone : more);
      wire [1:0] swap = {lone, more};
      assign local_src[g*LXW+:W+2] = {swap, data};
      assign local_src[(g+1)*LXW-1-:4] = {copy, ~lone, ~swap};
      if (SETS != 0) begin : gen_set
        assign local_src[g*LXW+W+2+:2*T] = {then & {T{lone}}, then};
      end
      for (x = 0; x < LW; x = x + 1) begin : gen_to_local
        assign local_sel[x*K+g] = pi[x+1];
      end

      // A packet that comes back to its own router over the loopback is not kept again.
      if (g == 0) begin : gen_swap
        assign rx_global_valid_o[g] = copy ? ~diagonal_i[0] : pi[0] & ~more;
      end else begin : gen_far
        assign rx_global_valid_o[g] = copy | (pi[0] & ~more);
      end
      assign rx_global_data_o[g*W+:W] = data;
    end
  endgenerate

  mn_crossbar #(
      .W     (LXW),
      .N     (K),
      .OUTS  (LW),
      .HEAD  (LXW - W),
      .STAGES(XBAR_STAGES),
      .GUARD (GUARD)
  ) u_to_local (
      .clk_i (clk_i),
      .rst_i (rst_i),
      .sel_i (local_sel),
      .drop_i({LW * K{1'b0}}),
      .data_i(local_src),
      .bank_i(local_bank),
      .q_o   (local_q),
      .wrong_o(wrong[LW-1:0])
  );

  assign swap_sel[0+:LW] = global_sel[0+:LW];
  assign swap_bank = tx_global_i[0+:GCW] | {{1 + T{1'b0}}, {M{|star}}, {W{1'b0}}};

  // Two flits that stay at once, where local output 1 does not see them.
  wire swap_conflict, stay_conflict;

  generate
    if (STAY == 0) begin : gen_no_stay
      assign stay_conflict = 1'b0;
      assign wrong_itself = 1'b0;
      wire unused = &{stay_i, stays};
      assign stay_o = {SCW{1'b0}};
    end else begin : gen_stay
      wire on, copy;
      wire [T-1:0] then;
      wire [M-1:0] then_mask;
      wire [W-1:0] data;
      assign {on, swap_drop[LW], copy, then, data} = stay_i;
      assign swap_sel[LW] = on;
      if (SETS == 0) begin : gen_star
        assign star[LW] = STAR_BY_BANK != 0 ? on : 1'b0;
        assign then_mask = {M{STAR_BY_BANK != 0 ? 1'b0 : 1'b1}};
        wire unused = then[0];
      end else begin : gen_set
        assign star[LW] = 1'b0;
        mn_local_set #(
            .M(M),
            .T(T)
        ) u_then (
            .set_i (then),
            .mask_o(then_mask)
        );
      end
      assign swap_src[LW*GCW+:GCW] = {copy, {T{1'b0}}, then_mask, data};

      if (STAY == 1) begin : gen_shared
        assign stay_conflict = 1'b0;
        assign wrong_itself = 1'b0;
        // Local output 1 has the same flit.
        wire on_q, off_q;
        mn_stages #(
            .W   (2),
            .N   (XBAR_STAGES),
            .HEAD(1)
        ) u_on (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .d_i  ({|stays, ~|stays}),
            .q_o  ({on_q, off_q})
        );
        // With SETS = 0 the bit at `then` is the swap's, which is as good.
        localparam THEN = SETS == 0 ? W : W + 2;
        assign stay_o = {on_q, off_q, local_q[LXW-1], local_q[THEN+:T], local_q[0+:W]};
      end else begin : gen_own
        localparam OXW = SCW;
        wire [K*OXW-1:0] own_src;
        for (g = 0; g < K; g = g + 1) begin : gen_source
          localparam THEN = SETS == 0 ? W : W + 2;
          assign own_src[g*OXW+:OXW] = {2'b10, local_src[g*LXW+LXW-1], local_src[g*LXW+THEN+:T], local_src[g*LXW+:W]};
        end
        mn_conflict #(
            .N     (K),
            .HEAD  (1),
            .STICKY(STICKY)
        ) u_conflict (
            .clk_i     (clk_i),
            .rst_i     (rst_i),
            .sel_i     (stays),
            .head_i    (1'b0),
            .conflict_o(stay_conflict)
        );
        mn_crossbar #(
            .W     (OXW),
            .N     (K),
            .OUTS  (1),
            .HEAD  (3 + T),
            .STAGES(XBAR_STAGES),
            .GUARD (GUARD)
        ) u_to_itself (
            .clk_i (clk_i),
            .rst_i (rst_i),
            .sel_i (stays),
            .drop_i({K{1'b0}}),
            .data_i(own_src),
            .bank_i({OXW{1'b0}}),
            .q_o   (stay_o),
            .wrong_o(wrong_itself)
        );
      end
    end
  endgenerate

  mn_crossbar #(
      .W     (GCW),
      .N     (SW),
      .OUTS  (1),
      .HEAD  (1 + T + M),
      .STAGES(XBAR_STAGES),
      .GUARD (GUARD),
      .ADDED (1)
  ) u_to_swap (
      .clk_i (clk_i),
      .rst_i (rst_i),
      .sel_i (swap_sel),
      .drop_i(swap_drop),
      .data_i(swap_src),
      .bank_i(swap_bank),
      .q_o   (global_o[0+:GCW]),
      .wrong_o(wrong_swap)
  );

  mn_conflict #(
      .N     (SW),
      .HEAD  (M),
      .STICKY(STICKY)
  ) u_swap_conflict (
      .clk_i     (clk_i),
      .rst_i     (rst_i),
      .sel_i     (swap_sel),
      .head_i    (tx_global_i[W+:M]),
      .conflict_o(swap_conflict)
  );
  assign conflict[LW] = swap_conflict | stay_conflict;
  assign wrong[LW] = wrong_swap | wrong_itself;

  generate
    if (K > 1) begin : gen_far_outputs
      mn_crossbar #(
          .W     (GCW),
          .N     (LW),
          .OUTS  (K - 1),
          .HEAD  (1 + T + M),
          .STAGES(XBAR_STAGES),
          .GUARD (GUARD)
      ) u_to_far (
          .clk_i (clk_i),
          .rst_i (rst_i),
          .sel_i (global_sel[K*LW-1:LW]),
          .drop_i({(K - 1) * LW{1'b0}}),
          .data_i(global_src),
          .bank_i(tx_global_i[K*GCW-1:GCW]),
          .q_o   (global_o[K*GCW-1:GCW]),
          .wrong_o(wrong[LW+K-1:LW+1])
      );
      for (g = 1; g < K; g = g + 1) begin : gen_far_conflict
        mn_conflict #(
            .N     (LW),
            .HEAD  (M),
            .STICKY(STICKY)
        ) u_conflict (
            .clk_i     (clk_i),
            .rst_i     (rst_i),
            .sel_i     (global_sel[g*LW+:LW]),
            .head_i    (tx_global_i[g*GCW+W+:M]),
            .conflict_o(conflict[LW+g])
        );
      end
    end
  endgenerate

endmodule

`default_nettype wire
