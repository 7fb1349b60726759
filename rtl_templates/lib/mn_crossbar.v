// Crossbar without arbitration: each output is the OR of its own gated bank and of N shared sources ANDed with one-hot selects.
//
// With STAGES = 1 an output bit is a plain AND-OR of 2N+1 inputs in front of the output register: ceil(2N/3) LUT4.
// With STAGES = 2 one register lies inside:
//   first stage   pairs of sources are ANDed with their selects and ORed (one LUT4 a bit each); an odd source joins the bank's register.
//   second stage  OR of the registered terms.
// For N = 2, 3 and N >= 8, to save LUTs or depth, two sources c and e skip the first stage: all outputs share their delayed copies, and
// the last LUT of the second stage is turn ? (x ? c : e) : x, where x is the OR of the terms and turn tells that c or e was selected.
// The select of c *sets* the bank's register to all ones, so that x is one for c and zero for e, at no LUT.
// LUT4 a bit: 1, 1, 2, 3, 4, 4, 5, 5 for N = 1 .. 8; each stage is one LUT deep for N <= 7. For the count at any N see PAIRS, JOIN, LATE:
// PAIRS + JOIN + ceil(PAIRS / 3) + LATE.
//
// With ADDED = 1 there is one output, a plain AND-OR without delayed copies, so that its bank can add bits to what a source sends. With two
// or three sources each has a register of its own, which drop_i holds in reset, at no LUT; the second stage is their OR with the bank: one
// LUT4 a bit.
//
// With STAGES = 3 another register follows the OR, so that from N = 8 on the OR and the last LUT are not in one cycle.
//
// If two sources are selected at once the output is some function of both; mn_conflict reports it.
//
// Clock, reset: clk_i, rst_i (clears the HEAD topmost bits of each output; hold it for STAGES cycles with all selects low to flush the rest)
// Requests:     sel_i
// Data:         data_i, bank_i, q_o
`default_nettype none

module mn_crossbar #(
    parameter W = 32,  // width in bits
    parameter N = 4,  // number of selected sources, at least 1
    parameter OUTS = 4,  // number of outputs, at least 1
    parameter HEAD = 1,  // topmost bits of W that reset to zero, 1..W
    parameter ADDED = 0,  // 1: the bank may add bits to what a source sends; OUTS = 1
    parameter STAGES = 1,  // registers from data_i to q_o: 1, 2 or 3
    parameter GUARD = 0  // 1: a delayed select that flips is reported
) (
    input  wire              clk_i,
    input  wire              rst_i,
    input  wire [OUTS*N-1:0] sel_i,   // source n asks for output o: [o*N + n]; one-hot or zero for each output
    input  wire [OUTS*N-1:0] drop_i,  // ADDED = 1: source n has something that is not for output o; straight from a register, see above
    input  wire [   N*W-1:0] data_i,  // source n at [n*W +: W]
    input  wire [OUTS*W-1:0] bank_i,  // bank of output o at [o*W +: W], zero when idle
    output reg  [OUTS*W-1:0] q_o,     // output o at [o*W +: W]
    output wire [  OUTS-1:0] wrong_o  // GUARD = 1: a bit that selects for the output has flipped
);

  wire [OUTS*W-1:0] d;
  wire unused = &{sel_i, drop_i};  // gated sources are told apart by drop_i alone, others by sel_i

  genvar o, n;
  generate
    if (STAGES == 1) begin : gen_single
      assign wrong_o = {OUTS{1'b0}};
      for (o = 0; o < OUTS; o = o + 1) begin : gen_output
        wire [(N+1)*W-1:0] terms;
        for (n = 0; n < N; n = n + 1) begin : gen_term
          assign terms[n*W+:W] = {W{sel_i[o*N+n]}} & data_i[n*W+:W];
        end
        assign terms[N*W+:W] = bank_i[o*W+:W];
        mn_or_tree #(
            .W(W),
            .N(N + 1)
        ) u_or (
            .terms_i(terms),
            .any_o  (d[o*W+:W])
        );
      end
    end else begin : gen_split
      localparam GATED = ADDED != 0 && (N == 2 || N == 3) ? N : 0;  // sources with a register of their own
      localparam LATE = ADDED == 0 && (N == 2 || N == 3 || N >= 8) ? 1 : 0;  // one if c and e exist
      localparam JOIN = GATED == 0 ? N % 2 : 0;  // one if a source joins the bank
      localparam PAIRS = GATED == 0 ? N / 2 - LATE : 0;
      localparam TERMS = PAIRS + GATED + 1;
      // Order of the sources: the pairs, c and e, the one that joins the bank.
      localparam LATE_AT = 2 * PAIRS;

      wire [OUTS*W-1:0] any, x;
      wire [OUTS-1:0] set;

      for (o = 0; o < OUTS; o = o + 1) begin : gen_output
        wire [TERMS*W-1:0] terms;

        for (n = 0; n < PAIRS; n = n + 1) begin : gen_pair
          reg [W-1:0] pair_q;
          always @(posedge clk_i) begin
            pair_q <= ({W{sel_i[o*N+2*n]}} & data_i[2*n*W+:W]) | ({W{sel_i[o*N+2*n+1]}} & data_i[(2*n+1)*W+:W]);
          end
          assign terms[n*W+:W] = pair_q;
        end
        for (n = 0; n < GATED; n = n + 1) begin : gen_gated
          reg [W-1:0] gated_q;
          always @(posedge clk_i) begin
            if (drop_i[o*N+n]) gated_q <= {W{1'b0}};
            else gated_q <= data_i[n*W+:W];
          end
          assign terms[n*W+:W] = gated_q;
        end

        wire [W-1:0] early;
        if (JOIN != 0) begin : gen_join
          assign early = bank_i[o*W+:W] | ({W{sel_i[o*N+N-1]}} & data_i[(N-1)*W+:W]);
        end else begin : gen_no_join
          assign early = bank_i[o*W+:W];
        end

        reg [W-1:0] bank_q;
        always @(posedge clk_i) begin
          if (set[o]) bank_q <= {W{1'b1}};
          else bank_q <= early;
        end
        assign terms[(TERMS-1)*W+:W] = bank_q;

        mn_or_tree #(
            .W(W),
            .N(TERMS)
        ) u_or (
            .terms_i(terms),
            .any_o  (any[o*W+:W])
        );
      end

      mn_stages #(
          .W   (OUTS * W),
          .N   (STAGES - 2),
          .HEAD(1)
      ) u_any (
          .clk_i(clk_i),
          .rst_i(rst_i),
          .d_i  (any),
          .q_o  (x)
      );

      if (LATE == 0) begin : gen_no_late
        assign wrong_o = {OUTS{1'b0}};
        assign set = {OUTS{1'b0}};
        assign d   = x;
      end else begin : gen_late
        wire [W-1:0] c, e;
        mn_stages #(
            .W   (2 * W),
            .N   (STAGES - 1),
            .HEAD(1)
        ) u_late (
            .clk_i(clk_i),
            .rst_i(rst_i),
            .d_i  (data_i[LATE_AT*W+:2*W]),
            .q_o  ({e, c})
        );
        for (o = 0; o < OUTS; o = o + 1) begin : gen_turn
          wire [1:0] sel = sel_i[o*N+LATE_AT+:2];
          wire [W-1:0] turn;
          wire late, wrong_select, wrong_turn;
          mn_guarded_stages #(
              .W    (1),
              .N    (STAGES - 2),
              .HEAD (1),
              .GUARD(GUARD)
          ) u_select (
              .clk_i  (clk_i),
              .rst_i  (rst_i),
              .d_i    (|sel),
              .q_o    (late),
              .wrong_o(wrong_select)
          );
          mn_spread #(
              .W    (W),
              .GUARD(GUARD)
          ) u_turn (
              .clk_i  (clk_i),
              .rst_i  (rst_i),
              .d_i    (late),
              .q_o    (turn),
              .wrong_o(wrong_turn)
          );
          assign wrong_o[o] = wrong_select || wrong_turn;
          assign set[o] = sel[0];
          assign d[o*W+:W] = (turn & ((x[o*W+:W] & c) | (~x[o*W+:W] & e))) | (~turn & x[o*W+:W]);
        end
      end
    end

    for (o = 0; o < OUTS; o = o + 1) begin : gen_register
      always @(posedge clk_i) begin
        q_o[o*W+:W] <= d[o*W+:W];
        if (rst_i) q_o[o*W+W-HEAD+:HEAD] <= {HEAD{1'b0}};
      end
    end
  endgenerate

endmodule

`default_nettype wire
