// Delay of N registers for one channel: the registers of its route between two tiles.
//
// Clock, reset: clk_i, rst_i (clears the HEAD topmost bits of every register)
// Data:         d_i, q_o
`default_nettype none

module mn_stages #(
    parameter W = 32,  // width in bits
    parameter N = 1,  // number of registers, 0 or more
    parameter HEAD = 1  // topmost bits of W that reset to zero, 1..W
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [W-1:0] d_i,
    output wire [W-1:0] q_o
);

  wire [(N+1)*W-1:0] chain;

  assign chain[0+:W] = d_i;
  assign q_o = chain[N*W+:W];

  genvar n;
  generate
    for (n = 0; n < N; n = n + 1) begin : gen_stage
      // A shift register must stay registers: its purpose is to be placed along the route.
      (* shreg_extract = "no" *) reg [W-1:0] stage_q;
      always @(posedge clk_i) begin
        stage_q <= chain[n*W+:W];
        if (rst_i) stage_q[W-1-:HEAD] <= {HEAD{1'b0}};
      end
      assign chain[(n+1)*W+:W] = stage_q;
    end
    if (N == 0) begin : gen_through
      // With no register the clock and reset have no load.
      wire unused = clk_i & rst_i;
    end
  endgenerate

endmodule

`default_nettype wire
