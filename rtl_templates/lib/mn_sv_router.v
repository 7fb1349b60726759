// Source-vector router of one Swapped Dragonfly D3(K,M) node: bufferless, two half crossbars, one-hot headers.
//
// A packet takes at most one local hop, one global hop and one more local hop, so local inputs lead only to global outputs and back.
// Headers travel one-hot and are zero when idle: their bits are the AND-OR selects themselves. There is no arbitration: a checked schedule
// never claims an output twice in a cycle, and conflict_o reports it if one does.
//
//   local channel   {last, pi[M], gamma[K], data[W]}   first hop: gamma and pi one-hot, last = 0; last hop: last = 1, pi = gamma = 0
//   global channel  {pi[M], data[W]}                   pi one-hot over 0..M-1
//
// Contract: every field, data included, is zero when its channel or bank is idle; channels keep that up themselves, since an AND-OR of
// nothing is zero. All vectors are packed with index 0 lowest: local port x has index x-1, global port gamma has index gamma.
// Time: an input of cycle t is in the channel register from cycle t + XBAR_STAGES on; ejection is combinational.
// A conflict among the inputs of cycle t shows in conflict_o from cycle t + 2 on, for any XBAR_STAGES.
//
// Reset clears the headers and conflict_o; hold rst_i for XBAR_STAGES cycles or more, in all routers together. Data is not reset: it is zero
// XBAR_STAGES cycles after the inputs are.
//
// Clock, reset: clk_i, rst_i
// Send banks:   tx_local_pi_i, tx_local_gamma_i, tx_local_data_i, tx_global_pi_i, tx_global_data_i
// Channels:     local_i, global_i, local_o, global_o
// Receive banks: rx_local_valid_o, rx_local_data_o, rx_global_valid_o, rx_global_data_o
// Error:        conflict_o
`default_nettype none

module mn_sv_router #(
    parameter K = 2,  // cabinets = global ports, at least 1
    parameter M = 3,  // drawers a cabinet = routers a drawer, at least 2; M-1 local ports
    parameter W = 32,  // payload width in bits
    parameter XBAR_STAGES = 1,  // registers from a channel or bank input to the channel output: 1, 2 or 3
    parameter STICKY = 0,  // conflict_o: 0 pulses for each conflict, 1 stays high until reset
    parameter GUARD = 0,  // 1: a delayed select that flips is a conflict, for one cycle
    parameter LW = M - 1,  // derived, do not set: local ports
    parameter PIW = M,  // derived, do not set: width of a one-hot pi
    parameter GAW = K,  // derived, do not set: width of a one-hot gamma
    parameter LCW = 1 + PIW + GAW + W,  // derived, do not set: width of a local channel
    parameter GCW = PIW + W  // derived, do not set: width of a global channel
) (
    input  wire              clk_i,
    input  wire              rst_i,
    // Send banks, from registers.
    input  wire [LW*PIW-1:0] tx_local_pi_i,
    input  wire [LW*GAW-1:0] tx_local_gamma_i,
    input  wire [  LW*W-1:0] tx_local_data_i,
    input  wire [ K*PIW-1:0] tx_global_pi_i,
    input  wire [   K*W-1:0] tx_global_data_i,
    // Channels, from and to registers.
    input  wire [LW*LCW-1:0] local_i,
    input  wire [ K*GCW-1:0] global_i,
    output wire [LW*LCW-1:0] local_o,
    output wire [ K*GCW-1:0] global_o,
    // Receive banks, combinational from the channel inputs; data is meaningful only with its valid bit.
    output wire [    LW-1:0] rx_local_valid_o,
    output wire [  LW*W-1:0] rx_local_data_o,
    output wire [     K-1:0] rx_global_valid_o,
    output wire [   K*W-1:0] rx_global_data_o,
    // Two or more requests for one output in one cycle: local outputs first.
    output wire [  LW+K-1:0] conflict_o
);

  // {last, data} of the global inputs to the local outputs: `last` is one in every source and zero in every bank.
  wire [LW*K-1:0] local_sel;
  wire [K*(W+1)-1:0] local_src;
  wire [LW*(W+1)-1:0] local_bank;
  wire [LW*(W+1)-1:0] local_q;
  // {pi, data} of the local inputs to the global outputs.
  wire [K*LW-1:0] global_sel;
  wire [LW*GCW-1:0] global_src;
  wire [K*GCW-1:0] global_bank;

  wire [LW+K-1:0] conflict, wrong;
  assign conflict_o = conflict | wrong;

  genvar x, g;
  generate
    for (x = 0; x < LW; x = x + 1) begin : gen_local
      assign global_src[x*GCW+:GCW] = {local_i[x*LCW+W+GAW+:PIW], local_i[x*LCW+:W]};
      assign local_bank[x*(W+1)+:W+1] = {1'b0, tx_local_data_i[x*W+:W]};
      assign rx_local_valid_o[x] = local_i[x*LCW+LCW-1];
      assign rx_local_data_o[x*W+:W] = local_i[x*LCW+:W];
      for (g = 0; g < K; g = g + 1) begin : gen_request
        assign global_sel[g*LW+x] = local_i[x*LCW+W+g];
        assign local_sel[x*K+g]   = global_i[g*GCW+W+x+1];
      end

      // The header of a first hop comes from the bank alone.
      wire [PIW+GAW-1:0] head;
      mn_stages #(
          .W   (PIW + GAW),
          .N   (XBAR_STAGES),
          .HEAD(PIW + GAW)
      ) u_head (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .d_i  ({tx_local_pi_i[x*PIW+:PIW], tx_local_gamma_i[x*GAW+:GAW]}),
          .q_o  (head)
      );
      assign local_o[x*LCW+:LCW] = {local_q[x*(W+1)+W], head, local_q[x*(W+1)+:W]};

      mn_conflict #(
          .N     (K),
          .HEAD  (GAW),
          .STICKY(STICKY)
      ) u_conflict (
          .clk_i     (clk_i),
          .rst_i     (rst_i),
          .sel_i     (local_sel[x*K+:K]),
          .head_i    (tx_local_gamma_i[x*GAW+:GAW]),
          .conflict_o(conflict[x])
      );
    end

    for (g = 0; g < K; g = g + 1) begin : gen_global
      assign local_src[g*(W+1)+:W+1] = {1'b1, global_i[g*GCW+:W]};
      assign rx_global_valid_o[g] = global_i[g*GCW+W];
      assign rx_global_data_o[g*W+:W] = global_i[g*GCW+:W];
      assign global_bank[g*GCW+:GCW] = {tx_global_pi_i[g*PIW+:PIW], tx_global_data_i[g*W+:W]};

      mn_conflict #(
          .N     (LW),
          .HEAD  (PIW),
          .STICKY(STICKY)
      ) u_conflict (
          .clk_i     (clk_i),
          .rst_i     (rst_i),
          .sel_i     (global_sel[g*LW+:LW]),
          .head_i    (tx_global_pi_i[g*PIW+:PIW]),
          .conflict_o(conflict[LW+g])
      );
    end
  endgenerate

  mn_crossbar #(
      .W     (W + 1),
      .N     (K),
      .OUTS  (LW),
      .HEAD  (1),
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

  mn_crossbar #(
      .W     (GCW),
      .N     (LW),
      .OUTS  (K),
      .HEAD  (PIW),
      .STAGES(XBAR_STAGES),
      .GUARD (GUARD)
  ) u_to_global (
      .clk_i (clk_i),
      .rst_i (rst_i),
      .sel_i (global_sel),
      .drop_i({K * LW{1'b0}}),
      .data_i(global_src),
      .bank_i(global_bank),
      .q_o   (global_o),
      .wrong_o(wrong[LW+K-1:LW])
  );

endmodule

`default_nettype wire
