// Crossbar without arbitration: each output is the OR of its own gated bank and of N shared sources ANDed with one-hot selects.
//
// With STAGES = 1 an output bit is a plain AND-OR of 2N+1 inputs in front of the output register: ceil(2N/3) LUT4.
// With STAGES = 2 one register lies inside. Selected sources then come in four shapes, which need fewer LUTs than an AND-OR; "late" sources
// meet the output in the second stage, from delayed copies that all outputs share:
//   quad    four sources a, b, c, e; c and e late. First stage: x = a or b, *set* to all ones while c is selected. Second stage:
//           turn ? (x ? c : e) : x, where turn tells that c or e was selected. Two LUT4 a bit.
//   pair    two sources, AND-OR in the first stage. One LUT4 a bit.
//   single  one late source, ANDed with its late select inside the OR that joins the shapes.
//   bank    the bank, ORed with one source in the first stage (BANK is odd: one LUT4 a bit) and in the place of a quad's x before two late
//           sources (BANK is 2 or 3: one LUT4 a bit).
// LUT4 a bit: 2 QUADS + PAIRS + [BANK odd] + [BANK >= 2] + ceil((QUADS + PAIRS + 2 SINGLE) / 3), that is 1, 1, 2, 3, 3, 4, 5, 5 for
// N = 1 .. 8. The mix keeps each stage one LUT deep for N <= 7 except 5, where the AND-OR has two or three.
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
    parameter STAGES = 1  // registers from data_i to q_o: 1 or 2
) (
    input  wire              clk_i,
    input  wire              rst_i,
    input  wire [OUTS*N-1:0] sel_i,   // source n asks for output o: [o*N + n]; one-hot or zero for each output
    input  wire [   N*W-1:0] data_i,  // source n at [n*W +: W]
    input  wire [OUTS*W-1:0] bank_i,  // bank of output o at [o*W +: W], zero when idle
    output reg  [OUTS*W-1:0] q_o      // output o at [o*W +: W]
);

  wire [OUTS*W-1:0] d;

  genvar o, n;
  generate
    if (STAGES == 1) begin : gen_single
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
    end else begin : gen_double
      localparam QUADS = (N == 6 || N == 7) ? 0 : (N % 4 == 0) ? N / 4 - 1 : N / 4;
      localparam PAIRS = (N == 4) ? 1 : (N == 6 || N == 7) ? 3 : (N % 4 == 0) ? 2 : 0;
      localparam SINGLE = (N == 4 || N % 4 == 1 || (N % 4 == 3 && N > 7)) ? 1 : 0;
      localparam BANK = N - 4 * QUADS - 2 * PAIRS - SINGLE;
      localparam TERMS = QUADS + PAIRS + SINGLE + 1;
      // Order of the sources: the quads, four each, the pairs, the single, those of the bank (late ones first).
      localparam PAIR_AT = 4 * QUADS;
      localparam SINGLE_AT = PAIR_AT + 2 * PAIRS;
      localparam BANK_AT = SINGLE_AT + SINGLE;

      wire [OUTS*TERMS*W-1:0] terms;

      for (n = 0; n < QUADS; n = n + 1) begin : gen_quad
        wire [W-1:0] a = data_i[4*n*W+:W];
        wire [W-1:0] b = data_i[(4*n+1)*W+:W];
        reg [W-1:0] c_q, e_q;
        always @(posedge clk_i) begin
          c_q <= data_i[(4*n+2)*W+:W];
          e_q <= data_i[(4*n+3)*W+:W];
        end
        for (o = 0; o < OUTS; o = o + 1) begin : gen_output
          wire [3:0] sel = sel_i[o*N+4*n+:4];
          wire [W-1:0] turn;
          reg [W-1:0] x_q;
          always @(posedge clk_i) begin
            x_q <= ({W{sel[0]}} & a) | ({W{sel[1]}} & b);
            if (sel[2]) x_q <= {W{1'b1}};
          end
          mn_spread #(
              .W(W)
          ) u_turn (
              .clk_i(clk_i),
              .rst_i(rst_i),
              .d_i  (sel[2] | sel[3]),
              .q_o  (turn)
          );
          assign terms[(o*TERMS+n)*W+:W] = (turn & ((x_q & c_q) | (~x_q & e_q))) | (~turn & x_q);
        end
      end

      for (n = 0; n < PAIRS; n = n + 1) begin : gen_pair
        wire [W-1:0] a = data_i[(PAIR_AT+2*n)*W+:W];
        wire [W-1:0] b = data_i[(PAIR_AT+2*n+1)*W+:W];
        for (o = 0; o < OUTS; o = o + 1) begin : gen_output
          wire [1:0] sel = sel_i[o*N+PAIR_AT+2*n+:2];
          reg [W-1:0] x_q;
          always @(posedge clk_i) x_q <= ({W{sel[0]}} & a) | ({W{sel[1]}} & b);
          assign terms[(o*TERMS+QUADS+n)*W+:W] = x_q;
        end
      end

      if (SINGLE != 0) begin : gen_single_source
        reg [W-1:0] c_q;
        always @(posedge clk_i) c_q <= data_i[SINGLE_AT*W+:W];
        for (o = 0; o < OUTS; o = o + 1) begin : gen_output
          wire [W-1:0] turn;
          mn_spread #(
              .W(W)
          ) u_turn (
              .clk_i(clk_i),
              .rst_i(rst_i),
              .d_i  (sel_i[o*N+SINGLE_AT]),
              .q_o  (turn)
          );
          assign terms[(o*TERMS+QUADS+PAIRS)*W+:W] = turn & c_q;
        end
      end

      wire [OUTS*W-1:0] early;
      for (o = 0; o < OUTS; o = o + 1) begin : gen_early
        if (BANK % 2 == 1) begin : gen_joined
          localparam B_AT = BANK_AT + BANK - 1;
          assign early[o*W+:W] = bank_i[o*W+:W] | ({W{sel_i[o*N+B_AT]}} & data_i[B_AT*W+:W]);
        end else begin : gen_alone
          assign early[o*W+:W] = bank_i[o*W+:W];
        end
      end

      if (BANK < 2) begin : gen_bank
        for (o = 0; o < OUTS; o = o + 1) begin : gen_output
          reg [W-1:0] x_q;
          always @(posedge clk_i) x_q <= early[o*W+:W];
          assign terms[(o*TERMS+TERMS-1)*W+:W] = x_q;
        end
      end else begin : gen_bank_late
        reg [W-1:0] c_q, e_q;
        always @(posedge clk_i) begin
          c_q <= data_i[BANK_AT*W+:W];
          e_q <= data_i[(BANK_AT+1)*W+:W];
        end
        for (o = 0; o < OUTS; o = o + 1) begin : gen_output
          wire [1:0] sel = sel_i[o*N+BANK_AT+:2];
          wire [W-1:0] turn;
          reg [W-1:0] x_q;
          always @(posedge clk_i) begin
            x_q <= early[o*W+:W];
            if (sel[0]) x_q <= {W{1'b1}};
          end
          mn_spread #(
              .W(W)
          ) u_turn (
              .clk_i(clk_i),
              .rst_i(rst_i),
              .d_i  (sel[0] | sel[1]),
              .q_o  (turn)
          );
          assign terms[(o*TERMS+TERMS-1)*W+:W] = (turn & ((x_q & c_q) | (~x_q & e_q))) | (~turn & x_q);
        end
      end

      for (o = 0; o < OUTS; o = o + 1) begin : gen_output
        mn_or_tree #(
            .W(W),
            .N(TERMS)
        ) u_or (
            .terms_i(terms[o*TERMS*W+:TERMS*W]),
            .any_o  (d[o*W+:W])
        );
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
