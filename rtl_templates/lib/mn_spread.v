// Registers a select and spreads it over W data bits from four registers, each for a quarter of the word. Each
// register has a quarter of the load, and the quarters can be placed apart.
//
// Synthesis merges equal registers, so the four differ: two hold the complement (the inverters vanish into the LUTs behind), and one
// of either kind has a reset.
//
// Clock, reset: clk_i, rst_i
// Data:         d_i, q_o
`default_nettype none

module mn_spread #(
    parameter W = 32,  // width of the spread copy in bits, at least 1
    parameter GUARD = 0  // 1: a register that flips is reported
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         d_i,
    output wire [W-1:0] q_o,
    output wire         wrong_o
);

  reg plain_q, plain_n_q, reset_q, reset_n_q;

  always @(posedge clk_i) begin
    plain_q   <= d_i;
    plain_n_q <= ~d_i;
    if (rst_i) begin
      reset_q   <= 1'b0;
      reset_n_q <= 1'b1;
    end else begin
      reset_q   <= d_i;
      reset_n_q <= ~d_i;
    end
  end

  wire [3:0] copies = {~reset_n_q, reset_q, ~plain_n_q, plain_q};

  // Four copies of one bit have even parity.
  mn_guard #(
      .ON(GUARD)
  ) u_guard (
      .clk_i  (clk_i),
      .rst_i  (rst_i),
      .given_i(1'b0),
      .kept_i (^copies),
      .wrong_o(wrong_o)
  );

  genvar i;
  generate
    for (i = 0; i < W; i = i + 1) begin : gen_bit
      assign q_o[i] = copies[i*4/W];
    end
  endgenerate

endmodule

`default_nettype wire
