// Crossbar without arbitration: each output is the OR of its own gated bank and of N shared sources ANDed with one-hot selects.
//
// With STAGES = 1 an output bit is a plain AND-OR of 2N+1 inputs in front of the output register: ceil(2N/3) LUT4.
// With STAGES = 2 one register lies inside, and an output is built from three shapes that put at most one LUT4 in front of it:
//   quad  four sources a, b, c, e. First stage: x = a or b, *set* to all ones while c is selected. Second stage: turn ? (x ? c : e) : x,
//         where c and e are one cycle late (registers shared by all outputs) and turn tells that c or e was selected.
//         Two LUT4 a bit, where an AND-OR takes three.
//   pair  two sources, AND-OR in front of one register: one LUT4 a bit.
//   gate  one source in a register that the lack of its select resets: no LUT.
// N = 4Q + R sources make Q quads and, for R = 1, a gate; R = 2, two gates; R = 3, a pair and a gate. The bank is one more register.
// The second stage ORs the Q + R' + 1 terms.
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
      localparam QUADS = N / 4;
      localparam PAIRS = (N % 4 == 3) ? 1 : 0;
      localparam GATES = N % 4 - 2 * PAIRS;
      localparam TERMS = QUADS + PAIRS + GATES + 1;
      localparam LATE_AT = 2 * QUADS;  // sources 0 .. LATE_AT-1 are the a and b of the quads
      localparam PAIR_AT = 4 * QUADS;  // sources LATE_AT .. PAIR_AT-1 are their c and e
      localparam GATE_AT = PAIR_AT + 2 * PAIRS;

      wire [OUTS*TERMS*W-1:0] terms;

      for (n = 0; n < QUADS; n = n + 1) begin : gen_quad
        reg [W-1:0] c_q, e_q;
        always @(posedge clk_i) begin
          c_q <= data_i[(LATE_AT+2*n)*W+:W];
          e_q <= data_i[(LATE_AT+2*n+1)*W+:W];
        end
        for (o = 0; o < OUTS; o = o + 1) begin : gen_output
          wire [1:0] early = sel_i[o*N+2*n+:2];
          wire [1:0] late = sel_i[o*N+LATE_AT+2*n+:2];
          reg [W-1:0] x_q;
          reg turn_q;
          always @(posedge clk_i) begin
            x_q <= ({W{early[0]}} & data_i[2*n*W+:W]) | ({W{early[1]}} & data_i[(2*n+1)*W+:W]);
            if (late[0]) x_q <= {W{1'b1}};
            turn_q <= |late;
          end
          assign terms[(o*TERMS+n)*W+:W] = turn_q ? ((x_q & c_q) | (~x_q & e_q)) : x_q;
        end
      end

      for (o = 0; o < OUTS; o = o + 1) begin : gen_output
        for (n = 0; n < PAIRS; n = n + 1) begin : gen_pair
          wire [1:0] sel = sel_i[o*N+PAIR_AT+:2];
          reg [W-1:0] x_q;
          always @(posedge clk_i) begin
            x_q <= ({W{sel[0]}} & data_i[PAIR_AT*W+:W]) | ({W{sel[1]}} & data_i[(PAIR_AT+1)*W+:W]);
          end
          assign terms[(o*TERMS+QUADS+n)*W+:W] = x_q;
        end

        for (n = 0; n < GATES; n = n + 1) begin : gen_gate
          reg [W-1:0] x_q;
          always @(posedge clk_i) begin
            x_q <= data_i[(GATE_AT+n)*W+:W];
            if (!sel_i[o*N+GATE_AT+n]) x_q <= {W{1'b0}};
          end
          assign terms[(o*TERMS+QUADS+PAIRS+n)*W+:W] = x_q;
        end

        reg [W-1:0] bank_q;
        always @(posedge clk_i) bank_q <= bank_i[o*W+:W];
        assign terms[(o*TERMS+TERMS-1)*W+:W] = bank_q;

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
