// Registers one control bit and spreads it over W data bits from two registers, so that each has half the load and the two halves of a
// word can be placed apart. The second register holds the complement, because synthesis merges equal registers; the inverters vanish
// into the LUTs behind.
//
// Clock: clk_i
// Data:  d_i, q_o
`default_nettype none

module mn_spread #(
    parameter W = 32  // width of the copy, at least 2
) (
    input  wire         clk_i,
    input  wire         d_i,
    output wire [W-1:0] q_o
);

  localparam HALF = W / 2;

  reg bit_q, not_q;
  always @(posedge clk_i) begin
    bit_q <= d_i;
    not_q <= ~d_i;
  end

  assign q_o = {{W - HALF{~not_q}}, {HALF{bit_q}}};

endmodule

`default_nettype wire
